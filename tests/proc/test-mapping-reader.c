// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-mapping-reader.h"

static void
open_desktop (FpProcDir *proc)
{
  g_autofree char *root = fixture_get_original ("desktop");
  g_autofree char *path = g_build_filename (root, "proc", NULL);

  g_assert_true (fp_proc_dir_open (proc, path, NULL));
}

static void
test_read (void)
{
  static const char *const names[] = {
    "/usr/lib/x86_64-linux-gnu/libc.so.6",
    "/usr/lib/firefox/libxul.so",
    "[anon:firefox zygote]",
    "/memfd:mozilla-ipc (deleted)",
    "/memfd:wayland-shm (deleted)",
    "/usr/lib/firefox/firefox",
    "[heap]",
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  guint64 rss = 0;
  FpProcDir proc;

  open_desktop (&proc);
  mappings = fp_mappings_read (&proc, &(FpProcessId){ 1200, 5000 }, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      g_assert_cmpstr (mapping.name, ==, names[i]);
      rss += fp_memory_get (&mapping.memory, FP_FIELD_RSS);
    }
  g_assert_cmpuint (rss, ==, (guint64)(1640 + 98304 + 18432 + 12288 + 16384 + 600 + 262144) * 1024);
  fp_proc_dir_close (&proc);
}

static void
test_refused (void)
{
  /* Another start time, nobody there, a zombie. */
  static const FpProcessId ids[] = { { 1200, 5001 }, { 99, 5000 }, { 1650, 8300 } };
  FpProcDir proc;

  open_desktop (&proc);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpMappings) mappings = fp_mappings_read (&proc, &ids[i], NULL, &error);

      g_assert_null (mappings);
      g_assert_error (error, G_FILE_ERROR, (gint)g_file_error_from_errno (ESRCH));
    }
  fp_proc_dir_close (&proc);
}

static void
test_cancelled (void)
{
  const gint cancelled = TRUE;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  FpProcDir proc;

  open_desktop (&proc);
  mappings = fp_mappings_read (&proc, &(FpProcessId){ 1200, 5000 }, &cancelled, &error);
  g_assert_null (mappings);
  g_assert_nonnull (error);
  fp_proc_dir_close (&proc);
}

/* A name of PATH_MAX newlines, each written as 4 characters, between others. */
static void
test_longest_name (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) text = g_string_new ("1000-2000 rw-p 0 0:0 0 [heap]\nRss: 8 kB\n2000-3000 r--p 0 fd:1 9 /");
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  FpMapping mapping;
  FpProcDir proc;

  for (guint i = 0; i < 4094; i++)
    g_string_append (text, "\\012");
  g_string_append (text, "\nRss: 16 kB\n3000-4000 rw-p 0 0:0 0 [stack]\nRss: 24 kB\n");
  fixture_copy (&fixture, "desktop");
  fixture_write (&fixture, "1500/smaps", text->str, -1);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  mappings = fp_mappings_read (&proc, &(FpProcessId){ 1500, 7100 }, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      fp_mappings_get (mappings, i, &mapping);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_RSS), ==, 8192 * (i + 1));
    }
  g_assert_cmpstr (mapping.name, ==, "[stack]");
  fp_proc_dir_close (&proc);
}

/* Our own, as the kernel has it. */
static void
test_live (void)
{
  g_autofree char *text = NULL, *stat = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  gboolean has_stack = FALSE;
  FpProcessId id = { getpid (), 0 };
  FpProcDir proc;

  g_assert_true (g_file_get_contents ("/proc/self/stat", &stat, NULL, NULL));
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  sscanf (strrchr (stat, ')'), ") %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                               "%lu",
          &id.start_ticks);
  mappings = fp_mappings_read (&proc, &id, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fp_mappings_get_n (mappings), >, 10);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      has_stack |= strcmp (mapping.name, "[stack]") == 0;
    }
  g_assert_true (has_stack);
  fp_proc_dir_close (&proc);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/mapping-reader/read", test_read);
  g_test_add_func ("/proc/mapping-reader/refused", test_refused);
  g_test_add_func ("/proc/mapping-reader/cancelled", test_cancelled);
  g_test_add_func ("/proc/mapping-reader/longest-name", test_longest_name);
  g_test_add_func ("/proc/mapping-reader/live", test_live);
  return g_test_run ();
}
