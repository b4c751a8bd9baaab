// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-export.h"
#include "fp-mapping-reader.h"
#include "fp-rows.h"
#include "fp-stat.h"
#include "fp-totals.h"
#include "odd-mappings.h"
#include "pmap.h"
#include "workload.h"

#define N_TRIES     60
#define N_PROCESSES 20
#define PMAP_NAME   127      /* longer ones are cut by it */
#define VDSO        "[vdso]" /* pmap maps it, too, so that its PSS is another while pmap runs, and the sum with it */
#define SUM         "KB "

static guint n_processes, n_mappings, most_mappings;
static guint64 n_figures;

/* With no start time to compare it says FALSE, and what it has read. */
static FpStat
read_stat (const FpProcDir *proc,
           gint pid)
{
  FpStat stat = { 0 };

  fp_stat_read_any (&stat, proc, pid);
  g_assert_cmpuint (stat.start_ticks, >, 0);
  return stat;
}

static FpRecords *
read_records (gint pid)
{
  g_autoptr (FpMappings) mappings = NULL;
  g_autoptr (GError) error = NULL;
  FpStat stat;
  FpProcDir proc;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  stat = read_stat (&proc, pid);
  mappings = fp_mappings_read (&proc, &(FpProcessId){ pid, stat.start_ticks }, NULL, NULL, &error);
  g_assert_no_error (error);
  fp_proc_dir_close (&proc);
  return fp_mapping_records_new (mappings);
}

static gboolean
is_same (const FpMapping *a,
         const FpMapping *b)
{
  if (a->start != b->start || a->end != b->end || a->flags != b->flags || a->memory.present != b->memory.present)
    return FALSE;
  for (guint64 left = a->memory.present; left; left &= left - 1)
    if (a->memory.figures[__builtin_ctzll (left)] != b->memory.figures[__builtin_ctzll (left)])
      return FALSE;
  return TRUE;
}

static FpField
find_field (const char *title)
{
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if ((fp_field_infos[field].origin & (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING)) &&
        strlen (title) == fp_field_infos[field].key_length &&
        strncmp (fp_field_infos[field].key, title, strlen (title)) == 0)
      return field;
  return FP_FIELD_NONE;
}

/* In whatever order. */
static gboolean
flags_agree (guint64 flags,
             const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint n = 0;

  for (char **word = words; *word; word++)
    for (guint flag = 0; **word && flag < FP_N_MAPPING_FLAGS; flag++)
      if (strcmp (fp_mapping_flag_infos[flag].letters, *word) == 0 && (flags >> flag & 1))
        n++;
  return n == (guint)__builtin_popcountll (flags) && n == (*text ? g_strv_length (words) : 0);
}

static const char *
describe_fact (const FpMapping *mapping,
               const char *title,
               char *text,
               gsize size)
{
  if (strcmp (title, "Address") == 0)
    g_snprintf (text, size, "%08" G_GINT64_MODIFIER "x", mapping->start);
  else if (strcmp (title, "Perm") == 0)
    g_strlcpy (text, mapping->permissions, size);
  else if (strcmp (title, "Offset") == 0)
    g_snprintf (text, size, "%08" G_GINT64_MODIFIER "x", mapping->offset);
  else if (strcmp (title, "Device") == 0)
    g_snprintf (text, size, "%02x:%02x", mapping->device_major, mapping->device_minor);
  else if (strcmp (title, "Inode") == 0)
    g_snprintf (text, size, "%" G_GUINT64_FORMAT, mapping->inode);
  else
    return NULL;
  return text;
}

/* NULL, or what differs. */
static char *
compare_cell (const FpMapping *mapping,
              const char *title,
              FpField field,
              const char *cell)
{
  char text[64];
  guint64 number;

  if (field == FP_FIELD_NONE && strcmp (title, "VmFlags") == 0)
    return flags_agree (mapping->flags, cell) ? NULL : g_strdup_printf ("flags “%s”", cell);
  if (field == FP_FIELD_NONE)
    return !describe_fact (mapping, title, text, sizeof text) || strcmp (text, cell) == 0
               ? NULL
               : g_strdup_printf ("%s %s, not %s", title, text, cell);
  number = fp_memory_get (&mapping->memory, field);
  if (fp_field_infos[field].unit == FP_UNIT_BYTES)
    number /= 1024;
  g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, number);
  if (fp_memory_has (&mapping->memory, field) && strcmp (text, cell) == 0)
    return NULL;
  return g_strdup_printf ("%s %s, not %s", title, text, cell);
}

static char *
compare_mapping (const FpMapping *mapping,
                 const PmapTable *table,
                 const FpField *fields,
                 guint index)
{
  const char *raw = pmap_table_get_name (table, index);
  g_auto (GStrv) lines = g_strsplit (mapping->name, "\n", -1);
  g_autofree char *name = g_malloc (FP_CELL_SIZE), *words = g_strjoinv ("\\012", lines);

  for (guint column = 0; column < table->titles->len; column++)
    {
      g_autofree char *cell = pmap_table_get (table, index, column);
      char *difference = NULL;

      if (fields[column] != FP_FIELD_PSS || strcmp (mapping->name, VDSO) != 0)
        difference = compare_cell (mapping, g_ptr_array_index (table->titles, column), fields[column], cell);
      if (difference)
        return difference;
    }
  fp_text_clean (name, FP_CELL_SIZE, raw, strlen (raw));
  if (strcmp (name, words) == 0 || (strlen (raw) == PMAP_NAME && g_str_has_prefix (words, name)))
    return NULL;
  return g_strdup_printf ("“%s”, not “%s”", words, name);
}

/* A field that one of the two does not know is said, not judged: kernels are newer than either. */
static guint
tell_fields (const PmapTable *table,
             const FpRecords *records)
{
  static gboolean is_told;
  guint64 seen = 0;
  FpMapping mapping;

  fp_mapping_records_get (records, 0, &mapping);
  for (guint column = 0; column < table->titles->len; column++)
    {
      const char *title = g_ptr_array_index (table->titles, column);
      FpField field = find_field (title);
      char text[64];

      if (field != FP_FIELD_NONE)
        seen |= G_GUINT64_CONSTANT (1) << field;
      else if (!is_told && strcmp (title, "VmFlags") != 0 && !describe_fact (&mapping, title, text, sizeof text))
        g_test_message ("Only pmap knows %s", title);
    }
  for (FpField field = 0; field < FP_N_FIELDS && !is_told; field++)
    if ((fp_field_infos[field].origin & (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING)) &&
        fp_memory_has (&mapping.memory, field) && !(seen >> field & 1))
      g_test_message ("pmap does not print %s", fp_field_infos[field].name);
  is_told = TRUE;
  return (guint)__builtin_popcountll (seen);
}

/* Others change the PSS of what they share with it while this goes on: a mapping counts when it was the same before
 * pmap and behind it. Gives how many are left. */
static guint
verify_once (gint pid,
             const Pmap *pmap,
             gboolean **verified,
             char **difference)
{
  g_autoptr (FpRecords) before = read_records (pid);
  g_autofree char *text = pmap_run (pmap, "-XX", pid);
  g_autoptr (FpRecords) after = read_records (pid);
  g_auto (PmapTable) table = { 0 };
  FpField fields[FP_N_FIELDS + 16];
  guint n_left = 0, n_fields;

  g_assert_true (pmap_table_init (&table, text));
  g_assert_cmpuint (before->n, ==, after->n);
  g_assert_cmpuint (table.n_mappings, ==, after->n);
  n_fields = tell_fields (&table, after);
  g_assert_cmpuint (table.titles->len, <=, G_N_ELEMENTS (fields));
  for (guint column = 0; column < table.titles->len; column++)
    fields[column] = find_field (g_ptr_array_index (table.titles, column));
  g_assert_cmpuint (n_fields, >=, 20);
  if (!*verified)
    {
      *verified = g_new0 (gboolean, after->n);
      n_processes++;
      n_mappings += after->n;
      most_mappings = MAX (most_mappings, after->n);
    }
  for (guint i = 0; i < after->n; i++)
    {
      FpMapping first, second;
      g_autofree char *differs = NULL;

      if ((*verified)[i])
        continue;
      fp_mapping_records_get (before, i, &first);
      fp_mapping_records_get (after, i, &second);
      differs = is_same (&first, &second) ? compare_mapping (&second, &table, fields, i) : g_strdup ("does not stand still");
      (*verified)[i] = !differs;
      n_figures += differs ? 0 : n_fields;
      n_left += differs != NULL;
      if (differs)
        {
          g_free (*difference);
          *difference = g_strdup_printf ("mapping %u of process %d: %s", i, pid, differs);
        }
    }
  return n_left;
}

static void
verify_figures (gint pid,
                const Pmap *pmap)
{
  g_autofree gboolean *verified = NULL;
  g_autofree char *difference = NULL;
  guint n_left = 1;

  for (guint try = 0; try < N_TRIES && n_left > 0; try++)
    n_left = verify_once (pid, pmap, &verified, &difference);
  if (n_left > 0)
    g_test_message ("%s", difference);
  g_assert_cmpuint (n_left, ==, 0);
}

static gboolean
are_same (const FpRecords *a,
          const FpRecords *b)
{
  FpMapping x, y;

  for (guint i = 0; i < a->n && i < b->n; i++)
    {
      fp_mapping_records_get (a, i, &x);
      fp_mapping_records_get (b, i, &y);
      if (!is_same (&x, &y))
        return FALSE;
    }
  return a->n == b->n;
}

/* NULL, or the first line that differs. Cuts both. */
static char *
compare_texts (char *text,
               char *expected)
{
  gsize cut = (gsize)(strstr (expected, "Mapping") - expected) + PMAP_NAME;
  g_autoptr (GPtrArray) ours = pmap_cut_lines (text), theirs = pmap_cut_lines (expected);
  gboolean is_other = FALSE;

  for (guint i = 0; i < ours->len && i < theirs->len; i++)
    {
      const char *our = g_ptr_array_index (ours, i), *their = g_ptr_array_index (theirs, i);

      if (strcmp (our, their) == 0 || (strlen (their) == cut && g_str_has_prefix (our, their)))
        continue;
      if (!g_str_has_suffix (our, VDSO) && !(is_other && g_str_has_suffix (our, SUM)))
        return g_strdup_printf ("“%s”, not “%s”", our, their);
      is_other = TRUE;
    }
  return ours->len == theirs->len ? NULL : g_strdup_printf ("%u lines, not %u", ours->len, theirs->len);
}

/* The text that is exported is that of pmap -X, but for the line with the command. */
static void
verify_text (gint pid,
             const Pmap *pmap)
{
  g_autofree char *difference = g_strdup ("It never stood still");

  for (guint try = 0; try < N_TRIES && difference; try++)
    {
      g_autoptr (FpRecords) before = read_records (pid);
      g_autofree char *output = pmap_run (pmap, "-X", pid);
      g_autoptr (FpRecords) after = read_records (pid);
      g_autoptr (GString) text = g_string_new (NULL);

      if (!are_same (before, after))
        continue;
      fp_export (FP_EXPORT_PMAP, after, NULL, after->n, NULL, NULL, NULL, text);
      g_free (difference);
      difference = compare_texts (text->str, strchr (output, '\n') + 1);
    }
  g_assert_cmpstr (difference, ==, NULL);
}

/* Every figure of the groups at the top sums to that of all mappings, to the byte. */
static void
verify_folds (gint pid)
{
  static const FpFormat format = { .style = FP_STYLE_IEC };
  g_autoptr (FpRecords) records = read_records (pid);
  g_autoptr (FpRows) rows = fp_rows_new ();
  guint64 whole[FP_N_FIELDS] = { 0 };

  for (guint i = 0; i < records->n; i++)
    {
      FpMapping mapping;

      fp_mapping_records_get (records, i, &mapping);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        whole[field] += fp_memory_get (&mapping.memory, field);
    }
  for (FpGrouping grouping = FP_GROUPING_KIND; grouping <= FP_GROUPING_FILE; grouping++)
    {
      const FpRecords *groups;
      guint n_members = 0;

      fp_rows_set_grouping (rows, grouping);
      fp_rows_update (rows, records, &format);
      groups = fp_rows_get_records (rows, FP_ROW_GROUP);
      for (guint i = 0; i < fp_rows_get_n (rows); i++)
        n_members += fp_totals_get (groups, fp_rows_get (rows, i)->index)->n_members;
      g_assert_cmpuint (n_members, ==, records->n);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        {
          guint64 folded = 0;

          if (!fp_columns_find (fp_field_infos[field].name, FP_RECORD_FOLD))
            continue;
          for (guint i = 0; i < fp_rows_get_n (rows); i++)
            folded += fp_records_get_figure (groups, fp_rows_get (rows, i)->index, field).low;
          g_assert_cmpuint (folded, ==, whole[field]);
        }
    }
}

static void
verify (gint pid,
        const Pmap *pmap)
{
  kill (pid, SIGSTOP);
  live_wait_for_state (pid, "T");
  verify_figures (pid, pmap);
  verify_text (pid, pmap);
  verify_folds (pid);
  kill (pid, SIGCONT);
}

static void
end_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* Programs of every system, each waiting for its input. */
static void
verify_programs (const Pmap *pmap)
{
  static const char *const commands[] = {
    "cat",
    "sh",
    "bash",
    "sed p",
    "grep x",
    "sort",
    "tee",
    "tr a b",
    "wc",
    "cut -c1",
    "uniq",
    "head",
    "tail",
    "od",
    "md5sum",
    "gzip -c",
    "awk 1",
    "perl -ne 1",
    "xargs echo",
    "dd status=none",
    "python3 -c 'import json,threading,ssl; input()'",
  };

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_auto (GStrv) argv = NULL;
      int in;
      GPid pid;

      g_assert_true (g_shell_parse_argv (commands[i], NULL, &argv, NULL));
      if (!g_spawn_async_with_pipes (NULL, argv, NULL,
                                     G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL,
                                     end_with_parent, NULL, &pid, &in, NULL, NULL, NULL))
        continue;
      g_test_message ("%s", commands[i]);
      live_wait_for_state (pid, "S");
      verify (pid, pmap);
      kill (pid, SIGKILL);
      waitpid (pid, NULL, 0);
      close (in);
    }
}

static void
verify_workload (const Pmap *pmap,
                 const char *arguments)
{
  Workload workload;
  GHashTableIter iter;
  gpointer role, pid;

  if (!workload_start (&workload, arguments))
    return;
  g_hash_table_iter_init (&iter, workload.pids);
  while (g_hash_table_iter_next (&iter, &role, &pid))
    {
      g_test_message ("%s: %s", arguments, (const char *)role);
      verify (GPOINTER_TO_INT (pid), pmap);
    }
  workload_stop (&workload);
}

static void
test_programs (void)
{
  g_auto (Pmap) pmap = { 0 };

  if (!pmap_init (&pmap))
    {
      g_test_skip ("There is no pmap");
      return;
    }
  n_processes = n_mappings = 0;
  verify_programs (&pmap);
  g_test_message ("%u processes, %u mappings, %" G_GUINT64_FORMAT " figures", n_processes, n_mappings, n_figures);
  g_assert_cmpuint (n_processes, >=, N_PROCESSES);
}

static void
test_workload (gconstpointer data)
{
  g_auto (Pmap) pmap = { 0 };

  if (!pmap_init (&pmap))
    {
      g_test_skip ("There is no pmap");
      return;
    }
  most_mappings = 0;
  verify_workload (&pmap, data);
  if (g_str_has_prefix (data, "vmas ") && !g_test_failed ())
    g_assert_cmpuint (most_mappings, >=, (guint)atoi ((const char *)data + strlen ("vmas ")));
}

static void
verify_kinds (const FpRecords *records,
              const OddList *list)
{
  for (guint i = 0; i < list->n; i++)
    {
      const OddMapping *expected = &list->mappings[i];
      const char *label = expected->label + (expected->label[0] == ' ');
      char text[FP_CELL_SIZE] = "";
      gboolean is_found = FALSE;

      for (guint j = 0; j < records->n && !is_found; j++)
        {
          FpMapping mapping;

          fp_mapping_records_get (records, j, &mapping);
          is_found = mapping.start == expected->start;
          if (!is_found)
            continue;
          g_test_message ("%u: %s", i, fp_mapping_kind_infos[fp_mapping_kind (&mapping)].id);
          g_assert_cmpstr (fp_mapping_kind_infos[fp_mapping_kind (&mapping)].id, ==,
                           fp_mapping_kind_infos[expected->kind].id);
          g_assert_cmpstr (fp_mapping_get_label (&mapping, text, sizeof text), ==, label);
        }
      g_assert_true (is_found);
    }
}

/* One mapping of each kind and of each odd name, as this kernel writes them. */
static void
test_odd (void)
{
  g_auto (Pmap) pmap = { 0 };
  g_autoptr (FpRecords) records = NULL;
  OddMappings odd;

  odd_mappings_start (&odd);
  records = read_records (odd.process.pid);
  g_assert_cmpuint (odd.list.n, >=, 28);
  verify_kinds (records, &odd.list);
  if (pmap_init (&pmap))
    {
      kill (odd.process.pid, SIGSTOP);
      live_wait_for_state (odd.process.pid, "T");
      verify_figures (odd.process.pid, &pmap);
      verify_folds (odd.process.pid);
    }
  odd_mappings_stop (&odd);
}

int
main (int argc,
      char *argv[])
{
  static const char *const workloads[] = { "fork 3 16 4", "shm 2 16", "twice 16", "thp 8", "hugetlb 4 4",
                                           "lazyfree 16", "zero 16", "ksm 8", "swapanon 2 16", "swapshm 2 16",
                                           "clonevm 16", "deleted-map", "names", "vmas 60000" };

  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/pmap/programs", test_programs);
  g_test_add_func ("/pmap/odd", test_odd);
  for (guint i = 0; i < G_N_ELEMENTS (workloads); i++)
    {
      g_autofree char *path = g_strdup_printf ("/pmap/%s", workloads[i]);

      g_strdelimit (path + strlen ("/pmap/"), " ", '-');
      g_test_add_data_func (path, workloads[i], test_workload);
    }
  return g_test_run ();
}
