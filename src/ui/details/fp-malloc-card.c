// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-bar.h"
#include "fp-loading-page.h"
#include "fp-malloc-card.h"
#include "fp-malloc-words.h"
#include "fp-names-label.h"
#include "fp-palette.h"

#define PATIENCE_MS 500

struct _FpMallocCard
{
  GtkWidget parent;

  /* Template widgets */
  GtkWidget *box;
  GtkStack *stack;
  FpLoadingPage *loading;
  GtkLabel *problem;
  GtkLabel *sentence;
  FpBar *bar;
  GtkLabel *legend;
  GtkLabel *rest;
  GtkWidget *sizes_expander;
  GtkGrid *sizes;
  GtkButton *button;

  FpSource *source;
  FpProcessId id;
  FpMalloc *malloc; /* (nullable): what was found */
  FpFormat format;
  GCancellable *cancellable; /* while it is read */
  guint patience;            /* until it is shown that it is read */
};

G_DEFINE_FINAL_TYPE (FpMallocCard, fp_malloc_card, GTK_TYPE_WIDGET)

static void
stop (FpMallocCard *self)
{
  g_clear_handle_id (&self->patience, g_source_remove);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  gtk_widget_set_sensitive (GTK_WIDGET (self->button), TRUE);
}

static void
show_page (FpMallocCard *self,
           const char *name)
{
  gtk_stack_set_visible_child_name (self->stack, name);
  gtk_widget_set_visible (GTK_WIDGET (self->stack), !g_str_equal (name, "empty"));
  gtk_widget_set_visible (GTK_WIDGET (self->button), !g_str_equal (name, "loading"));
}

static void
forget (FpMallocCard *self)
{
  stop (self);
  g_clear_pointer (&self->malloc, fp_malloc_free);
  gtk_button_set_label (self->button, _ ("Look Into the Heap"));
  show_page (self, "empty");
}

static void
show_problem (FpMallocCard *self,
              const char *text)
{
  gtk_label_set_text (self->problem, text);
  show_page (self, "problem");
}

static void
show_parts (FpMallocCard *self)
{
  static const struct
  {
    const char *colour;
    FpPattern pattern;
  } styles[FP_N_MALLOC_LINES] = {
    [FP_MALLOC_LINE_USED] = { FP_COLOUR_BLUE, FP_PATTERN_SOLID },
    [FP_MALLOC_LINE_MAPPED] = { FP_COLOUR_PURPLE, FP_PATTERN_SOLID },
    [FP_MALLOC_LINE_FREE] = { FP_COLOUR_YELLOW, FP_PATTERN_DOTTED },
    [FP_MALLOC_LINE_CACHED] = { FP_COLOUR_CYAN, FP_PATTERN_CROSSED },
    [FP_MALLOC_LINE_TOP] = { FP_COLOUR_GREY, FP_PATTERN_LINED },
  };
  FpBarPart parts[FP_N_MALLOC_LINES];
  char figures[FP_N_MALLOC_LINES][FP_FIGURE_TEXT_SIZE];
  const guint64 whole = fp_malloc_get_whole (self->malloc);
  g_autofree char *legend = NULL;
  guint n = 0;

  for (guint line = 0; line < FP_N_MALLOC_LINES; line++)
    {
      FpFigure figure = fp_malloc_get_line (self->malloc, line);

      if (figure.high == 0)
        continue;
      fp_format_memory (&self->format, figure, figures[n]);
      parts[n] = (FpBarPart){ _ (fp_malloc_line_infos[line].title), figure.high, styles[line].colour, styles[line].pattern, figures[n] };
      n++;
    }
  legend = fp_bar_make_legend (parts, n, self->format.memory_total, self->format.style);
  gtk_label_set_markup (self->legend, legend);
  fp_bar_set_parts (self->bar, _ ("The heap"), parts, n, whole, self->format.style);
}

static void
add_cell (FpMallocCard *self,
          const char *text,
          int column,
          int row)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), column == 0 ? 0 : 1);
  gtk_widget_set_hexpand (label, column == 0);
  gtk_widget_add_css_class (label, row == 0 ? "dim-label" : "numeric");
  gtk_grid_attach (self->sizes, label, column, row, 1, 1);
}

static void
add_size (FpMallocCard *self,
          guint size,
          int row)
{
  const guint64 amounts[] = { self->malloc->used_sizes.bytes[size], self->malloc->free_sizes.bytes[size] };
  g_autofree char *title = fp_malloc_describe_size (size, &self->format);
  char number[FP_NUMBER_TEXT_SIZE], text[FP_FIGURE_TEXT_SIZE];

  add_cell (self, title, 0, row);
  fp_number_write (self->malloc->used_sizes.n[size], number);
  add_cell (self, number, 1, row);
  for (guint i = 0; i < G_N_ELEMENTS (amounts); i++)
    {
      fp_format_memory (&self->format, fp_figure_exact (amounts[i]), text);
      add_cell (self, text, 2 + (int)i, row);
    }
}

static void
show_sizes (FpMallocCard *self)
{
  static const char *const titles[] = { N_ ("Block size"), N_ ("Blocks"), N_ ("In use"), N_ ("Free") };
  GtkWidget *child;
  int row = 1;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->sizes))))
    gtk_grid_remove (self->sizes, child);
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    add_cell (self, _ (titles[i]), (int)i, 0);
  for (guint size = 0; size < FP_MALLOC_N_SIZES; size++)
    if (fp_malloc_has_size (self->malloc, size))
      add_size (self, size, row++);
  gtk_widget_set_visible (self->sizes_expander, row > 1);
}

static void
show_malloc (FpMallocCard *self)
{
  g_autofree char *sentence = fp_malloc_describe (self->malloc, &self->format);
  g_autofree char *rest = fp_malloc_describe_rest (self->malloc, &self->format);

  gtk_label_set_text (self->sentence, sentence);
  gtk_label_set_text (self->rest, rest ? rest : "");
  gtk_widget_set_visible (GTK_WIDGET (self->rest), rest != NULL);
  show_parts (self);
  show_sizes (self);
  gtk_button_set_label (self->button, _ ("Look Again"));
  show_page (self, "found");
}

/* Once cancelled, it is perhaps no more. */
static void
read_cb (GObject *source,
         GAsyncResult *result,
         gpointer data)
{
  FpMallocCard *self = data;
  g_autoptr (GError) error = NULL;
  FpMalloc *malloc = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_MALLOC, result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  forget (self);
  self->malloc = malloc;
  if (malloc)
    {
      show_malloc (self);
      return;
    }
  show_problem (self, error->message);
  /* A process does not change its allocator. */
  gtk_widget_set_visible (GTK_WIDGET (self->button), !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS));
}

static void
patience_cb (gpointer data)
{
  FpMallocCard *self = data;

  self->patience = 0;
  show_page (self, "loading");
}

static void
progress_cb (goffset position,
             goffset whole,
             gpointer data)
{
  FpMallocCard *self = data;

  fp_loading_page_set_progress (self->loading, (guint64)position, (guint64)whole, self->format.style);
}

static void
look_cb (FpMallocCard *self)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_MALLOC, .id = self->id, .progress = progress_cb, .progress_data = self };

  if (!fp_source_offers (self->source, FP_REQUEST_MALLOC))
    {
      show_problem (self, fp_source_get_missing (FP_REQUEST_MALLOC));
      return;
    }
  stop (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->button), FALSE);
  self->cancellable = g_cancellable_new ();
  self->patience = g_timeout_add_once (PATIENCE_MS, patience_cb, self);
  fp_loading_page_reset (self->loading);
  fp_source_request_async (self->source, &request, self->cancellable, read_cb, self);
}

static void
cancel_cb (FpMallocCard *self)
{
  forget (self);
  show_problem (self, _ ("Reading was cancelled."));
}

static void
fp_malloc_card_dispose (GObject *object)
{
  FpMallocCard *self = FP_MALLOC_CARD (object);

  if (self->box)
    {
      stop (self);
      g_clear_pointer (&self->box, gtk_widget_unparent);
    }
  g_clear_object (&self->source);

  G_OBJECT_CLASS (fp_malloc_card_parent_class)->dispose (object);
}

static void
fp_malloc_card_finalize (GObject *object)
{
  FpMallocCard *self = FP_MALLOC_CARD (object);

  g_clear_pointer (&self->malloc, fp_malloc_free);

  G_OBJECT_CLASS (fp_malloc_card_parent_class)->finalize (object);
}

static void
fp_malloc_card_class_init (FpMallocCardClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_malloc_card_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_malloc_card_finalize;

  g_type_ensure (FP_TYPE_BAR);
  g_type_ensure (FP_TYPE_LOADING_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-malloc-card.ui");
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, box);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, stack);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, loading);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, problem);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, sentence);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, bar);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, legend);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, rest);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, sizes_expander);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, sizes);
  gtk_widget_class_bind_template_child (widget_class, FpMallocCard, button);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
  gtk_widget_class_bind_template_callback (widget_class, look_cb);
}

static void
fp_malloc_card_init (FpMallocCard *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fp_names_label_wrap (self->problem);
}

/* The findings stay until another process is shown, because they are of one moment anyway. */
void
fp_malloc_card_show (FpMallocCard *self,
                     FpSource *source,
                     const FpProcessId *id,
                     const FpFormat *format)
{
  gboolean has_style;

  g_return_if_fail (FP_IS_MALLOC_CARD (self));

  has_style = self->format.style == format->style && self->format.memory_total == format->memory_total;
  self->format = *format;
  g_set_object (&self->source, source);
  if (!fp_process_id_equal (&self->id, id))
    {
      self->id = *id;
      forget (self);
    }
  else if (self->malloc && !has_style)
    show_malloc (self);
}

void
fp_malloc_card_clear (FpMallocCard *self)
{
  g_return_if_fail (FP_IS_MALLOC_CARD (self));

  if (self->id.pid == 0)
    return;
  self->id = (FpProcessId){ 0, 0 };
  forget (self);
}
