// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-snapshot.h"
#include "fp-query.h"
#include "fp-totals.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

typedef struct
{
  FixtureSnapshot snapshot;
  FpRecords *records;
} Fixture;

static void
set_texts (FixtureSnapshot *snapshot,
           FpProcess *process,
           const char *user,
           guint32 uid,
           const char *command,
           const char *app)
{
  process->uid = uid;
  fixture_snapshot_set_text (snapshot, process, FP_TEXT_USER, user);
  fixture_snapshot_set_text (snapshot, process, FP_TEXT_COMMAND, command);
  fixture_snapshot_set_text (snapshot, process, FP_TEXT_APP, app);
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  FixtureSnapshot *snapshot = &self->snapshot;
  FpProcess *process;

  fixture_snapshot_init (snapshot, 8);
  process = fixture_snapshot_add (snapshot, 7, "firefox");
  set_texts (snapshot, process, "alice", 1000, "/usr/lib/firefox/firefox --new-window a=b gid=3137", "org.mozilla.firefox");
  fixture_set_figures (process, 300 * MIB, 500 * MIB, 0);
  process = fixture_snapshot_add (snapshot, 70, "Größe-Meßgerät");
  set_texts (snapshot, process, "bob", 1001, "größe ΑΒΓ", "");
  fixture_set_figures (process, 100 * MIB, 100 * MIB, 1);
  process = fixture_snapshot_add_reason (snapshot, 71, "sshd", FP_REASON_PERMISSION);
  set_texts (snapshot, process, "root", 0, "sshd: alice [priv]", "");
  fp_memory_set (&process->memory, FP_FIELD_RSS, 50 * MIB);
  process = fixture_snapshot_add_reason (snapshot, 700, "kworker/0:1", FP_REASON_KERNEL_THREAD);
  set_texts (snapshot, process, "", 4242, "", "");
  process = fixture_snapshot_add_reason (snapshot, 7000, "gone", FP_REASON_PERMISSION);
  set_texts (snapshot, process, "alice", 1000, "", "");
  self->records = fixture_snapshot_make_records (snapshot);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  fp_records_unref (self->records);
  fixture_snapshot_clear (&self->snapshot);
}

/* expected: the pids that match, as in "7 70" */
static void
assert_matches (Fixture *self,
                const char *text,
                const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpQuery) query = fp_query_new (text, FP_RECORD_PROCESS, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_test_message ("%s", text);
  g_assert_no_error (error);
  if (!query)
    return;
  for (guint i = 0; i < self->records->n; i++)
    if (fp_query_matches (query, self->records, i))
      g_string_append_printf (found, "%s%d", found->len ? " " : "", fp_process_records_get (self->records, i)->pid);
  g_assert_cmpstr (found->str, ==, expected);
}

static void
assert_refused (const char *text,
                const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpQuery) query = fp_query_new (text, FP_RECORD_PROCESS, &error);
  g_autofree char *shown = g_utf8_make_valid (text, -1);

  g_test_message ("%s", shown);
  g_assert_null (query);
  g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
  if (error)
    g_assert_nonnull (strstr (error->message, part));
}

static void
test_words (Fixture *self,
            gconstpointer data)
{
  assert_matches (self, "", "7 70 71 700 7000");
  assert_matches (self, "   ", "7 70 71 700 7000");
  assert_matches (self, "firefox", "7");
  assert_matches (self, "FireFOX", "7");
  assert_matches (self, "alice", "7 71 7000");
  assert_matches (self, "alice firefox", "7");
  assert_matches (self, "alice  \t window", "7");
  assert_matches (self, "alice bob", "");
  assert_matches (self, "mozilla", "7");
  assert_matches (self, "kworker", "700");
  assert_matches (self, "no-such-thing", "");
  assert_matches (self, "4242", "700");
}

static void
test_quotes (Fixture *self,
             gconstpointer data)
{
  assert_matches (self, "\"alice [priv]\"", "71");
  assert_matches (self, "\"firefox --new\"", "7");
  assert_matches (self, "\"new --firefox\"", "");
  assert_matches (self, "\"--new-window\"", "7");
  assert_matches (self, "\"pss>1M\"", "");
  assert_matches (self, "command:\"alice [priv]\"", "71");
  assert_matches (self, "-\"alice [priv]\"", "7 70 700 7000");
  assert_matches (self, "\"sshd: alice", "71");
  assert_matches (self, "\"\"", "7 70 71 700 7000");
  assert_matches (self, "\"a=b\"", "7");
}

static void
test_not (Fixture *self,
          gconstpointer data)
{
  assert_matches (self, "-alice", "70 700");
  assert_matches (self, "-user:alice", "70 71 700");
  assert_matches (self, "alice -firefox", "71 7000");
  assert_matches (self, "-alice -bob", "700");
  assert_matches (self, "--new-window", "70 71 700 7000");
  assert_matches (self, "-pid:7", "70 71 700 7000");
}

static void
test_columns (Fixture *self,
              gconstpointer data)
{
  assert_matches (self, "user:alice", "7 7000");
  assert_matches (self, "USER:Alice", "7 7000");
  assert_matches (self, "user:ali", "7 7000");
  assert_matches (self, "user=ali", "");
  assert_matches (self, "user=ALICE", "7 7000");
  assert_matches (self, "user:4242", "700");
  assert_matches (self, "uid:1001", "70");
  assert_matches (self, "program:fire", "7");
  assert_matches (self, "program=firefox", "7");
  assert_matches (self, "program:alice", "");
  assert_matches (self, "pid:7", "7");
  assert_matches (self, "pid=70", "70");
  assert_matches (self, "pid>70", "71 700 7000");
  assert_matches (self, "app:mozilla", "7");
  assert_matches (self, "reason:permission", "71 7000");
  assert_matches (self, "user:alice program:fire", "7");
}

static void
test_pid_as_word (Fixture *self,
                  gconstpointer data)
{
  assert_matches (self, "70", "70");
  assert_matches (self, "7", "7");
  assert_matches (self, "700", "700");
  assert_matches (self, "00", "");
}

/* A bound matches only if it must: at most 50 MiB is surely below 60 MiB, and perhaps above 10. */
static void
test_figures (Fixture *self,
              gconstpointer data)
{
  assert_matches (self, ">100M", "7");
  assert_matches (self, ">=100M", "7 70");
  assert_matches (self, "<100M", "71");
  assert_matches (self, "<=100M", "70 71");
  assert_matches (self, "=100M", "70");
  assert_matches (self, "pss>100M", "7");
  assert_matches (self, "PSS>100m", "7");
  assert_matches (self, "pss>104857599", "7 70");
  assert_matches (self, "pss<=0.29296875G", "7 70 71");
  assert_matches (self, "pss>10M", "7 70");
  assert_matches (self, "pss<60M", "71");
  assert_matches (self, "pss<40M", "");
  assert_matches (self, "swap>0", "70");
  assert_matches (self, "swap=0", "7");
  assert_matches (self, "rss>0", "7 70 71");
  assert_matches (self, ">100M user:alice", "7");
  assert_matches (self, "-pss>100M user:alice", "7000");
  assert_matches (self, "pss>99MiB", "7 70");
  assert_matches (self, "pss>99MB", "7 70");
}

static void
assert_match (Fixture *self,
              const char *text,
              guint index,
              FpMatch expected)
{
  g_autoptr (FpQuery) query = fp_query_new (text, FP_RECORD_PROCESS, NULL);

  g_test_message ("%s", text);
  g_assert_cmpint (fp_query_matches (query, self->records, index), ==, expected);
}

/* A figure that has changed since it was read is found also where it is only possible; a bound of one never read is not. */
static void
test_ranges (Fixture *self,
             gconstpointer data)
{
  fp_memory_set_range (&self->snapshot.snapshot->processes[0].memory, FP_FIELD_PSS, 90 * MIB, 110 * MIB);
  assert_match (self, "pss>100M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "pss>110M", 0, FP_MATCH_NOT);
  assert_match (self, "pss>=110M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "pss>90M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "pss>=90M", 0, FP_MATCH_CERTAINLY);
  assert_match (self, "pss>80M", 0, FP_MATCH_CERTAINLY);
  assert_match (self, "pss<100M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "pss<90M", 0, FP_MATCH_NOT);
  assert_match (self, "pss<=90M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "pss<=110M", 0, FP_MATCH_CERTAINLY);
  assert_match (self, "pss<111M", 0, FP_MATCH_CERTAINLY);
  assert_match (self, "pss=100M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "pss=110M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "pss=111M", 0, FP_MATCH_NOT);
  assert_match (self, "-pss>100M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "-pss>80M", 0, FP_MATCH_NOT);
  assert_match (self, "-pss>110M", 0, FP_MATCH_CERTAINLY);
  assert_match (self, "firefox pss>100M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "bob pss>100M", 0, FP_MATCH_NOT);
  assert_match (self, "pss>80M pss<100M", 0, FP_MATCH_POSSIBLY);
  assert_match (self, "pss>10M", 2, FP_MATCH_NOT);
  assert_match (self, "pss<60M", 2, FP_MATCH_CERTAINLY);
}

/* The words of the issue: swap>0, pss<=1.5G */
static void
test_swap (Fixture *self,
           gconstpointer data)
{
  fp_memory_set (&self->snapshot.snapshot->processes[0].memory, FP_FIELD_SWAP, 5);
  fp_memory_set (&self->snapshot.snapshot->processes[1].memory, FP_FIELD_SWAP, 0);
  assert_matches (self, "swap>0", "70");
  assert_matches (self, "swap>=0", "7 70");
  assert_matches (self, "swap_whole>0", "7");
  assert_matches (self, "SwapWhole>0", "7");
  assert_matches (self, "pss<=1.5G", "7 70 71");
}

/* The heading of a column and the kernel's word for it are names as good as the id. */
static void
test_headings (Fixture *self,
               gconstpointer data)
{
  assert_matches (self, "memory>100M", "7");
  assert_matches (self, "Memory>100M", "7");
  assert_matches (self, "MEMORY>100M", "7");
  assert_matches (self, "Resident>=100M", "7 70");
  assert_matches (self, "resident<60m", "71");
  assert_matches (self, "full_name:x", "");
  assert_matches (self, "Why-Not-Read:permission", "71 7000");
  assert_matches (self, "swap_pss>0", "70");
  assert_matches (self, "SwapPss>0", "70");
  assert_matches (self, "Parent=5", "");
}

static void
test_blanks (Fixture *self,
             gconstpointer data)
{
  assert_matches (self, "memory>100 M", "7");
  assert_matches (self, "memory>100 MiB alice", "7");
  assert_matches (self, "memory > 100M", "7");
  assert_matches (self, "memory >100 m firefox", "7");
  assert_matches (self, "memory> 100\tM", "7");
  assert_matches (self, "-memory > 100 M user:alice", "7000");
  assert_matches (self, "> 100M", "7");
  assert_matches (self, "firefox >100M", "7");
  assert_matches (self, "firefox > 100 M", "7");
  assert_matches (self, "user = alice", "7 7000");
  assert_matches (self, "user: alice firefox", "7");
  assert_matches (self, "pid = 70", "70");
  assert_matches (self, "pid>70 -\"g\" ", "71 700");
  assert_matches (self, "memory>50 \"m\"", "7 70");
  assert_refused ("memory>50 X5>", "X5");
}

static void
test_or (Fixture *self,
         gconstpointer data)
{
  assert_matches (self, "firefox or bob", "7 70");
  assert_matches (self, "firefox OR bob", "7 70");
  assert_matches (self, "firefox | bob", "7 70");
  assert_matches (self, "firefox|bob", "7 70");
  assert_matches (self, "firefox || bob", "7 70");
  assert_matches (self, "user:alice firefox or user:bob", "7 70");
  assert_matches (self, "user:bob or user:alice firefox", "7 70");
  assert_matches (self, "user:bob or user:root or firefox", "7 70 71");
  assert_matches (self, "user:alice and firefox", "7");
  assert_matches (self, "-firefox or bob", "70 71 700 7000");
  assert_matches (self, "memory>100M or memory<60M", "7 71");
  assert_matches (self, "memory > 100 M|memory < 60 M", "7 71");
  assert_matches (self, "\"or\"", "7 700");
  assert_matches (self, "program:kwor", "700");
  assert_matches (self, "-or", "70 71 7000");
  assert_refused ("or", "or");
  assert_refused ("firefox or", "or");
  assert_refused ("| firefox", "or");
  assert_refused ("firefox or or bob", "or");
}

static void
test_parentheses (Fixture *self,
                  gconstpointer data)
{
  g_autofree char *deep = g_strnfill (1000, '(');

  assert_matches (self, "user:alice (firefox or sshd)", "7");
  assert_matches (self, "(firefox or bob) memory<200M", "70");
  assert_matches (self, "(firefox|bob)(memory<200M)", "70");
  assert_matches (self, "-(firefox or bob)", "71 700 7000");
  assert_matches (self, "-(user:alice -firefox)", "7 70 71 700");
  assert_matches (self, "((firefox))", "7");
  assert_matches (self, "(memory > 100 M)", "7");
  assert_matches (self, "a)", "");
  assert_matches (self, "(a(b) or bob)", "70");
  assert_matches (self, "\"(\"", "");
  assert_refused ("(firefox", ")");
  assert_refused ("(firefox or (bob)", ")");
  assert_refused ("()", "(");
  assert_refused ("(firefox or)", "or");
  assert_refused ("(memory>)", "memory");
  assert_refused (deep, "parentheses");
}

static void
test_add (Fixture *self,
          gconstpointer data)
{
  g_autoptr (FpQuery) query = fp_query_new ("firefox or sshd", FP_RECORD_PROCESS, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (fp_query_add (query, "bob or alice -\"[priv]\"", NULL));
  for (guint i = 0; i < self->records->n; i++)
    g_assert_cmpint (fp_query_matches (query, self->records, i), ==,
                     fp_process_records_get (self->records, i)->pid == 7 ? FP_MATCH_CERTAINLY : FP_MATCH_NOT);
  g_assert_false (fp_query_add (query, "pss>", &error));
  g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
}

static void
test_not_ascii (Fixture *self,
                gconstpointer data)
{
  assert_matches (self, "größe", "70");
  assert_matches (self, "GRÖSSE", "70");
  assert_matches (self, "Größe", "70");
  assert_matches (self, "MESSGERÄT", "70");
  assert_matches (self, "αβγ", "70");
  assert_matches (self, "program=größe-meßgerät", "70");
  assert_matches (self, "ö", "70");
  assert_matches (self, "字", "");
}

static void
test_refused (void)
{
  assert_refused ("nonsense>5", "nonsense");
  assert_refused ("nonsense<=5", "nonsense");
  assert_refused ("start>5", "start");
  assert_refused ("user>5", "user");
  assert_refused ("command<=a", "command");
  assert_refused ("pss>much", "much");
  assert_refused ("pss>", "");
  assert_refused ("pss>-5", "-5");
  assert_refused ("pss>5X", "5X");
  assert_refused ("pss>5M5", "5M5");
  assert_refused ("pss>nan", "nan");
  assert_refused ("pss>inf", "inf");
  assert_refused ("pss>1e30", "1e30");
  assert_refused ("pid:firefox", "firefox");
  assert_refused (">", "");
  assert_refused ("\xff", "UTF-8");
}

/* A slip of the fingers gets an answer, where it would find nothing as a text. */
static void
test_misspelled (void)
{
  g_autoptr (GError) error = NULL;

  assert_refused ("usr:u1", "“usr”; did you mean “user”?");
  assert_refused ("alice -USRE:u1", "“USRE”; did you mean “user”?");
  assert_refused ("comand=x", "“comand”; did you mean “command”?");
  assert_refused ("memroy>100M", "“memroy”; did you mean “Memory”?");
  assert_refused ("pagetabels>1M", "There is no column “pagetabels”");
  assert_refused ("swpa>0", "“swpa”; did you mean “swap”?");
  assert_refused ("swpa=1.5G", "“swpa”; did you mean “swap”?");
  assert_refused ("swpa>much", "“swpa”; did you mean “swap”?");
  assert_refused ("pdi=7", "“pdi”; did you mean “pid”?");
  g_assert_null (fp_query_new_with_members ("usr:u1", FP_RECORD_MAPPED_FILE, FP_RECORD_PROCESS, &error));
  g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
  g_assert_nonnull (strstr (error->message, "did you mean “user”?"));
  g_assert_cmpstr (fp_columns_find_similar ("usr", FP_RECORD_CONTROL_GROUP), ==, NULL);
}

/* Words are full of what looks like a column and is none. */
static void
test_harmless (Fixture *self,
               gconstpointer data)
{
  assert_matches (self, "usr", "7");
  assert_matches (self, "\"usr:u1\"", "");
  assert_matches (self, "/usr:/bin", "");
  assert_matches (self, "http://swap", "");
  assert_matches (self, "ps:x", "");
  assert_matches (self, "a=b", "7");
  assert_matches (self, "gid=3137", "7");
  assert_matches (self, "pdi:firefox", "");
  assert_matches (self, "swpa=on", "");
  assert_matches (self, "usr:", "");
  assert_matches (self, "usr:/lib", "");
  assert_matches (self, "sshd:", "71");
  assert_matches (self, "0:1", "700");
  assert_matches (self, "-", "7 70");
  assert_matches (self, ":", "71 700");
}

static void
test_sizes (void)
{
  static const struct
  {
    const char *text;
    guint64 size;
  } cases[] = {
    { "0", 0 },
    { "12", 12 },
    { "1k", 1024 },
    { "1K", 1024 },
    { "1KiB", 1024 },
    { "1 KiB", 1024 },
    { "64kb", 65536 },
    { "100M", 100 * MIB },
    { "1.5G", 1536 * MIB },
    { "1.5 GiB", 1536 * MIB },
    { "2T", G_GUINT64_CONSTANT (2) << 40 },
    { "3p", G_GUINT64_CONSTANT (3) << 50 },
    { "1E", G_GUINT64_CONSTANT (1) << 60 },
    { "5B", 5 },
    { "0.5", 0 },
  };
  static const char *const refused[] = { "", " ", "M", "-1", "+1", "1MM", "1M ",
                                         "1x", "16E", ".5", "1e99", "nan", "infinity" };
  guint64 size;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text);
      g_assert_true (fp_query_parse_size (cases[i].text, FP_UNIT_BYTES, &size));
      g_assert_cmpuint (size, ==, cases[i].size);
    }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_test_message ("%s", refused[i]);
      g_assert_false (fp_query_parse_size (refused[i], FP_UNIT_BYTES, &size));
    }
  g_assert_false (fp_query_parse_size ("1M", FP_UNIT_COUNT, &size));
  g_assert_true (fp_query_parse_size ("17", FP_UNIT_COUNT, &size));
  g_assert_cmpuint (size, ==, 17);
}

static void
test_totals (Fixture *self,
             gconstpointer data)
{
  static const guint indices[] = { 0, 1, 2, 3, 4 };
  FpFormat format = { .style = FP_STYLE_IEC };
  g_autoptr (FpRecords) totals =
      fp_totals_new (self->records, indices, 5, fp_columns_find ("user", FP_RECORD_PROCESS), &format);
  g_autoptr (FpQuery) query = fp_query_new ("count>1", FP_RECORD_TOTAL, NULL);
  g_autoptr (FpQuery) word = fp_query_new ("BOB", FP_RECORD_TOTAL, NULL);

  g_assert_nonnull (query);
  for (guint i = 0; i < totals->n; i++)
    {
      const char *name = fp_totals_get (totals, i)->name;

      g_assert_cmpint (fp_query_matches (query, totals, i), ==, strcmp (name, "alice") == 0 ? FP_MATCH_CERTAINLY : FP_MATCH_NOT);
      g_assert_cmpint (fp_query_matches (word, totals, i), ==, strcmp (name, "bob") == 0 ? FP_MATCH_CERTAINLY : FP_MATCH_NOT);
    }
}

static void
assert_found (const FpRecords *records,
              const char *text,
              const char *pids)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpQuery) query = fp_query_new (text, FP_RECORD_PROCESS, &error);
  g_autoptr (GString) found = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; query && i < records->n; i++)
    if (fp_query_matches (query, records, i) == FP_MATCH_CERTAINLY)
      g_string_append_printf (found, "%s%d", found->len ? " " : "", fp_process_records_get (records, i)->pid);
  g_test_message ("%s", text);
  g_assert_cmpstr (found->str, ==, pids);
}

/* A control group is found with all groups below it, and not with those whose names begin alike. */
static void
test_control_groups (void)
{
  static const char *const paths[] = {
    "/a.slice",
    "/a.slice/b.service",
    "/a.slice/b.service/payload",
    "/a.slices",
    "/A.slice",
    "/",
    "",
    "/a b\"c\".scope",
    "/a b\"c\".scope/d",
    "/line\nbreak (x)|y.scope",
    "/-x or y",
  };
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) records = NULL;

  fixture_snapshot_init (&snapshot, G_N_ELEMENTS (paths));
  for (gint i = 0; i < (gint)G_N_ELEMENTS (paths); i++)
    fixture_snapshot_set_text (&snapshot, fixture_snapshot_add (&snapshot, i + 1, "program"), FP_TEXT_CONTROL_GROUP, paths[i]);
  records = fixture_snapshot_make_records (&snapshot);

  assert_found (records, "control_group=/a.slice", "1 2 3");
  assert_found (records, "control_group=/a.slice/", "1 2 3");
  assert_found (records, "\"Control Group\"=/a.slice", "");
  assert_found (records, "ControlGroup = /a.slice/b.service", "2 3");
  assert_found (records, "-control_group=/", "7");
  assert_found (records, "control_group=\"\"", "7");
  assert_found (records, "control_group=a.slice", "");
  assert_found (records, "control_group:A.SLICE", "1 2 3 4 5");
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      static const char *const found[] = { "1 2 3", "2 3", "3", "4", "5", "1 2 3 4 5 6 8 9 10 11", "7", "8 9", "9", "10", "11" };
      g_autofree char *term = fp_query_term_make ("control_group", paths[i]);
      g_autofree char *joined = g_strdup_printf ("(%s program)", term);

      assert_found (records, term, found[i]);
      assert_found (records, joined, found[i]);
    }
}

/* The parts of a search of files that are about processes are taken out of it, and choose these PIDs. */
static void
assert_members (Fixture *self,
                const char *text,
                const char *expected,
                gboolean asks_for_files)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpQuery) query = fp_query_new_with_members (text, FP_RECORD_MAPPED_FILE, FP_RECORD_PROCESS, &error);
  g_autoptr (FpQuery) members = query ? fp_query_take_members (query, &error) : NULL;
  g_autoptr (GString) found = g_string_new (NULL);

  g_test_message ("%s", text);
  g_assert_no_error (error);
  for (guint i = 0; members && i < self->records->n; i++)
    if (fp_query_matches (members, self->records, i))
      g_string_append_printf (found, "%s%d", found->len ? " " : "", fp_process_records_get (self->records, i)->pid);
  g_assert_cmpstr (found->str, ==, expected);
  g_assert_cmpint (fp_query_is_empty (query), ==, !asks_for_files);
}

static void
test_members (Fixture *self,
              gconstpointer data)
{
  static const char *const mixed[] = { "user:alice or kind:code", "-(user:alice kind:code)", "user:alice or libc", "(pid:7 or users>1)" };

  assert_members (self, "", "7 70 71 700 7000", FALSE);
  assert_members (self, "libc", "7 70 71 700 7000", TRUE);
  assert_members (self, "user:alice", "7 7000", FALSE);
  assert_members (self, "user:alice libc", "7 7000", TRUE);
  assert_members (self, "kind:code user:alice -pid:7", "7000", TRUE);
  assert_members (self, "(user:alice or user = bob) kind:code", "7 70 7000", TRUE);
  assert_members (self, "((pid:70))", "70", FALSE);
  assert_members (self, "-user:alice", "70 71 700", FALSE);
  assert_members (self, "pid > 70 pss>1M users>1", "71 700 7000", TRUE);
  assert_members (self, "kind:code or kind:data", "7 70 71 700 7000", TRUE);
  assert_members (self, "\"user:alice\"", "7 70 71 700 7000", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (mixed); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpQuery) query = fp_query_new_with_members (mixed[i], FP_RECORD_MAPPED_FILE, FP_RECORD_PROCESS, NULL);

      g_assert_nonnull (query);
      g_assert_null (fp_query_take_members (query, &error));
      g_assert_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE);
    }
}

/* Only a group that all matches must be in is missed; one that is asked for beside others is not. */
static void
test_empty_place (Fixture *self,
                  gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *place;
  } cases[] = {
    { "control_group=/no", "/no" },
    { "alice (control_group=/no/)", "/no" },
    { "-control_group=/no", NULL },
    { "control_group=/no or alice", NULL },
    { "control_group:/no", NULL },
    { "control_group=\"\"", NULL },
    { "alice", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FpQuery) query = fp_query_new (cases[i].text, FP_RECORD_PROCESS, NULL);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpstr (fp_query_find_empty_place (query, self->records), ==, cases[i].place);
    }
}

#define ADD(name, func) g_test_add ("/query/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("words", test_words);
  ADD ("members", test_members);
  ADD ("empty-place", test_empty_place);
  ADD ("quotes", test_quotes);
  ADD ("not", test_not);
  ADD ("columns", test_columns);
  ADD ("pid-as-word", test_pid_as_word);
  ADD ("figures", test_figures);
  ADD ("ranges", test_ranges);
  ADD ("swap", test_swap);
  ADD ("headings", test_headings);
  ADD ("blanks", test_blanks);
  ADD ("or", test_or);
  ADD ("parentheses", test_parentheses);
  ADD ("add", test_add);
  ADD ("not-ascii", test_not_ascii);
  ADD ("harmless", test_harmless);
  ADD ("totals", test_totals);
  g_test_add_func ("/query/control-groups", test_control_groups);
  g_test_add_func ("/query/misspelled", test_misspelled);
  g_test_add_func ("/query/refused", test_refused);
  g_test_add_func ("/query/sizes", test_sizes);
  return g_test_run ();
}
