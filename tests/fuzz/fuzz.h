// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* g_assert and g_error may end in a trap, which libFuzzer does not catch. */
#define FUZZ_ASSERT(condition)                                              \
  do                                                                        \
    if (!(condition))                                                       \
      {                                                                     \
        g_printerr ("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
        abort ();                                                           \
      }                                                                     \
  while (0)

/* A 0-terminated text inside its array, valid UTF-8. */
#define FUZZ_ASSERT_TEXT(text) \
  FUZZ_ASSERT (memchr (text, '\0', sizeof (text)) && g_utf8_validate (text, -1, NULL))
