// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-cli-machine.h"
#include "fp-cli-system.h"
#include "fp-control-words.h"
#include "fp-display.h"
#include "fp-shares.h"

#define LABEL_WIDTH  34
#define FIGURE_WIDTH 14
#define CHANGE_WIDTH 10
#define MAX_USERS    10
#define NOT_KNOWN    N_ ("Unknown: this /proc has no meminfo")

typedef struct
{
  const FpCliView *view;
  const FpCliPaper *paper;
  GString *out;
  gboolean has_hidden; /* processes that are not even listed */
} Page;

static void
add_heading (const Page *page,
             const char *title)
{
  g_string_append_printf (page->out, "%s%s%s%s\n", page->out->len ? "\n" : "", page->paper->colour ? "\033[1m" : "",
                          title, page->paper->colour ? "\033[0m" : "");
}

/* Breaks between words what is wider than the paper. */
static void
add_wrapped (const Page *page,
             guint indent,
             const char *text)
{
  guint width = page->paper->width - MIN (page->paper->width, indent);

  while (page->paper->width && fp_display_width (text) > width)
    {
      const char *blank = g_strrstr_len (text, (gssize)fp_display_fit (text, width), " ");

      if (!blank)
        break;
      g_string_append_len (page->out, text, blank - text);
      g_string_append_printf (page->out, "\n%*s", (int)indent, "");
      text = blank + 1;
    }
  g_string_append (page->out, text);
}

static void
add_line (const Page *page,
          guint depth,
          const char *label,
          const char *figure,
          const char *remark)
{
  guint used = depth * 2 + fp_display_width (label) + fp_display_width (figure);
  guint pad = MAX (LABEL_WIDTH + FIGURE_WIDTH, used + 2) - used;

  if (!*figure)
    {
      g_string_append_printf (page->out, "%*s%s\n", (int)depth * 2, "", label);
      return;
    }
  g_string_append_printf (page->out, "%*s%s%*s%s", (int)depth * 2, "", label, (int)pad, "", figure);
  if (*remark && page->paper->width && used + pad + 2 + fp_display_width (remark) > page->paper->width)
    {
      g_string_append_printf (page->out, "\n%*s", (int)depth * 2 + 4, "");
      add_wrapped (page, depth * 2 + 4, remark);
    }
  else if (*remark)
    g_string_append_printf (page->out, "  %s", remark);
  g_string_append_c (page->out, '\n');
}

static void
format_bytes (const Page *page,
              FpFigure figure,
              guint64 whole,
              char *text)
{
  fp_figure_format (figure, FP_UNIT_BYTES, page->view->options->style, whole, text, FP_FIGURE_TEXT_SIZE);
}

static void
add_bytes (const Page *page,
           guint depth,
           const char *label,
           FpFigure figure,
           const char *remark)
{
  char text[FP_FIGURE_TEXT_SIZE];

  format_bytes (page, figure, page->view->format.memory_total, text);
  add_line (page, depth, label, text, remark);
}

static void
add_signed (const Page *page,
            guint depth,
            const char *label,
            gint64 bytes,
            const char *remark)
{
  char text[FP_FIGURE_TEXT_SIZE], negative[FP_FIGURE_TEXT_SIZE + 4];

  format_bytes (page, fp_figure_exact ((guint64)ABS (bytes)), page->view->format.memory_total, text);
  g_snprintf (negative, sizeof negative, "%s%s", bytes < 0 ? "−" : "", text);
  add_line (page, depth, label, negative, remark);
}

/* As far as their processes could be read */
static FpFigure
get_read (const FpTotal *total,
          FpField field)
{
  return (FpFigure){ FP_FIGURE_RANGE, total->low[field], total->low[field] + fp_total_get_spread (total, field) };
}

/* By whom, the biggest first. */
static void
add_users (const Page *page,
           FpRecords *users,
           FpField field)
{
  g_autoptr (FpRows) rows = fp_rows_new ();
  guint64 low = 0, spread = 0;

  fp_rows_set_sort (rows, fp_columns_find (fp_field_infos[field].name, FP_RECORD_TOTAL), TRUE);
  fp_rows_update (rows, users, &page->view->format);
  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      const FpTotal *user = fp_totals_get (users, fp_rows_get (rows, i)->index);
      char name[256];

      if (i >= MAX_USERS)
        {
          low += user->low[field];
          spread += fp_total_get_spread (user, field);
          continue;
        }
      fp_display_escape (user->name, name, sizeof name);
      if (user->low[field] > 0)
        add_bytes (page, 2, name, get_read (user, field), "");
    }
  if (low > 0)
    /* Translators: the other users, at the end of a list */
    add_bytes (page, 2, _ ("others"), (FpFigure){ FP_FIGURE_RANGE, low, low + spread }, "");
}

static void
add_rest (const Page *page,
          const FpShare *share)
{
  gboolean is_anonymous = share->part == FP_PART_ANONYMOUS;
  const char *label;

  if (page->has_hidden)
    label = is_anonymous ? _ ("of no process, or of processes hidden from here")
                         : _ ("mapped by no process, or by processes hidden from here");
  else
    label = is_anonymous ? _ ("of no process (the counters drift)") : _ ("mapped by no process");
  if (share->rest < share->rest_at_most)
    add_bytes (page, 1, label, (FpFigure){ FP_FIGURE_RANGE, (guint64)share->rest, (guint64)share->rest_at_most }, "");
  else
    add_signed (page, 1, label, share->rest, "");
}

static gboolean
is_shown (const FpLedger *ledger,
          FpPart part)
{
  return ledger->parts[part] != 0 || part == FP_PART_REMAINDER || (part == FP_PART_ZRAM && ledger->zram_more > 0);
}

static void
add_share (const Page *page,
           const FpShare *share,
           FpRecords *users)
{
  if (!share->read && !share->unread_at_most)
    return;
  add_bytes (page, 1, _ ("of processes that could be read"),
             (FpFigure){ FP_FIGURE_RANGE, share->read, share->read + share->more_at_most }, "");
  add_users (page, users, share->field);
  if (share->unread_at_most)
    add_bytes (page, 1, _ ("of processes that could not be read"), fp_figure_at_most (share->unread_at_most), "");
  add_rest (page, share);
}

static void
add_part (const Page *page,
          const FpLedger *ledger,
          FpPart part,
          const char *remark)
{
  FpMachineEnds ends = { ledger->parts[part], ledger->parts[part] };
  char text[2 * FP_FIGURE_TEXT_SIZE];

  if (part == FP_PART_ZRAM)
    ends.high += ledger->zram_more;
  if (part == FP_PART_REMAINDER)
    ends.low -= ledger->zram_more;
  fp_machine_ends_format (ends, &page->view->format, FALSE, text, sizeof text);
  add_line (page, 0, _ (fp_part_infos[part].title), text, remark);
}

/* Meanings stand beside all parts or, in a terminal that is too narrow for one of them, beside none. */
static gboolean
has_room_for_meanings (const Page *page,
                       const FpLedger *ledger)
{
  guint widest = 0;

  for (FpPart part = 0; part < FP_N_PARTS; part++)
    if (is_shown (ledger, part))
      widest = MAX (widest, fp_display_width (_ (fp_part_infos[part].meaning)));
  return page->paper->width == 0 || LABEL_WIDTH + FIGURE_WIDTH + 2 + widest <= page->paper->width;
}

static void
add_ledger (const Page *page,
            const FpRecords *all,
            FpRecords *users)
{
  const FpSystem *system = &page->view->snapshot->system;
  FpShare shares[FP_N_SHARES];
  gboolean has_meanings;
  FpLedger ledger;

  add_heading (page, _ ("The kernel’s figures"));
  if (!fp_ledger_make (&ledger, system))
    {
      add_line (page, 0, _ (NOT_KNOWN), "", "");
      return;
    }
  fp_shares_make (shares, &ledger, fp_totals_get (all, 0));
  has_meanings = has_room_for_meanings (page, &ledger);
  for (FpPart part = 0; part < FP_N_PARTS; part++)
    {
      if (!is_shown (&ledger, part))
        continue;
      add_part (page, &ledger, part, has_meanings ? _ (fp_part_infos[part].meaning) : "");
      for (guint i = 0; i < FP_N_SHARES; i++)
        if (shares[i].part == part)
          add_share (page, &shares[i], users);
    }
  /* Translators: the sum of all */
  add_bytes (page, 0, _ ("Total"), fp_figure_exact (fp_system_get (system, FP_SYSTEM_MEM_TOTAL)), "");
  if (fp_system_has (system, FP_SYSTEM_MEM_AVAILABLE))
    add_bytes (page, 0, _ ("Available to programs"), fp_figure_exact (fp_system_get (system, FP_SYSTEM_MEM_AVAILABLE)),
               "");
}

static void
add_swap_device (const Page *page,
                 const FpSwap *swap)
{
  /* Translators: kind of a swap device */
  static const char *const types[] = { N_ ("partition"), N_ ("file"), N_ ("compressed in RAM") };
  g_autoptr (GString) remark = g_string_new (NULL);
  char text[FP_FIGURE_TEXT_SIZE], cost[FP_FIGURE_TEXT_SIZE], name[512];

  format_bytes (page, fp_figure_exact (swap->size), page->view->format.swap_total, text);
  /* Translators: a size, “partition”, “file” or “compressed in RAM”, and a number; behind how much of it is used */
  g_string_append_printf (remark, _ ("of %s, %s, priority %d"), text, _ (types[swap->type]), swap->priority);
  if (swap->type == FP_SWAP_ZRAM && !fp_swap_has_cost (swap))
    fp_display_append_item (remark, g_strdup (_ ("in — of RAM")));
  if (fp_swap_has_cost (swap))
    {
      format_bytes (page, fp_figure_exact (swap->stored), page->view->format.swap_total, text);
      format_bytes (page, fp_figure_exact (swap->cost), page->view->format.swap_total, cost);
      /* Translators: what is swapped out, and how much memory it takes in a compressed form */
      fp_display_append_item (remark, g_strdup_printf (_ ("holding %s in %s of RAM"), text, cost));
    }
  fp_display_escape (swap->name, name, sizeof name);
  format_bytes (page, fp_figure_exact (swap->used), page->view->format.swap_total, text);
  add_line (page, 1, name, text, remark->str);
}

static void
add_swap (const Page *page,
          const FpRecords *all)
{
  const FpSystem *system = &page->view->snapshot->system;
  FpFigure accounted = fp_records_get_figure (all, 0, FP_FIELD_SWAP_PSS);
  char text[FP_FIGURE_TEXT_SIZE], used_text[FP_FIGURE_TEXT_SIZE];
  g_autofree char *remark = NULL;
  guint64 used;

  add_heading (page, _ ("Swap"));
  if (!fp_system_get_swap_used (system, &used))
    {
      add_line (page, 0, _ (NOT_KNOWN), "", "");
      return;
    }
  if (page->view->format.swap_total == 0)
    {
      add_line (page, 0, _ ("This machine has no swap"), "", "");
      return;
    }
  format_bytes (page, fp_figure_exact (page->view->format.swap_total), page->view->format.swap_total, text);
  format_bytes (page, fp_figure_exact (used), page->view->format.swap_total, used_text);
  remark = g_strdup_printf (_ ("of %s"), text);
  /* Translators: how much of the swap is used */
  add_line (page, 0, _ ("Used"), used_text, remark);
  format_bytes (page, accounted, page->view->format.swap_total, text);
  add_line (page, 1, _ ("of processes"), text, "");
  format_bytes (page, fp_shares_get_swap_rest (system, fp_totals_get (all, 0)), page->view->format.swap_total, text);
  add_line (page, 1, _ ("of no process"), text,
            page->has_hidden ? _ ("shared memory, files kept in memory, pages of ended processes or of processes hidden from here")
                             : _ ("shared memory, files kept in memory, pages of ended processes"));
  for (guint i = 0; i < system->n_swaps; i++)
    add_swap_device (page, &system->swaps[i]);
  if (fp_system_get (system, FP_SYSTEM_ZSWAPPED))
    {
      format_bytes (page, fp_figure_exact (fp_system_get (system, FP_SYSTEM_ZSWAP)), page->view->format.memory_total,
                    text);
      g_free (remark);
      remark = g_strdup_printf (_ ("in %s of RAM, before it goes to a device"), text);
      add_bytes (page, 1, _ ("compressed by zswap"), fp_figure_exact (fp_system_get (system, FP_SYSTEM_ZSWAPPED)),
                 remark);
    }
}

static void
add_percent (const Page *page,
             const char *label,
             FpSystemField first)
{
  const FpSystem *system = &page->view->snapshot->system;
  char text[FP_FIGURE_TEXT_SIZE], remark[128];

  if (!fp_system_has (system, first))
    return;
  g_snprintf (text, sizeof text, "%.2f %%", (double)fp_system_get (system, first) / 100);
  /* Translators: follows a percentage; both others are of longer times */
  g_snprintf (remark, sizeof remark, _ ("of the last 10 s; %.2f %% of 60 s, %.2f %% of 5 min"),
              (double)fp_system_get (system, first + 1) / 100, (double)fp_system_get (system, first + 2) / 100);
  add_line (page, 0, label, text, remark);
}

static void
add_pressure (const Page *page)
{
  if (!fp_system_has (&page->view->snapshot->system, FP_SYSTEM_PRESSURE_SOME_10))
    return;
  add_heading (page, _ ("Time lost waiting for memory"));
  add_percent (page, _ ("Some tasks"), FP_SYSTEM_PRESSURE_SOME_10);
  add_percent (page, _ ("All tasks"), FP_SYSTEM_PRESSURE_FULL_10);
}

static void
add_sentence (const Page *page,
              char *text)
{
  g_autofree char *sentence = text;

  if (!sentence)
    return;
  add_wrapped (page, 0, sentence);
  g_string_append_c (page->out, '\n');
}

/* The figure, and under --watch what has changed since the start. */
static void
add_machine_line (const Page *page,
                  const FpMachine *machine,
                  FpMachineLine i)
{
  const FpMachineLineState *line = &machine->lines[i];
  char figure[2 * FP_FIGURE_TEXT_SIZE], change[2 * FP_FIGURE_TEXT_SIZE];
  g_autofree char *who = fp_machine_describe_line (machine, i), *remark = NULL;

  if (!line->is_used)
    return;
  fp_machine_ends_format (line->ends, &page->view->format, FALSE, figure, sizeof figure);
  if (line->has_change)
    {
      fp_machine_ends_format (line->change, &page->view->format, TRUE, change, sizeof change);
      remark = g_strdup_printf ("%*s  %s", CHANGE_WIDTH - (int)MIN (fp_display_width (change), CHANGE_WIDTH) + (int)strlen (change), change, who);
    }
  add_line (page, 0, _ (fp_machine_line_infos[i].title), figure, remark ? g_strchomp (remark) : who);
}

static void
add_machine (const Page *page,
             const FpMachine *machine)
{
  g_autofree char *title = fp_shortage_make_title (&machine->shortage, machine->input.groups);

  add_heading (page, title);
  add_sentence (page, fp_machine_describe_waiting (machine));
  add_sentence (page, fp_machine_describe_killed (machine));
  add_sentence (page, fp_machine_describe_available (machine));
  add_sentence (page, fp_machine_describe_limits (machine));
  add_sentence (page, machine->input.groups ? fp_control_words_explain_cut (machine->input.groups) : NULL);
  if (!machine->is_known)
    return;
  add_heading (page, page->view->before     ? _ ("Memory, and its change between the two moments")
                     : machine->input.start ? _ ("Memory, and its change since the start")
                                            : _ ("Memory"));
  for (FpMachineLine i = 0; i < FP_N_MACHINE_LINES; i++)
    add_machine_line (page, machine, i);
}

static void
add_facts (const Page *page,
           const FpMachine *machine)
{
  g_autoptr (GPtrArray) facts = fp_machine_list_facts (machine);

  if (facts->len > 0)
    add_heading (page, _ ("More figures"));
  for (guint i = 0; i < facts->len; i++)
    {
      const FpMachineItem *item = g_ptr_array_index (facts, i);
      char text[FP_FIGURE_TEXT_SIZE];

      fp_machine_format_item (machine, item, text);
      add_line (page, 0, item->name, text, item->remark ? item->remark : "");
    }
}

void
fp_cli_system_print (const FpCliView *view,
                     const FpCliPaper *paper,
                     GString *out)
{
  Page page = { view, paper, out, fp_system_get (&view->snapshot->system, FP_SYSTEM_HIDDEN_TASKS) > 0 };
  g_auto (FpCliMachine) machine = { 0 };

  fp_cli_machine_init (&machine, view);
  add_machine (&page, machine.machine);
  add_ledger (&page, machine.all, machine.users);
  add_swap (&page, machine.all);
  add_pressure (&page);
  add_facts (&page, machine.machine);
}
