// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-malloc-arenas.h"
#include "fp-stat.h"

G_BEGIN_DECLS

/* Finds glibc in a process, which version it is, and where to look for its arenas. FALSE: there is none that is known. */
gboolean fp_malloc_places_find (FpMallocPlaces *self, const FpProcDir *proc, const FpProcessId *id, GError **error);
void fp_malloc_places_clear (FpMallocPlaces *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpMallocPlaces, fp_malloc_places_clear)

G_END_DECLS
