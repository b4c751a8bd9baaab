// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-flood-guard.h"

static guint
count_admitted (FpFloodGuard *guard,
                const char *sender,
                gint64 now_us,
                guint n)
{
  guint n_admitted = 0;

  for (guint i = 0; i < n; i++)
    n_admitted += fp_flood_guard_admit (guard, sender, now_us);
  return n_admitted;
}

static void
test_burst (void)
{
  FpFloodGuard *guard = fp_flood_guard_new ();

  g_assert_cmpuint (count_admitted (guard, ":1.1", 5000, 1000), ==, FP_FLOOD_BURST);
  g_assert_cmpuint (count_admitted (guard, ":1.2", 5000, 1000), ==, FP_FLOOD_BURST);
  fp_flood_guard_free (guard);
}

static void
test_rate (void)
{
  FpFloodGuard *guard = fp_flood_guard_new ();
  guint n_admitted = 0;

  for (gint64 now_us = 0; now_us < 100 * G_USEC_PER_SEC; now_us += 100)
    n_admitted += fp_flood_guard_admit (guard, ":1.1", now_us);
  g_assert_cmpuint (n_admitted, >=, 100 * FP_FLOOD_PER_SECOND);
  g_assert_cmpuint (n_admitted, <=, 100 * FP_FLOOD_PER_SECOND + FP_FLOOD_BURST);
  fp_flood_guard_free (guard);
}

/* Who asks as often as a window does is never refused. */
static void
test_patient (void)
{
  FpFloodGuard *guard = fp_flood_guard_new ();

  for (gint64 now_us = 0; now_us < 100 * G_USEC_PER_SEC; now_us += G_USEC_PER_SEC / 10)
    g_assert_true (fp_flood_guard_admit (guard, ":1.1", now_us));
  fp_flood_guard_free (guard);
}

/* With a new connection for each call, those that are past are forgotten; one in its flood is not. */
static void
test_many_senders (void)
{
  FpFloodGuard *guard = fp_flood_guard_new ();
  gint64 now_us = 0;

  for (guint i = 0; i < 100000; i++, now_us += 1000)
    {
      g_autofree char *sender = g_strdup_printf (":1.%u", i);

      g_assert_true (fp_flood_guard_admit (guard, sender, now_us));
      fp_flood_guard_admit (guard, ":1.flood", now_us);
    }
  g_assert_cmpuint (count_admitted (guard, ":1.flood", now_us, 10), <=, 1);
  fp_flood_guard_free (guard);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flood-guard/burst", test_burst);
  g_test_add_func ("/flood-guard/rate", test_rate);
  g_test_add_func ("/flood-guard/patient", test_patient);
  g_test_add_func ("/flood-guard/many-senders", test_many_senders);
  return g_test_run ();
}
