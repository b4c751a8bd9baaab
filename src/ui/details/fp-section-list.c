// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-display.h"
#include "fp-figure.h"
#include "fp-loading-page.h"
#include "fp-names-label.h"
#include "fp-section-list.h"

#define MAX_ROWS     60 /* libraries have three dozen sections; the others are one row */
#define PATIENCE_MS  200
#define AMOUNT_CHARS 9

struct _FpSectionList
{
  GtkWidget parent;

  /* Template widgets */
  GtkExpander *expander;
  GtkStack *stack;
  FpLoadingPage *loading;
  GtkLabel *problem;
  GtkBox *head;
  GtkListBox *list;

  FpSource *source;
  FpProcessId id;
  char *file;           /* (nullable): its name among the mappings */
  FpSections *sections; /* (nullable): of the file, once they were read */
  FpFigureStyle style;
  GCancellable *cancellable; /* while they are read */
  guint patience;            /* until it is shown that they are read */
};

G_DEFINE_FINAL_TYPE (FpSectionList, fp_section_list, GTK_TYPE_WIDGET)

static void
stop (FpSectionList *self)
{
  g_clear_handle_id (&self->patience, g_source_remove);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
forget (FpSectionList *self)
{
  stop (self);
  g_clear_pointer (&self->sections, fp_sections_free);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

static void
show_problem (FpSectionList *self,
              const char *text)
{
  gtk_label_set_text (self->problem, text);
  gtk_stack_set_visible_child_name (self->stack, "problem");
}

static void
add_amount (GtkBox *line,
            const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_width_chars (GTK_LABEL (label), AMOUNT_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (line, label);
}

static void
add_name (GtkBox *line,
          const char *text,
          const char *kind)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *name = gtk_label_new (text), *below;

  gtk_widget_set_hexpand (box, TRUE);
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (line, box);
  if (!kind)
    return;
  below = gtk_label_new (kind);
  gtk_label_set_xalign (GTK_LABEL (below), 0);
  gtk_label_set_ellipsize (GTK_LABEL (below), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (below, "caption");
  gtk_widget_add_css_class (below, "dim-label");
  gtk_box_append (GTK_BOX (box), below);
}

static void
write_amount (const FpSectionList *self,
              guint64 bytes,
              char text[FP_FIGURE_TEXT_SIZE])
{
  fp_figure_format (fp_figure_exact (bytes), FP_UNIT_BYTES, self->style, 0, text, FP_FIGURE_TEXT_SIZE);
}

/* kind: (nullable) */
static void
add_row (FpSectionList *self,
         const FpSection *section,
         const char *name,
         const char *kind)
{
  const guint64 amounts[] = { section->resident, section->changed, section->swapped };
  char texts[G_N_ELEMENTS (amounts)][FP_FIGURE_TEXT_SIZE], size[FP_FIGURE_TEXT_SIZE];
  GtkWidget *row = gtk_list_box_row_new (), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autofree char *title = kind ? g_strdup_printf (_ ("%s (%s)"), name, kind) : g_strdup (name);
  g_autofree char *label = NULL, *tip = NULL;

  add_name (GTK_BOX (line), name, kind);
  for (guint i = 0; i < G_N_ELEMENTS (amounts); i++)
    {
      write_amount (self, amounts[i], texts[i]);
      add_amount (GTK_BOX (line), texts[i]);
    }
  write_amount (self, section->mapped, size);
  /* Translators: the name of a section of a library, and its size */
  tip = g_strdup_printf (_ ("%s\nSize: %s"), title, size);
  /* Translators: ".data (Data), Resident 12 KiB, Changed 12 KiB, Swap 0" */
  label = g_strdup_printf (_ ("%s, Resident %s, Changed %s, Swap %s"), title, texts[0], texts[1], texts[2]);
  gtk_widget_set_tooltip_text (row, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  gtk_list_box_append (self->list, row);
}

static void
add_section (FpSectionList *self,
             const FpSection *section)
{
  const char *kind = _ (fp_section_kind_infos[section->place.kind].title);
  char name[4 * sizeof section->place.name];

  fp_display_escape (section->place.name, name, sizeof name);
  add_row (self, section, *name ? name : kind, *name ? kind : NULL);
}

/* The biggest first, as in the list above */
static int
compare_sections (gconstpointer a,
                  gconstpointer b)
{
  const FpSection *x = a, *y = b;

  if (x->resident != y->resident)
    return x->resident > y->resident ? -1 : 1;
  if (x->swapped != y->swapped)
    return x->swapped > y->swapped ? -1 : 1;
  return x->place.start < y->place.start ? -1 : x->place.start > y->place.start;
}

static void
show_sections (FpSectionList *self)
{
  guint n = self->sections->sections->len, n_shown = n > MAX_ROWS ? MAX_ROWS : n;
  GtkListBoxRow *row;
  FpSection sum = fp_sections_sum_up (self->sections, 0);

  while ((row = gtk_list_box_get_row_at_index (self->list, 0)))
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
  g_array_sort (self->sections->sections, compare_sections);
  add_row (self, &sum, _ ("All of it"), NULL);
  for (guint i = 0; i < n_shown; i++)
    add_section (self, &g_array_index (self->sections->sections, FpSection, i));
  if (n > n_shown)
    {
      g_autofree char *more = g_strdup_printf (ngettext ("%u more", "%u more", n - n_shown), n - n_shown);
      FpSection rest = fp_sections_sum_up (self->sections, n_shown);

      add_row (self, &rest, more, NULL);
    }
  gtk_stack_set_visible_child_name (self->stack, "list");
}

/* Once cancelled, it is perhaps no more. */
static void
read_cb (GObject *source,
         GAsyncResult *result,
         gpointer data)
{
  FpSectionList *self = data;
  g_autoptr (GError) error = NULL;
  FpSections *sections = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_SECTIONS, result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  forget (self);
  self->sections = sections;
  if (sections)
    show_sections (self);
  else
    show_problem (self, error->message);
}

static void
patience_cb (gpointer data)
{
  FpSectionList *self = data;

  self->patience = 0;
  gtk_stack_set_visible_child_name (self->stack, "loading");
}

static void
progress_cb (goffset position,
             goffset whole,
             gpointer data)
{
  FpSectionList *self = data;

  fp_loading_page_set_progress (self->loading, (guint64)position, (guint64)whole, self->style);
}

static void
load (FpSectionList *self)
{
  const FpSourceRequest request = {
    .kind = FP_REQUEST_SECTIONS, .id = self->id, .file = self->file, .progress = progress_cb, .progress_data = self
  };

  stop (self);
  self->cancellable = g_cancellable_new ();
  self->patience = g_timeout_add_once (PATIENCE_MS, patience_cb, self);
  fp_loading_page_reset (self->loading);
  fp_source_request_async (self->source, &request, self->cancellable, read_cb, self);
}

static void
expanded_cb (FpSectionList *self)
{
  if (!gtk_expander_get_expanded (self->expander))
    stop (self);
  else if (self->file && !self->sections)
    load (self);
}

static void
cancel_cb (FpSectionList *self)
{
  forget (self);
  show_problem (self, _ ("Reading was cancelled."));
}

static void
fp_section_list_dispose (GObject *object)
{
  FpSectionList *self = FP_SECTION_LIST (object);

  stop (self);
  if (self->expander)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->expander)));
  g_clear_object (&self->source);

  G_OBJECT_CLASS (fp_section_list_parent_class)->dispose (object);
}

static void
fp_section_list_finalize (GObject *object)
{
  FpSectionList *self = FP_SECTION_LIST (object);

  g_clear_pointer (&self->sections, fp_sections_free);
  g_free (self->file);

  G_OBJECT_CLASS (fp_section_list_parent_class)->finalize (object);
}

static void
fp_section_list_class_init (FpSectionListClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_section_list_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_section_list_finalize;

  g_type_ensure (FP_TYPE_LOADING_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-section-list.ui");
  gtk_widget_class_bind_template_child (widget_class, FpSectionList, expander);
  gtk_widget_class_bind_template_child (widget_class, FpSectionList, stack);
  gtk_widget_class_bind_template_child (widget_class, FpSectionList, loading);
  gtk_widget_class_bind_template_child (widget_class, FpSectionList, problem);
  gtk_widget_class_bind_template_child (widget_class, FpSectionList, head);
  gtk_widget_class_bind_template_child (widget_class, FpSectionList, list);
  gtk_widget_class_bind_template_callback (widget_class, expanded_cb);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
}

static void
fp_section_list_init (FpSectionList *self)
{
  static const char *const titles[] = { N_ ("Resident"), N_ ("Changed"), N_ ("Swap") };

  gtk_widget_init_template (GTK_WIDGET (self));
  fp_names_label_wrap (self->problem);
  gtk_box_set_spacing (self->head, 6);
  gtk_widget_add_css_class (GTK_WIDGET (self->head), "dim-label");
  add_name (self->head, _ ("Section"), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    add_amount (self->head, _ (titles[i]));
}

/* A file that is shown already stays. is_costly: reading holds up the process, so another file is not read by itself. */
void
fp_section_list_show (FpSectionList *self,
                      FpSource *source,
                      const FpProcessId *id,
                      const FpMapping *mapping,
                      gboolean is_costly)
{
  g_autofree char *base = NULL, *label = NULL;

  g_return_if_fail (FP_IS_SECTION_LIST (self));

  if (fp_process_id_equal (&self->id, id) && g_strcmp0 (self->file, mapping->name) == 0)
    return;
  forget (self);
  g_set_object (&self->source, source);
  self->id = *id;
  g_free (self->file);
  self->file = g_strdup (mapping->name);
  base = g_path_get_basename (mapping->shown);
  /* Translators: the name of a library */
  label = g_strdup_printf (_ ("Sections of %s"), base);
  gtk_expander_set_label (self->expander, label);
  if (is_costly)
    gtk_expander_set_expanded (self->expander, FALSE);
  expanded_cb (self);
}

void
fp_section_list_clear (FpSectionList *self)
{
  g_return_if_fail (FP_IS_SECTION_LIST (self));

  forget (self);
  g_clear_pointer (&self->file, g_free);
}

/* A percentage would tell nothing about a section, so IEC units replace it. */
void
fp_section_list_set_style (FpSectionList *self,
                           FpFigureStyle style)
{
  g_return_if_fail (FP_IS_SECTION_LIST (self));

  self->style = style == FP_STYLE_PERCENT ? FP_STYLE_IEC : style;
  if (self->sections)
    show_sections (self);
}
