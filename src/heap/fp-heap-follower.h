// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-profile.h"

G_BEGIN_DECLS

/* Reads a raw recording of heaptrack while it is written: each reading goes on where the last one stopped, and gives a profile
 * of all so far. One thread at a time may read. */
typedef struct _FpHeapFollower FpHeapFollower;

FpHeapFollower *fp_heap_follower_new (int fd);
FpHeapFollower *fp_heap_follower_ref (FpHeapFollower *self);
void fp_heap_follower_unref (FpHeapFollower *self);
FpHeapProfile *fp_heap_follower_read (FpHeapFollower *self, gboolean is_whole, FpHeapStepFunc step, gpointer data, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHeapFollower, fp_heap_follower_unref)

G_END_DECLS
