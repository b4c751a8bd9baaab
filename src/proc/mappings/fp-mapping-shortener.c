// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <string.h>

#include "fp-mapping-shortener.h"

#define PATH_HEAD   24
#define PATH_COLUMN 5 /* words before it */

static void
squeeze_blanks (GString *line)
{
  gsize n = 0;

  for (gsize i = 0; i < line->len; i++)
    if (line->str[i] != ' ' || (n > 0 && line->str[n - 1] != ' '))
      line->str[n++] = line->str[i];
  g_string_truncate (line, n);
}

static void
shorten_path (GString *line)
{
  const char *path = line->str;
  gsize at, n;

  for (guint i = 0; i < PATH_COLUMN && path; i++)
    if ((path = strchr (path, ' ')))
      path += strspn (path, " ");
  if (!path)
    return;
  at = (gsize)(path - line->str);
  n = line->len - strlen ("\n") - at;
  if (n <= FP_MAPPING_MAX_SHORT_PATH)
    return;
  g_string_erase (line, (gssize)(at + PATH_HEAD), (gssize)(n - FP_MAPPING_MAX_SHORT_PATH));
  g_string_insert (line, (gssize)(at + PATH_HEAD), "…");
}

/* Appends a piece of /proc/PID/smaps to output, in lines: "Rss:                   4 kB" loses its blanks, and a long path
 * its middle, where an ellipsis stands then. line: keeps the end of the piece until the rest of its line comes. */
void
fp_mapping_shorten (GString *line,
                    const char *text,
                    gsize length,
                    GString *output)
{
  for (const char *end = text + length; text < end;)
    {
      const char *newline = memchr (text, '\n', (gsize)(end - text));
      gsize n = newline ? (gsize)(newline + 1 - text) : (gsize)(end - text);

      g_string_append_len (line, text, (gssize)n);
      text += n;
      if (!newline)
        return;
      if (g_ascii_isupper (line->str[0]))
        squeeze_blanks (line);
      else
        shorten_path (line);
      g_string_append_len (output, line->str, (gssize)line->len);
      g_string_truncate (line, 0);
    }
}

typedef struct
{
  FpMappingTextFunc take;
  FpMappingConfirmFunc confirm; /* (nullable) */
  gpointer data;
  gsize max_long;
  gsize size;
  gboolean is_short;
  GString *line; /* the last one, which is not complete yet */
} Copy;

static gboolean
take_text (const char *text,
           gsize length,
           gpointer data)
{
  Copy *self = data;
  g_autoptr (GString) lines = NULL;

  if (!text)
    {
      self->size = 0;
      g_string_truncate (self->line, 0);
      return self->take (NULL, 0, self->data);
    }
  self->size += length;
  if (!self->is_short && self->size <= self->max_long)
    return self->take (text, length, self->data);
  if (!self->is_short)
    {
      self->is_short = TRUE;
      errno = EAGAIN;
      return FALSE;
    }
  lines = g_string_sized_new (length);
  fp_mapping_shorten (self->line, text, length, lines);
  return self->take (lines->str, lines->len, self->data);
}

static gboolean
confirm_text (gpointer data)
{
  const Copy *self = data;

  return self->confirm (self->data);
}

/* As fp_mappings_copy (), but a text that is longer than max_long is shortened. */
gboolean
fp_mappings_copy_within (const FpProcDir *proc,
                         const FpProcessId *id,
                         gsize max_long,
                         FpMappingTextFunc take,
                         FpMappingConfirmFunc confirm,
                         gpointer data,
                         GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  Copy self = { .take = take, .confirm = confirm, .data = data, .max_long = max_long, .line = line };

  return fp_mappings_copy (proc, id, take_text, confirm ? confirm_text : NULL, &self, error);
}
