// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-mapping-columns.h"

#define COLUMNS_AT_ONCE 3

struct _FpMappingColumns
{
  GObject parent;

  FpTableView *view;
  GPtrArray *columns; /* of FpColumn */
  GPtrArray *wanted;
  guint source; /* runs until the view has the wanted columns */
};

G_DEFINE_FINAL_TYPE (FpMappingColumns, fp_mapping_columns, G_TYPE_OBJECT)

static void
put_columns (FpMappingColumns *self)
{
  GVariantBuilder builder;
  g_autoptr (GVariant) columns = NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sbi)"));
  for (guint i = 0; i < self->columns->len; i++)
    g_variant_builder_add (&builder, "(sbi)", ((const FpColumn *)self->columns->pdata[i])->id, TRUE, 0);
  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);

      if (column->kinds & fp_table_layouts[FP_TABLE_MAPPINGS].kinds && !g_ptr_array_find (self->columns, column, NULL))
        g_variant_builder_add (&builder, "(sbi)", column->id, FALSE, 0);
    }
  columns = g_variant_ref_sink (g_variant_builder_end (&builder));
  fp_table_columns_take_variant (fp_table_view_get_columns (self->view), columns);
}

/* Removes one unwanted column; if there is none, puts one wanted column in its place. FALSE: nothing is left to do. */
static gboolean
change_column (FpMappingColumns *self)
{
  for (guint i = self->columns->len; i > 0; i--)
    if (!g_ptr_array_find (self->wanted, g_ptr_array_index (self->columns, i - 1), NULL))
      {
        g_ptr_array_remove_index (self->columns, i - 1);
        return TRUE;
      }
  for (guint i = 0; i < self->wanted->len; i++)
    if (i >= self->columns->len || g_ptr_array_index (self->wanted, i) != g_ptr_array_index (self->columns, i))
      {
        g_ptr_array_remove (self->columns, g_ptr_array_index (self->wanted, i));
        g_ptr_array_insert (self->columns, (gint)i, g_ptr_array_index (self->wanted, i));
        return TRUE;
      }
  return FALSE;
}

/* GTK keeps 200 rows of widgets, so a column is 200 cells that are made or destroyed at once: a set of 30 would hold
 * everything up for a quarter of a second. */
static gboolean
columns_cb (gpointer data)
{
  FpMappingColumns *self = data;
  gboolean has_changed = FALSE;

  for (guint i = 0; i < COLUMNS_AT_ONCE && change_column (self); i++)
    has_changed = TRUE;
  if (has_changed)
    {
      put_columns (self);
      return G_SOURCE_CONTINUE;
    }
  self->source = 0;
  return G_SOURCE_REMOVE;
}

static void
fp_mapping_columns_dispose (GObject *object)
{
  FpMappingColumns *self = FP_MAPPING_COLUMNS (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_object (&self->view);

  G_OBJECT_CLASS (fp_mapping_columns_parent_class)->dispose (object);
}

static void
fp_mapping_columns_finalize (GObject *object)
{
  FpMappingColumns *self = FP_MAPPING_COLUMNS (object);

  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->wanted);

  G_OBJECT_CLASS (fp_mapping_columns_parent_class)->finalize (object);
}

static void
fp_mapping_columns_class_init (FpMappingColumnsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_mapping_columns_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_mapping_columns_finalize;
}

static void
fp_mapping_columns_init (FpMappingColumns *self)
{
  self->columns = g_ptr_array_new ();
  self->wanted = g_ptr_array_new ();
  self->view = g_object_ref_sink (FP_TABLE_VIEW (fp_table_view_new (&fp_table_layouts[FP_TABLE_MAPPINGS], _ ("Mappings"))));
}

FpMappingColumns *
fp_mapping_columns_new (void)
{
  return g_object_new (FP_TYPE_MAPPING_COLUMNS, NULL);
}

FpTableView *
fp_mapping_columns_get_view (FpMappingColumns *self)
{
  g_return_val_if_fail (FP_IS_MAPPING_COLUMNS (self), NULL);

  return self->view;
}

/* The name comes first, because the arrows of groups are in it. Figures come before words, which are long, where they need
 * not stand as another program has them. */
void
fp_mapping_columns_take (FpMappingColumns *self,
                         const FpColumnSet *set,
                         gboolean is_tree,
                         gboolean are_changes)
{
  const FpColumn *change = fp_columns_get_role (FP_ROLE_CHANGE, FP_RECORD_CHANGE), *column;

  g_return_if_fail (FP_IS_MAPPING_COLUMNS (self));

  fp_table_columns_set_differences (fp_table_view_get_columns (self->view), are_changes);
  g_ptr_array_set_size (self->wanted, 0);
  g_ptr_array_add (self->wanted, (gpointer)fp_columns_get_role (FP_ROLE_NAME, FP_RECORD_MAPPING));
  if (are_changes && !is_tree)
    g_ptr_array_add (self->wanted, (gpointer)change);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; (column = fp_column_set_get (set, i)); i++)
      if (!fp_column_is_name (column) && (set->keeps_order || fp_column_is_figure (column)) == (pass == 0))
        g_ptr_array_add (self->wanted, (gpointer)column);
  /* Groups have none. */
  if (are_changes && is_tree)
    g_ptr_array_add (self->wanted, (gpointer)change);
  /* Rows have widgets also after what was in them is forgotten. */
  if (g_list_model_get_n_items (G_LIST_MODEL (fp_table_view_get_table (self->view))) > 0)
    {
      if (self->source == 0)
        self->source = g_idle_add (columns_cb, self);
      return;
    }
  while (change_column (self))
    ;
  put_columns (self);
}
