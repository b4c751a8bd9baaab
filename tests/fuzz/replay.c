// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz.h"

/* Gives each file of the corpus to its target once, where there is no libFuzzer. */
static void
test_file (gconstpointer path)
{
  g_autofree char *text = NULL;
  g_autofree guint8 *exact = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  exact = g_memdup2 (text, MAX (length, 1));
  g_assert_cmpint (LLVMFuzzerTestOneInput (exact, length), ==, 0);
}

int
main (int argc,
      char **argv)
{
  g_autofree char *target = g_path_get_basename (argv[0]);
  g_autofree char *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GError) error = NULL;
  const char *name;

  g_test_init (&argc, &argv, NULL);
  folder = g_test_build_filename (G_TEST_DIST, "corpus", target, NULL);
  dir = g_dir_open (folder, 0, &error);
  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *test = g_strdup_printf ("/fuzz/%s/%s", target, name);

      g_test_add_data_func_full (test, g_build_filename (folder, name, NULL), test_file, g_free);
    }
  return g_test_run ();
}
