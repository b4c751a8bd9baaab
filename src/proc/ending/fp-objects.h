// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-ending.h"
#include "fp-mapping.h"

G_BEGIN_DECLS

typedef enum
{
  FP_OBJECT_FILE,         /* of a file system outside memory: its pages stay as cache */
  FP_OBJECT_DELETED_FILE, /* the same, without a name: its pages go with the last user */
  FP_OBJECT_MEMORY_FILE,  /* a file of a tmpfs or devtmpfs */
  FP_OBJECT_SHARED,       /* memfd, or anonymous memory that is shared */
  FP_OBJECT_SYSTEM_V,
  FP_OBJECT_HUGE, /* a file of a hugetlbfs, be it the kernel's own */
} FpObjectKind;

/* An object with pages that several processes can hold. */
typedef struct
{
  FpFileId id;
  FpObjectKind kind;
  char *name;
  gboolean has_name;        /* it stays without users */
  gboolean is_name_unknown; /* has_name is not certain */
  gboolean is_by_fork;      /* only processes of one family can have it */
  gboolean is_huge;         /* its pages are the pool's */
  FpSpan of_one;            /* its private pages, summed over the ending processes */
  guint64 pss;              /* summed over them: at most the pages that are mapped */
  guint64 resident;         /* the most that one mapping has */
  guint64 swap;             /* the same, swapped out */
  guint64 covered;          /* the end of the last range mapped; at least a deleted file's size */
  guint64 blocks;           /* bytes of all its pages, swapped-out ones included */
  gboolean has_blocks;
  guint64 in_memory; /* the part of blocks that is not swapped out */
  gboolean has_in_memory;
  guint n_mappings; /* in the ending processes */
  GArray *holders;  /* PIDs of other processes that hold it */
} FpObject;

/* The objects that some processes hold, and which others hold them. */
typedef struct _FpObjects FpObjects;

/* counts_memory: also how many of the pages are not swapped out, where the kernel tells */
FpObjects *fp_objects_new (const FpProcDir *proc, gboolean counts_memory);
void fp_objects_free (FpObjects *self);

void fp_objects_learn_mounts (FpObjects *self, int process_dir);
FpObject *fp_objects_add_mapping (FpObjects *self, const FpMapping *mapping);
void fp_objects_measure (
    FpObjects *self, FpObject *object, const FpProcessId *id, int process_dir, const FpMapping *mapping);
gboolean fp_objects_add_descriptors (FpObjects *self, int process_dir);

gboolean fp_objects_note_mappings (FpObjects *self, const FpProcessId *id);
gboolean fp_objects_note_descriptors (FpObjects *self, gint pid, int process_dir);

gboolean fp_objects_need_descriptors (const FpObjects *self);
GPtrArray *fp_objects_list (const FpObjects *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpObjects, fp_objects_free)

G_END_DECLS
