// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-control-figures.h"
#include "fp-proc-dir.h"
#include "fp-scan.h"

#define MAX_TEXT 8192 /* memory.stat has less than 2 KiB on Linux 6.18 */

typedef struct
{
  const char *file, *key;
  gsize key_length;
} Info;

static const Info infos[FP_N_CONTROL_FIELDS] = {
#define FP_CONTROL_INFO(id, file, key) { file, key, sizeof key - 1 },
  FP_CONTROL_FIELDS (FP_CONTROL_INFO)
#undef FP_CONTROL_INFO
};

static void
set_figure (FpControlGroup *group,
            FpControlField field,
            guint64 value)
{
  group->figures[field] = value;
  group->present |= (guint64)1 << field;
}

static gboolean
is_limit (FpControlField field)
{
  return field == FP_CONTROL_HIGH || field == FP_CONTROL_MAX;
}

/* A figure that does not fit 64 bits, or with anything but blanks behind it, is absent. */
static void
parse_number (FpControlGroup *group,
              FpControlField field,
              const char *text,
              const char *end)
{
  gboolean is_kilobytes = FALSE;
  guint64 value;

  if (is_limit (field) && end - text == 3 && memcmp (text, "max", 3) == 0)
    set_figure (group, field, FP_CONTROL_NO_LIMIT);
  else if (text < end && g_ascii_isdigit (*text) && fp_scan_value (&text, end, &value, &is_kilobytes) && !is_kilobytes &&
           fp_scan_blanks (text, end) == end)
    set_figure (group, field, value);
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234"; the key "some total=" has both ends of it. */
static void
parse_total (FpControlGroup *group,
             FpControlField field,
             const char *line,
             const char *end)
{
  static const char total[] = " total=";
  const char *key = infos[field].key;
  const gsize word = strlen (key) - strlen (total);
  const char *found;

  if ((gsize)(end - line) <= word || memcmp (line, key, word) != 0 || line[word] != ' ')
    return;
  found = memmem (line, (gsize)(end - line), total, strlen (total));
  if (found)
    parse_number (group, field, found + strlen (total), end);
}

static void
parse_line (FpControlGroup *group,
            FpControlField first,
            FpControlField last,
            const char *line,
            const char *end)
{
  for (FpControlField field = first; field < last; field++)
    {
      const Info *info = &infos[field];

      if (info->key_length == 0)
        parse_number (group, field, line, end);
      else if (info->key[info->key_length - 1] == '=')
        parse_total (group, field, line, end);
      else if ((gsize)(end - line) > info->key_length && line[info->key_length] == ' ' &&
               memcmp (line, info->key, info->key_length) == 0)
        parse_number (group, field, line + info->key_length + 1, end);
    }
}

/* The fields of one file stand together in the table. */
static FpControlField
find_last (FpControlField first)
{
  FpControlField last = first;

  while (last < FP_N_CONTROL_FIELDS && strcmp (infos[last].file, infos[first].file) == 0)
    last++;
  return last;
}

static void
parse_fields (FpControlGroup *group,
              FpControlField first,
              FpControlField last,
              const char *text,
              gsize length)
{
  const char *end = text + length;

  for (FpControlField field = first; field < last; field++)
    group->present &= ~((guint64)1 << field);
  for (const char *line = text, *newline; line < end; line = newline + 1)
    {
      newline = memchr (line, '\n', (gsize)(end - line));
      newline = newline ? newline : end;
      parse_line (group, first, last, line, newline);
    }
}

static void
read_fields (FpControlGroup *group,
             int folder,
             const char *path,
             FpControlField first,
             FpControlField last)
{
  char text[MAX_TEXT];
  gssize length = fp_read_record_at (folder, path, text, sizeof text);

  parse_fields (group, first, last, text, (gsize)MAX (length, 0));
}

static FpControlField
find_first (const char *file)
{
  FpControlField field = 0;

  while (field < FP_N_CONTROL_FIELDS && strcmp (infos[field].file, file) != 0)
    field++;
  return field;
}

/* The figures of a file are absent afterwards where the text does not have them. */
void
fp_control_figures_parse (FpControlGroup *group,
                          const char *file,
                          const char *text,
                          gsize length)
{
  FpControlField first = find_first (file);

  g_return_if_fail (first < FP_N_CONTROL_FIELDS);
  parse_fields (group, first, find_last (first), text, length);
}

void
fp_control_figures_read_file (FpControlGroup *group,
                              int folder,
                              const char *file,
                              const char *path)
{
  FpControlField first = find_first (file);

  g_return_if_fail (first < FP_N_CONTROL_FIELDS);
  read_fields (group, folder, path, first, find_last (first));
}

void
fp_control_figures_read (FpControlGroup *group,
                         int folder)
{
  for (FpControlField first = 0, last; first < FP_N_CONTROL_FIELDS; first = last)
    {
      last = find_last (first);
      read_fields (group, folder, infos[first].file, first, last);
    }
}
