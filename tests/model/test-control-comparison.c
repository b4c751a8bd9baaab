// SPDX-License-Identifier: GPL-3.0-or-later
/* Control groups of two moments. */
#include <string.h>

#include "fixture-control-groups.h"
#include "fp-columns.h"
#include "fp-comparison.h"
#include "fp-control-comparison.h"
#include "fp-control-records.h"
#include "fp-control-words.h"

#define MIB   (G_GUINT64_CONSTANT (1) << 20)
#define APPS  "/user.slice/app.slice"
#define APP   FP_CONTROL_KIND_APP
#define SLICE FP_CONTROL_KIND_SLICE

typedef struct
{
  FpControlGroups *before;
  FpControlGroups *after;
  FpRecords *records;
} Moments;

static void
set_up (Moments *self,
        gconstpointer data)
{
  self->before = fixture_control_groups_new ();
  self->after = fixture_control_groups_new ();
  for (guint i = 0; i < 2; i++)
    {
      FpControlGroups *groups = i == 0 ? self->before : self->after;

      fixture_control_groups_add (groups, FP_CONTROL_KIND_MACHINE, "/", "/");
      fixture_control_groups_add (groups, SLICE, "/user.slice", "user");
      fixture_control_groups_add (groups, SLICE, APPS, "app");
    }
}

static void
tear_down (Moments *self,
           gconstpointer data)
{
  g_clear_pointer (&self->records, fp_records_unref);
  fp_control_groups_unref (self->before);
  fp_control_groups_unref (self->after);
}

static FpControlGroup *
add (FpControlGroups *groups,
     FpControlKind kind,
     const char *path,
     const char *name,
     guint memory,
     guint swap)
{
  FpControlGroup *group = fixture_control_groups_add (groups, kind, path, name);

  fixture_control_set (group, FP_CONTROL_MEMORY, memory * MIB);
  fixture_control_set (group, FP_CONTROL_SWAP, swap * MIB);
  return group;
}

static void
compare (Moments *self,
         gboolean is_same_boot)
{
  self->records = fp_control_comparison_new (self->before, self->after, is_same_boot, NULL, NULL);
  g_assert_true (fp_records_are_compared (self->records));
}

static guint
find (const Moments *self,
      const char *path)
{
  for (guint i = 0; i < self->records->n; i++)
    if (strcmp (fp_control_records_get (self->records, i)->path, path) == 0)
      return i;
  g_error ("There is no %s", path);
}

static void
assert_row (const Moments *self,
            const char *path,
            const char *expected)
{
  static const char *const ids[] = { "before", "after", "difference", "swap_difference", "outcome", "compared_with" };
  const FpFormat words = { .style = FP_STYLE_IEC, .is_for_programs = TRUE };
  g_autoptr (GString) row = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      const FpColumn *column = fp_columns_find (ids[i], fp_records_get_kinds (self->records));
      char text[FP_CELL_SIZE];

      g_assert_nonnull (column);
      fp_column_format (column, self->records, find (self, path), &words, text, sizeof text);
      g_string_append_printf (row, "%s%s", i > 0 ? " | " : "", text);
    }
  g_assert_cmpstr (row->str, ==, expected);
}

static void
test_outcomes (Moments *self,
               gconstpointer data)
{
  add (self->before, APP, APPS "/grows.scope", "grows", 100, 0);
  add (self->before, APP, APPS "/swapped.scope", "swapped", 100, 10);
  add (self->before, APP, APPS "/shrinks.scope", "shrinks", 100, 0);
  add (self->before, APP, APPS "/ends.scope", "ends", 30, 5);
  add (self->after, APP, APPS "/grows.scope", "grows", 130, 0);
  add (self->after, APP, APPS "/swapped.scope", "swapped", 60, 50);
  add (self->after, APP, APPS "/shrinks.scope", "shrinks", 60, 0);
  add (self->after, APP, APPS "/new.scope", "new", 7, 1);
  compare (self, TRUE);
  g_assert_cmpuint (self->records->n, ==, 8);
  assert_row (self, APPS "/grows.scope", "100 MiB | 130 MiB | +30.0 MiB | 0 B | grown | itself");
  assert_row (self, APPS "/swapped.scope", "100 MiB | 60.0 MiB | −40.0 MiB | +40.0 MiB | same | itself");
  assert_row (self, APPS "/shrinks.scope", "100 MiB | 60.0 MiB | −40.0 MiB | 0 B | shrunk | itself");
  assert_row (self, APPS "/ends.scope", "30.0 MiB | 0 B | −30.0 MiB | −5.0 MiB | ended | ");
  assert_row (self, APPS "/new.scope", "0 B | 7.0 MiB | +7.0 MiB | +1.0 MiB | new | ");
  assert_row (self, "/user.slice", "— | — | — | — |  | itself");
}

/* It stands where it was, has no figures, and is not counted. */
static void
test_gone (Moments *self,
           gconstpointer data)
{
  const FpFormat words = { .style = FP_STYLE_IEC };
  const FpControlGroup *gone, *inner;
  g_autofree char *sum = NULL;
  guint indices[2];

  add (self->before, SLICE, "/gone.slice", "gone", 50, 0);
  add (self->before, APP, "/gone.slice/inner.scope", "inner", 20, 0);
  add (self->before, APP, APPS "/ends.scope", "ends", 30, 0);
  add (self->after, APP, APPS "/stays.scope", "stays", 7, 1);
  compare (self, TRUE);
  gone = fp_control_records_get (self->records, find (self, "/gone.slice"));
  inner = fp_control_records_get (self->records, find (self, "/gone.slice/inner.scope"));
  g_assert_cmpuint (gone->parent, ==, find (self, "/"));
  g_assert_cmpuint (inner->parent, ==, find (self, "/gone.slice"));
  g_assert_cmpuint (fp_control_records_get (self->records, find (self, APPS "/ends.scope"))->parent, ==, find (self, APPS));
  g_assert_cmphex (gone->present, ==, 0);
  g_assert_true (fp_records_has_ended (self->records, find (self, "/gone.slice")));
  g_assert_false (fp_records_has_ended (self->records, find (self, APPS "/stays.scope")));
  for (guint i = 0; i < self->records->n; i++)
    g_assert_true (fp_control_records_get (self->records, i)->parent < i || i == 0);
  indices[0] = find (self, "/gone.slice");
  indices[1] = find (self, APPS "/stays.scope");
  sum = fp_control_words_describe_sum (self->records, indices, 2, &words);
  g_assert_true (g_str_has_prefix (sum, "2 groups · Memory 50.0\u00a0MiB before, 7.0\u00a0MiB after: −43.0\u00a0MiB · "));
}

/* A group that was made again has another id under its path; after a restart of the machine ids mean nothing. */
static void
test_made_again (Moments *self,
                 gconstpointer data)
{
  add (self->before, APP, APPS "/a.service", "a", 10, 0);
  add (self->before, APP, APPS "/b.service", "b", 10, 0);
  add (self->after, APP, APPS "/a.service", "a", 12, 0)->id++;
  add (self->after, APP, APPS "/b.service", "b", 10, 0);
  compare (self, data != NULL);
  g_assert_cmpuint (self->records->n, ==, 5);
  assert_row (self, APPS "/a.service", "10.0 MiB | 12.0 MiB | +2.0 MiB | 0 B | grown | path");
  assert_row (self, APPS "/b.service", data ? "10.0 MiB | 10.0 MiB | 0 B | 0 B | same | itself" : "10.0 MiB | 10.0 MiB | 0 B | 0 B | same | path");
}

/* An app that was started anew has another number in its path. Of several the largest is compared with the largest, and what
 * is in them goes with them. */
static void
test_ranks (Moments *self,
            gconstpointer data)
{
  add (self->before, APP, APPS "/app-fox-10.scope", "fox", 20, 0);
  add (self->before, SLICE, APPS "/app-fox-10.scope/tab", "tab", 5, 0);
  add (self->before, APP, APPS "/app-fox-11.scope", "fox", 90, 0);
  add (self->before, SLICE, APPS "/app-fox-11.scope/tab", "tab", 9, 0);
  add (self->before, FP_CONTROL_KIND_SCOPE, APPS "/fox.scope", "fox", 1, 0);
  add (self->after, APP, APPS "/app-fox-20.scope", "fox", 100, 0);
  add (self->after, SLICE, APPS "/app-fox-20.scope/tab", "tab", 8, 0);
  add (self->after, APP, APPS "/app-fox-21.scope", "fox", 25, 0);
  add (self->after, APP, APPS "/app-fox-22.scope", "fox", 24, 0);
  compare (self, FALSE);
  g_assert_cmpuint (self->records->n, ==, 9);
  assert_row (self, APPS "/app-fox-20.scope", "90.0 MiB | 100 MiB | +10.0 MiB | 0 B | grown | rank");
  assert_row (self, APPS "/app-fox-20.scope/tab", "9.0 MiB | 8.0 MiB | −1.0 MiB | 0 B | shrunk | rank");
  assert_row (self, APPS "/app-fox-21.scope", "20.0 MiB | 25.0 MiB | +5.0 MiB | 0 B | grown | rank");
  assert_row (self, APPS "/app-fox-22.scope", "0 B | 24.0 MiB | +24.0 MiB | 0 B | new | ");
  assert_row (self, APPS "/fox.scope", "1.0 MiB | 0 B | −1.0 MiB | 0 B | ended | ");
  g_assert_cmpuint (fp_control_records_get (self->records, find (self, APPS "/app-fox-10.scope/tab"))->parent, ==,
                    find (self, APPS "/app-fox-21.scope"));
}

/* Keys tell rows from each other: a group that is gone never has that of one that is there. */
static void
test_keys (Moments *self,
           gconstpointer data)
{
  g_autoptr (GHashTable) keys = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);

  add (self->before, APP, APPS "/gone.scope", "gone", 1, 0)->id = 77;
  add (self->after, APP, APPS "/new.scope", "new", 1, 0)->id = 77;
  compare (self, FALSE);
  for (guint i = 0; i < self->records->n; i++)
    {
      FpKey key = fp_records_get_key (self->records, i);

      g_assert_true (g_hash_table_add (keys, g_memdup2 (&key, sizeof key)));
    }
  g_assert_cmpuint (g_hash_table_size (keys), ==, 5);
}

/* Each sees itself as the root. */
static void
test_roots (void)
{
  g_autoptr (FpControlGroups) before = fixture_control_groups_new (), after = fixture_control_groups_new ();
  g_autoptr (FpRecords) records = NULL;

  fixture_control_groups_add (before, FP_CONTROL_KIND_MACHINE, "/docker/abc", "/");
  add (before, SLICE, "/docker/abc/a.slice", "a", 1, 0);
  fixture_control_groups_add (after, FP_CONTROL_KIND_MACHINE, "/docker/def", "/");
  add (after, SLICE, "/docker/def/a.slice", "a", 3, 0);
  records = fp_control_comparison_new (before, after, FALSE, NULL, NULL);
  g_assert_cmpuint (records->n, ==, 2);
  g_assert_cmpint (fp_records_get_pair (records, 0), ==, FP_PAIR_PATH);
  g_assert_cmpint (fp_records_get_pair (records, 1), ==, FP_PAIR_RANK);
}

#define ADD(name, data, func) g_test_add ("/control-comparison/" name, Moments, data, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("outcomes", NULL, test_outcomes);
  ADD ("gone", NULL, test_gone);
  ADD ("made-again", "same boot", test_made_again);
  ADD ("made-again/restarted", NULL, test_made_again);
  ADD ("ranks", NULL, test_ranks);
  ADD ("keys", NULL, test_keys);
  g_test_add_func ("/control-comparison/roots", test_roots);
  return g_test_run ();
}
