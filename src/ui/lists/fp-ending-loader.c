// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-ending-loader.h"
#include "fp-ending-words.h"

#define SETTLE_MS    300
#define LEAST_AGE_US G_USEC_PER_SEC
#define COST_FACTOR  50 /* at most 1/50 of the time is spent reading */
#define STALE_US     (5 * G_USEC_PER_SEC)
#define HOLD_FACTOR  1000 /* and 1/1000 on holds that processes may notice */

struct _FpEndingLoader
{
  GObject parent;

  FpSource *source;
  FpRecords *records; /* of the last refresh, or NULL */
  FpEndingMember *members;
  guint n_members;
  guint64 fingerprint;       /* of the members' memory in the last refresh */
  guint64 read_fingerprint;  /* and when the last reading began */
  FpEnding *ending;          /* of the members; NULL: not read yet, or it can't be */
  GCancellable *cancellable; /* while it is read */
  guint settle_source;
  gint64 began_us;
  gint64 read_us;       /* when the ending was read, since 1970 */
  gint64 next_us;       /* earliest time of the next reading */
  gint64 held_until_us; /* the same for another set that has a member in common */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpEndingLoader, fp_ending_loader, G_TYPE_OBJECT)

static void
cancel (FpEndingLoader *self)
{
  g_clear_handle_id (&self->settle_source, g_source_remove);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static guint64
add_to_fingerprint (guint64 fingerprint,
                    const FpMemory *memory)
{
  static const FpField fields[] = { FP_FIELD_RSS, FP_FIELD_MINOR_FAULTS, FP_FIELD_MAJOR_FAULTS, FP_FIELD_VM_SIZE };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    fingerprint = fingerprint * 1099511628211u ^ fp_memory_get (memory, fields[i]);
  return fingerprint;
}

static void
loaded_cb (GObject *source,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (FpEndingLoader) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpEnding) ending = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_ENDING, result, &error);
  gint64 now_us = g_get_monotonic_time ();

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  self->next_us = now_us + MAX (LEAST_AGE_US, COST_FACTOR * (now_us - self->began_us));
  self->held_until_us = now_us + (ending ? HOLD_FACTOR * (gint64)ending->held_us : 0);
  self->next_us = MAX (self->next_us, self->held_until_us);
  /* The lower end that is shown stays true where the reading failed. */
  if (!ending)
    return;
  g_clear_pointer (&self->ending, fp_ending_free);
  self->ending = g_steal_pointer (&ending);
  self->read_us = g_get_real_time ();
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
settled_cb (gpointer data)
{
  FpEndingLoader *self = data;
  const FpSourceRequest request = { .kind = FP_REQUEST_ENDING, .members = self->members, .n_members = self->n_members };

  self->settle_source = 0;
  self->cancellable = g_cancellable_new ();
  self->began_us = g_get_monotonic_time ();
  self->read_fingerprint = self->fingerprint;
  fp_source_request_async (self->source, &request, self->cancellable, loaded_cb, g_object_ref (self));
}

static void
load_later (FpEndingLoader *self)
{
  if (self->source && self->n_members > 0 && !self->cancellable && self->settle_source == 0)
    self->settle_source = g_timeout_add_once (SETTLE_MS, settled_cb, self);
}

static int
compare_members (gconstpointer a,
                 gconstpointer b)
{
  const FpEndingMember *x = a, *y = b;

  return (x->id.pid > y->id.pid) - (x->id.pid < y->id.pid);
}

static gboolean
is_target (const FpEndingLoader *self,
           const FpEndingMember *members,
           guint n)
{
  gboolean is_same = n == self->n_members;

  for (guint i = 0; i < n && is_same; i++)
    is_same = fp_process_id_equal (&members[i].id, &self->members[i].id);
  return is_same;
}

/* Both ascend by PID. */
static gboolean
has_common (const FpEndingLoader *self,
            const FpEndingMember *members,
            guint n)
{
  for (guint i = 0, j = 0; i < n && j < self->n_members;)
    {
      if (fp_process_id_equal (&members[i].id, &self->members[j].id))
        return TRUE;
      if (members[i].id.pid < self->members[j].id.pid)
        i++;
      else
        j++;
    }
  return FALSE;
}

/* Called with each refresh: the same processes are read again when they have changed, but not more often than is cheap. */
void
fp_ending_loader_set_target (FpEndingLoader *self,
                             FpRecords *records,
                             const guint *indices,
                             guint n)
{
  g_autofree FpEndingMember *members = NULL;
  gboolean is_same, overlaps;
  guint n_members;

  g_return_if_fail (FP_IS_ENDING_LOADER (self));

  members = fp_ending_make_members (records, indices, n, &n_members);
  qsort (members, n_members, sizeof *members, compare_members);
  is_same = is_target (self, members, n_members);
  overlaps = has_common (self, members, n_members);
  self->fingerprint = 0;
  for (guint i = 0; i < n; i++)
    self->fingerprint = add_to_fingerprint (self->fingerprint, &fp_process_records_get (records, indices[i])->memory);
  fp_records_ref (records);
  g_clear_pointer (&self->records, fp_records_unref);
  self->records = records;
  g_free (self->members);
  self->members = g_steal_pointer (&members);
  self->n_members = n_members;
  if (!is_same)
    {
      cancel (self);
      g_clear_pointer (&self->ending, fp_ending_free);
      self->next_us = overlaps ? self->held_until_us : 0;
    }
  if ((!is_same || self->fingerprint != self->read_fingerprint) && g_get_monotonic_time () >= self->next_us)
    load_later (self);
}

gboolean
fp_ending_loader_has_target (FpEndingLoader *self,
                             const FpProcessId *ids,
                             guint n)
{
  g_autofree FpEndingMember *members = g_new0 (FpEndingMember, MAX (n, 1));

  g_return_val_if_fail (FP_IS_ENDING_LOADER (self), FALSE);

  for (guint i = 0; i < n; i++)
    members[i].id = ids[i];
  qsort (members, n, sizeof *members, compare_members);
  return is_target (self, members, n);
}

/* A costly reading is not repeated at once, and then the figure is one of an earlier moment. */
static gboolean
is_stale (FpEndingLoader *self)
{
  return self->fingerprint != self->read_fingerprint && g_get_real_time () - self->read_us > STALE_US;
}

/* NULL: none of them can end. */
char *
fp_ending_loader_describe (FpEndingLoader *self,
                           const FpFormat *format)
{
  g_autofree char *text = NULL;
  char moment[FP_FIGURE_TEXT_SIZE];

  g_return_val_if_fail (FP_IS_ENDING_LOADER (self), NULL);

  if (!self->ending)
    return fp_ending_describe_least (self->members, self->n_members, format);
  text = fp_ending_describe (self->ending, fp_process_records_get_snapshot (self->records), format);
  if (!text || !is_stale (self))
    return g_steal_pointer (&text);
  fp_figure_format (fp_figure_exact ((guint64)self->read_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, moment, sizeof moment);
  /* Translators: a sentence, and a time of day */
  return g_strdup_printf (_ ("%s That was at %s; memory has changed since."), text, moment);
}

static void
fp_ending_loader_dispose (GObject *object)
{
  FpEndingLoader *self = FP_ENDING_LOADER (object);

  cancel (self);
  g_clear_object (&self->source);
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->ending, fp_ending_free);
  g_clear_pointer (&self->members, g_free);
  self->n_members = 0;

  G_OBJECT_CLASS (fp_ending_loader_parent_class)->dispose (object);
}

static void
fp_ending_loader_class_init (FpEndingLoaderClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_ending_loader_dispose;

  signals[CHANGED] =
      g_signal_new ("changed", FP_TYPE_ENDING_LOADER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_ending_loader_init (FpEndingLoader *self)
{
}

FpEndingLoader *
fp_ending_loader_new (FpSource *source)
{
  FpEndingLoader *self = g_object_new (FP_TYPE_ENDING_LOADER, NULL);

  self->source = g_object_ref (source);
  return self;
}
