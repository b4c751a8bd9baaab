// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-bar.h"
#include "fp-chart.h"
#include "fp-command-view.h"
#include "fp-counted.h"
#include "fp-display.h"
#include "fp-graphics-words.h"
#include "fp-growth.h"
#include "fp-malloc-card.h"
#include "fp-names-label.h"
#include "fp-overview.h"
#include "fp-palette.h"
#include "fp-sum.h"
#include "fp-trend.h"
#include "fp-totals.h"
#include "fp-column-sets.h"

#define MAX_PARTS 9

struct _FpOverview
{
  GtkWidget parent;

  /* Template widgets */
  GtkWidget *scroller;
  GtkLabel *summary;
  GtkLabel *ending;
  GtkWidget *made_of;
  FpBar *bar;
  GtkLabel *legend;
  GtkWidget *counted;
  GtkLabel *counted_figures;
  GtkLabel *counted_rest;
  GtkWidget *history;
  FpChart *chart;
  GtkLabel *filling_words;
  FpMallocCard *malloc;
  GtkGrid *facts;

  FpCommandView *command;
  GPtrArray *values; /* of facts, by place */
  GtkWidget *parent_title;
  GtkWidget *parent_link;
  gint parent_pid;
  FpSource *source;
  GCancellable *cancellable; /* while details are read */
  FpProcessId id;            /* the process with these details; pid 0: none */
  char *known_command;       /* as the list has it, perhaps only its beginning */
  FpDetails *details;        /* NULL: not known */
  FpFormat format;
  FpKey grows; /* the record whose growth fills memory */
  FpFilling filling;
};

enum
{
  PROCESS_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpOverview, fp_overview, GTK_TYPE_WIDGET)

/* The columns of this set, whose first is the command, are facts about a process. A fact without a text is hidden. */
static const FpColumnSet *const facts = &fp_column_sets[FP_COLUMN_SET_FACTS];

#define FACT_COMMAND  0
#define FACT_LIMITS   g_strv_length ((char **)facts->columns)
#define FACT_GRAPHICS (FACT_LIMITS + 1)
#define FACT_MEMBERS  (FACT_GRAPHICS + 1)

static void
add_part (FpBarPart *parts,
          guint *n,
          const char *name,
          FpFigure figure,
          const char *colour,
          FpPattern pattern)
{
  if (fp_figure_is_known (figure) && figure.low > 0)
    parts[(*n)++] = (FpBarPart){ name, figure.low, colour, pattern };
}

/* At most so much, beyond what is certain: of what was read, and of what was not. */
static void
add_uncertain (FpBarPart *parts,
               guint *n,
               const FpRecords *records,
               guint index,
               FpFigure pss)
{
  guint64 more = pss.kind == FP_FIGURE_RANGE ? pss.high - pss.low : 0;

  if (pss.kind == FP_FIGURE_PARTIAL)
    more = fp_total_get_spread (fp_totals_get (records, index), FP_FIELD_PSS);
  add_part (parts, n, _ ("Uncertain, at most"), fp_figure_exact (more), FP_COLOUR_LIGHT_BLUE, FP_PATTERN_STRIPED);
  add_part (parts, n, _ ("Not measured, at most"), fp_figure_exact (pss.high - pss.low - more), FP_COLOUR_RED,
            FP_PATTERN_STRIPED);
}

/* Splits the memory by kind, or shows it as one part where the kernel does not tell the kinds apart. */
static guint
make_parts (const FpRecords *records,
            guint index,
            FpBarPart *parts)
{
  FpFigure pss = fp_records_get_figure (records, index, FP_FIELD_PSS);
  FpFigure anon = fp_records_get_figure (records, index, FP_FIELD_PSS_ANON);
  guint n = 0;

  if (fp_figure_is_known (anon) && anon.kind != FP_FIGURE_AT_MOST)
    {
      add_part (parts, &n, _ ("Heap, stacks, buffers"), anon, FP_COLOUR_BLUE, FP_PATTERN_SOLID);
      add_part (parts, &n, _ ("Mapped files"), fp_records_get_figure (records, index, FP_FIELD_PSS_FILE), FP_COLOUR_LIME,
                FP_PATTERN_DOTTED);
      add_part (parts, &n, _ ("Shared memory"), fp_records_get_figure (records, index, FP_FIELD_PSS_SHMEM), FP_COLOUR_GREEN,
                FP_PATTERN_SOLID);
    }
  else
    add_part (parts, &n, _ ("Memory"), pss, FP_COLOUR_BLUE, FP_PATTERN_SOLID);
  if (fp_figure_is_known (pss) && pss.kind != FP_FIGURE_EXACT && pss.high != G_MAXUINT64)
    add_uncertain (parts, &n, records, index, pss);
  add_part (parts, &n, _ ("Huge pages"), fp_records_get_figure (records, index, FP_FIELD_HUGETLB), FP_COLOUR_BROWN,
            FP_PATTERN_SOLID);
  add_part (parts, &n, _ ("In swap"), fp_records_get_figure (records, index, FP_FIELD_SWAP_PSS), FP_COLOUR_PINK,
            FP_PATTERN_SOLID);
  add_part (parts, &n, _ ("Page tables"), fp_records_get_figure (records, index, FP_FIELD_PTE), FP_COLOUR_GREY,
            FP_PATTERN_SOLID);
  return n;
}

static void
show_parts (FpOverview *self,
            const FpRecords *records,
            guint index,
            const FpFormat *format)
{
  FpBarPart parts[MAX_PARTS];
  guint n = make_parts (records, index, parts);
  g_autofree char *legend = fp_bar_make_legend (parts, n, format->memory_total, format->style);
  guint64 whole = 0;

  for (guint i = 0; i < n; i++)
    whole += parts[i].value;
  gtk_widget_set_visible (self->made_of, n > 0);
  gtk_label_set_markup (self->legend, legend);
  fp_bar_set_parts (self->bar, _ ("What it is made of"), parts, n, whole, format->style);
}

static void
show_text (GtkLabel *label,
           const char *text)
{
  if (g_strcmp0 (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

/* Only users have it. */
static void
show_counted (FpOverview *self,
              const FpRecords *records,
              guint index,
              const FpFormat *format)
{
  gboolean is_total = records->class->kind == FP_RECORD_TOTAL;
  g_autofree char *figures = is_total ? fp_counted_describe (records, index, format) : NULL;
  g_autofree char *rest = is_total ? fp_counted_describe_rest (records, index) : NULL;

  gtk_widget_set_visible (self->counted, figures != NULL);
  show_text (self->counted_figures, figures ? figures : "");
  show_text (self->counted_rest, rest ? rest : "");
}

/* No line can be drawn of what was never measured, but that of Resident of a process. One moment is no history, and of a process that
 * has ended none is kept. */
static gboolean
has_history (const FpRecords *records,
             guint index,
             const FpHistoryPoint *points,
             guint n)
{
  FpFigure memory = fp_records_get_figure (records, index, FP_FIELD_PSS);

  if (records->class->kind == FP_RECORD_PROCESS)
    return n > 0 || !fp_process_records_has_ended (records, index);
  for (guint i = 0; i < n; i++)
    if (points[i].ends.low_kib[FP_HISTORY_PSS] != FP_HISTORY_UNKNOWN)
      return TRUE;
  return fp_figure_is_known (memory) && memory.kind != FP_FIGURE_AT_MOST;
}

static void
show_history (FpOverview *self,
              const FpRecords *records,
              guint index,
              const FpSessionState *state)
{
  const FpHistory *history = fp_session_find_history (state, records, index);
  guint n;
  const FpHistoryPoint *points = fp_history_get (history, fp_records_get_key (records, index), &n);

  gtk_widget_set_visible (self->history, state->is_live && has_history (records, index, points, n));
  fp_chart_set_kind (self->chart, records->class->kind);
  fp_chart_set_points (self->chart, points, n, state->mark, &state->format);
}

static void
show_filling (FpOverview *self,
              const FpRecords *records,
              guint index,
              const FpSessionState *state)
{
  FpKey key = fp_records_get_key (records, index);
  const FpHistory *history = fp_session_find_history (state, records, index);
  FpGrowth growth = fp_history_get_growth (history, key);
  guint n;
  const FpHistoryPoint *points = fp_history_get (history, key, &n);
  g_autofree char *words = NULL;

  growth.figure = fp_records_get_growth (records, index);
  if (!fp_key_equal (&self->grows, &key))
    self->filling = (FpFilling){ FALSE };
  self->grows = key;
  fp_filling_update (&self->filling, growth, &state->snapshot->system, state->snapshot->info.boottime_us);
  /* Memory that goes up and down is not told to fill the machine, though another part of its history has grown. */
  if (!fp_process_records_is_over (records, index) && fp_trend_find (points, n).kind != FP_TREND_VARIES)
    words = fp_filling_describe (&self->filling);
  gtk_widget_set_visible (GTK_WIDGET (self->filling_words), words != NULL);
  show_text (self->filling_words, words ? words : "");
}

static void
show_fact (FpOverview *self,
           guint place,
           const char *text)
{
  GtkWidget *value = g_ptr_array_index (self->values, place);
  GtkWidget *title = gtk_grid_get_child_at (self->facts, 0, (int)place);

  gtk_widget_set_visible (value, text != NULL);
  gtk_widget_set_visible (title, text != NULL);
  if (text && place == FACT_COMMAND)
    fp_command_view_set_text (self->command, text);
  else if (text && g_strcmp0 (gtk_label_get_text (GTK_LABEL (value)), text) != 0)
    gtk_label_set_text (GTK_LABEL (value), text);
}

static void
show_parent (FpOverview *self,
             const FpRecords *records,
             const FpProcess *process)
{
  const FpSnapshot *snapshot = process ? fp_process_records_get_snapshot (records) : NULL;
  const FpProcess *parent = process ? fp_snapshot_find (snapshot, process->ppid) : NULL;
  g_autofree char *text = NULL;
  char name[256];

  gtk_widget_set_visible (self->parent_title, parent != NULL);
  gtk_widget_set_visible (self->parent_link, parent != NULL);
  self->parent_pid = parent ? parent->pid : 0;
  if (!parent)
    return;
  fp_display_escape (fp_snapshot_get_text (snapshot, parent, FP_TEXT_PROGRAM), name, sizeof name);
  text = g_strdup_printf ("%s (%d)", *name ? name : "—", parent->pid);
  gtk_button_set_label (GTK_BUTTON (self->parent_link), text);
}

/* In words. NULL: as the kernel has it */
static const char *
describe_state (const char *letter)
{
  static const struct
  {
    char letter;
    const char *words;
  } states[] = {
    /* Translators: the state of a process */
    { 'R', NC_ ("state", "Running") },
    /* Translators: the state of a process */
    { 'S', NC_ ("state", "Sleeping") },
    { 'D', NC_ ("state", "Waiting for a disk") },
    /* Translators: the state of a process */
    { 'T', NC_ ("state", "Paused") },
    { 't', NC_ ("state", "Stopped by a debugger") },
    { 'Z', NC_ ("state", "Ended") },
    /* Translators: the state of a thread of the kernel */
    { 'I', NC_ ("state", "Idle") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (states[i].letter == *letter)
      return g_dpgettext2 (NULL, "state", states[i].words);
  return NULL;
}

static void
append_limit (GString *text,
              const char *title,
              guint64 limit,
              const FpFormat *format)
{
  char size[FP_FIGURE_TEXT_SIZE];

  if (limit == FP_NO_LIMIT)
    return;
  fp_format_memory (format, fp_figure_exact (limit), size);
  g_string_append_printf (text, "%s%s %s", text->len ? "\n" : "", title, size);
}

static void
show_limits (FpOverview *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->details)
    {
      append_limit (text, _ ("Address space"), self->details->limits.address_space, &self->format);
      append_limit (text, _ ("Control group"), self->details->limits.group_max, &self->format);
      append_limit (text, _ ("Throttled above"), self->details->limits.group_high, &self->format);
    }
  show_fact (self, FACT_LIMITS, text->len > 0 ? text->str : NULL);
}

/* The list ends a command with an ellipsis where it knows only the beginning. */
static gboolean
is_beginning (const char *beginning,
              const char *command)
{
  return g_str_has_suffix (beginning, "…") && strncmp (beginning, command, strlen (beginning) - strlen ("…")) == 0;
}

static void
show_command (FpOverview *self)
{
  const char *whole = self->details ? self->details->command : NULL;
  const char *text = whole && is_beginning (self->known_command, whole) ? whole : self->known_command;
  gsize size = strlen (text) * strlen ("\\xff") + 1;
  g_autofree char *shown = g_malloc (size);

  fp_display_escape (text, shown, size);
  show_fact (self, FACT_COMMAND, *shown ? shown : NULL);
}

static void
details_loaded_cb (GObject *source,
                   GAsyncResult *result,
                   gpointer data)
{
  g_autoptr (FpOverview) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpDetails) details = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_DETAILS, result, &error);

  /* Processes that have ended, and those of a saved snapshot, have no details. */
  if (!details)
    return;
  g_clear_pointer (&self->details, fp_details_free);
  self->details = g_steal_pointer (&details);
  show_limits (self);
  show_command (self);
}

static void
cancel (FpOverview *self)
{
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/* Once for each process that is chosen, and again when its command is another and there is more of it than is known. */
static void
load_details (FpOverview *self,
              const FpProcess *process,
              const char *command)
{
  FpProcessId id = process ? (FpProcessId){ process->pid, process->start_ticks } : (FpProcessId){ 0, 0 };
  gboolean is_same = fp_process_id_equal (&self->id, &id);

  if (is_same && g_strcmp0 (self->known_command, command) == 0)
    return;
  g_free (self->known_command);
  self->known_command = g_strdup (command);
  if (is_same && !g_str_has_suffix (command, "…"))
    return;
  cancel (self);
  if (!is_same)
    {
      fp_command_view_collapse (self->command);
      g_clear_pointer (&self->details, fp_details_free);
    }
  self->id = id;
  if (!process || !self->source)
    return;
  self->cancellable = g_cancellable_new ();
  fp_source_request_async (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_DETAILS, .id = id }, self->cancellable,
                           details_loaded_cb, g_object_ref (self));
}

static void
show_facts (FpOverview *self,
            const FpRecords *records,
            guint index,
            const FpFormat *format)
{
  const FpProcess *process =
      records->class->kind == FP_RECORD_PROCESS ? fp_process_records_get (records, index) : NULL;
  char text[FP_CELL_SIZE], shown[FP_CELL_SIZE];
  const FpColumn *column;
  const char *command;

  for (guint i = FACT_COMMAND + 1; (column = fp_column_set_get (facts, i)); i++)
    {
      text[0] = '\0';
      if (process)
        fp_column_format (column, records, index, format, text, sizeof text);
      fp_display_escape (text, shown, sizeof shown);
      if (column->role == FP_ROLE_STATE && describe_state (shown))
        g_strlcpy (shown, describe_state (shown), sizeof shown);
      show_fact (self, i, *shown && !g_str_equal (shown, "—") ? shown : NULL);
    }
  show_parent (self, records, process);
  command = process ? fp_process_records_get_text (records, index, FP_TEXT_COMMAND) : "";
  load_details (self, process, command);
  show_command (self);
  show_limits (self);
}

/* The memory on the card is nowhere else in the overview. */
static void
show_graphics (FpOverview *self,
               const FpDetailTarget *target,
               const FpSessionState *state)
{
  const gboolean is_process = target->records->class->kind == FP_RECORD_PROCESS;
  const FpProcess *process = is_process ? fp_process_records_get (target->records, target->index) : NULL;
  g_autofree char *text = NULL;

  if (process && state->kept)
    text = fp_graphics_words_describe (state->kept, &(FpProcessId){ process->pid, process->start_ticks }, &state->format);
  show_fact (self, FACT_GRAPHICS, text);
}

/* Kernel threads have no heap, and of an ended process there is none any more. */
static void
show_malloc (FpOverview *self,
             const FpRecords *records,
             guint index,
             const FpFormat *format)
{
  const FpProcess *process = records->class->kind == FP_RECORD_PROCESS ? fp_process_records_get (records, index) : NULL;
  gboolean has_heap = process && self->source && !fp_source_get_status (self->source).is_saved &&
                      !fp_process_is_kernel_thread (process) && !fp_process_is_over (process);

  gtk_widget_set_visible (GTK_WIDGET (self->malloc), has_heap);
  if (has_heap)
    fp_malloc_card_show (self->malloc, self->source, &(FpProcessId){ process->pid, process->start_ticks }, format);
  else
    fp_malloc_card_clear (self->malloc);
}

void
fp_overview_set_source (FpOverview *self,
                        FpSource *source)
{
  g_return_if_fail (FP_IS_OVERVIEW (self));

  g_set_object (&self->source, source);
}

/* The view of the machine shows what the kernel counts, which differs a little. Free the text. */
static char *
describe_use (const FpDetailTarget *target,
              const FpSessionState *state)
{
  g_autofree char *use = fp_sum_describe_use (target->records, target->index, &state->format), *counted = NULL;

  if (target->records == state->sum)
    counted = fp_sum_describe_programs (&state->snapshot->system, state->sum, &state->format);
  return counted ? g_strdup_printf ("%s\n%s", use, counted) : g_steal_pointer (&use);
}

void
fp_overview_update (FpOverview *self,
                    const FpDetailTarget *target,
                    const FpSessionState *state)
{
  g_autofree char *summary = NULL;

  g_return_if_fail (FP_IS_OVERVIEW (self));

  summary = describe_use (target, state);
  show_text (self->summary, summary);
  self->format = state->format;
  show_fact (self, FACT_MEMBERS, target->members);
  show_graphics (self, target, state);
  gtk_widget_set_visible (GTK_WIDGET (self->ending), target->ending != NULL);
  if (target->ending)
    show_text (self->ending, target->ending);
  show_parts (self, target->records, target->index, &state->format);
  show_counted (self, target->records, target->index, &state->format);
  show_history (self, target->records, target->index, state);
  show_filling (self, target->records, target->index, state);
  show_malloc (self, target->records, target->index, &state->format);
  show_facts (self, target->records, target->index, &state->format);
}

static void
parent_clicked_cb (FpOverview *self)
{
  g_signal_emit (self, signals[PROCESS_REQUESTED], 0, self->parent_pid);
}

static GtkWidget *
add_title (FpOverview *self,
           const char *text,
           int row)
{
  GtkWidget *title = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (title), 1);
  gtk_widget_set_valign (title, GTK_ALIGN_START);
  gtk_widget_add_css_class (title, "dim-label");
  gtk_grid_attach (self->facts, title, 0, row, 1, 1);
  return title;
}

static GtkWidget *
add_value (FpOverview *self,
           int row)
{
  GtkWidget *value = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (value), 0);
  fp_names_label_wrap (GTK_LABEL (value));
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_set_hexpand (value, TRUE);
  gtk_grid_attach (self->facts, value, 1, row, 1, 1);
  return value;
}

/* A tab stop as wide as the widest figure lines up the texts behind the figures. */
static void
set_tab (GtkWidget *label)
{
  g_autoptr (PangoLayout) widest = gtk_widget_create_pango_layout (label, "≤ 1023 MiB ");
  PangoTabArray *tabs = pango_tab_array_new (1, FALSE);
  int width;

  pango_layout_get_size (widest, &width, NULL);
  pango_tab_array_set_tab (tabs, 0, PANGO_TAB_LEFT, width);
  gtk_label_set_tabs (GTK_LABEL (label), tabs);
  gtk_widget_add_css_class (label, "numeric");
  pango_tab_array_free (tabs);
}

static GtkWidget *
add_command (FpOverview *self,
             int row)
{
  self->command = g_object_new (FP_TYPE_COMMAND_VIEW, "hexpand", TRUE, NULL);
  gtk_grid_attach (self->facts, GTK_WIDGET (self->command), 1, row, 1, 1);
  return GTK_WIDGET (self->command);
}

static void
add_facts (FpOverview *self)
{
  const FpColumn *column;
  int row = 0;

  for (; (column = fp_column_set_get (facts, (guint)row)); row++)
    {
      gtk_widget_set_tooltip_text (add_title (self, _ (column->title), row), _ (column->meaning));
      g_ptr_array_add (self->values, row == FACT_COMMAND ? add_command (self, row) : add_value (self, row));
    }
  /* Translators: title of the limits of a group of the kernel */
  add_title (self, _ ("Limits"), row);
  g_ptr_array_add (self->values, add_value (self, row++));
  add_title (self, _ ("Graphics"), row);
  g_ptr_array_add (self->values, add_value (self, row++));
  add_title (self, _ ("Processes"), row);
  g_ptr_array_add (self->values, add_value (self, row));
  set_tab (gtk_grid_get_child_at (self->facts, 1, row++));
  self->parent_title = add_title (self, C_ ("process", "Parent"), row);
  self->parent_link = gtk_button_new ();
  gtk_widget_set_halign (self->parent_link, GTK_ALIGN_START);
  gtk_widget_add_css_class (self->parent_link, "link");
  gtk_widget_add_css_class (self->parent_link, "fact");
  g_signal_connect_swapped (self->parent_link, "clicked", G_CALLBACK (parent_clicked_cb), self);
  gtk_grid_attach (self->facts, self->parent_link, 1, row, 1, 1);
}

static void
fp_overview_dispose (GObject *object)
{
  FpOverview *self = FP_OVERVIEW (object);

  cancel (self);
  g_clear_object (&self->source);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);

  G_OBJECT_CLASS (fp_overview_parent_class)->dispose (object);
}

static void
fp_overview_finalize (GObject *object)
{
  FpOverview *self = FP_OVERVIEW (object);

  g_ptr_array_unref (self->values);
  g_clear_pointer (&self->details, fp_details_free);
  g_free (self->known_command);

  G_OBJECT_CLASS (fp_overview_parent_class)->finalize (object);
}

static void
fp_overview_class_init (FpOverviewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_overview_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_overview_finalize;

  signals[PROCESS_REQUESTED] = g_signal_new ("process-requested", FP_TYPE_OVERVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                             NULL, G_TYPE_NONE, 1, G_TYPE_INT);

  g_type_ensure (FP_TYPE_BAR);
  g_type_ensure (FP_TYPE_CHART);
  g_type_ensure (FP_TYPE_MALLOC_CARD);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-overview.ui");
  gtk_widget_class_bind_template_child (widget_class, FpOverview, scroller);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, summary);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, ending);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, made_of);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, bar);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, legend);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, counted);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, counted_figures);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, counted_rest);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, history);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, chart);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, filling_words);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, malloc);
  gtk_widget_class_bind_template_child (widget_class, FpOverview, facts);
}

static void
fp_overview_init (FpOverview *self)
{
  self->values = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  add_facts (self);
}
