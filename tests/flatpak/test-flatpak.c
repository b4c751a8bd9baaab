// SPDX-License-Identifier: GPL-3.0-or-later
/* The window inside of the Flatpak, seen from the host; tests/flatpak/with-flatpak brings this into such a session. */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-columns.h"
#include "host-process.h"
#include "ui-driver.h"

#define APP            "io.github.footprint_app.Footprint"
#define AGENT          "footprint-helper --stdio"
#define SESSION_HELPER "flatpak-session" /* of 15 letters */

#define REFERENCED_TOLERANCE (64 * 1024)

#define NO_AGENT  "--no-talk-name=org.freedesktop.Flatpak"
#define NO_HELPER "--system-no-talk-name=" APP ".Helper"

static char *
get_settings_file (void)
{
  return g_build_filename (g_get_home_dir (), ".var/app", APP, "config/glib-2.0/settings/keyfile", NULL);
}

static void
forget_settings (void)
{
  g_autofree char *file = get_settings_file ();

  g_remove (file);
}

/* All columns, in bytes */
static void
write_settings (void)
{
  g_autofree char *file = get_settings_file ();
  g_autofree char *folder = g_path_get_dirname (file);
  g_autoptr (GString) text = g_string_new ("[io/github/footprint_app/Footprint]\nunits='exact'\ninterval='one'\n"
                                           "show-detail-pane=false\nprocess-columns=[");
  g_autoptr (GError) error = NULL;
  const char *comma = "";

  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->kinds & FP_RECORD_PROCESS)
      {
        g_string_append_printf (text, "%s('%s', true, 80)", comma, fp_columns_get (i)->id);
        comma = ", ";
      }
  g_string_append (text, "]\n");
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (file, text->str, -1, &error);
  g_assert_no_error (error);
}

static gboolean
is_all_gone (gpointer data)
{
  return !host_find (AGENT) && !host_find ("footprint");
}

/* more: permissions to take away, then arguments of the program after "--"; end with NULL */
static void
start (Ui *ui,
       const char *const *more)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  const char *const head[] = { "flatpak", "run", "--env=GSETTINGS_BACKEND=keyfile", "--env=GSK_RENDERER=cairo" };
  guint i = 0;

  /* A second one would only ask the first for a window. */
  ui_await (is_all_gone (NULL));
  for (guint j = 0; j < G_N_ELEMENTS (head); j++)
    g_ptr_array_add (argv, (gpointer)head[j]);
  for (; more && more[i] && !g_str_equal (more[i], "--"); i++)
    g_ptr_array_add (argv, (gpointer)more[i]);
  g_ptr_array_add (argv, (gpointer)APP "//stable");
  for (; more && more[i]; i++)
    if (!g_str_equal (more[i], "--"))
      g_ptr_array_add (argv, (gpointer)more[i]);
  g_ptr_array_add (argv, NULL);
  ui_start (ui, (const char *const *)argv->pdata, (const char *const[]){ "G_DEBUG", "G_MESSAGES_DEBUG=footprint", NULL });
}

static void
take_picture (Ui *ui,
              const char *name)
{
  g_autofree char *file = g_strdup_printf ("%s/%s.png", g_getenv ("FLATPAK_PICTURES"), name);

  ui_screenshot (ui->window, file);
}

static UiNode *
get_table (Ui *ui)
{
  return ui_table_wait_for (ui->window, "Processes");
}

static gboolean
has_owner (GDBusConnection *bus)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      bus, "org.freedesktop.DBus", "/", "org.freedesktop.DBus", "NameHasOwner",
      g_variant_new ("(s)", "org.freedesktop.Flatpak"), G_VARIANT_TYPE ("(b)"), 0, -1, NULL, NULL);
  gboolean has_one = FALSE;

  if (reply)
    g_variant_get (reply, "(b)", &has_one);
  return has_one;
}

/* These columns depend on when somebody looked, or draw what other columns say. */
static gboolean
is_comparable (const FpColumn *column)
{
  return !fp_column_is_left_out (column) && !g_str_equal (column->id, "started") &&
         !g_str_equal (column->id, "measured_age_us");
}

static void
format_expected (const FpColumn *column,
                 JsonObject *process,
                 char *text,
                 gsize size)
{
  JsonNode *node = json_object_get_member (process, column->id);

  g_assert_nonnull (node);
  if (json_node_is_null (node))
    g_strlcpy (text, fp_column_is_figure (column) ? "—" : "", size);
  else if (fp_column_is_figure (column) && column->unit != FP_UNIT_BYTES)
    fp_figure_format (fp_figure_exact ((guint64)json_node_get_int (node)), column->unit, FP_STYLE_BYTES, 0, text, size);
  else if (json_node_get_value_type (node) == G_TYPE_STRING)
    g_strlcpy (text, json_node_get_string (node), size);
  else
    g_snprintf (text, size, "%" G_GINT64_FORMAT, json_node_get_int (node));
}

/* To the byte; but which pages were used recently the kernel judges anew by itself. */
static gboolean
is_equal (const FpColumn *column,
          const char *shown,
          const char *expected)
{
  if (column->field != FP_FIELD_REFERENCED || !g_ascii_isdigit (*shown))
    return g_str_equal (shown, expected);
  return ABS (g_ascii_strtoll (shown, NULL, 10) - g_ascii_strtoll (expected, NULL, 10)) <= REFERENCED_TOLERANCE;
}

/* From top to bottom. What GTK 4.18 says who is at a point is often somebody who is hidden, so that
 * ui_table_row does not get along with it. */
static UiNode *
get_row (Ui *ui,
         int n)
{
  UiNode *list = ui_get_child (get_table (ui), 1);

  return list ? ui_get_child (list, n) : NULL;
}

/* The cell is of the first row. */
static GStrv
read_row (Ui *ui)
{
  UiNode *row = get_row (ui, 0);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  UiNode *cell;

  for (int i = 0; row && (cell = ui_get_child (row, i)); i++)
    {
      g_autofree char *text = ui_get_texts (cell);

      g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

/* Cell by cell of the only row that is shown; in the order of the columns. */
/* with_needs: with what is asked for beside the snapshot, which the helper does not tell */
static void
assert_shown (Ui *ui,
              JsonObject *process,
              gboolean with_needs)
{
  g_auto (GStrv) titles = ui_table_titles (get_table (ui));
  g_auto (GStrv) cells = read_row (ui);
  guint n = 0, n_compared = 0;

  g_assert_cmpuint (g_strv_length (cells), ==, g_strv_length (titles));
  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);
      char expected[FP_CELL_SIZE];

      if (!(column->kinds & FP_RECORD_PROCESS) || column->flags & FP_COLUMN_WATCHED)
        continue;
      g_assert_cmpstr (titles[n], ==, g_str_equal (column->id, "program") ? "Name" : column->title);
      if (is_comparable (column) && (column->needs == 0 || with_needs))
        {
          format_expected (column, process, expected, sizeof expected);
          if (!is_equal (column, cells[n], expected))
            g_error ("%s is “%s” in the Flatpak and “%s” on the host", column->id, cells[n], expected);
          n_compared++;
        }
      n++;
    }
  g_test_message ("%u fields are equal, PSS %" G_GINT64_FORMAT, n_compared, json_object_get_int_member (process, "pss"));
  g_assert_cmpuint (n_compared, >, 60);
}

static gboolean
has_figure (Ui *ui,
            const char *title)
{
  g_auto (GStrv) titles = ui_table_titles (get_table (ui));
  g_auto (GStrv) cells = read_row (ui);

  for (guint i = 0; cells && cells[i] && titles[i]; i++)
    if (g_str_equal (titles[i], title))
      return g_ascii_isdigit (*cells[i]);
  return FALSE;
}

static gboolean
is_measured (Ui *ui)
{
  return has_figure (ui, "Memory");
}

static void
assert_shows_frozen (Ui *ui,
                     pid_t pid)
{
  g_autoptr (JsonObject) process = host_measure (pid);

  /* Graphics memory comes by a request of its own, which may come later. */
  ui_await (is_measured (ui) && has_figure (ui, fp_columns_find ("graphics", FP_RECORD_PROCESS)->title));
  assert_shown (ui, process, TRUE);
}

static void
end_by_window (Ui *ui)
{
  ui_close (ui->window);
  g_assert_cmpint (ui_finish (ui, 0), ==, 0);
}

/* Both of them, one after the other. root: where the agent took its /, or NULL */
static void
check_frozen (char **root)
{
  g_auto (Frozen) frozen = { 0 };

  frozen_start (&frozen);
  write_settings ();
  for (guint i = 0; i < G_N_ELEMENTS (frozen.pids); i++)
    {
      g_auto (Ui) ui = { 0 };
      g_autofree char *filter = g_strdup_printf ("--filter=pid=%d", frozen.pids[i]);
      g_autofree char *link = NULL;

      start (&ui, (const char *const[]){ "--", filter, NULL });
      assert_shows_frozen (&ui, frozen.pids[i]);
      link = g_strdup_printf ("/proc/%d/root", host_find (AGENT));
      if (root && !*root)
        *root = g_file_read_link (link, NULL);
      end_by_window (&ui);
    }
}

static void
test_host (void)
{
  check_frozen (NULL);
}

/* More than one screen of them, and the picture that people would see. */
static void
test_picture (void)
{
  g_auto (Ui) ui = { 0 };

  forget_settings ();
  start (&ui, NULL);
  ui_await (get_row (&ui, 5));
  ui_await (host_find (AGENT));
  take_picture (&ui, "host");
  end_by_window (&ui);
}

static void
expect_line (FILE *output,
             const char *expected)
{
  char line[512] = "";

  if (!fgets (line, sizeof line, output) || !g_str_has_prefix (line, expected))
    g_error ("“%s” instead of “%s”", line, expected);
}

/* polkit sees Flatpak's proxy, and asks whoever answers for that. */
static FILE *
start_password_agent (GPid *agent)
{
  g_autofree char *proxy = g_strdup_printf ("%d", host_find ("xdg-dbus-proxy"));
  const char *argv[] = { g_getenv ("FOOTPRINT_AGENT"), proxy, "password", "secret", NULL };
  g_autoptr (GError) error = NULL;
  FILE *output;
  int fd;

  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, agent, NULL, &fd, NULL,
                            &error);
  g_assert_no_error (error);
  output = fdopen (fd, "r");
  expect_line (output, "registered");
  return output;
}

/* The rows are root's: all that this user could read of them is a bound. */
static void
test_password (void)
{
  g_auto (Ui) ui = { 0 };
  g_autoptr (JsonObject) process = host_load (g_getenv ("FLATPAK_OTHERS"), 0);
  g_autofree char *filter = g_strdup_printf ("--filter=pid=%" G_GINT64_FORMAT, json_object_get_int_member (process, "pid"));
  FILE *questions;
  GPid agent;

  write_settings ();
  start (&ui, (const char *const[]){ "--", filter, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "*Not*measured*");
  g_assert_false (is_measured (&ui));
  questions = start_password_agent (&agent);
  ui_act (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Unlock…"));
  expect_line (questions, "asked " APP ".read-memory: ");
  ui_await (is_measured (&ui));
  assert_shown (&ui, process, FALSE);
  ui_wait_until_gone (ui.window, ATSPI_ROLE_LABEL, "*not*measured*");
  ui_wait_until_gone (ui.window, ATSPI_ROLE_LABEL, "*Not*measured*");
  take_picture (&ui, "password");
  end_by_window (&ui);
  kill (agent, SIGTERM);
  waitpid (agent, NULL, 0);
  fclose (questions);
}

static void
test_no_reader (void)
{
  g_auto (Ui) ui = { 0 };

  forget_settings ();
  start (&ui, (const char *const[]){ NO_AGENT, NO_HELPER, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "The Host Can’t Be Read");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Footprint’s helper is not installed on this system.*");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "flatpak override --user --talk-name=org.freedesktop.Flatpak " APP);
  g_assert_cmpint (host_find (AGENT), ==, 0);
  take_picture (&ui, "no-reader");
  ui_act (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "Show the Sandbox"));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Only the processes of this Flatpak’s own sandbox are seen here.");
  end_by_window (&ui);
}

static void
end_by_crash (Ui *ui)
{
  kill (host_find ("footprint"), SIGSEGV);
}

static void
end_by_kill (Ui *ui)
{
  kill (host_find ("footprint"), SIGKILL);
}

static void
end_by_flatpak (Ui *ui)
{
  g_assert_true (g_spawn_command_line_sync ("flatpak kill " APP, NULL, NULL, NULL, NULL));
}

static const struct
{
  const char *path;
  void (*end) (Ui *ui);
} ends[] = {
  { "/flatpak/end/window", end_by_window },
  { "/flatpak/end/crash", end_by_crash },
  { "/flatpak/end/kill", end_by_kill },
  { "/flatpak/end/flatpak-kill", end_by_flatpak },
};

/* The agent dies with the window, whatever that dies of. */
static void
test_end (gconstpointer data)
{
  void (*end) (Ui * ui) = ends[GPOINTER_TO_UINT (data)].end;
  g_auto (Ui) ui = { 0 };

  forget_settings ();
  start (&ui, NULL);
  ui_await (host_find (AGENT));
  end (&ui);
  if (!ui_wait_for_ms (5000, is_all_gone, NULL))
    g_error ("The agent or the program is still there");
}

/* Starts what runs commands on the host, where the bus would find it too late. */
static void
start_session_helper (const char *const *argv,
                      const char *preload)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environment = g_get_environ ();
  pid_t before = host_find (SESSION_HELPER);

  if (before)
    kill (before, SIGKILL);
  ui_await (!has_owner (bus));
  if (preload)
    environment = g_environ_setenv (environment, "LD_PRELOAD", preload, TRUE);
  g_spawn_async (NULL, (char **)argv, environment, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  ui_await (has_owner (bus));
}

static int
run (const char *const *argv,
     const char *preload)
{
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "LD_PRELOAD", preload ? preload : "", TRUE);
  int status = 0;

  g_assert_true (g_spawn_sync (NULL, (char **)argv, environment, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status, NULL));
  return WEXITSTATUS (status);
}

/* A root in which nothing starts that needs a libc. */
static void
test_no_libc (void)
{
  const char *host = g_getenv ("FLATPAK_BARE_HOST");
  g_autofree char *user = g_strdup_printf ("--userspec=%u:%u", getuid (), getgid ());
  const char *const enter[] = { "/usr/libexec/enter-host", user, host, "/bin/session-helper", NULL };
  const char *const needs_libc[] = { "/usr/libexec/enter-host", user, host, "/elsewhere/bin/true", NULL };
  g_autofree char *root = NULL;

  g_assert_cmpint (run (needs_libc, NULL), ==, 127);
  start_session_helper (enter, NULL);
  check_frozen (&root);
  g_assert_cmpstr (root, ==, host);
}

/* A library that its host loads into every program, and with which the agent would end at once. */
static void
test_preload (void)
{
  const char *preload = g_getenv ("FLATPAK_PRELOAD");

  g_assert_cmpint (run ((const char *const[]){ "/usr/libexec/footprint-helper", "--stdio", NULL }, preload), ==, 99);
  start_session_helper ((const char *const[]){ "/usr/libexec/flatpak-session-helper", NULL }, preload);
  check_frozen (NULL);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flatpak/host", test_host);
  g_test_add_func ("/flatpak/picture", test_picture);
  g_test_add_func ("/flatpak/password", test_password);
  g_test_add_func ("/flatpak/no-reader", test_no_reader);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    g_test_add_data_func (ends[i].path, GUINT_TO_POINTER (i), test_end);
  g_test_add_func ("/flatpak/preload", test_preload);
  g_test_add_func ("/flatpak/no-libc", test_no_libc);
  return g_test_run ();
}
