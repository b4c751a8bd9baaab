// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-comparison.h"
#include "fp-growth.h"

#define OF_MAPPING(id, name, source, ...) | (FP_FIELD_KINDS (id, source) & FP_RECORD_MAPPING ? FP_FIELD_BIT (id) : 0)

const guint64 fp_summed_fields = (FP_FIELD_BIT (NONE) - 1) & ~FP_FIELDS_NOT_SUMMED;
const guint64 fp_mapping_fields = 0 FP_MEMORY_FIELDS (OF_MAPPING);

gboolean
fp_field_is_summed (FpField field)
{
  return (fp_summed_fields >> field & 1) != 0;
}

FpRecords *
fp_records_ref (FpRecords *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_records_unref (FpRecords *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->growths, fp_growths_free);
  g_clear_pointer (&self->compared, fp_comparison_free);
  self->class->free (self);
}

FpFigure
fp_records_get_figure (const FpRecords *self,
                       guint index,
                       FpField field)
{
  const FpMemory *memory;
  FpMemory buffer;
  guint64 fields;

  if (self->class->get_figure)
    return self->class->get_figure (self, index, field);
  memory = self->class->get_memory (self, index, &buffer, &fields);
  if ((fields >> field & 1) == 0)
    return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
  return fp_figure_of_memory (memory, field);
}

guint
fp_key_hash (gconstpointer key)
{
  const FpKey *self = key;
  guint64 mixed = (self->a ^ (self->b << 32 | self->b >> 32)) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint)(mixed >> 32);
}

gboolean
fp_key_equal (gconstpointer a,
              gconstpointer b)
{
  const FpKey *x = a, *y = b;

  return x->a == y->a && x->b == y->b;
}
