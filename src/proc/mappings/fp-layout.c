// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <string.h>

#include "fp-layout.h"
#include "fp-proc-dir.h"
#include "fp-scan.h"

static gboolean
has_label (const char *line,
           const char *end,
           const char *label)
{
  gsize length = strlen (label);

  return (gsize)(end - line) > length && memcmp (end - length, label, length) == 0;
}

/* FALSE: the line is not about a mapping */
static gboolean
parse_range (const char *line,
             guint64 *start,
             guint64 *end)
{
  char *rest;

  *start = g_ascii_strtoull (line, &rest, 16);
  if (rest == line || *rest != '-')
    return FALSE;
  *end = g_ascii_strtoull (rest + 1, NULL, 16);
  return TRUE;
}

/* A file can have such a name, too, but not in a place that is drawn. */
static void
take_labelled (FpLayout *self,
               const char *line,
               const char *line_end)
{
  guint64 start, end;

  if (line_end == line || line_end[-1] != ']' || !parse_range (line, &start, &end))
    return;
  if (has_label (line, line_end, " [stack]"))
    self->stack_end = end;
  else if (has_label (line, line_end, " [vdso]"))
    self->vdso = start;
  else if (has_label (line, line_end, " [heap]") && self->heap == 0)
    self->heap = start;
}

/* The lowest file is the program, where nothing was put below it. Device and number tell it from a copy that is in the same
 * place, as it can be where no place is drawn. */
static void
take_program (FpLayout *self,
              const char *line,
              const char *line_end)
{
  const char *cursor = line, *fields[5];
  guint64 start, end;
  char *rest;

  if (self->program != 0 || !parse_range (line, &start, &end))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++) /* places, rights, offset, device, number */
    {
      fields[i] = cursor;
      cursor = memchr (cursor, ' ', (gsize)(line_end - cursor));
      if (!cursor)
        cursor = line_end;
      cursor = fp_scan_blanks (cursor, line_end);
    }
  if (fields[4] == line_end)
    return;
  self->program = fp_scan_number (&fields[4], line_end);
  self->device = g_ascii_strtoull (fields[3], &rest, 16) << 32;
  self->device |= *rest == ':' ? g_ascii_strtoull (rest + 1, NULL, 16) : 0;
}

static void
take_mapping (FpLayout *self,
              const char *line,
              const char *line_end)
{
  take_program (self, line, line_end);
  take_labelled (self, line, line_end);
}

static void
keep (FpLayout *self,
      const char *text,
      gsize length)
{
  if (self->length < FP_LAYOUT_LINE)
    memcpy (self->line + self->length, text, MIN (length, FP_LAYOUT_LINE - self->length));
  self->length += length;
}

/* The next piece of what /proc/PID/smaps or maps has */
void
fp_layout_feed (FpLayout *self,
                const char *text,
                gsize length)
{
  const char *end = text + length, *newline;

  for (; (newline = memchr (text, '\n', (gsize)(end - text))); text = newline + 1)
    if (self->length == 0)
      take_mapping (self, text, newline);
    else
      {
        keep (self, text, (gsize)(newline - text));
        /* A longer line has no label. */
        if (self->length <= FP_LAYOUT_LINE)
          take_mapping (self, self->line, self->line + self->length);
        else
          take_program (self, self->line, self->line + FP_LAYOUT_LINE);
        self->length = 0;
      }
  keep (self, text, (gsize)(end - text));
}

/* The kernel's own page at the top is no mapping of the process. */
static void
take_line (gpointer data,
           const char *line,
           const char *line_end)
{
  FpLayout *self = data;
  guint64 start, end;

  take_mapping (self, line, line_end);
  if (has_label (line, line_end, " [vsyscall]") || !parse_range (line, &start, &end))
    return;
  self->first = self->end == 0 ? start : self->first;
  self->end = end;
}

/* FALSE: it can't be read as a whole */
gboolean
fp_layout_read (FpLayout *self,
                int process_dir)
{
  g_auto (FpFd) fd = openat (process_dir, "maps", O_RDONLY | O_CLOEXEC);

  *self = (FpLayout){ 0 };
  return fd >= 0 && fp_read_lines (fd, take_line, self) && self->end > 0;
}

/* FALSE also where there is nothing to tell it by */
gboolean
fp_layout_is_same (const FpLayout *self,
                   const FpLayout *other)
{
  return (self->stack_end != 0 || self->vdso != 0) && self->stack_end == other->stack_end && self->vdso == other->vdso &&
         self->heap == other->heap && self->program == other->program &&
         self->device == other->device;
}
