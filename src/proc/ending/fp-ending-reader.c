// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>

#include "fp-reading.h"
#include "fp-ending-reader.h"
#include "fp-family.h"
#include "fp-segments.h"
#include "fp-system.h"

#define STACK_SIZE 16384 /* a thread's kernel stack on 64-bit machines */

typedef struct
{
  const FpProcDir *proc;
  FpEnding *ending;
  FpObjects *objects;
  GPtrArray *holdings; /* of the ending processes that could be read, each address space once */
  GArray *outsiders;
  GHashTable *inside; /* PIDs */
  FpSegments *segments;
  guint n_closed; /* outsiders that may not be read */
  guint64 swap_used;
  guint64 swap_cached; /* pages in RAM that are in swap, too */
  FpMappingStepFunc step;
  gpointer data;
  FpPacer pacer;
  gboolean is_cancelled;
} Reader;

static gboolean
go_on (guint64 position,
       guint64 whole,
       gpointer data)
{
  Reader *self = data;

  self->is_cancelled |= self->step && !self->step (position, whole, self->data);
  return !self->is_cancelled;
}

static void
read_swap (Reader *self,
           const FpProcDir *proc)
{
  char text[8192];
  gssize length = fp_read_at (proc->fd, "meminfo", text, sizeof text);
  FpSystem system = { 0 };

  fp_system_parse_meminfo (&system, text, (gsize)MAX (length, 0));
  self->swap_cached = fp_system_get (&system, FP_SYSTEM_SWAP_CACHED);
  fp_system_get_swap_used (&system, &self->swap_used);
}

static gboolean
is_read_already (const Reader *self,
                 const FpStat *stat,
                 gint pid)
{
  for (guint i = 0; i < self->holdings->len; i++)
    {
      const FpHolding *other = g_ptr_array_index (self->holdings, i);

      if (fp_stat_same_family (&other->stat, stat) && fp_family_is_one_memory (self->proc, &other->id, pid))
        return TRUE;
    }
  return FALSE;
}

static void
note_unread (Reader *self,
             const FpEndingMember *member)
{
  self->ending->n_unread++;
  self->ending->memory.low += member->least;
}

/* FALSE: it was called off. */
static gboolean
read_member (Reader *self,
             const FpEndingMember *member)
{
  g_autofree FpHolding *holding = g_new0 (FpHolding, 1);
  g_autoptr (GError) error = NULL;
  FpStat stat;
  int problem = fp_reading_read_stat (&stat, self->proc, &member->id);

  if (problem == ESRCH || (!problem && fp_stat_has_ended (&stat)))
    {
      self->ending->n--;
      return TRUE;
    }
  g_hash_table_add (self->inside, GINT_TO_POINTER (member->id.pid));
  if (problem)
    {
      note_unread (self, member);
      return TRUE;
    }
  if (stat.is_kernel_thread || is_read_already (self, &stat, member->id.pid))
    return TRUE;
  if (fp_holding_read (holding, self->proc, &member->id, self->objects, &self->pacer, &error))
    {
      g_ptr_array_add (self->holdings, g_steal_pointer (&holding));
      return TRUE;
    }
  if (self->is_cancelled)
    return FALSE;
  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    self->ending->n--;
  else
    note_unread (self, member);
  return TRUE;
}

static void
look_at_outsider (Reader *self,
                  gint pid,
                  gboolean needs_descriptors)
{
  FpOutsider outsider = { .pid = pid };
  g_auto (FpFd) dir = -1;
  int problem = fp_reading_read_any_stat (&outsider.stat, self->proc, pid);

  if (problem == ESRCH || outsider.stat.is_kernel_thread || fp_stat_has_ended (&outsider.stat) ||
      (dir = fp_proc_dir_open_process (self->proc, pid)) < 0)
    return;
  outsider.is_readable = !problem && fp_objects_note_mappings (self->objects, &(FpProcessId){ pid, outsider.stat.start_ticks }) &&
                         (!needs_descriptors || fp_objects_note_descriptors (self->objects, pid, dir));
  /* One that ended under our hands holds nothing. */
  if (!outsider.is_readable && !problem &&
      (fp_reading_read_any_stat (&outsider.stat, self->proc, pid) == ESRCH || fp_stat_has_ended (&outsider.stat)))
    return;
  self->n_closed += !outsider.is_readable;
  g_array_append_val (self->outsiders, outsider);
}

static gboolean
look_outside (Reader *self,
              GError **error)
{
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (gint));
  gboolean needs_descriptors = fp_objects_need_descriptors (self->objects);

  if (!fp_proc_dir_list (self->proc, pids, error))
    return FALSE;
  for (guint i = 0; i < pids->len && go_on (0, 0, self); i++)
    {
      gint pid = g_array_index (pids, gint, i);

      if (!g_hash_table_contains (self->inside, GINT_TO_POINTER (pid)))
        look_at_outsider (self, pid, needs_descriptors);
    }
  return !self->is_cancelled;
}

static const FpOutsider *
find_outsider (const Reader *self,
               gint pid)
{
  for (guint i = 0; i < self->outsiders->len; i++)
    if (g_array_index (self->outsiders, FpOutsider, i).pid == pid)
      return &g_array_index (self->outsiders, FpOutsider, i);
  return NULL;
}

/* An address space that others go on using gives nothing back. */
static const FpOutsider *
find_twin (const Reader *self,
           const FpHolding *holding,
           guint *n_twins)
{
  const FpOutsider *first = NULL;

  *n_twins = 0;
  for (guint i = 0; i < self->outsiders->len; i++)
    {
      const FpOutsider *outsider = &g_array_index (self->outsiders, FpOutsider, i);

      if (outsider->is_readable && fp_stat_same_family (&holding->stat, &outsider->stat) &&
          fp_family_is_one_memory (self->proc, &holding->id, outsider->pid))
        {
          first = first ? first : outsider;
          (*n_twins)++;
        }
    }
  return first;
}

static void
add_twin (FpEnding *ending,
          const FpHolding *holding,
          const FpOutsider *twin,
          guint n_twins)
{
  const FpEndingPart part = {
    .fate = FP_ENDING_HELD,
    .bytes = holding->anonymous,
    .name = (char *)twin->stat.comm,
    .pid = twin->pid,
    .n_others = n_twins - 1,
  };

  fp_ending_add_part (ending, &part);
}

static gboolean
add_families (Reader *self,
              GError **error)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new ();

  for (guint i = 0; i < self->holdings->len; i++)
    {
      FpHolding *holding = g_ptr_array_index (self->holdings, i);
      guint n_twins;
      const FpOutsider *twin = find_twin (self, holding, &n_twins);

      if (twin)
        add_twin (self->ending, holding, twin, n_twins);
      else
        g_ptr_array_add (left, holding);
    }
  while (left->len > 0)
    {
      g_autoptr (GPtrArray) family = g_ptr_array_new ();
      FpHolding *first = g_ptr_array_index (left, 0);

      for (guint i = left->len; i-- > 0;)
        {
          FpHolding *holding = g_ptr_array_index (left, i);

          if (holding != first && !fp_stat_same_family (&first->stat, &holding->stat))
            continue;
          self->ending->page_tables += holding->page_tables;
          g_ptr_array_add (family, g_ptr_array_remove_index (left, i));
        }
      if (!fp_family_add_to (self->ending, self->proc, family, self->outsiders, &self->pacer, error))
        return FALSE;
    }
  return TRUE;
}

static guint
count_suspects (const Reader *self)
{
  guint n = 0;

  for (guint i = 0; i < self->outsiders->len; i++)
    {
      const FpOutsider *outsider = &g_array_index (self->outsiders, FpOutsider, i);
      gboolean is_one = FALSE;

      for (guint j = 0; j < self->holdings->len && !is_one; j++)
        is_one = !outsider->is_readable && fp_family_may_have (g_ptr_array_index (self->holdings, j), outsider);
      n += is_one;
    }
  return n;
}

/* A process that maps it and has it open, too, can be among its holders twice. */
static void
add_held (Reader *self,
          const FpObject *object,
          guint64 bytes)
{
  g_autoptr (GHashTable) pids = g_hash_table_new (NULL, NULL);
  FpEndingPart part = { .fate = FP_ENDING_HELD, .bytes = bytes, .name = (char *)_ ("another process") };

  for (guint i = 0; i < object->holders->len; i++)
    {
      const FpOutsider *holder = find_outsider (self, g_array_index (object->holders, gint, i));

      if (holder && part.pid == 0)
        {
          part.name = (char *)holder->stat.comm;
          part.pid = holder->pid;
        }
      if (holder)
        g_hash_table_add (pids, GINT_TO_POINTER (holder->pid));
    }
  part.n_others = MAX (g_hash_table_size (pids), 1) - 1;
  fp_ending_add_part (self->ending, &part);
}

static void
add_kept (Reader *self,
          const FpObject *object,
          const FpSpan *memory,
          const FpSpan *swap)
{
  const FpEndingPart part = {
    .fate = FP_ENDING_STAYS,
    .bytes = memory->low + swap->low,
    .name = object->name,
    .is_least = !object->has_blocks && memory->low < memory->high,
  };

  fp_ending_add_part (self->ending, &part);
}

/* Only those who have mapped an object tell how much of it is in RAM and in swap; both are no more than its size. */
static void
measure (const Reader *self,
         const FpObject *object,
         FpSpan *memory,
         FpSpan *swap)
{
  guint64 resident = MAX (object->resident, object->pss);

  *swap = (FpSpan){ 0, 0 };
  *memory = (FpSpan){ resident, MAX (resident, object->covered) };
  if (object->has_blocks)
    *memory = (FpSpan){ object->blocks, object->blocks };
  if (object->kind == FP_OBJECT_DELETED_FILE || object->is_huge || self->swap_used == 0)
    return;
  if (object->has_blocks && object->has_in_memory)
    {
      memory->low = memory->high = MIN (object->in_memory, object->blocks);
      swap->low = swap->high = object->blocks - memory->low;
      return;
    }
  swap->low = MIN (object->swap, memory->high);
  swap->high = MAX (swap->low, MIN (self->swap_used, memory->high - MIN (memory->high, resident)));
  memory->low = MAX (resident, memory->low - MIN (memory->low, swap->high));
  memory->high = MAX (memory->low, memory->high - swap->low);
}

static void
add_freed (Reader *self,
           const FpObject *object,
           guint n_closed,
           gboolean is_certain,
           const FpSpan *memory,
           const FpSpan *swap)
{
  FpSpan *to = object->is_huge ? &self->ending->pool : &self->ending->memory;

  fp_span_add (to, is_certain ? memory->low : 0, memory->high);
  if (!is_certain && !object->is_huge)
    fp_ending_doubt (self->ending, n_closed > 0 ? memory->high : 0, n_closed);
  fp_span_add (&self->ending->swap, is_certain ? swap->low : 0, swap->high);
}

static void
add_file (Reader *self,
          const FpObject *object)
{
  gboolean is_alone = object->holders->len == 0;
  guint64 low = is_alone && self->n_closed == 0 ? object->pss : object->of_one.low;

  fp_span_add (&self->ending->cache, low, MAX (low, is_alone ? object->pss : object->of_one.high));
}

static void
add_object (Reader *self,
            FpObject *object,
            guint n_suspects)
{
  guint n_closed = object->is_by_fork ? n_suspects : self->n_closed;
  gboolean is_certain = n_closed == 0;
  gboolean is_held = object->holders->len > 0;
  FpSegment segment;
  FpSpan memory, swap;

  if (object->kind == FP_OBJECT_FILE)
    {
      add_file (self, object);
      return;
    }
  measure (self, object, &memory, &swap);
  if (object->kind == FP_OBJECT_SYSTEM_V && fp_segments_find (self->segments, object->id.inode, &segment))
    {
      /* The kernel counts huge pages of a segment 512 times (seen with 6.18). */
      if (!object->is_huge)
        {
          memory = (FpSpan){ segment.resident, segment.resident };
          swap = (FpSpan){ segment.swap, segment.swap };
        }
      object->has_name = !segment.goes_with_last;
      object->is_name_unknown = FALSE;
      is_held = segment.n_attached > object->n_mappings;
      is_certain = TRUE;
    }
  if (object->has_name)
    add_kept (self, object, &memory, &swap);
  else if (is_held)
    add_held (self, object, memory.low + swap.low);
  else
    add_freed (self, object, n_closed, is_certain && !object->is_name_unknown, &memory, &swap);
}

static void
add_objects (Reader *self)
{
  GPtrArray *objects = fp_objects_list (self->objects);
  guint n_suspects = count_suspects (self);

  for (guint i = 0; i < objects->len; i++)
    add_object (self, g_ptr_array_index (objects, i), n_suspects);
}

static void
add_kernel (Reader *self)
{
  FpEnding *ending = self->ending;

  for (guint i = 0; i < self->holdings->len; i++)
    ending->stacks += ((const FpHolding *)g_ptr_array_index (self->holdings, i))->n_threads * STACK_SIZE;
  fp_span_add (&ending->memory, ending->page_tables + ending->stacks, ending->page_tables + ending->stacks);
  /* Pages in the swap cache are given back with their swap, but the kernel does not tell their process. */
  fp_span_add (&ending->memory, 0, MIN (ending->swap.high, self->swap_cached));
  if (ending->n_unread == 0)
    return;
  ending->memory.high = ending->swap.high = ending->cache.high = ending->pool.high = G_MAXUINT64;
}

static gboolean
read_all (Reader *self,
          const FpEndingMember *members,
          guint n,
          GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!read_member (self, &members[i]))
      return FALSE;
  if (self->ending->n == 0)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("These processes have ended"));
      return FALSE;
    }
  if (!look_outside (self, error) || !add_families (self, error))
    return FALSE;
  add_objects (self);
  add_kernel (self);
  self->ending->held_us = self->pacer.held_us;
  fp_ending_sort (self->ending);
  return TRUE;
}

FpEnding *
fp_ending_read (const FpProcDir *proc,
                const FpEndingMember *members,
                guint n,
                FpMappingStepFunc step,
                gpointer data,
                GError **error)
{
  g_autoptr (FpEnding) ending = fp_ending_new (n);
  g_autoptr (FpObjects) objects = NULL;
  g_autoptr (GPtrArray) holdings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) outsiders = g_array_new (FALSE, FALSE, sizeof (FpOutsider));
  g_autoptr (GHashTable) inside = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) segments = fp_segments_read (proc);
  Reader self = {
    .proc = proc,
    .ending = ending,
    .holdings = holdings,
    .outsiders = outsiders,
    .inside = inside,
    .segments = segments,
    .step = step,
    .data = data,
  };

  g_return_val_if_fail (members || n == 0, NULL);
  self.pacer = (FpPacer){ .step = go_on, .data = &self };
  read_swap (&self, proc);
  self.objects = objects = fp_objects_new (proc, self.swap_used > 0);
  if (read_all (&self, members, n, error))
    return g_steal_pointer (&ending);
  if (error && !*error)
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR, g_strerror (ECANCELED));
  return NULL;
}
