// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-app-icons.h"
#include "fp-icon-cache.h"
#include "fp-control-records.h"
#include "fp-row-icons.h"
#include "fp-totals.h"

struct _FpRowIcons
{
  GObject parent;

  FpAppIcons *apps;
  FpIconCache *cache;
  GIcon *user;
  GIcon *container;
  GIcon *program; /* without an icon of its own, or with one that the theme lacks */
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpRowIcons, fp_row_icons, G_TYPE_OBJECT)

static GIcon *
choose_for_process (FpRowIcons *self,
                    const FpSnapshot *snapshot,
                    const FpProcess *process)
{
  GIcon *icon;

  if (fp_process_is_kernel_thread (process))
    return NULL;
  icon = fp_app_icons_find (self->apps, fp_snapshot_get_text (snapshot, process, FP_TEXT_APP),
                            fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM));
  if (icon)
    return icon;
  return *fp_snapshot_get_text (snapshot, process, FP_TEXT_CONTAINER) ? self->container : self->program;
}

static GIcon *
choose_for_program (FpRowIcons *self,
                    const char *app,
                    const char *program)
{
  GIcon *icon = fp_app_icons_find (self->apps, app, program);

  return icon ? icon : self->program;
}

/* A group of the tree has the icon of the process that leads it. */
static GIcon *
choose_for_leader (FpRowIcons *self,
                   const FpRows *rows,
                   const FpRow *row)
{
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (fp_rows_get_records (rows, FP_ROW_RECORD));
  FpKey key = fp_groups_get_leader (row->key);
  const FpProcess *leader = fp_snapshot_find_same (snapshot, &(FpProcessId){ (gint)key.a, key.b });

  return leader ? choose_for_process (self, snapshot, leader) : NULL;
}

static GIcon *
choose_for_group (FpRowIcons *self,
                  const FpRows *rows,
                  const FpRow *row,
                  FpGrouping grouping)
{
  const char *name = fp_totals_get (fp_rows_get_records (rows, FP_ROW_GROUP), row->index)->name;

  if (grouping == FP_GROUPING_PARENT)
    return choose_for_leader (self, rows, row);
  if (!*name)
    return NULL;
  switch (fp_grouping_get_subject (grouping, row->depth))
    {
    case FP_SUBJECT_APP:
      return choose_for_program (self, name, "");
    case FP_SUBJECT_PROGRAM:
      return choose_for_program (self, "", name);
    case FP_SUBJECT_USER:
      return self->user;
    case FP_SUBJECT_CONTAINER:
      return self->container;
    case FP_SUBJECT_OTHER:
    default:
      return NULL;
    }
}

static GIcon *
choose_for_control_group (FpRowIcons *self,
                          const FpControlGroup *group)
{
  switch ((int)group->kind)
    {
    case FP_CONTROL_KIND_APP:
      return choose_for_program (self, group->name, "");
    case FP_CONTROL_KIND_USER:
      return self->user;
    case FP_CONTROL_KIND_CONTAINER:
      return self->container;
    default:
      return NULL;
    }
}

static void
emit_changed (FpRowIcons *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
apps_changed_cb (FpRowIcons *self)
{
  fp_icon_cache_retry (self->cache);
  emit_changed (self);
}

static void
fp_row_icons_finalize (GObject *object)
{
  FpRowIcons *self = FP_ROW_ICONS (object);

  g_clear_object (&self->apps);
  g_clear_object (&self->cache);
  g_clear_object (&self->user);
  g_clear_object (&self->container);
  g_clear_object (&self->program);

  G_OBJECT_CLASS (fp_row_icons_parent_class)->finalize (object);
}

static void
fp_row_icons_class_init (FpRowIconsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_row_icons_finalize;

  signals[CHANGED] =
      g_signal_new ("changed", FP_TYPE_ROW_ICONS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_row_icons_init (FpRowIcons *self)
{
  self->apps = fp_app_icons_new ();
  self->user = g_themed_icon_new ("avatar-default-symbolic");
  self->container = g_themed_icon_new ("package-x-generic-symbolic");
  self->program = g_themed_icon_new ("application-x-executable-symbolic");
  g_signal_connect_object (self->apps, "changed", G_CALLBACK (apps_changed_cb), self, G_CONNECT_SWAPPED);
}

/* One for all windows, as the theme is; the display owns it. */
FpRowIcons *
fp_row_icons_get_for_display (GdkDisplay *display)
{
  FpRowIcons *self = g_object_get_data (G_OBJECT (display), "fp-row-icons");

  if (self)
    return self;
  self = g_object_new (FP_TYPE_ROW_ICONS, NULL);
  self->cache = fp_icon_cache_new (gtk_icon_theme_get_for_display (display));
  g_signal_connect_object (self->cache, "changed", G_CALLBACK (emit_changed), self, G_CONNECT_SWAPPED);
  g_object_set_data_full (G_OBJECT (display), "fp-row-icons", self, g_object_unref);
  return self;
}

/* Owned by the cache. NULL: it is nothing that has an icon, or the theme has none */
GdkPaintable *
fp_row_icons_find (FpRowIcons *self,
                   const FpRows *rows,
                   const FpRow *row,
                   FpGrouping grouping,
                   int scale)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  GdkPaintable *paintable;
  GIcon *icon = NULL;

  g_return_val_if_fail (FP_IS_ROW_ICONS (self), NULL);

  if (records->class->kind == FP_RECORD_PROCESS)
    icon = choose_for_process (self, fp_process_records_get_snapshot (records),
                               fp_process_records_get (records, row->index));
  else if (records->class->kind == FP_RECORD_CONTROL_GROUP)
    icon = choose_for_control_group (self, fp_control_records_get (records, row->index));
  else if (records->class->kind == FP_RECORD_TOTAL)
    icon = choose_for_group (self, rows, row, grouping);
  if (!icon)
    return NULL;
  paintable = fp_icon_cache_get (self->cache, icon, scale);
  return paintable ? paintable : fp_icon_cache_get (self->cache, self->program, scale);
}
