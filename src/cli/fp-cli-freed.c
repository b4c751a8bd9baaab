// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-cli-freed.h"
#include "fp-display.h"
#include "fp-ending-words.h"

static FpEnding *
read_ending (const FpCliView *view,
             GError **error)
{
  g_autofree FpEndingMember *members = NULL;
  const guint *chosen;
  guint n_chosen, n;

  chosen = fp_cli_view_get_chosen (view, &n_chosen);
  members = fp_ending_make_members (view->processes, chosen, n_chosen, &n);
  if (n == 0)
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("There is no process that could end"));
      return NULL;
    }
  return fp_cli_reader_read_ending (view->reader, members, n, error);
}

/* Between words, where it is wider than the paper; a figure stays with its unit. */
static void
print_wrapped (const char *text,
               const FpCliPaper *paper,
               GString *out)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint at = 0;

  for (char **word = words; *word; word++)
    {
      guint width = fp_display_width (*word);

      if (at > 0 && paper->width > 0 && at + 1 + width > paper->width)
        {
          g_string_append_c (out, '\n');
          at = 0;
        }
      g_string_append_printf (out, "%s%s", at > 0 ? " " : "", *word);
      at += width + (at > 0);
    }
  g_string_append_c (out, '\n');
}

/* Amounts below each other, at the right of their column */
static void
print_lines (const char *text,
             GString *out)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint widest = 0;

  for (char **line = lines; *line && **line; line++)
    {
      char *tab = strchr (*line, '\t');

      *tab = '\0';
      widest = MAX (widest, fp_display_width (*line));
    }
  for (char **line = lines; *line && **line; line++)
    g_string_append_printf (out, "%*s%s  %s\n", (int)(widest - fp_display_width (*line)), "", *line,
                            *line + strlen (*line) + 1);
}

gboolean
fp_cli_freed_print (const FpCliView *view,
                    const FpCliPaper *paper,
                    GString *out,
                    GError **error)
{
  g_autoptr (FpEnding) ending = read_ending (view, error);
  g_autoptr (GString) lines = g_string_new (NULL), plain = NULL;
  g_autofree char *sentence = NULL;

  if (!ending)
    return FALSE;
  sentence = fp_ending_describe (ending, view->snapshot, &view->format);
  fp_ending_write_lines (ending, view->snapshot, &view->format, lines);
  plain = g_string_new (NULL);
  print_wrapped (sentence, paper, plain);
  if (lines->len > 0)
    g_string_append_c (plain, '\n');
  print_lines (lines->str, plain);
  g_string_replace (plain, "\u00a0", " ", 0);
  g_string_append_len (out, plain->str, (gssize)plain->len);
  return TRUE;
}

gboolean
fp_cli_freed_print_json (const FpCliView *view,
                         gboolean pretty,
                         GString *out,
                         GError **error)
{
  g_autoptr (FpEnding) ending = read_ending (view, error);
  FpJson json = { out, pretty, TRUE, 0 };

  if (!ending)
    return FALSE;
  fp_json_begin_object (&json, NULL);
  fp_json_add_number (&json, "schema", 1);
  fp_ending_write_json (ending, view->snapshot, &json);
  fp_json_end_object (&json);
  g_string_append_c (out, '\n');
  return TRUE;
}
