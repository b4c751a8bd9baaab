// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FP_LAYOUT_LINE 128

/* The places that tell one address space from another. The kernel draws them anew at each exec, and tells them to nobody who may
 * not read the process, so that nobody can give another one the same. 0: it has none */
typedef struct
{
  guint64 stack_end;
  guint64 vdso;
  guint64 heap;
  guint64 program; /* the number of its file */
  guint64 device;  /* of that file, or of the last mapping before there is one */
  /* A list of all mappings has these, and a text in pieces has not. */
  guint64 first;
  guint64 end;
  /* A piece of the text ended in this line. */
  char line[FP_LAYOUT_LINE];
  gsize length; /* of the line, which may be longer than what is kept of it */
} FpLayout;

void fp_layout_feed (FpLayout *self, const char *text, gsize length);
gboolean fp_layout_read (FpLayout *self, int process_dir);
gboolean fp_layout_is_same (const FpLayout *self, const FpLayout *other);

G_END_DECLS
