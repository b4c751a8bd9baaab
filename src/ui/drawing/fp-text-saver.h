// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* How a text is made of data that the saver owns and nothing else uses. */
typedef struct
{
  void (*begin) (gpointer data, const char *file_name);       /* (nullable): once the name of the file is known */
  GString *(*make) (gpointer data, const gint *is_cancelled); /* in a worker */
  GDestroyNotify free;
} FpTextKind;

extern const FpTextKind fp_ready_text; /* the data is the text */

/* A text for other programs, in a file that is asked for or in the clipboard. What takes longer can be cancelled. data: (transfer
 * full) */
void fp_text_saver_ask (GtkWidget *widget, const FpTextKind *kind, gpointer data, const char *title, const char *file_name);
void fp_text_saver_copy (GtkWidget *widget, const FpTextKind *kind, gpointer data);

G_END_DECLS
