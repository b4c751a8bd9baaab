// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-cli-malloc.h"
#include "fp-display.h"
#include "fp-malloc-words.h"

#define WIDTH 12 /* of a figure */

static FpMalloc *
read_malloc (const FpCliView *view,
             GError **error)
{
  gint pid = view->options->pids[0];
  const FpProcess *process = fp_snapshot_find (view->snapshot, pid);

  if (process)
    return fp_cli_reader_read_malloc (view->reader, &(FpProcessId){ process->pid, process->start_ticks }, error);
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("Process %d has ended"), pid);
  return NULL;
}

/* title: (nullable): of the column */
static void
append_right (GString *out,
              const char *title,
              const char *text)
{
  guint width = fp_display_width (text), column = title ? fp_display_widen (WIDTH, title) : WIDTH;

  g_string_append_printf (out, "%*s%s", (int)(MAX (column, width) - width), "", text);
}

static void
append_memory (GString *out,
               const FpCliView *view,
               const char *title,
               FpFigure figure)
{
  char text[FP_FIGURE_TEXT_SIZE];

  fp_format_memory (&view->format, figure, text);
  append_right (out, title, text);
}

static void
append_number (GString *out,
               const char *title,
               guint64 number)
{
  char text[FP_NUMBER_TEXT_SIZE];

  fp_number_write (number, text);
  append_right (out, title, text);
}

static void
print_sentences (const FpMalloc *malloc,
                 const FpFormat *format,
                 GString *out)
{
  g_autofree char *sentence = fp_malloc_describe (malloc, format), *rest = fp_malloc_describe_rest (malloc, format);
  g_autoptr (GString) plain = g_string_new (sentence);

  if (rest)
    g_string_append_printf (plain, "\n%s", rest);
  g_string_replace (plain, "\u00a0", " ", 0);
  g_string_append_printf (out, "%s\n\n", plain->str);
}

static void
print_sizes (const FpCliView *view,
             const FpMalloc *malloc,
             GString *out)
{
  /* Translators: blocks of memory, and how much they are */
  static const char *const titles[] = { N_ ("Blocks"), N_ ("In Use"), N_ ("Free Blocks"), N_ ("Free") };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    append_right (out, _ (titles[i]), _ (titles[i]));
  g_string_append_printf (out, "  %s\n", _ ("Block Size"));
  for (guint size = 0; size < FP_MALLOC_N_SIZES; size++)
    {
      g_autofree char *words = fp_malloc_describe_size (size, &view->format);

      if (!fp_malloc_has_size (malloc, size))
        continue;
      append_number (out, _ (titles[0]), malloc->used_sizes.n[size]);
      append_memory (out, view, _ (titles[1]), fp_figure_exact (malloc->used_sizes.bytes[size]));
      append_number (out, _ (titles[2]), malloc->free_sizes.n[size]);
      append_memory (out, view, _ (titles[3]), fp_figure_exact (malloc->free_sizes.bytes[size]));
      g_string_append_printf (out, "  %s\n", words);
    }
}

gboolean
fp_cli_malloc_print (const FpCliView *view,
                     GString *out,
                     GError **error)
{
  g_autoptr (FpMalloc) malloc = read_malloc (view, error);

  if (!malloc)
    return FALSE;
  print_sentences (malloc, &view->format, out);
  for (guint line = 0; line < FP_N_MALLOC_LINES; line++)
    {
      append_memory (out, view, NULL, fp_malloc_get_line (malloc, line));
      g_string_append_printf (out, "  %s\n", _ (fp_malloc_line_infos[line].title));
    }
  append_memory (out, view, NULL, fp_figure_exact (fp_malloc_get_whole (malloc)));
  g_string_append_printf (out, "  %s\n\n", _ ("All of it"));
  print_sizes (view, malloc, out);
  return TRUE;
}

gboolean
fp_cli_malloc_print_json (const FpCliView *view,
                          gboolean pretty,
                          GString *out,
                          GError **error)
{
  g_autoptr (FpMalloc) malloc = read_malloc (view, error);
  FpJson json = { out, pretty, TRUE, 0 };

  if (!malloc)
    return FALSE;
  fp_json_begin_object (&json, NULL);
  fp_json_add_number (&json, "schema", 1);
  fp_malloc_write_json (malloc, &json);
  fp_json_end_object (&json);
  g_string_append_c (out, '\n');
  return TRUE;
}
