// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-reading.h"
#include "fp-holding.h"
#include "fp-mapping-kind.h"
#include "fp-scan.h"

/* A mapping in figures; of those of a file that were written to, the kernel tells how many there are, but not how many of
 * these are shared. So there are two ends, which nearly always are the same. */
typedef struct
{
  FpSpan own;
  FpSpan part;
  FpSpan file_own;
  FpSpan file_part;
  guint64 anonymous;
  guint64 file;
} Figures;

static void
split (const FpMemory *memory,
       Figures *figures)
{
  guint64 rss = fp_memory_get (memory, FP_FIELD_RSS), pss = fp_memory_get (memory, FP_FIELD_PSS);
  guint64 private = fp_memory_get (memory, FP_FIELD_USS), shared = fp_less (rss, private);
  guint64 anonymous = MIN (fp_memory_get (memory, FP_FIELD_ANONYMOUS), rss);
  guint64 file = rss - anonymous;

  figures->anonymous = anonymous;
  figures->file = file;
  figures->own = (FpSpan){ fp_less (anonymous, shared), MIN (anonymous, private) };
  figures->own.low = fp_less (figures->own.low, fp_memory_get (memory, FP_FIELD_KSM));
  figures->part = (FpSpan){ MAX (figures->own.low, fp_less (pss, file)), MIN (anonymous, pss) };
  figures->file_own = (FpSpan){ fp_less (private, anonymous), MIN (file, private) };
  figures->file_part = (FpSpan){ fp_less (pss, figures->part.high), MIN (file, fp_less (pss, figures->part.low)) };
}

/* At least 2p − s of s swapped bytes have no other user, where p is their proportional size. */
static void
add_swap (FpHolding *self,
          const FpMemory *memory)
{
  guint64 swap = fp_memory_get (memory, FP_FIELD_SWAP), part = MIN (fp_memory_get (memory, FP_FIELD_SWAP_PSS), swap);

  self->swapped += swap;
  fp_span_add (&self->own_swap, fp_less (2 * part, swap), part);
  fp_span_add (&self->part_swap, part, part);
}

/* A file can be mapped twice by one process, so what its mappings have can't be summed up but by their proportional size. */
static void
add_to_object (FpObject *object,
               const FpMapping *mapping,
               const Figures *figures)
{
  guint64 pool = fp_memory_get (&mapping->memory, FP_FIELD_PRIVATE_HUGETLB) +
                 fp_memory_get (&mapping->memory, FP_FIELD_SHARED_HUGETLB);

  object->n_mappings++;
  object->covered = MAX (object->covered, mapping->offset + (mapping->end - mapping->start));
  object->resident = MAX (object->resident, object->is_huge ? pool : figures->file);
  if (mapping->permissions[3] == 's')
    object->swap = MAX (object->swap, fp_memory_get (&mapping->memory, FP_FIELD_SWAP));
  object->pss += figures->file_part.high;
  fp_span_add (&object->of_one, figures->file_own.low, figures->file_own.high);
}

static void
add_mapping (FpHolding *self,
             const FpMapping *mapping,
             FpObjects *objects,
             int process_dir)
{
  gboolean is_private = mapping->permissions[3] != 's';
  FpMappingKind kind = fp_mapping_kind (mapping);
  FpObject *object = NULL;
  Figures figures;

  split (&mapping->memory, &figures);
  self->anonymous += figures.anonymous;
  fp_span_add (&self->own, figures.own.low, figures.own.high);
  fp_span_add (&self->part, figures.part.low, figures.part.high);
  if (kind == FP_MAPPING_HUGE_POOL && is_private)
    {
      self->pool_own += fp_memory_get (&mapping->memory, FP_FIELD_PRIVATE_HUGETLB);
      self->pool_shared += fp_memory_get (&mapping->memory, FP_FIELD_SHARED_HUGETLB);
      return;
    }
  if (objects)
    object = fp_objects_add_mapping (objects, mapping);
  if (is_private)
    add_swap (self, &mapping->memory);
  if (!object)
    return;
  add_to_object (object, mapping, &figures);
  if (process_dir >= 0)
    fp_objects_measure (objects, object, &self->id, process_dir, mapping);
}

static void
read_status (FpHolding *self,
             int process_dir)
{
  FpMemory status = { 0 };
  char text[4096];
  gssize length = fp_read_record_at (process_dir, "status", text, sizeof text);

  if (length > 0)
    fp_memory_scan (&status, FP_ORIGIN_STATUS, text, (gsize)length);
  self->page_tables = fp_memory_get (&status, FP_FIELD_PTE);
  self->n_threads = self->stat.n_threads;
}

gboolean
fp_holding_read (FpHolding *self,
                 const FpProcDir *proc,
                 const FpProcessId *id,
                 FpObjects *objects,
                 FpPacer *pacer,
                 GError **error)
{
  g_autoptr (FpMappings) mappings = NULL;
  g_auto (FpFd) dir = -1;

  *self = (FpHolding){ .id = *id };
  fp_pacer_begin (pacer);
  if (!(mappings = fp_mappings_read (proc, id, fp_pacer_step, pacer, error)))
    return FALSE;
  fp_reading_read_stat (&self->stat, proc, id);
  dir = fp_proc_dir_open_memory (proc, id->pid, fp_stat_is_zombie (&self->stat));
  if (dir >= 0)
    read_status (self, dir);
  if (dir >= 0 && objects)
    fp_objects_learn_mounts (objects, dir);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      add_mapping (self, &mapping, objects, dir);
    }
  if (dir >= 0 && objects)
    fp_objects_add_descriptors (objects, dir);
  return TRUE;
}
