// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <unistd.h>

#define N_LONG      300
#define LONG_LENGTH 1000

#define TITLE "footprint: a title that is longer than the arguments and goes on in the environment"

/* The kernel takes a title that goes on in the environment to end at the first NUL; without one it shows the
 * environment itself. */
static void
rename_self (const char *kind,
             int argc,
             char *argv[])
{
  char *last = argv[argc - 1];
  size_t size = (size_t)(last + strlen (last) + 1 - argv[0]);

  if (strcmp (kind, "cleared") == 0)
    memset (argv[0], 0, size);
  else if (strcmp (kind, "title") == 0)
    memcpy (argv[0], TITLE, sizeof TITLE);
  else if (strcmp (kind, "title-leak") == 0)
    memset (argv[0], 'x', size);
}

int
hold_with_name (int argc,
                char *argv[])
{
  if (argc < 3)
    return 1;
  rename_self (argv[2], argc, argv);
  if (write (READY_FD, "r", 1) != 1)
    return 1;
  close (READY_FD);
  hold ();
}

static void
start_holder (const char *kind,
              const char *path)
{
  char *argv[] = { (char *)"w", (char *)"hold", (char *)kind, NULL };
  char *envp[] = { (char *)"SECRET=environment",
                   (char *)"PADDING=....................................................................", NULL };

  start_program (kind, path, argv, envp);
}

static void
copy_self (const char *path)
{
  int in = open (get_own_path (), O_RDONLY | O_CLOEXEC),
      out = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
  ssize_t n;

  if (in < 0 || out < 0)
    fail ("%s: %s", path, strerror (errno));
  while ((n = sendfile (out, in, NULL, MIB)) > 0)
    continue;
  if (n < 0)
    fail ("%s: %s", path, strerror (errno));
  close (in);
  close (out);
}

static void
start_without_program (void)
{
  char path[PATH_MAX];

  undo_path (path, "deleted-program");
  copy_self (path);
  start_holder ("deleted", path);
  unlink (path);
}

static void
start_with_newer_program (void)
{
  char path[PATH_MAX], newer[PATH_MAX];

  undo_path (path, "updated-program");
  undo_path (newer, "newer");
  copy_self (path);
  start_holder ("updated", path);
  copy_self (newer);
  if (rename (newer, path) != 0)
    fail ("%s: %s", path, strerror (errno));
}

static void
start_script (const char *role,
              const char *interpreter,
              const char *text)
{
  char path[PATH_MAX];
  char *argv[] = { path, (char *)"argument", NULL }, *envp[] = { NULL };
  int fd;

  if (access (interpreter, X_OK) != 0)
    return;
  undo_path (path, role);
  fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
  if (fd < 0 || dprintf (fd, "#!%s\n%s\n", interpreter, text) < 0)
    fail ("%s: %s", path, strerror (errno));
  close (fd);
  start_program (role, path, argv, envp);
}

static void
start_with_long_command (void)
{
  char argument[LONG_LENGTH];
  char *argv[N_LONG + 4] = { (char *)"w", (char *)"hold", (char *)"long" }, *envp[] = { NULL };

  memset (argument, 'a', sizeof argument - 1);
  argument[sizeof argument - 1] = '\0';
  for (int i = 0; i < N_LONG; i++)
    argv[3 + i] = argument;
  start_program ("long", get_own_path (), argv, envp);
}

static void
take_name (const void *data)
{
  prctl (PR_SET_NAME, data);
}

void
mode_names (const long *arguments __attribute__ ((unused)))
{
  undo_get_folder ();
  start_child ("comm", take_name, "a) R 1 (b\n\\c \xff");
  start_holder ("cleared", get_own_path ());
  start_holder ("title", get_own_path ());
  start_holder ("title-leak", get_own_path ());
  start_without_program ();
  start_with_newer_program ();
  start_script ("script-sh", "/bin/sh", "printf r >&3; exec 3>&-; read line");
  start_script ("script-perl", "/usr/bin/perl", "open F, '>&=3'; syswrite F, 'r'; close F; <STDIN>;");
  start_with_long_command ();
}

/* 1 MiB times its place in the list; written back, so that its pages are clean. */
static void
map_file (const char *path,
          size_t size)
{
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  void *memory;

  if (fd < 0 || ftruncate (fd, (off_t)size) != 0)
    fail ("%s: %s", path, strerror (errno));
  memory = map_shared (fd, size);
  fill_unique (memory, size);
  if (msync (memory, size, MS_SYNC) != 0 || fsync (fd) != 0)
    fail ("%s: %s", path, strerror (errno));
  close (fd);
}

/* In maps, the first two look alike and so do the last two. */
void
mode_deleted_map (const long *arguments __attribute__ ((unused)))
{
  static const char *const names[] = { "line\nbreak", "line\\012break", "gone (deleted)", "gone" };
  char path[PATH_MAX];

  for (size_t i = 0; i < 4; i++)
    {
      undo_path (path, names[i]);
      map_file (path, (i + 1) * MIB);
    }
  unlink (path);
}
