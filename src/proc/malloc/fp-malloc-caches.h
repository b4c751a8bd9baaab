// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-malloc-arenas.h"
#include "fp-malloc.h"

G_BEGIN_DECLS

/* The caches of threads (tcache). Each is a block of a size that programs have blocks of, too. It is believed where its lists
 * are as long as it says, their blocks have the right sizes, and all have the same key. Its thread changes it without a lock, so it is
 * read again where it does not hold together. */
typedef struct
{
  const FpMallocMemory *memory;
  const FpMallocLayout *layout;
  const FpMallocArenas *arenas;
  FpMallocSizes *sizes; /* of cached blocks, which look like blocks in use */
  guint64 *cached;      /* bytes by arena */
  guint64 key;          /* of the first cache that was found; 0: none yet */
  guint n;
  guint64 n_away; /* blocks in swap, so that the list behind them is not known */
  guint n_steps;  /* along lists, which blocks of the program can be made to look like */
  guint64 unsure; /* bytes that may be cached, too */
  gboolean has_changed;
} FpMallocCaches;

FpMallocAnswer fp_malloc_caches_take (gpointer self, guint64 address);

G_END_DECLS
