// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-figure.h"

G_BEGIN_DECLS

/* Writes JSON as it comes, without a tree of it: a process may have 60,000 mappings of 50 members each. */
typedef struct
{
  GString *out;
  gboolean is_pretty;
  gboolean is_first; /* in the object or array that is open */
  guint depth;
} FpJson;

/* name: of a member of an object; NULL for an element of an array, and for the whole */
void fp_json_begin_object (FpJson *self, const char *name);
void fp_json_end_object (FpJson *self);
void fp_json_begin_array (FpJson *self, const char *name);
void fp_json_end_array (FpJson *self);
void fp_json_add_text (FpJson *self, const char *name, const char *text);
void fp_json_add_number (FpJson *self, const char *name, gint64 number);
void fp_json_add_bytes (FpJson *self, const char *name, guint64 bytes);
void fp_json_add_real (FpJson *self, const char *name, double number);
void fp_json_add_figure (FpJson *self, const char *name, FpFigure figure);
void fp_json_add_flag (FpJson *self, const char *name, gboolean flag);

G_END_DECLS
