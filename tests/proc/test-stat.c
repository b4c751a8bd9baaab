// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fp-stat.h"

/* Fields 3 to 52 behind the name, each its own number. */
#define NUMBERS                                                                                    \
  "S 7 103 104 34817 -1 4194304 110 111 112 113 114 115 116 117 20 -5 18 0 1922 123000 24 "        \
  "18446744073709551615 126000 127000 128000 129 130 131 132 133 134 135 136 137 138 139 140 141 " \
  "142 143 144 145 146 147 148000 149000 150 151 0\n"

static gboolean
parse (FpStat *stat,
       const char *text,
       gsize length)
{
  /* Without a byte behind its end, so that a sanitizer sees a reading past it. */
  g_autofree char *exact = g_memdup2 (text, MAX (length, 1));

  *stat = (FpStat){ 0 };
  return fp_stat_parse (stat, exact, length);
}

static gboolean
parse_text (FpStat *stat,
            const char *text)
{
  return parse (stat, text, strlen (text));
}

static void
assert_numbers (const FpStat *stat)
{
  g_assert_cmpint (stat->state, ==, 'S');
  g_assert_cmpint (stat->ppid, ==, 7);
  g_assert_false (stat->is_kernel_thread);
  g_assert_cmpuint (stat->fingerprint.minor_faults, ==, 110);
  g_assert_cmpuint (stat->fingerprint.children_minor_faults, ==, 111);
  g_assert_cmpuint (stat->fingerprint.major_faults, ==, 112);
  g_assert_cmpuint (stat->fingerprint.children_major_faults, ==, 113);
  g_assert_cmpuint (stat->user_ticks, ==, 114);
  g_assert_cmpuint (stat->system_ticks, ==, 115);
  g_assert_cmpuint (stat->n_threads, ==, 18);
  g_assert_cmpuint (stat->start_ticks, ==, 1922);
  g_assert_cmpuint (stat->fingerprint.vsize, ==, 123000);
  g_assert_cmpuint (stat->fingerprint.rss_pages, ==, 24);
}

static void
test_all_fields (void)
{
  FpStat stat;

  g_assert_true (parse_text (&stat, "42 (bash) " NUMBERS));
  g_assert_cmpstr (stat.comm, ==, "bash");
  g_assert_cmpuint (stat.comm_length, ==, 4);
  assert_numbers (&stat);
  g_assert_cmpuint (stat.image.start_code, ==, 126000);
  g_assert_cmpuint (stat.image.start_stack, ==, 128000);
  g_assert_cmpuint (stat.image.arg_start, ==, 148000);
  g_assert_cmpuint (stat.image.arg_end, ==, 149000);
}

static void
test_names (void)
{
  static const char *const names[] = {
    "a) R 1 (b\n\\c \xff",
    "",
    " ",
    ")",
    "(",
    "((",
    "))",
    ") S 1 2 3 4",
    "(sd-pam)",
    "a\tb",
    "\xe2\x80\xae",
    "Isolated Web Co",
    "kworker/u8:2-events_unbound-and-a-very-long-workqueue-name-of-6",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = g_strdup_printf ("42 (%s) %s", names[i], NUMBERS);
      FpStat stat;

      g_assert_true (parse_text (&stat, text));
      g_assert_cmpmem (stat.comm, stat.comm_length, names[i], strlen (names[i]));
      g_assert_cmpint (stat.comm[stat.comm_length], ==, '\0');
      assert_numbers (&stat);
    }
}

static void
test_name_too_long (void)
{
  g_autofree char *name = g_strnfill (5000, 'x');
  g_autofree char *text = g_strdup_printf ("42 (%s) %s", name, NUMBERS);
  FpStat stat;

  g_assert_true (parse_text (&stat, text));
  g_assert_cmpuint (stat.comm_length, ==, sizeof stat.comm - 1);
  assert_numbers (&stat);
}

/* A figure that is cut off may be missing, never wrong. */
static void
test_truncated (void)
{
  static const char text[] = "42 (a) R 1 (b\n\\c \xff) " NUMBERS;
  guint n_accepted = 0;

  for (gsize length = 0; length <= strlen (text); length++)
    {
      FpStat stat;

      if (!parse (&stat, text, length))
        continue;
      n_accepted++;
      assert_numbers (&stat);
      g_assert_cmpmem (stat.comm, stat.comm_length, "a) R 1 (b\n\\c \xff", 14);
      g_assert_true (stat.image.start_code == 0 || stat.image.start_code == 126000);
      g_assert_true (stat.image.start_stack == 0 || stat.image.start_stack == 128000);
      g_assert_true (stat.image.arg_start == 0 || stat.image.arg_start == 148000);
      g_assert_true (stat.image.arg_end == 0 || stat.image.arg_end == 149000);
    }
  g_assert_cmpuint (n_accepted, >, 100);
  g_assert_cmpuint (n_accepted, <, strlen (text) - 100);
}

static void
test_late_fields_missing (void)
{
  FpStat stat;

  /* Linux 2.6 and containers that make their own: nothing behind rss. */
  g_assert_true (parse_text (
      &stat, "42 (bash) S 7 103 104 34817 -1 4194304 110 111 112 113 114 115 116 117 20 -5 18 0 1922 123000 24\n"));
  assert_numbers (&stat);
  g_assert_cmpuint (stat.image.start_code, ==, 0);
  g_assert_cmpuint (stat.image.arg_start, ==, 0);
  g_assert_cmpuint (stat.image.arg_end, ==, 0);
}

static void
test_negative_numbers (void)
{
  FpStat stat;

  g_assert_true (parse_text (&stat, "42 (x) D 0 -1 -1 0 -1 0 1 2 3 4 5 6 -7 -8 -2 -20 1 0 99 4096 -3 1 0 0 0\n"));
  g_assert_cmpint (stat.state, ==, 'D');
  g_assert_cmpint (stat.ppid, ==, 0);
  g_assert_cmpuint (stat.system_ticks, ==, 6);
  g_assert_cmpuint (stat.start_ticks, ==, 99);
  g_assert_cmpuint (stat.fingerprint.rss_pages, ==, 0);
}

static void
test_numbers_too_large (void)
{
  FpStat stat;

  g_assert_true (parse_text (
      &stat,
      "42 (x) S 99999999999999999999 1 1 0 -1 0 18446744073709551615 2 3 4 5 6 7 8 20 0 1 0 18446744073709551614 "
      "99999999999999999999999 1 0\n"));
  g_assert_cmpint (stat.ppid, ==, G_MAXINT);
  g_assert_cmpuint (stat.fingerprint.minor_faults, ==, G_MAXUINT64);
  g_assert_cmpuint (stat.start_ticks, ==, G_MAXUINT64 - 1);
  g_assert_cmpuint (stat.fingerprint.vsize, ==, G_MAXUINT64);
}

static void
test_kernel_thread_only_by_its_flag (void)
{
  FpStat stat;

  g_assert_true (parse_text (
      &stat, "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 3 0 0 20 0 1 0 5 0 0 18446744073709551615 0 0 0\n"));
  g_assert_true (stat.is_kernel_thread);
  g_assert_true (parse_text (
      &stat, "9 (kthreadd) S 2 0 0 0 -1 4194304 0 0 0 0 0 3 0 0 20 0 1 0 5 0 0 18446744073709551615 0 0 0\n"));
  g_assert_false (stat.is_kernel_thread);
}

static void
test_states (void)
{
  static const struct
  {
    char state, parsed;
    gboolean is_zombie;
  } cases[] = {
    { 'R', 'R', FALSE },
    { 'S', 'S', FALSE },
    { 'D', 'D', FALSE },
    { 'T', 'T', FALSE },
    { 't', 't', FALSE },
    { 'I', 'I', FALSE },
    { 'P', 'P', FALSE },
    { 'Z', 'Z', TRUE },
    { 'X', 'X', TRUE },
    { 'x', 'x', TRUE },
    { '7', '?', FALSE },
    { '\x01', '?', FALSE },
    { '\xff', '?', FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("42 (x) %c 1 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 9 4096 1 0\n",
                                               cases[i].state);
      FpStat stat;

      g_assert_true (parse_text (&stat, text));
      g_assert_cmpint (stat.state, ==, cases[i].parsed);
      g_assert_cmpint (fp_stat_is_zombie (&stat), ==, cases[i].is_zombie);
    }
}

static void
test_refused (void)
{
  static const char *const texts[] = {
    "",
    "\n",
    "42",
    "42 (",
    "42 (x",
    "42 (x)",
    "42 (x) ",
    "42 (x) S",
    "42 x S 1 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 9 4096 1 0\n",
    "42 (x)S 1 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 9 4096 1 0\n",
    "42 (x) S 1 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 9 4096\n",
    "42 (x) S 1 1 1 0 -1 4 1 2 three 4 5 6 7 8 20 0 1 0 9 4096 1 0\n",
    ")(",
    "42 )x( S 1 1 1 0 -1 4 1 2 3 4 5 6 7 8 20 0 1 0 9 4096 1 0\n",
    "- - - - - - - - - - - - - - - - - - - - - - -\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      FpStat stat;

      g_assert_false (parse_text (&stat, texts[i]));
    }
}

static void
test_same_image (void)
{
  static const char *const others[] = {
    "42 (bas) S 7 103 104 0 -1 4 1 1 1 1 1 1 1 1 20 0 1 0 1922 9 9 1 126000 1 128000 1 1 1 1 1 1 1 1 1 1 1 1 1 "
    "1 1 1 1 1 1 148000 149000 1 1 0\n",
    "42 (bash) S 7 103 104 0 -1 4 1 1 1 1 1 1 1 1 20 0 1 0 1922 9 9 1 126001 1 128000 1 1 1 1 1 1 1 1 1 1 1 1 1 "
    "1 1 1 1 1 1 148000 149000 1 1 0\n",
    "42 (bash) S 7 103 104 0 -1 4 1 1 1 1 1 1 1 1 20 0 1 0 1922 9 9 1 126000 1 128001 1 1 1 1 1 1 1 1 1 1 1 1 1 "
    "1 1 1 1 1 1 148000 149000 1 1 0\n",
    "42 (bash) S 7 103 104 0 -1 4 1 1 1 1 1 1 1 1 20 0 1 0 1922 9 9 1 126000 1 128000 1 1 1 1 1 1 1 1 1 1 1 1 1 "
    "1 1 1 1 1 1 148001 149000 1 1 0\n",
    "42 (bash) S 7 103 104 0 -1 4 1 1 1 1 1 1 1 1 20 0 1 0 1922 9 9 1 126000 1 128000 1 1 1 1 1 1 1 1 1 1 1 1 1 "
    "1 1 1 1 1 1 148000 149001 1 1 0\n",
  };
  FpStat stat, same, other;

  g_assert_true (parse_text (&stat, "42 (bash) " NUMBERS));
  g_assert_true (parse_text (
      &same,
      "42 (bash) R 7 103 104 0 -1 4 9 9 9 9 9 9 9 9 20 0 9 0 1922 9 9 1 126000 1 128000 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "
      "1 1 1 1 1 148000 149000 1 1 0\n"));
  g_assert_true (fp_stat_same_image (&stat, &same));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_assert_true (parse_text (&other, others[i]));
      g_assert_false (fp_stat_same_image (&stat, &other));
    }
}

static void
count_line (gpointer data,
            const char *line,
            const char *end)
{
  ++*(guint *)data;
}

/* A process can map a file with a path of 4 KiB 65,530 times, which makes 260 MiB of lines. */
static void
test_lines (void)
{
  static const guint ns[] = { 0, 1000, 20000 };
  g_autofree char *line = g_strnfill (1023, 'x');

  for (guint i = 0; i < G_N_ELEMENTS (ns); i++)
    {
      g_auto (FpFd) fd = memfd_create ("lines", MFD_CLOEXEC);
      guint n = 0;

      for (guint j = 0; j < ns[i]; j++)
        g_assert_cmpint (dprintf (fd, "%s\n", line), ==, 1024);
      g_assert_cmpint (lseek (fd, 0, SEEK_SET), ==, 0);
      g_assert_cmpint (fp_read_lines (fd, count_line, &n), ==, ns[i] <= 16 * 1024);
      g_assert_cmpuint (n, ==, MIN (ns[i], 16 * 1024));
    }
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/stat/all-fields", test_all_fields);
  g_test_add_func ("/proc/stat/names", test_names);
  g_test_add_func ("/proc/stat/name-too-long", test_name_too_long);
  g_test_add_func ("/proc/stat/truncated", test_truncated);
  g_test_add_func ("/proc/stat/late-fields-missing", test_late_fields_missing);
  g_test_add_func ("/proc/stat/negative-numbers", test_negative_numbers);
  g_test_add_func ("/proc/stat/numbers-too-large", test_numbers_too_large);
  g_test_add_func ("/proc/stat/kernel-thread-only-by-its-flag", test_kernel_thread_only_by_its_flag);
  g_test_add_func ("/proc/stat/states", test_states);
  g_test_add_func ("/proc/stat/refused", test_refused);
  g_test_add_func ("/proc/stat/same-image", test_same_image);
  g_test_add_func ("/proc/stat/lines", test_lines);
  return g_test_run ();
}
