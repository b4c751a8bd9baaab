// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "fp-elf-program.h"
#include "fp-program.h"

#define MAX_SCRIPTS 4   /* an interpreter may be a script itself; the kernel allows a few */
#define LINE_SIZE   256 /* of a script's first line; the kernel reads no more */

static const char *const shells[] = { "sh", "ash", "bash", "busybox", "csh", "dash", "fish", "ksh", "mksh", "tcsh", "zsh" };
static const char *const starters[] = { "chroot", "chrt", "dbus-launch", "dbus-run-session", "doas", "env", "gamemoderun", "ionice",
                                        "nice", "nohup", "pkexec", "prlimit", "runuser", "setarch", "setpriv", "setsid", "stdbuf",
                                        "su", "sudo", "systemd-run", "taskset", "time", "timeout", "unshare", "xargs" };
static const char *const sandboxes[] = { "bwrap", "docker", "firejail", "flatpak", "podman", "snap", "toolbox" };

static gboolean
is_one_of (const char *const *names,
           guint n,
           const char *name)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (names[i], name) == 0)
      return TRUE;
  return FALSE;
}

/* Programs are known by the names that they are called by: busybox and sudo are links on some systems. */
static FpProgramKind
find_by_name (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  if (is_one_of (shells, G_N_ELEMENTS (shells), name))
    return FP_PROGRAM_SHELL_SCRIPT;
  if (is_one_of (starters, G_N_ELEMENTS (starters), name))
    return FP_PROGRAM_STARTER;
  if (is_one_of (sandboxes, G_N_ELEMENTS (sandboxes), name) || strstr (path, "/flatpak/exports/bin/") ||
      g_str_has_prefix (path, "/snap/bin/"))
    return FP_PROGRAM_SANDBOXED;
  return FP_PROGRAM_RECORDABLE;
}

/* Free the path. */
static char *
find_file (const char *name,
           const char *folder,
           char **environment)
{
  const char *search = g_environ_getenv (environment, "PATH");
  g_auto (GStrv) folders = NULL;

  if (strchr (name, '/'))
    return g_canonicalize_filename (name, folder);
  folders = g_strsplit (search ? search : "/usr/local/bin:/usr/bin:/bin", ":", -1);
  for (guint i = 0; folders[i]; i++)
    {
      g_autofree char *found = g_build_filename (*folders[i] ? folders[i] : ".", name, NULL);
      g_autofree char *path = g_canonicalize_filename (found, folder);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&path);
    }
  return NULL;
}

/* The system loads no library of ours into a program that gains rights by being started. */
static gboolean
is_privileged (int fd,
               const struct stat *status)
{
  return ((status->st_mode & S_ISUID) && status->st_uid != geteuid ()) || ((status->st_mode & S_ISGID) && status->st_gid != getegid ()) ||
         fgetxattr (fd, "security.capability", NULL, 0) > 0;
}

static gboolean
is_foreign (const FpElfProgram *program)
{
  g_auto (FpElfProgram) own = { 0 };
  int fd = open ("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  gboolean is_known = fd >= 0 && fp_elf_program_read (&own, fd);

  if (fd >= 0)
    close (fd);
  return is_known && (own.width != program->width || own.machine != program->machine);
}

/* The operator new of these is no malloc, so that it goes unseen. That of C programs is. */
static gboolean
has_own_allocator (const FpElfProgram *program)
{
  return fp_elf_program_needs (program, "libstdc++.") &&
         (fp_elf_program_needs (program, "libjemalloc.") || fp_elf_program_needs (program, "libtcmalloc"));
}

static FpProgramKind
classify_program (const char *path,
                  int fd,
                  char **environment)
{
  g_auto (FpElfProgram) program = { 0 };
  g_autofree char *name = g_path_get_basename (path);

  if (!fp_elf_program_read (&program, fd))
    return FP_PROGRAM_NOT_EXECUTABLE;
  if (is_foreign (&program))
    return FP_PROGRAM_FOREIGN;
  if (program.is_go)
    return FP_PROGRAM_GO;
  if (!program.loader)
    return FP_PROGRAM_STATIC;
  if (strstr (program.loader, "ld-musl"))
    return FP_PROGRAM_MUSL;
  if (has_own_allocator (&program))
    return FP_PROGRAM_OWN_ALLOCATOR;
  if (g_str_has_prefix (name, "python") && g_strcmp0 (g_environ_getenv (environment, "PYTHONMALLOC"), "malloc") != 0)
    return FP_PROGRAM_PYTHON;
  return FP_PROGRAM_RECORDABLE;
}

/* Gets the interpreter of "#!/usr/bin/env -S NAME=VALUE python3 -u": what env starts. NULL: it is no script. Free it. */
static char *
read_interpreter (int fd)
{
  char line[LINE_SIZE + 1] = "";
  gssize n = pread (fd, line, LINE_SIZE, 0);
  g_auto (GStrv) words = NULL;
  g_autofree char *name = NULL;
  guint i = 0;

  if (n < 2 || line[0] != '#' || line[1] != '!')
    return NULL;
  line[strcspn (line, "\n")] = '\0';
  words = g_strsplit_set (line + 2, " \t", -1);
  while (words[i] && !*words[i])
    i++;
  name = words[i] ? g_path_get_basename (words[i]) : NULL;
  if (g_strcmp0 (name, "env") == 0)
    do
      i++;
    while (words[i] && (!*words[i] || *words[i] == '-' || strchr (words[i], '=')));
  return g_strdup (words[i] ? words[i] : "");
}

/* Gives the interpreter, where the file is a script that another one reads. */
static FpProgramKind
classify_file (const char *path,
               char **environment,
               char **interpreter)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  FpProgramKind kind = FP_PROGRAM_NOT_EXECUTABLE;
  struct stat status;

  /* A program may be executable and not readable, and nothing can be said of it then. */
  if (fd < 0)
    return access (path, F_OK) == 0 ? FP_PROGRAM_NOT_EXECUTABLE : FP_PROGRAM_MISSING;
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && access (path, X_OK) == 0)
    {
      *interpreter = read_interpreter (fd);
      kind = is_privileged (fd, &status) && !*interpreter ? FP_PROGRAM_PRIVILEGED : classify_program (path, fd, environment);
    }
  close (fd);
  return kind;
}

void
fp_program_look (FpProgram *self,
                 const char *name,
                 const char *folder,
                 char **environment)
{
  g_autofree char *next = g_strdup (name);

  *self = (FpProgram){ .kind = FP_PROGRAM_NOT_EXECUTABLE, .name = g_strdup (name) };
  for (guint i = 0; i <= MAX_SCRIPTS && next; i++)
    {
      g_autofree char *interpreter = NULL;

      g_free (self->path);
      self->path = find_file (next, folder, environment);
      self->kind = self->path ? find_by_name (self->path) : FP_PROGRAM_MISSING;
      if (self->kind != FP_PROGRAM_RECORDABLE)
        return;
      self->kind = classify_file (self->path, environment, &interpreter);
      g_free (next);
      next = g_steal_pointer (&interpreter);
    }
}

void
fp_program_clear (FpProgram *self)
{
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->path, g_free);
}

/* Says why it can't be recorded, or not all of it, and what works instead. NULL: all is well. Free it. */
char *
fp_program_describe (const FpProgram *self)
{
  g_autofree char *base = g_path_get_basename (self->path ? self->path : self->name), *file = g_utf8_make_valid (base, -1);
  g_autofree char *name = g_utf8_make_valid (self->name, -1);

  switch (self->kind)
    {
    case FP_PROGRAM_PYTHON:
      return g_strdup (_ ("Python keeps small objects in blocks of its own, so most of them will not be seen. To see all, add "
                          "PYTHONMALLOC=malloc to the environment; the program takes about three times as long then."));
    case FP_PROGRAM_OWN_ALLOCATOR:
      return g_strdup_printf (_ ("“%s” is a C++ program with a memory allocator of its own, so most of its memory will not be seen. "
                                 "The profiler of that allocator sees all: Footprint opens its files in the format of pprof."),
                              file);
    case FP_PROGRAM_MISSING:
      return g_strdup_printf (_ ("There is no program “%s”."), self->path ? file : name);
    case FP_PROGRAM_NOT_EXECUTABLE:
      return g_strdup_printf (_ ("“%s” can’t be started: it is not a program, or you may not read it."), name);
    case FP_PROGRAM_SHELL_SCRIPT:
      return g_strdup_printf (_ ("“%s” is run by a shell, and the programs that a shell starts are not recorded. Enter the program "
                                 "that uses the memory."),
                              name);
    case FP_PROGRAM_STARTER:
      return g_strdup_printf (_ ("“%s” starts another program, which is not recorded. Enter that program, and its variables under "
                                 "Environment."),
                              file);
    case FP_PROGRAM_SANDBOXED:
      return g_strdup_printf (_ ("“%s” runs in a sandbox or container, where the recorder is not there. Record the program where it is "
                                 "installed on the system itself."),
                              file);
    case FP_PROGRAM_PRIVILEGED:
      return g_strdup_printf (_ ("“%s” gets rights that you don’t have, and the system keeps recorders out of such programs. A copy of "
                                 "the file in your own folder can be recorded, with your rights."),
                              file);
    case FP_PROGRAM_FOREIGN:
      return g_strdup_printf (_ ("“%s” is for another kind of processor, or for 32 bits, and the recorder is not."), file);
    case FP_PROGRAM_GO:
      return g_strdup_printf (_ ("“%s” is a Go program, whose memory Go manages itself. Its package runtime/pprof writes heap profiles, "
                                 "which Footprint opens."),
                              file);
    case FP_PROGRAM_STATIC:
      return g_strdup_printf (_ ("“%s” is linked statically, so the recorder can’t be loaded into it. Link it dynamically to record it."), file);
    case FP_PROGRAM_MUSL:
      return g_strdup_printf (_ ("“%s” is built for the C library musl and would not start with the recorder, which needs glibc. Build it "
                                 "for glibc to record it."),
                              file);
    case FP_PROGRAM_RECORDABLE:
    default:
      return NULL;
    }
}
