// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fp-signal.h"

/* Compared after the descriptor was opened: from then on that stands for this process whatever becomes of its PID. */
static gboolean
is_same (const FpProcessId *id)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpStat stat;

  return fp_proc_dir_open (&proc, "/proc", NULL) && fp_stat_read (&stat, &proc, id);
}

static void
set_error (GError **error,
           int code)
{
  const char *text = code == ESRCH   ? _ ("It has ended already")
                     : code == EPERM ? _ ("Only its user and root are allowed to do that")
                                     : g_strerror (code);

  g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), text);
}

gboolean
fp_signal_send (const FpProcessId *id,
                int signal,
                GError **error)
{
  g_auto (FpFd) fd = (int)syscall (SYS_pidfd_open, id->pid, 0);
  int code = fd < 0 ? errno : 0;

  g_return_val_if_fail (id->pid > 0, FALSE);
  if (fd >= 0 && !is_same (id))
    code = ESRCH;
  else if (fd >= 0 && syscall (SYS_pidfd_send_signal, fd, signal, NULL, 0) != 0)
    code = errno;
  if (code)
    set_error (error, code);
  return code == 0;
}
