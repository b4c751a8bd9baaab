// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

/* “./dev test long” sets this, and cases that need minutes run at their whole length. */
static inline gboolean
test_is_long (void)
{
  return g_strcmp0 (g_getenv ("FP_TEST_LONG"), "1") == 0;
}

/* Whether this is the build for cases that take long and check the same in both: the one with sanitizers, which see more */
static inline gboolean
test_is_first_build (void)
{
#ifdef __SANITIZE_ADDRESS__
  return TRUE;
#else
  return test_is_long ();
#endif
}

/* A sanitizer makes many turns of the same some ten times as long, and finds in a part of them what it finds in all. */
static inline gboolean
test_takes_all (void)
{
#ifdef __SANITIZE_ADDRESS__
  return test_is_long ();
#else
  return TRUE;
#endif
}
