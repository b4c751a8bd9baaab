// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-snapshot.h"
#include "fp-columns.h"
#include "fp-mapping-scanner.h"
#include "fp-query-term.h"
#include "fp-totals.h"

static const FpRecordKind kinds[] = { FP_RECORD_PROCESS, FP_RECORD_TOTAL, FP_RECORD_MAPPING, FP_RECORD_FOLD,
                                      FP_RECORD_CHANGE, FP_RECORD_CONTROL_GROUP };

static void
test_table (void)
{
  g_assert_cmpuint (fp_columns_get_n (), >, FP_N_FIELDS);
  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);

      g_test_message ("%s", column->id);
      g_assert_true (column->id && *column->id && column->title && *column->title && column->meaning &&
                     *column->meaning);
      for (const char *c = column->id; *c; c++)
        g_assert_true (g_ascii_islower (*c) || g_ascii_isdigit (*c) || *c == '_');
      g_assert_cmpuint (column->kinds, !=, 0);
      if (column->presentation == FP_PRESENT_TEXT)
        g_assert_true ((column->get_text != NULL) != (column->make_text != NULL));
      else
        g_assert_true ((column->get_figure != NULL) != (column->field != FP_FIELD_NONE));
    }
}

static gboolean
is_about (const char *id,
          FpTopic topic)
{
  return fp_columns_find (id, FP_RECORD_PROCESS | FP_RECORD_MAPPING)->topic == topic;
}

/* Each heading has columns, and none of a process stands among those of mappings. */
static void
test_topics (void)
{
  guint n[FP_N_TOPICS] = { 0 };

  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);

      n[column->topic]++;
      if (column->topic == FP_TOPIC_MAPPING)
        g_assert_cmpuint (column->kinds & (FP_RECORD_PROCESS | FP_RECORD_TOTAL), ==, 0);
    }
  for (FpTopic topic = 0; topic < FP_N_TOPICS; topic++)
    {
      g_assert_nonnull (fp_topic_titles[topic]);
      g_assert_cmpuint (n[topic], >, 1);
    }
  g_assert_true (is_about ("pss", FP_TOPIC_MEMORY));
  g_assert_true (is_about ("private_dirty", FP_TOPIC_PARTS));
  g_assert_true (is_about ("rss_shmem", FP_TOPIC_PARTS));
  g_assert_true (is_about ("vm_swap", FP_TOPIC_SWAP));
  g_assert_true (is_about ("vm_stack", FP_TOPIC_ADDRESS_SPACE));
  g_assert_true (is_about ("cpu_time_us", FP_TOPIC_PROCESS));
  g_assert_true (is_about ("container", FP_TOPIC_OWNER));
  g_assert_true (is_about ("permissions", FP_TOPIC_MAPPING));
}

static void
test_unique (void)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    {
      g_autoptr (GHashTable) ids = g_hash_table_new (g_str_hash, g_str_equal);
      g_autoptr (GHashTable) titles = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint i = 0; i < fp_columns_get_n (); i++)
        {
          const FpColumn *column = fp_columns_get (i);

          if (!(column->kinds & kinds[kind]))
            continue;
          g_test_message ("%s: %s", column->id, column->title);
          g_assert_true (g_hash_table_add (ids, (gpointer)column->id));
          g_assert_true (g_hash_table_add (titles, (gpointer)column->title));
          g_assert_true (fp_columns_find (column->id, kinds[kind]) == column);
        }
    }
  g_assert_null (fp_columns_find ("nonsense", FP_RECORD_PROCESS));
  g_assert_null (fp_columns_find ("", FP_RECORD_PROCESS));
  g_assert_null (fp_columns_find ("PSS", FP_RECORD_PROCESS));
  g_assert_null (fp_columns_find ("count", FP_RECORD_PROCESS));
  g_assert_null (fp_columns_find ("pid", FP_RECORD_TOTAL));
}

/* The code takes for granted that every list has a name and its memory, and finds no second column of a role. */
static void
test_roles (void)
{
  static const guint roles_of[G_N_ELEMENTS (kinds)] = {
    1 << FP_ROLE_NAME | 1 << FP_ROLE_MEMORY | 1 << FP_ROLE_COMMAND | 1 << FP_ROLE_USER | 1 << FP_ROLE_ACCOUNT |
        1 << FP_ROLE_STATE | 1 << FP_ROLE_AGE | 1 << FP_ROLE_CHANGE,
    1 << FP_ROLE_NAME | 1 << FP_ROLE_MEMORY | 1 << FP_ROLE_CHANGE,
    1 << FP_ROLE_NAME | 1 << FP_ROLE_MEMORY | 1 << FP_ROLE_MAPPING_KIND | 1 << FP_ROLE_MAPPING_FLAGS,
    1 << FP_ROLE_NAME | 1 << FP_ROLE_MEMORY,
    1 << FP_ROLE_NAME | 1 << FP_ROLE_MEMORY | 1 << FP_ROLE_MAPPING_KIND | 1 << FP_ROLE_MAPPING_FLAGS | 1 << FP_ROLE_CHANGE,
    1 << FP_ROLE_NAME | 1 << FP_ROLE_MEMORY | 1 << FP_ROLE_CHANGE,
  };

  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    for (FpColumnRole role = FP_ROLE_NONE + 1; role < FP_N_ROLES; role++)
      {
        const FpColumn *found = fp_columns_get_role (role, kinds[kind]);
        guint n = 0;

        g_test_message ("kind %u, role %u", kind, role);
        for (guint i = 0; i < fp_columns_get_n (); i++)
          n += fp_columns_get (i)->role == role && (fp_columns_get (i)->kinds & kinds[kind]);
        g_assert_cmpuint (n, ==, roles_of[kind] >> role & 1);
        g_assert_true ((found != NULL) == (n == 1));
      }
  g_assert_true (fp_columns_get_role (FP_ROLE_NAME, FP_RECORD_PROCESS) == fp_columns_find ("program", FP_RECORD_PROCESS));
  g_assert_true (fp_columns_get_role (FP_ROLE_NAME, FP_RECORD_FOLD) == fp_columns_find ("name", FP_RECORD_FOLD));
  g_assert_true (fp_columns_get_role (FP_ROLE_MEMORY, FP_RECORD_TOTAL) == fp_columns_find ("pss", FP_RECORD_TOTAL));
  g_assert_true (fp_columns_get_role (FP_ROLE_USER, FP_RECORD_PROCESS) == fp_columns_find ("user", FP_RECORD_PROCESS));
}

/* A word is searched in texts, and there is room for all of them. */
static void
test_searched (void)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    {
      guint n = 0;

      for (guint i = 0; i < fp_columns_get_n (); i++)
        if ((fp_columns_get (i)->flags & FP_COLUMN_SEARCHED) && (fp_columns_get (i)->kinds & kinds[kind]))
          {
            g_assert_cmpint (fp_columns_get (i)->presentation, ==, FP_PRESENT_TEXT);
            n++;
          }
      g_assert_cmpuint (n, >=, 1);
      g_assert_cmpuint (n, <=, FP_MAX_SEARCHED);
    }
}

static void
test_fields (void)
{
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      const FpFieldInfo *info = &fp_field_infos[field];
      const FpColumn *column =
          fp_columns_find (info->name, info->origin == FP_ORIGIN_MAPPING ? FP_RECORD_MAPPING : FP_RECORD_PROCESS);

      g_test_message ("%s", info->name);
      g_assert_nonnull (column);
      g_assert_cmpint (column->field, ==, field);
      g_assert_cmpint (column->unit, ==, info->unit);
      g_assert_cmpint (column->presentation, ==, FP_PRESENT_FIGURE);
      g_assert_cmpstr (column->title, ==, info->title);
      g_assert_cmpstr (column->meaning, ==, info->meaning);
    }
}

/* Promised in JSON */
static void
test_names (void)
{
  static const char *const processes[] = {
    "pid", "ppid", "uid", "user", "program", "app", "unit",
    "container", "comm", "command", "state", "reason", "pss", "uss",
    "rss", "shared", "swap_whole", "swap", "pss_anon", "pss_file", "pss_shmem",
    "pss_dirty", "private_clean", "private_dirty", "shared_clean", "shared_dirty", "referenced", "anonymous_whole",
    "lazyfree", "ksm", "anon_huge", "hugetlb", "locked", "pte"
  };
  static const char *const groups[] = { "name", "count", "unread", "pss", "uss", "rss", "shared", "swap_whole", "swap" };
  static const char *const mappings[] = { "size",
                                          "rss",
                                          "pss",
                                          "swap_whole",
                                          "kernel_page_size",
                                          "mmu_page_size",
                                          "thp_eligible",
                                          "protection_key",
                                          "permissions",
                                          "offset",
                                          "device",
                                          "inode",
                                          "flags",
                                          "mapping" };

  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    g_assert_nonnull (fp_columns_find (processes[i], FP_RECORD_PROCESS));
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    g_assert_nonnull (fp_columns_find (groups[i], FP_RECORD_TOTAL));
  for (guint i = 0; i < G_N_ELEMENTS (mappings); i++)
    g_assert_nonnull (fp_columns_find (mappings[i], FP_RECORD_MAPPING));
}

static FpRecords *
make_processes (FixtureSnapshot *snapshot)
{
  static const FpReason reasons[] = { FP_REASON_NONE, FP_REASON_PENDING, FP_REASON_PERMISSION,
                                      FP_REASON_TOO_COSTLY, FP_REASON_KERNEL_THREAD, FP_REASON_ENDED,
                                      FP_REASON_ZOMBIE, FP_REASON_SHARED_MEMORY, FP_REASON_UNSUPPORTED };
  g_autofree char *long_text = g_strnfill (512, 'x');

  fixture_snapshot_init (snapshot, G_N_ELEMENTS (reasons));
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      FpProcess *process = fixture_snapshot_add_reason (snapshot, (gint)i + 1, "program", reasons[i]);

      process->shares_with = i % 2 ? G_MAXINT32 : 0;
      process->uid = G_MAXUINT32;
      process->start_ticks = G_MAXUINT64;
      process->measured_us = i % 3 ? G_MAXUINT64 : i;
      for (FpText text = 0; text < FP_N_TEXTS; text++)
        fixture_snapshot_set_text (snapshot, process, text, i % 2 ? long_text : "");
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        if ((field + i) % 3)
          fp_memory_set (&process->memory, field, i % 2 ? G_MAXUINT64 : 0);
    }
  return fixture_snapshot_make_records (snapshot);
}

static FpRecords *
make_mappings (void)
{
  static const char text[] =
      "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]\n"
      "Size:                  4 kB\nRss:                   0 kB\nPss:                   0 kB\nVmFlags: ex \n"
      "7f0000000000-7f0000002000 rw-s 7ffffffffffff000 fff:fffff 18446744073709551615 /a b (deleted)\n"
      "Size:                  8 kB\nRss:                   8 kB\nTHPeligible:           1\nProtectionKey:        15\n"
      "VmFlags: rd wr ex sh mr mw me ms gd pf lo io sr rr dc de ac nr ht sf nl ar wf dd sd mm hg nh mg um uw ss ?? \n";
  FpMappingScanner *scanner = fp_mapping_scanner_new ();
  g_autoptr (FpMappings) mappings = NULL;

  fp_mapping_scanner_feed (scanner, text, strlen (text));
  mappings = fp_mapping_scanner_finish (scanner);
  fp_mapping_scanner_free (scanner);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 2);
  return fp_mapping_records_new (mappings);
}

/* Into buffers of the very size, which a sanitizer watches. */
static void
format_all (const FpRecords *records,
            gsize size)
{
  g_autofree char *cell = g_malloc (size);

  for (guint i = 0; i < fp_columns_get_n (); i++)
    for (guint index = 0; index < records->n; index++)
      for (FpFigureStyle style = FP_STYLE_IEC; style <= FP_STYLE_PERCENT; style++)
        {
          const FpColumn *column = fp_columns_get (i);
          FpFormat format = {
            .style = style, .memory_total = 4096, .swap_total = index % 2, .numeric_users = index % 2 == 0
          };

          if (!(column->kinds & records->class->kind))
            continue;
          memset (cell, 'x', size);
          fp_column_format (column, records, index, &format, cell, size);
          g_assert_cmpuint (strnlen (cell, size), <, size);
          if (size == FP_CELL_SIZE)
            g_assert_true (g_utf8_validate (cell, -1, NULL));
          if (size == FP_CELL_SIZE && column->presentation != FP_PRESENT_TEXT)
            g_assert_cmpstr (cell, !=, "");
        }
}

static void
test_format (void)
{
  static const gsize sizes[] = { FP_CELL_SIZE, 32, 8, 3, 1 };
  static const guint indices[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) processes = make_processes (&snapshot);
  g_autoptr (FpRecords) mappings = make_mappings ();
  FpFormat format = { 0 };
  g_autoptr (FpRecords) totals = fp_totals_new (processes, indices, G_N_ELEMENTS (indices),
                                                fp_columns_find ("reason", FP_RECORD_PROCESS), &format);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      format_all (processes, sizes[i]);
      format_all (totals, sizes[i]);
      format_all (mappings, sizes[i]);
    }
}

static void
assert_cell (const FpRecords *records,
             guint index,
             const char *id,
             const char *expected)
{
  FpFormat format = { .style = FP_STYLE_IEC, .memory_total = 1 << 20, .swap_total = 1 << 20 };
  char cell[FP_CELL_SIZE];

  fp_column_format (fp_columns_find (id, records->class->kind), records, index, &format, cell, sizeof cell);
  g_assert_cmpstr (cell, ==, expected);
}

static void
test_process_cells (void)
{
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) records = NULL;
  FpProcess *process;

  fixture_snapshot_init (&snapshot, 2);
  process = fixture_snapshot_add (&snapshot, 12345, "firefox");
  process->uid = 1000;
  process->measured_us -= 2500000;
  fixture_set_figures (process, 1536, 4096, 0);
  fp_memory_set (&process->memory, FP_FIELD_CPU_TIME, 61000000);
  fixture_snapshot_set_text (&snapshot, process, FP_TEXT_USER, "alice");
  process = fixture_snapshot_add_reason (&snapshot, 12346, "firefox", FP_REASON_SHARED_MEMORY);
  process->shares_with = 12345;
  process->uid = 4294967294;
  records = fixture_snapshot_make_records (&snapshot);

  assert_cell (records, 0, "pid", "12345");
  assert_cell (records, 0, "ppid", "1");
  assert_cell (records, 0, "user", "alice");
  assert_cell (records, 0, "pss", "1.5 KiB");
  assert_cell (records, 0, "uss", "≤ 4.0 KiB");
  assert_cell (records, 0, "swap_whole", "—");
  assert_cell (records, 0, "cpu_time_us", "1:01");
  assert_cell (records, 0, "measured_age_us", "2.50 s");
  assert_cell (records, 0, "started", "—");
  snapshot.snapshot->info.realtime_us = snapshot.snapshot->info.boottime_us + 5 * G_USEC_PER_SEC;
  snapshot.snapshot->processes[0].start_ticks = 150;
  g_assert_cmpuint (fp_column_get_figure (fp_columns_find ("started", FP_RECORD_PROCESS), records, 0).low, ==, 6500000);
  assert_cell (records, 0, "state", "S");
  assert_cell (records, 0, "reason", "");
  assert_cell (records, 1, "pss", "—");
  assert_cell (records, 1, "user", "4294967294");
  assert_cell (records, 1, "reason", "shared memory with 12345");
  assert_cell (records, 1, "measured_age_us", "—");
}

static void
test_mapping_cells (void)
{
  g_autoptr (FpRecords) records = make_mappings ();

  assert_cell (records, 0, "range", "ffffffffff600000-ffffffffff601000");
  assert_cell (records, 0, "permissions", "--xp");
  assert_cell (records, 0, "mapping", "[vsyscall]");
  assert_cell (records, 0, "start", "ffffffffff600000");
  assert_cell (records, 0, "end", "ffffffffff601000");
  assert_cell (records, 0, "size", "4.0 KiB");
  assert_cell (records, 0, "pss", "0 B");
  assert_cell (records, 0, "flags", "ex");
  assert_cell (records, 1, "mapping", "/a b (deleted)");
  assert_cell (records, 1, "device", "fff:fffff");
  assert_cell (records, 1, "offset", "7ffffffffffff000");
  assert_cell (records, 1, "protection_key", "15");
  assert_cell (records, 0, "kind", "Kernel");
  assert_cell (records, 0, "label", "");
  assert_cell (records, 0, "file", "Kernel");
  assert_cell (records, 1, "file", "/a b (deleted)");
  assert_cell (records, 1, "thp_eligible", "1");
}

/* Only smaps_rollup has Pss_Anon and its like, and what has no sum is in no total. */
static void
test_kinds (void)
{
  static const char *const not_of_mappings[] = { "pss_anon", "pss_file", "pss_shmem", "rss_and_swap" };
  static const char *const not_of_totals[] = { "peak_rss", "vm_peak", "oom_score", "kernel_page_size" };

  for (guint i = 0; i < G_N_ELEMENTS (not_of_mappings); i++)
    {
      g_assert_null (fp_columns_find (not_of_mappings[i], FP_RECORD_MAPPING));
      g_assert_null (fp_columns_find (not_of_mappings[i], FP_RECORD_FOLD));
      g_assert_nonnull (fp_columns_find (not_of_mappings[i], FP_RECORD_PROCESS));
      g_assert_nonnull (fp_columns_find (not_of_mappings[i], FP_RECORD_TOTAL));
    }
  for (guint i = 0; i < G_N_ELEMENTS (not_of_totals); i++)
    {
      g_assert_null (fp_columns_find (not_of_totals[i], FP_RECORD_TOTAL));
      g_assert_null (fp_columns_find (not_of_totals[i], FP_RECORD_FOLD));
    }
  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->field != FP_FIELD_NONE && (fp_columns_get (i)->kinds & (FP_RECORD_TOTAL | FP_RECORD_FOLD)))
      g_assert_true (fp_column_is_summed (fp_columns_get (i)));
}

static void
test_percent_of_swap (void)
{
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) records = NULL;
  FpFormat format = { .style = FP_STYLE_PERCENT, .memory_total = 1000, .swap_total = 100 };
  char cell[FP_CELL_SIZE];

  fixture_snapshot_init (&snapshot, 1);
  fixture_set_figures (fixture_snapshot_add (&snapshot, 1, "a"), 50, 500, 50);
  records = fixture_snapshot_make_records (&snapshot);
  fp_column_format (fp_columns_find ("pss", FP_RECORD_PROCESS), records, 0, &format, cell, sizeof cell);
  g_assert_cmpstr (cell, ==, "5.00 %");
  fp_column_format (fp_columns_find ("swap", FP_RECORD_PROCESS), records, 0, &format, cell, sizeof cell);
  g_assert_cmpstr (cell, ==, "50.00 %");
  format.swap_total = 0;
  fp_column_format (fp_columns_find ("swap", FP_RECORD_PROCESS), records, 0, &format, cell, sizeof cell);
  g_assert_cmpstr (cell, ==, "—");
}

/* The heading of a column names it, in every list. */
static void
test_headings (void)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    for (guint i = 0; i < fp_columns_get_n (); i++)
      {
        const FpColumn *column = fp_columns_get (i);
        g_autofree char *upper = g_ascii_strup (column->title, -1);

        if (!(column->kinds & kinds[kind]))
          continue;
        g_test_message ("%s: %s", column->id, column->title);
        g_assert_true (fp_columns_find_named (column->id, kinds[kind]) == column);
        g_assert_true (fp_columns_find_named (column->title, kinds[kind]) == column);
        g_assert_true (fp_columns_find_named (upper, kinds[kind]) == column);
      }
}

static void
test_what_people_call_them (void)
{
  static const struct
  {
    const char *name;
    const char *id;
  } cases[] = {
    { "memory", "pss" },
    { "PSS", "pss" },
    { "Uss", "uss" },
    { "swap", "swap" },
    { "SwapPss", "swap" },
    { "swap_pss", "swap" },
    { "swap whole", "swap_whole" },
    { "swapwhole", "swap_whole" },
    { "VmHWM", "peak_rss" },
    { "Anonymous", "pss_anon" },
    { "dirty", "pss_dirty" },
    { "memory+swap", "memory_and_swap" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FpColumn *column = fp_columns_find_named (cases[i].name, FP_RECORD_PROCESS);

      g_test_message ("%s", cases[i].name);
      g_assert_nonnull (column);
      g_assert_cmpstr (column->id, ==, cases[i].id);
    }
  g_assert_null (fp_columns_find_named ("", FP_RECORD_PROCESS));
  g_assert_null (fp_columns_find_named ("_", FP_RECORD_PROCESS));
  g_assert_null (fp_columns_find_named ("mem", FP_RECORD_PROCESS));
  g_assert_null (fp_columns_find_named ("memoryx", FP_RECORD_PROCESS));
  g_assert_null (fp_columns_find_named ("count", FP_RECORD_PROCESS));
  g_assert_cmpstr (fp_columns_find_named ("anonymous", FP_RECORD_MAPPING)->id, ==, "anonymous_whole");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/columns/table", test_table);
  g_test_add_func ("/columns/topics", test_topics);
  g_test_add_func ("/columns/unique", test_unique);
  g_test_add_func ("/columns/roles", test_roles);
  g_test_add_func ("/columns/searched", test_searched);
  g_test_add_func ("/columns/fields", test_fields);
  g_test_add_func ("/columns/names", test_names);
  g_test_add_func ("/columns/format", test_format);
  g_test_add_func ("/columns/process-cells", test_process_cells);
  g_test_add_func ("/columns/mapping-cells", test_mapping_cells);
  g_test_add_func ("/columns/kinds", test_kinds);
  g_test_add_func ("/columns/headings", test_headings);
  g_test_add_func ("/columns/what-people-call-them", test_what_people_call_them);
  g_test_add_func ("/columns/percent-of-swap", test_percent_of_swap);
  return g_test_run ();
}
