// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "population-snapshot.h"
#include "population-system.h"

#define TICKS_PER_SECOND G_GUINT64_CONSTANT (100)
#define BOOTTIME_US      (G_GUINT64_CONSTANT (794262) * G_USEC_PER_SEC)     /* nine days and some hours */
#define REALTIME_US      (G_GUINT64_CONSTANT (1773311064) * G_USEC_PER_SEC) /* 2026-03-12 10:24:24 UTC */
#define LAST_OF_BOOT     2000                                               /* PIDs up to here started with the machine */

typedef struct
{
  FpSnapshot *snapshot;
  FpStrings strings;
} Maker;

/* “#” is the number, of “{a|b}” stays the alternative of this number. */
static char *
expand (const char *text,
        guint number)
{
  const char *open = strchr (text, '{'), *close = open ? strchr (open, '}') : NULL;
  g_autofree char *digits = g_strdup_printf ("%u", number);
  GString *expanded = g_string_new (text);

  if (close)
    {
      g_autofree char *inside = g_strndup (open + 1, (gsize)(close - open - 1));
      g_auto (GStrv) alternatives = g_strsplit (inside, "|", -1);

      g_string_truncate (expanded, (gsize)(open - text));
      g_string_append (expanded, alternatives[number % g_strv_length (alternatives)]);
      g_string_append (expanded, close + 1);
    }
  g_string_replace (expanded, "#", digits, 0);
  return g_string_free (expanded, FALSE);
}

static gint
compare_pids (gconstpointer a,
              gconstpointer b)
{
  const PopulationMember *first = a, *second = b;

  return (first->pid > second->pid) - (first->pid < second->pid);
}

static void
clear_member (gpointer data)
{
  g_free (((PopulationMember *)data)->exe);
}

static GArray *
make_members (void)
{
  GArray *members = g_array_new (FALSE, FALSE, sizeof (PopulationMember));

  g_array_set_clear_func (members, clear_member);
  for (guint i = 0; i < population_n_lines; i++)
    for (guint number = 0; number < population_lines[i].n; number++)
      {
        const PopulationLine *line = &population_lines[i];
        PopulationMember member = {
          .pid = line->pid + (gint)number * (line->step ? line->step : 3),
          .number = number,
          .line = line,
          .exe = line->exe ? expand (line->exe, number) : NULL,
        };

        g_array_append_val (members, member);
      }
  g_array_sort (members, compare_pids);
  return members;
}

/* They come in the order of their PIDs. */
static guint64
get_start_ticks (gint pid)
{
  return pid <= LAST_OF_BOOT ? 40 + (guint64)pid * 2 : 9000 + (guint64)(pid - LAST_OF_BOOT) * 184;
}

static void
set_comm (FpIdentity *identity,
          const PopulationMember *member)
{
  g_autofree char *name = NULL;

  if (member->line->comm)
    name = expand (member->line->comm, member->number);
  else
    name = g_strndup (strrchr (member->exe, '/') + 1, 15);
  g_strlcpy (identity->comm, name, sizeof identity->comm);
}

/* As fp_identity_read() finds it out from /proc; of a process that may not be read the file is not known. */
static void
identify (FpIdentity *identity,
          const PopulationMember *member)
{
  const PopulationLine *line = member->line;
  g_autofree char *path = expand (line->cgroup, member->number), *cgroup = g_strconcat ("0::", path, "\n", NULL);
  g_autofree char *command = NULL;
  gsize length;

  *identity = (FpIdentity){ 0 };
  fp_cgroup_parse (&identity->cgroup, cgroup, strlen (cgroup));
  set_comm (identity, member);
  g_strlcpy (identity->program, identity->comm, sizeof identity->program);
  if (!member->exe)
    return;
  if (line->reason != FP_REASON_PERMISSION)
    {
      g_strlcpy (identity->exe, member->exe, sizeof identity->exe);
      identity->exe_state = line->exe_state == FP_EXE_UNKNOWN ? FP_EXE_PRESENT : line->exe_state;
    }
  command = expand (line->command ? line->command : line->exe, member->number);
  g_strlcpy (identity->command, command, sizeof identity->command);
  length = strlen (command) + 1;
  g_strdelimit (command, " ", '\0');
  fp_identity_find_program (identity, command, length);
}

static const PopulationUser *
get_user (guint32 uid)
{
  for (guint i = 0; i < population_n_users; i++)
    if (population_users[i].uid == uid)
      return &population_users[i];
  g_assert_not_reached ();
}

static void
set_texts (Maker *self,
           FpProcess *process,
           const FpIdentity *identity)
{
  const char *const texts[FP_N_TEXTS] = {
    [FP_TEXT_COMM] = identity->comm,
    [FP_TEXT_COMMAND] = identity->command,
    [FP_TEXT_PROGRAM] = identity->program,
    [FP_TEXT_EXE] = identity->exe,
    [FP_TEXT_USER] = get_user (process->uid)->name,
    [FP_TEXT_FULL_NAME] = get_user (process->uid)->full_name,
    [FP_TEXT_APP] = identity->cgroup.app,
    [FP_TEXT_UNIT] = identity->cgroup.unit,
    [FP_TEXT_SLICE] = identity->cgroup.slice,
    [FP_TEXT_CONTAINER] = identity->cgroup.container,
    [FP_TEXT_CONTROL_GROUP] = identity->cgroup.path,
  };

  for (FpText text = 0; text < FP_N_TEXTS; text++)
    process->texts[text] = fp_strings_intern (&self->strings, texts[text]);
  process->exe_state = (guint8)identity->exe_state;
}

/* The figures that everybody may know of every process */
static void
set_counts (FpProcess *process,
            const PopulationMember *member)
{
  guint64 pages = (fp_memory_get (&process->memory, FP_FIELD_RSS) + fp_memory_get (&process->memory, FP_FIELD_VM_SWAP) +
                   fp_memory_get (&process->memory, FP_FIELD_PTE)) /
                  (4 * KIB);
  gint64 badness = (gint64)(pages * 1000 / (POPULATION_MEM_TOTAL / (4 * KIB))) + process->oom_score_adj;
  guint scatter = population_scatter ((guint)member->pid, 4, 0);

  fp_memory_set (&process->memory, FP_FIELD_THREADS, member->line->threads);
  fp_memory_set (&process->memory, FP_FIELD_MINOR_FAULTS, pages * (1200 + scatter) / 1000);
  fp_memory_set (&process->memory, FP_FIELD_MAJOR_FAULTS, pages / 900 + scatter % 7);
  fp_memory_set (&process->memory, FP_FIELD_CPU_TIME, (pages * 61 + scatter) * 10000 / (member->line->state == 'R' ? 5 : 50));
  fp_memory_set (&process->memory, FP_FIELD_OOM_SCORE,
                 member->exe && process->oom_score_adj > -1000 ? (guint64)MAX ((1000 + badness) * 2 / 3, 0) : 0);
}

/* It has so much now, and had so much less when it was read. */
static void
let_grow (FpMemory *memory,
          guint64 grown)
{
  static const FpField fields[] = { FP_FIELD_PSS, FP_FIELD_PSS_ANON, FP_FIELD_USS, FP_FIELD_MEMORY_AND_SWAP };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      guint64 now = fp_memory_get (memory, fields[i]);

      fp_memory_set_range (memory, fields[i], now - MIN (grown, now), now);
    }
}

static void
fill_process (Maker *self,
              FpProcess *process,
              const PopulationMember *member,
              const PopulationMemory *memory)
{
  const PopulationLine *line = member->line;
  FpIdentity identity;

  *process = (FpProcess){
    .pid = member->pid,
    .ppid = line->ppid,
    .uid = line->uid,
    .start_ticks = get_start_ticks (member->pid),
    .oom_score_adj = line->oom_score_adj,
    .state = (guint8)(line->state ? line->state : 'S'),
  };
  identify (&identity, member);
  set_texts (self, process, &identity);
  if (member->exe)
    population_memory_measure (memory, member, &process->memory);
  set_counts (process, member);
  if (line->reason != FP_REASON_NONE)
    {
      fp_process_clear_memory (process, line->reason);
      return;
    }
  if (line->grown_kib > 0)
    let_grow (&process->memory, line->grown_kib * KIB);
  process->cost_us = (guint32)(140 + fp_memory_get (&process->memory, FP_FIELD_RSS) / (4 * KIB) * 47 / 1000);
  process->measured_us = BOOTTIME_US - population_scatter ((guint)member->pid, 5, 0) * 24000;
}

FpSnapshot *
population_make_snapshot (void)
{
  g_autoptr (GArray) members = make_members ();
  g_autoptr (PopulationMemory) memory = population_memory_new (members);
  FpSnapshotPool *pool = fp_snapshot_pool_new ();
  Maker self = { fp_snapshot_pool_take (pool, members->len), { 0 } };

  fp_snapshot_pool_unref (pool);
  fp_strings_init (&self.strings, 32 * 1024);
  self.snapshot->info = (FpSnapshotInfo){
    .boottime_us = BOOTTIME_US,
    .realtime_us = REALTIME_US,
    .ticks_per_second = TICKS_PER_SECOND,
    .page_size = 4 * KIB,
    .boot_id = "6f1b2a34-8c5d-4e7f-9a0b-1c2d3e4f5a6b",
  };
  for (guint i = 0; i < members->len; i++)
    fill_process (&self, &self.snapshot->processes[i], &g_array_index (members, PopulationMember, i), memory);
  self.snapshot->n_processes = members->len;
  self.snapshot->strings = fp_string_block_ref (self.strings.block);
  population_system_fill (&self.snapshot->system, population_memory_get_totals (memory));
  fp_strings_clear (&self.strings);
  return self.snapshot;
}
