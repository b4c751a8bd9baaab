// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"
#include "folders.h"

#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <locale.h>
#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif
#include <stdlib.h>
#include <unistd.h>

#include "fp-bus-filter.h"
#include "fp-confinement.h"
#include "fp-helper-protocol.h"
#include "fp-helper.h"
#include "fp-root-launcher.h"

#define EXIT_USAGE 2
#define MMAP_BYTES (4 << 20) /* snapshots of 5,000 processes and more */

typedef struct
{
  gboolean stdio;
  gboolean as_root;
  gboolean version;
  char **command;
} Options;

static gboolean
parse_options (Options *options,
               int *argc,
               char ***argv,
               GError **error)
{
  const GOptionEntry entries[] = {
    { "stdio", 0, 0, G_OPTION_ARG_NONE, &options->stdio, N_ ("Serve the program at standard input and output"), NULL },
    { "as-root", 0, 0, G_OPTION_ARG_NONE, &options->as_root,
      N_ ("Start COMMAND as root, after an administrator’s password, if nobody but root can change it"), NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &options->version, N_ ("Print the version"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &options->command, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("[-- COMMAND…]"));

  g_option_context_set_summary (context, _ ("Reads memory figures for Footprint. It is started by the system bus, not by hand."));
  g_option_context_add_main_entries (context, entries, FP_GETTEXT_DOMAIN);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  /* polkit compares the program and its first argument: what else is asked of a root that its yes was for is refused. */
  if (options->as_root && (options->stdio || geteuid () == 0 || getuid () != geteuid ()))
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--as-root is for users other than root"));
      return FALSE;
    }
  if (options->as_root == (options->command != NULL))
    return TRUE;
  if (options->command)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("“%s” is no option; --help lists them"), options->command[0]);
  else
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("--as-root needs a command"));
  return FALSE;
}

/* Only the process that started this one can call, and it may read all that this process can read. */
static gboolean
serve_stdio (GMainLoop *loop,
             GError **error)
{
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr (GOutputStream) output = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
  g_autoptr (GIOStream) stream = g_simple_io_stream_new (input, output);
  g_autoptr (GDBusConnection) connection = NULL;
  g_autoptr (FpHelper) helper = NULL;

  if (!g_unix_set_fd_nonblocking (STDIN_FILENO, TRUE, error) || !g_unix_set_fd_nonblocking (STDOUT_FILENO, TRUE, error))
    return FALSE;
  connection = g_dbus_connection_new_sync (stream, NULL, G_DBUS_CONNECTION_FLAGS_DELAY_MESSAGE_PROCESSING, NULL, NULL, error);
  if (!connection || !(helper = fp_helper_new (connection, NULL, error)))
    return FALSE;
  g_signal_connect_swapped (connection, "closed", G_CALLBACK (g_main_loop_quit), loop);
  g_dbus_connection_start_message_processing (connection);
  g_main_loop_run (loop);
  return TRUE;
}

/* Another helper has it, or this one may not. */
static void
name_lost_cb (GDBusConnection *connection,
              const char *name,
              gpointer data)
{
  g_autofree char *words = g_strdup_printf (_ ("The name %s is not to be had on the bus"), name);

  g_printerr ("footprint-helper: %s\n", words);
  exit (EXIT_FAILURE);
}

static gboolean
serve_bus (GMainLoop *loop,
           GError **error)
{
  FpAccounts *accounts = fp_accounts_new (); /* for the filter's thread, which ends with the process */
  g_autoptr (GDBusConnection) connection = fp_bus_filter_connect (accounts, error);
  g_autoptr (FpHelper) helper = connection ? fp_helper_new (connection, accounts, error) : NULL;
  guint owner;

  if (!helper)
    return FALSE;
  g_dbus_connection_set_exit_on_close (connection, TRUE);
  g_signal_connect_swapped (helper, "idle", G_CALLBACK (g_main_loop_quit), loop);
  owner = g_bus_own_name_on_connection (connection, FP_HELPER_BUS_NAME, G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE, NULL,
                                        name_lost_cb, NULL, NULL);
  g_main_loop_run (loop);
  g_bus_unown_name (owner);
  g_dbus_connection_flush_sync (connection, NULL, NULL);
  return TRUE;
}

int
main (int argc,
      char *argv[])
{
  g_autoptr (GMainLoop) loop = NULL;
  g_autoptr (GError) error = NULL;
  Options options = { 0 };

  setlocale (LC_ALL, "");
  bindtextdomain (FP_GETTEXT_DOMAIN, FP_LOCALE_DIR);
  bind_textdomain_codeset (FP_GETTEXT_DOMAIN, "UTF-8");
  textdomain (FP_GETTEXT_DOMAIN);
  /* Standard output may be the connection. */
  g_log_writer_default_set_use_stderr (TRUE);

  if (!parse_options (&options, &argc, &argv, &error))
    {
      g_printerr ("footprint-helper: %s\n", error->message);
      return EXIT_USAGE;
    }
  if (options.version)
    {
      g_print ("footprint-helper " FP_VERSION "\n");
      return 0;
    }
  if (options.as_root)
    return fp_root_launcher_run ((const char *const *)options.command);
  if (options.stdio && isatty (STDIN_FILENO))
    {
      g_printerr ("footprint-helper: %s\n", _ ("--stdio is for programs; it speaks D-Bus"));
      return EXIT_USAGE;
    }
  loop = g_main_loop_new (NULL, FALSE);
#ifdef HAVE_MALLOC_TRIM
  /* Bigger pieces go back to the kernel when they are freed, whichever thread had them. By itself, glibc raises the limit. */
  mallopt (M_MMAP_THRESHOLD, MMAP_BYTES);
  mallopt (M_TRIM_THRESHOLD, 2 * MMAP_BYTES);
#endif
  if (fp_confinement_enter (&error) && (options.stdio ? serve_stdio (loop, &error) : serve_bus (loop, &error)))
    return 0;
  g_printerr ("footprint-helper: %s\n", error->message);
  return 1;
}
