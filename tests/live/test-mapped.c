// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-stat.h"
#include "mapped-fixture.h"

static guint64 page_size;

static void
test_memfd (MappedFixture *self,
            gconstpointer data)
{
  const MappedTask task = { .fd = memfd_create ("footprint-mapped", 0), .protection = PROT_READ | PROT_WRITE, .flags = MAP_SHARED };
  const FpMappedFile *file;
  g_autoptr (FpMappedFiles) files = NULL;

  mapped_fill (task.fd);
  for (guint i = 0; i < 4; i++)
    mapped_add_child (self, mapped_map_and_wait, (gpointer)&task, i < 3 ? 1000 : 1001);
  close (task.fd);
  files = mapped_read_all (self);
  file = mapped_find (files, "/memfd:footprint-mapped (deleted)", 0);
  g_assert_cmpuint (mapped_count (files, "/memfd:footprint-mapped (deleted)"), ==, 1);
  g_assert_cmpuint (file->n_processes, ==, 4);
  g_assert_cmpuint (file->n_users, ==, 2);
  g_assert_cmpuint (file->n_mappings, ==, 4);
  g_assert_cmpint (file->kind, ==, FP_MAPPING_SHARED_MEMORY);
  g_assert_cmpint (file->state, ==, FP_FILE_UNKNOWN);
  g_assert_false (fp_mapped_file_is_outdated (file));
  g_assert_cmpuint (mapped_get (file, FP_FIELD_SIZE), ==, 4 * MAPPED_SIZE);
  g_assert_cmpuint (mapped_get (file, FP_FIELD_RSS), ==, 4 * MAPPED_SIZE);
  g_assert_cmpuint (mapped_get (file, FP_FIELD_PSS), ==, MAPPED_SIZE);
  g_assert_cmpuint (mapped_get (file, FP_FIELD_USS), ==, 0);
  for (guint i = 0; i < 4; i++)
    {
      const FpMappedProcess *process;
      const FpMappedHolder *holder = fp_mapped_files_find_holder (files, file, i, &process);
      FpMemory memory;

      fp_mapped_holder_get_memory (holder, file, &memory);
      g_assert_cmpint (process->id.pid, ==, self->live[i].pid);
      g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_PSS), ==, MAPPED_SIZE / 4);
      g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_RSS), ==, MAPPED_SIZE);
      g_assert_true (fp_memory_has (&memory, FP_FIELD_USS));
      g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_USS), ==, 0);
    }
}

/* Pages that a process has written to are its own, and the others are shared. */
static void
test_written (MappedFixture *self,
              gconstpointer data)
{
  g_autofree char *path = mapped_in_folder ("data");
  const MappedTask task = { .path = path, .protection = PROT_READ | PROT_WRITE, .flags = MAP_PRIVATE, .n_written = 4 };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *file;

  mapped_make_file (path);
  for (guint i = 0; i < 4; i++)
    mapped_add_task (self, &task);
  files = mapped_read_all (self);
  file = mapped_find (files, path, 0);
  g_assert_cmpuint (file->n_processes, ==, 4);
  g_assert_cmpint (file->kind, ==, FP_MAPPING_DATA);
  g_assert_cmpint (file->state, ==, FP_FILE_PRESENT);
  g_assert_cmpuint (mapped_get (file, FP_FIELD_ANONYMOUS), ==, 4 * 4 * page_size);
  g_assert_cmpuint (mapped_get (file, FP_FIELD_PRIVATE_DIRTY), ==, 4 * 4 * page_size);
  g_assert_cmpuint (mapped_get (file, FP_FIELD_USS), ==, 4 * 4 * page_size);
  g_assert_cmpuint (mapped_get (file, FP_FIELD_RSS), ==, 4 * MAPPED_SIZE);
  g_assert_cmpuint (mapped_get (file, FP_FIELD_PSS), ==, MAPPED_SIZE - 4 * page_size + 4 * 4 * page_size);
}

static void
attach_segment (gpointer data)
{
  volatile char *memory = shmat (*(const int *)data, NULL, 0);

  if (memory == (void *)-1)
    _exit (1);
  for (guint64 at = 0; at < MAPPED_SIZE; at += page_size)
    memory[at] = 's';
  mlock ((void *)memory, MAPPED_SIZE);
  live_answer ();
  for (;;)
    pause ();
}

static void
test_system_v (MappedFixture *self,
               gconstpointer data)
{
  int id = shmget (IPC_PRIVATE, MAPPED_SIZE, IPC_CREAT | 0600);
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *file = NULL;

  if (id < 0)
    {
      g_test_skip ("There is no System V shared memory here");
      return;
    }
  mapped_add_child (self, attach_segment, &id, 1000);
  mapped_add_child (self, attach_segment, &id, 1000);
  shmctl (id, IPC_RMID, NULL);
  files = mapped_read_all (self);
  for (guint i = 0; i < files->files->len; i++)
    if (fp_mapped_files_get (files, i)->kind == FP_MAPPING_SYSTEM_V && fp_mapped_files_get (files, i)->id.inode == (guint64)id)
      file = fp_mapped_files_get (files, i);
  g_assert_nonnull (file);
  g_assert_cmpuint (file->n_processes, ==, 2);
  g_assert_cmpuint (mapped_get (file, FP_FIELD_PSS), ==, MAPPED_SIZE);
}

static void
sum_up (const FpMappedProcess *process,
        guint64 sums[FP_N_FIELDS],
        guint *n)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpMappings) mappings = NULL;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  mappings = fp_mappings_read (&proc, &process->id, NULL, NULL, NULL);
  g_assert_nonnull (mappings);
  *n += fp_mappings_get_n (mappings);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMemory memory;

      fp_mappings_get_memory (mappings, i, &memory);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        sums[field] += fp_memory_get (&memory, field);
    }
}

static guint
sum_up_all (MappedFixture *self,
            guint64 sums[FP_N_FIELDS])
{
  guint n = 0;

  memset (sums, 0, FP_N_FIELDS * sizeof *sums);
  for (guint i = 0; i < self->n; i++)
    sum_up (&self->processes[i], sums, &n);
  return n;
}

/* The parts of the processes in a file are all of it. */
static void
assert_parts (const FpMappedFiles *files,
              const FpMappedFile *file)
{
  guint64 sums[FP_N_HOLDER_FIGURES] = { 0 };

  for (guint i = 0; i < file->n_holders; i++)
    {
      FpMemory memory;

      fp_mapped_holder_get_memory (&fp_mapped_files_get_holders (files, file)[i], file, &memory);
      for (guint j = 0; j < FP_N_HOLDER_FIGURES; j++)
        sums[j] += fp_memory_get (&memory, fp_holder_fields[j]);
    }
  for (guint j = 0; j < FP_N_HOLDER_FIGURES; j++)
    g_assert_cmpuint (sums[j], ==, mapped_get (file, fp_holder_fields[j]));
}

/* No mapping is left out or counted twice, whatever there is. Libraries are shared with the whole machine, so it is read
 * until nothing has changed from before to after. */
static void
test_sums (MappedFixture *self,
           gconstpointer data)
{
  g_autofree char *path = mapped_in_folder ("data");
  const MappedTask task = { .path = path, .protection = PROT_READ | PROT_WRITE, .flags = MAP_PRIVATE, .n_written = 3 };
  guint64 before[FP_N_FIELDS], after[FP_N_FIELDS], found[FP_N_FIELDS] = { 0 };
  guint n_before, n_found = 0;
  g_autoptr (FpMappedFiles) files = NULL;

  mapped_make_file (path);
  for (guint i = 0; i < 3; i++)
    mapped_add_task (self, &task);
  do
    {
      g_clear_pointer (&files, fp_mapped_files_unref);
      n_before = sum_up_all (self, before);
      files = mapped_read_all (self);
      sum_up_all (self, after);
    }
  while (memcmp (before, after, sizeof before) != 0);
  for (guint i = 0; i < files->files->len; i++)
    {
      FpMemory memory;

      fp_mapped_file_get_memory (fp_mapped_files_get (files, i), &memory);
      assert_parts (files, fp_mapped_files_get (files, i));
      n_found += fp_mapped_files_get (files, i)->n_mappings;
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        found[field] += fp_memory_get (&memory, field);
    }
  g_assert_cmpuint (n_found, ==, n_before);
  g_assert_cmpuint (found[FP_FIELD_RSS], >, 3 * MAPPED_SIZE);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      g_test_message ("%s", fp_field_infos[field].name);
      g_assert_cmpuint (found[field], ==, before[field]);
    }
}

/* A process with the address space of another one has its files, and adds nothing to their figures. */
static void
test_twins (MappedFixture *self,
            gconstpointer data)
{
  g_autofree char *path = mapped_in_folder ("data");
  const MappedTask task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_autoptr (FpMappedFiles) files = NULL, alone = NULL;

  mapped_make_file (path);
  mapped_add_task (self, &task);
  mapped_add_task (self, &task);
  self->processes[0].shares_with = self->live[1].pid;
  files = mapped_read_all (self);
  g_assert_cmpuint (mapped_find (files, path, 0)->n_processes, ==, 2);
  g_assert_cmpuint (mapped_find (files, path, 0)->n_mappings, ==, 1);
  g_assert_cmpuint (mapped_get (mapped_find (files, path, 0), FP_FIELD_RSS), ==, MAPPED_SIZE);
  self->processes[0].shares_with = getpid ();
  alone = mapped_read_all (self);
  g_assert_cmpuint (mapped_get (mapped_find (alone, path, 0), FP_FIELD_RSS), ==, 2 * MAPPED_SIZE);
}

static gboolean
stop_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  guint *n_left = data;

  g_assert_cmpuint (position, <=, whole);
  return (*n_left)-- > 0;
}

/* It stops between any two reads. */
static void
test_cancelled (MappedFixture *self,
                gconstpointer data)
{
  g_autofree char *path = mapped_in_folder ("data");
  const MappedTask task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  g_auto (FpProcDir) proc = { .fd = -1 };
  guint n_steps = 0;

  mapped_make_file (path);
  mapped_add_task (self, &task);
  mapped_add_task (self, &task);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  for (;;)
    {
      g_autoptr (GError) error = NULL;
      guint n_left = n_steps;
      g_autoptr (FpMappedFiles) files = fp_mapped_files_read (&proc, self->processes, self->n, stop_cb, NULL, &n_left, &error);

      if (files)
        break;
      g_assert_nonnull (error);
      n_steps++;
    }
  g_assert_cmpuint (n_steps, >, self->n * 3);
}

/* One that may not be read counts as such, and one that has ended does not count at all. */
static void
test_unread (MappedFixture *self,
             gconstpointer data)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpMappedFiles) files = NULL;
  g_autofree char *path = mapped_in_folder ("data");
  const MappedTask task = { .path = path, .protection = PROT_READ, .flags = MAP_SHARED };
  FpMappedProcess processes[3] = { { { 1, 0 }, 0, 0 } };
  FpStat stat;
  pid_t pid;
  int status;

  mapped_make_file (path);
  mapped_add_task (self, &task);
  mapped_add_task (self, &task);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, 1));
  processes[0].id.start_ticks = stat.start_ticks;
  processes[1] = self->processes[0];
  processes[2] = self->processes[1];
  kill (self->live[1].pid, SIGKILL);
  live_wait_for_state (self->live[1].pid, "Z");
  if (geteuid () != 0)
    {
      files = fp_mapped_files_read (&proc, processes, 3, NULL, NULL, NULL, NULL);
      g_assert_cmpuint (files->n_read, ==, 1);
      g_assert_cmpuint (files->n_unread, ==, 1);
      g_assert_cmpint (files->processes[files->unread[0].process].id.pid, ==, 1);
      g_assert_true (files->unread[0].is_refused);
      return;
    }
  pid = fork ();
  if (pid == 0)
    {
      live_become_nobody ();
      files = fp_mapped_files_read (&proc, processes, 3, NULL, NULL, NULL, NULL);
      _exit (files->n_read == 0 && files->n_unread == 2 && files->unread[1].process == 1 && files->unread[1].is_refused ? 0 : 1);
    }
  waitpid (pid, &status, 0);
  g_assert_cmpint (status, ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  page_size = (guint64)sysconf (_SC_PAGESIZE);
#define ADD(name, func) g_test_add ("/live/mapped/" name, MappedFixture, NULL, mapped_set_up, func, mapped_tear_down)
  ADD ("memfd", test_memfd);
  ADD ("system-v", test_system_v);
  ADD ("written", test_written);
  ADD ("sums", test_sums);
  ADD ("twins", test_twins);
  ADD ("cancelled", test_cancelled);
  ADD ("unread", test_unread);
  return g_test_run ();
}
