// SPDX-License-Identifier: GPL-3.0-or-later
/* Allocates what test-heap-recorded expects, by the ways that C++ has. */
#include <string>
#include <vector>

#define NOINLINE __attribute__ ((noinline, noclone))

namespace
{
void *volatile kept;

/* Each string has a block for itself and one for its text. */
NOINLINE void
name_all ()
{
  for (int i = 0; i < 10; i++)
    kept = new std::string (999, 'x');
}
}

namespace shelf
{
template <typename T>
struct Shelf
{
  NOINLINE static void
  fill (int n)
  {
    T *all = new T[1000];

    for (int i = 0; i < n; i++)
      {
        kept = new T[1000];
        delete[] static_cast<T *> (kept);
      }
    kept = all;
  }
};
}

NOINLINE static void
grow (std::vector<int> &numbers)
{
  for (int i = 0; i < 1000; i++)
    numbers.push_back (i);
}

int
main ()
{
  std::vector<int> numbers;

  name_all ();
  shelf::Shelf<long>::fill (20);
  grow (numbers);
  return 0;
}
