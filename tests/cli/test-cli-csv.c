// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "cli-runner.h"
#include "fp-columns.h"
#include "live-process.h"

/* One field of RFC 4180; the end of a record is the end of the text or CRLF. */
static char *
take_field (const char **cursor)
{
  g_autoptr (GString) field = g_string_new (NULL);
  const char *c = *cursor;

  if (*c == '"')
    {
      for (c++; *c != '"' || c[1] == '"'; c++)
        {
          g_assert_true (*c != '\0');
          c += *c == '"';
          g_string_append_c (field, *c);
        }
      c++;
      g_assert_true (*c == ',' || g_str_has_prefix (c, "\r\n"));
    }
  else
    for (; *c && *c != ',' && *c != '\r'; c++)
      {
        g_assert_true (*c != '"' && *c != '\n');
        g_string_append_c (field, *c);
      }
  *cursor = c;
  return g_string_free (g_steal_pointer (&field), FALSE);
}

static GPtrArray *
parse (const char *text)
{
  GPtrArray *records = g_ptr_array_new_with_free_func ((GDestroyNotify)g_strfreev);

  g_assert_true (g_utf8_validate (text, -1, NULL));
  while (*text)
    {
      g_autoptr (GPtrArray) fields = g_ptr_array_new ();

      g_ptr_array_add (fields, take_field (&text));
      while (*text == ',')
        {
          text++;
          g_ptr_array_add (fields, take_field (&text));
        }
      g_assert_true (g_str_has_prefix (text, "\r\n"));
      text += 2;
      g_ptr_array_add (fields, NULL);
      g_ptr_array_add (records, g_ptr_array_free (g_steal_pointer (&fields), FALSE));
    }
  for (guint i = 1; i < records->len; i++)
    g_assert_cmpuint (g_strv_length (g_ptr_array_index (records, i)), ==,
                      g_strv_length (g_ptr_array_index (records, 0)));
  return records;
}

static const char *
get_field (GPtrArray *records,
           guint record,
           const char *id)
{
  char **header = g_ptr_array_index (records, 0);

  for (guint i = 0; header[i]; i++)
    if (strcmp (header[i], id) == 0)
      return ((char **)g_ptr_array_index (records, record))[i];
  g_error ("There is no column %s", id);
}

static void
test_all (void)
{
  g_autofree char *text = cli_get_output ("--csv", NULL);
  g_autoptr (GPtrArray) records = parse (text);
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  guint n = 0;

  g_assert_cmpuint (records->len, >, 2);
  for (guint i = 0; i < fp_columns_get_n (); i++)
    if (fp_columns_get (i)->kinds & FP_RECORD_PROCESS && !fp_column_is_left_out (fp_columns_get (i)))
      g_assert_nonnull (get_field (records, 0, fp_columns_get (i)->id));
  for (guint i = 1; i < records->len; i++)
    n += strcmp (get_field (records, i, "pid"), pid) == 0;
  g_assert_cmpuint (n, ==, 1);
}

static void
test_other_kinds (void)
{
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autofree char *groups_text = cli_get_output ("--csv", "--by", "user", NULL);
  g_autofree char *mappings_text = cli_get_output ("--csv", "--mappings", "--pid", pid, NULL);
  g_autoptr (GPtrArray) groups = parse (groups_text);
  g_autoptr (GPtrArray) mappings = parse (mappings_text);

  g_assert_cmpuint (groups->len, >, 1);
  g_assert_cmpuint (mappings->len, >, 10);
  g_assert_cmpstr (get_field (groups, 1, "count"), !=, "");
  g_assert_cmpuint (strlen (get_field (mappings, 1, "permissions")), ==, 4);
}

static void
name_oddly (gpointer data)
{
  prctl (PR_SET_NAME, data);
  live_answer ();
  live_await_order ();
}

/* The name of a process must neither end the record, nor reach a terminal or a spreadsheet as a command. */
static void
test_names (void)
{
  static const struct
  {
    const char *name;
    const char *field;
  } names[] = {
    { "a,b", "a,b" },
    { "say \"hi\"", "say \"hi\"" },
    { "two\nlines", "two\\nlines" },
    { "\r", "\\x0d" },
    { "\"", "\"" },
    { ",", "," },
    { "plain", "plain" },
    { "\033[31mred", "\\x1b[31mred" },
    { "\302\233m", "\\x9bm" },
    { "\007\t", "\\x07\\t" },
    { "=1+1", "'=1+1" },
    { "-bash", "'-bash" },
    { "+1,2", "'+1,2" },
    { "@sum", "'@sum" },
    { "a=b", "a=b" },
    { "\t=1", "\\t=1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GPtrArray) records = NULL;
      g_autofree char *pid = NULL, *text = NULL;
      LiveProcess child;

      live_process_start (&child, name_oddly, (gpointer)names[i].name);
      pid = g_strdup_printf ("%d", child.pid);
      text = cli_get_output ("--csv", "--pid", pid, "--columns", "comm,pid,comm", NULL);
      live_process_stop (&child);
      records = parse (text);
      g_assert_cmpuint (records->len, ==, 2);
      g_assert_cmpstr (((char **)g_ptr_array_index (records, 1))[0], ==, names[i].field);
      g_assert_cmpstr (((char **)g_ptr_array_index (records, 1))[1], ==, pid);
      g_assert_cmpstr (((char **)g_ptr_array_index (records, 1))[2], ==, names[i].field);
    }
}

/* Figures are bytes, and empty where they are not known. */
static void
test_figures (void)
{
  g_autofree char *pid = g_strdup_printf ("%d", geteuid () == 0 ? getpid () : 1);
  g_auto (CliResult) result = { 0 };
  g_autoptr (GPtrArray) records = NULL;
  guint64 rss;

  cli_run_as_nobody (&result, "--csv", "--pid", pid, "--columns", "pss,uss,rss,reason", NULL);
  g_assert_cmpint (result.status, ==, 0);
  records = parse (result.out);
  g_assert_cmpuint (records->len, ==, 2);
  g_assert_cmpstr (get_field (records, 1, "pss"), ==, "");
  g_assert_cmpstr (get_field (records, 1, "uss"), ==, "");
  g_assert_cmpstr (get_field (records, 1, "reason"), ==, "permission");
  g_assert_true (g_ascii_string_to_unsigned (get_field (records, 1, "rss"), 10, 1 << 16, G_MAXINT64, &rss, NULL));
  g_assert_cmpuint (rss % 4096, ==, 0);
}

/* One line, in which there is nothing where there is no sum. */
static void
test_total (void)
{
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", "proc", NULL);
  g_autofree char *pid = g_strdup_printf ("%d", getpid ());
  g_autofree char *some_text =
      cli_get_output ("--proc", proc, "--total", "--csv", "--columns", "pid,pss,comm,peak_rss", NULL);
  g_autofree char *all_text = cli_get_output ("--proc", proc, "--total", "--csv", NULL);
  g_autofree char *mappings_text = cli_get_output ("--mappings", "--pid", pid, "--total", "--csv", NULL);
  g_autoptr (JsonNode) root = cli_get_json ("--proc", proc, "--total", "--json", NULL);
  JsonObject *total = json_object_get_object_member (json_node_get_object (root), "total");
  g_autofree char *pss = g_strdup_printf ("%" G_GINT64_FORMAT, cli_json_get_int (total, "pss"));
  g_autoptr (GPtrArray) some = parse (some_text), all = parse (all_text), mappings = parse (mappings_text);

  g_assert_cmpuint (some->len, ==, 2);
  g_assert_cmpstr (get_field (some, 1, "pid"), ==, "");
  g_assert_cmpstr (get_field (some, 1, "pss"), ==, pss);
  g_assert_cmpstr (get_field (some, 1, "comm"), ==, "");
  g_assert_cmpstr (get_field (some, 1, "peak_rss"), ==, "");
  g_assert_cmpuint (all->len, ==, 2);
  g_assert_cmpstr (get_field (all, 1, "pss"), ==, pss);
  g_assert_cmpstr (get_field (all, 1, "count"), ==, "24");
  g_assert_cmpuint (mappings->len, ==, 2);
  g_assert_cmpstr (get_field (mappings, 1, "size"), !=, "");
}

/* 32 MiB of 10.24 GiB: swap is measured by the swap, as it is in the table. */
static void
test_percent_of_swap (void)
{
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", "proc", NULL);
  g_autoptr (GPtrArray) records = NULL;
  g_autofree char *text = NULL;

  text = cli_get_output ("--proc", proc, "--pid", "1400", "--csv", "--percent", "--columns", "pid,swap", NULL);
  records = parse (text);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (get_field (records, 1, "swap"), NULL), 0.3125, 0.01);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/csv/all", test_all);
  g_test_add_func ("/cli/csv/other-kinds", test_other_kinds);
  g_test_add_func ("/cli/csv/names", test_names);
  g_test_add_func ("/cli/csv/figures", test_figures);
  g_test_add_func ("/cli/csv/total", test_total);
  g_test_add_func ("/cli/csv/percent-of-swap", test_percent_of_swap);
  return g_test_run ();
}
