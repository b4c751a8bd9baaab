// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-file-state.h"

#define PROGRAM      "/bin/sleep"
#define PROGRAM_NODE 2

typedef union
{
  struct fuse_init_out init;
  struct fuse_entry_out entry;
  struct fuse_attr_out attr;
  struct fuse_open_out open;
  char data[1 << 17];
} Answer;

static struct fuse_attr
make_attributes (guint64 node,
                 guint64 size)
{
  gboolean is_program = node == PROGRAM_NODE;

  return (struct fuse_attr){
    .ino = node,
    .size = is_program ? size : 0,
    .mode = is_program ? S_IFREG | 0755 : S_IFDIR | 0755,
    .nlink = 1,
  };
}

/* Returns the size of the answer, or a negative errno. */
static gssize
serve (const struct fuse_in_header *call,
       int program,
       Answer *answer)
{
  struct stat st;

  memset (answer, 0, sizeof *answer);
  fstat (program, &st);
  switch (call->opcode)
    {
    case FUSE_INIT:
      answer->init = (struct fuse_init_out){ .major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096 };
      return sizeof answer->init;
    case FUSE_LOOKUP:
      answer->entry.nodeid = PROGRAM_NODE;
      answer->entry.attr = make_attributes (PROGRAM_NODE, (guint64)st.st_size);
      return sizeof answer->entry;
    case FUSE_GETATTR:
      answer->attr.attr = make_attributes (call->nodeid, (guint64)st.st_size);
      return sizeof answer->attr;
    case FUSE_OPEN:
      return sizeof answer->open;
    case FUSE_READ:
      {
        const struct fuse_read_in *in = (const void *)(call + 1);

        return pread (program, answer->data, MIN (in->size, sizeof answer->data), (off_t)in->offset);
      }
    case FUSE_FLUSH:
    case FUSE_RELEASE:
      return 0;
    default:
      return -ENOSYS;
    }
}

/* A file system with the program in it, until it is stopped. */
static void
serve_files (int device)
{
  static char call[1 << 17] __attribute__ ((aligned (8)));
  static struct
  {
    struct fuse_out_header header;
    Answer answer;
  } reply;
  int program = open (PROGRAM, O_RDONLY);

  while (read (device, call, sizeof call) > 0)
    {
      const struct fuse_in_header *header = (const void *)call;
      gssize size;

      if (header->opcode == FUSE_FORGET || header->opcode == FUSE_BATCH_FORGET || header->opcode == FUSE_INTERRUPT)
        continue;
      size = serve (header, program, &reply.answer);
      reply.header.unique = header->unique;
      reply.header.error = size < 0 ? (gint32)size : 0;
      reply.header.len = (guint32)(sizeof reply.header + (gsize)MAX (size, 0));
      if (write (device, &reply, reply.header.len) < 0)
        break;
    }
  _exit (0);
}

static gboolean
mount_files (const char *folder,
             int *device)
{
  g_autofree char *options = NULL;

  if ((*device = open ("/dev/fuse", O_RDWR | O_CLOEXEC)) < 0 || unshare (CLONE_NEWNS) != 0 ||
      mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
    return FALSE;
  options = g_strdup_printf ("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", *device);
  return mount ("test", folder, "fuse", 0, options) == 0;
}

/* The server of a program’s files is stopped, so that a call that asks it never returns. */
static void
test_no_answer (void)
{
  g_autofree char *folder = g_dir_make_tmp ("footprint-files-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "program", NULL);
  g_autofree char *process = NULL;
  pid_t server, sleeper;
  int device, dir;

  if (!mount_files (folder, &device))
    {
      g_test_skip ("no file system can be served here");
      g_assert_cmpint (rmdir (folder), ==, 0);
      return;
    }
  if ((server = fork ()) == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      serve_files (device);
    }
  if ((sleeper = fork ()) == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      execl (path, "sleep", "1000", NULL);
      _exit (1);
    }
  process = g_strdup_printf ("/proc/%d", sleeper);
  dir = open (process, O_PATH | O_DIRECTORY | O_CLOEXEC);
  alarm (10);
  while (!fp_file_is_at (dir, "exe", path))
    g_usleep (10 * 1000);
  g_usleep (300 * 1000);
  g_assert_cmpint (kill (server, SIGSTOP), ==, 0);
  g_assert_false (fp_file_is_at (dir, "exe", PROGRAM));
  alarm (0);
  g_assert_cmpint (kill (server, SIGKILL), ==, 0);
  close (device);
  g_assert_cmpint (kill (sleeper, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (sleeper, NULL, 0), ==, sleeper);
  g_assert_cmpint (waitpid (server, NULL, 0), ==, server);
  close (dir);
  g_assert_cmpint (umount2 (folder, MNT_DETACH), ==, 0);
  g_assert_cmpint (rmdir (folder), ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/file-state/no-answer", test_no_answer);
  return g_test_run ();
}
