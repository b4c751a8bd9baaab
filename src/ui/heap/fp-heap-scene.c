// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "fp-heap-comparison.h"
#include "fp-heap-scene.h"
#include "fp-heap-words.h"

#define STEP_US (50 * 1000) /* between two signs of progress */

/* The task of a worker. */
typedef struct
{
  GFile *file;              /* NULL: it was read */
  FpHeapFollower *follower; /* NULL: of a file that does not grow */
  gboolean is_whole;        /* so that nothing will be added to the file */
  FpHeapScene *from;        /* NULL: it is to be read */
  FpHeapWish wish;
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

static FpHeapWish
wish_copy (const FpHeapWish *wish)
{
  FpHeapWish copy = *wish;

  if (copy.found)
    g_hash_table_ref (copy.found);
  if (copy.earlier)
    fp_heap_profile_ref (copy.earlier);
  for (guint i = 0; i < G_N_ELEMENTS (copy.names); i++)
    copy.names[i] = g_strdup (wish->names[i]);
  return copy;
}

static void
wish_clear (FpHeapWish *self)
{
  g_clear_pointer (&self->found, g_hash_table_unref);
  g_clear_pointer (&self->earlier, fp_heap_profile_unref);
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    g_clear_pointer (&self->names[i], g_free);
}

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
  wish_clear (&self->wish);
  fp_heap_profile_unref (self->profile);
  fp_heap_tree_unref (self->tree);
  fp_heap_tree_unref (self->excerpt.tree);
  g_array_unref (self->excerpt.stacks);
  g_clear_pointer (&self->excerpt.before, g_array_unref);
  g_free (self->summary);
  g_free (self->sentence);
  g_free (self->condition);
  fp_records_unref (self->functions);
  fp_records_unref (self->libraries);
  g_clear_pointer (&self->steps, fp_records_unref);
  g_free (self);
}

/* Whether another moment than the peak can be looked at. */
gboolean
fp_heap_scene_has_moments (const FpHeapScene *self)
{
  return self->profile->has_times && !self->profile->states.is_without_changes && self->profile->states.intervals->len > 0;
}

guint64
fp_heap_scene_get_end_ms (const FpHeapScene *self)
{
  const GArray *intervals = self->profile->states.intervals;

  return intervals->len > 0 ? g_array_index (intervals, FpHeapInterval, intervals->len - 1).time_ms : 0;
}

/* The moment at which the process had the most memory; 0: the file does not tell it */
guint64
fp_heap_scene_get_rss_ms (const FpHeapScene *self)
{
  const GArray *intervals = self->profile->states.intervals;
  guint64 highest = 0, time_ms = 0;

  for (guint i = 0; i < intervals->len; i++)
    if (g_array_index (intervals, FpHeapInterval, i).rss > highest)
      {
        highest = g_array_index (intervals, FpHeapInterval, i).rss;
        time_ms = g_array_index (intervals, FpHeapInterval, i).time_ms;
      }
  return time_ms;
}

/* Where a moment can be chosen, the buttons and the chart say which one it is. */
const char *
fp_heap_scene_get_cost_title (const FpHeapScene *self,
                              FpHeapCost cost)
{
  if (cost == FP_HEAP_PEAK && !self->wish.earlier && fp_heap_span_is_range (&self->span))
    return _ ("Growth");
  if (cost == FP_HEAP_PEAK && !self->wish.earlier && fp_heap_scene_has_moments (self))
    return _ ("In Use");
  return fp_heap_get_cost_title (self->profile, cost);
}

static void
order_free (gpointer data)
{
  Order *self = data;

  g_clear_object (&self->file);
  g_clear_pointer (&self->follower, fp_heap_follower_unref);
  g_clear_pointer (&self->from, fp_heap_scene_unref);
  wish_clear (&self->wish);
  g_free (self);
}

/* At a moment, “never freed” stays what it is at the end; in a range the file does not tell it. */
static GArray *
find_stacks (const FpHeapProfile *profile,
             FpHeapSpan *span)
{
  GArray *stacks = NULL;

  if (fp_heap_span_is_range (span))
    return fp_heap_profile_dup_stacks_between (profile, &span->from_ms, &span->to_ms);
  if (span->to_ms != FP_HEAP_AT_PEAK)
    stacks = fp_heap_profile_dup_stacks_at (profile, span->to_ms, &span->to_ms);
  for (guint i = 0; stacks && i < stacks->len; i++)
    g_array_index (stacks, FpHeapStack, i).leaked = fp_heap_profile_get_stack (profile, i)->leaked;
  return stacks;
}

static void
choose_stacks (FpHeapScene *self)
{
  self->excerpt.tree = fp_heap_tree_ref (self->tree);
  self->excerpt.stacks = find_stacks (self->profile, &self->span);
  self->excerpt.known = self->profile->known;
  if (!self->excerpt.stacks)
    {
      self->span = (FpHeapSpan){ FP_HEAP_NO_RANGE, FP_HEAP_AT_PEAK };
      self->excerpt.stacks = g_array_ref (self->profile->stacks);
    }
  if (fp_heap_span_is_range (&self->span))
    self->excerpt.known &= ~(1u << FP_HEAP_LEAKED);
}

/* The file does not tell what was never freed at a moment, nor how many allocations there were until the peak. */
static void
compare_moments (FpHeapScene *self)
{
  FpHeapSpan mark = { FP_HEAP_NO_RANGE, self->wish.mark_ms };

  self->excerpt.before = find_stacks (self->profile, &mark);
  if (!self->excerpt.before)
    self->excerpt.before = g_array_ref (self->profile->stacks);
  self->excerpt.known &= ~(1u << FP_HEAP_LEAKED);
  if (mark.to_ms == FP_HEAP_AT_PEAK || self->span.to_ms == FP_HEAP_AT_PEAK)
    self->excerpt.known &= 1u << FP_HEAP_PEAK;
}

static void
compare_files (FpHeapScene *self)
{
  g_auto (FpHeapComparison) comparison = { 0 };

  fp_heap_comparison_init (&comparison, self->wish.earlier, self->profile);
  self->span = (FpHeapSpan){ FP_HEAP_NO_RANGE, FP_HEAP_AT_PEAK };
  self->excerpt.tree = fp_heap_tree_new (comparison.profile);
  self->excerpt.stacks = g_array_ref (comparison.after);
  self->excerpt.before = g_array_ref (comparison.before);
  self->excerpt.known = comparison.known;
}

static void
make_excerpt (FpHeapScene *self)
{
  self->span = self->wish.span;
  if (self->wish.earlier)
    {
      compare_files (self);
      return;
    }
  choose_stacks (self);
  if (self->wish.mark_ms != FP_HEAP_NO_MARK)
    compare_moments (self);
}

/* Free it. */
static char *
describe_moments (const FpHeapScene *self)
{
  const FpHeapWhen then = { self->wish.mark_ms, self->wish.mark_ms == FP_HEAP_AT_PEAK };
  const FpHeapWhen now = { self->span.to_ms, self->span.to_ms == FP_HEAP_AT_PEAK };
  g_autofree char *mark = fp_heap_name_moment (then);

  if (self->wish.mark_ms == self->wish.span.to_ms)
    /* Translators: a moment, such as “after 2.5 s” or “at its peak” */
    return g_strdup_printf (_ ("Choose another moment to compare with what it held %s."), mark);
  return fp_heap_describe_moments (&self->excerpt, then, now, self->wish.style);
}

/* Free it. */
static char *
describe (const FpHeapScene *self)
{
  if (self->wish.earlier)
    return fp_heap_describe_files (&self->excerpt, self->wish.earlier, self->profile, (const char *const *)self->wish.names,
                                   self->wish.style);
  return self->wish.mark_ms != FP_HEAP_NO_MARK ? describe_moments (self) : g_strdup (self->summary);
}

/* A comparison is wrong, too, where something of the other file is missing. (nullable); free it */
static char *
describe_condition (const FpHeapScene *self)
{
  g_autofree char *own = fp_heap_describe_condition (self->profile);
  g_autofree char *earlier = self->wish.earlier ? fp_heap_describe_condition (self->wish.earlier) : NULL;
  g_autofree char *named = NULL;

  if (!earlier)
    return g_steal_pointer (&own);
  /* Translators: a file, and what is missing of it */
  named = g_strdup_printf (_ ("%s: %s"), self->wish.names[0], earlier);
  return own ? g_strconcat (own, "\n", named, NULL) : g_steal_pointer (&named);
}

/* profile, tree, summary: (transfer full) */
static FpHeapScene *
scene_new (FpHeapProfile *profile,
           FpHeapTree *tree,
           char *summary,
           const FpHeapWish *wish)
{
  FpHeapScene *self = g_new0 (FpHeapScene, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->wish = wish_copy (wish);
  self->profile = profile;
  self->tree = tree;
  self->summary = summary;
  return self;
}

/* Two files are compared as a whole, whatever moment is chosen. */
static gboolean
has_same_excerpt (const FpHeapScene *self,
                  const FpHeapScene *other)
{
  return self->wish.earlier == other->wish.earlier && self->wish.mark_ms == other->wish.mark_ms &&
         (self->wish.earlier || fp_heap_span_equal (&self->wish.span, &other->wish.span));
}

/* from: (nullable): its lists are of use where only the steps are others */
static void
make_lists (FpHeapScene *self,
            const FpHeapScene *from)
{
  if (from && has_same_excerpt (self, from))
    {
      self->span = from->span;
      self->excerpt.tree = fp_heap_tree_ref (from->excerpt.tree);
      self->excerpt.stacks = g_array_ref (from->excerpt.stacks);
      self->excerpt.before = from->excerpt.before ? g_array_ref (from->excerpt.before) : NULL;
      self->excerpt.known = from->excerpt.known;
      self->functions = fp_records_ref (from->functions);
      self->libraries = fp_records_ref (from->libraries);
    }
  else
    {
      make_excerpt (self);
      self->functions = fp_heap_records_new (&self->excerpt, FP_HEAP_BY_FUNCTION);
      self->libraries = fp_heap_records_new (&self->excerpt, FP_HEAP_BY_LIBRARY);
    }
  self->sentence = describe (self);
  self->condition = describe_condition (self);
  if (self->wish.has_steps)
    self->steps = fp_heap_records_new_steps (&self->excerpt, self->wish.direction, self->wish.found);
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

  if (order->progress && whole > 0 && now_us >= order->told_us + STEP_US)
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
  const char *path = order->file ? g_file_peek_path (order->file) : NULL;
  FpHeapProfile *profile;
  int fd;

  if (order->follower)
    return fp_heap_follower_read (order->follower, order->is_whole, step_cb, order, error);
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

/* The summary is of the whole recording, takes as long as the rest, and stays the same at other moments. */
static FpHeapScene *
move_scene (const Order *order)
{
  const FpHeapScene *from = order->from;
  FpFigureStyle style = order->wish.style;
  char *summary = from->wish.style == style ? g_strdup (from->summary) : fp_heap_describe (from->profile, style);

  return scene_new (fp_heap_profile_ref (from->profile), fp_heap_tree_ref (from->tree), summary, &order->wish);
}

static FpHeapScene *
make_scene (Order *order,
            GError **error)
{
  FpHeapProfile *profile = order->from ? NULL : read_profile (order, error);
  FpHeapScene *scene;

  if (!order->from && !profile)
    return NULL;
  if (order->from)
    scene = move_scene (order);
  else
    scene = scene_new (profile, fp_heap_tree_new (profile), fp_heap_describe (profile, order->wish.style), &order->wish);
  make_lists (scene, order->from);
  return scene;
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

static void
read_earlier_worker (GTask *task,
                     gpointer source,
                     gpointer data,
                     GCancellable *cancellable)
{
  GError *error = NULL;
  FpHeapProfile *profile = read_profile (data, &error);

  if (profile)
    g_task_return_pointer (task, profile, (GDestroyNotify)fp_heap_profile_unref);
  else
    g_task_return_error (task, error);
}

/* order: (transfer full). A file that keeps its reader waiting need not keep the person waiting who cancels. */
static void
run (Order *order,
     GTaskThreadFunc worker,
     GCancellable *cancellable,
     GAsyncReadyCallback callback,
     gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  order->task = task;
  g_task_set_source_tag (task, run);
  g_task_set_task_data (task, order, order_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, worker);
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

  *order = (Order){
    .file = g_object_ref (file),
    .wish = { .span = { FP_HEAP_NO_RANGE, FP_HEAP_AT_PEAK }, .mark_ms = FP_HEAP_NO_MARK, .style = style },
    .progress = progress,
    .progress_data = data,
  };
  run (order, make_worker, cancellable, callback, data);
}

void
fp_heap_scene_follow_async (FpHeapFollower *follower,
                            gboolean is_whole,
                            FpFigureStyle style,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer data)
{
  Order *order = g_new0 (Order, 1);

  *order = (Order){
    .follower = fp_heap_follower_ref (follower),
    .is_whole = is_whole,
    .wish = { .span = { FP_HEAP_NO_RANGE, FP_HEAP_AT_PEAK }, .mark_ms = FP_HEAP_NO_MARK, .style = style },
  };
  run (order, make_worker, cancellable, callback, data);
}

void
fp_heap_scene_move_async (FpHeapScene *from,
                          const FpHeapWish *wish,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer data)
{
  Order *order = g_new0 (Order, 1);

  *order = (Order){ .from = fp_heap_scene_ref (from), .wish = wish_copy (wish) };
  run (order, make_worker, cancellable, callback, data);
}

FpHeapScene *
fp_heap_scene_finish (GAsyncResult *result,
                      GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
fp_heap_scene_read_earlier_async (GFile *file,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer data)
{
  Order *order = g_new0 (Order, 1);

  order->file = g_object_ref (file);
  run (order, read_earlier_worker, cancellable, callback, data);
}

FpHeapProfile *
fp_heap_scene_read_earlier_finish (GAsyncResult *result,
                                   GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
