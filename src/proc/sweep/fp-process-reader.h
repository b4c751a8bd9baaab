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
