// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The one table of the figures that the kernel keeps for a control group (cgroup v2): FIELD (id, file below the group, key
 * in it), where a file of one number has no key. Fields of one file stand together. */
/* clang-format off */
#define FP_CONTROL_FIELDS(FIELD)                                      \
  FIELD (MEMORY, "memory.current", "")                                \
  FIELD (PEAK, "memory.peak", "")                                     \
  FIELD (HIGH, "memory.high", "")                                     \
  FIELD (MAX, "memory.max", "")                                       \
  FIELD (SWAP, "memory.swap.current", "")                             \
  FIELD (ANON, "memory.stat", "anon")                                 \
  FIELD (FILE, "memory.stat", "file")                                 \
  FIELD (SHMEM, "memory.stat", "shmem")                               \
  FIELD (KERNEL, "memory.stat", "kernel")                             \
  FIELD (SLAB_RECLAIMABLE, "memory.stat", "slab_reclaimable")         \
  FIELD (REFAULTS_ANON, "memory.stat", "workingset_refault_anon")     \
  FIELD (REFAULTS_FILE, "memory.stat", "workingset_refault_file")     \
  FIELD (EVENTS_HIGH, "memory.events", "high")                        \
  FIELD (EVENTS_MAX, "memory.events", "max")                          \
  FIELD (OOM_KILLS, "memory.events", "oom_kill")                      \
  FIELD (SOME_US, "memory.pressure", "some total=")
/* clang-format on */

typedef enum
{
#define FP_CONTROL_ID(id, ...) FP_CONTROL_##id,
  FP_CONTROL_FIELDS (FP_CONTROL_ID)
#undef FP_CONTROL_ID
      FP_N_CONTROL_FIELDS,
} FpControlField;

typedef enum
{
  FP_CONTROL_KIND_MACHINE, /* the root */
  FP_CONTROL_KIND_SLICE,
  FP_CONTROL_KIND_USER, /* user-UID.slice */
  FP_CONTROL_KIND_SERVICE,
  FP_CONTROL_KIND_APP,
  FP_CONTROL_KIND_CONTAINER,
  FP_CONTROL_KIND_SCOPE,
  FP_CONTROL_KIND_OTHER,
} FpControlKind;

#define FP_CONTROL_BIT(id) ((guint64)1 << FP_CONTROL_##id)

/* A limit that is not set ("max") is FP_CONTROL_NO_LIMIT. */
#define FP_CONTROL_NO_LIMIT G_MAXUINT64
#define FP_CONTROL_NONE     G_MAXUINT

/* Any user who has been given a group may make any number of them. */
#define FP_CONTROL_MAX_GROUPS 4096
#define FP_CONTROL_MAX_DEPTH  32
#define FP_CONTROL_MAX_NAME   256 /* bytes, with the 0 at the end */

typedef struct
{
  guint64 id;      /* of its folder: a group that is made again under the same path has another */
  guint64 present; /* a bit for each figure */
  guint64 figures[FP_N_CONTROL_FIELDS];
  guint64 measured_us;    /* CLOCK_BOOTTIME of its figures, 0: never yet; MEMORY and SOME_US may be newer */
  guint64 waited_us;      /* how much SOME_US rose within the last minute… */
  guint64 waited_over_us; /* …or this time, where the group is known for less; 0: it was read once only */
  guint parent;           /* place in the list, FP_CONTROL_NONE for the root; parents stand before their children */
  guint depth;
  FpControlKind kind;
  guint32 uid;      /* of a USER, else G_MAXUINT32 */
  const char *path; /* from the root: "/user.slice/user-1000.slice"; valid UTF-8 */
  const char *name; /* what a person calls it: the app, service or container; owned by the list as path is */
} FpControlGroup;

/* All control groups at one moment; never changed afterwards. */
typedef struct
{
  gatomicrefcount ref_count;
  FpControlGroup *groups;
  guint n;
  gboolean has_memory;   /* the memory controller is there; pressure may be without it */
  gboolean has_pressure; /* the kernel was built and started with pressure */
  gboolean is_cut;       /* there are more groups, or deeper ones, than are read */
  GStringChunk *texts;
  GHashTable *by_path; /* (nullable): of FpControlGroup; NULL until the list is sealed */
} FpControlGroups;

/* The limit that a group comes to first, which may be one of a group around it. */
typedef struct
{
  guint place; /* the group that has the limit, and whose memory counts towards it */
  FpControlField field;
  guint64 limit;
  guint64 used;
} FpControlLimit;

FpControlGroups *fp_control_groups_new (guint capacity);
void fp_control_groups_seal (FpControlGroups *self);
FpControlGroups *fp_control_groups_ref (FpControlGroups *self);
void fp_control_groups_unref (FpControlGroups *self);
const FpControlGroup *fp_control_groups_find (const FpControlGroups *self, const char *path);
gboolean fp_control_groups_get_limit (const FpControlGroups *self, guint place, FpControlLimit *limit);

static inline gboolean
fp_control_group_has (const FpControlGroup *self,
                      FpControlField field)
{
  return (self->present >> field & 1) != 0;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpControlGroups, fp_control_groups_unref)

G_END_DECLS
