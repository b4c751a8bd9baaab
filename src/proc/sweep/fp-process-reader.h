// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"
#include "fp-snapshot.h"
#include "fp-stat.h"
#include "fp-users.h"

G_BEGIN_DECLS

/* The state that a sweep keeps of a process from one collection to the next, beside its record. */
typedef struct
{
  int stat_fd;
  FpStat stat;
  /* The last walk */
  FpFingerprint walked;
  guint64 walked_rss;
  guint64 walked_us;
  guint64 walked_sweep;
  /* The last reading of names and status */
  guint64 named_us;
  guint64 named_sweep;
  guint64 status_rss;
  guint is_identified : 1; /* in this collection */
  guint was_walked : 1;    /* or tried */
  guint is_denied : 1;
  guint is_suspect : 1; /* a process it may share pages with was born or died */
  guint is_ended : 1;
  guint is_wanted : 1;
  guint in_attention : 1;
  guint has_no_page_map : 1;
  guint has_new_name : 1; /* or another program, by an exec */
  guint is_plain : 1;     /* by the last status */
  guint died_in_walk : 1; /* and is a zombie now */
} FpTracked;

typedef enum
{
  FP_LOOK_ALIVE,
  FP_LOOK_GONE,      /* or another process has its PID by now */
  FP_LOOK_FORBIDDEN, /* hidepid=1: nothing but the owner is to be seen */
} FpLook;

/* Shared by the threads of a sweep; strings and users are under the mutex. */
typedef struct
{
  FpProcDir proc;
  FpStrings strings;
  FpUsers *users;
  GMutex mutex;
  guint64 page_size;
  guint64 ticks_per_second;
  gint n_kept;
  gint max_kept;
  gboolean judges_owners;
} FpProcessReader;

FpLook fp_process_reader_look (FpProcessReader *self, FpTracked *tracked, FpProcess *process);
void fp_process_reader_identify (FpProcessReader *self, FpTracked *tracked, FpProcess *process);
void fp_process_reader_walk (FpProcessReader *self, FpTracked *tracked, FpProcess *process, guint64 now_us);
gboolean fp_process_reader_read_status (FpProcessReader *self, FpTracked *tracked, FpProcess *process);
void fp_process_reader_read_rss (FpProcessReader *self, FpTracked *tracked, FpProcess *process);
void fp_process_reader_forget (FpProcessReader *self, FpTracked *tracked);

G_END_DECLS
