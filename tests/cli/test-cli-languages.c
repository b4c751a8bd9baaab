// SPDX-License-Identifier: GPL-3.0-or-later
/* The terminal in two languages that nobody speaks: each text is translated as a whole, and tables stay tables. */
#include <string.h>

#include "cli-runner.h"
#include "made-language.h"

#define BROWSER "--pid=1200" /* of tests/fixtures/desktop */

/* clang-format off */
static const char *const tables[][5] = {
  { NULL },
  { "--by=user" },
  { "--by=program", "--columns=name,processes,pss,swap,growth" },
  { "--columns=all" },
  { "--percent", "--limit=3" },
  { "--mappings", BROWSER },
  { "--mappings", BROWSER, "--by=kind" },
};

static const char *const pages[][5] = {
  { "--system" },
  { "--total" },
  { "--freed", BROWSER },
  { "--columns=help" },
  { "--help" },
};

static const char *const mistakes[][5] = {
  { "--by=nonsense" },
  { "--by=kind" },
  { "--columns=nonsense" },
  { "--filter=memory>nonsense" },
  { "--filter=(nonsense" },
  { "--pid=nonsense" },
  { "--pid=4000000" },
  { "--user=nonsense" },
  { "--watch=nonsense" },
  { "--limit=nonsense" },
  { "--mappings" },
  { "--sections=nonsense" },
  { "--system", "--csv" },
  { "--json", "--percent" },
  { "--heap=/dev/null" },
  { "nonsense" },
};
/* clang-format on */

static const char *const languages[] = { "xx", "xx@rtl" };

static MadeLanguage *given;

static void
run (CliResult *result,
     const char *const *arguments,
     const char *language)
{
  g_autofree char *proc = g_strdup_printf ("--proc=%s/desktop/proc", g_getenv ("FOOTPRINT_FIXTURES"));
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  if (!*arguments || (!g_str_has_prefix (*arguments, "--open") && !g_str_has_prefix (*arguments, "--heap")))
    g_ptr_array_add (all, proc);
  for (guint i = 0; i < G_N_ELEMENTS (tables[0]) && arguments[i]; i++)
    g_ptr_array_add (all, (gpointer)arguments[i]);
  g_ptr_array_add (all, NULL);
  g_setenv ("LANGUAGE", language, TRUE);
  g_setenv ("LD_PRELOAD", g_getenv ("TEST_LOCALE_FOLDER"), TRUE);
  cli_run_argv (result, (char **)all->pdata);
  g_unsetenv ("LD_PRELOAD");
  g_unsetenv ("LANGUAGE");
}

/* Names of options are not translated. */
static void
check_texts (const char *text)
{
  g_autoptr (GRegex) option = g_regex_new ("(?<![\\p{L}-])--?[a-z][a-z-]*", G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
  g_autofree char *without_options = g_regex_replace_literal (option, text, -1, 0, "", G_REGEX_MATCH_DEFAULT, NULL);
  g_autofree char *rest = made_language_find_rest (given, without_options);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; rest && lines[i]; i++)
    if (strstr (lines[i], rest))
      g_test_message ("“%s” is not translated in “%s”", rest, lines[i]);
  g_assert_null (rest);
}

static gboolean
is_blank (const gunichar *line,
          glong length,
          glong at)
{
  return at < 0 || at >= length || line[at] == ' ';
}

/* A cell begins where its title begins, or ends where it ends; an empty one has neither. */
static void
check_cell (const char *text,
            glong start,
            glong end)
{
  glong length;
  g_autofree gunichar *line = g_utf8_to_ucs4_fast (text, -1, &length);
  gboolean is_empty = TRUE, at_start, at_end;

  for (glong i = start; i < end; i++)
    is_empty &= is_blank (line, length, i);
  at_start = !is_blank (line, length, start) && is_blank (line, length, start - 1);
  at_end = !is_blank (line, length, end - 1) && is_blank (line, length, end);
  if (!is_empty && !at_start && !at_end)
    g_test_message ("columns %ld to %ld of “%s”", start, end, text);
  g_assert_true (is_empty || at_start || at_end);
}

/* Columns are two blanks apart. The last one, which has texts, may be longer than its title. */
static void
check_table (const char *out)
{
  g_auto (GStrv) all = g_strsplit (out, "\n", -1);
  /* A line says that it is a saved snapshot, and a blank one follows. */
  char **lines = all[0] && all[1] && !*all[1] ? all + 2 : all;
  g_autoptr (GRegex) title = g_regex_new ("\\S+(?: \\S+)*(?=  )", G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n_titles = 0;

  g_assert_nonnull (lines[0]);
  for (g_regex_match (title, lines[0], G_REGEX_MATCH_DEFAULT, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      gint start, end;

      g_match_info_fetch_pos (match, 0, &start, &end);
      n_titles++;
      for (guint i = 1; lines[i] && *lines[i]; i++)
        check_cell (lines[i], g_utf8_strlen (lines[0], start), g_utf8_strlen (lines[0], end));
    }
  g_assert_cmpuint (n_titles, >=, 2);
}

static void
test_tables (gconstpointer language)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_auto (CliResult) result = { 0 };

      run (&result, tables[i], language);
      g_assert_cmpstr (result.err, ==, "");
      check_texts (result.out);
      check_table (result.out);
    }
}

static void
test_pages (gconstpointer language)
{
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_auto (CliResult) result = { 0 };

      run (&result, pages[i], language);
      g_assert_cmpstr (result.err, ==, "");
      g_assert_nonnull (strstr (result.out, "⟦"));
      check_texts (result.out);
    }
}

static void
test_mistakes (gconstpointer language)
{
  for (guint i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      g_auto (CliResult) result = { 0 };

      run (&result, mistakes[i], language);
      g_test_message ("%s: %s", mistakes[i][0], result.err);
      g_assert_nonnull (strstr (result.err, "⟦"));
      check_texts (result.err);
      g_assert_cmpint (result.status, !=, 0);
    }
}

/* A snapshot with files and groups that were saved */
static void
test_saved (gconstpointer language)
{
  g_autofree char *open = g_strdup_printf ("--open=%s/saved/files-1.footprint", g_getenv ("FOOTPRINT_FIXTURES"));
  const char *const kinds[] = { "--by=file", "--by=user" };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_auto (CliResult) result = { 0 };

      run (&result, (const char *const[]){ open, kinds[i], NULL }, language);
      check_texts (result.out);
      check_table (result.out);
      check_texts (result.err);
    }
}

/* Columns are known by their ids, which are the first words of a list. */
static void
add_ids (void)
{
  g_autofree char *columns = cli_get_output ("--columns=help", NULL);
  g_auto (GStrv) lines = g_strsplit (columns, "\n", -1);

  for (guint i = 0; lines[i]; i++)
    {
      g_strchug (lines[i]);
      lines[i][strcspn (lines[i], " ")] = '\0';
      made_language_add_words (given, lines[i]);
    }
}

static void
add_given (void)
{
  g_autofree char *proc = g_strdup_printf ("--proc=%s/desktop/proc", g_getenv ("FOOTPRINT_FIXTURES"));
  g_autofree char *open = g_strdup_printf ("--open=%s/saved/files-1.footprint", g_getenv ("FOOTPRINT_FIXTURES"));

  given = made_language_new ();
  made_language_add_words (given, "nonsense dev null desktop proc");
  made_language_add_names (given, (const char *const[]){ proc, "--columns=all", NULL });
  made_language_add_names (given, (const char *const[]){ proc, "--system", NULL });
  made_language_add_names (given, (const char *const[]){ proc, "--mappings", BROWSER, NULL });
  made_language_add_names (given, (const char *const[]){ open, NULL });
  made_language_add_names (given, (const char *const[]){ open, "--by=file", NULL });
  add_ids ();
}

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *name;
    void (*test) (gconstpointer language);
  } tests[] = { { "tables", test_tables }, { "pages", test_pages }, { "mistakes", test_mistakes }, { "saved", test_saved } };
  int status;

  made_language_enter_locale ();
  g_test_init (&argc, &argv, NULL);
  add_given ();
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    for (guint k = 0; k < G_N_ELEMENTS (tests); k++)
      {
        g_autofree char *path = g_strdup_printf ("/cli-languages/%s/%s", languages[i], tests[k].name);

        g_test_add_data_func (path, languages[i], tests[k].test);
      }
  status = g_test_run ();
  made_language_free (given);
  return status;
}
