// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FP_MALLOC_FINE,
  FP_MALLOC_AWAY,    /* in swap, where it stays */
  FP_MALLOC_BROKEN,  /* not mapped, or not what malloc () leaves there */
  FP_MALLOC_STOPPED, /* by whoever waits for it */
} FpMallocAnswer;

/* The memory of a process, or what stands for it in tests. Memory that was never touched reads as zeros. */
typedef struct
{
  /* ahead: so many bytes behind these are wanted next, and may be read at once */
  FpMallocAnswer (*read) (gpointer data, guint64 address, gpointer buffer, gsize size, gsize ahead);

  /* How many of these bytes are in memory; both ends are multiples of the page size. */
  FpMallocAnswer (*count_present) (gpointer data, guint64 start, guint64 end, guint64 *present);

  /* Before all is read again */
  void (*pause) (gpointer data);

  gpointer data;
  guint64 page_size;
  guint64 position; /* how many bytes of all heaps were walked */
  guint64 whole;
} FpMallocMemory;

static inline FpMallocAnswer
fp_malloc_memory_read (const FpMallocMemory *self,
                       guint64 address,
                       gpointer buffer,
                       gsize size)
{
  return self->read (self->data, address, buffer, size, 0);
}

G_END_DECLS
