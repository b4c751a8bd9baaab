// SPDX-License-Identifier: GPL-3.0-or-later
/* A scanner that passes mappings on gives the same ones, to the byte, as one that keeps them. */
#include <string.h>

#include "fixture.h"
#include "fp-mapping-scanner.h"

/* Doubtful names among plain ones, and lines that other mappings lack */
#define FEW                                                                                 \
  "1000-2000 r--p 0 8:1 1 /a\nSize: 4 kB\nRss: 4 kB\nVmFlags: rd\n"                         \
  "2000-3000 rw-p 0 8:1 1 /a\nRss: 4 kB\nPss: 2 kB\nVmFlags: rd wr\n"                       \
  "3000-4000 r--p 0 8:1 2 /b (deleted)\nRss: 8 kB\n"                                        \
  "4000-5000 r--p 0 8:1 1 /a\nSize: 4 kB\nRss: 4 kB\nVmFlags: rd\n"                         \
  "5000-6000 r--p 0 8:1 1 /a\nSize: 4 kB\nRss: 4 kB\nVmFlags: rd\nSwap: 4 kB\n"             \
  "6000-7000 rw-p 0 0:0 0 \nRss: 12 kB\nAnonymous: 12 kB\n"                                 \
  "7000-8000 r--p 0 8:1 3 /c\\012d\nRss: 4 kB\n"                                            \
  "8000-9000 r--p 0 8:1 4 /e\xff\nRss: 4 kB\n9000-a000 r--p 0 8:1 4 /e\xff\nLocked: 4 kB\n" \
  "a000-b000 rw-s 0 0:1 5 /memfd:f (deleted)\nRss: 4 kB\n"

#define N_DOUBTFUL 2

/* As an FpMappingFunc gets them */
typedef struct
{
  const FpMappings *expected;
  guint next;
  guint n_passed;
} Passing;

static char *
read_recorded (void)
{
  g_autofree char *root = fixture_get_original ("smaps"), *path = g_build_filename (root, "recorded-6.18", NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static FpMappings *
keep (const char *text)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();

  g_assert_cmpuint (fp_mapping_scanner_feed (scanner, text, strlen (text)), ==, strlen (text));
  return fp_mapping_scanner_finish (scanner);
}

static void
assert_figures (const FpMemory *memory,
                const FpMemory *expected)
{
  const guint64 fields = fp_fields_of_origins (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);

  g_assert_cmphex (memory->present, ==, expected->present & fields);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    g_assert_cmpuint (memory->figures[field], ==, fields >> field & 1 ? fp_memory_get (expected, field) : 0);
}

static void
check_cb (const FpMapping *mapping,
          const FpMemory *memory,
          gpointer data)
{
  Passing *self = data;
  FpMapping expected;

  do
    fp_mappings_get (self->expected, self->next++, &expected);
  while (expected.start != mapping->start);
  self->n_passed++;
  g_assert_cmphex (mapping->end, ==, expected.end);
  g_assert_cmphex (mapping->offset, ==, expected.offset);
  g_assert_cmpuint (mapping->inode, ==, expected.inode);
  g_assert_cmpuint (mapping->device_major, ==, expected.device_major);
  g_assert_cmpuint (mapping->device_minor, ==, expected.device_minor);
  g_assert_cmphex (mapping->flags, ==, expected.flags);
  g_assert_cmpstr (mapping->permissions, ==, expected.permissions);
  g_assert_cmpstr (mapping->name, ==, expected.name);
  g_assert_cmpstr (mapping->shown, ==, expected.shown);
  g_assert_cmpint (mapping->file_state, ==, FP_FILE_UNKNOWN);
  assert_figures (memory, &expected.memory);
}

/* Feeds it in pieces, as a reader does. */
static void
pass_on (FpMappingScanner *scanner,
         Passing *passing,
         const char *text,
         gsize piece,
         guint n_doubtful)
{
  g_autoptr (FpMappings) expected = keep (text), rest = NULL;
  const gsize length = strlen (text);
  gsize taken = 0;

  *passing = (Passing){ expected, 0, 0 };
  fp_mapping_scanner_restart (scanner);
  for (gsize end = MIN (piece, length);; end = MIN (end + piece, length))
    {
      g_autofree char *held = g_memdup2 (text + taken, MAX (end - taken, 1));

      taken += fp_mapping_scanner_feed (scanner, held, end - taken);
      if (end == length)
        break;
    }
  rest = fp_mapping_scanner_finish (scanner);
  g_assert_cmpuint (fp_mappings_get_n (rest), ==, n_doubtful);
  g_assert_cmpuint (passing->n_passed + n_doubtful, ==, fp_mappings_get_n (expected));
}

/* One scanner reads several processes, of which one may lack lines that the one before had. */
static void
test_passed_on (void)
{
  static const gsize pieces[] = { 1, 13, 64, 700, 4096, G_MAXINT };
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  g_autofree char *recorded = read_recorded ();
  Passing passing;

  fp_mapping_scanner_pass_on (scanner, check_cb, &passing);
  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      pass_on (scanner, &passing, recorded, pieces[i], 0);
      pass_on (scanner, &passing, FEW, pieces[i], N_DOUBTFUL);
      pass_on (scanner, &passing, recorded, G_MAXINT, 0);
      pass_on (scanner, &passing, "", pieces[i], 0);
    }
}

/* The rest has its figures and, by what stands behind the text, its names. */
static void
test_rest (void)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  g_autoptr (FpMappings) rest = NULL;
  const char text[] = FEW "#3000 2 /b (deleted)\n#7000 0 /c\\012d\n";
  g_autoptr (FpMappings) expected = keep (text);
  Passing passing = { expected, 0, 0 };
  FpMapping mapping;

  fp_mapping_scanner_pass_on (scanner, check_cb, &passing);
  fp_mapping_scanner_feed (scanner, text, strlen (text));
  rest = fp_mapping_scanner_finish (scanner);
  g_assert_cmpuint (fp_mappings_get_n (rest), ==, N_DOUBTFUL);
  fp_mappings_get (rest, 0, &mapping);
  g_assert_cmphex (mapping.start, ==, 0x3000);
  g_assert_cmpstr (mapping.name, ==, "/b (deleted)");
  g_assert_cmpint (mapping.file_state, ==, FP_FILE_DELETED);
  g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_RSS), ==, 8 * 1024);
  fp_mappings_get (rest, 1, &mapping);
  g_assert_cmphex (mapping.start, ==, 0x7000);
}

/* Many names of many processes are forgotten, and come again. */
static void
test_many_names (void)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  Passing passing;

  fp_mapping_scanner_pass_on (scanner, check_cb, &passing);
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint j = 0; j < 100; j++)
        g_string_append_printf (text, "%x000-%x000 r--p 0 8:1 %u /%0999u\nRss: 4 kB\n", j + 1, j + 2, j, i % 15 * 100 + j);
      pass_on (scanner, &passing, text->str, 4096, 0);
    }
}

/* Names that are the same for a while, or as long as one that came after the same one before */
static void
test_followers (void)
{
  static const char *const orders[] = { "abcabc", "abdabc", "aab", "bba", "a", "dcba", "abcabc" };
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  Passing passing;

  fp_mapping_scanner_pass_on (scanner, check_cb, &passing);
  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint j = 0; orders[i][j]; j++)
        g_string_append_printf (text, "%x000-%x000 r--p 0 8:1 1 /lib/%c\nRss: 4 kB\n", j + 1, j + 2, orders[i][j]);
      pass_on (scanner, &passing, text->str, 4096, 0);
    }
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/proc/mapping-scanner/passed-on", test_passed_on);
  g_test_add_func ("/proc/mapping-scanner/rest", test_rest);
  g_test_add_func ("/proc/mapping-scanner/many-names", test_many_names);
  g_test_add_func ("/proc/mapping-scanner/followers", test_followers);
  return g_test_run ();
}
