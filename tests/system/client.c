// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <gio/gunixfdlist.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "async-result.h"
#include "fp-clock.h"
#include "fp-helper-source.h"
#include "fp-local-source.h"
#include "fp-snapshot-file.h"
#include "fp-sweep.h"

/* Does on one connection to the helper what its arguments name, one after the other, and prints a line for each:
 *   stdio=PROGRAM  start that helper instead of using the one on the bus
 *   own            collect what is given without a question
 *   all            ask for everything
 *   again          collect once more, as before
 *   glance         the same, and take what there is, though some may be pending
 *   join           join the bus, without a call, and tell the name that it gives
 *   first          the same as glance on that connection, by its first calls
 *   ask            ask for everything, again as long as the helper is busy, and take what there is
 *   fresh          the same as again, silently, until all figures are from after this step began
 *   once           call on a connection of its own, which stays, and tell what came of it
 *   leave          close the connection
 *   root=PROGRAM   from now on the helper that pkexec starts
 *   lock           give back what was permitted
 *   give-up        collect and cancel that at once
 *   hold           wait for a line from standard input
 *   patience=MS    give up waiting for an answer after so long
 *   save=FILE      the last snapshot
 *   raw=FILE       the bytes of a block, as they come
 *   local=FILE     what this user reads by itself
 *   mappings=PID   those of a process
 *   graphics=PID   if its graphics memory is told
 *   raw-kept=FILE  the answer about what is kept in memory, or its refusal, as it comes
 *   details=PID    those of a process
 *   files=PID      those of one process, summed up
 *   local-files=PID  those of one process that this user reads by itself
 *   all-files      those of all processes of the last collection, summed up */

#define PATIENCE_MS (60 * 1000) /* for an answer: the helper drops no call of somebody who calls so seldom */

typedef struct
{
  FpSource *source;
  FpSnapshot *snapshot;
  guint patience_ms;
  GDBusConnection *beside;
} Client;

static gboolean
give_up_cb (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_CONTINUE;
}

static void
say_error (const char *step,
           const GError *error)
{
  if (error->domain == FP_HELPER_ERROR)
    printf ("%s error %d %s\n", step, error->code, error->message);
  else
    printf ("%s gave up: %s\n", step, error->message);
}

static gboolean
has_to_go_on (const Client *self,
              const char *step,
              const GError *error)
{
  if (!self->snapshot)
    return g_str_equal (step, "ask") && g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY);
  return self->snapshot->info.n_pending > 0 && !g_str_equal (step, "glance") && !g_str_equal (step, "ask");
}

static void
collect (Client *self,
         const char *step)
{
  FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .may_ask = g_str_equal (step, "all") || g_str_equal (step, "ask") };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint timer = self->patience_ms ? g_timeout_add (self->patience_ms, give_up_cb, cancellable) : 0;
  g_autoptr (GError) error = NULL;

  do
    {
      g_clear_pointer (&self->snapshot, fp_snapshot_unref);
      g_clear_error (&error);
      self->snapshot = async_result_ask (self->source, &request, cancellable, &error);
      request.may_ask = request.may_ask && !self->snapshot;
    }
  while (has_to_go_on (self, step, error));
  g_clear_handle_id (&timer, g_source_remove);
  if (self->snapshot)
    printf ("%s %s %u\n", step, fp_access_get_name (fp_helper_source_get_access (FP_HELPER_SOURCE (self->source))),
            self->snapshot->n_processes);
  else
    say_error (step, error);
}

static GDBusConnection *
join_bus (void)
{
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SYSTEM, NULL, NULL);

  return g_dbus_connection_new_for_address_sync (
      address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, NULL);
}

/* The bus turns new connections away while it has too many. */
static void
join (Client *self)
{
  while (!(self->beside = join_bus ()))
    g_usleep (10 * 1000);
  puts ("joined");
}

static GVariant *
call_collect (GDBusConnection *connection,
              GUnixFDList **fds,
              GError **error)
{
  return g_dbus_connection_call_with_unix_fd_list_sync (connection, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE,
                                                        "Collect", g_variant_new_parsed ("(@a(it) [], @t 0, @a{sv} {})"),
                                                        G_VARIANT_TYPE ("(vs)"), G_DBUS_CALL_FLAGS_NONE, PATIENCE_MS, NULL, fds, NULL, error);
}

/* A busy helper says when to come back. FALSE: it is another error. */
static gboolean
wait_for_busy (GError *error)
{
  if (fp_helper_error_find (error) != FP_HELPER_ERROR_BUSY || !g_dbus_error_strip_remote_error (error))
    return FALSE;
  g_printerr ("# asked to come back in %s\n", error->message);
  g_usleep (g_ascii_strtoull (error->message, NULL, 10) * 1000);
  return TRUE;
}

/* A user's crowd leaves places to those who are new. */
static void
collect_first (Client *self)
{
  g_autoptr (GVariant) reply = NULL;
  const char *access;

  while (!reply)
    {
      g_autoptr (GUnixFDList) fds = NULL;
      g_autoptr (GError) error = NULL;

      reply = call_collect (self->beside, &fds, &error);
      if (!reply && (strstr (error->message, "callers are new") || !wait_for_busy (error)))
        g_assert_no_error (error);
    }
  g_variant_get_child (reply, 1, "&s", &access);
  printf ("first %s\n", access);
}

static void
collect_once (Client *self)
{
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;

  self->beside = join_bus ();
  reply = call_collect (self->beside, &fds, &error);
  name = error ? g_dbus_error_get_remote_error (error) : NULL;
  printf ("once %s\n", name ? name : reply ? "served"
                                           : error->message);
}

/* Asks no oftener than the helper looks. */
static void
collect_fresh (Client *self)
{
  guint64 start_us = fp_clock_us (CLOCK_BOOTTIME);

  while (!self->snapshot || self->snapshot->info.boottime_us < start_us || self->snapshot->info.n_pending > 0)
    {
      g_autoptr (GError) error = NULL;

      g_usleep (100 * 1000);
      g_clear_pointer (&self->snapshot, fp_snapshot_unref);
      self->snapshot = async_result_ask (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, NULL, &error);
      g_assert_no_error (error);
    }
}

/* The name of a user is looked up in a time of its own. */
static void
collect_named (Client *self,
               gint pid)
{
  const FpProcess *process = NULL;

  while (!process || *fp_snapshot_get_text (self->snapshot, process, FP_TEXT_USER) == '\0')
    {
      g_clear_pointer (&self->snapshot, fp_snapshot_unref);
      collect_fresh (self);
      process = fp_snapshot_find (self->snapshot, pid);
    }
}

static void
load_mappings (Client *self,
               gint pid)
{
  const FpProcess *process = self->snapshot ? fp_snapshot_find (self->snapshot, pid) : NULL;
  const FpSourceRequest request = {
    .kind = FP_REQUEST_MAPPINGS, .id = { pid, process ? process->start_ticks : 1 }, .may_ask = TRUE
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = async_result_ask (self->source, &request, NULL, &error);

  if (mappings)
    printf ("mappings read %u\n", fp_mappings_get_n (mappings));
  else
    say_error ("mappings", error);
}

static void
load_files (Client *self,
            FpSource *source,
            const char *step,
            gint pid)
{
  g_autofree FpMappedProcess *wanted = g_new0 (FpMappedProcess, (self->snapshot ? self->snapshot->n_processes : 0) + 1);
  FpSourceRequest request = { .kind = FP_REQUEST_MAPPED_FILES, .mapped = wanted, .may_ask = TRUE };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappedFiles) files = NULL;
  guint64 rss = 0;

  for (guint i = 0; self->snapshot && i < self->snapshot->n_processes; i++)
    {
      const FpProcess *process = &self->snapshot->processes[i];

      if (pid == 0 || process->pid == pid)
        wanted[request.n_mapped++] = (FpMappedProcess){ { process->pid, process->start_ticks }, process->uid, process->shares_with };
    }
  files = async_result_ask (source, &request, NULL, &error);
  if (!files)
    {
      say_error (step, error);
      return;
    }
  for (guint i = 0; i < files->files->len; i++)
    {
      FpMemory memory;

      fp_mapped_file_get_memory (fp_mapped_files_get (files, i), &memory);
      rss += fp_memory_get (&memory, FP_FIELD_RSS);
    }
  printf ("%s read %u of %u processes, %" G_GUINT64_FORMAT " bytes\n", step, files->n_read, files->n_processes, rss);
}

static void
load_local_files (Client *self,
                  gint pid)
{
  g_autoptr (FpSource) local = fp_local_source_new ("/proc");

  load_files (self, local, "files", pid);
}

static void
load_details (Client *self,
              gint pid)
{
  const FpProcess *process = self->snapshot ? fp_snapshot_find (self->snapshot, pid) : NULL;
  const FpSourceRequest request = {
    .kind = FP_REQUEST_DETAILS, .id = { pid, process ? process->start_ticks : 1 }
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpDetails) details = async_result_ask (self->source, &request, NULL, &error);

  if (details)
    printf ("details read %" G_GUINT64_FORMAT "\n", details->limits.address_space);
  else
    say_error ("details", error);
}

/* The memory of others is known only of those that the helper told. */
static void
load_graphics (Client *self,
               gint pid)
{
  const FpProcess *process = fp_snapshot_find (self->snapshot, pid);
  const FpProcessId id = { pid, process->start_ticks };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpKept) kept =
      async_result_ask (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_KEPT }, NULL, &error);
  FpGraphicsShare share;

  if (kept)
    printf ("graphics known %d, beside %u\n", fp_kept_get_graphics (kept, &id, &share),
            kept->tmpfs->len + kept->held->len + (kept->segments ? kept->segments->len : 0));
  else
    say_error ("graphics", error);
}

static void
save (FpSnapshot *snapshot,
      const char *path)
{
  g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (snapshot);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  printf ("saved %d\n", g_file_set_contents (path, data, (gssize)size, NULL));
}

/* Without anything of the client in between, which could tidy them up. */
static void
save_raw (const char *path)
{
  g_autoptr (GDBusConnection) connection = join_bus ();
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) reply = call_collect (connection, &fds, NULL);
  int fd = reply ? g_unix_fd_list_get (fds, 0, NULL) : -1;
  g_autoptr (GMappedFile) file = g_mapped_file_new_from_fd (fd, FALSE, NULL);

  printf ("saved %d\n", file && g_file_set_contents (path, g_mapped_file_get_contents (file),
                                                     (gssize)g_mapped_file_get_length (file), NULL));
  close (fd);
}

/* TRUE: the helper was busy, and has time for it now. */
static gboolean
has_to_ask_again (GDBusMessage *answer)
{
  g_autoptr (GError) error = NULL;

  return answer && g_dbus_message_to_gerror (answer, &error) && wait_for_busy (error);
}

static void
save_raw_kept (const char *path)
{
  g_autoptr (GDBusConnection) connection = join_bus ();
  g_autoptr (GDBusMessage) answer = NULL;
  g_autofree guchar *bytes = NULL;
  gsize size = 0;

  do
    {
      g_autoptr (GDBusMessage) call =
          g_dbus_message_new_method_call (FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, "LoadKept");

      g_clear_object (&answer);
      answer = g_dbus_connection_send_message_with_reply_sync (connection, call, G_DBUS_SEND_MESSAGE_FLAGS_NONE, -1, NULL, NULL, NULL);
    }
  while (has_to_ask_again (answer));
  bytes = answer ? g_dbus_message_to_blob (answer, &size, G_DBUS_CAPABILITY_FLAGS_NONE, NULL) : NULL;
  printf ("saved %d\n", bytes && g_file_set_contents (path, (const char *)bytes, (gssize)size, NULL));
}

static void
save_local (const char *path)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  FpSweepRequest request = { 0 };
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, NULL);
  g_autoptr (FpSnapshot) snapshot = fp_sweep_collect (sweep, &request, NULL);

  save (snapshot, path);
}

static void
hold (void)
{
  char line[16];

  printf ("holding\n");
  fflush (stdout);
  if (!fgets (line, sizeof line, stdin))
    printf ("released by nobody\n");
}

static void
give_up (Client *self)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fp_source_request_async (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, cancellable, async_result_cb, &result);
  g_cancellable_cancel (cancellable);
  async_result_await (&result);
  g_assert_null (fp_source_request_finish (self->source, FP_REQUEST_COLLECT, result, &error));
  say_error ("give-up", error);
}

static void
start_as_root (Client *self,
               const char *program)
{
  const char *const argv[] = { program, "--as-root", "--", program, "--stdio", NULL };

  g_object_unref (self->source);
  self->source = fp_helper_source_new_as_root (argv, FALSE);
}

static void
start_helper (Client *self,
              const char *program)
{
  g_object_unref (self->source);
  self->source = fp_helper_source_new_for_command ((const char *const[]){ program, "--stdio", NULL }, FALSE);
}

static void
do_step (Client *self,
         const char *step)
{
  const char *value = strchr (step, '=');

  value = value ? value + 1 : "";
  if (g_str_equal (step, "all") || g_str_equal (step, "own") || g_str_equal (step, "again") ||
      g_str_equal (step, "glance") || g_str_equal (step, "ask"))
    collect (self, step);
  else if (g_str_equal (step, "join"))
    join (self);
  else if (g_str_equal (step, "first"))
    collect_first (self);
  else if (g_str_equal (step, "fresh"))
    collect_fresh (self);
  else if (g_str_has_prefix (step, "named="))
    collect_named (self, atoi (value));
  else if (g_str_equal (step, "once"))
    collect_once (self);
  else if (g_str_equal (step, "leave"))
    {
      g_object_unref (self->source);
      self->source = fp_helper_source_new ();
    }
  else if (g_str_equal (step, "give-up"))
    give_up (self);
  else if (g_str_equal (step, "lock"))
    fp_source_lock (self->source);
  else if (g_str_has_prefix (step, "root="))
    start_as_root (self, value);
  else if (g_str_equal (step, "hold"))
    hold ();
  else if (g_str_has_prefix (step, "stdio="))
    start_helper (self, value);
  else if (g_str_has_prefix (step, "patience="))
    self->patience_ms = (guint)g_ascii_strtoull (value, NULL, 10);
  else if (g_str_has_prefix (step, "save="))
    save (self->snapshot, value);
  else if (g_str_has_prefix (step, "raw="))
    save_raw (value);
  else if (g_str_has_prefix (step, "raw-kept="))
    save_raw_kept (value);
  else if (g_str_has_prefix (step, "local="))
    save_local (value);
  else if (g_str_has_prefix (step, "mappings="))
    load_mappings (self, (gint)g_ascii_strtoll (value, NULL, 10));
  else if (g_str_has_prefix (step, "files="))
    load_files (self, self->source, "files", (gint)g_ascii_strtoll (value, NULL, 10));
  else if (g_str_equal (step, "all-files"))
    load_files (self, self->source, step, 0);
  else if (g_str_has_prefix (step, "local-files="))
    load_local_files (self, (gint)g_ascii_strtoll (value, NULL, 10));
  else if (g_str_has_prefix (step, "graphics="))
    load_graphics (self, (gint)g_ascii_strtoll (value, NULL, 10));
  else if (g_str_has_prefix (step, "details="))
    load_details (self, (gint)g_ascii_strtoll (value, NULL, 10));
  fflush (stdout);
}

int
main (int argc,
      char *argv[])
{
  Client client = { .source = fp_helper_source_new () };

  for (int i = 1; i < argc; i++)
    do_step (&client, argv[i]);
  g_clear_pointer (&client.snapshot, fp_snapshot_unref);
  g_clear_object (&client.beside);
  g_object_unref (client.source);
  return 0;
}
