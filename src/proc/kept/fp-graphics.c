// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-graphics.h"
#include "fp-scan.h"
#include "fp-strings.h"

#define MAX_REGIONS 16

typedef enum
{
  MEASURE_TOTAL,
  MEASURE_RESIDENT,
  MEASURE_MEMORY, /* what drivers had before drm-resident-*, and amdgpu has still */
  MEASURE_SHARED,
  MEASURE_PURGEABLE,
  N_MEASURES,
} Measure;

typedef enum
{
  PLACE_RAM,
  PLACE_CARD,
  PLACE_UNKNOWN,
} Place;

typedef struct
{
  const char *name;
  gsize length;
  guint present; /* bits of measures */
  guint64 figures[N_MEASURES];
} Region;

typedef struct
{
  Region regions[MAX_REGIONS];
  guint n;
} Regions;

static const char *const prefixes[N_MEASURES] = {
  [MEASURE_TOTAL] = "drm-total-",
  [MEASURE_RESIDENT] = "drm-resident-",
  [MEASURE_MEMORY] = "drm-memory-",
  [MEASURE_SHARED] = "drm-shared-",
  [MEASURE_PURGEABLE] = "drm-purgeable-",
};

static gboolean
is_one_of (const char *name,
           gsize length,
           const char *const *names)
{
  for (; *names; names++)
    if (strlen (*names) == length && memcmp (*names, name, length) == 0)
      return TRUE;
  return FALSE;
}

/* i915 and xe number their regions, and i915 calls a card's own memory local. What is stolen, or an integrated card's
 * vram, is the machine's memory but was taken before MemTotal was counted. */
static Place
find_place (const Region *region)
{
  static const char *const ram[] = { "system", "gtt", "cpu", "memory", NULL };
  static const char *const card[] = { "vram", "local", "stolen", "stolen-system", "stolen-local", "gds", "gws", "oa",
                                      "doorbell", "mmioremap", NULL };
  gsize length = region->length;

  while (length > 0 && g_ascii_isdigit (region->name[length - 1]))
    length--;
  return is_one_of (region->name, length, ram) ? PLACE_RAM : is_one_of (region->name, length, card) ? PLACE_CARD
                                                                                                    : PLACE_UNKNOWN;
}

/* These take pages of their own for their buffers; all other drivers that tell of their clients take those of a tmpfs. */
static gboolean
has_own_pages (const char *driver)
{
  static const char *const drivers[] = { "amdgpu", "radeon", "nouveau", "xe", "vmwgfx", "qxl", "loongson", "vc4", NULL };

  return g_strv_contains (drivers, driver);
}

static Region *
find_region (Regions *regions,
             const char *name,
             gsize length)
{
  Region *region;

  for (guint i = 0; i < regions->n; i++)
    if (regions->regions[i].length == length && memcmp (regions->regions[i].name, name, length) == 0)
      return &regions->regions[i];
  if (regions->n == MAX_REGIONS || length == 0)
    return NULL;
  region = &regions->regions[regions->n++];
  *region = (Region){ .name = name, .length = length };
  return region;
}

/* "123", "123 KiB" or "123 MiB" */
static gboolean
scan_size (const FpLine *line,
           guint64 *size)
{
  const char *end = line->text + line->text_length, *cursor = line->text;
  guint64 unit = 1, number;

  number = fp_scan_number (&cursor, end);
  if (cursor == line->text || number == G_MAXUINT64)
    return FALSE;
  cursor = fp_scan_blanks (cursor, end);
  if (end - cursor >= 3 && memcmp (cursor, "KiB", 3) == 0)
    unit = 1 << 10;
  else if (end - cursor >= 3 && memcmp (cursor, "MiB", 3) == 0)
    unit = 1 << 20;
  return !__builtin_mul_overflow (number, unit, size);
}

static void
scan_measure (Regions *regions,
              const FpLine *line)
{
  for (Measure measure = 0; measure < N_MEASURES; measure++)
    {
      gsize length = strlen (prefixes[measure]);
      Region *region;
      guint64 size;

      if (line->key_length <= length || memcmp (line->key, prefixes[measure], length) != 0 || !scan_size (line, &size))
        continue;
      if (memcmp (line->key, "drm-total-cycles-", MIN (line->key_length, strlen ("drm-total-cycles-"))) == 0)
        return;
      if (!(region = find_region (regions, line->key + length, line->key_length - length)) ||
          region->present & 1u << measure)
        return;
      region->present |= 1u << measure;
      region->figures[measure] = size;
      return;
    }
}

static void
add_region (FpGraphics *self,
            const Region *region)
{
  const guint64 *figures = region->figures;
  gboolean has_resident = (region->present & (1u << MEASURE_RESIDENT | 1u << MEASURE_MEMORY)) != 0;
  guint64 resident = region->present & 1u << MEASURE_RESIDENT ? figures[MEASURE_RESIDENT] : figures[MEASURE_MEMORY];
  Place place = find_place (region);

  self->allocated += MAX (figures[MEASURE_TOTAL], resident);
  if (place == PLACE_CARD)
    self->on_card += resident;
  if (place != PLACE_RAM)
    return;
  self->has_in_ram |= has_resident;
  self->in_ram += resident;
  self->shared += MIN (figures[MEASURE_SHARED], resident);
  self->purgeable += MIN (figures[MEASURE_PURGEABLE], resident);
}

static void
copy_first (char *name,
            const FpLine *line)
{
  if (name[0] == '\0')
    fp_text_clean (name, FP_GRAPHICS_NAME_SIZE, line->text, line->text_length);
}

/* fdinfo of a descriptor on a graphics device. The first of equal keys holds: a program may give its client a name that
 * has lines of its own. FALSE: its driver tells nothing of its clients. */
gboolean
fp_graphics_parse_client (FpGraphics *self,
                          const char *fdinfo,
                          gsize length)
{
  const char *cursor = fdinfo, *end = fdinfo + length;
  Regions regions = { .n = 0 };
  gboolean has_id = FALSE;
  FpLine line;

  *self = (FpGraphics){ .kind = FP_GRAPHICS_DRM };
  while (fp_scan_line (&cursor, end, &line))
    {
      if (fp_line_has_key (&line, "drm-driver"))
        copy_first (self->driver, &line);
      else if (fp_line_has_key (&line, "drm-pdev"))
        copy_first (self->device, &line);
      else if (fp_line_has_key (&line, "drm-client-id") && line.has_value && !has_id)
        {
          self->id = line.value;
          has_id = TRUE;
        }
      else
        scan_measure (&regions, &line);
    }
  for (guint i = 0; i < regions.n; i++)
    add_region (self, &regions.regions[i]);
  self->is_shmem = !has_own_pages (self->driver);
  return self->driver[0] != '\0' && has_id && regions.n > 0;
}

/* The buffers of heaps are in the machine's memory and have no client. */
static gboolean
is_heap (const char *exporter)
{
  return g_str_has_prefix (exporter, "system") || strstr (exporter, "cma") || strcmp (exporter, "reserved") == 0;
}

/* fdinfo of a dma-buf. Drivers give their own buffers away in this form, which may lie on the card and are counted with
 * their client; a udmabuf is made of the pages of a memfd. The name is last, and its lines are as its program wants them. */
gboolean
fp_graphics_parse_buffer (FpGraphics *self,
                          const char *fdinfo,
                          gsize length)
{
  const char *cursor = fdinfo, *end = fdinfo + length;
  gboolean has_size = FALSE, has_id = FALSE;
  FpLine line;

  *self = (FpGraphics){ .kind = FP_GRAPHICS_DMABUF };
  while (fp_scan_line (&cursor, end, &line) && !fp_line_has_key (&line, "name"))
    {
      if (fp_line_has_key (&line, "exp_name"))
        copy_first (self->driver, &line);
      else if (fp_line_has_key (&line, "ino") && line.has_value && !has_id)
        {
          self->id = line.value;
          has_id = TRUE;
        }
      else if (fp_line_has_key (&line, "size") && line.has_value && !has_size)
        {
          self->allocated = line.value;
          has_size = TRUE;
        }
    }
  self->is_shmem = strcmp (self->driver, "udmabuf") == 0;
  self->has_in_ram = self->is_shmem || is_heap (self->driver);
  self->in_ram = self->has_in_ram ? self->allocated : 0;
  return has_size && has_id;
}

gboolean
fp_graphics_is_same (const FpGraphics *a,
                     const FpGraphics *b)
{
  return a->kind == b->kind && a->id == b->id && strcmp (a->driver, b->driver) == 0 && strcmp (a->device, b->device) == 0;
}

guint
fp_graphics_hash (gconstpointer data)
{
  const FpGraphics *self = data;

  return g_int64_hash (&self->id) ^ g_str_hash (self->device) * 31 ^ g_str_hash (self->driver);
}

gboolean
fp_graphics_equal (gconstpointer a,
                   gconstpointer b)
{
  return fp_graphics_is_same (a, b);
}
