// SPDX-License-Identifier: GPL-3.0-or-later
#include <time.h>

#include "fp-mount-table.h"

#define ROOT "27 1 254:0 / / rw - ext4 /dev/vda rw\n"

static const FpMount *
find (const FpMountTable *table,
      gint id)
{
  for (guint i = 0; i < table->mounts->len; i++)
    if (g_array_index (table->mounts, FpMount, i).id == id)
      return &g_array_index (table->mounts, FpMount, i);
  g_assert_not_reached ();
}

static void
assert_safe (const char *mountinfo,
             gint id,
             gboolean is_safe)
{
  g_autoptr (FpMountTable) table = fp_mount_table_parse (mountinfo);

  g_assert_cmpint (fp_mount_table_is_safe (table, find (table, id)), ==, is_safe);
}

static void
test_safe (void)
{
  assert_safe (ROOT, 27, TRUE);
  assert_safe (ROOT "30 27 0:5 / /dev rw - devtmpfs x rw\n31 30 0:27 / /dev/shm rw - tmpfs x rw\n", 31, TRUE);
  assert_safe (ROOT "30 27 0:27 / /a/b/c rw - tmpfs x rw\n", 30, TRUE);
}

/* A path may not lead through what may never answer, be it on the way or on the place itself. */
static void
test_unsafe (void)
{
  static const char *const types[] = { "fuse", "fuse.sshfs", "fuseblk", "nfs", "nfs4", "cifs", "9p", "autofs", "virtiofs" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *on_the_way =
          g_strdup_printf (ROOT "40 27 0:30 / /home rw - %s x rw\n41 40 0:31 / /home/cache rw - tmpfs x rw\n", types[i]);
      g_autofree char *hidden =
          g_strdup_printf (ROOT "41 27 0:31 / /home/cache rw - tmpfs x rw\n40 27 0:30 / /home rw - %s x rw\n", types[i]);
      g_autofree char *upon =
          g_strdup_printf (ROOT "41 27 0:31 / /cache rw - tmpfs x rw\n40 41 0:30 / /cache rw - %s x rw\n", types[i]);
      g_autofree char *root = g_strdup_printf ("27 1 0:9 / / rw - %s x rw\n41 27 0:31 / /cache rw - tmpfs x rw\n", types[i]);
      g_autofree char *beside =
          g_strdup_printf (ROOT "40 27 0:30 / /home rw - %s x rw\n41 27 0:31 / /homes rw - tmpfs x rw\n", types[i]);

      assert_safe (on_the_way, 41, FALSE);
      assert_safe (hidden, 41, FALSE);
      assert_safe (upon, 41, FALSE);
      assert_safe (root, 41, FALSE);
      assert_safe (beside, 41, TRUE);
    }
}

/* The path leads to the upper one of two mounts at one place. */
static void
test_hidden (void)
{
  static const char text[] = ROOT "30 27 0:27 / /a rw - tmpfs x rw\n31 30 0:28 / /a rw - tmpfs x rw\n"
                                  "32 27 0:29 / /b/c rw - tmpfs x rw\n33 27 0:30 / /b rw - tmpfs x rw\n";

  assert_safe (text, 30, FALSE);
  assert_safe (text, 31, TRUE);
  assert_safe (text, 32, FALSE);
  assert_safe (text, 33, TRUE);
}

/* Neither without a root nor with mounts that are their own parents does it go on for ever. */
static void
test_odd (void)
{
  assert_safe ("30 27 0:27 / /a rw - tmpfs x rw\n", 30, FALSE);
  assert_safe (ROOT "30 27 0:27 / /a rw - tmpfs x rw\n31 30 0:28 / /a rw - tmpfs x rw\n30 31 0:27 / /a rw - tmpfs x rw\n", 30,
               FALSE);
  assert_safe ("27 27 0:1 / / rw - tmpfs x rw\n", 27, TRUE);
}

/* n of them below a path of 50 parts */
static clock_t
measure_deep (guint n)
{
  g_autoptr (GString) text = g_string_new (ROOT), deep = g_string_new (NULL);
  g_autoptr (FpMountTable) table = NULL;
  clock_t start;

  for (guint i = 0; i < 50; i++)
    g_string_append (deep, "/part");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%u 27 0:%u / %s/%u rw - tmpfs x rw\n", 100 + i, 100 + i, deep->str, i);
  start = clock ();
  table = fp_mount_table_parse (text->str);
  for (guint i = 0; i < table->mounts->len; i++)
    g_assert_true (fp_mount_table_is_safe (table, &g_array_index (table->mounts, FpMount, i)));
  return clock () - start;
}

/* Anyone can make many: ten times as many must not take a hundred times as long. A stack of them is not climbed at all. */
static void
test_many (void)
{
  g_autoptr (GString) stack = g_string_new (ROOT);
  clock_t few = measure_deep (1000), many = measure_deep (10000);

  g_test_message ("%.1f times", (double)many / (double)MAX (few, 1));
#ifndef __SANITIZE_ADDRESS__ /* its functions for texts look at all that is left of one each time */
  g_assert_cmpint (many, <, 40 * MAX (few, CLOCKS_PER_SEC / 1000));
#endif
  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (stack, "%u %u 0:%u / /a rw - tmpfs x rw\n", 100 + i, i == 0 ? 27 : 99 + i, 100 + i);
  assert_safe (stack->str, 100 + 9999, FALSE);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mount-table/safe", test_safe);
  g_test_add_func ("/mount-table/unsafe", test_unsafe);
  g_test_add_func ("/mount-table/hidden", test_hidden);
  g_test_add_func ("/mount-table/odd", test_odd);
  g_test_add_func ("/mount-table/many", test_many);
  return g_test_run ();
}
