// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-profile.h"
#include "fp-source.h"

G_BEGIN_DECLS

/* The process that a profile was recorded of, as it is now. */
typedef struct
{
  gint pid;
  FpMappings *mappings;
} FpHeapProcess;

void fp_heap_process_free (FpHeapProcess *self);

/* Gives NULL without an error where the process is not known, or does not live any more. */
void fp_heap_process_read_async (FpSource *source,
                                 FpHeapProfile *profile,
                                 GFile *file,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer data);
FpHeapProcess *fp_heap_process_read_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHeapProcess, fp_heap_process_free)

G_END_DECLS
