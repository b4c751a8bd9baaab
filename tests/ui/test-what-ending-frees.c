// SPDX-License-Identifier: GPL-3.0-or-later
/* The window says the same everywhere of what ending a process gives back, and nothing moves when it is known. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "ui-program.h"

#define SENTENCE "Ending it gives back 16.* now*; 32.* go only when footprint-test-ending-holder * ends too.*"

typedef struct
{
  GPid pid;
  FILE *orders;
} Holder;

/* It and a child share 32 MiB; 16 more are its own. */
static void
holder_start (Holder *self)
{
  const char *argv[] = { g_getenv ("FOOTPRINT_ENDING_HOLDER"), "parent", "32", program_get_sign (), NULL };
  char line[256] = "";
  FILE *answers;
  int in, out;

  g_assert_true (g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->pid,
                                           &in, &out, NULL, NULL));
  self->orders = fdopen (in, "w");
  answers = fdopen (out, "r");
  while (!g_str_has_prefix (line, "ready") && fgets (line, sizeof line, answers))
    continue;
  fclose (answers);
}

static void
holder_stop (Holder *self)
{
  fclose (self->orders);
  kill (self->pid, SIGKILL);
  waitpid (self->pid, NULL, 0);
}

/* Where it is when the window has put everything in its place. */
static UiBox
await_rest (UiNode *node)
{
  UiBox box = ui_get_box (node), before;

  do
    {
      before = box;
      ui_pause (200);
      box = ui_get_box (node);
    }
  while (box.y != before.y);
  return box;
}

static void
test_same (void)
{
  g_auto (Ui) ui = { 0 };
  GPid child = child_start (NULL);
  g_autofree char *title = NULL;
  UiBox before, after;
  UiNode *dialog;
  Holder holder;

  holder_start (&holder);
  title = g_strdup_printf ("Process %d of *", holder.pid);
  program_start (&ui, (const char *const[]){ "--filter", program_get_sign (), NULL });
  ui_await (program_find_pid (&ui, holder.pid) && program_find_pid (&ui, child));

  ui_click (program_find_pid (&ui, child));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "1 process selected · Ending it gives back * now*");
  ui_click (program_find_pid (&ui, holder.pid));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, title);
  before = await_rest (ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "History"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "1 process selected · " SENTENCE);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, SENTENCE);
  after = await_rest (ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "History"));
  g_assert_cmpint (after.y, ==, before.y);

  ui_click_with (program_find_pid (&ui, holder.pid), 3, NULL);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "End…"));
  dialog = ui_wait_for (ui.application, ATSPI_ROLE_DIALOG, "End *?");
  ui_wait_for (dialog, ATSPI_ROLE_LABEL, SENTENCE);
  ui_dismiss (dialog, "Escape");
  ui_stop (&ui);
  holder_stop (&holder);
  child_stop (child);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/what-ending-frees/same", test_same);
  return g_test_run ();
}
