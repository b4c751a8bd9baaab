// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"
#include "fp-snapshot.h"
#include "fp-tracked.h"
#include "fp-users.h"

G_BEGIN_DECLS

typedef enum
{
  FP_LOOK_ALIVE,
  FP_LOOK_GONE,      /* or another process has its PID by now */
  FP_LOOK_FORBIDDEN, /* hidepid=1: nothing but the owner is to be seen */
} FpLook;

/* Shared by the threads of a sweep. Those that were left behind have references to it, and no other state in common. */
typedef struct
{
  gatomicrefcount ref_count;
  FpProcDir proc;
  FpStrings strings; /* of the sweep, and of the one thread that ends an errand */
  FpUsers *users;
  guint64 page_size;
  guint64 ticks_per_second;
  gint n_kept;
  gint max_kept;
  gsize max_command; /* bytes of a command line */
  gboolean judges_owners;
} FpProcessReader;

FpProcessReader *fp_process_reader_new (const char *proc_path, FpUserLookup lookup_user, gsize strings_size, GError **error);
FpProcessReader *fp_process_reader_ref (FpProcessReader *self);
void fp_process_reader_unref (FpProcessReader *self);

FpLook fp_process_reader_read_stat (FpProcessReader *self, const FpProcessId *id, int *kept_fd, FpStat *stat);
void fp_process_reader_take_stat (
    const FpProcessReader *self, FpTracked *tracked, FpProcess *process, const FpStat *stat);
FpLook fp_process_reader_look (FpProcessReader *self, FpTracked *tracked, FpProcess *process);
void fp_process_reader_read_status_at (FpProcessReader *self, FpTracked *tracked, FpProcess *process, int memory_dir);
gboolean fp_process_reader_read_status (FpProcessReader *self, FpTracked *tracked, FpProcess *process);
void fp_process_reader_read_rss (FpProcessReader *self, FpTracked *tracked, FpProcess *process);

/* These take no lock of the process. */
void fp_process_reader_read_status_unanswered (
    FpProcessReader *self, FpTracked *tracked, FpProcess *process, int memory_dir);
void fp_process_reader_drop_outdated (FpProcess *process);
void fp_process_reader_forget (FpProcessReader *self, int *kept_fd);

G_END_DECLS
