// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-columns.h"
#include "fp-mapping-kind.h"
#include "fp-mapping-changes.h"
#include "fp-totals.h"

static FpFigure
get_pid (const FpRecords *records,
         guint index)
{
  return fp_figure_exact ((guint64)fp_process_records_get (records, index)->pid);
}

static FpFigure
get_ppid (const FpRecords *records,
          guint index)
{
  return fp_figure_exact ((guint64)fp_process_records_get (records, index)->ppid);
}

static FpFigure
get_uid (const FpRecords *records,
         guint index)
{
  return fp_figure_exact (fp_process_records_get (records, index)->uid);
}

static FpFigure
get_start_ticks (const FpRecords *records,
                 guint index)
{
  return fp_figure_exact (fp_process_records_get (records, index)->start_ticks);
}

/* By the clocks of the snapshot: the wall clock may have been set since. */
static FpFigure
get_started (const FpRecords *records,
             guint index)
{
  const FpSnapshotInfo *info = &fp_process_records_get_snapshot (records)->info;
  guint64 start_ticks = fp_process_records_get (records, index)->start_ticks;
  double since_boot_us;

  if (info->ticks_per_second == 0 || info->realtime_us < info->boottime_us)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  since_boot_us = (double)start_ticks * G_USEC_PER_SEC / (double)info->ticks_per_second;
  if (since_boot_us > (double)info->boottime_us + G_USEC_PER_SEC)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (info->realtime_us - info->boottime_us + (guint64)since_boot_us);
}

static FpFigure
get_age (const FpRecords *records,
         guint index)
{
  guint64 measured_us = fp_process_records_get (records, index)->measured_us;
  guint64 now_us = fp_process_records_get_snapshot (records)->info.boottime_us;

  if (measured_us == 0)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (now_us > measured_us ? now_us - measured_us : 0);
}

static const char *
get_process_text (const FpRecords *records,
                  guint index,
                  FpText text)
{
  return fp_snapshot_get_text (fp_process_records_get_snapshot (records), fp_process_records_get (records, index),
                               text);
}

#define DEFINE_TEXT(name, TEXT)                               \
  static const char *                                         \
      get_##name (const FpRecords *records,                   \
                  guint index,                                \
                  const FpFormat *format)                     \
  {                                                           \
    return get_process_text (records, index, FP_TEXT_##TEXT); \
  }

DEFINE_TEXT (comm, COMM)
DEFINE_TEXT (command, COMMAND)
DEFINE_TEXT (program, PROGRAM)
DEFINE_TEXT (exe, EXE)
DEFINE_TEXT (app, APP)
DEFINE_TEXT (unit, UNIT)
DEFINE_TEXT (slice, SLICE)
DEFINE_TEXT (container, CONTAINER)

static const char *
get_full_name (const FpRecords *records,
               guint index,
               const FpFormat *format)
{
  if (records->class->kind == FP_RECORD_TOTAL)
    return fp_totals_get (records, index)->full_name;
  return get_process_text (records, index, FP_TEXT_FULL_NAME);
}

static void
make_user (const FpRecords *records,
           guint index,
           const FpFormat *format,
           char *text,
           gsize size)
{
  const char *name = get_process_text (records, index, FP_TEXT_USER);

  if (*name && !(format && format->numeric_users))
    g_strlcpy (text, name, size);
  else
    g_snprintf (text, size, "%u", fp_process_records_get (records, index)->uid);
}

/* A uid may belong to another user inside a container, so the text names the container, too. */
static void
make_account (const FpRecords *records,
              guint index,
              const FpFormat *format,
              char *text,
              gsize size)
{
  const char *container = get_container (records, index, format);
  char user[256];

  make_user (records, index, format, user, sizeof user);
  if (*container)
    g_snprintf (text, size, _ ("%s in %s"), user, container);
  else
    g_strlcpy (text, user, size);
}

static void
make_state (const FpRecords *records,
            guint index,
            const FpFormat *format,
            char *text,
            gsize size)
{
  g_snprintf (text, size, "%c", fp_process_records_get (records, index)->state);
}

static void
make_reason (const FpRecords *records,
             guint index,
             const FpFormat *format,
             char *text,
             gsize size)
{
  const FpProcess *process = fp_process_records_get (records, index);
  const char *name = fp_reason_get_name (process->reason);

  if (process->reason == FP_REASON_SHARED_MEMORY && process->shares_with && !(format && format->is_for_programs))
    g_snprintf (text, size, "%s with %d", name, process->shares_with);
  else
    g_strlcpy (text, name ? name : "", size);
}

static const char *
get_group_name (const FpRecords *records,
                guint index,
                const FpFormat *format)
{
  return fp_totals_get (records, index)->name;
}

static FpFigure
get_count (const FpRecords *records,
           guint index)
{
  return fp_figure_exact (fp_totals_get (records, index)->n_members);
}

static FpFigure
get_unread (const FpRecords *records,
            guint index)
{
  return fp_figure_exact (fp_totals_get (records, index)->n_unread);
}

#define DEFINE_FACT(name, number)                            \
  static FpFigure                                            \
      get_##name (const FpRecords *records,                  \
                  guint index)                               \
  {                                                          \
    FpMapping mapping;                                       \
                                                             \
    fp_mapping_records_get_facts (records, index, &mapping); \
    return fp_figure_exact (number);                         \
  }

DEFINE_FACT (start, mapping.start)
DEFINE_FACT (end, mapping.end)
DEFINE_FACT (offset, mapping.offset)
DEFINE_FACT (device, (guint64)mapping.device_major << 32 | mapping.device_minor)
DEFINE_FACT (inode, mapping.inode)

static void
make_start (const FpRecords *records,
            guint index,
            const FpFormat *format,
            char *text,
            gsize size)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  g_snprintf (text, size, "%016" G_GINT64_MODIFIER "x", mapping.start);
}

static void
make_end (const FpRecords *records,
          guint index,
          const FpFormat *format,
          char *text,
          gsize size)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  g_snprintf (text, size, "%016" G_GINT64_MODIFIER "x", mapping.end);
}

static void
make_range (const FpRecords *records,
            guint index,
            const FpFormat *format,
            char *text,
            gsize size)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  g_snprintf (text, size, "%012" G_GINT64_MODIFIER "x-%012" G_GINT64_MODIFIER "x", mapping.start, mapping.end);
}

static void
make_permissions (const FpRecords *records,
                  guint index,
                  const FpFormat *format,
                  char *text,
                  gsize size)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  g_strlcpy (text, mapping.permissions, size);
}

static void
make_offset (const FpRecords *records,
             guint index,
             const FpFormat *format,
             char *text,
             gsize size)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  g_snprintf (text, size, "%08" G_GINT64_MODIFIER "x", mapping.offset);
}

static void
make_device (const FpRecords *records,
             guint index,
             const FpFormat *format,
             char *text,
             gsize size)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  g_snprintf (text, size, "%02x:%02x", mapping.device_major, mapping.device_minor);
}

static void
make_flags (const FpRecords *records,
            guint index,
            const FpFormat *format,
            char *text,
            gsize size)
{
  FpMapping mapping;
  char *to = text;

  fp_mapping_records_get_facts (records, index, &mapping);
  for (guint64 left = mapping.flags; left && to + sizeof "xx " <= text + size; left &= left - 1)
    {
      memcpy (to, fp_mapping_flag_infos[__builtin_ctzll (left)].letters, 2);
      to[2] = ' ';
      to += 3;
    }
  to[to > text ? -1 : 0] = '\0';
}

static const char *
get_mapping_name (const FpRecords *records,
                  guint index,
                  const FpFormat *format)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  return format && format->is_for_programs ? mapping.name : mapping.shown;
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

/* Searched without a format: what is searched for in one language is found in all. */
static const char *
get_kind_name (const FpMapping *mapping,
               const FpFormat *format)
{
  FpMappingKind kind = fp_mapping_kind (mapping);

  return !format || format->is_for_programs ? fp_mapping_kind_infos[kind].id : translate_kind (kind);
}

static const char *
get_kind (const FpRecords *records,
          guint index,
          const FpFormat *format)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  return get_kind_name (&mapping, format);
}

static void
make_label (const FpRecords *records,
            guint index,
            const FpFormat *format,
            char *text,
            gsize size)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  fp_mapping_get_label (&mapping, text, size);
}

static const char *
get_file (const FpRecords *records,
          guint index,
          const FpFormat *format)
{
  FpMapping mapping;
  const char *file;

  fp_mapping_records_get_facts (records, index, &mapping);
  file = fp_mapping_get_file (&mapping);
  return file ? file : get_kind_name (&mapping, format);
}

static const char *
get_file_state (const FpRecords *records,
                guint index,
                const FpFormat *format)
{
  static const char *const ids[] = { "", "present", "deleted" };
  static const char *const titles[] = { "", N_ ("Present"), N_ ("Deleted") };
  FpFileState state;
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  state = fp_mapping_get_file_state (&mapping);
  return !format || format->is_for_programs || state == FP_FILE_UNKNOWN ? ids[state] : _ (titles[state]);
}

static const char *
get_change (const FpRecords *records,
            guint index,
            const FpFormat *format)
{
  const FpMappingChangeInfo *info = &fp_mapping_change_infos[fp_mapping_changes_get_change (records, index)];

  return !format || format->is_for_programs ? info->id : _ (info->title);
}

#define BIT(id) (G_GUINT64_CONSTANT (1) << FP_FIELD_##id)

/* Highest marks of different moments, sizes of a page, scores and names: there is no sum of those. */
#define NOT_SUMMED                                                                                             \
  (BIT (KERNEL_PAGE_SIZE) | BIT (MMU_PAGE_SIZE) | BIT (THP_ELIGIBLE) | BIT (PROTECTION_KEY) | BIT (PEAK_RSS) | \
   BIT (VM_PEAK) | BIT (OOM_SCORE))

/* Only smaps_rollup tells them apart, and there is no VmSwap of a mapping. */
#define NOT_OF_MAPPINGS (BIT (PSS_ANON) | BIT (PSS_FILE) | BIT (PSS_SHMEM) | BIT (RSS_AND_SWAP))

#define MAPPING_FACT (FP_RECORD_MAPPING | FP_RECORD_CHANGE)

/* The figures of each source belong to these kinds of records. */
#define KINDS_MAPPING (FP_RECORD_MAPPING | FP_RECORD_FOLD | FP_RECORD_CHANGE)
#define KINDS_SMAPS   (FP_RECORD_PROCESS | FP_RECORD_TOTAL | KINDS_MAPPING)
#define KINDS_DERIVED KINDS_SMAPS
#define KINDS_STATUS  (FP_RECORD_PROCESS | FP_RECORD_TOTAL)
#define KINDS_STAT    (FP_RECORD_PROCESS | FP_RECORD_TOTAL)
#define KINDS_OTHER   FP_RECORD_PROCESS
#define KINDS(id, source)                                                                      \
  (KINDS_##source & ~(NOT_SUMMED & BIT (id) ? (guint)(FP_RECORD_TOTAL | FP_RECORD_FOLD) : 0) & \
   ~(NOT_OF_MAPPINGS & BIT (id) ? (guint)KINDS_MAPPING : 0))

/* These fields do not have the topic of their source: amounts of memory, parts of it, and swap. */
#define AMOUNTS \
  (BIT (PSS) | BIT (USS) | BIT (RSS) | BIT (SHARED) | BIT (PEAK_RSS) | BIT (MEMORY_AND_SWAP) | BIT (RSS_AND_SWAP))
#define PARTS   (BIT (RSS_ANON) | BIT (RSS_FILE) | BIT (RSS_SHMEM) | BIT (PTE) | BIT (HUGETLB))
#define IN_SWAP (BIT (SWAP) | BIT (SWAP_PSS) | BIT (VM_SWAP))

/* All other fields have the topic of their source. */
#define TOPIC_SMAPS   FP_TOPIC_PARTS
#define TOPIC_MAPPING FP_TOPIC_MAPPING
#define TOPIC_DERIVED FP_TOPIC_PARTS
#define TOPIC_STATUS  FP_TOPIC_ADDRESS_SPACE
#define TOPIC_STAT    FP_TOPIC_PROCESS
#define TOPIC_OTHER   FP_TOPIC_PROCESS
#define TOPIC(id, source)                 \
  (AMOUNTS & BIT (id)   ? FP_TOPIC_MEMORY \
   : IN_SWAP & BIT (id) ? FP_TOPIC_SWAP   \
   : PARTS & BIT (id)   ? FP_TOPIC_PARTS  \
                        : TOPIC_##source)

#define KEPT(id, title, meaning, topic, kinds, get)                                                             \
  {                                                                                                             \
    id, title, meaning, FP_TOPIC_##topic, FP_PRESENT_TEXT, kinds, FP_FIELD_NONE, FP_UNIT_COUNT, NULL, get, NULL \
  }
#define MADE(id, title, meaning, topic, kinds, make)                                                             \
  {                                                                                                              \
    id, title, meaning, FP_TOPIC_##topic, FP_PRESENT_TEXT, kinds, FP_FIELD_NONE, FP_UNIT_COUNT, NULL, NULL, make \
  }
#define PLACE(id, title, meaning, kinds, make, get)                                                             \
  {                                                                                                             \
    id, title, meaning, FP_TOPIC_MAPPING, FP_PRESENT_TEXT, kinds, FP_FIELD_NONE, FP_UNIT_COUNT, get, NULL, make \
  }
#define NUMBER(id, title, meaning, topic, presentation, kinds, unit, get)                                                  \
  {                                                                                                                        \
    id, title, meaning, FP_TOPIC_##topic, FP_PRESENT_##presentation, kinds, FP_FIELD_NONE, FP_UNIT_##unit, get, NULL, NULL \
  }
#define FIELD(id, name, source, key, unit, bound, title, meaning) \
  { name, title, meaning, TOPIC (id, source), FP_PRESENT_FIGURE, KINDS (id, source), FP_FIELD_##id, FP_UNIT_##unit, NULL, NULL, NULL },

/* The one table of columns. A figure of the kernel is one by standing in FP_MEMORY_FIELDS. */
/* clang-format off */
static const FpColumn columns[] = {
  NUMBER ("pid", N_ ("PID"), N_ ("Process ID"), PROCESS, NUMBER, FP_RECORD_PROCESS, COUNT, get_pid),
  NUMBER ("ppid", N_ ("Parent"), N_ ("Process ID of the process that started it"), PROCESS, NUMBER, FP_RECORD_PROCESS, COUNT, get_ppid),
  NUMBER ("start_ticks", N_ ("Start Ticks"), N_ ("When it was started, in clock ticks since the machine was started"), PROCESS, NUMBER, FP_RECORD_PROCESS, COUNT, get_start_ticks),
  NUMBER ("uid", N_ ("UID"), N_ ("User ID it runs as"), OWNER, NUMBER, FP_RECORD_PROCESS, COUNT, get_uid),
  MADE ("user", N_ ("User"), N_ ("The user it runs as"), OWNER, FP_RECORD_PROCESS, make_user),
  MADE ("account", N_ ("Account"), N_ ("The user it runs as, with the users of each container apart"), OWNER, FP_RECORD_PROCESS, make_account),
  KEPT ("full_name", N_ ("Full Name"), N_ ("The user’s full name"), OWNER, FP_RECORD_PROCESS | FP_RECORD_TOTAL, get_full_name),
  KEPT ("name", N_ ("Name"), N_ ("What the group has in common"), OWNER, FP_RECORD_TOTAL | FP_RECORD_FOLD, get_group_name),
  NUMBER ("count", N_ ("Processes"), N_ ("How many processes"), PROCESS, FIGURE, FP_RECORD_TOTAL, COUNT, get_count),
  NUMBER ("count", N_ ("Mappings"), N_ ("How many mappings"), MAPPING, FIGURE, FP_RECORD_FOLD, COUNT, get_count),
  NUMBER ("unread", N_ ("Not Read"), N_ ("How many of them could not be read, and are missing from the sums"), READING, FIGURE, FP_RECORD_TOTAL, COUNT, get_unread),
  PLACE ("start", N_ ("Start"), N_ ("First address"), MAPPING_FACT, make_start, get_start),
  PLACE ("end", N_ ("End"), N_ ("The address after the last one"), MAPPING_FACT, make_end, get_end),
  PLACE ("range", N_ ("Address Range"), N_ ("The first address, and the one after the last"), MAPPING_FACT, make_range, get_start),
  MADE ("permissions", N_ ("Access"), N_ ("Read, write, execute; shared or private"), MAPPING, MAPPING_FACT, make_permissions),
  PLACE ("offset", N_ ("Offset"), N_ ("Where it begins in the file"), MAPPING_FACT, make_offset, get_offset),
  PLACE ("device", N_ ("Device"), N_ ("The disk the file is on"), MAPPING_FACT, make_device, get_device),
  NUMBER ("inode", N_ ("Inode"), N_ ("Number of the file on its disk"), MAPPING, NUMBER, MAPPING_FACT, COUNT, get_inode),
  FP_MEMORY_FIELDS (FIELD)
  { "share", N_ ("Share of Memory"), N_ ("Its part of the machine’s memory. The bar shows private, shared and swapped memory; what is only possible is striped"), FP_TOPIC_MEMORY, FP_PRESENT_SHARE, FP_RECORD_PROCESS | FP_RECORD_TOTAL, FP_FIELD_PSS, FP_UNIT_BYTES, NULL, NULL, NULL },
  NUMBER ("started", N_ ("Started"), N_ ("When it was started"), PROCESS, FIGURE, FP_RECORD_PROCESS, MOMENT, get_started),
  NUMBER ("measured_age_us", N_ ("Measured"), N_ ("How long ago the memory was measured"), READING, FIGURE, FP_RECORD_PROCESS, MICROSECONDS, get_age),
  MADE ("state", N_ ("State"), N_ ("R running, S sleeping, D waiting for a disk, T stopped, Z ended, I idle"), PROCESS, FP_RECORD_PROCESS, make_state),
  MADE ("reason", N_ ("Why Not Read"), N_ ("Why the memory is unknown"), READING, FP_RECORD_PROCESS, make_reason),
  KEPT ("app", N_ ("App"), N_ ("The desktop application it belongs to"), OWNER, FP_RECORD_PROCESS, get_app),
  KEPT ("unit", N_ ("Unit"), N_ ("The systemd service or scope it runs in"), OWNER, FP_RECORD_PROCESS, get_unit),
  KEPT ("slice", N_ ("Slice"), N_ ("The systemd slice it runs in"), OWNER, FP_RECORD_PROCESS, get_slice),
  KEPT ("container", N_ ("Container"), N_ ("The container it runs in"), OWNER, FP_RECORD_PROCESS, get_container),
  KEPT ("exe", N_ ("File"), N_ ("The program file it runs"), PROCESS, FP_RECORD_PROCESS, get_exe),
  KEPT ("comm", N_ ("Short Name"), N_ ("The name it gave itself, at most 15 bytes"), PROCESS, FP_RECORD_PROCESS, get_comm),
  KEPT ("program", N_ ("Program"), N_ ("The program, or the script that an interpreter runs"), PROCESS, FP_RECORD_PROCESS, get_program),
  KEPT ("command", N_ ("Command"), N_ ("The program and its arguments"), PROCESS, FP_RECORD_PROCESS, get_command),
  KEPT ("kind", N_ ("Kind"), N_ ("What it is for, as far as the kernel says"), MAPPING, MAPPING_FACT, get_kind),
  MADE ("label", N_ ("Label"), N_ ("What the program calls its anonymous memory"), MAPPING, MAPPING_FACT, make_label),
  KEPT ("file", N_ ("File"), N_ ("The file, or the kind of a mapping without one"), MAPPING, MAPPING_FACT, get_file),
  KEPT ("file_state", N_ ("File State"), N_ ("Whether the file still has this name on the disk"), MAPPING, MAPPING_FACT, get_file_state),
  KEPT ("change", N_ ("Change"), N_ ("What has changed since the mark was set"), MAPPING, FP_RECORD_CHANGE, get_change),
  MADE ("flags", N_ ("Flags"), N_ ("How the kernel treats it"), MAPPING, MAPPING_FACT, make_flags),
  KEPT ("mapping", N_ ("Mapping"), N_ ("The file, or what the kernel calls it"), MAPPING, MAPPING_FACT, get_mapping_name),
};
/* clang-format on */

const char *const fp_topic_titles[FP_N_TOPICS] = {
  [FP_TOPIC_MEMORY] = N_ ("Memory"),
  [FP_TOPIC_PARTS] = N_ ("Parts of Memory"),
  [FP_TOPIC_SWAP] = N_ ("Swap"),
  [FP_TOPIC_ADDRESS_SPACE] = N_ ("Address Space"),
  [FP_TOPIC_PROCESS] = N_ ("Process"),
  [FP_TOPIC_OWNER] = N_ ("Where It Belongs"),
  [FP_TOPIC_MAPPING] = N_ ("Mapping"),
  [FP_TOPIC_READING] = N_ ("Reading"),
};

guint
fp_columns_get_n (void)
{
  return G_N_ELEMENTS (columns);
}

const FpColumn *
fp_columns_get (guint i)
{
  return &columns[i];
}

/* kind: a mask of FpRecordKind */
const FpColumn *
fp_columns_find (const char *id,
                 FpRecordKind kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if ((columns[i].kinds & kind) && strcmp (columns[i].id, id) == 0)
      return &columns[i];
  return NULL;
}

static const char *
skip_signs (const char *name,
            const char *end)
{
  while (name < end && strchr (" _-+", *name))
    name++;
  return name;
}

/* Ignores case, blanks and signs: "swap whole" is swap_whole, and "Memory + Swap" is memory_swap. */
static gboolean
is_same_name (const char *a,
              const char *b,
              gsize b_length)
{
  const char *a_end = a + strlen (a), *b_end = b + b_length;

  for (;; a++, b++)
    {
      a = skip_signs (a, a_end);
      b = skip_signs (b, b_end);
      if (a == a_end || b == b_end)
        return a == a_end && b == b_end;
      if (g_ascii_tolower (*a) != g_ascii_tolower (*b))
        return FALSE;
    }
}

static gboolean
has_kernel_name (const FpColumn *column,
                 const char *name)
{
  const FpFieldInfo *field = column->field < FP_FIELD_NONE ? &fp_field_infos[column->field] : NULL;

  return field && column->presentation == FP_PRESENT_FIGURE && field->key_length > 0 &&
         is_same_name (name, field->key, field->key_length);
}

/* Finds what a person calls a column: its id, else its English title, else the kernel's name for it, as in SwapPss. */
const FpColumn *
fp_columns_find_named (const char *name,
                       FpRecordKind kind)
{
  const FpColumn *found = fp_columns_find (name, kind);

  for (guint i = 0; i < G_N_ELEMENTS (columns) && !found; i++)
    if ((columns[i].kinds & kind) && is_same_name (name, columns[i].id, strlen (columns[i].id)))
      found = &columns[i];
  for (guint i = 0; i < G_N_ELEMENTS (columns) && !found; i++)
    if ((columns[i].kinds & kind) && is_same_name (name, columns[i].title, strlen (columns[i].title)))
      found = &columns[i];
  for (guint i = 0; i < G_N_ELEMENTS (columns) && !found; i++)
    if ((columns[i].kinds & kind) && has_kernel_name (&columns[i], name))
      found = &columns[i];
  return found;
}

gboolean
fp_column_is_figure (const FpColumn *self)
{
  return self->presentation == FP_PRESENT_FIGURE || self->presentation == FP_PRESENT_SHARE;
}

FpFigure
fp_column_get_figure (const FpColumn *self,
                      const FpRecords *records,
                      guint index)
{
  if (self->get_figure)
    return self->get_figure (records, index);
  if (self->field != FP_FIELD_NONE)
    return fp_records_get_figure (records, index, self->field);
  return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
}

/* Gives the text of a text column. The records own it, or it is in the buffer. Empty: there is none. */
const char *
fp_column_get_text (const FpColumn *self,
                    const FpRecords *records,
                    guint index,
                    const FpFormat *format,
                    char *buffer,
                    gsize size)
{
  if (self->get_text)
    return self->get_text (records, index, format);
  self->make_text (records, index, format, buffer, size);
  return buffer;
}

const guint64 fp_summed_fields = (BIT (NONE) - 1) & ~NOT_SUMMED;

#define OF_MAPPING(id, name, source, ...) | (KINDS (id, source) & FP_RECORD_MAPPING ? BIT (id) : 0)

const guint64 fp_mapping_fields = 0 FP_MEMORY_FIELDS (OF_MAPPING);

gboolean
fp_field_is_summed (FpField field)
{
  return (fp_summed_fields >> field & 1) != 0;
}

/* Whether there is something in it for the sum of records that have it. */
gboolean
fp_column_is_summed (const FpColumn *self)
{
  if (self->field != FP_FIELD_NONE)
    return fp_field_is_summed (self->field);
  return self->get_figure && (self->kinds & (FP_RECORD_TOTAL | FP_RECORD_FOLD));
}

/* Gives the amount that stands for 100 %. */
guint64
fp_column_get_whole (const FpColumn *self,
                     const FpFormat *format)
{
  switch ((int)self->field)
    {
    case FP_FIELD_SWAP:
    case FP_FIELD_SWAP_PSS:
    case FP_FIELD_VM_SWAP:
      return format->swap_total;
    default:
      return format->memory_total;
    }
}

static FpFigureStyle
get_style (const FpColumn *self,
           const FpFormat *format)
{
  /* In a column a unit, the same in each row, would take the room of digits. */
  if (self->presentation == FP_PRESENT_NUMBER || (format->style == FP_STYLE_BYTES && self->unit == FP_UNIT_BYTES))
    return FP_STYLE_EXACT;
  return format->style;
}

/* Short, beside its bar: of a range, and of a sum that could not all be read, what is known for sure. */
static void
format_share (FpFigure figure,
              guint64 whole,
              char *text,
              gsize size)
{
  double low = (double)figure.low * 100 / (double)MAX (whole, 1), high = (double)figure.high * 100 / (double)MAX (whole, 1);

  if (!fp_figure_is_known (figure) || whole == 0)
    g_strlcpy (text, "—", size);
  else if (figure.kind == FP_FIGURE_AT_MOST)
    g_snprintf (text, size, "≤ %.1f %%", high);
  else if ((figure.kind == FP_FIGURE_RANGE || figure.kind == FP_FIGURE_PARTIAL) && high - low >= 0.1)
    g_snprintf (text, size, "≥ %.1f %%", low);
  else
    g_snprintf (text, size, "%.1f %%", low);
}

/* Bytes that are a part of the machine's memory. text: of FP_FIGURE_TEXT_SIZE */
void
fp_format_memory (const FpFormat *self,
                  FpFigure figure,
                  char *text)
{
  fp_figure_format (figure, FP_UNIT_BYTES, self->style, self->memory_total, text, FP_FIGURE_TEXT_SIZE);
}

void
fp_column_format (const FpColumn *self,
                  const FpRecords *records,
                  guint index,
                  const FpFormat *format,
                  char *text,
                  gsize size)
{
  const char *kept;

  if (self->presentation == FP_PRESENT_SHARE)
    {
      format_share (fp_column_get_figure (self, records, index), format->memory_total, text, size);
      return;
    }
  if (self->presentation == FP_PRESENT_TEXT)
    {
      kept = fp_column_get_text (self, records, index, format, text, size);
      if (kept != text)
        g_strlcpy (text, kept, size);
      return;
    }
  fp_figure_format (fp_column_get_figure (self, records, index), self->unit, get_style (self, format),
                    fp_column_get_whole (self, format), text, size);
}
