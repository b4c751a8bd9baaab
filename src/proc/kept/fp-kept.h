// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-graphics.h"
#include "fp-segments.h"
#include "fp-stat.h"
#include "fp-tmpfs.h"

G_BEGIN_DECLS

/* An unnamed file in memory (memfd, or a deleted file of a tmpfs) that processes hold open. */
typedef struct
{
  guint64 device;
  guint64 inode;
  char *name;   /* valid UTF-8; a memfd's may be empty */
  guint64 used; /* all its pages, mapped or not and in swap or not */
  gint32 pid;   /* the first that holds it */
  guint n_holders;
  gboolean is_mapped;   /* a process maps it, whose PSS has the pages that it has touched: count it there, not here */
  gboolean is_in_tmpfs; /* a deleted file, whose pages are in the used of its file system already */
  gboolean is_huge;     /* its pages are the pool's, and not in Shmem */
} FpHeldFile;

/* One process's share of the graphics memory: each client and buffer divided by its holders, so that the shares sum up to
 * what the list has. */
typedef struct
{
  guint64 in_ram;
  guint64 on_card;
  guint64 allocated;
  gboolean has_in_ram; /* FALSE: in_ram lacks a client whose driver does not tell */
} FpGraphicsShare;

typedef struct
{
  gint32 pid;
  guint index; /* in the list of graphics */
} FpGraphicsHolder;

/* The memory that is taken beside the pages of processes, at one moment; never changed afterwards. */
typedef struct
{
  gatomicrefcount ref_count;
  guint64 measured_us;      /* CLOCK_BOOTTIME */
  GArray *tmpfs;            /* FpTmpfs */
  GArray *held;             /* FpHeldFile */
  GArray *graphics;         /* FpGraphics */
  GArray *graphics_holders; /* FpGraphicsHolder, by PID */
  GArray *told;             /* FpProcessId, by PID: the processes whose graphics memory is known, even where it is none */
  FpSegments *segments;     /* (nullable) */
  guint n_unread;           /* processes whose open files could not be looked at */
  guint n_pending;          /* processes that were not looked at yet, for want of time */
  gboolean is_cut;          /* something has more mounts, file systems, descriptors or mappings than are looked at */
} FpKept;

/* Sums in which no page is counted twice, and none is the pool's. */
typedef struct
{
  guint64 tmpfs;    /* all that is mounted, deleted files included */
  guint64 segments; /* in RAM */
  guint64 held;
  guint64 mapped; /* memfds that are mapped, whole */
  guint64 swap;   /* of the segments; that of the others is in their figures */
} FpKeptSum;

FpKept *fp_kept_new (void);
FpKept *fp_kept_ref (FpKept *self);
void fp_kept_unref (FpKept *self);

/* FALSE: its pages are counted with a process, a file system or the pool. */
static inline gboolean
fp_held_file_is_apart (const FpHeldFile *self)
{
  return !self->is_mapped && !self->is_in_tmpfs && !self->is_huge;
}

void fp_kept_take_graphics (FpKept *self, const FpKept *other);
void fp_kept_sum (const FpKept *self, FpKeptSum *sum);
const FpGraphicsHolder *fp_kept_find_holders (const FpKept *self, const FpProcessId *id, guint *n);
gboolean fp_kept_has_same_graphics (const FpKept *self, const FpKept *other);
gboolean fp_kept_get_graphics (const FpKept *self, const FpProcessId *id, FpGraphicsShare *share);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpKept, fp_kept_unref)

G_END_DECLS
