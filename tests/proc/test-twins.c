// SPDX-License-Identifier: GPL-3.0-or-later
/* Who shares memory with whom, when some can't be looked at any more in the midst of the search. */
#include "fp-twins.h"

#define N         60
#define N_COMPARE 2000 /* more than any search here takes */

typedef struct
{
  guint memories[N];
  gboolean is_spent[N]; /* once n_left comparisons are over */
  guint n_left;
  guint n_compared;
} Search;

/* Three processes have each memory, and of every other one the user spends his time. */
static void
search_init (Search *self,
             guint n_left)
{
  *self = (Search){ .n_left = n_left };
  for (guint i = 0; i < N; i++)
    {
      self->memories[i] = i * 7 % (N / 3);
      self->is_spent[i] = self->memories[i] % 2;
    }
}

static gboolean
compare (guint a,
         guint b,
         int *order,
         gpointer data)
{
  Search *self = data;

  self->n_compared++;
  if (self->n_left > 0)
    self->n_left--;
  else if (self->is_spent[a] || self->is_spent[b])
    return FALSE;
  *order = (self->memories[a] > self->memories[b]) - (self->memories[a] < self->memories[b]);
  return TRUE;
}

static guint
find_first (const Search *self,
            guint index)
{
  guint first = 0;

  while (self->memories[first] != self->memories[index])
    first++;
  return first;
}

static void
test_all (void)
{
  guint owners[N];
  Search search;

  search_init (&search, N_COMPARE);
  fp_twins_find (owners, N, compare, &search);
  for (guint i = 0; i < N; i++)
    g_assert_cmpuint (owners[i], ==, find_first (&search, i));
  g_assert_cmpuint (search.n_compared, <, N * 6);
}

/* Whenever it happens, the others' are found, and nobody is said to share what is another's. */
static void
test_spent (void)
{
  guint owners[N], n_lost = 0;
  Search search;

  for (guint n_left = 0; n_left < N * 6; n_left++)
    {
      search_init (&search, n_left);
      fp_twins_find (owners, N, compare, &search);
      for (guint i = 0; i < N; i++)
        if (owners[i] == i && search.is_spent[i])
          n_lost += find_first (&search, i) != i;
        else
          g_assert_cmpuint (owners[i], ==, find_first (&search, i));
      g_assert_cmpuint (search.n_compared, <, N_COMPARE);
    }
  g_assert_cmpuint (n_lost, >, 0);
}

/* Nobody may be looked at at all. */
static void
test_none (void)
{
  guint owners[N];
  Search search;

  search_init (&search, 0);
  for (guint i = 0; i < N; i++)
    search.is_spent[i] = TRUE;
  fp_twins_find (owners, N, compare, &search);
  for (guint i = 0; i < N; i++)
    g_assert_cmpuint (owners[i], ==, i);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/twins/all", test_all);
  g_test_add_func ("/twins/spent", test_spent);
  g_test_add_func ("/twins/none", test_none);
  return g_test_run ();
}
