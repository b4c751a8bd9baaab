// SPDX-License-Identifier: GPL-3.0-or-later
/* A tmpfs that is mounted in an overlay whose files come from a program, which stops answering. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/fuse.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-tmpfs-files.h"
#include "own-mounts.h"

#define FOLDER     "inside" /* the only one that the program has */
#define FOLDER_ID  2
#define BUFFER     (64 * 1024)
#define MINOR      31
#define MAX_WRITE  4096
#define PIECE_SIZE 4096
#define LONGEST    255

static void
answer (int fd,
        const struct fuse_in_header *request,
        int error,
        void *data,
        gsize size)
{
  struct fuse_out_header header = { .len = (guint32)(sizeof header + size), .error = -error, .unique = request->unique };
  const struct iovec parts[] = { { &header, sizeof header }, { data, size } };

  if (writev (fd, parts, 2) < 0)
    g_debug ("the kernel does not want it any more: %s", g_strerror (errno));
}

static struct fuse_attr
make_attributes (guint64 id)
{
  return (struct fuse_attr){ .ino = id, .mode = S_IFDIR | 0755, .nlink = 2, .blksize = PIECE_SIZE };
}

/* Nothing that it says holds any longer than it takes to say it, so that the kernel asks again. */
static void
serve_one (int fd,
           const struct fuse_in_header *request)
{
  struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION, .minor = MINOR, .max_write = MAX_WRITE };
  struct fuse_attr_out attributes = { .attr = make_attributes (request->nodeid) };
  struct fuse_entry_out entry = { .nodeid = FOLDER_ID, .generation = 1, .attr = make_attributes (FOLDER_ID) };
  struct fuse_statfs_out statfs = { .st = { .bsize = PIECE_SIZE, .frsize = PIECE_SIZE, .namelen = LONGEST } };
  struct fuse_open_out opened = { 0 };

  switch (request->opcode)
    {
    case FUSE_INIT:
      answer (fd, request, 0, &init, sizeof init);
      return;
    case FUSE_GETATTR:
      answer (fd, request, 0, &attributes, sizeof attributes);
      return;
    case FUSE_LOOKUP:
      if (strcmp ((const char *)(request + 1), FOLDER) == 0)
        answer (fd, request, 0, &entry, sizeof entry);
      else
        answer (fd, request, ENOENT, NULL, 0);
      return;
    case FUSE_STATFS:
      answer (fd, request, 0, &statfs, sizeof statfs);
      return;
    case FUSE_OPENDIR:
      answer (fd, request, 0, &opened, sizeof opened);
      return;
    case FUSE_READDIR:
    case FUSE_RELEASEDIR:
      answer (fd, request, 0, NULL, 0);
      return;
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
      return;
    default:
      answer (fd, request, ENOSYS, NULL, 0);
    }
}

static pid_t
start_server (int fd)
{
  pid_t pid = fork ();

  if (pid == 0)
    {
      g_autofree struct fuse_in_header *request = g_malloc0 (BUFFER + 1);

      prctl (PR_SET_PDEATHSIG, SIGKILL);
      while (read (fd, request, BUFFER) > 0)
        serve_one (fd, request);
      _exit (0);
    }
  return pid;
}

static void
stop_server (pid_t pid)
{
  int status;

  kill (pid, SIGSTOP);
  g_assert_cmpint (waitpid (pid, &status, WUNTRACED), ==, pid);
  g_assert_true (WIFSTOPPED (status));
}

static void
read_over_silence (void)
{
  g_autofree char *served = mounts_in_folder ("served"), *plain = mounts_in_folder ("plain");
  g_autofree char *place = mounts_in_folder ("overlay"), *inside = mounts_in_folder ("overlay/" FOLDER);
  g_autofree char *layers = g_strdup_printf ("lowerdir=%s:%s", served, plain), *options = NULL;
  int fd = open ("/dev/fuse", O_RDWR | O_CLOEXEC);
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpKept) kept = NULL;
  pid_t server;

  if (fd < 0)
    _exit (77);
  options = g_strdup_printf ("fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
  g_assert_true (g_mkdir (served, 0755) == 0 && g_mkdir (plain, 0755) == 0 && g_mkdir (place, 0755) == 0);
  if (mount ("footprint", served, "fuse", 0, options) != 0)
    _exit (77);
  server = start_server (fd);
  if (mount ("footprint", place, "overlay", MS_RDONLY, layers) != 0)
    _exit (77);
  g_assert_cmpint (mount ("footprint", inside, "tmpfs", 0, "size=4m"), ==, 0);
  stop_server (server);
  kept = mounts_read_kept ();
  g_assert_false (mounts_get_tmpfs (kept, inside)->has_used);
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_null (fp_tmpfs_list (&proc, mounts_get_tmpfs (kept, inside), 5, NULL, NULL, NULL));
}

static void
test_silence (void)
{
  mounts_run (read_over_silence);
}

int
main (int argc,
      char *argv[])
{
  int result;

  g_test_init (&argc, &argv, NULL);
  mounts_prepare ();
  g_test_add_func ("/overlay/silence", test_silence);
  result = g_test_run ();
  mounts_remove ();
  return result;
}
