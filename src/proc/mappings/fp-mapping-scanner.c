// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-mapping-kind.h"
#include "fp-mapping-scanner.h"
#include "fp-scan.h"

#define N_KNOWN_LINES 4
#define N_LETTERS     26

/* The lines of a mapping, and what was packed of them. */
typedef struct
{
  char text[1024];
  gsize length;
  guint64 flags;
  guint64 resident;
  FpPackedFigures packed;
} KnownLines;

struct _FpMappingScanner
{
  FpMappings *mappings;
  FpStrings names;
  FpMappingAnswers answers;
  FpFieldOrder order;
  FpMapping current;
  const char *fields;       /* where its lines begin, NULL if not in the text being scanned */
  const KnownLines *repeat; /* they are these, to the letter */
  guint32 current_name;
  gboolean has_current;
  char last_raw_name[256];
  gsize last_length; /* 0: it is not kept */
  guint32 last_name;
  guint64 resident; /* bytes of all packed mappings */
  gboolean last_is_doubtful;

  KnownLines known[N_KNOWN_LINES];
  guint next_known;
  guint8 flags[N_LETTERS * N_LETTERS]; /* by their two letters */
};

static guint
index_letters (const char *letters)
{
  guint first = (guint)letters[0] - 'a', second = (guint)letters[1] - 'a';

  return first < N_LETTERS && second < N_LETTERS ? first * N_LETTERS + second : G_MAXUINT;
}

static void
index_flags (FpMappingScanner *self)
{
  memset (self->flags, FP_MAPPING_FLAG_UNKNOWN, sizeof self->flags);
  for (guint8 flag = 0; flag < FP_MAPPING_FLAG_UNKNOWN; flag++)
    if (*fp_mapping_flag_infos[flag].letters)
      self->flags[index_letters (fp_mapping_flag_infos[flag].letters)] = flag;
}

FpMappingScanner *
fp_mapping_scanner_new (void)
{
  FpMappingScanner *self = g_new0 (FpMappingScanner, 1);

  self->mappings = fp_mappings_new ();
  fp_strings_init (&self->names, 4096);
  fp_mapping_answers_init (&self->answers, self->mappings, &self->names);
  fp_field_order_init (&self->order, FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);
  index_flags (self);
  return self;
}

void
fp_mapping_scanner_free (FpMappingScanner *self)
{
  g_clear_pointer (&self->mappings, fp_mappings_unref);
  fp_mapping_answers_clear (&self->answers);
  fp_strings_clear (&self->names);
  g_free (self);
}

static FpPackedFigures
pack_current (FpMappingScanner *self,
              const char *end_of_lines)
{
  KnownLines *known = &self->known[self->next_known];
  gsize length = self->fields ? (gsize)(end_of_lines - self->fields) : 0;
  FpPackedFigures packed = fp_mappings_pack (self->mappings, &self->current.memory);

  if (length == 0 || length > sizeof known->text)
    return packed;
  memcpy (known->text, self->fields, length);
  known->length = length;
  known->flags = self->current.flags;
  known->resident = fp_memory_get (&self->current.memory, FP_FIELD_RSS);
  known->packed = packed;
  self->next_known = (self->next_known + 1) % N_KNOWN_LINES;
  return packed;
}

static void
flush (FpMappingScanner *self,
       const char *end_of_lines)
{
  FpPackedFigures packed;

  if (!self->has_current)
    return;
  packed = self->repeat ? self->repeat->packed : pack_current (self, end_of_lines);
  self->resident += self->repeat ? self->repeat->resident : fp_memory_get (&self->current.memory, FP_FIELD_RSS);
  fp_mappings_append (self->mappings, &self->current, self->current_name, packed);
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

/* Neighbours have the same name more often than not. */
static guint32
intern_name (FpMappingScanner *self,
             const char *raw,
             gsize length)
{
  char clean[FP_MAPPING_NAME_SIZE];

  if (length == 0)
    return 0;
  if (length == self->last_length && memcmp (raw, self->last_raw_name, length) == 0)
    return self->last_name;
  fp_text_clean (clean, sizeof clean, raw, length);
  self->last_name = fp_strings_intern (&self->names, clean);
  self->last_is_doubtful = is_doubtful (raw, length);
  self->last_length = length <= sizeof self->last_raw_name ? length : 0;
  memcpy (self->last_raw_name, raw, self->last_length);
  return self->last_name;
}

/* An object of the kernel's own is never in doubt, unless its program has put a newline into its name. */
static gboolean
is_internal (FpMappingScanner *self)
{
  self->current.name = fp_strings_get (&self->names, self->current_name);
  self->current.file_state = FP_FILE_UNKNOWN;
  return !strchr (self->current.name, '\\') && fp_mapping_kind_of_internal (&self->current) != FP_N_MAPPING_KINDS;
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
  mapping->file_state = self->current_name != 0 && self->last_is_doubtful && !is_internal (self) ? FP_FILE_DOUBTFUL
                                                                                                 : FP_FILE_UNKNOWN;
  self->answers.has_doubtful |= mapping->file_state == FP_FILE_DOUBTFUL;
  self->order.next = 0;
  return TRUE;
}

static guint64
scan_flags (const FpMappingScanner *self,
            const char *cursor,
            const char *end)
{
  guint64 flags = 0;

  for (; end - cursor >= 2; cursor = fp_scan_blanks (cursor + 2, end))
    {
      guint letters = index_letters (cursor);

      flags |= G_GUINT64_CONSTANT (1) << (letters != G_MAXUINT ? self->flags[letters] : FP_MAPPING_FLAG_UNKNOWN);
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
  fp_mappings_unpack (self->mappings, self->repeat->packed, &self->current.memory);
  self->repeat = NULL;
  self->fields = NULL;
}

/* Takes whole lines; returns how much was taken. Lines of any other form are skipped. */
gsize
fp_mapping_scanner_feed (FpMappingScanner *self,
                         const char *text,
                         gsize length)
{
  const char *end = text + length, *last = memrchr (text, '\n', length);
  const char *cursor = text;

  g_return_val_if_fail (self->mappings, 0);
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
          if (fp_memory_scan_fields (&self->current.memory, &self->order, &cursor, end))
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
          fp_mapping_answers_scan (&self->answers, cursor, newline);
        }
      else if (self->has_current && newline - cursor > 8 && memcmp (cursor, "VmFlags:", 8) == 0)
        self->current.flags = scan_flags (self, fp_scan_blanks (cursor + 8, newline), newline);
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

/* Returns the names that the text leaves open. All of it must have been fed before. */
FpMappingAnswers *
fp_mapping_scanner_get_answers (FpMappingScanner *self)
{
  flush (self, NULL);
  return &self->answers;
}

FpMappings *
fp_mapping_scanner_finish (FpMappingScanner *self)
{
  g_return_val_if_fail (self->mappings, NULL);
  flush (self, NULL);
  fp_mapping_answers_apply (&self->answers);
  fp_mappings_finish (self->mappings, self->names.block);
  return g_steal_pointer (&self->mappings);
}
