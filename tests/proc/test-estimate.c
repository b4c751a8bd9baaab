// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-estimate.h"

#define PAGE       6000 /* each number of sharers there is divides it */
#define REACH      (512 * PAGE)
#define N_PARTNERS 4
#define MAX_PAGES  256
#define N_RUNS     3000
#define N_STEPS    60

/* A page of the process, or one it had: who maps it, and whether it is out. */
typedef struct
{
  FpPages pages;
  gboolean is_mine;
  guint partners; /* a bit for each */
} Page;

/* A process and its relatives, which share pages; and what a sweep sees of them. */
typedef struct
{
  Page pages[MAX_PAGES];
  guint n_pages;
  guint living; /* a bit for each partner */
  FpMoment moment;
} Machine;

static guint
count_sharers (const Page *page)
{
  return (guint)__builtin_popcount (page->partners) + page->is_mine;
}

static guint64
get_share (const Page *page)
{
  return page->is_mine ? PAGE / count_sharers (page) : 0;
}

static void
see (Machine *self)
{
  self->moment.faults_after = self->moment.faults_before;
  self->moment.partners = 0;
  for (FpPages pages = 0; pages < FP_N_PAGES; pages++)
    self->moment.whole[pages] = 0;
  for (guint i = 0; i < self->n_pages; i++)
    {
      const Page *page = &self->pages[i];

      if (page->is_mine)
        self->moment.whole[page->pages] += PAGE;
      if (page->pages == FP_PAGES_ANON || page->pages == FP_PAGES_SWAP)
        self->moment.partners += (guint64)__builtin_popcount (page->partners) * PAGE;
    }
}

/* As smaps_rollup has it */
static void
measure (const Machine *self,
         FpMemory *memory)
{
  guint64 pss[FP_N_PAGES] = { 0 }, whole[FP_N_PAGES] = { 0 }, shared = 0;

  *memory = (FpMemory){ 0 };
  for (guint i = 0; i < self->n_pages; i++)
    {
      const Page *page = &self->pages[i];

      pss[page->pages] += get_share (page);
      whole[page->pages] += page->is_mine ? PAGE : 0;
      shared += page->is_mine && page->partners && page->pages != FP_PAGES_SWAP ? PAGE : 0;
    }
  fp_memory_set (memory, FP_FIELD_ANONYMOUS, whole[FP_PAGES_ANON]);
  fp_memory_set (memory, FP_FIELD_RSS, whole[FP_PAGES_ANON] + whole[FP_PAGES_FILE] + whole[FP_PAGES_SHMEM]);
  fp_memory_set (memory, FP_FIELD_PSS, pss[FP_PAGES_ANON] + pss[FP_PAGES_FILE] + pss[FP_PAGES_SHMEM]);
  fp_memory_set (memory, FP_FIELD_PSS_ANON, pss[FP_PAGES_ANON]);
  fp_memory_set (memory, FP_FIELD_PSS_FILE, pss[FP_PAGES_FILE]);
  fp_memory_set (memory, FP_FIELD_PSS_SHMEM, pss[FP_PAGES_SHMEM]);
  fp_memory_set (memory, FP_FIELD_SWAP, whole[FP_PAGES_SWAP]);
  fp_memory_set (memory, FP_FIELD_SWAP_PSS, pss[FP_PAGES_SWAP]);
  fp_memory_set (memory, FP_FIELD_SHARED, shared);
  fp_memory_set (memory, FP_FIELD_USS, fp_memory_get (memory, FP_FIELD_RSS) - shared);
  fp_memory_set (memory, FP_FIELD_MEMORY_AND_SWAP, fp_memory_get (memory, FP_FIELD_PSS) + pss[FP_PAGES_SWAP]);
}

static void
add_page (Machine *self,
          FpPages pages,
          guint partners)
{
  if (self->n_pages < MAX_PAGES)
    self->pages[self->n_pages++] = (Page){ pages, TRUE, partners & self->living };
}

static Page *
pick_page (Machine *self)
{
  return self->n_pages > 0 ? &self->pages[g_test_rand_int_range (0, (gint)self->n_pages)] : NULL;
}

static void
lose (Machine *self,
      Page *page,
      guint partner)
{
  page->partners &= ~(1u << partner);
  self->moment.lost[page->pages] += PAGE;
}

static void
end_partner (Machine *self,
             guint partner)
{
  self->living &= ~(1u << partner);
  for (guint i = 0; i < self->n_pages; i++)
    if (self->pages[i].partners >> partner & 1)
      lose (self, &self->pages[i], partner);
}

static void
fork_partner (Machine *self,
              guint partner)
{
  self->living |= 1u << partner;
  self->moment.faults_before += 2;
  for (guint i = 0; i < self->n_pages; i++)
    if (self->pages[i].is_mine && !(self->pages[i].partners >> partner & 1))
      {
        self->pages[i].partners |= 1u << partner;
        self->moment.gained[self->pages[i].pages] += PAGE;
      }
}

/* Out for each who maps it */
static void
swap_out (Machine *self,
          Page *page)
{
  guint64 theirs = (guint64)__builtin_popcount (page->partners) * PAGE;

  if (page->pages != FP_PAGES_ANON)
    return;
  page->pages = FP_PAGES_SWAP;
  self->moment.lost[FP_PAGES_ANON] += theirs;
  self->moment.gained[FP_PAGES_SWAP] += theirs;
}

/* The first write after a fork: the others keep the old page. */
static void
write_to (Machine *self,
          Page *page)
{
  if (page->pages != FP_PAGES_ANON || !page->is_mine || page->partners == 0)
    return;
  page->is_mine = FALSE;
  self->moment.faults_before++;
  add_page (self, FP_PAGES_ANON, 0);
}

static void
step (Machine *self)
{
  guint partner = (guint)g_test_rand_int_range (0, N_PARTNERS);
  Page *page = pick_page (self);

  switch (page ? g_test_rand_int_range (0, 9) : 0)
    {
    case 0:
      self->moment.faults_before++;
      add_page (self, FP_PAGES_ANON, 0);
      break;
    case 1:
      self->moment.faults_before++;
      add_page (self, g_test_rand_bit () ? FP_PAGES_FILE : FP_PAGES_SHMEM, (guint)g_test_rand_int ());
      break;
    case 2:
      page->is_mine = FALSE;
      break;
    case 3:
      write_to (self, page);
      break;
    case 4:
      if (page->partners >> partner & 1)
        lose (self, page, partner);
      break;
    case 5:
      if (page->is_mine && page->pages != FP_PAGES_ANON && page->pages != FP_PAGES_SWAP &&
          !(page->partners >> partner & 1) && self->living >> partner & 1)
        {
          page->partners |= 1u << partner;
          self->moment.gained[page->pages] += PAGE;
        }
      break;
    case 6:
      swap_out (self, page);
      break;
    case 7:
      if (g_test_rand_int_range (0, 8) == 0)
        end_partner (self, partner);
      break;
    default:
      if (g_test_rand_int_range (0, 8) == 0)
        fork_partner (self, partner);
      break;
    }
}

static void
fill (Machine *self)
{
  *self = (Machine){ .living = (guint)g_test_rand_int_range (0, 1 << N_PARTNERS) };
  for (guint i = 0; i < 60; i++)
    add_page (self, (FpPages)g_test_rand_int_range (0, FP_N_PAGES), (guint)g_test_rand_int () & (guint)g_test_rand_int ());
  see (self);
}

static void
assert_true_of (const FpEstimate *estimate,
                const Machine *machine)
{
  FpMemory said = { 0 }, truth;

  fp_estimate_write (estimate, &said);
  measure (machine, &truth);
  g_assert_cmpuint (fp_memory_get (&said, FP_FIELD_RSS), ==, fp_memory_get (&truth, FP_FIELD_RSS));
  for (FpRange range = 0; range < FP_N_RANGES; range++)
    {
      FpField field = fp_ranged_fields[range];
      guint64 low, high;

      g_assert_true (fp_memory_get_ends (&said, field, &low, &high));
      if (low > fp_memory_get (&truth, field) || high < fp_memory_get (&truth, field))
        g_error ("%s is %" G_GUINT64_FORMAT ", said to be %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT,
                 fp_field_infos[field].name, fp_memory_get (&truth, field), low, high);
    }
}

/* A process and its relatives do anything, looked at after each step or after many. */
static void
test_contains_the_truth (gconstpointer steps_a_look)
{
  for (guint run = 0; run < N_RUNS; run++)
    {
      FpEstimate estimate;
      FpMemory memory;
      Machine machine;

      fill (&machine);
      measure (&machine, &memory);
      fp_estimate_init_measured (&estimate, &machine.moment, &memory);
      assert_true_of (&estimate, &machine);
      for (guint i = 1; i <= N_STEPS; i++)
        {
          step (&machine);
          if (i % GPOINTER_TO_UINT (steps_a_look) != 0)
            continue;
          see (&machine);
          fp_estimate_advance (&estimate, &machine.moment, PAGE); /* here a fault brings one */
          estimate.moment.faults_before = machine.moment.faults_before;
          assert_true_of (&estimate, &machine);
        }
    }
}

static void
test_unknown_contains_the_truth (void)
{
  for (guint run = 0; run < N_RUNS; run++)
    {
      FpEstimate estimate;
      Machine machine;

      fill (&machine);
      fp_estimate_init_unknown (&estimate, &machine.moment);
      assert_true_of (&estimate, &machine);
    }
}

static FpMoment
make_moment (guint64 faults,
             guint64 anon,
             guint64 shmem,
             guint64 swap)
{
  return (FpMoment){ .faults_before = faults, .faults_after = faults, .whole = { anon, 0, shmem, swap } };
}

static FpEstimate
make_estimate (const FpMoment *moment,
               guint64 deficit)
{
  FpEstimate estimate = { .moment = *moment };

  estimate.deficit[FP_PAGES_ANON] = (FpEnds){ deficit, deficit };
  estimate.shared = (FpEnds){ deficit * 2, deficit * 2 };
  return estimate;
}

static void
assert_pss (const FpEstimate *estimate,
            guint64 low,
            guint64 high)
{
  FpEnds pss = fp_estimate_get_pss (estimate);

  g_assert_cmpuint (pss.low, ==, low);
  g_assert_cmpuint (pss.high, ==, high);
}

static void
test_nothing_happens (void)
{
  FpMoment moment = make_moment (5, 1000 * PAGE, 0, 0);
  FpEstimate estimate = make_estimate (&moment, 400 * PAGE);

  moment.partners = estimate.moment.partners = 800 * PAGE;
  g_assert_false (fp_estimate_advance (&estimate, &moment, REACH));
  assert_pss (&estimate, 600 * PAGE, 600 * PAGE);
}

/* All that a process without partners has is its own, however much comes and goes. */
static void
test_alone (void)
{
  FpMoment moment = make_moment (5, 1000 * PAGE, 0, 0);
  FpEstimate estimate = make_estimate (&moment, 0);

  moment = make_moment (70000, 7000 * PAGE, 0, 300 * PAGE);
  g_assert_true (fp_estimate_advance (&estimate, &moment, REACH));
  assert_pss (&estimate, 7000 * PAGE, 7000 * PAGE);
  g_assert_cmpuint (estimate.deficit[FP_PAGES_SWAP].high, ==, 0);
}

/* Few faults and a few pages less leave most of what was shared as it was. */
static void
test_little_happens (void)
{
  FpMoment moment = make_moment (5, 10000 * PAGE, 0, 0);
  FpEstimate estimate = make_estimate (&moment, 4000 * PAGE);

  moment = make_moment (6, 9990 * PAGE, 0, 0);
  moment.partners = 8000 * PAGE;
  g_assert_true (fp_estimate_advance (&estimate, &moment, REACH));
  assert_pss (&estimate, 5990 * PAGE, 5990 * PAGE + 10 * PAGE + REACH);
}

/* Half a page for each that a partner gave up: the other half was this process's already. */
static void
test_partner_ends (void)
{
  FpMoment moment = make_moment (5, 1000 * PAGE, 0, 0);
  FpEstimate estimate = make_estimate (&moment, 400 * PAGE);

  moment.lost[FP_PAGES_ANON] = 100 * PAGE;
  moment.partners = 700 * PAGE;
  g_assert_true (fp_estimate_advance (&estimate, &moment, REACH));
  assert_pss (&estimate, 600 * PAGE, 650 * PAGE);
  moment.partners = 0;
  moment.lost[FP_PAGES_ANON] = 800 * PAGE;
  g_assert_true (fp_estimate_advance (&estimate, &moment, REACH));
  assert_pss (&estimate, 1000 * PAGE, 1000 * PAGE);
}

/* Pages that came since the page map was begun can't be told from those it counted. */
static void
test_intersect (void)
{
  FpMoment moment = make_moment (5, 1000 * PAGE, 0, 0);
  FpEstimate rollup = make_estimate (&moment, 400 * PAGE), map = rollup, wrong = rollup;

  map.deficit[FP_PAGES_ANON] = (FpEnds){ 300 * PAGE, 600 * PAGE };
  map.moment.partners = rollup.moment.partners = wrong.moment.partners = 2000 * PAGE;
  rollup.deficit[FP_PAGES_ANON] = (FpEnds){ 200 * PAGE, 450 * PAGE };
  fp_estimate_intersect (&map, &rollup);
  assert_pss (&map, 550 * PAGE, 600 * PAGE); /* shared pages have two users at least */

  wrong.deficit[FP_PAGES_ANON] = (FpEnds){ 100 * PAGE, 200 * PAGE };
  wrong.shared = (FpEnds){ 200 * PAGE, 400 * PAGE };
  fp_estimate_intersect (&wrong, &map);
  g_assert_cmpuint (wrong.deficit[FP_PAGES_ANON].high, ==, 200 * PAGE);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/estimate/nothing-happens", test_nothing_happens);
  g_test_add_func ("/proc/estimate/alone", test_alone);
  g_test_add_func ("/proc/estimate/little-happens", test_little_happens);
  g_test_add_func ("/proc/estimate/partner-ends", test_partner_ends);
  g_test_add_func ("/proc/estimate/intersect", test_intersect);
  g_test_add_func ("/proc/estimate/unknown", test_unknown_contains_the_truth);
  g_test_add_data_func ("/proc/estimate/truth/each-step", GUINT_TO_POINTER (1), test_contains_the_truth);
  g_test_add_data_func ("/proc/estimate/truth/five-steps", GUINT_TO_POINTER (5), test_contains_the_truth);
  g_test_add_data_func ("/proc/estimate/truth/many-steps", GUINT_TO_POINTER (60), test_contains_the_truth);
  return g_test_run ();
}
