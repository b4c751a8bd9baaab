// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "fp-file-state.h"
#include "fp-identity.h"
#include "fp-mounts.h"
#include "fp-proc-dir.h"
#include "fp-strings.h"

#define MAX_ARGUMENTS 4096
#define EXE_PART      2 /* so much longer than a command line the path of a program may be */
#define MAX_COMMAND   (128 * 1024)
#define MEMFD         "/memfd:"

static const char *
base_name (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash && slash[1] ? slash + 1 : path;
}

/* Where the first thing that looks like a variable of the environment begins; length if there is none. */
static gsize
find_variable (const char *text,
               gsize length)
{
  gsize start = 0;

  for (gsize i = 0; i < length && text[i]; i++)
    {
      if (text[i] == '=' && i - start >= 3)
        return start;
      if (!g_ascii_isupper (text[i]) && text[i] != '_' && !(i > start && g_ascii_isdigit (text[i])))
        start = i + 1;
    }
  return length;
}

/* The kernel goes on into the environment where a process has overwritten the end of its arguments. It is right to
 * where a title has grown over the environment, and wrong where the environment is still there. Where the arguments
 * end is told to those alone who may read the process. */
gsize
fp_identity_arguments_length (const char *raw,
                              gsize length,
                              const FpImage *image)
{
  gsize arguments = image->arg_end > image->arg_start ? image->arg_end - image->arg_start : 0;

  if (arguments >= length || length == 0)
    return length;
  if (arguments == 0 && memchr (raw, '\0', length - 1))
    return length;
  if (arguments > 0 && raw[arguments - 1] == '\0')
    return arguments;
  return arguments + find_variable (raw + arguments, length - arguments);
}

static void
join_arguments (char *command,
                gsize size,
                char *raw,
                gsize length)
{
  while (length > 0 && raw[length - 1] == '\0')
    length--;
  for (gsize i = 0; i < length; i++)
    if (raw[i] == '\0')
      raw[i] = ' ';
  fp_text_clean (command, size, raw, length);
}

static gboolean
is_one_of (const char *name,
           const char *const *names)
{
  for (; *names; names++)
    if (strcmp (name, *names) == 0)
      return TRUE;
  return FALSE;
}

/* The meaning of an interpreter's options, single letters and whole words. */
typedef struct
{
  const char *names[12];
  const char *code;    /* the next argument is code, so there is no script */
  const char *value;   /* the next argument, or the rest of this one, belongs to it */
  const char *program; /* the same, and names the program */
  const char *words_with_value[8];
  const char *words_with_program[4];
} Interpreter;

static const Interpreter interpreters[] = {
  { { "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish" }, "cs", "oO", "", { "--rcfile", "--init-file" }, { NULL } },
  { { "python", "pypy" }, "c", "WX", "m", { NULL }, { NULL } },
  { { "perl" }, "eE", "IM", "", { NULL }, { NULL } },
  { { "ruby" }, "e", "rIC", "", { NULL }, { NULL } },
  { { "node", "nodejs" }, "ep", "r", "", { "--require", "--import", "--loader" }, { NULL } },
  { { "php" }, "r", "dcz", "f", { NULL }, { NULL } },
  { { "java" }, "", "", "", { "-cp", "-classpath", "--class-path", "-p", "--module-path" }, { "-jar", "-m", "--module" } },
  { { "lua", "luajit" }, "e", "l", "", { NULL }, { NULL } },
  { { "gjs", "gjs-console" }, "c", "I", "m", { NULL }, { NULL } },
  { { "guile" }, "c", "Ll", "s", { NULL }, { NULL } },
  { { "tclsh", "wish", "mono", "deno", "bun" }, "e", "", "", { NULL }, { NULL } },
};

/* ld.so of glibc and of musl: they start a program for those who bring a libc of their own, like a Flatpak's on the host. */
static const Interpreter loader = {
  { NULL }, "", "", "", { "--library-path", "--preload", "--argv0", "--audit", "--inhibit-rpath", "--glibc-hwcaps-prepend", "--glibc-hwcaps-mask" }, { NULL }
};

/* ld-linux-x86-64.so.2, ld64.so.1, ld-2.31.so, ld-musl-aarch64.so.1 */
static gboolean
is_loader (const char *program)
{
  return (g_str_has_prefix (program, "ld-") || g_str_has_prefix (program, "ld64.") || g_str_has_prefix (program, "ld.")) &&
         strstr (program, ".so");
}

/* python3.11 is python */
static const Interpreter *
find_interpreter (const char *exe)
{
  char name[32];
  gsize length;

  g_strlcpy (name, exe, sizeof name);
  length = strlen (name);
  while (length > 0 && (g_ascii_isdigit (name[length - 1]) || name[length - 1] == '.'))
    name[--length] = '\0';
  for (guint i = 0; i < G_N_ELEMENTS (interpreters); i++)
    if (is_one_of (name, interpreters[i].names))
      return &interpreters[i];
  return NULL;
}

/* The script that an interpreter runs says more than the interpreter's name. */
gboolean
fp_identity_is_interpreter (const char *program)
{
  return find_interpreter (program) != NULL;
}

static const char *
next_argument (const char *argument,
               const char *end)
{
  argument += strlen (argument) + 1;
  return argument < end ? argument : NULL;
}

typedef enum
{
  OPTION_PLAIN,
  OPTION_WITH_CODE,
  OPTION_WITH_VALUE,
  OPTION_WITH_PROGRAM,
} Option;

/* rest: the text behind the letter in the same argument */
static Option
read_letters (const Interpreter *self,
              const char *letters,
              const char **rest)
{
  for (; *letters; letters++)
    {
      *rest = letters + 1;
      if (strchr (self->code, *letters))
        return OPTION_WITH_CODE;
      if (strchr (self->program, *letters))
        return OPTION_WITH_PROGRAM;
      if (strchr (self->value, *letters))
        return OPTION_WITH_VALUE;
    }
  return OPTION_PLAIN;
}

static Option
read_option (const Interpreter *self,
             const char *argument,
             const char **rest)
{
  static const char *const words_with_code[] = { "--eval", "--print", "-", NULL };

  *rest = "";
  if (is_one_of (argument, words_with_code))
    return OPTION_WITH_CODE;
  if (is_one_of (argument, self->words_with_program) || strcmp (argument, "--") == 0)
    return OPTION_WITH_PROGRAM;
  if (is_one_of (argument, self->words_with_value))
    return OPTION_WITH_VALUE;
  if (argument[1] == '-')
    return OPTION_PLAIN;
  return read_letters (self, argument + 1, rest);
}

/* The script, the module behind -m, the archive behind -jar; NULL for code in the arguments. */
static const char *
find_script (const Interpreter *self,
             const char *arguments,
             gsize length)
{
  const char *end = arguments + length, *rest;
  const char *argument = length > 0 ? next_argument (arguments, end) : NULL;

  for (; argument && *argument == '-'; argument = next_argument (argument, end))
    switch (read_option (self, argument, &rest))
      {
      case OPTION_WITH_CODE:
        return NULL;
      case OPTION_WITH_PROGRAM:
        return *rest ? rest : next_argument (argument, end);
      case OPTION_WITH_VALUE:
        if (!*rest && !(argument = next_argument (argument, end)))
          return NULL;
        break;
      case OPTION_PLAIN:
      default:
        break;
      }
  return argument;
}

static void
find_program_without_exe (FpIdentity *self,
                          const char *arguments,
                          gsize length)
{
  const char *name = length > 0 ? base_name (arguments + (arguments[0] == '-')) : "";
  gsize comm_length = strlen (self->comm);

  /* The kernel's name is cut at 15 bytes, and of a program in a memfd it is the memfd's. */
  if (*name && !strchr (name, ' ') &&
      (strncmp (name, self->comm, MAX (comm_length, 1)) == 0 || g_str_has_prefix (self->comm, MEMFD + 1)))
    fp_text_clean (self->program, sizeof self->program, name, strlen (name));
  else
    g_strlcpy (self->program, self->comm, sizeof self->program);
}

/* arguments: 0-separated and 0-terminated */
void
fp_identity_find_program (FpIdentity *self,
                          const char *arguments,
                          gsize length)
{
  static const char *const many_in_one[] = { "busybox", "toybox", "coreutils", "wine64-preloader", "wine-preloader", NULL };
  const Interpreter *interpreter;
  const char *script;

  if (!*self->exe || g_str_has_prefix (self->exe, MEMFD))
    find_program_without_exe (self, arguments, length);
  else
    fp_text_clean (self->program, sizeof self->program, base_name (self->exe), strlen (base_name (self->exe)));

  if (is_one_of (self->program, many_in_one))
    g_strlcpy (self->program, self->comm, sizeof self->program);
  if (is_loader (self->program) && (script = find_script (&loader, arguments, length)) && *script)
    {
      fp_text_clean (self->program, sizeof self->program, base_name (script), strlen (base_name (script)));
      length -= (gsize)(script - arguments);
      arguments = script;
    }
  if ((interpreter = find_interpreter (self->program)) &&
      (script = find_script (interpreter, arguments, length)) && *script &&
      !g_str_has_prefix (script, "/dev/") && !g_str_has_prefix (script, "/proc/"))
    fp_text_clean (self->program, sizeof self->program, base_name (script), strlen (base_name (script)));
}

static FpExeState
find_exe_state (int process_dir,
                char *path,
                gboolean is_live)
{
  if (!g_str_has_suffix (path, FP_DELETED) || g_str_has_prefix (path, MEMFD))
    return FP_EXE_PRESENT;
  if (is_live && fp_file_state_find (process_dir, "exe", path, NULL) == FP_FILE_PRESENT)
    return FP_EXE_PRESENT;
  path[strlen (path) - strlen (FP_DELETED)] = '\0';
  if (is_live && fp_mounts_are_shared_with (process_dir) && access (path, F_OK) == 0)
    return FP_EXE_UPDATED;
  return FP_EXE_DELETED;
}

/* A path that is too long is not known: a part of it would be another. */
static void
read_exe (FpIdentity *self,
          int process_dir,
          gsize max,
          gboolean is_live)
{
  char path[4096 + sizeof FP_DELETED];
  gssize length = fp_read_link_at (process_dir, "exe", path, sizeof path);

  self->exe[0] = '\0';
  self->exe_state = FP_EXE_UNKNOWN;
  if (length <= 0 || (gsize)length > max)
    return;
  self->exe_state = find_exe_state (process_dir, path, is_live);
  fp_text_clean (self->exe, sizeof self->exe, path, strlen (path));
}

/* arguments: what cmdline has, with room for a zero behind it; size: of the command line, with its zero */
static void
take_arguments (FpIdentity *self,
                const FpStat *stat,
                char *arguments,
                gsize length,
                gsize size)
{
  length = fp_identity_arguments_length (arguments, length, &stat->image);
  arguments[length] = '\0';
  fp_identity_find_program (self, arguments, length);
  join_arguments (self->command, size, arguments, length);
}

static void
take_stat (FpIdentity *self,
           const FpStat *stat)
{
  fp_text_clean (self->comm, sizeof self->comm, stat->comm, stat->comm_length);
  self->command[0] = self->exe[0] = '\0';
  self->exe_state = FP_EXE_UNKNOWN;
  g_strlcpy (self->program, self->comm, sizeof self->program);
}

/* Reads what the kernel knows without the memory of the process: its program has the short name. */
void
fp_identity_read_short (FpIdentity *self,
                        int process_dir,
                        const FpStat *stat)
{
  char buffer[MAX_ARGUMENTS + 1];
  gssize length;

  take_stat (self, stat);
  length = fp_read_record_at (process_dir, "cgroup", buffer, sizeof buffer);
  fp_cgroup_parse (&self->cgroup, buffer, (gsize)MAX (length, 0));
}

/* max_command: the most bytes of its command line */
void
fp_identity_read (FpIdentity *self,
                  int process_dir,
                  const FpStat *stat,
                  gsize max_command,
                  gboolean is_live)
{
  char buffer[MAX_ARGUMENTS + 1];
  gssize length;

  fp_identity_read_short (self, process_dir, stat);
  if (stat->is_kernel_thread)
    return;
  read_exe (self, process_dir, EXE_PART * max_command, is_live);
  length = fp_read_record_at (process_dir, "cmdline", buffer, sizeof buffer);
  take_arguments (self, stat, buffer, (gsize)MAX (length, 0), MIN (max_command + 1, sizeof self->command));
}

/* Names a process of which nothing but its stat and its cmdline is known. */
void
fp_identity_parse (FpIdentity *self,
                   const FpStat *stat,
                   const char *cmdline,
                   gsize length)
{
  char buffer[MAX_ARGUMENTS + 1];

  take_stat (self, stat);
  fp_cgroup_parse (&self->cgroup, "", 0);
  if (stat->is_kernel_thread)
    return;
  length = MIN (length, MAX_ARGUMENTS);
  if (length > 0)
    memcpy (buffer, cmdline, length);
  take_arguments (self, stat, buffer, length, sizeof self->command);
}

/* The command line up to MAX_COMMAND bytes, with an ellipsis where it is cut. Free the text. */
char *
fp_identity_read_command (int process_dir,
                          const FpStat *stat)
{
  const gsize size = MAX_COMMAND * strlen ("\\xff") + sizeof "…";
  g_autofree char *raw = g_malloc (MAX_COMMAND + 1), *command = g_malloc (size);
  gssize whole = MAX (fp_read_at (process_dir, "cmdline", raw, MAX_COMMAND + 1), 0);
  gsize length = fp_identity_arguments_length (raw, (gsize)whole, &stat->image);

  join_arguments (command, size, raw, length);
  return g_strconcat (command, length == MAX_COMMAND ? "…" : "", NULL);
}

/* The name is found from comm and arguments, which are public; the path of the file is not. Only comm, exe and program are
 * valid then. */
void
fp_identity_find_public_program (FpIdentity *self,
                                 const char *comm,
                                 const char *command)
{
  char arguments[FP_COMMAND_SIZE + 1] = "";
  gsize length = g_strlcpy (arguments, command, FP_COMMAND_SIZE);

  g_strlcpy (self->comm, comm, sizeof self->comm);
  self->exe[0] = '\0';
  g_strdelimit (arguments, " ", '\0');
  fp_identity_find_program (self, arguments, MIN (length, FP_COMMAND_SIZE - 1));
}
