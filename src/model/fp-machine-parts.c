// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-columns.h"
#include "fp-display.h"
#include "fp-machine-kept.h"
#include "fp-machine-parts.h"
#include "fp-shares.h"

#define MAX_USERS    4
#define MAX_PROGRAMS 6
#define MAX_OTHERS   12

static const FpSystem *
get_system (const FpMachine *self)
{
  return &self->snapshot->system;
}

static FpMachineItem *
add (FpMachineItems *items,
     const char *name,
     guint64 bytes,
     const char *remark)
{
  FpMachineItem *item = fp_machine_items_add (items, name, fp_figure_exact (bytes));

  item->remark = g_strdup (remark);
  return item;
}

/* Nothing is said of what this kernel does not tell, or what there is none of. */
static void
add_field (FpMachineItems *items,
           const FpMachine *self,
           FpSystemField field,
           const char *name,
           const char *remark)
{
  if (fp_system_get (get_system (self), field) > 0)
    add (items, name, fp_system_get (get_system (self), field), remark);
}

static void
add_biggest (FpMachineItems *items,
             const char *heading,
             const FpRecords *totals,
             FpField field,
             FpColumnRole role,
             guint limit)
{
  FpMachineItems *section = fp_machine_items_new ();

  fp_machine_items_add_totals (section, totals, field, fp_columns_get_role (role, FP_RECORD_PROCESS)->id);
  fp_machine_items_add_section (items, heading, section, limit);
}

/* The figure of this line is the kernel's, and the sum of the processes is another one. */
static void
add_sum (FpMachineItems *items,
         const FpMachine *self)
{
  FpFigure sum = fp_records_get_figure (self->input.sum, 0, FP_FIELD_PSS);

  if (fp_figure_is_known (sum))
    fp_machine_items_add (items, _ ("Sum of all processes"), sum)->remark =
        g_strdup (_ ("They are read one after another; the figure above is the kernel’s own count at one moment"));
}

static void
list_programs (FpMachineItems *items,
               const FpMachine *self)
{
  add_sum (items, self);
  add_biggest (items, _ ("By user"), self->input.users, FP_FIELD_PSS, FP_ROLE_ACCOUNT, MAX_USERS);
  add_biggest (items, _ ("By program"), self->programs, FP_FIELD_PSS, FP_ROLE_NAME, MAX_PROGRAMS);
}

static void
list_graphics (FpMachineItems *items,
               const FpMachine *self)
{
  const FpKept *kept = self->input.kept;
  FpMachineItems *section = fp_machine_items_new ();

  for (guint i = 0; kept && i < kept->graphics->len; i++)
    {
      const FpGraphics *graphics = &g_array_index (kept->graphics, FpGraphics, i);
      g_autofree char *name = fp_machine_name_process (self->snapshot, graphics->pid);
      g_autoptr (GString) remark = g_string_new (graphics->kind == FP_GRAPHICS_DMABUF ? _ ("Buffer shared with a device or another program") : graphics->driver);
      char size[FP_FIGURE_TEXT_SIZE];

      if (graphics->n_holders > 1)
        fp_display_append_item (remark, g_strdup_printf (ngettext ("held by %u process", "held by %u processes", graphics->n_holders),
                                                         graphics->n_holders));
      if (graphics->on_card > 0)
        {
          fp_format_kept_memory (&self->input.format, fp_figure_exact (graphics->on_card), size);
          fp_display_append_item (remark, g_strdup_printf (_ ("and %s on the card"), size));
        }
      fp_machine_item_set_holder (add (section, name, graphics->in_ram, remark->str), self->snapshot, graphics->pid);
    }
  fp_machine_items_add_section (items, _ ("By process"), section, MAX_OTHERS);
}

/* Beyond the biggest, all are one item at the end. */
static void
sum_up_others (FpMachineItems *items)
{
  FpFigure sum = fp_figure_exact (0);
  guint n;
  g_autofree char *name = NULL;

  fp_machine_items_sort (items, G_MAXUINT);
  if (items->len <= MAX_OTHERS)
    return;
  n = items->len - (MAX_OTHERS - 1);
  for (guint i = MAX_OTHERS - 1; i < items->len; i++)
    {
      FpFigure figure = ((FpMachineItem *)items->pdata[i])->figure;

      sum.low += fp_figure_is_known (figure) ? figure.low : 0;
      sum.high = fp_figure_is_known (figure) && sum.high < G_MAXUINT64 - figure.high ? sum.high + figure.high : G_MAXUINT64;
    }
  if (sum.low == 0)
    sum = sum.high == G_MAXUINT64 ? (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 } : fp_figure_at_most (sum.high);
  else if (sum.low < sum.high)
    sum.kind = FP_FIGURE_RANGE;
  g_ptr_array_set_size (items, MAX_OTHERS - 1);
  name = g_strdup_printf (ngettext ("%u other", "%u others", n), n);
  fp_machine_items_add (items, name, sum);
}

static gboolean
is_same_file (const FpMachineItem *item,
              const FpMachineItem *other)
{
  return g_str_equal (item->name, other->name) && item->target_kind == other->target_kind &&
         g_strcmp0 (item->target, other->target) == 0;
}

/* A file that was not there at the start, or was not looked at then, has no change. */
static void
find_changes (FpMachineItems *items,
              const FpMachine *self)
{
  g_autoptr (GPtrArray) old = fp_machine_items_new ();
  FpMachineInput input = self->input;

  if (!input.start || !input.old_kept)
    return;
  input.kept = input.old_kept;
  fp_machine_list_kept (old, &input, self->snapshot);
  for (guint i = 0; i < items->len; i++)
    for (guint k = 0; k < old->len; k++)
      {
        FpMachineItem *item = items->pdata[i];
        const FpMachineItem *before = old->pdata[k];

        if (!is_same_file (item, before) || item->figure.kind != FP_FIGURE_EXACT || before->figure.kind != FP_FIGURE_EXACT)
          continue;
        item->change = (gint64)item->figure.low - (gint64)before->figure.low;
        item->has_change = TRUE;
      }
}

static void
list_kept (FpMachineItems *items,
           const FpMachine *self)
{
  if (!self->input.kept)
    {
      if (self->input.missing)
        fp_machine_items_add (items, self->input.missing, (FpFigure){ FP_FIGURE_NONE, 0, 0 });
      return;
    }
  fp_machine_list_kept (items, &self->input, self->snapshot);
  find_changes (items, self);
  sum_up_others (items);
  fp_machine_list_kept_limits (items, self->input.kept);
}

/* NULL: it takes no memory. Free the text. */
static char *
describe_cost (const FpMachine *self,
               const FpSwap *swap)
{
  char cost[FP_FIGURE_TEXT_SIZE];

  if (!fp_swap_has_cost (swap))
    return swap->type == FP_SWAP_ZRAM ? g_strdup (_ ("takes — of memory")) : NULL;
  if (swap->cost == 0)
    return NULL;
  fp_format_kept_memory (&self->input.format, fp_figure_exact (swap->cost), cost);
  /* Translators: an amount of memory, and how many times smaller it is than what is in it */
  return g_strdup_printf (_ ("takes %s of memory (%.1f to 1)"), cost, (double)swap->stored / (double)swap->cost);
}

static void
add_devices (FpMachineItems *items,
             const FpMachine *self)
{
  static const char *const types[] = { N_ ("partition"), N_ ("file"), N_ ("compressed in RAM") };
  const FpSystem *system = get_system (self);

  for (guint i = 0; i < system->n_swaps; i++)
    {
      const FpSwap *swap = &system->swaps[i];
      g_autoptr (GString) remark = g_string_new (NULL);
      char *cost = describe_cost (self, swap);
      char size[FP_FIGURE_TEXT_SIZE];

      fp_format_kept_memory (&self->input.format, fp_figure_exact (swap->size), size);
      /* Translators: a size, “partition”, “file” or “compressed in RAM”, and a number */
      g_string_append_printf (remark, _ ("Of %s in total, %s, priority %d"), size, _ (types[swap->type]), swap->priority);
      if (cost)
        fp_display_append_item (remark, cost);
      add (items, swap->name, swap->used, remark->str);
    }
}

static void
add_plain_zram (FpMachineItems *items,
                const FpMachine *self)
{
  g_autofree char *remark = NULL;
  char size[FP_FIGURE_TEXT_SIZE];
  guint64 stored, cost;

  if (!fp_system_get_plain_zram (get_system (self), &stored, &cost))
    return;
  fp_format_kept_memory (&self->input.format, fp_figure_exact (stored), size);
  /* Translators: an amount of memory, and how many times smaller it was made */
  remark = g_strdup_printf (_ ("Files or other data of %s, packed %.1f to 1; not swap"), size, (double)stored / (double)cost);
  add (items, _ ("Other zram disks"), cost, remark);
}

/* A counter of pages as bytes a second since the last refresh */
static void
add_rate (FpMachineItems *items,
          const FpMachine *self,
          const char *name,
          guint64 pages_before,
          guint64 pages)
{
  const FpMachineMoment *before = self->input.before;
  guint64 bytes;

  if (!before || pages_before == FP_MACHINE_UNKNOWN || pages == FP_MACHINE_UNKNOWN || pages < pages_before ||
      self->now.time_us <= before->time_us)
    return;
  bytes = (pages - pages_before) * MAX (self->snapshot->info.page_size, 4096);
  bytes = (guint64)((double)bytes * G_USEC_PER_SEC / (double)(self->now.time_us - before->time_us));
  add (items, name, bytes, _ ("On average since the last refresh"));
}

static void
list_swap (FpMachineItems *items,
           const FpMachine *self)
{
  const FpSystem *system = get_system (self);
  const FpMachineMoment *before = self->input.before;
  FpMachineItem *rest;
  FpLedger ledger;

  fp_ledger_make (&ledger, system);
  add_devices (items, self);
  add_plain_zram (items, self);
  add_field (items, self, FP_SYSTEM_ZSWAPPED, _ ("In zswap"), _ ("Packed before it goes to a device"));
  add_field (items, self, FP_SYSTEM_ZSWAP, _ ("Memory that zswap takes"), NULL);
  if (ledger.parts[FP_PART_SWAP_CACHE] > 0)
    add (items, _ (fp_part_infos[FP_PART_SWAP_CACHE].title), (guint64)ledger.parts[FP_PART_SWAP_CACHE],
         _ (fp_part_infos[FP_PART_SWAP_CACHE].meaning));
  if (self->input.format.swap_total == 0)
    return;
  rest = fp_machine_items_add (items, _ ("Swap of no process"), fp_shares_get_swap_rest (system, self->all));
  rest->remark = g_strdup (_ ("Files kept in memory, shared memory, and what ended programs left"));
  if (before)
    {
      add_rate (items, self, _ ("Read from swap each second"), before->swap_ins, self->now.swap_ins);
      add_rate (items, self, _ ("Written to swap each second"), before->swap_outs, self->now.swap_outs);
    }
  add_biggest (items, _ ("In swap, by user"), self->input.users, FP_FIELD_SWAP_PSS, FP_ROLE_ACCOUNT, MAX_USERS);
  add_biggest (items, _ ("In swap, by program"), self->programs, FP_FIELD_SWAP_PSS, FP_ROLE_NAME, MAX_PROGRAMS);
  if (self->input.groups)
    {
      FpMachineItems *groups = fp_machine_items_new ();

      fp_machine_items_add_swapped (groups, self->input.groups);
      fp_machine_items_add_section (items, _ ("In swap, by group, shared memory included"), groups, MAX_PROGRAMS);
    }
}

static void
list_cache (FpMachineItems *items,
            const FpMachine *self)
{
  FpMachineItems *groups = fp_machine_items_new ();

  add_field (items, self, FP_SYSTEM_DIRTY, _ ("Not yet written"), _ ("Must be written to its device before it is given back"));
  add_field (items, self, FP_SYSTEM_WRITEBACK, _ ("Being written"), NULL);
  if (self->input.groups)
    fp_machine_items_add_caching (groups, self->input.groups);
  fp_machine_items_add_section (items, _ ("By who read or wrote it first, mapped files included"), groups, MAX_PROGRAMS);
}

static void
list_kernel (FpMachineItems *items,
             const FpMachine *self)
{
  FpLedger ledger;

  fp_ledger_make (&ledger, get_system (self));
  for (FpPart part = FP_PART_SLAB; part <= FP_PART_VMALLOC; part++)
    if (ledger.parts[part] > 0)
      add (items, _ (fp_part_infos[part].title), (guint64)ledger.parts[part], _ (fp_part_infos[part].meaning));
  add_field (items, self, FP_SYSTEM_S_RECLAIMABLE, _ ("Given back when needed"), _ ("Part of the kernel objects"));
}

static void
add_pools (FpMachineItems *items,
           const FpMachine *self)
{
  const FpSystem *system = get_system (self);

  for (guint i = 0; i < system->n_huge_pools; i++)
    {
      const FpHugePool *pool = &system->huge_pools[i];
      g_autofree char *name = NULL, *remark = NULL;
      char size[FP_FIGURE_TEXT_SIZE];

      if (pool->n_total == 0)
        continue;
      fp_figure_format (fp_figure_exact (pool->page_size), FP_UNIT_BYTES, FP_STYLE_IEC, 0, size, sizeof size);
      name = g_strdup_printf (_ ("Pages of %s"), size);
      /* Translators: huge pages */
      remark = g_strdup_printf (_ ("%u pages, %u free, %u reserved"), (guint)pool->n_total, (guint)pool->n_free, (guint)pool->n_reserved);
      add (items, name, pool->page_size * pool->n_total, remark);
    }
}

FpMachineItems *
fp_machine_list_parts (const FpMachine *self,
                       FpMachineLine line)
{
  static void (*const list[FP_N_MACHINE_LINES]) (FpMachineItems *, const FpMachine *) = {
    [FP_MACHINE_PROGRAMS] = list_programs,
    [FP_MACHINE_GRAPHICS] = list_graphics,
    [FP_MACHINE_KEPT] = list_kept,
    [FP_MACHINE_SWAP] = list_swap,
    [FP_MACHINE_CACHE] = list_cache,
    [FP_MACHINE_KERNEL] = list_kernel,
    [FP_MACHINE_HUGE_PAGES] = add_pools,
  };
  FpMachineItems *items = fp_machine_items_new ();

  if (self->is_known && list[line])
    list[line](items, self);
  return items;
}

static void
add_commit (FpMachineItems *items,
            const FpMachine *self)
{
  const FpSystem *system = get_system (self);
  g_autofree char *remark = NULL;
  char size[FP_FIGURE_TEXT_SIZE];

  if (!fp_system_has (system, FP_SYSTEM_COMMITTED))
    return;
  fp_format_kept_memory (&self->input.format, fp_figure_exact (fp_system_get (system, FP_SYSTEM_COMMIT_LIMIT)), size);
  remark = fp_system_has (system, FP_SYSTEM_COMMIT_LIMIT)
               ? g_strdup_printf (_ ("Asked for by programs, used or not; the commit limit is %s"), size)
               : g_strdup (_ ("Asked for by programs, used or not"));
  add (items, _ ("Promised to programs (commit)"), fp_system_get (system, FP_SYSTEM_COMMITTED), remark);
}

static void
add_merged (FpMachineItems *items,
            const FpMachine *self)
{
  guint64 merged = fp_system_get (get_system (self), FP_SYSTEM_KSM_SHARING);
  g_autofree char *remark = NULL;
  char size[FP_FIGURE_TEXT_SIZE];

  if (merged == 0)
    return;
  fp_format_kept_memory (&self->input.format, fp_figure_exact (fp_system_get (get_system (self), FP_SYSTEM_KSM_SHARED)), size);
  remark = g_strdup_printf (_ ("kept once in %s"), size);
  add (items, _ ("Saved by merging equal pages (KSM)"), merged, remark);
}

static void
add_kills (FpMachineItems *items,
           const FpMachine *self)
{
  FpMachineItem *kills;

  if (self->now.oom_kills == FP_MACHINE_UNKNOWN)
    return;
  kills = add (items, _ ("Processes killed because memory ran out"), self->now.oom_kills, _ ("Since the machine was started"));
  kills->unit = FP_UNIT_COUNT;
}

FpMachineItems *
fp_machine_list_facts (const FpMachine *self)
{
  FpMachineItems *items = fp_machine_items_new ();

  add_kills (items, self);
  add_commit (items, self);
  add_field (items, self, FP_SYSTEM_ANON_HUGE_PAGES, _ ("Programs’ own in huge pages"), _ ("The kernel made them (transparent huge pages)"));
  add_field (items, self, FP_SYSTEM_SHMEM_HUGE_PAGES, _ ("Shared memory in huge pages"), NULL);
  add_field (items, self, FP_SYSTEM_FILE_HUGE_PAGES, _ ("Files in huge pages"), NULL);
  add_pools (items, self);
  add_merged (items, self);
  add_field (items, self, FP_SYSTEM_DIRTY, _ ("Not yet written"), _ ("Files that were changed in memory"));
  add_field (items, self, FP_SYSTEM_WRITEBACK, _ ("Being written"), NULL);
  add_field (items, self, FP_SYSTEM_MLOCKED, _ ("Locked in memory"), _ ("Programs forbid to swap it out"));
  add_field (items, self, FP_SYSTEM_HARDWARE_CORRUPTED, _ ("Broken memory"), _ ("The hardware reported errors there"));
  return items;
}

/* text: of FP_FIGURE_TEXT_SIZE */
void
fp_machine_format_item (const FpMachine *self,
                        const FpMachineItem *item,
                        char *text)
{
  fp_figure_format (item->figure, item->unit, self->input.format.style, self->input.format.memory_total, text,
                    FP_FIGURE_TEXT_SIZE);
}
