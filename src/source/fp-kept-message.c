// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-helper-protocol.h"
#include "fp-kept-message.h"

#define MAX_PATH  4096
#define MAX_NAME  256
#define MAX_BYTES ((guint64)1 << 47) /* of memory: sums of so many entries do not overflow */

enum
{
  IS_CUT = 1 << 0,
  HAS_SEGMENTS = 1 << 1,

  HAS_USED = 1 << 0, /* of a file system */

  IS_MAPPED = 1 << 0, /* of a held file */
  IS_IN_TMPFS = 1 << 1,
  IS_HUGE = 1 << 2,

  HAS_IN_RAM = 1 << 0, /* of graphics */
  IS_SHMEM = 1 << 1,

  GOES_WITH_LAST = 1 << 0, /* of a segment */
};

typedef enum
{
  LIST_TMPFS,
  LIST_HELD,
  LIST_GRAPHICS,
  LIST_HOLDERS,
  LIST_TOLD,
  LIST_SEGMENTS,
  N_LISTS,
} List;

#define FIRST_LIST 4 /* in the message */

static GVariant *
pack_tmpfs (gconstpointer data)
{
  const FpTmpfs *tmpfs = data;

  return g_variant_new ("(tsttiuu)", tmpfs->device, tmpfs->path, tmpfs->used, tmpfs->size, tmpfs->pid, (guint32)tmpfs->kind,
                        (guint32)(tmpfs->has_used ? HAS_USED : 0));
}

static GVariant *
pack_held (gconstpointer data)
{
  const FpHeldFile *file = data;
  const guint32 flags = (file->is_mapped ? IS_MAPPED : 0) | (file->is_in_tmpfs ? IS_IN_TMPFS : 0) | (file->is_huge ? IS_HUGE : 0);

  return g_variant_new ("(ttstiuu)", file->device, file->inode, file->name, file->used, file->pid, file->n_holders, flags);
}

static GVariant *
pack_graphics (gconstpointer data)
{
  const FpGraphics *graphics = data;
  const guint32 flags = (graphics->has_in_ram ? HAS_IN_RAM : 0) | (graphics->is_shmem ? IS_SHMEM : 0);

  return g_variant_new ("(utssitttttu)", (guint32)graphics->kind, graphics->id, graphics->driver, graphics->device, graphics->pid,
                        graphics->in_ram, graphics->on_card, graphics->allocated, graphics->shared, graphics->purgeable, flags);
}

static GVariant *
pack_holder (gconstpointer data)
{
  const FpGraphicsHolder *holder = data;

  return g_variant_new ("(iu)", holder->pid, holder->index);
}

static GVariant *
pack_told (gconstpointer data)
{
  const FpProcessId *id = data;

  return g_variant_new ("(it)", id->pid, id->start_ticks);
}

static GVariant *
pack_segment (gconstpointer data)
{
  const FpSegment *segment = data;

  return g_variant_new ("(ttiutttu)", segment->id, segment->size, segment->creator_pid, segment->uid, segment->n_attached,
                        segment->resident, segment->swap, (guint32)(segment->goes_with_last ? GOES_WITH_LAST : 0));
}

static gboolean
take_tmpfs (FpKept *kept,
            GVariant *entry,
            GHashTable *known)
{
  FpTmpfs tmpfs = { 0 };
  guint32 kind, flags;
  const char *path;

  g_variant_get (entry, "(t&sttiuu)", &tmpfs.device, &path, &tmpfs.used, &tmpfs.size, &tmpfs.pid, &kind, &flags);
  if (kind > FP_TMPFS_HUGE || tmpfs.pid < 0 || tmpfs.used > MAX_BYTES || path[0] != '/' || strlen (path) >= MAX_PATH ||
      !g_hash_table_add (known, g_strdup_printf ("%" G_GUINT64_FORMAT, tmpfs.device)))
    return FALSE;
  tmpfs.kind = (FpTmpfsKind)kind;
  tmpfs.has_used = (flags & HAS_USED) != 0;
  tmpfs.path = g_strdup (path);
  g_array_append_val (kept->tmpfs, tmpfs);
  return TRUE;
}

static gboolean
take_held (FpKept *kept,
           GVariant *entry,
           GHashTable *known)
{
  FpHeldFile file = { 0 };
  guint32 flags;
  const char *name;

  g_variant_get (entry, "(tt&stiuu)", &file.device, &file.inode, &name, &file.used, &file.pid, &file.n_holders, &flags);
  if (file.pid <= 0 || file.n_holders == 0 || file.n_holders > FP_KEPT_MESSAGE_MAX || file.used > MAX_BYTES ||
      strlen (name) >= MAX_NAME ||
      !g_hash_table_add (known, g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, file.device, file.inode)))
    return FALSE;
  file.is_mapped = (flags & IS_MAPPED) != 0;
  file.is_in_tmpfs = (flags & IS_IN_TMPFS) != 0;
  file.is_huge = (flags & IS_HUGE) != 0;
  file.name = g_strdup (name);
  g_array_append_val (kept->held, file);
  return TRUE;
}

/* Its holders come later, and are counted then. */
static gboolean
take_graphics (FpKept *kept,
               GVariant *entry,
               GHashTable *known)
{
  FpGraphics graphics = { 0 };
  guint32 kind, flags;
  const char *driver, *device;

  g_variant_get (entry, "(ut&s&sitttttu)", &kind, &graphics.id, &driver, &device, &graphics.pid, &graphics.in_ram,
                 &graphics.on_card, &graphics.allocated, &graphics.shared, &graphics.purgeable, &flags);
  if (kind > FP_GRAPHICS_DMABUF || graphics.pid <= 0 || graphics.in_ram > MAX_BYTES || graphics.on_card > MAX_BYTES ||
      graphics.allocated > MAX_BYTES || graphics.shared > graphics.in_ram || graphics.purgeable > graphics.in_ram ||
      strlen (driver) >= FP_GRAPHICS_NAME_SIZE || strlen (device) >= FP_GRAPHICS_NAME_SIZE ||
      !g_hash_table_add (known, g_strdup_printf ("%u\n%" G_GUINT64_FORMAT "\n%s\n%s", kind, graphics.id, driver, device)))
    return FALSE;
  graphics.kind = (FpGraphicsKind)kind;
  graphics.has_in_ram = (flags & HAS_IN_RAM) != 0;
  graphics.is_shmem = (flags & IS_SHMEM) != 0;
  g_strlcpy (graphics.driver, driver, sizeof graphics.driver);
  g_strlcpy (graphics.device, device, sizeof graphics.device);
  g_array_append_val (kept->graphics, graphics);
  return TRUE;
}

/* They ascend by PID, so that a process is found, and none has the same twice. */
static gboolean
take_holder (FpKept *kept,
             GVariant *entry,
             GHashTable *known)
{
  const guint n = kept->graphics_holders->len;
  FpGraphicsHolder holder;

  g_variant_get (entry, "(iu)", &holder.pid, &holder.index);
  if (holder.pid <= 0 || holder.index >= kept->graphics->len ||
      (n > 0 && g_array_index (kept->graphics_holders, FpGraphicsHolder, n - 1).pid > holder.pid) ||
      !g_hash_table_add (known, g_strdup_printf ("%d:%u", holder.pid, holder.index)))
    return FALSE;
  g_array_index (kept->graphics, FpGraphics, holder.index).n_holders++;
  g_array_append_val (kept->graphics_holders, holder);
  return TRUE;
}

static gboolean
take_told (FpKept *kept,
           GVariant *entry,
           GHashTable *known)
{
  const guint n = kept->told->len;
  FpProcessId id;

  g_variant_get (entry, "(it)", &id.pid, &id.start_ticks);
  if (id.pid <= 0 || (n > 0 && g_array_index (kept->told, FpProcessId, n - 1).pid >= id.pid))
    return FALSE;
  g_array_append_val (kept->told, id);
  return TRUE;
}

static gboolean
take_segment (FpKept *kept,
              GVariant *entry,
              GHashTable *known)
{
  FpSegment segment = { 0 };
  guint32 flags;

  g_variant_get (entry, "(ttiutttu)", &segment.id, &segment.size, &segment.creator_pid, &segment.uid, &segment.n_attached,
                 &segment.resident, &segment.swap, &flags);
  if (!kept->segments || segment.creator_pid < 0 || segment.resident > MAX_BYTES || segment.swap > MAX_BYTES ||
      !g_hash_table_add (known, g_strdup_printf ("%" G_GUINT64_FORMAT, segment.id)))
    return FALSE;
  segment.goes_with_last = (flags & GOES_WITH_LAST) != 0;
  g_array_append_val (kept->segments, segment);
  return TRUE;
}

static const struct
{
  const char *type;
  guint max;
  GVariant *(*pack) (gconstpointer entry);
  gboolean (*take) (FpKept *kept, GVariant *entry, GHashTable *known);
} lists[N_LISTS] = {
  [LIST_TMPFS] = { "a(tsttiuu)", FP_TMPFS_MAX, pack_tmpfs, take_tmpfs },
  [LIST_HELD] = { "a(ttstiuu)", FP_KEPT_MESSAGE_MAX, pack_held, take_held },
  [LIST_GRAPHICS] = { "a(utssitttttu)", FP_KEPT_MESSAGE_MAX, pack_graphics, take_graphics },
  [LIST_HOLDERS] = { "a(iu)", FP_KEPT_MESSAGE_MAX, pack_holder, take_holder },
  [LIST_TOLD] = { "a(it)", FP_KEPT_MESSAGE_MAX, pack_told, take_told },
  [LIST_SEGMENTS] = { "a(ttiutttu)", FP_KEPT_MESSAGE_MAX, pack_segment, take_segment },
};

static GArray *
get_list (const FpKept *kept,
          List list)
{
  GArray *const arrays[N_LISTS] = {
    [LIST_TMPFS] = kept->tmpfs,
    [LIST_HELD] = kept->held,
    [LIST_GRAPHICS] = kept->graphics,
    [LIST_HOLDERS] = kept->graphics_holders,
    [LIST_TOLD] = kept->told,
    [LIST_SEGMENTS] = kept->segments,
  };

  return arrays[list];
}

static gboolean
is_too_long (const FpKept *kept)
{
  for (List list = 0; list < N_LISTS; list++)
    if (get_list (kept, list) && get_list (kept, list)->len > lists[list].max)
      return TRUE;
  return FALSE;
}

static void
pack_list (const FpKept *kept,
           List list,
           GVariantBuilder *builder)
{
  const GArray *array = get_list (kept, list);
  const guint size = array ? g_array_get_element_size ((GArray *)array) : 0;

  g_variant_builder_open (builder, G_VARIANT_TYPE (lists[list].type));
  for (guint i = 0; array && i < MIN (array->len, lists[list].max); i++)
    {
      gconstpointer entry = array->data + (gsize)i * size;

      if (list != LIST_HOLDERS || ((const FpGraphicsHolder *)entry)->index < lists[LIST_GRAPHICS].max)
        g_variant_builder_add_value (builder, lists[list].pack (entry));
    }
  g_variant_builder_close (builder);
}

/* Floating. Lists that are too long for a message are cut. */
GVariant *
fp_kept_message_pack (const FpKept *kept)
{
  const guint32 flags = (kept->is_cut || is_too_long (kept) ? IS_CUT : 0) | (kept->segments ? HAS_SEGMENTS : 0);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (FP_KEPT_MESSAGE_TYPE));
  g_variant_builder_add (&builder, "t", kept->measured_us);
  g_variant_builder_add (&builder, "u", kept->n_unread);
  g_variant_builder_add (&builder, "u", kept->n_pending);
  g_variant_builder_add (&builder, "u", flags);
  for (List list = 0; list < N_LISTS; list++)
    pack_list (kept, list, &builder);
  return g_variant_builder_end (&builder);
}

static gboolean
take_list (FpKept *kept,
           List list,
           GVariant *message,
           GError **error)
{
  g_autoptr (GVariant) entries = g_variant_get_child_value (message, FIRST_LIST + list);
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const gsize n = g_variant_n_children (entries);

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) entry = g_variant_get_child_value (entries, i);

      if (i < lists[list].max && lists[list].take (kept, entry, known))
        continue;
      g_set_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED, "entry %" G_GSIZE_FORMAT " of list %u", i, (guint)list);
      return FALSE;
    }
  return TRUE;
}

/* Each client has a holder, by whose number its memory is divided. */
static gboolean
has_holders (const FpKept *kept)
{
  for (guint i = 0; i < kept->graphics->len; i++)
    if (g_array_index (kept->graphics, FpGraphics, i).n_holders == 0)
      return FALSE;
  return TRUE;
}

/* As if an enemy had written it. Its type is FP_KEPT_MESSAGE_TYPE, and texts in a message are valid UTF-8. */
FpKept *
fp_kept_message_parse (GVariant *message,
                       GError **error)
{
  g_autoptr (FpKept) kept = fp_kept_new ();
  guint32 flags;

  g_variant_get_child (message, 0, "t", &kept->measured_us);
  g_variant_get_child (message, 1, "u", &kept->n_unread);
  g_variant_get_child (message, 2, "u", &kept->n_pending);
  g_variant_get_child (message, 3, "u", &flags);
  kept->is_cut = (flags & IS_CUT) != 0;
  if (flags & HAS_SEGMENTS)
    kept->segments = g_array_new (FALSE, FALSE, sizeof (FpSegment));
  for (List list = 0; list < N_LISTS; list++)
    if (!take_list (kept, list, message, error))
      return NULL;
  if (has_holders (kept))
    return g_steal_pointer (&kept);
  g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED, "graphics without a holder");
  return NULL;
}
