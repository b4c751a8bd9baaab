// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif

#include <string.h>

#include "fp-comparison.h"
#include "fp-control-comparison.h"
#include "fp-control-records.h"
#include "fp-growth.h"
#include "fp-session.h"
#include "fp-totals.h"

#define LATE         5 /* intervals without a snapshot make a gap in the history */
#define GIVE_BACK_US (60 * G_USEC_PER_SEC)
#define PATIENCE_MS  250 /* answers that take longer come with a later ::refreshed */

struct _FpSession
{
  GObject parent;

  FpSessionState state;
  FpSnapshot *snapshot;           /* the state's, which the records of a comparison do not keep */
  FpSnapshot *before;             /* (nullable): the same */
  FpControlGroups *before_groups; /* (nullable): of that moment */
  guint interval_ms;
  FpMachineMoment mark;
  FpRecords *mark_files;       /* (nullable): the files that were read before the mark */
  gboolean has_start;          /* changes count from a snapshot in which all was read */
  gboolean has_changed_reader; /* since the last snapshot: it may see other processes */
  guint64 remembered_us;       /* boottime_us of the history's last snapshot */
  gboolean is_remembered;      /* the history took the last snapshot */
  gboolean wants_mark;         /* as soon as the history has taken one */
  guint64 given_back_us;
  FpControlChanges *changes;
  gboolean has_group_history;
  guint64 groups_us; /* boottime_us of the last snapshot whose control groups their history took */
  guint needs_of[FP_N_NEEDERS];
  guint needs;    /* bits of requests that are made with each snapshot */
  guint asked;    /* bits of requests without an answer yet */
  guint late;     /* of them, those that are not waited for any longer */
  guint answered; /* bits of needs that were answered since they are needed */
  guint timeout;  /* runs while ::refreshed waits for answers */
  FpKept *joined; /* (nullable): with the records */
  GCancellable *cancellable;
};

enum
{
  PROP_FORMAT = 1,
  PROP_PROBLEM,
  PROP_MARK,
};

static guint refreshed_signal;

G_DEFINE_FINAL_TYPE (FpSession, fp_session, G_TYPE_OBJECT)

/* One request to the source, made with each snapshot for as long as a view or a column needs the answer. */
typedef struct
{
  FpNeed need;
  FpRequestKind kind;
  void (*take) (FpSession *self, gpointer answer, const GError *error);
  void (*forget) (FpSession *self);
  GDestroyNotify drop; /* frees an answer */
} Question;

static void take_groups (FpSession *self, gpointer answer, const GError *error);
static void take_kept (FpSession *self, gpointer answer, const GError *error);
static void forget_groups (FpSession *self);
static void forget_kept (FpSession *self);

static const Question questions[] = {
  { FP_NEED_CONTROL_GROUPS, FP_REQUEST_CONTROL_GROUPS, take_groups, forget_groups, (GDestroyNotify)fp_control_groups_unref },
  { FP_NEED_KEPT, FP_REQUEST_KEPT, take_kept, forget_kept, (GDestroyNotify)fp_kept_unref },
};

/* Threads of the kernel have no memory of their own, and are not counted. */
static void
sum_up (FpSessionState *state)
{
  g_autofree guint *indices = g_new (guint, state->records->n);
  guint n = 0;

  for (guint i = 0; i < state->records->n; i++)
    if (!fp_process_is_kernel_thread (fp_process_records_get (state->records, i)))
      indices[n++] = i;
  state->totals = fp_totals_new (state->records, indices, n, fp_columns_get_role (FP_ROLE_ACCOUNT, FP_RECORD_PROCESS), NULL);
  state->sum = fp_totals_new (state->records, NULL, 0, NULL, NULL);
  for (guint i = 0; i < state->totals->n; i++)
    fp_totals_add_group (state->sum, 0, state->totals, i);
  fp_total_history_tell (state->total_history, FP_GROUPING_NOTHING, state->sum, state->records, indices, n, NULL);
}

static void
make_records (FpSession *self,
              FpSnapshot *snapshot)
{
  g_clear_pointer (&self->joined, fp_kept_unref);
  self->joined = self->state.kept ? fp_kept_ref (self->state.kept) : NULL;
  self->state.records = self->before ? fp_comparison_new_processes (self->before, snapshot, self->joined)
                                     : fp_process_records_new (snapshot, self->joined);
  fp_records_take_history (self->state.records, self->state.history, NULL);
  sum_up (&self->state);
}

static void
begin_changes (FpSession *self)
{
  self->has_start = TRUE;
  fp_history_set_start (self->state.history);
  fp_total_history_set_start (self->state.total_history);
}

/* The allocator keeps free pages between what a snapshot has left behind: within minutes they are a quarter of this program's
 * memory. */
static void
give_back (FpSession *self,
           guint64 now_us)
{
  if (now_us - self->given_back_us < GIVE_BACK_US)
    return;
  self->given_back_us = now_us;
#ifdef HAVE_MALLOC_TRIM
  malloc_trim (0);
#endif
}

/* The history goes on while the details show something else. */
static void
remember (FpSession *self,
          const FpSnapshot *snapshot)
{
  guint64 now_us = snapshot->info.boottime_us;

  /* While some are to be read yet, several snapshots come in one interval. */
  self->is_remembered =
      fp_snapshot_has_reliable_sums (snapshot) &&
      (snapshot->info.n_pending == 0 || now_us - self->remembered_us >= (guint64)self->interval_ms * 1000);
  if (!self->is_remembered)
    return;
  self->remembered_us = now_us;
  give_back (self, now_us);
  fp_history_take (self->state.history, snapshot, LATE * (guint64)self->interval_ms * 1000);
  fp_total_history_take (self->state.total_history, self->state.records, NULL, LATE * (guint64)self->interval_ms * 1000);
  fp_machine_history_take (self->state.machine, snapshot, fp_totals_get (self->state.sum, 0),
                           LATE * (guint64)self->interval_ms * 1000);
  if (!self->has_start && snapshot->info.n_pending == 0)
    begin_changes (self);
}

static void
set_problem (FpSession *self,
             const char *problem)
{
  if (g_strcmp0 (self->state.problem, problem) == 0)
    return;
  g_free (self->state.problem);
  self->state.problem = g_strdup (problem);
  g_object_notify (G_OBJECT (self), "problem");
}

static void
failed_cb (FpSession *self,
           GError *error)
{
  set_problem (self, error->message);
}

static void
forget_records (FpSessionState *state)
{
  g_clear_pointer (&state->records, fp_records_unref);
  g_clear_pointer (&state->totals, fp_records_unref);
  g_clear_pointer (&state->sum, fp_records_unref);
}

static void
forget_groups (FpSession *self)
{
  g_clear_pointer (&self->state.group_records, fp_records_unref);
  g_clear_pointer (&self->state.groups, fp_control_groups_unref);
  g_clear_pointer (&self->state.groups_problem, g_free);
}

static void
forget_kept (FpSession *self)
{
  g_clear_pointer (&self->state.kept, fp_kept_unref);
}

static void
forget_answers (FpSession *self,
                guint requests)
{
  self->answered &= ~requests;
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    if (requests & FP_REQUEST_BIT (questions[i].kind))
      questions[i].forget (self);
}

/* A saved snapshot is a moment, in which nothing changes. */
static void
make_group_records (FpSession *self)
{
  FpSessionState *state = &self->state;
  const FpControlChanges *changes = state->is_live ? self->changes : NULL;
  gboolean is_same_boot = self->before_groups && fp_snapshot_is_same_boot (self->before, self->snapshot);

  g_clear_pointer (&state->group_records, fp_records_unref);
  state->group_records =
      self->before_groups ? fp_control_comparison_new (self->before_groups, state->groups, is_same_boot, state->records, changes)
                          : fp_control_records_new (state->groups, state->records, changes);
  fp_records_take_history (state->group_records, state->group_history, NULL);
}

/* A late answer belongs to the snapshot that is shown by now. */
static void
remember_groups (FpSession *self)
{
  const guint64 now_us = self->state.snapshot->info.boottime_us;
  g_autoptr (FpRecords) present = NULL;

  fp_control_changes_take (self->changes, self->state.groups, now_us, self->state.snapshot->info.realtime_us);
  make_group_records (self);
  if (self->has_group_history && now_us <= self->groups_us)
    return;
  self->has_group_history = TRUE;
  self->groups_us = now_us;
  /* A comparison has groups that are gone, too. */
  present = self->before_groups ? fp_control_records_new (self->state.groups, NULL, NULL) : fp_records_ref (self->state.group_records);
  fp_history_take_records (self->state.group_history, present, now_us,
                           LATE * (guint64)self->interval_ms * 1000);
}

static void
take_groups (FpSession *self,
             gpointer answer,
             const GError *error)
{
  self->state.groups = answer;
  if (!answer)
    {
      self->state.groups_problem = g_strdup (error->message);
      return;
    }
  remember_groups (self);
}

static void
take_kept (FpSession *self,
           gpointer answer,
           const GError *error)
{
  self->state.kept = answer;
}

/* The records of a snapshot are made before the answer that belongs to them, and have its graphics memory alone. */
static void
join_kept (FpSession *self)
{
  const FpKept *kept = self->state.kept;

  if (!kept || kept == self->joined || (self->joined && fp_kept_has_same_graphics (kept, self->joined)))
    return;
  forget_records (&self->state);
  make_records (self, self->snapshot);
}

static void
tell_refreshed (FpSession *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  join_kept (self);
  g_signal_emit (self, refreshed_signal, 0);
}

static gboolean
timeout_cb (gpointer data)
{
  FpSession *self = data;

  self->late = self->asked;
  self->timeout = 0;
  tell_refreshed (self);
  return G_SOURCE_REMOVE;
}

static gboolean
is_waiting (const FpSession *self)
{
  return (self->asked & self->needs & ~self->late) != 0;
}

/* The answers may hang in a file system that does not answer, and the snapshot is shown without them then. */
static void
await_answers (FpSession *self)
{
  if (self->timeout == 0)
    self->timeout = g_timeout_add (PATIENCE_MS, timeout_cb, self);
}

typedef struct
{
  FpSession *session;
  const Question *question;
} Asking;

/* A late answer waits for the next ::refreshed, unless it is the first: its view has nothing to show until then. The view
 * may have been hidden before it came. */
static void
take_answer (FpSession *self,
             const Question *question,
             gpointer answer,
             const GError *error)
{
  const guint bit = FP_REQUEST_BIT (question->kind);
  gboolean is_first = !(self->answered & bit);

  self->asked &= ~bit;
  self->late &= ~bit;
  if (!(self->needs & bit) || g_cancellable_is_cancelled (self->cancellable))
    {
      g_clear_pointer (&answer, question->drop);
      return;
    }
  forget_answers (self, bit);
  self->answered |= bit;
  question->take (self, answer, error);
  if (!is_waiting (self) && (self->timeout != 0 || is_first))
    tell_refreshed (self);
}

static void
answered_cb (GObject *object,
             GAsyncResult *result,
             gpointer data)
{
  g_autofree Asking *asking = data;
  g_autoptr (FpSession) self = asking->session;
  g_autoptr (GError) error = NULL;
  gpointer answer = fp_source_request_finish (self->state.source, asking->question->kind, result, &error);

  take_answer (self, asking->question, answer, error);
}

/* A source that does not offer it answers why. */
static void
ask (FpSession *self,
     const Question *question)
{
  Asking *asking = g_new (Asking, 1);

  *asking = (Asking){ g_object_ref (self), question };
  self->asked |= FP_REQUEST_BIT (question->kind);
  fp_source_request_async (self->state.source, &(FpSourceRequest){ .kind = question->kind }, self->cancellable, answered_cb, asking);
}

static void
ask_needs (FpSession *self,
           guint requests)
{
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    if (requests & ~self->asked & FP_REQUEST_BIT (questions[i].kind))
      ask (self, &questions[i]);
}

static guint
get_requests (guint needs)
{
  guint requests = 0;

  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    if (needs & questions[i].need)
      requests |= FP_REQUEST_BIT (questions[i].kind);
  return requests;
}

static void
compare_files (FpSession *self)
{
  FpRecords *files = fp_files_reader_get (self->state.files)->records;

  if (files)
    fp_records_take_before (files, self->mark_files);
}

/* Files are read for as long as it takes; the list of them comes with a ::refreshed of its own. */
static void
files_changed_cb (FpSession *self)
{
  compare_files (self);
  if (self->state.snapshot && !is_waiting (self))
    tell_refreshed (self);
}

static void
fp_session_get_property (GObject *object,
                         guint id,
                         GValue *value,
                         GParamSpec *spec)
{
  FpSessionState *state = &FP_SESSION (object)->state;

  if (id == PROP_FORMAT)
    g_value_set_pointer (value, &state->format);
  else if (id == PROP_MARK)
    g_value_set_pointer (value, (gpointer)state->mark);
  else
    g_value_set_string (value, state->problem);
}

/* Nothing is read from now on; widgets that go later than the session may still look at the rest. */
static void
fp_session_dispose (GObject *object)
{
  FpSessionState *state = &FP_SESSION (object)->state;

  g_cancellable_cancel (FP_SESSION (object)->cancellable);
  g_clear_handle_id (&FP_SESSION (object)->timeout, g_source_remove);
  if (state->collector)
    g_object_run_dispose (G_OBJECT (state->collector));
  if (state->access)
    g_object_run_dispose (G_OBJECT (state->access));
  if (state->files)
    g_object_run_dispose (G_OBJECT (state->files));

  G_OBJECT_CLASS (fp_session_parent_class)->dispose (object);
}

static void
fp_session_finalize (GObject *object)
{
  FpSessionState *state = &FP_SESSION (object)->state;

  forget_records (state);
  forget_answers (FP_SESSION (object), FP_ALL_REQUEST_BITS);
  g_clear_pointer (&FP_SESSION (object)->joined, fp_kept_unref);
  g_clear_object (&FP_SESSION (object)->cancellable);
  g_clear_object (&state->collector);
  g_clear_object (&state->access);
  g_clear_object (&state->files);
  g_clear_object (&state->source);
  g_clear_pointer (&FP_SESSION (object)->mark_files, fp_records_unref);
  g_clear_pointer (&state->mark_groups, fp_control_groups_unref);
  fp_ended_free (state->ended);
  fp_history_unref (state->history);
  fp_total_history_free (state->total_history);
  fp_history_unref (state->group_history);
  fp_control_changes_free (FP_SESSION (object)->changes);
  fp_machine_history_free (state->machine);
  g_clear_pointer (&FP_SESSION (object)->snapshot, fp_snapshot_unref);
  g_clear_pointer (&FP_SESSION (object)->before, fp_snapshot_unref);
  g_clear_pointer (&FP_SESSION (object)->before_groups, fp_control_groups_unref);
  g_free (state->before_name);
  g_free (state->problem);

  G_OBJECT_CLASS (fp_session_parent_class)->finalize (object);
}

static void
fp_session_class_init (FpSessionClass *class)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = fp_session_dispose;
  object_class->finalize = fp_session_finalize;
  object_class->get_property = fp_session_get_property;
  g_object_class_install_property (object_class, PROP_FORMAT, g_param_spec_pointer ("format", NULL, NULL, flags));
  g_object_class_install_property (object_class, PROP_MARK, g_param_spec_pointer ("mark", NULL, NULL, flags));
  g_object_class_install_property (object_class, PROP_PROBLEM, g_param_spec_string ("problem", NULL, NULL, NULL, flags));

  refreshed_signal =
      g_signal_new ("refreshed", FP_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_session_init (FpSession *self)
{
  self->state.ended = fp_ended_new ();
  self->state.history = fp_history_new ();
  self->state.total_history = fp_total_history_new ();
  self->state.group_history = fp_history_new ();
  self->changes = fp_control_changes_new ();
  self->state.machine = fp_machine_history_new ();
  self->cancellable = g_cancellable_new ();
}

static void
reader_changed_cb (FpSession *self)
{
  self->has_changed_reader = TRUE;
}

FpSession *
fp_session_new (GtkWindow *window,
                FpSource *source)
{
  FpSession *self;

  g_return_val_if_fail (GTK_IS_WINDOW (window), NULL);
  g_return_val_if_fail (FP_IS_SOURCE (source), NULL);

  self = g_object_new (FP_TYPE_SESSION, NULL);
  self->state.is_live = !fp_source_get_status (source).is_saved;
  self->state.source = g_object_ref (source);
  self->state.collector = fp_collector_new (source);
  /* Before anybody else is told, who then can know that what was read is old. */
  g_signal_connect_object (source, "lock-changed", G_CALLBACK (reader_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (source, "lock-changed", G_CALLBACK (fp_collector_refresh), self->state.collector,
                           G_CONNECT_SWAPPED);
  self->state.access = fp_read_access_new (window, source);
  self->state.files = fp_files_reader_new (source);
  g_signal_connect_object (self->state.files, "changed", G_CALLBACK (files_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state.collector, "collected", G_CALLBACK (fp_session_take), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->state.collector, "failed", G_CALLBACK (failed_cb), self, G_CONNECT_SWAPPED);
  return self;
}

const FpSessionState *
fp_session_get (FpSession *self)
{
  g_return_val_if_fail (FP_IS_SESSION (self), NULL);

  return &self->state;
}

/* A snapshot that a reader with other permissions made says nothing of what is hidden from the present one. */
gboolean
fp_session_is_outdated (FpSession *self)
{
  g_return_val_if_fail (FP_IS_SESSION (self), TRUE);

  return !self->state.snapshot || fp_collector_awaits_refresh (self->state.collector);
}

/* A total that leaves out some, and one of the tree, has a past only while it is shown. */
FpHistory *
fp_session_find_history (const FpSessionState *state,
                         const FpRecords *records,
                         guint index)
{
  FpHistory *own = fp_records_get_history (records, index);

  if (own)
    return own;
  return records->class->kind == FP_RECORD_CONTROL_GROUP ? state->group_history : state->history;
}

/* The history keeps more of this record than of others, as long as it is shown. */
void
fp_session_follow (FpSession *self,
                   FpRecords *records,
                   guint index)
{
  g_return_if_fail (FP_IS_SESSION (self));

  if (records->class->kind == FP_RECORD_CONTROL_GROUP || self->is_remembered)
    fp_history_follow (fp_session_find_history (&self->state, records, index), records, index);
}

/* Records know the mark of the moment in which they were made. */
static void
make_anew (FpSession *self)
{
  g_autoptr (FpSnapshot) snapshot = fp_snapshot_ref ((FpSnapshot *)self->state.snapshot);

  forget_records (&self->state);
  make_records (self, snapshot);
  if (self->state.groups)
    make_group_records (self);
  compare_files (self);
  g_object_notify (G_OBJECT (self), "mark");
  tell_refreshed (self);
}

/* All that is read now is known at such a mark: graphics and files, too. */
static void
mark_now (FpSession *self)
{
  FpSessionState *state = &self->state;
  const FpTotal *all = fp_totals_get (state->sum, 0);
  const FpFilesState *files = fp_files_reader_get (state->files);

  fp_machine_moment_make (&self->mark, state->snapshot, all);
  if (state->kept)
    fp_machine_state_make (&self->mark.state, &state->snapshot->system, all, state->kept);
  fp_control_changes_mark (self->changes);
  if (state->groups)
    state->mark_groups = fp_control_groups_ref (state->groups);
  if (files->records && !files->is_reading)
    self->mark_files = fp_records_ref (files->records);
}

static void
mark_at (FpSession *self,
         guint64 time_us)
{
  const GArray *moments = self->state.machine->moments;
  const FpMachineMoment *moment = fp_machine_history_get_before (self->state.machine, time_us + 1);

  self->mark = moment ? *moment : g_array_index (moments, FpMachineMoment, 0);
  fp_control_changes_mark_at (self->changes, self->state.group_history, self->mark.realtime_us);
}

static void
forget_mark (FpSession *self)
{
  self->state.mark = NULL;
  g_clear_pointer (&self->state.mark_groups, fp_control_groups_unref);
  g_clear_pointer (&self->mark_files, fp_records_unref);
}

/* Changes count from this moment of the history on. time_us: CLOCK_BOOTTIME; 0: now */
void
fp_session_mark (FpSession *self,
                 guint64 time_us)
{
  FpSessionState *state;
  gboolean is_now;

  g_return_if_fail (FP_IS_SESSION (self));

  state = &self->state;
  is_now = time_us == 0 || time_us >= self->remembered_us || state->machine->moments->len == 0;
  self->wants_mark = state->is_live && self->remembered_us == 0;
  if (!state->is_live || self->wants_mark)
    return;
  forget_mark (self);
  fp_history_mark (state->history, is_now ? self->remembered_us : time_us);
  fp_total_history_mark (state->total_history, is_now ? self->remembered_us : time_us);
  fp_history_mark (state->group_history, is_now ? self->remembered_us : time_us);
  if (is_now)
    mark_now (self);
  else
    mark_at (self, time_us);
  state->mark = &self->mark;
  make_anew (self);
}

void
fp_session_unmark (FpSession *self)
{
  g_return_if_fail (FP_IS_SESSION (self));

  self->wants_mark = FALSE;
  if (!self->state.mark)
    return;
  forget_mark (self);
  fp_history_unmark (self->state.history);
  fp_total_history_unmark (self->state.total_history);
  fp_history_unmark (self->state.group_history);
  fp_control_changes_unmark (self->changes);
  make_anew (self);
}

static void
make_start (FpSession *self)
{
  FpSessionState *state = &self->state;
  g_autoptr (FpRecords) processes = self->before ? fp_process_records_new (self->before, NULL) : NULL;
  g_autoptr (FpRecords) all = processes ? fp_totals_new (processes, NULL, processes->n, NULL, NULL) : NULL;

  state->has_start = all && fp_machine_moment_make (&state->start, self->before, fp_totals_get (all, 0));
}

/* Compares each snapshot with an earlier one from now on. snapshot: (nullable): NULL ends it; files, groups: (nullable):
 * what was saved with it; name: of its file */
void
fp_session_compare (FpSession *self,
                    FpSnapshot *snapshot,
                    FpMappedFiles *files,
                    FpControlGroups *groups,
                    const char *name)
{
  FpSessionState *state;

  g_return_if_fail (FP_IS_SESSION (self));

  state = &self->state;
  g_clear_pointer (&self->before, fp_snapshot_unref);
  self->before = snapshot ? fp_snapshot_ref (snapshot) : NULL;
  state->before = self->before;
  g_clear_pointer (&self->before_groups, fp_control_groups_unref);
  self->before_groups = groups ? fp_control_groups_ref (groups) : NULL;
  g_free (state->before_name);
  state->before_name = g_strdup (name);
  make_start (self);
  fp_files_reader_compare (state->files, files);
  if (!state->snapshot)
    return;
  forget_records (state);
  make_records (self, self->snapshot);
  if (state->groups)
    make_group_records (self);
  tell_refreshed (self);
}

/* 0: only on demand */
void
fp_session_set_interval (FpSession *self,
                         guint interval_ms)
{
  g_return_if_fail (FP_IS_SESSION (self));

  self->interval_ms = self->state.is_live ? interval_ms : 0;
  fp_collector_set_interval (self->state.collector, self->interval_ms);
}

void
fp_session_set_figure_style (FpSession *self,
                             FpFigureStyle style)
{
  g_return_if_fail (FP_IS_SESSION (self));

  self->state.format.style = style;
  g_object_notify (G_OBJECT (self), "format");
}

/* Makes the requests for these with each snapshot from now on. Their answers come with the same ::refreshed if they come in
 * time. needs: bits of FpNeed */
void
fp_session_set_needs (FpSession *self,
                      FpNeeder needer,
                      guint needs)
{
  guint before, all = 0;

  g_return_if_fail (FP_IS_SESSION (self));
  g_return_if_fail (needer < FP_N_NEEDERS);

  before = self->needs;
  self->needs_of[needer] = needs;
  for (guint i = 0; i < FP_N_NEEDERS; i++)
    all |= self->needs_of[i];
  self->needs = get_requests (all);
  forget_answers (self, before & ~self->needs);
  if (!self->state.snapshot || !(self->needs & ~before))
    return;
  ask_needs (self, self->needs & ~before);
  if (is_waiting (self))
    await_answers (self);
}

/* Another reader may see more or fewer processes: what it does not see has not ended. */
static void
remember_ended (FpSession *self,
                const FpSnapshot *snapshot)
{
  FpSessionState *state = &self->state;

  if (state->begun_us == 0)
    state->begun_us = snapshot->info.realtime_us;
  if (state->is_live && state->records && !self->has_changed_reader)
    fp_ended_take (state->ended, state->records, snapshot, state->history);
  self->has_changed_reader = fp_collector_awaits_refresh (state->collector);
}

/* Takes the collector's snapshots, each in place of the one before. */
void
fp_session_take (FpSession *self,
                 FpSnapshot *snapshot)
{
  FpSessionState *state;

  g_return_if_fail (FP_IS_SESSION (self));
  g_return_if_fail (snapshot);

  state = &self->state;
  remember_ended (self, snapshot);
  forget_records (state);
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  self->snapshot = fp_snapshot_ref (snapshot);
  state->snapshot = snapshot;
  state->format.memory_total = fp_system_get (&snapshot->system, FP_SYSTEM_MEM_TOTAL);
  state->format.swap_total = fp_system_get (&snapshot->system, FP_SYSTEM_SWAP_TOTAL);
  make_records (self, snapshot);
  remember (self, snapshot);
  set_problem (self, NULL);
  ask_needs (self, self->needs);
  if (is_waiting (self))
    await_answers (self);
  else
    tell_refreshed (self);
  if (self->wants_mark)
    fp_session_mark (self, 0);
}
