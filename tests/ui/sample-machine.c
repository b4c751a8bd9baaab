// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample-machine.h"

#include "population-snapshot.h"

#define MIB     G_GUINT64_CONSTANT (1048576)
#define FILLED  (1152 * MIB)
#define WAITED  1870 /* hundredths of a percent of a minute: 11.2 s */
#define IN_TMP  (236 * MIB)
#define IN_SHM  (128 * MIB)
#define IN_RUN  (12 * MIB)
#define IN_HELD (36 * MIB)

static void
change (FpSystem *system,
        FpSystemField field,
        gint64 by)
{
  fp_system_set (system, field, (guint64)((gint64)fp_system_get (system, field) + by));
}

FpSnapshot *
sample_machine_make_snapshot (guint reading)
{
  FpSnapshot *snapshot = population_make_snapshot ();
  FpSystem *system = &snapshot->system;

  snapshot->info.boottime_us += reading * G_USEC_PER_SEC;
  snapshot->info.realtime_us += reading * G_USEC_PER_SEC;
  fp_system_set (system, FP_SYSTEM_PRESSURE_SOME_60, WAITED);
  if (reading < 3)
    return snapshot;
  change (system, FP_SYSTEM_SHMEM, FILLED);
  change (system, FP_SYSTEM_CACHED, FILLED);
  change (system, FP_SYSTEM_INACTIVE_ANON, FILLED);
  change (system, FP_SYSTEM_MEM_FREE, -(gint64)FILLED);
  change (system, FP_SYSTEM_MEM_AVAILABLE, -(gint64)FILLED);
  return snapshot;
}

static void
add_tmpfs (FpKept *kept,
           const char *path,
           guint64 used,
           guint64 size)
{
  FpTmpfs tmpfs = { .device = kept->tmpfs->len + 40, .path = g_strdup (path), .used = used, .size = size, .has_used = TRUE };

  g_array_append_val (kept->tmpfs, tmpfs);
}

FpKept *
sample_machine_make_kept (guint reading)
{
  FpKept *kept = fp_kept_new ();
  FpHeldFile held = { .device = 1, .inode = 7, .name = g_strdup ("wayland-cursor"), .used = IN_HELD, .pid = 2190, .n_holders = 1 };

  add_tmpfs (kept, "/tmp", IN_TMP + (reading < 3 ? 0 : FILLED), 16384 * MIB);
  add_tmpfs (kept, "/dev/shm", IN_SHM + (g_getenv ("SAMPLE_SHM_GROWS") && reading > 3 ? 4096 * MIB : 0), 16384 * MIB);
  add_tmpfs (kept, "/run", IN_RUN, 3195 * MIB);
  g_array_append_val (kept->held, held);
  if (g_getenv ("SAMPLE_GRAPHICS"))
    g_array_append_vals (kept->graphics, &(FpGraphics){ .driver = "i915", .pid = 2190, .n_holders = 1, .in_ram = 200 * MIB }, 1);
  return kept;
}
