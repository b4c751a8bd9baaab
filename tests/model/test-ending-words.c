// SPDX-License-Identifier: GPL-3.0-or-later
/* The memory that ending processes gives back, in words. */
#include <string.h>

#include "fixture-snapshot.h"
#include "fp-ending-words.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)
#define GIB (G_GUINT64_CONSTANT (1) << 30)

static const FpFormat format = { .style = FP_STYLE_IEC };

/* A figure keeps its unit on its line. */
static void
assert_words (const FpEnding *ending,
              const FpSnapshot *snapshot,
              const char *expected)
{
  g_autofree char *text = fp_ending_describe (ending, snapshot, &format);
  g_autoptr (GString) plain = g_string_new (text);

  g_string_replace (plain, "\u00a0", " ", 0);
  g_assert_cmpstr (plain->str, ==, expected);
}

static void
add (FpEnding *ending,
     FpEndingFate fate,
     guint64 bytes,
     const char *name,
     gint pid,
     guint n_others)
{
  fp_ending_add_part (ending, &(FpEndingPart){ fate, bytes, (char *)name, pid, n_others, FALSE });
}

static void
test_whole (void)
{
  g_autoptr (FpEnding) ending = fp_ending_new (9);

  ending->memory = (FpSpan){ 19 * GIB / 10, 19 * GIB / 10 };
  ending->cache = (FpSpan){ 210 * MIB, 210 * MIB };
  add (ending, FP_ENDING_HELD, 30 * MIB, "mutter", 1, 0);
  add (ending, FP_ENDING_STAYS, 64 * MIB, "/dev/shm/x", 0, 0);
  fp_ending_sort (ending);
  assert_words (ending, NULL,
                "Ending these 9 gives back 1.9 GiB now; 210 MiB of files stay as cache until needed; "
                "64.0 MiB stay in /dev/shm/x; 30.0 MiB go only when mutter ends too.");
}

static void
test_ranges (void)
{
  const struct
  {
    FpSpan memory;
    const char *words;
  } cases[] = {
    { { 19 * GIB / 10, 2 * GIB }, "Ending it gives back 1.9 to 2.0 GiB now." },
    { { 900 * MIB, 2 * GIB }, "Ending it gives back 900 MiB to 2.0 GiB now." },
    { { 2 * GIB, 2 * GIB + MIB }, "Ending it gives back 2.0 GiB now." },
    { { 0, 2 * GIB }, "Ending it gives back up to 2.0 GiB now." },
    { { 0, 0 }, "Ending it gives back nothing now." },
    { { 2 * GIB, G_MAXUINT64 }, "Ending it gives back at least 2.0 GiB now." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FpEnding) ending = fp_ending_new (1);

      ending->memory = cases[i].memory;
      assert_words (ending, NULL, cases[i].words);
    }
}

/* A wide range has its reason. */
static void
test_closed (void)
{
  g_autoptr (FpEnding) ending = fp_ending_new (4);

  ending->memory = (FpSpan){ 11 * MIB, 275 * MIB };
  fp_ending_doubt (ending, 264 * MIB, 1);
  fp_ending_add_part (ending, &(FpEndingPart){ FP_ENDING_HELD, 400 * MIB, (char *)"worker", 8, 3, FALSE, TRUE });
  assert_words (ending, NULL,
                "Ending these 4 gives back 11.0 to 275 MiB now; 1 process that can’t be read may hold on to up to 264 MiB of it; "
                "400 MiB go only when up to 4 other processes, such as worker, end too.");
  ending->memory.low = 275 * MIB - 1;
  ending->doubtful = 1;
  assert_words (ending, NULL,
                "Ending these 4 gives back 275 MiB now; 400 MiB go only when up to 4 other processes, such as worker, end too.");
}

static void
test_parts (void)
{
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL;
  g_autoptr (FpEnding) ending = fp_ending_new (2);

  fixture_snapshot_init (&fixture, 2);
  fixture_snapshot_add (&fixture, 7, "Xwayland");
  records = fixture_snapshot_make_records (&fixture);
  ending->memory = (FpSpan){ 10 * MIB, 10 * MIB };
  ending->swap = (FpSpan){ 2 * MIB, 3 * MIB };
  ending->pool = (FpSpan){ 4 * MIB, 4 * MIB };
  add (ending, FP_ENDING_STAYS, 5 * MIB, "/dev/shm/y", 0, 0);
  add (ending, FP_ENDING_STAYS, 6 * MIB, "/dev/shm/z", 0, 0);
  add (ending, FP_ENDING_STAYS, MIB / 2, "/dev/shm/small", 0, 0);
  add (ending, FP_ENDING_HELD, 9 * MIB, "Xwayland :0", 7, 0);
  add (ending, FP_ENDING_HELD, 8 * MIB, "dbus", 8, 2);
  add (ending, FP_ENDING_HELD, 3 * MIB, "one", 9, 0);
  add (ending, FP_ENDING_HELD, 2 * MIB, "two", 10, 0);
  fp_ending_sort (ending);
  assert_words (ending, fp_process_records_get_snapshot (records),
                "Ending these 2 gives back 10.0 MiB now and 2.0 to 3.0 MiB of swap; 4.0 MiB go back to the pool of huge "
                "pages; 11.0 MiB stay in /dev/shm/z and 1 more file; 9.0 MiB go only when Xwayland ends too; "
                "8.0 MiB go only when dbus and 2 other processes end too; 5.0 MiB more go only when other programs end too.");
}

static void
test_unread (void)
{
  g_autoptr (FpEnding) ending = fp_ending_new (3);

  ending->n_unread = 2;
  ending->memory = (FpSpan){ 10 * MIB, G_MAXUINT64 };
  ending->swap = ending->cache = ending->pool = (FpSpan){ 0, G_MAXUINT64 };
  assert_words (ending, NULL, "Ending these 3 gives back at least 10.0 MiB now; 2 of them can’t be read.");
}

static FpProcess *
add_process (FixtureSnapshot *fixture,
             gint pid,
             guint64 private,
             guint64 file,
             guint64 shmem)
{
  FpProcess *process = fixture_snapshot_add (fixture, pid, "program");

  fp_memory_set (&process->memory, FP_FIELD_USS, private);
  fp_memory_set (&process->memory, FP_FIELD_PSS_FILE, file);
  fp_memory_set (&process->memory, FP_FIELD_PSS_SHMEM, shmem);
  return process;
}

/* All private pages may be those of files, as far as the sums tell. */
static void
test_least (void)
{
  const guint indices[] = { 0, 1, 2, 3 };
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL;
  g_autofree FpEndingMember *members = NULL;
  g_autofree char *text = NULL;
  guint n;

  fixture_snapshot_init (&fixture, 6);
  add_process (&fixture, 1, 100 * MIB, 20 * MIB, 10 * MIB);
  add_process (&fixture, 2, 100 * MIB, 64 * MIB, 64 * MIB);
  fixture_snapshot_add_reason (&fixture, 3, "closed", FP_REASON_PERMISSION);
  /* Another goes on with the memory of this one. */
  add_process (&fixture, 4, 100 * MIB, 0, 0);
  add_process (&fixture, 5, 0, 0, 0)->shares_with = 4;
  records = fixture_snapshot_make_records (&fixture);
  members = fp_ending_make_members (records, indices, G_N_ELEMENTS (indices), &n);
  g_assert_cmpuint (n, ==, 4);
  g_assert_cmpuint (members[0].least, ==, 70 * MIB);
  g_assert_cmpuint (members[1].least, ==, 0);
  g_assert_cmpuint (members[2].least, ==, 0);
  g_assert_cmpuint (members[3].least, ==, 0);
  text = fp_ending_describe_least (members, n, &format);
  g_assert_cmpstr (text, ==, "Ending these 4 gives back at least 70.0\u00a0MiB.");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ending-words/whole", test_whole);
  g_test_add_func ("/ending-words/ranges", test_ranges);
  g_test_add_func ("/ending-words/closed", test_closed);
  g_test_add_func ("/ending-words/parts", test_parts);
  g_test_add_func ("/ending-words/unread", test_unread);
  g_test_add_func ("/ending-words/least", test_least);
  return g_test_run ();
}
