// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

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
