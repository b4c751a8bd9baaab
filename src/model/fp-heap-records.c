// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-heap-records.h"
#include "fp-heap-words.h"

typedef struct
{
  FpRecords parent;
  FpHeapProfile *profile;
  guint known;
  GArray *places;       /* of FpHeapPlace */
  GArray *before;       /* of FpHeapPlace, what each was; NULL: they are not compared */
  GPtrArray *names;     /* of each: the function, or the library */
  GPtrArray *libraries; /* NULL: the names are the libraries */
  GArray *keys;         /* of FpKey */
  GArray *ways;         /* of Way, of each step; NULL: they are no steps */
  guint64 totals[FP_HEAP_N_COSTS];
} FpHeapRecords;

/* The way to a step */
typedef struct
{
  guint32 parent;
  guint32 depth;
} Way;

const FpHeapProfile *
fp_heap_records_get_profile (const FpRecords *records)
{
  return ((const FpHeapRecords *)records)->profile;
}

guint
fp_heap_records_get_known (const FpRecords *records)
{
  return ((const FpHeapRecords *)records)->known;
}

gboolean
fp_heap_records_are_compared (const FpRecords *records)
{
  return (records->class->kind & FP_KINDS_CODE) && ((const FpHeapRecords *)records)->before;
}

const FpHeapPlace *
fp_heap_records_get (const FpRecords *records,
                     guint index)
{
  return &g_array_index (((const FpHeapRecords *)records)->places, FpHeapPlace, index);
}

/* Returns: (nullable): its costs at the other moment; NULL: they are not compared */
const FpHeapPlace *
fp_heap_records_get_before (const FpRecords *records,
                            guint index)
{
  const GArray *before = ((const FpHeapRecords *)records)->before;

  return before ? &g_array_index (before, FpHeapPlace, index) : NULL;
}

static const Way *
get_way (const FpRecords *records,
         guint index)
{
  return &g_array_index (((const FpHeapRecords *)records)->ways, Way, index);
}

/* 0: it is in no other record */
guint32
fp_heap_records_get_depth (const FpRecords *records,
                           guint index)
{
  return ((const FpHeapRecords *)records)->ways ? get_way (records, index)->depth : 0;
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
  if (frame->file && records->class->kind != FP_RECORD_HEAP_LIBRARY && frame->line > 0)
    /* Translators: a source file and a line of it */
    g_string_append_printf (text, _ ("\n%s, line %u"), fp_heap_profile_get_text (profile, frame->file), frame->line);
  else if (frame->file && records->class->kind != FP_RECORD_HEAP_LIBRARY)
    g_string_append_printf (text, "\n%s", fp_heap_profile_get_text (profile, frame->file));
  return g_string_free (text, FALSE);
}

static guint64
hash_text (const FpHeapProfile *profile,
           guint32 number)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (const char *c = fp_heap_profile_get_text (profile, number); *c; c++)
    hash = (hash ^ (guint8)*c) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash ^ hash >> 32;
}

static FpKey
get_library_key (const FpHeapProfile *profile,
                 const FpHeapFrame *frame)
{
  return (FpKey){ 0, hash_text (profile, frame->module) };
}

/* The key of the record of its function. Names stay when a recording grows, or is compared with another one; numbers of texts may
 * become others. */
FpKey
fp_heap_get_function_key (const FpHeapProfile *profile,
                          const FpHeapFrame *frame)
{
  return (FpKey){ hash_text (profile, frame->function) | 1, hash_text (profile, frame->module) };
}

static FpKey
fp_heap_records_get_key (const FpRecords *records,
                         guint index)
{
  return g_array_index (((const FpHeapRecords *)records)->keys, FpKey, index);
}

static guint
fp_heap_records_get_parent (const FpRecords *records,
                            guint index)
{
  return get_way (records, index)->parent;
}

/* G_MAXUINT: there is none with this key */
guint
fp_heap_records_find (const FpRecords *records,
                      FpKey key)
{
  for (guint i = 0; i < records->n; i++)
    {
      FpKey own = fp_records_get_key (records, i);

      if (fp_key_equal (&own, &key))
        return i;
    }
  return G_MAXUINT;
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
  g_clear_pointer (&self->before, g_array_unref);
  g_ptr_array_unref (self->names);
  g_clear_pointer (&self->libraries, g_ptr_array_unref);
  g_array_unref (self->keys);
  g_clear_pointer (&self->ways, g_array_unref);
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

static const FpRecordsClass of_steps = {
  .kind = FP_RECORD_HEAP_STEP,
  .get_key = fp_heap_records_get_key,
  .get_figure = fp_heap_records_get_figure,
  .free = fp_heap_records_free,
  .get_parent = fp_heap_records_get_parent,
};

/* before: all 0 where nothing is compared, so that all that has any cost has changed */
static gboolean
has_changed (const FpHeapRecords *self,
             const FpHeapPlace *place,
             const FpHeapPlace *before)
{
  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    if ((self->known & 1 << cost || !self->before) &&
        fp_heap_stack_get_cost (&place->all, cost) != fp_heap_stack_get_cost (&before->all, cost))
      return TRUE;
  return FALSE;
}

static gboolean
has_cost (const FpHeapPlace *place)
{
  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    if (fp_heap_stack_get_cost (&place->all, cost) > 0)
      return TRUE;
  return FALSE;
}

/* key: (nullable): of a step */
static void
add_place (FpHeapRecords *self,
           const FpHeapPlace *place,
           const FpHeapPlace *before,
           const FpKey *key)
{
  gboolean is_by_library = self->parent.class->kind == FP_RECORD_HEAP_LIBRARY;
  FpHeapPlace added = *place;
  const FpHeapFrame *frame;
  FpKey own;

  if (!added.node)
    added.node = before->node;
  frame = fp_heap_profile_get_frame (self->profile, added.node);
  own = key ? *key : is_by_library ? get_library_key (self->profile, frame)
                                   : fp_heap_get_function_key (self->profile, frame);
  g_array_append_val (self->places, added);
  g_array_append_val (self->keys, own);
  if (self->before)
    g_array_append_val (self->before, *before);
  g_ptr_array_add (self->names, is_by_library ? fp_heap_name_library (self->profile, added.node)
                                              : fp_heap_name_function (self->profile, added.node));
  if (!is_by_library)
    g_ptr_array_add (self->libraries, fp_heap_name_library (self->profile, added.node));
  self->parent.n = self->places->len;
}

static FpHeapRecords *
records_new (const FpRecordsClass *class,
             const FpHeapExcerpt *excerpt)
{
  FpHeapRecords *self = g_new0 (FpHeapRecords, 1);

  self->parent.class = class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->profile = fp_heap_profile_ref (excerpt->tree->profile);
  self->known = excerpt->known;
  self->places = g_array_new (FALSE, FALSE, sizeof (FpHeapPlace));
  self->before = excerpt->before ? g_array_new (FALSE, FALSE, sizeof (FpHeapPlace)) : NULL;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->libraries = class == &of_libraries ? NULL : g_ptr_array_new_with_free_func (g_free);
  self->keys = g_array_new (FALSE, FALSE, sizeof (FpKey));
  for (guint i = 0; i < excerpt->stacks->len; i++)
    for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
      self->totals[cost] += fp_heap_stack_get_cost (&g_array_index (excerpt->stacks, FpHeapStack, i), cost);
  return self;
}

/* places, before: (transfer full): the same ones in the same order; before: (nullable) */
static FpRecords *
records_new_of_places (const FpRecordsClass *class,
                       const FpHeapExcerpt *excerpt,
                       GArray *places,
                       GArray *before,
                       gboolean only_changed)
{
  FpHeapRecords *self = records_new (class, excerpt);
  const FpHeapPlace none = { 0 };

  for (guint i = 0; i < places->len; i++)
    {
      const FpHeapPlace *place = &g_array_index (places, FpHeapPlace, i);
      const FpHeapPlace *was = before ? &g_array_index (before, FpHeapPlace, i) : &none;

      if (only_changed ? has_changed (self, place, was) : has_cost (place) || has_cost (was))
        add_place (self, place, was, NULL);
    }
  g_array_unref (places);
  g_clear_pointer (&before, g_array_unref);
  return &self->parent;
}

/* A comparison lists the places that have changed. by: FP_HEAP_BY_FUNCTION or FP_HEAP_BY_LIBRARY. Any thread may call it. */
FpRecords *
fp_heap_records_new (const FpHeapExcerpt *excerpt,
                     FpHeapBy by)
{
  g_return_val_if_fail (by != FP_HEAP_BY_STACK, NULL);

  return records_new_of_places (by == FP_HEAP_BY_FUNCTION ? &of_functions : &of_libraries, excerpt,
                                fp_heap_places_new (excerpt->tree->profile, excerpt->stacks, by),
                                excerpt->before ? fp_heap_places_new (excerpt->tree->profile, excerpt->before, by) : NULL, TRUE);
}

/* node: one of the function */
FpRecords *
fp_heap_records_new_beside (const FpHeapExcerpt *excerpt,
                            guint32 node,
                            FpHeapSide side)
{
  const FpHeapProfile *profile = excerpt->tree->profile;

  return records_new_of_places (&of_functions, excerpt, fp_heap_places_new_beside (profile, excerpt->stacks, node, side),
                                excerpt->before ? fp_heap_places_new_beside (profile, excerpt->before, node, side) : NULL, FALSE);
}

/* A byte for each frame: whether its function is one of those with these keys. Free it. */
static guint8 *
find_frames (const FpHeapProfile *profile,
             GHashTable *found)
{
  guint8 *wanted = g_new (guint8, MAX (profile->frames->len, 1));

  for (guint i = 0; i < profile->frames->len; i++)
    {
      FpKey key = fp_heap_get_function_key (profile, &g_array_index (profile->frames, FpHeapFrame, i));

      wanted[i] = g_hash_table_contains (found, &key);
    }
  return wanted;
}

/* A step is known by all the functions on the way to it. */
static FpKey
make_way_key (const FpKey *outer,
              FpKey own)
{
  return (FpKey){
    (outer->a ^ own.a) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + (outer->b >> 32),
    (outer->b ^ own.b) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9) + (outer->a >> 32) + 1,
  };
}

/* Any thread may call it. found: (nullable): the keys of functions; ways on which none of them is are left out */
FpRecords *
fp_heap_records_new_steps (const FpHeapExcerpt *excerpt,
                           FpHeapDirection direction,
                           GHashTable *found)
{
  g_autofree guint8 *wanted = found ? find_frames (excerpt->tree->profile, found) : NULL;
  g_autoptr (GArray) steps = fp_heap_outline_new (excerpt->tree, excerpt->stacks, excerpt->before, direction, wanted);
  FpHeapRecords *self = records_new (&of_steps, excerpt);
  const FpKey top = { direction, 0 };

  self->ways = g_array_sized_new (FALSE, FALSE, sizeof (Way), steps->len);
  for (guint i = 0; i < steps->len; i++)
    {
      const FpHeapStep *step = &g_array_index (steps, FpHeapStep, i);
      const FpHeapPlace place = { step->node, step->sums, step->sums }, before = { step->node, step->before, step->before };
      const FpKey *outer = step->parent == FP_HEAP_NO_STEP ? &top : &g_array_index (self->keys, FpKey, step->parent);
      const FpKey own = fp_heap_get_function_key (self->profile, fp_heap_profile_get_frame (self->profile, step->node));
      const FpKey key = make_way_key (outer, own);
      const Way way = { step->parent, step->depth };

      g_array_append_val (self->ways, way);
      add_place (self, &place, &before, &key);
    }
  return &self->parent;
}
