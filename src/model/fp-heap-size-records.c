// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-heap-size-records.h"

typedef struct
{
  FpRecords parent;
  FpHeapProfile *profile;
  guint first; /* the class of record 0 */
  GPtrArray *names;
} FpHeapSizeRecords;

static const FpHeapSizes *
get_sizes (const FpRecords *records,
           guint index)
{
  const FpHeapSizeRecords *self = (const FpHeapSizeRecords *)records;

  return &self->profile->sizes[self->first + index];
}

/* The smallest size that belongs to it */
FpFigure
fp_value_size_least (const FpRecords *records,
                     guint index)
{
  return fp_figure_exact (fp_heap_size_class_get_least (((const FpHeapSizeRecords *)records)->first + index));
}

FpFigure
fp_value_size_calls (const FpRecords *records,
                     guint index)
{
  return fp_figure_exact (get_sizes (records, index)->calls);
}

FpFigure
fp_value_size_allocated (const FpRecords *records,
                         guint index)
{
  return fp_figure_exact (get_sizes (records, index)->bytes);
}

/* The file does not tell the sizes of leaks that are suppressed. */
FpFigure
fp_value_size_leaked (const FpRecords *records,
                      guint index)
{
  if (((const FpHeapSizeRecords *)records)->profile->suppressed.blocks > 0)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (get_sizes (records, index)->leaked);
}

const char *
fp_heap_size_records_get_name (const FpRecords *records,
                               guint index)
{
  return g_ptr_array_index (((const FpHeapSizeRecords *)records)->names, index);
}

const char *
fp_text_size_name (const FpRecords *records,
                   guint index,
                   const FpFormat *format)
{
  return fp_heap_size_records_get_name (records, index);
}

/* Gives the part of all blocks; below 0 where there is nothing. */
double
fp_heap_size_records_get_part (const FpColumn *column,
                               const FpRecords *records,
                               guint index)
{
  guint64 sum = 0;

  for (guint i = 0; i < records->n; i++)
    sum += fp_column_get_figure (column, records, i).low;
  return sum > 0 ? (double)fp_column_get_figure (column, records, index).low / (double)sum : -1;
}

static FpKey
fp_heap_size_records_get_key (const FpRecords *records,
                              guint index)
{
  return (FpKey){ ((const FpHeapSizeRecords *)records)->first + index, 1 };
}

/* The kernel measured none of it. */
static FpFigure
fp_heap_size_records_get_figure (const FpRecords *records,
                                 guint index,
                                 FpField field)
{
  return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
}

static void
fp_heap_size_records_free (FpRecords *records)
{
  FpHeapSizeRecords *self = (FpHeapSizeRecords *)records;

  fp_heap_profile_unref (self->profile);
  g_ptr_array_unref (self->names);
  g_free (self);
}

/* "16 B to 31 B", "1.0 KiB to 2.0 KiB" */
static char *
name_class (guint class)
{
  guint64 least = fp_heap_size_class_get_least (class);
  guint64 end = class < FP_HEAP_N_SIZES - 1 ? fp_heap_size_class_get_least (class + 1) : G_MAXUINT64;
  char from[FP_FIGURE_TEXT_SIZE], to[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (least), FP_UNIT_BYTES, FP_STYLE_IEC, 0, from, sizeof from);
  if (end - least <= 1)
    return g_strdup (from);
  fp_figure_format (fp_figure_exact (end <= 1024 ? end - 1 : end), FP_UNIT_BYTES, FP_STYLE_IEC, 0, to, sizeof to);
  /* Translators: sizes of blocks of memory */
  return g_strdup_printf (_ ("%s to %s"), from, to);
}

/* A file that does not tell them gives no records. */
FpRecords *
fp_heap_size_records_new (FpHeapProfile *profile)
{
  static const FpRecordsClass class = {
    .kind = FP_RECORD_HEAP_SIZE,
    .get_key = fp_heap_size_records_get_key,
    .get_figure = fp_heap_size_records_get_figure,
    .free = fp_heap_size_records_free,
  };
  FpHeapSizeRecords *self = g_new0 (FpHeapSizeRecords, 1);
  guint end = FP_HEAP_N_SIZES;

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->profile = fp_heap_profile_ref (profile);
  self->names = g_ptr_array_new_with_free_func (g_free);
  while (end > 0 && profile->sizes[end - 1].calls == 0)
    end--;
  while (self->first < end && profile->sizes[self->first].calls == 0)
    self->first++;
  for (guint i = self->first; i < end; i++)
    g_ptr_array_add (self->names, name_class (i));
  self->parent.n = end - self->first;
  return &self->parent;
}
