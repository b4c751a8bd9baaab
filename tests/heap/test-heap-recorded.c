// SPDX-License-Identifier: GPL-3.0-or-later
/* Real recordings: of a program whose allocations are known, and of others, for which heaptrack_print says what is in them. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "fp-heap-places.h"
#include "heap-writer.h"
#include "test-length.h"

/* heaptrack 1.5 and before can take all memory, and Python has arenas of its own. */
#define PREPARE                                                           \
  "ulimit -v 4000000; SOURCE='%s/source.c'; export PYTHONMALLOC=malloc; " \
  "for i in $(seq 300); do echo \"int f$i (int a) { return a * $i; }\"; done >\"$SOURCE\"; "

static char *
run (char *first,
     ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *errors = NULL;
  char *out = NULL;
  va_list arguments;
  int status;

  va_start (arguments, first);
  for (char *argument = first; argument; argument = va_arg (arguments, char *))
    g_ptr_array_add (argv, argument);
  va_end (arguments);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **)argv->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &errors, &status, &error);
  g_assert_no_error (error);
  if (!g_spawn_check_wait_status (status, NULL))
    g_error ("%s failed: %s", first, errors);
  return out;
}

/* Recordings are kept in a folder, which goes with the test. */
static char *
make_folder (void)
{
  char *folder = g_dir_make_tmp ("footprint-heap-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return folder;
}

static void
remove_folder (char *folder)
{
  g_free (run ((char *)"rm", (char *)"-rf", folder, NULL));
  g_free (folder);
}

static char *
find_only_file (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = g_dir_read_name (dir);

  g_assert_nonnull (name);
  return g_build_filename (folder, name, NULL);
}

static FpHeapProfile *
open_profile (const char *path)
{
  g_autoptr (GError) error = NULL;
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  FpHeapProfile *profile;

  g_assert_cmpint (fd, >=, 0);
  profile = fp_heap_profile_read (fd, NULL, NULL, &error);
  close (fd);
  g_assert_no_error (error);
  return profile;
}

/* Versions of heaptrack write names of C++ with their arguments and where they are, or without. From 1.5 on a function that was
 * inlined is named after the one it is in, too: “outer::inner”. */
static gboolean
is_called (const char *function,
           const char *name)
{
  const char *arguments = strrchr (function, '(');
  g_autofree char *bare = g_strndup (function, arguments && arguments > function ? (gsize)(arguments - function) : strlen (function));
  g_autofree char *inner = g_strconcat ("::", name, NULL);

  return strcmp (bare, name) == 0 || g_str_has_suffix (bare, inner);
}

static const FpHeapPlace *
find_function (const FpHeapProfile *profile,
               const GArray *places,
               const char *name)
{
  for (guint i = 0; i < places->len; i++)
    {
      const FpHeapPlace *place = &g_array_index (places, FpHeapPlace, i);

      if (place->node && is_called (fp_heap_profile_get_text (profile, fp_heap_profile_get_frame (profile, place->node)->function), name))
        return place;
    }
  g_error ("%s is not in the profile", name);
}

typedef struct
{
  const char *function;
  guint64 calls, temporary, peak, leaked;
} Known;

static void
assert_known (const FpHeapProfile *profile,
              const GArray *places,
              const Known *known)
{
  const FpHeapPlace *place = find_function (profile, places, known->function);

  g_test_message ("%s", known->function);
  g_assert_cmpuint (place->own.calls, ==, known->calls);
  g_assert_cmpuint (place->own.temporary, ==, known->temporary);
  g_assert_cmpuint (place->own.peak.bytes, ==, known->peak);
  g_assert_cmpuint (place->own.leaked.bytes, ==, known->leaked);
}

static FpHeapProfile *
record (const char *folder,
        const char *program)
{
  g_autofree char *output = g_build_filename (folder, "recording", NULL), *path = NULL;
  FpHeapProfile *profile;

  g_free (run ((char *)"heaptrack", (char *)"-o", output, (char *)program, NULL));
  path = find_only_file (folder);
  profile = open_profile (path);
  g_assert_cmpint (profile->condition, ==, FP_HEAP_COMPLETE);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  g_assert_cmpstr (profile->command, ==, program);
  return profile;
}

/* realloc() frees before it allocates, so that every step of growth is temporary. A recording does not tell blocks of one size
 * and path apart, so that the first block that is freed after the last one was allocated counts as that. */
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
    { "fill", 50, 1, 5000000, 0 },
    { "work", 400, 1, 0, 0 },
  };
  g_autofree char *folder = make_folder ();
  g_autoptr (FpHeapProfile) profile = record (folder, g_getenv ("FOOTPRINT_TEST_RECORDED"));
  g_autoptr (GArray) places = NULL;
  const FpHeapPlace *place;

  places = fp_heap_places_new (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    assert_known (profile, places, &known[i]);
  place = find_function (profile, places, "outer");
  g_assert_cmpuint (place->own.calls, ==, 0);
  g_assert_cmpuint (place->all.leaked.bytes, ==, 154);
  place = find_function (profile, places, "recurse");
  g_assert_cmpuint (place->all.calls, ==, 20);
  fp_heap_places_sort (places, FP_HEAP_PEAK);
  g_assert_cmpstr (fp_heap_profile_get_text (profile, fp_heap_profile_get_frame (profile, g_array_index (places, FpHeapPlace, 0).node)->function), ==, "fill");
  remove_folder (g_steal_pointer (&folder));
}

static void
test_huge (void)
{
  static const Known known = { "reach", 2, 0, ((guint64)9 << 30) + 4, ((guint64)4 << 30) + 3 };
  g_autofree char *folder = NULL;
  g_autoptr (FpHeapProfile) profile = NULL;
  g_autoptr (GArray) places = NULL;
  void *volatile block = malloc (((gsize)5 << 30) + 1);

  if (!block)
    {
      g_test_skip ("this machine gives no block of 5 GiB");
      return;
    }
  free (block);
  folder = make_folder ();
  g_setenv ("FOOTPRINT_TEST_REACH", "1", TRUE);
  profile = record (folder, g_getenv ("FOOTPRINT_TEST_RECORDED"));
  g_unsetenv ("FOOTPRINT_TEST_REACH");
  places = fp_heap_places_new (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  assert_known (profile, places, &known);
  remove_folder (g_steal_pointer (&folder));
}

/* Blocks of operator new and of the standard library count for the function that wants them, by its name in the source. */
static void
test_cxx (void)
{
  static const Known known[] = {
    { "name_all", 20, 0, 10320, 10320 },
    { "fill", 21, 20, 16000, 8000 },
  };
  const char *program = g_getenv ("FOOTPRINT_TEST_RECORDED_CXX");
  g_autofree char *folder = NULL;
  g_autoptr (FpHeapProfile) profile = NULL;
  g_autoptr (GArray) places = NULL;
  const FpHeapPlace *place;

  if (!*program)
    {
      g_test_skip ("there is no compiler for C++ here");
      return;
    }
  folder = make_folder ();
  profile = record (folder, program);
  places = fp_heap_places_new (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    assert_known (profile, places, &known[i]);
  /* 1, 2, 4, … 1,024 numbers */
  place = find_function (profile, places, "grow");
  g_assert_cmpuint (place->own.calls, ==, 11);
  g_assert_cmpuint (place->own.leaked.bytes, ==, 0);
  remove_folder (g_steal_pointer (&folder));
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* heaptrack_print writes functions that were inlined the other way round, so that the names of a path are compared without
 * their order. It goes on beyond main() where something is inlined into that, and adds files in brackets. */
static char *
make_key (const char *path)
{
  g_autofree char *stripped = g_strdup (path);
  g_auto (GStrv) names = NULL;
  guint begin = 0;

  if (g_str_has_suffix (stripped, ";"))
    stripped[strlen (stripped) - 1] = '\0';
  names = g_strsplit (stripped, ";", -1);
  for (guint i = 0; names[i] && *names[i]; i++)
    {
      char *open = g_str_has_suffix (g_strstrip (names[i]), ")") ? g_strrstr (names[i], " (") : NULL;

      if (open)
        *open = '\0';
      if (strcmp (names[i], "main") == 0)
        begin = i;
    }
  qsort (names + begin, g_strv_length (names) - begin, sizeof *names, compare_names);
  return g_strjoinv (";", names + begin);
}

static void
add_line (GHashTable *lines,
          const char *path,
          guint64 cost)
{
  g_autofree char *key = make_key (path);
  guint64 *sum = g_hash_table_lookup (lines, key);

  if (cost == 0)
    return;
  if (!sum)
    {
      sum = g_new0 (guint64, 1);
      g_hash_table_insert (lines, g_steal_pointer (&key), sum);
    }
  *sum += cost;
}

static GHashTable *
print_flame_graph (const char *path,
                   const char *folder,
                   const char *cost)
{
  GHashTable *lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autofree char *file = g_build_filename (folder, "flames", NULL), *text = NULL;
  g_auto (GStrv) split = NULL;

  g_free (run ((char *)"heaptrack_print", (char *)"--shorten-templates=0", (char *)"-F", file, (char *)"--flamegraph-cost-type", (char *)cost, (char *)path, NULL));
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  split = g_strsplit (text, "\n", -1);
  for (guint i = 0; split[i] && *split[i]; i++)
    {
      char *blank = strrchr (split[i], ' ');

      g_assert_nonnull (blank);
      *blank = '\0';
      add_line (lines, split[i], g_ascii_strtoull (blank + 1, NULL, 10));
    }
  return lines;
}

static char *
name_path (const FpHeapProfile *profile,
           guint32 node)
{
  GString *path = g_string_new (node ? NULL : "??");

  for (; node; node = fp_heap_profile_get_parent (profile, node))
    {
      const FpHeapFrame *frame = fp_heap_profile_get_frame (profile, node);
      g_autofree char *address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", frame->address);

      g_string_prepend (path, path->len > 0 ? ";" : "");
      g_string_prepend (path, frame->function ? fp_heap_profile_get_text (profile, frame->function) : address);
    }
  return g_string_free (path, FALSE);
}

static GHashTable *
list_stacks (const FpHeapProfile *profile,
             FpHeapCost cost)
{
  GHashTable *lines = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < profile->stacks->len; i++)
    {
      const FpHeapStack *stack = fp_heap_profile_get_stack (profile, i);
      g_autofree char *path = name_path (profile, stack->node);

      add_line (lines, path, fp_heap_stack_get_cost (stack, cost));
    }
  return lines;
}

/* first: the stack of the first allocation, of which heaptrack_print counts frees after any other as temporary */
static void
assert_same (GHashTable *expected,
             GHashTable *lines,
             const char *cost,
             const char *first)
{
  GHashTableIter iter;
  gpointer key, sum;

  g_hash_table_remove (expected, first);
  g_hash_table_remove (lines, first);
  g_hash_table_iter_init (&iter, expected);
  while (g_hash_table_iter_next (&iter, &key, &sum))
    {
      const guint64 *own = g_hash_table_lookup (lines, key);

      if (!own || *own != *(guint64 *)sum)
        g_error ("%s of %s: %" G_GUINT64_FORMAT " instead of %" G_GUINT64_FORMAT, cost, (const char *)key, own ? *own : 0, *(guint64 *)sum);
    }
  g_assert_cmpuint (g_hash_table_size (lines), ==, g_hash_table_size (expected));
}

static void
test_real (gconstpointer command)
{
  static const struct
  {
    const char *name;
    FpHeapCost cost;
  } costs[] = { { "allocations", FP_HEAP_CALLS }, { "temporary", FP_HEAP_TEMPORARY }, { "leaked", FP_HEAP_LEAKED }, { "peak", FP_HEAP_PEAK } };
  g_autofree char *folder = make_folder (), *other = make_folder (), *output = g_build_filename (folder, "recording", NULL);
  g_autofree char *line = g_strdup_printf (PREPARE "RECORD=\"heaptrack -o %s\"; %s", other, output, (const char *)command);
  g_autofree char *path = NULL, *first = NULL, *first_key = NULL;
  g_autoptr (FpHeapProfile) profile = NULL;

  g_free (run ((char *)"sh", (char *)"-c", line, NULL));
  path = find_only_file (folder);
  profile = open_profile (path);
  g_assert_cmpint (profile->condition, ==, FP_HEAP_COMPLETE);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  g_assert_cmpuint (profile->stacks->len, >, 10);
  first = name_path (profile, fp_heap_profile_get_stack (profile, 0)->node);
  first_key = make_key (first);
  for (guint i = 0; i < G_N_ELEMENTS (costs); i++)
    {
      g_autoptr (GHashTable) expected = print_flame_graph (path, other, costs[i].name), lines = list_stacks (profile, costs[i].cost);

      g_assert_cmpuint (g_hash_table_size (expected), >, 1);
      assert_same (expected, lines, costs[i].name, costs[i].cost == FP_HEAP_TEMPORARY ? first_key : "");
    }
  g_test_message ("%u stacks, %" G_GUINT64_FORMAT " allocations", profile->stacks->len, profile->total.calls);
  remove_folder (g_steal_pointer (&folder));
  remove_folder (g_steal_pointer (&other));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (test_is_first_build ())
    {
      g_test_add_func ("/heap/recorded/known", test_known);
      g_test_add_func ("/heap/recorded/huge", test_huge);
      g_test_add_func ("/heap/recorded/cxx", test_cxx);
      g_test_add_data_func ("/heap/recorded/sort", "$RECORD sort -o /dev/null \"$SOURCE\"", test_real);
    }
  if (test_takes_all ())
    {
      g_test_add_data_func ("/heap/recorded/python", "$RECORD /usr/bin/python3 -c 'import json; json.dumps([{str(i): [i]} for i in range(3000)])'", test_real);
      g_test_add_data_func ("/heap/recorded/compiler", "$RECORD $(cc -print-prog-name=cc1) -quiet -O1 -o /dev/null \"$SOURCE\"", test_real);
    }
  if (test_is_long () && *g_getenv ("FOOTPRINT"))
    {
      /* Without what is inlined into its main(), beyond which heaptrack_print goes on */
      g_test_add_data_func ("/heap/recorded/window",
                            "strip --strip-debug -o \"$SOURCE.window\" \"$FOOTPRINT\" && "
                            "\"$FOOTPRINT_WITH_SESSION\" $RECORD \"$SOURCE.window\" --screenshot \"$SOURCE.png\"",
                            test_real);
    }
  return g_test_run ();
}
