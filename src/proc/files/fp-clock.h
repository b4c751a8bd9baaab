// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <time.h>

G_BEGIN_DECLS

static inline guint64
fp_clock_us (clockid_t id)
{
  struct timespec t;

  clock_gettime (id, &t);
  return (guint64)t.tv_sec * G_USEC_PER_SEC + (guint64)t.tv_nsec / 1000;
}

G_END_DECLS
