// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-display.h"
#include "fp-ended.h"

#define MAX_GAP_US (15 * G_USEC_PER_SEC) /* Over a longer one, what was killed may never have been read. */

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
  guint n_unspent;     /* kills that were found with the last snapshot, whose processes had not gone yet */
  GHashTable *victims; /* FpKey of a process that is over and not gone yet → how many were killed when it came to be so */
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
  self->victims = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  return self;
}

void
fp_ended_free (FpEnded *self)
{
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->others, entry_free);
  g_ptr_array_unref (self->entries);
  g_hash_table_unref (self->programs);
  g_hash_table_unref (self->victims);
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

/* A process that the newer of two snapshots has not any more, or as one that is over. */
typedef struct
{
  guint index; /* in the older one */
  guint64 memory;
  gboolean is_gone;
  guint n_kills; /* 0: none of these was it */
} Leaver;

static guint64
get_memory (const FpRecords *records,
            guint index)
{
  FpFigure memory = fp_records_get_figure (records, index, FP_FIELD_PSS);

  return fp_figure_is_known (memory) ? memory.low : 0;
}

/* Both snapshots go up by PID. */
static GArray *
find_leavers (const FpRecords *before,
              const FpSnapshot *now)
{
  GArray *leavers = g_array_new (FALSE, FALSE, sizeof (Leaver));
  guint at = 0;

  for (guint i = 0; i < before->n; i++)
    {
      const FpProcess *process = fp_process_records_get (before, i);
      Leaver leaver = { .index = i };

      while (at < now->n_processes && now->processes[at].pid < process->pid)
        at++;
      leaver.is_gone = at == now->n_processes || now->processes[at].pid != process->pid ||
                       now->processes[at].start_ticks != process->start_ticks;
      if (fp_process_is_kernel_thread (process) ||
          !(leaver.is_gone || (fp_process_is_over (&now->processes[at]) && !fp_process_is_over (process))))
        continue;
      leaver.memory = get_memory (before, i);
      g_array_append_val (leavers, leaver);
    }
  return leavers;
}

static guint
count_gone (const GArray *leavers)
{
  guint n = 0;

  for (guint i = 0; i < leavers->len; i++)
    n += g_array_index (leavers, Leaver, i).is_gone;
  return n;
}

/* Returns how many of those that left the kernel may have killed. A process that is killed goes when its memory is given back, which
 * can be a snapshot later. */
static guint
take_kills (FpEnded *self,
            const FpSnapshot *before,
            const FpSnapshot *now)
{
  guint64 n = fp_system_get (&now->system, FP_SYSTEM_OOM_KILLS);
  guint n_late = self->n_unspent;

  n -= fp_system_has (&before->system, FP_SYSTEM_OOM_KILLS) ? MIN (fp_system_get (&before->system, FP_SYSTEM_OOM_KILLS), n) : n;
  if (now->info.boottime_us > before->info.boottime_us + MAX_GAP_US)
    n = n_late = 0;
  self->n_unspent = (guint)n;
  return (guint)n + n_late;
}

/* The kernel kills what it gives the highest score in a control group, or on the whole machine, and so in its own group. Workers are
 * of a size, and were not all read at the same moment: so what another one must have is much more memory, and as high a score. The
 * first group of all tells nothing: where programs are in it, their limits are in groups of version 1, or outside of a container. */
static gboolean
is_foremost (const FpRecords *before,
             const Leaver *leaver)
{
  const char *group = fp_process_records_get_text (before, leaver->index, FP_TEXT_CONTROL_GROUP);
  guint64 score = fp_records_get_figure (before, leaver->index, FP_FIELD_OOM_SCORE).low;

  if (!*group || g_str_equal (group, "/"))
    return TRUE;
  for (guint i = 0; i < before->n; i++)
    if (g_str_equal (fp_process_records_get_text (before, i, FP_TEXT_CONTROL_GROUP), group) &&
        get_memory (before, i) > 2 * leaver->memory && fp_records_get_figure (before, i, FP_FIELD_OOM_SCORE).low >= score)
      return FALSE;
  return TRUE;
}

static int
compare_memory (gconstpointer a,
                gconstpointer b)
{
  guint64 first = ((const Leaver *)a)->memory, second = ((const Leaver *)b)->memory;

  return (first < second) - (first > second);
}

/* Finds which of them may be those that the kernel killed: the largest, and others that are as large. */
static void
find_victims (FpEnded *self,
              GArray *leavers,
              const FpRecords *before,
              guint n_kills)
{
  guint n_left = n_kills;
  guint64 least = G_MAXUINT64;

  if (n_kills == 0)
    return;
  g_array_sort (leavers, compare_memory);
  for (guint i = 0; i < leavers->len; i++)
    {
      Leaver *leaver = &g_array_index (leavers, Leaver, i);

      if ((n_left == 0 && leaver->memory < least) || fp_process_records_is_over (before, leaver->index) ||
          !is_foremost (before, leaver))
        continue;
      leaver->n_kills = n_kills;
      least = leaver->memory;
      n_left -= n_left > 0;
    }
  self->n_unspent = MIN (self->n_unspent, n_left);
}

/* A process that was over before it went is what it was found to be then. */
static void
take_leaver (FpEnded *self,
             const Leaver *leaver,
             const FpRecords *before,
             const FpHistory *history)
{
  FpKey key = fp_records_get_key (before, leaver->index);
  gpointer earlier = g_hash_table_lookup (self->victims, &key);
  FpEndedFacts facts = { .n = 1, .realtime_us = self->info.realtime_us, .n_kills = MAX (leaver->n_kills, GPOINTER_TO_UINT (earlier)) };

  if (leaver->is_gone)
    {
      g_hash_table_remove (self->victims, &key);
      add_process (self, before, leaver->index, &facts, history);
    }
  else if (leaver->n_kills > 0)
    g_hash_table_insert (self->victims, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (leaver->n_kills));
}

/* Call it before the history takes the newer snapshot. Where as many tasks are hidden that were not before, they are what is
 * gone: nothing has ended. */
void
fp_ended_take (FpEnded *self,
               const FpRecords *before,
               const FpSnapshot *now,
               const FpHistory *history)
{
  const FpSnapshot *last = fp_process_records_get_snapshot (before);
  g_autoptr (GArray) leavers = find_leavers (before, now);
  guint n_kills = take_kills (self, last, now), n_gone = count_gone (leavers);

  if (n_gone > 0 && fp_system_get (&now->system, FP_SYSTEM_HIDDEN_TASKS) >=
                        fp_system_get (&last->system, FP_SYSTEM_HIDDEN_TASKS) + n_gone)
    return;
  find_victims (self, leavers, before, n_kills);
  self->info = n_gone > 0 ? now->info : self->info;
  for (guint i = 0; i < leavers->len; i++)
    take_leaver (self, &g_array_index (leavers, Leaver, i), before, history);
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
