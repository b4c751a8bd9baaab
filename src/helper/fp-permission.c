// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-identity.h"
#include "fp-permission.h"

/* This file alone decides what a caller is given, and it decides by nothing but its arguments:
 *
 *   all    root, whoever started the helper with --stdio, or an administrator's password or polkit's rules permit it
 *          (the method's action): every process whole
 *   own    polkit permits reading one's own: processes that are the caller's are whole; of all others there is what /proc
 *          shows to everybody, and where a /proc of the machine hides processes, for which each answer looks, nothing
 *   none   an error instead of an answer
 *
 * A process is the caller's if it has the caller's uid and gid and is plain: its user could read it without any privilege
 * (fp-owner). What the methods give of a process:
 *
 *   Collect               a record: whole, or what is public
 *   LoadMappings          all of it, if it is given whole; its action is read-mappings, of all others read-memory
 *   LoadDetails           what is public, if Collect would tell of it
 *   LoadFiles             a sum over everybody's processes, with “all” alone; its action is read-mappings, too
 *   LoadKept              graphics memory and who holds it, with “all” alone
 *   LoadControlGroups     public; on a bus there is no such method
 *
 * A confined caller (another user or PID namespace, a label of a security module, a process that can gain no
 * privileges) may be less than its user, so it is given nothing unless the password was typed for its own connection. */

static gboolean
is_confining_label (const char *label)
{
  if (!*label || g_str_equal (label, "_") || g_str_equal (label, "unconfined"))
    return FALSE;
  /* AppArmor: NAME (MODE) */
  if (g_str_has_suffix (label, " (complain)") || g_str_has_suffix (label, " (unconfined)"))
    return strstr (label, "//&") != NULL;
  /* SELinux: USER:ROLE:TYPE[:LEVEL] */
  if (strchr (label, ':'))
    {
      g_auto (GStrv) parts = g_strsplit (label, ":", 4);

      return !parts[2] || (!g_str_equal (parts[2], "unconfined_t") && !g_str_equal (parts[2], "unconfined_service_t"));
    }
  return TRUE;
}

/* Landlock and seccomp show as nothing but NoNewPrivs. Flatpak's bus proxy has it too, and a user namespace, but stands
 * outside of the sandbox and passes on only what the sandbox was permitted to call. */
gboolean
fp_caller_facts_is_confined (const FpCallerFacts *self)
{
  if (self->label && is_confining_label (self->label))
    return TRUE;
  return !self->standing.is_flatpak_proxy && (!self->standing.shares_namespaces || self->standing.has_no_new_privileges);
}

/* permitted: by polkit; has_password: an administrator typed it on this connection */
FpAccess
fp_permission_decide (const FpCallerFacts *caller,
                      FpAccess permitted,
                      gboolean has_password)
{
  if (fp_caller_facts_is_confined (caller))
    return has_password && permitted == FP_ACCESS_ALL ? FP_ACCESS_ALL : FP_ACCESS_NONE;
  return caller->uid == 0 ? FP_ACCESS_ALL : permitted;
}

static gboolean
has_ids (const FpPermission *self,
         guint32 uid,
         guint32 gid)
{
  return uid == self->uid && gid == self->gid && uid != G_MAXUINT32 && gid != G_MAXUINT32;
}

gboolean
fp_permission_owns (const FpPermission *self,
                    const FpOwner *owner)
{
  return owner->is_plain && has_ids (self, owner->uid, owner->gid);
}

/* The caller's own agent is told what a question names, before any password. */
gboolean
fp_permission_may_name (const FpCallerFacts *caller,
                        const FpProcess *process,
                        gboolean hides_others)
{
  return !fp_caller_facts_is_confined (caller) &&
         (!hides_others || (process->uid == caller->uid && process->gid == caller->gid));
}

/* Its mappings and every figure. */
gboolean
fp_permission_may_read (const FpPermission *self,
                        const FpProcess *process)
{
  return self->access == FP_ACCESS_ALL ||
         (self->access == FP_ACCESS_OWN && process->is_plain && has_ids (self, process->uid, process->gid));
}

/* Listing a process tells that it exists, and what /proc shows of it to every user. */
gboolean
fp_permission_may_list (const FpPermission *self,
                        const FpOwner *owner)
{
  return self->access == FP_ACCESS_ALL ||
         (self->access == FP_ACCESS_OWN && (!self->hides_others || fp_permission_owns (self, owner)));
}

/* Measuring holds a process up, so it is for its user to ask, also before the first reading found out if it is plain. */
gboolean
fp_permission_may_measure (const FpPermission *self,
                           const FpProcess *process)
{
  return self->access == FP_ACCESS_ALL ||
         (self->access == FP_ACCESS_OWN && has_ids (self, process->uid, process->gid));
}

/* Everybody reads these in /proc/PID/stat, status and oom_score. A figure that is not listed is private. */
static const FpField public_figures[] = {
  FP_FIELD_HUGETLB, FP_FIELD_RSS_ANON, FP_FIELD_RSS_FILE, FP_FIELD_RSS_SHMEM, FP_FIELD_VM_SWAP, FP_FIELD_PTE,
  FP_FIELD_PEAK_RSS, FP_FIELD_VM_SIZE, FP_FIELD_VM_PEAK, FP_FIELD_VM_LOCKED, FP_FIELD_VM_PINNED, FP_FIELD_VM_DATA,
  FP_FIELD_VM_STACK, FP_FIELD_VM_CODE, FP_FIELD_VM_LIBRARY, FP_FIELD_THREADS, FP_FIELD_MINOR_FAULTS,
  FP_FIELD_MAJOR_FAULTS, FP_FIELD_CPU_TIME, FP_FIELD_OOM_SCORE
};

/* Everybody reads these in /proc/PID/comm, cmdline and cgroup, and in the list of users. */
static const FpText public_texts[] = {
  FP_TEXT_COMM, FP_TEXT_COMMAND, FP_TEXT_USER, FP_TEXT_FULL_NAME, FP_TEXT_APP, FP_TEXT_UNIT, FP_TEXT_SLICE,
  FP_TEXT_CONTAINER, FP_TEXT_CONTROL_GROUP
};

/* RSS of a walk is private; its parts in status are not. */
static void
build_public_memory (FpMemory *memory,
                     const FpMemory *whole,
                     gboolean has_memory)
{
  for (guint i = 0; i < G_N_ELEMENTS (public_figures); i++)
    if (fp_memory_has (whole, public_figures[i]) && (has_memory || fp_field_infos[public_figures[i]].origin != FP_ORIGIN_STATUS))
      fp_memory_set (memory, public_figures[i], fp_memory_get (whole, public_figures[i]));
  if (fp_memory_has (memory, FP_FIELD_RSS_ANON) && fp_memory_has (memory, FP_FIELD_RSS_FILE) &&
      fp_memory_has (memory, FP_FIELD_RSS_SHMEM))
    fp_memory_set (memory, FP_FIELD_RSS,
                   fp_memory_get (memory, FP_FIELD_RSS_ANON) + fp_memory_get (memory, FP_FIELD_RSS_FILE) +
                       fp_memory_get (memory, FP_FIELD_RSS_SHMEM));
  fp_memory_derive (memory);
}

/* A caller's own process that was not read yet is still to come. */
static FpReason
get_public_reason (const FpPermission *self,
                   const FpProcess *process)
{
  FpReason reason = process->reason;

  if (reason == FP_REASON_SHARED_MEMORY || reason == FP_REASON_NONE || reason == FP_REASON_UNSUPPORTED)
    return FP_REASON_PERMISSION;
  if ((reason == FP_REASON_PENDING || reason == FP_REASON_TOO_COSTLY || reason == FP_REASON_NO_ANSWER) &&
      (!has_ids (self, process->uid, process->gid) || process->measured_us > 0))
    return FP_REASON_PERMISSION;
  return reason;
}

static FpProcess
build_public_process (const FpPermission *self,
                      FpStrings *strings,
                      const FpSnapshot *snapshot,
                      const FpProcess *whole)
{
  FpReason reason = get_public_reason (self, whole);
  FpIdentity identity;
  FpProcess process = {
    .start_ticks = whole->start_ticks,
    .pid = whole->pid,
    .ppid = whole->ppid,
    .uid = whole->uid,
    .gid = whole->gid,
    .oom_score_adj = whole->oom_score_adj,
    .state = whole->state,
    .reason = (guint8)reason,
    .main_thread_exited = whole->main_thread_exited,
  };

  build_public_memory (&process.memory, &whole->memory, fp_reason_has_memory (reason));
  for (guint i = 0; i < G_N_ELEMENTS (public_texts); i++)
    process.texts[public_texts[i]] = fp_strings_intern (strings, fp_snapshot_get_text (snapshot, whole, public_texts[i]));
  fp_identity_find_public_program (&identity, fp_snapshot_get_text (snapshot, whole, FP_TEXT_COMM),
                                   fp_snapshot_get_text (snapshot, whole, FP_TEXT_COMMAND));
  process.texts[FP_TEXT_PROGRAM] = fp_strings_intern (strings, identity.program);
  return process;
}

static FpProcess
build_whole_process (FpStrings *strings,
                     const FpSnapshot *snapshot,
                     const FpProcess *whole)
{
  FpProcess process = *whole;

  for (FpText text = 0; text < FP_N_TEXTS; text++)
    process.texts[text] = fp_strings_intern (strings, fp_snapshot_get_text (snapshot, whole, text));
  return process;
}

/* The snapshot has its own block of strings, because the other one holds everybody's. */
FpSnapshot *
fp_permission_filter (const FpPermission *self,
                      FpSnapshot *snapshot)
{
  FpSnapshot *filtered;
  FpStrings strings;

  if (self->access == FP_ACCESS_ALL)
    return fp_snapshot_ref (snapshot);

  filtered = fp_snapshot_new (snapshot->n_processes);
  fp_strings_init (&strings, 4096);
  filtered->info = snapshot->info;
  filtered->info.n_pending = 0;
  filtered->system = snapshot->system;
  for (guint i = 0; i < snapshot->n_processes && self->access == FP_ACCESS_OWN; i++)
    {
      const FpProcess *process = &snapshot->processes[i];
      gboolean is_readable = fp_permission_may_read (self, process);

      filtered->info.n_pending +=
          (is_readable ? process->reason : get_public_reason (self, process)) == FP_REASON_PENDING;
      if (is_readable)
        filtered->processes[filtered->n_processes++] = build_whole_process (&strings, snapshot, process);
      else if (!self->hides_others)
        filtered->processes[filtered->n_processes++] = build_public_process (self, &strings, snapshot, process);
    }
  if (self->hides_others)
    fp_snapshot_count_hidden_tasks (filtered, 0);
  filtered->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  return filtered;
}
