// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-tmpfs-words.h"

#define MIB ((guint64)1 << 20)
#define NOW ((gint64)1700000000)

static const FpFormat format = { .style = FP_STYLE_IEC };

static void
test_age (void)
{
  static const struct
  {
    gint64 age;
    const char *words;
  } ages[] = {
    { -3600, "dated in the future" },
    { -5, "changed just now" },
    { 59, "changed just now" },
    { 60, "changed 1 minute ago" },
    { 3599, "changed 59 minutes ago" },
    { 3600, "changed 1 hour ago" },
    { 86399, "changed 23 hours ago" },
    { 3 * 86400 + 7, "changed 3 days ago" },
    { 60 * 86400, "changed 2 months ago" },
    { 730 * 86400, "changed 2 years ago" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ages); i++)
    {
      g_autofree char *words = fp_tmpfs_describe_age (NOW - ages[i].age, NOW);

      g_assert_cmpstr (words, ==, ages[i].words);
    }
}

static FpTmpfsFiles *
make_files (guint n)
{
  FpTmpfsFiles *files = g_new0 (FpTmpfsFiles, 1);

  files->files = g_array_new (FALSE, FALSE, sizeof (FpTmpfsFile));
  g_array_set_clear_func (files->files, NULL);
  files->is_whole = files->has_used = TRUE;
  for (guint i = 0; i < n; i++)
    {
      const FpTmpfsFile file = { .path = (char *)(i ? "b/c\n" : "a"), .owner = (char *)(i ? NULL : "anna"), .used = (n - i) * MIB, .uid = 1234, .modified_s = NOW - 3600 };

      g_array_append_val (files->files, file);
      files->seen += file.used;
    }
  files->n_files = n;
  return files;
}

static void
assert_item (FpMachineItems *items,
             guint i,
             const char *name,
             guint64 bytes,
             const char *remark)
{
  const FpMachineItem *item = g_ptr_array_index (items, i);

  g_assert_cmpstr (item->name, ==, name);
  g_assert_cmpstr (item->remark, ==, remark);
  if (bytes == G_MAXUINT64)
    g_assert_cmpint (item->figure.kind, ==, FP_FIGURE_UNKNOWN);
  else
    g_assert_cmpuint (item->figure.low, ==, bytes);
}

static void
assert_summary (const FpTmpfsFiles *files,
                const char *expected)
{
  g_autofree char *summary = fp_tmpfs_describe_files (files, &format);

  g_assert_cmpstr (summary, ==, expected);
}

/* All that is used is in the list: the files, the smaller ones, and the rest that was not seen. */
static void
test_items (void)
{
  g_autoptr (FpTmpfsFiles) files = make_files (2);
  g_autoptr (GPtrArray) items = NULL;

  files->n_files = 7;
  files->seen += MIB;
  items = fp_tmpfs_list_items (files, NOW);
  g_assert_cmpuint (items->len, ==, 3);
  assert_item (items, 0, "a", 2 * MIB, "anna · changed 1 hour ago");
  assert_item (items, 1, "b/c\\n", MIB, "user 1234 · changed 1 hour ago");
  assert_item (items, 2, "5 smaller files", MIB, NULL);
  assert_summary (files, "4.0\u00a0MiB in 7 files");
  g_clear_pointer (&items, g_ptr_array_unref);

  files->not_seen = 3 * MIB;
  items = fp_tmpfs_list_items (files, NOW);
  assert_item (items, 3, "Not seen", 3 * MIB, "Deleted files that a program still holds open");
  g_clear_pointer (&items, g_ptr_array_unref);
  files->n_closed = 2;
  items = fp_tmpfs_list_items (files, NOW);
  assert_item (items, 3, "Not seen", 3 * MIB, "In 2 folders that you may not open, or deleted files that a program still holds open");
  assert_summary (files, "7.0\u00a0MiB in at least 7 files");
  g_clear_pointer (&items, g_ptr_array_unref);
  files->n_too_deep = 1;
  items = fp_tmpfs_list_items (files, NOW);
  assert_item (items, 3, "Not seen", 3 * MIB,
               "In 3 folders that are closed to you or too deep to be opened, or deleted files that a program still holds open");
  g_clear_pointer (&items, g_ptr_array_unref);
  files->n_closed = 0;
  items = fp_tmpfs_list_items (files, NOW);
  assert_item (items, 3, "Not seen", 3 * MIB, "In 1 folder that is too deep to be opened, or deleted files that a program still holds open");
  assert_summary (files, "7.0\u00a0MiB in at least 7 files");
}

/* A sum is a lower end where the kernel does not tell how much is used, and the rest is not known. */
static void
test_unknown (void)
{
  g_autoptr (FpTmpfsFiles) files = make_files (1);
  g_autoptr (GPtrArray) items = NULL;

  files->has_used = FALSE;
  assert_summary (files, "1.0\u00a0MiB in 1 file");
  items = fp_tmpfs_list_items (files, NOW);
  g_assert_cmpuint (items->len, ==, 1);
  g_clear_pointer (&items, g_ptr_array_unref);
  files->n_closed = 1;
  items = fp_tmpfs_list_items (files, NOW);
  assert_item (items, 1, "Not seen", G_MAXUINT64, "In 1 folder that you may not open, or deleted files that a program still holds open");
  assert_summary (files, "≥\u00a01.0\u00a0MiB in at least 1 file");
  g_clear_pointer (&items, g_ptr_array_unref);
  files->is_whole = FALSE;
  files->n_found = 500000;
  items = fp_tmpfs_list_items (files, NOW);
  assert_item (items, 1, "Not seen", G_MAXUINT64, "There are too many files and folders to look at; these are the biggest of the first 500000");
}

/* A path is copied as it is, unless a shell would take it for something else. */
static void
test_quoted (void)
{
  static const char *const paths[][2] = {
    { "/tmp/build-1.2_x/a+b,c:d@e%f=g", "/tmp/build-1.2_x/a+b,c:d@e%f=g" },
    { "/tmp/größer", "/tmp/größer" },
    { "/tmp/two words", "'/tmp/two words'" },
    { "/tmp/$(reboot)", "'/tmp/$(reboot)'" },
    { "/tmp/it's", "'/tmp/it'\\''s'" },
    { "/tmp/a*", "'/tmp/a*'" },
    { "/tmp/a\nreboot", "$'/tmp/a\\nreboot'" },
    { "/tmp/\033[2J", "$'/tmp/\\033[2J'" },
    { "/tmp/it's\xff\\", "$'/tmp/it\\'s\\377\\\\'" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autofree char *quoted = fp_tmpfs_quote_path (paths[i][0]);

      g_assert_cmpstr (quoted, ==, paths[i][1]);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tmpfs-words/age", test_age);
  g_test_add_func ("/tmpfs-words/items", test_items);
  g_test_add_func ("/tmpfs-words/unknown", test_unknown);
  g_test_add_func ("/tmpfs-words/quoted", test_quoted);
  return g_test_run ();
}
