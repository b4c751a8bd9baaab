// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-column-values.h"
#include "fp-control-records.h"
#include "fp-mapping-changes.h"
#include "fp-mapping-kind.h"
#include "fp-totals.h"

static FpMapping
get_facts (const FpRecords *records,
           guint index)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  return mapping;
}

/* Asking gettext for each of 60,000 mappings takes longer than all the rest. */
static const char *
translate_kind (FpMappingKind kind)
{
  static const char *titles[FP_N_MAPPING_KINDS];
  static gsize are_known;

  if (g_once_init_enter (&are_known))
    {
      for (guint i = 0; i < FP_N_MAPPING_KINDS; i++)
        titles[i] = _ (fp_mapping_kind_infos[i].title);
      g_once_init_leave (&are_known, 1);
    }
  return titles[kind];
}

/* A search has no format, so the same words find a kind in every language. */
static const char *
get_kind_name (FpMapping mapping,
               const FpFormat *format)
{
  FpMappingKind kind = fp_mapping_kind (&mapping);

  return !format || format->is_for_programs ? fp_mapping_kind_infos[kind].id : translate_kind (kind);
}

static const char *
get_full_name (const FpRecords *records,
               guint index)
{
  return records->class->kind == FP_RECORD_TOTAL ? fp_totals_get (records, index)->full_name
                                                 : fp_process_records_get_text (records, index, FP_TEXT_FULL_NAME);
}

#define DEFINE_NUMBER(name, number)              \
  FpFigure                                       \
      fp_value_##name (const FpRecords *records, \
                       guint index)              \
  {                                              \
    return fp_figure_exact ((guint64)(number));  \
  }

DEFINE_NUMBER (ppid, fp_process_records_get (records, index)->ppid)
DEFINE_NUMBER (uid, fp_process_records_get (records, index)->uid)
DEFINE_NUMBER (count, fp_totals_get (records, index)->n_members)
DEFINE_NUMBER (unread, fp_totals_get (records, index)->n_unread)
DEFINE_NUMBER (start, get_facts (records, index).start)
DEFINE_NUMBER (end, get_facts (records, index).end)
DEFINE_NUMBER (offset, get_facts (records, index).offset)
DEFINE_NUMBER (device, (guint64)get_facts (records, index).device_major << 32 | get_facts (records, index).device_minor)
DEFINE_NUMBER (inode, get_facts (records, index).inode)

#define NONE ((FpFigure){ FP_FIGURE_NONE, 0, 0 })

/* Several processes of one program that have ended have none. */
FpFigure
fp_value_pid (const FpRecords *records,
              guint index)
{
  gint pid = fp_process_records_get (records, index)->pid;

  return pid > 0 ? fp_figure_exact ((guint64)pid) : NONE;
}

/* A process that lives has no such figures. */
FpFigure
fp_value_ended (const FpRecords *records,
                guint index)
{
  const FpEndedFacts *facts = fp_process_records_get_ended (records, index);

  return facts ? fp_figure_exact (facts->realtime_us) : NONE;
}

FpFigure
fp_value_lasted (const FpRecords *records,
                 guint index)
{
  const FpEndedFacts *facts = fp_process_records_get_ended (records, index);

  return facts ? fp_figure_exact (facts->lasted_us) : NONE;
}

FpFigure
fp_value_highest (const FpRecords *records,
                  guint index)
{
  const FpEndedFacts *facts = fp_process_records_get_ended (records, index);

  return facts ? facts->peak : NONE;
}

FpFigure
fp_value_start_ticks (const FpRecords *records,
                      guint index)
{
  guint64 ticks = fp_process_records_get (records, index)->start_ticks;

  return ticks & FP_TICKS_OF_OTHER_BOOT ? (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 } : fp_figure_exact (ticks);
}

/* The clocks of the snapshot count, because the wall clock may have been set since. */
FpFigure
fp_value_started (const FpRecords *records,
                  guint index)
{
  const FpSnapshotInfo *info = &fp_process_records_get_snapshot (records)->info;
  guint64 start_ticks = fp_process_records_get (records, index)->start_ticks;
  double since_boot_us;

  if (fp_process_records_get (records, index)->pid == 0)
    return NONE;
  if (info->ticks_per_second == 0 || info->realtime_us < info->boottime_us)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  since_boot_us = (double)start_ticks * G_USEC_PER_SEC / (double)info->ticks_per_second;
  if (since_boot_us > (double)info->boottime_us + G_USEC_PER_SEC)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (info->realtime_us - info->boottime_us + (guint64)since_boot_us);
}

FpFigure
fp_value_age (const FpRecords *records,
              guint index)
{
  guint64 measured_us = fp_process_records_get (records, index)->measured_us;
  guint64 now_us = fp_process_records_get_snapshot (records)->info.boottime_us;

  if (measured_us == 0)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (now_us > measured_us ? now_us - measured_us : 0);
}

#define DEFINE_TEXT(name, text)                 \
  const char *                                  \
      fp_text_##name (const FpRecords *records, \
                      guint index,              \
                      const FpFormat *format)   \
  {                                             \
    return text;                                \
  }

DEFINE_TEXT (comm, fp_process_records_get_text (records, index, FP_TEXT_COMM))
DEFINE_TEXT (command, fp_process_records_get_text (records, index, FP_TEXT_COMMAND))
DEFINE_TEXT (program, fp_process_records_get_text (records, index, FP_TEXT_PROGRAM))
DEFINE_TEXT (exe, fp_process_records_get_text (records, index, FP_TEXT_EXE))
DEFINE_TEXT (app, fp_process_records_get_text (records, index, FP_TEXT_APP))
DEFINE_TEXT (unit, fp_process_records_get_text (records, index, FP_TEXT_UNIT))
DEFINE_TEXT (slice, fp_process_records_get_text (records, index, FP_TEXT_SLICE))
DEFINE_TEXT (container, fp_process_records_get_text (records, index, FP_TEXT_CONTAINER))
DEFINE_TEXT (control_group, fp_process_records_get_text (records, index, FP_TEXT_CONTROL_GROUP))
DEFINE_TEXT (group_name, fp_totals_get (records, index)->name)
DEFINE_TEXT (full_name, get_full_name (records, index))
DEFINE_TEXT (kind, get_kind_name (get_facts (records, index), format))
DEFINE_TEXT (mapping, format && format->is_for_programs ? get_facts (records, index).name : get_facts (records, index).shown)

#define DEFINE_MADE(name, ...)                  \
  void                                          \
      fp_text_##name (const FpRecords *records, \
                      guint index,              \
                      const FpFormat *format,   \
                      char *text,               \
                      gsize size)               \
  {                                             \
    g_snprintf (text, size, __VA_ARGS__);       \
  }

DEFINE_MADE (state, "%c", fp_process_records_get (records, index)->state)
DEFINE_MADE (start, "%016" G_GINT64_MODIFIER "x", get_facts (records, index).start)
DEFINE_MADE (end, "%016" G_GINT64_MODIFIER "x", get_facts (records, index).end)
DEFINE_MADE (range, "%012" G_GINT64_MODIFIER "x-%012" G_GINT64_MODIFIER "x", get_facts (records, index).start, get_facts (records, index).end)
DEFINE_MADE (permissions, "%s", get_facts (records, index).permissions)
DEFINE_MADE (offset, "%08" G_GINT64_MODIFIER "x", get_facts (records, index).offset)
DEFINE_MADE (device, "%02x:%02x", get_facts (records, index).device_major, get_facts (records, index).device_minor)

void
fp_text_user (const FpRecords *records,
              guint index,
              const FpFormat *format,
              char *text,
              gsize size)
{
  const char *name = fp_process_records_get_text (records, index, FP_TEXT_USER);

  if (*name && !(format && format->numeric_users))
    g_strlcpy (text, name, size);
  else
    g_snprintf (text, size, "%u", fp_process_records_get (records, index)->uid);
}

/* A uid may belong to another user inside a container, so the text names the container, too. */
void
fp_text_account (const FpRecords *records,
                 guint index,
                 const FpFormat *format,
                 char *text,
                 gsize size)
{
  const char *container = fp_text_container (records, index, format);
  char user[256];

  fp_text_user (records, index, format, user, sizeof user);
  if (*container)
    /* Translators: a user, and the container that the user is in */
    g_snprintf (text, size, _ ("%s in %s"), user, container);
  else
    g_strlcpy (text, user, size);
}

void
fp_text_reason (const FpRecords *records,
                guint index,
                const FpFormat *format,
                char *text,
                gsize size)
{
  const FpProcess *process = fp_process_records_get (records, index);
  const char *name = fp_reason_get_name (process->reason);

  if (process->reason == FP_REASON_SHARED_MEMORY && process->shares_with && !(format && format->is_for_programs))
    /* Translators: a program, and the number of the process that it shares its memory with */
    g_snprintf (text, size, _ ("%s with %d"), name, process->shares_with);
  else
    g_strlcpy (text, name ? name : "", size);
}

void
fp_text_flags (const FpRecords *records,
               guint index,
               const FpFormat *format,
               char *text,
               gsize size)
{
  char *to = text;

  for (guint64 left = get_facts (records, index).flags; left && to + sizeof "xx " <= text + size; left &= left - 1)
    {
      memcpy (to, fp_mapping_flag_infos[__builtin_ctzll (left)].letters, 2);
      to[2] = ' ';
      to += 3;
    }
  to[to > text ? -1 : 0] = '\0';
}

void
fp_text_label (const FpRecords *records,
               guint index,
               const FpFormat *format,
               char *text,
               gsize size)
{
  FpMapping mapping = get_facts (records, index);

  fp_mapping_get_label (&mapping, text, size);
}

const char *
fp_text_file (const FpRecords *records,
              guint index,
              const FpFormat *format)
{
  FpMapping mapping = get_facts (records, index);
  const char *file = fp_mapping_get_file (&mapping);

  return file ? file : get_kind_name (mapping, format);
}

const char *
fp_text_file_state (const FpRecords *records,
                    guint index,
                    const FpFormat *format)
{
  static const char *const ids[] = { "", "present", "deleted" };
  /* Translators: said of a file that is still on the disk */
  static const char *const titles[] = { "", N_ ("Present"), N_ ("Deleted") };
  FpMapping mapping = get_facts (records, index);
  FpFileState state = fp_mapping_get_file_state (&mapping);

  return !format || format->is_for_programs || state == FP_FILE_UNKNOWN ? ids[state] : _ (titles[state]);
}

const char *
fp_text_change (const FpRecords *records,
                guint index,
                const FpFormat *format)
{
  const FpMappingChangeInfo *info = &fp_mapping_change_infos[fp_mapping_changes_get_change (records, index)];

  return !format || format->is_for_programs ? info->id : g_dpgettext2 (NULL, "outcome", info->title);
}
