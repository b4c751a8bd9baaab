// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void fp_display_escape (const char *text, char *shown, gsize size);
char *fp_display_make_user (const char *name);
char *fp_display_isolate (const char *name);
void fp_display_append_name (GString *text, const char *name);
void fp_display_append_sentence (GString *text, char *sentence);
void fp_display_append_fact (GString *text, char *fact);
void fp_display_append_item (GString *text, char *item);
void fp_display_append_clause (GString *text, char *clause);
void fp_display_end_sentence (GString *text);
guint fp_display_width (const char *text);
guint fp_display_widen (guint width, const char *title);
gsize fp_display_fit (const char *text, guint width);

G_END_DECLS
