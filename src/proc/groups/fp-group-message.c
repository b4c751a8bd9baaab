// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-cgroup.h"
#include "fp-group-message.h"

enum
{
  HAS_MEMORY = 1 << 0,
  HAS_PRESSURE = 1 << 1,
  IS_CUT = 1 << 2,
};

static void
pack_group (const FpControlGroup *group,
            GVariantBuilder *builder)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE ("(tttttuuuussat)"));
  g_variant_builder_add (builder, "t", group->id);
  g_variant_builder_add (builder, "t", group->present);
  g_variant_builder_add (builder, "t", group->measured_us);
  g_variant_builder_add (builder, "t", group->waited_us);
  g_variant_builder_add (builder, "t", group->waited_over_us);
  g_variant_builder_add (builder, "u", group->parent);
  g_variant_builder_add (builder, "u", group->depth);
  g_variant_builder_add (builder, "u", (guint32)group->kind);
  g_variant_builder_add (builder, "u", group->uid);
  g_variant_builder_add (builder, "s", group->path);
  g_variant_builder_add (builder, "s", group->name);
  g_variant_builder_open (builder, G_VARIANT_TYPE ("at"));
  for (FpControlField field = 0; field < FP_N_CONTROL_FIELDS; field++)
    if (fp_control_group_has (group, field))
      g_variant_builder_add (builder, "t", group->figures[field]);
  g_variant_builder_close (builder);
  g_variant_builder_close (builder);
}

/* Floating. Figures that are absent are left out; the bits say which. */
GVariant *
fp_group_message_pack (const FpControlGroups *groups)
{
  const guint32 flags = (groups->has_memory ? HAS_MEMORY : 0) | (groups->has_pressure ? HAS_PRESSURE : 0) | (groups->is_cut ? IS_CUT : 0);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (FP_GROUP_MESSAGE_TYPE));
  g_variant_builder_add (&builder, "u", flags);
  g_variant_builder_open (&builder, G_VARIANT_TYPE ("a(tttttuuuussat)"));
  for (guint i = 0; i < groups->n; i++)
    pack_group (&groups->groups[i], &builder);
  g_variant_builder_close (&builder);
  return g_variant_builder_end (&builder);
}

/* The fields of a message's bits, in their order; FP_N_CONTROL_FIELDS: one that is not known here. */
typedef struct
{
  const FpControlField *ids;
  guint n;
} Fields;

static gboolean
take_figures (FpControlGroup *group,
              GVariant *figures,
              const Fields *fields)
{
  const guint64 there = group->present;
  gsize n, used = 0;
  const guint64 *values = g_variant_get_fixed_array (figures, &n, sizeof (guint64));

  group->present = 0;
  if (fields->n < FP_GROUP_MESSAGE_MAX_FIELDS && there >> fields->n != 0)
    return FALSE;
  for (guint i = 0; i < fields->n; i++)
    {
      if ((there >> i & 1) == 0)
        continue;
      if (used == n)
        return FALSE;
      if (fields->ids[i] < FP_N_CONTROL_FIELDS)
        {
          group->present |= (guint64)1 << fields->ids[i];
          group->figures[fields->ids[i]] = values[used];
        }
      used++;
    }
  return used == n;
}

static gboolean
is_sound_name (const char *name)
{
  for (const char *c = name; *c; c++)
    if (g_ascii_iscntrl (*c))
      return FALSE;
  return strlen (name) < FP_CONTROL_MAX_NAME;
}

static gboolean
is_sound_path (const char *path,
               const FpControlGroup *parent)
{
  const gsize skip = parent && strcmp (parent->path, "/") != 0 ? strlen (parent->path) : 0;

  if (path[0] != '/' || strlen (path) > FP_CGROUP_MAX_PATH)
    return FALSE;
  return !parent || (g_str_has_prefix (path, parent->path) && path[skip] == '/' && path[skip + 1] && !strchr (path + skip + 1, '/'));
}

/* The first group is the root of all others, and each parent stands before its children. */
static gboolean
is_sound (const FpControlGroups *list,
          const FpControlGroup *group)
{
  const FpControlGroup *parent = group->parent < list->n ? &list->groups[group->parent] : NULL;

  if (group->kind > FP_CONTROL_KIND_OTHER || !is_sound_name (group->name) || !is_sound_path (group->path, parent))
    return FALSE;
  if (list->n == 0)
    return group->parent == FP_CONTROL_NONE && group->depth == 0;
  return parent && group->depth == parent->depth + 1 && group->depth <= FP_CONTROL_MAX_DEPTH;
}

/* Rows are known by their ids and found by their paths. */
static gboolean
is_new (GHashTable *ids,
        GHashTable *paths,
        FpControlGroup *group)
{
  return g_hash_table_add (ids, &group->id) && g_hash_table_add (paths, (gpointer)group->path);
}

static gboolean
take_group (FpControlGroups *list,
            GVariant *message,
            const Fields *fields,
            GHashTable *ids,
            GHashTable *paths)
{
  FpControlGroup *group = &list->groups[list->n];
  g_autoptr (GVariant) figures = NULL;
  const char *path, *name;
  guint32 kind;

  g_variant_get (message, "(tttttuuuu&s&s@at)", &group->id, &group->present, &group->measured_us, &group->waited_us,
                 &group->waited_over_us, &group->parent, &group->depth, &kind, &group->uid, &path, &name, &figures);
  group->kind = (FpControlKind)kind;
  group->path = g_string_chunk_insert (list->texts, path);
  group->name = g_string_chunk_insert (list->texts, name);
  if (!take_figures (group, figures, fields) || !is_sound (list, group) || !is_new (ids, paths, group))
    return FALSE;
  list->n++;
  return TRUE;
}

/* As if an enemy had written it. Its type is FP_GROUP_MESSAGE_TYPE, and texts in a message are valid UTF-8. fields: what its
 * bits mean, up to FP_GROUP_MESSAGE_MAX_FIELDS; NULL: what they mean here */
FpControlGroups *
fp_group_message_parse (GVariant *message,
                        const FpControlField *fields,
                        guint n_fields,
                        GError **error)
{
  FpControlField own[FP_N_CONTROL_FIELDS];
  const Fields all = { fields ? fields : own, fields ? n_fields : FP_N_CONTROL_FIELDS };
  g_autoptr (GVariant) groups = g_variant_get_child_value (message, 1);
  const gsize n = g_variant_n_children (groups);
  g_autoptr (FpControlGroups) list = fp_control_groups_new ((guint)MIN (n, FP_CONTROL_MAX_GROUPS));
  g_autoptr (GHashTable) ids = g_hash_table_new (g_int64_hash, g_int64_equal), paths = g_hash_table_new (g_str_hash, g_str_equal);
  guint32 flags;

  for (FpControlField field = 0; field < FP_N_CONTROL_FIELDS; field++)
    own[field] = field;
  g_variant_get_child (message, 0, "u", &flags);
  list->has_memory = (flags & HAS_MEMORY) != 0;
  list->has_pressure = (flags & HAS_PRESSURE) != 0;
  list->is_cut = (flags & IS_CUT) != 0;
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) group = g_variant_get_child_value (groups, i);

      if (i < FP_CONTROL_MAX_GROUPS && take_group (list, group, &all, ids, paths))
        continue;
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "group %" G_GSIZE_FORMAT, i);
      return NULL;
    }
  fp_control_groups_seal (list);
  return g_steal_pointer (&list);
}
