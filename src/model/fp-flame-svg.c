// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-display.h"
#include "fp-flame-layout.h"
#include "fp-flame-svg.h"

#define WIDTH     1200u
#define MARGIN    10u
#define HEAD      34 /* pixels of the title */
#define ROW       18
#define LETTER    6.6 /* how wide one of the text is about, as nobody knows the font */
#define TEXT_ROOM 4

/* Numbers have a point in every language. */
static void
append_number (GString *out,
               const char *name,
               double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (out, " %s=\"%s\"", name, g_ascii_formatd (text, sizeof text, "%.2f", number));
}

static void
append_escaped (GString *out,
                const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  g_string_append (out, escaped);
}

static void
append_name (const char *name,
             const FpFlameFrame *frame,
             double x,
             double y,
             GString *out)
{
  guint room = (guint)(MAX ((double)frame->width - 2 * TEXT_ROOM, 0) / LETTER);
  g_autofree char *cut = NULL;

  if (room < 3)
    return;
  if (fp_display_width (name) > room)
    cut = g_strdup_printf ("%.*s…", (int)fp_display_fit (name, room - 1), name);
  g_string_append (out, "<text");
  append_number (out, "x", x + TEXT_ROOM);
  append_number (out, "y", y + 13);
  g_string_append_c (out, '>');
  append_escaped (out, cut ? cut : name);
  g_string_append (out, "</text>");
}

static void
append_frame (const FpFlame *flame,
              const FpFlameFrame *frame,
              GString *out)
{
  g_autofree char *name = fp_flame_name_branch (flame, frame->branch), *words = fp_flame_explain_branch (flame, frame->branch);
  double x = MARGIN + (double)frame->x, y = HEAD + (double)frame->row * ROW;

  g_string_append (out, "<g><title>");
  append_escaped (out, words);
  g_string_append (out, "</title><rect");
  append_number (out, "x", x);
  append_number (out, "y", y);
  append_number (out, "width", MAX ((double)frame->width - 0.5, 0.5));
  append_number (out, "height", ROW - 1);
  g_string_append_printf (out, " fill=\"%s\"/>", fp_flame_get_colour (flame, frame->branch));
  append_name (name, frame, x, y, out);
  g_string_append (out, "</g>\n");
}

/* Writes the graph as an image, which says more of each function where the pointer is. zoomed: the branch that has the whole
 * width; title: of the image */
void
fp_flame_svg_write (const FpFlame *flame,
                    guint32 zoomed,
                    const char *title,
                    GString *out)
{
  g_autoptr (GArray) frames = fp_flame_layout_new (flame->tree, flame->sums, zoomed, WIDTH - 2 * MARGIN);
  guint n_rows = g_array_index (frames, FpFlameFrame, frames->len - 1).row + 1;
  guint height = HEAD + n_rows * ROW + MARGIN;

  g_string_append_printf (out,
                          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\">\n"
                          "<style>text { font: 12px sans-serif; fill: #000000; } .title { font-weight: bold; }</style>\n"
                          "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
                          "<text class=\"title\" x=\"%u\" y=\"21\">",
                          WIDTH, height, WIDTH, height, MARGIN);
  append_escaped (out, title);
  g_string_append (out, "</text>\n");
  for (guint i = 0; i < frames->len; i++)
    append_frame (flame, &g_array_index (frames, FpFlameFrame, i), out);
  g_string_append (out, "</svg>\n");
}
