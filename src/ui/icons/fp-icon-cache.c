// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-icon-cache.h"

struct _FpIconCache
{
  GObject parent;

  GtkIconTheme *theme;
  GHashTable *paintables; /* Key → GdkPaintable, NULL: none or not yet */
  GPtrArray *wanted;      /* of Job */
  guint age;              /* theme changes so far; older Jobs are dropped */
  gboolean is_loading;
};

typedef struct
{
  GIcon *icon;
  int scale;
} Key;

/* A picture to be loaded. */
typedef struct
{
  Key key;
  GFile *file;
  guint age;
  GdkTexture *texture; /* NULL: not loaded yet, or it can't be */
} Job;

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpIconCache, fp_icon_cache, G_TYPE_OBJECT)

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;

  return g_icon_hash (key->icon) ^ (guint)key->scale;
}

static gboolean
key_equal (gconstpointer a,
           gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->scale == y->scale && g_icon_equal (x->icon, y->icon);
}

static void
key_free (gpointer data)
{
  Key *key = data;

  g_object_unref (key->icon);
  g_free (key);
}

static void
paintable_free (gpointer data)
{
  if (data)
    g_object_unref (data);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->key.icon);
  g_object_unref (job->file);
  g_clear_object (&job->texture);
  g_free (job);
}

static void
take (FpIconCache *self,
      const Key *key,
      GdkPaintable *paintable)
{
  Key *owned = g_memdup2 (key, sizeof *key);

  g_object_ref (owned->icon);
  g_hash_table_insert (self->paintables, owned, paintable);
}

/* In the middle of a square, whatever shape it has. */
static GdkTexture *
load_texture (GFile *file,
              int size)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  g_autoptr (GdkPixbuf) picture = NULL;
  g_autoptr (GdkPixbuf) with_alpha = NULL;
  g_autoptr (GdkPixbuf) square = gdk_pixbuf_new (GDK_COLORSPACE_RGB, TRUE, 8, size, size);
  int width, height;

  if (stream)
    picture = gdk_pixbuf_new_from_stream_at_scale (G_INPUT_STREAM (stream), size, size, TRUE, NULL, NULL);
  if (!picture)
    return NULL;
  with_alpha = gdk_pixbuf_add_alpha (picture, FALSE, 0, 0, 0);
  width = MIN (gdk_pixbuf_get_width (picture), size);
  height = MIN (gdk_pixbuf_get_height (picture), size);
  gdk_pixbuf_fill (square, 0);
  gdk_pixbuf_copy_area (with_alpha, 0, 0, width, height, square, (size - width) / 2, (size - height) / 2);
  return gdk_texture_new_for_pixbuf (square);
}

static void
load_worker (GTask *task,
             gpointer source,
             gpointer data,
             GCancellable *cancellable)
{
  GPtrArray *jobs = data;

  for (guint i = 0; i < jobs->len; i++)
    {
      Job *job = g_ptr_array_index (jobs, i);

      job->texture = load_texture (job->file, FP_ICON_SIZE * job->key.scale);
    }
  g_task_return_boolean (task, TRUE);
}

static void load (FpIconCache *self);

static void
load_cb (GObject *source,
         GAsyncResult *result,
         gpointer data)
{
  FpIconCache *self = FP_ICON_CACHE (source);
  GPtrArray *jobs = g_task_get_task_data (G_TASK (result));

  self->is_loading = FALSE;
  for (guint i = 0; i < jobs->len; i++)
    {
      Job *job = g_ptr_array_index (jobs, i);

      if (job->age == self->age && job->texture)
        take (self, &job->key, GDK_PAINTABLE (g_steal_pointer (&job->texture)));
    }
  load (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
free_jobs (gpointer jobs)
{
  g_ptr_array_unref (jobs);
}

/* One batch at a time: what is asked for meanwhile is the next. */
static void
load (FpIconCache *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->is_loading || self->wanted->len == 0)
    return;
  self->is_loading = TRUE;
  task = g_task_new (self, NULL, load_cb, NULL);
  g_task_set_source_tag (task, load);
  g_task_set_task_data (task, g_steal_pointer (&self->wanted), free_jobs);
  self->wanted = g_ptr_array_new_with_free_func (job_free);
  g_task_run_in_thread (task, load_worker);
}

static gboolean
load_idle_cb (gpointer data)
{
  load (data);
  return G_SOURCE_REMOVE;
}

/* A GtkIconPaintable keeps its picture as large as the file has it and scales it in each frame: 45 icons of 512 × 512
 * made a refresh of 14 ms one of 100 ms. Symbolic ones are small, and take the text's colour. */
static GdkPaintable *
look_up (FpIconCache *self,
         const Key *key)
{
  g_autoptr (GtkIconPaintable) found = NULL;
  g_autoptr (GFile) file = NULL;
  Job *job;

  if (!gtk_icon_theme_has_gicon (self->theme, key->icon))
    return NULL;
  found = gtk_icon_theme_lookup_by_gicon (self->theme, key->icon, FP_ICON_SIZE, key->scale,
                                          gtk_widget_get_default_direction (), 0);
  if (gtk_icon_paintable_is_symbolic (found))
    return GDK_PAINTABLE (g_steal_pointer (&found));
  if (G_IS_FILE_ICON (key->icon))
    file = g_object_ref (g_file_icon_get_file (G_FILE_ICON (key->icon)));
  else
    file = gtk_icon_paintable_get_file (found);
  if (!file)
    return NULL;
  job = g_new (Job, 1);
  *job = (Job){ { g_object_ref (key->icon), key->scale }, g_steal_pointer (&file), self->age, NULL };
  if (self->wanted->len == 0 && !self->is_loading)
    g_idle_add_full (G_PRIORITY_DEFAULT, load_idle_cb, g_object_ref (self), g_object_unref);
  g_ptr_array_add (self->wanted, job);
  return NULL;
}

static void
theme_changed_cb (FpIconCache *self)
{
  self->age++;
  g_hash_table_remove_all (self->paintables);
  g_ptr_array_set_size (self->wanted, 0);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
fp_icon_cache_finalize (GObject *object)
{
  FpIconCache *self = FP_ICON_CACHE (object);

  g_clear_object (&self->theme);
  g_clear_pointer (&self->paintables, g_hash_table_unref);
  g_clear_pointer (&self->wanted, g_ptr_array_unref);

  G_OBJECT_CLASS (fp_icon_cache_parent_class)->finalize (object);
}

static void
fp_icon_cache_class_init (FpIconCacheClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_icon_cache_finalize;

  signals[CHANGED] =
      g_signal_new ("changed", FP_TYPE_ICON_CACHE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_icon_cache_init (FpIconCache *self)
{
  self->paintables = g_hash_table_new_full (key_hash, key_equal, key_free, paintable_free);
  self->wanted = g_ptr_array_new_with_free_func (job_free);
}

FpIconCache *
fp_icon_cache_new (GtkIconTheme *theme)
{
  FpIconCache *self = g_object_new (FP_TYPE_ICON_CACHE, NULL);

  self->theme = g_object_ref (theme);
  g_signal_connect_object (theme, "changed", G_CALLBACK (theme_changed_cb), self, G_CONNECT_SWAPPED);
  return self;
}

/* Owned by the cache. NULL: the theme has none, or it is not loaded yet */
GdkPaintable *
fp_icon_cache_get (FpIconCache *self,
                   GIcon *icon,
                   int scale)
{
  Key key = { icon, scale };
  gpointer paintable;

  g_return_val_if_fail (FP_IS_ICON_CACHE (self), NULL);

  if (g_hash_table_lookup_extended (self->paintables, &key, NULL, &paintable))
    return paintable;
  paintable = look_up (self, &key);
  take (self, &key, paintable);
  return paintable;
}

static gboolean
is_missing (gpointer key,
            gpointer paintable,
            gpointer data)
{
  return !paintable;
}

/* Forgets which icons are missing, because they may have been installed since. */
void
fp_icon_cache_retry (FpIconCache *self)
{
  g_return_if_fail (FP_IS_ICON_CACHE (self));

  g_hash_table_foreach_remove (self->paintables, is_missing, NULL);
}
