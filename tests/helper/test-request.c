// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-helper-protocol.h"
#include "fp-request.h"

#define N_PROCESSES 100000

static const FpPermission everything = { .access = FP_ACCESS_ALL };

/* Processes from 1 on, whose start is their number. */
static FpSnapshot *
make_snapshot (void)
{
  FpSnapshot *snapshot = fp_snapshot_new (N_PROCESSES);

  for (gint pid = 1; pid <= N_PROCESSES; pid++)
    snapshot->processes[snapshot->n_processes++] = (FpProcess){ .pid = pid, .start_ticks = (guint64)pid };
  return snapshot;
}

static void
parse (FpSweepRequest *request,
       const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) arguments = g_variant_parse (G_VARIANT_TYPE ("(a(it)ta{sv})"), text, NULL, NULL, &error);
  g_autoptr (FpSnapshot) snapshot = make_snapshot ();

  g_assert_no_error (error);
  fp_request_parse (request, arguments, &everything, snapshot);
}

static void
test_plain (void)
{
  FpSweepRequest request;

  parse (&request, "([(12, 12), (13, 13)], 100000, {'wanted': <[(14, uint64 14)]>, 'refresh-all': <true>, 'all': <true>})");
  g_assert_cmpuint (request.n_attention, ==, 2);
  g_assert_cmpint (request.attention[1].pid, ==, 13);
  g_assert_cmpuint (request.attention[1].start_ticks, ==, 13);
  g_assert_cmpuint (request.n_wanted, ==, 1);
  g_assert_cmpint (request.wanted[0].pid, ==, 14);
  g_assert_cmpuint (request.slice_us, ==, 100000);
  g_assert_true (request.refresh_all);
  fp_request_clear (&request);
}

/* No process has such a number, or such a start. */
static void
test_impossible (void)
{
  FpSweepRequest request;

  parse (&request, "([(0, 1), (-1, 1), (-2147483648, 1), (5, 0), (2147483647, 18446744073709551615), (7, 8), (9, 9)], 0, {})");
  g_assert_cmpuint (request.n_attention, ==, 1);
  g_assert_cmpint (request.attention[0].pid, ==, 9);
  g_assert_cmpuint (request.slice_us, >, 0);
  g_assert_cmpuint (request.slice_us, <=, G_USEC_PER_SEC);
  g_assert_false (request.refresh_all);
  fp_request_clear (&request);
}

/* A slice that ends at once would leave new processes pending, and nine more sweeps would come in the same second. */
static void
test_short_slice (void)
{
  FpSweepRequest request;

  parse (&request, "([], 1, {})");
  g_assert_cmpuint (request.slice_us, >=, 25000);
  fp_request_clear (&request);
}

/* Values of another type or of a later version are as if they were not there. */
static void
test_odd_options (void)
{
  FpSweepRequest request;

  parse (&request, "([], 18446744073709551615, {'wanted': <[1, 2]>, 'refresh-all': <1>, 'speed': <2.0>})");
  g_assert_false (request.refresh_all);
  g_assert_cmpuint (request.n_wanted, ==, 0);
  g_assert_cmpuint (request.slice_us, <=, G_USEC_PER_SEC);
  fp_request_clear (&request);
}

static void
test_too_many (void)
{
  g_autoptr (GVariant) arguments = NULL;
  g_autoptr (FpSnapshot) snapshot = make_snapshot ();
  GVariantBuilder attention, wanted, options;
  FpSweepRequest request;

  g_variant_builder_init (&attention, G_VARIANT_TYPE ("a(it)"));
  g_variant_builder_init (&wanted, G_VARIANT_TYPE ("a(it)"));
  for (gint i = 1; i <= N_PROCESSES; i++)
    {
      g_variant_builder_add (&attention, "(it)", i, (guint64)i);
      g_variant_builder_add (&wanted, "(it)", i, (guint64)i);
    }
  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", "wanted", g_variant_builder_end (&wanted));
  arguments = g_variant_ref_sink (g_variant_new ("(a(it)ta{sv})", &attention, G_GUINT64_CONSTANT (0), &options));
  fp_request_parse (&request, arguments, &everything, snapshot);
  g_assert_cmpuint (request.n_attention, ==, FP_HELPER_MAX_ATTENTION);
  g_assert_cmpuint (request.n_wanted, ==, FP_HELPER_MAX_WANTED);
  fp_request_clear (&request);
}

static void
test_id (void)
{
  static const struct
  {
    const char *text;
    gboolean is_possible;
  } cases[] = { { "(1, 5)", TRUE }, { "(0, 5)", FALSE }, { "(-7, 5)", FALSE }, { "(1, 0)", FALSE }, { "(2147483647, 1)", TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GVariant) arguments = g_variant_parse (G_VARIANT_TYPE ("(it)"), cases[i].text, NULL, NULL, NULL);
      FpProcessId id;

      g_assert_cmpint (fp_request_parse_id (arguments, &id), ==, cases[i].is_possible);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/request/plain", test_plain);
  g_test_add_func ("/request/impossible", test_impossible);
  g_test_add_func ("/request/short-slice", test_short_slice);
  g_test_add_func ("/request/odd-options", test_odd_options);
  g_test_add_func ("/request/too-many", test_too_many);
  g_test_add_func ("/request/id", test_id);
  return g_test_run ();
}
