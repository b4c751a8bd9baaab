// SPDX-License-Identifier: GPL-3.0-or-later
/* Swap in the view of the machine: a zram disk whose cost can't be read is counted neither as 0 nor twice, and the groups that
 * have something in swap are named. */
#include "fixture-snapshot.h"
#include "fp-columns.h"
#include "fp-machine-parts.h"

#define MIB G_GUINT64_CONSTANT (1048576)

typedef struct
{
  FixtureSnapshot snapshot;
  FpRecords *processes, *users, *all;
  FpMachine *machine;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  static const struct
  {
    FpSystemField field;
    guint64 mib;
  } figures[] = {
    { FP_SYSTEM_MEM_TOTAL, 1000 },
    { FP_SYSTEM_MEM_FREE, 100 },
    { FP_SYSTEM_ANON_PAGES, 500 },
    { FP_SYSTEM_MAPPED, 0 },
    { FP_SYSTEM_SWAP_TOTAL, 800 },
    { FP_SYSTEM_SWAP_FREE, 300 },
    { FP_SYSTEM_HIDDEN_TASKS, 0 },
  };
  FpSystem *system;

  fixture_snapshot_init (&self->snapshot, 1);
  system = &self->snapshot.snapshot->system;
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    fp_system_set (system, figures[i].field, figures[i].mib * MIB);
  system->n_swaps = 1;
  system->swaps[0] = (FpSwap){ .name = "/dev/zram0",
                               .type = FP_SWAP_ZRAM,
                               .priority = 100,
                               .size = 800 * MIB,
                               .used = 500 * MIB,
                               .stored = FP_SWAP_UNKNOWN,
                               .compressed = FP_SWAP_UNKNOWN,
                               .cost = FP_SWAP_UNKNOWN };
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_clear_pointer (&self->machine, fp_machine_free);
  g_clear_pointer (&self->processes, fp_records_unref);
  g_clear_pointer (&self->users, fp_records_unref);
  g_clear_pointer (&self->all, fp_records_unref);
  fixture_snapshot_clear (&self->snapshot);
}

static void
make_machine (Fixture *self,
              FpControlGroups *groups)
{
  const FpColumn *account = fp_columns_get_role (FP_ROLE_ACCOUNT, FP_RECORD_PROCESS);
  FpMachineInput input = { .format = { .memory_total = 1000 * MIB, .swap_total = 800 * MIB } };

  self->processes = fixture_snapshot_make_records (&self->snapshot);
  self->users = fp_totals_new (self->processes, NULL, self->processes->n, account, NULL);
  self->all = fp_totals_new (self->processes, NULL, self->processes->n, NULL, NULL);
  input.processes = self->processes;
  input.users = self->users;
  input.sum = self->all;
  input.groups = groups;
  self->machine = fp_machine_new (&input);
  g_assert_true (self->machine->is_known);
}

static void
assert_line (const Fixture *self,
             FpMachineLine line,
             gint64 low_mib,
             gint64 high_mib)
{
  g_assert_cmpint (self->machine->state.lines[line].low, ==, low_mib * (gint64)MIB);
  g_assert_cmpint (self->machine->state.lines[line].high, ==, high_mib * (gint64)MIB);
}

static void
assert_remarks (const Fixture *self)
{
  g_autofree char *words = fp_machine_describe_line (self->machine, FP_MACHINE_SWAP);
  g_autoptr (GPtrArray) items = fp_machine_list_parts (self->machine, FP_MACHINE_SWAP);
  const FpMachineItem *device = items->pdata[0];

  g_assert_cmpstr (words, ==, "500\u00a0MiB of 800 MiB swap is used; what zram takes of memory can’t be read here");
  g_assert_cmpstr (device->name, ==, "/dev/zram0");
  g_assert_cmpstr (device->remark, ==, "Of 800\u00a0MiB in total, compressed in RAM, priority 100, takes — of memory");
}

/* Nothing bounds it but what is not explained. */
static void
test_nothing_known (Fixture *self,
                    gconstpointer data)
{
  char text[FP_FIGURE_TEXT_SIZE * 2];

  make_machine (self, NULL);
  assert_line (self, FP_MACHINE_SWAP, 0, 400);
  assert_line (self, FP_MACHINE_UNEXPLAINED, 0, 400);
  fp_machine_ends_format (self->machine->state.lines[FP_MACHINE_SWAP], &self->machine->input.format, FALSE, text, sizeof text);
  g_assert_cmpstr (text, ==, "0 B–400 MiB");
  assert_remarks (self);
}

/* The kernel counts the pages of zram and zswap together. */
static void
test_pages_known (Fixture *self,
                  gconstpointer data)
{
  FpSystem *system = &self->snapshot.snapshot->system;

  fp_system_set (system, FP_SYSTEM_ZS_PAGES, 160 * MIB);
  fp_system_set (system, FP_SYSTEM_ZSWAP, 40 * MIB);
  fp_system_set (system, FP_SYSTEM_ZSWAPPED, 90 * MIB);
  make_machine (self, NULL);
  assert_line (self, FP_MACHINE_SWAP, 40 + 120, 40 + 160);
  assert_line (self, FP_MACHINE_UNEXPLAINED, 1000 - 100 - 500 - 40 - 160, 1000 - 100 - 500 - 40 - 120);
  assert_remarks (self);
}

/* A user's service manager has all of its apps inside, which are named for it. What has nothing in swap is left out. */
static void
test_groups (Fixture *self,
             gconstpointer data)
{
  static const struct
  {
    FpControlKind kind;
    guint parent;
    const char *path;
    const char *name;
    guint64 swap_mib;
  } samples[] = {
    { FP_CONTROL_KIND_USER, FP_CONTROL_NONE, "/user.slice/user-1000.slice", "ada", 90 },
    { FP_CONTROL_KIND_SERVICE, 0, "/user.slice/user-1000.slice/user@1000.service", "user manager", 90 },
    { FP_CONTROL_KIND_APP, 1, "/user.slice/user-1000.slice/user@1000.service/app.slice/app-x.scope", "x", 70 },
    { FP_CONTROL_KIND_APP, 1, "/user.slice/user-1000.slice/user@1000.service/app.slice/app-y.scope", "y", 0 },
    { FP_CONTROL_KIND_SERVICE, FP_CONTROL_NONE, "/system.slice/z.service", "z", 300 },
  };
  static const char *const expected[] = { "In swap, by group, shared memory included", "z", "x" };
  g_autoptr (FpControlGroups) groups = fp_control_groups_new (G_N_ELEMENTS (samples));
  g_autoptr (GPtrArray) items = NULL;
  guint first;

  groups->n = G_N_ELEMENTS (samples);
  for (guint i = 0; i < groups->n; i++)
    {
      groups->groups[i] = (FpControlGroup){ .kind = samples[i].kind, .parent = samples[i].parent };
      groups->groups[i].path = samples[i].path;
      groups->groups[i].name = samples[i].name;
      groups->groups[i].present = FP_CONTROL_BIT (SWAP);
      groups->groups[i].figures[FP_CONTROL_SWAP] = samples[i].swap_mib * MIB;
    }
  make_machine (self, groups);
  items = fp_machine_list_parts (self->machine, FP_MACHINE_SWAP);
  g_assert_cmpuint (items->len, >=, G_N_ELEMENTS (expected));
  first = items->len - G_N_ELEMENTS (expected);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (((FpMachineItem *)items->pdata[first + i])->name, ==, expected[i]);
  g_assert_cmpuint (((FpMachineItem *)items->pdata[first + 1])->figure.low, ==, 300 * MIB);
  g_assert_cmpstr (((FpMachineItem *)items->pdata[first + 1])->target, ==, "control_group=/system.slice/z.service");
}

/* Beside “Calm” a full swap bar is explained. */
static void
test_full (Fixture *self,
           gconstpointer data)
{
  FpSystem *system = &self->snapshot.snapshot->system;

  fp_system_set (system, FP_SYSTEM_MEM_AVAILABLE, 100 * MIB);
  for (guint64 free_mib = 41; free_mib >= 40; free_mib--)
    {
      g_autofree char *text = NULL;

      fp_system_set (system, FP_SYSTEM_SWAP_FREE, free_mib * MIB);
      make_machine (self, NULL);
      text = fp_machine_describe_available (self->machine);
      g_assert_cmpint (strstr (text, "Swap is nearly full") != NULL, ==, free_mib == 40);
      g_clear_pointer (&self->machine, fp_machine_free);
      g_clear_pointer (&self->processes, fp_records_unref);
      g_clear_pointer (&self->users, fp_records_unref);
      g_clear_pointer (&self->all, fp_records_unref);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/machine-swap/nothing-known", Fixture, NULL, set_up, test_nothing_known, tear_down);
  g_test_add ("/machine-swap/pages-known", Fixture, NULL, set_up, test_pages_known, tear_down);
  g_test_add ("/machine-swap/groups", Fixture, NULL, set_up, test_groups, tear_down);
  g_test_add ("/machine-swap/full", Fixture, NULL, set_up, test_full, tear_down);
  return g_test_run ();
}
