// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-column-values.h"
#include "fp-columns.h"
#include "fp-comparison.h"
#include "fp-control-values.h"
#include "fp-counted.h"
#include "fp-growth.h"
#include "fp-heap-size-records.h"
#include "fp-heap-values.h"
#include "fp-mapped-values.h"

#define MAPPING_FACT (FP_RECORD_MAPPING | FP_RECORD_CHANGE)
#define FILE_FACT    (MAPPING_FACT | FP_RECORD_MAPPED_FILE)

#define LONGEST_NAME 31 /* of those that are compared with what was typed */

#define FP_KINDS_HEAP_PLACES (FP_RECORD_HEAP_FUNCTION | FP_RECORD_HEAP_LIBRARY)

#define BIT FP_FIELD_BIT

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
#define TOPIC_KEPT    FP_TOPIC_PARTS
#define TOPIC(id, source)                 \
  (AMOUNTS & BIT (id)   ? FP_TOPIC_MEMORY \
   : IN_SWAP & BIT (id) ? FP_TOPIC_SWAP   \
   : PARTS & BIT (id)   ? FP_TOPIC_PARTS  \
                        : TOPIC_##source)

/* Each may end with the role, the subject and the flags of the column. */
#define KEPT(id, title, meaning, topic, kinds, text, ...) \
  COLUMN (id, title, meaning, topic, TEXT, kinds, COUNT, NULL, fp_text_##text, NULL, ##__VA_ARGS__)
#define MADE(id, title, meaning, topic, kinds, text, ...) \
  COLUMN (id, title, meaning, topic, TEXT, kinds, COUNT, NULL, NULL, fp_text_##text, ##__VA_ARGS__)
#define PLACE(id, title, meaning, text, value, ...) \
  COLUMN (id, title, meaning, MAPPING, TEXT, MAPPING_FACT, COUNT, fp_value_##value, NULL, fp_text_##text, ##__VA_ARGS__)
#define NUMBER(id, title, meaning, topic, presentation, kinds, unit, value, ...) \
  COLUMN (id, title, meaning, topic, presentation, kinds, unit, fp_value_##value, NULL, NULL, ##__VA_ARGS__)
#define CONTROL(id, title, meaning, topic, unit, value, ...)                                         \
  {                                                                                                  \
    id, title, meaning, FP_TOPIC_##topic, FP_PRESENT_FIGURE, FP_RECORD_CONTROL_GROUP, FP_FIELD_NONE, \
        FP_UNIT_##unit, fp_value_control_##value, NULL, NULL, ##__VA_ARGS__                          \
  }
#define COUNTED(id, title, meaning, topic, value)                                            \
  {                                                                                          \
    id, title, meaning, FP_TOPIC_##topic, FP_PRESENT_FIGURE, FP_RECORD_TOTAL, FP_FIELD_NONE, \
        FP_UNIT_BYTES, fp_value_##value, NULL, NULL                                          \
  }
#define HEAP(id, title, meaning, kinds, unit, ...) \
  NUMBER (id, title, meaning, HEAP, FIGURE, kinds, unit, heap_##__VA_ARGS__)
#define HEAP_COMPARED(id, unit)                                                                                             \
  HEAP (#id "_before", N_ ("Before"), N_ ("What it had at the earlier of the two moments or in the other file"),            \
        FP_RECORD_HEAP_COMPARED, unit, id##_before),                                                                        \
      HEAP (#id "_change", N_ ("Change"), N_ ("How much more or less it has than before"), FP_RECORD_HEAP_COMPARED, unit,   \
            id##_change),                                                                                                   \
      HEAP ("all_" #id "_change", N_ ("Change With Callees"), N_ ("The same with all that it calls"),                       \
            FP_RECORD_HEAP_COMPARED, unit, all_##id##_change),                                                              \
      KEPT (#id "_outcome", N_ ("Outcome"), N_ ("Whether it is new, gone, grown or shrunk"), HEAP, FP_RECORD_HEAP_COMPARED, \
            heap_##id##_outcome)
#define COLUMN(id, title, meaning, topic, presentation, kinds, unit, ...)                                              \
  {                                                                                                                    \
    id, title, meaning, FP_TOPIC_##topic, FP_PRESENT_##presentation, kinds, FP_FIELD_NONE, FP_UNIT_##unit, __VA_ARGS__ \
  }
#define FIELD(id, name, source, key, unit, bound, title, meaning)                                            \
  { name, title, meaning, TOPIC (id, source), FP_PRESENT_FIGURE, FP_FIELD_KINDS (id, source), FP_FIELD_##id, \
    FP_UNIT_##unit, NULL, NULL, NULL, FP_FIELD_##id == FP_FIELD_PSS ? FP_ROLE_MEMORY : FP_ROLE_NONE,         \
    .needs = FP_FIELD_##id == FP_FIELD_GRAPHICS ? FP_NEED_KEPT : 0 },

/* The one table of columns. A figure of the kernel is one by standing in FP_MEMORY_FIELDS. */
/* clang-format off */
static const FpColumn columns[] = {
  NUMBER ("pid", N_ ("PID"), N_ ("Process ID"), PROCESS, NUMBER, FP_RECORD_PROCESS, COUNT, pid),
  NUMBER ("ppid", N_ ("Parent"), N_ ("Process ID of the process that started it"), PROCESS, NUMBER, FP_RECORD_PROCESS, COUNT, ppid),
  NUMBER ("start_ticks", N_ ("Start Ticks"), N_ ("When it was started, in clock ticks since the machine was started"), PROCESS, NUMBER, FP_RECORD_PROCESS, COUNT, start_ticks),
  NUMBER ("uid", N_ ("UID"), N_ ("User ID it runs as"), OWNER, NUMBER, FP_RECORD_PROCESS, COUNT, uid),
  MADE ("user", N_ ("User"), N_ ("The user it runs as"), OWNER, FP_RECORD_PROCESS, user, .role = FP_ROLE_USER, .subject = FP_SUBJECT_USER, .flags = FP_COLUMN_SEARCHED),
  MADE ("account", N_ ("Account"), N_ ("The user it runs as, with the users of each container apart"), OWNER, FP_RECORD_PROCESS, account, .role = FP_ROLE_ACCOUNT, .subject = FP_SUBJECT_USER),
  KEPT ("full_name", N_ ("Full Name"), N_ ("The user’s full name"), OWNER, FP_RECORD_PROCESS | FP_RECORD_TOTAL, full_name),
  KEPT ("name", N_ ("Name"), N_ ("What the group has in common"), OWNER, FP_RECORD_TOTAL | FP_RECORD_FOLD, group_name, .role = FP_ROLE_NAME, .flags = FP_COLUMN_SEARCHED | FP_COLUMN_PATH),
  NUMBER ("count", N_ ("Processes"), N_ ("How many processes"), PROCESS, FIGURE, FP_RECORD_TOTAL, COUNT, count),
  NUMBER ("count", N_ ("Mappings"), N_ ("How many mappings"), MAPPING, FIGURE, FP_RECORD_FOLD, COUNT, count),
  NUMBER ("unread", N_ ("Not Read"), N_ ("How many of them could not be read, and are missing from the sums"), READING, FIGURE, FP_RECORD_TOTAL, COUNT, unread),
  COUNTED ("groups_memory", N_ ("Counted by Kernel"), N_ ("From the kernel’s groups, which need no permission: memory without cache of all groups that are this user’s alone; “≥” if some processes are in other groups. A shared page counts in full for the group that touched it first, so this is part of no other sum"), MEMORY, counted),
  COUNTED ("groups_own", N_ ("Counted: Own"), N_ ("From the kernel’s groups: the user’s heap, stacks and buffers"), PARTS, counted_own),
  COUNTED ("groups_shared", N_ ("Counted: Shared"), N_ ("From the kernel’s groups: shared memory and files kept in memory (tmpfs) that the user’s programs were the first to use"), PARTS, counted_shared),
  COUNTED ("groups_kernel", N_ ("Counted: Kernel"), N_ ("From the kernel’s groups: what the kernel needs for the user’s programs"), PARTS, counted_kernel),
  COUNTED ("groups_cache", N_ ("Counted: Cache"), N_ ("From the kernel’s groups: files that the user’s programs read or wrote, which is given back when others need the memory"), PARTS, counted_cache),
  COUNTED ("groups_swap", N_ ("Counted: Swap"), N_ ("From the kernel’s groups: what is in swap of the user’s programs, shared memory too"), SWAP, counted_swap),
  NUMBER ("groups_left_out", N_ ("Not Counted"), N_ ("How many of the user’s processes are in groups that are not this user’s alone, and are missing from what the kernel’s groups count"), READING, FIGURE, FP_RECORD_TOTAL, COUNT, not_counted),
  PLACE ("start", N_ ("Start"), N_ ("First address"), start, start, .flags = FP_COLUMN_REPEATED),
  PLACE ("end", N_ ("End"), N_ ("The address after the last one"), end, end, .flags = FP_COLUMN_REPEATED),
  PLACE ("range", N_ ("Address Range"), N_ ("The first address, and the one after the last"), range, start),
  MADE ("permissions", N_ ("Access"), N_ ("Read, write, execute; shared or private"), MAPPING, MAPPING_FACT, permissions),
  PLACE ("offset", N_ ("Offset"), N_ ("Where it begins in the file"), offset, offset),
  COLUMN ("device", N_ ("Device"), N_ ("The disk the file is on"), MAPPING, TEXT, FILE_FACT, COUNT, fp_value_device, NULL, fp_text_device),
  NUMBER ("inode", N_ ("Inode"), N_ ("Number of the file on its disk"), MAPPING, NUMBER, FILE_FACT, COUNT, inode),
  NUMBER ("processes", N_ ("Processes"), N_ ("How many processes map it"), MAPPING, FIGURE, FP_RECORD_MAPPED_FILE, COUNT, mapped_processes),
  NUMBER ("users", N_ ("Users"), N_ ("How many users have processes that map it"), MAPPING, FIGURE, FP_RECORD_MAPPED_FILE, COUNT, mapped_users),
  NUMBER ("mappings", N_ ("Mappings"), N_ ("How many times it is mapped, in parts and as a whole"), MAPPING, FIGURE, FP_RECORD_MAPPED_FILE, COUNT, mapped_mappings),
  NUMBER ("copies", N_ ("Copies"), N_ ("How many files in memory are the same program or library, by their build ID, which the linker gives it. Not known for a file without one"), MAPPING, FIGURE, FP_RECORD_MAPPED_FILE, COUNT, mapped_copies),
  FP_MEMORY_FIELDS (FIELD)
  { "share", N_ ("Share of Memory"), N_ ("Its part of the machine’s memory. The bar shows private, shared and swapped memory; what is only possible is striped"), FP_TOPIC_MEMORY, FP_PRESENT_SHARE, FP_RECORD_PROCESS | FP_RECORD_TOTAL, FP_FIELD_PSS, FP_UNIT_BYTES, NULL, NULL, NULL },
  COLUMN ("growth", N_ ("Growth per Minute"), N_ ("How much more memory and swap it has from minute to minute, where that can be told from noise: in the last ten minutes, or in the last hours if it is slow"), MEMORY, FIGURE, FP_RECORD_PROCESS | FP_RECORD_TOTAL | FP_RECORD_CONTROL_GROUP, BYTES, fp_records_get_growth, NULL, NULL),
  COLUMN ("trend", N_ ("Trend"), N_ ("Memory and swap in the last ten minutes; the lower edge is nothing. It is sorted by growth"), MEMORY, TREND, FP_RECORD_PROCESS | FP_RECORD_TOTAL | FP_RECORD_CONTROL_GROUP, BYTES, fp_records_get_growth, NULL, NULL),
  COLUMN ("change", N_ ("Change in Memory and Swap"), N_ ("How much more or less memory and swap it has than at the moment that you chose to compare from. It is unknown where it may be more or less"), MEMORY, FIGURE, FP_RECORD_PROCESS | FP_RECORD_TOTAL | FP_RECORD_MAPPED_FILE, BYTES, fp_records_get_change, NULL, NULL, .role = FP_ROLE_CHANGE, .flags = FP_COLUMN_WATCHED),
  NUMBER ("highest", N_ ("Highest"), N_ ("The most memory and swap that it was seen to have before it ended; of several processes, the most that one had"), MEMORY, FIGURE, FP_RECORD_PROCESS, BYTES, highest, .flags = FP_COLUMN_WATCHED),
  NUMBER ("lasted", N_ ("Lasted"), N_ ("How long it had run when it was found to have ended; of several processes, the longest"), PROCESS, FIGURE, FP_RECORD_PROCESS, MICROSECONDS, lasted, .flags = FP_COLUMN_WATCHED),
  NUMBER ("ended", N_ ("Ended"), N_ ("When it was found to have ended; of several processes, the last"), PROCESS, FIGURE, FP_RECORD_PROCESS, MOMENT, ended, .flags = FP_COLUMN_WATCHED),
  NUMBER ("before", N_ ("Before"), N_ ("Memory at the earlier of the two moments that are compared"), MEMORY, FIGURE, FP_RECORD_COMPARED, BYTES, before),
  NUMBER ("after", N_ ("After"), N_ ("Memory at the later of the two moments that are compared"), MEMORY, FIGURE, FP_RECORD_COMPARED, BYTES, after),
  NUMBER ("difference", N_ ("Change in Memory"), N_ ("How much more or less memory it has at the later moment. A range, where one of the figures is one"), MEMORY, FIGURE, FP_RECORD_COMPARED, BYTES, difference),
  NUMBER ("swap_before", N_ ("Swap Before"), N_ ("Its part of swap at the earlier moment"), SWAP, FIGURE, FP_RECORD_COMPARED, BYTES, swap_before),
  NUMBER ("swap_after", N_ ("Swap After"), N_ ("Its part of swap at the later moment"), SWAP, FIGURE, FP_RECORD_COMPARED, BYTES, swap_after),
  NUMBER ("swap_difference", N_ ("Change in Swap"), N_ ("How much more or less it has in swap at the later moment"), SWAP, FIGURE, FP_RECORD_COMPARED, BYTES, swap_difference),
  KEPT ("outcome", N_ ("Outcome"), N_ ("New, ended, grown or shrunk between the two moments, memory and swap taken together"), MEMORY, FP_RECORD_COMPARED, outcome),
  KEPT ("compared_with", N_ ("Compared With"), N_ ("What it is compared with: itself; after a restart, the process of the same program and unit that has the same rank in size; the file of the same name; or the group of the same path"), READING, FP_RECORD_COMPARED, pair),
  NUMBER ("started", N_ ("Started"), N_ ("When it was started"), PROCESS, FIGURE, FP_RECORD_PROCESS, MOMENT, started),
  NUMBER ("measured_age_us", N_ ("Measured"), N_ ("How long ago the memory was measured"), READING, FIGURE, FP_RECORD_PROCESS, MICROSECONDS, age, .role = FP_ROLE_AGE),
  MADE ("state", N_ ("State"), N_ ("R running, S sleeping, D waiting for a disk, T paused, Z ended, I idle"), PROCESS, FP_RECORD_PROCESS, state, .role = FP_ROLE_STATE),
  MADE ("reason", N_ ("Why Not Read"), N_ ("Why the memory is unknown"), READING, FP_RECORD_PROCESS, reason),
  KEPT ("app", N_ ("App"), N_ ("The desktop application it belongs to"), OWNER, FP_RECORD_PROCESS, app, .subject = FP_SUBJECT_APP, .flags = FP_COLUMN_SEARCHED),
  KEPT ("unit", N_ ("Unit"), N_ ("The systemd service or scope it runs in"), OWNER, FP_RECORD_PROCESS, unit),
  KEPT ("slice", N_ ("Slice"), N_ ("The systemd slice it runs in"), OWNER, FP_RECORD_PROCESS, slice),
  KEPT ("container", N_ ("Container"), N_ ("The container it runs in"), OWNER, FP_RECORD_PROCESS, container, .subject = FP_SUBJECT_CONTAINER),
  KEPT ("control_group", N_ ("Control Group"), N_ ("Its place in the kernel’s tree of groups"), OWNER, FP_RECORD_PROCESS, control_group, .flags = FP_COLUMN_PATH | FP_COLUMN_TREE),
  KEPT ("exe", N_ ("File"), N_ ("The program file it runs"), PROCESS, FP_RECORD_PROCESS, exe),
  KEPT ("comm", N_ ("Short Name"), N_ ("The name it gave itself, at most 15 bytes"), PROCESS, FP_RECORD_PROCESS, comm, .flags = FP_COLUMN_SEARCHED),
  KEPT ("program", N_ ("Program"), N_ ("The program, or the script that an interpreter runs"), PROCESS, FP_RECORD_PROCESS, program, .role = FP_ROLE_NAME, .subject = FP_SUBJECT_PROGRAM, .flags = FP_COLUMN_SEARCHED),
  KEPT ("command", N_ ("Command"), N_ ("The program and its arguments"), PROCESS, FP_RECORD_PROCESS, command, .role = FP_ROLE_COMMAND, .flags = FP_COLUMN_SEARCHED),
  KEPT ("kind", N_ ("Kind"), N_ ("What it is for, as far as the kernel says"), MAPPING, MAPPING_FACT, kind, .role = FP_ROLE_MAPPING_KIND),
  MADE ("label", N_ ("Label"), N_ ("What the program calls its anonymous memory"), MAPPING, MAPPING_FACT, label, .flags = FP_COLUMN_REPEATED),
  KEPT ("file", N_ ("File"), N_ ("The file, or the kind of a mapping without one"), MAPPING, MAPPING_FACT, file, .flags = FP_COLUMN_REPEATED),
  KEPT ("file_state", N_ ("File State"), N_ ("Whether the file still has this name on the disk"), MAPPING, MAPPING_FACT, file_state),
  KEPT ("kind", N_ ("Kind"), N_ ("What it is for, as far as the kernel says: “Code” is a program or a library"), MAPPING, FP_RECORD_MAPPED_FILE, mapped_kind, .role = FP_ROLE_MAPPING_KIND),
  KEPT ("file_state", N_ ("File State"), N_ ("Whether the file still has its name, was deleted, or was updated: then another file has its name now"), MAPPING, FP_RECORD_MAPPED_FILE, mapped_state),
  KEPT ("file", N_ ("File"), N_ ("The file or the segment, or the kind of memory that belongs to none"), MAPPING, FP_RECORD_MAPPED_FILE, mapped_file, .role = FP_ROLE_NAME, .flags = FP_COLUMN_SEARCHED | FP_COLUMN_PATH),
  KEPT ("mapped_by_user", N_ ("Mapped by User"), N_ ("The user whose processes map it, where it is only one"), MAPPING, FP_RECORD_MAPPED_FILE, mapped_user),
  KEPT ("mapped_by_program", N_ ("Mapped by Program"), N_ ("The program that maps it, where it is only one"), MAPPING, FP_RECORD_MAPPED_FILE, mapped_program),
  NUMBER ("pid", N_ ("PID"), N_ ("Process ID"), PROCESS, NUMBER, FP_RECORD_HOLDER, COUNT, holder_pid),
  KEPT ("program", N_ ("Program"), N_ ("The program, or the script that an interpreter runs"), PROCESS, FP_RECORD_HOLDER, holder_program),
  KEPT ("file", N_ ("File"), N_ ("The file or the segment, or the kind of memory that belongs to none"), MAPPING, FP_RECORD_HOLDER, holder_file),
  KEPT ("build_id", N_ ("Build ID"), N_ ("The linker’s mark on a program or library: copies of it have the same one"), MAPPING, FP_RECORD_MAPPED_FILE, mapped_build_id),
  KEPT ("change", N_ ("Outcome"), N_ ("New, gone, grown, shrunk or the same since the mark was set"), MAPPING, FP_RECORD_CHANGE, change, .role = FP_ROLE_CHANGE),
  MADE ("flags", N_ ("Flags"), N_ ("How the kernel treats it"), MAPPING, MAPPING_FACT, flags, .role = FP_ROLE_MAPPING_FLAGS),
  KEPT ("name", N_ ("Name"), N_ ("The slice, service, app or container. Its figures count all groups within it, too"), OWNER, FP_RECORD_CONTROL_GROUP, control_name, .role = FP_ROLE_NAME, .flags = FP_COLUMN_SEARCHED),
  KEPT ("kind", N_ ("Kind"), N_ ("Whether it is a slice, a service, an app, a container or another scope"), OWNER, FP_RECORD_CONTROL_GROUP, control_kind),
  KEPT ("unit", N_ ("Unit"), N_ ("The systemd slice, service or scope"), OWNER, FP_RECORD_CONTROL_GROUP, control_unit, .flags = FP_COLUMN_SEARCHED),
  CONTROL ("memory", N_ ("Memory"), N_ ("All memory that the kernel counts for the group: its own, shared, cache and kernel memory. Each page counts once, for the group that touched it first"), MEMORY, BYTES, memory, .role = FP_ROLE_MEMORY),
  CONTROL ("own", N_ ("Own Memory"), N_ ("Heap, stacks and buffers of its programs: it comes back when they end"), PARTS, BYTES, own),
  CONTROL ("cache", N_ ("Cache"), N_ ("Files that were read or written, and the kernel’s lists of files. It is given back when others need the memory"), PARTS, BYTES, cache),
  CONTROL ("shared", N_ ("Shared Memory"), N_ ("Shared memory and files kept in memory (tmpfs) that its programs were the first to use"), PARTS, BYTES, shared),
  CONTROL ("kernel", N_ ("Kernel"), N_ ("What the kernel needs for it: page tables, stacks of threads and other objects, without what counts as cache"), PARTS, BYTES, kernel),
  CONTROL ("swap", N_ ("Swap"), N_ ("How much of it is in swap, shared memory included"), SWAP, BYTES, swap),
  CONTROL ("change", N_ ("Change in Memory and Swap"), N_ ("How much more or less memory and swap it has than at the moment that the title of the column names"), MEMORY, BYTES, change, .role = FP_ROLE_CHANGE),
  CONTROL ("read_back_minute", N_ ("Back From Swap"), N_ ("What was read back from swap within the last minute"), SWAP, BYTES, from_swap_minute),
  CONTROL ("read_back", N_ ("Back From Swap in All"), N_ ("What was read back from swap since the group began"), SWAP, BYTES, from_swap),
  CONTROL ("reread_minute", N_ ("Back From Files"), N_ ("What was read again from files within the last minute, because the cache had been given back"), SWAP, BYTES, from_files_minute),
  CONTROL ("reread", N_ ("Back From Files in All"), N_ ("What was read again from files since the group began, because the cache had been given back"), SWAP, BYTES, from_files),
  CONTROL ("peak", N_ ("Peak"), N_ ("The most memory it ever had"), MEMORY, BYTES, peak),
  CONTROL ("limit", N_ ("Limit"), N_ ("The limit that it comes to first: its own, or that of a group around it"), LIMITS, BYTES, limit),
  CONTROL ("near_limit", N_ ("Of Limit"), N_ ("How much is used of the limit that it comes to first: its own, or that of a group around it. The kernel takes memory back or ends programs at 100 %"), LIMITS, PERCENT, closeness),
  CONTROL ("reached", N_ ("Limit Reached"), N_ ("How many times it was held back or had to give memory back, because it had reached a limit"), LIMITS, COUNT, reached),
  CONTROL ("killed", N_ ("Killed"), N_ ("How many of its processes the kernel killed because memory ran out"), LIMITS, COUNT, killed),
  CONTROL ("waited", N_ ("Waited"), N_ ("How long some of its programs waited for memory, within the last minute"), LIMITS, MICROSECONDS, waited),
  KEPT ("path", N_ ("Control Group"), N_ ("The group’s place in the kernel’s tree of groups"), OWNER, FP_RECORD_CONTROL_GROUP, control_path, .flags = FP_COLUMN_PATH | FP_COLUMN_TREE),
  KEPT ("mapping", N_ ("Mapping"), N_ ("The file, or what the kernel calls it"), MAPPING, MAPPING_FACT, mapping, .role = FP_ROLE_NAME, .flags = FP_COLUMN_SEARCHED | FP_COLUMN_PATH),
  NUMBER ("depth", N_ ("Depth"), N_ ("How many calls it is away from the top of the tree"), HEAP, NUMBER, FP_RECORD_HEAP_STEP, COUNT, heap_depth),
  KEPT ("function", N_ ("Function"), N_ ("The function that allocates, or that calls strdup(), operator new and the like to allocate for it"), HEAP, FP_RECORD_HEAP_FUNCTION | FP_RECORD_HEAP_STEP, heap_function, .role = FP_ROLE_NAME, .flags = FP_COLUMN_SEARCHED),
  KEPT ("library", N_ ("Library"), N_ ("The library or program that the function is in"), HEAP, FP_RECORD_HEAP_FUNCTION | FP_RECORD_HEAP_STEP, heap_library, .flags = FP_COLUMN_SEARCHED),
  KEPT ("library", N_ ("Library"), N_ ("The library or program whose functions allocate"), HEAP, FP_RECORD_HEAP_LIBRARY, heap_library, .role = FP_ROLE_NAME, .flags = FP_COLUMN_SEARCHED),
  HEAP ("peak", N_ ("In Use"), N_ ("What it had in use at the peak of the whole program, or at the moment that was chosen"), FP_KINDS_CODE, BYTES, peak, .role = FP_ROLE_MEMORY),
  HEAP ("leaked", N_ ("Never Freed"), N_ ("Memory it allocated that was never freed"), FP_KINDS_CODE, BYTES, leaked),
  HEAP ("temporary", N_ ("Temporary"), N_ ("How many of its blocks were freed before the next one was allocated"), FP_KINDS_CODE, COUNT, temporary),
  HEAP ("calls", N_ ("Allocations"), N_ ("How often it allocated"), FP_KINDS_CODE, COUNT, calls),
  HEAP ("all_peak", N_ ("In Use With Callees"), N_ ("The same with all that it calls"), FP_KINDS_HEAP_PLACES, BYTES, all_peak),
  HEAP ("all_leaked", N_ ("Never Freed With Callees"), N_ ("The same with all that it calls"), FP_KINDS_HEAP_PLACES, BYTES, all_leaked),
  HEAP ("all_temporary", N_ ("Temporary With Callees"), N_ ("The same with all that it calls"), FP_KINDS_HEAP_PLACES, COUNT, all_temporary),
  COLUMN ("block_size", N_ ("Block Size"), N_ ("How many bytes a block has, in steps of powers of two"), HEAP, TEXT, FP_RECORD_HEAP_SIZE, BYTES, fp_value_size_least, fp_text_size_name, NULL, .role = FP_ROLE_NAME),
  NUMBER ("calls", N_ ("Allocations"), N_ ("How many blocks of this size were allocated"), HEAP, FIGURE, FP_RECORD_HEAP_SIZE, COUNT, size_calls),
  NUMBER ("allocated", N_ ("Allocated"), N_ ("How much memory all of these blocks had, of which most may have been freed soon"), HEAP, FIGURE, FP_RECORD_HEAP_SIZE, BYTES, size_allocated, .role = FP_ROLE_MEMORY),
  NUMBER ("leaked", N_ ("Never Freed"), N_ ("How much memory those of them have that were never freed"), HEAP, FIGURE, FP_RECORD_HEAP_SIZE, BYTES, size_leaked),
  HEAP ("all_calls", N_ ("Allocations With Callees"), N_ ("The same with all that it calls"), FP_KINDS_HEAP_PLACES, COUNT, all_calls),
  HEAP_COMPARED (peak, BYTES),
  HEAP_COMPARED (leaked, BYTES),
  HEAP_COMPARED (temporary, COUNT),
  HEAP_COMPARED (calls, COUNT),
};
/* clang-format on */

const char *const fp_topic_titles[FP_N_TOPICS] = {
  [FP_TOPIC_MEMORY] = N_ ("Memory"),
  [FP_TOPIC_PARTS] = N_ ("Parts of Memory"),
  [FP_TOPIC_SWAP] = N_ ("Swap"),
  [FP_TOPIC_LIMITS] = N_ ("Shortage and Limits"),
  [FP_TOPIC_ADDRESS_SPACE] = N_ ("Address Space"),
  [FP_TOPIC_PROCESS] = N_ ("Process"),
  [FP_TOPIC_OWNER] = N_ ("Where It Belongs"),
  [FP_TOPIC_MAPPING] = N_ ("Mapping"),
  [FP_TOPIC_HEAP] = N_ ("Heap"),
  /* Translators: title of the columns that say when and how figures were read */
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
  g_return_val_if_fail (i < G_N_ELEMENTS (columns), NULL);

  return &columns[i];
}

/* kinds: a mask of FpRecordKind */
const FpColumn *
fp_columns_find (const char *id,
                 guint kinds)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if ((columns[i].kinds & kinds) && strcmp (columns[i].id, id) == 0)
      return &columns[i];
  return NULL;
}

/* Gives the column that records of these kinds have for the role. kinds: a mask of FpRecordKind */
const FpColumn *
fp_columns_get_role (FpColumnRole role,
                     guint kinds)
{
  g_return_val_if_fail (role != FP_ROLE_NONE, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].role == role && (columns[i].kinds & kinds))
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

/* A column has three names: its id, its English title, and the kernel's name for it, as in SwapPss. What a row is called is titled
 * Name in a window, whatever it is. */
static gboolean
has_name (const FpColumn *column,
          guint which,
          const char *name)
{
  const FpFieldInfo *field = column->field < FP_FIELD_NONE ? &fp_field_infos[column->field] : NULL;

  if (which < 2)
    return is_same_name (name, which == 0 ? column->id : column->title, strlen (which == 0 ? column->id : column->title));
  if (column->role == FP_ROLE_NAME)
    return is_same_name (name, "name", strlen ("name"));
  return field && column->presentation == FP_PRESENT_FIGURE && field->key_length > 0 &&
         is_same_name (name, field->key, field->key_length);
}

/* Finds what a person calls a column. An id goes before a title, and that before the kernel's name. */
const FpColumn *
fp_columns_find_named (const char *name,
                       guint kinds)
{
  const FpColumn *found = fp_columns_find (name, kinds);

  for (guint which = 0; which < 3 && !found; which++)
    for (guint i = 0; i < G_N_ELEMENTS (columns) && !found; i++)
      if ((columns[i].kinds & kinds) && has_name (&columns[i], which, name))
        found = &columns[i];
  return found;
}

/* Counts the letters that are missing, too many, wrong or exchanged with their neighbour. */
static guint
count_slips (const char *typed,
             const char *name)
{
  guint rows[3][LONGEST_NAME + 1];
  guint n_typed = (guint)strlen (typed), n_name = (guint)strlen (name);
  guint *before = rows[0], *last = rows[1], *next = rows[2];

  if (n_name > LONGEST_NAME)
    return G_MAXUINT;
  for (guint j = 0; j <= n_name; j++)
    last[j] = j;
  for (guint i = 1; i <= n_typed; i++)
    {
      guint *unused = before;

      next[0] = i;
      for (guint j = 1; j <= n_name; j++)
        {
          char a = g_ascii_tolower (typed[i - 1]), b = g_ascii_tolower (name[j - 1]);

          next[j] = MIN (MIN (last[j], next[j - 1]) + 1, last[j - 1] + (guint)(a != b));
          if (i > 1 && j > 1 && a == g_ascii_tolower (name[j - 2]) && b == g_ascii_tolower (typed[i - 2]))
            next[j] = MIN (next[j], before[j - 2] + 1);
        }
      before = last;
      last = next;
      next = unused;
    }
  return last[n_name];
}

/* Short words are often words of their own, so fewer slips are taken for slips there. */
static guint
get_most_slips (const char *typed)
{
  gsize n = strlen (typed);

  if (n < 3 || n > LONGEST_NAME || typed[strspn (typed, G_CSET_A_2_Z G_CSET_a_2_z "_")])
    return 0;
  return n < 6 ? 1 : 2;
}

/* Finds the name of a column that was probably meant by one that no column has; one of several words would not be found in a
 * search. NULL: there is none */
const char *
fp_columns_find_similar (const char *name,
                         guint kinds)
{
  guint least = get_most_slips (name) + 1;
  const char *found = NULL;

  if (least == 1)
    return NULL;
  for (guint i = 0; i < 2 * G_N_ELEMENTS (columns); i++)
    {
      const FpColumn *column = &columns[i % G_N_ELEMENTS (columns)];
      const char *own = i < G_N_ELEMENTS (columns) ? column->id : column->title;
      guint slips = (column->kinds & kinds) && !strchr (own, ' ') ? count_slips (name, own) : G_MAXUINT;

      if (slips >= least)
        continue;
      least = slips;
      found = own;
    }
  return found;
}
