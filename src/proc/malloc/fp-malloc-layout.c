// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-malloc-layout.h"

#define FIRST_KNOWN 30 /* the cache of a thread got wider counts */
#define LAST_KNOWN  41 /* the next one caches large blocks, too */

G_STATIC_ASSERT (sizeof (FpMallocState) == 2200);
G_STATIC_ASSERT (sizeof (FpMallocCache) == 640);

/* malloc_par before 2.35, and since then with huge pages */
typedef struct
{
  guint64 trim_threshold;
  guint64 top_pad;
  guint64 mmap_threshold;
  guint64 arena_test;
  guint64 arena_max;
  gint32 n_mapped;
  gint32 n_mapped_max;
  gint32 max_n_mapped;
  gint32 is_fixed;
  guint64 mapped;
  guint64 max_mapped;
  guint64 base;
  guint64 cache_classes;
  guint64 cache_max;
  guint64 cache_count;
  guint64 unsorted_limit;
} Parameters30;

typedef struct
{
  guint64 trim_threshold;
  guint64 top_pad;
  guint64 mmap_threshold;
  guint64 arena_test;
  guint64 arena_max;
  guint64 thp_page;
  guint64 huge_page;
  gint32 huge_flags;
  gint32 n_mapped;
  gint32 n_mapped_max;
  gint32 max_n_mapped;
  gint32 is_fixed;
  gint32 padding;
  guint64 mapped;
  guint64 max_mapped;
  guint64 base;
  guint64 cache_classes;
  guint64 cache_max;
  guint64 cache_count;
  guint64 unsorted_limit;
} Parameters35;

G_STATIC_ASSERT (sizeof (Parameters35) == FP_MALLOC_MAX_PARAMETERS);

/* "GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36." is in each libc.so.6. Returns 36, or 0 where the text
 * has no such line. 2.36.9000 is what becomes 2.37. */
guint
fp_malloc_layout_find_version (const char *text,
                               gsize length)
{
  static const char name[] = "GNU C Library (", word[] = "release version 2.";
  const char *line = memmem (text, length, name, strlen (name)), *end, *digit;
  guint minor = 0;

  if (!line)
    return 0;
  end = memchr (line, '\n', length - (gsize)(line - text));
  digit = end ? memmem (line, (gsize)(end - line), word, strlen (word)) : NULL;
  if (!digit)
    return 0;
  for (digit += strlen (word); g_ascii_isdigit (*digit) && minor < 1000; digit++)
    minor = minor * 10 + (guint)g_ascii_digit_value (*digit);
  return digit[0] == '.' && g_ascii_isdigit (digit[1]) ? minor + 1 : minor;
}

/* FALSE: this version is not known. */
gboolean
fp_malloc_layout_init (FpMallocLayout *self,
                       guint minor)
{
  *self = (FpMallocLayout){
    .minor = minor,
    .protects_links = minor >= 32,
    .has_random_key = minor >= 34,
    .heap_info_size = minor >= 35 ? 48 : 32,
    .parameters_size = minor >= 35 ? sizeof (Parameters35) : sizeof (Parameters30),
  };
  return minor >= FIRST_KNOWN && minor <= LAST_KNOWN;
}

void
fp_malloc_layout_get_parameters (const FpMallocLayout *self,
                                 const guint8 *bytes,
                                 FpMallocParameters *parameters)
{
  Parameters30 early;
  Parameters35 late;

  if (self->parameters_size == sizeof early)
    {
      memcpy (&early, bytes, sizeof early);
      *parameters = (FpMallocParameters){
        (guint)early.n_mapped,
        early.mapped,
        early.max_mapped,
        early.base,
        early.cache_classes,
        early.cache_max,
        early.cache_count,
        0,
      };
      return;
    }
  memcpy (&late, bytes, sizeof late);
  *parameters = (FpMallocParameters){
    (guint)late.n_mapped,
    late.mapped,
    late.max_mapped,
    late.base,
    late.cache_classes,
    late.cache_max,
    late.cache_count,
    late.huge_page,
  };
}

/* The block that a link at this address leads to */
guint64
fp_malloc_layout_reveal (const FpMallocLayout *self,
                         guint64 address,
                         guint64 link)
{
  return self->protects_links ? link ^ (address >> 12) : link;
}
