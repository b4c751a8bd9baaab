// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "fp-heap-records.h"
#include "fp-heap-scene.h"
#include "fp-heap-words.h"

#define STEP_US (50 * 1000) /* between two signs of progress */

/* The task of a worker. */
typedef struct
{
  GFile *file;       /* NULL: it was read */
  FpHeapScene *from; /* NULL: it is to be read */
  guint64 time_ms;
  FpFigureStyle style;
  FpHeapProgressFunc progress;
  gpointer progress_data;
  GTask *task; /* not owned */
  gint64 told_us;
} Order;

typedef struct
{
  GTask *task;
  guint64 position;
  guint64 whole;
} Sign;

FpHeapScene *
fp_heap_scene_ref (FpHeapScene *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_heap_scene_unref (FpHeapScene *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  fp_heap_profile_unref (self->profile);
  fp_heap_tree_unref (self->tree);
  g_array_unref (self->stacks);
  g_free (self->sentence);
  g_free (self->condition);
  fp_records_unref (self->functions);
  fp_records_unref (self->libraries);
  g_free (self);
}

/* Whether another moment than the peak can be looked at. */
gboolean
fp_heap_scene_has_moments (const FpHeapScene *self)
{
  return self->profile->has_times && !self->profile->states.is_without_changes && self->profile->states.intervals->len > 0;
}

static void
order_free (gpointer data)
{
  Order *self = data;

  g_clear_object (&self->file);
  g_clear_pointer (&self->from, fp_heap_scene_unref);
  g_free (self);
}

/* At a moment, “never freed” stays what it is at the end. */
static GArray *
find_stacks (const FpHeapProfile *profile,
             guint64 *time_ms)
{
  GArray *stacks = *time_ms != FP_HEAP_AT_PEAK ? fp_heap_profile_dup_stacks_at (profile, *time_ms, time_ms) : NULL;

  if (!stacks)
    {
      *time_ms = FP_HEAP_AT_PEAK;
      return g_array_ref (profile->stacks);
    }
  for (guint i = 0; i < stacks->len; i++)
    g_array_index (stacks, FpHeapStack, i).leaked = fp_heap_profile_get_stack (profile, i)->leaked;
  return stacks;
}

/* profile, tree, sentence: (transfer full) */
static FpHeapScene *
scene_new (FpHeapProfile *profile,
           FpHeapTree *tree,
           char *sentence,
           const Order *order)
{
  FpHeapScene *self = g_new0 (FpHeapScene, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->profile = profile;
  self->tree = tree;
  self->sentence = sentence;
  self->style = order->style;
  self->time_ms = order->time_ms;
  self->stacks = find_stacks (profile, &self->time_ms);
  self->condition = fp_heap_describe_condition (profile);
  self->functions = fp_heap_records_new (profile, self->stacks, FP_HEAP_BY_FUNCTION);
  self->libraries = fp_heap_records_new (profile, self->stacks, FP_HEAP_BY_LIBRARY);
  return self;
}

/* The result may have come before it. */
static gboolean
sign_cb (gpointer data)
{
  const Sign *sign = data;
  const Order *order = g_task_get_task_data (sign->task);

  if (!g_task_get_completed (sign->task) && !g_cancellable_is_cancelled (g_task_get_cancellable (sign->task)))
    order->progress (sign->position, sign->whole, order->progress_data);
  return G_SOURCE_REMOVE;
}

static void
sign_free (gpointer data)
{
  Sign *sign = data;

  g_object_unref (sign->task);
  g_free (sign);
}

static gboolean
step_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  Order *order = data;
  gint64 now_us = g_get_monotonic_time ();

  if (whole > 0 && now_us >= order->told_us + STEP_US)
    {
      Sign *sign = g_new (Sign, 1);

      order->told_us = now_us;
      *sign = (Sign){ g_object_ref (order->task), MIN (position, whole), whole };
      g_idle_add_full (G_PRIORITY_DEFAULT, sign_cb, sign, sign_free);
    }
  return !g_cancellable_is_cancelled (g_task_get_cancellable (order->task));
}

static FpHeapProfile *
read_profile (Order *order,
              GError **error)
{
  const char *path = g_file_peek_path (order->file);
  FpHeapProfile *profile;
  int fd;

  if (!path)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("Only files of this machine can be opened."));
      return NULL;
    }
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    {
      int number = errno;

      g_set_error_literal (error, G_FILE_ERROR, (gint)g_file_error_from_errno (number), g_strerror (number));
      return NULL;
    }
  profile = fp_heap_profile_read (fd, step_cb, order, error);
  g_close (fd, NULL);
  return profile;
}

/* The sentence sums up the whole recording, which takes as long as the rest, and stays the same at other moments. */
static FpHeapScene *
move_scene (const Order *order)
{
  const FpHeapScene *from = order->from;
  char *sentence = from->style == order->style ? g_strdup (from->sentence) : fp_heap_describe (from->profile, order->style);

  return scene_new (fp_heap_profile_ref (from->profile), fp_heap_tree_ref (from->tree), sentence, order);
}

static FpHeapScene *
make_scene (Order *order,
            GError **error)
{
  FpHeapProfile *profile;

  if (order->from)
    return move_scene (order);
  profile = read_profile (order, error);
  return profile ? scene_new (profile, fp_heap_tree_new (profile), fp_heap_describe (profile, order->style), order) : NULL;
}

static void
make_worker (GTask *task,
             gpointer source,
             gpointer data,
             GCancellable *cancellable)
{
  GError *error = NULL;
  FpHeapScene *scene = make_scene (data, &error);

  if (scene)
    g_task_return_pointer (task, scene, (GDestroyNotify)fp_heap_scene_unref);
  else
    g_task_return_error (task, error);
}

/* order: (transfer full). A file that keeps its reader waiting need not keep the person waiting who cancels. */
static void
run (Order *order,
     GCancellable *cancellable,
     GAsyncReadyCallback callback,
     gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  order->task = task;
  g_task_set_source_tag (task, run);
  g_task_set_task_data (task, order, order_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, make_worker);
}

void
fp_heap_scene_read_async (GFile *file,
                          FpFigureStyle style,
                          FpHeapProgressFunc progress,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer data)
{
  Order *order = g_new0 (Order, 1);

  *order = (Order){ .file = g_object_ref (file), .time_ms = FP_HEAP_AT_PEAK, .style = style, .progress = progress, .progress_data = data };
  run (order, cancellable, callback, data);
}

void
fp_heap_scene_move_async (FpHeapScene *from,
                          guint64 time_ms,
                          FpFigureStyle style,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer data)
{
  Order *order = g_new0 (Order, 1);

  *order = (Order){ .from = fp_heap_scene_ref (from), .time_ms = time_ms, .style = style };
  run (order, cancellable, callback, data);
}

FpHeapScene *
fp_heap_scene_finish (GAsyncResult *result,
                      GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
