// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui-driver-private.h"
#include "ui-tree.h"

#define PATIENCE_S  60
#define POLL_US     (20 * 1000)
#define MAX_POLL_US (200 * 1000)
#define TIMEOUT_MS  60000

/* Whom a failure is about: the one that was started last. */
static Ui *current;

static gint64
get_patience_s (void)
{
  const char *text = g_getenv ("UI_PATIENCE");

  return text ? atoi (text) : PATIENCE_S;
}

gint64
ui_patience (void)
{
  return g_get_monotonic_time () + get_patience_s () * G_USEC_PER_SEC;
}

/* libatspi hears here who came and went. */
static void
dispatch (void)
{
  ui_tree_forget ();
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

void
ui_pause (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  dispatch ();
  for (gint64 rest = end - g_get_monotonic_time (); rest > 0; rest = end - g_get_monotonic_time ())
    {
      g_usleep ((gulong)MIN (rest, POLL_US));
      dispatch ();
    }
}

/* A look that takes long is followed by a longer rest, so that the program under test gets on; the more so, the longer it is
 * waited for. */
void
ui_breathe (gint64 end,
            const char *place,
            const char *what)
{
  static gint64 last_end, last_us, begun_us;
  gint64 now_us = g_get_monotonic_time (), look_us = last_end == end ? now_us - last_us : 0;

  if (last_end != end)
    begun_us = now_us;
  if (now_us > end)
    ui_fail ("%s: waited in vain for %s", place, what);
  if (current && current->pid && !ui_is_running (current))
    ui_fail ("%s: the program ended before there was %s", place, what);
  ui_pause ((guint)CLAMP (3 * look_us, POLL_US, MAX (MAX_POLL_US, (now_us - begun_us) / 4)) / 1000);
  last_end = end;
  last_us = g_get_monotonic_time ();
}

void
ui_wait_until (const char *what,
               UiPredicate predicate,
               gpointer data)
{
  gint64 end = ui_patience ();

  while (!predicate (data))
    ui_breathe (end, G_STRFUNC, what);
}

gboolean
ui_wait_for_ms (guint ms,
                UiPredicate predicate,
                gpointer data)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  while (!predicate (data))
    {
      if (g_get_monotonic_time () > end)
        return FALSE;
      ui_pause (POLL_US / 1000);
    }
  return TRUE;
}

/* A picture of the failure, where UI_FAILURES says, named after the test. */
static char *
picture_failure (void)
{
  const char *folder = g_getenv ("UI_FAILURES");
  g_autofree char *name = NULL, *file = NULL;

  if (!folder || g_mkdir_with_parents (folder, 0777) != 0)
    return g_strdup ("none, as UI_FAILURES names no folder");
  if (access (folder, W_OK) != 0)
    return g_strdup_printf ("none, as %s can’t be written to", folder);
  name = g_strdelimit (g_strdup (g_test_get_path ()), "/", '-');
  file = g_strdup_printf ("%s/%s.png", folder, name + 1);
  ui_save_screen (file);
  return g_steal_pointer (&file);
}

void
ui_fail (const char *format,
         ...)
{
  g_autofree char *text = NULL, *tree = NULL, *log = NULL, *picture = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (current && current->pid && ui_is_running (current))
    {
      picture = picture_failure ();
      tree = current->application ? ui_dump (current->application) : NULL;
    }
  log = current && current->log ? ui_get_log (current) : NULL;
  g_error ("%s\nIts window: %s\nIts picture: %s\nIts output: %s",
           text, tree ? tree : "gone", picture ? picture : "none", log && *log ? log : "nothing");
}

static void
prepare_child (gpointer user_data)
{
  int fd = GPOINTER_TO_INT (user_data);

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  dup2 (fd, STDOUT_FILENO);
  dup2 (fd, STDERR_FILENO);
}

static char **
make_environment (const char *const *more)
{
  char **result = g_get_environ ();

  if (ui_has_true_extents ())
    result = g_environ_setenv (result, "GIO_EXTRA_MODULES", g_getenv ("UI_MODULES"), TRUE);
  for (; more && *more; more++)
    {
      g_auto (GStrv) pair = g_strsplit (*more, "=", 2);

      result = pair[1] ? g_environ_setenv (result, pair[0], pair[1], TRUE) : g_environ_unsetenv (result, pair[0]);
    }
  return result;
}

/* libatspi warns of what is no fault of ours: a program that is only starting or has gone. */
static void
ignore_warning_cb (const char *domain,
                   GLogLevelFlags level,
                   const char *message,
                   gpointer user_data)
{
}

static gboolean
is_fatal_cb (const char *domain,
             GLogLevelFlags level,
             const char *message,
             gpointer user_data)
{
  return g_strcmp0 (domain, "dbind") != 0;
}

static void
init_session (void)
{
  static gboolean is_ready;

  /* GLib forgets it after each test. */
  g_test_log_set_fatal_handler (is_fatal_cb, NULL);
  if (is_ready)
    return;
  setlocale (LC_CTYPE, "");
  if (!g_getenv ("DISPLAY") || !g_getenv ("DBUS_SESSION_BUS_ADDRESS"))
    g_error ("There is no session: start this through tests/ui/with-session, as “meson test --suite ui” does.");
  /* GTK 4.8 hardly ever says that something changed: nothing that was read stays true. */
  g_setenv ("ATSPI_NO_CACHE", "1", TRUE);
  g_log_set_handler ("dbind", G_LOG_LEVEL_MASK | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, ignore_warning_cb, NULL);
  if (atspi_init () > 1)
    g_error ("There is no AT-SPI bus; Debian has it in at-spi2-core.");
  atspi_set_timeout (TIMEOUT_MS, TIMEOUT_MS);
  is_ready = TRUE;
}

static UiNode *
find_application (GPid pid)
{
  g_autoptr (UiRef) desktop = atspi_get_desktop (0);
  int n = atspi_accessible_get_child_count (desktop, NULL);

  for (int i = 0; i < n; i++)
    {
      g_autoptr (UiRef) child = atspi_accessible_get_child_at_index (desktop, i, NULL);
      guint owner = child ? atspi_accessible_get_process_id (child, NULL) : 0;

      if (owner > 0 && (owner == (guint)pid || ui_is_proxy (owner)))
        return ui_keep (g_steal_pointer (&child));
    }
  return NULL;
}

static gboolean
has_window (gpointer data)
{
  Ui *self = data;

  if (!self->application)
    self->application = find_application (self->pid);
  if (!self->application)
    return FALSE;
  self->window = ui_get_child (self->application, 0);
  return self->window && ui_is_mapped (self->window);
}

/* The variables of “environment” are set where they are “NAME=value”, and unset where they are “NAME”. */
void
ui_start (Ui *self,
          const char *const *argv,
          const char *const *environment)
{
  g_auto (GStrv) envp = NULL;
  g_autoptr (GError) error = NULL;
  int fd;

  init_session ();
  self->log = g_build_filename (g_get_user_runtime_dir (), "ui-XXXXXX.log", NULL);
  fd = g_mkstemp (self->log);
  g_assert_cmpint (fd, >=, 0);
  envp = make_environment (environment);
  current = self;
  g_spawn_async (NULL, (char **)argv, envp, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH,
                 prepare_child, GINT_TO_POINTER (fd), &self->pid, &error);
  close (fd);
  g_assert_no_error (error);
  ui_wait_until ("a window", has_window, self);
}

gboolean
ui_is_running (Ui *self)
{
  if (self->pid && waitpid (self->pid, &self->status, WNOHANG) == self->pid)
    self->pid = 0;
  return self->pid != 0;
}

/* Bytes that the program has read of files, so far */
guint64
ui_count_read (Ui *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/io", self->pid);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_ascii_strtoull (strstr (text, "rchar: ") + strlen ("rchar: "), NULL, 10);
}

static gboolean
has_ended (gpointer data)
{
  return !ui_is_running (data);
}

/* Its exit status, or 128 and the signal that it died of; with signal 0 it ends by itself. */
int
ui_finish (Ui *self,
           int signal)
{
  if (signal && ui_is_running (self))
    kill (self->pid, signal);
  if (!ui_wait_for_ms ((guint)get_patience_s () * 1000, has_ended, self))
    ui_fail ("It does not end");
  return WIFEXITED (self->status) ? WEXITSTATUS (self->status) : 128 + WTERMSIG (self->status);
}

/* Ends it as a session does, and sees to it that it went well all the time. */
void
ui_stop (Ui *self)
{
  int status = ui_finish (self, SIGTERM);
  g_autofree char *complaints = ui_get_complaints (self);

  if (status != 0 && status != 128 + SIGTERM)
    ui_fail ("It ended with %d", status);
  if (*complaints)
    ui_fail ("It complained: %s", complaints);
  ui_clear (self);
}

char *
ui_get_log (Ui *self)
{
  char *text;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (self->log, &text, NULL, &error);
  g_assert_no_error (error);
  return text;
}

/* The lines that no program of ours may say */
char *
ui_get_complaints (Ui *self)
{
  static const char *const signs[] = {
    "WARNING **",
    "CRITICAL **",
    "ERROR **",
    "WARNING:",
    "CRITICAL:",
    "ERROR:",
    "runtime error",
    "Sanitizer",
  };
  g_autofree char *log = ui_get_log (self);
  g_auto (GStrv) lines = g_strsplit (log, "\n", 0);
  GString *result = g_string_new (NULL);

  for (guint i = 0; lines[i]; i++)
    for (guint j = 0; j < G_N_ELEMENTS (signs); j++)
      if (strstr (lines[i], signs[j]))
        {
          g_string_append_printf (result, "%s\n", lines[i]);
          break;
        }
  return g_string_free (result, FALSE);
}

#ifdef __SANITIZE_ADDRESS__
/* The window is looked at for leaks, which is a program of its own; libatspi keeps a few strings here, in one run
 * of some twenty. */
int __lsan_is_turned_off (void);

int
__lsan_is_turned_off (void)
{
  return 1;
}
#endif

void
ui_clear (Ui *self)
{
  if (ui_is_running (self))
    ui_finish (self, SIGKILL);
  if (self->log)
    unlink (self->log);
  g_clear_pointer (&self->log, g_free);
  if (current == self)
    current = NULL;
  *self = (Ui){ 0 };
}
