// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-display.h"
#include "fp-heap-process.h"
#include "fp-mapping-kind.h"

#define SKEW_US G_USEC_PER_SEC /* between the clocks of files and of processes */

typedef enum
{
  PART_HEAP,
  PART_STACK,
  PART_FILE, /* pages of programs and libraries that the process has changed */
  PART_OTHER,
  N_PARTS,
} Part;

/* Takes the process ID out of "heaptrack.reader.4711.zst", "massif.out.4711" and the like: the last part of the name that is a
 * number. 0: there is none */
gint
fp_heap_process_guess_pid (const char *file_name)
{
  g_auto (GStrv) parts = g_strsplit (file_name, ".", -1);

  for (guint i = g_strv_length (parts); i > 1; i--)
    {
      guint64 pid;

      if (g_ascii_string_to_unsigned (parts[i - 1], 10, 1, G_MAXINT, &pid, NULL))
        return (gint)pid;
    }
  return 0;
}

/* Gets the file of the program in a command, without its folder. Free it. */
static char *
name_program (const char *command)
{
  g_autofree char *program = g_strndup (command, strcspn (command, " "));

  return g_path_get_basename (program);
}

/* A process that began later has got the ID of the one that was recorded. */
static gboolean
has_begun_before (const FpProcess *process,
                  const FpSnapshotInfo *info,
                  guint64 recorded_us)
{
  double started_us;

  if (info->ticks_per_second == 0 || info->realtime_us < info->boottime_us)
    return FALSE;
  started_us = (double)(info->realtime_us - info->boottime_us) +
               (double)process->start_ticks * G_USEC_PER_SEC / (double)info->ticks_per_second;
  return started_us <= (double)recorded_us + SKEW_US;
}

/* Finds the process that was recorded, if it still lives. modified_us: when the file was written last, which is the end of the
 * recording. Returns: (nullable) (transfer none) */
const FpProcess *
fp_heap_process_find (const FpHeapProfile *profile,
                      gint pid,
                      guint64 modified_us,
                      const FpSnapshot *snapshot)
{
  const FpProcess *process = pid > 0 ? fp_snapshot_find (snapshot, pid) : NULL;
  guint64 duration_us = profile->duration_ms * 1000;
  g_autofree char *recorded = NULL, *living = NULL;

  if (!process || !profile->command || modified_us < duration_us ||
      !has_begun_before (process, &snapshot->info, modified_us - duration_us))
    return NULL;
  recorded = name_program (profile->command);
  living = name_program (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMMAND));
  return g_str_equal (recorded, living) ? process : NULL;
}

static Part
choose_part (const FpMapping *mapping)
{
  switch (fp_mapping_kind (mapping))
    {
    case FP_MAPPING_HEAP:
      return PART_HEAP;
    case FP_MAPPING_STACK:
      return PART_STACK;
    case FP_MAPPING_CODE:
    case FP_MAPPING_CONSTANTS:
    case FP_MAPPING_DATA:
    case FP_MAPPING_FILE:
      return PART_FILE;
    case FP_MAPPING_ANONYMOUS:
    case FP_MAPPING_NAMED:
    case FP_MAPPING_JIT:
    case FP_MAPPING_SHARED_MEMORY:
    case FP_MAPPING_SYSTEM_V:
    case FP_MAPPING_HUGE_POOL:
    case FP_MAPPING_DEVICE:
    case FP_MAPPING_KERNEL:
    case FP_MAPPING_RESERVED:
    case FP_N_MAPPING_KINDS:
    default:
      return PART_OTHER;
    }
}

/* Pages that are swapped out are the process's, too. */
static guint64
sum_parts (const FpMappings *mappings,
           guint64 parts[N_PARTS])
{
  guint64 sum = 0;

  memset (parts, 0, sizeof *parts * N_PARTS);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;
      guint64 anonymous;

      fp_mappings_get (mappings, i, &mapping);
      anonymous = fp_memory_get (&mapping.memory, FP_FIELD_ANONYMOUS) + fp_memory_get (&mapping.memory, FP_FIELD_SWAP);
      parts[choose_part (&mapping)] += anonymous;
      sum += anonymous;
    }
  return sum;
}

/* Translators: memory in some kind of mappings. Free the text. */
static char *
describe_part (Part part,
               const char *size)
{
  switch (part)
    {
    case PART_HEAP:
      return g_strdup_printf (_ ("%s in heaps"), size);
    case PART_STACK:
      return g_strdup_printf (_ ("%s in stacks"), size);
    case PART_FILE:
      return g_strdup_printf (_ ("%s in data of programs and libraries"), size);
    case PART_OTHER:
    case N_PARTS:
    default:
      return g_strdup_printf (_ ("%s in other mappings"), size);
    }
}

/* "180 MiB in heaps, 8.0 MiB in stacks". Free it. */
static char *
list_parts (const guint64 parts[N_PARTS],
            FpFigureStyle style)
{
  GString *text = g_string_new (NULL);

  for (Part part = 0; part < N_PARTS; part++)
    {
      char size[FP_FIGURE_TEXT_SIZE];

      if (parts[part] == 0)
        continue;
      fp_figure_format (fp_figure_exact (parts[part]), FP_UNIT_BYTES, style, 0, size, sizeof size);
      fp_figure_keep_together (size);
      fp_display_append_item (text, describe_part (part, size));
    }
  return g_string_free (text, FALSE);
}

static gboolean
is_python (const FpHeapProfile *profile)
{
  g_autofree char *program = name_program (profile->command);

  return g_str_has_prefix (program, "python");
}

/* Says how much of the process's anonymous memory was in use where the recording ends. NULL: the recording says nothing about the
 * process as it is now. Free it. */
char *
fp_heap_process_describe (const FpHeapProfile *profile,
                          gint pid,
                          const FpMappings *mappings,
                          FpFigureStyle style)
{
  guint64 parts[N_PARTS], whole = sum_parts (mappings, parts), held = profile->total.leaked.bytes;
  g_autofree char *part = NULL, *list = NULL, *text = NULL;

  if (!(profile->known & 1 << FP_HEAP_LEAKED) || held == 0 || held > whole)
    return NULL;
  part = fp_figure_format_part (held, whole, style);
  list = list_parts (parts, style);
  /* Translators: “28.1 of 266 MiB”, a process ID, and a list such as “180 MiB in heaps, 8.0 MiB in stacks” */
  text = g_strdup_printf (_ ("This profile explains %s of the memory of process %d that is not from files: %s. "
                             "The rest is in stacks and other allocators, or was freed and not given back."),
                          part, pid, list);
  if (!is_python (profile))
    return g_steal_pointer (&text);
  return g_strconcat (text, " ", _ ("Python keeps small objects in arenas of its own; with PYTHONMALLOC=malloc they are recorded, too."), NULL);
}
