// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-heap-records.h"
#include "fp-heap-words.h"

typedef struct
{
  FpRecords parent;
  FpHeapProfile *profile;
  GArray *places;       /* of FpHeapPlace */
  GPtrArray *names;     /* of each: the function, or the library */
  GPtrArray *libraries; /* NULL: the names are the libraries */
  guint64 totals[FP_HEAP_N_COSTS];
} FpHeapRecords;

const FpHeapProfile *
fp_heap_records_get_profile (const FpRecords *records)
{
  return ((const FpHeapRecords *)records)->profile;
}

const FpHeapPlace *
fp_heap_records_get (const FpRecords *records,
                     guint index)
{
  return &g_array_index (((const FpHeapRecords *)records)->places, FpHeapPlace, index);
}

const char *
fp_heap_records_get_name (const FpRecords *records,
                          guint index)
{
  return g_ptr_array_index (((const FpHeapRecords *)records)->names, index);
}

const char *
fp_heap_records_get_library (const FpRecords *records,
                             guint index)
{
  const FpHeapRecords *self = (const FpHeapRecords *)records;

  return g_ptr_array_index (self->libraries ? self->libraries : self->names, index);
}

/* The sum over all stacks, of which a record is a part. */
guint64
fp_heap_records_get_total (const FpRecords *records,
                           FpHeapCost cost)
{
  return ((const FpHeapRecords *)records)->totals[cost];
}

static const FpHeapFrame *
get_frame (const FpRecords *records,
           guint index)
{
  return fp_heap_profile_get_frame (fp_heap_records_get_profile (records), fp_heap_records_get (records, index)->node);
}

/* Writes its name in full, with the path of its library and a line of its source as far as they are known. Free it. */
char *
fp_heap_records_explain (const FpRecords *records,
                         guint index)
{
  const FpHeapProfile *profile = fp_heap_records_get_profile (records);
  const FpHeapFrame *frame = get_frame (records, index);
  GString *text = g_string_new (fp_heap_records_get_name (records, index));

  if (frame->module)
    g_string_append_printf (text, "\n%s", fp_heap_profile_get_text (profile, frame->module));
  if (frame->file && records->class->kind == FP_RECORD_HEAP_FUNCTION && frame->line > 0)
    /* Translators: a source file and a line of it */
    g_string_append_printf (text, _ ("\n%s, line %u"), fp_heap_profile_get_text (profile, frame->file), frame->line);
  else if (frame->file && records->class->kind == FP_RECORD_HEAP_FUNCTION)
    g_string_append_printf (text, "\n%s", fp_heap_profile_get_text (profile, frame->file));
  return g_string_free (text, FALSE);
}

/* The key of the record of its function */
FpKey
fp_heap_get_function_key (const FpHeapFrame *frame)
{
  return (FpKey){ frame->function + (guint64)1, frame->module };
}

static FpKey
fp_heap_records_get_key (const FpRecords *records,
                         guint index)
{
  const FpHeapFrame *frame = get_frame (records, index);

  return records->class->kind == FP_RECORD_HEAP_FUNCTION ? fp_heap_get_function_key (frame) : (FpKey){ 0, frame->module };
}

/* The kernel measured none of it. */
static FpFigure
fp_heap_records_get_figure (const FpRecords *records,
                            guint index,
                            FpField field)
{
  return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
}

static void
fp_heap_records_free (FpRecords *records)
{
  FpHeapRecords *self = (FpHeapRecords *)records;

  fp_heap_profile_unref (self->profile);
  g_array_unref (self->places);
  g_ptr_array_unref (self->names);
  g_clear_pointer (&self->libraries, g_ptr_array_unref);
  g_free (self);
}

static const FpRecordsClass of_functions = {
  .kind = FP_RECORD_HEAP_FUNCTION,
  .get_key = fp_heap_records_get_key,
  .get_figure = fp_heap_records_get_figure,
  .free = fp_heap_records_free,
};

static const FpRecordsClass of_libraries = {
  .kind = FP_RECORD_HEAP_LIBRARY,
  .get_key = fp_heap_records_get_key,
  .get_figure = fp_heap_records_get_figure,
  .free = fp_heap_records_free,
};

static gboolean
has_cost (const FpHeapPlace *place)
{
  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    if (fp_heap_stack_get_cost (&place->all, cost) > 0)
      return TRUE;
  return FALSE;
}

/* Takes the places, but for those that had not allocated anything yet. */
static void
take_places (FpHeapRecords *self,
             const GArray *places)
{
  gboolean is_by_function = self->parent.class->kind == FP_RECORD_HEAP_FUNCTION;

  for (guint i = 0; i < places->len; i++)
    {
      const FpHeapPlace *place = &g_array_index (places, FpHeapPlace, i);

      if (!has_cost (place))
        continue;
      g_array_append_val (self->places, *place);
      g_ptr_array_add (self->names, is_by_function ? fp_heap_name_function (self->profile, place->node)
                                                   : fp_heap_name_library (self->profile, place->node));
      if (is_by_function)
        g_ptr_array_add (self->libraries, fp_heap_name_library (self->profile, place->node));
    }
  self->parent.n = self->places->len;
}

/* stacks: the profile's, or as they were at some moment. by: FP_HEAP_BY_FUNCTION or FP_HEAP_BY_LIBRARY. Any thread may call it. */
FpRecords *
fp_heap_records_new (FpHeapProfile *profile,
                     const GArray *stacks,
                     FpHeapBy by)
{
  g_autoptr (GArray) places = NULL;
  FpHeapRecords *self;

  g_return_val_if_fail (by != FP_HEAP_BY_STACK, NULL);

  places = fp_heap_places_new (profile, stacks, by);
  self = g_new0 (FpHeapRecords, 1);
  self->parent.class = by == FP_HEAP_BY_FUNCTION ? &of_functions : &of_libraries;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->profile = fp_heap_profile_ref (profile);
  self->places = g_array_new (FALSE, FALSE, sizeof (FpHeapPlace));
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->libraries = by == FP_HEAP_BY_FUNCTION ? g_ptr_array_new_with_free_func (g_free) : NULL;
  for (guint i = 0; i < stacks->len; i++)
    for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
      self->totals[cost] += fp_heap_stack_get_cost (&g_array_index (stacks, FpHeapStack, i), cost);
  take_places (self, places);
  return &self->parent;
}
