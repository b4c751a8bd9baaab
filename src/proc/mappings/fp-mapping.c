// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-mapping.h"
#include "fp-scan.h"

#define RECENT_PRESENCES   8
#define N_KNOWN_LINES      4
#define MAX_PACKED_FIGURES ((1 + FP_N_FIELDS) * 10)
#define DOUBTFUL           3 /* beside FpFileState: the name can mean two things and is not settled yet */

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
  guint32 presence : 30; /* index of FpMappings.presences */
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
  guint8 *figures;
  gsize n_figure_bytes;
  GArray *presences; /* which figures there are: nearly always the same ones */
  FpStringBlock *names;
  GArray *quoted;
};

/* The meaning that was found for a doubtful name; it holds for all mappings with the same words and file. */
typedef struct
{
  guint64 inode;
  guint64 device;
  guint32 words;
  guint32 name;
  FpFileState file_state;
} Answer;

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
  guint capacity;           /* of mappings->packed */
  gsize figures_capacity;
  guint32 current_name;
  gboolean current_is_doubtful;
  gboolean has_doubtful; /* among all */
  gboolean has_current;
  char last_raw_name[256];
  guint32 last_name;
  guint64 resident; /* bytes of all packed mappings */
  gboolean last_is_doubtful;
  GHashTable *answers; /* NULL: none */

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
  self->mappings->quoted = g_array_new (FALSE, FALSE, sizeof (Quoted));
  fp_strings_init (&self->names, 4096);
  fp_field_order_init (&self->order, FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);
  return self;
}

void
fp_mapping_scanner_free (FpMappingScanner *self)
{
  g_clear_pointer (&self->mappings, fp_mappings_unref);
  g_clear_pointer (&self->answers, g_hash_table_unref);
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
  memory->ranged = 0;
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
  Packed *packed;

  if (!self->has_current)
    return;
  reserve (self);
  packed = &self->mappings->packed[self->mappings->n++];
  packed->start = mapping->start;
  packed->end = mapping->end;
  packed->offset = mapping->offset;
  packed->inode = mapping->inode;
  packed->flags = mapping->flags;
  packed->device_major = mapping->device_major;
  packed->device_minor = mapping->device_minor;
  packed->name = self->current_name;
  packed->file_state = self->current_is_doubtful ? DOUBTFUL : FP_FILE_UNKNOWN;
  memcpy (packed->permissions, mapping->permissions, sizeof packed->permissions);
  if (self->repeat)
    {
      packed->figures = self->repeat->figures;
      packed->presence = self->repeat->presence;
      self->resident += self->repeat->resident;
    }
  else
    {
      pack_current (self, end_of_lines, packed);
      self->resident += fp_memory_get (&mapping->memory, FP_FIELD_RSS);
    }
  self->has_current = FALSE;
}

static gboolean
ends_deleted (const char *name,
              gsize length)
{
  const gsize n = strlen (FP_DELETED);

  return length > n && memcmp (name + length - n, FP_DELETED, n) == 0;
}

/* The kernel writes newlines in a path as "\\012" but backslashes as they are, and it adds " (deleted)". */
static gboolean
is_doubtful (const char *raw,
             gsize length)
{
  const char *backslash;

  if (*raw != '/')
    return FALSE;
  /* memmem () alone takes three times as long. */
  backslash = memchr (raw, '\\', length);
  return (backslash && memmem (backslash, (gsize)(raw + length - backslash), "\\012", 4)) || ends_deleted (raw, length);
}

/* A path at the top of one of the kernel's own file systems names no file, and there may be hundreds of them. */
static gboolean
is_internal (const FpMapping *mapping,
             const char *name)
{
  return mapping->device_major == 0 && !strchr (name, '\\') &&
         (strrchr (name, '/') == name || g_str_has_prefix (name, "/memfd:") || strcmp (name, "/dev/zero" FP_DELETED) == 0);
}

/* Neighbours have the same name more often than not. */
static guint32
intern_name (FpMappingScanner *self,
             const char *raw,
             gsize length)
{
  char clean[FP_MAPPING_NAME_SIZE];

  if (length == 0)
    return 0;
  if (length < sizeof self->last_raw_name && self->last_raw_name[length] == '\0' &&
      memcmp (raw, self->last_raw_name, length) == 0)
    return self->last_name;
  fp_text_clean (clean, sizeof clean, raw, length);
  self->last_name = fp_strings_intern (&self->names, clean);
  self->last_is_doubtful = is_doubtful (raw, length);
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

  if (!fp_scan_hex (&line, end, '-', &mapping->start) || !fp_scan_hex (&line, end, ' ', &mapping->end) ||
      mapping->end < mapping->start || end - line < 5 || line[4] != ' ')
    return FALSE;
  if (strspn (line, "rwxsp-") != 4)
    return FALSE;
  memcpy (mapping->permissions, line, 4);
  line += 5;
  if (!fp_scan_hex (&line, end, ' ', &mapping->offset) || !fp_scan_hex (&line, end, ':', &major) ||
      !fp_scan_hex (&line, end, ' ', &minor) || line == end || !g_ascii_isdigit (*line))
    return FALSE;
  mapping->device_major = (guint32)major;
  mapping->device_minor = (guint32)minor;
  mapping->inode = fp_scan_number (&line, end);
  line = fp_scan_blanks (line, end);
  self->current_name = intern_name (self, line, end - line);
  self->current_is_doubtful = self->current_name != 0 && self->last_is_doubtful &&
                              !is_internal (mapping, fp_strings_get (&self->names, self->current_name));
  self->has_doubtful |= self->current_is_doubtful;
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

      while (flag < FP_MAPPING_FLAG_UNKNOWN && memcmp (fp_mapping_flag_infos[flag].letters, cursor, 2) != 0)
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

static guint
answer_hash (gconstpointer key)
{
  const Answer *answer = key;

  return g_int64_hash (&answer->inode) ^ answer->words;
}

static gboolean
answer_equal (gconstpointer a,
              gconstpointer b)
{
  const Answer *x = a, *y = b;

  return x->inode == y->inode && x->device == y->device && x->words == y->words;
}

static Answer
make_answer (const Packed *packed)
{
  return (Answer){ .inode = packed->inode,
                   .device = (guint64)packed->device_major << 32 | packed->device_minor,
                   .words = packed->name };
}

/* Settles the name of this mapping, and of all others with the same words and file. */
void
fp_mapping_scanner_settle (FpMappingScanner *self,
                           guint index,
                           const char *name,
                           FpFileState file_state)
{
  Answer answer = make_answer (&self->mappings->packed[index]);

  if (!self->answers)
    self->answers = g_hash_table_new_full (answer_hash, answer_equal, g_free, NULL);
  answer.name = fp_strings_intern (&self->names, name);
  answer.file_state = file_state;
  g_hash_table_add (self->answers, g_memdup2 (&answer, sizeof answer));
}

/* "#7f0000000000 2 /tmp/a", as fp_mapping_names_ask () writes it behind the kernel's text; a newline is a NUL in it. */
static void
scan_answer (FpMappingScanner *self,
             const char *line,
             const char *end)
{
  guint64 start, file_state;
  guint low = 0, high = self->mappings->n;
  char clean[FP_MAPPING_NAME_SIZE];
  g_autofree char *name = NULL;

  line++;
  if (!fp_scan_hex (&line, end, ' ', &start) || !fp_scan_hex (&line, end, ' ', &file_state) || file_state > FP_FILE_DELETED)
    return;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->mappings->packed[middle].start < start)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == self->mappings->n || self->mappings->packed[low].start != start ||
      self->mappings->packed[low].file_state != DOUBTFUL)
    return;
  name = g_memdup2 (line, (gsize)(end - line) + 1);
  for (gsize i = 0; i < (gsize)(end - line); i++)
    if (name[i] == '\0')
      name[i] = '\n';
  fp_text_clean (clean, sizeof clean, name, (gsize)(end - line));
  fp_mapping_scanner_settle (self, low, clean, (FpFileState)file_state);
}

/* Takes whole lines; returns how much was taken. Lines of any other form are skipped. */
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
      if (*cursor == '#')
        {
          flush (self, cursor);
          scan_answer (self, cursor, newline);
        }
      else if (self->has_current && newline - cursor > 8 && memcmp (cursor, "VmFlags:", 8) == 0)
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

static void
unpack_facts (const Packed *packed,
              const char *names,
              FpMapping *mapping)
{
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
  mapping->name = mapping->shown = names + packed->name;
}

/* Finds the next mapping, from *index on, with a name that can mean two things and is not settled yet. All text must
 * have been fed before. The name is valid until another is settled. */
gboolean
fp_mapping_scanner_next_doubtful (FpMappingScanner *self,
                                  guint *index,
                                  FpMapping *mapping)
{
  flush (self, NULL);
  for (; self->has_doubtful && *index < self->mappings->n; (*index)++)
    {
      const Packed *packed = &self->mappings->packed[*index];
      Answer key = make_answer (packed);

      if (packed->file_state != DOUBTFUL || (self->answers && g_hash_table_contains (self->answers, &key)))
        continue;
      unpack_facts (packed, self->names.block->data, mapping);
      return TRUE;
    }
  return FALSE;
}

/* "/tmp/“x (deleted)”": without the quotes it would look like a file "x" that is gone. */
static void
add_quoted (FpMappingScanner *self,
            guint32 name)
{
  const char *text = fp_strings_get (&self->names, name), *base = strrchr (text, '/');
  g_autofree char *shown = g_strdup_printf ("%.*s“%s”", base ? (int)(base + 1 - text) : 0, text, base ? base + 1 : text);
  const Quoted quoted = { name, fp_strings_intern (&self->names, shown) };

  g_array_append_val (self->mappings->quoted, quoted);
}

static void
use_answers (FpMappingScanner *self)
{
  GHashTableIter iter;
  gpointer key;

  for (guint i = 0; i < self->mappings->n; i++)
    {
      Packed *packed = &self->mappings->packed[i];
      const Answer *answer;
      Answer wanted;

      if (packed->file_state != DOUBTFUL)
        continue;
      wanted = make_answer (packed);
      packed->file_state = FP_FILE_UNKNOWN;
      if (!self->answers || !(answer = g_hash_table_lookup (self->answers, &wanted)))
        continue;
      packed->name = answer->name;
      packed->file_state = answer->file_state;
    }
  if (!self->answers)
    return;
  g_hash_table_iter_init (&iter, self->answers);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (((const Answer *)key)->file_state == FP_FILE_PRESENT)
      add_quoted (self, ((const Answer *)key)->name);
}

FpMappings *
fp_mapping_scanner_finish (FpMappingScanner *self)
{
  FpMappings *mappings = self->mappings;

  flush (self, NULL);
  if (self->has_doubtful)
    use_answers (self);
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

/* Unpacks all but the figures, which cost most. */
void
fp_mappings_get_facts (const FpMappings *self,
                       guint index,
                       FpMapping *mapping)
{
  const Packed *packed = &self->packed[index];

  unpack_facts (packed, self->names->data, mapping);
  if (packed->file_state != FP_FILE_PRESENT)
    return;
  for (guint i = 0; i < self->quoted->len; i++)
    if (g_array_index (self->quoted, Quoted, i).name == packed->name)
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
