// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fp-owner.h"
#include "fp-payer.h"
#include "fp-reading.h"
#include "fp-scan.h"

/* Real, effective, saved and that of the file system: FALSE unless all are there and the same. */
static gboolean
take_ids (const FpLine *line,
          guint32 *id)
{
  const char *cursor = line->text, *end = line->text + line->text_length;
  gboolean is_same = TRUE;

  for (guint i = 0; i < 4; i++)
    {
      const char *start = cursor = fp_scan_blanks (cursor, end);
      guint64 next = fp_scan_number (&cursor, end);

      if (cursor == start || next > G_MAXUINT32)
        return FALSE;
      if (i == 1)
        *id = (guint32)next;
      is_same = is_same && next == line->value;
    }
  return is_same;
}

static gboolean
is_zero (const FpLine *line)
{
  return line->text_length > 0 && strspn (line->text, "0") >= line->text_length;
}

/* Reads the owner from /proc/PID/status. A line that is missing counts against is_plain. */
void
fp_owner_parse (FpOwner *self,
                const char *status,
                gsize length)
{
  static const char *const capabilities[] = { "CapPrm", "CapEff", "CapAmb" };
  const char *cursor = status, *end = status + length;
  guint n_good = 0;
  FpLine line;

  *self = (FpOwner){ G_MAXUINT32, G_MAXUINT32, FALSE };
  while (fp_scan_line (&cursor, end, &line))
    {
      if (fp_line_has_key (&line, "Uid"))
        n_good += take_ids (&line, &self->uid);
      else if (fp_line_has_key (&line, "Gid"))
        n_good += take_ids (&line, &self->gid);
      for (guint i = 0; i < G_N_ELEMENTS (capabilities); i++)
        if (fp_line_has_key (&line, capabilities[i]))
          n_good += is_zero (&line);
    }
  self->is_plain = n_good == 2 + G_N_ELEMENTS (capabilities);
}

/* Its uid means our uid only there where users are counted as here. A namespace within ours is open to the user who made it. */
static gboolean
has_users_of_ours (int process_dir,
                   guint32 uid)
{
  guint32 maker = 0;
  FpUserNamespace namespace = fp_user_namespace_find (process_dir, &maker);

  return namespace == FP_USER_NAMESPACE_OURS || (namespace == FP_USER_NAMESPACE_WITHIN_OURS && maker == uid);
}

/* The kernel gives the files of a process that may not be dumped to root. */
static gboolean
is_dumpable (int process_dir,
             guint32 uid)
{
  struct stat st;

  return fstatat (process_dir, "smaps_rollup", &st, 0) == 0 && st.st_uid == uid;
}

void
fp_owner_read (FpOwner *self,
               int process_dir,
               const char *status,
               gsize length)
{
  fp_owner_parse (self, status, length);
  self->is_plain =
      self->is_plain && is_dumpable (process_dir, self->uid) && has_users_of_ours (process_dir, self->uid);
}

/* Reads the status itself, for callers without its text. FALSE: there is no such process. */
gboolean
fp_owner_read_process (FpOwner *self,
                       const FpProcDir *proc,
                       gint pid)
{
  g_auto (FpFd) dir = fp_proc_dir_open_process (proc, pid);
  char status[8192];
  gssize length;

  if (dir < 0)
    return FALSE;
  length = fp_read_record_at (dir, "status", status, sizeof status);
  fp_owner_read (self, dir, status, (gsize)MAX (length, 0));
  return TRUE;
}

typedef struct
{
  FpReading reading;
  FpOwner owner;
  FpStat stat;
  gboolean has_owner, has_stat;
} Inquiry;

static void
inquire (gpointer data)
{
  Inquiry *self = data;

  self->has_owner = fp_owner_read_process (&self->owner, &self->reading.proc, self->reading.id.pid);
  self->has_stat = fp_stat_read (&self->stat, &self->reading.proc, &self->reading.id);
}

/* The same for somebody who waits. stat: (nullable): its state, without which it is gone. Sets errno to 0, or to ESRCH or, if
 * it does not answer, to ETIMEDOUT. */
gboolean
fp_owner_await (FpOwner *self,
                FpStat *stat,
                const FpProcDir *proc,
                const FpProcessId *id)
{
  Inquiry *inquiry = fp_reading_new (sizeof *inquiry, proc, id);
  gboolean is_there;

  if (!fp_reading_await (inquiry, inquire, fp_reading_free))
    {
      errno = ETIMEDOUT;
      return FALSE;
    }
  is_there = inquiry->has_owner && (!stat || inquiry->has_stat);
  *self = inquiry->owner;
  if (stat)
    *stat = inquiry->stat;
  fp_reading_free (inquiry);
  errno = is_there ? 0 : ESRCH;
  return is_there;
}
