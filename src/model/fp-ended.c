// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-display.h"
#include "fp-ended.h"

typedef struct
{
  FpProcess process;       /* the last record of it; of several that of the last one */
  char *texts[FP_N_TEXTS]; /* interned GRefStrings, since many are equal */
  FpEndedFacts facts;
} Entry;

struct _FpEnded
{
  GPtrArray *entries;   /* one process each, the first that ended first */
  GHashTable *programs; /* Entry by the name of the program */
  Entry *others;        /* (nullable): of programs for which there was no room */
  guint n;
  FpSnapshotInfo info; /* of the snapshot that the last of them is missing from */
  FpRecords *records;  /* (nullable): of all entries; NULL: there are new ones */
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  for (FpText text = 0; text < FP_N_TEXTS; text++)
    g_ref_string_release (entry->texts[text]);
  g_free (entry);
}

static void
entry_set_text (Entry *entry,
                FpText text,
                const char *value)
{
  char *old = entry->texts[text];

  entry->texts[text] = g_ref_string_new_intern (value);
  if (old)
    g_ref_string_release (old);
}

static const char *
get_program (const Entry *entry)
{
  return *entry->texts[FP_TEXT_PROGRAM] ? entry->texts[FP_TEXT_PROGRAM] : entry->texts[FP_TEXT_COMM];
}

/* Programs of the same name that another user ran are others. Free the text. */
static char *
make_key (const Entry *entry)
{
  return g_strdup_printf ("%u %s", entry->process.uid, get_program (entry));
}

FpEnded *
fp_ended_new (void)
{
  FpEnded *self = g_new0 (FpEnded, 1);

  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
  return self;
}

void
fp_ended_free (FpEnded *self)
{
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->others, entry_free);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->programs);
  g_free (self);
}

static FpFigure
find_higher (FpFigure a,
             FpFigure b)
{
  if (!fp_figure_is_known (a) || !fp_figure_is_known (b))
    return fp_figure_is_known (a) ? a : b;
  return fp_figure_between (MAX (a.low, b.low), MAX (a.high, b.high));
}

/* Adds the facts of one entry to another, whose process it becomes if it is that of the last that ended. */
static void
merge (Entry *into,
       Entry *entry)
{
  into->facts.n += entry->facts.n;
  into->facts.n_kills = 0;
  into->facts.is_killed = FALSE;
  into->facts.peak = find_higher (into->facts.peak, entry->facts.peak);
  into->facts.lasted_us = MAX (into->facts.lasted_us, entry->facts.lasted_us);
  into->facts.realtime_us = MAX (into->facts.realtime_us, entry->facts.realtime_us);
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    entry_set_text (into, text, entry->texts[text]);
  entry_free (entry);
}

static Entry *
find_oldest_program (FpEnded *self)
{
  Entry *oldest = NULL;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->programs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    if (!oldest || ((Entry *)value)->facts.realtime_us < oldest->facts.realtime_us)
      oldest = value;
  return oldest;
}

static void
drop_oldest_program (FpEnded *self)
{
  Entry *oldest = find_oldest_program (self);
  g_autofree char *key = make_key (oldest);
  gpointer stolen;

  g_hash_table_steal_extended (self->programs, key, &stolen, NULL);
  g_free (stolen);
  if (self->others)
    merge (self->others, oldest);
  else
    self->others = oldest;
}

/* Takes the entry. */
static void
fold (FpEnded *self,
      Entry *entry)
{
  g_autofree char *key = make_key (entry);
  Entry *program = g_hash_table_lookup (self->programs, key);

  if (program)
    merge (program, entry);
  else
    g_hash_table_insert (self->programs, g_steal_pointer (&key), entry);
  if (g_hash_table_size (self->programs) > FP_ENDED_MAX_PROGRAMS)
    drop_oldest_program (self);
}

static guint64
get_lasted (const FpProcess *process,
            const FpSnapshotInfo *info)
{
  double started_us = info->ticks_per_second > 0 ? (double)process->start_ticks * G_USEC_PER_SEC / (double)info->ticks_per_second : 0;

  return info->boottime_us - MIN ((guint64)started_us, info->boottime_us);
}

/* The last record may not be in the history, which leaves out readings that were not complete. */
static FpFigure
find_peak (const FpRecords *before,
           guint index,
           const FpHistory *history)
{
  FpFigure last = { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  FpHistoryEnds ends;
  gint64 low, high;

  fp_history_ends_of_record (&ends, before, index);
  if (fp_history_ends_add_up (&ends, fp_history_ends_have_swap (&ends), &low, &high))
    last = fp_figure_between ((guint64)low * 1024, high == G_MAXINT64 ? G_MAXUINT64 : (guint64)high * 1024);
  return find_higher (fp_history_get_peak (history, fp_records_get_key (before, index)), last);
}

/* facts: what is the same of all that have ended meanwhile */
static void
add_process (FpEnded *self,
             const FpRecords *before,
             guint index,
             const FpEndedFacts *facts,
             const FpHistory *history)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->process = *fp_process_records_get (before, index);
  entry->process.reason = FP_REASON_ENDED;
  entry->process.state = 'Z';
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    entry_set_text (entry, text, fp_process_records_get_text (before, index, text));
  entry->facts = *facts;
  entry->facts.peak = find_peak (before, index, history);
  entry->facts.lasted_us = get_lasted (&entry->process, &self->info);
  self->n++;
  g_clear_pointer (&self->records, fp_records_unref);
  if (entry->facts.lasted_us < FP_ENDED_SHORT_US && facts->n_kills == 0)
    {
      fold (self, entry);
      return;
    }
  g_ptr_array_add (self->entries, entry);
  if (self->entries->len > FP_ENDED_MAX)
    fold (self, g_ptr_array_steal_index (self->entries, 0));
}

/* Lists the processes that are in the older of two snapshots alone, by their places. Both go up by PID. */
static GArray *
find_gone (const FpRecords *before,
           const FpSnapshot *now)
{
  GArray *gone = g_array_new (FALSE, FALSE, sizeof (guint));
  guint at = 0;

  for (guint i = 0; i < before->n; i++)
    {
      const FpProcess *process = fp_process_records_get (before, i);

      while (at < now->n_processes && now->processes[at].pid < process->pid)
        at++;
      if (fp_process_is_kernel_thread (process))
        continue;
      if (at == now->n_processes || now->processes[at].pid != process->pid || now->processes[at].start_ticks != process->start_ticks)
        g_array_append_val (gone, i);
    }
  return gone;
}

static guint
count_kills (const FpSystem *before,
             const FpSystem *now)
{
  guint64 n = fp_system_get (now, FP_SYSTEM_OOM_KILLS);

  return fp_system_has (before, FP_SYSTEM_OOM_KILLS) ? (guint)(n - MIN (fp_system_get (before, FP_SYSTEM_OOM_KILLS), n)) : 0;
}

static guint64
get_memory (const FpRecords *records,
            guint index)
{
  FpFigure memory = fp_records_get_figure (records, index, FP_FIELD_PSS);

  return fp_figure_is_known (memory) ? memory.low : 0;
}

static int
compare_memory (gconstpointer a,
                gconstpointer b,
                gpointer records)
{
  guint64 first = get_memory (records, *(const guint *)a), second = get_memory (records, *(const guint *)b);

  return (first < second) - (first > second);
}

/* Returns what the smallest of the n largest has: the kernel kills the largest, and a compiler may end at that moment, too. */
static guint64
find_least_memory (const FpRecords *before,
                   const GArray *gone,
                   guint n)
{
  g_autoptr (GArray) sorted = NULL;

  if (n == 0)
    return G_MAXUINT64;
  sorted = g_array_copy ((GArray *)gone);
  g_array_sort_with_data (sorted, compare_memory, (gpointer)before);
  return get_memory (before, g_array_index (sorted, guint, MIN (n, sorted->len) - 1));
}

/* Call it before the history takes the newer snapshot. Where as many tasks are hidden that were not before, they are what is
 * gone: nothing has ended. */
void
fp_ended_take (FpEnded *self,
               const FpRecords *before,
               const FpSnapshot *now,
               const FpHistory *history)
{
  const FpSystem *system = &fp_process_records_get_snapshot (before)->system;
  g_autoptr (GArray) gone = find_gone (before, now);
  guint64 least;
  FpEndedFacts facts = { .n = 1, .realtime_us = now->info.realtime_us, .n_kills = count_kills (system, &now->system) };

  if (gone->len == 0 || fp_system_get (&now->system, FP_SYSTEM_HIDDEN_TASKS) >=
                            fp_system_get (system, FP_SYSTEM_HIDDEN_TASKS) + gone->len)
    return;
  self->info = now->info;
  facts.is_killed = facts.n_kills >= gone->len && fp_system_get (&now->system, FP_SYSTEM_HIDDEN_TASKS) == 0;
  least = find_least_memory (before, gone, facts.n_kills);
  for (guint i = 0; i < gone->len; i++)
    {
      guint index = g_array_index (gone, guint, i);
      FpEndedFacts own = facts;

      if (get_memory (before, index) < least)
        own.n_kills = 0;
      add_process (self, before, index, &own, history);
    }
}

/* All that have ended, one by one or not. */
guint
fp_ended_get_n (const FpEnded *self)
{
  return self->n;
}

/* Several of one program have no process, and say in words how many they were. */
static void
describe_several (Entry *entry,
                  FpProcess *process)
{
  FpFigure peak = entry->facts.peak;
  g_autofree char *words = NULL, *key = make_key (entry);
  char size[FP_FIGURE_TEXT_SIZE];

  process->pid = 0;
  process->ppid = 0;
  process->start_ticks = g_str_hash (key);
  process->state = ' ';
  process->exe_state = 0;
  fp_process_clear_memory (process, FP_REASON_ENDED);
  fp_figure_format (fp_figure_exact (peak.high), FP_UNIT_BYTES, FP_STYLE_IEC, 0, size, sizeof size);
  if (fp_figure_is_known (peak) && peak.high != G_MAXUINT64)
    /* Translators: a number of processes, and an amount of memory */
    words = g_strdup_printf (ngettext ("%u ended, with at most %s", "%u ended, with at most %s each", entry->facts.n),
                             entry->facts.n, size);
  else
    words = g_strdup_printf (ngettext ("%u ended", "%u ended", entry->facts.n), entry->facts.n);
  entry_set_text (entry, FP_TEXT_COMMAND, words);
}

static void
add_record (FpSnapshot *snapshot,
            FpStrings *strings,
            FpEndedFacts *facts,
            Entry *entry)
{
  FpProcess *process = &snapshot->processes[snapshot->n_processes];

  *process = entry->process;
  if (entry->facts.n > 1)
    describe_several (entry, process);
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    process->texts[text] = fp_strings_intern (strings, entry->texts[text]);
  facts[snapshot->n_processes++] = entry->facts;
}

static FpRecords *
make_records (FpEnded *self)
{
  guint n = self->entries->len + g_hash_table_size (self->programs) + 1;
  g_autoptr (FpSnapshot) snapshot = fp_snapshot_new (n);
  FpEndedFacts *facts = g_new (FpEndedFacts, n);
  GHashTableIter iter;
  FpStrings strings;
  gpointer value;

  snapshot->info = self->info;
  snapshot->n_processes = 0;
  fp_strings_init (&strings, 1024);
  for (guint i = 0; i < self->entries->len; i++)
    add_record (snapshot, &strings, facts, self->entries->pdata[i]);
  g_hash_table_iter_init (&iter, self->programs);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    add_record (snapshot, &strings, facts, value);
  if (self->others)
    {
      entry_set_text (self->others, FP_TEXT_PROGRAM, _ ("Other programs"));
      add_record (snapshot, &strings, facts, self->others);
    }
  snapshot->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  return fp_process_records_new_ended (snapshot, facts);
}

/* Returns: (transfer none): it changes with the next process that ends */
FpRecords *
fp_ended_get_records (FpEnded *self)
{
  if (!self->records)
    self->records = make_records (self);
  return self->records;
}

/* rows: what is shown of the records, in no groups; since_us: when the first snapshot was made, since 1970. Free the
 * text. */
char *
fp_ended_describe (FpEnded *self,
                   const FpRows *rows,
                   guint64 since_us)
{
  char since[FP_FIGURE_TEXT_SIZE];
  g_autoptr (GString) text = g_string_new (NULL);
  const guint n_found = fp_rows_get_n (rows);

  if (n_found < fp_ended_get_records (self)->n)
    /* Translators: so many of the processes that the search is for */
    g_string_printf (text, ngettext ("%u found", "%u found", n_found), n_found);
  fp_figure_format (fp_figure_exact (since_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, since, sizeof since);
  /* Translators: a number, and a time of day or a date */
  fp_display_append_fact (text, g_strdup_printf (ngettext ("%u process has ended since %s", "%u processes have ended since %s", self->n),
                                                 self->n, since));
  return g_strdup (text->str);
}
