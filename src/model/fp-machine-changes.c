// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-display.h"
#include "fp-machine-changes.h"
#include "fp-query-term.h"

#define MAX_PROGRAMS 5
#define LEAST_PART   50 /* a program with less than this part of the largest change is one of the others */

static void
change_free (gpointer data)
{
  FpMachineChange *change = data;

  g_free (change->name);
  g_free (change->search);
  g_free (change);
}

static FpMachineChange *
add (FpMachineChanges *self,
     const char *name,
     FpMachineLine line,
     gint64 bytes)
{
  FpMachineChange *change;

  if (bytes == 0)
    return NULL;
  change = g_new0 (FpMachineChange, 1);
  change->name = g_strdup (name);
  change->line = line;
  change->bytes = bytes;
  g_ptr_array_add (self->changes, change);
  self->sum += bytes;
  return change;
}

/* The kernel counts pages, so both ends are even, and the middles of lines whose ranges are each other's opposite are, too. */
static gint64
get_middle (FpMachineEnds ends)
{
  return (ends.low + ends.high) / 2;
}

static gint64
get_change (const FpMachineState *before,
            const FpMachineState *now,
            FpMachineLine line)
{
  return get_middle (now->lines[line]) - get_middle (before->lines[line]);
}

/* FALSE: it is not known, or has no upper end */
static gboolean
get_program_change (const FpProgramChange *program,
                    gint64 *bytes)
{
  const guint32 *ends[] = { &program->now.low_kib[FP_HISTORY_PSS], &program->now.high_kib[FP_HISTORY_PSS],
                            &program->base.low_kib[FP_HISTORY_PSS], &program->base.high_kib[FP_HISTORY_PSS] };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (*ends[i] == FP_HISTORY_UNKNOWN)
      return FALSE;
  *bytes = ((gint64)*ends[0] + *ends[1] - *ends[2] - *ends[3]) * 512;
  return TRUE;
}

typedef struct
{
  const char *name;
  gint64 bytes;
} Program;

static int
compare_programs (gconstpointer a,
                  gconstpointer b)
{
  const gint64 x = ABS (((const Program *)a)->bytes), y = ABS (((const Program *)b)->bytes);

  return (x < y) - (x > y);
}

/* Names the programs that changed most. The others, with those that could not be measured and the drift between the
 * kernel's counters and the reading of processes, are what is left of the line. */
static void
add_programs (FpMachineChanges *self,
              const GArray *programs,
              gint64 line)
{
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (Program));
  gint64 left = line, largest;

  for (guint i = 0; i < programs->len; i++)
    {
      const FpProgramChange *change = &g_array_index (programs, FpProgramChange, i);
      Program program = { change->name, 0 };

      if (*change->name && get_program_change (change, &program.bytes))
        g_array_append_val (known, program);
    }
  g_array_sort (known, compare_programs);
  largest = known->len > 0 ? ABS (g_array_index (known, Program, 0).bytes) : 0;
  for (guint i = 0; i < MIN (known->len, MAX_PROGRAMS); i++)
    {
      const Program *program = &g_array_index (known, Program, i);
      FpMachineChange *change;
      char shown[512];

      if (ABS (program->bytes) < largest / LEAST_PART)
        break;
      fp_display_escape (program->name, shown, sizeof shown);
      change = add (self, shown, FP_MACHINE_PROGRAMS, program->bytes);
      if (!change)
        continue;
      change->is_program = TRUE;
      change->search = fp_query_term_make ("program", program->name);
      left -= program->bytes;
    }
  add (self, left == line ? _ (fp_machine_line_infos[FP_MACHINE_PROGRAMS].title) : _ ("Other programs"), FP_MACHINE_PROGRAMS,
       left);
}

/* Growth comes before what pays for it, and the largest of each first. */
static int
compare_changes (gconstpointer a,
                 gconstpointer b)
{
  const FpMachineChange *x = *(const FpMachineChange *const *)a, *y = *(const FpMachineChange *const *)b;

  if ((x->bytes > 0) != (y->bytes > 0))
    return x->bytes > 0 ? -1 : 1;
  return (ABS (x->bytes) < ABS (y->bytes)) - (ABS (x->bytes) > ABS (y->bytes));
}

/* programs: of FpProgramChange */
FpMachineChanges *
fp_machine_changes_new (const FpMachineState *before,
                        const FpMachineState *now,
                        const GArray *programs)
{
  FpMachineChanges *self = g_new0 (FpMachineChanges, 1);
  gint64 page_tables = now->page_tables - before->page_tables;

  self->changes = g_ptr_array_new_with_free_func (change_free);
  add_programs (self, programs, get_change (before, now, FP_MACHINE_PROGRAMS));
  for (FpMachineLine line = 0; line < FP_N_MACHINE_LINES; line++)
    {
      gint64 bytes = get_change (before, now, line);

      if (line == FP_MACHINE_PROGRAMS)
        continue;
      if (line == FP_MACHINE_KERNEL)
        add (self, _ ("Page tables"), line, page_tables);
      add (self, _ (fp_machine_line_infos[line].title), line, bytes - (line == FP_MACHINE_KERNEL ? page_tables : 0));
    }
  g_ptr_array_sort (self->changes, compare_changes);
  return self;
}

void
fp_machine_changes_free (FpMachineChanges *self)
{
  g_ptr_array_unref (self->changes);
  g_free (self);
}

static const FpMachineChange *
get (const FpMachineChanges *self,
     guint index)
{
  return g_ptr_array_index (self->changes, index);
}

/* The unit is that of the largest change. */
static guint64
find_unit (const FpMachineChanges *self,
           const char **name)
{
  guint64 largest = 0, unit = 1;
  guint i = 0;

  for (guint k = 0; k < self->changes->len; k++)
    largest = MAX (largest, (guint64)ABS (get (self, k)->bytes));
  for (; largest / unit >= 1000 && i + 1 < FP_N_UNITS_OF_BYTES; i++)
    unit *= 1024;
  *name = fp_figure_get_unit (i);
  return unit;
}

/* Rounds all to tenths of the unit, and down or up so that they still sum to the rounded sum: those change that are nearest
 * to the other tenth. */
static gint64 *
round_all (const FpMachineChanges *self,
           guint64 unit)
{
  guint n = self->changes->len;
  gint64 *tenths = g_new (gint64, n + 1);
  gint64 left = llround ((double)self->sum * 10 / (double)unit);

  for (guint i = 0; i < n; i++)
    {
      tenths[i] = llround ((double)get (self, i)->bytes * 10 / (double)unit);
      left -= tenths[i];
    }
  for (; left != 0 && n > 0; left -= left > 0 ? 1 : -1)
    {
      gint64 step = left > 0 ? 1 : -1;
      double best = -G_MAXDOUBLE;
      guint at = 0;

      for (guint i = 0; i < n; i++)
        {
          double missing = ((double)get (self, i)->bytes * 10 / (double)unit - (double)tenths[i]) * (double)step;

          if (missing > best)
            {
              best = missing;
              at = i;
            }
        }
      tenths[at] += step;
    }
  return tenths;
}

/* Whether it is more than a twentieth of the unit that the largest is told in. */
gboolean
fp_machine_changes_are_shown (const FpMachineChanges *self,
                              guint index)
{
  const char *name;
  g_autofree gint64 *tenths = round_all (self, find_unit (self, &name));

  return tenths[index] != 0;
}

static void
append_tenths (GString *text,
               gint64 tenths)
{
  g_string_append_printf (text, "%s%.1f", tenths < 0 ? "−" : tenths > 0 ? "+"
                                                                        : "",
                          (double)ABS (tenths) / 10);
}

static char *
describe_exactly (const FpMachineChanges *self,
                  const FpFormat *format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char size[2 * FP_FIGURE_TEXT_SIZE];

  for (guint i = 0; i < self->changes->len; i++)
    {
      const FpMachineChange *change = get (self, i);

      fp_machine_ends_format_change ((FpMachineEnds){ change->bytes, change->bytes }, format, size, sizeof size);
      g_string_append_printf (text, "%s%s %s", i > 0 ? _ (", ") : "", change->name, size);
    }
  fp_machine_ends_format_change ((FpMachineEnds){ self->sum, self->sum }, format, size, sizeof size);
  g_string_append_printf (text, " = %s", size);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* As “firefox +1.2, Cache −1.5, Free +0.3 GiB = 0”. NULL: nothing has changed; free the text */
char *
fp_machine_changes_describe (const FpMachineChanges *self,
                             const FpFormat *format)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree gint64 *tenths = NULL;
  const char *unit;
  gint64 sum = 0;

  if (self->changes->len == 0)
    return NULL;
  if (format->style != FP_STYLE_IEC)
    return describe_exactly (self, format);
  tenths = round_all (self, find_unit (self, &unit));
  for (guint i = 0; i < self->changes->len; i++)
    {
      if (tenths[i] == 0)
        continue;
      g_string_append_printf (text, "%s%s\u00a0", text->len > 0 ? _ (", ") : "", get (self, i)->name);
      append_tenths (text, tenths[i]);
      sum += tenths[i];
    }
  g_string_append_printf (text, "\u00a0%s = ", unit);
  if (sum == 0)
    g_string_append_c (text, '0');
  else
    {
      append_tenths (text, sum);
      g_string_append_printf (text, "\u00a0%s", unit);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
