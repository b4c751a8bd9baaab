// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture.h"
#include "fp-group-message.h"
#include "fp-snapshot-groups.h"

static void
test_round_trip (void)
{
  g_autoptr (FpControlGroups) groups = fixture_make_groups (), again = NULL;
  g_autoptr (GBytes) bytes = fp_control_groups_to_bytes (groups);

  again = fp_control_groups_from_bytes (bytes);
  g_assert_nonnull (again);
  fixture_assert_groups (groups, again);
  g_assert_true (fp_control_groups_find (again, "/a.service") == &again->groups[4]);
}

static void
test_none (void)
{
  g_autoptr (FpControlGroups) groups = fp_control_groups_new (0), again = NULL;
  g_autoptr (GBytes) bytes = fp_control_groups_to_bytes (groups);

  again = fp_control_groups_from_bytes (bytes);
  g_assert_nonnull (again);
  g_assert_cmpuint (again->n, ==, 0);
}

static void
test_cut_short (void)
{
  g_autoptr (FpControlGroups) groups = fixture_make_groups ();
  g_autoptr (GBytes) bytes = fp_control_groups_to_bytes (groups);

  for (gsize size = 0; size < g_bytes_get_size (bytes); size++)
    {
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, size);

      g_assert_null (fp_control_groups_from_bytes (cut));
    }
}

/* A damaged list that still opens is one like any other: it is saved and opens as the same. */
static void
test_damaged (void)
{
  g_autoptr (FpControlGroups) groups = fixture_make_groups ();
  g_autoptr (GBytes) bytes = fp_control_groups_to_bytes (groups);
  gsize size = g_bytes_get_size (bytes);
  g_autofree guint8 *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
  guint n_opened = 0;

  for (gsize i = 0; i < size * 8; i++)
    {
      g_autoptr (GBytes) damaged = NULL, saved = NULL;
      g_autoptr (FpControlGroups) opened = NULL, again = NULL;

      copy[i / 8] ^= (guint8)(1 << i % 8);
      damaged = g_bytes_new (copy, size);
      copy[i / 8] ^= (guint8)(1 << i % 8);
      if (!(opened = fp_control_groups_from_bytes (damaged)))
        continue;
      n_opened++;
      saved = fp_control_groups_to_bytes (opened);
      again = fp_control_groups_from_bytes (saved);
      g_assert_nonnull (again);
      fixture_assert_groups (opened, again);
    }
  g_assert_cmpuint (n_opened, >, 0);
  g_assert_cmpuint (n_opened, <, size * 8);
}

/* A list with one group, which has a figure for each of the names: 100, 101 and so on. Floating */
static GVariant *
make_group (guint n)
{
  g_autofree guint64 *figures = g_new (guint64, n + 1);
  const guint64 present = n < 64 ? ((guint64)1 << n) - 1 : G_MAXUINT64;

  for (guint i = 0; i < n; i++)
    figures[i] = 100 + i;
  return g_variant_new_parsed ("(@u 3, [(@t 1, %t, @t 5, @t 6, @t 7, %u, @u 0, @u 0, %u, '/', '/', %@at)])", present, FP_CONTROL_NONE, G_MAXUINT32,
                               g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, figures, n, sizeof *figures));
}

static FpControlGroups *
open_with (const char *const *names,
           guint n)
{
  g_autoptr (GVariant) block = g_variant_ref_sink (g_variant_new ("(@as@" FP_GROUP_MESSAGE_TYPE ")", g_variant_new_strv (names, n), make_group (n)));
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (block);

  return fp_control_groups_from_bytes (bytes);
}

/* Another version has the figures in another order, lacks some, and has others that mean nothing here. */
static void
test_other_version (void)
{
  static const char *const names[] = { "memory.swap.current/", "memory.stat/a_new_one", "memory.current/", "memory.new/" };
  g_autoptr (FpControlGroups) groups = open_with (names, G_N_ELEMENTS (names));

  g_assert_nonnull (groups);
  g_assert_cmphex (groups->groups[0].present, ==, FP_CONTROL_BIT (SWAP) | FP_CONTROL_BIT (MEMORY));
  g_assert_cmpuint (groups->groups[0].figures[FP_CONTROL_SWAP], ==, 100);
  g_assert_cmpuint (groups->groups[0].figures[FP_CONTROL_MEMORY], ==, 102);
}

static void
test_too_many_fields (void)
{
  const char *names[FP_GROUP_MESSAGE_MAX_FIELDS + 1];
  g_autoptr (FpControlGroups) groups = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    names[i] = i == 63 ? "memory.peak/" : "memory.new/";
  g_assert_null (open_with (names, G_N_ELEMENTS (names)));
  groups = open_with (names, FP_GROUP_MESSAGE_MAX_FIELDS);
  g_assert_nonnull (groups);
  g_assert_cmphex (groups->groups[0].present, ==, FP_CONTROL_BIT (PEAK));
  g_assert_cmpuint (groups->groups[0].figures[FP_CONTROL_PEAK], ==, 163);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/snapshot-groups/round-trip", test_round_trip);
  g_test_add_func ("/snapshot-groups/none", test_none);
  g_test_add_func ("/snapshot-groups/cut-short", test_cut_short);
  g_test_add_func ("/snapshot-groups/damaged", test_damaged);
  g_test_add_func ("/snapshot-groups/other-version", test_other_version);
  g_test_add_func ("/snapshot-groups/too-many-fields", test_too_many_fields);
  return g_test_run ();
}
