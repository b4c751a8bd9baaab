// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-cli-reader.h"
#include "fp-helper-source.h"
#include "fp-local-source.h"

#define AGENT_FD 3
#define LATE     5 /* intervals without a collection make a gap in the history */

struct _FpCliReader
{
  const char *proc_path;
  FpSource *own;
  FpSource *source; /* the helper, or own */
  GSubprocess *agent;
  gboolean may_ask; /* the next collection, for a password */
  gboolean only_lists;
  FpMachineHistory *history;
  FpHistory *process_history;    /* (nullable): NULL where there is one collection only */
  FpTotalHistory *total_history; /* (nullable): the same */
  FpFormat format;
  guint64 longest_us; /* what is longer between two collections is a gap */
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
fp_cli_reader_new (const FpCliOptions *options)
{
  FpCliReader *self = g_new0 (FpCliReader, 1);

  self->proc_path = options->proc_path ? options->proc_path : "/proc";
  self->own = fp_local_source_new (self->proc_path);
  self->history = fp_machine_history_new ();
  self->process_history = options->watch_seconds > 0 ? fp_history_new () : NULL;
  self->total_history = options->watch_seconds > 0 ? fp_total_history_new () : NULL;
  self->format.numeric_users = options->numeric;
  self->longest_us = (guint64)(LATE * options->watch_seconds * G_USEC_PER_SEC);
  self->may_ask = options->all && geteuid () != 0;
  /* Their mappings say more, and every reading holds a process up. */
  self->only_lists = options->files;
  if (self->may_ask)
    self->agent = start_agent ("--fallback");
  self->source = self->may_ask ? fp_helper_source_new () : g_object_ref (self->own);
  return self;
}

/* polkit refuses another agent for this process as long as the first one is connected. */
static void
stop_agent (FpCliReader *self)
{
  if (!self->agent)
    return;
  g_subprocess_send_signal (self->agent, SIGTERM);
  g_subprocess_wait (self->agent, NULL, NULL);
  g_clear_object (&self->agent);
}

void
fp_cli_reader_free (FpCliReader *self)
{
  stop_agent (self);
  g_object_unref (self->source);
  g_object_unref (self->own);
  fp_machine_history_free (self->history);
  g_clear_pointer (&self->process_history, fp_history_unref);
  g_clear_pointer (&self->total_history, fp_total_history_free);
  g_free (self);
}

/* Here the time does not matter: until all are read. The helper answers with what it has after a while. */
static FpSnapshot *
collect_until_read (FpCliReader *self,
                    GError **error)
{
  FpSnapshot *snapshot = NULL;

  do
    {
      const FpSourceRequest request = {
        .kind = FP_REQUEST_COLLECT, .sweep.only_lists = self->only_lists, .may_ask = self->may_ask
      };

      self->may_ask = FALSE;
      g_clear_pointer (&snapshot, fp_snapshot_unref);
      snapshot = fp_source_request_sync (self->source, &request, error);
    }
  while (snapshot && snapshot->info.n_pending > 0 && self->source != self->own);
  return snapshot;
}

static void
remember (FpCliReader *self,
          FpSnapshot *snapshot)
{
  g_autoptr (FpRecords) processes = fp_process_records_new (snapshot, NULL);

  fp_history_take (self->process_history, snapshot, self->longest_us);
  fp_total_history_take (self->total_history, processes, &self->format, self->longest_us);
}

/* Outside of a session polkit (up to 127 at least) forgets an agent that is a fallback only. */
FpSnapshot *
fp_cli_reader_collect (FpCliReader *self,
                       GError **error)
{
  GError *problem = NULL;
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
    g_propagate_error (error, problem);
  else if (snapshot->n_processes == 0)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("There are no processes in %s"), self->proc_path);
      g_clear_pointer (&snapshot, fp_snapshot_unref);
    }
  if (snapshot && self->process_history)
    remember (self, snapshot);
  return snapshot;
}

FpMappings *
fp_cli_reader_load_mappings (FpCliReader *self,
                             const FpProcessId *id,
                             GError **error)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_MAPPINGS, .id = *id, .may_ask = TRUE };

  return fp_source_request_sync (self->source, &request, error);
}

FpMappedFiles *
fp_cli_reader_read_files (FpCliReader *self,
                          const FpMappedProcess *processes,
                          guint n,
                          GError **error)
{
  const FpSourceRequest request = {
    .kind = FP_REQUEST_MAPPED_FILES, .mapped = processes, .n_mapped = n, .may_ask = TRUE
  };

  return fp_source_request_sync (self->source, &request, error);
}

/* The helper reads no endings: where this process may not read, the lower end is known. */
FpEnding *
fp_cli_reader_read_ending (FpCliReader *self,
                           const FpEndingMember *members,
                           guint n,
                           GError **error)
{
  const FpSourceRequest request = {
    .kind = FP_REQUEST_ENDING, .members = members, .n_members = n, .may_be_copied = TRUE
  };

  return fp_source_request_sync (fp_source_offers (self->source, FP_REQUEST_ENDING) ? self->source : self->own, &request, error);
}

FpSections *
fp_cli_reader_read_sections (FpCliReader *self,
                             const FpProcessId *id,
                             const char *file,
                             GError **error)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_SECTIONS, .id = *id, .file = file };

  return fp_source_request_sync (fp_source_offers (self->source, FP_REQUEST_SECTIONS) ? self->source : self->own, &request, error);
}

FpMalloc *
fp_cli_reader_read_malloc (FpCliReader *self,
                           const FpProcessId *id,
                           GError **error)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_MALLOC, .id = *id };

  return fp_source_request_sync (fp_source_offers (self->source, FP_REQUEST_MALLOC) ? self->source : self->own, &request, error);
}

/* A copied /proc tells nothing of this machine's groups and files. */
static gpointer
read_beside (FpCliReader *self,
             FpRequestKind kind)
{
  const FpSourceRequest request = { .kind = kind };
  FpSource *source = fp_source_offers (self->source, kind) ? self->source : self->own;

  if (strcmp (self->proc_path, "/proc") != 0 || !fp_source_offers (source, kind))
    return NULL;
  return fp_source_request_sync (source, &request, NULL);
}

/* NULL: they can't be read */
FpControlGroups *
fp_cli_reader_read_groups (FpCliReader *self)
{
  return read_beside (self, FP_REQUEST_CONTROL_GROUPS);
}

/* NULL: it can't be read */
FpKept *
fp_cli_reader_read_kept (FpCliReader *self)
{
  return read_beside (self, FP_REQUEST_KEPT);
}

/* Returns: (nullable): NULL where there is one collection only */
FpHistory *
fp_cli_reader_get_process_history (FpCliReader *self)
{
  return self->process_history;
}

/* Returns: (nullable): NULL where there is one collection only */
const FpTotalHistory *
fp_cli_reader_get_total_history (FpCliReader *self)
{
  return self->total_history;
}

/* The moments that were printed; they belong to the reader. */
FpMachineHistory *
fp_cli_reader_get_history (FpCliReader *self)
{
  return self->history;
}
