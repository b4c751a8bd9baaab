// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-display.h"
#include "fp-ledger.h"
#include "fp-machine-colours.h"
#include "fp-memory-bar.h"
#include "fp-palette.h"
#include "fp-rows.h"
#include "fp-shares.h"
#include "fp-totals.h"

#define MAX_USERS 4
#define MAX_PARTS (MAX_USERS + 11)

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
  int legend_width;    /* at the last update; a new width lets the height shrink */
  guint optional_seen; /* bits of OptionalPart: they were shown once */
};

typedef enum
{
  PART_MORE_AT_MOST,
  PART_GRAPHICS,
  PART_SWAP,
  PART_HUGE_PAGES,
  PART_UNEXPLAINED,
  PART_ALWAYS,
} OptionalPart;

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

/* The biggest by name, the others as one. */
static guint
add_users (FpBarPart *parts,
           const FpRecords *users,
           const FpRows *rows)
{
  guint64 others = 0;
  guint n = 0;

  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      const FpTotal *user = fp_totals_get (users, fp_rows_get (rows, i)->index);

      if (user->low[FP_FIELD_PSS] == 0)
        continue;
      if (n < MAX_USERS)
        {
          parts[n] = (FpBarPart){ user->name, user->low[FP_FIELD_PSS], user_colours[n], FP_PATTERN_SOLID };
          n++;
        }
      else
        others += user->low[FP_FIELD_PSS];
    }
  if (others > 0)
    parts[n++] = (FpBarPart){ _ ("Other users"), others, FP_COLOUR_SLATE, FP_PATTERN_DOTTED };
  return n;
}

static guint64
positive (gint64 value)
{
  return value > 0 ? (guint64)value : 0;
}

static const char *
get_title (FpMachineLine line)
{
  return _ (fp_machine_line_infos[line].title);
}

/* A part that comes and goes would move the others of the legend, so it stays once it was there. */
static gboolean
has_part (FpMemoryBar *self,
          OptionalPart part,
          guint64 bytes)
{
  if (bytes > 0)
    self->optional_seen |= 1u << part;
  return (self->optional_seen >> part & 1) != 0;
}

/* Divides the rest as the view of the machine does, in the same words. The cache has what the others leave, so that the bar
 * is full: there may be less of it where some processes can't be read. */
static guint
add_lines (FpMemoryBar *self,
           FpBarPart *parts,
           const FpMachineState *state,
           const FpOutline *outline,
           guint64 unexplained)
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
  };
  guint64 left = positive (outline->files + outline->kernel) - unexplained;
  guint n = 0, cache = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      gboolean is_cache = lines[i].line == FP_MACHINE_CACHE;
      guint64 bytes = is_cache ? 0 : MIN (positive (state->lines[lines[i].line].low), left);

      if (lines[i].part != PART_ALWAYS && !has_part (self, lines[i].part, bytes))
        continue;
      cache = is_cache ? n : cache;
      parts[n++] = (FpBarPart){ get_title (lines[i].line), bytes, fp_machine_colours[lines[i].line], lines[i].pattern };
      left -= bytes;
    }
  parts[cache].value = left;
  return n;
}

static guint
add_machine (FpMemoryBar *self,
             FpBarPart *parts,
             const FpSystem *system,
             const FpLedger *ledger,
             const FpTotal *all,
             const FpKept *kept)
{
  FpMachineState state;
  FpOutline outline;
  guint64 unexplained = 0;
  guint n = 0;

  fp_outline_make (&outline, ledger, all);
  if (has_part (self, PART_MORE_AT_MOST, positive (outline.more_at_most)))
    parts[n++] = (FpBarPart){ _ ("Users, possibly more"), positive (outline.more_at_most), FP_COLOUR_LIGHT_BLUE, FP_PATTERN_STRIPED };
  if (outline.unread_at_most > 0)
    parts[n++] = (FpBarPart){ _ ("Not measured, at most"), positive (outline.unread_at_most), FP_COLOUR_RED, FP_PATTERN_STRIPED };
  /* Where processes are hidden from here, nobody knows how much of the rest is theirs. */
  if (fp_system_get (system, FP_SYSTEM_HIDDEN_TASKS) == 0 && fp_machine_state_make (&state, system, all, kept))
    {
      unexplained = MIN (positive (state.lines[FP_MACHINE_UNEXPLAINED].low), positive (outline.files + outline.kernel));
      n += add_lines (self, parts + n, &state, &outline, unexplained);
    }
  else
    {
      parts[n++] = (FpBarPart){ fp_outline_get_files_title (system), positive (outline.files), FP_COLOUR_YELLOW, FP_PATTERN_DOTTED };
      parts[n++] = (FpBarPart){ _ ("Kernel"), positive (outline.kernel), FP_COLOUR_GREY, FP_PATTERN_SOLID };
    }
  if (has_part (self, PART_HUGE_PAGES, positive (outline.huge_pages)))
    parts[n++] = (FpBarPart){ get_title (FP_MACHINE_HUGE_PAGES), positive (outline.huge_pages), FP_COLOUR_BROWN, FP_PATTERN_SOLID };
  parts[n++] = (FpBarPart){ _ ("Free"), positive (outline.free), FP_COLOUR_TROUGH, FP_PATTERN_SOLID };
  if (has_part (self, PART_UNEXPLAINED, unexplained))
    parts[n++] = (FpBarPart){ get_title (FP_MACHINE_UNEXPLAINED), unexplained, fp_machine_colours[FP_MACHINE_UNEXPLAINED],
                              FP_PATTERN_FALLING };
  return n;
}

/* A figure that becomes a letter longer or shorter does not move what is below. */
static void
hold_legend_height (FpMemoryBar *self)
{
  GtkWidget *legend = GTK_WIDGET (self->legend);
  int width = gtk_widget_get_width (legend), height;

  if (width != self->legend_width)
    gtk_widget_set_size_request (legend, -1, -1);
  self->legend_width = width;
  if (width == 0)
    return;
  gtk_widget_measure (legend, GTK_ORIENTATION_VERTICAL, width, &height, NULL, NULL, NULL);
  gtk_widget_set_size_request (legend, -1, height);
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
  return g_strdup_printf (_ ("Memory: %s, of which %s is available"), size, available);
}

static void
update_memory (FpMemoryBar *self,
               const FpSystem *system,
               const FpLedger *ledger,
               FpFigureStyle style)
{
  FpRecords *users = fp_session_get (self->session)->totals;
  const FpTotal *all = fp_totals_get (fp_session_get (self->session)->sum, 0);
  guint64 whole = fp_system_get (system, FP_SYSTEM_MEM_TOTAL);
  g_autoptr (FpRows) rows = fp_rows_new ();
  g_autofree char *title = NULL, *legend = NULL;
  FpBarPart parts[MAX_PARTS];
  guint n;

  fp_rows_set_sort (rows, fp_columns_get_role (FP_ROLE_MEMORY, FP_RECORD_TOTAL), TRUE);
  fp_rows_update (rows, users, NULL);
  n = add_users (parts, users, rows);
  n += add_machine (self, parts + n, system, ledger, all, fp_session_get (self->session)->kept);
  title = describe_memory (system, style);
  legend = fp_bar_make_legend (parts, n, whole, style);
  gtk_label_set_text (self->title, title);
  gtk_label_set_markup (self->legend, legend);
  hold_legend_height (self);
  fp_bar_set_parts (self->bar, _ ("Memory"), parts, n, whole, style);
}

/* Side by side their bars are in line. */
static void
wrap_swap_title (FpMemoryBar *self,
                 SwapBar *swap)
{
  gboolean has_room = gtk_orientable_get_orientation (GTK_ORIENTABLE (self->swaps)) == GTK_ORIENTATION_VERTICAL;

  gtk_label_set_wrap (GTK_LABEL (swap->title), has_room);
  gtk_label_set_lines (GTK_LABEL (swap->title), has_room ? 2 : -1);
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
  wrap_swap_title (self, swap);
  gtk_widget_add_css_class (swap->title, "caption");
  gtk_widget_set_hexpand (swap->box, TRUE);
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
  g_autofree char *used = format_part (swap->used, style, swap->size), *size = format_whole (swap->size, style);
  g_autofree char *cost = NULL;
  char name[256];

  fp_display_escape (swap->name, name, sizeof name);
  if (!fp_swap_has_cost (swap) || swap->stored == 0 || swap->cost == 0)
    return g_strdup_printf (_ ("Swap %s: %s of %s used"), name, used, size);
  cost = format_part (swap->cost, style, memory);
  return g_strdup_printf (_ ("Swap %s: %s of %s used; compressed %.1f to 1, it takes %s of memory"), name, used, size,
                          (double)swap->stored / (double)swap->cost, cost);
}

static void
update_swaps (FpMemoryBar *self,
              const FpSystem *system,
              FpFigureStyle style)
{
  for (guint i = 0; i < system->n_swaps; i++)
    {
      const FpSwap *device = &system->swaps[i];
      SwapBar *swap = get_swap_bar (self, i);
      g_autofree char *text = describe_swap (device, style, fp_system_get (system, FP_SYSTEM_MEM_TOTAL));
      FpBarPart part = { _ ("Used"), device->used, FP_COLOUR_PINK, FP_PATTERN_SOLID };

      gtk_label_set_text (GTK_LABEL (swap->title), text);
      gtk_widget_set_tooltip_text (swap->title, text);
      fp_bar_set_parts (FP_BAR (swap->bar), text, &part, 1, device->size, style);
      gtk_widget_set_visible (swap->box, TRUE);
    }
  gtk_widget_set_visible (self->no_swap, system->n_swaps == 0 && fp_system_has (system, FP_SYSTEM_SWAP_TOTAL) &&
                                             fp_system_get (system, FP_SYSTEM_SWAP_TOTAL) == 0);
  for (guint i = (guint)system->n_swaps; i < self->swap_bars->len; i++)
    gtk_widget_set_visible (((SwapBar *)self->swap_bars->pdata[i])->box, FALSE);
}

void
fp_memory_bar_set_narrow (FpMemoryBar *self,
                          gboolean is_narrow)
{
  g_return_if_fail (FP_IS_MEMORY_BAR (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->swaps),
                                  is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_visible (GTK_WIDGET (self->legend), !is_narrow);
  gtk_box_set_spacing (GTK_BOX (self->swaps), is_narrow ? 4 : 18);
  gtk_box_set_homogeneous (GTK_BOX (self->swaps), !is_narrow);
  for (guint i = 0; i < self->swap_bars->len; i++)
    wrap_swap_title (self, g_ptr_array_index (self->swap_bars, i));
}

static void
update (FpMemoryBar *self)
{
  const FpSnapshot *snapshot = fp_session_get (self->session)->snapshot;
  FpFigureStyle style = fp_session_get (self->session)->format.style;
  FpLedger ledger;

  if (!snapshot)
    return;
  if (fp_ledger_make (&ledger, &snapshot->system))
    update_memory (self, &snapshot->system, &ledger, style);
  else
    gtk_label_set_text (self->title, _ ("Memory: unknown (meminfo could not be read)"));
  update_swaps (self, &snapshot->system, style);
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
  g_ptr_array_unref (FP_MEMORY_BAR (object)->swap_bars);

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
  self->swap_bars = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
}
