// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-rotation.h"

#define N     100
#define SWEEP ((guint64)G_USEC_PER_SEC)

typedef struct
{
  guint64 cost_us;
  guint last; /* the sweep of the last walk */
  guint n_walks;
} Item;

static guint64
sum_costs (const Item *items)
{
  guint64 sum = 0;

  for (guint i = 0; i < N; i++)
    sum += items[i].cost_us;
  return sum;
}

static Item *
find_oldest (Item *items,
             guint now)
{
  Item *oldest = NULL;

  for (guint i = 0; i < N; i++)
    if (items[i].last < now && (!oldest || items[i].last < oldest->last))
      oldest = &items[i];
  return oldest;
}

/* As a sweep does it when nothing changes; returns the cost of this one. */
static guint64
sweep_once (FpRotation *rotation,
            Item *items,
            guint now,
            guint64 elapsed_us)
{
  guint64 cost = 0;
  Item *item;

  fp_rotation_begin (rotation, sum_costs (items), elapsed_us);
  while (fp_rotation_may_walk (rotation, FP_WALK_OLDEST) && (item = find_oldest (items, now)))
    {
      fp_rotation_pay (rotation, FP_WALK_OLDEST, item->cost_us, 1.0);
      item->last = now;
      item->n_walks++;
      cost += item->cost_us;
    }
  return cost;
}

static void
run_fixed (guint n_sweeps,
           guint64 cost_us)
{
  Item items[N] = { 0 };
  FpRotation rotation;

  for (guint i = 0; i < N; i++)
    items[i].cost_us = cost_us;
  fp_rotation_init (&rotation, FP_ROTATION_FIXED, n_sweeps, 0.02);
  for (guint now = 1; now <= 20 * n_sweeps; now++)
    {
      guint64 cost = sweep_once (&rotation, items, now, SWEEP);

      g_assert_cmpuint (cost, <=, (N / n_sweeps + 2) * cost_us);
      g_assert_cmpuint (cost, >=, (N / n_sweeps - 1) * cost_us);
      for (guint i = 0; i < N && now > n_sweeps; i++)
        g_assert_cmpuint (now - items[i].last, <=, n_sweeps);
    }
  for (guint i = 0; i < N; i++)
    {
      g_assert_cmpuint (items[i].n_walks, >=, 19);
      g_assert_cmpuint (items[i].n_walks, <=, 21);
    }
}

static void
test_fixed (void)
{
  run_fixed (1, 1000);
  run_fixed (2, 1000);
  run_fixed (10, 1000);
  run_fixed (33, 7);
  run_fixed (50, 123456);
}

/* One that costs as much as all others together is not walked twice as often, nor are they forgotten for it. */
static void
test_fixed_uneven (void)
{
  Item items[N] = { 0 };
  FpRotation rotation;

  for (guint i = 0; i < N; i++)
    items[i].cost_us = i == 50 ? 100000 : 1000;
  fp_rotation_init (&rotation, FP_ROTATION_FIXED, 10, 0.02);
  for (guint now = 1; now <= 400; now++)
    sweep_once (&rotation, items, now, SWEEP);
  for (guint i = 0; i < N; i++)
    {
      g_assert_cmpuint (items[i].n_walks, >=, 38);
      g_assert_cmpuint (items[i].n_walks, <=, 42);
    }
}

static void
test_period (void)
{
  static const struct
  {
    guint64 full_cost_us, period_s;
  } cases[] = { { 0, 10 }, { 50000, 10 }, { 100000, 10 }, { 200000, 20 }, { 500000, 50 }, { 600000, 60 }, { 5000000, 60 } };
  FpRotation rotation;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      fp_rotation_init (&rotation, FP_ROTATION_TIMED, 0, 0.02);
      fp_rotation_begin (&rotation, cases[i].full_cost_us, SWEEP);
      g_assert_cmpuint (rotation.period_us, ==, cases[i].period_s * G_USEC_PER_SEC);
    }
}

/* However much there is, the oldest cost 1 % of a core and the rest another one. */
static void
test_timed_share (void)
{
  Item items[N] = { 0 };
  FpRotation rotation;
  guint64 cost = 0;

  for (guint i = 0; i < N; i++)
    items[i].cost_us = 50000;
  fp_rotation_init (&rotation, FP_ROTATION_TIMED, 0, 0.02);
  for (guint now = 1; now <= 600; now++)
    cost += sweep_once (&rotation, items, now, SWEEP);
  g_assert_cmpuint (cost, <=, 600 * SWEEP / 100 + 50000);
  g_assert_cmpuint (cost, >=, 600 * SWEEP / 100 - 100000);
}

static void
test_timed_reaches_all (void)
{
  Item items[N] = { 0 };
  FpRotation rotation;

  for (guint i = 0; i < N; i++)
    items[i].cost_us = 500 + 10 * i;
  fp_rotation_init (&rotation, FP_ROTATION_TIMED, 0, 0.02);
  for (guint now = 1; now <= 200; now++)
    {
      sweep_once (&rotation, items, now, SWEEP);
      for (guint i = 0; i < N && now > 12; i++)
        g_assert_cmpuint (now - items[i].last, <=, 12);
    }
}

static guint
spend (FpRotation *rotation,
       FpWalkClass class,
       guint64 cost_us)
{
  guint n = 0;

  for (; n < 100000 && fp_rotation_may_walk (rotation, class); n++)
    fp_rotation_pay (rotation, class, cost_us, 0);
  return n;
}

static void
test_tokens (void)
{
  static const FpWalkClass classes[] = { FP_WALK_CHANGED, FP_WALK_ATTENTION };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      FpRotation rotation;

      fp_rotation_init (&rotation, FP_ROTATION_TIMED, 0, 0.02);
      fp_rotation_begin (&rotation, 100000, 0);
      /* 2 % of 10 s saved up, then 1 % of what passes. */
      g_assert_cmpuint (spend (&rotation, classes[i], 1000), ==, 200);
      g_assert_false (fp_rotation_may_walk (&rotation, classes[i]));
      g_assert_true (fp_rotation_may_walk (&rotation, FP_WALK_WANTED));
      fp_rotation_begin (&rotation, 100000, SWEEP);
      g_assert_cmpuint (spend (&rotation, classes[i], 1000), ==, 10);
      fp_rotation_begin (&rotation, 100000, 3600 * SWEEP);
      g_assert_cmpuint (spend (&rotation, classes[i], 1000), ==, 200);
    }
}

static void
test_suspects_are_limited (void)
{
  static const FpRotationMode modes[] = { FP_ROTATION_TIMED, FP_ROTATION_FIXED, FP_ROTATION_OFF };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      FpRotation rotation;

      fp_rotation_init (&rotation, modes[i], 10, 0.02);
      for (guint k = 0; k < 3; k++)
        {
          fp_rotation_begin (&rotation, 100000, 10 * SWEEP);
          g_assert_cmpuint (spend (&rotation, FP_WALK_SUSPECT, 1000), ==, 10);
          g_assert_true (fp_rotation_may_walk (&rotation, FP_WALK_CHANGED));
        }
    }
}

static void
test_off (void)
{
  FpRotation rotation;

  fp_rotation_init (&rotation, FP_ROTATION_OFF, 0, 0.02);
  for (guint i = 0; i < 100; i++)
    {
      fp_rotation_begin (&rotation, 100000, 60 * SWEEP);
      g_assert_false (fp_rotation_may_walk (&rotation, FP_WALK_OLDEST));
      g_assert_true (fp_rotation_may_walk (&rotation, FP_WALK_CHANGED));
      g_assert_true (fp_rotation_may_walk (&rotation, FP_WALK_WANTED));
      fp_rotation_pay (&rotation, FP_WALK_CHANGED, 1000000, 1.0);
    }
}

/* A process that was walked for another reason pays out of the credit of the oldest, by its age. */
static void
test_credit (void)
{
  static const double ages[] = { 0.0, 0.25, 1.0, 7.0 };

  for (guint i = 0; i < G_N_ELEMENTS (ages); i++)
    {
      FpRotation rotation;

      fp_rotation_init (&rotation, FP_ROTATION_FIXED, 10, 0.02);
      fp_rotation_begin (&rotation, 100000, SWEEP);
      g_assert_cmpfloat_with_epsilon (rotation.credit_us, 10000.0, 0.001);
      fp_rotation_pay (&rotation, FP_WALK_CHANGED, 4000, ages[i]);
      g_assert_cmpfloat_with_epsilon (rotation.credit_us, 10000.0 - 4000.0 * MIN (ages[i], 1.0), 0.001);
    }
}

/* Nothing is saved up beyond one full scan, and nothing comes of a clock that stood still. */
static void
test_credit_limits (void)
{
  FpRotation rotation;

  fp_rotation_init (&rotation, FP_ROTATION_FIXED, 4, 0.02);
  for (guint i = 0; i < 100; i++)
    fp_rotation_begin (&rotation, 100000, SWEEP);
  g_assert_cmpfloat_with_epsilon (rotation.credit_us, 100000.0, 0.001);

  fp_rotation_init (&rotation, FP_ROTATION_TIMED, 0, 0.02);
  for (guint i = 0; i < 100; i++)
    fp_rotation_begin (&rotation, 100000, 0);
  g_assert_cmpfloat_with_epsilon (rotation.credit_us, 0.0, 0.001);
  fp_rotation_begin (&rotation, 100000, 7 * 24 * 3600 * SWEEP);
  g_assert_cmpfloat_with_epsilon (rotation.credit_us, 100000.0, 0.001);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/rotation/fixed", test_fixed);
  g_test_add_func ("/proc/rotation/fixed-uneven", test_fixed_uneven);
  g_test_add_func ("/proc/rotation/period", test_period);
  g_test_add_func ("/proc/rotation/timed-share", test_timed_share);
  g_test_add_func ("/proc/rotation/timed-reaches-all", test_timed_reaches_all);
  g_test_add_func ("/proc/rotation/tokens", test_tokens);
  g_test_add_func ("/proc/rotation/suspects-are-limited", test_suspects_are_limited);
  g_test_add_func ("/proc/rotation/off", test_off);
  g_test_add_func ("/proc/rotation/credit", test_credit);
  g_test_add_func ("/proc/rotation/credit-limits", test_credit_limits);
  return g_test_run ();
}
