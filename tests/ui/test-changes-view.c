// SPDX-License-Identifier: GPL-3.0-or-later
/* The bars of what has changed stand in the order of the sentence above them, and what has less looks other than what has more. */
#include <adwaita.h>
#include <string.h>

#include "fp-machine-changes-view.h"
#include "widget-probe.h"

#define MIB (G_GINT64_CONSTANT (1) << 20)

typedef struct
{
  GtkWidget *window;
  FpMachineChangesView *view;
} Fixture;

static void
show_line_cb (GSimpleAction *action,
              GVariant *line,
              gpointer data)
{
}

/* A bar without its action can't have the focus. */
static void
set_up (Fixture *self,
        gconstpointer data)
{
  static const GActionEntry entry = { "show-line", show_line_cb, "s", NULL, NULL, { 0 } };
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (actions), &entry, 1, NULL);
  self->window = adw_window_new ();
  self->view = FP_MACHINE_CHANGES_VIEW (fp_machine_changes_view_new (gtk_adjustment_new (0, 0, 1, 1, 1, 1)));
  gtk_widget_insert_action_group (self->window, "machine", G_ACTION_GROUP (actions));
  gtk_window_set_default_size (GTK_WINDOW (self->window), 700, 500);
  adw_window_set_content (ADW_WINDOW (self->window), GTK_WIDGET (self->view));
  gtk_window_present (GTK_WINDOW (self->window));
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

static void
show (Fixture *self,
      gint64 kept,
      gint64 cache)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_autoptr (GArray) programs = g_array_new (FALSE, FALSE, sizeof (FpProgramChange));
  g_autoptr (FpMachineChanges) changes = NULL;
  FpMachineState before = { 0 }, now = { 0 };

  now.lines[FP_MACHINE_KEPT] = (FpMachineEnds){ kept, kept };
  now.lines[FP_MACHINE_CACHE] = (FpMachineEnds){ cache, cache };
  now.lines[FP_MACHINE_FREE] = (FpMachineEnds){ -kept - cache, -kept - cache };
  changes = fp_machine_changes_new (&before, &now, programs);
  fp_machine_changes_view_update (self->view, changes, G_USEC_PER_SEC, &format);
  widget_probe_await_frame (self->window);
}

/* The names of the bars, from the top down */
static char *
list_bars (GtkWidget *widget)
{
  GString *names = g_string_new (NULL);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      g_autofree char *inner = NULL;

      if (!gtk_widget_get_visible (child))
        continue;
      if (GTK_IS_BUTTON (child))
        {
          GtkWidget *box = gtk_button_get_child (GTK_BUTTON (child));

          g_string_append_printf (names, "%s ", gtk_label_get_text (GTK_LABEL (gtk_widget_get_first_child (box))));
          continue;
        }
      inner = list_bars (child);
      g_string_append (names, inner);
    }
  return g_string_free (names, FALSE);
}

static const char *
get_words (Fixture *self)
{
  GtkWidget *title = gtk_widget_get_first_child (GTK_WIDGET (self->view));

  return gtk_label_get_text (GTK_LABEL (gtk_widget_get_next_sibling (title)));
}

static void
assert_order (Fixture *self,
              const char *first,
              const char *second,
              const char *third)
{
  g_autofree char *bars = list_bars (GTK_WIDGET (self->view)), *expected = g_strdup_printf ("%s %s %s ", first, second, third);
  const char *words = get_words (self);

  g_assert_cmpstr (bars, ==, expected);
  g_assert_nonnull (strstr (words, first));
  g_assert_true (strstr (words, first) < strstr (words, second));
  g_assert_true (strstr (words, second) < strstr (words, third));
}

/* While they are read neither changes its order. */
static void
test_order (Fixture *self,
            gconstpointer data)
{
  show (self, 300 * MIB, 100 * MIB);
  assert_order (self, "Files kept in memory", "Cache", "Free");
  show (self, 300 * MIB, 500 * MIB);
  assert_order (self, "Cache", "Files kept in memory", "Free");
  g_assert_true (gtk_widget_grab_focus (widget_probe_find (GTK_WIDGET (self->view), GTK_TYPE_BUTTON)));
  show (self, 900 * MIB, 100 * MIB);
  assert_order (self, "Cache", "Files kept in memory", "Free");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/changes-view/order", Fixture, NULL, set_up, test_order, tear_down);
  return g_test_run ();
}
