// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "fp-display.h"
#include "fp-machine-colours.h"
#include "fp-memory-bar.h"
#include "fp-machine.h"
#include "fp-palette.h"
#include "fp-rows.h"
#include "fp-totals.h"

#define MAX_USERS    4
#define MAX_PARTS    (MAX_USERS + 12)
#define N_UNKNOWN    3 /* parts of programs that nobody is told of */
#define NARROW_PARTS 6 /* in the legend; its tooltip and the bar have all */
#define SWAP_LINES   2 /* of the words above a swap device, which its tooltip has in full */

struct _FpMemoryBar
{
  AdwBin parent;

  /* Template widgets */
  GtkLabel *title;
  FpBar *bar;
  GtkLabel *legend;
  GtkWidget *swaps;
  GtkWidget *no_swap;

  FpSession *session; /* not owned: the window's */
  GPtrArray *swap_bars;
  guint optional_seen;           /* bits of OptionalPart: they were shown once */
  char *colour_users[MAX_USERS]; /* the users who have each of user_colours; NULL: nobody had it yet */
  GHashTable *former_colours;    /* by user: the place among user_colours that was theirs last, and 1 */
  gboolean is_narrow;
  int legend_width; /* when its room was measured */
  int legend_room;
  guint room_source;
};

typedef enum
{
  PART_MORE_AT_MOST,
  PART_UNREAD,
  PART_HIDDEN,
  PART_REST,
  PART_GRAPHICS,
  PART_SWAP,
  PART_HUGE_PAGES,
  PART_ALWAYS,
} OptionalPart;

/* The parts of the bar, and those that are not there yet. */
typedef struct
{
  FpBarPart shown[MAX_PARTS];
  guint n_shown;
  char users[MAX_USERS][FP_FIGURE_TEXT_SIZE];
  char names[MAX_USERS][128];
  char figures[FP_N_MACHINE_LINES + N_UNKNOWN + 1][2 * FP_FIGURE_TEXT_SIZE];
} Parts;

/* A swap device: a line of words above its bar. */
typedef struct
{
  GtkWidget *box;
  GtkWidget *title;
  GtkWidget *bar;
} SwapBar;

G_DEFINE_FINAL_TYPE (FpMemoryBar, fp_memory_bar, ADW_TYPE_BIN)

static const char *const user_colours[MAX_USERS] = { FP_COLOUR_BLUE, FP_COLOUR_LIME, FP_COLOUR_ORANGE, FP_COLOUR_GREEN };

static char *
format_part (guint64 bytes,
             FpFigureStyle style,
             guint64 whole)
{
  char text[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (bytes), FP_UNIT_BYTES, style, whole, text, sizeof text);
  return g_strdup (text);
}

/* The whole is always 100 %, so IEC units replace the percentage. */
static char *
format_whole (guint64 bytes,
              FpFigureStyle style)
{
  return format_part (bytes, style == FP_STYLE_PERCENT ? FP_STYLE_IEC : style, 0);
}

static gboolean
has_colour (FpMemoryBar *self,
            const char *user)
{
  for (guint i = 0; i < MAX_USERS; i++)
    if (g_strcmp0 (self->colour_users[i], user) == 0)
      return TRUE;
  return FALSE;
}

/* A user keeps a colour until somebody needs it who has more memory, and has the same again where that is free. shown: those
 * who have most, with NULL at the end */
static const char *
claim_colour (FpMemoryBar *self,
              const char *user,
              const char *const *shown)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->former_colours, user)) - 1u;

  for (guint i = 0; i < MAX_USERS; i++)
    if (g_strcmp0 (self->colour_users[i], user) == 0)
      return user_colours[i];
  if (place >= MAX_USERS || g_strv_contains (shown, self->colour_users[place]))
    place = MAX_USERS;
  for (guint i = 0; i < MAX_USERS && place == MAX_USERS; i++)
    if (!self->colour_users[i])
      place = i;
  for (guint i = 0; i < MAX_USERS && place == MAX_USERS; i++)
    if (!g_strv_contains (shown, self->colour_users[i]))
      place = i;
  g_return_val_if_fail (place < MAX_USERS, user_colours[0]);
  g_free (self->colour_users[place]);
  self->colour_users[place] = g_strdup (user);
  g_hash_table_replace (self->former_colours, g_strdup (user), GUINT_TO_POINTER (place + 1));
  return user_colours[place];
}

/* Users of like size would take turns at being among the biggest, so who has a colour needs a fifth less. */
static guint64
weigh (FpMemoryBar *self,
       const FpTotal *user)
{
  guint64 bytes = user->low[FP_FIELD_PSS];

  return has_colour (self, user->name) ? bytes + bytes / 4 : bytes;
}

/* The weight that only MAX_USERS users have. */
static guint64
find_least_weight (FpMemoryBar *self,
                   const FpRecords *totals)
{
  guint64 least[MAX_USERS] = { 0 };

  for (guint i = 0; i < totals->n; i++)
    {
      guint64 weight = weigh (self, fp_totals_get (totals, i));

      for (guint j = 0; j < MAX_USERS; j++)
        if (weight > least[j])
          {
            guint64 lighter = least[j];

            least[j] = weight;
            weight = lighter;
          }
    }
  return MAX (least[MAX_USERS - 1], 1);
}

/* The biggest by name, each with the figure that the lists have, and the others as one. */
static void
add_users (FpMemoryBar *self,
           Parts *parts)
{
  const FpSessionState *session = fp_session_get (self->session);
  g_autoptr (FpRows) rows = fp_rows_new ();
  const char *shown[MAX_USERS + 1] = { NULL };
  guint64 others = 0, least = find_least_weight (self, session->totals);

  fp_rows_set_sort (rows, fp_columns_get_role (FP_ROLE_MEMORY, FP_RECORD_TOTAL), TRUE);
  fp_rows_update (rows, session->totals, NULL);
  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      guint index = fp_rows_get (rows, i)->index, n = parts->n_shown;
      const FpTotal *user = fp_totals_get (session->totals, index);
      guint64 bytes = user->low[FP_FIELD_PSS];
      g_autofree char *name = NULL;

      if (n == MAX_USERS || weigh (self, user) < least)
        {
          others += bytes;
          continue;
        }
      name = fp_display_make_user (user->name);
      /* Memory that was not measured is a part of its own. */
      fp_format_memory (&session->format, fp_figure_between (bytes, bytes + fp_total_get_spread (user, FP_FIELD_PSS)), parts->users[n]);
      shown[n] = user->name;
      fp_display_escape (name, parts->names[n], sizeof parts->names[n]);
      parts->shown[parts->n_shown++] = (FpBarPart){ parts->names[n], bytes, NULL, FP_PATTERN_SOLID, parts->users[n] };
    }
  for (guint i = 0; i < parts->n_shown; i++)
    parts->shown[i].colour = claim_colour (self, shown[i], shown);
  if (others > 0)
    parts->shown[parts->n_shown++] = (FpBarPart){ _ ("Other users"), others, FP_COLOUR_SLATE, FP_PATTERN_DOTTED };
}

static guint64
positive (gint64 value)
{
  return value > 0 ? (guint64)value : 0;
}

/* A part that came later would move the list below by a line: swap comes with its first page, graphics with their first
 * reading, and the users' bound when a process has changed while it was read. */
static void
show_expected_parts (FpMemoryBar *self)
{
  const FpSessionState *session = fp_session_get (self->session);

  if (session->format.swap_total > 0)
    self->optional_seen |= 1u << PART_SWAP;
  if (!session->is_live)
    return;
  self->optional_seen |= 1u << PART_MORE_AT_MOST;
  if (g_file_test ("/dev/dri", G_FILE_TEST_IS_DIR))
    self->optional_seen |= 1u << PART_GRAPHICS;
}

/* A part that comes and goes would move the others of the legend, so it stays once it was there. */
static void
add_part (FpMemoryBar *self,
          Parts *parts,
          OptionalPart part,
          const FpBarPart *bar_part)
{
  if (bar_part->value > 0 && part != PART_ALWAYS)
    self->optional_seen |= 1u << part;
  if (part == PART_ALWAYS || (self->optional_seen >> part & 1))
    parts->shown[parts->n_shown++] = *bar_part;
}

/* Programs have memory that is nobody's here: of processes that change while they are read, can't be read or are hidden. Each
 * part has its bound as its figure. Bounds overlap, so in the bar each has at most what the others leave. */
static void
add_unknown_programs (FpMemoryBar *self,
                      Parts *parts,
                      const FpMachineState *state)
{
  static const struct
  {
    OptionalPart part;
    const char *title;
    const char *colour;
    FpPattern pattern;
  } infos[N_UNKNOWN] = {
    { PART_MORE_AT_MOST, N_ ("Uncertain, at most"), FP_COLOUR_LIGHT_BLUE, FP_PATTERN_STRIPED },
    { PART_UNREAD, N_ ("Not measured, at most"), FP_COLOUR_RED, FP_PATTERN_STRIPED },
    { PART_HIDDEN, N_ ("Hidden programs, at most"), FP_COLOUR_RED, FP_PATTERN_CROSSED },
  };
  const FpSessionState *session = fp_session_get (self->session);
  const FpTotal *all = fp_totals_get (session->sum, 0);
  FpMachineUnknown unknown;
  guint64 bounds[N_UNKNOWN], left;

  fp_machine_state_find_unknown (state, &session->snapshot->system, all, &unknown);
  left = unknown.all;
  bounds[0] = unknown.gained.high;
  bounds[1] = unknown.unread.high;
  bounds[2] = unknown.hidden.high;
  for (guint i = 0; i < N_UNKNOWN; i++)
    {
      guint64 drawn = MIN (bounds[i], left);
      char *figure = parts->figures[FP_N_MACHINE_LINES + i];

      /* When all could be read this part goes, as it would say that nothing is at most nothing. */
      if (infos[i].part == PART_UNREAD && all->n_unread == 0)
        continue;
      fp_format_memory (&session->format, fp_figure_exact (bounds[i]), figure);
      left -= drawn;
      add_part (self, parts, infos[i].part,
                &(FpBarPart){ _ (infos[i].title), drawn, infos[i].colour, infos[i].pattern, figure });
    }
  /* A bar that ended before its end would look like free memory. */
  if (unknown.rest.high > 0)
    {
      char *figure = parts->figures[FP_N_MACHINE_LINES + N_UNKNOWN];

      fp_format_memory (&session->format, unknown.rest, figure);
      add_part (self, parts, PART_REST, &(FpBarPart){ _ ("Other programs"), unknown.rest.low, FP_COLOUR_SLATE, FP_PATTERN_CROSSED, figure });
    }
}

/* Ranges come in pairs: one of them has its lower end in the bar and the other its upper end, so that the bar is full. */
static void
add_lines (FpMemoryBar *self,
           Parts *parts,
           const FpMachineState *state)
{
  static const struct
  {
    FpMachineLine line;
    FpPattern pattern;
    OptionalPart part;
  } lines[] = {
    { FP_MACHINE_GRAPHICS, FP_PATTERN_SOLID, PART_GRAPHICS },
    { FP_MACHINE_KEPT, FP_PATTERN_DOTTED, PART_ALWAYS },
    { FP_MACHINE_SWAP, FP_PATTERN_SOLID, PART_SWAP },
    { FP_MACHINE_CACHE, FP_PATTERN_SOLID, PART_ALWAYS },
    { FP_MACHINE_KERNEL, FP_PATTERN_SOLID, PART_ALWAYS },
    { FP_MACHINE_HUGE_PAGES, FP_PATTERN_SOLID, PART_HUGE_PAGES },
    { FP_MACHINE_FREE, FP_PATTERN_SOLID, PART_ALWAYS },
    { FP_MACHINE_UNEXPLAINED, FP_PATTERN_FALLING, PART_ALWAYS },
  };
  const FpSessionState *session = fp_session_get (self->session);

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      FpMachineLine line = lines[i].line;
      const FpMachineEnds *ends = &state->lines[line];
      const gboolean has_upper_end = line == FP_MACHINE_CACHE || line == FP_MACHINE_UNEXPLAINED;
      const char *colour = line == FP_MACHINE_FREE ? FP_COLOUR_TROUGH : fp_machine_colours[line];

      fp_machine_ends_format (*ends, &session->format, FALSE, parts->figures[i], sizeof parts->figures[i]);
      /* Views that do not show graphics do not have them read. */
      if (line == FP_MACHINE_GRAPHICS && !state->has_graphics)
        g_strlcpy (parts->figures[i], "—", sizeof parts->figures[i]);
      add_part (self, parts, lines[i].part,
                &(FpBarPart){ _ (fp_machine_line_infos[line].title), positive (has_upper_end ? ends->high : ends->low),
                              colour, lines[i].pattern, parts->figures[i] });
    }
}

static char *
describe_memory (const FpSystem *system,
                 FpFigureStyle style)
{
  guint64 whole = fp_system_get (system, FP_SYSTEM_MEM_TOTAL);
  g_autofree char *size = format_whole (whole, style), *available = NULL;

  if (!fp_system_has (system, FP_SYSTEM_MEM_AVAILABLE))
    return g_strdup_printf (_ ("Memory: %s"), size);
  available = format_part (fp_system_get (system, FP_SYSTEM_MEM_AVAILABLE), style, whole);
  /* Translators: amounts of memory */
  return g_strdup_printf (_ ("Memory: %s, of which %s is available"), size, available);
}

/* A dash is no nothing: the part may have any size. */
static gboolean
is_nothing (FpMemoryBar *self,
            const FpBarPart *part)
{
  char nothing[FP_FIGURE_TEXT_SIZE];

  fp_format_memory (&fp_session_get (self->session)->format, fp_figure_exact (0), nothing);
  return part->value == 0 && g_strcmp0 (part->figure, nothing) == 0;
}

static int
compare_sizes (gconstpointer a,
               gconstpointer b)
{
  guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;

  return (x < y) - (x > y);
}

/* The size that a part needs for a place in the legend. n_hidden: how many have none */
static guint64
find_least_size (const FpBarPart *parts,
                 guint n,
                 guint n_places,
                 guint *n_hidden)
{
  guint64 sizes[MAX_PARTS];

  *n_hidden = n > n_places ? n - n_places : 0;
  if (*n_hidden == 0)
    return 0;
  for (guint i = 0; i < n; i++)
    sizes[i] = parts[i].value;
  qsort (sizes, n, sizeof *sizes, compare_sizes);
  return sizes[n_places - 1];
}

/* A narrow window has room for the biggest parts. Free the text. */
static char *
make_legend (FpMemoryBar *self,
             const Parts *parts,
             guint64 whole,
             FpFigureStyle style)
{
  FpBarPart listed[MAX_PARTS];
  guint n = 0, n_listed = 0, n_hidden;
  guint64 least;
  g_autofree char *legend = NULL;
  g_autoptr (GString) more = g_string_new (NULL);

  for (guint i = 0; i < parts->n_shown; i++)
    if (!is_nothing (self, &parts->shown[i]))
      listed[n++] = parts->shown[i];
  if (!self->is_narrow)
    return fp_bar_make_legend (listed, n, whole, style);
  least = find_least_size (listed, n, NARROW_PARTS, &n_hidden);
  for (guint i = 0; i < n; i++)
    if (listed[i].value >= least && n_listed < NARROW_PARTS)
      listed[n_listed++] = listed[i];
  legend = fp_bar_make_legend (listed, n_listed, whole, style);
  if (n_hidden == 0)
    return g_steal_pointer (&legend);
  /* Translators: at the end of a list of parts of memory: those that it has no room for */
  g_string_append_printf (more, ngettext ("and %u more", "and %u more", n_hidden), n_hidden);
  g_string_replace (more, " ", "\u00a0", 0);
  return g_strconcat (legend, FP_BAR_LEGEND_GAP, more->str, NULL);
}

static void
set_markup (GtkLabel *label,
            const char *markup)
{
  if (g_strcmp0 (gtk_label_get_label (label), markup) != 0)
    gtk_label_set_markup (label, markup);
}

static int
measure_legend (FpMemoryBar *self,
                const char *markup,
                int width)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self->legend), NULL);
  int height;

  pango_layout_set_markup (layout, markup, -1);
  pango_layout_set_width (layout, width * PANGO_SCALE);
  pango_layout_get_pixel_size (layout, NULL, &height);
  return height;
}

/* Parts that are nothing yet keep their room, and so does a line that shorter figures do not need, so that the list below
 * does not move. The room is at the end, where it does not part the legend from the swap. */
static void
keep_room (FpMemoryBar *self,
           const char *all)
{
  int width = self->is_narrow ? 0 : gtk_widget_get_width (GTK_WIDGET (self->legend)), spare = 0;

  if (width != self->legend_width)
    self->legend_room = 0;
  self->legend_width = width;
  if (width > 0)
    {
      self->legend_room = MAX (self->legend_room, measure_legend (self, all, width));
      spare = self->legend_room - measure_legend (self, gtk_label_get_label (self->legend), width);
    }
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->swaps), MAX (spare, 0));
}

static gboolean
keep_room_cb (gpointer data)
{
  FpMemoryBar *self = data;
  const char *all = gtk_widget_get_tooltip_markup (GTK_WIDGET (self->legend));

  self->room_source = 0;
  if (all)
    keep_room (self, all);
  return G_SOURCE_REMOVE;
}

static void
update_memory (FpMemoryBar *self,
               const FpSystem *system,
               FpFigureStyle style)
{
  const FpSessionState *session = fp_session_get (self->session);
  guint64 whole = fp_system_get (system, FP_SYSTEM_MEM_TOTAL);
  g_autofree char *title = NULL, *legend = NULL, *all = NULL;
  Parts parts = { 0 };
  FpMachineState state;

  show_expected_parts (self);
  add_users (self, &parts);
  if (fp_machine_state_make (&state, system, fp_totals_get (session->sum, 0), session->kept))
    {
      add_unknown_programs (self, &parts, &state);
      add_lines (self, &parts, &state);
    }
  title = describe_memory (system, style);
  legend = make_legend (self, &parts, whole, style);
  all = fp_bar_make_legend (parts.shown, parts.n_shown, whole, style);
  gtk_label_set_text (self->title, title);
  set_markup (self->legend, legend);
  keep_room (self, all);
  gtk_widget_set_tooltip_markup (GTK_WIDGET (self->legend), all);
  fp_bar_set_parts (self->bar, _ ("Memory"), parts.shown, parts.n_shown, whole, style);
}

static SwapBar *
get_swap_bar (FpMemoryBar *self,
              guint i)
{
  SwapBar *swap;

  if (i < self->swap_bars->len)
    return g_ptr_array_index (self->swap_bars, i);
  swap = g_new0 (SwapBar, 1);
  swap->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  swap->title = gtk_label_new (NULL);
  swap->bar = fp_bar_new ();
  gtk_label_set_xalign (GTK_LABEL (swap->title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (swap->title), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (swap->title), TRUE);
  gtk_label_set_lines (GTK_LABEL (swap->title), SWAP_LINES);
  gtk_widget_add_css_class (swap->title, "caption");
  gtk_widget_set_hexpand (swap->box, TRUE);
  /* Side by side their bars are in line. */
  gtk_widget_set_valign (swap->box, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (swap->box), swap->title);
  gtk_box_append (GTK_BOX (swap->box), swap->bar);
  gtk_box_append (GTK_BOX (self->swaps), swap->box);
  g_ptr_array_add (self->swap_bars, swap);
  return swap;
}

/* zram costs memory: what it stores is in it packed. */
static char *
describe_swap (const FpSwap *swap,
               FpFigureStyle style,
               guint64 memory)
{
  gboolean is_full = fp_machine_is_swap_nearly_full (swap->used, swap->size);
  g_autofree char *used = fp_figure_format_part (swap->used, swap->size, style), *cost = NULL, *name = NULL;
  char shown[256];

  fp_display_escape (swap->name, shown, sizeof shown);
  name = fp_display_isolate (shown);
  if (!fp_swap_has_cost (swap) || swap->stored == 0 || swap->cost == 0)
    /* Translators: a swap device, and how much of it */
    return g_strdup_printf (is_full ? _ ("Swap %s is nearly full: %s used") : _ ("Swap %s: %s used"), name, used);
  cost = format_part (swap->cost, style, memory);
  /* Translators: a swap device, how much of it, how much memory that takes, and how many times smaller it was made */
  return g_strdup_printf (is_full ? _ ("Swap %s is nearly full: %s used, in %s of memory (%.1f to 1)")
                                  /* Translators: the same */
                                  : _ ("Swap %s: %s used, in %s of memory (%.1f to 1)"),
                          name, used, cost, (double)swap->stored / (double)swap->cost);
}

static void
show_swap (FpMemoryBar *self,
           guint i,
           const char *text,
           guint64 used,
           guint64 size)
{
  SwapBar *swap = get_swap_bar (self, i);
  FpBarPart part = { _ ("Used"), used, fp_machine_is_swap_nearly_full (used, size) ? FP_COLOUR_RED : FP_COLOUR_PINK, FP_PATTERN_SOLID };

  gtk_label_set_text (GTK_LABEL (swap->title), text);
  gtk_widget_set_tooltip_text (swap->title, text);
  fp_bar_set_parts (FP_BAR (swap->bar), text, &part, 1, size, fp_session_get (self->session)->format.style);
  gtk_widget_set_visible (swap->box, TRUE);
}

/* Saved files and some containers have the sum of all swap alone. Returns the number of bars. */
static guint
show_sum_of_swap (FpMemoryBar *self,
                  const FpSystem *system,
                  FpFigureStyle style)
{
  guint64 size = fp_system_get (system, FP_SYSTEM_SWAP_TOTAL), bytes;
  g_autofree char *used = NULL, *text = NULL;

  if (size == 0 || !fp_system_get_swap_used (system, &bytes))
    return 0;
  used = fp_figure_format_part (bytes, size, style);
  text = g_strdup_printf (fp_machine_is_swap_nearly_full (bytes, size) ? _ ("Swap is nearly full: %s used") : _ ("Swap: %s used"), used);
  show_swap (self, 0, text, bytes, size);
  return 1;
}

static void
update_swaps (FpMemoryBar *self,
              const FpSystem *system,
              FpFigureStyle style)
{
  guint n = (guint)system->n_swaps;

  for (guint i = 0; i < n; i++)
    {
      const FpSwap *device = &system->swaps[i];
      g_autofree char *text = describe_swap (device, style, fp_system_get (system, FP_SYSTEM_MEM_TOTAL));

      show_swap (self, i, text, device->used, device->size);
    }
  if (n == 0)
    n = show_sum_of_swap (self, system, style);
  gtk_widget_set_visible (self->no_swap, n == 0 && fp_system_has (system, FP_SYSTEM_SWAP_TOTAL) &&
                                             fp_system_get (system, FP_SYSTEM_SWAP_TOTAL) == 0);
  for (guint i = n; i < self->swap_bars->len; i++)
    gtk_widget_set_visible (((SwapBar *)self->swap_bars->pdata[i])->box, FALSE);
}

static void
update (FpMemoryBar *self)
{
  const FpSnapshot *snapshot = fp_session_get (self->session)->snapshot;
  FpFigureStyle style = fp_session_get (self->session)->format.style;

  if (!snapshot)
    return;
  if (fp_system_has (&snapshot->system, FP_SYSTEM_MEM_TOTAL))
    update_memory (self, &snapshot->system, style);
  else
    gtk_label_set_text (self->title, _ ("Memory: unknown (meminfo could not be read)"));
  update_swaps (self, &snapshot->system, style);
}

/* To be called at each change of the width */
void
fp_memory_bar_set_narrow (FpMemoryBar *self,
                          gboolean is_narrow)
{
  g_return_if_fail (FP_IS_MEMORY_BAR (self));

  /* Once the legend has its place, and not as late as with the next figures, when the list would move. */
  if (self->room_source == 0)
    self->room_source = g_idle_add (keep_room_cb, self);
  if (self->is_narrow == is_narrow)
    return;
  self->is_narrow = is_narrow;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->swaps),
                                  is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_spacing (GTK_BOX (self->swaps), is_narrow ? 4 : 18);
  gtk_box_set_homogeneous (GTK_BOX (self->swaps), !is_narrow);
  if (self->session)
    update (self);
}

/* The session must live longer. */
void
fp_memory_bar_set_session (FpMemoryBar *self,
                           FpSession *session)
{
  g_return_if_fail (FP_IS_MEMORY_BAR (self));

  self->session = session;
  g_signal_connect_object (session, "refreshed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::format", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

static void
fp_memory_bar_finalize (GObject *object)
{
  FpMemoryBar *self = FP_MEMORY_BAR (object);

  g_clear_handle_id (&self->room_source, g_source_remove);
  g_ptr_array_unref (self->swap_bars);
  for (guint i = 0; i < MAX_USERS; i++)
    g_free (self->colour_users[i]);
  g_hash_table_unref (self->former_colours);

  G_OBJECT_CLASS (fp_memory_bar_parent_class)->finalize (object);
}

static void
fp_memory_bar_class_init (FpMemoryBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = fp_memory_bar_finalize;

  g_type_ensure (FP_TYPE_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-memory-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FpMemoryBar, title);
  gtk_widget_class_bind_template_child (widget_class, FpMemoryBar, bar);
  gtk_widget_class_bind_template_child (widget_class, FpMemoryBar, legend);
  gtk_widget_class_bind_template_child (widget_class, FpMemoryBar, swaps);
  gtk_widget_class_bind_template_child (widget_class, FpMemoryBar, no_swap);
}

static void
fp_memory_bar_init (FpMemoryBar *self)
{
  self->former_colours = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->swap_bars = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
}
