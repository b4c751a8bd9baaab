// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-helper-source.h"
#include "fp-host-source.h"
#include "fp-local-source.h"
#include "fp-sandbox.h"

#define NONE FP_N_HOST_CANDIDATES

struct _FpHostSource
{
  GObject parent;

  FpSource *sources[FP_N_HOST_CANDIDATES]; /* NULL: the way does not exist here */
  GError *errors[FP_N_HOST_CANDIDATES];    /* why each reader before the current one has failed, or does not exist */
  guint current;                           /* reads while it is locked */
  gboolean has_answered;                   /* the current one */
  guint unlocked;                          /* reads all processes, or NONE */
  guint asked;                             /* for a password, the last time */
  GCancellable *asking;                    /* a question that is open, which may take minutes */
  GError *problem;                         /* of the last ::lock-changed */
};

static void fp_host_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FpHostSource,
                               fp_host_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fp_host_source_iface_init))

static FpSource *
make_helper (const FpSandbox *sandbox,
             const char *helper_path,
             GError **error)
{
  return fp_helper_source_new ();
}

static FpSource *
make_outside (const FpSandbox *sandbox,
              const char *helper_path,
              GError **error)
{
  g_auto (GStrv) command = fp_sandbox_make_command (sandbox, helper_path, error);

  return command ? fp_helper_source_new_for_command ((const char *const *)command, TRUE) : NULL;
}

static FpSource *
make_here (const FpSandbox *sandbox,
           const char *helper_path,
           GError **error)
{
  return fp_local_source_new ("/proc");
}

/* Started through pkexec. Its first call of itself sees, on the host where this is in a Flatpak, whether only root could
 * have changed it. */
static FpSource *
make_root (const FpSandbox *sandbox,
           const char *helper_path,
           GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) command = NULL, argv = NULL;
  guint n;

  if (sandbox)
    command = fp_sandbox_make_command (sandbox, helper_path, error);
  else
    command = g_strdupv ((char **)(const char *const[]){ helper_path, "--stdio", NULL });
  if (!command)
    return NULL;
  n = g_strv_length (command);
  for (guint i = 0; i + 1 < n; i++)
    g_strv_builder_add (builder, command[i]);
  g_strv_builder_add_many (builder, "--as-root", "--", NULL);
  g_strv_builder_addv (builder, (const char **)command);
  argv = g_strv_builder_end (builder);
  return fp_helper_source_new_as_root ((const char *const *)argv, sandbox != NULL);
}

/* In a Flatpak /proc is the sandbox's own, so this process comes last of those that read without a password. Those that
 * unlock have connections of their own: reading goes on while a question is open. */
static const struct
{
  FpSource *(*make) (const FpSandbox *sandbox, const char *helper_path, GError **error);
  gboolean is_for_sandbox;
  const char *(*get_advice) (FpHelperError code); /* NULL: it does not unlock */
} candidates[FP_N_HOST_CANDIDATES] = {
  [FP_HOST_HELPER] = { make_helper, TRUE, NULL },
  [FP_HOST_OUTSIDE] = { make_outside, TRUE, NULL },
  [FP_HOST_HERE] = { make_here, FALSE, NULL },
  [FP_HOST_UNLOCKED] = { make_helper, FALSE, fp_helper_error_get_advice },
  [FP_HOST_ROOT] = { make_root, FALSE, fp_helper_error_get_started_advice },
};

/* Finds the next candidate after one that has failed with the error, or the first where there is no error. */
static guint
find_next (const FpHostSource *self,
           guint i,
           const GError *error)
{
  gboolean unlocks = candidates[i].get_advice != NULL;

  if (unlocks && error && !g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_NOT_INSTALLED))
    return NONE;
  if (error)
    i++;
  while (i < NONE && !self->sources[i])
    i++;
  return i < NONE && (candidates[i].get_advice != NULL) == unlocks ? i : NONE;
}

static void
set_unlocked (FpHostSource *self,
              guint unlocked,
              const GError *error)
{
  self->unlocked = unlocked;
  g_clear_error (&self->problem);
  self->problem = error ? g_error_copy (error) : NULL;
  g_signal_emit_by_name (self, "lock-changed", error);
}

/* Takes the error. A reader that worked and fails begins another round, which may find it well again. */
static void
pass_over (FpHostSource *self,
           GError *error)
{
  guint failed = self->current;

  g_info ("%s", error->message);
  g_clear_error (&self->errors[failed]);
  self->errors[failed] = error;
  self->current = self->has_answered ? find_next (self, FP_HOST_HELPER, NULL) : find_next (self, failed, error);
  self->has_answered = FALSE;
}

/* Takes the error. A busy helper stays selected and is tried again at the next refresh. */
static void
fall_back (FpHostSource *self,
           FpSource *reader,
           GError *error)
{
  if (self->unlocked != NONE && reader == self->sources[self->unlocked] &&
      !g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY))
    {
      /* polkit's authorization belongs to the connection and outlives these failures. */
      if (g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_FAILED) ||
          g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED))
        fp_source_lock (reader);
      set_unlocked (self, NONE, error);
    }
  g_error_free (error);
}

static gboolean
is_sandboxed (const FpHostSource *self)
{
  return self->sources[FP_HOST_HELPER] != NULL;
}

static void
note_answer (FpHostSource *self)
{
  gboolean is_first = !self->has_answered;

  self->has_answered = TRUE;
  g_clear_error (&self->errors[self->current]);
  if (is_first && is_sandboxed (self))
    g_signal_emit_by_name (self, "reader-changed");
}

static void
collected_cb (GObject *object,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (GTask) task = data;
  FpHostSource *self = g_task_get_source_object (task);
  FpSource *reader = FP_SOURCE (object);
  gboolean is_current = reader == self->sources[self->current];
  GError *error = NULL;
  FpSnapshot *snapshot = fp_source_request_finish (reader, FP_REQUEST_COLLECT, result, &error);

  if (snapshot && is_current)
    note_answer (self);
  if (snapshot || reader == self->sources[FP_HOST_HERE] || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      fp_source_answer (task, snapshot, error);
      return;
    }
  if (is_current)
    pass_over (self, error);
  else
    fall_back (self, reader, error);
  fp_source_request_async (self->sources[self->current], g_task_get_task_data (task), g_task_get_cancellable (task),
                           collected_cb, g_object_ref (task));
}

static void
answered_cb (GObject *reader,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  gpointer answer = g_task_propagate_pointer (G_TASK (result), &error);

  fp_source_answer (task, answer, error);
}

/* Where the question for the files of all users was answered with no, those that this process may read stand. */
static void
summed_cb (GObject *reader,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (GTask) task = data;
  FpHostSource *self = g_task_get_source_object (task);
  GError *error = NULL;
  gpointer answer = g_task_propagate_pointer (G_TASK (result), &error);

  if (answer || reader == G_OBJECT (self->sources[FP_HOST_HERE]) || is_sandboxed (self) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      fp_source_answer (task, answer, error);
      return;
    }
  g_info ("%s", error->message);
  g_error_free (error);
  fp_source_request_async (self->sources[FP_HOST_HERE], g_task_get_task_data (task), g_task_get_cancellable (task),
                           answered_cb, g_object_ref (task));
}

/* Without the helper's answer the process's own reading stands. */
static void
told_graphics_cb (GObject *reader,
                  GAsyncResult *result,
                  gpointer data)
{
  g_autoptr (GTask) task = data;
  FpKept *kept = g_task_get_task_data (task);
  g_autoptr (FpKept) of_all = fp_source_request_finish (FP_SOURCE (reader), FP_REQUEST_KEPT, result, NULL);

  if (of_all)
    fp_kept_take_graphics (kept, of_all);
  fp_source_answer (task, fp_kept_ref (kept), NULL);
}

static void
kept_cb (GObject *reader,
         GAsyncResult *result,
         gpointer data)
{
  g_autoptr (GTask) task = data;
  FpHostSource *self = g_task_get_source_object (task);
  GError *error = NULL;
  FpKept *kept = fp_source_request_finish (FP_SOURCE (reader), FP_REQUEST_KEPT, result, &error);

  if (!kept || self->unlocked == NONE)
    {
      fp_source_answer (task, kept, error);
      return;
    }
  g_task_set_task_data (task, kept, (GDestroyNotify)fp_kept_unref);
  fp_source_request_async (self->sources[self->unlocked], &(FpSourceRequest){ .kind = FP_REQUEST_KEPT },
                           g_task_get_cancellable (task), told_graphics_cb, g_object_ref (task));
}

/* No helper reads pages or descriptors; a sandbox's own file systems and processes are not the machine's. */
static gboolean
may_answer (const FpHostSource *self,
            FpRequestKind kind,
            guint reader)
{
  if (kind == FP_REQUEST_TMPFS_FILES)
    return !is_sandboxed (self);
  if (kind == FP_REQUEST_KEPT)
    return !is_sandboxed (self) || reader == FP_HOST_OUTSIDE;
  if (kind == FP_REQUEST_MAPPED_FILES)
    return !is_sandboxed (self) || reader == self->unlocked;
  return reader == FP_HOST_HERE;
}

static void
fp_host_source_answer (FpSource *source,
                       const FpSourceRequest *request,
                       GTask *task)
{
  static const char *const refusals[FP_N_REQUEST_KINDS] = {
    [FP_REQUEST_PAGES] = N_ ("Footprint is in a Flatpak, from where the pages of processes outside can’t be seen"),
    [FP_REQUEST_ENDING] = N_ ("Footprint is in a Flatpak, from where the files of processes outside can’t be seen"),
    [FP_REQUEST_KEPT] = N_ ("Footprint is in a Flatpak, from where the memory that is kept outside can’t be seen"),
    [FP_REQUEST_MAPPED_FILES] = N_ ("Footprint is in a Flatpak, from where the files that processes outside map are summed only after Unlock"),
    [FP_REQUEST_SECTIONS] = N_ ("Footprint is in a Flatpak, from where the pages of processes outside can’t be seen"),
    [FP_REQUEST_MALLOC] = N_ ("Footprint is in a Flatpak, from where the heaps of processes outside can’t be seen"),
    [FP_REQUEST_TMPFS_FILES] = N_ ("Footprint is in a Flatpak, from where the files outside can’t be seen"),
  };
  FpHostSource *self = FP_HOST_SOURCE (source);
  gboolean is_collection = request->kind == FP_REQUEST_COLLECT, is_kept = request->kind == FP_REQUEST_KEPT;
  gboolean is_sum = request->kind == FP_REQUEST_MAPPED_FILES;
  guint reader = self->current;

  /* Details need no password. */
  if (self->unlocked != NONE && (is_collection || is_sum || request->kind == FP_REQUEST_MAPPINGS))
    reader = self->unlocked;
  /* On a bus no helper reads control groups and what is kept, which a program of the user's own on the host can do as well. */
  else if ((is_kept || request->kind == FP_REQUEST_CONTROL_GROUPS) && self->current == FP_HOST_HELPER && self->sources[FP_HOST_OUTSIDE])
    reader = FP_HOST_OUTSIDE;
  if (refusals[request->kind] && !may_answer (self, request->kind, reader))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s", _ (refusals[request->kind]));
      return;
    }
  /* A full refresh begins with the helper again, because the user may have repaired what was missing. */
  if (self->unlocked == NONE && request->sweep.refresh_all && is_sandboxed (self) && self->current == FP_HOST_HERE)
    {
      reader = self->current = FP_HOST_HELPER;
      self->has_answered = FALSE;
    }
  if (is_collection || is_sum)
    g_task_set_task_data (task, fp_source_request_copy (request), fp_source_request_free);
  fp_source_request_async (self->sources[reader], request, g_task_get_cancellable (task),
                           is_collection ? collected_cb : is_kept ? kept_cb
                                                      : is_sum    ? summed_cb
                                                                  : answered_cb,
                           g_object_ref (task));
}

static void
fp_host_source_get_status (FpSource *source,
                           FpSourceStatus *status)
{
  FpHostSource *self = FP_HOST_SOURCE (source);
  const GError *error = self->errors[FP_HOST_HELPER];

  status->is_unlocked = self->unlocked != NONE;
  status->is_sandboxed = is_sandboxed (self);
  status->is_confined = status->is_sandboxed && self->current == FP_HOST_HERE && !status->is_unlocked;
  /* The helper may read no more than root, whom the kernel can refuse a process all the same. */
  status->can_unlock = !status->is_unlocked && (geteuid () != 0 || status->is_sandboxed);
  /* Then there is nobody to ask. */
  if (status->is_confined && (g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_NOT_INSTALLED) ||
                              g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_NO_BUS)))
    status->can_unlock = FALSE;
  if (self->problem && self->problem->domain == FP_HELPER_ERROR)
    status->advice = candidates[self->asked].get_advice ((FpHelperError)self->problem->code);
  status->helper_error = error;
  status->outside_error = self->errors[FP_HOST_OUTSIDE];
}

static void ask (FpHostSource *self, guint candidate, GTask *task);

static void
asked_cb (GObject *object,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (GTask) task = data;
  FpHostSource *self = g_task_get_source_object (task);
  GError *error = NULL;
  gboolean is_unlocked = fp_source_unlock_finish (FP_SOURCE (object), result, &error);
  gboolean was_given_up = g_cancellable_is_cancelled (self->asking);
  guint next = is_unlocked || was_given_up ? NONE : find_next (self, self->asked, error);

  if (next != NONE)
    {
      g_error_free (error);
      ask (self, next, task);
      return;
    }
  g_clear_object (&self->asking);
  /* The yes may have come before the question was given up. */
  if (was_given_up)
    fp_source_lock (FP_SOURCE (object));
  else
    set_unlocked (self, is_unlocked ? self->asked : NONE, error);
  if (is_unlocked)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
ask (FpHostSource *self,
     guint candidate,
     GTask *task)
{
  self->asked = candidate;
  fp_source_unlock_async (self->sources[candidate], self->asking, asked_cb, g_object_ref (task));
}

static void
fp_host_source_unlock (FpSource *source,
                       GTask *task)
{
  FpHostSource *self = FP_HOST_SOURCE (source);
  GCancellable *cancellable = g_task_get_cancellable (task);

  if (self->unlocked != NONE)
    g_task_return_boolean (task, TRUE);
  else if (self->asking)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PENDING, "the last question is still open");
  else
    {
      self->asking = g_cancellable_new ();
      if (cancellable)
        g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (g_cancellable_cancel), self->asking, G_CONNECT_SWAPPED);
      ask (self, find_next (self, FP_HOST_UNLOCKED, NULL), task);
    }
}

/* In a Flatpak the helper that reads without a password may have been given one for mappings. */
static void
fp_host_source_lock (FpSource *source)
{
  FpHostSource *self = FP_HOST_SOURCE (source);

  if (self->asking)
    g_cancellable_cancel (self->asking);
  if (self->unlocked == NONE)
    return;
  fp_source_lock (self->sources[self->unlocked]);
  if (is_sandboxed (self))
    fp_source_lock (self->sources[FP_HOST_HELPER]);
  set_unlocked (self, NONE, NULL);
}

static void
fp_host_source_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_ALL_REQUEST_BITS;
  iface->answer = fp_host_source_answer;
  iface->get_status = fp_host_source_get_status;
  iface->unlock = fp_host_source_unlock;
  iface->lock = fp_host_source_lock;
}

static void
fp_host_source_finalize (GObject *object)
{
  FpHostSource *self = FP_HOST_SOURCE (object);

  for (guint i = 0; i < FP_N_HOST_CANDIDATES; i++)
    {
      g_clear_object (&self->sources[i]);
      g_clear_error (&self->errors[i]);
    }
  g_clear_error (&self->problem);

  G_OBJECT_CLASS (fp_host_source_parent_class)->finalize (object);
}

static void
fp_host_source_class_init (FpHostSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_host_source_finalize;
}

static void
fp_host_source_init (FpHostSource *self)
{
  self->unlocked = NONE;
}

/* Takes the sources and the error. */
FpSource *
fp_host_source_new_with (FpSource *const sources[FP_N_HOST_CANDIDATES],
                         GError *outside_error)
{
  FpHostSource *self = g_object_new (FP_TYPE_HOST_SOURCE, NULL);

  memcpy (self->sources, sources, sizeof self->sources);
  self->errors[FP_HOST_OUTSIDE] = outside_error;
  self->current = find_next (self, FP_HOST_HELPER, NULL);
  return FP_SOURCE (self);
}

/* helper_path: the helper that came with this program */
FpSource *
fp_host_source_new (const char *helper_path)
{
  g_autoptr (FpSandbox) sandbox = fp_sandbox_new ("/.flatpak-info");
  FpSource *sources[FP_N_HOST_CANDIDATES] = { NULL };
  GError *outside_error = NULL;

  for (guint i = 0; i < FP_N_HOST_CANDIDATES; i++)
    if (sandbox || !candidates[i].is_for_sandbox)
      sources[i] = candidates[i].make (sandbox, helper_path, i == FP_HOST_OUTSIDE ? &outside_error : NULL);
  return fp_host_source_new_with (sources, outside_error);
}
