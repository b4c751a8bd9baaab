// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/sysmacros.h>

#include "fp-mounts.h"
#include "fp-proc-dir.h"

#define ROOT      "27 1 254:0 / / rw - ext4 /dev/vda rw\n"
#define LONG_NAME 40000 /* more than is read at once */
#define MANY      60000 /* of 81 bytes: more than are read at all */
#define MANY_LONG 100   /* of 80,000 bytes: the same */

static const FpMount *
get (const GArray *mounts,
     guint n)
{
  return &g_array_index (mounts, FpMount, n);
}

static void
test_parse (void)
{
  g_autoptr (GArray) mounts = fp_mounts_parse (
      ROOT "30 27 0:27 /a\\040b /mnt/x\\040y\\011z\\134 rw,relatime shared:4 master:1 - tmpfs none rw,size=4k\n"
           "nonsense\n31 27 0:28 / relative rw - tmpfs x rw\n32 27 0:29\n33 27 0:30 / /short rw\n"
           "34 27 0:4 net:[4026531992] /run/netns/a rw - nsfs  rw\n");

  g_assert_cmpuint (mounts->len, ==, 3);
  g_assert_cmpint (get (mounts, 0)->id, ==, 27);
  g_assert_cmphex (get (mounts, 0)->device, ==, makedev (254, 0));
  g_assert_cmpint (get (mounts, 1)->parent, ==, 27);
  g_assert_cmphex (get (mounts, 1)->device, ==, makedev (0, 27));
  g_assert_cmpstr (get (mounts, 1)->root, ==, "/a b");
  g_assert_cmpstr (get (mounts, 1)->point, ==, "/mnt/x y\tz\\");
  g_assert_cmpstr (get (mounts, 1)->type, ==, "tmpfs");
  g_assert_cmpstr (get (mounts, 1)->options, ==, "rw,size=4k");
  g_assert_cmpstr (get (mounts, 2)->root, ==, "net:[4026531992]");
  g_assert_cmpstr (get (mounts, 2)->type, ==, "nsfs");
  g_assert_cmpstr (get (mounts, 2)->options, ==, "rw");
}

/* (transfer full): a folder whose mountinfo is this */
static char *
make_folder (const char *text)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp (NULL, &error);
  g_autofree char *file = g_build_filename (folder, "mountinfo", NULL);

  g_assert_no_error (error);
  g_file_set_contents (file, text, -1, &error);
  g_assert_no_error (error);
  return folder;
}

static void
remove_folder (const char *folder)
{
  g_autofree char *file = g_build_filename (folder, "mountinfo", NULL);

  g_assert_cmpint (g_remove (file), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static gboolean
hides (const char *text)
{
  g_autofree char *folder = make_folder (text);
  g_auto (FpFd) dir = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  gboolean is_hiding = fp_mounts_hide_at (dir);

  remove_folder (folder);
  return is_hiding;
}

static void
test_hidepid (void)
{
  static const struct
  {
    const char *text;
    gboolean hides;
  } cases[] = {
    { "", FALSE },
    { "22 28 0:21 / /proc rw,nosuid shared:13 - proc proc rw\n", FALSE },
    { "22 28 0:21 / /proc rw - proc proc rw,hidepid=0\n", FALSE },
    { "22 28 0:21 / /proc rw - proc proc rw,hidepid=off\n", FALSE },
    { "22 28 0:21 / /proc rw shared:13 - proc proc rw,gid=4,hidepid=2\n", TRUE },
    { "22 28 0:21 / /proc rw shared:13 - proc proc rw,hidepid=invisible\n", TRUE },
    { "22 28 0:21 / /proc rw - proc none rw,hidepid=noaccess\n", TRUE },
    { "22 28 0:21 / /proc rw - proc  rw,hidepid=noaccess\n", TRUE },
    { "22 28 0:21 / /proc rw - proc proc rw,hidepid=ptraceable,subset=pid\n", TRUE },
    { "22 28 0:21 / /proc rw - proc proc rw\n30 22 0:50 / /srv/proc rw - proc proc rw,hidepid=1\n", TRUE },
    { "40 28 8:1 / /mnt rw - ext4 /dev/sda1 rw,hidepid=2\n", FALSE },
    { "22 28 0:21 / /proc rw,hidepid=2 - proc proc rw\n", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (hides (cases[i].text), ==, cases[i].hides);
}

/* Mounts of others, however many and with whatever names, neither hide processes nor a /proc that does. */
static void
test_many (void)
{
  g_autoptr (GString) text = g_string_new (ROOT);
  g_autofree char *name = g_strnfill (LONG_NAME, 'a');

  for (guint i = 0; i < MANY_LONG; i++)
    g_string_append_printf (text, "%u 27 0:%u / /%s rw - fuse.x %s rw,user_id=1000\n", 100 + i, i, name, name);
  g_assert_false (hides (text->str));
  g_string_append (text, "22 28 0:21 / /proc rw - proc proc rw,hidepid=2\n");
  g_assert_true (hides (text->str));
}

/* (transfer full): the mounts of a folder whose mountinfo is this */
static GArray *
read_text (const char *text,
           gboolean *is_cut)
{
  g_autofree char *folder = make_folder (text);
  g_auto (FpFd) dir = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  GArray *mounts = fp_mounts_read (dir, is_cut);

  remove_folder (folder);
  g_assert_null (fp_mounts_read (dir, is_cut));
  return mounts;
}

/* An overlay may name hundreds of folders: its line is read whole, and those behind it are not lost. */
static void
test_long_line (void)
{
  g_autofree char *name = g_strnfill (LONG_NAME, 'a');
  g_autofree char *text =
      g_strdup_printf (ROOT "30 27 0:30 / /a rw - overlay o rw,lowerdir=/%s\n31 27 0:31 / /b rw - tmpfs x rw\n", name);
  gboolean is_cut = TRUE;
  g_autoptr (GArray) mounts = read_text (text, &is_cut);

  g_assert_false (is_cut);
  g_assert_cmpuint (mounts->len, ==, 3);
  g_assert_cmpuint (strlen (get (mounts, 1)->options), ==, strlen ("rw,lowerdir=/") + LONG_NAME);
  g_assert_cmpstr (get (mounts, 2)->point, ==, "/b");
}

/* A text that is too long is said to be cut, and the line at the cut is not half a mount. */
static void
test_cut (void)
{
  g_autoptr (GString) text = g_string_new (ROOT);
  g_autoptr (GArray) mounts = NULL;
  gboolean is_cut = FALSE;

  for (guint i = 0; i < MANY; i++)
    g_string_append_printf (text, "%05u 27 0:%05u / /folder/%05u rw,relatime - tmpfs a-source-of-so-many-letters rw\n", i, i, i);
  mounts = read_text (text->str, &is_cut);
  g_assert_true (is_cut);
  g_assert_cmpuint (mounts->len, >, MANY / 2);
  g_assert_cmpuint (mounts->len, <, MANY);
  for (guint i = 1; i < mounts->len; i++)
    g_assert_cmpstr (get (mounts, i)->options, ==, "rw");
}

/* The mounts of both tables that count. */
static void
test_here (void)
{
  static const char *const files[] = { "/proc/self/mountinfo", "/proc/1/mountinfo" };
  gboolean is_hiding = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *text = NULL;

      is_hiding |= !g_file_get_contents (files[i], &text, NULL, NULL) || hides (text);
    }
  g_assert_cmpint (fp_mounts_hide_processes (), ==, is_hiding);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mounts/parse", test_parse);
  g_test_add_func ("/mounts/hidepid", test_hidepid);
  g_test_add_func ("/mounts/many", test_many);
  g_test_add_func ("/mounts/long-line", test_long_line);
  g_test_add_func ("/mounts/cut", test_cut);
  g_test_add_func ("/mounts/here", test_here);
  return g_test_run ();
}
