// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-comparison-private.h"
#include "fp-control-values.h"
#include "fp-growth.h"
#include "fp-heap-records.h"
#include "fp-mapped-records.h"
#include "fp-totals.h"

#define NOWHERE    FP_COMPARED_NOWHERE
#define OTHER_BOOT FP_TICKS_OF_OTHER_BOOT

static const FpFigure none = { FP_FIGURE_NONE, 0, 0 };

void
fp_comparison_free (FpCompared *self)
{
  fp_records_unref (self->before);
  g_free (self->places);
  g_free (self->pairs);
  g_free (self->are_ended);
  g_free (self);
}

/* Takes over the records before. All of the list are new until they are paired. */
FpCompared *
fp_compared_new (FpRecords *before,
                 guint n)
{
  FpCompared *self = g_new0 (FpCompared, 1);

  self->before = before;
  self->places = g_new (guint32, n + 1);
  self->pairs = g_new0 (guint8, n + 1);
  self->are_ended = g_new0 (guint8, n + 1);
  for (guint i = 0; i < n; i++)
    self->places[i] = NOWHERE;
  return self;
}

typedef struct
{
  const FpSnapshot *before;
  const FpSnapshot *after;
  gboolean is_same_boot;
  FpPairing pairing;
} Comparison;

static void
pair_same (Comparison *self)
{
  for (guint i = 0; i < self->after->n_processes && self->is_same_boot; i++)
    {
      const FpProcess *process = &self->after->processes[i];
      const FpProcess *old = fp_snapshot_find (self->before, process->pid);

      if (old && old->start_ticks == process->start_ticks)
        fp_pairing_pair (&self->pairing, (guint)(old - self->before->processes), i, FP_PAIR_SAME);
    }
}

/* Names of scopes and sessions have numbers that are others after a restart of the machine; an app has none. Where there is
 * no unit, who started it keeps it apart from the same program elsewhere. */
static char *
make_name (const FpSnapshot *snapshot,
           const FpProcess *process,
           gboolean with_unit,
           gboolean with_parent)
{
  const char *app = fp_snapshot_get_text (snapshot, process, FP_TEXT_APP);
  const char *unit = *app ? app : fp_snapshot_get_text (snapshot, process, FP_TEXT_UNIT);

  return g_strdup_printf ("%u\n%s\n%s\n%d\n%s", process->uid, fp_snapshot_get_text (snapshot, process, FP_TEXT_CONTAINER),
                          with_unit ? unit : "", with_parent && !*unit ? process->ppid : 0,
                          fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM));
}

/* Larger ones come first, and of equal ones the older. */
static gint
compare_sizes (gconstpointer a,
               gconstpointer b,
               gpointer data)
{
  const FpProcess *processes = ((const FpSnapshot *)data)->processes;
  guint x = *(const guint *)a, y = *(const guint *)b;
  FpFigure of_x = fp_figure_of_memory (&processes[x].memory, FP_FIELD_MEMORY_AND_SWAP);
  FpFigure of_y = fp_figure_of_memory (&processes[y].memory, FP_FIELD_MEMORY_AND_SWAP);
  int order = fp_figure_compare (of_x, of_y, TRUE);

  return order != 0 ? order : (x > y) - (x < y);
}

static GHashTable *
list_by_name (const FpSnapshot *snapshot,
              const guint32 *partners,
              gboolean with_unit,
              gboolean with_parent)
{
  GHashTable *lists = fp_pairing_new_lists ();

  for (guint i = 0; i < snapshot->n_processes; i++)
    if (partners[i] == NOWHERE)
      fp_pairing_list (lists, make_name (snapshot, &snapshot->processes[i], with_unit, with_parent), i);
  return lists;
}

/* A restarted service has as many workers as before, and nobody knows which took the place of which: the largest is compared
 * with the largest. */
static void
pair_ranks (Comparison *self,
            gboolean with_unit)
{
  const FpPairing *pairing = &self->pairing;
  g_autoptr (GHashTable) before = list_by_name (self->before, pairing->partners_before, with_unit, self->is_same_boot);
  g_autoptr (GHashTable) after = list_by_name (self->after, pairing->partners_after, with_unit, self->is_same_boot);

  fp_pairing_pair_ranks (&self->pairing, before, after, compare_sizes);
}

static void
pair_all (Comparison *self)
{
  fp_pairing_init (&self->pairing, self->before, self->before->n_processes, self->after, self->after->n_processes);
  self->is_same_boot = fp_snapshot_is_same_boot (self->before, self->after);
  pair_same (self);
  pair_ranks (self, TRUE);
  if (!self->is_same_boot)
    pair_ranks (self, FALSE);
}

/* A process of the merged list: its place in one of the two snapshots */
typedef struct
{
  gint pid;
  guint32 place;
  gboolean is_ended;
} Entry;

/* A PID that is used again finds the process that has it now. */
static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const Entry *x = a, *y = b;

  return x->pid != y->pid ? (x->pid > y->pid) - (x->pid < y->pid) : x->is_ended - y->is_ended;
}

static GArray *
list_entries (const Comparison *self)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));

  for (guint i = 0; i < self->after->n_processes; i++)
    g_array_append_val (entries, ((Entry){ self->after->processes[i].pid, i, FALSE }));
  for (guint i = 0; i < self->before->n_processes; i++)
    if (self->pairing.partners_before[i] == NOWHERE)
      g_array_append_val (entries, ((Entry){ self->before->processes[i].pid, i, TRUE }));
  g_array_sort (entries, compare_entries);
  return entries;
}

static void
copy_process (FpProcess *process,
              FpStrings *strings,
              const FpSnapshot *snapshot,
              guint place)
{
  *process = snapshot->processes[place];
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    process->texts[text] = fp_strings_intern (strings, fp_snapshot_get_text (snapshot, &snapshot->processes[place], text));
}

/* Start times of another run of the machine mean nothing now, and must not make two processes one. */
static FpSnapshot *
merge (const Comparison *self,
       const GArray *entries)
{
  FpSnapshot *merged = fp_snapshot_new (entries->len);
  FpStrings strings;

  fp_strings_init (&strings, 4096);
  merged->info = self->after->info;
  merged->system = self->after->system;
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);
      FpProcess *process = &merged->processes[i];

      copy_process (process, &strings, entry->is_ended ? self->before : self->after, entry->place);
      if (!entry->is_ended)
        continue;
      process->reason = FP_REASON_ENDED;
      process->start_ticks |= self->is_same_boot ? 0 : OTHER_BOOT;
    }
  merged->n_processes = entries->len;
  merged->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  return merged;
}

/* kept: (nullable): of the later moment */
FpRecords *
fp_comparison_new_processes (FpSnapshot *before,
                             FpSnapshot *after,
                             const FpKept *kept)
{
  g_autoptr (GArray) entries = NULL;
  g_autoptr (FpSnapshot) merged = NULL;
  Comparison comparison = { .before = before, .after = after };
  FpPairing *pairing = &comparison.pairing;
  FpCompared *compared;
  FpRecords *records;

  pair_all (&comparison);
  entries = list_entries (&comparison);
  merged = merge (&comparison, entries);
  compared = fp_compared_new (fp_process_records_new (before, NULL), entries->len);
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      compared->are_ended[i] = entry->is_ended;
      compared->places[i] = entry->is_ended ? entry->place : pairing->partners_after[entry->place];
      compared->pairs[i] = entry->is_ended ? FP_PAIR_NONE : pairing->pairs[entry->place];
    }
  fp_pairing_clear (pairing);
  records = fp_process_records_new (merged, kept);
  records->compared = compared;
  return records;
}

static FpMappedFiles *
copy_files (const FpMappedFiles *self)
{
  FpMappedFiles *copy = fp_mapped_files_new (self->n_processes, self->texts);

  g_array_append_vals (copy->files, self->files->data, self->files->len);
  g_array_append_vals (copy->copies, self->copies->data, self->copies->len);
  memcpy (copy->processes, self->processes, sizeof *copy->processes * self->n_processes);
  memcpy (copy->owners, self->owners, sizeof *copy->owners * self->n_processes);
  copy->measured_us = self->measured_us;
  copy->n_tried = self->n_tried;
  copy->n_read = self->n_read;
  copy->n_unread = self->n_unread;
  copy->unread = g_memdup2 (self->unread, sizeof *copy->unread * self->n_unread);
  copy->n_holders = self->n_holders;
  copy->holders = g_memdup2 (self->holders, sizeof *copy->holders * self->n_holders);
  fp_mapped_files_index (copy);
  return copy;
}

/* It has nothing now, and nobody maps it. */
static void
add_gone (FpMappedFiles *files,
          const FpMappedFile *old)
{
  FpMappedFile file = *old;

  file.name = fp_mapped_texts_add (files->texts, old->name);
  file.shown = fp_mapped_texts_add (files->texts, old->shown);
  file.build_id = NULL;
  file.n_holders = file.first_holder = file.copies = 0;
  file.n_processes = file.n_users = file.n_mappings = 0;
  file.unchanged = 0;
  file.is_updated = FALSE;
  file.state = FP_FILE_UNKNOWN;
  memset (file.figures, 0, sizeof file.figures);
  g_array_append_val (files->files, file);
}

static GHashTable *
index_files (const FpMappedFiles *files,
             gboolean by_name)
{
  GHashTable *places = by_name ? g_hash_table_new (g_str_hash, g_str_equal) : g_hash_table_new (fp_key_hash, fp_key_equal);

  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);

      g_hash_table_insert (places, by_name ? (gpointer)file->name : (gpointer)file->key, GUINT_TO_POINTER (i + 1));
    }
  return places;
}

/* An update gives a name to another file. */
static void
pair_files (FpCompared *compared,
            const FpMappedFiles *before,
            const FpMappedFiles *after,
            guint8 *are_paired,
            FpPair how)
{
  g_autoptr (GHashTable) places = index_files (before, how == FP_PAIR_NAME);

  for (guint i = 0; i < after->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (after, i);
      guint found;

      if (compared->places[i] != NOWHERE)
        continue;
      found = GPOINTER_TO_UINT (g_hash_table_lookup (places, how == FP_PAIR_NAME ? (gconstpointer)file->name : file->key));
      if (found == 0 || are_paired[found - 1] || fp_mapped_files_get (before, found - 1)->kind != file->kind)
        continue;
      are_paired[found - 1] = TRUE;
      compared->places[i] = found - 1;
      compared->pairs[i] = (guint8)how;
    }
}

/* snapshot: (nullable): of the later moment */
FpRecords *
fp_comparison_new_files (FpMappedFiles *before,
                         FpMappedFiles *after,
                         FpSnapshot *snapshot)
{
  g_autoptr (FpMappedFiles) files = copy_files (after);
  g_autofree guint8 *are_paired = g_new0 (guint8, before->files->len + 1);
  FpCompared *compared =
      fp_compared_new (fp_mapped_records_new (before, NULL), before->files->len + after->files->len);
  FpRecords *records;

  pair_files (compared, before, after, are_paired, FP_PAIR_SAME);
  pair_files (compared, before, after, are_paired, FP_PAIR_NAME);
  for (guint i = 0; i < before->files->len; i++)
    {
      guint place = files->files->len;

      if (are_paired[i])
        continue;
      add_gone (files, fp_mapped_files_get (before, i));
      compared->places[place] = i;
      compared->are_ended[place] = TRUE;
    }
  records = fp_mapped_records_new (files, snapshot);
  records->compared = compared;
  return records;
}

/* Says whether the figures of two moments stand in the place of this column. Of groups they stand for all others, which
 * would take the room of the names and are those of one of the two moments only. */
gboolean
fp_comparison_replaces (const FpColumn *column)
{
  return column->role == FP_ROLE_MEMORY || column->get_figure == fp_records_get_growth ||
         (column->kinds == FP_RECORD_CONTROL_GROUP && fp_column_is_figure (column));
}

static gboolean
is_sum (const FpRecords *self)
{
  return (self->class->kind & (FP_RECORD_TOTAL | FP_RECORD_FOLD)) != 0;
}

gboolean
fp_records_are_compared (const FpRecords *self)
{
  return self->compared || (is_sum (self) && fp_totals_get_before (self));
}

/* Returns the kinds of columns that these records have. */
guint
fp_records_get_kinds (const FpRecords *self)
{
  guint kinds = self->class->kind;

  if (fp_records_are_compared (self))
    kinds |= FP_RECORD_COMPARED;
  return fp_heap_records_are_compared (self) ? kinds | FP_RECORD_HEAP_COMPARED : kinds;
}

gboolean
fp_records_has_ended (const FpRecords *self,
                      guint index)
{
  return self->compared && self->compared->are_ended[index];
}

/* Returns: (nullable) (transfer none): the records that have what it was, and its place in them; NULL: it was not there */
const FpRecords *
fp_records_find_before (const FpRecords *self,
                        guint index,
                        guint *place)
{
  if (!self->compared || self->compared->places[index] == NOWHERE)
    return NULL;
  *place = self->compared->places[index];
  return self->compared->before;
}

/* The kernel counts other figures for control groups than for processes. */
static FpFigure
get_figure (const FpRecords *self,
            guint index,
            FpField field)
{
  return self->class->kind == FP_RECORD_CONTROL_GROUP ? fp_control_value_for_field (self, index, field)
                                                      : fp_records_get_figure (self, index, field);
}

/* A sum of nobody is nothing, not unknown. */
static FpFigure
get_sum (const FpRecords *totals,
         guint index,
         FpField field)
{
  return index < totals->n && fp_totals_get (totals, index)->n_members > 0 ? fp_records_get_figure (totals, index, field)
                                                                           : fp_figure_exact (0);
}

FpFigure
fp_records_get_before (const FpRecords *self,
                       guint index,
                       FpField field)
{
  const FpRecords *before;
  guint place;

  if (!fp_records_are_compared (self))
    return none;
  if (is_sum (self))
    return get_sum (fp_totals_get_before (self), index, field);
  before = fp_records_find_before (self, index, &place);
  return before ? get_figure (before, place, field) : fp_figure_exact (0);
}

FpFigure
fp_records_get_after (const FpRecords *self,
                      guint index,
                      FpField field)
{
  if (!fp_records_are_compared (self))
    return none;
  if (is_sum (self))
    return get_sum (self, index, field);
  return fp_records_has_ended (self, index) ? fp_figure_exact (0) : get_figure (self, index, field);
}

FpFigure
fp_records_get_difference (const FpRecords *self,
                           guint index,
                           FpField field)
{
  return fp_figure_change (fp_records_get_before (self, index, field), fp_records_get_after (self, index, field));
}

FpPair
fp_records_get_pair (const FpRecords *self,
                     guint index)
{
  return self->compared ? (FpPair)self->compared->pairs[index] : FP_PAIR_NONE;
}

static gboolean
is_new (const FpRecords *self,
        guint index)
{
  const FpRecords *before = is_sum (self) ? fp_totals_get_before (self) : NULL;

  if (before)
    return index >= before->n || fp_totals_get (before, index)->n_members == 0;
  return self->compared->places[index] == NOWHERE;
}

/* Swapped out is not shrunk, so memory and swap decide together where both are known. */
FpOutcome
fp_records_get_outcome (const FpRecords *self,
                        guint index)
{
  FpFigure change;

  if (!fp_records_are_compared (self))
    return FP_OUTCOME_UNKNOWN;
  if (is_sum (self) ? fp_totals_get (self, index)->n_members == 0 : fp_records_has_ended (self, index))
    return FP_OUTCOME_ENDED;
  if (is_new (self, index))
    return FP_OUTCOME_NEW;
  change = fp_records_get_difference (self, index, FP_FIELD_MEMORY_AND_SWAP);
  if (!fp_figure_is_known (change))
    change = fp_records_get_difference (self, index, FP_FIELD_PSS);
  if (change.kind == FP_FIGURE_MORE || change.kind == FP_FIGURE_LESS)
    return change.kind == FP_FIGURE_MORE ? FP_OUTCOME_GROWN : FP_OUTCOME_SHRUNK;
  return change.kind == FP_FIGURE_EXACT ? FP_OUTCOME_SAME : FP_OUTCOME_UNKNOWN;
}

#define DEFINE_VALUE(name, moment, field)                   \
  FpFigure                                                  \
      fp_value_##name (const FpRecords *records,            \
                       guint index)                         \
  {                                                         \
    return fp_records_get_##moment (records, index, field); \
  }

DEFINE_VALUE (before, before, FP_FIELD_PSS)
DEFINE_VALUE (after, after, FP_FIELD_PSS)
DEFINE_VALUE (difference, difference, FP_FIELD_PSS)
DEFINE_VALUE (swap_before, before, FP_FIELD_SWAP_PSS)
DEFINE_VALUE (swap_after, after, FP_FIELD_SWAP_PSS)
DEFINE_VALUE (swap_difference, difference, FP_FIELD_SWAP_PSS)

/* A search has no format, so that the same words find it in every language. */
static const char *
choose_word (const char *id,
             const char *context,
             const char *title,
             const FpFormat *format)
{
  return !*id || !format || format->is_for_programs ? id : g_dpgettext2 (NULL, context, title);
}

const char *
fp_text_outcome (const FpRecords *records,
                 guint index,
                 const FpFormat *format)
{
  static const char *const ids[FP_N_OUTCOMES] = { "", "same", "grown", "shrunk", "new", "ended" };
  static const char *const titles[FP_N_OUTCOMES] = { "", NC_ ("outcome", "Same"), NC_ ("outcome", "Grown"), NC_ ("outcome", "Shrunk"), NC_ ("outcome", "New"), NC_ ("outcome", "Ended") };
  FpOutcome outcome = fp_records_get_outcome (records, index);

  return choose_word (ids[outcome], "outcome", titles[outcome], format);
}

const char *
fp_text_pair (const FpRecords *records,
              guint index,
              const FpFormat *format)
{
  static const char *const ids[FP_N_PAIRS] = { "", "itself", "rank", "name", "path" };
  static const char *const titles[FP_N_PAIRS] = { "", NC_ ("compared with", "Itself"), NC_ ("compared with", "Same program, by size"), NC_ ("compared with", "Same name, another file"), NC_ ("compared with", "Same path, made again") };
  FpPair how = fp_records_get_pair (records, index);

  return choose_word (ids[how], "compared with", titles[how], format);
}
