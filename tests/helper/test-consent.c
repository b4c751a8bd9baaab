// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <unistd.h>

#include "fp-consent.h"

#define SECONDS ((gint64)G_USEC_PER_SEC)
#define GIVEN   (1000 * SECONDS)
#define KEEPING (300 * SECONDS)

typedef struct
{
  const char *name;
  const char *kept; /* when it was given */
  gint64 after_s;
  FpAnswer answer;
  const char *kept_now;
  gboolean permits;
  gboolean stands;
} Case;

static const Case cases[] = {
  { "/consent/still-kept", "a", 100, FP_ANSWER_YES, "a", TRUE, TRUE },
  { "/consent/revoked", "a", 100, FP_ANSWER_PASSWORD, NULL, FALSE, FALSE },
  { "/consent/revoked-late", "a", 294, FP_ANSWER_PASSWORD, NULL, FALSE, FALSE },
  { "/consent/expired", "a", 300, FP_ANSWER_PASSWORD, NULL, TRUE, TRUE },
  { "/consent/expired-long-ago", "a", 90000, FP_ANSWER_PASSWORD, NULL, TRUE, TRUE },
  { "/consent/forbidden", "a", 100, FP_ANSWER_NO, NULL, FALSE, FALSE },
  { "/consent/forbidden-after-expiry", "a", 400, FP_ANSWER_NO, NULL, FALSE, FALSE },
  { "/consent/forbidden-once", NULL, 400, FP_ANSWER_NO, NULL, FALSE, FALSE },
  { "/consent/once", NULL, 1, FP_ANSWER_PASSWORD, NULL, TRUE, TRUE },
  { "/consent/permitted-by-a-rule", "a", 100, FP_ANSWER_YES, NULL, TRUE, FALSE },
  { "/consent/kept-for-another-connection", "a", 100, FP_ANSWER_YES, "b", TRUE, FALSE },
  { "/consent/kept-for-another-connection-after-expiry", "a", 400, FP_ANSWER_YES, "b", TRUE, TRUE },
};

static void
test_case (gconstpointer data)
{
  const Case *given = data;
  FpConsent consent = { 0 };

  fp_consent_give (&consent, given->kept, GIVEN);
  for (guint i = 0; i < 2; i++)
    {
      gboolean permits =
          fp_consent_judge (&consent, given->answer, given->kept_now, GIVEN + given->after_s * SECONDS, KEEPING);

      g_assert_cmpint (permits, ==, given->permits);
      g_assert_cmpint (consent.given_us != 0, ==, given->stands);
    }
  fp_consent_clear (&consent);
}

/* Where no password was given there is nothing that could stand. */
static void
test_none (void)
{
  FpConsent consent = { 0 };

  g_assert_false (fp_consent_judge (&consent, FP_ANSWER_PASSWORD, NULL, GIVEN, KEEPING));
  g_assert_true (fp_consent_judge (&consent, FP_ANSWER_YES, "a", GIVEN, KEEPING));
  g_assert_cmpstr (consent.kept, ==, "a");
  g_assert_false (fp_consent_judge (&consent, FP_ANSWER_PASSWORD, NULL, GIVEN + 2 * KEEPING, KEEPING));
  fp_consent_clear (&consent);
}

/* Its own time being over by then does not bring it back. */
static void
test_stays_revoked (void)
{
  FpConsent consent = { 0 };

  fp_consent_give (&consent, "a", GIVEN);
  g_assert_false (fp_consent_judge (&consent, FP_ANSWER_PASSWORD, NULL, GIVEN + SECONDS, KEEPING));
  g_assert_false (fp_consent_judge (&consent, FP_ANSWER_PASSWORD, NULL, GIVEN + 2 * KEEPING, KEEPING));
  fp_consent_clear (&consent);
}

static void
test_keeping (void)
{
  g_autofree char *folder = g_dir_make_tmp ("footprint-XXXXXX", NULL);
  g_autofree char *first = g_build_filename (folder, "first", NULL);
  g_autofree char *second = g_build_filename (folder, "second", NULL);
  const char *const paths[] = { first, second, NULL };

  g_assert_cmpint (fp_consent_read_keeping_us (paths), ==, 300 * SECONDS);
  g_assert_true (g_file_set_contents (second, "[Polkitd]\nExpirationSeconds=60\n", -1, NULL));
  g_assert_cmpint (fp_consent_read_keeping_us (paths), ==, 60 * SECONDS);
  g_assert_true (g_file_set_contents (first, "[Polkitd]\n#ExpirationSeconds=5\n", -1, NULL));
  g_assert_cmpint (fp_consent_read_keeping_us (paths), ==, 60 * SECONDS);
  g_assert_true (g_file_set_contents (first, "[Polkitd]\nExpirationSeconds=3600\n", -1, NULL));
  g_assert_cmpint (fp_consent_read_keeping_us (paths), ==, 3600 * SECONDS);
  g_assert_true (g_file_set_contents (first, "[Polkitd]\nExpirationSeconds=0\n", -1, NULL));
  g_assert_cmpint (fp_consent_read_keeping_us (paths), ==, 0);
  g_unlink (first);
  g_assert_cmpint (symlink (first, first), ==, 0);
  g_assert_cmpint (fp_consent_read_keeping_us (paths), ==, G_MAXINT64);
  g_unlink (first);
  g_unlink (second);
  g_rmdir (folder);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], test_case);
  g_test_add_func ("/consent/none", test_none);
  g_test_add_func ("/consent/stays-revoked", test_stays_revoked);
  g_test_add_func ("/consent/keeping", test_keeping);
  return g_test_run ();
}
