// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-bar.h"
#include "fp-display.h"
#include "fp-page-strip.h"
#include "fp-palette.h"
#include "fp-tooltip.h"

#define MAX_BINS   512
#define HEIGHT     28
#define HUGE_ABOVE 5 /* room for the line above huge pages */
#define HUGE_LINE  3
#define LEAST      2.0 /* least height of a state, so that it is seen */
#define PATIENCE   200 /* ms, before it says that it is reading */
#define NO_BIN     G_MAXUINT

struct _FpPageStrip
{
  GtkWidget parent;

  GtkWidget *plot;
  GtkWidget *words;
  GtkWidget *legend;

  FpProcessId id;
  guint64 start;
  guint64 end;
  FpPageMap *map;
  char *problem;
  FpFigureStyle style;
  guint chosen;

  GCancellable *cancellable; /* NULL: nothing is being read */
  guint patience;            /* source id, until it says that it is reading */
  double progress;
};

static const FpBarPart looks[FP_N_PAGE_STATES] = {
  [FP_PAGE_PRIVATE] = { NC_ ("pages", "Private"), 0, FP_COLOUR_GREEN, FP_PATTERN_SOLID },
  [FP_PAGE_PRIVATE_FILE] = { NC_ ("pages", "Private, of a file"), 0, FP_COLOUR_BROWN, FP_PATTERN_DOTTED },
  [FP_PAGE_SHARED] = { NC_ ("pages", "Shared"), 0, FP_COLOUR_BLUE, FP_PATTERN_STRIPED },
  [FP_PAGE_SHARED_FILE] = { NC_ ("pages", "Shared, of a file"), 0, FP_COLOUR_YELLOW, FP_PATTERN_CROSSED },
  [FP_PAGE_ZERO] = { NC_ ("pages", "Never written"), 0, FP_COLOUR_GREY, FP_PATTERN_LINED },
  [FP_PAGE_SWAPPED] = { NC_ ("pages", "Swapped out"), 0, FP_COLOUR_PINK, FP_PATTERN_FALLING },
  /* Translators: pages that are not in memory */
  [FP_PAGE_ABSENT] = { NC_ ("pages", "Absent"), 0, FP_COLOUR_TROUGH, FP_PATTERN_SOLID },
};

G_DEFINE_FINAL_TYPE (FpPageStrip, fp_page_strip, GTK_TYPE_WIDGET)

/* How high each state is stacked in a bin; what little ones get too much, the highest gives. */
static void
stack (const FpPageBin *bin,
       double height,
       double *heights)
{
  guint64 whole = 0;
  double excess = -height;
  guint highest = 0;

  for (guint i = 0; i < FP_N_PAGE_STATES; i++)
    whole += bin->pages[i];
  for (guint i = 0; i < FP_N_PAGE_STATES; i++)
    {
      heights[i] = bin->pages[i] == 0 ? 0 : MAX (LEAST, height * (double)bin->pages[i] / (double)whole);
      excess += heights[i];
      if (heights[i] > heights[highest])
        highest = i;
    }
  heights[highest] -= excess;
}

static void
get_edges (FpPageStrip *self,
           guint bin,
           double width,
           double *left,
           double *right)
{
  *left = width * bin / self->map->n_bins;
  *right = width * (bin + 1) / self->map->n_bins;
}

/* All bins as one path, so that there are no seams between them. */
static void
draw_state (FpPageStrip *self,
            cairo_t *cr,
            FpPageState state,
            double width)
{
  GdkRGBA colour;

  cairo_save (cr);
  for (guint i = 0; i < self->map->n_bins; i++)
    {
      double heights[FP_N_PAGE_STATES], left, right, bottom = HUGE_ABOVE + HEIGHT;

      if (self->map->bins[i].pages[state] == 0)
        continue;
      stack (&self->map->bins[i], HEIGHT, heights);
      get_edges (self, i, width, &left, &right);
      for (guint below = 0; below < state; below++)
        bottom -= heights[below];
      cairo_rectangle (cr, left, bottom - heights[state], right - left, heights[state]);
    }
  gdk_rgba_parse (&colour, looks[state].colour);
  gdk_cairo_set_source_rgba (cr, &colour);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  fp_pattern_draw (looks[state].pattern, cr, &GRAPHENE_RECT_INIT (0, HUGE_ABOVE, (float)width, HEIGHT));
  cairo_restore (cr);
}

static void
draw_huge (FpPageStrip *self,
           cairo_t *cr,
           const GdkRGBA *ink,
           double width)
{
  gdk_cairo_set_source_rgba (cr, ink);
  for (guint i = 0; i < self->map->n_bins; i++)
    {
      double left, right;

      get_edges (self, i, width, &left, &right);
      if (self->map->bins[i].huge > 0)
        cairo_rectangle (cr, left, 0, right - left, HUGE_LINE);
    }
  cairo_fill (cr);
}

static void
draw_chosen (FpPageStrip *self,
             cairo_t *cr,
             const GdkRGBA *ink,
             double width)
{
  double left, right;

  get_edges (self, self->chosen, width, &left, &right);
  left = CLAMP (round (left), 1, width - 2) - 0.5;
  right = MAX (round (right) + 0.5, left + 3);
  gdk_cairo_set_source_rgba (cr, ink);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, left, HUGE_ABOVE + 0.5, right - left, HEIGHT - 1);
  cairo_stroke (cr);
}

static void
draw_cb (GtkDrawingArea *area,
         cairo_t *cr,
         int width,
         int height,
         gpointer data)
{
  FpPageStrip *self = data;
  GdkRGBA ink, trough;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &ink);
  trough = ink;
  trough.alpha *= 0.1f;
  gdk_cairo_set_source_rgba (cr, &trough);
  cairo_rectangle (cr, 0, HUGE_ABOVE, self->map ? width : width * self->progress, HEIGHT);
  cairo_fill (cr);
  if (!self->map)
    return;
  for (FpPageState state = 0; state < FP_PAGE_ABSENT; state++)
    draw_state (self, cr, state, width);
  draw_huge (self, cr, &ink, width);
  if (self->chosen != NO_BIN)
    draw_chosen (self, cr, &ink, width);
}

static void
format_size (FpPageStrip *self,
             guint64 bytes,
             char *text)
{
  fp_figure_format (fp_figure_exact (bytes), FP_UNIT_BYTES, self->style, 0, text, FP_FIGURE_TEXT_SIZE);
}

static void
append_state (FpPageStrip *self,
              GString *text,
              const char *name,
              guint64 pages,
              guint64 whole)
{
  char size[FP_FIGURE_TEXT_SIZE];

  if (pages == 0)
    return;
  format_size (self, pages * self->map->page_size, size);
  fp_display_append_clause (text, pages == whole ? g_strdup (name) : g_strdup_printf ("%s %s", name, size));
}

static char *
describe_range (FpPageStrip *self,
                guint64 start,
                guint64 end)
{
  GString *text = g_string_new (NULL);
  char size[FP_FIGURE_TEXT_SIZE];

  format_size (self, end - start, size);
  g_string_printf (text, "%08" G_GINT64_MODIFIER "x–%08" G_GINT64_MODIFIER "x", start, end);
  fp_display_append_item (text, g_strdup (size));
  return g_string_free (text, FALSE);
}

static char *
describe (FpPageStrip *self,
          const FpPageBin *bin,
          guint64 start,
          guint64 end)
{
  guint64 whole = (end - start) / self->map->page_size;
  g_autofree char *range = describe_range (self, start, end);
  g_autoptr (GString) states = g_string_new (NULL);

  for (FpPageState state = 0; state < FP_N_PAGE_STATES; state++)
    append_state (self, states, g_dpgettext2 (NULL, "pages", looks[state].name), bin->pages[state], whole);
  append_state (self, states, _ ("in huge pages"), bin->huge, whole);
  /* Translators: an address range with its size, and the states of its pages */
  return g_strdup_printf (_ ("%s: %s"), range, states->str);
}

static char *
describe_bin (FpPageStrip *self,
              guint bin)
{
  guint64 start, end;

  fp_page_map_get_range (self->map, bin, &start, &end);
  return describe (self, &self->map->bins[bin], start, end);
}

static char *
make_words (FpPageStrip *self)
{
  if (self->problem)
    return g_strdup (self->problem);
  if (self->map && self->chosen != NO_BIN)
    return describe_bin (self, self->chosen);
  if (self->map)
    return describe (self, &self->map->total, self->start, self->end);
  if (self->cancellable && !self->patience)
    return g_strdup_printf (_ ("Reading the pages: %.0f %%"), floor (self->progress * 100));
  return g_strdup ("");
}

/* Without what is said by the legend below. */
static char *
make_shown_words (FpPageStrip *self,
                  const char *words)
{
  if (self->problem || !self->map || self->chosen != NO_BIN)
    return g_strdup (words);
  return describe_range (self, self->start, self->end);
}

static void
update_words (FpPageStrip *self)
{
  g_autofree char *words = make_words (self), *shown = make_shown_words (self, words);

  gtk_label_set_text (GTK_LABEL (self->words), shown);
  /* GTK 4.8 passes no text of a value on. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, words,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

static void
update_legend (FpPageStrip *self)
{
  FpBarPart parts[FP_N_PAGE_STATES];
  g_autofree char *states = NULL, *text = NULL;
  g_autoptr (GString) huge = g_string_new (NULL);
  char size[FP_FIGURE_TEXT_SIZE];
  guint n = 0;

  for (FpPageState state = 0; state < FP_N_PAGE_STATES; state++)
    if (self->map->total.pages[state] > 0)
      {
        parts[n] = looks[state];
        parts[n].name = g_dpgettext2 (NULL, "pages", looks[state].name);
        parts[n++].value = self->map->total.pages[state] * self->map->page_size;
      }
  states = fp_bar_make_legend (parts, n, 0, self->style);
  if (self->map->total.huge > 0)
    {
      format_size (self, self->map->total.huge * self->map->page_size, size);
      g_string_printf (huge, "━ %s %s", _ ("in huge pages"), size);
      g_string_replace (huge, " ", "\u00a0", 0);
    }
  text = g_strjoin (huge->len ? "   " : "", states, huge->str, NULL);
  gtk_label_set_markup (GTK_LABEL (self->legend), text);
}

/* Whatever of map, problem or progress has changed. */
static void
update (FpPageStrip *self)
{
  gtk_widget_set_visible (self->plot, !self->problem);
  gtk_widget_set_visible (self->legend, self->map != NULL);
  if (self->map)
    update_legend (self);
  update_words (self);
  gtk_widget_queue_draw (self->plot);
}

static void
choose (FpPageStrip *self,
        guint bin)
{
  if (self->chosen == bin)
    return;
  self->chosen = bin;
  update_words (self);
  gtk_widget_queue_draw (self->plot);
}

static guint
find_bin (FpPageStrip *self,
          double x)
{
  double place = x / MAX (gtk_widget_get_width (self->plot), 1) * self->map->n_bins;

  return (guint)CLAMP (place, 0, self->map->n_bins - 1);
}

static void
motion_cb (FpPageStrip *self,
           double x)
{
  if (self->map)
    choose (self, find_bin (self, x));
}

static void
leave_cb (FpPageStrip *self)
{
  choose (self, NO_BIN);
}

static gboolean
query_tooltip_cb (FpPageStrip *self,
                  int x,
                  int y,
                  gboolean is_keyboard,
                  GtkTooltip *tooltip)
{
  g_autofree char *text = NULL;

  if (!self->map || (is_keyboard && self->chosen == NO_BIN))
    return FALSE;
  text = describe_bin (self, is_keyboard ? self->chosen : find_bin (self, x));
  return fp_tooltip_set_text (tooltip, text);
}

static gboolean
key_cb (FpPageStrip *self,
        guint key)
{
  guint last = self->map ? self->map->n_bins - 1 : 0;

  if (!self->map)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left:
      choose (self, self->chosen == NO_BIN ? last : self->chosen - (self->chosen > 0));
      return TRUE;
    case GDK_KEY_Right:
      choose (self, self->chosen == NO_BIN ? 0 : MIN (self->chosen + 1, last));
      return TRUE;
    case GDK_KEY_Home:
      choose (self, 0);
      return TRUE;
    case GDK_KEY_End:
      choose (self, last);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
stop (FpPageStrip *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->patience, g_source_remove);
  self->progress = 0;
}

static void
forget (FpPageStrip *self)
{
  g_clear_pointer (&self->map, g_free);
  g_clear_pointer (&self->problem, g_free);
  self->chosen = NO_BIN;
}

/* Once cancelled, it is perhaps no more. */
static void
mapped_cb (GObject *source,
           GAsyncResult *result,
           gpointer data)
{
  FpPageStrip *self = data;
  g_autoptr (GError) error = NULL;
  FpPageMap *map = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_PAGES, result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  stop (self);
  g_free (self->map);
  self->map = map;
  g_free (self->problem);
  self->problem = error ? g_strdup (error->message) : NULL;
  update (self);
}

static void
progress_cb (goffset position,
             goffset whole,
             gpointer data)
{
  FpPageStrip *self = data;

  self->progress = (double)position / (double)whole;
  if (!self->map && !self->patience)
    update (self);
}

static void
patience_cb (gpointer data)
{
  FpPageStrip *self = data;

  self->patience = 0;
  update (self);
}

static void
fp_page_strip_dispose (GObject *object)
{
  FpPageStrip *self = FP_PAGE_STRIP (object);

  stop (self);
  g_clear_pointer (&self->plot, gtk_widget_unparent);
  g_clear_pointer (&self->words, gtk_widget_unparent);
  g_clear_pointer (&self->legend, gtk_widget_unparent);

  G_OBJECT_CLASS (fp_page_strip_parent_class)->dispose (object);
}

static void
fp_page_strip_finalize (GObject *object)
{
  forget (FP_PAGE_STRIP (object));

  G_OBJECT_CLASS (fp_page_strip_parent_class)->finalize (object);
}

static void
fp_page_strip_class_init (FpPageStripClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_page_strip_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_page_strip_finalize;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "page-strip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

static GtkWidget *
add_label (FpPageStrip *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  return label;
}

static void
fp_page_strip_init (FpPageStrip *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new ();

  self->chosen = NO_BIN;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))), 6);
  self->plot = gtk_drawing_area_new ();
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->plot), HUGE_ABOVE + HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->plot), draw_cb, self, NULL);
  gtk_widget_set_has_tooltip (self->plot, TRUE);
  g_signal_connect_swapped (self->plot, "query-tooltip", G_CALLBACK (query_tooltip_cb), self);
  gtk_widget_set_parent (self->plot, GTK_WIDGET (self));
  self->words = add_label (self);
  self->legend = add_label (self);
  gtk_widget_set_tooltip_text (
      self->legend, _ ("Never written: only read, so one page of zeros serves for all of them.\n"
                       "Of a file: or of shared memory.\n"
                       "Absent: never used or given back, still in its file, shared memory that is swapped out, or of a "
                       "device; the kernel does not tell these apart.\n"
                       "Huge pages of the reserved pool count to no resident size."));
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->plot, motion);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  update (self);
}

/* A range that is shown already stays until it is read again. name: the mapping's, as displayed */
void
fp_page_strip_load (FpPageStrip *self,
                    FpSource *source,
                    const FpProcessId *id,
                    guint64 start,
                    guint64 end,
                    const char *name)
{
  const FpSourceRequest request = {
    .kind = FP_REQUEST_PAGES,
    .id = *id,
    .range = { start, end, MAX_BINS },
    .progress = progress_cb,
    .progress_data = self,
  };
  g_autofree char *label = g_strdup_printf (_ ("Pages of %s"), name);

  g_return_if_fail (FP_IS_PAGE_STRIP (self));

  stop (self);
  if (!fp_process_id_equal (&self->id, id) || self->start != start || self->end != end)
    forget (self);
  self->id = *id;
  self->start = start;
  self->end = end;
  self->cancellable = g_cancellable_new ();
  self->patience = g_timeout_add_once (PATIENCE, patience_cb, self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  update (self);
  fp_source_request_async (source, &request, self->cancellable, mapped_cb, self);
}

/* A percentage would tell nothing about a mapping, so IEC units replace it. */
void
fp_page_strip_set_style (FpPageStrip *self,
                         FpFigureStyle style)
{
  g_return_if_fail (FP_IS_PAGE_STRIP (self));

  self->style = style == FP_STYLE_PERCENT ? FP_STYLE_IEC : style;
  update (self);
}

void
fp_page_strip_clear (FpPageStrip *self)
{
  g_return_if_fail (FP_IS_PAGE_STRIP (self));

  stop (self);
  forget (self);
  update (self);
}
