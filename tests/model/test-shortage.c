// SPDX-License-Identifier: GPL-3.0-or-later
/* Whether memory is short, and the words for it, from the kernel's pressure. */
#include <string.h>

#include "fixture-control-groups.h"
#include "fp-shortage.h"

#define MIB    (G_GUINT64_CONSTANT (1) << 20)
#define SECOND G_GUINT64_CONSTANT (1000000)

typedef struct
{
  const char *pressure;
  FpShortageLevel level;
  const char *words;
} Case;

/* Files of the kernel: a calm machine, one that reads its programs back from zram, and one that does nothing else. */
static const Case cases[] = {
  { "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
    FP_SHORTAGE_CALM, "No program waited for memory in the last minute." },
  { "some avg10=0.42 avg60=1.18 avg300=0.64 total=9112\nfull avg10=0.00 avg60=0.21 avg300=0.12 total=400\n",
    FP_SHORTAGE_CALM, "Programs waited for memory during about 0.7\u00a0s of the last minute." },
  { "some avg10=6.99 avg60=6.99 avg300=6.99 total=1\nfull avg10=6.99 avg60=6.99 avg300=0.00 total=0\n",
    FP_SHORTAGE_CALM, "Programs waited for memory during about 4.2\u00a0s of the last minute." },
  { "some avg10=27.04 avg60=18.50 avg300=6.11 total=31822012\nfull avg10=9.12 avg60=5.20 avg300=1.84 total=10120\n",
    FP_SHORTAGE_TIGHT, "Programs waited for memory during about 11\u00a0s of the last minute." },
  { "some avg10=1.00 avg60=7.00 avg300=6.11 total=3\nfull avg10=0.00 avg60=5.20 avg300=1.84 total=1\n",
    FP_SHORTAGE_TIGHT, "Programs waited for memory during about 4.2\u00a0s of the last minute." },
  { "some avg10=91.20 avg60=80.00 avg300=44.10 total=918220\nfull avg10=72.15 avg60=61.30 avg300=30.02 total=71822\n",
    FP_SHORTAGE_THRASHING, "Programs waited for memory during about 48\u00a0s of the last minute." },
};

static void
test_pressure (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FpSystem system = { 0 };
      FpShortage shortage;
      FpMachineMoment now = { 0 };
      g_autofree char *words = NULL;

      fp_system_parse_pressure (&system, cases[i].pressure, strlen (cases[i].pressure));
      fp_shortage_judge (&shortage, &system, NULL, NULL, NULL, &now);
      words = fp_shortage_describe (&shortage, NULL);
      g_assert_cmpint (shortage.level, ==, cases[i].level);
      g_assert_cmpstr (words, ==, cases[i].words);
      g_assert_true (shortage.has_pressure);
    }
}

/* Without pressure: by what is available, then by what is read back from swap. */
static void
test_without_pressure (void)
{
  FpSystem system = { 0 };
  FpShortage shortage;
  FpMachineMoment before = { .time_us = SECOND }, now = { .time_us = 2 * SECOND };
  g_autofree char *words = NULL;

  fp_shortage_judge (&shortage, &system, NULL, &before, NULL, &now);
  g_assert_cmpint (shortage.level, ==, FP_SHORTAGE_UNKNOWN);
  fp_system_set (&system, FP_SYSTEM_MEM_TOTAL, 8000 * MIB);
  fp_system_set (&system, FP_SYSTEM_MEM_AVAILABLE, 800 * MIB);
  fp_shortage_judge (&shortage, &system, NULL, &before, NULL, &now);
  g_assert_cmpint (shortage.level, ==, FP_SHORTAGE_CALM);
  fp_system_set (&system, FP_SYSTEM_MEM_AVAILABLE, 799 * MIB);
  fp_shortage_judge (&shortage, &system, NULL, &before, NULL, &now);
  g_assert_cmpint (shortage.level, ==, FP_SHORTAGE_TIGHT);
  now.swap_ins = 4096;
  fp_shortage_judge (&shortage, &system, NULL, &before, NULL, &now);
  g_assert_cmpint (shortage.level, ==, FP_SHORTAGE_THRASHING);
  fp_shortage_judge (&shortage, &system, NULL, NULL, NULL, &now);
  g_assert_cmpint (shortage.level, ==, FP_SHORTAGE_TIGHT);
  now.swap_ins = FP_MACHINE_UNKNOWN;
  fp_shortage_judge (&shortage, &system, NULL, &before, NULL, &now);
  g_assert_cmpint (shortage.level, ==, FP_SHORTAGE_TIGHT);
  words = fp_shortage_describe (&shortage, NULL);
  g_assert_true (g_str_has_prefix (words, "How long programs wait for memory is not known here"));
}

/* Firefox and Builder wait within the service of their user, which has waited for both and is not named. */
static void
test_groups (void)
{
  FpControlGroup list[] = {
    { .parent = FP_CONTROL_NONE, .kind = FP_CONTROL_KIND_MACHINE, .path = "/", .name = "machine", .waited_us = 11 * SECOND, .waited_over_us = 60 * SECOND },
    { .parent = 0, .kind = FP_CONTROL_KIND_USER, .path = "/user", .name = "anna", .waited_us = 11 * SECOND, .waited_over_us = 60 * SECOND },
    { .parent = 1, .kind = FP_CONTROL_KIND_SERVICE, .path = "/user/m", .name = "user@1000", .waited_us = 11 * SECOND, .waited_over_us = 60 * SECOND },
    { .parent = 2, .kind = FP_CONTROL_KIND_APP, .path = "/user/m/b", .name = "Builder", .waited_us = 4 * SECOND, .waited_over_us = 60 * SECOND },
    { .parent = 2, .kind = FP_CONTROL_KIND_APP, .path = "/user/m/f", .name = "Firefox", .waited_us = 9 * SECOND, .waited_over_us = 60 * SECOND },
    { .parent = 0, .kind = FP_CONTROL_KIND_SERVICE, .path = "/cron", .name = "cron", .waited_us = 1000, .waited_over_us = 60 * SECOND },
  };
  const FpControlGroups groups = { .groups = list, .n = G_N_ELEMENTS (list), .has_pressure = TRUE };
  FpSystem system = { 0 };
  FpMachineMoment minute = { .time_us = 5 * SECOND }, now = { .time_us = 65 * SECOND };
  FpShortage shortage;
  g_autofree char *words = NULL, *early = NULL, *exact = NULL, *longer = NULL;

  fp_system_parse_pressure (&system, cases[3].pressure, strlen (cases[3].pressure));
  minute.waited_us = 0;
  now.waited_us = 11 * SECOND;
  fp_shortage_judge (&shortage, &system, &groups, NULL, &minute, &now);
  words = fp_shortage_describe (&shortage, &groups);
  g_assert_cmpint (shortage.level, ==, FP_SHORTAGE_TIGHT);
  g_assert_cmpstr (words, ==, "Programs waited for memory during 11\u00a0s of the last minute: Firefox 9.0\u00a0s, Builder 4.0\u00a0s.");

  /* The root's counter, which may be a container's, does not count. */
  minute.waited_us = 40 * SECOND;
  now.waited_us = 40 * SECOND + 2345678;
  fp_shortage_judge (&shortage, &system, &groups, NULL, &minute, &now);
  g_assert_cmpuint (shortage.waited_us, ==, 2345678);
  exact = fp_shortage_describe (&shortage, NULL);
  g_assert_cmpstr (exact, ==, "Programs waited for memory during 2.3\u00a0s of the last minute.");
  now.time_us = 75 * SECOND;
  fp_shortage_judge (&shortage, &system, &groups, NULL, &minute, &now);
  longer = fp_shortage_describe (&shortage, NULL);
  g_assert_cmpstr (longer, ==, "Programs waited for memory during 2.3\u00a0s of the last 70\u00a0s.");

  /* Until there is a minute, the average tells more than the seconds since the start. */
  fp_shortage_judge (&shortage, &system, &groups, NULL, NULL, &now);
  early = fp_shortage_describe (&shortage, NULL);
  g_assert_true (g_str_has_prefix (early, "Programs waited for memory during about "));
}

/* A group that waits at its limit does not make the machine short of memory, as long as the machine has some left. */
static void
test_limits (void)
{
  g_autoptr (FpControlGroups) groups = fixture_control_groups_new ();
  FpControlGroup *worker;
  FpMachineMoment now = { 0 };
  FpSystem system = { 0 };
  FpShortage shortage;
  g_autofree char *title = NULL, *short_title = NULL;

  fixture_control_groups_add (groups, FP_CONTROL_KIND_MACHINE, "/", "/")->waited_us = 11 * SECOND;
  fixture_control_groups_add (groups, FP_CONTROL_KIND_APP, "/app", "app")->waited_us = 9 * SECOND;
  worker = fixture_control_groups_add (groups, FP_CONTROL_KIND_SERVICE, "/worker", "worker");
  worker->waited_us = 11 * SECOND;
  fixture_control_set (worker, FP_CONTROL_MEMORY, 95 << 20);
  fixture_control_set (worker, FP_CONTROL_MAX, 100 << 20);
  fp_system_set (&system, FP_SYSTEM_PRESSURE_SOME_10, 1870);
  fp_system_set (&system, FP_SYSTEM_MEM_TOTAL, 1000 << 20);
  fp_system_set (&system, FP_SYSTEM_MEM_AVAILABLE, 101 << 20);
  fp_shortage_judge (&shortage, &system, groups, NULL, NULL, &now);
  g_assert_cmpint (shortage.level, ==, FP_SHORTAGE_TIGHT);
  title = fp_shortage_make_title (&shortage, groups);
  g_assert_cmpstr (title, ==, "Tight: worker is near its limit, but the machine has memory left");
  fp_system_set (&system, FP_SYSTEM_MEM_AVAILABLE, 99 << 20);
  fp_shortage_judge (&shortage, &system, groups, NULL, NULL, &now);
  short_title = fp_shortage_make_title (&shortage, groups);
  g_assert_cmpstr (short_title, ==, "Tight: memory is short");
  fp_system_set (&system, FP_SYSTEM_MEM_AVAILABLE, 101 << 20);
  fixture_control_set (worker, FP_CONTROL_MEMORY, 80 << 20);
  fp_shortage_judge (&shortage, &system, groups, NULL, NULL, &now);
  g_assert_cmpuint (shortage.limited, ==, FP_CONTROL_NONE);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/shortage/pressure", test_pressure);
  g_test_add_func ("/shortage/without-pressure", test_without_pressure);
  g_test_add_func ("/shortage/groups", test_groups);
  g_test_add_func ("/shortage/limits", test_limits);
  return g_test_run ();
}
