// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-group-message.h"
#include "fp-snapshot-groups.h"

/* Names of the figures, and the message whose figures they name: other versions may have others, or another order. */
#define TYPE "(as" FP_GROUP_MESSAGE_TYPE ")"

static const char *const names[FP_N_CONTROL_FIELDS] = {
#define FP_CONTROL_NAME(id, file, key) file "/" key,
  FP_CONTROL_FIELDS (FP_CONTROL_NAME)
#undef FP_CONTROL_NAME
};

GBytes *
fp_control_groups_to_bytes (const FpControlGroups *self)
{
  g_autoptr (GVariant) block = g_variant_new ("(@as@" FP_GROUP_MESSAGE_TYPE ")", g_variant_new_strv (names, FP_N_CONTROL_FIELDS),
                                              fp_group_message_pack (self));

  g_variant_ref_sink (block);
  return g_variant_get_data_as_bytes (block);
}

static FpControlField
find_field (const char *name)
{
  FpControlField field = 0;

  while (field < FP_N_CONTROL_FIELDS && strcmp (names[field], name) != 0)
    field++;
  return field;
}

/* Whole, and as if an enemy had written it. NULL: it is damaged */
FpControlGroups *
fp_control_groups_from_bytes (GBytes *bytes)
{
  g_autoptr (GVariant) block = g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (TYPE), bytes, FALSE));
  g_autoptr (GVariant) fields = NULL, message = NULL;
  FpControlField ids[FP_GROUP_MESSAGE_MAX_FIELDS];
  gsize n;

  if (!g_variant_is_normal_form (block))
    return NULL;
  fields = g_variant_get_child_value (block, 0);
  message = g_variant_get_child_value (block, 1);
  n = g_variant_n_children (fields);
  if (n > G_N_ELEMENTS (ids))
    return NULL;
  for (gsize i = 0; i < n; i++)
    {
      const char *name;

      g_variant_get_child (fields, i, "&s", &name);
      ids[i] = find_field (name);
    }
  return fp_group_message_parse (message, ids, (guint)n, NULL);
}
