// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-mounts.h"

static void
test_parse (void)
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
    { "22 28 0:21 / /proc rw - proc none rw,hidepid=noaccess", TRUE },
    { "22 28 0:21 / /proc rw - proc proc rw,hidepid=ptraceable,subset=pid\n", TRUE },
    { "22 28 0:21 / /proc rw - proc proc rw\n30 22 0:50 / /srv/proc rw - proc proc rw,hidepid=1\n", TRUE },
    { "40 28 8:1 / /mnt rw - ext4 /dev/sda1 rw,hidepid=2\n", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (fp_mounts_parse (cases[i].text), ==, cases[i].hides);
}

/* Of both mount tables that count. */
static void
test_here (void)
{
  g_autofree char *here = NULL, *first = NULL;

  g_file_get_contents ("/proc/self/mountinfo", &here, NULL, NULL);
  g_file_get_contents ("/proc/1/mountinfo", &first, NULL, NULL);
  g_assert_cmpint (fp_mounts_hide_processes (), ==,
                   !here || !first || fp_mounts_parse (here) || fp_mounts_parse (first));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mounts/parse", test_parse);
  g_test_add_func ("/mounts/here", test_here);
  return g_test_run ();
}
