// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-machine-state.h"

#define LEAST_REST 50 /* this part of all memory; less is a matter of moments, unless it is most of what programs have */

const FpMachineLineInfo fp_machine_line_infos[FP_N_MACHINE_LINES] = {
  [FP_MACHINE_PROGRAMS] = { "programs", N_ ("Programs"),
                            N_ ("What programs have for themselves, and the files and shared memory that they map") },
  [FP_MACHINE_GRAPHICS] = { "graphics", N_ ("Graphics"),
                            N_ ("Buffers of the graphics driver in the machine’s memory; the card’s own are apart") },
  [FP_MACHINE_KEPT] = { "kept", N_ ("Files kept in memory"),
                        N_ ("Files that exist only in memory, such as those in /tmp, and shared memory. What programs map of them counts as theirs") },
  [FP_MACHINE_SWAP] = { "swap", N_ ("Swap in memory"),
                        N_ ("What swap costs in memory: packed pages (zram, zswap), and swapped pages that are in memory as well; other zram disks, too") },
  [FP_MACHINE_CACHE] = { "cache", N_ ("Cache"),
                         N_ ("Files that were read or written and that no program maps; given back when memory is needed") },
  [FP_MACHINE_KERNEL] = { "kernel", N_ ("Kernel"), N_ ("The kernel’s own objects, page tables, stacks and buffers") },
  [FP_MACHINE_HUGE_PAGES] = { "huge_pages", N_ ("Huge page pool"),
                              N_ ("Set aside for huge pages, whether in use or not") },
  [FP_MACHINE_FREE] = { "free", N_ ("Free"), N_ ("Not used for anything") },
  [FP_MACHINE_UNEXPLAINED] = { "not_explained", N_ ("Not explained"),
                               N_ ("Drivers, firmware and inaccuracies of the kernel’s counters; may be negative") },
};

/* Finds out how much of the mapped pages is shared memory. The kernel counts mapped pages of both kinds together and
 * exactly; how they divide is known from the processes that can be read, and bounded by the others. */
static FpMachineEnds
divide_mapped (const FpSystem *system,
               const FpTotal *all)
{
  const guint64 kinds = G_GUINT64_CONSTANT (1) << FP_FIELD_PSS_SHMEM;
  guint64 mapped = fp_system_get (system, FP_SYSTEM_MAPPED), shmem = fp_system_get (system, FP_SYSTEM_SHMEM);
  gboolean is_whole = fp_system_get (system, FP_SYSTEM_HIDDEN_TASKS) == 0 && (all->known & kinds);
  guint64 low = all->low[FP_FIELD_PSS_SHMEM], high = is_whole ? all->high[FP_FIELD_PSS_SHMEM] : G_MAXUINT64;
  guint64 files_low = all->low[FP_FIELD_PSS_FILE], files_high = is_whole ? all->high[FP_FIELD_PSS_FILE] : G_MAXUINT64;

  low = CLAMP (mapped - MIN (mapped, files_high), low, high);
  high = CLAMP (mapped - MIN (mapped, files_low), low, high);
  shmem = MIN (shmem, mapped);
  return (FpMachineEnds){ (gint64)MIN (low, shmem), (gint64)MIN (high, shmem) };
}

static void
move_graphics (FpMachineState *self,
               const FpKept *kept)
{
  FpMachineEnds *files = &self->lines[FP_MACHINE_KEPT];
  FpMachineEnds in_shmem = { 0, 0 }, other = { 0, 0 };
  gint64 more;

  for (guint i = 0; i < kept->graphics->len; i++)
    {
      const FpGraphics *graphics = &g_array_index (kept->graphics, FpGraphics, i);
      FpMachineEnds *ends = graphics->is_shmem ? &in_shmem : &other;
      guint64 bytes = MIN (graphics->in_ram, (guint64)self->total);

      /* Each of the clients that share a buffer tells of it. */
      ends->low += (gint64)(bytes - MIN (bytes, graphics->shared));
      ends->high += (gint64)bytes;
    }
  in_shmem = (FpMachineEnds){ MIN (in_shmem.low, files->high), MIN (in_shmem.high, files->high) };
  files->low -= in_shmem.high;
  files->high -= in_shmem.low;
  /* No process maps these buffers as pages, so what is kept is at least as much. */
  more = MAX (-files->low, 0);
  files->low += more;
  self->lines[FP_MACHINE_CACHE].high -= more;
  self->lines[FP_MACHINE_GRAPHICS] = (FpMachineEnds){ in_shmem.low + other.low, in_shmem.high + other.high };
  self->lines[FP_MACHINE_UNEXPLAINED].low -= other.high;
  self->lines[FP_MACHINE_UNEXPLAINED].high -= other.low;
  self->has_graphics = TRUE;
}

/* all: the total of every process; kept: (nullable). FALSE where the kernel does not tell. Anonymous and mapped pages are
 * those of programs, so that line is exact for everybody, whichever processes can be read. */
gboolean
fp_machine_state_make (FpMachineState *self,
                       const FpSystem *system,
                       const FpTotal *all,
                       const FpKept *kept)
{
  static const struct
  {
    FpMachineLine line;
    FpPart part;
  } places[] = {
    { FP_MACHINE_PROGRAMS, FP_PART_ANONYMOUS },
    { FP_MACHINE_KEPT, FP_PART_SHMEM },
    { FP_MACHINE_CACHE, FP_PART_PAGE_CACHE },
    { FP_MACHINE_SWAP, FP_PART_SWAP_CACHE },
    { FP_MACHINE_SWAP, FP_PART_ZRAM },
    { FP_MACHINE_SWAP, FP_PART_ZSWAP },
    { FP_MACHINE_KERNEL, FP_PART_SLAB },
    { FP_MACHINE_KERNEL, FP_PART_PAGE_TABLES },
    { FP_MACHINE_KERNEL, FP_PART_KERNEL_STACKS },
    { FP_MACHINE_KERNEL, FP_PART_PERCPU },
    { FP_MACHINE_KERNEL, FP_PART_VMALLOC },
    { FP_MACHINE_HUGE_PAGES, FP_PART_HUGETLB },
    { FP_MACHINE_FREE, FP_PART_FREE },
    { FP_MACHINE_UNEXPLAINED, FP_PART_REMAINDER },
  };
  FpMachineEnds shmem, *files = &self->lines[FP_MACHINE_KEPT], *cache = &self->lines[FP_MACHINE_CACHE];
  gint64 mapped = (gint64)fp_system_get (system, FP_SYSTEM_MAPPED);
  FpLedger ledger;

  G_STATIC_ASSERT (G_N_ELEMENTS (places) == FP_N_PARTS);
  *self = (FpMachineState){ 0 };
  if (!fp_ledger_make (&ledger, system) || !fp_system_has (system, FP_SYSTEM_ANON_PAGES) ||
      !fp_system_has (system, FP_SYSTEM_MAPPED))
    return FALSE;
  self->total = (gint64)fp_system_get (system, FP_SYSTEM_MEM_TOTAL);
  self->page_tables = ledger.parts[FP_PART_PAGE_TABLES];
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      self->lines[places[i].line].low += ledger.parts[places[i].part];
      self->lines[places[i].line].high += ledger.parts[places[i].part];
    }
  self->lines[FP_MACHINE_SWAP].high += ledger.zram_more;
  self->lines[FP_MACHINE_UNEXPLAINED].low -= ledger.zram_more;
  shmem = divide_mapped (system, all);
  self->lines[FP_MACHINE_PROGRAMS].low += mapped;
  self->lines[FP_MACHINE_PROGRAMS].high += mapped;
  *files = (FpMachineEnds){ files->low - shmem.high, files->high - shmem.low };
  *cache = (FpMachineEnds){ cache->low - mapped + shmem.low, cache->high - mapped + shmem.high };
  if (kept)
    move_graphics (self, kept);
  return TRUE;
}

static FpFigure
make_between (guint64 low,
              guint64 high)
{
  return low == 0 ? fp_figure_at_most (high) : fp_figure_between (low, high);
}

static FpFigure
find_rest (const FpMachineState *self,
           const FpMachineUnknown *unknown,
           guint64 whole)
{
  const guint64 bound = unknown->gained.high + unknown->unread.high + unknown->hidden.high;
  const guint64 rest = unknown->all - MIN (unknown->all, bound);

  return rest > (guint64)MAX (self->total, 0) / LEAST_REST || rest > whole / 2 ? make_between (rest, unknown->all) : fp_figure_at_most (0);
}

/* The programs that can't be read have what the others leave, as far as their bounds go. The rest is that of hidden ones, or
 * drift. Their upper ends are those of the total itself: what is left of the line is less where the others were read at other
 * moments, and then it would be no bound. */
void
fp_machine_state_find_unknown (const FpMachineState *self,
                               const FpSystem *system,
                               const FpTotal *all,
                               FpMachineUnknown *unknown)
{
  const gboolean has_hidden = fp_system_get (system, FP_SYSTEM_HIDDEN_TASKS) > 0;
  guint64 whole = (guint64)MAX (self->lines[FP_MACHINE_PROGRAMS].low, 0), spread = fp_total_get_spread (all, FP_FIELD_PSS);
  guint64 left = whole - MIN (whole, all->low[FP_FIELD_PSS]), least = left - MIN (left, spread), bound = 0;

  if (all->n_unread > 0)
    bound = all->high[FP_FIELD_PSS] == G_MAXUINT64 ? left : all->high[FP_FIELD_PSS] - all->low[FP_FIELD_PSS] - spread;
  *unknown = (FpMachineUnknown){ .all = left,
                                 .gained = fp_figure_at_most (spread),
                                 .unread = make_between (has_hidden || least > bound ? 0 : least, bound),
                                 .hidden = fp_figure_at_most (0) };
  if (has_hidden)
    unknown->hidden = make_between (least - MIN (least, bound), left);
  unknown->rest = find_rest (self, unknown, whole);
}

FpMachineEnds
fp_machine_ends_subtract (FpMachineEnds self,
                          FpMachineEnds other)
{
  return (FpMachineEnds){ self.low - other.high, self.high - other.low };
}

static void
format_signed (gint64 bytes,
               const FpFormat *format,
               gboolean has_sign,
               char *text,
               gsize size)
{
  char figure[FP_FIGURE_TEXT_SIZE];

  fp_format_memory (format, fp_figure_exact ((guint64)ABS (bytes)), figure);
  g_snprintf (text, size, "%s%s", bytes < 0 ? "−" : bytes > 0 && has_sign ? "+"
                                                                          : "",
              figure);
}

/* has_sign: "+" stands before what is more than 0 */
void
fp_machine_ends_format (FpMachineEnds self,
                        const FpFormat *format,
                        gboolean has_sign,
                        char *text,
                        gsize size)
{
  char low[FP_FIGURE_TEXT_SIZE + 4], high[FP_FIGURE_TEXT_SIZE + 4];

  if (self.low >= 0 && self.high > self.low && !has_sign)
    {
      fp_format_memory (format, (FpFigure){ FP_FIGURE_RANGE, (guint64)self.low, (guint64)self.high }, low);
      g_strlcpy (text, low, size);
      return;
    }
  format_signed (self.low, format, has_sign, low, sizeof low);
  format_signed (self.high, format, has_sign, high, sizeof high);
  if (g_str_equal (low, high))
    g_strlcpy (text, low, size);
  else
    g_snprintf (text, size, _ ("%s to %s"), low, high);
}

/* The middle of a range is about how much has changed. Two lines whose ranges are each other's opposite have opposite
 * middles too, so what is shown still sums to nothing. */
void
fp_machine_ends_format_change (FpMachineEnds self,
                               const FpFormat *format,
                               char *text,
                               gsize size)
{
  char middle[FP_FIGURE_TEXT_SIZE + 4];

  if (self.low == self.high)
    {
      format_signed (self.low, format, TRUE, text, size);
      return;
    }
  format_signed ((self.low + self.high) / 2, format, TRUE, middle, sizeof middle);
  g_snprintf (text, size, "≈\u00a0%s", middle);
}

/* Free the text. */
char *
fp_machine_ends_describe_change (FpMachineEnds self,
                                 const FpFormat *format)
{
  char low[FP_FIGURE_TEXT_SIZE + 4], high[FP_FIGURE_TEXT_SIZE + 4];

  format_signed (self.low, format, TRUE, low, sizeof low);
  format_signed (self.high, format, TRUE, high, sizeof high);
  if (g_str_equal (low, high))
    return g_strdup_printf (_ ("changed by %s"), low);
  /* Translators: the ends of a range of memory, as in “changed by between +1.2 GiB and +1.4 GiB” */
  return g_strdup_printf (_ ("changed by between %s and %s"), low, high);
}
