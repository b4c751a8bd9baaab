// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-mapping-kind.h"
#include "fp-mapping-reader.h"
#include "fp-mapping-scanner.h"
#include "live-process.h"

#define SIZE      8192
#define MAX_ASKED 256

typedef enum
{
  KEPT,
  UNLINKED,
  LINKED_ELSEWHERE, /* and unlinked here */
} Fate;

typedef struct
{
  const char *raw;
  const char *name;
  Fate fate;
  FpFileState state;
} NameCase;

/* Pairs that smaps writes alike stand together. */
static const NameCase cases[] = {
  { "a\nb", "a\nb", KEPT, FP_FILE_UNKNOWN },
  { "a\\012b", "a\\012b", KEPT, FP_FILE_UNKNOWN },
  { "x (deleted)", "x (deleted)", KEPT, FP_FILE_PRESENT },
  { "x", "x (deleted)", UNLINKED, FP_FILE_DELETED },
  { "y (deleted)", "y (deleted) (deleted)", UNLINKED, FP_FILE_DELETED },
  { "line\n (deleted)", "line\n (deleted)", KEPT, FP_FILE_PRESENT },
  { "line\\012 (deleted)", "line\\012 (deleted)", KEPT, FP_FILE_PRESENT },
  { "line\n", "line\n (deleted)", UNLINKED, FP_FILE_DELETED },
  { "in\xffvalid\n", "in\\xffvalid\n", KEPT, FP_FILE_UNKNOWN },
  { "in\xffvalid (deleted)", "in\\xffvalid (deleted)", KEPT, FP_FILE_PRESENT },
  { "in\xffvalid", "in\\xffvalid (deleted)", UNLINKED, FP_FILE_DELETED },
  { "linked", "linked (deleted)", LINKED_ELSEWHERE, FP_FILE_DELETED },
  { "plain", "plain", KEPT, FP_FILE_UNKNOWN },
};

typedef enum
{
  AS_OURSELVES,
  AS_NOBODY,
  ELSEWHERE, /* in other mounts than the reader */
} Place;

/* Shared with the process. */
typedef struct
{
  guint64 starts[G_N_ELEMENTS (cases)];
  guint64 deep;
  char deep_path[PATH_MAX];
  guint64 many;
} Mapped;

typedef struct
{
  LiveProcess process;
  Place place;
  guint n_many;
  char *folder;
  Mapped *mapped;
} Names;

static guint64
map_file (const char *name)
{
  int fd = open (name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  void *memory = fd >= 0 && ftruncate (fd, SIZE) == 0 ? mmap (NULL, SIZE, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;

  if (memory == MAP_FAILED)
    _exit (1);
  close (fd);
  return (guint64)(gsize)memory;
}

/* The longest path there is: PATH_MAX with its end, a newline in it. */
static void
map_deep_file (Mapped *mapped)
{
  char name[NAME_MAX + 1], *path = mapped->deep_path;
  gsize left;

  if (!getcwd (path, PATH_MAX))
    _exit (1);
  while ((left = PATH_MAX - 1 - strlen (path) - 1) > 0)
    {
      /* Not to the end but for one letter, which would be taken by the slash. */
      gsize length = left <= NAME_MAX ? left : MIN ((gsize)NAME_MAX, left - 2);

      memset (name, 'd', length);
      name[1] = '\n';
      name[length] = '\0';
      strcat (strcat (path, "/"), name);
      if (left == length)
        break;
      if (mkdir (name, 0700) != 0 || chdir (name) != 0)
        _exit (1);
    }
  mapped->deep = map_file (name);
}

static void
map_all (gpointer data)
{
  Names *self = data;

  if (self->place == ELSEWHERE && unshare (CLONE_NEWNS) != 0)
    _exit (1);
  if (chdir (self->folder) != 0)
    _exit (1);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      self->mapped->starts[i] = map_file (cases[i].raw);
      if ((cases[i].fate == LINKED_ELSEWHERE && link (cases[i].raw, "another name") != 0) ||
          (cases[i].fate != KEPT && unlink (cases[i].raw) != 0))
        _exit (1);
    }
  for (guint i = 0; i < self->n_many; i++)
    {
      char name[32];

      g_snprintf (name, sizeof name, "many\n%u", i);
      map_file (name);
    }
  map_deep_file (self->mapped);
  live_answer ();
  for (;;)
    live_await_order ();
}

static void
remove_folder (const char *path)
{
  g_autofree char *quoted = g_shell_quote (path), *command = g_strdup_printf ("rm -rf %s", quoted);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

static void
names_start (Names *self)
{
  g_autofree char *folder = g_dir_make_tmp ("footprint names-XXXXXX", NULL);

  g_assert_nonnull (folder);
  self->folder = realpath (folder, NULL);
  self->mapped = mmap (NULL, sizeof *self->mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_assert_true (self->mapped != MAP_FAILED);
  live_process_start (&self->process, map_all, self);
}

static void
names_stop (Names *self)
{
  live_process_stop (&self->process);
  remove_folder (self->folder);
  free (self->folder);
  munmap (self->mapped, sizeof *self->mapped);
}

static gboolean
take_text (const char *text,
           gsize length,
           gpointer data)
{
  if (text)
    g_string_append_len (data, text, (gssize)length);
  else
    g_string_truncate (data, 0);
  return TRUE;
}

/* The mappings as given to one who can't read them himself. */
static FpMappings *
copy_mappings (const FpProcDir *proc,
               const FpProcessId *id)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  g_assert_true (fp_mappings_copy (proc, id, take_text, NULL, text, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fp_mapping_scanner_feed (scanner, text->str, text->len), ==, text->len);
  return fp_mapping_scanner_finish (scanner);
}

static FpMappings *
read_mappings (const Names *self,
               gboolean copied)
{
  g_autoptr (GError) error = NULL;
  FpMappings *mappings;
  FpProcessId id = { self->process.pid, 0 };
  FpStat stat = { 0 };
  FpProcDir proc;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  fp_stat_read_any (&stat, &proc, id.pid);
  id.start_ticks = stat.start_ticks;
  mappings = copied ? copy_mappings (&proc, &id) : fp_mappings_read (&proc, &id, NULL, NULL, &error);
  g_assert_no_error (error);
  fp_proc_dir_close (&proc);
  return mappings;
}

static void
find (const FpMappings *mappings,
      guint64 start,
      FpMapping *mapping)
{
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      fp_mappings_get (mappings, i, mapping);
      if (mapping->start == start)
        return;
    }
  g_assert_not_reached ();
}

/* Whether nothing can tell what " (deleted)" means: the count of links tells it of those alone that have none. */
static gboolean
is_hidden (const Names *self,
           const NameCase *expected)
{
  return self->place == ELSEWHERE && expected->fate != UNLINKED;
}

static void
verify_case (const Names *self,
             const FpMappings *mappings,
             guint i)
{
  const NameCase *expected = &cases[i];
  g_autofree char *name = g_strdup_printf ("%s/%s", self->folder, expected->name);
  g_autofree char *quoted = g_strdup_printf ("%s/“%s”", self->folder, expected->name);
  FpFileState state = is_hidden (self, expected) ? FP_FILE_UNKNOWN : expected->state;
  FpMapping mapping;

  find (mappings, self->mapped->starts[i], &mapping);
  g_assert_cmpstr (mapping.name, ==, name);
  g_assert_cmpint (mapping.file_state, ==, state);
  g_assert_cmpstr (mapping.shown, ==, state == FP_FILE_PRESENT ? quoted : name);
  g_assert_cmpstr (fp_mapping_get_file (&mapping), ==, mapping.shown);
  if (!g_str_has_suffix (expected->name, FP_DELETED))
    g_assert_cmpint (fp_mapping_get_file_state (&mapping), ==, FP_FILE_PRESENT);
}

static void
verify (Names *self)
{
  for (guint copied = 0; copied < 2; copied++)
    {
      g_autoptr (FpMappings) mappings = read_mappings (self, copied != 0);
      FpMapping deep;

      for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        verify_case (self, mappings, i);
      find (mappings, self->mapped->deep, &deep);
      g_assert_cmpuint (strlen (deep.name), ==, PATH_MAX - 1);
      g_assert_cmpstr (deep.name, ==, self->mapped->deep_path);
    }
}

static void
become_nobody (void)
{
  live_become_nobody ();
  g_assert_cmpint (prctl (PR_SET_DUMPABLE, 1), ==, 0);
}

static void
test_names (gconstpointer data)
{
  Names names = { .place = (Place)GPOINTER_TO_UINT (data) };
  int status;
  pid_t pid;

  if (names.place != AS_OURSELVES && geteuid () != 0)
    {
      g_test_skip ("Only root can become another user, and have other mounts");
      return;
    }
  if ((pid = fork ()) == 0)
    {
      if (names.place == AS_NOBODY)
        become_nobody ();
      names_start (&names);
      verify (&names);
      names_stop (&names);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

/* No more than so many are asked for; the others keep the kernel's words. */
static void
test_many (void)
{
  Names names = { .n_many = MAX_ASKED + 100 };
  g_autoptr (FpMappings) mappings = NULL;
  guint n_told = 0, n_words = 0;

  names_start (&names);
  mappings = read_mappings (&names, FALSE);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      n_told += strstr (mapping.name, "/many\n") != NULL;
      n_words += strstr (mapping.name, "/many\\012") != NULL;
    }
  g_assert_cmpuint (n_told + n_words, ==, names.n_many);
  g_assert_cmpuint (n_told, <=, MAX_ASKED);
  g_assert_cmpuint (n_told, >=, MAX_ASKED - G_N_ELEMENTS (cases) - 1);
  names_stop (&names);
}

/*
 * The page has frames of main () too, if arguments and environment are few, so its copy takes its place. AddressSanitizer
 * would refuse to let pwrite () read these frames, for it checks each call of the C library.
 */
static G_NO_INLINE gboolean
cover_page (guint64 page,
            int fd)
{
  gsize size = (gsize)getpagesize ();

  return syscall (SYS_pwrite64, fd, page, size, 0) == (long)size &&
         mmap ((void *)(gsize)page, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, 0) != MAP_FAILED;
}

/* In the place of its arguments there is a file, as of a file system that never answers. */
static void
cover_arguments (gpointer data)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;
  volatile char room[16384]; /* so that the frame that covers the page is not in it */
  guint64 start, page;
  int fd = memfd_create ("arguments", MFD_CLOEXEC);

  room[0] = 0;
  if (fd < 0 || !g_file_get_contents ("/proc/self/stat", &text, NULL, NULL))
    _exit (1);
  fields = g_strsplit (strrchr (text, ')') + 2, " ", 0);
  start = g_ascii_strtoull (fields[45], NULL, 10);
  page = start & ~((guint64)getpagesize () - 1);
  if (!cover_page (page, fd) || pwrite (fd, "hanging", strlen ("hanging"), (off_t)(start - page)) < 0)
    _exit (1);
  room[1] = room[0];
  live_answer ();
  for (;;)
    live_await_order ();
}

/* A reader of all processes would wait for that file system, if the kernel read the file (it did before 4.17). */
static void
test_covered_arguments (void)
{
  LiveProcess process;
  g_autofree char *path = NULL, *text = NULL;

  live_process_start (&process, cover_arguments, NULL);
  path = g_strdup_printf ("/proc/%d/cmdline", process.pid);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "");
  live_process_stop (&process);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/names/as-ourselves", GUINT_TO_POINTER (AS_OURSELVES), test_names);
  g_test_add_data_func ("/names/as-nobody", GUINT_TO_POINTER (AS_NOBODY), test_names);
  g_test_add_data_func ("/names/elsewhere", GUINT_TO_POINTER (ELSEWHERE), test_names);
  g_test_add_func ("/names/many", test_many);
  g_test_add_func ("/names/covered-arguments", test_covered_arguments);
  return g_test_run ();
}
