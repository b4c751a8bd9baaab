// SPDX-License-Identifier: GPL-3.0-or-later
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "fixture-control-groups.h"
#include "fp-control-values.h"
#include "fp-control-words.h"
#include "fp-history.h"
#include "fp-trend.h"
#include "test-length.h"

#define MIB        G_GUINT64_CONSTANT (1048576)
#define SECOND     ((guint64)G_USEC_PER_SEC)
#define LONGEST_US (5 * SECOND)
#define DAY        (86400 * SECOND)
#define NOON       (DAY / 2) /* of the first day of 1970 */

static FpControlGroup *
add (FpControlGroups *groups,
     const char *path,
     guint64 memory,
     guint64 second)
{
  FpControlGroup *group = fixture_control_groups_add (groups, FP_CONTROL_KIND_SERVICE, path, strrchr (path, '/') + 1);

  fixture_control_set (group, FP_CONTROL_MEMORY, memory);
  fixture_control_set (group, FP_CONTROL_ANON, memory / 2);
  fixture_control_set (group, FP_CONTROL_SWAP, 0);
  fixture_control_set (group, FP_CONTROL_EVENTS_HIGH, 0);
  fixture_control_set (group, FP_CONTROL_EVENTS_MAX, 0);
  fixture_control_set (group, FP_CONTROL_OOM_KILLS, 0);
  fixture_control_set (group, FP_CONTROL_REFAULTS_ANON, 0);
  fixture_control_set (group, FP_CONTROL_REFAULTS_FILE, 0);
  group->measured_us = second * SECOND;
  return group;
}

/* The root, which stays the same */
static FpControlGroups *
make (guint64 second)
{
  FpControlGroups *groups = fixture_control_groups_new ();

  fixture_control_groups_add (groups, FP_CONTROL_KIND_MACHINE, "/", "/")->measured_us = second * SECOND;
  return groups;
}

static void
take (FpControlChanges *changes,
      FpControlGroups *groups,
      guint64 second)
{
  fp_control_changes_take (changes, groups, second * SECOND, NOON + second * DAY);
}

static void
assert_figure (FpFigure figure,
               FpFigureKind kind,
               guint64 value)
{
  g_assert_cmpint (figure.kind, ==, kind);
  if (fp_figure_is_known (figure))
    g_assert_cmpuint (figure.low, ==, value);
}

static void
take_one (FpControlChanges *changes,
          guint64 second,
          guint64 memory,
          guint64 swap,
          guint killed)
{
  g_autoptr (FpControlGroups) groups = make (second);
  FpControlGroup *group = add (groups, "/a", memory, second);

  fixture_control_set (group, FP_CONTROL_SWAP, swap);
  fixture_control_set (group, FP_CONTROL_EVENTS_MAX, killed * 10);
  fixture_control_set (group, FP_CONTROL_OOM_KILLS, killed);
  take (changes, groups, second);
}

/* Memory and swap count, and a mark begins anew. */
static void
test_start_and_mark (void)
{
  g_autoptr (FpControlChanges) changes = fp_control_changes_new ();
  const guint64 id = g_str_hash ("/a");

  assert_figure (fp_control_changes_get (changes, id).memory, FP_FIGURE_UNKNOWN, 0);
  take_one (changes, 1, 100 * MIB, 5 * MIB, 2);
  assert_figure (fp_control_changes_get (changes, id).memory, FP_FIGURE_EXACT, 0);
  assert_figure (fp_control_changes_get (changes, id).killed, FP_FIGURE_EXACT, 0);
  take_one (changes, 2, 90 * MIB, 35 * MIB, 5);
  assert_figure (fp_control_changes_get (changes, id).memory, FP_FIGURE_MORE, 20 * MIB);
  assert_figure (fp_control_changes_get (changes, id).killed, FP_FIGURE_EXACT, 3);
  assert_figure (fp_control_changes_get (changes, id).reached, FP_FIGURE_EXACT, 30);
  g_assert_cmpuint (fp_control_changes_get_start (changes), ==, NOON + DAY);
  fp_control_changes_mark (changes);
  g_assert_cmpuint (fp_control_changes_get_start (changes), ==, NOON + 2 * DAY);
  assert_figure (fp_control_changes_get (changes, id).memory, FP_FIGURE_EXACT, 0);
  assert_figure (fp_control_changes_get (changes, id).killed, FP_FIGURE_EXACT, 0);
  take_one (changes, 3, 60 * MIB, 35 * MIB, 6);
  assert_figure (fp_control_changes_get (changes, id).memory, FP_FIGURE_LESS, 30 * MIB);
  assert_figure (fp_control_changes_get (changes, id).killed, FP_FIGURE_EXACT, 1);
  /* Memory is read more often than swap: alone it says nothing. */
  {
    g_autoptr (FpControlGroups) groups = make (3);

    add (groups, "/a", 10 * MIB, 3);
    take (changes, groups, 4);
    assert_figure (fp_control_changes_get (changes, id).memory, FP_FIGURE_LESS, 30 * MIB);
  }
}

/* A group that came later began with nothing; one that was not measured yet, or that may have been beyond the bound of the
 * list, began with what it first had. */
static void
test_newcomers (void)
{
  g_autoptr (FpControlChanges) changes = fp_control_changes_new ();
  g_autoptr (FpControlGroups) first = make (1), second = make (2), third = make (3), fourth = make (4), fifth = make (5);

  add (first, "/pending", 0, 0)->present = 0;
  take (changes, first, 1);
  assert_figure (fp_control_changes_get (changes, g_str_hash ("/pending")).memory, FP_FIGURE_UNKNOWN, 0);
  add (second, "/pending", 50 * MIB, 2);
  add (second, "/new", 7 * MIB, 2);
  take (changes, second, 2);
  assert_figure (fp_control_changes_get (changes, g_str_hash ("/pending")).memory, FP_FIGURE_EXACT, 0);
  assert_figure (fp_control_changes_get (changes, g_str_hash ("/new")).memory, FP_FIGURE_MORE, 7 * MIB);
  add (third, "/new", 7 * MIB, 3)->id = 99;
  add (third, "/cut", 8 * MIB, 3);
  third->is_cut = TRUE;
  take (changes, third, 3);
  assert_figure (fp_control_changes_get (changes, g_str_hash ("/new")).memory, FP_FIGURE_UNKNOWN, 0);
  assert_figure (fp_control_changes_get (changes, 99).memory, FP_FIGURE_EXACT, 0);
  assert_figure (fp_control_changes_get (changes, g_str_hash ("/cut")).memory, FP_FIGURE_EXACT, 0);
  /* After a list that was cut a newcomer may have been there as well. */
  add (fourth, "/late", 9 * MIB, 4);
  take (changes, fourth, 4);
  assert_figure (fp_control_changes_get (changes, g_str_hash ("/late")).memory, FP_FIGURE_EXACT, 0);
  /* Another reader sees another tree. */
  fifth->groups[0].id = 1;
  add (fifth, "/other", 9 * MIB, 5);
  take (changes, fifth, 5);
  assert_figure (fp_control_changes_get (changes, g_str_hash ("/late")).memory, FP_FIGURE_UNKNOWN, 0);
  assert_figure (fp_control_changes_get (changes, g_str_hash ("/other")).memory, FP_FIGURE_EXACT, 0);
}

static void
read_back (FpControlChanges *changes,
           guint64 second,
           guint64 now,
           guint64 from_swap,
           guint64 from_files)
{
  g_autoptr (FpControlGroups) groups = make (now);
  FpControlGroup *group = add (groups, "/a", MIB, second);

  fixture_control_set (group, FP_CONTROL_REFAULTS_ANON, from_swap);
  fixture_control_set (group, FP_CONTROL_REFAULTS_FILE, from_files);
  take (changes, groups, now);
}

static void
assert_read_back (const FpControlChanges *changes,
                  guint64 from_swap,
                  guint64 from_files,
                  guint64 over)
{
  const FpControlChange change = fp_control_changes_get (changes, g_str_hash ("/a"));

  g_assert_cmpuint (change.over_us, ==, over * SECOND);
  assert_figure (change.from_swap, over ? FP_FIGURE_EXACT : FP_FIGURE_UNKNOWN, from_swap);
  assert_figure (change.from_files, over ? FP_FIGURE_EXACT : FP_FIGURE_UNKNOWN, from_files);
}

/* The pages of the last minute, exact from one reading to another, and nothing where there is one alone. */
static void
test_minute (void)
{
  g_autoptr (FpControlChanges) changes = fp_control_changes_new ();

  read_back (changes, 10, 10, 5000, 70000);
  assert_read_back (changes, 0, 0, 0);
  read_back (changes, 40, 40, 5100, 70007);
  assert_read_back (changes, 100, 7, 30);
  read_back (changes, 70, 70, 6200, 70007);
  assert_read_back (changes, 1200, 7, 60);
  read_back (changes, 71, 71, 6201, 70008);
  assert_read_back (changes, 1101, 1, 31);
  /* Every second of a minute, though fewer are kept. */
  for (guint64 second = 72; second <= 200; second++)
    read_back (changes, second, second, 6200 + (second - 71) * 10, 70008);
  g_assert_cmpuint (fp_control_changes_get (changes, g_str_hash ("/a")).over_us, <=, 60 * SECOND);
  g_assert_cmpuint (fp_control_changes_get (changes, g_str_hash ("/a")).over_us, >, 55 * SECOND);
  g_assert_cmpuint (fp_control_changes_get (changes, g_str_hash ("/a")).from_swap.low * SECOND, ==,
                    10 * fp_control_changes_get (changes, g_str_hash ("/a")).over_us);
  /* The last reading was long ago; after a pause it begins anew, and so it does with a counter that fell. */
  read_back (changes, 200, 261, 8000, 70008);
  assert_read_back (changes, 0, 0, 0);
  read_back (changes, 262, 262, 9000, 70008);
  assert_read_back (changes, 0, 0, 0);
  read_back (changes, 272, 272, 9001, 70008);
  assert_read_back (changes, 1, 0, 10);
  read_back (changes, 282, 282, 3, 70008);
  assert_read_back (changes, 0, 0, 0);
}

static void
assert_words (char *words,
              const char *expected)
{
  g_autofree char *text = words;

  g_assert_cmpstr (text, ==, expected);
}

static void
describe (const FpControlChanges *changes,
          const char *expected,
          gboolean is_much)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_autoptr (FpControlGroups) groups = make (1);
  g_autoptr (FpRecords) records = NULL;

  add (groups, "/a", 100 * MIB, 1);
  records = fp_control_records_new (groups, NULL, changes);
  assert_words (fp_control_words_describe_read_back (records, 1, &format), expected);
  g_assert_cmpint (fp_control_value_reads_back_much (records, 1), ==, is_much);
}

static void
test_words (void)
{
  g_autoptr (FpControlChanges) changes = fp_control_changes_new ();
  const guint64 page = (guint64)sysconf (_SC_PAGESIZE);

  if (page != 4096)
    {
      g_test_skip ("the texts have pages of 4 KiB");
      return;
    }
  read_back (changes, 10, 10, 50, 0);
  describe (changes, NULL, FALSE);
  read_back (changes, 30, 30, 50, 0);
  describe (changes, "Nothing had to be read back from swap or files in the last 20 seconds.", FALSE);
  read_back (changes, 50, 50, 51, 0);
  describe (changes, "It read 1 page (4.0\u00a0KiB) back from swap in the last 40 seconds.", FALSE);
  read_back (changes, 70, 70, 350, 256);
  describe (changes, "It read 300 pages (1.2\u00a0MiB) back from swap and 256 pages (1.0\u00a0MiB) again from files in the last minute.", FALSE);
  read_back (changes, 130, 130, 350, 256 + 4095);
  describe (changes, "It read 4095 pages (16.0\u00a0MiB) again from files in the last minute, because the cache had been given back.", FALSE);
  read_back (changes, 190, 190, 351, 256 + 2 * 4095);
  describe (changes, "It read 1 page (4.0\u00a0KiB) back from swap and 4095 pages (16.0\u00a0MiB) again from files in the last minute.", TRUE);
}

static void
test_events (void)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_autoptr (FpControlChanges) changes = fp_control_changes_new ();
  g_autoptr (FpControlGroups) groups = make (2);
  g_autoptr (FpRecords) since = NULL, alone = NULL, marked = NULL;
  FpControlGroup *group = add (groups, "/a", 100 * MIB, 2);

  take_one (changes, 1, 100 * MIB, 0, 2);
  fixture_control_set (group, FP_CONTROL_EVENTS_MAX, 20);
  fixture_control_set (group, FP_CONTROL_OOM_KILLS, 5);
  take (changes, groups, 2);
  since = fp_control_records_new (groups, NULL, changes);
  assert_words (fp_control_words_describe_limits (since, 1, &format),
                "It was held back at a limit 20 times. The kernel killed 5 of its processes because memory ran out, 3 of them "
                "since 1970-01-02.");
  assert_words (fp_control_words_describe_start (since), "1970-01-02");
  assert_words (fp_control_words_describe_change (since, 1, &format), "0\u00a0B since 1970-01-02");
  alone = fp_control_records_new (groups, NULL, NULL);
  assert_words (fp_control_words_describe_start (alone), NULL);
  assert_words (fp_control_words_describe_change (alone, 1, &format), NULL);
  assert_words (fp_control_words_describe_limits (alone, 1, &format),
                "It was held back at a limit 20 times. The kernel killed 5 of its processes because memory ran out.");
  fp_control_changes_mark (changes);
  group->measured_us++;
  fixture_control_set (group, FP_CONTROL_EVENTS_MAX, 21);
  take (changes, groups, 3);
  marked = fp_control_records_new (groups, NULL, changes);
  assert_words (fp_control_words_describe_limits (marked, 1, &format),
                "It was held back at a limit 21 times, 1 of them since 1970-01-03. The kernel killed 5 of its processes because "
                "memory ran out.");
}

static void
test_cut (void)
{
  g_autoptr (FpControlGroups) groups = make (1);

  assert_words (fp_control_words_explain_cut (groups), NULL);
  for (guint i = 1; i < 4; i++)
    {
      g_autofree char *path = g_strdup_printf ("/%u", i);

      add (groups, path, MIB, 1);
    }
  groups->is_cut = TRUE;
  assert_words (fp_control_words_explain_cut (groups),
                "Only the first 3 groups are shown: there are more, or groups deeper within them.");
}

static FpRecords *
take_history (FpHistory *history,
              guint64 second,
              guint64 memory,
              gboolean is_turned,
              guint64 id)
{
  g_autoptr (FpControlGroups) groups = make (second);
  FpRecords *records;

  if (is_turned)
    add (groups, "/b", MIB, second);
  if (memory > 0)
    add (groups, "/a", memory, second)->id = id;
  if (!is_turned)
    add (groups, "/b", MIB, second);
  records = fp_control_records_new (groups, NULL, NULL);
  fp_history_take_records (history, records, second * SECOND, LONGEST_US);
  return records;
}

/* A group that is selected has the points of before, wherever it stood in the list; where its view was hidden there is a
 * gap, and a group of the same path with another id has none of them. */
static void
test_history (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) last = NULL, again = NULL, ended = NULL;
  const FpHistoryPoint *points;
  FpKey key;
  guint n;

  for (guint64 i = 0; i < 40; i++)
    {
      g_clear_pointer (&last, fp_records_unref);
      last = take_history (history, 100 + i + (i > 30 ? 60 : 0), (i + 1) * MIB, i % 2 == 0, 7);
    }
  key = fp_records_get_key (last, 1);
  g_assert_cmpuint (key.a, ==, 7);
  fp_history_follow (history, last, 1);
  points = fp_history_get (history, key, &n);
  g_assert_cmpuint (n, ==, 40);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (points[i].time_us, ==, (100 + i + (i > 30 ? 60 : 0)) * SECOND);
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_PSS], ==, (1 + i) * 1024);
      g_assert_cmpuint (points[i].ends.high_kib[FP_HISTORY_PSS], ==, (1 + i) * 1024);
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_USS], ==, (1 + i) * 512);
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_RSS], ==, FP_HISTORY_UNKNOWN);
      g_assert_cmpuint (points[i].ends.low_kib[FP_HISTORY_SWAP], ==, 0);
      g_assert_cmpint (points[i].follows_gap, ==, i == 31 || i == 0);
    }
  g_assert_cmpint (fp_trend_find (points, 31).kind, ==, FP_TREND_GROWS);
  g_assert_cmpuint (fp_trend_find (points, 31).low, ==, 60 * MIB);
  /* A group that is gone adds nothing. */
  ended = take_history (history, 201, 0, FALSE, 0);
  fp_history_follow (history, last, 1);
  fp_history_get (history, key, &n);
  g_assert_cmpuint (n, ==, 40);
  again = take_history (history, 202, 2 * MIB, FALSE, 8);
  fp_history_follow (history, again, 1);
  fp_history_get (history, fp_records_get_key (again, 1), &n);
  g_assert_cmpuint (n, ==, 1);
}

#define N_GROUPS   300
#define N_FOLLOWED 16 /* of these a long history is kept; the others make room */
#define AN_HOUR    3600

static gsize
get_used (void)
{
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
  return mallinfo2 ().uordblks + mallinfo2 ().hblkhd;
#else
  return 0;
#endif
}

static void
take_hour (FpHistory *history,
           FpControlChanges *changes)
{
  for (guint64 second = 1; second <= (test_takes_all () ? AN_HOUR : AN_HOUR / 20); second++)
    {
      g_autoptr (FpControlGroups) groups = make (second);
      g_autoptr (FpRecords) records = NULL;

      for (guint i = 0; i < N_GROUPS; i++)
        {
          char path[16];

          g_snprintf (path, sizeof path, "/%u", i);
          fixture_control_set (add (groups, path, (second + i) * MIB, second), FP_CONTROL_REFAULTS_ANON, second * 10);
        }
      take (changes, groups, second);
      records = fp_control_records_new (groups, NULL, changes);
      fp_history_take_records (history, records, second * SECOND, LONGEST_US);
      for (guint i = 1; i <= N_FOLLOWED; i++)
        fp_history_follow (history, records, i);
    }
}

/* All groups change each second, and as many are looked at as have a long history. In 32 MiB there is room for 2,000. */
static void
test_bounded (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpControlChanges) changes = fp_control_changes_new ();
  const gsize before = get_used ();
  gsize used;

  take_hour (history, changes);
  used = get_used () - before;
  if (before == 0)
    {
      g_test_skip ("the allocator of this build does not tell how much memory is in use");
      return;
    }
  g_test_message ("%" G_GSIZE_FORMAT " bytes", used);
  g_assert_cmpuint (used, >, N_GROUPS * FP_HISTORY_RECENT * 6);
  g_assert_cmpuint (used, <=, N_GROUPS * 32 * MIB / 2000);
}

int
main (int argc,
      char *argv[])
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-changes/start-and-mark", test_start_and_mark);
  g_test_add_func ("/control-changes/newcomers", test_newcomers);
  g_test_add_func ("/control-changes/minute", test_minute);
  g_test_add_func ("/control-changes/words", test_words);
  g_test_add_func ("/control-changes/events", test_events);
  g_test_add_func ("/control-changes/cut", test_cut);
  g_test_add_func ("/control-changes/history", test_history);
  g_test_add_func ("/control-changes/bounded", test_bounded);
  return g_test_run ();
}
