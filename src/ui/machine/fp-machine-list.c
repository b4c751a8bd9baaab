// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-machine-colours.h"
#include "fp-machine-list.h"
#include "fp-machine-row.h"
#include "fp-order-pause.h"

#define FACTS FP_N_MACHINE_LINES /* the block of what is no line */

/* A row of a line: the meaning, a heading, a part, or a view. */
typedef struct
{
  FpMachineRow *row;
  guint section;     /* it is below as many headings, and stays there */
  char *key;         /* of what the row has, so that it keeps its place while it is read; NULL: the row is unused */
  gboolean is_taken; /* in this update */
} Part;

/* A line, and the rows below it. */
typedef struct
{
  FpMachineRow *line; /* NULL: it is not in this list, or was never shown */
  GPtrArray *parts;   /* of Part */
} Block;

struct _FpMachineList
{
  AdwBin parent;

  GtkListBox *list;
  Block blocks[FP_N_MACHINE_LINES + 1];
  FpOrderPause *pause;
  FpMachineListKind kind;
  const FpMachine *machine; /* not owned: the page's */
  gboolean is_narrow;
};

/* The action that shows what a row leads to */
static const char *const actions[FP_N_MACHINE_TARGETS] = {
  [FP_MACHINE_TARGET_SEARCH] = "win.search-for",
  [FP_MACHINE_TARGET_FILES] = "machine.show-files",
  [FP_MACHINE_TARGET_VIEW] = "win.view",
};

/* Views that show more of a line */
static const struct
{
  FpMachineLine line;
  const char *view;
  const char *title;
} links[] = {
  { FP_MACHINE_PROGRAMS, "users", N_ ("All users") },
  { FP_MACHINE_PROGRAMS, "processes", N_ ("All processes") },
  { FP_MACHINE_PROGRAMS, "groups", N_ ("Groups of the kernel") },
  { FP_MACHINE_CACHE, "groups", N_ ("Groups of the kernel") },
};

G_DEFINE_FINAL_TYPE (FpMachineList, fp_machine_list, ADW_TYPE_BIN)

static FpMachineRow *
add_row (FpMachineList *self,
         FpMachineRowKind kind,
         const char *colour,
         int position)
{
  FpMachineRow *row = FP_MACHINE_ROW (fp_machine_row_new (kind, colour));

  fp_machine_row_set_narrow (row, self->is_narrow);
  gtk_list_box_insert (self->list, GTK_WIDGET (row), position);
  return row;
}

/* Returns the place of the next line in the list box, or -1 for its end. */
static int
find_end (const FpMachineList *self,
          guint block)
{
  for (guint i = block + 1; i < G_N_ELEMENTS (self->blocks); i++)
    if (self->blocks[i].line)
      return gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (self->blocks[i].line));
  return -1;
}

static Part *
add_part (FpMachineList *self,
          guint block,
          guint section,
          guint place)
{
  Block *at = &self->blocks[block];
  Part *part = g_new0 (Part, 1);
  int position = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (at->line)) + 1 + (int)place;

  part->row = add_row (self, FP_MACHINE_ROW_PART, NULL, position);
  part->section = section;
  g_ptr_array_insert (at->parts, (gint)place, part);
  return part;
}

static void
free_part (gpointer data)
{
  g_free (((Part *)data)->key);
  g_free (data);
}

/* Returns the row with this key, else an unused one of its section, which then has it; a new one at the section's end where
 * there is none. */
static FpMachineRow *
take_row (FpMachineList *self,
          guint block,
          guint section,
          const char *key)
{
  GPtrArray *parts = self->blocks[block].parts;
  Part *unused = NULL;
  guint end = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      Part *part = parts->pdata[i];

      if (part->section <= section)
        end = i + 1;
      if (part->section != section || part->is_taken)
        continue;
      if (g_strcmp0 (part->key, key) == 0)
        {
          part->is_taken = TRUE;
          return part->row;
        }
      if (!part->key && !unused)
        unused = part;
    }
  if (!unused)
    unused = add_part (self, block, section, end);
  unused->key = g_strdup (key);
  unused->is_taken = TRUE;
  return unused->row;
}

/* A file system in memory is called by a process that sees it, and by another one when that has ended. Free the text. */
static char *
make_key (const FpMachineItem *item)
{
  if (item->is_heading)
    return g_strdup ("");
  return g_strconcat (item->target_kind == FP_MACHINE_TARGET_FILES ? "" : item->name, "\n", item->target, NULL);
}

static void
show_item (FpMachineList *self,
           guint block,
           guint section,
           const FpMachineItem *item)
{
  g_autofree char *key = make_key (item);
  FpMachineRow *row = take_row (self, block, section, key);
  gboolean has_changes = block != FACTS && self->machine->input.start; /* figures stand below those of their line */
  const FpMachineEnds ends = { item->change, item->change };
  char figure[FP_FIGURE_TEXT_SIZE] = "", change[2 * FP_FIGURE_TEXT_SIZE] = "";
  g_autofree char *words = NULL;

  if (item->figure.kind != FP_FIGURE_NONE)
    fp_machine_format_item (self->machine, item, figure);
  if (item->has_change)
    {
      fp_machine_ends_format_change (ends, &self->machine->input.format, change, sizeof change);
      words = fp_machine_ends_describe_change (ends, &self->machine->input.format);
    }
  fp_machine_row_set_texts (row, &(FpMachineRowTexts){ .title = item->name,
                                                       .subtitle = item->remark,
                                                       .hint = item->hint,
                                                       .figure = figure,
                                                       .change = has_changes && (item->has_change || !self->is_narrow) ? change : NULL,
                                                       .change_words = words,
                                                       .has_changed = item->change != 0,
                                                       .action = actions[item->target_kind],
                                                       .target = item->target,
                                                       .is_heading = item->is_heading });
  gtk_widget_set_visible (GTK_WIDGET (row), TRUE);
}

static gboolean
has_view (FpMachineList *self,
          const char *view)
{
  GtkWidget *stack = gtk_widget_get_ancestor (GTK_WIDGET (self), ADW_TYPE_VIEW_STACK);
  GtkWidget *child = stack ? adw_view_stack_get_child_by_name (ADW_VIEW_STACK (stack), view) : NULL;

  return child && adw_view_stack_page_get_visible (adw_view_stack_get_page (ADW_VIEW_STACK (stack), child));
}

/* Adds the meaning before the parts, and views after them. Nothing has a figure but the parts. */
static FpMachineItems *
list_items (FpMachineList *self,
            guint block)
{
  const FpFigure none = { FP_FIGURE_NONE, 0, 0 };
  FpMachineItems *items, *parts;

  if (block == FACTS)
    return fp_machine_list_facts (self->machine);
  items = fp_machine_items_new ();
  fp_machine_items_add (items, _ (fp_machine_line_infos[block].meaning), none);
  parts = fp_machine_list_parts (self->machine, (FpMachineLine)block);
  g_ptr_array_extend_and_steal (items, parts);
  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    if (links[i].line == (FpMachineLine)block && has_view (self, links[i].view))
      fp_machine_item_set_target (fp_machine_items_add (items, _ (links[i].title), none), FP_MACHINE_TARGET_VIEW, links[i].view);
  return items;
}

/* A row with the focus is what the next key is for. */
static gboolean
is_read (FpMachineList *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  return fp_order_pause_is_paused (self->pause) ||
         (focus && gtk_widget_get_parent (focus) == GTK_WIDGET (self->list) && gtk_widget_has_css_class (focus, "part"));
}

/* While the parts are read, one that is not there any more leaves its place to the next new one of its section; else they
 * are in their order. Views come after all sections. */
static void
update_parts (FpMachineList *self,
              guint block)
{
  Block *at = &self->blocks[block];
  g_autoptr (GPtrArray) items = fp_machine_row_get_expanded (at->line) ? list_items (self, block) : fp_machine_items_new ();
  const gboolean keeps_places = is_read (self);
  guint section = 0;

  for (guint i = 0; i < at->parts->len; i++)
    {
      Part *part = at->parts->pdata[i];

      part->is_taken = FALSE;
      if (!keeps_places)
        g_clear_pointer (&part->key, g_free);
    }
  for (guint i = 0; i < items->len; i++)
    {
      const FpMachineItem *item = g_ptr_array_index (items, i);

      if (item->is_heading)
        section++;
      show_item (self, block, item->target_kind == FP_MACHINE_TARGET_VIEW ? G_MAXUINT : section, item);
    }
  for (guint i = 0; i < at->parts->len; i++)
    {
      Part *part = at->parts->pdata[i];

      if (part->is_taken)
        continue;
      g_clear_pointer (&part->key, g_free);
      gtk_widget_set_visible (GTK_WIDGET (part->row), FALSE);
    }
}

static void
update_line (FpMachineList *self,
             FpMachineLine line)
{
  const FpMachineLineState *state = &self->machine->lines[line];
  const FpFormat *format = &self->machine->input.format;
  Block *block = &self->blocks[line];
  char figure[2 * FP_FIGURE_TEXT_SIZE], change[2 * FP_FIGURE_TEXT_SIZE] = "—";
  g_autofree char *who = NULL, *words = NULL;

  if (!block->line && !state->is_used)
    return;
  if (!block->line)
    block->line = add_row (self, FP_MACHINE_ROW_LINE, fp_machine_colours[line], find_end (self, line));
  who = fp_machine_describe_line (self->machine, line);
  fp_machine_ends_format (state->ends, format, FALSE, figure, sizeof figure);
  if (state->has_change)
    {
      fp_machine_ends_format_change (state->change, format, change, sizeof change);
      words = fp_machine_ends_describe_change (state->change, format);
    }
  fp_machine_row_set_texts (block->line, &(FpMachineRowTexts){ .title = _ (fp_machine_line_infos[line].title),
                                                               .subtitle = who,
                                                               .figure = figure,
                                                               .change = self->machine->input.start ? change : NULL,
                                                               .change_words = words,
                                                               .has_changed = state->change.low != 0 || state->change.high != 0 });
  update_parts (self, line);
}

static void
update_facts (FpMachineList *self)
{
  Block *block = &self->blocks[FACTS];

  if (!block->line)
    block->line = add_row (self, FP_MACHINE_ROW_LINE, NULL, -1);
  fp_machine_row_set_texts (block->line, &(FpMachineRowTexts){ .title = _ ("More figures"),
                                                               .subtitle = _ ("Promised memory, huge pages, merged pages, killed processes") });
  update_parts (self, FACTS);
}

/* machine: (nullable): must live until the next call, since a line that is opened shows its parts at once */
void
fp_machine_list_update (FpMachineList *self,
                        const FpMachine *machine)
{
  g_return_if_fail (FP_IS_MACHINE_LIST (self));

  self->machine = machine;
  if (!machine)
    return;
  if (self->kind == FP_MACHINE_LIST_FACTS)
    update_facts (self);
  else
    for (FpMachineLine line = 0; line < FP_N_MACHINE_LINES; line++)
      update_line (self, line);
}

/* Shows the parts of a line, and moves the focus to it, so that it is on the screen. */
void
fp_machine_list_open (FpMachineList *self,
                      FpMachineLine line)
{
  FpMachineRow *row;

  g_return_if_fail (FP_IS_MACHINE_LIST (self));

  row = self->blocks[line].line;
  if (!row || !self->machine)
    return;
  fp_machine_row_set_expanded (row, TRUE);
  update_parts (self, line);
  gtk_widget_grab_focus (GTK_WIDGET (row));
}

static void
row_activated_cb (FpMachineList *self,
                  FpMachineRow *row)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->blocks); i++)
    if (self->blocks[i].line == row)
      {
        fp_machine_row_set_expanded (row, !fp_machine_row_get_expanded (row));
        if (self->machine)
          update_parts (self, i);
        return;
      }
  fp_machine_row_open (row);
}

void
fp_machine_list_set_narrow (FpMachineList *self,
                            gboolean is_narrow)
{
  g_return_if_fail (FP_IS_MACHINE_LIST (self));

  self->is_narrow = is_narrow;
  for (guint i = 0; i < G_N_ELEMENTS (self->blocks); i++)
    {
      if (self->blocks[i].line)
        fp_machine_row_set_narrow (self->blocks[i].line, is_narrow);
      for (guint k = 0; k < self->blocks[i].parts->len; k++)
        fp_machine_row_set_narrow (((Part *)self->blocks[i].parts->pdata[k])->row, is_narrow);
    }
}

static void
fp_machine_list_dispose (GObject *object)
{
  g_clear_object (&FP_MACHINE_LIST (object)->pause);

  G_OBJECT_CLASS (fp_machine_list_parent_class)->dispose (object);
}

static void
fp_machine_list_finalize (GObject *object)
{
  FpMachineList *self = FP_MACHINE_LIST (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->blocks); i++)
    g_ptr_array_unref (self->blocks[i].parts);

  G_OBJECT_CLASS (fp_machine_list_parent_class)->finalize (object);
}

static void
fp_machine_list_class_init (FpMachineListClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_machine_list_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_machine_list_finalize;
}

static void
fp_machine_list_init (FpMachineList *self)
{
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->list));
  for (guint i = 0; i < G_N_ELEMENTS (self->blocks); i++)
    self->blocks[i].parts = g_ptr_array_new_with_free_func (free_part);
}

/* label: for screen readers; adjustment: by which it is scrolled */
GtkWidget *
fp_machine_list_new (FpMachineListKind kind,
                     const char *label,
                     GtkAdjustment *adjustment)
{
  FpMachineList *self = g_object_new (FP_TYPE_MACHINE_LIST, NULL);

  self->kind = kind;
  self->pause = fp_order_pause_new (GTK_WIDGET (self->list), adjustment);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return GTK_WIDGET (self);
}
