// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-source.h"

typedef struct
{
  GDestroyNotify free_answer;
  const char *missing; /* for sources that do not answer such requests */
} Kind;

G_DEFINE_INTERFACE (FpSource, fp_source, G_TYPE_OBJECT)

static void
fp_source_default_init (FpSourceInterface *iface)
{
  g_signal_new ("lock-changed", FP_TYPE_SOURCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  g_signal_new ("reader-changed", FP_TYPE_SOURCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
free_snapshot (gpointer data)
{
  fp_snapshot_unref (data);
}

static void
free_mappings (gpointer data)
{
  fp_mappings_unref (data);
}

static void
free_details (gpointer data)
{
  fp_details_free (data);
}

static void
free_control_groups (gpointer data)
{
  fp_control_groups_unref (data);
}

static void
free_kept (gpointer data)
{
  fp_kept_unref (data);
}

static void
free_mapped_files (gpointer data)
{
  fp_mapped_files_unref (data);
}

static void
free_tmpfs_files (gpointer data)
{
  fp_tmpfs_files_free (data);
}

static void
free_sections (gpointer data)
{
  fp_sections_free (data);
}

static void
free_malloc (gpointer data)
{
  fp_malloc_free (data);
}

static FpTmpfs *
copy_tmpfs (const FpTmpfs *tmpfs)
{
  FpTmpfs *copy = g_memdup2 (tmpfs, sizeof *tmpfs);

  copy->path = g_strdup (tmpfs->path);
  return copy;
}

static const Kind kinds[FP_N_REQUEST_KINDS] = {
  [FP_REQUEST_COLLECT] = { free_snapshot, NULL },
  [FP_REQUEST_MAPPINGS] = { free_mappings, N_ ("A saved snapshot has no mappings") },
  [FP_REQUEST_DETAILS] = { free_details, N_ ("A saved snapshot has no details beyond what it shows") },
  [FP_REQUEST_PAGES] = { g_free, N_ ("Pages are shown only of running processes that you may read yourself, on this machine") },
  [FP_REQUEST_ENDING] = { fp_ending_free, N_ ("A saved snapshot has no more than it shows") },
  [FP_REQUEST_CONTROL_GROUPS] = { free_control_groups, N_ ("The kernel’s groups are shown only of this machine, or of a snapshot that was saved with them") },
  [FP_REQUEST_MAPPED_FILES] = { free_mapped_files, N_ ("Files are summed only over running processes that you may read yourself, on this machine") },
  [FP_REQUEST_SECTIONS] = { free_sections, N_ ("The sections of a library are shown only of running processes that you may read yourself, on this machine") },
  [FP_REQUEST_KEPT] = { free_kept, N_ ("A saved snapshot does not list the files kept in memory") },
  [FP_REQUEST_MALLOC] = { free_malloc, N_ ("Only heaps of running processes that you may read yourself, on this machine, can be looked into") },
  [FP_REQUEST_TMPFS_FILES] = { free_tmpfs_files, N_ ("Files kept in memory are listed only on this machine, as you see them yourself") },
};

FpSourceRequest *
fp_source_request_copy (const FpSourceRequest *self)
{
  FpSourceRequest *copy = g_memdup2 (self, sizeof *self);

  copy->sweep.attention = g_memdup2 (self->sweep.attention, self->sweep.n_attention * sizeof *self->sweep.attention);
  copy->sweep.wanted = g_memdup2 (self->sweep.wanted, self->sweep.n_wanted * sizeof *self->sweep.wanted);
  copy->mapped = g_memdup2 (self->mapped, self->n_mapped * sizeof *self->mapped);
  copy->members = g_memdup2 (self->members, self->n_members * sizeof *self->members);
  copy->file = g_strdup (self->file);
  copy->tmpfs = self->tmpfs ? copy_tmpfs (self->tmpfs) : NULL;
  return copy;
}

void
fp_source_request_free (gpointer self)
{
  FpSourceRequest *request = self;

  g_free ((gpointer)request->sweep.attention);
  g_free ((gpointer)request->sweep.wanted);
  g_free ((gpointer)request->members);
  g_free ((gpointer)request->mapped);
  g_free ((gpointer)request->file);
  if (request->tmpfs)
    fp_tmpfs_clear ((gpointer)request->tmpfs);
  g_free ((gpointer)request->tmpfs);
  g_free (request);
}

gboolean
fp_source_offers (FpSource *self,
                  FpRequestKind kind)
{
  g_return_val_if_fail (FP_IS_SOURCE (self), FALSE);

  return (FP_SOURCE_GET_IFACE (self)->kinds & FP_REQUEST_BIT (kind)) != 0;
}

/* Says why some sources do not offer it. */
const char *
fp_source_get_missing (FpRequestKind kind)
{
  g_return_val_if_fail (kind < FP_N_REQUEST_KINDS && kinds[kind].missing, NULL);

  return _ (kinds[kind].missing);
}

void
fp_source_request_async (FpSource *self,
                         const FpSourceRequest *request,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FP_IS_SOURCE (self));
  g_return_if_fail (request->kind < FP_N_REQUEST_KINDS);
  g_return_if_fail (request->kind != FP_REQUEST_PAGES ||
                    (request->range.start < request->range.end && request->range.max_bins > 0));
  g_return_if_fail (request->kind != FP_REQUEST_ENDING || request->n_members > 0);
  g_return_if_fail (request->kind != FP_REQUEST_TMPFS_FILES || request->tmpfs);

  task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (task, (gpointer)&kinds[request->kind]);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (fp_source_offers (self, request->kind))
    FP_SOURCE_GET_IFACE (self)->answer (self, request, task);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s", fp_source_get_missing (request->kind));
}

/* Takes the answer, or the error where there is none. */
void
fp_source_answer (GTask *task,
                  gpointer answer,
                  GError *error)
{
  const Kind *kind = g_task_get_source_tag (task);

  if (answer)
    g_task_return_pointer (task, answer, kind->free_answer);
  else
    g_task_return_error (task, error);
}

/* The caller owns the answer, whose type goes with the kind. */
gpointer
fp_source_request_finish (FpSource *self,
                          FpRequestKind kind,
                          GAsyncResult *result,
                          GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, (gpointer)&kinds[kind]), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
synced_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

/* For a program without a main loop. Tasks and threads would cost a short run of it more than 1 %, so they are left out
 * where this process reads. */
gpointer
fp_source_request_sync (FpSource *self,
                        const FpSourceRequest *request,
                        GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_return_val_if_fail (FP_IS_SOURCE (self), NULL);

  if (FP_SOURCE_GET_IFACE (self)->read)
    return FP_SOURCE_GET_IFACE (self)->read (self, request, error);
  fp_source_request_async (self, request, NULL, synced_cb, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  return fp_source_request_finish (self, request->kind, result, error);
}

FpSourceStatus
fp_source_get_status (FpSource *self)
{
  FpSourceStatus status = { 0 };

  g_return_val_if_fail (FP_IS_SOURCE (self), status);

  if (FP_SOURCE_GET_IFACE (self)->get_status)
    FP_SOURCE_GET_IFACE (self)->get_status (self, &status);
  return status;
}

/* Asks for the permission to read all processes, with a password where one is needed, which may take minutes; meanwhile
 * it goes on as before. */
void
fp_source_unlock_async (FpSource *self,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FP_IS_SOURCE (self));

  task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (task, fp_source_unlock_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (FP_SOURCE_GET_IFACE (self)->unlock)
    FP_SOURCE_GET_IFACE (self)->unlock (self, task);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "it can’t be unlocked");
}

gboolean
fp_source_unlock_finish (FpSource *self,
                         GAsyncResult *result,
                         GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, fp_source_unlock_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Gives every permission back, also what polkit keeps, and gives up a question that is open. */
void
fp_source_lock (FpSource *self)
{
  g_return_if_fail (FP_IS_SOURCE (self));

  if (FP_SOURCE_GET_IFACE (self)->lock)
    FP_SOURCE_GET_IFACE (self)->lock (self);
}
