// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-control-records.h"
#include "fp-control-values.h"

#define UNKNOWN ((FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 })

static gboolean
has (const FpControlGroup *group,
     guint64 fields)
{
  return (group->present & fields) == fields;
}

/* Within a minute a group reads back much from these on. */
#define MUCH       (16 * G_GUINT64_CONSTANT (1048576))
#define MUCH_OF_IT 10 /* as a part of its memory: a tenth */

#define BIT(id) (G_GUINT64_CONSTANT (1) << FP_CONTROL_##id)

#define DEFINE_KEPT(name, id)                                                \
  FpFigure                                                                   \
      fp_value_control_##name (const FpRecords *records,                     \
                               guint index)                                  \
  {                                                                          \
    return fp_control_records_get_control (records, index, FP_CONTROL_##id); \
  }

DEFINE_KEPT (memory, MEMORY)
DEFINE_KEPT (own, ANON)
DEFINE_KEPT (shared, SHMEM)
DEFINE_KEPT (swap, SWAP)
DEFINE_KEPT (peak, PEAK)
DEFINE_KEPT (killed, OOM_KILLS)

FpFigure
fp_value_control_limit (const FpRecords *records,
                        guint index)
{
  return fp_control_records_get_limit (records, index);
}

FpFigure
fp_value_control_closeness (const FpRecords *records,
                            guint index)
{
  return fp_control_records_get_closeness (records, index);
}

/* The kernel counts shared memory among files, and its tables of files among its own memory. */
FpFigure
fp_value_control_cache (const FpRecords *records,
                        guint index)
{
  const FpControlGroup *group = fp_control_records_get (records, index);
  guint64 file, shared;

  if (!has (group, BIT (FILE) | BIT (SHMEM) | BIT (SLAB_RECLAIMABLE)))
    return UNKNOWN;
  file = group->figures[FP_CONTROL_FILE];
  shared = group->figures[FP_CONTROL_SHMEM];
  return fp_figure_exact (file - MIN (shared, file) + group->figures[FP_CONTROL_SLAB_RECLAIMABLE]);
}

/* The rest is cache, so that the parts add up. */
FpFigure
fp_value_control_kernel (const FpRecords *records,
                         guint index)
{
  const FpControlGroup *group = fp_control_records_get (records, index);
  guint64 kernel;

  if (!has (group, BIT (KERNEL) | BIT (SLAB_RECLAIMABLE)))
    return UNKNOWN;
  kernel = group->figures[FP_CONTROL_KERNEL];
  return fp_figure_exact (kernel - MIN (group->figures[FP_CONTROL_SLAB_RECLAIMABLE], kernel));
}

FpFigure
fp_value_control_reached (const FpRecords *records,
                          guint index)
{
  const FpControlGroup *group = fp_control_records_get (records, index);

  if (!has (group, BIT (EVENTS_HIGH) | BIT (EVENTS_MAX)))
    return UNKNOWN;
  return fp_figure_exact (group->figures[FP_CONTROL_EVENTS_HIGH] + group->figures[FP_CONTROL_EVENTS_MAX]);
}

/* One reading alone is no time that has passed. */
FpFigure
fp_value_control_waited (const FpRecords *records,
                         guint index)
{
  const FpControlGroup *group = fp_control_records_get (records, index);

  if (!has (group, BIT (SOME_US)) || group->waited_over_us == 0)
    return UNKNOWN;
  return fp_figure_exact (group->waited_us);
}

FpFigure
fp_value_control_change (const FpRecords *records,
                         guint index)
{
  return fp_control_records_get_change (records, index)->memory;
}

/* The kernel counts pages. */
static FpFigure
to_bytes (FpFigure pages)
{
  return fp_figure_is_known (pages) ? fp_figure_exact (pages.low * (guint64)sysconf (_SC_PAGESIZE)) : pages;
}

FpFigure
fp_value_control_from_swap (const FpRecords *records,
                            guint index)
{
  return to_bytes (fp_control_records_get_control (records, index, FP_CONTROL_REFAULTS_ANON));
}

FpFigure
fp_value_control_from_files (const FpRecords *records,
                             guint index)
{
  return to_bytes (fp_control_records_get_control (records, index, FP_CONTROL_REFAULTS_FILE));
}

FpFigure
fp_value_control_from_swap_minute (const FpRecords *records,
                                   guint index)
{
  return to_bytes (fp_control_records_get_change (records, index)->from_swap);
}

FpFigure
fp_value_control_from_files_minute (const FpRecords *records,
                                    guint index)
{
  return to_bytes (fp_control_records_get_change (records, index)->from_files);
}

/* Gives what stands in the place of a figure of processes where two moments are compared. */
FpFigure
fp_control_value_for_field (const FpRecords *records,
                            guint index,
                            FpField field)
{
  const FpFigure memory = fp_value_control_memory (records, index), swap = fp_value_control_swap (records, index);

  if (field == FP_FIELD_PSS)
    return memory;
  if (field == FP_FIELD_SWAP_PSS)
    return swap;
  if (field != FP_FIELD_MEMORY_AND_SWAP || !fp_figure_is_known (memory) || !fp_figure_is_known (swap))
    return UNKNOWN;
  return fp_figure_exact (memory.low + swap.low);
}

/* The group needs again what was taken from it, so it has too little memory. */
gboolean
fp_control_value_reads_back_much (const FpRecords *records,
                                  guint index)
{
  FpFigure swap = fp_value_control_from_swap_minute (records, index), memory = fp_value_control_memory (records, index);
  FpFigure files = fp_value_control_from_files_minute (records, index);

  return fp_figure_is_known (swap) && fp_figure_is_known (files) && fp_figure_is_known (memory) &&
         swap.low + files.low >= MAX (MUCH, memory.low / MUCH_OF_IT);
}

/* The time that was waited is known without the memory controller. */
gboolean
fp_control_value_needs_memory (const FpColumn *column)
{
  return fp_column_is_figure (column) && column->get_figure != fp_value_control_waited;
}

const char *
fp_text_control_name (const FpRecords *records,
                      guint index,
                      const FpFormat *format)
{
  const FpControlGroup *group = fp_control_records_get (records, index);

  if (!format || format->is_for_programs || strcmp (group->name, "/") != 0)
    return fp_control_records_get_name (records, index);
  return group->kind == FP_CONTROL_KIND_MACHINE ? _ ("This machine") : _ ("This container");
}

/* The last part of its path. */
const char *
fp_text_control_unit (const FpRecords *records,
                      guint index,
                      const FpFormat *format)
{
  const char *path = fp_control_records_get (records, index)->path;
  const char *slash = strrchr (path, '/');

  return slash ? slash + 1 : path;
}

const char *
fp_text_control_path (const FpRecords *records,
                      guint index,
                      const FpFormat *format)
{
  return fp_control_records_get (records, index)->path;
}

/* A search has no format, so the same words find a kind in every language. */
const char *
fp_text_control_kind (const FpRecords *records,
                      guint index,
                      const FpFormat *format)
{
  static const struct
  {
    const char *id, *title;
  } kinds[] = {
    /* Translators: kind of a group of the kernel: all of the machine */
    [FP_CONTROL_KIND_MACHINE] = { "machine", N_ ("Machine") },
    [FP_CONTROL_KIND_SLICE] = { "slice", N_ ("Slice") },
    [FP_CONTROL_KIND_USER] = { "user", N_ ("User") },
    /* Translators: kind of a group of the kernel: a service of systemd */
    [FP_CONTROL_KIND_SERVICE] = { "service", N_ ("Service") },
    [FP_CONTROL_KIND_APP] = { "app", N_ ("App") },
    [FP_CONTROL_KIND_CONTAINER] = { "container", N_ ("Container") },
    /* Translators: kind of a group of the kernel: a scope of systemd */
    [FP_CONTROL_KIND_SCOPE] = { "scope", N_ ("Scope") },
    /* Translators: kind of a group of the kernel: none of the others */
    [FP_CONTROL_KIND_OTHER] = { "other", N_ ("Other") },
  };
  FpControlKind kind = MIN (fp_control_records_get (records, index)->kind, FP_CONTROL_KIND_OTHER);

  return !format || format->is_for_programs ? kinds[kind].id : _ (kinds[kind].title);
}
