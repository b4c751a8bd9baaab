// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <sys/resource.h>

#include "fp-descriptors.h"

/* Each process costs a descriptor, and so does each control group. The usual soft limit of 1,024 is there for select()
 * alone. Returns how many there may be now. */
guint
fp_descriptors_raise_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return 0;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
  if (getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return 0;
  return (guint)MIN (limit.rlim_cur, G_MAXINT);
}
