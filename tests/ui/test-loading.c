// SPDX-License-Identifier: GPL-3.0-or-later
/* Mappings that take long to come, or never do. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui-pane.h"

static GPid
start_zombie (void)
{
  GPid pid = child_start (NULL);

  kill (pid, SIGKILL);
  while (!child_has_ended (pid))
    g_usleep (1000);
  return pid;
}

/* A container has no threads of the kernel; one of a made-up machine stands for them. */
static char *
find_proc_with_kernel (void)
{
  g_autofree char *comm = NULL;

  if (g_file_get_contents ("/proc/2/comm", &comm, NULL, NULL) && g_str_equal (comm, "kthreadd\n"))
    return g_strdup ("/proc");
  return g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", NULL);
}

/* A process without mappings says why. */
static void
test_nothing_to_show (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *filter = NULL, *proc = find_proc_with_kernel ();
  GPid zombie = start_zombie ();

  filter = g_strdup_printf ("pid=%d", zombie);
  program_start (&pane.ui, (const char *const[]){ "--filter", filter, NULL });
  pane_open_mappings (&pane, zombie);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "It has ended, *");
  ui_stop (&pane.ui);
  child_stop (zombie);

  program_start (&pane.ui, (const char *const[]){ "--proc", proc, "--filter", "pid=2", NULL });
  ui_click (ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "Kernel*"));
  pane_open_mappings (&pane, 2);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "This is part of the kernel, *");
  ui_stop (&pane.ui);
}

/* It ends while it is shown, and the list has not noticed yet. */
static void
test_ends (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  ui_await (pane_find (&pane, "Heap"));
  kill (pane.child, SIGKILL);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "It has ended, *");
  waitpid (pane.child, NULL, 0);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "No Process Selected");
  ui_stop (&pane.ui);
  fclose (pane.orders);
  fclose (pane.answers);
}

/* A copy of a machine on which one process's mappings come when the test lets them. */
static char *
make_slow_proc (const char *pid,
                char **fifo)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "slow-proc-XXXXXX", NULL);
  g_autofree char *from = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", ".", NULL);
  g_autoptr (GError) error = NULL;
  int status;

  g_assert_nonnull (g_mkdtemp (folder));
  g_spawn_sync (NULL, (char *[]){ (char *)"cp", (char *)"-r", from, folder, NULL }, NULL, G_SPAWN_SEARCH_PATH, NULL,
                NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  *fifo = g_build_filename (folder, pid, "smaps", NULL);
  g_assert_cmpint (g_remove (*fifo), ==, 0);
  g_assert_cmpint (mkfifo (*fifo, 0600), ==, 0);
  return g_steal_pointer (&folder);
}

/* Reading goes on beside, says so, and is given up by its button and by another choice. */
static void
test_cancel (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *fifo = NULL, *folder = make_slow_proc ("1500", &fifo);
  int fd = open (fifo, O_RDWR | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  program_start (&pane.ui, (const char *const[]){ "--proc", folder, NULL });
  pane_open_mappings (&pane, 1500);
  ui_click (ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Cancel"));
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Not Read");

  ui_click (ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Read Its Mappings"));
  ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Cancel");
  pane_open_mappings (&pane, 1211);
  ui_await (pane_find (&pane, "Heap"));

  /* An answer that comes too late is dropped. */
  g_assert_cmpint (write (fd, "nonsense\n", 9), ==, 9);
  close (fd);
  ui_pause (500);
  g_assert_nonnull (pane_find (&pane, "Heap"));
  ui_stop (&pane.ui);
}

static void
write_to_fifo (const char *fifo,
               const char *text)
{
  gsize length = strlen (text);
  int fd = open (fifo, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (write (fd, text, length), ==, (gssize)length);
  close (fd);
}

/* The mappings of the last reading stay where reading them again takes long and comes to nothing. */
static void
test_fails_late (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *fifo = NULL, *folder = make_slow_proc ("1500", &fifo);
  g_autofree char *from = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", "1500", "smaps", NULL);
  g_autofree char *stat = g_build_filename (folder, "1500", "stat", NULL);
  g_autofree char *smaps = NULL;

  g_assert_true (g_file_get_contents (from, &smaps, NULL, NULL));
  pane_write_settings ("interval='paused'\n");
  program_start (&pane.ui, (const char *const[]){ "--proc", folder, NULL });
  pane_open_mappings (&pane, 1500);
  write_to_fifo (fifo, smaps);
  ui_await (pane_find (&pane, "Heap"));

  pane_choose_in_menu (&pane, "Read Again");
  ui_await (program_is_shown (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Cancel"));
  g_assert_cmpint (g_remove (stat), ==, 0);
  write_to_fifo (fifo, "");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Process 1500 has ended");
  ui_await (ui_is_on_screen (pane_get_table (&pane)));
  g_assert_nonnull (pane_find (&pane, "Heap"));
  g_assert_false (program_is_shown (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Cancel"));
  ui_stop (&pane.ui);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
}

static void
await_progress (UiNode *bar,
                const char *text,
                double kib)
{
  ui_await (g_str_equal (ui_description (bar), text));
  g_assert_cmpfloat_with_epsilon (ui_value (bar), kib / 27520, 0.001);
}

/* The progress is the part of its memory that is behind, while the kernel tells of its mappings one by one. */
static void
test_progress (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *fifo = NULL, *folder = make_slow_proc ("1500", &fifo);
  g_autofree char *path = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", "1500", "smaps", NULL);
  g_autofree char *text = NULL;
  int fd = open (fifo, O_RDWR | O_CLOEXEC);
  const char *next;
  UiNode *bar;

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  program_start (&pane.ui, (const char *const[]){ "--proc", folder, NULL });
  pane_open_mappings (&pane, 1500);
  bar = ui_wait_for (pane.ui.window, ATSPI_ROLE_PROGRESS_BAR, "Memory That Was Read");
  await_progress (bar, "0 B of 26.9 MiB", 0);

  /* It is told no more often. */
  ui_pause (100);
  /* A mapping is whole once the next one begins. */
  next = strchr (strchr (strstr (text, "VmFlags:"), '\n') + 1, '\n') + 1;
  g_assert_cmpint (write (fd, text, (gsize)(next - text)), ==, next - text);
  await_progress (bar, "1.6 MiB of 26.9 MiB", 1640);
  ui_pause (100);
  g_assert_cmpint (write (fd, next, strlen (next)), ==, strlen (next));
  await_progress (bar, "6.9 MiB of 26.9 MiB", 7040);
  close (fd);
  ui_await (pane_find (&pane, "Heap"));
  ui_stop (&pane.ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/loading/nothing-to-show", test_nothing_to_show);
  g_test_add_func ("/loading/ends", test_ends);
  g_test_add_func ("/loading/cancel", test_cancel);
  g_test_add_func ("/loading/fails-late", test_fails_late);
  g_test_add_func ("/loading/progress", test_progress);
  return g_test_run ();
}
