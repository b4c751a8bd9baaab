// SPDX-License-Identifier: GPL-3.0-or-later
/* The terminal in a language that people speak: with the translations as they are installed, and figures as that language writes
 * them. What is for programs stays as it is. */
#include <locale.h>
#include <string.h>

#include "cli-runner.h"

#define LOCALE  "de_DE.UTF-8"
#define BROWSER "--pid=1200" /* of tests/fixtures/desktop */

static void
run (CliResult *result,
     const char *locale,
     const char *const *arguments)
{
  g_autofree char *proc = g_strdup_printf ("--proc=%s/desktop/proc", g_getenv ("FOOTPRINT_FIXTURES"));
  g_autofree char *usual = g_strdup (g_getenv ("LC_ALL"));
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  g_ptr_array_add (all, proc);
  for (; *arguments; arguments++)
    g_ptr_array_add (all, (gpointer)*arguments);
  g_ptr_array_add (all, NULL);
  g_setenv ("LC_ALL", locale, TRUE);
  cli_run_argv (result, (char **)all->pdata);
  g_setenv ("LC_ALL", usual, TRUE);
}

#define RUN(result, locale, ...) run (result, locale, (const char *const[]){ __VA_ARGS__, NULL })

static void
assert_has (const char *text,
            const char *part)
{
  if (!strstr (text, part))
    g_test_message ("no “%s” in “%s”", part, text);
  g_assert_nonnull (strstr (text, part));
}

static void
test_table (void)
{
  g_auto (CliResult) result = { 0 };

  RUN (&result, LOCALE, "--by=program", "--columns=processes,pss,name", "--limit=2");
  g_assert_cmpstr (result.err, ==, "");
  g_assert_cmpstr (result.out, ==,
                   "Prozesse  Speicher  Name\n"
                   "       4   611 MiB  firefox\n"
                   "       1   204 MiB  spotify\n"
                   "      24   1,3 GiB  18 Gruppen\n");
}

/* Sentences, a plural, and what is said of a mistake */
static void
test_sentences (void)
{
  g_auto (CliResult) system = { 0 }, one = { 0 }, mistake = { 0 };

  RUN (&system, LOCALE, "--system");
  assert_has (system.out, "3,8\u00a0GiB sind sofort verfügbar: 3,0\u00a0GiB sind frei");
  RUN (&one, LOCALE, "--total", BROWSER, "--columns=pss,program");
  assert_has (one.out, "1 Prozess\n");
  RUN (&mistake, LOCALE, "--by=nonsense");
  g_assert_cmpint (mistake.status, !=, 0);
  assert_has (mistake.err, "nicht „nonsense“");
}

/* A language changes nothing for programs, and none is chosen where nobody asked for it. */
static void
test_for_programs (void)
{
  static const char *const columns = "--columns=pid,pss,uss,rss,swap,cpu_time_us,state,program";
  g_auto (CliResult) json = { 0 }, usual_json = { 0 }, csv = { 0 }, usual_csv = { 0 }, table = { 0 };

  /* A second can end between the two. */
  for (guint i = 0; i < 5 && (i == 0 || !g_str_equal (json.out, usual_json.out)); i++)
    {
      cli_result_clear (&json);
      cli_result_clear (&usual_json);
      RUN (&json, LOCALE, "--json", "--by=user");
      RUN (&usual_json, "C.UTF-8", "--json", "--by=user");
    }
  g_assert_cmpstr (json.out, ==, usual_json.out);
  RUN (&csv, LOCALE, "--csv", columns);
  RUN (&usual_csv, "C.UTF-8", "--csv", columns);
  g_assert_cmpstr (csv.out, ==, usual_csv.out);
  RUN (&table, "C.UTF-8", "--by=program", "--columns=processes,pss,name", "--limit=1");
  assert_has (table.out, "Processes   Memory  Name\n");
  assert_has (table.out, "1.3 GiB  18 groups\n");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  if (!setlocale (LC_ALL, LOCALE))
    {
      g_print ("1..0 # SKIP the sources of the locale de_DE are missing here (Debian package locales)\n");
      return 0;
    }
  setlocale (LC_ALL, "C");
  g_test_add_func ("/cli-german/table", test_table);
  g_test_add_func ("/cli-german/sentences", test_sentences);
  g_test_add_func ("/cli-german/for-programs", test_for_programs);
  return g_test_run ();
}
