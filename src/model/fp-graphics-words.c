// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-graphics-words.h"

#define MAX_CLIENTS 6

static int
compare_sizes (gconstpointer a,
               gconstpointer b)
{
  const FpGraphics *x = *(const FpGraphics *const *)a, *y = *(const FpGraphics *const *)b;
  const guint64 first = x->in_ram + x->on_card, second = y->in_ram + y->on_card;

  return first != second ? (first < second) - (first > second) : (x->id > y->id) - (x->id < y->id);
}

static const char *
format_size (guint64 size,
             const FpFormat *format,
             char text[FP_FIGURE_TEXT_SIZE])
{
  fp_format_memory (format, fp_figure_exact (size), text);
  fp_figure_keep_together (text);
  return text;
}

static void
take_line (GPtrArray *lines,
           char *line)
{
  g_ptr_array_add (lines, line);
}

static void
add_sizes (const FpGraphics *graphics,
           const FpFormat *format,
           GPtrArray *lines)
{
  const gboolean has_more = !graphics->has_in_ram || graphics->allocated > graphics->in_ram + graphics->on_card;
  char size[FP_FIGURE_TEXT_SIZE];

  if (graphics->has_in_ram)
    take_line (lines, g_strdup_printf (_ ("%s in RAM"), format_size (graphics->in_ram, format, size)));
  if (graphics->on_card > 0)
    take_line (lines, g_strdup_printf (_ ("%s on the card"), format_size (graphics->on_card, format, size)));
  if (has_more)
    take_line (lines, g_strdup_printf (_ ("%s allocated"), format_size (graphics->allocated, format, size)));
}

static void
add_names (const FpGraphics *graphics,
           GPtrArray *lines)
{
  if (graphics->kind == FP_GRAPHICS_DMABUF)
    take_line (lines, g_strdup_printf (_ ("Buffer from %s"), graphics->driver));
  else
    /* Translators: a graphics driver, and the number of a connection to it */
    take_line (lines, g_strdup_printf (_ ("%s, client %lu"), graphics->driver, (gulong)graphics->id));
  if (graphics->device[0])
    take_line (lines, g_strdup_printf (_ ("Card %s"), graphics->device));
  if (graphics->n_holders > 1)
    take_line (lines, g_strdup_printf (ngettext ("Shared by %u process", "Shared by %u processes", graphics->n_holders),
                                       graphics->n_holders));
}

/* The largest clients and buffers that the process holds, a line for each fact. Free the text; NULL: it is known of none. */
char *
fp_graphics_words_describe (const FpKept *kept,
                            const FpProcessId *id,
                            const FpFormat *format)
{
  g_autoptr (GPtrArray) clients = g_ptr_array_new (), lines = g_ptr_array_new_with_free_func (g_free);
  guint n;
  const FpGraphicsHolder *holders = fp_kept_find_holders (kept, id, &n);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (clients, &g_array_index (kept->graphics, FpGraphics, holders[i].index));
  g_ptr_array_sort (clients, compare_sizes);
  for (guint i = 0; i < MIN (n, MAX_CLIENTS); i++)
    {
      if (i > 0)
        take_line (lines, g_strdup (""));
      add_sizes (clients->pdata[i], format, lines);
      add_names (clients->pdata[i], lines);
    }
  if (n > MAX_CLIENTS)
    take_line (lines, g_strdup_printf (ngettext ("and %u smaller one", "and %u smaller ones", n - MAX_CLIENTS), n - MAX_CLIENTS));
  g_ptr_array_add (lines, NULL);
  return n > 0 ? g_strjoinv ("\n", (char **)lines->pdata) : NULL;
}
