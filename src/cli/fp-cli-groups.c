// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-cli-groups.h"
#include "fp-control-comparison.h"
#include "fp-control-words.h"

gboolean
fp_cli_groups_are_shown (const FpCliOptions *options)
{
  return options->kind == FP_RECORD_CONTROL_GROUP;
}

static gboolean
refuse (const FpCliView *view,
        GError **error)
{
  if (!view->reader || view->before)
    return fp_refuse_input (error, _ ("This snapshot does not tell the control groups of its machine"));
  if (view->options->proc_path)
    return fp_refuse_input (error, _ ("A copied /proc does not tell the control groups of its machine"));
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS, _ ("The kernel shows no control groups here"));
  return FALSE;
}

/* Reads the groups, unless they were saved. */
FpRecords *
fp_cli_groups_read (const FpCliView *view,
                    GError **error)
{
  g_autoptr (FpControlGroups) groups = fp_cli_view_read_groups (view);

  if (!groups || groups->n == 0 || (view->before && !view->groups_before))
    {
      refuse (view, error);
      return NULL;
    }
  if (!view->before)
    return fp_control_records_new (groups, view->processes, NULL);
  return fp_control_comparison_new (view->groups_before, groups, fp_snapshot_is_same_boot (view->before, view->snapshot),
                                    view->processes, NULL);
}

/* Free the text; NULL: the list has all groups, with their memory. */
char *
fp_cli_groups_describe (const FpCliView *view)
{
  const FpControlGroups *groups = fp_control_records_get_groups (view->records);
  g_autofree char *cut = fp_control_words_explain_cut (groups);
  const char *missing = fp_control_words_explain_missing (groups);

  if (!cut || !missing)
    return cut ? g_steal_pointer (&cut) : g_strdup (missing);
  return g_strconcat (missing, " ", cut, NULL);
}
