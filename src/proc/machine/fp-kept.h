// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-segments.h"

G_BEGIN_DECLS

/* A file system in memory, once however often it is mounted. */
typedef struct
{
  guint64 device;
  char *path; /* where it is mounted, as this process or (see pid) the one it was found in sees it */
  guint64 used;
  guint64 size; /* 0: no limit */
  gint32 pid;   /* 0: in this process's own mount namespace */
} FpTmpfs;

/* An unnamed file in memory (memfd, or a deleted file of a tmpfs) that processes hold open. */
typedef struct
{
  guint64 device;
  guint64 inode;
  char *name;
  guint64 used;
  gint32 pid; /* the first that holds it */
  guint n_holders;
  gboolean is_mapped;
} FpHeldFile;

typedef enum
{
  FP_GRAPHICS_DRM,
  FP_GRAPHICS_DMABUF,
} FpGraphicsKind;

/* The memory of one client of a graphics driver, or one buffer, once however many processes hold it. */
typedef struct
{
  FpGraphicsKind kind;
  guint64 id; /* the client's id with its driver and device, or the buffer's inode */
  char *driver;
  gint32 pid; /* the first that holds it */
  guint n_holders;
  guint64 in_ram;    /* resident, in the machine's memory */
  guint64 on_card;   /* resident, in the card's own */
  guint64 allocated; /* resident or not */
  gboolean is_shmem; /* it lies in Shmem already, so that it must not be counted twice */
} FpGraphics;

/* What is in memory beside the pages of processes, at one moment; never changed afterwards. */
typedef struct
{
  gatomicrefcount ref_count;
  guint64 measured_us;
  GArray *tmpfs;        /* FpTmpfs */
  GArray *held;         /* FpHeldFile */
  GArray *graphics;     /* FpGraphics */
  FpSegments *segments; /* (nullable) */
  guint n_unread;       /* processes whose open files could not be looked at */
} FpKept;

FpKept *fp_kept_read (const FpProcDir *proc, GError **error);
FpKept *fp_kept_ref (FpKept *self);
void fp_kept_unref (FpKept *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpKept, fp_kept_unref)

G_END_DECLS
