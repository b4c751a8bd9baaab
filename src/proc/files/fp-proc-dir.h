// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  int fd;
  /* The /proc of our own PID namespace: its PIDs may be given to system calls. */
  gboolean is_live;
} FpProcDir;

gboolean fp_proc_dir_open (FpProcDir *self, const char *path, GError **error);
void fp_proc_dir_close (FpProcDir *self);
gboolean fp_proc_dir_list (const FpProcDir *self, GArray *pids, GError **error);
int fp_proc_dir_open_process (const FpProcDir *self, gint pid);
int fp_proc_dir_open_live_thread (const FpProcDir *self, gint pid);
int fp_proc_dir_open_file (const FpProcDir *self, gint pid, const char *name);

gssize fp_read_at (int dir_fd, const char *name, char *buffer, gsize size);
gssize fp_read_record_at (int dir_fd, const char *name, char *buffer, gsize size);
gssize fp_read_record (int fd, char *buffer, gsize size);
gssize fp_read_link_at (int dir_fd, const char *name, char *buffer, gsize size);

G_END_DECLS
