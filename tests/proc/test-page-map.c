// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-page-map-reader.h"

#define PAGE  G_GUINT64_CONSTANT (4096)
#define START (PAGE * 100000)

#define PRESENT   FP_PAGE_ENTRY_PRESENT
#define EXCLUSIVE FP_PAGE_ENTRY_EXCLUSIVE
#define FILE_     FP_PAGE_ENTRY_FILE
#define SWAPPED   FP_PAGE_ENTRY_SWAPPED
#define GUARD     FP_PAGE_ENTRY_GUARD

static const guint64 entries[] = {
  PRESENT | EXCLUSIVE | 0x1234,
  PRESENT | EXCLUSIVE | FILE_,
  PRESENT | 0x77,
  PRESENT | FILE_,
  SWAPPED | 0xfffff,
  SWAPPED | FILE_ | EXCLUSIVE,
  SWAPPED | GUARD,
  0,
  (guint64)1 << 55 | (guint64)1 << 57,
  PRESENT,
};

static void
assert_pages (const FpPageBin *bin,
              const guint64 *expected,
              guint64 huge)
{
  for (FpPageState state = 0; state < FP_N_PAGE_STATES; state++)
    g_assert_cmpuint (bin->pages[state], ==, expected[state]);
  g_assert_cmpuint (bin->huge, ==, huge);
}

static void
test_states (void)
{
  static const FpPageState states[] = {
    FP_PAGE_PRIVATE,
    FP_PAGE_PRIVATE_FILE,
    FP_PAGE_SHARED,
    FP_PAGE_SHARED_FILE,
    FP_PAGE_SWAPPED,
    FP_PAGE_SWAPPED,
    FP_PAGE_ABSENT,
    FP_PAGE_ABSENT,
    FP_PAGE_ABSENT,
    FP_PAGE_SHARED,
  };
  g_autofree FpPageMap *map = fp_page_map_new (START, START + G_N_ELEMENTS (entries) * PAGE, PAGE, 512);

  fp_page_map_add (map, START, entries, G_N_ELEMENTS (entries), NULL, 0);
  g_assert_cmpuint (map->n_bins, ==, G_N_ELEMENTS (entries));
  for (guint i = 0; i < map->n_bins; i++)
    {
      guint64 expected[FP_N_PAGE_STATES] = { 0 };

      expected[states[i]] = 1;
      assert_pages (&map->bins[i], expected, 0);
    }
  assert_pages (&map->total, (const guint64[]){ 1, 1, 2, 1, 0, 2, 3 }, 0);
}

/* Regions begin before the piece, end behind it, and lie between. */
static void
test_regions (void)
{
  static const FpPageRegion regions[] = {
    { START - 4 * PAGE, START + PAGE, FP_PAGE_SCAN_HUGE },
    { START + 2 * PAGE, START + 3 * PAGE, FP_PAGE_SCAN_ZERO },
    { START + 3 * PAGE, START + 4 * PAGE, FP_PAGE_SCAN_ZERO | FP_PAGE_SCAN_HUGE },
    { START + 7 * PAGE, START + 90 * PAGE, FP_PAGE_SCAN_HUGE },
  };
  g_autofree FpPageMap *map = fp_page_map_new (START, START + G_N_ELEMENTS (entries) * PAGE, PAGE, 5);

  fp_page_map_add (map, START, entries, G_N_ELEMENTS (entries), regions, G_N_ELEMENTS (regions));
  assert_pages (&map->total, (const guint64[]){ 1, 1, 1, 0, 2, 2, 3 }, 3);
  assert_pages (&map->bins[0], (const guint64[]){ 1, 1, 0, 0, 0, 0, 0 }, 1);
  assert_pages (&map->bins[1], (const guint64[]){ 0, 0, 0, 0, 2, 0, 0 }, 1);
  assert_pages (&map->bins[2], (const guint64[]){ 0, 0, 0, 0, 0, 2, 0 }, 0);
  assert_pages (&map->bins[3], (const guint64[]){ 0, 0, 0, 0, 0, 0, 2 }, 0);
  assert_pages (&map->bins[4], (const guint64[]){ 0, 0, 1, 0, 0, 0, 1 }, 1);
}

/* The scan of a moment later doesn't undo that a page is private. */
static void
test_race (void)
{
  const guint64 entry = PRESENT | EXCLUSIVE;
  const FpPageRegion region = { START, START + PAGE, FP_PAGE_SCAN_ZERO };
  g_autofree FpPageMap *map = fp_page_map_new (START, START + PAGE, PAGE, 1);

  fp_page_map_add (map, START, &entry, 1, &region, 1);
  g_assert_cmpuint (map->total.pages[FP_PAGE_PRIVATE], ==, 1);
}

/* However the pages are divided, and in whatever pieces they come: each is in one bin, in order, and found there. */
static void
test_bins (void)
{
  for (guint i = 0; i < 300; i++)
    {
      guint n_pages = (guint)g_test_rand_int_range (1, 3000), max_bins = (guint)g_test_rand_int_range (1, 700);
      g_autofree FpPageMap *map = fp_page_map_new (START, START + n_pages * PAGE, PAGE, max_bins);
      g_autofree guint64 *all = g_new (guint64, n_pages);
      guint64 last = START, sum = 0;

      for (guint page = 0; page < n_pages; page++)
        all[page] = g_test_rand_bit () ? PRESENT | EXCLUSIVE : SWAPPED;
      for (guint page = 0, n; page < n_pages; page += n)
        {
          n = (guint)g_test_rand_int_range (1, (gint)MIN (n_pages - page, 900) + 1);
          fp_page_map_add (map, START + page * PAGE, all + page, n, NULL, 0);
        }
      g_assert_cmpuint (map->n_bins, ==, MIN (n_pages, max_bins));
      for (guint bin = 0; bin < map->n_bins; bin++)
        {
          guint64 start, end, n_private = 0;

          fp_page_map_get_range (map, bin, &start, &end);
          g_assert_cmpuint (start, ==, last);
          g_assert_cmpuint (end, >, start);
          g_assert_cmpuint (fp_page_map_find_bin (map, start), ==, bin);
          g_assert_cmpuint (fp_page_map_find_bin (map, end - 1), ==, bin);
          for (guint64 at = start; at < end; at += PAGE)
            n_private += all[(at - START) / PAGE] != SWAPPED;
          g_assert_cmpuint (map->bins[bin].pages[FP_PAGE_PRIVATE], ==, n_private);
          g_assert_cmpuint (map->bins[bin].pages[FP_PAGE_SWAPPED], ==, (end - start) / PAGE - n_private);
          sum += n_private;
          last = end;
        }
      g_assert_cmpuint (last, ==, map->end);
      g_assert_cmpuint (map->total.pages[FP_PAGE_PRIVATE], ==, sum);
      g_assert_cmpuint (map->total.pages[FP_PAGE_ABSENT], ==, 0);
    }
}

/* As big as an address space can be. */
static void
test_whole_space (void)
{
  g_autofree FpPageMap *map = fp_page_map_new (0, G_GUINT64_CONSTANT (1) << 56, PAGE, 512);
  guint64 start, end;

  g_assert_cmpuint (map->total.pages[FP_PAGE_ABSENT], ==, G_GUINT64_CONSTANT (1) << 44);
  fp_page_map_get_range (map, 511, &start, &end);
  g_assert_cmpuint (end, ==, G_GUINT64_CONSTANT (1) << 56);
  g_assert_cmpuint (fp_page_map_find_bin (map, end - PAGE), ==, 511);
}

static FpPageMap *
read_map (const Fixture *fixture,
          gint pid,
          guint64 start_ticks,
          guint64 n_pages,
          GError **error)
{
  g_autoptr (FpPageMapReader) reader = NULL;
  FpPageMap *map = NULL;
  FpProcDir proc;

  g_assert_true (fp_proc_dir_open (&proc, fixture->proc, NULL));
  reader = fp_page_map_reader_new (&proc, &(FpProcessId){ pid, start_ticks }, START, START + n_pages * PAGE, 3, error);
  if (reader && fp_page_map_reader_step (reader, G_MAXINT64, error))
    map = fp_page_map_reader_finish (reader, error);
  fp_proc_dir_close (&proc);
  return map;
}

/* n pages, each third one swapped, where the page map of the process has them. */
static void
write_pagemap (const Fixture *fixture,
               guint n)
{
  g_autofree char *path = g_build_filename (fixture->proc, "1200", "pagemap", NULL);
  g_autofree guint64 *pages = g_new (guint64, n);
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  gsize length = n * sizeof *pages;

  for (guint i = 0; i < n; i++)
    pages[i] = i % 3 ? PRESENT | EXCLUSIVE : SWAPPED;
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (pwrite (fd, pages, length, START / PAGE * 8), ==, length);
  close (fd);
}

/* A file that is no page map of the kernel can't be scanned, as with a kernel before 6.7. */
static void
test_read (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GError) error = NULL;
  g_autofree FpPageMap *map = NULL;

  fixture_copy (&fixture, "desktop");
  write_pagemap (&fixture, 9000);
  map = read_map (&fixture, 1200, 5000, 9000, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (map->total.pages[FP_PAGE_PRIVATE], ==, 6000);
  g_assert_cmpuint (map->total.pages[FP_PAGE_SWAPPED], ==, 3000);
  g_assert_cmpuint (map->n_bins, ==, 3);
  g_assert_cmpuint (map->bins[2].pages[FP_PAGE_PRIVATE], ==, 2000);
  g_assert_false (map->tells_huge);
}

/* A step ends when its time is over, and the next goes on from there. */
static void
test_steps (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpPageMapReader) reader = NULL;
  g_autofree FpPageMap *map = NULL;
  g_autoptr (GError) error = NULL;
  guint n_steps = 1;
  FpProcDir proc;

  fixture_copy (&fixture, "desktop");
  write_pagemap (&fixture, 9000);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  reader = fp_page_map_reader_new (&proc, &(FpProcessId){ 1200, 5000 }, START, START + 9000 * PAGE, 10, NULL);
  g_assert_false (fp_page_map_reader_step (reader, 0, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (fp_page_map_reader_get_position (reader), ==, START);
  for (; !fp_page_map_reader_step (reader, g_get_monotonic_time () + 20, &error); n_steps++)
    {
      g_assert_no_error (error);
      g_assert_cmpuint (n_steps, <, 10000);
    }
  g_assert_cmpuint (n_steps, >, 2);
  g_assert_cmpuint (fp_page_map_reader_get_position (reader), ==, START + 9000 * PAGE);
  map = fp_page_map_reader_finish (reader, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (map->total.pages[FP_PAGE_PRIVATE], ==, 6000);
  fp_proc_dir_close (&proc);
}

/* Pieces are as the kernel reads them under one lock, and leave out no page. */
static void
test_pieces (void)
{
  guint64 page = START / PAGE, end = page + 9000;

  while (page < end)
    {
      guint64 last = page + fp_page_entries_get_piece (page, end) - 1;

      g_assert_cmpuint (last, >=, page);
      g_assert_cmpuint (last / 512, ==, page / 512);
      page = last + 1;
    }
  g_assert_cmpuint (page, ==, end);
}

static void
assert_refused (const Fixture *fixture,
                gint pid,
                guint64 start_ticks,
                GFileError code)
{
  g_autoptr (GError) error = NULL;
  g_autofree FpPageMap *map = read_map (fixture, pid, start_ticks, 10, &error);

  g_assert_null (map);
  g_assert_error (error, G_FILE_ERROR, (int)code);
}

static void
test_refused (void)
{
  g_auto (Fixture) fixture = { 0 };
  const GFileError gone = g_file_error_from_errno (ESRCH);

  fixture_copy (&fixture, "desktop");
  assert_refused (&fixture, 1200, 5000, G_FILE_ERROR_NOENT);
  assert_refused (&fixture, 1200, 5001, gone);
  assert_refused (&fixture, 99, 5000, gone);
  assert_refused (&fixture, 1650, 8300, gone);
  write_pagemap (&fixture, 9);
  assert_refused (&fixture, 1200, 5000, G_FILE_ERROR_FAULT);
}

/* It execs, or ends and another gets its number, while it is read. */
static void
test_changed (void)
{
  static const struct
  {
    const char *old, *new;
    int problem;
  } cases[] = { { "firefox", "another", EAGAIN }, { " 5000 ", " 5001 ", ESRCH } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Fixture) fixture = { 0 };
      g_autoptr (FpPageMapReader) reader = NULL;
      g_autoptr (GString) stat = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *before = NULL;
      FpProcDir proc;

      fixture_copy (&fixture, "desktop");
      write_pagemap (&fixture, 10);
      g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
      reader = fp_page_map_reader_new (&proc, &(FpProcessId){ 1200, 5000 }, START, START + 10 * PAGE, 3, NULL);
      g_assert_true (fp_page_map_reader_step (reader, G_MAXINT64, NULL));
      before = fixture_read (&fixture, "1200/stat");
      stat = g_string_new (before);
      g_assert_cmpuint (g_string_replace (stat, cases[i].old, cases[i].new, 1), ==, 1);
      fixture_write (&fixture, "1200/stat", stat->str, -1);
      g_assert_null (fp_page_map_reader_finish (reader, &error));
      g_assert_error (error, G_FILE_ERROR, (int)g_file_error_from_errno (cases[i].problem));
      fp_proc_dir_close (&proc);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/page-map/states", test_states);
  g_test_add_func ("/page-map/regions", test_regions);
  g_test_add_func ("/page-map/race", test_race);
  g_test_add_func ("/page-map/bins", test_bins);
  g_test_add_func ("/page-map/whole-space", test_whole_space);
  g_test_add_func ("/page-map/read", test_read);
  g_test_add_func ("/page-map/steps", test_steps);
  g_test_add_func ("/page-map/pieces", test_pieces);
  g_test_add_func ("/page-map/refused", test_refused);
  g_test_add_func ("/page-map/changed", test_changed);
  return g_test_run ();
}
