// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-snapshot-file.h"
#include "fp-sweep.h"

static void
assert_same_system (const FpSystem *a,
                    const FpSystem *b)
{
  g_assert_cmphex (a->present, ==, b->present);
  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    g_assert_cmpuint (fp_system_get (a, field), ==, fp_system_get (b, field));
  g_assert_cmpuint (a->n_swaps, ==, b->n_swaps);
  for (guint i = 0; i < a->n_swaps; i++)
    {
      g_assert_cmpstr (a->swaps[i].name, ==, b->swaps[i].name);
      g_assert_cmpint (a->swaps[i].type, ==, b->swaps[i].type);
      g_assert_cmpint (a->swaps[i].priority, ==, b->swaps[i].priority);
      g_assert_cmpuint (a->swaps[i].size, ==, b->swaps[i].size);
      g_assert_cmpuint (a->swaps[i].used, ==, b->swaps[i].used);
      g_assert_cmpuint (a->swaps[i].stored, ==, b->swaps[i].stored);
      g_assert_cmpuint (a->swaps[i].compressed, ==, b->swaps[i].compressed);
      g_assert_cmpuint (a->swaps[i].cost, ==, b->swaps[i].cost);
    }
  g_assert_cmpuint (a->n_huge_pools, ==, b->n_huge_pools);
  for (guint i = 0; i < a->n_huge_pools; i++)
    g_assert_cmpmem (&a->huge_pools[i], sizeof a->huge_pools[i], &b->huge_pools[i], sizeof b->huge_pools[i]);
}

static void
assert_same_process (const FpSnapshot *a,
                     const FpProcess *x,
                     const FpSnapshot *b,
                     const FpProcess *y)
{
  g_assert_cmpint (x->pid, ==, y->pid);
  g_assert_cmpint (x->ppid, ==, y->ppid);
  g_assert_cmpuint (x->uid, ==, y->uid);
  g_assert_cmpuint (x->start_ticks, ==, y->start_ticks);
  g_assert_cmpuint (x->measured_us, ==, y->measured_us);
  g_assert_cmpuint (x->cost_us, ==, y->cost_us);
  g_assert_cmpint (x->shares_with, ==, y->shares_with);
  g_assert_cmpint (x->oom_score_adj, ==, y->oom_score_adj);
  g_assert_cmpint (x->state, ==, y->state);
  g_assert_cmpint (x->reason, ==, y->reason);
  g_assert_cmpint (x->exe_state, ==, y->exe_state);
  g_assert_cmpint (x->main_thread_exited, ==, y->main_thread_exited);
  g_assert_cmphex (x->memory.present, ==, y->memory.present);
  g_assert_cmphex (x->memory.ranged, ==, y->memory.ranged);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      guint64 of_x[2], of_y[2];

      g_assert_cmpint (fp_memory_get_ends (&x->memory, field, &of_x[0], &of_x[1]), ==,
                       fp_memory_get_ends (&y->memory, field, &of_y[0], &of_y[1]));
      g_assert_cmpuint (of_x[0], ==, of_y[0]);
      g_assert_cmpuint (of_x[1], ==, of_y[1]);
    }
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    g_assert_cmpstr (fp_snapshot_get_text (a, x, text), ==, fp_snapshot_get_text (b, y, text));
}

static void
assert_same (const FpSnapshot *a,
             const FpSnapshot *b)
{
  g_assert_cmpuint (a->info.boottime_us, ==, b->info.boottime_us);
  g_assert_cmpuint (a->info.realtime_us, ==, b->info.realtime_us);
  g_assert_cmpuint (a->info.ticks_per_second, ==, b->info.ticks_per_second);
  g_assert_cmpuint (a->info.page_size, ==, b->info.page_size);
  g_assert_cmpuint (a->info.n_pending, ==, b->info.n_pending);
  g_assert_cmpstr (a->info.boot_id, ==, b->info.boot_id);
  assert_same_system (&a->system, &b->system);
  g_assert_cmpuint (a->n_processes, ==, b->n_processes);
  for (guint i = 0; i < a->n_processes; i++)
    assert_same_process (a, &a->processes[i], b, &b->processes[i]);
}

static void
assert_same_in_file (const FpSnapshot *snapshot,
                     GBytes *bytes)
{
  g_autofree char *path = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("footprint-XXXXXX", &path, &error);
  gsize size;

  g_assert_no_error (error);
  g_assert_true (fp_snapshot_write (snapshot, fd, &error));
  g_assert_true (g_file_get_contents (path, &text, &size, &error));
  g_assert_cmpmem (text, size, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  close (fd);
  unlink (path);
  fd = open ("/dev/full", O_WRONLY);
  g_assert_false (fp_snapshot_write (snapshot, fd, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSPC);
  close (fd);
}

static void
assert_round_trip (const FpSnapshot *snapshot)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (snapshot);
  g_autoptr (FpSnapshot) copy = fp_snapshot_from_bytes (bytes, &error);
  g_autoptr (GBytes) again = NULL;

  g_assert_no_error (error);
  assert_same (snapshot, copy);
  again = fp_snapshot_to_bytes (copy);
  g_assert_true (g_bytes_equal (bytes, again));
  assert_same_in_file (snapshot, bytes);
}

static void
test_round_trip (gconstpointer name)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original (name);

  g_assert_cmpuint (snapshot->n_processes, >, 10);
  assert_round_trip (snapshot);
}

static void
test_round_trip_live (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep ("/proc");

  g_assert_cmpuint (snapshot->n_processes, >, 1);
  g_assert_nonnull (fp_snapshot_find (snapshot, 1));
  assert_round_trip (snapshot);
}

static void
test_round_trip_empty (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSnapshot) snapshot = NULL;

  fixture_make_empty (&fixture);
  snapshot = fixture_sweep (fixture.proc);
  g_assert_cmpuint (snapshot->n_processes, ==, 0);
  assert_round_trip (snapshot);
}

static FpMemory *
get_memory (FpSnapshot *snapshot,
            gint pid)
{
  return &snapshot->processes[fp_snapshot_find (snapshot, pid) - snapshot->processes].memory;
}

static void
test_round_trip_ranges (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("desktop");

  fp_memory_set_range (get_memory (snapshot, 1200), FP_FIELD_PSS, 5000, 6000);
  fp_memory_set_range (get_memory (snapshot, 1200), FP_FIELD_MEMORY_AND_SWAP, 5000, 6100);
  fp_memory_set_range (get_memory (snapshot, 1300), FP_FIELD_USS, 0, 1);
  assert_round_trip (snapshot);
}

/* A file that was written can be opened again, whatever /proc said (lxcfs once said 2^63 bytes of swap). */
static void
test_absurd_figures (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSnapshot) snapshot = NULL, copy = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  fixture_copy (&fixture, "desktop");
  fixture_write (&fixture, "meminfo", "MemTotal: 4000 kB\nSwapTotal: 9007199254740992 kB\n", -1);
  fixture_write (&fixture, "vmstat", "pswpin 18446744073709551615\npswpout 18446744073709551614\n", -1);
  fixture_write (&fixture, "1500/smaps_rollup", "Rss: 18014398509481983 kB\nPss: 18014398509481983 kB\n", -1);
  fixture_write (&fixture, "1500/oom_score", "99999999999999999999\n", -1);
  fixture_write (&fixture, "swaps", "F T S U P\n/dev/vda2 partition 18014398509481983 18014398509481983 -2\n", -1);
  snapshot = fixture_sweep (fixture.proc);
  bytes = fp_snapshot_to_bytes (snapshot);
  copy = fp_snapshot_from_bytes (bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (copy->n_processes, ==, snapshot->n_processes);
  g_assert_cmpuint (fp_system_get (&copy->system, FP_SYSTEM_MEM_TOTAL), ==, 4000 * 1024);
  assert_same_process (snapshot, fp_snapshot_find (snapshot, 1200), copy, fp_snapshot_find (copy, 1200));
}

/* A small one: three processes. */
static GBytes *
make_small (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSnapshot) snapshot = NULL;
  static const char *const kept[] = { "1200", "1300", "1650", "meminfo", "swaps" };
  g_autoptr (GDir) dir = NULL;
  const char *name;

  fixture_copy (&fixture, "desktop");
  dir = g_dir_open (fixture.proc, 0, NULL);
  while ((name = g_dir_read_name (dir)))
    {
      gboolean is_kept = FALSE;

      for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
        is_kept |= strcmp (name, kept[i]) == 0;
      if (!is_kept)
        fixture_remove (&fixture, name);
    }
  snapshot = fixture_sweep (fixture.proc);
  g_assert_cmpuint (snapshot->n_processes, ==, 3);
  return fp_snapshot_to_bytes (snapshot);
}

static FpSnapshot *
open_copy (const guint8 *data,
           gsize size,
           GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  return fp_snapshot_from_bytes (bytes, error);
}

static void
test_truncated (void)
{
  g_autoptr (GBytes) bytes = make_small ();
  gsize size = 0;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  for (gsize length = 0; length < size; length++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpSnapshot) snapshot = open_copy (data, length, &error);

      g_assert_null (snapshot);
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
      g_assert_cmpuint (strlen (error->message), >, 10);
    }
}

static void
test_longer (void)
{
  g_autoptr (GBytes) bytes = make_small ();
  gsize size = 0;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  for (gsize more = 1; more <= 64; more++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree guint8 *copy = g_malloc0 (size + more);
      g_autoptr (FpSnapshot) snapshot = NULL;

      memcpy (copy, data, size);
      snapshot = open_copy (copy, size + more, &error);
      g_assert_null (snapshot);
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
    }
}

static void
assert_sound (const FpSnapshot *snapshot)
{
  const FpSystem *system = &snapshot->system;
  gint last_pid = 0;

  g_assert_nonnull (memchr (snapshot->info.boot_id, '\0', sizeof snapshot->info.boot_id));
  g_assert_cmpuint (snapshot->info.ticks_per_second, >, 0);
  g_assert_cmpuint (snapshot->info.page_size, >, 0);
  g_assert_cmpuint (system->n_swaps, <=, FP_MAX_SWAPS);
  g_assert_cmpuint (system->n_huge_pools, <=, FP_MAX_HUGE_POOLS);
  for (guint i = 0; i < system->n_swaps; i++)
    g_assert_true (g_utf8_validate (system->swaps[i].name, -1, NULL));
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      g_assert_cmpint (process->pid, >, last_pid);
      last_pid = process->pid;
      g_assert_cmpint (process->reason, <, FP_N_REASONS);
      g_assert_cmphex (process->memory.present >> FP_N_FIELDS, ==, 0);
      g_assert_cmphex (process->memory.present & process->memory.ranged, ==, 0);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        {
          guint64 low, high;

          if (fp_memory_has_range (&process->memory, field))
            g_assert_true (fp_memory_get_ends (&process->memory, field, &low, &high) && low < high);
        }
      for (FpText text = 0; text < FP_N_TEXTS; text++)
        {
          g_assert_cmpuint (process->texts[text], <, snapshot->strings->used);
          g_assert_true (g_utf8_validate (fp_snapshot_get_text (snapshot, process, text), -1, NULL));
        }
    }
}

static void
test_damaged (void)
{
  g_autoptr (GBytes) bytes = make_small ();
  gsize size = 0;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autofree guint8 *copy = g_memdup2 (data, size);
  guint n_accepted = 0, n_refused = 0;

  for (gsize at = 0; at < size; at++)
    for (guint change = 0; change < 10; change++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (FpSnapshot) snapshot = NULL;

        copy[at] = change < 8 ? data[at] ^ (guint8)(1 << change) : change == 8 ? 0xff
                                                                               : 0;
        snapshot = open_copy (copy, size, &error);
        copy[at] = data[at];
        g_assert_true ((snapshot == NULL) == (error != NULL));
        n_accepted += snapshot != NULL;
        n_refused += snapshot == NULL;
        if (snapshot)
          assert_sound (snapshot);
      }
  g_assert_cmpuint (n_accepted, >, 1000);
  g_assert_cmpuint (n_refused, >, 1000);
}

/* The file's form, written down a second time: what changes it breaks old files. */
typedef struct
{
  char magic[8];
  guint32 byte_order, schema, n_fields, n_texts, n_system_fields, n_swaps, n_huge_pools, n_ranges;
  guint64 n_processes, strings_size;
  guint64 boottime_us, realtime_us, ticks_per_second, page_size, n_pending;
  char boot_id[40];
} FileHeader;

typedef struct
{
  guint64 start_ticks, measured_us;
  gint32 pid, ppid;
  guint32 uid, cost_us;
  gint32 shares_with;
  gint16 oom_score_adj;
  guint8 state, reason, exe_state, main_thread_exited, reserved[6];
} FileProcess;

G_STATIC_ASSERT (sizeof (FileHeader) == 136);
G_STATIC_ASSERT (sizeof (FileProcess) == 48);

static void
append_figures (GByteArray *block,
                guint n)
{
  guint64 present = n < 64 ? (G_GUINT64_CONSTANT (1) << n) - 1 : G_MAXUINT64;

  g_byte_array_append (block, (const guint8 *)&present, sizeof present);
  for (guint i = 0; i < n; i++)
    {
      guint64 figure = 1000 + i;

      g_byte_array_append (block, (const guint8 *)&figure, sizeof figure);
    }
}

static GBytes *
write_by_hand (guint n_fields,
               guint n_texts,
               guint n_system_fields)
{
  static const char strings[16] = "\0comm\0command";
  FileHeader header = { "FOOTPRNT", 0x01020304, 1, n_fields, n_texts, n_system_fields, 0, 0, 0, 2,
                        sizeof strings, 11, 12, 100, 4096, 0, "boot" };
  GByteArray *block = g_byte_array_new ();
  guint32 texts[64] = { 0 };

  texts[FP_TEXT_COMM] = 1;
  texts[FP_TEXT_COMMAND] = 6;
  g_byte_array_append (block, (const guint8 *)&header, sizeof header);
  append_figures (block, n_system_fields);
  for (gint pid = 7; pid < 9; pid++)
    {
      FileProcess process = { .start_ticks = 99, .measured_us = 5, .pid = pid, .ppid = 1, .uid = 1000, .state = 'S' };

      g_byte_array_append (block, (const guint8 *)&process, sizeof process);
      append_figures (block, n_fields);
      g_byte_array_append (block, (const guint8 *)texts, (n_texts + 1) / 2 * 8);
    }
  g_byte_array_append (block, (const guint8 *)strings, sizeof strings);
  return g_byte_array_free_to_bytes (block);
}

/* Fields that are known of no process are not carried. */
static void
test_written_as_far_as_known (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("desktop");
  g_autoptr (GBytes) without = fp_snapshot_to_bytes (snapshot), with = NULL;
  const FileHeader *header = g_bytes_get_data (without, NULL);
  FpField last = FP_N_FIELDS;

  for (guint i = 0; i < snapshot->n_processes; i++)
    for (FpField field = FP_N_FIELDS; field-- > 0;)
      if (fp_memory_has (&snapshot->processes[i].memory, field))
        {
          last = last == FP_N_FIELDS ? field : MAX (last, field);
          break;
        }
  g_assert_cmpuint (last, <, FP_FIELD_GRAPHICS);
  g_assert_cmpuint (header->n_fields, ==, last + 1);
  g_assert_cmpuint (header->n_ranges, ==, 0);

  fp_memory_set_range (get_memory (snapshot, 1200), FP_FIELD_PSS, 5000, 6000);
  with = fp_snapshot_to_bytes (snapshot);
  header = g_bytes_get_data (with, NULL);
  g_assert_cmpuint (header->n_ranges, ==, FP_N_RANGES);
  g_assert_cmpuint (g_bytes_get_size (with), ==,
                    g_bytes_get_size (without) + snapshot->n_processes * sizeof (guint64) * (1 + FP_N_RANGES));
}

static void
assert_opens_by_hand (guint n_fields,
                      guint n_texts,
                      guint n_system_fields)
{
  g_autoptr (GBytes) bytes = write_by_hand (n_fields, n_texts, n_system_fields);
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_snapshot_from_bytes (bytes, &error);
  const FpProcess *process;

  g_assert_no_error (error);
  assert_sound (snapshot);
  g_assert_cmpuint (snapshot->n_processes, ==, 2);
  g_assert_cmpuint (snapshot->info.boottime_us, ==, 11);
  g_assert_cmpstr (snapshot->info.boot_id, ==, "boot");
  process = fp_snapshot_find (snapshot, 8);
  g_assert_nonnull (process);
  g_assert_null (fp_snapshot_find (snapshot, 9));
  g_assert_cmpuint (process->start_ticks, ==, 99);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      g_assert_cmpint (fp_memory_has (&process->memory, field), ==, field < n_fields);
      g_assert_cmpuint (fp_memory_get (&process->memory, field), ==, field < n_fields ? 1000 + field : 0);
    }
  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    g_assert_cmpuint (fp_system_get (&snapshot->system, field), ==, field < n_system_fields ? 1000 + field : 0);
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM), ==, n_texts > FP_TEXT_COMM ? "comm" : "");
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMMAND), ==,
                   n_texts > FP_TEXT_COMMAND ? "command" : "");
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_CONTAINER), ==, "");
}

static void
test_versions (void)
{
  assert_opens_by_hand (FP_N_FIELDS, FP_N_TEXTS, FP_N_SYSTEM_FIELDS);
  assert_opens_by_hand (FP_N_FIELDS + 1, FP_N_TEXTS + 1, FP_N_SYSTEM_FIELDS < 64 ? FP_N_SYSTEM_FIELDS + 1 : 64);
  assert_opens_by_hand (64, 64, 64);
  assert_opens_by_hand (FP_N_FIELDS - 1, FP_N_TEXTS - 1, FP_N_SYSTEM_FIELDS - 1);
  assert_opens_by_hand (3, 2, 5);
  assert_opens_by_hand (0, 0, 0);
}

static void
test_refused_by_hand (void)
{
  static const struct
  {
    gsize at;
    guint64 number;
    gsize size;
  } changes[] = {
    { offsetof (FileHeader, magic), 'G', 1 },
    { offsetof (FileHeader, byte_order), 0x04030201, 4 },
    { offsetof (FileHeader, schema), 2, 4 },
    { offsetof (FileHeader, schema), 0, 4 },
    { offsetof (FileHeader, n_fields), 65, 4 },
    { offsetof (FileHeader, n_fields), G_MAXUINT32, 4 },
    { offsetof (FileHeader, n_texts), G_MAXUINT32, 4 },
    { offsetof (FileHeader, n_system_fields), G_MAXUINT32, 4 },
    { offsetof (FileHeader, n_swaps), FP_MAX_SWAPS + 1, 4 },
    { offsetof (FileHeader, n_huge_pools), FP_MAX_HUGE_POOLS + 1, 4 },
    { offsetof (FileHeader, n_processes), G_MAXUINT64, 8 },
    { offsetof (FileHeader, n_processes), G_GUINT64_CONSTANT (1) << 60, 8 },
    { offsetof (FileHeader, strings_size), G_MAXUINT64, 8 },
    { offsetof (FileHeader, strings_size), 0, 8 },
    { offsetof (FileHeader, ticks_per_second), 0, 8 },
    { offsetof (FileHeader, page_size), 0, 8 },
    { offsetof (FileHeader, boot_id), 0xff, 1 },
    { sizeof (FileHeader) + 8 + offsetof (FileProcess, pid), 0, 4 },
    { sizeof (FileHeader) + 8 + offsetof (FileProcess, pid), 8, 4 },
    { sizeof (FileHeader) + 8 + offsetof (FileProcess, pid), G_MAXUINT32, 4 },
    { sizeof (FileHeader) + 8 + offsetof (FileProcess, ppid), G_MAXUINT32, 4 },
    { sizeof (FileHeader) + 8 + offsetof (FileProcess, reason), FP_N_REASONS, 1 },
    { sizeof (FileHeader) + 8 + offsetof (FileProcess, exe_state), 9, 1 },
    { sizeof (FileHeader) + 8 + offsetof (FileProcess, state), '\n', 1 },
    { sizeof (FileHeader) + 8 + sizeof (FileProcess) + 8, 2, 4 },
    { sizeof (FileHeader) + 8 + sizeof (FileProcess) + 8, 16, 4 },
    { sizeof (FileHeader) + 8 + sizeof (FileProcess) + 8, G_MAXUINT32, 4 },
  };
  g_autoptr (GBytes) bytes = write_by_hand (0, 2, 0);
  gsize size = 0;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree guint8 *copy = g_memdup2 (data, size);
      g_autoptr (GError) error = NULL;
      g_autoptr (FpSnapshot) snapshot = NULL;

      memcpy (copy + changes[i].at, &changes[i].number, changes[i].size);
      snapshot = open_copy (copy, size, &error);
      g_assert_null (snapshot);
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
    }
}

/* One process with one figure, PSS_ANON, or whatever is written over it */
typedef struct
{
  FileHeader header;
  guint64 system_present;
  FileProcess process;
  guint64 present;
  guint64 figures[4];
  guint64 ranged;
  guint64 at_most[4];
  guint64 texts;
  char strings[8];
} FileOfRanges;

static FileOfRanges
make_file_of_ranges (void)
{
  return (FileOfRanges){
    .header = { "FOOTPRNT", 0x01020304, 1, 4, 2, 0, 0, 0, 4, 1, 8, 11, 12, 100, 4096, 0, "boot" },
    .process = { .start_ticks = 99, .measured_us = 5, .pid = 7, .ppid = 1, .state = 'S' },
    .present = 1 << FP_FIELD_RSS,
    .figures = { 9000, 3000, 2000, 1000 },
    .ranged = 1 << FP_FIELD_PSS | 1 << FP_FIELD_PSS_ANON,
    .at_most = { 4000, 1500, 1, 1 },
  };
}

static void
test_ranges_by_hand (void)
{
  FileOfRanges file = make_file_of_ranges ();
  g_autoptr (FpSnapshot) snapshot = open_copy ((const guint8 *)&file, sizeof file, NULL);
  guint64 low, high;

  g_assert_nonnull (snapshot);
  assert_sound (snapshot);
  g_assert_true (fp_memory_get_ends (&snapshot->processes[0].memory, FP_FIELD_PSS, &low, &high));
  g_assert_cmpuint (low, ==, 3000);
  g_assert_cmpuint (high, ==, 4000);
  g_assert_true (fp_memory_get_ends (&snapshot->processes[0].memory, FP_FIELD_PSS_ANON, &low, &high));
  g_assert_cmpuint (low, ==, 1000);
  g_assert_cmpuint (high, ==, 1500);
  assert_round_trip (snapshot);
}

static void
test_ranges_refused (void)
{
  FileOfRanges files[5];

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    files[i] = make_file_of_ranges ();
  files[0].at_most[FP_RANGE_PSS] = 2999;
  files[1].at_most[FP_RANGE_PSS] = G_MAXUINT64;
  files[2].ranged |= 1 << FP_FIELD_RSS;
  files[3].present |= 1 << FP_FIELD_PSS;
  files[4].header.n_ranges = 65;
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpSnapshot) snapshot = open_copy ((const guint8 *)&files[i], sizeof files[i], &error);

      g_assert_null (snapshot);
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
    }
}

typedef struct
{
  char name[256];
  guint32 type;
  gint32 priority;
  guint64 size, used, stored, compressed, cost;
} FileSwap;

G_STATIC_ASSERT (sizeof (FileSwap) == 304);

static FpSnapshot *
open_with_swap (const FileSwap *swap)
{
  static const char strings[8] = "";
  FileHeader header = { "FOOTPRNT", 0x01020304, 1, 0, 0, 0, 1, 0, 0, 0, 1, 11, 12, 100, 4096, 0, "boot" };
  g_autoptr (GByteArray) block = g_byte_array_new ();

  g_byte_array_append (block, (const guint8 *)&header, sizeof header);
  append_figures (block, 0);
  g_byte_array_append (block, (const guint8 *)swap, sizeof *swap);
  g_byte_array_append (block, (const guint8 *)strings, sizeof strings);
  return open_copy (block->data, block->len, NULL);
}

static void
test_swaps (void)
{
  static const guint64 unknown = FP_SWAP_UNKNOWN;
  g_autoptr (FpSnapshot) known = open_with_swap (&(FileSwap){ "/dev/zram0", 2, 5, 4096, 4096, 3, 2, 1 });
  g_autoptr (FpSnapshot) without = open_with_swap (&(FileSwap){ "/dev/zram0", 2, 5, 4096, 4096, unknown, unknown, unknown });
  g_autoptr (FpSnapshot) partly = open_with_swap (&(FileSwap){ "/dev/zram0", 2, 5, 4096, 4096, 3, unknown, 1 });

  g_assert_nonnull (known);
  g_assert_true (fp_swap_has_cost (&known->system.swaps[0]));
  g_assert_cmpuint (known->system.swaps[0].cost, ==, 1);
  assert_round_trip (known);
  g_assert_nonnull (without);
  g_assert_false (fp_swap_has_cost (&without->system.swaps[0]));
  assert_round_trip (without);
  g_assert_null (partly);
}

/* The next sweep appends to the block of texts that this one shares. */
static void
test_later_texts_are_not_saved (void)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) self = NULL;
  g_autoptr (FpSnapshot) first = NULL, second = NULL;
  g_autoptr (GBytes) before = NULL, after = NULL;

  fixture_copy (&fixture, "desktop");
  settings.lookup_user = fixture_name_user;
  self = fp_sweep_new (fixture.proc, &settings, NULL);
  first = fixture_collect (self);
  before = fp_snapshot_to_bytes (first);
  fixture_write (&fixture, "3000/stat", "3000 (a later name) S 1 1 1 0 -1 4 0 0 0 0 1 1 0 0 20 0 1 0 9000 4096 1\n", -1);
  second = fixture_collect (self);
  g_assert_true (second->strings == first->strings);
  after = fp_snapshot_to_bytes (first);
  g_assert_true (g_bytes_equal (before, after));
  assert_round_trip (second);
}

static void
test_find (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("desktop");

  for (guint i = 0; i < snapshot->n_processes; i++)
    g_assert_true (fp_snapshot_find (snapshot, snapshot->processes[i].pid) == &snapshot->processes[i]);
  g_assert_null (fp_snapshot_find (snapshot, 0));
  g_assert_null (fp_snapshot_find (snapshot, G_MAXINT));
}

static FpSnapshot *
make_pending (const guint64 *rss,
              guint n)
{
  FpSnapshot *snapshot = fp_snapshot_new (n);

  snapshot->info = (FpSnapshotInfo){ .n_pending = 1 };
  snapshot->n_processes = n;
  for (guint i = 0; i < n; i++)
    {
      snapshot->processes[i] = (FpProcess){ .pid = (gint)i + 1 };
      fp_memory_set (&snapshot->processes[i].memory, FP_FIELD_RSS, rss[i]);
      fp_memory_set (&snapshot->processes[i].memory, FP_FIELD_PSS, rss[i]);
    }
  fp_process_clear_memory (&snapshot->processes[n - 1], FP_REASON_PENDING);
  fp_memory_set (&snapshot->processes[n - 1].memory, FP_FIELD_RSS, rss[n - 1]);
  return snapshot;
}

static void
test_reliable_sums (void)
{
  g_autoptr (FpSnapshot) small = make_pending ((const guint64[]){ 9900, 100 }, 2);
  g_autoptr (FpSnapshot) large = make_pending ((const guint64[]){ 9900, 200 }, 2);

  g_assert_true (fp_snapshot_has_reliable_sums (small));
  g_assert_false (fp_snapshot_has_reliable_sums (large));
  fp_memory_set_range (&large->processes[1].memory, FP_FIELD_PSS, 10, 200);
  g_assert_true (fp_snapshot_has_reliable_sums (large));
  large->info.n_pending = 0;
  g_assert_true (fp_snapshot_has_reliable_sums (large));
}

/* A file that was made up can say anything. */
static void
test_cpu_time (void)
{
  FpStat stat = { .state = 'S', .user_ticks = 250, .system_ticks = 51 };
  FpProcess process = { 0 };

  fp_process_take_stat (&process, &stat, 100);
  g_assert_cmpuint (fp_memory_get (&process.memory, FP_FIELD_CPU_TIME), ==, 3010000);
  stat.user_ticks = G_MAXUINT64 / 2;
  fp_process_take_stat (&process, &stat, 100);
  g_assert_cmpuint (fp_memory_get (&process.memory, FP_FIELD_CPU_TIME), ==, G_MAXUINT64 / 100);
  stat.user_ticks = G_MAXUINT64;
  fp_process_take_stat (&process, &stat, 100);
  g_assert_cmpuint (fp_memory_get (&process.memory, FP_FIELD_CPU_TIME), ==, G_MAXUINT64 / 100);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/proc/snapshot/round-trip/desktop", "desktop", test_round_trip);
  g_test_add_data_func ("/proc/snapshot/round-trip/odd", "odd", test_round_trip);
  g_test_add_func ("/proc/snapshot/round-trip/live", test_round_trip_live);
  g_test_add_func ("/proc/snapshot/round-trip/empty", test_round_trip_empty);
  g_test_add_func ("/proc/snapshot/round-trip/ranges", test_round_trip_ranges);
  g_test_add_func ("/proc/snapshot/ranges-by-hand", test_ranges_by_hand);
  g_test_add_func ("/proc/snapshot/ranges-refused", test_ranges_refused);
  g_test_add_func ("/proc/snapshot/truncated", test_truncated);
  g_test_add_func ("/proc/snapshot/longer", test_longer);
  g_test_add_func ("/proc/snapshot/damaged", test_damaged);
  g_test_add_func ("/proc/snapshot/versions", test_versions);
  g_test_add_func ("/proc/snapshot/refused-by-hand", test_refused_by_hand);
  g_test_add_func ("/proc/snapshot/written-as-far-as-known", test_written_as_far_as_known);
  g_test_add_func ("/proc/snapshot/swaps", test_swaps);
  g_test_add_func ("/proc/snapshot/later-texts-are-not-saved", test_later_texts_are_not_saved);
  g_test_add_func ("/proc/snapshot/find", test_find);
  g_test_add_func ("/proc/snapshot/reliable-sums", test_reliable_sums);
  g_test_add_func ("/proc/snapshot/absurd-figures", test_absurd_figures);
  g_test_add_func ("/proc/snapshot/cpu-time", test_cpu_time);
  return g_test_run ();
}
