// SPDX-License-Identifier: GPL-3.0-or-later
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "population.h"

#define MIN_LIBRARY_SIZE (400 * 1024)
#define MAX_LIBRARY_SIZE (16 * 1024 * 1024)
#define MAX_LIBRARIES    80
#define MAX_ARGUMENTS    16

static const char *const library_dirs[] = {
  "/usr/lib/x86_64-linux-gnu",
  "/usr/lib/aarch64-linux-gnu",
  "/usr/lib64",
  "/usr/lib",
};

static const char *const program_names[] = {
  "browser",
  "compositor",
  "mail indexer",
  "editor",
  "db(main)",
  "music",
  "chat",
  "office",
  "terminal",
  "backup",
  "photo-tool",
  "web server",
  "container",
  "game",
  "updater",
  "build",
};

static const char *const filler_arguments[] = {
  "--user-data-dir=/home/user/.config/Acme Suite [stable]/Profile 1 (work)",
  "--enable-features=SharedBuffers,ZeroCopy,LazyStartup,MemoryPressureSignals",
  "--disable-features=BackgroundFetch,LegacyPlugins,TranslateMenu",
  "--lang=de-DE",
  "--num-raster-threads=2",
  "--renderer-client-id=17",
  "--launch-time-ticks=182736455",
  "--shared-files=v8_context_snapshot:100,data.pak:101,icudtl.dat:102",
  "--field-trial-handle=0,i,7381029384756574839,2938475610293847561,262144",
  "--log-level=warning",
  "--socket=/run/user/1000/acme suite/bus [0]",
  "--crash-handler-database=/var/lib/acme/crashes",
};

#define N_LENGTH(array) (sizeof (array) / sizeof (array)[0])

static int
is_library (const struct dirent *entry)
{
  return strstr (entry->d_name, ".so") != NULL;
}

static int
write_libraries (int fd,
                 const char *dir)
{
  struct dirent **entries;
  int n_entries = scandir (dir, &entries, is_library, alphasort);
  int n_written = 0;

  for (int i = 0; i < n_entries; i++)
    {
      char path[512];
      struct stat info;

      snprintf (path, sizeof path, "%s/%s", dir, entries[i]->d_name);
      if (n_written < MAX_LIBRARIES && lstat (path, &info) == 0 && S_ISREG (info.st_mode) &&
          info.st_size >= MIN_LIBRARY_SIZE && info.st_size <= MAX_LIBRARY_SIZE && dprintf (fd, "%s\n", path) > 0)
        n_written++;
      free (entries[i]);
    }
  if (n_entries >= 0)
    free (entries);
  return n_written;
}

int
population_list_libraries (void)
{
  int fd = memfd_create ("libraries", MFD_CLOEXEC);

  for (size_t i = 0; i < N_LENGTH (library_dirs); i++)
    if (write_libraries (fd, library_dirs[i]) >= 8)
      return fd;
  fprintf (stderr, "bench-population: too few libraries of %d KiB and more\n", MIN_LIBRARY_SIZE / 1024);
  exit (1);
}

static void
format_program (const PopulationRole *role,
                char *program,
                size_t size)
{
  const char *name = program_names[(size_t)role->group % N_LENGTH (program_names)];

  switch (role->kind)
    {
    case POPULATION_POOL:
      snprintf (program, size, "/usr/lib/postgresql/15/bin/postgres");
      break;
    case POPULATION_TRIO:
      snprintf (program, size, "/usr/bin/trio-%d", role->index);
      break;
    case POPULATION_ORPHAN:
      snprintf (program, size, "/usr/bin/orphan");
      break;
    case POPULATION_GIANT:
      snprintf (program, size, "/opt/analysis/bin/giant");
      break;
    case POPULATION_ZYGOTE:
    case POPULATION_MEMBER:
    case POPULATION_WORKER:
    case POPULATION_PARTNER:
    case POPULATION_N_KINDS:
    default:
      snprintf (program, size, "/opt/Acme Suite [stable]/%s-%d", name, role->group);
    }
}

static void
keep_open (int fd)
{
  fcntl (fd, F_SETFD, 0);
}

static void __attribute__ ((noreturn))
exec_role (const PopulationRole *role)
{
  char program[128], text[128];
  char *arguments[MAX_ARGUMENTS] = { program };
  size_t n_arguments = 1;
  int null_fd = open ("/dev/null", O_RDWR | O_CLOEXEC);

  format_program (role, program, sizeof program);
  if (role->kind == POPULATION_ZYGOTE)
    {
      size_t n_fillers = 1 + (size_t)role->group * 5 % N_LENGTH (filler_arguments);

      arguments[n_arguments++] = (char *)"--type=zygote-00000";
      for (size_t i = 0; i < n_fillers; i++)
        arguments[n_arguments++] = (char *)filler_arguments[i];
    }

  snprintf (text, sizeof text, "%u %d %d %d %d %d %d %d %d", role->kind, role->group, role->index, role->count,
            role->anonymous_percent, role->life_fd, role->report_fd, role->libraries_fd, role->parent);
  setenv (POPULATION_ROLE_VARIABLE, text, 1);
  dup2 (null_fd, STDIN_FILENO);
  dup2 (null_fd, STDOUT_FILENO);
  keep_open (role->life_fd);
  keep_open (role->report_fd);
  keep_open (role->libraries_fd);
  execv ("/proc/self/exe", arguments);
  population_role_fail (role, "exec");
}

void
population_spawn (const PopulationRole *role,
                  int is_orphan)
{
  PopulationRole child = *role;
  pid_t pid = fork ();

  if (pid < 0)
    population_role_fail (role, "fork");
  if (pid > 0)
    {
      if (is_orphan)
        waitpid (pid, NULL, 0);
      return;
    }
  if (is_orphan && fork () != 0)
    _exit (0);
  child.parent = is_orphan ? 0 : getppid ();
  exec_role (&child);
}
