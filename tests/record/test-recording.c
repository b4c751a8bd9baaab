// SPDX-License-Identifier: GPL-3.0-or-later
/* Programs are really recorded, and followed while they run. They live on whatever becomes of the recording. */
#include <dirent.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-heap-follower.h"
#include "fp-heap-places.h"
#include "fp-recorder.h"
#include "fp-recording.h"

#define STATUS     7    /* endless.c */
#define N_HELD     1000 /* the same */
#define TMPFS_SIZE (64 * 1024)
#define N_LOOKS    10000

static char *
make_folder (void)
{
  char *folder = g_dir_make_tmp ("footprint-recording-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return folder;
}

/* Takes the folder. */
static void
remove_folder (char *folder)
{
  const char *argv[] = { "rm", "-rf", folder, NULL };

  g_assert_true (g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  g_free (folder);
}

/* argument: (nullable) */
static void
start_with (FpRecording *self,
            const char *folder,
            const char *program,
            const char *argument)
{
  char *argv[] = { (char *)program, (char *)argument, NULL };
  g_autofree char *recorder = fp_recorder_find ("/");
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (recorder);
  fp_recording_start (self, recorder, folder, argv, NULL, environment, &error);
  g_assert_no_error (error);
}

static void
start (FpRecording *self,
       const char *folder,
       const char *program)
{
  start_with (self, folder, program, NULL);
}

static int
wait_for_end (const FpRecording *self)
{
  int status;

  g_assert_cmpint (waitpid (self->pid, &status, 0), ==, self->pid);
  return status;
}

static FpHeapFollower *
follow (const FpRecording *self)
{
  int fd = open (self->path, O_RDONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  return fp_heap_follower_new (fd);
}

static FpHeapProfile *
read_on (FpHeapFollower *follower,
         gboolean is_whole)
{
  g_autoptr (GError) error = NULL;
  FpHeapProfile *profile = fp_heap_follower_read (follower, is_whole, NULL, NULL, &error);

  g_assert_no_error (error);
  return profile;
}

/* Follows until there are more allocations than these. The case fails with its time limit where that never comes. */
static guint64
await_more (FpHeapFollower *follower,
            guint64 n)
{
  for (;;)
    {
      g_autoptr (FpHeapProfile) profile = read_on (follower, FALSE);

      if (profile->total.calls > n)
        return profile->total.calls;
      g_usleep (10 * 1000);
    }
}

static FpHeapProfile *
open_file (const FpRecording *self)
{
  g_autoptr (GError) error = NULL;
  int fd = open (self->path, O_RDONLY | O_CLOEXEC);
  FpHeapProfile *profile;

  g_assert_cmpint (fd, >=, 0);
  profile = fp_heap_profile_read (fd, NULL, NULL, &error);
  close (fd);
  g_assert_no_error (error);
  return profile;
}

static guint64
get_size (const FpRecording *self)
{
  struct stat status;

  g_assert_cmpint (stat (self->path, &status), ==, 0);
  return (guint64)status.st_size;
}

static const FpHeapPlace *
find_function (const FpHeapProfile *profile,
               const GArray *places,
               const char *name)
{
  for (guint i = 0; i < places->len; i++)
    {
      const FpHeapPlace *place = &g_array_index (places, FpHeapPlace, i);

      if (place->node && strcmp (fp_heap_profile_get_text (profile, fp_heap_profile_get_frame (profile, place->node)->function), name) == 0)
        return place;
    }
  g_error ("%s is not in the profile", name);
}

typedef struct
{
  const char *function;
  guint64 calls, temporary, peak, leaked;
} Known;

/* Names, lines and functions that were inlined come from the program's debug information. Blocks have addresses here, so that
 * one is temporary only where it is itself what was allocated last. */
static void
test_known (void)
{
  static const Known known[] = {
    { "leak", 3, 0, 3000, 3000 },
    { "grow", 9, 9, 0, 0 },
    { "hurry", 500, 500, 0, 0 },
    { "recurse", 20, 0, 200, 200 },
    { "inner", 2, 0, 154, 154 },
    { "copy", 1, 0, 33, 33 },
    { "fill", 50, 0, 5000000, 0 },
    { "work", 400, 0, 0, 0 },
  };
  g_autofree char *folder = make_folder ();
  g_auto (FpRecording) recording = { 0 };
  g_autoptr (FpHeapFollower) follower = NULL;
  g_autoptr (FpHeapProfile) profile = NULL;
  g_autoptr (GArray) places = NULL;

  start (&recording, folder, g_getenv ("FOOTPRINT_TEST_RECORDED"));
  follower = follow (&recording);
  g_assert_cmpint (wait_for_end (&recording), ==, 0);
  profile = read_on (follower, TRUE);
  g_assert_cmpint (profile->condition, ==, FP_HEAP_COMPLETE);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  g_assert_false (profile->is_raw);
  g_assert_false (profile->is_snapshot);
  g_assert_cmpstr (profile->command, ==, g_getenv ("FOOTPRINT_TEST_RECORDED"));
  places = fp_heap_places_new (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    {
      const FpHeapPlace *place = find_function (profile, places, known[i].function);
      const FpHeapFrame *frame = fp_heap_profile_get_frame (profile, place->node);

      g_test_message ("%s", known[i].function);
      g_assert_cmpuint (place->own.calls, ==, known[i].calls);
      g_assert_cmpuint (place->own.temporary, ==, known[i].temporary);
      g_assert_cmpuint (place->own.peak.bytes, ==, known[i].peak);
      g_assert_cmpuint (place->own.leaked.bytes, ==, known[i].leaked);
      g_assert_true (g_str_has_suffix (fp_heap_profile_get_text (profile, frame->file), "recorded.c"));
      g_assert_cmpuint (frame->line, >, 0);
    }
  g_assert_cmpuint (find_function (profile, places, "outer")->own.calls, ==, 0);
  g_assert_cmpuint (find_function (profile, places, "outer")->all.leaked.bytes, ==, 154);
  remove_folder (g_steal_pointer (&folder));
}

/* The names of a path, the innermost first. Free it. */
static char *
name_path (const FpHeapProfile *profile,
           guint32 node)
{
  GString *path = g_string_new (NULL);

  for (; node; node = fp_heap_profile_get_parent (profile, node))
    {
      const FpHeapFrame *frame = fp_heap_profile_get_frame (profile, node);

      g_string_append_printf (path, "%s+%" G_GINT64_MODIFIER "x %s:%u;", fp_heap_profile_get_text (profile, frame->function), frame->address,
                              fp_heap_profile_get_text (profile, frame->file), frame->line);
    }
  return g_string_free (path, FALSE);
}

static void
assert_same (const FpHeapProfile *profile,
             const FpHeapProfile *expected)
{
  g_assert_cmpuint (profile->stacks->len, ==, expected->stacks->len);
  for (guint i = 0; i < expected->stacks->len; i++)
    {
      const FpHeapStack *stack = fp_heap_profile_get_stack (profile, i), *other = fp_heap_profile_get_stack (expected, i);
      g_autofree char *path = name_path (profile, stack->node), *other_path = name_path (expected, other->node);

      g_assert_cmpstr (path, ==, other_path);
      g_assert_cmpuint (stack->calls, ==, other->calls);
      g_assert_cmpuint (stack->temporary, ==, other->temporary);
      g_assert_cmpuint (stack->peak.bytes, ==, other->peak.bytes);
      g_assert_cmpuint (stack->leaked.bytes, ==, other->leaked.bytes);
    }
  g_assert_cmpuint (profile->duration_ms, ==, expected->duration_ms);
  g_assert_cmpuint (profile->total.peak.bytes, ==, expected->total.peak.bytes);
  g_assert_cmpuint (profile->suppressed.bytes, ==, expected->suppressed.bytes);
}

/* A profile that was put together while the file grew is that of the whole file; those before it stay what they were. */
static void
test_follow (void)
{
  g_autofree char *folder = make_folder ();
  g_auto (FpRecording) recording = { 0 };
  g_autoptr (FpHeapFollower) follower = NULL;
  g_autoptr (FpHeapProfile) early = NULL, followed = NULL, whole = NULL;
  g_autoptr (GArray) places = NULL;
  guint64 n, n_early, n_stacks;
  int status;

  start (&recording, folder, g_getenv ("FOOTPRINT_TEST_ENDLESS"));
  follower = follow (&recording);
  n = await_more (follower, 0);
  early = read_on (follower, FALSE);
  n_early = early->total.calls;
  n_stacks = early->stacks->len;
  g_assert_true (early->is_snapshot);
  g_assert_nonnull (early->recording);
  for (guint i = 0; i < 3; i++)
    n = await_more (follower, n);
  n = await_more (follower, 4 * N_HELD);
  g_assert_cmpint (kill (recording.pid, SIGUSR1), ==, 0);
  status = wait_for_end (&recording);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, STATUS);
  followed = read_on (follower, TRUE);
  whole = open_file (&recording);
  g_assert_cmpint (whole->condition, ==, FP_HEAP_COMPLETE);
  assert_same (followed, whole);
  g_assert_true (followed->recording == early->recording);
  g_assert_cmpuint (early->total.calls, ==, n_early);
  g_assert_cmpuint (early->stacks->len, ==, n_stacks);
  g_assert_cmpuint (followed->total.calls, >, n);
  places = fp_heap_places_new (followed, followed->stacks, FP_HEAP_BY_FUNCTION);
  g_assert_cmpuint (find_function (followed, places, "hold")->own.leaked.bytes, ==, 100 * N_HELD);
  remove_folder (g_steal_pointer (&folder));
}

/* Where the kernel lets a parent take its child's descriptors, a recording can be ended. FALSE: the test is skipped. */
static gboolean
may_end (const FpRecording *self)
{
  int process = pidfd_open (self->pid, 0), fd = pidfd_getfd (process, STDIN_FILENO, 0);

  close (process);
  if (fd >= 0)
    {
      close (fd);
      return TRUE;
    }
  kill (self->pid, SIGKILL);
  wait_for_end (self);
  g_test_skip ("the kernel does not let a parent take its child's descriptors here");
  return FALSE;
}

/* The recording ends, the program does not: it goes on allocating, and ends as it would have. */
static void
test_end (void)
{
  g_autofree char *folder = make_folder ();
  g_auto (FpRecording) recording = { 0 };
  g_autoptr (FpHeapFollower) follower = NULL;
  g_autoptr (FpHeapProfile) profile = NULL;
  guint64 n, size;
  int status;

  start (&recording, folder, g_getenv ("FOOTPRINT_TEST_ENDLESS"));
  follower = follow (&recording);
  n = await_more (follower, 100);
  if (!may_end (&recording))
    {
      remove_folder (g_steal_pointer (&folder));
      return;
    }
  g_assert_true (fp_recording_end (&recording));
  size = get_size (&recording);
  g_assert_cmpint (kill (recording.pid, SIGUSR1), ==, 0);
  status = wait_for_end (&recording);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, STATUS);
  g_assert_cmpuint (get_size (&recording), ==, size);
  profile = open_file (&recording);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  g_assert_cmpuint (profile->total.calls, >=, n);
  remove_folder (g_steal_pointer (&folder));
}

/* The recording is still known by its file where that has another name by now. */
static void
test_renamed (void)
{
  g_autofree char *folder = make_folder (), *other = g_build_filename (folder, "other", NULL), *found = NULL;
  g_auto (FpRecording) recording = { 0 };
  g_autoptr (FpHeapFollower) follower = NULL;
  guint64 size;
  int status;

  start (&recording, folder, g_getenv ("FOOTPRINT_TEST_ENDLESS"));
  follower = follow (&recording);
  await_more (follower, 100);
  g_assert_cmpint (g_rename (recording.path, other), ==, 0);
  found = fp_recording_find_path (&recording);
  g_assert_cmpstr (found, ==, other);
  g_assert_cmpuint (fp_recording_get_size (&recording), >, 0);
  /* Others write to the same disk between the two. */
  for (guint i = 0; i < N_LOOKS && fp_recording_get_room (&recording) != fp_recording_find_room (folder); i++)
    g_assert_cmpuint (i, <, N_LOOKS - 1);
  if (may_end (&recording))
    {
      g_assert_true (fp_recording_end (&recording));
      size = fp_recording_get_size (&recording);
      g_assert_cmpint (kill (recording.pid, SIGUSR1), ==, 0);
      status = wait_for_end (&recording);
      g_assert_true (WIFEXITED (status));
      g_assert_cmpint (WEXITSTATUS (status), ==, STATUS);
      g_assert_cmpuint (fp_recording_get_size (&recording), ==, size);
    }
  remove_folder (g_steal_pointer (&folder));
}

/* Free the name. A process has none for a moment while it becomes another program. */
static char *
await_name (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/cmdline", pid);
  char *name = NULL;

  while (!name || !*name)
    {
      g_clear_pointer (&name, g_free);
      g_assert_true (g_file_get_contents (path, &name, NULL, NULL));
    }
  return name;
}

static void
await_left (FpRecording *self)
{
  while (!fp_recording_has_left (self))
    g_usleep (10 * 1000);
}

/* A program that becomes another one is not recorded any more. */
static void
test_left (void)
{
  g_autofree char *folder = make_folder ();
  g_auto (FpRecording) recording = { 0 };
  g_autoptr (FpHeapFollower) follower = NULL;
  g_autofree char *name = NULL;

  start_with (&recording, folder, g_getenv ("FOOTPRINT_TEST_ENDLESS"), "leave");
  follower = follow (&recording);
  await_more (follower, 100);
  for (guint i = 0; i < 5; i++)
    g_assert_false (fp_recording_has_left (&recording));
  g_assert_cmpint (recording.number, >=, 0);
  g_assert_cmpint (kill (recording.pid, SIGUSR1), ==, 0);
  await_left (&recording);
  name = await_name (recording.pid);
  g_assert_cmpstr (name, ==, "sleep");
  g_assert_cmpint (kill (recording.pid, SIGKILL), ==, 0);
  wait_for_end (&recording);
  g_assert_false (fp_recording_has_left (&recording));
  remove_folder (g_steal_pointer (&folder));
}

/* The recorder of the same process’s next program would write over what the first one has written, and is ended. */
static void
test_anew (void)
{
  g_autofree char *folder = make_folder ();
  g_auto (FpRecording) recording = { 0 };
  g_autoptr (FpHeapFollower) follower = NULL;
  guint64 size;
  int status;

  start_with (&recording, folder, g_getenv ("FOOTPRINT_TEST_ENDLESS"), "anew");
  follower = follow (&recording);
  await_more (follower, 4 * N_HELD);
  g_assert_false (fp_recording_has_left (&recording));
  if (!may_end (&recording))
    {
      remove_folder (g_steal_pointer (&folder));
      return;
    }
  g_assert_cmpint (kill (recording.pid, SIGUSR1), ==, 0);
  await_left (&recording);
  size = fp_recording_get_size (&recording);
  g_assert_cmpint (kill (recording.pid, SIGUSR1), ==, 0);
  status = wait_for_end (&recording);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, STATUS);
  g_assert_cmpuint (fp_recording_get_size (&recording), ==, size);
  remove_folder (g_steal_pointer (&folder));
}

/* A recording whose program was killed opens, and one that has ended anyway can't be ended. */
static void
test_killed (void)
{
  g_autofree char *folder = make_folder ();
  g_auto (FpRecording) recording = { 0 };
  g_autoptr (FpHeapFollower) follower = NULL;
  g_autoptr (FpHeapProfile) profile = NULL;
  guint64 n;
  int status;

  start (&recording, folder, g_getenv ("FOOTPRINT_TEST_ENDLESS"));
  follower = follow (&recording);
  n = await_more (follower, 100);
  g_assert_cmpint (kill (recording.pid, SIGKILL), ==, 0);
  status = wait_for_end (&recording);
  g_assert_true (WIFSIGNALED (status));
  profile = open_file (&recording);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  g_assert_cmpuint (profile->total.calls, >=, n);
  g_assert_false (fp_recording_end (&recording));
  remove_folder (g_steal_pointer (&folder));
}

/* A file system of its own that has room for a small piece of a recording. FALSE: it may not be made here */
static gboolean
mount_small (const char *folder)
{
  g_autofree char *options = g_strdup_printf ("size=%d", TMPFS_SIZE);

  return unshare (CLONE_NEWNS) == 0 && mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
         mount ("footprint-test", folder, "tmpfs", 0, options) == 0;
}

static void
test_full_disk (void)
{
  g_autofree char *folder = make_folder ();
  g_auto (FpRecording) recording = { 0 };
  g_autoptr (FpHeapFollower) follower = NULL;
  g_autoptr (FpHeapProfile) profile = NULL;
  int status;

  if (!mount_small (folder))
    {
      remove_folder (g_steal_pointer (&folder));
      g_test_skip ("only root can mount a file system");
      return;
    }
  g_assert_cmpuint (fp_recording_find_room (folder), <=, TMPFS_SIZE);
  start (&recording, folder, g_getenv ("FOOTPRINT_TEST_ENDLESS"));
  follower = follow (&recording);
  await_more (follower, 0);
  while (fp_recording_find_room (folder) > 0)
    g_usleep (10 * 1000);
  g_assert_cmpint (kill (recording.pid, SIGUSR1), ==, 0);
  status = wait_for_end (&recording);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, STATUS);
  profile = open_file (&recording);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  g_assert_cmpuint (profile->total.calls, >, 100);
  g_assert_cmpint (umount2 (folder, MNT_DETACH), ==, 0);
  remove_folder (g_steal_pointer (&folder));
}

/* Each recording has a file of its own, and a program that can't be started leaves none. */
static void
test_files (void)
{
  char *nothing[] = { (char *)"footprint-no-such-program", NULL };
  g_autofree char *folder = make_folder (), *recorder = fp_recorder_find ("/");
  g_auto (FpRecording) first = { 0 }, second = { 0 }, failed = { 0 };
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = NULL;
  guint n = 0;

  start (&first, folder, g_getenv ("FOOTPRINT_TEST_RECORDED"));
  start (&second, folder, g_getenv ("FOOTPRINT_TEST_RECORDED"));
  g_assert_cmpstr (first.path, !=, second.path);
  g_assert_cmpint (wait_for_end (&first), ==, 0);
  g_assert_cmpint (wait_for_end (&second), ==, 0);
  g_assert_false (fp_recording_start (&failed, recorder, folder, nothing, NULL, environment, &error));
  g_assert_error (error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT);
  g_clear_error (&error);
  g_assert_false (fp_recording_start (&failed, recorder, "/proc/no/such/folder", nothing, NULL, environment, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  for (dir = g_dir_open (folder, 0, NULL); g_dir_read_name (dir); n++)
    ;
  g_assert_cmpuint (n, ==, 2);
  remove_folder (g_steal_pointer (&folder));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recording/known", test_known);
  g_test_add_func ("/recording/follow", test_follow);
  g_test_add_func ("/recording/end", test_end);
  g_test_add_func ("/recording/renamed", test_renamed);
  g_test_add_func ("/recording/left", test_left);
  g_test_add_func ("/recording/anew", test_anew);
  g_test_add_func ("/recording/killed", test_killed);
  g_test_add_func ("/recording/files", test_files);
  g_test_add_func ("/recording/full-disk", test_full_disk);
  return g_test_run ();
}
