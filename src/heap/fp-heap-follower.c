// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <unistd.h>

#include "fp-heap-follower.h"
#include "fp-heap-formats.h"
#include "fp-heap-suppressions.h"
#include "fp-heaptrack-reader.h"

struct _FpHeapFollower
{
  gatomicrefcount ref_count;
  int fd;
  FpHeapInput input;
  FpHeapBuilder builder;
  FpHeaptrackReader reader;
  FpHeapStepFunc step; /* (nullable): of this reading */
  gpointer data;
};

static gboolean
step_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  FpHeapFollower *self = data;

  return !self->step || self->step (position, whole, self->data);
}

/* fd: (transfer full): of the file, which may still be empty */
FpHeapFollower *
fp_heap_follower_new (int fd)
{
  FpHeapFollower *self = g_new0 (FpHeapFollower, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->fd = fd;
  fp_heap_input_init (&self->input, fd, step_cb, self);
  fp_heap_builder_init (&self->builder);
  fp_heaptrack_reader_init (&self->reader, &self->input, &self->builder);
  self->reader.is_growing = TRUE;
  self->builder.profile->format = fp_heap_heaptrack.name;
  return self;
}

FpHeapFollower *
fp_heap_follower_ref (FpHeapFollower *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_heap_follower_unref (FpHeapFollower *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  fp_heaptrack_reader_clear (&self->reader);
  fp_heap_builder_clear (&self->builder);
  fp_heap_input_clear (&self->input);
  close (self->fd);
  g_free (self);
}

/* Reads on to the present end of the file. After it was cancelled it can be asked again. is_whole: the program has ended by
 * itself, so that all which is still in use was never freed */
FpHeapProfile *
fp_heap_follower_read (FpHeapFollower *self,
                       gboolean is_whole,
                       FpHeapStepFunc step,
                       gpointer data,
                       GError **error)
{
  FpHeapProfile *profile;

  self->step = step;
  self->data = data;
  fp_heap_input_resume (&self->input);
  if (!fp_heaptrack_reader_read (&self->reader, error) || !fp_heap_input_check (&self->input, error))
    return NULL;
  profile = fp_heap_builder_copy_profile (&self->builder);
  profile->is_snapshot = !is_whole;
  fp_heap_suppressions_apply (self->reader.suppressions, profile);
  return profile;
}
