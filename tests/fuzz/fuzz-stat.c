// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-stat.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  const char *text = (const char *)data;
  FpStat stat = { 0 }, longer = { 0 };
  g_autofree char *padded = NULL;

  if (!fp_stat_parse (&stat, text, size))
    return 0;
  FUZZ_ASSERT (stat.comm_length < sizeof stat.comm && stat.comm[stat.comm_length] == '\0');
  FUZZ_ASSERT (memmem (text, size, stat.comm, stat.comm_length));
  FUZZ_ASSERT (g_ascii_isalpha (stat.state) || stat.state == '?');
  FUZZ_ASSERT (stat.ppid >= 0);
  FUZZ_ASSERT (fp_stat_same_image (&stat, &stat));

  /* A cut text gives the figures of the whole one. */
  padded = g_strdup_printf ("%.*s 1 1\n", (int)size, text);
  if (strlen (padded) == size + 5 && fp_stat_parse (&longer, padded, size + 5))
    {
      FUZZ_ASSERT (longer.start_ticks == stat.start_ticks && longer.state == stat.state);
      FUZZ_ASSERT (longer.fingerprint.rss_pages == stat.fingerprint.rss_pages);
    }
  return 0;
}
