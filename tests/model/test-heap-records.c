// SPDX-License-Identifier: GPL-3.0-or-later
/* The functions and libraries of a recording of known content, as records with columns. */
#include <string.h>

#include "fp-comparison.h"
#include "fp-export.h"
#include "fp-flame-svg.h"
#include "fp-heap-comparison.h"
#include "fp-heap-records.h"
#include "fp-heap-size-records.h"
#include "fp-heap-values.h"
#include "fp-heap-words.h"
#include "fp-rows.h"
#include "heap-writer.h"

/* 400 bytes by load() of the program through strdup() of the C library; 100 by parse() of another library, after a second. */
static FpHeapProfile *
make_profile (void)
{
  g_auto (HeapWriter) writer = { 0 };
  guint load, copy, parse;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  load = heap_writer_add_trace_in (&writer, "/bin/program", "load", 0);
  copy = heap_writer_add_trace_in (&writer, "/lib/libc.so.6", "strdup", load);
  parse = heap_writer_add_trace_in (&writer, "/lib/libparse.so", "parse", load);
  heap_writer_allocate (&writer, 0x10, 400, copy);
  heap_writer_set_time (&writer, 1000);
  heap_writer_allocate (&writer, 0x20, 100, parse);
  heap_writer_set_time (&writer, 2000);
  heap_writer_release (&writer, 0x10);
  heap_writer_set_time (&writer, 3000);
  heap_writer_finish (&writer);
  return heap_read (writer.text->str, writer.text->len, NULL);
}

static FpRecords *
make_records (FpHeapProfile *profile,
              GArray *stacks,
              FpHeapBy by)
{
  g_autoptr (FpHeapTree) tree = fp_heap_tree_new (profile);
  const FpHeapExcerpt excerpt = { tree, stacks, profile->known };

  return fp_heap_records_new (&excerpt, by);
}

static char *export(const FpRecords *records,
                    const char *const *ids)
{
  const FpFormat format = { .style = FP_STYLE_EXACT, .is_for_programs = TRUE };
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  GString *text = g_string_new (NULL);

  for (; *ids; ids++)
    g_ptr_array_add (columns, (gpointer)fp_columns_find (*ids, fp_records_get_kinds (records)));
  g_ptr_array_add (columns, NULL);
  fp_export (FP_EXPORT_CSV, records, NULL, records->n, (const FpColumn *const *)columns->pdata, &format, NULL, text);
  return g_string_free (text, FALSE);
}

#define EXPORT(records, ...) export(records, (const char *const[]){ __VA_ARGS__, NULL })

/* Exports have the names and figures of footprint-cli --heap --csv. */
static void
test_export (void)
{
  g_autoptr (FpHeapProfile) profile = make_profile ();
  g_autoptr (FpRecords) functions = make_records (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  g_autoptr (FpRecords) libraries = make_records (profile, profile->stacks, FP_HEAP_BY_LIBRARY);
  g_autofree char *by_function = EXPORT (functions, "function", "library", "peak", "leaked", "temporary", "calls", "all_peak", "all_leaked", "all_calls");
  g_autofree char *by_library = EXPORT (libraries, "library", "peak", "all_peak", "all_temporary");

  g_assert_cmpstr (by_function, ==,
                   "function,library,peak,leaked,temporary,calls,all_peak,all_leaked,all_calls\r\n"
                   "load,/bin/program,400,0,0,1,500,100,2\r\n"
                   "strdup,/lib/libc.so.6,0,0,0,0,400,0,1\r\n"
                   "parse,/lib/libparse.so,100,100,0,1,100,100,1\r\n");
  g_assert_cmpstr (by_library, ==,
                   "library,peak,all_peak,all_temporary\r\n"
                   "/bin/program,400,500,0\r\n"
                   "/lib/libc.so.6,0,400,0\r\n"
                   "/lib/libparse.so,100,100,0\r\n");
}

/* A cost that the file does not have is unknown, and an empty field for programs. */
static void
test_unknown (void)
{
  g_autoptr (FpHeapProfile) profile = heap_read ("main;work 70\nmain 30\n", 21, NULL);
  g_autoptr (FpRecords) functions = make_records (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  const FpColumn *calls = fp_heap_columns_find (FP_HEAP_CALLS, FP_HEAP_OWN);
  const FpColumn *peak = fp_heap_columns_find (FP_HEAP_PEAK, FP_HEAP_WITH_CALLEES);
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_autofree char *text = EXPORT (functions, "function", "library", "peak", "calls");
  char cell[FP_CELL_SIZE];

  g_assert_cmpstr (text, ==, "function,library,peak,calls\r\nmain,,30,\r\nwork,,70,\r\n");
  fp_column_format (calls, functions, 0, &format, cell, sizeof cell);
  g_assert_cmpstr (cell, ==, "—");
  g_assert_cmpfloat (fp_heap_column_get_part (calls, functions, 0), <, 0);
  g_assert_cmpfloat_with_epsilon (fp_heap_column_get_part (peak, functions, 1), 0.7, 1e-9);
}

/* Only what had allocated by then is there, and a row is known again at another moment. */
static void
test_moment (void)
{
  g_autoptr (FpHeapProfile) profile = make_profile ();
  guint64 found_ms;
  g_autoptr (GArray) stacks = fp_heap_profile_dup_stacks_at (profile, 1000, &found_ms);
  g_autoptr (FpRecords) then = make_records (profile, stacks, FP_HEAP_BY_FUNCTION);
  g_autoptr (FpRecords) later = make_records (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  FpKey a = fp_records_get_key (then, 1), b = fp_records_get_key (later, 1), c = fp_records_get_key (later, 2);

  g_assert_cmpuint (then->n, ==, 2);
  g_assert_cmpstr (fp_heap_records_get_name (then, 1), ==, "strdup");
  g_assert_cmpuint (fp_heap_records_get_total (then, FP_HEAP_PEAK), ==, 400);
  g_assert_cmpuint (fp_heap_records_get_total (later, FP_HEAP_PEAK), ==, 500);
  g_assert_true (fp_key_equal (&a, &b));
  g_assert_false (fp_key_equal (&b, &c));
}

/* Words are looked for in functions and libraries, sizes in what they had at the peak. */
static void
test_search (void)
{
  static const struct
  {
    const char *query;
    const char *first;
    guint n;
  } cases[] = {
    { "", "load", 3 },
    { "libparse", "parse", 1 },
    { "PAR", "parse", 1 },
    { ">200", "load", 1 },
    { "calls=1", "load", 2 },
    { "nothing", NULL, 0 },
  };
  g_autoptr (FpHeapProfile) profile = make_profile ();
  g_autoptr (FpRecords) functions = make_records (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  g_autoptr (FpRows) rows = fp_rows_new ();

  fp_rows_set_sort (rows, fp_heap_columns_find (FP_HEAP_PEAK, FP_HEAP_OWN), TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].query);
      fp_rows_set_query (rows, fp_query_new (cases[i].query, FP_RECORD_HEAP_FUNCTION, NULL));
      fp_rows_update (rows, functions, NULL);
      g_assert_cmpuint (fp_rows_get_n (rows), ==, cases[i].n);
      if (cases[i].first)
        g_assert_cmpstr (fp_heap_records_get_name (functions, fp_rows_get (rows, 0)->index), ==, cases[i].first);
    }
}

/* Each cost has a column for each figure, which is known again. */
static void
test_columns (void)
{
  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    for (FpHeapFigure figure = 0; figure < FP_HEAP_N_FIGURES; figure++)
      {
        const FpColumn *column = fp_heap_columns_find (cost, figure);
        FpHeapFigure found_figure;
        FpHeapCost found;

        g_assert_true (fp_heap_column_get_cost (column, &found, &found_figure));
        g_assert_cmpint (found, ==, cost);
        g_assert_cmpint (found_figure, ==, figure);
      }
  g_assert_false (fp_heap_column_get_cost (fp_columns_find ("function", FP_RECORD_HEAP_FUNCTION), &(FpHeapCost){ 0 }, &(FpHeapFigure){ 0 }));
}

static void
test_explain (void)
{
  g_autoptr (FpHeapProfile) profile = make_profile ();
  g_autoptr (FpRecords) functions = make_records (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  g_autofree char *text = fp_heap_records_explain (functions, 2);

  g_assert_cmpstr (text, ==, "parse\n/lib/libparse.so\n/src/a file.c, line 32");
}

/* Steps are in each other; a step is opened and closed, and sorted among its siblings. */
static void
test_steps (void)
{
  g_autoptr (FpHeapProfile) profile = make_profile ();
  g_autoptr (FpHeapTree) tree = fp_heap_tree_new (profile);
  const FpHeapExcerpt excerpt = { tree, profile->stacks, profile->known };
  g_autoptr (FpRecords) up = fp_heap_records_new_steps (&excerpt, FP_HEAP_BOTTOM_UP, NULL);
  g_autoptr (FpRecords) down = fp_heap_records_new_steps (&excerpt, FP_HEAP_TOP_DOWN, NULL);
  g_autofree char *from_below = EXPORT (up, "depth", "function", "library", "peak", "leaked", "calls");
  g_autofree char *from_above = EXPORT (down, "depth", "function", "library", "peak", "leaked", "calls");
  g_autoptr (FpRows) rows = fp_rows_new ();

  g_assert_cmpstr (from_below, ==,
                   "depth,function,library,peak,leaked,calls\r\n"
                   "0,load,/bin/program,400,0,1\r\n"
                   "0,parse,/lib/libparse.so,100,100,1\r\n"
                   "1,load,/bin/program,100,100,1\r\n");
  g_assert_cmpstr (from_above, ==,
                   "depth,function,library,peak,leaked,calls\r\n"
                   "0,load,/bin/program,500,100,2\r\n"
                   "1,strdup,/lib/libc.so.6,400,0,1\r\n"
                   "1,parse,/lib/libparse.so,100,100,1\r\n");
  fp_rows_set_grouping (rows, FP_GROUPING_PARENT);
  fp_rows_set_sort (rows, fp_heap_columns_find (FP_HEAP_PEAK, FP_HEAP_OWN), TRUE);
  fp_rows_update (rows, down, NULL);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 1);
  g_assert_true (fp_rows_get (rows, 0)->can_expand);
  fp_rows_set_expanded (rows, fp_rows_get (rows, 0)->key, TRUE);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 3);
  g_assert_cmpuint (fp_rows_get (rows, 1)->depth, ==, 1);
  g_assert_false (fp_rows_get (rows, 1)->can_expand);
  fp_rows_set_sort (rows, fp_heap_columns_find (FP_HEAP_LEAKED, FP_HEAP_OWN), TRUE);
  fp_rows_update (rows, down, NULL);
  g_assert_cmpstr (fp_heap_records_get_name (down, fp_rows_get (rows, 1)->index), ==, "parse");
  fp_rows_set_expanded (rows, fp_rows_get (rows, 0)->key, FALSE);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 1);
}

/* The same way has the same key at another moment; the same function on another way has another one. */
static void
test_step_keys (void)
{
  g_autoptr (FpHeapProfile) profile = make_profile ();
  g_autoptr (FpHeapTree) tree = fp_heap_tree_new (profile);
  guint64 found_ms;
  g_autoptr (GArray) stacks = fp_heap_profile_dup_stacks_at (profile, 1000, &found_ms);
  const FpHeapExcerpt now = { tree, stacks, profile->known }, whole = { tree, profile->stacks, profile->known };
  g_autoptr (FpRecords) then = fp_heap_records_new_steps (&now, FP_HEAP_BOTTOM_UP, NULL);
  g_autoptr (FpRecords) later = fp_heap_records_new_steps (&whole, FP_HEAP_BOTTOM_UP, NULL);
  FpKey a = fp_records_get_key (then, 0), b = fp_records_get_key (later, 0), c = fp_records_get_key (later, 2);

  g_assert_cmpuint (then->n, ==, 1);
  g_assert_true (fp_key_equal (&a, &b));
  g_assert_cmpstr (fp_heap_records_get_name (later, 2), ==, "load");
  g_assert_false (fp_key_equal (&b, &c));
}

/* A search for a function leaves the ways on which it is. */
static void
test_steps_found (void)
{
  g_autoptr (FpHeapProfile) profile = make_profile ();
  g_autoptr (FpHeapTree) tree = fp_heap_tree_new (profile);
  const FpHeapExcerpt excerpt = { tree, profile->stacks, profile->known };
  g_autoptr (FpRecords) functions = make_records (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  g_autoptr (GHashTable) found = g_hash_table_new (fp_key_hash, fp_key_equal);
  g_autoptr (FpRecords) none = fp_heap_records_new_steps (&excerpt, FP_HEAP_TOP_DOWN, found), steps = NULL;
  FpKey parse = fp_records_get_key (functions, 2);
  g_autofree char *text = NULL;

  g_assert_cmpuint (none->n, ==, 0);
  g_hash_table_add (found, &parse);
  steps = fp_heap_records_new_steps (&excerpt, FP_HEAP_TOP_DOWN, found);
  text = EXPORT (steps, "depth", "function", "peak");
  g_assert_cmpstr (text, ==, "depth,function,peak\r\n0,load,100\r\n1,parse,100\r\n");
  g_assert_cmpuint (fp_heap_records_get_total (steps, FP_HEAP_PEAK), ==, 500);
}

/* A range has what was allocated in it, and what grew; the file does not say what of that was never freed. */
static void
test_range (void)
{
  g_autoptr (FpHeapProfile) profile = make_profile ();
  g_autoptr (FpHeapTree) tree = fp_heap_tree_new (profile);
  guint64 from_ms = 1200, to_ms = 2900;
  g_autoptr (GArray) stacks = fp_heap_profile_dup_stacks_between (profile, &from_ms, &to_ms);
  const FpHeapExcerpt excerpt = { tree, stacks, profile->known & ~(1u << FP_HEAP_LEAKED) };
  g_autoptr (FpRecords) functions = fp_heap_records_new (&excerpt, FP_HEAP_BY_FUNCTION);
  g_autofree char *text = EXPORT (functions, "function", "peak", "leaked", "calls", "all_peak");

  g_assert_cmpuint (from_ms, ==, 1000);
  g_assert_cmpuint (to_ms, ==, 2000);
  g_assert_cmpstr (text, ==, "function,peak,leaked,calls,all_peak\r\nload,0,,0,100\r\nparse,100,,1,100\r\n");
}

/* Sizes that lie between those that occur are there, too. Where blocks are not told one by one, there is none. */
static void
test_sizes (void)
{
  g_autoptr (FpHeapProfile) profile = make_profile (), folded = heap_read ("main;work 70\n", 13, NULL);
  g_autoptr (FpRecords) sizes = fp_heap_size_records_new (profile), none = fp_heap_size_records_new (folded);
  g_autofree char *text = EXPORT (sizes, "block_size", "calls", "allocated", "leaked");
  const FpColumn *calls = fp_columns_find ("calls", FP_RECORD_HEAP_SIZE);

  g_assert_cmpstr (text, ==,
                   "block_size,calls,allocated,leaked\r\n"
                   "64 B to 127 B,1,100,100\r\n"
                   "128 B to 255 B,0,0,0\r\n"
                   "256 B to 511 B,1,400,0\r\n");
  g_assert_cmpfloat_with_epsilon (fp_heap_size_records_get_part (calls, sizes, 0), 0.5, 1e-9);
  g_assert_cmpuint (none->n, ==, 0);
}

/* The recording after a second, and at its end: load() has nothing any more, parse() is new. */
typedef struct
{
  FpHeapProfile *profile;
  FpHeapExcerpt excerpt;
} Moments;

static void
moments_init (Moments *self)
{
  guint64 found_ms;

  self->profile = make_profile ();
  self->excerpt = (FpHeapExcerpt){
    .tree = fp_heap_tree_new (self->profile),
    .stacks = fp_heap_profile_dup_stacks_at (self->profile, 3000, &found_ms),
    .known = self->profile->known,
    .before = fp_heap_profile_dup_stacks_at (self->profile, 1000, &found_ms),
  };
}

static void
moments_clear (Moments *self)
{
  fp_heap_profile_unref (self->profile);
  fp_heap_tree_unref (self->excerpt.tree);
  g_array_unref (self->excerpt.stacks);
  g_array_unref (self->excerpt.before);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Moments, moments_clear)

/* Each cost has what it was, how much it has changed and in which way. */
static void
test_compared (void)
{
  g_auto (Moments) moments = { 0 };
  g_autoptr (FpRecords) functions = NULL, libraries = NULL, plain = NULL;
  g_autofree char *by_function = NULL, *by_library = NULL;

  moments_init (&moments);
  functions = fp_heap_records_new (&moments.excerpt, FP_HEAP_BY_FUNCTION);
  libraries = fp_heap_records_new (&moments.excerpt, FP_HEAP_BY_LIBRARY);
  by_function = EXPORT (functions, "function", "peak_before", "peak", "peak_change", "all_peak_change", "peak_outcome", "calls_before", "calls_change", "calls_outcome");
  by_library = EXPORT (libraries, "library", "peak_change", "peak_outcome");
  g_assert_cmpstr (by_function, ==,
                   "function,peak_before,peak,peak_change,all_peak_change,peak_outcome,calls_before,calls_change,calls_outcome\r\n"
                   "load,400,0,-400,-300,gone,1,0,same\r\n"
                   "strdup,0,0,0,-400,same,0,0,same\r\n"
                   "parse,0,100,100,100,new,0,1,new\r\n");
  g_assert_cmpstr (by_library, ==,
                   "library,peak_change,peak_outcome\r\n"
                   "/bin/program,-400,gone\r\n"
                   "/lib/libc.so.6,0,same\r\n"
                   "/lib/libparse.so,100,new\r\n");
  plain = make_records (moments.profile, moments.profile->stacks, FP_HEAP_BY_FUNCTION);
  g_assert_false (fp_records_get_kinds (plain) & FP_RECORD_HEAP_COMPARED);
}

/* Functions beside another one are listed, changed or not. */
static void
test_compared_beside (void)
{
  g_auto (Moments) moments = { 0 };
  g_autoptr (FpRecords) functions = NULL, callees = NULL, steps = NULL;
  g_autofree char *text = NULL, *tree = NULL;

  moments_init (&moments);
  functions = fp_heap_records_new (&moments.excerpt, FP_HEAP_BY_FUNCTION);
  callees = fp_heap_records_new_beside (&moments.excerpt, fp_heap_records_get (functions, 0)->node, FP_HEAP_CALLEES);
  text = EXPORT (callees, "function", "peak_before", "peak", "peak_change");
  g_assert_cmpstr (text, ==, "function,peak_before,peak,peak_change\r\nstrdup,400,0,-400\r\nparse,0,100,100\r\n");
  steps = fp_heap_records_new_steps (&moments.excerpt, FP_HEAP_TOP_DOWN, NULL);
  tree = EXPORT (steps, "depth", "function", "peak_before", "peak", "peak_outcome");
  g_assert_cmpstr (tree, ==,
                   "depth,function,peak_before,peak,peak_outcome\r\n"
                   "0,load,400,100,shrunk\r\n"
                   "1,strdup,400,0,gone\r\n"
                   "1,parse,0,100,new\r\n");
}

static void
test_compared_words (void)
{
  g_auto (Moments) moments = { 0 };
  g_autoptr (FpHeapProfile) folded = heap_read ("load;parse 70\nload 30\n", 22, NULL), later = heap_read ("load;parse 170\nload 50\n", 23, NULL);
  g_auto (FpHeapComparison) comparison = { 0 };
  g_autoptr (FpHeapTree) tree = NULL;
  g_autofree char *since = NULL, *files = NULL, *same = NULL;
  FpHeapExcerpt excerpt;

  moments_init (&moments);
  since = fp_heap_describe_moments (&moments.excerpt, (FpHeapWhen){ 1000, FALSE }, (FpHeapWhen){ 3000, FALSE }, FP_STYLE_IEC);
  g_assert_cmpstr (since, ==, "After 3.0 s it holds 300\u00a0B less than after 1.0 s; load has 400\u00a0B less.");
  fp_heap_comparison_init (&comparison, folded, later);
  tree = fp_heap_tree_new (comparison.profile);
  excerpt = (FpHeapExcerpt){ tree, comparison.after, comparison.known, comparison.before };
  files = fp_heap_describe_files (&excerpt, folded, later, (const char *const[]){ "A", "B" }, FP_STYLE_IEC);
  g_assert_cmpstr (files, ==, "“B” holds 120\u00a0B more at its peak than “A”; 83 % of it from parse.");
  excerpt.before = excerpt.stacks;
  same = fp_heap_describe_files (&excerpt, later, later, (const char *const[]){ "A", "B" }, FP_STYLE_IEC);
  g_assert_cmpstr (same, ==, "“B” holds as much at its peak as “A”.");
}

/* A frame is as wide as the larger of both, and says by its colour, a sign and words what has become of it. */
static void
test_compared_flame (void)
{
  g_auto (Moments) moments = { 0 };
  g_auto (FpFlame) flame = { 0 };
  g_autoptr (GString) svg = g_string_new (NULL);
  g_autofree char *words = NULL;

  moments_init (&moments);
  fp_flame_init (&flame, &moments.excerpt, FP_HEAP_PEAK, FP_STYLE_IEC);
  fp_flame_svg_write (&flame, 0, "Title", svg);
  g_assert_nonnull (strstr (svg->str, "<title>load\nshrunk by 300 B, from 400 B to 100 B\nprogram</title><rect x=\"10.00\" y=\"52.00\" width=\"1179.50\""));
  g_assert_nonnull (strstr (svg->str, "<title>strdup\ngone, 400 B before\nlibc.so.6</title><rect x=\"10.00\" y=\"70.00\" width=\"943.50\" height=\"17.00\" fill=\"#99c1f1\"/>"));
  g_assert_nonnull (strstr (svg->str, "<title>parse\nnew, 100 B\nlibparse.so</title><rect x=\"954.00\" y=\"70.00\" width=\"235.50\" height=\"17.00\" fill=\"#ffbe6f\"/>"));
  g_assert_nonnull (strstr (svg->str, ">+ parse</text>"));
  g_assert_nonnull (strstr (svg->str, ">− strdup</text>"));
  words = fp_flame_describe_branch (&flame, 0);
  g_assert_cmpstr (words, ==, "All, shrunk by 300 B, from 400 B to 100 B");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap-records/export", test_export);
  g_test_add_func ("/heap-records/unknown", test_unknown);
  g_test_add_func ("/heap-records/moment", test_moment);
  g_test_add_func ("/heap-records/search", test_search);
  g_test_add_func ("/heap-records/columns", test_columns);
  g_test_add_func ("/heap-records/explain", test_explain);
  g_test_add_func ("/heap-records/steps", test_steps);
  g_test_add_func ("/heap-records/step-keys", test_step_keys);
  g_test_add_func ("/heap-records/steps-found", test_steps_found);
  g_test_add_func ("/heap-records/range", test_range);
  g_test_add_func ("/heap-records/sizes", test_sizes);
  g_test_add_func ("/heap-records/compared", test_compared);
  g_test_add_func ("/heap-records/compared-beside", test_compared_beside);
  g_test_add_func ("/heap-records/compared-words", test_compared_words);
  g_test_add_func ("/heap-records/compared-flame", test_compared_flame);
  return g_test_run ();
}
