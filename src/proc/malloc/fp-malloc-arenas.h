// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-malloc-layout.h"
#include "fp-malloc-memory.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 start;
  guint64 end;
} FpMallocRange;

/* Where to look in a process */
typedef struct
{
  FpMallocLayout layout;
  FpMallocRange heap; /* [heap]; empty: there is none */
  GArray *data;       /* FpMallocRange: what libc.so.6 may write to, where the main arena is */
} FpMallocPlaces;

/* An arena as it is at one moment */
typedef struct
{
  guint64 address;
  FpMallocState state;
} FpMallocArenaState;

/* The ring of arenas, which begins with the main one, and the parameters of all of them */
typedef struct
{
  GArray *states; /* FpMallocArenaState */
  FpMallocParameters parameters;
} FpMallocArenas;

/* Arenas have no symbols, so they are found by what must be true of them. FP_MALLOC_BROKEN: not found, or more than one
 * place looks like them. */
FpMallocAnswer fp_malloc_arenas_read (FpMallocArenas *self, const FpMallocMemory *memory, const FpMallocPlaces *places);
void fp_malloc_arenas_clear (FpMallocArenas *self);
guint fp_malloc_arenas_find (const FpMallocArenas *self, guint64 address);
gboolean fp_malloc_arenas_are_used (const FpMallocArenas *self);

static inline const FpMallocArenaState *
fp_malloc_arenas_get (const FpMallocArenas *self,
                      guint i)
{
  return &g_array_index (self->states, FpMallocArenaState, i);
}

/* The address at which the block would be whose links are the head of a bin */
static inline guint64
fp_malloc_get_bin (guint64 arena,
                   guint bin)
{
  return arena + G_STRUCT_OFFSET (FpMallocState, bins) + (bin - 1) * 2 * sizeof (guint64) - FP_MALLOC_HEAD_SIZE;
}

G_END_DECLS
