// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-bar.h"
#include "fp-help-diagram.h"
#include "fp-palette.h"

#define MIB    ((guint64)1 << 20)
#define SHARED (30 * MIB)
#define IN_RAM (65 * MIB) /* by all three: the scale of each bar */

struct _FpHelpDiagram
{
  AdwBin parent;

  /* Template widgets */
  GtkGrid *resident;
  GtkGrid *divided;
  GtkLabel *legend;
};

static const struct
{
  const char *name;
  guint64 private;
} programs[] = {
  { N_ ("Editor"), 20 * MIB },
  { N_ ("Mail"), 10 * MIB },
  { N_ ("Clock"), 5 * MIB },
};

G_DEFINE_FINAL_TYPE (FpHelpDiagram, fp_help_diagram, ADW_TYPE_BIN)

static void
make_parts (guint64 private,
            guint64 shared,
            FpBarPart parts[2])
{
  parts[0] = (FpBarPart){ _ ("Private"), private, FP_COLOUR_GREEN, FP_PATTERN_SOLID, NULL };
  parts[1] = (FpBarPart){ _ ("Shared"), shared, FP_COLOUR_BLUE, FP_PATTERN_STRIPED, NULL };
}

static GtkWidget *
make_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "numeric");
  return label;
}

static void
fill (GtkGrid *grid,
      guint64 shared)
{
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      const char *name = _ (programs[i].name);
      GtkWidget *bar = fp_bar_new ();
      char size[FP_FIGURE_TEXT_SIZE];
      FpBarPart parts[2];

      make_parts (programs[i].private, shared, parts);
      fp_bar_set_parts (FP_BAR (bar), name, parts, G_N_ELEMENTS (parts), IN_RAM, FP_STYLE_IEC);
      fp_figure_format (fp_figure_exact (programs[i].private + shared), FP_UNIT_BYTES, FP_STYLE_IEC, 0, size, sizeof size);
      gtk_widget_set_hexpand (bar, TRUE);
      gtk_grid_attach (grid, make_label (name), 0, (int)i, 1, 1);
      gtk_grid_attach (grid, bar, 1, (int)i, 1, 1);
      gtk_grid_attach (grid, make_label (size), 2, (int)i, 1, 1);
    }
}

static void
fp_help_diagram_class_init (FpHelpDiagramClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-help-diagram.ui");
  gtk_widget_class_bind_template_child (widget_class, FpHelpDiagram, resident);
  gtk_widget_class_bind_template_child (widget_class, FpHelpDiagram, divided);
  gtk_widget_class_bind_template_child (widget_class, FpHelpDiagram, legend);
}

static void
fp_help_diagram_init (FpHelpDiagram *self)
{
  g_autoptr (GString) legend = g_string_new (NULL);

  gtk_widget_init_template (GTK_WIDGET (self));
  fill (self->resident, SHARED);
  fill (self->divided, SHARED / G_N_ELEMENTS (programs));
  fp_bar_append_legend (legend, FP_COLOUR_GREEN, _ ("Private"), "");
  fp_bar_append_legend (legend, FP_COLOUR_BLUE, _ ("Shared"), "");
  gtk_label_set_markup (self->legend, legend->str);
}
