// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-file-source.h"
#include "fp-saved-file.h"

struct _FpFileSource
{
  GObject parent;

  GFile *file;
  char *name;
};

static void fp_file_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FpFileSource,
                               fp_file_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fp_file_source_iface_init))

static gpointer
choose_answer (FpRequestKind kind,
               FpSnapshot *snapshot,
               FpMappedFiles *files,
               FpControlGroups *groups,
               GError **error)
{
  if (kind == FP_REQUEST_COLLECT)
    return fp_snapshot_ref (snapshot);
  if (kind == FP_REQUEST_MAPPED_FILES && files)
    return fp_mapped_files_ref (files);
  if (kind == FP_REQUEST_CONTROL_GROUPS && groups)
    return fp_control_groups_ref (groups);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                       kind == FP_REQUEST_MAPPED_FILES ? _ ("The list of files was not saved in this snapshot")
                                                       : _ ("The kernel’s groups were not saved in this snapshot"));
  return NULL;
}

static void
fp_file_source_answer_worker (GTask *task,
                              gpointer source,
                              gpointer data,
                              GCancellable *cancellable)
{
  FpFileSource *self = source;
  GError *error = NULL;
  g_autoptr (GBytes) bytes = g_file_load_bytes (self->file, cancellable, NULL, &error);
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpControlGroups) groups = NULL;
  g_autoptr (FpSnapshot) snapshot = bytes ? fp_saved_file_unpack (bytes, &files, &groups, &error) : NULL;
  gpointer answer = snapshot ? choose_answer (GPOINTER_TO_INT (data), snapshot, files, groups, &error) : NULL;

  fp_source_answer (task, answer, error);
}

static void
fp_file_source_answer (FpSource *source,
                       const FpSourceRequest *request,
                       GTask *task)
{
  g_task_set_task_data (task, GINT_TO_POINTER (request->kind), NULL);
  g_task_run_in_thread (task, fp_file_source_answer_worker);
}

static void
fp_file_source_get_status (FpSource *self,
                           FpSourceStatus *status)
{
  status->name = FP_FILE_SOURCE (self)->name;
  status->is_saved = TRUE;
}

static void
fp_file_source_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_REQUEST_BIT (FP_REQUEST_COLLECT) | FP_REQUEST_BIT (FP_REQUEST_MAPPED_FILES) |
                 FP_REQUEST_BIT (FP_REQUEST_CONTROL_GROUPS);
  iface->answer = fp_file_source_answer;
  iface->get_status = fp_file_source_get_status;
}

static void
fp_file_source_finalize (GObject *object)
{
  g_clear_object (&FP_FILE_SOURCE (object)->file);
  g_free (FP_FILE_SOURCE (object)->name);

  G_OBJECT_CLASS (fp_file_source_parent_class)->finalize (object);
}

static void
fp_file_source_class_init (FpFileSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_file_source_finalize;
}

static void
fp_file_source_init (FpFileSource *self)
{
}

FpSource *
fp_file_source_new (GFile *file)
{
  FpFileSource *self = g_object_new (FP_TYPE_FILE_SOURCE, NULL);
  g_autofree char *basename = g_file_get_basename (file);

  /* A name may be any bytes. */
  self->name = g_filename_display_name (basename ? basename : "");

  self->file = g_object_ref (file);
  return FP_SOURCE (self);
}
