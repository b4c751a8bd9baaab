// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-layout.h"
#include "fp-mapped-reader.h"

#define ALIKE "alike"

static void
open_desktop (FpProcDir *proc)
{
  g_autofree char *root = fixture_get_original ("desktop");
  g_autofree char *path = g_build_filename (root, "proc", NULL);

  g_assert_true (fp_proc_dir_open (proc, path, NULL));
}

static void
test_read (void)
{
  static const char *const names[] = {
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/firefox/libxul.so",
    "[anon:firefox zygote]",
    "/memfd:mozilla-ipc (deleted)",
    "/memfd:wayland-shm (deleted)",
    "/usr/lib/firefox/firefox",
    "[heap]",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  guint64 rss = 0;
  FpProcDir proc;

  open_desktop (&proc);
  mappings = fp_mappings_read (&proc, &(FpProcessId){ 1200, 5000 }, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      g_assert_cmpstr (mapping.name, ==, names[i]);
      rss += fp_memory_get (&mapping.memory, FP_FIELD_RSS);
    }
  g_assert_cmpuint (rss, ==, (guint64)(1640 + 98304 + 18432 + 12288 + 16384 + 600 + 262144) * 1024);
  fp_proc_dir_close (&proc);
}

static void
test_refused (void)
{
  /* Another start time, nobody there, a zombie. */
  static const FpProcessId ids[] = { { 1200, 5001 }, { 99, 5000 }, { 1650, 8300 } };
  FpProcDir proc;

  open_desktop (&proc);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpMappings) mappings = fp_mappings_read (&proc, &ids[i], NULL, NULL, &error);

      g_assert_null (mappings);
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
    }
  fp_proc_dir_close (&proc);
}

static gboolean
stop_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  return FALSE;
}

static void
test_cancelled (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  FpProcDir proc;

  open_desktop (&proc);
  mappings = fp_mappings_read (&proc, &(FpProcessId){ 1200, 5000 }, stop_cb, NULL, &error);
  g_assert_null (mappings);
  g_assert_nonnull (error);
  fp_proc_dir_close (&proc);
}

typedef struct
{
  guint64 position;
  guint64 whole;
  guint n;
} Steps;

static gboolean
step_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  Steps *steps = data;

  g_assert_cmpuint (position, >=, steps->position);
  g_assert_cmpuint (position, <=, whole);
  *steps = (Steps){ position, whole, steps->n + 1 };
  return TRUE;
}

/* Memory that is known beforehand, gone through mapping by mapping, and no more of it than there is. */
static void
test_steps (void)
{
  static const struct
  {
    const char *statm;
    guint64 whole;
  } sizes[] = { { "30000 20000 0 0 0 0 0\n", 20000 }, { "30000 9 0 0 0 0 0\n", 9 }, { "", 0 } };
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) text = g_string_new (NULL);
  const guint64 page_size = (guint64)sysconf (_SC_PAGESIZE);
  FpProcDir proc;

  for (guint i = 1; i <= 1000; i++)
    g_string_append_printf (text, "%x000-%x000 rw-p 0 0:0 0 [heap]\nRss: %u kB\n", i, i + 1, i);
  fixture_copy (&fixture, "desktop");
  fixture_write (&fixture, "1500/smaps", text->str, -1);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (FpMappings) mappings = NULL;
      Steps steps = { 0 };

      fixture_write (&fixture, "1500/statm", sizes[i].statm, -1);
      mappings = fp_mappings_read (&proc, &(FpProcessId){ 1500, 7100 }, step_cb, &steps, NULL);
      g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 1000);
      g_assert_cmpuint (steps.whole, ==, sizes[i].whole * page_size);
      g_assert_cmpuint (steps.position, ==, steps.whole);
      g_assert_cmpuint (steps.n, >, 2);
    }
  fp_proc_dir_close (&proc);
}

/* A name of PATH_MAX newlines, each written as 4 characters, between others. */
static void
test_longest_name (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) text = g_string_new ("1000-2000 rw-p 0 0:0 0 [heap]\nRss: 8 kB\n2000-3000 r--p 0 fd:1 9 /");
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  FpMapping mapping;
  FpProcDir proc;

  for (guint i = 0; i < 4094; i++)
    g_string_append (text, "\\012");
  g_string_append (text, "\nRss: 16 kB\n3000-4000 rw-p 0 0:0 0 [stack]\nRss: 24 kB\n");
  fixture_copy (&fixture, "desktop");
  fixture_write (&fixture, "1500/smaps", text->str, -1);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  mappings = fp_mappings_read (&proc, &(FpProcessId){ 1500, 7100 }, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      fp_mappings_get (mappings, i, &mapping);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_RSS), ==, 8192 * (i + 1));
    }
  g_assert_cmpstr (mapping.name, ==, "[stack]");
  fp_proc_dir_close (&proc);
}

/* Its smaps is a pipe here: what is written first is of the old program, then it is another. */
typedef struct
{
  Fixture fixture;
  guint n_execs;
  guint n_done;
} Exec;

static gpointer
exec_while_read (gpointer data)
{
  static const char cut[] = "1000-2000 rw-p 0 0:0 0 [heap]\nRss: 8 kB\n";
  static const char whole[] = "1000-2000 rw-p 0 0:0 0 [heap]\nRss: 8 kB\n2000-3000 rw-p 0 0:0 0 [stack]\nRss: 8 kB\n";
  Exec *self = data;
  g_autofree char *path = g_build_filename (self->fixture.proc, "1500/smaps", NULL);

  for (; self->n_done < self->n_execs; self->n_done++)
    {
      int fd = open (path, O_WRONLY | O_CLOEXEC);
      g_autofree char *stat = g_strdup_printf ("1500 (exec-%u) S 1 1 1 0 -1 4 0 0 0 0 1 1 0 0 20 0 1 0 7100 4096 1\n",
                                               self->n_done);

      g_assert_cmpint (write (fd, cut, strlen (cut)), ==, strlen (cut));
      fixture_remove (&self->fixture, "1500/smaps");
      if (self->n_done + 1 < self->n_execs)
        g_assert_cmpint (mkfifo (path, 0644), ==, 0);
      else
        fixture_write (&self->fixture, "1500/smaps", whole, -1);
      fixture_write (&self->fixture, "1500/stat", stat, -1);
      close (fd);
    }
  return NULL;
}

/* files: (nullable): gets what is summed up, instead of mappings */
static FpMappings *
read_while_execs (guint n_execs,
                  FpMappedFiles **files,
                  GError **error)
{
  static const FpMappedProcess process = { { 1500, 7100 }, 0, 0 };
  g_auto (Fixture) fixture = { 0 };
  Exec exec = { .n_execs = n_execs };
  g_autofree char *path = NULL;
  FpMappings *mappings = NULL;
  GThread *thread;
  FpProcDir proc;

  fixture_copy (&fixture, "desktop");
  path = g_build_filename (fixture.proc, "1500/smaps", NULL);
  fixture_remove (&fixture, "1500/smaps");
  g_assert_cmpint (mkfifo (path, 0644), ==, 0);
  exec.fixture = fixture;
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  thread = g_thread_new ("exec", exec_while_read, &exec);
  if (files)
    *files = fp_mapped_files_read (&proc, &process, 1, NULL, NULL, NULL, error);
  else
    mappings = fp_mappings_read (&proc, &process.id, NULL, NULL, error);
  g_thread_join (thread);
  fp_proc_dir_close (&proc);
  return mappings;
}

/* The file of the old program just stops; what is shown is all of the new one. */
static void
test_exec (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = read_while_execs (2, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 2);
}

static void
test_exec_each_time (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = read_while_execs (3, NULL, &error);

  g_assert_null (mappings);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN);
  g_assert_cmpstr (error->message, ==, "Process 1500 changed each time its mappings were read");
}

/* Mappings of the old program were given away before it was known to be over, and count no more. */
static void
test_exec_summed (void)
{
  g_autoptr (FpMappedFiles) files = NULL, none = NULL;
  g_autoptr (GError) error = NULL;

  read_while_execs (2, &files, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->n_read, ==, 1);
  g_assert_cmpuint (files->files->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);
      FpMemory memory;

      fp_mapped_file_get_memory (file, &memory);
      g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_RSS), ==, 8192);
      g_assert_cmpuint (file->n_mappings, ==, 1);
      g_assert_cmpuint (file->n_processes, ==, 1);
    }
  read_while_execs (3, &none, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->n_read, ==, 0);
  g_assert_cmpuint (none->n_unread, ==, 1);
  g_assert_cmpuint (none->files->len, ==, 0);
  g_assert_cmpuint (none->n_holders, ==, 0);
}

/* The memory of a process whose main thread has exited is to be found with another. */
static void
test_main_thread_exited (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  FpProcDir proc;

  fixture_copy (&fixture, "desktop");
  fixture_write (&fixture, "1500/stat", "1500 (headless) Z 1 1 1 0 -1 4 0 0 0 0 1 1 0 0 20 0 2 0 7100 0 0\n", -1);
  fixture_write (&fixture, "1500/task/1500/smaps", "", 0);
  fixture_write (&fixture, "1500/task/1501/smaps", "1000-2000 rw-p 0 0:0 0 [heap]\nRss: 8 kB\n", -1);
  fixture_write (&fixture, "1500/smaps", "", 0);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  mappings = fp_mappings_read (&proc, &(FpProcessId){ 1500, 7100 }, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 1);
  fp_proc_dir_close (&proc);
}

/* Our own, as the kernel has it. */
static void
test_live (void)
{
  g_autofree char *text = NULL, *stat = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  gboolean has_stack = FALSE;
  FpProcessId id = { getpid (), 0 };
  FpProcDir proc;

  g_assert_true (g_file_get_contents ("/proc/self/stat", &stat, NULL, NULL));
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  sscanf (strrchr (stat, ')'), ") %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                               "%lu",
          &id.start_ticks);
  mappings = fp_mappings_read (&proc, &id, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fp_mappings_get_n (mappings), >, 10);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      has_stack |= strcmp (mapping.name, "[stack]") == 0;
    }
  g_assert_true (has_stack);
  fp_proc_dir_close (&proc);
}

/* However the text comes in pieces. A longer line has no label, though it may end like one. */
static void
test_layout (void)
{
  g_autofree char *name = g_strnfill (FP_LAYOUT_LINE, 'x');
  g_autofree char *text = g_strdup_printf ("800-900 rw-p 0 00:00 0\nAnonymous: 4 kB\n"
                                           "1000-2000 r--p 0 08:01 7 /%s [vdso]\nRss: 4 kB\n"
                                           "2000-3000 r--p 0 08:01 8 /library\nRss: 4 kB\n"
                                           "3000-4000 rw-p 0 00:00 0                  [heap]\nRss: 4 kB\n"
                                           "4000-5000 rw-p 0 00:00 0                  [heap]\nRss: 4 kB\n"
                                           "6000-7fff rw-p 0 00:00 0                  [stack]\nVmFlags: rd wr\n"
                                           "8000-9000 r-xp 0 00:00 0                  [vdso]\nRss: 4 kB\n",
                                           name);
  const FpLayout none = { 0 }, expected = {
    .stack_end = 0x7fff, .vdso = 0x8000, .heap = 0x3000, .program = 7, .device = G_GUINT64_CONSTANT (0x800000001)
  };
  FpLayout copy = expected;

  for (gsize i = 0; i <= strlen (text); i++)
    {
      FpLayout layout = { 0 };

      fp_layout_feed (&layout, text, i);
      fp_layout_feed (&layout, text + i, strlen (text) - i);
      g_assert_true (fp_layout_is_same (&layout, &expected));
    }
  copy.program = 8;
  g_assert_false (fp_layout_is_same (&copy, &expected));
  copy = expected;
  copy.device++;
  g_assert_false (fp_layout_is_same (&copy, &expected));
  g_assert_false (fp_layout_is_same (&none, &expected));
  g_assert_false (fp_layout_is_same (&none, &none));
}

/* This program, which executes itself at each order it gets, and tells numbers of its own, so that its stat never changes. */
typedef struct
{
  GPid pid;
  int orders;
  int answers;
  guint n_orders; /* still to be given when the reading is to be confirmed */
  guint n_readings;
} Alike;

/* Without the kernel's consent its stat changes, which is noticed, too. */
static void
look_alike (void)
{
  const guint64 end = (guint64)(gsize)sbrk (0);
  struct prctl_mm_map map = {
    .start_code = 0x400000,
    .end_code = 0x401000,
    .start_data = 0x410000,
    .end_data = 0x411000,
    .start_brk = end,
    .brk = end,
    .start_stack = 0x7ffd00000000,
    .arg_start = 0x7ffd00000100,
    .arg_end = 0x7ffd00000200,
    .env_start = 0x7ffd00000300,
    .env_end = 0x7ffd00000400,
    .exe_fd = (guint32)-1,
  };

  prctl (PR_SET_MM, PR_SET_MM_MAP, &map, sizeof map, 0);
}

static int
be_alike (void)
{
  char order;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  look_alike ();
  if (write (STDOUT_FILENO, "", 1) == 1 && read (STDIN_FILENO, &order, 1) == 1)
    execl ("/proc/self/exe", "alike", ALIKE, NULL);
  return 1;
}

static void
order (Alike *self)
{
  char answer;

  g_assert_cmpint (write (self->orders, "", 1), ==, 1);
  g_assert_cmpint (read (self->answers, &answer, 1), ==, 1);
}

static void
alike_start (Alike *self,
             guint n_orders)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  const char *const argv[] = { program, ALIKE, NULL };
  g_autoptr (GError) error = NULL;
  char answer;

  *self = (Alike){ .n_orders = n_orders };
  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->pid, &self->orders,
                            &self->answers, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (read (self->answers, &answer, 1), ==, 1);
  order (self);
}

static gboolean
count_readings (const char *text,
                gsize length,
                gpointer data)
{
  ((Alike *)data)->n_readings += text == NULL;
  return TRUE;
}

static gboolean
exec_and_confirm (gpointer data)
{
  Alike *self = data;

  if (self->n_orders > 0)
    {
      self->n_orders--;
      order (self);
    }
  return TRUE;
}

/* A program that is confirmed after the exec is not the one that was read. */
static void
test_exec_alike (void)
{
  g_autoptr (GError) error = NULL;
  FpProcDir proc;
  Alike alike;
  FpStat stat;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  for (guint n_orders = 0; n_orders <= 3; n_orders++)
    {
      gboolean is_whole;

      alike_start (&alike, n_orders);
      g_assert_true (fp_stat_read_any (&stat, &proc, alike.pid));
      is_whole = fp_mappings_copy (&proc, &(FpProcessId){ alike.pid, stat.start_ticks }, count_readings, exec_and_confirm, &alike,
                                   &error);
      g_assert_cmpuint (alike.n_readings, ==, MIN (1 + n_orders, 3));
      g_assert_cmpint (is_whole, ==, n_orders < 3);
      kill (alike.pid, SIGKILL);
      g_assert_cmpint (waitpid (alike.pid, NULL, 0), ==, alike.pid);
      close (alike.orders);
      close (alike.answers);
    }
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN);
  fp_proc_dir_close (&proc);
}

int
main (int argc,
      char **argv)
{
  if (argc == 2 && strcmp (argv[1], ALIKE) == 0)
    return be_alike ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/mapping-reader/read", test_read);
  g_test_add_func ("/proc/mapping-reader/refused", test_refused);
  g_test_add_func ("/proc/mapping-reader/cancelled", test_cancelled);
  g_test_add_func ("/proc/mapping-reader/steps", test_steps);
  g_test_add_func ("/proc/mapping-reader/longest-name", test_longest_name);
  g_test_add_func ("/proc/mapping-reader/exec", test_exec);
  g_test_add_func ("/proc/mapping-reader/exec-each-time", test_exec_each_time);
  g_test_add_func ("/proc/mapping-reader/exec-summed", test_exec_summed);
  g_test_add_func ("/proc/mapping-reader/layout", test_layout);
  g_test_add_func ("/proc/mapping-reader/exec-alike", test_exec_alike);
  g_test_add_func ("/proc/mapping-reader/main-thread-exited", test_main_thread_exited);
  g_test_add_func ("/proc/mapping-reader/live", test_live);
  return g_test_run ();
}
