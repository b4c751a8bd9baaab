// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-control-group-reader.h"
#include "fp-ending-reader.h"
#include "fp-kept-reader.h"
#include "fp-local-source.h"
#include "fp-malloc-reader.h"
#include "fp-mapping-reader.h"
#include "fp-page-map-reader.h"
#include "fp-section-reader.h"

#define STEP_US       (50 * 1000) /* between two signs of progress */
#define USERS_WAIT_US (200 * 1000)

struct _FpLocalSource
{
  GObject parent;

  char *proc_path;
  gboolean is_for_others;
  gboolean is_for_graphics;
  FpSweep *sweep;     /* of the worker, one at a time */
  gint is_collecting; /* atomic */
  GMutex groups_lock;
  FpControlGroupReader *groups; /* under its lock */
  GMutex kept_lock;
  FpKeptReader *kept;   /* under its lock */
  gboolean has_pending; /* the same: what graphics others have is still to be read of some */
  FpUsers *users;       /* names of those who own files */
};

static void fp_local_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FpLocalSource,
                               fp_local_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fp_local_source_iface_init))

typedef struct
{
  GTask *task; /* (nullable): its caller waits for it */
  GCancellable *cancellable;
  const FpSourceRequest *request;
  const FpProcDir *proc;
  gint64 told_us; /* the time of the last sign of progress */
} Reading;

typedef struct
{
  GTask *task;
  goffset position;
  goffset whole;
  FpMappedFiles *part; /* (nullable): it tells of this one, and owns it */
} Sign;

static void
sign_free (gpointer data)
{
  Sign *sign = data;

  g_object_unref (sign->task);
  g_clear_pointer (&sign->part, fp_mapped_files_unref);
  g_free (sign);
}

static gboolean
sign_cb (gpointer data)
{
  Sign *sign = data;
  const FpSourceRequest *request = g_task_get_task_data (sign->task);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (sign->task)) || g_task_get_completed (sign->task))
    return G_SOURCE_REMOVE;
  if (sign->part)
    request->part (g_steal_pointer (&sign->part), request->progress_data);
  else
    request->progress (sign->position, sign->whole, request->progress_data);
  return G_SOURCE_REMOVE;
}

static void
send (Reading *self,
      Sign sign)
{
  sign.task = g_object_ref (self->task);
  g_main_context_invoke_full (g_task_get_context (self->task), G_PRIORITY_DEFAULT, sign_cb, g_memdup2 (&sign, sizeof sign),
                              sign_free);
}

/* Now and then, and at the end */
static void
tell_progress (Reading *self,
               guint64 position,
               guint64 whole)
{
  gint64 now_us = g_get_monotonic_time ();

  if (!self->task || !self->request->progress || (now_us < self->told_us + STEP_US && position < whole))
    return;
  self->told_us = now_us;
  send (self, (Sign){ .position = (goffset)position, .whole = (goffset)whole });
}

static gboolean
step_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  Reading *self = data;

  if (whole > 0)
    tell_progress (self, position, whole);
  return !g_cancellable_is_cancelled (self->cancellable);
}

static gpointer
read_mappings (Reading *self,
               GError **error)
{
  return fp_mappings_read (self->proc, &self->request->id, step_cb, self, error);
}

static gpointer
read_details (Reading *self,
              GError **error)
{
  return fp_details_read (self->proc, &self->request->id, error);
}

static gpointer
read_pages (Reading *self,
            GError **error)
{
  const FpPageRange *range = &self->request->range;
  g_autoptr (FpPageMapReader) reader =
      fp_page_map_reader_new (self->proc, &self->request->id, range->start, range->end, range->max_bins, error);
  GError *problem = NULL;

  if (!reader)
    return NULL;
  while (!fp_page_map_reader_step (reader, g_get_monotonic_time () + STEP_US, &problem) && !problem)
    {
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return NULL;
      tell_progress (self, fp_page_map_reader_get_position (reader) - range->start, range->end - range->start);
    }
  if (!problem)
    return fp_page_map_reader_finish (reader, error);
  g_propagate_error (error, problem);
  return NULL;
}

static void
part_cb (FpMappedFiles *part,
         gpointer data)
{
  send (data, (Sign){ .part = part });
}

static gpointer
read_mapped_files (Reading *self,
                   GError **error)
{
  const FpSourceRequest *request = self->request;

  return fp_mapped_files_read (self->proc, request->mapped, request->n_mapped, step_cb,
                               self->task && request->part ? part_cb : NULL, self, error);
}

static gpointer
read_sections (Reading *self,
               GError **error)
{
  return fp_sections_read (self->proc, &self->request->id, self->request->file, step_cb, self, error);
}

static gpointer
read_malloc (Reading *self,
             GError **error)
{
  return fp_malloc_read (self->proc, &self->request->id, step_cb, self, error);
}

static gboolean
go_on_cb (guint64 position,
          guint64 whole,
          gpointer data)
{
  return !g_cancellable_is_cancelled (data);
}

static gpointer
read_ending (Reading *self,
             GError **error)
{
  if (self->proc->is_live || self->request->may_be_copied)
    return fp_ending_read (self->proc, self->request->members, self->request->n_members, go_on_cb, self->cancellable, error);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("Processes of a copied /proc cannot be ended"));
  return NULL;
}

static FpTmpfsFiles *
read_tmpfs_files (FpLocalSource *self,
                  Reading *reading,
                  GError **error)
{
  const FpSourceRequest *request = reading->request;
  FpTmpfsFiles *files = fp_tmpfs_list (reading->proc, request->tmpfs, request->n_biggest, step_cb, reading, error);

  if (files)
    fp_tmpfs_files_name_owners (files, self->users, USERS_WAIT_US);
  return files;
}

/* The sweep keeps a descriptor of its own on /proc. */
static FpSnapshot *
collect (FpLocalSource *self,
         const FpSweepRequest *request,
         GError **error)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  FpSnapshot *snapshot = NULL;

  settings.judges_owners = self->is_for_others;
  if (!self->sweep)
    self->sweep = fp_sweep_new (self->proc_path, &settings, error);
  if (self->sweep)
    snapshot = fp_sweep_collect (self->sweep, request, error);
  g_atomic_int_set (&self->is_collecting, FALSE);
  return snapshot;
}

/* The first reading looks at all processes. One for others goes on with that at the next reading: any user can have so many
 * descriptors that it takes many seconds. */
static FpKept *
read_kept (FpLocalSource *self,
           const FpProcDir *proc,
           GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->kept_lock);
  gboolean is_first = self->has_pending || (self->is_for_graphics && !self->kept);
  guint64 budget_us = is_first ? FP_KEPT_FIRST_BUDGET_US : self->kept ? FP_KEPT_BUDGET_US
                                                                      : 0;
  FpKept *kept;

  if (!self->kept)
    self->kept = self->is_for_graphics ? fp_kept_reader_new_for_graphics () : fp_kept_reader_new ();
  kept = fp_kept_reader_read (self->kept, proc, budget_us, error);
  self->has_pending = self->is_for_graphics && (!kept || kept->n_pending > 0);
  return kept;
}

static FpControlGroups *
read_groups (FpLocalSource *self,
             const FpProcDir *proc,
             GError **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->groups_lock);

  if (!self->groups)
    self->groups = fp_control_group_reader_new (proc, error);
  return self->groups ? fp_control_group_reader_read (self->groups) : NULL;
}

static gpointer
read_answer (FpLocalSource *self,
             const FpSourceRequest *request,
             GTask *task,
             GError **error)
{
  static gpointer (*const readers[FP_N_REQUEST_KINDS]) (Reading * self, GError * *error) = {
    [FP_REQUEST_MAPPINGS] = read_mappings,
    [FP_REQUEST_DETAILS] = read_details,
    [FP_REQUEST_PAGES] = read_pages,
    [FP_REQUEST_ENDING] = read_ending,
    [FP_REQUEST_MAPPED_FILES] = read_mapped_files,
    [FP_REQUEST_SECTIONS] = read_sections,
    [FP_REQUEST_MALLOC] = read_malloc,
  };
  Reading reading = { .task = task, .cancellable = task ? g_task_get_cancellable (task) : NULL, .request = request };
  gpointer answer;
  FpProcDir proc;

  if (request->kind == FP_REQUEST_COLLECT)
    return collect (self, &request->sweep, error);
  if (!fp_proc_dir_open (&proc, self->proc_path, error))
    return NULL;
  reading.proc = &proc;
  answer = request->kind == FP_REQUEST_CONTROL_GROUPS ? (gpointer)read_groups (self, &proc, error)
           : request->kind == FP_REQUEST_KEPT         ? (gpointer)read_kept (self, &proc, error)
           : request->kind == FP_REQUEST_TMPFS_FILES  ? (gpointer)read_tmpfs_files (self, &reading, error)
                                                      : readers[request->kind](&reading, error);
  fp_proc_dir_close (&proc);
  return answer;
}

static gboolean
may_begin (FpLocalSource *self,
           const FpSourceRequest *request,
           GError **error)
{
  if (request->kind != FP_REQUEST_COLLECT || g_atomic_int_compare_and_exchange (&self->is_collecting, FALSE, TRUE))
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PENDING, "the last collection is not over");
  return FALSE;
}

static gpointer
fp_local_source_read (FpSource *source,
                      const FpSourceRequest *request,
                      GError **error)
{
  FpLocalSource *self = FP_LOCAL_SOURCE (source);

  return may_begin (self, request, error) ? read_answer (self, request, NULL, error) : NULL;
}

static void
fp_local_source_answer_worker (GTask *task,
                               gpointer source,
                               gpointer data,
                               GCancellable *cancellable)
{
  GError *error = NULL;
  gpointer answer = read_answer (source, data, task, &error);

  fp_source_answer (task, answer, error);
}

static void
fp_local_source_answer (FpSource *source,
                        const FpSourceRequest *request,
                        GTask *task)
{
  GError *error = NULL;

  if (!may_begin (FP_LOCAL_SOURCE (source), request, &error))
    {
      fp_source_answer (task, NULL, error);
      return;
    }
  g_task_set_task_data (task, fp_source_request_copy (request), fp_source_request_free);
  g_task_run_in_thread (task, fp_local_source_answer_worker);
}

static void
fp_local_source_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_ALL_REQUEST_BITS;
  iface->answer = fp_local_source_answer;
  iface->read = fp_local_source_read;
}

static void
fp_local_source_finalize (GObject *object)
{
  FpLocalSource *self = FP_LOCAL_SOURCE (object);

  g_clear_pointer (&self->sweep, fp_sweep_free);
  g_clear_pointer (&self->groups, fp_control_group_reader_free);
  g_mutex_clear (&self->groups_lock);
  g_clear_pointer (&self->kept, fp_kept_reader_free);
  g_mutex_clear (&self->kept_lock);
  fp_users_free (self->users);
  g_free (self->proc_path);

  G_OBJECT_CLASS (fp_local_source_parent_class)->finalize (object);
}

static void
fp_local_source_class_init (FpLocalSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_local_source_finalize;
}

static void
fp_local_source_init (FpLocalSource *self)
{
  g_mutex_init (&self->groups_lock);
  g_mutex_init (&self->kept_lock);
  self->users = fp_users_new (fp_user_lookup);
}

FpSource *
fp_local_source_new (const char *proc_path)
{
  FpLocalSource *self = g_object_new (FP_TYPE_LOCAL_SOURCE, NULL);

  self->proc_path = g_strdup (proc_path);
  return FP_SOURCE (self);
}

FpSource *
fp_local_source_new_for_others (const char *proc_path)
{
  FpSource *self = fp_local_source_new (proc_path);

  FP_LOCAL_SOURCE (self)->is_for_others = TRUE;
  return self;
}

/* This one reads the graphics memory of all processes, and nothing else that is kept. */
FpSource *
fp_local_source_new_for_graphics (const char *proc_path)
{
  FpSource *self = fp_local_source_new (proc_path);

  FP_LOCAL_SOURCE (self)->is_for_graphics = FP_LOCAL_SOURCE (self)->has_pending = TRUE;
  return self;
}
