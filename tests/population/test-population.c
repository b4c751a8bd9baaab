// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <string.h>

#include "cli-runner.h"
#include "fp-ledger.h"
#include "fp-records.h"
#include "fp-shares.h"
#include "fp-snapshot-file.h"
#include "fp-totals.h"
#include "population-snapshot.h"

#define MIB          (G_GUINT64_CONSTANT (1) << 20)
#define FIRST_PERSON 1000
#define LAST_PERSON  59999

static guint64
get (const FpProcess *process,
     FpField field)
{
  if (!fp_memory_has (&process->memory, field))
    g_error ("%d has no %s", process->pid, fp_field_infos[field].name);
  return process->memory.figures[field];
}

static void
assert_bounded (const FpProcess *process)
{
  g_assert_cmpuint (get (process, FP_FIELD_RSS), >, 0);
  g_assert_cmpuint (get (process, FP_FIELD_RSS_ANON) + get (process, FP_FIELD_RSS_FILE) + get (process, FP_FIELD_RSS_SHMEM), ==,
                    get (process, FP_FIELD_RSS));
  g_assert_cmpuint (get (process, FP_FIELD_RSS), <=, get (process, FP_FIELD_PEAK_RSS));
  g_assert_cmpuint (get (process, FP_FIELD_PEAK_RSS), <=, get (process, FP_FIELD_VM_SIZE));
  g_assert_cmpuint (get (process, FP_FIELD_VM_SIZE), <=, get (process, FP_FIELD_VM_PEAK));
  g_assert_cmpuint (get (process, FP_FIELD_VM_SWAP) % 4096, ==, 0);
  g_assert_cmpuint (get (process, FP_FIELD_PTE), >, 0);
}

static void
assert_measured (const FpProcess *process)
{
  static const FpField parts[][2] = { { FP_FIELD_PSS_ANON, FP_FIELD_RSS_ANON },
                                      { FP_FIELD_PSS_FILE, FP_FIELD_RSS_FILE },
                                      { FP_FIELD_PSS_SHMEM, FP_FIELD_RSS_SHMEM } };
  guint64 pss = get (process, FP_FIELD_PSS), sum = 0;

  g_assert_cmpuint (get (process, FP_FIELD_USS), >, 0);
  g_assert_cmpuint (get (process, FP_FIELD_USS), <=, pss);
  g_assert_cmpuint (pss, <=, get (process, FP_FIELD_RSS));
  g_assert_cmpuint (get (process, FP_FIELD_USS) + get (process, FP_FIELD_SHARED), ==, get (process, FP_FIELD_RSS));
  g_assert_cmpuint (get (process, FP_FIELD_PSS_DIRTY), <=, pss);
  g_assert_cmpuint (get (process, FP_FIELD_ANON_HUGE), <=, get (process, FP_FIELD_ANONYMOUS));
  g_assert_cmpuint (get (process, FP_FIELD_ANONYMOUS), ==, get (process, FP_FIELD_RSS_ANON));
  g_assert_cmpuint (get (process, FP_FIELD_SWAP_PSS), <=, get (process, FP_FIELD_SWAP));
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_assert_cmpuint (get (process, parts[i][0]), <=, get (process, parts[i][1]));
      sum += get (process, parts[i][0]);
    }
  /* The kernel cuts each of them to whole KiB. */
  g_assert_cmpuint (sum, <=, pss);
  g_assert_cmpuint (sum + 3 * 1024, >, pss);
}

static gboolean
is_range (const FpProcess *process)
{
  return fp_memory_has_range (&process->memory, FP_FIELD_PSS);
}

static void
test_processes (void)
{
  g_autoptr (FpSnapshot) snapshot = population_make_snapshot ();

  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];
      const FpProcess *parent = fp_snapshot_find (snapshot, process->ppid);

      g_assert_cmpint (process->pid, >, i > 0 ? process[-1].pid : 0);
      g_assert_true (parent || process->ppid == 0);
      if (parent)
        g_assert_cmpuint (parent->start_ticks, <, process->start_ticks);
      g_assert_cmpuint (process->start_ticks / snapshot->info.ticks_per_second, <,
                        snapshot->info.boottime_us / G_USEC_PER_SEC);
      g_assert_cmpuint (process->measured_us, <=, snapshot->info.boottime_us);
      g_assert_cmpint (process->measured_us > 0, ==, process->reason == FP_REASON_NONE);
      g_assert_cmpint (fp_memory_has (&process->memory, FP_FIELD_PSS), ==,
                       process->reason == FP_REASON_NONE && !is_range (process));
      g_assert_cmpint (fp_memory_has (&process->memory, FP_FIELD_RSS), ==, fp_reason_has_memory (process->reason));
      g_assert_cmpuint (get (process, FP_FIELD_THREADS), >, 0);
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM), !=, "");
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM), !=, "");
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_USER), !=, "");
      if (fp_reason_has_memory (process->reason))
        assert_bounded (process);
      if (process->reason == FP_REASON_NONE && !is_range (process))
        assert_measured (process);
    }
}

static guint
count (const FpSnapshot *snapshot,
       FpText text,
       const char *part)
{
  guint n = 0;

  for (guint i = 0; i < snapshot->n_processes; i++)
    n += strstr (fp_snapshot_get_text (snapshot, &snapshot->processes[i], text), part) != NULL;
  return n;
}

/* All kinds that lists and sums have to deal with */
static void
test_variety (void)
{
  g_autoptr (FpSnapshot) snapshot = population_make_snapshot ();
  g_autoptr (GHashTable) people = g_hash_table_new (NULL, NULL);
  guint n_reasons[FP_N_REASONS] = { 0 }, n_states[FP_EXE_UPDATED + 1] = { 0 }, n_ranges = 0;

  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      n_reasons[process->reason]++;
      n_states[process->exe_state]++;
      n_ranges += is_range (process);
      if (process->uid >= FIRST_PERSON && process->uid <= LAST_PERSON)
        g_hash_table_add (people, GUINT_TO_POINTER (process->uid));
    }
  g_assert_cmpuint (snapshot->n_processes, >=, 250);
  g_assert_cmpuint (snapshot->n_processes, <=, 280);
  g_assert_cmpuint (g_hash_table_size (people), ==, 5);
  g_assert_cmpuint (n_reasons[FP_REASON_KERNEL_THREAD], >, 40);
  g_assert_cmpuint (n_reasons[FP_REASON_PERMISSION], >, 4);
  g_assert_cmpuint (n_reasons[FP_REASON_TOO_COSTLY], ==, 0);
  g_assert_cmpuint (n_ranges, ==, 1);
  g_assert_cmpuint (n_reasons[FP_REASON_ZOMBIE], ==, 1);
  g_assert_cmpuint (n_states[FP_EXE_DELETED], >, 0);
  g_assert_cmpuint (n_states[FP_EXE_UPDATED], >, 2);
  g_assert_cmpuint (count (snapshot, FP_TEXT_COMM, "Isolated Web Co"), >, 10);
  g_assert_cmpuint (count (snapshot, FP_TEXT_PROGRAM, "train.py"), ==, 9);
  g_assert_cmpuint (count (snapshot, FP_TEXT_COMMAND, "postgres: 16/main: library"), ==, 9);
  g_assert_cmpuint (count (snapshot, FP_TEXT_UNIT, "postgresql@16-main.service"), ==, 18);
  g_assert_cmpuint (count (snapshot, FP_TEXT_CONTAINER, "docker:7c9e6679f7a3"), ==, 9);
  g_assert_cmpuint (count (snapshot, FP_TEXT_CONTAINER, "podman:3b2f8c1d5e6a"), ==, 1);
  g_assert_cmpuint (count (snapshot, FP_TEXT_APP, "org.gnome.Loupe"), ==, 5);
  g_assert_cmpuint (count (snapshot, FP_TEXT_APP, "spotify"), ==, 5);
  g_assert_cmpuint (count (snapshot, FP_TEXT_APP, "firefox"), >, 20);
}

/* Each page is counted once: what processes have, the cache, the kernel and what is free are the machine's memory. */
static void
test_ledger (void)
{
  g_autoptr (FpSnapshot) snapshot = population_make_snapshot ();
  g_autoptr (FpRecords) records = fp_process_records_new (snapshot, NULL);
  g_autoptr (FpRecords) all = fp_totals_new (records, NULL, records->n, NULL, NULL);
  const FpTotal *total = fp_totals_get (all, 0);
  guint64 whole = fp_system_get (&snapshot->system, FP_SYSTEM_MEM_TOTAL), swap_used;
  FpShare shares[FP_N_SHARES];
  FpLedger ledger;

  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    if (fp_system_field_infos[field].origin == FP_SYSTEM_ORIGIN_MEMINFO)
      g_assert_cmpuint (fp_system_get (&snapshot->system, field) % 1024, ==, 0);
  g_assert_true (fp_ledger_make (&ledger, &snapshot->system));
  for (FpPart part = 0; part < FP_PART_REMAINDER; part++)
    if (part != FP_PART_HUGETLB && part != FP_PART_ZSWAP)
      g_assert_cmpint (ledger.parts[part], >, 0);
  g_assert_cmpint (ledger.parts[FP_PART_REMAINDER], >, 0);
  g_assert_cmpint (ledger.parts[FP_PART_REMAINDER], <, (gint64)(whole / 50));
  fp_shares_make (shares, &ledger, total);
  for (guint i = 0; i < FP_N_SHARES; i++)
    {
      g_assert_cmpuint (shares[i].read, >, 0);
      g_assert_cmpint (shares[i].rest, >, 0);
    }
  /* The anonymous memory that belongs to nobody is the drift of counters alone. */
  g_assert_cmpint (shares[0].rest, <, 16 * (gint64)MIB);
  g_assert_cmpuint (total->high[FP_FIELD_PSS], <, whole);
  g_assert_cmpuint (total->low[FP_FIELD_RSS], >, whole);
  g_assert_true (fp_system_get_swap_used (&snapshot->system, &swap_used));
  g_assert_cmpuint (swap_used, ==, snapshot->system.swaps[0].used + snapshot->system.swaps[1].used);
  g_assert_cmpuint (total->high[FP_FIELD_SWAP_PSS], <, swap_used);
  g_assert_cmpuint (fp_system_get (&snapshot->system, FP_SYSTEM_MEM_AVAILABLE), <, whole / 2);
  g_assert_cmpuint (total->low[FP_FIELD_PTE], <=, fp_system_get (&snapshot->system, FP_SYSTEM_PAGE_TABLES));
  g_assert_cmpuint (total->low[FP_FIELD_THREADS], <=, fp_system_get (&snapshot->system, FP_SYSTEM_TASKS));
}

static void
test_same_again (void)
{
  g_autoptr (FpSnapshot) first = population_make_snapshot (), second = population_make_snapshot ();
  g_autoptr (GBytes) first_bytes = fp_snapshot_to_bytes (first), second_bytes = fp_snapshot_to_bytes (second);

  g_assert_true (first != second);
  g_assert_true (g_bytes_equal (first_bytes, second_bytes));
}

static void
assert_same_process (const FpSnapshot *a,
                     const FpSnapshot *b,
                     guint i)
{
  const FpProcess *first = &a->processes[i], *second = &b->processes[i];

  g_assert_cmpmem (first, offsetof (FpProcess, texts), second, offsetof (FpProcess, texts));
  g_assert_cmpuint (first->memory.present, ==, second->memory.present);
  g_assert_cmpuint (first->memory.ranged, ==, second->memory.ranged);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if (fp_memory_has (&first->memory, field))
      g_assert_cmpuint (first->memory.figures[field], ==, second->memory.figures[field]);
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    g_assert_cmpstr (fp_snapshot_get_text (a, first, text), ==, fp_snapshot_get_text (b, second, text));
}

static void
test_read_back (void)
{
  g_autoptr (FpSnapshot) snapshot = population_make_snapshot (), again = NULL;
  g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (snapshot), again_bytes = NULL;
  g_autoptr (GError) error = NULL;

  again = fp_snapshot_from_bytes (bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->n_processes, ==, snapshot->n_processes);
  for (guint i = 0; i < snapshot->n_processes; i++)
    assert_same_process (snapshot, again, i);
  again_bytes = fp_snapshot_to_bytes (again);
  g_assert_true (g_bytes_equal (bytes, again_bytes));
}

/* The tool writes what the library makes, and footprint-cli reads it. */
static void
test_saved (void)
{
  g_autoptr (FpSnapshot) snapshot = population_make_snapshot ();
  g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (snapshot);
  g_autofree char *folder = g_dir_make_tmp ("footprint-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "saved", NULL), *contents = NULL;
  const char *const argv[] = { g_getenv ("FOOTPRINT_MAKE_SNAPSHOT"), path, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *processes;
  guint n_programs = 0;
  int status;
  gsize size;

  g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (g_file_get_contents (path, &contents, &size, &error));
  g_assert_cmpmem (contents, size, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));

  root = cli_get_json ("--open", path, "--json", NULL);
  processes = json_object_get_array_member (json_node_get_object (root), "processes");
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];
      JsonObject *object;

      if (fp_process_is_kernel_thread (process))
        continue;
      n_programs++;
      object = cli_json_find (root, "processes", "pid", process->pid);
      g_assert_cmpstr (cli_json_get_text (object, "user"), ==, fp_snapshot_get_text (snapshot, process, FP_TEXT_USER));
      if (process->reason == FP_REASON_NONE)
        g_assert_cmpint (cli_json_get_int (object, "pss"), ==, (gint64)process->memory.figures[FP_FIELD_PSS]);
      if (is_range (process))
        g_assert_cmpint (cli_json_get_int (json_object_get_object_member (object, "at_most"), "pss"), ==,
                         (gint64)process->memory.at_most[FP_RANGE_PSS]);
    }
  g_assert_cmpuint (json_array_get_length (processes), ==, n_programs);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/population/processes", test_processes);
  g_test_add_func ("/population/variety", test_variety);
  g_test_add_func ("/population/ledger", test_ledger);
  g_test_add_func ("/population/same-again", test_same_again);
  g_test_add_func ("/population/read-back", test_read_back);
  g_test_add_func ("/population/saved", test_saved);
  return g_test_run ();
}
