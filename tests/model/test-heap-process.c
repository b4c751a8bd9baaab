// SPDX-License-Identifier: GPL-3.0-or-later
/* The process that a recording is of, and how much of its memory is in it. */
#include <string.h>

#include "fixture-mappings.h"
#include "fixture-snapshot.h"
#include "fp-heap-process.h"
#include "heap-writer.h"

#define START_SECONDS 10 /* of the process, after the machine */

static void
test_guess (void)
{
  static const struct
  {
    const char *name;
    gint pid;
  } cases[] = {
    { "heaptrack.reader.4711.zst", 4711 },
    { "heaptrack.reader.4711.raw.gz", 4711 },
    { "heaptrack.python3.11.4711.zst", 4711 },
    { "massif.out.815", 815 },
    { "dhat.out.1", 1 },
    { "heaptrack.reader.zst", 0 },
    { "4711", 0 },
    { "reader.0", 0 },
    { "reader.-5", 0 },
    { "reader.99999999999", 0 },
    { "", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (fp_heap_process_guess_pid (cases[i].name), ==, cases[i].pid);
}

/* "./program with arguments", of 4 s, with 256 KiB in use at the end */
static FpHeapProfile *
make_profile (void)
{
  g_auto (HeapWriter) writer = { 0 };

  heap_writer_write_known (&writer);
  return heap_read (writer.text->str, writer.text->len, NULL);
}

/* The same program has to have the process ID, and to have had it when the recording began. */
static void
test_find (void)
{
  g_autoptr (FpHeapProfile) profile = make_profile ();
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL;
  const guint64 second = G_USEC_PER_SEC, duration_us = 4 * second;
  FpProcess *process;

  fixture_snapshot_init (&fixture, 2);
  /* The clock began with the machine. */
  fixture.snapshot->info.realtime_us = fixture.snapshot->info.boottime_us;
  process = fixture_snapshot_add (&fixture, 100, "program");
  fixture_snapshot_set_text (&fixture, process, FP_TEXT_COMMAND, "/usr/bin/program with other arguments");
  process->start_ticks = START_SECONDS * fixture.snapshot->info.ticks_per_second;
  process = fixture_snapshot_add (&fixture, 200, "other");
  fixture_snapshot_set_text (&fixture, process, FP_TEXT_COMMAND, "/usr/bin/other");
  records = fixture_snapshot_make_records (&fixture);

  g_assert_true (fp_heap_process_find (profile, 100, 30 * second + duration_us, fixture.snapshot) == fixture.snapshot->processes);
  g_assert_nonnull (fp_heap_process_find (profile, 100, START_SECONDS * second + duration_us, fixture.snapshot));
  g_assert_null (fp_heap_process_find (profile, 100, (START_SECONDS - 2) * second + duration_us, fixture.snapshot));
  g_assert_null (fp_heap_process_find (profile, 100, second, fixture.snapshot));
  g_assert_null (fp_heap_process_find (profile, 200, 30 * second + duration_us, fixture.snapshot));
  g_assert_null (fp_heap_process_find (profile, 300, 30 * second + duration_us, fixture.snapshot));
  g_assert_null (fp_heap_process_find (profile, 0, 30 * second + duration_us, fixture.snapshot));
}

static void
test_describe (void)
{
  static const char *const lines[] = {
    "1000-401000 rw-p 00000000 00:00 0 [heap]|Anonymous 2048, Swap 1024",
    "500000-600000 rw-p 00000000 00:00 0 [stack]|Anonymous 128",
    "700000-800000 rw-p 00001000 08:01 5 /usr/lib/libc.so.6|Anonymous 64",
    "900000-a00000 r-xp 00000000 08:01 5 /usr/lib/libc.so.6|Rss 512",
    "b00000-c00000 rw-p 00000000 00:00 0 |Anonymous 832",
    NULL,
  };
  static const char *const small[] = { "1000-401000 rw-p 00000000 00:00 0 [heap]|Anonymous 128", NULL };
  g_autoptr (FpHeapProfile) profile = make_profile (), folded = heap_read ("main;work 70\n", 13, NULL);
  g_autoptr (FpMappings) mappings = fixture_mappings_scan (lines), few = fixture_mappings_scan (small);
  g_autofree char *text = fp_heap_process_describe (profile, 4711, mappings, FP_STYLE_IEC), *other = NULL;

  g_assert_cmpstr (text, ==,
                   "This profile explains 256 KiB of 4.0 MiB of the memory of process 4711 that is not from files: 3.0\u00a0MiB in heaps, "
                   "128\u00a0KiB in stacks, 64.0\u00a0KiB in data of programs and libraries, 832\u00a0KiB in other mappings. "
                   "The rest is in stacks and other allocators, or was freed and not given back.");
  /* The process has less than was recorded: the recording is of another time. */
  other = fp_heap_process_describe (profile, 4711, few, FP_STYLE_IEC);
  g_assert_null (other);
  other = fp_heap_process_describe (folded, 4711, mappings, FP_STYLE_IEC);
  g_assert_null (other);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap-process/guess", test_guess);
  g_test_add_func ("/heap-process/find", test_find);
  g_test_add_func ("/heap-process/describe", test_describe);
  return g_test_run ();
}
