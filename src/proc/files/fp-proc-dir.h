// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <unistd.h>

G_BEGIN_DECLS

/* "g_auto (FpFd) fd" is closed at the end of its block, unless it is negative. */
typedef int FpFd;

typedef struct
{
  int fd;
  /* The /proc of our own PID namespace: its PIDs may be given to system calls. */
  gboolean is_live;
  gboolean opens_no_files; /* of processes: what they map is told from /proc alone */
} FpProcDir;

gboolean fp_proc_dir_open (FpProcDir *self, const char *path, GError **error);
FpProcDir fp_proc_dir_copy (const FpProcDir *self);
void fp_proc_dir_close (FpProcDir *self);
gboolean fp_proc_dir_list (const FpProcDir *self, GArray *pids, GError **error);
int fp_proc_dir_open_process (const FpProcDir *self, gint pid);
int fp_proc_dir_open_memory (const FpProcDir *self, gint pid, gboolean main_thread_exited);
int fp_proc_dir_open_file (const FpProcDir *self, gint pid, const char *name);

/* end: where its line end is, which belongs to the text; a NUL is somewhere behind it */
typedef void (*FpLineFunc) (gpointer data, const char *line, const char *end);

gssize fp_read_at (int dir_fd, const char *name, char *buffer, gsize size);
gssize fp_read_record_at (int dir_fd, const char *name, char *buffer, gsize size);
gssize fp_read_record (int fd, char *buffer, gsize size);
gboolean fp_read_lines (int fd, FpLineFunc func, gpointer data);
gssize fp_read_link_at (int dir_fd, const char *name, char *buffer, gsize size);

G_DEFINE_AUTO_CLEANUP_FREE_FUNC (FpFd, close, -1)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpProcDir, fp_proc_dir_close)

G_END_DECLS
