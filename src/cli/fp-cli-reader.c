// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <unistd.h>

#include "fp-cli-reader.h"
#include "fp-ending-reader.h"
#include "fp-helper-source.h"
#include "fp-mapping-reader.h"

#define AGENT_FD 3

struct _FpCliReader
{
  const char *proc_path;
  FpSweep *sweep;
  FpSource *helper; /* or NULL */
  gboolean may_ask; /* the next collection, for a password */
  GSubprocess *agent;
};

/* Nothing to read: closed when the agent is there, or has failed. */
static void
wait_for_end (int fd)
{
  char byte;

  while (read (fd, &byte, 1) > 0)
    ;
  close (fd);
}

/* Starts polkit's agent, which asks for the password in this terminal, for this process alone. option: "--fallback", so
 * that a desktop's own agent goes first, or NULL. NULL: it did not start, and polkit's error says what is missing. */
static GSubprocess *
start_agent (const char *option)
{
  g_autofree char *self = g_strdup_printf ("%d", getpid ());
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_INHERIT);
  GSubprocess *agent;
  int fds[2];

  if (!isatty (STDIN_FILENO) || pipe2 (fds, O_CLOEXEC) != 0)
    return NULL;
  g_subprocess_launcher_take_fd (launcher, fds[1], AGENT_FD);
  agent = g_subprocess_launcher_spawn (launcher, NULL, "pkttyagent", "--process", self, "--notify-fd",
                                       G_STRINGIFY (AGENT_FD), option, NULL);
  g_clear_object (&launcher);
  wait_for_end (fds[0]);
  return agent;
}

FpCliReader *
fp_cli_reader_new (const FpCliOptions *options,
                   GError **error)
{
  g_autoptr (FpCliReader) self = g_new0 (FpCliReader, 1);
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;

  self->proc_path = options->proc_path ? options->proc_path : "/proc";
  if (options->all && geteuid () != 0)
    {
      self->agent = start_agent ("--fallback");
      self->helper = fp_helper_source_new ();
      self->may_ask = TRUE;
    }
  else if (!(self->sweep = fp_sweep_new (self->proc_path, &settings, error)))
    return NULL;
  return g_steal_pointer (&self);
}

static void
stop_agent (FpCliReader *self)
{
  if (self->agent)
    g_subprocess_send_signal (self->agent, SIGTERM);
  g_clear_object (&self->agent);
}

void
fp_cli_reader_free (FpCliReader *self)
{
  stop_agent (self);
  g_clear_object (&self->helper);
  g_clear_pointer (&self->sweep, fp_sweep_free);
  g_free (self);
}

static void
finished_cb (GObject *object,
             GAsyncResult *result,
             gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (!*result)
    g_main_context_iteration (NULL, TRUE);
}

/* Here the time does not matter: until all are read. */
static FpSnapshot *
collect_until_read (FpCliReader *self,
                    GError **error)
{
  FpSnapshot *snapshot = NULL;

  do
    {
      const FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .may_ask = self->may_ask };
      g_autoptr (GAsyncResult) result = NULL;

      self->may_ask = FALSE;
      g_clear_pointer (&snapshot, fp_snapshot_unref);
      fp_source_request_async (self->helper, &request, NULL, finished_cb, &result);
      wait_for (&result);
      snapshot = fp_source_request_finish (self->helper, FP_REQUEST_COLLECT, result, error);
    }
  while (snapshot && snapshot->info.n_pending > 0);
  return snapshot;
}

/* Outside of a session polkit (up to 127 at least) forgets an agent that is a fallback only. */
static FpSnapshot *
collect_from_helper (FpCliReader *self,
                     GError **error)
{
  g_autoptr (GError) problem = NULL;
  FpSnapshot *snapshot = collect_until_read (self, &problem);

  if (self->agent && g_error_matches (problem, FP_HELPER_ERROR, FP_HELPER_ERROR_NO_AGENT))
    {
      g_clear_error (&problem);
      stop_agent (self);
      self->agent = start_agent (NULL);
      self->may_ask = TRUE;
      snapshot = collect_until_read (self, &problem);
    }
  if (problem)
    g_propagate_error (error, g_steal_pointer (&problem));
  return snapshot;
}

FpSnapshot *
fp_cli_reader_collect (FpCliReader *self,
                       GError **error)
{
  FpSweepRequest request = { 0 };
  FpSnapshot *snapshot =
      self->helper ? collect_from_helper (self, error) : fp_sweep_collect (self->sweep, &request, error);

  if (snapshot && snapshot->n_processes == 0)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("There are no processes in %s"), self->proc_path);
      g_clear_pointer (&snapshot, fp_snapshot_unref);
    }
  return snapshot;
}

FpMappings *
fp_cli_reader_load_mappings (FpCliReader *self,
                             const FpProcessId *id,
                             GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  FpMappings *mappings;
  FpProcDir proc;

  if (self->helper)
    {
      fp_source_request_async (self->helper, &(FpSourceRequest){ .kind = FP_REQUEST_MAPPINGS, .id = *id, .may_ask = TRUE },
                               NULL, finished_cb, &result);
      wait_for (&result);
      return fp_source_request_finish (self->helper, FP_REQUEST_MAPPINGS, result, error);
    }
  if (!fp_proc_dir_open (&proc, self->proc_path, error))
    return NULL;
  mappings = fp_mappings_read (&proc, id, NULL, NULL, error);
  fp_proc_dir_close (&proc);
  return mappings;
}

/* By this process also where the helper reads the rest: of what it may not read the lower end is known. */
FpEnding *
fp_cli_reader_read_ending (FpCliReader *self,
                           const FpEndingMember *members,
                           guint n,
                           GError **error)
{
  FpEnding *ending;
  FpProcDir proc;

  if (!fp_proc_dir_open (&proc, self->proc_path, error))
    return NULL;
  ending = fp_ending_read (&proc, members, n, NULL, NULL, error);
  fp_proc_dir_close (&proc);
  return ending;
}
