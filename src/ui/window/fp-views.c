// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-display.h"
#include "fp-list-page.h"
#include "fp-machine-page.h"
#include "fp-views.h"

#define SHORTCUTS "/io/github/footprint_app/Footprint/fp-shortcuts.ui"

const FpViewInfo fp_views[] = {
  { "system", NC_ ("view", "System"), "computer-symbolic", "<Alt>1", NULL, fp_machine_page_get_type, NULL,
    FP_NEED_CONTROL_GROUPS | FP_NEED_KEPT },
  { FP_PROCESSES_VIEW, NC_ ("view", "Processes"), "view-list-symbolic", "<Alt>2", "process", fp_list_page_get_type, &fp_processes_page_info },
  { "users", NC_ ("view", "Users"), "system-users-symbolic", "<Alt>3", "user", fp_list_page_get_type, &fp_users_page_info },
  { "groups", NC_ ("view", "Groups"), "view-grid-symbolic", "<Alt>4", "control-group", fp_list_page_get_type, &fp_control_groups_page_info,
    FP_NEED_CONTROL_GROUPS, FP_REQUEST_BIT (FP_REQUEST_CONTROL_GROUPS) },
  { "files", NC_ ("view", "Files"), "text-x-generic-symbolic", "<Alt>5", "file", fp_list_page_get_type, &fp_files_page_info, 0,
    FP_REQUEST_BIT (FP_REQUEST_MAPPED_FILES) },
};

const guint fp_n_views = G_N_ELEMENTS (fp_views);

/* NULL: there is none */
const FpViewInfo *
fp_views_find (const char *id)
{
  for (guint i = 0; i < fp_n_views; i++)
    if (g_str_equal (fp_views[i].id, id))
      return &fp_views[i];
  return NULL;
}

/* Says why the source has nothing for the view to show. NULL: it has */
const char *
fp_views_explain_missing (const FpViewInfo *info,
                          FpSource *source)
{
  for (FpRequestKind kind = 0; kind < FP_N_REQUEST_KINDS; kind++)
    if ((info->requires & FP_REQUEST_BIT (kind)) && !fp_source_offers (source, kind))
      return fp_source_get_missing (kind);
  return NULL;
}

/* Joins the ids of all views in a sentence, by “or” where one of them is to be chosen. Free the text. */
char *
fp_views_name_all (gboolean is_choice)
{
  g_autofree char *last = g_strdup_printf (_ ("“%s”"), fp_views[fp_n_views - 1].id);
  g_autoptr (GString) others = g_string_new (NULL);

  for (guint i = 0; i + 1 < fp_n_views; i++)
    fp_display_append_item (others, g_strdup_printf (_ ("“%s”"), fp_views[i].id));
  if (is_choice)
    /* Translators: the last two of a list of words */
    return g_strdup_printf (_ ("%s or %s"), others->str, last);
  /* Translators: the last two of a list of words */
  return g_strdup_printf (_ ("%s and %s"), others->str, last);
}

/* Their keys are digits. */
static guint
find_last_grouping_key (void)
{
  guint last = 0;

  for (guint i = 0; i < FP_N_GROUPINGS; i++)
    last = MAX (last, (guint)fp_grouping_infos[i].key);
  return last;
}

/* The file has a comment where the views belong: the window searches only for what is in it when it is built. */
GtkShortcutsWindow *
fp_views_make_shortcuts (void)
{
  g_autoptr (GBytes) file = g_resources_lookup_data (SHORTCUTS, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (GString) views = g_string_new (NULL), text = g_string_new (g_bytes_get_data (file, NULL));
  g_autoptr (GtkBuilder) builder = NULL;
  const char last[] = { (char)find_last_grouping_key (), '\0' };

  for (guint i = 0; i < fp_n_views; i++)
    g_string_append_printf (views,
                            "<child><object class=\"GtkShortcutsShortcut\">"
                            "<property name=\"title\" translatable=\"yes\" context=\"view\">%s</property>"
                            "<property name=\"action-name\">win.view::%s</property>"
                            "</object></child>",
                            fp_views[i].title, fp_views[i].id);
  g_string_replace (text, "<!-- views -->", views->str, 1);
  g_string_replace (text, "@last-grouping@", last, 1);
  builder = gtk_builder_new_from_string (text->str, -1);
  return g_object_ref (GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay")));
}
