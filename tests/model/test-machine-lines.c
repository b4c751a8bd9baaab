// SPDX-License-Identifier: GPL-3.0-or-later
/* The lines of the view of the machine: they sum to the machine's memory, and their changes to nothing. */
#include "fixture-snapshot.h"
#include "fp-columns.h"
#include "fp-machine-kept.h"
#include "fp-machine-parts.h"

#define MIB    (G_GUINT64_CONSTANT (1) << 20)
#define TOTAL  (16384 * MIB)
#define SWAP   (4096 * MIB)
#define SECOND G_GUINT64_CONSTANT (1000000)

typedef struct
{
  FixtureSnapshot snapshot;
  FpRecords *processes, *users, *all;
} Fixture;

typedef struct
{
  FpSystemField field;
  guint64 mib;
} Figure;

static const Figure figures[] = {
  { FP_SYSTEM_MEM_FREE, 1000 },
  { FP_SYSTEM_FREE_AT_HAND, 7 },
  { FP_SYSTEM_MEM_AVAILABLE, 6000 },
  { FP_SYSTEM_ANON_PAGES, 5000 },
  { FP_SYSTEM_MAPPED, 900 },
  { FP_SYSTEM_SHMEM, 700 },
  { FP_SYSTEM_CACHED, 6000 },
  { FP_SYSTEM_BUFFERS, 100 },
  { FP_SYSTEM_SLAB, 800 },
  { FP_SYSTEM_S_RECLAIMABLE, 500 },
  { FP_SYSTEM_PAGE_TABLES, 60 },
  { FP_SYSTEM_KERNEL_STACK, 20 },
  { FP_SYSTEM_PERCPU, 10 },
  { FP_SYSTEM_VMALLOC_USED, 50 },
  { FP_SYSTEM_ZRAM_USED, 300 },
  { FP_SYSTEM_ZRAM_STORED, 900 },
  { FP_SYSTEM_SWAP_FREE, 3096 },
  { FP_SYSTEM_HIDDEN_TASKS, 0 },
};

static void
set_mib (Fixture *self,
         FpSystemField field,
         guint64 mib)
{
  fp_system_set (&self->snapshot.snapshot->system, field, mib * MIB);
}

static FpProcess *
add_process (Fixture *self,
             gint pid,
             const char *program,
             const char *user,
             guint64 anon,
             guint64 files,
             guint64 shmem)
{
  FpProcess *process = fixture_snapshot_add (&self->snapshot, pid, program);

  fixture_snapshot_set_text (&self->snapshot, process, FP_TEXT_USER, user);
  fixture_set_figures (process, (anon + files + shmem) * MIB, (anon + files + shmem) * 2 * MIB, 0);
  fp_memory_set (&process->memory, FP_FIELD_PSS_ANON, anon * MIB);
  fp_memory_set (&process->memory, FP_FIELD_PSS_FILE, files * MIB);
  fp_memory_set (&process->memory, FP_FIELD_PSS_SHMEM, shmem * MIB);
  return process;
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  fixture_snapshot_init (&self->snapshot, 8);
  fp_system_set (&self->snapshot.snapshot->system, FP_SYSTEM_MEM_TOTAL, TOTAL);
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    set_mib (self, figures[i].field, figures[i].mib);
  add_process (self, 10, "firefox", "anna", 3000, 400, 150);
  add_process (self, 11, "postgres", "ben", 2000, 250, 100);
}

static void
sum_up (Fixture *self)
{
  g_clear_pointer (&self->processes, fp_records_unref);
  g_clear_pointer (&self->users, fp_records_unref);
  g_clear_pointer (&self->all, fp_records_unref);
  self->processes = fixture_snapshot_make_records (&self->snapshot);
  self->users = fp_totals_new (self->processes, NULL, self->processes->n,
                               fp_columns_get_role (FP_ROLE_ACCOUNT, FP_RECORD_PROCESS), NULL);
  self->all = fp_totals_new (self->processes, NULL, self->processes->n, NULL, NULL);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_clear_pointer (&self->processes, fp_records_unref);
  g_clear_pointer (&self->users, fp_records_unref);
  g_clear_pointer (&self->all, fp_records_unref);
  fixture_snapshot_clear (&self->snapshot);
}

static FpMachineInput
make_input (Fixture *self)
{
  sum_up (self);
  return (FpMachineInput){ .processes = self->processes, .users = self->users, .sum = self->all, .format = { FP_STYLE_IEC, TOTAL, SWAP } };
}

/* Two lines can be ranges, and one has what the other has not. */
static void
assert_sum (const FpMachineState *state)
{
  gint64 low = 0, high = 0;
  gint64 width = state->lines[FP_MACHINE_KEPT].high - state->lines[FP_MACHINE_KEPT].low;

  for (FpMachineLine i = 0; i < FP_N_MACHINE_LINES; i++)
    {
      const FpMachineEnds *ends = &state->lines[i];

      g_assert_cmpint (ends->low, <=, ends->high);
      if (i == FP_MACHINE_KEPT || i == FP_MACHINE_CACHE)
        g_assert_cmpint (ends->high - ends->low, ==, width);
      else
        g_assert_cmpint (ends->low, ==, ends->high);
      low += ends->low;
      high += ends->high;
    }
  g_assert_cmpint (low + width, ==, state->total);
  g_assert_cmpint (high - width, ==, state->total);
}

static void
assert_line (const FpMachine *machine,
             FpMachineLine line,
             gint64 low_mib,
             gint64 high_mib)
{
  g_assert_cmpint (machine->lines[line].ends.low, ==, low_mib * (gint64)MIB);
  g_assert_cmpint (machine->lines[line].ends.high, ==, high_mib * (gint64)MIB);
}

static void
assert_plain (const char *text,
              const char *expected)
{
  g_auto (GStrv) words = g_strsplit (text, "\u00a0", -1);
  g_autofree char *plain = g_strjoinv (" ", words);

  g_assert_cmpstr (plain, ==, expected);
}

static void
assert_words (const FpMachine *machine,
              FpMachineLine line,
              const char *expected)
{
  g_autofree char *text = fp_machine_describe_line (machine, line);

  assert_plain (text, expected);
}

static void
test_sum (Fixture *self,
          gconstpointer data)
{
  const FpMachineInput input = make_input (self);
  g_autoptr (FpMachine) machine = fp_machine_new (&input);

  g_assert_true (machine->is_known);
  assert_sum (&machine->state);
  assert_line (machine, FP_MACHINE_PROGRAMS, 5900, 5900);
  assert_line (machine, FP_MACHINE_KEPT, 450, 450);
  assert_line (machine, FP_MACHINE_SWAP, 300, 300);
  assert_line (machine, FP_MACHINE_CACHE, 4750, 4750);
  assert_line (machine, FP_MACHINE_KERNEL, 920, 920);
  assert_line (machine, FP_MACHINE_FREE, 1007, 1007);
  assert_line (machine, FP_MACHINE_UNEXPLAINED, 16384 - 5900 - 450 - 300 - 4750 - 920 - 1007,
               16384 - 5900 - 450 - 300 - 4750 - 920 - 1007);
  g_assert_false (machine->lines[FP_MACHINE_GRAPHICS].is_used);
  g_assert_false (machine->lines[FP_MACHINE_HUGE_PAGES].is_used);
  g_assert_false (machine->lines[FP_MACHINE_FREE].has_change);
  assert_words (machine, FP_MACHINE_PROGRAMS, "anna 3.5 GiB, ben 2.3 GiB");
  assert_words (machine, FP_MACHINE_KERNEL, "500 MiB of it is given back when needed");
  assert_words (machine, FP_MACHINE_SWAP, "1000 MiB of 4.0 GiB swap is used; 900 MiB packed into 300 MiB (3.0 to 1)");
}

/* Programs are exact although one of them can't be read; only how mapped pages divide is not known. */
static void
test_unread (Fixture *self,
             gconstpointer data)
{
  FpProcess *process = fixture_snapshot_add_reason (&self->snapshot, 12, "secret", FP_REASON_PERMISSION);
  FpMachineInput input;
  g_autoptr (FpMachine) machine = NULL;

  set_mib (self, FP_SYSTEM_ANON_PAGES, 5500);
  set_mib (self, FP_SYSTEM_MAPPED, 1000);
  fp_memory_set (&process->memory, FP_FIELD_RSS, 900 * MIB);
  fp_memory_set (&process->memory, FP_FIELD_RSS_ANON, 500 * MIB);
  fp_memory_set (&process->memory, FP_FIELD_RSS_FILE, 370 * MIB);
  fp_memory_set (&process->memory, FP_FIELD_RSS_SHMEM, 30 * MIB);
  input = make_input (self);
  machine = fp_machine_new (&input);
  assert_sum (&machine->state);
  assert_line (machine, FP_MACHINE_PROGRAMS, 6500, 6500);
  assert_line (machine, FP_MACHINE_KEPT, 700 - 280, 700 - 250);
  assert_line (machine, FP_MACHINE_CACHE, 5400 - 750, 5400 - 720);
  assert_words (machine, FP_MACHINE_PROGRAMS, "anna 3.5 GiB, ben 2.3 GiB, not measured 600–900 MiB");
}

/* Hidden processes can have mapped any of it. */
static void
test_hidden (Fixture *self,
             gconstpointer data)
{
  FpMachineInput input;
  g_autoptr (FpMachine) machine = NULL;

  fp_system_set (&self->snapshot.snapshot->system, FP_SYSTEM_HIDDEN_TASKS, 3);
  set_mib (self, FP_SYSTEM_MAPPED, 1000);
  input = make_input (self);
  machine = fp_machine_new (&input);
  assert_sum (&machine->state);
  assert_line (machine, FP_MACHINE_PROGRAMS, 6000, 6000);
  assert_line (machine, FP_MACHINE_KEPT, 700 - 350, 700 - 250);
}

/* Unread processes have the rest of the line up to their bounds, and hidden ones, if there are any, have it beyond that. The
 * bound is always that of the total, which the pane and the lists show. */
static void
test_rest (Fixture *self,
           gconstpointer data)
{
  static const struct
  {
    guint64 anon, hidden;
    const char *words, *user; /* user: who then counts it */
  } cases[] = {
    { 5500, 0, "anna 3.5 GiB, ben 2.3 GiB, not measured ≤ 70.0 MiB, other programs 430–500 MiB" },
    { 5500, 3, "anna 3.5 GiB, ben 2.3 GiB, not measured ≤ 70.0 MiB, hidden programs 430–500 MiB" },
    { 5030, 0, "anna 3.5 GiB, ben 2.3 GiB, not measured 30.0–70.0 MiB" },
    { 5000, 0, "anna 3.5 GiB, ben 2.3 GiB, not measured ≤ 70.0 MiB" },
    { 2600, 0, "anna 3.4 GiB, not measured ≤ 70.0 MiB" },
    { 3650, 3, "anna 3.5 GiB, ben 1000 MiB, not measured ≤ 70.0 MiB" },
    { 5500, 0, "anna 3.5 GiB, ben 2.3 GiB, not measured ≤ 70.0 MiB, other programs 430–500 MiB", "anna" },
  };
  FpProcess *process = fixture_snapshot_add_reason (&self->snapshot, 12, "secret", FP_REASON_PERMISSION);

  fp_memory_set (&process->memory, FP_FIELD_RSS, 70 * MIB);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FpMachineInput input;
      g_autoptr (FpMachine) machine = NULL;

      fixture_snapshot_set_text (&self->snapshot, process, FP_TEXT_USER, cases[i].user ? cases[i].user : "");
      set_mib (self, FP_SYSTEM_ANON_PAGES, cases[i].anon);
      fp_system_set (&self->snapshot.snapshot->system, FP_SYSTEM_HIDDEN_TASKS, cases[i].hidden);
      input = make_input (self);
      machine = fp_machine_new (&input);
      assert_words (machine, FP_MACHINE_PROGRAMS, cases[i].words);
    }
}

static void
test_available (Fixture *self,
                gconstpointer data)
{
  static const struct
  {
    guint64 mib;
    const char *words;
    FpFilling filling;
  } cases[] = {
    { 6000, "5.9 GiB is available at once: 1007 MiB is free, and the rest comes from cache, programs’ files and the kernel." },
    { 1007, "1007 MiB is available at once." },
    { 900, "900 MiB is available at once. At this rate memory is full in about 40 minutes.", { .is_told = TRUE, .earliest = 40, .latest = 40 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FpMachineInput input;
      g_autoptr (FpMachine) machine = NULL;
      g_autofree char *text = NULL;

      set_mib (self, FP_SYSTEM_MEM_AVAILABLE, cases[i].mib);
      input = make_input (self);
      input.filling = cases[i].filling;
      machine = fp_machine_new (&input);
      text = fp_machine_describe_available (machine);
      assert_plain (text, cases[i].words);
    }
}

/* Readings of different moments: processes may have more than the machine says. */
static void
test_drift (Fixture *self,
            gconstpointer data)
{
  static const guint64 mapped[] = { 0, 1, 200, 651, 899, 901, 5000 };

  for (guint i = 0; i < G_N_ELEMENTS (mapped); i++)
    for (guint64 shmem = 0; shmem < 800; shmem += 90)
      {
        FpMachineState state;

        set_mib (self, FP_SYSTEM_MAPPED, mapped[i]);
        set_mib (self, FP_SYSTEM_SHMEM, shmem);
        sum_up (self);
        g_assert_true (fp_machine_state_make (&state, &self->snapshot.snapshot->system, fp_totals_get (self->all, 0), NULL));
        assert_sum (&state);
        g_assert_cmpint (state.lines[FP_MACHINE_KEPT].low, >=, 0);
      }
}

static void
add_graphics (FpKept *kept,
              gint pid,
              guint64 mib,
              gboolean is_shmem)
{
  const FpGraphics graphics = { .driver = "i915", .pid = pid, .n_holders = 1, .in_ram = mib * MIB, .is_shmem = is_shmem };

  g_array_append_val (kept->graphics, graphics);
}

/* Buffers in shared memory are not counted twice; the others have no other name. */
static void
test_graphics (Fixture *self,
               gconstpointer data)
{
  g_autoptr (FpKept) kept = fp_kept_new ();
  FpMachineInput input = make_input (self);
  g_autoptr (FpMachine) machine = NULL;

  add_graphics (kept, 10, 120, TRUE);
  add_graphics (kept, 10, 33, FALSE);
  input.kept = kept;
  machine = fp_machine_new (&input);
  assert_sum (&machine->state);
  assert_line (machine, FP_MACHINE_GRAPHICS, 153, 153);
  assert_line (machine, FP_MACHINE_KEPT, 330, 330);
  assert_line (machine, FP_MACHINE_UNEXPLAINED, 3057 - 33, 3057 - 33);
  assert_words (machine, FP_MACHINE_GRAPHICS, "firefox 120 MiB, firefox 33.0 MiB");
  g_clear_pointer (&machine, fp_machine_free);

  /* There can't be more of them than there is shared memory. */
  add_graphics (kept, 10, 4000, TRUE);
  machine = fp_machine_new (&input);
  assert_sum (&machine->state);
  assert_line (machine, FP_MACHINE_GRAPHICS, 450 + 33, 450 + 33);
  assert_line (machine, FP_MACHINE_KEPT, 0, 0);
}

static gint64
sum_changes (const FpMachine *machine)
{
  gint64 sum = 0;

  for (FpMachineLine i = 0; i < FP_N_MACHINE_LINES; i++)
    if (machine->lines[i].has_change)
      {
        g_assert_cmpint (machine->lines[i].change.low, ==, machine->lines[i].change.high);
        sum += machine->lines[i].change.low;
      }
  return sum;
}

/* A program grows, and the cache gives way. Graphics that were not read at the start have changed nobody knows how. */
static void
test_changes (Fixture *self,
              gconstpointer data)
{
  g_autoptr (FpKept) kept = fp_kept_new ();
  FpMachineMoment start;
  FpMachineInput input = make_input (self);
  g_autoptr (FpMachine) machine = NULL;

  g_assert_true (fp_machine_moment_make (&start, self->snapshot.snapshot, fp_totals_get (input.sum, 0)));
  set_mib (self, FP_SYSTEM_ANON_PAGES, 5700);
  set_mib (self, FP_SYSTEM_CACHED, 5100);
  set_mib (self, FP_SYSTEM_MEM_FREE, 1100);
  add_graphics (kept, 10, 50, TRUE);
  input = make_input (self);
  input.start = &start;
  input.kept = kept;
  machine = fp_machine_new (&input);
  g_assert_cmpint (machine->lines[FP_MACHINE_PROGRAMS].change.low, ==, 700 * (gint64)MIB);
  g_assert_cmpint (machine->lines[FP_MACHINE_CACHE].change.low, ==, -900 * (gint64)MIB);
  g_assert_cmpint (machine->lines[FP_MACHINE_KEPT].change.low, ==, 0);
  g_assert_cmpint (machine->lines[FP_MACHINE_FREE].change.low, ==, 100 * (gint64)MIB);
  g_assert_cmpint (machine->lines[FP_MACHINE_UNEXPLAINED].change.low, ==, 100 * (gint64)MIB);
  g_assert_false (machine->lines[FP_MACHINE_GRAPHICS].has_change);
  g_assert_cmpint (sum_changes (machine), ==, 0);
  g_clear_pointer (&machine, fp_machine_free);

  /* From a mark on, they are known. */
  fp_machine_state_make (&start.state, &self->snapshot.snapshot->system, fp_totals_get (input.sum, 0), kept);
  add_graphics (kept, 10, 5, TRUE);
  machine = fp_machine_new (&input);
  g_assert_cmpint (machine->lines[FP_MACHINE_GRAPHICS].change.low, ==, 5 * (gint64)MIB);
  g_assert_cmpint (machine->lines[FP_MACHINE_KEPT].change.low, ==, -5 * (gint64)MIB);
  g_assert_cmpint (sum_changes (machine), ==, 0);
}

static void
assert_format (gint64 low,
               gint64 high,
               gboolean has_sign,
               const char *expected)
{
  const FpFormat format = { .memory_total = TOTAL };
  char text[2 * FP_FIGURE_TEXT_SIZE];

  fp_machine_ends_format ((FpMachineEnds){ low, high }, &format, has_sign, text, sizeof text);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_format (void)
{
  assert_format (300 << 20, 300 << 20, FALSE, "300 MiB");
  assert_format (300 << 20, 300 << 20, TRUE, "+300 MiB");
  assert_format (-(300 << 20), -(300 << 20), TRUE, "−300 MiB");
  assert_format (-(300 << 20), -(300 << 20), FALSE, "−300 MiB");
  assert_format (0, 0, TRUE, "0 B");
  assert_format (-(300 << 20), 200 << 20, TRUE, "−300 MiB to +200 MiB");
  assert_format (200 << 20, 300 << 20, FALSE, "200–300 MiB");
}

static void
assert_change (gint64 low,
               gint64 high,
               const char *expected,
               const char *expected_words)
{
  const FpFormat format = { .memory_total = TOTAL };
  g_autofree char *words = fp_machine_ends_describe_change ((FpMachineEnds){ low, high }, &format);
  char text[2 * FP_FIGURE_TEXT_SIZE];

  fp_machine_ends_format_change ((FpMachineEnds){ low, high }, &format, text, sizeof text);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpstr (words, ==, expected_words);
}

/* A range has one figure in its middle, and both of its ends in words; opposite ranges have opposite middles. */
static void
test_format_change (void)
{
  assert_change (300 << 20, 300 << 20, "+300 MiB", "changed by +300 MiB");
  assert_change (0, 0, "0 B", "changed by 0 B");
  assert_change (-(300 << 20), 200 << 20, "≈\u00a0−50.0 MiB", "changed by between −300 MiB and +200 MiB");
  assert_change (-(200 << 20), 300 << 20, "≈\u00a0+50.0 MiB", "changed by between −200 MiB and +300 MiB");
  assert_change (-(10 << 20), 10 << 20, "≈\u00a00 B", "changed by between −10.0 MiB and +10.0 MiB");
}

/* A machine that tells nothing has no lines, and no zeros. */
static void
test_unknown (Fixture *self,
              gconstpointer data)
{
  FpMachineInput input;
  g_autoptr (FpMachine) machine = NULL;
  g_autofree char *available = NULL, *waiting = NULL;

  self->snapshot.snapshot->system = (FpSystem){ 0 };
  input = make_input (self);
  machine = fp_machine_new (&input);
  g_assert_false (machine->is_known);
  g_assert_cmpint (machine->shortage.level, ==, FP_SHORTAGE_UNKNOWN);
  available = fp_machine_describe_available (machine);
  waiting = fp_machine_describe_waiting (machine);
  g_assert_null (available);
  g_assert_cmpstr (waiting, ==, "Neither how long programs wait for memory nor how much is available is known here.");
}

static FpMachineItem *
find_item (FpMachineItems *items,
           const char *name)
{
  for (guint i = 0; i < items->len; i++)
    if (g_str_equal (((FpMachineItem *)items->pdata[i])->name, name))
      return items->pdata[i];
  g_error ("There is no item “%s”", name);
}

/* Users and programs lead to their processes, files in memory have the size of their file system beside them. */
static void
test_parts (Fixture *self,
            gconstpointer data)
{
  g_autoptr (FpKept) kept = fp_kept_new ();
  const FpTmpfs tmpfs = { .path = g_strdup ("/tmp"), .used = 300 * MIB, .size = 2048 * MIB, .has_used = TRUE };
  const FpHeldFile held = { .name = g_strdup ("cache\n"), .used = 20 * MIB, .pid = 10, .n_holders = 2 };
  /* These are counted elsewhere. */
  const FpHeldFile deleted = { .name = g_strdup ("/tmp/gone"), .used = 10 * MIB, .pid = 10, .n_holders = 1, .is_in_tmpfs = TRUE };
  const FpTmpfs pool = { .path = g_strdup ("/dev/hugepages"), .used = 64 * MIB, .has_used = TRUE, .kind = FP_TMPFS_HUGE };
  FpMachineInput input = make_input (self);
  g_autoptr (FpMachine) machine = NULL;
  g_autoptr (GPtrArray) programs = NULL, files = NULL;
  FpMachineItem *item;

  g_array_append_val (kept->tmpfs, tmpfs);
  g_array_append_val (kept->held, held);
  g_array_append_val (kept->held, deleted);
  g_array_append_val (kept->tmpfs, pool);
  input.kept = kept;
  machine = fp_machine_new (&input);
  programs = fp_machine_list_parts (machine, FP_MACHINE_PROGRAMS);
  item = find_item (programs, "firefox");
  g_assert_cmpint (item->target_kind, ==, FP_MACHINE_TARGET_SEARCH);
  g_assert_cmpstr (item->target, ==, "program=firefox");
  g_assert_cmpuint (item->figure.low, ==, 3550 * MIB);
  g_assert_cmpstr (find_item (programs, "anna")->target, ==, "account=anna");
  files = fp_machine_list_parts (machine, FP_MACHINE_KEPT);
  g_assert_cmpuint (find_item (files, "/tmp")->figure.low, ==, 300 * MIB);
  g_assert_cmpstr (find_item (files, "/tmp")->remark, ==, "Files kept in memory or swap, limited to 2.0\u00a0GiB, mapped ones included");
  item = find_item (files, "cache\\n");
  g_assert_cmpstr (item->remark, ==, "File without a name, held by firefox and 1 other process");
  g_assert_cmpstr (item->target, ==, "pid=10");
  assert_words (machine, FP_MACHINE_KEPT, "/tmp 300 MiB, files without a name 20.0 MiB");
}

static FpSegment
make_segment (guint64 id,
              guint64 resident,
              guint64 n_attached)
{
  return (FpSegment){ .id = id, .size = 8 * MIB, .resident = resident, .n_attached = n_attached };
}

/* Files without a known size are named, those of others are told from one's own, and the kernel's wrong figure for a
 * segment of huge pages is left out. Where all is more than the line, part of it is mapped, so that figures are upper ends.
 * From a sandbox none is listed. */
static void
test_kept (Fixture *self,
           gconstpointer data)
{
  g_autoptr (FpKept) kept = fp_kept_new ();
  const FpTmpfs all[] = {
    { .path = g_strdup ("/dev/shm"), .used = 900 * MIB, .size = 2048 * MIB, .has_used = TRUE },
    { .path = g_strdup ("/"), .used = 4 * MIB, .size = 2048 * MIB, .has_used = TRUE, .pid = 10, .device = 77 },
    { .path = g_strdup ("/big") },
    { .path = g_strdup ("/ram"), .kind = FP_TMPFS_RAMFS },
  };
  const FpSegment segments[] = { make_segment (1, 4096 * MIB, 0), make_segment (2, 8 * MIB, 0), make_segment (3, 8 * MIB, 1) };
  const FpHeldFile mapped = { .name = g_strdup ("video"), .used = 1500 * MIB, .pid = 10, .n_holders = 1, .is_mapped = TRUE };
  FpMachineInput input = make_input (self);
  g_autoptr (FpMachine) machine = NULL;
  g_autoptr (GPtrArray) files = NULL, others = fp_machine_items_new ();

  g_array_append_vals (kept->tmpfs, all, G_N_ELEMENTS (all));
  g_array_append_val (kept->held, mapped);
  kept->segments = g_array_new (FALSE, FALSE, sizeof (FpSegment));
  g_array_append_vals (kept->segments, segments, G_N_ELEMENTS (segments));
  kept->n_unread = 3;
  input.kept = kept;
  input.format.swap_total = 0;
  machine = fp_machine_new (&input);
  assert_words (machine, FP_MACHINE_KEPT, "/dev/shm ≤ 900 MiB, unused shared segments 8.0 MiB, root folder of firefox ≤ 4.0 MiB · 3 processes not looked at");
  files = fp_machine_list_parts (machine, FP_MACHINE_KEPT);
  g_assert_cmpstr (find_item (files, "/dev/shm")->remark, ==, "Files kept in memory, limited to 2.0\u00a0GiB, mapped ones included");
  g_assert_cmpint (find_item (files, "/big")->figure.kind, ==, FP_FIGURE_UNKNOWN);
  g_assert_cmpint (find_item (files, "/ram")->figure.kind, ==, FP_FIGURE_UNKNOWN);
  g_assert_cmpint (find_item (files, "Files held by others")->figure.kind, ==, FP_FIGURE_UNKNOWN);
  g_assert_cmpuint (find_item (files, "video")->figure.low, ==, 0);
  g_assert_cmpuint (find_item (files, "video")->figure.high, ==, 1500 * MIB);
  g_assert_cmpint (find_item (files, "root folder of firefox")->target_kind, ==, FP_MACHINE_TARGET_FILES);
  g_assert_cmpstr (find_item (files, "root folder of firefox")->target, ==, "77");
  g_assert_cmpint (find_item (files, "/ram")->target_kind, ==, FP_MACHINE_TARGET_NONE);
  g_assert_cmpstr (find_item (files, "Shared segment 2")->remark, ==, "System V shared memory of anna that no process uses");
  g_assert_cmpuint (files->len, ==, 7);
  input.is_sandboxed = TRUE;
  fp_machine_list_kept (others, &input, machine->snapshot);
  g_assert_cmpint (find_item (others, "root folder of firefox")->target_kind, ==, FP_MACHINE_TARGET_SEARCH);
  g_assert_true (find_item (others, "/dev/shm")->target_kind == FP_MACHINE_TARGET_NONE && !find_item (others, "/dev/shm")->hint);
}

/* Sums are lower ends where not all was looked at, and the line says why; the smallest of many parts are added up. */
static void
test_kept_limits (Fixture *self,
                  gconstpointer data)
{
  g_autoptr (FpKept) kept = fp_kept_new ();
  FpMachineInput input = make_input (self);

  for (guint i = 1; i <= 15; i++)
    {
      const FpHeldFile held = { .name = g_strdup_printf ("held %u", i), .used = i * MIB, .pid = 10, .n_holders = 1, .is_mapped = i <= 4 };

      g_array_append_val (kept->held, held);
    }
  input.kept = kept;
  for (guint i = 0; i < 4; i++)
    {
      static const char *const expected[] = { "files without a name 110 MiB", "files without a name ≥ 110 MiB",
                                              "files without a name ≥ 110 MiB · there is more than Footprint looks at",
                                              "files without a name ≥ 110 MiB · 1 process not looked at, there is more than Footprint looks at" };
      g_autoptr (FpMachine) machine = NULL;
      g_autoptr (GPtrArray) files = NULL;

      kept->n_pending = i == 1 ? 5 : 0;
      kept->is_cut = i >= 2;
      kept->n_unread = i == 3;
      machine = fp_machine_new (&input);
      assert_words (machine, FP_MACHINE_KEPT, expected[i]);
      files = fp_machine_list_parts (machine, FP_MACHINE_KEPT);
      g_assert_cmpuint (files->len, ==, 12 + (i > 0) + (i == 3));
      g_assert_cmpuint (find_item (files, "held 5")->figure.low, ==, 5 * MIB);
      g_assert_cmpuint (find_item (files, "4 others")->figure.high, ==, 10 * MIB);
      g_assert_cmpint (find_item (files, "4 others")->figure.kind, ==, FP_FIGURE_AT_MOST);
      if (i == 2)
        g_assert_cmpint (find_item (files, "Not looked at")->figure.kind, ==, FP_FIGURE_UNKNOWN);
    }
}

/* Rates are bytes a second, and only where there was a refresh before. */
static void
test_rates (Fixture *self,
            gconstpointer data)
{
  FpSnapshot *snapshot = self->snapshot.snapshot;
  FpMachineMoment before;
  FpMachineInput input;
  g_autoptr (FpMachine) machine = NULL;
  g_autoptr (GPtrArray) items = NULL;

  fp_system_set (&snapshot->system, FP_SYSTEM_SWAP_INS, 1000);
  fp_system_set (&snapshot->system, FP_SYSTEM_SWAP_OUTS, 5000);
  input = make_input (self);
  fp_machine_moment_make (&before, snapshot, fp_totals_get (input.sum, 0));
  snapshot->info.boottime_us += 2 * SECOND;
  fp_system_set (&snapshot->system, FP_SYSTEM_SWAP_INS, 1000 + 512);
  input.before = &before;
  machine = fp_machine_new (&input);
  items = fp_machine_list_parts (machine, FP_MACHINE_SWAP);
  g_assert_cmpuint (find_item (items, "Read from swap each second")->figure.low, ==, MIB);
  g_assert_cmpuint (find_item (items, "Written to swap each second")->figure.low, ==, 0);
  g_assert_cmpint (find_item (items, "Swap of no process")->figure.kind, ==, FP_FIGURE_EXACT);
}

/* A zram disk with files has an item of its own beside swap, and the line says so, also where there is no swap. */
static void
test_plain_zram (Fixture *self,
                 gconstpointer data)
{
  FpSystem *system = &self->snapshot.snapshot->system;
  FpMachineInput input;
  g_autoptr (FpMachine) machine = NULL;
  g_autoptr (GPtrArray) items = NULL;
  FpMachineItem *item;

  system->n_swaps = 1;
  system->swaps[0] = (FpSwap){ .name = "/dev/zram0", .type = FP_SWAP_ZRAM, .size = 4096 * MIB, .used = 1000 * MIB, .stored = 600 * MIB, .compressed = 190 * MIB, .cost = 200 * MIB };
  input = make_input (self);
  machine = fp_machine_new (&input);
  assert_words (machine, FP_MACHINE_SWAP, "1000 MiB of 4.0 GiB swap is used; 600 MiB packed into 200 MiB (3.0 to 1); zram disks that are not swap take 100 MiB");
  items = fp_machine_list_parts (machine, FP_MACHINE_SWAP);
  item = find_item (items, "Other zram disks");
  g_assert_cmpuint (item->figure.low, ==, 100 * MIB);
  g_assert_cmpstr (item->remark, ==, "Files or other data of 300\u00a0MiB, packed 3.0 to 1; not swap");
  g_clear_pointer (&machine, fp_machine_free);

  system->n_swaps = 0;
  fp_system_set (system, FP_SYSTEM_SWAP_TOTAL, 0);
  fp_system_set (system, FP_SYSTEM_SWAP_FREE, 0);
  input = make_input (self);
  input.format.swap_total = 0;
  machine = fp_machine_new (&input);
  assert_words (machine, FP_MACHINE_SWAP, "There is no swap; zram disks that are not swap take 300 MiB");
  g_clear_pointer (&items, g_ptr_array_unref);
  items = fp_machine_list_parts (machine, FP_MACHINE_SWAP);
  for (guint i = 0; i < items->len; i++)
    g_assert_cmpstr (((FpMachineItem *)items->pdata[i])->name, !=, "Swap of no process");
}

/* A heading has no figure, and says where not all is below it. */
static void
test_sections (void)
{
  static const char *const names[] = { "first", "By user: the 2 largest of 3", "c", "b", "By program", "a" };
  g_autoptr (GPtrArray) items = fp_machine_items_new ();
  FpMachineItems *users = fp_machine_items_new (), *programs = fp_machine_items_new ();

  fp_machine_items_add (items, "first", fp_figure_exact (1));
  fp_machine_items_add (users, "a", fp_figure_exact (1));
  fp_machine_items_add (users, "b", fp_figure_exact (2));
  fp_machine_items_add (users, "c", fp_figure_exact (3));
  fp_machine_items_add (programs, "a", fp_figure_exact (9));
  fp_machine_items_add_section (items, "By user", users, 2);
  fp_machine_items_add_section (items, "By program", programs, 2);
  fp_machine_items_add_section (items, "By nobody", fp_machine_items_new (), 2);
  g_assert_cmpuint (items->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < items->len; i++)
    {
      const FpMachineItem *item = items->pdata[i];

      g_assert_cmpstr (item->name, ==, names[i]);
      g_assert_true (item->is_heading == (i == 1 || i == 4));
      g_assert_true ((item->figure.kind == FP_FIGURE_NONE) == item->is_heading);
    }
}

static void
assert_limits (const FpMachineInput *input,
               const char *expected)
{
  g_autoptr (FpMachine) machine = fp_machine_new (input);
  g_autofree char *text = fp_machine_describe_limits (machine);

  assert_plain (text ? text : "", expected);
}

/* The lower limit counts, and the fullest group is named. */
static void
test_limits (Fixture *self,
             gconstpointer data)
{
  const guint64 bits = G_GUINT64_CONSTANT (1) << FP_CONTROL_MEMORY | G_GUINT64_CONSTANT (1) << FP_CONTROL_HIGH |
                       G_GUINT64_CONSTANT (1) << FP_CONTROL_MAX;
  g_autoptr (FpControlGroups) groups = g_new0 (FpControlGroups, 1);
  FpMachineInput input = make_input (self);

  g_atomic_ref_count_init (&groups->ref_count);
  groups->texts = g_string_chunk_new (16);
  groups->groups = g_new0 (FpControlGroup, 2);
  groups->n = 2;
  for (guint i = 0; i < 2; i++)
    {
      groups->groups[i] = (FpControlGroup){ .present = bits, .parent = FP_CONTROL_NONE, .path = "", .name = i ? "postgres" : "cron" };
      groups->groups[i].figures[FP_CONTROL_MEMORY] = 800 * MIB;
      groups->groups[i].figures[FP_CONTROL_HIGH] = groups->groups[i].figures[FP_CONTROL_MAX] = FP_CONTROL_NO_LIMIT;
    }
  assert_limits (&input, "");
  input.groups = groups;
  assert_limits (&input, "");
  groups->has_memory = TRUE;
  assert_limits (&input, "No service, app or user has a limit on its memory.");
  groups->groups[0].figures[FP_CONTROL_MAX] = 1600 * MIB;
  groups->groups[1].figures[FP_CONTROL_MAX] = 1000 * MIB;
  assert_limits (&input, "Nothing is near its limit; postgres is the nearest, with 800 MiB of 1000 MiB.");
  groups->groups[1].figures[FP_CONTROL_HIGH] = 880 * MIB;
  assert_limits (&input, "postgres is near its limit: it has 800 MiB of 880 MiB.");
}

/* The first moment stays known however many follow. */
static void
test_history (Fixture *self,
              gconstpointer data)
{
  FpSnapshot *snapshot = self->snapshot.snapshot;
  g_autoptr (FpMachineHistory) history = fp_machine_history_new ();
  guint64 first_us = snapshot->info.boottime_us;

  g_assert_null (fp_machine_history_get_first (history));
  sum_up (self);
  for (guint i = 0; i < FP_MACHINE_MOMENTS + 10; i++)
    {
      fp_machine_history_take (history, snapshot, fp_totals_get (self->all, 0), 5 * SECOND);
      snapshot->info.boottime_us += i == FP_MACHINE_MOMENTS ? 6 * SECOND : SECOND;
    }
  g_assert_cmpuint (history->moments->len, ==, FP_MACHINE_MOMENTS);
  g_assert_cmpuint (fp_machine_history_get_first (history)->time_us, ==, first_us);
  for (guint i = 0; i < FP_MACHINE_MOMENTS; i++)
    g_assert_cmpint (g_array_index (history->moments, FpMachineMoment, i).follows_gap, ==, i == FP_MACHINE_MOMENTS - 9);
  g_assert_null (fp_machine_history_get_before (history, first_us));
  g_assert_cmpuint (fp_machine_history_get_before (history, first_us + 20 * SECOND)->time_us, ==, first_us + 19 * SECOND);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/machine/sum", Fixture, NULL, set_up, test_sum, tear_down);
  g_test_add ("/machine/unread", Fixture, NULL, set_up, test_unread, tear_down);
  g_test_add ("/machine/hidden", Fixture, NULL, set_up, test_hidden, tear_down);
  g_test_add ("/machine/drift", Fixture, NULL, set_up, test_drift, tear_down);
  g_test_add ("/machine/graphics", Fixture, NULL, set_up, test_graphics, tear_down);
  g_test_add ("/machine/changes", Fixture, NULL, set_up, test_changes, tear_down);
  g_test_add_func ("/machine/format", test_format);
  g_test_add_func ("/machine/format-change", test_format_change);
  g_test_add ("/machine/unknown", Fixture, NULL, set_up, test_unknown, tear_down);
  g_test_add ("/machine/parts", Fixture, NULL, set_up, test_parts, tear_down);
  g_test_add ("/machine/kept", Fixture, NULL, set_up, test_kept, tear_down);
  g_test_add ("/machine/kept-limits", Fixture, NULL, set_up, test_kept_limits, tear_down);
  g_test_add ("/machine/rates", Fixture, NULL, set_up, test_rates, tear_down);
  g_test_add ("/machine/plain-zram", Fixture, NULL, set_up, test_plain_zram, tear_down);
  g_test_add_func ("/machine/sections", test_sections);
  g_test_add ("/machine/limits", Fixture, NULL, set_up, test_limits, tear_down);
  g_test_add ("/machine/history", Fixture, NULL, set_up, test_history, tear_down);
  g_test_add ("/machine/rest", Fixture, NULL, set_up, test_rest, tear_down);
  g_test_add ("/machine/available", Fixture, NULL, set_up, test_available, tear_down);
  return g_test_run ();
}
