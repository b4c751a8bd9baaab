// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-capture.h"
#include "fp-mapped-sum.h"
#include "fp-mapping-scanner.h"
#include "fp-tar.h"

#define TICKS_PER_SECOND 100                 /* as the kernel writes them on all machines but Alpha */
#define MAX_TICKS        (G_MAXUINT64 >> 16) /* a microsecond's number fits in 64 bits */
#define MAX_NAMES_SIZE   (256 * 1024 * 1024)

typedef struct
{
  const char *data; /* NULL: the archive does not have it */
  gsize size;
} Text;

typedef struct
{
  gint pid;
  guint32 uid;
  char user[33];
  guint32 uid_of_stat;
  Text stat;
  Text smaps;
  Text cmdline;
} Entry;

typedef struct
{
  GArray *entries;    /* Entry, by PID once all are read */
  GHashTable *places; /* index, and one, of each by PID */
  gint last_pid;      /* 0: there is no process yet */
  Text meminfo;
  guint64 time; /* seconds since 1970; the latest of all members */
} Archive;

static void
archive_clear (Archive *self)
{
  g_array_unref (self->entries);
  g_hash_table_unref (self->places);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Archive, archive_clear)

static gboolean
refuse (GError **error,
        const char *why)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("Not a usable capture of smemcap: %s"), why);
  return FALSE;
}

/* Says what is left of a name behind the folders that others than smemcap begin it with. */
static const char *
skip_folders (const char *name)
{
  static const char *const folders[] = { "./", "proc/" };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_str_has_prefix (name, folders[i]))
      name += strlen (folders[i]);
  return name;
}

/* "123/stat"; file: what is behind the PID, "" for its folder. 0: it is about no process */
static gint
parse_name (const char *name,
            const char **file)
{
  const char *slash = strchrnul (name, '/');
  g_autofree char *digits = g_strndup (name, (gsize)(slash - name));
  guint64 pid;

  *file = *slash ? slash + 1 : "";
  return *digits != '0' && g_ascii_string_to_unsigned (digits, 10, 1, G_MAXINT, &pid, NULL) ? (gint)pid : 0;
}

static Entry *
find_or_add (Archive *self,
             gint pid)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, GINT_TO_POINTER (pid)));

  if (!found)
    {
      g_array_append_val (self->entries, (Entry){ .pid = pid });
      found = self->entries->len;
      g_hash_table_insert (self->places, GINT_TO_POINTER (pid), GUINT_TO_POINTER (found));
    }
  return &g_array_index (self->entries, Entry, found - 1);
}

static gboolean
is_wanted (const char *file)
{
  static const char *const files[] = { "", "stat", "smaps", "cmdline", NULL };

  return g_strv_contains (files, file);
}

/* The folder has the owner. BusyBox writes root there in any case, but not at the files. */
static void
take_process (Archive *self,
              gint pid,
              const char *file,
              const FpTarMember *member)
{
  Entry *entry = find_or_add (self, pid);

  self->last_pid = pid;
  if (!*file && (member->uid != 0 || *member->user))
    {
      entry->uid = member->uid;
      g_strlcpy (entry->user, member->user, sizeof entry->user);
    }
  else if (g_str_equal (file, "stat"))
    {
      entry->stat = (Text){ member->data, member->size };
      entry->uid_of_stat = member->uid;
    }
  else if (g_str_equal (file, "smaps"))
    entry->smaps = (Text){ member->data, member->size };
  else if (g_str_equal (file, "cmdline"))
    entry->cmdline = (Text){ member->data, member->size };
}

/* A link would be followed by nobody here; but smemcap makes none, so that somebody meant something by it. */
static gboolean
take_member (Archive *self,
             const FpTarMember *member,
             GError **error)
{
  const char *name = skip_folders (member->name), *file;
  gboolean is_meminfo = g_str_equal (name, "meminfo");
  gint pid = is_meminfo ? 0 : parse_name (name, &file);

  if (!is_meminfo && (pid == 0 || !is_wanted (file)))
    return TRUE;
  if (member->type == FP_TAR_LINK)
    return refuse (error, _ ("it has links, which are not followed"));
  if (member->type == FP_TAR_OTHER)
    return TRUE;
  self->time = MAX (self->time, member->time);
  if (is_meminfo)
    self->meminfo = (Text){ member->data, member->size };
  else
    take_process (self, pid, file, member);
  return TRUE;
}

/* smemcap marks no end, so a cut is seen only where it is not between two processes. */
static gboolean
ends_early (Archive *self)
{
  const Entry *last = self->last_pid ? find_or_add (self, self->last_pid) : NULL;

  return !last || !last->stat.data || !last->smaps.data;
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  return ((const Entry *)a)->pid - ((const Entry *)b)->pid;
}

static gboolean
archive_read (Archive *self,
              GBytes *bytes,
              GError **error)
{
  FpTarMember member;
  FpTarStep step;
  FpTar tar;

  tar.at = g_bytes_get_data (bytes, &tar.left);
  while ((step = fp_tar_next (&tar, &member)) == FP_TAR_MEMBER)
    if (!take_member (self, &member, error))
      return FALSE;
  if (step == FP_TAR_DAMAGED)
    return refuse (error, _ ("it is damaged"));
  if (step != FP_TAR_CUT && !self->meminfo.data)
    return refuse (error, _ ("it is an archive of something else"));
  if (step == FP_TAR_CUT || (step == FP_TAR_OVER && ends_early (self)))
    return refuse (error, _ ("it is cut short"));
  if (self->entries->len == 0)
    return refuse (error, _ ("there is no process in it"));
  g_array_sort (self->entries, compare_entries);
  return TRUE;
}

/* A process that ended while it was captured has empty files there. */
static gboolean
parse_stat (const Entry *entry,
            FpStat *stat)
{
  return entry->stat.data && fp_stat_parse (stat, entry->stat.data, entry->stat.size);
}

static void
name_process (FpProcess *process,
              FpStrings *strings,
              const Entry *entry,
              const FpStat *stat)
{
  g_autofree char *number = g_strdup_printf ("%u", process->uid);
  FpIdentity identity;
  char user[sizeof entry->user * 4];

  fp_identity_parse (&identity, stat, entry->cmdline.data, entry->cmdline.size);
  fp_text_clean (user, sizeof user, entry->user, strlen (entry->user));
  process->texts[FP_TEXT_COMM] = fp_strings_intern (strings, identity.comm);
  process->texts[FP_TEXT_COMMAND] = fp_strings_intern (strings, identity.command);
  process->texts[FP_TEXT_PROGRAM] = fp_strings_intern (strings, identity.program);
  process->texts[FP_TEXT_USER] = fp_strings_intern (strings, *user ? user : process->uid == 0 ? "root"
                                                                                              : number);
}

static void
take_entry (FpSnapshot *snapshot,
            FpStrings *strings,
            const Entry *entry)
{
  FpProcess *process = &snapshot->processes[snapshot->n_processes];
  FpStat stat;

  if (!parse_stat (entry, &stat))
    return;
  *process = (FpProcess){ .pid = entry->pid, .uid = entry->uid ? entry->uid : entry->uid_of_stat };
  fp_process_take_stat (process, &stat, TICKS_PER_SECOND);
  fp_memory_set (&process->memory, FP_FIELD_VM_SIZE, stat.fingerprint.vsize);
  name_process (process, strings, entry, &stat);
  process->reason = stat.is_kernel_thread       ? FP_REASON_KERNEL_THREAD
                    : fp_stat_has_ended (&stat) ? FP_REASON_ZOMBIE
                    : entry->smaps.size == 0    ? FP_REASON_PERMISSION
                                                : FP_REASON_NONE;
  if (process->reason != FP_REASON_NONE)
    fp_process_clear_memory (process, process->reason);
  if (process->start_ticks < MAX_TICKS)
    snapshot->info.boottime_us = MAX (snapshot->info.boottime_us, process->start_ticks * (G_USEC_PER_SEC / TICKS_PER_SECOND));
  snapshot->n_processes++;
}

/* The youngest process is smemcap itself, so that its start is the time of the capture. */
static FpSnapshot *
list_processes (const Archive *archive)
{
  FpSnapshot *snapshot = fp_snapshot_new (archive->entries->len);
  FpStrings strings;

  fp_strings_init (&strings, 4096);
  snapshot->info = (FpSnapshotInfo){ .realtime_us = archive->time * G_USEC_PER_SEC, .ticks_per_second = TICKS_PER_SECOND };
  for (guint i = 0; i < archive->entries->len; i++)
    take_entry (snapshot, &strings, &g_array_index (archive->entries, Entry, i));
  snapshot->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  fp_system_parse_meminfo (&snapshot->system, archive->meminfo.data, archive->meminfo.size);
  return snapshot;
}

static FpMappings *
scan_mappings (const Text *smaps)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();

  fp_mapping_scanner_feed (scanner, smaps->data, smaps->size);
  return fp_mapping_scanner_finish (scanner);
}

static guint64
find_page_size (const FpMappings *mappings,
                guint64 smallest)
{
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      guint64 size = fp_mappings_get_figure (mappings, i, FP_FIELD_KERNEL_PAGE_SIZE);

      if (size > 0 && (smallest == 0 || size < smallest))
        smallest = size;
    }
  return smallest;
}

static void
read_memory (FpSnapshot *snapshot,
             guint index,
             const Text *smaps,
             FpMappedSum *sum)
{
  FpProcess *process = &snapshot->processes[index];
  g_autoptr (FpMappings) mappings = NULL;

  if (process->reason == FP_REASON_PERMISSION)
    fp_mapped_sum_add_unread (sum, index, TRUE);
  if (process->reason != FP_REASON_NONE)
    return;
  mappings = scan_mappings (smaps);
  fp_mappings_sum (mappings, &process->memory);
  snapshot->info.page_size = find_page_size (mappings, snapshot->info.page_size);
  fp_mapped_sum_add (sum, index, mappings, NULL, NULL);
  process->measured_us = snapshot->info.boottime_us;
  if (!fp_memory_has (&process->memory, FP_FIELD_PSS))
    fp_process_clear_memory (process, FP_REASON_UNSUPPORTED);
}

/* There is no /proc that anything could be asked of. */
static FpMappedFiles *
read_memories (FpSnapshot *snapshot,
               const Archive *archive)
{
  const FpProcDir nowhere = { .fd = -1, .opens_no_files = TRUE };
  g_autofree FpMappedProcess *processes = g_new (FpMappedProcess, snapshot->n_processes + 1);
  g_autoptr (FpMappedSum) sum = NULL;
  FpMappedFiles *files;

  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      processes[i] = (FpMappedProcess){ { process->pid, process->start_ticks }, process->uid, 0 };
    }
  sum = fp_mapped_sum_new (&nowhere, processes, snapshot->n_processes, MAX_NAMES_SIZE);
  for (guint i = 0, entry = 0; i < snapshot->n_processes; i++, entry++)
    {
      while (g_array_index (archive->entries, Entry, entry).pid != snapshot->processes[i].pid)
        entry++;
      read_memory (snapshot, i, &g_array_index (archive->entries, Entry, entry).smaps, sum);
    }
  files = fp_mapped_sum_finish (sum);
  files->measured_us = snapshot->info.boottime_us;
  return files;
}

/* files: gets what the processes map */
FpSnapshot *
fp_capture_open (GBytes *bytes,
                 FpMappedFiles **files,
                 GError **error)
{
  g_auto (Archive) archive = {
    .entries = g_array_new (FALSE, FALSE, sizeof (Entry)),
    .places = g_hash_table_new (NULL, NULL),
  };
  FpSnapshot *snapshot;

  if (!archive_read (&archive, bytes, error))
    return NULL;
  snapshot = list_processes (&archive);
  *files = read_memories (snapshot, &archive);
  if (snapshot->info.page_size == 0)
    snapshot->info.page_size = 4096;
  return snapshot;
}
