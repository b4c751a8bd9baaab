// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-valgrind-frame.h"

/* "known.c:12" or "in /lib/libc.so.6" */
static void
read_place (FpHeapBuilder *builder,
            FpHeapFrame *frame,
            const char *place,
            gsize length)
{
  const char *colon = memrchr (place, ':', length);
  guint64 line = colon ? g_ascii_strtoull (colon + 1, NULL, 10) : 0;

  if (length > 3 && memcmp (place, "in ", 3) == 0)
    frame->module = fp_heap_builder_add_text (builder, place + 3, length - 3);
  else if (colon && line > 0)
    {
      frame->file = fp_heap_builder_add_text (builder, place, (gsize)(colon - place));
      frame->line = (guint32)MIN (line, G_MAXUINT32);
    }
}

/* Adds a frame as Valgrind's tools write it: "0x10918E: fill (known.c:12)"; "0x1: ???" is not known. Rust's dhat writes
 * columns behind lines, too. */
guint32
fp_valgrind_frame_add (FpHeapBuilder *builder,
                       const char *text)
{
  FpHeapFrame frame = { 0 };
  const char *colon = strstr (text, ": "), *name = colon ? colon + 2 : text;
  gsize length = strlen (name);
  const char *open = g_strrstr (name, " (");

  if (open && length > 0 && name[length - 1] == ')')
    {
      read_place (builder, &frame, open + 2, length - (gsize)(open + 2 - name) - 1);
      length = (gsize)(open - name);
    }
  if (length != 3 || memcmp (name, "???", 3) != 0)
    frame.function = fp_heap_builder_add_function (builder, name, length);
  else
    frame.address = g_ascii_strtoull (text, NULL, 16);
  return fp_heap_builder_add_frame (builder, &frame);
}
