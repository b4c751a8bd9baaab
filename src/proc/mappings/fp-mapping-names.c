// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "fp-mapping-names.h"
#include "fp-mapping-query.h"

#define MAX_ASKED 256 /* further names stay as the kernel writes them */

/* As smaps writes it. */
static gboolean
is_written_so (const char *raw,
               const char *words)
{
  char escaped[4 * PATH_MAX], clean[FP_MAPPING_NAME_SIZE];
  gsize length = 0;

  for (; *raw && length + 4 < sizeof escaped; raw++)
    if (*raw == '\n')
      length += g_strlcpy (escaped + length, "\\012", 5);
    else
      escaped[length++] = *raw;
  fp_text_clean (clean, sizeof clean, escaped, length);
  return strcmp (clean, words) == 0;
}

/* The bytes of it. The link costs least, as the state of the file is asked through it anyway. */
static gboolean
read_raw_name (int process_dir,
               const FpMapping *mapping,
               const char *link,
               char *raw)
{
  g_auto (FpFd) maps_fd = -1;

  if (fp_read_link_at (process_dir, link, raw, FP_MAPPING_NAME_SIZE) > 0)
    return is_written_so (raw, mapping->name);
  maps_fd = openat (process_dir, "maps", O_RDONLY | O_CLOEXEC);
  if (maps_fd >= 0 && fp_mapping_query_name (maps_fd, mapping, raw, PATH_MAX))
    return is_written_so (raw, mapping->name);
  if (strchr (mapping->name, '\\'))
    return FALSE;
  g_strlcpy (raw, mapping->name, FP_MAPPING_NAME_SIZE);
  return TRUE;
}

/* A line that fp_mapping_answers_scan () takes. There are no NULs in names. */
static void
append_answer (GString *answers,
               guint64 start,
               FpFileState file_state,
               const char *name)
{
  gsize begin;

  g_string_append_printf (answers, "#%" G_GINT64_MODIFIER "x %u ", start, file_state);
  begin = answers->len;
  g_string_append (answers, name);
  for (gsize i = begin; i < answers->len; i++)
    if (answers->str[i] == '\n')
      answers->str[i] = '\0';
  g_string_append_c (answers, '\n');
}

static void
ask (FpMappingAnswers *settled,
     guint index,
     const FpMapping *mapping,
     int process_dir,
     GString *answers)
{
  const FpFileId id = { mapping->inode, mapping->device_major, mapping->device_minor };
  char link[64], raw[FP_MAPPING_NAME_SIZE], name[FP_MAPPING_NAME_SIZE];
  FpFileState file_state = FP_FILE_UNKNOWN;
  guint64 start = mapping->start;

  g_snprintf (link, sizeof link, "map_files/%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x", start, mapping->end);
  if (!read_raw_name (process_dir, mapping, link, raw))
    {
      fp_mapping_answers_settle (settled, index, mapping->name, FP_FILE_UNKNOWN);
      return;
    }
  if (g_str_has_suffix (raw, FP_DELETED))
    file_state = fp_file_state_find (process_dir, link, raw, &id);
  fp_text_clean (name, sizeof name, raw, strlen (raw));
  fp_mapping_answers_settle (settled, index, name, file_state);
  if (answers)
    append_answer (answers, start, file_state, name);
}

/* Settles the names that the kernel's text leaves open. answers: (nullable): gets lines for a reader of that text */
void
fp_mapping_names_ask (FpMappingAnswers *settled,
                      int process_dir,
                      GString *answers)
{
  FpMapping mapping;
  guint index = 0;

  for (guint n = 0; n < MAX_ASKED && fp_mapping_answers_next_open (settled, &index, &mapping); n++)
    ask (settled, index++, &mapping, process_dir, answers);
}
