// SPDX-License-Identifier: GPL-3.0-or-later
/* Processes that keep whoever reads them waiting. silent N UID [OPTION]: each of N processes writes to pages of a file on a
 * FUSE mount, and on each line of standard input the next one maps something else over it. The kernel then writes the pages
 * back with the lock of the process's memory in its hand, and waits for this server, which says "silent PID" and does not
 * answer, until a line is "answer". "skip REASON" says that this machine has no such mounts. The options:
 *   mappings=M  each has M mappings more, so that reading them takes long
 *   twins       each has a process that shares its memory, and execs meanwhile: the kernel holds what protects that exec
 *   apart       the same, and that one has a mount namespace with a tmpfs of its own
 *   subordinate each has another user ID, from SUBORDINATE + 1 on, in a namespace that UID has made */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_SILENT  16
#define N_PAGES     2
#define PAGE_SIZE   4096
#define FILE_SIZE   65536
#define FIRST_NODE  2
#define SUBORDINATE 300000

typedef struct
{
  pid_t pid;
  int order;
  uint64_t writes[N_PAGES]; /* requests that wait for their answers */
  int n_writes;
} Silent;

static Silent silent[MAX_SILENT];
static int device, n_silent, n_ordered;
static uid_t uid;
static gid_t gid;
static int answers, has_twins, are_apart, is_subordinate;
static size_t n_mappings;

static void
die (const char *what)
{
  fprintf (stderr, "silent: %s: %s\n", what, strerror (errno));
  exit (1);
}

static void
skip (const char *what)
{
  printf ("skip %s: %s\n", what, strerror (errno));
  exit (0);
}

static void
reply (uint64_t unique,
       int error,
       const void *data,
       size_t length)
{
  static char message[sizeof (struct fuse_out_header) + FILE_SIZE];
  struct fuse_out_header header = { .len = (uint32_t)(sizeof header + length), .error = error, .unique = unique };

  memcpy (message, &header, sizeof header);
  if (length > 0)
    memcpy (message + sizeof header, data, length);
  /* ENOENT: whoever asked was killed. */
  if (write (device, message, header.len) < 0 && errno != ENOENT)
    die ("write");
}

static void
answer_writes (Silent *self)
{
  struct fuse_write_out out = { .size = PAGE_SIZE };

  while (self->n_writes > 0)
    reply (self->writes[--self->n_writes], 0, &out, sizeof out);
}

static void
take_write (uint64_t node,
            uint64_t unique)
{
  Silent *self = &silent[node - FIRST_NODE];

  self->writes[self->n_writes++] = unique;
  if (answers)
    answer_writes (self);
  else if (self->n_writes == N_PAGES)
    printf ("silent %d\n", self->pid);
}

static struct fuse_attr
get_attributes (uint64_t node)
{
  struct fuse_attr attributes = { .ino = node, .mode = S_IFREG | 0644, .nlink = 1, .uid = uid, .blksize = 4096, .size = FILE_SIZE };

  if (node == FUSE_ROOT_ID)
    {
      attributes.mode = S_IFDIR | 0755;
      attributes.size = 0;
    }
  return attributes;
}

static void
begin (uint64_t unique,
       const struct fuse_init_in *in)
{
  struct fuse_init_out out = {
    .major = FUSE_KERNEL_VERSION,
    .minor = 31,
    .max_readahead = in->max_readahead,
    .flags = FUSE_BIG_WRITES,
    .max_write = PAGE_SIZE,
    .max_background = N_PAGES * MAX_SILENT,
    .congestion_threshold = N_PAGES * MAX_SILENT,
  };

  reply (unique, 0, &out, sizeof out);
}

static void
serve_request (void)
{
  static char request[1 << 20], zeros[FILE_SIZE];
  const struct fuse_in_header *header = (const void *)request;
  const void *argument = request + sizeof *header;
  struct fuse_entry_out entry = { .entry_valid = 1000, .attr_valid = 1000 };
  struct fuse_attr_out attributes = { .attr_valid = 1000 };
  struct fuse_open_out opened = { .fh = 1 };

  if (read (device, request, sizeof request) < 0)
    {
      if (errno == EINTR || errno == ENOENT || errno == EAGAIN)
        return;
      die ("read");
    }
  switch (header->opcode)
    {
    case FUSE_INIT:
      begin (header->unique, argument);
      break;
    case FUSE_LOOKUP:
      entry.nodeid = FIRST_NODE + (uint64_t)atoi (argument);
      entry.attr = get_attributes (entry.nodeid);
      reply (header->unique, 0, &entry, sizeof entry);
      break;
    case FUSE_GETATTR:
    case FUSE_SETATTR:
      attributes.attr = get_attributes (header->nodeid);
      reply (header->unique, 0, &attributes, sizeof attributes);
      break;
    case FUSE_OPEN:
    case FUSE_OPENDIR:
      reply (header->unique, 0, &opened, sizeof opened);
      break;
    case FUSE_READ:
      reply (header->unique, 0, zeros, ((const struct fuse_read_in *)argument)->size);
      break;
    case FUSE_WRITE:
      take_write (header->nodeid, header->unique);
      break;
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_INTERRUPT:
      break;
    case FUSE_FLUSH:
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
    case FUSE_ACCESS:
      reply (header->unique, 0, NULL, 0);
      break;
    default:
      reply (header->unique, -ENOSYS, NULL, 0);
    }
}

static char
read_state (pid_t pid)
{
  static char path[64], text[512];
  const char *end;
  int fd;

  snprintf (path, sizeof path, "/proc/%d/stat", pid);
  fd = open (path, O_RDONLY);
  memset (text, 0, sizeof text);
  if (fd < 0 || read (fd, text, sizeof text - 1) < 0)
    _exit (1);
  close (fd);
  end = strrchr (text, ')');
  return end && end[1] ? end[2] : '?';
}

/* Once the memory is locked it must touch no page for the first time, so it does all of it once before. */
static int
run_twin (void *data)
{
  const int *order = data;
  char *const argv[] = { (char *)"true", NULL };
  char c;

  if (are_apart && mount ("footprint-test", "/tmp", "tmpfs", 0, "size=1m") != 0)
    _exit (1);
  read_state (getppid ());
  if (write (order[1], "", 1) != 1 || read (order[0], &c, 1) != 1)
    _exit (1);
  while (read_state (getppid ()) != 'D')
    sched_yield ();
  execv ("/bin/true", argv);
  _exit (1);
}

/* Returns what starts it. */
static int
start_twin (void)
{
  static char stack[65536];
  static int order[2], ready[2], ends[2];
  char c;

  memset (stack, 1, sizeof stack);
  if (pipe (order) != 0 || pipe (ready) != 0)
    _exit (1);
  ends[0] = order[0];
  ends[1] = ready[1];
  if (clone (run_twin, stack + sizeof stack, CLONE_VM | (are_apart ? CLONE_NEWNS : 0) | SIGCHLD, ends) < 0 || read (ready[0], &c, 1) != 1)
    _exit (1);
  return order[1];
}

/* Each second page is another mapping. */
static void
add_mappings (void)
{
  char *memory = mmap (NULL, (n_mappings + 1) * PAGE_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  for (size_t i = 0; i < n_mappings; i += 2)
    if (memory == MAP_FAILED || mprotect (memory + i * PAGE_SIZE, PAGE_SIZE, PROT_READ) != 0)
      _exit (1);
}

static void
become (uid_t user,
        gid_t group)
{
  if (setresgid (group, group, group) != 0 || setresuid (user, user, user) != 0)
    _exit (1);
  prctl (PR_SET_DUMPABLE, 1);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* The parent says which user IDs there are. */
static void
become_subordinate (int index,
                    int order)
{
  char c;

  if (unshare (CLONE_NEWUSER) != 0 || write (order, "", 1) != 1 || read (order, &c, 1) != 1)
    _exit (1);
  become ((uid_t)index + 1, (gid_t)index + 1);
}

static void
fall_silent (const char *folder,
             int index,
             int order)
{
  char path[4096], c;
  char *memory, *fresh;
  int file, twin = -1;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  become (uid, gid);
  if (is_subordinate)
    become_subordinate (index, order);
  prctl (PR_SET_NAME, "silent-one");
  snprintf (path, sizeof path, "%s/%d", folder, index);
  file = open (path, O_RDWR);
  memory = mmap (NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file < 0 || memory == MAP_FAILED)
    _exit (1);
  for (int i = 0; i < N_PAGES; i++)
    memory[i * PAGE_SIZE] = 1;
  add_mappings ();
  if (has_twins)
    twin = start_twin ();
  if (write (order, "", 1) != 1 || read (order, &c, 1) != 1)
    _exit (1);
  /* A fault shows that its memory has changed, so that it is read soon. */
  fresh = mmap (NULL, PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED)
    _exit (1);
  *fresh = 1;
  if (has_twins && write (twin, "", 1) != 1)
    _exit (1);
  mmap (memory, FILE_SIZE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  for (;;)
    pause ();
}

static void
write_file (const char *path,
            const char *text)
{
  int fd = open (path, O_WRONLY);

  if (fd < 0 || write (fd, text, strlen (text)) < 0)
    skip (path);
  close (fd);
}

/* In namespaces of its own, so that nobody else sees the mount. */
static void
mount_files (const char *folder)
{
  uid_t outer_uid = geteuid ();
  gid_t outer_gid = getegid ();
  char text[200];

  device = open ("/dev/fuse", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (device < 0)
    skip ("/dev/fuse");
  if (unshare (outer_uid == 0 ? CLONE_NEWNS : CLONE_NEWUSER | CLONE_NEWNS) != 0)
    skip ("unshare");
  if (outer_uid != 0)
    {
      write_file ("/proc/self/setgroups", "deny");
      snprintf (text, sizeof text, "%u %u 1", outer_uid, outer_uid);
      write_file ("/proc/self/uid_map", text);
      snprintf (text, sizeof text, "%u %u 1", outer_gid, outer_gid);
      write_file ("/proc/self/gid_map", text);
    }
  if (mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
    skip ("mount");
  snprintf (text, sizeof text, "fd=%d,rootmode=40000,user_id=%u,group_id=%u%s", device, uid, gid,
            is_subordinate ? ",allow_other" : "");
  if (mount ("footprint-test", folder, "fuse", MS_NOSUID | MS_NODEV, text) != 0)
    skip ("mount of fuse");
}

static void
give_ids (int index)
{
  static const char *const names[] = { "uid_map", "gid_map" };
  char path[64], text[64], c;

  snprintf (text, sizeof text, "0 %d 65536", SUBORDINATE);
  if (read (silent[index].order, &c, 1) != 1)
    die ("namespace");
  for (int i = 0; i < 2; i++)
    {
      snprintf (path, sizeof path, "/proc/%d/%s", silent[index].pid, names[i]);
      write_file (path, text);
    }
  if (write (silent[index].order, "", 1) != 1)
    die ("namespace");
}

static void
start (const char *folder,
       int index)
{
  int order[2];

  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, order) != 0)
    die ("socketpair");
  silent[index].order = order[0];
  silent[index].pid = fork ();
  if (silent[index].pid < 0)
    die ("fork");
  if (silent[index].pid == 0)
    {
      close (device);
      fall_silent (folder, index, order[1]);
    }
  close (order[1]);
  if (is_subordinate)
    give_ids (index);
}

/* FALSE: the input has ended */
static int
take_order (void)
{
  char line[64] = "";

  if (!fgets (line, sizeof line, stdin))
    return 0;
  if (strcmp (line, "answer\n") == 0)
    {
      answers = 1;
      for (int i = 0; i < n_silent; i++)
        answer_writes (&silent[i]);
      printf ("answered\n");
    }
  else if (n_ordered < n_silent && write (silent[n_ordered++].order, "", 1) != 1)
    die ("order");
  return 1;
}

static void
await_ready (struct pollfd *waits)
{
  for (int n_ready = 0; n_ready < n_silent;)
    {
      char c;

      if (poll (waits, (nfds_t)n_silent + 2, -1) < 0)
        die ("poll");
      if (waits[1].revents)
        serve_request ();
      for (int i = 0; i < n_silent; i++)
        if (waits[2 + i].revents)
          {
            if (read (silent[i].order, &c, 1) != 1)
              {
                fprintf (stderr, "silent: a process has failed\n");
                exit (1);
              }
            waits[2 + i].fd = -1;
            n_ready++;
          }
    }
  for (int i = 0; i < n_silent; i++)
    printf ("pid %d\n", silent[i].pid);
  printf ("ready\n");
}

static void
take_option (const char *option)
{
  are_apart = strcmp (option, "apart") == 0;
  has_twins = are_apart || strcmp (option, "twins") == 0;
  is_subordinate = strcmp (option, "subordinate") == 0;
  sscanf (option, "mappings=%zu", &n_mappings);
}

int
main (int argc,
      char *argv[])
{
  char folder[] = "/tmp/footprint-silent-XXXXXX";
  struct pollfd waits[2 + MAX_SILENT] = { { .fd = -1 } };
  const struct passwd *user;

  if (argc < 3 || (n_silent = atoi (argv[1])) < 1 || n_silent > MAX_SILENT || !mkdtemp (folder))
    return 2;
  setvbuf (stdout, NULL, _IOLBF, 0);
  setvbuf (stdin, NULL, _IONBF, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  uid = (uid_t)atoi (argv[2]);
  user = getpwuid (uid);
  gid = user ? user->pw_gid : uid;
  take_option (argc > 3 ? argv[3] : "");
  mount_files (folder);
  waits[1] = (struct pollfd){ .fd = device, .events = POLLIN };
  for (int i = 0; i < n_silent; i++)
    {
      start (folder, i);
      waits[2 + i] = (struct pollfd){ .fd = silent[i].order, .events = POLLIN };
    }
  await_ready (waits);
  waits[0] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
  for (;;)
    {
      if (poll (waits, 2, -1) < 0)
        die ("poll");
      if (waits[1].revents)
        serve_request ();
      if (waits[0].revents && !take_order ())
        break;
    }
  /* Without its server the mount fails everybody who waits for it. */
  umount2 (folder, MNT_DETACH);
  rmdir (folder);
  close (device);
  for (int i = 0; i < n_silent; i++)
    {
      kill (silent[i].pid, SIGKILL);
      waitpid (silent[i].pid, NULL, 0);
    }
  return 0;
}
