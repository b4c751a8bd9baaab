// SPDX-License-Identifier: GPL-3.0-or-later
/* A change to the system is written to a state file first, then made; whoever undoes it reads the file from
 * its end: this process, else its guardian after its death, else “cleanup”. */
#include "workload.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/swap.h>
#include <sys/wait.h>
#include <unistd.h>

#define PREFIX    "footprint-workload-"
#define BOOT_ID   "/proc/sys/kernel/random/boot_id"
#define ZRAM_FILE "/dev/zram0"
#define MAX_LINES 64

static char folder[PATH_MAX - 64];
static pid_t guardian;
static int state_fd = -1;

bool
read_value (const char *path,
            char *value,
            size_t size)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t length;
  char *chosen;

  if (fd < 0)
    return false;
  length = read (fd, value, size - 1);
  close (fd);
  if (length < 0)
    return false;
  value[length] = '\0';
  value[strcspn (value, "\n")] = '\0';
  chosen = strchr (value, '[');
  if (chosen && strchr (chosen, ']'))
    {
      *strchr (chosen, ']') = '\0';
      memmove (value, chosen + 1, strlen (chosen));
    }
  return true;
}

bool
write_value (const char *path,
             const char *value)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  bool is_written;

  if (fd < 0)
    return false;
  is_written = write (fd, value, strlen (value)) == (ssize_t)strlen (value);
  close (fd);
  return is_written;
}

static bool
is_our_zram (bool if_unformatted)
{
  char header[PAGE];
  int fd = open (ZRAM_FILE, O_RDONLY | O_CLOEXEC);
  ssize_t length;

  if (fd < 0)
    return false;
  length = read (fd, header, sizeof header);
  close (fd);
  if (length != (ssize_t)sizeof header)
    return false;
  if (memcmp (header + SWAP_SIGNATURE_OFFSET, SWAP_SIGNATURE, strlen (SWAP_SIGNATURE)) != 0)
    return if_unformatted;
  return memcmp (header + SWAP_LABEL_OFFSET, SWAP_LABEL, sizeof SWAP_LABEL) == 0;
}

static bool
swap_off (const char *path)
{
  if (swapoff (path) == 0 || errno == EINVAL || errno == ENOENT || errno == EPERM)
    return true;
  fprintf (stderr, "footprint-workload: swapoff %s: %s\n", path, strerror (errno));
  return false;
}

static bool
undo_zram (bool if_unformatted)
{
  char state[32];

  if (!read_value ("/sys/block/zram0/initstate", state, sizeof state) || strcmp (state, "0") == 0 ||
      !is_our_zram (if_unformatted))
    return true;
  return swap_off (ZRAM_FILE) && write_value ("/sys/block/zram0/reset", "1");
}

static bool
undo_line (char *line)
{
  char *path = strchr (line, '\t'), *value = path ? strchr (path + 1, '\t') : NULL;

  if (strcmp (line, "zram") == 0)
    return undo_zram (true);
  if (!value)
    return true;
  *value = '\0';
  if (write_value (path + 1, value + 1))
    return true;
  fprintf (stderr, "footprint-workload: %s: %s\n", path + 1, strerror (errno));
  return false;
}

static bool
undo_state (int fd)
{
  char text[16384], boot_id[64] = "", *lines[MAX_LINES], *rest = text, *line;
  ssize_t length = pread (fd, text, sizeof text - 1, 0);
  bool is_undone = true;
  size_t n = 0;

  text[length > 0 ? length : 0] = '\0';
  while (n < MAX_LINES && (line = strsep (&rest, "\n")))
    lines[n++] = line;
  read_value (BOOT_ID, boot_id, sizeof boot_id);
  /* Since a restart, nothing of it is true any more. */
  if (strcmp (lines[0], boot_id) != 0)
    return true;
  while (n-- > 1)
    is_undone = undo_line (lines[n]) && is_undone;
  return is_undone;
}

static bool
remove_folder (const char *path)
{
  DIR *dir = opendir (path);
  struct dirent *entry;

  while (dir && (entry = readdir (dir)))
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      unlinkat (dirfd (dir), entry->d_name, 0);
  if (dir)
    closedir (dir);
  if (rmdir (path) == 0 || errno == ENOENT)
    return true;
  fprintf (stderr, "footprint-workload: %s: %s\n", path, strerror (errno));
  return false;
}

static bool
undo_folder (const char *path,
             int fd)
{
  char swap[PATH_MAX];

  snprintf (swap, sizeof swap, "%s/swap", path);
  return swap_off (swap) && (fd < 0 || undo_state (fd)) && remove_folder (path);
}

static void
guard (int lifeline)
{
  char nothing;
  int null = open ("/dev/null", O_RDWR);

  setsid ();
  signal (SIGINT, SIG_IGN);
  signal (SIGTERM, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
  prctl (PR_SET_NAME, "workload-undo");
  dup2 (null, STDIN_FILENO);
  dup2 (null, STDOUT_FILENO);
  while (read (lifeline, &nothing, 1) < 0 && errno == EINTR)
    continue;
  _exit (undo_folder (folder, state_fd) ? 0 : 1);
}

/* Every process but the guardian holds the lifeline's other end, so that it starts after the last one's death. */
static void
start_guardian (void)
{
  int lifeline[2];

  if (pipe2 (lifeline, O_CLOEXEC) != 0 || (guardian = fork ()) < 0)
    fail ("guardian: %s", strerror (errno));
  if (guardian == 0)
    {
      close (lifeline[1]);
      guard (lifeline[0]);
    }
  close (lifeline[0]);
}

static const char *
get_base (void)
{
  const char *base = getenv ("WORKLOAD_DIR");

  return base && *base ? base : "/var/tmp";
}

static void
add_line (const char *line)
{
  if (write (state_fd, line, strlen (line)) != (ssize_t)strlen (line))
    fail ("%s/state: %s", folder, strerror (errno));
}

const char *
undo_get_folder (void)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  char path[PATH_MAX], boot_id[64] = "", line[80];

  if (state_fd >= 0)
    return folder;
  snprintf (folder, sizeof folder, "%s/" PREFIX "XXXXXX", get_base ());
  if (!mkdtemp (folder))
    {
      snprintf (path, sizeof path, "%s: %s", get_base (), strerror (errno));
      folder[0] = '\0';
      fail ("%s", path);
    }
  snprintf (path, sizeof path, "%s/state", folder);
  state_fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (state_fd < 0 || fcntl (state_fd, F_SETLK, &lock) != 0)
    fail ("%s: %s", path, strerror (errno));
  read_value (BOOT_ID, boot_id, sizeof boot_id);
  snprintf (line, sizeof line, "%s\n", boot_id);
  add_line (line);
  start_guardian ();
  return folder;
}

void
undo_path (char *path,
           const char *name)
{
  snprintf (path, PATH_MAX, "%s/%s", undo_get_folder (), name);
}

void
undo_add_write (const char *path,
                const char *value)
{
  char line[512];

  undo_get_folder ();
  snprintf (line, sizeof line, "write\t%s\t%s\n", path, value);
  add_line (line);
}

void
undo_add_zram (void)
{
  undo_get_folder ();
  add_line ("zram\n");
}

void
set_value (const char *path,
           const char *value)
{
  char old[256];

  if (!read_value (path, old, sizeof old) || access (path, W_OK) != 0)
    skip ("%s: %s", path, strerror (errno));
  undo_add_write (path, old);
  if (write_value (path, value))
    return;
  if (errno == EPERM || errno == EACCES)
    skip ("%s: %s", path, strerror (errno));
  fail ("“%s” to %s: %s", value, path, strerror (errno));
}

pid_t
undo_get_guardian (void)
{
  return guardian;
}

/* The guardian last, in case this is killed half-way. */
bool
undo_run (void)
{
  bool is_undone = folder[0] == '\0' || undo_folder (folder, state_fd);

  if (guardian > 0)
    {
      kill (guardian, SIGKILL);
      waitpid (guardian, NULL, 0);
    }
  return is_undone;
}

/* -1: its workload is alive. */
static int
clean_folder (const char *path)
{
  struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  char state[PATH_MAX];
  bool is_undone;
  int fd;

  snprintf (state, sizeof state, "%s/state", path);
  fd = open (state, O_RDWR | O_CLOEXEC);
  if (fd < 0 && errno != ENOENT)
    {
      fprintf (stderr, "footprint-workload: %s: %s\n", state, strerror (errno));
      return 1;
    }
  if (fd >= 0 && fcntl (fd, F_SETLK, &lock) != 0)
    {
      close (fd);
      printf ("alive %s\n", path);
      return -1;
    }
  is_undone = undo_folder (path, fd);
  if (fd >= 0)
    close (fd);
  if (is_undone)
    printf ("cleaned %s\n", path);
  return is_undone ? 0 : 1;
}

static void
unescape (char *path)
{
  char *out = path;

  for (const char *in = path; *in; in++)
    if (in[0] == '\\' && in[1] && in[2] && in[3])
      {
        *out++ = (char)((in[1] - '0') * 64 + (in[2] - '0') * 8 + in[3] - '0');
        in += 3;
      }
    else
      *out++ = *in;
  *out = '\0';
}

/* Swap files in folders that no longer are where $WORKLOAD_DIR says. */
static void
add_folders_of_swaps (glob_t *found)
{
  FILE *file = fopen ("/proc/swaps", "re");
  char line[2 * PATH_MAX], *end;

  while (file && fgets (line, sizeof line, file))
    {
      line[strcspn (line, " \t\n")] = '\0';
      unescape (line);
      end = strrchr (line, '/');
      if (!end || strcmp (end, "/swap") != 0 || !strstr (line, "/" PREFIX))
        continue;
      *end = '\0';
      glob (line, GLOB_APPEND, NULL, found);
    }
  if (file)
    fclose (file);
}

int
cleanup (void)
{
  char pattern[PATH_MAX];
  glob_t found = { 0 };
  int status = 0;
  bool is_any_alive = false;

  snprintf (pattern, sizeof pattern, "%s/" PREFIX "*", get_base ());
  glob (pattern, 0, NULL, &found);
  add_folders_of_swaps (&found);
  for (size_t i = 0; i < found.gl_pathc; i++)
    {
      int result = access (found.gl_pathv[i], F_OK) == 0 ? clean_folder (found.gl_pathv[i]) : 0;

      is_any_alive |= result < 0;
      status |= result > 0;
    }
  globfree (&found);
  if (!is_any_alive && !undo_zram (false))
    status = 1;
  return status;
}
