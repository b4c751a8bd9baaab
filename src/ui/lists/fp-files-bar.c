// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-files-bar.h"
#include "fp-mapped-words.h"

#define AGE_SECONDS 20 /* between two looks at the age, which is told in minutes */

struct _FpFilesBar
{
  GtkBox parent;

  /* Template widgets */
  GtkLabel *state;
  GtkProgressBar *progress;
  GtkWidget *unlock;
  GtkWidget *read;
  GtkWidget *cancel;

  FpSession *session; /* not owned: the view has it */
  guint age_source;   /* while it is mapped */
  gboolean was_unlocked;
};

G_DEFINE_FINAL_TYPE (FpFilesBar, fp_files_bar, GTK_TYPE_BOX)

static const FpFilesState *
get_files (FpFilesBar *self)
{
  return fp_files_reader_get (fp_session_get (self->session)->files);
}

/* Processes come and go, so the number is another one than that of all there are now. Free the text. */
static char *
describe_reading (const FpRecords *records,
                  const char *age)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);
  guint n = files->n_read + files->n_unread;

  /* Translators: “Read just now”, and how many processes */
  return g_strdup_printf (ngettext ("%s · %u process", "%s · %u processes", n), age, n);
}

/* Free the text. */
static char *
describe (const FpFilesState *files,
          gboolean is_live)
{
  gint64 now_us = g_get_monotonic_time ();
  g_autofree char *age = files->records ? fp_mapped_words_describe_age (now_us - files->read_us) : NULL;

  if (files->is_reading)
    return fp_mapped_words_describe_progress (files->n_done, files->n, now_us - files->began_us);
  if (!is_live)
    return g_strdup (files->records ? _ ("As they were when the snapshot was saved") : "");
  if (age && files->problem)
    /* Translators: "Read 2 minutes ago. Reading was cancelled." */
    return g_strdup_printf (_ ("%s. %s"), age, files->problem);
  return age ? describe_reading (files->records, age) : g_strdup (_ ("Not read yet"));
}

static gboolean
can_unlock (FpFilesBar *self)
{
  const FpFilesState *files = get_files (self);

  return files->records && fp_mapped_records_get_files (files->records)->n_unread > 0 &&
         fp_source_get_status (fp_session_get (self->session)->source).can_unlock;
}

static void
update (FpFilesBar *self)
{
  const FpFilesState *files = get_files (self);
  gboolean is_live = fp_session_get (self->session)->is_live;
  g_autofree char *text = describe (files, is_live);
  gboolean had_focus = gtk_widget_has_focus (files->is_reading ? self->read : self->cancel);

  if (g_strcmp0 (gtk_label_get_text (self->state), text) != 0)
    gtk_label_set_text (self->state, text);
  gtk_widget_set_visible (GTK_WIDGET (self->progress), files->is_reading);
  gtk_widget_set_visible (self->unlock, !files->is_reading && can_unlock (self));
  gtk_widget_set_visible (self->cancel, files->is_reading);
  gtk_widget_set_visible (self->read, !files->is_reading && is_live);
  gtk_button_set_label (GTK_BUTTON (self->read), files->records ? _ ("_Read Again") : _ ("_Read"));
  if (had_focus)
    gtk_widget_grab_focus (files->is_reading ? self->cancel : self->read);
  if (!files->is_reading)
    return;
  gtk_progress_bar_set_fraction (self->progress, files->n > 0 ? (double)files->n_done / files->n : 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
}

static void
read_cb (FpFilesBar *self)
{
  const FpSessionState *state = fp_session_get (self->session);

  if (state->records)
    fp_files_reader_read (state->files, state->records);
}

static void
cancel_cb (FpFilesBar *self)
{
  fp_files_reader_cancel (fp_session_get (self->session)->files);
}

/* Nothing is read before somebody looks, and then only once without being asked to. */
static void
read_first (FpFilesBar *self)
{
  const FpFilesState *files = get_files (self);

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && !files->records && !files->problem)
    read_cb (self);
}

/* Others' files come with the permission to read them. */
static void
access_changed_cb (FpFilesBar *self)
{
  gboolean is_unlocked = fp_source_get_status (fp_session_get (self->session)->source).is_unlocked;

  if (is_unlocked && !self->was_unlocked && get_files (self)->records)
    read_cb (self);
  self->was_unlocked = is_unlocked;
  update (self);
}

static gboolean
age_cb (gpointer data)
{
  update (data);
  return G_SOURCE_CONTINUE;
}

static void
fp_files_bar_map (GtkWidget *widget)
{
  FpFilesBar *self = FP_FILES_BAR (widget);

  GTK_WIDGET_CLASS (fp_files_bar_parent_class)->map (widget);
  self->age_source = g_timeout_add_seconds (AGE_SECONDS, age_cb, self);
  update (self);
  read_first (self);
}

static void
fp_files_bar_unmap (GtkWidget *widget)
{
  g_clear_handle_id (&FP_FILES_BAR (widget)->age_source, g_source_remove);
  GTK_WIDGET_CLASS (fp_files_bar_parent_class)->unmap (widget);
}

static void
fp_files_bar_class_init (FpFilesBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  widget_class->map = fp_files_bar_map;
  widget_class->unmap = fp_files_bar_unmap;

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-files-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FpFilesBar, state);
  gtk_widget_class_bind_template_child (widget_class, FpFilesBar, progress);
  gtk_widget_class_bind_template_child (widget_class, FpFilesBar, unlock);
  gtk_widget_class_bind_template_child (widget_class, FpFilesBar, read);
  gtk_widget_class_bind_template_child (widget_class, FpFilesBar, cancel);
  gtk_widget_class_bind_template_callback (widget_class, read_cb);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
}

static void
fp_files_bar_init (FpFilesBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
fp_files_bar_new (FpSession *session)
{
  FpFilesBar *self = g_object_new (FP_TYPE_FILES_BAR, NULL);
  const FpSessionState *state = fp_session_get (session);

  self->session = session;
  self->was_unlocked = fp_source_get_status (state->source).is_unlocked;
  g_signal_connect_object (state->files, "progress", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state->files, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "refreshed", G_CALLBACK (read_first), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state->access, "changed", G_CALLBACK (access_changed_cb), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
