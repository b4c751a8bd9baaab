// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fp-stat.h"
#include "mapped-fixture.h"

static char *folder;

void
mapped_set_up (MappedFixture *self,
               gconstpointer data)
{
  folder = g_dir_make_tmp ("footprint-XXXXXX", NULL);
  g_assert_nonnull (folder);
}

void
mapped_tear_down (MappedFixture *self,
                  gconstpointer data)
{
  g_autofree char *quoted = g_shell_quote (folder), *command = g_strdup_printf ("rm -rf %s", quoted);

  for (guint i = 0; i < self->n; i++)
    live_process_stop (&self->live[i]);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_clear_pointer (&folder, g_free);
}

char *
mapped_in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

void
mapped_fill (int fd)
{
  g_autofree char *block = g_malloc (MAPPED_SIZE);

  memset (block, 'f', MAPPED_SIZE);
  g_assert_cmpint (write (fd, block, MAPPED_SIZE), ==, MAPPED_SIZE);
}

void
mapped_make_file (const char *path)
{
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

  g_assert_cmpint (fd, >=, 0);
  mapped_fill (fd);
  close (fd);
}

/* Locked, so that nothing of it can be swapped out or dropped. */
void
mapped_map_and_wait (gpointer data)
{
  const MappedTask *task = data;
  const guint64 page_size = (guint64)sysconf (_SC_PAGESIZE);
  volatile char *memory;
  int fd;

  if (task->prepare)
    task->prepare (data);
  fd = task->path ? open (task->path, O_RDONLY | O_CLOEXEC) : task->fd;
  memory = mmap (NULL, MAPPED_SIZE, task->protection, task->flags, fd, 0);
  if (fd < 0 || memory == MAP_FAILED)
    _exit (1);
  for (guint64 at = 0; at < MAPPED_SIZE; at += page_size)
    (void)memory[at];
  for (guint i = 0; i < task->n_written; i++)
    memory[i * page_size] = 'w';
  mlock2 ((void *)memory, MAPPED_SIZE, MLOCK_ONFAULT);
  live_answer ();
  for (;;)
    pause ();
}

/* As uid says they may belong to anybody: only the reader's caller knows. */
void
mapped_add_child (MappedFixture *self,
                  LiveFunc func,
                  gpointer data,
                  guint32 uid)
{
  FpMappedProcess *process = &self->processes[self->n];
  LiveProcess *live = &self->live[self->n++];
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpStat stat;

  live_process_start (live, func, data);
  kill (live->pid, SIGSTOP);
  live_wait_for_state (live->pid, "T");
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, live->pid));
  *process = (FpMappedProcess){ { live->pid, stat.start_ticks }, uid, 0 };
}

void
mapped_add_task (MappedFixture *self,
                 const MappedTask *task)
{
  mapped_add_child (self, mapped_map_and_wait, (gpointer)task, 1000);
}

FpMappedFiles *
mapped_read_all (MappedFixture *self)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (GError) error = NULL;
  FpMappedFiles *files;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  files = fp_mapped_files_read (&proc, self->processes, self->n, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->n_read, ==, self->n);
  g_assert_cmpuint (files->n_unread, ==, 0);
  return files;
}

guint
mapped_count (const FpMappedFiles *files,
              const char *name)
{
  guint n = 0;

  for (guint i = 0; i < files->files->len; i++)
    n += g_str_equal (fp_mapped_files_get (files, i)->name, name);
  return n;
}

/* n: which of those with this name */
const FpMappedFile *
mapped_find (const FpMappedFiles *files,
             const char *name,
             guint n)
{
  for (guint i = 0; i < files->files->len; i++)
    if (g_str_equal (fp_mapped_files_get (files, i)->name, name) && n-- == 0)
      return fp_mapped_files_get (files, i);
  g_error ("no process maps %s", name);
}

guint64
mapped_get (const FpMappedFile *file,
            FpField field)
{
  FpMemory memory;

  fp_mapped_file_get_memory (file, &memory);
  g_assert_true (fp_memory_has (&memory, field));
  return memory.figures[field];
}
