// SPDX-License-Identifier: GPL-3.0-or-later
/* Where the line of facts below a list is broken, and labels with names. */
#include <adwaita.h>
#include <string.h>

#include "fp-fact-line.h"
#include "fp-names-label.h"

#define NARROWEST 200 /* pixels, which have room for the longest of the short facts */
#define WIDEST    700

/* The lines that the text is broken into where it has so many pixels */
static GStrv
break_text (const char *text,
            int width)
{
  GtkLabel *label = g_object_ref_sink (GTK_LABEL (gtk_label_new (NULL)));
  g_autoptr (PangoLayout) layout = NULL;
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();

  fp_fact_line_show (label, text);
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (label), gtk_label_get_text (label));
  pango_layout_set_attributes (layout, gtk_label_get_attributes (label));
  pango_layout_set_width (layout, width * PANGO_SCALE);
  for (GSList *line = pango_layout_get_lines_readonly (layout); line; line = line->next)
    {
      const PangoLayoutLine *place = line->data;
      g_autofree char *part = g_strndup (gtk_label_get_text (label) + place->start_index, (gsize)place->length);

      g_strv_builder_add (lines, part);
    }
  g_object_unref (label);
  return g_strv_builder_end (lines);
}

/* Two facts are never mixed: a line ends with a fact, or is part of one that is too long for a line. */
static void
test_breaks (void)
{
  static const char *const text = "2061 processes · Memory 434–449 MiB · Swap 0 B · 1 not measured";
  guint most = 0;

  for (int width = NARROWEST; width <= WIDEST; width++)
    {
      g_auto (GStrv) lines = break_text (text, width);
      guint n = g_strv_length (lines);

      most = MAX (most, n);
      for (guint i = 0; i + 1 < n; i++)
        if (!g_str_has_suffix (lines[i], " · "))
          g_error ("%d pixels wide, the line “%s” ends within a fact", width, lines[i]);
    }
  g_assert_cmpuint (most, >=, 3);
}

/* A fact that no line has room for is broken between its words, and all of it is there. */
static void
test_long_fact (void)
{
  static const char *const text = "12 processes · it cannot be said how much comes back when they end, as they share it with others";
  g_auto (GStrv) lines = break_text (text, NARROWEST);
  g_autofree char *all = g_strjoinv ("", lines);

  g_assert_cmpuint (g_strv_length (lines), >=, 4);
  g_assert_cmpstr (all, ==, text);
}

/* A name that is broken is shown letter by letter, and without a hyphen that is not in it. */
static void
test_names (void)
{
  static const char *const name = "app-gnome-org.gnome.Builder-4711.scope";
  GtkLabel *label = g_object_ref_sink (GTK_LABEL (gtk_label_new (name)));
  PangoLayout *layout;
  guint n_lines = 0;
  int n_glyphs = 0;

  fp_names_label_wrap (label);
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (label), name);
  pango_layout_set_attributes (layout, gtk_label_get_attributes (label));
  pango_layout_set_wrap (layout, gtk_label_get_wrap_mode (label));
  pango_layout_set_width (layout, NARROWEST / 4 * PANGO_SCALE);
  for (GSList *line = pango_layout_get_lines_readonly (layout); line; line = line->next, n_lines++)
    for (GSList *run = ((PangoLayoutLine *)line->data)->runs; run; run = run->next)
      n_glyphs += ((PangoGlyphItem *)run->data)->glyphs->num_glyphs;
  g_assert_cmpuint (n_lines, >=, 5);
  g_assert_cmpint (n_glyphs, ==, (int)strlen (name));
  g_object_unref (layout);
  g_object_unref (label);
}

int
main (int argc,
      char *argv[])
{
  adw_init ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fact-line/breaks", test_breaks);
  g_test_add_func ("/fact-line/long-fact", test_long_fact);
  g_test_add_func ("/fact-line/names", test_names);
  return g_test_run ();
}
