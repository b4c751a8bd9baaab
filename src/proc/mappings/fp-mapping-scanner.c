// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-mapping-kind.h"
#include "fp-mapping-scanner.h"
#include "fp-scan.h"

#define N_KNOWN_LINES  4
#define N_LETTERS      26
#define N_FOLLOWERS    1024
#define MAX_KEPT_NAMES (1024 * 1024)
#define PADDING        G_GUINT64_CONSTANT (0x2020202020202020)
#define NUMBER_AT      16

/* The lines of a mapping, and what they say. */
typedef struct
{
  char text[1024];
  gsize length;   /* 0: they are not kept */
  guint64 number; /* the first of them, as eight letters */
  guint64 flags;
  FpMemory memory;
  FpPackedFigures packed; /* unless mappings are passed on */
} KnownLines;

/* A name that the kernel writes letter by letter as it is kept */
typedef struct
{
  guint32 text;
  guint32 length; /* 0: it writes it otherwise */
  gboolean is_doubtful;
} Name;

typedef struct
{
  guint32 of;
  Name name;
} Follower;

struct _FpMappingScanner
{
  FpMappings *mappings;
  FpStrings names;
  FpMappingAnswers answers;
  FpFieldOrder order;
  guint64 fields_of_lines;
  FpMappingFunc take; /* (nullable): with data */
  gpointer data;

  FpMapping current;        /* without its figures */
  const char *fields;       /* where its lines begin, NULL if not in the text being scanned */
  const KnownLines *repeat; /* they are these, to the letter */
  guint32 current_name;
  gboolean has_current;
  guint64 resident; /* bytes of all mappings before it */

  KnownLines known[N_KNOWN_LINES];
  guint next_known; /* The lines of the current mapping are read into this one. */
  Name last_name;
  Follower followers[N_FOLLOWERS];     /* by the name that each of them was last seen to follow */
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
  self->fields_of_lines = fp_fields_of_origins (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);
  index_flags (self);
  return self;
}

/* Gives mappings to take instead of keeping them, but for those of which the name is in doubt: these come when the scanner
 * is finished. */
void
fp_mapping_scanner_pass_on (FpMappingScanner *self,
                            FpMappingFunc take,
                            gpointer data)
{
  self->take = take;
  self->data = data;
}

static void
forget_names (FpMappingScanner *self)
{
  fp_strings_clear (&self->names);
  fp_strings_init (&self->names, 4096);
  self->last_name = (Name){ 0 };
  memset (self->followers, 0, sizeof self->followers);
}

/* Begins with another process, or with the same one anew. Names stay, because processes use the same libraries. */
void
fp_mapping_scanner_restart (FpMappingScanner *self)
{
  g_clear_pointer (&self->mappings, fp_mappings_unref);
  fp_mapping_answers_clear (&self->answers);
  if (self->names.block->used > MAX_KEPT_NAMES)
    forget_names (self);
  self->mappings = fp_mappings_new ();
  fp_mapping_answers_init (&self->answers, self->mappings, &self->names);
  self->has_current = FALSE;
  self->repeat = NULL;
  self->resident = 0;
  for (guint i = 0; i < N_KNOWN_LINES && !self->take; i++)
    self->known[i].length = 0;
}

void
fp_mapping_scanner_free (FpMappingScanner *self)
{
  g_clear_pointer (&self->mappings, fp_mappings_unref);
  fp_mapping_answers_clear (&self->answers);
  fp_strings_clear (&self->names);
  g_free (self);
}

static guint64
get_number (const char *lines)
{
  guint64 number;

  memcpy (&number, lines + NUMBER_AT, sizeof number);
  return number;
}

/* Neighbours are often alike, so their lines are kept for a comparison. */
static const KnownLines *
keep_lines (FpMappingScanner *self,
            const char *end_of_lines)
{
  KnownLines *known = &self->known[self->next_known];
  gsize length = self->fields ? (gsize)(end_of_lines - self->fields) : 0;

  for (guint64 left = self->fields_of_lines & ~known->memory.present; left; left &= left - 1)
    known->memory.figures[__builtin_ctzll (left)] = 0;
  if (!self->take)
    known->packed = fp_mappings_pack (self->mappings, &known->memory);
  if (length == 0 || length > sizeof known->text)
    return known;
  memcpy (known->text, self->fields, length);
  known->length = length;
  known->number = get_number (known->text);
  known->flags = self->current.flags;
  self->next_known = (self->next_known + 1) % N_KNOWN_LINES;
  return known;
}

static void
flush (FpMappingScanner *self,
       const char *end_of_lines)
{
  const KnownLines *lines;

  if (!self->has_current)
    return;
  self->has_current = FALSE;
  lines = self->repeat ? self->repeat : keep_lines (self, end_of_lines);
  self->resident += fp_memory_get (&lines->memory, FP_FIELD_RSS);
  if (!self->take)
    {
      fp_mappings_append (self->mappings, &self->current, self->current_name, lines->packed);
      return;
    }
  if (self->current.file_state == FP_FILE_DOUBTFUL)
    {
      fp_mappings_append (self->mappings, &self->current, self->current_name, fp_mappings_pack (self->mappings, &lines->memory));
      return;
    }
  self->current.name_number = self->current_name;
  self->current.name = self->current.shown = fp_strings_get (&self->names, self->current_name);
  self->take (&self->current, &lines->memory, self->data);
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

static gboolean
is_name (const FpMappingScanner *self,
         const Name *name,
         const char *raw,
         gsize length)
{
  return length == name->length && memcmp (raw, fp_strings_get (&self->names, name->text), length) == 0;
}

static Name
add_name (FpMappingScanner *self,
          const char *raw,
          gsize length)
{
  char clean[FP_MAPPING_NAME_SIZE];
  gboolean is_same;

  fp_text_clean (clean, sizeof clean, raw, length);
  is_same = strlen (clean) == length && memcmp (clean, raw, length) == 0;
  return (Name){ fp_strings_intern (&self->names, clean), is_same ? (guint32)length : 0, is_doubtful (raw, length) };
}

/* Neighbours have the same name more often than not, and libraries follow one another as they did in the process before. */
static guint32
intern_name (FpMappingScanner *self,
             const char *raw,
             gsize length)
{
  Follower *follower = &self->followers[self->last_name.text % N_FOLLOWERS];
  guint32 before = self->last_name.text;

  if (length == 0)
    return 0;
  if (is_name (self, &self->last_name, raw, length))
    return self->last_name.text;
  if (follower->of == before && is_name (self, &follower->name, raw, length))
    {
      self->last_name = follower->name;
      return self->last_name.text;
    }
  self->last_name = add_name (self, raw, length);
  *follower = (Follower){ before, self->last_name };
  return self->last_name.text;
}

/* An object of the kernel's own is never in doubt, unless its program has put a newline into its name. */
static gboolean
is_internal (FpMappingScanner *self)
{
  self->current.name = fp_strings_get (&self->names, self->current_name);
  self->current.file_state = FP_FILE_UNKNOWN;
  return !strchr (self->current.name, '\\') && fp_mapping_kind_of_internal (&self->current) != FP_N_MAPPING_KINDS;
}

static gboolean
are_permissions (const char *letters)
{
  static const guint8 known[256] = { ['r'] = TRUE, ['w'] = TRUE, ['x'] = TRUE, ['s'] = TRUE, ['p'] = TRUE, ['-'] = TRUE };

  return known[(guchar)letters[0]] && known[(guchar)letters[1]] && known[(guchar)letters[2]] && known[(guchar)letters[3]];
}

/* The kernel puts names into a column of their own, behind two dozen blanks. */
static const char *
skip_padding (const char *cursor,
              const char *end)
{
  guint64 word;

  for (; end - cursor >= (gssize)sizeof word; cursor += sizeof word)
    {
      memcpy (&word, cursor, sizeof word);
      if (word != PADDING)
        break;
    }
  return fp_scan_blanks (cursor, end);
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
      mapping->end < mapping->start || end - line < 5 || line[4] != ' ' || !are_permissions (line))
    return FALSE;
  memcpy (mapping->permissions, line, 4);
  line += 5;
  if (!fp_scan_hex (&line, end, ' ', &mapping->offset) || !fp_scan_hex (&line, end, ':', &major) ||
      !fp_scan_hex (&line, end, ' ', &minor) || line == end || !g_ascii_isdigit (*line))
    return FALSE;
  mapping->device_major = (guint32)major;
  mapping->device_minor = (guint32)minor;
  mapping->inode = fp_scan_number (&line, end);
  line = skip_padding (line, end);
  self->current_name = intern_name (self, line, (gsize)(end - line));
  mapping->file_state = self->current_name != 0 && self->last_name.is_doubtful && !is_internal (self) ? FP_FILE_DOUBTFUL
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

/* A comparison is ten times quicker than reading two dozen lines, and the size alone tells most of them apart. */
static const KnownLines *
find_known (const FpMappingScanner *self,
            const char *lines,
            const char *end)
{
  guint64 number;

  if (end - lines < NUMBER_AT + (gssize)sizeof number)
    return NULL;
  number = get_number (lines);
  for (guint i = 0; i < N_KNOWN_LINES; i++)
    {
      const KnownLines *known = &self->known[i];

      if (known->number == number && known->length > 0 && (gsize)(end - lines) >= known->length &&
          memcmp (lines, known->text, known->length) == 0)
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
  KnownLines *lines;

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
  lines = &self->known[self->next_known];
  lines->length = 0;
  lines->memory.present = 0;
  self->fields = *cursor;
  self->current.flags = 0;
}

/* A line more than the known ones had. */
static void
stop_repeating (FpMappingScanner *self)
{
  KnownLines *lines = &self->known[self->next_known];

  lines->length = 0;
  lines->memory = self->repeat->memory;
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
          if (fp_memory_scan_fields (&self->known[self->next_known].memory, &self->order, &cursor, end))
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

/* In bytes, of the mappings that are whole so far, kept or passed on */
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

/* Returns the mappings that were not passed on. */
FpMappings *
fp_mapping_scanner_finish (FpMappingScanner *self)
{
  g_return_val_if_fail (self->mappings, NULL);
  flush (self, NULL);
  fp_mapping_answers_apply (&self->answers);
  fp_mappings_finish (self->mappings, self->names.block);
  return g_steal_pointer (&self->mappings);
}
