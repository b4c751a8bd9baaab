// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads JSON from front to back without a tree of it. Whatever is wrong ends it: is_wrong is set, and there are no more
 * members and elements. */
typedef struct
{
  const char *at;
  const char *end;
  gboolean is_wrong;
} FpHeapJson;

gboolean fp_heap_json_enter (FpHeapJson *self, char bracket);
gboolean fp_heap_json_next_member (FpHeapJson *self, GString *name);
gboolean fp_heap_json_next_element (FpHeapJson *self);
guint64 fp_heap_json_read_number (FpHeapJson *self);
void fp_heap_json_read_text (FpHeapJson *self, GString *text);
void fp_heap_json_skip (FpHeapJson *self);

G_END_DECLS
