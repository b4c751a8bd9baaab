// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "fp-column-sets.h"
#include "fp-display.h"
#include "fp-facts.h"
#include "fp-file-overview.h"
#include "fp-mapped-words.h"

#define MAX_SHOWN 100 /* processes */

struct _FpFileOverview
{
  GtkWidget parent;

  /* Template widgets */
  GtkWidget *scroller;
  GtkLabel *advice;
  GtkGrid *facts;
  GtkLabel *heading;
  GtkListBox *holders;
  GtkLabel *more;

  FpRecords *records; /* (nullable): with index, whose processes are listed */
  guint index;
};

static guint process_requested_signal;

G_DEFINE_FINAL_TYPE (FpFileOverview, fp_file_overview, GTK_TYPE_WIDGET)

static const FpColumnSet *const facts = &fp_column_sets[FP_COLUMN_SET_MAPPED_FACTS];

static void
show_facts (FpFileOverview *self,
            const FpRecords *records,
            guint index,
            const FpFormat *format)
{
  const FpColumn *column;

  for (guint i = 0; (column = fp_column_set_get (facts, i)); i++)
    {
      char text[FP_CELL_SIZE], shown[FP_CELL_SIZE];

      fp_column_format (column, records, index, format, text, sizeof text);
      fp_display_escape (text, shown, sizeof shown);
      fp_facts_show (self->facts, i, shown);
    }
}

static void
show_advice (FpFileOverview *self,
             const FpRecords *records,
             guint index,
             const FpFormat *format)
{
  const FpMappedFile *file = fp_mapped_records_get (records, index);
  g_autofree char *copies = fp_mapped_words_describe_copies (records, index, format), *both = NULL;
  const char *outdated = NULL;

  if (fp_mapped_file_is_outdated (file))
    outdated = file->is_updated
                   ? _ ("Another file has its name now. These processes use the old one until they are started again.")
                   : _ ("The file was deleted. These processes use it until they are started again.");
  if (outdated && copies)
    both = g_strdup_printf ("%s\n%s", outdated, copies);
  gtk_widget_set_visible (GTK_WIDGET (self->advice), outdated || copies);
  gtk_label_set_text (self->advice, both ? both : outdated ? outdated
                                                           : copies);
}

/* A process that has ended since is still one of those that were read. */
static GtkWidget *
make_row (const FpProcessId *id,
          const FpSnapshot *snapshot)
{
  const FpProcess *process = fp_snapshot_find_same (snapshot, id);
  GtkWidget *row = adw_action_row_new ();
  char name[512] = "", user[256] = "";
  g_autofree char *title = NULL, *subtitle = NULL;

  if (process)
    {
      fp_display_escape (fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM), name, sizeof name);
      if (!*name)
        fp_display_escape (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM), name, sizeof name);
      fp_display_escape (fp_snapshot_get_text (snapshot, process, FP_TEXT_USER), user, sizeof user);
    }
  title = g_markup_escape_text (process ? name : _ ("Has ended"), -1);
  subtitle = process ? g_markup_printf_escaped (_ ("Process %d of %s"), id->pid, user)
                     : g_markup_printf_escaped (_ ("Process %d"), id->pid);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), process != NULL);
  if (process)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
  g_object_set_data (G_OBJECT (row), "fp-pid", GINT_TO_POINTER (id->pid));
  return row;
}

static void
show_holders (FpFileOverview *self,
              const FpSnapshot *snapshot)
{
  g_autoptr (GArray) holders = fp_mapped_words_list_holders (self->records, self->index);
  g_autofree char *heading = g_strdup_printf (ngettext ("%u process maps it", "%u processes map it", holders->len), holders->len);
  guint n_more = holders->len > MAX_SHOWN ? holders->len - MAX_SHOWN : 0;
  g_autofree char *more = g_strdup_printf (ngettext ("and %u more", "and %u more", n_more), n_more);
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->holders, 0)))
    gtk_list_box_remove (self->holders, GTK_WIDGET (row));
  for (guint i = 0; i < holders->len - n_more; i++)
    gtk_list_box_append (self->holders, make_row (&g_array_index (holders, FpProcessId, i), snapshot));
  gtk_label_set_text (self->heading, heading);
  gtk_label_set_text (self->more, more);
  gtk_widget_set_visible (GTK_WIDGET (self->more), n_more > 0);
}

/* The list of processes stays as it is until another file is shown, or the files are read again. */
void
fp_file_overview_update (FpFileOverview *self,
                         FpRecords *records,
                         guint index,
                         const FpSessionState *state)
{
  gboolean is_new;

  g_return_if_fail (FP_IS_FILE_OVERVIEW (self));

  is_new = records != self->records || index != self->index;
  show_facts (self, records, index, &state->format);
  if (!is_new)
    return;
  fp_records_ref (records);
  g_clear_pointer (&self->records, fp_records_unref);
  self->records = records;
  self->index = index;
  show_advice (self, records, index, &state->format);
  show_holders (self, state->snapshot);
}

static void
activated_cb (FpFileOverview *self,
              GtkListBoxRow *row)
{
  g_signal_emit (self, process_requested_signal, 0, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "fp-pid")));
}

static void
fp_file_overview_dispose (GObject *object)
{
  g_clear_pointer (&FP_FILE_OVERVIEW (object)->scroller, gtk_widget_unparent);
  g_clear_pointer (&FP_FILE_OVERVIEW (object)->records, fp_records_unref);

  G_OBJECT_CLASS (fp_file_overview_parent_class)->dispose (object);
}

static void
fp_file_overview_class_init (FpFileOverviewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_file_overview_dispose;

  process_requested_signal = g_signal_new ("process-requested", FP_TYPE_FILE_OVERVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 1, G_TYPE_INT);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-file-overview.ui");
  gtk_widget_class_bind_template_child (widget_class, FpFileOverview, scroller);
  gtk_widget_class_bind_template_child (widget_class, FpFileOverview, advice);
  gtk_widget_class_bind_template_child (widget_class, FpFileOverview, facts);
  gtk_widget_class_bind_template_child (widget_class, FpFileOverview, heading);
  gtk_widget_class_bind_template_child (widget_class, FpFileOverview, holders);
  gtk_widget_class_bind_template_child (widget_class, FpFileOverview, more);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
}

static void
fp_file_overview_init (FpFileOverview *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fp_facts_add (self->facts, facts);
}
