// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-identity.h"
#include "fp-memory.h"
#include "fp-stat.h"
#include "fp-strings.h"
#include "fp-system.h"

G_BEGIN_DECLS

/* Ids in saved files: append only. */
typedef enum
{
  FP_TEXT_COMM,
  FP_TEXT_COMMAND,
  FP_TEXT_PROGRAM,
  FP_TEXT_EXE,
  FP_TEXT_USER,
  FP_TEXT_APP,
  FP_TEXT_UNIT,
  FP_TEXT_SLICE,
  FP_TEXT_CONTAINER,
  FP_TEXT_FULL_NAME,     /* the user's */
  FP_TEXT_CONTROL_GROUP, /* its path, as in FpControlGroup */
  FP_N_TEXTS,
} FpText;

/* Why there is no memory figure, or an old one only. */
typedef enum
{
  FP_REASON_NONE,
  FP_REASON_PENDING,
  FP_REASON_PERMISSION,
  FP_REASON_TOO_COSTLY, /* in old files alone */
  FP_REASON_KERNEL_THREAD,
  FP_REASON_ENDED,
  FP_REASON_ZOMBIE,
  FP_REASON_SHARED_MEMORY, /* counted with the process it shares its whole address space with */
  FP_REASON_UNSUPPORTED,
  FP_REASON_NO_ANSWER, /* whoever reads it waits in the kernel until the process lets go */
  FP_N_REASONS,
} FpReason;

typedef struct
{
  guint64 start_ticks;
  /* CLOCK_BOOTTIME when PSS and its like were read, 0: never */
  guint64 measured_us;
  gint32 pid;
  gint32 ppid;
  guint32 uid;
  /* CPU time the reading took */
  guint32 cost_us;
  gint32 shares_with;
  gint16 oom_score_adj;
  guint8 state;
  guint8 reason;
  guint8 exe_state;
  guint8 main_thread_exited;
  /* Its user could have read the memory without any privilege when it was read; 0 also where owners are not judged */
  guint8 is_plain;
  guint8 reserved;
  guint32 gid;
  guint32 texts[FP_N_TEXTS];
  FpMemory memory;
} FpProcess;

typedef struct
{
  guint64 boottime_us;
  guint64 realtime_us;
  guint64 ticks_per_second;
  guint64 page_size;
  /* Not walked yet when the time slice ended: ask again at once */
  guint64 n_pending;
  char boot_id[40];
} FpSnapshotInfo;

typedef struct _FpSnapshotPool FpSnapshotPool;

/* Written by one owner, then never again. Processes ascend by pid. */
typedef struct
{
  gatomicrefcount ref_count;
  FpSnapshotPool *pool;
  FpSnapshotInfo info;
  FpSystem system;
  FpStringBlock *strings;
  FpProcess *processes;
  guint n_processes;
  guint capacity;
} FpSnapshot;

FpSnapshotPool *fp_snapshot_pool_new (void);
void fp_snapshot_pool_unref (FpSnapshotPool *self);
FpSnapshot *fp_snapshot_pool_take (FpSnapshotPool *self, guint capacity);

FpSnapshot *fp_snapshot_ref (FpSnapshot *self);
void fp_snapshot_unref (FpSnapshot *self);
const FpProcess *fp_snapshot_find (const FpSnapshot *self, gint pid);
/* (nullable): a later process may have its number. */
const FpProcess *fp_snapshot_find_same (const FpSnapshot *self, const FpProcessId *id);
gboolean fp_snapshot_is_same_boot (const FpSnapshot *self, const FpSnapshot *other);

static inline const char *
fp_snapshot_get_text (const FpSnapshot *self,
                      const FpProcess *process,
                      FpText text)
{
  return self->strings->data + process->texts[text];
}

static inline gboolean
fp_process_is (const FpProcess *self,
               const FpProcessId *id)
{
  return self->pid == id->pid && self->start_ticks == id->start_ticks;
}

FpSnapshot *fp_snapshot_new (guint capacity);
const char *fp_reason_get_name (FpReason reason);
gboolean fp_reason_has_memory (FpReason reason);
guint64 fp_predict_cost_us (guint64 rss);
gboolean fp_process_is_kernel_thread (const FpProcess *self);
gboolean fp_process_is_paused (const FpProcess *self);
gboolean fp_process_is_over (const FpProcess *self);
gboolean fp_process_is_unread (const FpProcess *self);
void fp_process_take_stat (FpProcess *self, const FpStat *stat, guint64 ticks_per_second);
void fp_process_clear_memory (FpProcess *self, FpReason reason);
gboolean fp_snapshot_has_reliable_sums (const FpSnapshot *self);
void fp_snapshot_count_hidden_tasks (FpSnapshot *self, guint64 n_ended);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpSnapshot, fp_snapshot_unref)

G_END_DECLS
