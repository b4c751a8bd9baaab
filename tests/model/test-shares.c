// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixture-snapshot.h"
#include "fp-shares.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

static FpLedger
make_ledger (gint64 anonymous,
             gint64 shmem,
             gint64 page_cache)
{
  FpLedger ledger = { 0 };

  ledger.parts[FP_PART_ANONYMOUS] = anonymous;
  ledger.parts[FP_PART_SHMEM] = shmem;
  ledger.parts[FP_PART_PAGE_CACHE] = page_cache;
  return ledger;
}

static FpTotal
make_total (guint64 anon,
            guint64 shmem,
            guint64 file)
{
  FpTotal total = { .n_members = 3 };

  total.low[FP_FIELD_PSS_ANON] = total.high[FP_FIELD_PSS_ANON] = anon;
  total.low[FP_FIELD_PSS_SHMEM] = total.high[FP_FIELD_PSS_SHMEM] = shmem;
  total.low[FP_FIELD_PSS_FILE] = total.high[FP_FIELD_PSS_FILE] = file;
  return total;
}

static void
add_unread (FpTotal *total,
            FpField field,
            guint64 bound)
{
  total->n_unread++;
  total->unknown |= G_GUINT64_CONSTANT (1) << field;
  total->high[field] = bound == G_MAXUINT64 ? bound : total->high[field] + bound;
}

static void
add_range (FpTotal *total,
           FpField field,
           guint64 spread)
{
  total->high[field] += spread;
  total->spread[fp_field_get_range (field)] += spread;
}

static void
assert_share (const FpShare *share,
              FpPart part,
              guint64 read,
              guint64 unread_at_most,
              gint64 rest)
{
  g_assert_cmpint (share->part, ==, part);
  g_assert_cmpuint (share->read, ==, read);
  g_assert_cmpuint (share->unread_at_most, ==, unread_at_most);
  g_assert_cmpint (share->rest, ==, rest);
  g_assert_cmpint (share->rest_at_most, ==, share->whole - (gint64)share->read);
  g_assert_cmpint ((gint64)share->read + (gint64)share->more_at_most + (gint64)share->unread_at_most + share->rest, ==,
                   share->whole);
}

static void
test_all_read (void)
{
  FpLedger ledger = make_ledger (100 * MIB, 50 * MIB, 70 * MIB);
  FpTotal all = make_total (90 * MIB, 20 * MIB, 30 * MIB);
  FpShare shares[FP_N_SHARES];

  fp_shares_make (shares, &ledger, &all);
  assert_share (&shares[0], FP_PART_ANONYMOUS, 90 * MIB, 0, 10 * MIB);
  assert_share (&shares[1], FP_PART_SHMEM, 20 * MIB, 0, 30 * MIB);
  assert_share (&shares[2], FP_PART_PAGE_CACHE, 30 * MIB, 0, 40 * MIB);
  g_assert_cmpint (shares[0].field, ==, FP_FIELD_PSS_ANON);
  g_assert_cmpint (shares[1].field, ==, FP_FIELD_PSS_SHMEM);
  g_assert_cmpint (shares[2].field, ==, FP_FIELD_PSS_FILE);
}

/* Never more than there is, however large the bound. */
static void
test_unread (void)
{
  FpLedger ledger = make_ledger (100 * MIB, 50 * MIB, 70 * MIB);
  FpTotal all = make_total (60 * MIB, 20 * MIB, 30 * MIB);
  FpShare shares[FP_N_SHARES];

  add_unread (&all, FP_FIELD_PSS_ANON, 15 * MIB);
  add_unread (&all, FP_FIELD_PSS_SHMEM, 500 * MIB);
  add_unread (&all, FP_FIELD_PSS_FILE, G_MAXUINT64);
  fp_shares_make (shares, &ledger, &all);
  assert_share (&shares[0], FP_PART_ANONYMOUS, 60 * MIB, 15 * MIB, 25 * MIB);
  assert_share (&shares[1], FP_PART_SHMEM, 20 * MIB, 30 * MIB, 0);
  assert_share (&shares[2], FP_PART_PAGE_CACHE, 30 * MIB, 40 * MIB, 0);
}

/* Also of both there is never more than is left, first of what was read. */
static void
test_ranges (void)
{
  FpLedger ledger = make_ledger (100 * MIB, 50 * MIB, 70 * MIB);
  FpTotal all = make_total (60 * MIB, 20 * MIB, 30 * MIB);
  FpShare shares[FP_N_SHARES];

  add_range (&all, FP_FIELD_PSS_ANON, 5 * MIB);
  add_unread (&all, FP_FIELD_PSS_ANON, 15 * MIB);
  add_range (&all, FP_FIELD_PSS_SHMEM, 500 * MIB);
  add_unread (&all, FP_FIELD_PSS_SHMEM, 500 * MIB);
  add_range (&all, FP_FIELD_PSS_FILE, 10 * MIB);
  fp_shares_make (shares, &ledger, &all);
  assert_share (&shares[0], FP_PART_ANONYMOUS, 60 * MIB, 15 * MIB, 20 * MIB);
  assert_share (&shares[1], FP_PART_SHMEM, 20 * MIB, 0, 0);
  assert_share (&shares[2], FP_PART_PAGE_CACHE, 30 * MIB, 0, 30 * MIB);
  g_assert_cmpuint (shares[0].more_at_most, ==, 5 * MIB);
  g_assert_cmpuint (shares[1].more_at_most, ==, 30 * MIB);
  g_assert_cmpuint (shares[2].more_at_most, ==, 10 * MIB);
}

/* Counters drift: what was read may be more than the whole. */
static void
test_negative_rest (void)
{
  FpLedger ledger = make_ledger (100 * MIB, 0, 10 * MIB);
  FpTotal all = make_total (103 * MIB, 1, 11 * MIB);
  FpShare shares[FP_N_SHARES];

  add_unread (&all, FP_FIELD_PSS_ANON, 15 * MIB);
  fp_shares_make (shares, &ledger, &all);
  assert_share (&shares[0], FP_PART_ANONYMOUS, 103 * MIB, 0, -3 * (gint64)MIB);
  assert_share (&shares[1], FP_PART_SHMEM, 1, 0, -1);
  assert_share (&shares[2], FP_PART_PAGE_CACHE, 11 * MIB, 0, -(gint64)MIB);
}

static void
test_nothing (void)
{
  FpLedger ledger = make_ledger (0, 0, 0);
  FpTotal all = { 0 };
  FpShare shares[FP_N_SHARES];

  fp_shares_make (shares, &ledger, &all);
  for (guint i = 0; i < FP_N_SHARES; i++)
    assert_share (&shares[i], shares[i].part, 0, 0, 0);
}

static void
assert_swap_rest (guint64 used,
                  guint64 low,
                  guint64 high,
                  FpFigureKind kind,
                  guint64 rest_low,
                  guint64 rest_high)
{
  FpTotal all = { 0 };
  FpSystem system = { 0 };
  FpFigure rest;

  all.low[FP_FIELD_SWAP_PSS] = low;
  all.high[FP_FIELD_SWAP_PSS] = high;
  fp_system_set (&system, FP_SYSTEM_SWAP_TOTAL, 1000);
  fp_system_set (&system, FP_SYSTEM_SWAP_FREE, 1000 - used);
  rest = fp_shares_get_swap_rest (&system, &all);
  g_assert_cmpint (rest.kind, ==, kind);
  g_assert_cmpuint (rest.low, ==, rest_low);
  g_assert_cmpuint (rest.high, ==, rest_high);
}

static void
test_swap (void)
{
  FpTotal all = { 0 };
  FpSystem system = { 0 };

  assert_swap_rest (100, 30, 30, FP_FIGURE_EXACT, 70, 70);
  assert_swap_rest (100, 30, 80, FP_FIGURE_RANGE, 20, 70);
  assert_swap_rest (100, 30, G_MAXUINT64, FP_FIGURE_RANGE, 0, 70);
  assert_swap_rest (100, 130, 180, FP_FIGURE_EXACT, 0, 0);
  assert_swap_rest (0, 0, 0, FP_FIGURE_EXACT, 0, 0);
  g_assert_cmpint (fp_shares_get_swap_rest (&system, &all).kind, ==, FP_FIGURE_UNKNOWN);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shares/all-read", test_all_read);
  g_test_add_func ("/shares/unread", test_unread);
  g_test_add_func ("/shares/ranges", test_ranges);
  g_test_add_func ("/shares/negative-rest", test_negative_rest);
  g_test_add_func ("/shares/nothing", test_nothing);
  g_test_add_func ("/shares/swap", test_swap);
  return g_test_run ();
}
