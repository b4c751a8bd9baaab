// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-mapping.h"
#include "fp-scan.h"

#define UNKNOWN_FLAG       (FP_N_MAPPING_FLAGS - 1)
#define RECENT_PRESENCES   8
#define N_KNOWN_LINES      4
#define MAX_PACKED_FIGURES ((1 + FP_N_FIELDS) * 10)
#define NAME_SIZE          4200 /* PATH_MAX, " (deleted)" and an ellipsis */

const FpMappingFlagInfo fp_mapping_flag_infos[FP_N_MAPPING_FLAGS] = {
  { "rd", N_ ("Can be read") },
  { "wr", N_ ("Can be written") },
  { "ex", N_ ("Can be executed") },
  { "sh", N_ ("What is written is seen by others who share it") },
  { "mr", N_ ("May be made readable") },
  { "mw", N_ ("May be made writable") },
  { "me", N_ ("May be made executable") },
  { "ms", N_ ("May be shared") },
  [FP_MAPPING_FLAG_GROWS_DOWN] = { "gd", N_ ("Grows downwards, as stacks do") },
  [FP_MAPPING_FLAG_PAGE_FRAMES] = { "pf", N_ ("Has page frames that are no ordinary memory") },
  { "dw", N_ ("Its file can’t be written to meanwhile") },
  { "lo", N_ ("Is locked in RAM") },
  [FP_MAPPING_FLAG_DEVICE] = { "io", N_ ("Is memory of a device") },
  { "sr", N_ ("Is read in sequence") },
  { "rr", N_ ("Is read at random") },
  { "dc", N_ ("Is not copied at fork") },
  { "de", N_ ("Can’t be made larger") },
  { "ac", N_ ("Counts as memory that was promised") },
  { "nr", N_ ("No swap is set aside for it") },
  [FP_MAPPING_FLAG_HUGE_POOL] = { "ht", N_ ("Uses reserved huge pages") },
  { "sf", N_ ("Faults wait until its file is safe on the disk") },
  { "ar", N_ ("Has a flag of this processor’s own") },
  { "wf", N_ ("Is wiped at fork") },
  { "dd", N_ ("Is left out of core dumps") },
  { "sd", N_ ("New, or written to since that was last reset") },
  { "mm", N_ ("Has both ordinary memory and page frames that are none") },
  { "hg", N_ ("Asks for huge pages") },
  { "nh", N_ ("Declines huge pages") },
  { "mg", N_ ("May be merged with equal pages") },
  { "bt", N_ ("Jumps into it are guarded") },
  { "mt", N_ ("Has memory tags") },
  { "um", N_ ("Its process handles missing pages itself") },
  { "uw", N_ ("Its process is told when it is written to") },
  { "ui", N_ ("Its process handles pages that only lack an entry itself") },
  [FP_MAPPING_FLAG_SHADOW_STACK] = { "ss", N_ ("Is a shadow stack") },
  { "sl", N_ ("Is sealed: neither access nor place can be changed") },
  { "lf", N_ ("Is locked in RAM page by page, as it is used") },
  { "dp", N_ ("Can be dropped when memory is short") },
  { "gu", N_ ("May have guard pages in it") },
  { "nl", N_ ("Its pages are out of order") },
  { "mp", N_ ("Holds bounds of pointers") },
  [UNKNOWN_FLAG] = { "??", N_ ("Has a flag that this version does not know") },
};

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
  guint32 presence; /* index of FpMappings.presences */
  char permissions[4];
} Packed;

struct _FpMappings
{
  gatomicrefcount ref_count;
  Packed *packed;
  guint n;
  guint8 *figures;
  gsize n_figure_bytes;
  GArray *presences; /* which figures there are: nearly always the same ones */
  FpStringBlock *names;
};

/* The lines of a mapping, and what was packed of them. */
typedef struct
{
  char text[1024];
  gsize length;
  guint64 flags;
  guint64 resident;
  guint32 figures;
  guint32 presence;
} KnownLines;

struct _FpMappingScanner
{
  FpMappings *mappings;
  FpStrings names;
  FpFieldOrder order;
  FpMapping current;
  const char *fields;       /* where its lines begin, NULL if not in the text being scanned */
  const KnownLines *repeat; /* they are these, to the letter */
  guint capacity;           /* of the mappings being made */
  gsize figures_capacity;
  guint32 current_name;
  gboolean has_current;
  char last_raw_name[256];
  guint32 last_name;
  guint64 resident; /* of all that were packed */

  KnownLines known[N_KNOWN_LINES];
  guint next_known;
};

FpMappingScanner *
fp_mapping_scanner_new (void)
{
  FpMappingScanner *self = g_new0 (FpMappingScanner, 1);

  self->mappings = g_new0 (FpMappings, 1);
  g_atomic_ref_count_init (&self->mappings->ref_count);
  self->mappings->presences = g_array_new (FALSE, FALSE, sizeof (guint64));
  fp_strings_init (&self->names, 4096);
  fp_field_order_init (&self->order, FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);
  return self;
}

void
fp_mapping_scanner_free (FpMappingScanner *self)
{
  g_clear_pointer (&self->mappings, fp_mappings_unref);
  fp_strings_clear (&self->names);
  g_free (self);
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

static guint8 *
put_number (guint8 *to,
            guint64 number)
{
  for (; number >= 0x80; number >>= 7)
    *to++ = (guint8)(number | 0x80);
  *to++ = (guint8)number;
  return to;
}

static guint64
get_number (const guint8 **from)
{
  guint64 number = 0;
  guint shift = 0;

  while (**from & 0x80)
    {
      number |= (guint64)(*(*from)++ & 0x7f) << shift;
      shift += 7;
    }
  return number | (guint64) * (*from)++ << shift;
}

/* At least one mapping more, however many figures it has. */
static void
reserve (FpMappingScanner *self)
{
  FpMappings *mappings = self->mappings;

  if (mappings->n == self->capacity)
    {
      self->capacity = MAX (self->capacity * 2, 64);
      mappings->packed = g_renew (Packed, mappings->packed, self->capacity);
    }
  if (mappings->n_figure_bytes + MAX_PACKED_FIGURES > self->figures_capacity)
    {
      self->figures_capacity = MAX (self->figures_capacity * 2, 4 * MAX_PACKED_FIGURES);
      mappings->figures = g_realloc (mappings->figures, self->figures_capacity);
    }
}

static void
pack_figures (FpMappings *self,
              const FpMemory *memory)
{
  guint8 *to = self->figures + self->n_figure_bytes;
  guint64 nonzero = 0;

  for (guint64 left = memory->present; left; left &= left - 1)
    if (memory->figures[__builtin_ctzll (left)])
      nonzero |= left & -left;
  to = put_number (to, nonzero);
  for (guint64 left = nonzero; left; left &= left - 1)
    {
      FpField field = (FpField)__builtin_ctzll (left);

      to = put_number (to, fp_field_infos[field].unit == FP_UNIT_BYTES ? memory->figures[field] / 1024
                                                                       : memory->figures[field]);
    }
  self->n_figure_bytes = (gsize)(to - self->figures);
}

static void
unpack_figures (const FpMappings *self,
                guint32 figures,
                guint32 presence,
                FpMemory *memory)
{
  const guint8 *from = self->figures + figures;

  memory->present = g_array_index (self->presences, guint64, presence);
  memset (memory->figures, 0, sizeof memory->figures);
  for (guint64 left = get_number (&from); left; left &= left - 1)
    {
      FpField field = (FpField)__builtin_ctzll (left);
      guint64 number = get_number (&from);

      memory->figures[field] = fp_field_infos[field].unit == FP_UNIT_BYTES ? number * 1024 : number;
    }
}

static void
pack_current (FpMappingScanner *self,
              const char *end_of_lines,
              Packed *packed)
{
  KnownLines *known = &self->known[self->next_known];
  gsize length = self->fields ? (gsize)(end_of_lines - self->fields) : 0;

  packed->figures = (guint32)self->mappings->n_figure_bytes;
  packed->presence = find_presence (self->mappings, self->current.memory.present);
  pack_figures (self->mappings, &self->current.memory);
  if (length == 0 || length > sizeof known->text)
    return;
  memcpy (known->text, self->fields, length);
  known->length = length;
  known->flags = self->current.flags;
  known->resident = fp_memory_get (&self->current.memory, FP_FIELD_RSS);
  known->figures = packed->figures;
  known->presence = packed->presence;
  self->next_known = (self->next_known + 1) % N_KNOWN_LINES;
}

static void
flush (FpMappingScanner *self,
       const char *end_of_lines)
{
  const FpMapping *mapping = &self->current;
  Packed packed = {
    .start = mapping->start,
    .end = mapping->end,
    .offset = mapping->offset,
    .inode = mapping->inode,
    .flags = mapping->flags,
    .device_major = mapping->device_major,
    .device_minor = mapping->device_minor,
    .name = self->current_name,
  };

  if (!self->has_current)
    return;
  reserve (self);
  memcpy (packed.permissions, mapping->permissions, sizeof packed.permissions);
  if (self->repeat)
    {
      packed.figures = self->repeat->figures;
      packed.presence = self->repeat->presence;
      self->resident += self->repeat->resident;
    }
  else
    {
      pack_current (self, end_of_lines, &packed);
      self->resident += fp_memory_get (&mapping->memory, FP_FIELD_RSS);
    }
  self->mappings->packed[self->mappings->n++] = packed;
  self->has_current = FALSE;
}

/* The text has a line end behind it, which stops the loop. */
static gboolean
scan_hex (const char **cursor,
          const char *end,
          char stop,
          guint64 *number)
{
  /* clang-format off */
  static const guint8 digits[256] = {
    ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
    ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
  };
  /* clang-format on */
  const char *start = *cursor, *c = start;
  guint64 value = 0;

  for (guint8 digit; (digit = digits[(guchar)*c]) != 0; c++)
    value = value << 4 | (digit - 1u);
  if (c == start || c - start > 16 || c >= end || *c != stop)
    return FALSE;
  *number = value;
  *cursor = c + 1;
  return TRUE;
}

/* Neighbours have the same name more often than not. */
static guint32
intern_name (FpMappingScanner *self,
             const char *raw,
             gsize length)
{
  char clean[NAME_SIZE];

  if (length == 0)
    return 0;
  if (length < sizeof self->last_raw_name && self->last_raw_name[length] == '\0' &&
      memcmp (raw, self->last_raw_name, length) == 0)
    return self->last_name;
  fp_text_clean (clean, sizeof clean, raw, length);
  self->last_name = fp_strings_intern (&self->names, clean);
  memset (self->last_raw_name, 0, sizeof self->last_raw_name);
  if (length < sizeof self->last_raw_name)
    memcpy (self->last_raw_name, raw, length);
  return self->last_name;
}

/* "5565cfdac000-5565cfdad000 r-xp 00002000 fe:00 247498    /usr/bin/head" */
static gboolean
scan_header (FpMappingScanner *self,
             const char *line,
             const char *end)
{
  FpMapping *mapping = &self->current;
  guint64 major, minor;

  if (!scan_hex (&line, end, '-', &mapping->start) || !scan_hex (&line, end, ' ', &mapping->end) ||
      mapping->end < mapping->start || end - line < 5 || line[4] != ' ')
    return FALSE;
  if (strspn (line, "rwxsp-") != 4)
    return FALSE;
  memcpy (mapping->permissions, line, 4);
  line += 5;
  if (!scan_hex (&line, end, ' ', &mapping->offset) || !scan_hex (&line, end, ':', &major) ||
      !scan_hex (&line, end, ' ', &minor) || line == end || !g_ascii_isdigit (*line))
    return FALSE;
  mapping->device_major = (guint32)major;
  mapping->device_minor = (guint32)minor;
  mapping->inode = fp_scan_number (&line, end);
  line = fp_scan_blanks (line, end);
  self->current_name = intern_name (self, line, end - line);
  self->order.next = 0;
  return TRUE;
}

static guint64
scan_flags (const char *cursor,
            const char *end)
{
  guint64 flags = 0;

  for (; end - cursor >= 2; cursor = fp_scan_blanks (cursor + 2, end))
    {
      guint flag = 0;

      while (flag < UNKNOWN_FLAG && memcmp (fp_mapping_flag_infos[flag].letters, cursor, 2) != 0)
        flag++;
      flags |= G_GUINT64_CONSTANT (1) << flag;
    }
  return flags;
}

/* Neighbours are often alike, and a comparison is ten times quicker than reading two dozen lines. */
static const KnownLines *
find_known (const FpMappingScanner *self,
            const char *lines,
            const char *end)
{
  for (guint i = 0; i < N_KNOWN_LINES; i++)
    {
      const KnownLines *known = &self->known[i];

      if (known->length > 0 && (gsize)(end - lines) >= known->length && memcmp (lines, known->text, known->length) == 0)
        return known;
    }
  return NULL;
}

static void
begin_mapping (FpMappingScanner *self,
               const char **cursor,
               const char *newline,
               const char *end)
{
  const char *line = *cursor;

  flush (self, line);
  *cursor = newline + 1;
  self->has_current = scan_header (self, line, newline);
  self->repeat = self->has_current ? find_known (self, *cursor, end) : NULL;
  if (self->repeat)
    {
      *cursor += self->repeat->length;
      self->current.flags = self->repeat->flags;
      return;
    }
  self->fields = *cursor;
  self->current.memory.present = 0;
  self->current.flags = 0;
}

/* A line more than the known ones had. */
static void
stop_repeating (FpMappingScanner *self)
{
  unpack_figures (self->mappings, self->repeat->figures, self->repeat->presence, &self->current.memory);
  self->repeat = NULL;
  self->fields = NULL;
}

/* Takes whole lines; returns how much was taken. What is no line of smaps is passed over. */
gsize
fp_mapping_scanner_feed (FpMappingScanner *self,
                         const char *text,
                         gsize length)
{
  const char *end = text + length, *last = memrchr (text, '\n', length);
  const char *cursor = text;

  if (!last)
    return 0;
  end = last + 1;
  while (cursor < end)
    {
      const char *newline;

      if (self->has_current && *cursor >= 'A' && *cursor < 'V')
        {
          if (self->repeat)
            stop_repeating (self);
          if (fp_memory_scan_field (&self->current.memory, &self->order, &cursor, end))
            continue;
        }
      newline = memchr (cursor, '\n', end - cursor);
      if (g_ascii_isdigit (*cursor) || (*cursor >= 'a' && *cursor <= 'f'))
        {
          begin_mapping (self, &cursor, newline, end);
          continue;
        }
      if (self->has_current && newline - cursor > 8 && memcmp (cursor, "VmFlags:", 8) == 0)
        self->current.flags = scan_flags (fp_scan_blanks (cursor + 8, newline), newline);
      cursor = newline + 1;
    }
  self->fields = NULL;
  return end - text;
}

/* In bytes, of the mappings that are whole so far */
guint64
fp_mapping_scanner_get_resident (const FpMappingScanner *self)
{
  return self->resident;
}

FpMappings *
fp_mapping_scanner_finish (FpMappingScanner *self)
{
  FpMappings *mappings = self->mappings;

  flush (self, NULL);
  /* Arrays grow by doubling; what is kept should not. */
  mappings->packed = g_renew (Packed, mappings->packed, MAX (mappings->n, 1));
  mappings->figures = g_realloc (mappings->figures, MAX (mappings->n_figure_bytes, 1));
  mappings->names = fp_string_block_ref (self->names.block);
  return g_steal_pointer (&self->mappings);
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

/* All but the figures, which cost most. */
void
fp_mappings_get_facts (const FpMappings *self,
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
  mapping->name = self->names->data + packed->name;
}

/* Which figures it has, those not counted that are derived from others. */
guint64
fp_mappings_get_present (const FpMappings *self,
                         guint index)
{
  return g_array_index (self->presences, guint64, self->packed[index].presence);
}

/* One of those alone, without unpacking the rest. */
guint64
fp_mappings_get_figure (const FpMappings *self,
                        guint index,
                        FpField field)
{
  const guint8 *from = self->figures + self->packed[index].figures;
  guint64 nonzero = get_number (&from), number = 0;

  if (!(nonzero >> field & 1))
    return 0;
  for (guint64 left = nonzero & ((G_GUINT64_CONSTANT (2) << field) - 1); left; left &= left - 1)
    number = get_number (&from);
  return fp_field_infos[field].unit == FP_UNIT_BYTES ? number * 1024 : number;
}

void
fp_mappings_get_memory (const FpMappings *self,
                        guint index,
                        FpMemory *memory)
{
  unpack_figures (self, self->packed[index].figures, self->packed[index].presence, memory);
  fp_memory_derive (memory);
}

void
fp_mappings_get (const FpMappings *self,
                 guint index,
                 FpMapping *mapping)
{
  fp_mappings_get_facts (self, index, mapping);
  fp_mappings_get_memory (self, index, &mapping->memory);
}

/* What the flags mean, a sentence each, in the reader's language. */
GStrv
fp_mapping_describe_flags (guint64 flags)
{
  GPtrArray *sentences = g_ptr_array_new ();

  for (guint flag = 0; flag < FP_N_MAPPING_FLAGS; flag++)
    if (flags >> flag & 1 && fp_mapping_flag_infos[flag].meaning)
      g_ptr_array_add (sentences, g_strdup (_ (fp_mapping_flag_infos[flag].meaning)));
  g_ptr_array_add (sentences, NULL);
  return (GStrv)g_ptr_array_free (sentences, FALSE);
}
