// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-command-view.h"
#include "fp-names-label.h"

#define MAX_BEGINNING 160 /* characters */
#define PARAGRAPH     4096

struct _FpCommandView
{
  GtkWidget parent;

  /* Template widgets */
  GtkLabel *beginning;
  GtkWidget *whole;
  GtkTextView *text;
  GtkWidget *buttons;
  GtkButton *more;

  GtkTextTag *plain; /* keeps Pango from adding hyphens; the buffer owns it */
  char *command;
};

G_DEFINE_FINAL_TYPE (FpCommandView, fp_command_view, GTK_TYPE_WIDGET)

/* A paragraph is laid out in one go, and what is not seen later: all in one, 128 KiB took 195 ms. */
static char *
break_lines (const char *command)
{
  GString *text = g_string_new (NULL);

  while (strlen (command) > PARAGRAPH)
    {
      const char *blank = memchr (command + PARAGRAPH / 2, ' ', PARAGRAPH / 2);
      const char *end = blank ? blank : command + PARAGRAPH;

      while ((*end & 0xc0) == 0x80)
        end--;
      g_string_append_len (text, command, end - command);
      g_string_append_c (text, '\n');
      command = blank ? blank + 1 : end;
    }
  g_string_append (text, command);
  return g_string_free (text, FALSE);
}

/* A hidden text takes no time to lay out. */
static void
show_whole (FpCommandView *self,
            gboolean is_whole)
{
  g_autofree char *lines = break_lines (is_whole ? self->command : "");
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter start, end;

  gtk_text_buffer_set_text (buffer, lines, -1);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_apply_tag (buffer, self->plain, &start, &end);
  gtk_widget_set_visible (self->whole, is_whole);
  gtk_widget_set_visible (GTK_WIDGET (self->beginning), !is_whole);
  gtk_button_set_label (self->more, is_whole ? _ ("Show Less") : _ ("Show More"));
}

static void
more_cb (FpCommandView *self)
{
  show_whole (self, !gtk_widget_get_visible (self->whole));
}

static void
copy_cb (FpCommandView *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->command);
}

/* As it is to be shown; with an ellipsis behind it where more is not known. */
void
fp_command_view_set_text (FpCommandView *self,
                          const char *text)
{
  gboolean is_long = g_utf8_strlen (text, -1) > MAX_BEGINNING;
  g_autofree char *beginning = is_long ? g_utf8_substring (text, 0, MAX_BEGINNING) : g_strdup (text);
  g_autofree char *shown = is_long ? g_strconcat (beginning, "…", NULL) : g_steal_pointer (&beginning);

  g_return_if_fail (FP_IS_COMMAND_VIEW (self));

  if (g_strcmp0 (self->command, text) == 0)
    return;
  g_free (self->command);
  self->command = g_strdup (text);
  gtk_label_set_text (self->beginning, shown);
  gtk_widget_set_visible (self->buttons, is_long);
  show_whole (self, is_long && gtk_widget_get_visible (self->whole));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self),
                               g_str_has_suffix (text, "…") ? _ ("Only its beginning is known") : NULL);
}

void
fp_command_view_collapse (FpCommandView *self)
{
  g_return_if_fail (FP_IS_COMMAND_VIEW (self));

  show_whole (self, FALSE);
}

static void
fp_command_view_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (fp_command_view_parent_class)->dispose (object);
}

static void
fp_command_view_finalize (GObject *object)
{
  g_free (FP_COMMAND_VIEW (object)->command);

  G_OBJECT_CLASS (fp_command_view_parent_class)->finalize (object);
}

static void
fp_command_view_class_init (FpCommandViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_command_view_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_command_view_finalize;

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-command-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FpCommandView, beginning);
  gtk_widget_class_bind_template_child (widget_class, FpCommandView, whole);
  gtk_widget_class_bind_template_child (widget_class, FpCommandView, text);
  gtk_widget_class_bind_template_child (widget_class, FpCommandView, buttons);
  gtk_widget_class_bind_template_child (widget_class, FpCommandView, more);
  gtk_widget_class_bind_template_callback (widget_class, more_cb);
  gtk_widget_class_bind_template_callback (widget_class, copy_cb);
}

static void
fp_command_view_init (FpCommandView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fp_names_label_wrap (self->beginning);
  self->plain = gtk_text_buffer_create_tag (gtk_text_view_get_buffer (self->text), NULL, "insert-hyphens", FALSE, NULL);
}
