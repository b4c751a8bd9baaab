// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* landlocked [PROGRAM ARGUMENTS...]: runs it in a domain of Landlock, which is a security module of the kernel's: whatever
 * their capabilities, processes in it read the memory of no process outside. Without a program it says if that is possible. */
int
main (int argc,
      char *argv[])
{
  /* A right that nobody here misses: there is no domain without any. */
  const struct landlock_ruleset_attr ruleset = { .handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_CHAR };
  int fd = (int)syscall (SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0);

  if (fd < 0 || syscall (SYS_landlock_restrict_self, fd, 0) != 0)
    {
      fprintf (stderr, "Landlock: %s\n", strerror (errno));
      return 1;
    }
  if (argc < 2)
    return 0;
  execv (argv[1], argv + 1);
  perror (argv[1]);
  return 127;
}
