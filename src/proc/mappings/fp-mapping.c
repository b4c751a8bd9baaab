// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-mapping.h"
#include "fp-varint.h"

#define RECENT_PRESENCES   8
#define MAX_PACKED_FIGURES ((1 + FP_N_FIELDS) * 10)

/* The packed form: fixed facts, and the figures that are not 0 as numbers of 7 bits a byte. */
typedef struct
{
  guint64 start;
  guint64 end;
  guint64 offset;
  guint64 inode;
  guint64 flags;
  guint32 device_major;
  guint32 device_minor;
  guint32 name;
  guint32 figures;
  guint32 presence : 30;
  guint32 file_state : 2;
  char permissions[4];
} Packed;

/* Two texts of one file that is really called "(deleted)". */
typedef struct
{
  guint32 name;
  guint32 shown;
} Quoted;

struct _FpMappings
{
  gatomicrefcount ref_count;
  Packed *packed;
  guint n;
  guint capacity;
  guint8 *figures;
  gsize n_figure_bytes;
  gsize figures_capacity;
  GArray *presences; /* which figures there are: nearly always the same ones */
  FpStringBlock *names;
  GArray *quoted;
};

/* They are made by appending, and never changed once they are finished. */
FpMappings *
fp_mappings_new (void)
{
  FpMappings *self = g_new0 (FpMappings, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->presences = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->quoted = g_array_new (FALSE, FALSE, sizeof (Quoted));
  return self;
}

static guint32
find_presence (FpMappings *self,
               guint64 present)
{
  guint n = self->presences->len;

  for (guint i = n; i > 0 && i + RECENT_PRESENCES > n; i--)
    if (g_array_index (self->presences, guint64, i - 1) == present)
      return i - 1;
  g_array_append_val (self->presences, present);
  return n;
}

/* Returns where the figures are, which mappings with the same ones may share. */
FpPackedFigures
fp_mappings_pack (FpMappings *self,
                  const FpMemory *memory)
{
  FpPackedFigures packed = { (guint32)self->n_figure_bytes, find_presence (self, memory->present) };
  guint64 nonzero = 0;
  guint8 *to;

  if (self->n_figure_bytes + MAX_PACKED_FIGURES > self->figures_capacity)
    {
      self->figures_capacity = MAX (self->figures_capacity * 2, 4 * MAX_PACKED_FIGURES);
      self->figures = g_realloc (self->figures, self->figures_capacity);
    }
  to = self->figures + self->n_figure_bytes;
  for (guint64 left = memory->present; left; left &= left - 1)
    if (memory->figures[__builtin_ctzll (left)])
      nonzero |= left & -left;
  to = fp_varint_write (to, nonzero);
  for (guint64 left = nonzero; left; left &= left - 1)
    {
      FpField field = (FpField)__builtin_ctzll (left);

      to = fp_varint_write (to, fp_field_infos[field].unit == FP_UNIT_BYTES ? memory->figures[field] / 1024
                                                                            : memory->figures[field]);
    }
  self->n_figure_bytes = (gsize)(to - self->figures);
  return packed;
}

void
fp_mappings_unpack (const FpMappings *self,
                    FpPackedFigures packed,
                    FpMemory *memory)
{
  const guint8 *from = self->figures + packed.figures;

  memory->present = g_array_index (self->presences, guint64, packed.presence);
  memory->ranged = 0;
  memset (memory->figures, 0, sizeof memory->figures);
  for (guint64 left = fp_varint_read (&from); left; left &= left - 1)
    {
      FpField field = (FpField)__builtin_ctzll (left);
      guint64 number = fp_varint_read (&from);

      memory->figures[field] = fp_field_infos[field].unit == FP_UNIT_BYTES ? number * 1024 : number;
    }
}

/* name: where it is among the texts that fp_mappings_finish () gets; the mapping's own and its figures are not used. */
void
fp_mappings_append (FpMappings *self,
                    const FpMapping *mapping,
                    guint32 name,
                    FpPackedFigures figures)
{
  Packed *packed;

  if (self->n == self->capacity)
    {
      self->capacity = MAX (self->capacity * 2, 64);
      self->packed = g_renew (Packed, self->packed, self->capacity);
    }
  packed = &self->packed[self->n++];
  packed->start = mapping->start;
  packed->end = mapping->end;
  packed->offset = mapping->offset;
  packed->inode = mapping->inode;
  packed->flags = mapping->flags;
  packed->device_major = mapping->device_major;
  packed->device_minor = mapping->device_minor;
  packed->name = name;
  packed->figures = figures.figures;
  packed->presence = figures.presence;
  packed->file_state = mapping->file_state;
  memcpy (packed->permissions, mapping->permissions, sizeof packed->permissions);
}

/* Returns the index of the first mapping at or behind an address. */
guint
fp_mappings_find (const FpMappings *self,
                  guint64 start)
{
  guint low = 0, high = self->n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->packed[middle].start < start)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Gives all but the figures, which cost most to unpack, and the name, which it returns. */
guint32
fp_mappings_get_place (const FpMappings *self,
                       guint index,
                       FpMapping *mapping)
{
  const Packed *packed = &self->packed[index];

  mapping->start = packed->start;
  mapping->end = packed->end;
  mapping->offset = packed->offset;
  mapping->inode = packed->inode;
  mapping->flags = packed->flags;
  mapping->device_major = packed->device_major;
  mapping->device_minor = packed->device_minor;
  memcpy (mapping->permissions, packed->permissions, sizeof packed->permissions);
  mapping->permissions[4] = '\0';
  mapping->file_state = (FpFileState)packed->file_state;
  mapping->name_number = packed->name;
  return packed->name;
}

void
fp_mappings_set_file (FpMappings *self,
                      guint index,
                      guint32 name,
                      FpFileState file_state)
{
  self->packed[index].name = name;
  self->packed[index].file_state = file_state;
}

/* shown: the name with quotes, without which a file that is there would look like one that is gone */
void
fp_mappings_add_quoted (FpMappings *self,
                        guint32 name,
                        guint32 shown)
{
  const Quoted quoted = { name, shown };

  g_array_append_val (self->quoted, quoted);
}

/* Arrays grow by doubling; what is kept should not. */
void
fp_mappings_finish (FpMappings *self,
                    FpStringBlock *names)
{
  self->packed = g_renew (Packed, self->packed, MAX (self->n, 1));
  self->figures = g_realloc (self->figures, MAX (self->n_figure_bytes, 1));
  self->names = fp_string_block_ref (names);
}

FpMappings *
fp_mappings_ref (FpMappings *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_mappings_unref (FpMappings *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->packed);
  g_free (self->figures);
  g_array_unref (self->presences);
  g_array_unref (self->quoted);
  g_clear_pointer (&self->names, fp_string_block_unref);
  g_free (self);
}

guint
fp_mappings_get_n (const FpMappings *self)
{
  return self->n;
}

/* In memory */
gsize
fp_mappings_get_size (const FpMappings *self)
{
  return sizeof *self + self->n * sizeof (Packed) + self->n_figure_bytes + self->names->capacity;
}

void
fp_mappings_get_facts (const FpMappings *self,
                       guint index,
                       FpMapping *mapping)
{
  guint32 name = fp_mappings_get_place (self, index, mapping);

  mapping->name = mapping->shown = self->names->data + name;
  if (mapping->file_state != FP_FILE_PRESENT)
    return;
  for (guint i = 0; i < self->quoted->len; i++)
    if (g_array_index (self->quoted, Quoted, i).name == name)
      mapping->shown = self->names->data + g_array_index (self->quoted, Quoted, i).shown;
}

/* Returns the bits of the figures that smaps has; derived ones are not among them. */
guint64
fp_mappings_get_present (const FpMappings *self,
                         guint index)
{
  return g_array_index (self->presences, guint64, self->packed[index].presence);
}

/* Returns one of these figures, without unpacking the rest. */
guint64
fp_mappings_get_figure (const FpMappings *self,
                        guint index,
                        FpField field)
{
  const guint8 *from = self->figures + self->packed[index].figures;
  guint64 nonzero = fp_varint_read (&from), number = 0;

  if (!(nonzero >> field & 1))
    return 0;
  for (guint64 left = nonzero & ((G_GUINT64_CONSTANT (2) << field) - 1); left; left &= left - 1)
    number = fp_varint_read (&from);
  return fp_field_infos[field].unit == FP_UNIT_BYTES ? number * 1024 : number;
}

void
fp_mappings_get_memory (const FpMappings *self,
                        guint index,
                        FpMemory *memory)
{
  const FpPackedFigures packed = { self->packed[index].figures, self->packed[index].presence };

  fp_mappings_unpack (self, packed, memory);
  fp_memory_derive (memory);
}

/* Sets the figures of a whole process. A figure that one of its mappings lacks stays unknown. */
void
fp_mappings_sum (const FpMappings *self,
                 FpMemory *sum)
{
  guint64 known = self->n > 0 ? fp_fields_of_origins (FP_ORIGIN_SMAPS) : 0, sums[FP_N_FIELDS] = { 0 };

  for (guint i = 0; i < self->n; i++)
    {
      const FpPackedFigures packed = { self->packed[i].figures, self->packed[i].presence };
      FpMemory memory;

      fp_mappings_unpack (self, packed, &memory);
      known &= memory.present;
      for (guint64 left = known; left; left &= left - 1)
        {
          guint field = (guint)__builtin_ctzll (left);

          if (__builtin_add_overflow (sums[field], memory.figures[field], &sums[field]))
            known &= ~(G_GUINT64_CONSTANT (1) << field);
        }
    }
  for (; known; known &= known - 1)
    fp_memory_set (sum, (FpField)__builtin_ctzll (known), sums[__builtin_ctzll (known)]);
  fp_memory_derive (sum);
}

void
fp_mappings_get (const FpMappings *self,
                 guint index,
                 FpMapping *mapping)
{
  fp_mappings_get_facts (self, index, mapping);
  fp_mappings_get_memory (self, index, &mapping->memory);
}
