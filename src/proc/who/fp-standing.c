// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-file-state.h"
#include "fp-payer.h"
#include "fp-reading.h"
#include "fp-standing.h"

/* One that does not answer keeps its reader, and nothing else. */
typedef struct
{
  FpReading reading;
  FpStanding standing;
  gboolean is_read;
} Inquiry;

static void
inquiry_free (gpointer data)
{
  fp_standing_clear (&((Inquiry *)data)->standing);
  fp_reading_free (data);
}

/* The process may have ended, and another user's may have its PID. The directory stands for one process: once that is gone,
 * nothing is read through it. */
static void
inquire (gpointer data)
{
  Inquiry *inquiry = data;
  FpStanding *self = &inquiry->standing;
  const int dir = self->dir = fp_proc_dir_open_process (&inquiry->reading.proc, inquiry->reading.id.pid);
  char text[8192];
  gssize length = dir >= 0 ? fp_read_record_at (dir, "status", text, sizeof text) : -1;
  FpStat stat;

  if (length <= 0)
    return;
  fp_owner_read (&self->owner, dir, text, (gsize)length);
  self->payer = fp_payer_find_in (text, (gsize)length, dir);
  self->has_no_new_privileges = !memmem (text, (gsize)length, "\nNoNewPrivs:\t0\n", 15);
  self->shares_namespaces =
      fp_file_is_at (dir, "ns/user", "/proc/self/ns/user") && fp_file_is_at (dir, "ns/pid", "/proc/self/ns/pid");
  self->is_flatpak_proxy =
      fp_file_is_at (dir, "exe", "/usr/bin/xdg-dbus-proxy") || fp_file_is_at (dir, "exe", "/usr/libexec/xdg-dbus-proxy");
  length = fp_read_record_at (dir, "stat", text, sizeof text);
  inquiry->is_read = length > 0 && fp_stat_parse (&stat, text, (gsize)length);
  self->start_ticks = stat.start_ticks;
}

/* To be cleared. FALSE: there is no such process, or it does not answer. */
gboolean
fp_standing_await (FpStanding *self,
                   gint pid)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  gboolean is_read;
  Inquiry *inquiry;

  *self = (FpStanding){ .dir = -1 };
  if (!fp_proc_dir_open (&proc, "/proc", NULL))
    return FALSE;
  inquiry = fp_reading_new (sizeof *inquiry, &proc, &(FpProcessId){ pid, 0 });
  inquiry->standing.dir = -1;
  if (!fp_reading_await (inquiry, inquire, inquiry_free))
    return FALSE;
  is_read = inquiry->is_read;
  *self = inquiry->standing;
  inquiry->standing.dir = -1;
  inquiry_free (inquiry);
  return is_read;
}

void
fp_standing_clear (FpStanding *self)
{
  if (self->dir >= 0)
    close (self->dir);
  self->dir = -1;
}

/* Reads nothing that waits for the process. */
gboolean
fp_standing_is_there (const FpStanding *self)
{
  struct stat st;

  return self->dir >= 0 && fstatat (self->dir, "comm", &st, 0) == 0;
}
