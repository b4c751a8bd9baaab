// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"

G_BEGIN_DECLS

/* A process for good: the kernel gives a PID anew, but not with the same start time. */
typedef struct
{
  gint pid;
  guint64 start_ticks;
} FpProcessId;

/* The identity of a program image: an exec changes at least one of these. Zero where not permitted. */
typedef struct
{
  guint64 start_code;
  guint64 start_stack;
  guint64 arg_start;
  guint64 arg_end;
} FpImage;

/* At least one of these changes whenever a process changes its memory by its own doing. */
typedef struct
{
  guint64 minor_faults;
  guint64 children_minor_faults;
  guint64 major_faults;
  guint64 children_major_faults;
  guint64 vsize;
  guint64 rss_pages;
} FpFingerprint;

/* /proc/PID/stat. Its rss is approximate on every kernel: good for seeing change, not for showing. */
typedef struct
{
  char comm[64];
  guint comm_length;
  char state;
  gint ppid;
  gboolean is_kernel_thread;
  guint64 user_ticks;
  guint64 system_ticks;
  guint64 n_threads;
  guint64 start_ticks;
  FpFingerprint fingerprint;
  FpImage image;
} FpStat;

gboolean fp_stat_parse (FpStat *self, const char *text, gsize length);
gboolean fp_stat_read (FpStat *self, const FpProcDir *proc, const FpProcessId *id);
gboolean fp_stat_read_any (FpStat *self, const FpProcDir *proc, gint pid);
gboolean fp_statm_read (const FpProcDir *proc, gint pid, guint64 page_size, guint64 *size, guint64 *rss);
gboolean fp_stat_same_image (const FpStat *a, const FpStat *b);
gboolean fp_stat_same_family (const FpStat *a, const FpStat *b);

static inline gboolean
fp_process_id_equal (const FpProcessId *a,
                     const FpProcessId *b)
{
  return a->pid == b->pid && a->start_ticks == b->start_ticks;
}

static inline gboolean
fp_stat_is_zombie (const FpStat *self)
{
  return self->state == 'Z' || self->state == 'X' || self->state == 'x';
}

/* All of it: a zombie may still have threads that live. */
static inline gboolean
fp_stat_has_ended (const FpStat *self)
{
  return fp_stat_is_zombie (self) && self->n_threads <= 1;
}

/* FALSE: a kernel thread, or the caller may not know the addresses. */
static inline gboolean
fp_stat_has_image (const FpStat *self)
{
  return self->image.start_stack > 1;
}

static inline guint64
fp_stat_count_faults (const FpStat *self)
{
  return self->fingerprint.minor_faults + self->fingerprint.major_faults;
}

G_END_DECLS
