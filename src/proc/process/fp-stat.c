// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "fp-scan.h"
#include "fp-stat.h"

#define KERNEL_THREAD_FLAG 0x00200000 /* PF_KTHREAD */

/* Numbered as in proc_pid_stat(5). */
enum
{
  FIRST_NUMBER = 4,
  PPID = 4,
  FLAGS = 9,
  MINFLT,
  CMINFLT,
  MAJFLT,
  CMAJFLT,
  UTIME,
  STIME,
  NUM_THREADS = 20,
  STARTTIME = 22,
  VSIZE,
  RSS,
  STARTCODE = 26,
  STARTSTACK = 28,
  ARG_START = 48,
  ARG_END,
  N_NUMBERS,
};

static guint
scan_numbers (const char *cursor,
              const char *end,
              guint64 numbers[N_NUMBERS])
{
  guint number = FIRST_NUMBER;

  while (number < N_NUMBERS)
    {
      gboolean negative;
      const char *start;

      cursor = fp_scan_blanks (cursor, end);
      negative = cursor < end && *cursor == '-';
      start = cursor += negative;
      numbers[number] = fp_scan_number (&cursor, end);
      /* A number that ends with the text may have been cut. */
      if (cursor == start || cursor == end)
        break;
      if (negative)
        numbers[number] = 0;
      number++;
    }
  memset (numbers + number, 0, (N_NUMBERS - number) * sizeof numbers[0]);
  return number;
}

/* The name may hold anything, ") R 1 (" and newlines too, so it ends at the last parenthesis. */
gboolean
fp_stat_parse (FpStat *self,
               const char *text,
               gsize length)
{
  const char *end = text + length;
  const char *open = memchr (text, '(', length);
  const char *close = open ? memrchr (open, ')', end - open) : NULL;
  guint64 numbers[N_NUMBERS];

  if (!close || end - close < 4 || close[1] != ' ')
    return FALSE;
  if (scan_numbers (close + 3, end, numbers) <= RSS)
    return FALSE;

  self->comm_length = (guint)MIN ((gsize)(close - open - 1), sizeof self->comm - 1);
  memcpy (self->comm, open + 1, self->comm_length);
  self->comm[self->comm_length] = '\0';
  self->state = g_ascii_isalpha (close[2]) ? close[2] : '?';
  self->ppid = (gint)MIN (numbers[PPID], G_MAXINT);
  self->is_kernel_thread = (numbers[FLAGS] & KERNEL_THREAD_FLAG) != 0;
  self->user_ticks = numbers[UTIME];
  self->system_ticks = numbers[STIME];
  self->n_threads = numbers[NUM_THREADS];
  self->start_ticks = numbers[STARTTIME];
  self->fingerprint = (FpFingerprint){
    .minor_faults = numbers[MINFLT],
    .children_minor_faults = numbers[CMINFLT],
    .major_faults = numbers[MAJFLT],
    .children_major_faults = numbers[CMAJFLT],
    .vsize = numbers[VSIZE],
    .rss_pages = numbers[RSS],
  };
  self->image = (FpImage){
    .start_code = numbers[STARTCODE],
    .start_stack = numbers[STARTSTACK],
    .arg_start = numbers[ARG_START],
    .arg_end = numbers[ARG_END],
  };
  return TRUE;
}

/* Reads the state of whatever process has the PID now. */
gboolean
fp_stat_read_any (FpStat *self,
                  const FpProcDir *proc,
                  gint pid)
{
  char name[32], text[1024];
  gssize length;

  g_snprintf (name, sizeof name, "%d/stat", pid);
  length = fp_read_record_at (proc->fd, name, text, sizeof text);
  return length > 0 && fp_stat_parse (self, text, (gsize)length);
}

/* FALSE: it is gone, or another process has its PID. */
gboolean
fp_stat_read (FpStat *self,
              const FpProcDir *proc,
              const FpProcessId *id)
{
  return fp_stat_read_any (self, proc, id->pid) && self->start_ticks == id->start_ticks;
}

/* Bytes. Its RSS is exact where stat's is not. FALSE: it says nothing now. */
gboolean
fp_statm_read (const FpProcDir *proc,
               gint pid,
               guint64 page_size,
               guint64 *size,
               guint64 *rss)
{
  const char *cursor, *end;
  char name[32], text[128];
  gssize length;

  g_snprintf (name, sizeof name, "%d/statm", pid);
  if ((length = fp_read_record_at (proc->fd, name, text, sizeof text)) <= 0)
    return FALSE;
  cursor = text;
  end = text + length;
  *size = fp_scan_number (&cursor, end);
  cursor = fp_scan_blanks (cursor, end);
  if (!g_ascii_isdigit (*cursor))
    return FALSE;
  *rss = fp_scan_number (&cursor, end);
  return !__builtin_mul_overflow (*rss, page_size, rss) && !__builtin_mul_overflow (*size, page_size, size);
}

gboolean
fp_stat_same_image (const FpStat *a,
                    const FpStat *b)
{
  return memcmp (&a->image, &b->image, sizeof a->image) == 0 && a->comm_length == b->comm_length &&
         memcmp (a->comm, b->comm, a->comm_length) == 0;
}

/* A fork keeps where the program and its stack begin; an exec draws both anew. */
gboolean
fp_stat_same_family (const FpStat *a,
                     const FpStat *b)
{
  return fp_stat_has_image (a) && a->image.start_stack == b->image.start_stack &&
         a->image.start_code == b->image.start_code;
}
