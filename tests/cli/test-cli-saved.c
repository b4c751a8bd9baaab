// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <string.h>

#include "cli-runner.h"
#include "cli-terminal.h"
#include "fixture-control-groups.h"
#include "fixture-snapshot.h"
#include "fp-display.h"
#include "fp-saved-file.h"
#include "fp-snapshot-file.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

/* A snapshot made by hand, looked at with --open. */
typedef struct
{
  FixtureSnapshot snapshot;
  FpSystem *system;
  char *folder;
  char *path;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  fixture_snapshot_init (&self->snapshot, 256);
  self->system = &self->snapshot.snapshot->system;
  fp_system_set (self->system, FP_SYSTEM_MEM_FREE, 15000 * MIB);
  fp_system_set (self->system, FP_SYSTEM_ANON_PAGES, 100 * MIB);
  fp_system_set (self->system, FP_SYSTEM_CACHED, 800 * MIB);
  fp_system_set (self->system, FP_SYSTEM_BUFFERS, 0);
  fp_system_set (self->system, FP_SYSTEM_SHMEM, 40 * MIB);
  fp_system_set (self->system, FP_SYSTEM_SWAP_FREE, 3996 * MIB);
  self->folder = cli_make_folder ();
  self->path = g_build_filename (self->folder, "saved", NULL);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  fixture_snapshot_clear (&self->snapshot);
  g_free (self->path);
  cli_remove_folder (self->folder);
}

static void
save (Fixture *self)
{
  g_autoptr (FpRecords) records = fixture_snapshot_make_records (&self->snapshot);
  g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (self->snapshot.snapshot);

  g_assert_true (
      g_file_set_contents (self->path, g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes), NULL));
}

static FpProcess *
add_read (Fixture *self,
          gint pid,
          guint64 anon,
          guint64 shmem,
          guint64 file)
{
  FpProcess *process = fixture_snapshot_add (&self->snapshot, pid, "read");

  fixture_set_figures (process, anon + shmem + file, anon + shmem + file, 0);
  fp_memory_set (&process->memory, FP_FIELD_PSS_ANON, anon);
  fp_memory_set (&process->memory, FP_FIELD_PSS_SHMEM, shmem);
  fp_memory_set (&process->memory, FP_FIELD_PSS_FILE, file);
  return process;
}

static FpProcess *
add_unread (Fixture *self,
            gint pid,
            FpReason reason,
            guint64 anon,
            guint64 shmem,
            guint64 file)
{
  FpProcess *process = fixture_snapshot_add_reason (&self->snapshot, pid, "unread", reason);

  fp_memory_set (&process->memory, FP_FIELD_RSS, anon + shmem + file);
  fp_memory_set (&process->memory, FP_FIELD_RSS_ANON, anon);
  fp_memory_set (&process->memory, FP_FIELD_RSS_SHMEM, shmem);
  fp_memory_set (&process->memory, FP_FIELD_RSS_FILE, file);
  fp_memory_set (&process->memory, FP_FIELD_VM_SWAP, 0);
  return process;
}

static void
assert_matches (const char *text,
                const char *pattern)
{
  gboolean is_there = g_regex_match_simple (pattern, text, G_REGEX_MULTILINE, 0);

  if (!is_there)
    g_test_message ("No “%s” in\n%s", pattern, text);
  g_assert_true (is_there);
}

static JsonObject *
get_system (JsonNode *root)
{
  return json_object_get_object_member (json_node_get_object (root), "system");
}

static JsonObject *
get_share (JsonNode *root,
           guint i)
{
  return json_array_get_object_element (json_object_get_array_member (get_system (root), "shares"), i);
}

/* Those that could not be read may have all of the rest, or nothing. */
static void
test_rest (Fixture *self,
           gconstpointer data)
{
  g_autofree char *page = NULL;
  g_autoptr (JsonNode) root = NULL;

  add_read (self, 1, 60 * MIB, 0, 10 * MIB);
  add_unread (self, 2, FP_REASON_PERMISSION, 30 * MIB, 0, 5000 * MIB);
  save (self);
  page = cli_get_output ("--open", self->path, "--system", NULL);
  assert_matches (page, "^  of no process \\(the counters drift\\) +10\\.0–40\\.0 MiB$");
  assert_matches (page, "^  mapped by no process +0 B–750 MiB$");
  root = cli_get_json ("--open", self->path, "--system", "--json", NULL);
  g_assert_cmpint (cli_json_get_int (get_share (root, 0), "not_mapped"), ==, 10 * MIB);
  g_assert_cmpint (cli_json_get_int (get_share (root, 0), "not_mapped_at_most"), ==, 40 * MIB);
  g_assert_cmpint (cli_json_get_int (get_share (root, 2), "not_mapped"), ==, 0);
  g_assert_cmpint (cli_json_get_int (get_share (root, 2), "not_mapped_at_most"), ==, 750 * MIB);
}

static void
test_exact_rest (Fixture *self,
                 gconstpointer data)
{
  g_autofree char *page = NULL;

  add_read (self, 1, 60 * MIB, 0, 10 * MIB);
  save (self);
  page = cli_get_output ("--open", self->path, "--system", NULL);
  assert_matches (page, "^  of no process \\(the counters drift\\) +40\\.0 MiB$");
  assert_matches (page, "^  mapped by no process +750 MiB$");
  g_assert_null (strstr (page, "hidden"));
}

static void
test_hidden (Fixture *self,
             gconstpointer data)
{
  g_autofree char *page = NULL;

  fp_system_set (self->system, FP_SYSTEM_HIDDEN_TASKS, 30);
  fp_system_set (self->system, FP_SYSTEM_SWAP_FREE, 3996 * MIB);
  add_read (self, 1, 60 * MIB, 0, 10 * MIB);
  save (self);
  page = cli_get_output ("--open", self->path, "--system", NULL);
  assert_matches (page, "^  of no process, or of processes hidden from here +40\\.0 MiB$");
  assert_matches (page, "^  mapped by no process, or by processes hidden from here +750 MiB$");
  assert_matches (page, "^  of no process +100 MiB +.* or of processes hidden from here$");
}

static void
test_swap (Fixture *self,
           gconstpointer data)
{
  g_autofree char *page = NULL;
  g_autoptr (JsonNode) root = NULL;

  fp_memory_set (&add_read (self, 1, 0, 0, 0)->memory, FP_FIELD_SWAP_PSS, 20 * MIB);
  fp_memory_set (&add_unread (self, 2, FP_REASON_PERMISSION, 0, 0, 0)->memory, FP_FIELD_VM_SWAP, 50 * MIB);
  save (self);
  page = cli_get_output ("--open", self->path, "--system", NULL);
  assert_matches (page, "^  of processes +20\\.0–70\\.0 MiB$");
  assert_matches (page, "^  of no process +30\\.0–80\\.0 MiB ");
  root = cli_get_json ("--open", self->path, "--system", "--json", NULL);
  g_assert_cmpint (cli_json_get_int (get_system (root), "swap_used"), ==, 100 * MIB);
  g_assert_cmpint (cli_json_get_int (get_system (root), "swap_of_processes"), ==, 20 * MIB);
  g_assert_cmpint (cli_json_get_int (get_system (root), "swap_of_processes_at_most"), ==, 70 * MIB);
  g_assert_cmpint (cli_json_get_int (get_system (root), "swap_of_nobody"), ==, 30 * MIB);
  g_assert_cmpint (cli_json_get_int (get_system (root), "swap_of_nobody_at_most"), ==, 80 * MIB);
}

/* Read one after the other, the counters may not agree. */
static void
test_swap_of_more_than_there_is (Fixture *self,
                                 gconstpointer data)
{
  g_autofree char *page = NULL;
  g_autoptr (JsonNode) root = NULL;

  fp_memory_set (&add_read (self, 1, 0, 0, 0)->memory, FP_FIELD_SWAP_PSS, 120 * MIB);
  save (self);
  page = cli_get_output ("--open", self->path, "--system", NULL);
  assert_matches (page, "^  of no process +0 B ");
  root = cli_get_json ("--open", self->path, "--system", "--json", NULL);
  g_assert_cmpint (cli_json_get_int (get_system (root), "swap_of_nobody"), ==, 0);
  g_assert_cmpint (cli_json_get_int (get_system (root), "swap_of_nobody_at_most"), ==, 0);
}

/* A /proc that was made up: 256 times what a saved figure may be at most */
static void
test_overflow (Fixture *self,
               gconstpointer data)
{
  g_autofree char *table = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *total;

  for (gint pid = 1; pid <= 256; pid++)
    fp_memory_set (&add_read (self, pid, 0, 0, 0)->memory, FP_FIELD_SWAP_PSS, G_GUINT64_CONSTANT (1) << 56);
  save (self);
  table = cli_get_output ("--open", self->path, "--total", "--columns", "swap", NULL);
  g_assert_nonnull (strstr (table, "≥ 8.0 EiB"));
  root = cli_get_json ("--open", self->path, "--json", "--total", NULL);
  total = json_object_get_object_member (json_node_get_object (root), "total");
  g_assert_cmpint (cli_json_get_int (total, "swap"), ==, G_MAXINT64);
  g_assert_cmpint (cli_json_get_int (get_system (root), "swap_of_processes"), ==, G_MAXINT64);
  g_assert_cmpint (cli_json_get_int (get_system (root), "swap_of_nobody"), ==, 0);
  g_assert_false (json_object_has_member (json_object_get_object_member (total, "at_most"), "swap"));
}

static void
test_zram (Fixture *self,
           gconstpointer data)
{
  FpSwap swap = { .name = "/dev/zram0", .type = FP_SWAP_ZRAM, .size = 4096 * MIB, .used = 100 * MIB, .stored = FP_SWAP_UNKNOWN, .compressed = FP_SWAP_UNKNOWN, .cost = FP_SWAP_UNKNOWN };
  g_autofree char *page = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *swaps;

  self->system->n_swaps = 2;
  self->system->swaps[0] = swap;
  swap.stored = 90 * MIB;
  swap.compressed = 30 * MIB;
  swap.cost = 31 * MIB;
  strcpy (swap.name, "/dev/zram1");
  self->system->swaps[1] = swap;
  add_read (self, 1, 0, 0, 0);
  save (self);
  page = cli_get_output ("--open", self->path, "--system", NULL);
  assert_matches (page, "^  /dev/zram0 +100 MiB  of 4\\.0 GiB, compressed in RAM, priority 0, in — of RAM$");
  assert_matches (page, "^  /dev/zram1 +100 MiB  .*, holding 90\\.0 MiB in 31\\.0 MiB of RAM$");
  root = cli_get_json ("--open", self->path, "--system", "--json", NULL);
  swaps = json_object_get_array_member (get_system (root), "swaps");
  g_assert_true (json_object_get_null_member (json_array_get_object_element (swaps, 0), "stored"));
  g_assert_true (json_object_get_null_member (json_array_get_object_element (swaps, 0), "compressed"));
  g_assert_true (json_object_get_null_member (json_array_get_object_element (swaps, 0), "cost"));
  g_assert_cmpint (cli_json_get_int (json_array_get_object_element (swaps, 1), "stored"), ==, 90 * MIB);
  g_assert_cmpint (cli_json_get_int (json_array_get_object_element (swaps, 1), "cost"), ==, 31 * MIB);
}

static JsonObject *
get_at_most (JsonObject *object)
{
  return json_object_get_object_member (object, "at_most");
}

/* A giant that has grown since it was read, beside a small one: between 200 and 260 MiB of memory, 1 and 3 MiB of swap. */
static void
add_giant (Fixture *self)
{
  FpMemory *memory = &add_read (self, 1, 200 * MIB, 0, 0)->memory;

  fp_memory_set (memory, FP_FIELD_RSS, 270 * MIB);
  fp_memory_set_range (memory, FP_FIELD_PSS, 200 * MIB, 260 * MIB);
  fp_memory_set_range (memory, FP_FIELD_PSS_ANON, 200 * MIB, 260 * MIB);
  fp_memory_set_range (memory, FP_FIELD_SWAP_PSS, MIB, 3 * MIB);
  add_read (self, 2, 10 * MIB, 0, 0);
  fp_system_set (self->system, FP_SYSTEM_MEM_FREE, 14800 * MIB);
  fp_system_set (self->system, FP_SYSTEM_ANON_PAGES, 300 * MIB);
  save (self);
}

static void
test_range_for_programs (Fixture *self,
                         gconstpointer data)
{
  g_autoptr (JsonNode) root = NULL, groups = NULL;
  JsonObject *giant, *total, *group, *share;
  g_autofree char *csv = NULL;

  add_giant (self);
  root = cli_get_json ("--open", self->path, "--json", NULL);
  giant = cli_json_find (root, "processes", "pid", 1);
  g_assert_cmpint (cli_json_get_int (giant, "pss"), ==, 200 * MIB);
  g_assert_cmpint (cli_json_get_int (get_at_most (giant), "pss"), ==, 260 * MIB);
  g_assert_cmpint (cli_json_get_int (giant, "swap"), ==, MIB);
  g_assert_cmpint (cli_json_get_int (get_at_most (giant), "swap"), ==, 3 * MIB);
  g_assert_true (json_object_get_boolean_member (giant, "readable"));
  g_assert_false (json_object_has_member (giant, "possibly"));
  g_assert_false (json_object_has_member (get_at_most (cli_json_find (root, "processes", "pid", 2)), "pss"));
  total = json_object_get_object_member (json_node_get_object (root), "total");
  g_assert_cmpint (cli_json_get_int (total, "pss"), ==, 210 * MIB);
  g_assert_cmpint (cli_json_get_int (get_at_most (total), "pss"), ==, 270 * MIB);
  g_assert_cmpint (cli_json_get_int (total, "unread"), ==, 0);
  share = json_array_get_object_element (json_object_get_array_member (get_system (root), "shares"), 0);
  g_assert_cmpint (cli_json_get_int (share, "read"), ==, 210 * MIB);
  g_assert_cmpint (cli_json_get_int (share, "read_at_most"), ==, 270 * MIB);
  g_assert_cmpint (cli_json_get_int (share, "not_readable_at_most"), ==, 0);
  g_assert_cmpint (cli_json_get_int (share, "not_mapped"), ==, 30 * MIB);
  groups = cli_get_json ("--open", self->path, "--by", "program", "--json", NULL);
  group = json_array_get_object_element (json_object_get_array_member (json_node_get_object (groups), "groups"), 0);
  g_assert_cmpint (cli_json_get_int (group, "pss"), ==, 210 * MIB);
  g_assert_cmpint (cli_json_get_int (get_at_most (group), "pss"), ==, 270 * MIB);
  csv = cli_get_output ("--open", self->path, "--csv", "--columns", "pid,pss", NULL);
  g_assert_cmpstr (csv, ==, "pid,pss\r\n1,209715200\r\n2,10485760\r\n");
}

static void
test_range_for_people (Fixture *self,
                       gconstpointer data)
{
  g_autofree char *table = NULL, *page = NULL;

  add_giant (self);
  table = cli_get_output ("--open", self->path, "--columns", "pid,pss,share,program", NULL);
  assert_matches (table, "^  1 +200–260 MiB +≥ 1\\.2 %  read$");
  assert_matches (table, "^ +210–270 MiB +≥ 1\\.3 %  2 processes$");
  g_assert_null (strstr (table, "could not be read"));
  page = cli_get_output ("--open", self->path, "--system", NULL);
  assert_matches (page, "^  of processes that could be read +210–270 MiB$");
  assert_matches (page, "^  of no process \\(the counters drift\\) +30\\.0–90\\.0 MiB$");
  g_assert_null (strstr (page, "that could not"));
}

/* Beside what is certainly so */
static void
test_possible (Fixture *self,
               gconstpointer data)
{
  g_autofree char *certain = NULL, *possible = NULL, *neither = NULL;
  g_autoptr (JsonNode) root = NULL;

  add_giant (self);
  certain = cli_get_output ("--open", self->path, "--columns", "pid,pss", "--filter", "pss>150M", NULL);
  assert_matches (certain, "^  1 +200–260 MiB$");
  g_assert_null (strstr (certain, "possibly"));
  possible = cli_get_output ("--open", self->path, "--columns", "pid,pss", "--filter", "pss>250M", NULL);
  assert_matches (possible, "^  1 +200–260 MiB$");
  assert_matches (possible, "^1 process matches only possibly, because its memory has changed since it was read: PID 1\\.$");
  neither = cli_get_output ("--open", self->path, "--columns", "pid,pss", "--filter", "pss>260M", NULL);
  g_assert_null (strstr (neither, "200–260"));
  root = cli_get_json ("--open", self->path, "--json", "--filter", "pss>250M", NULL);
  g_assert_true (json_object_get_boolean_member (cli_json_find (root, "processes", "pid", 1), "possibly"));
}

static void
test_reasons (Fixture *self,
              gconstpointer data)
{
  g_autofree char *table = NULL, *users = NULL;
  static const char note[] = "\n6 of 7 processes could not be read; “≤” and the upper ends of ranges say what they have at most. "
                             "1 has not been measured yet. For 1 of them this kernel has no figures.\n";

  add_read (self, 1, 60 * MIB, 0, 10 * MIB);
  add_unread (self, 2, FP_REASON_PERMISSION, 0, 0, MIB);
  add_unread (self, 3, FP_REASON_PENDING, 0, 0, MIB);
  add_unread (self, 4, FP_REASON_TOO_COSTLY, 0, 0, MIB);
  add_unread (self, 5, FP_REASON_TOO_COSTLY, 0, 0, MIB);
  add_unread (self, 6, FP_REASON_UNSUPPORTED, 0, 0, MIB);
  add_unread (self, 7, FP_REASON_PERMISSION, 0, 0, MIB);
  save (self);
  table = cli_get_output ("--open", self->path, NULL);
  users = cli_get_output ("--open", self->path, "--by", "user", NULL);
  g_assert_true (g_str_has_suffix (table, note));
  g_assert_true (g_str_has_suffix (users, note));
}

/* For people with whom; for programs one word of those that are in the manual */
static void
test_shared_memory (Fixture *self,
                    gconstpointer data)
{
  FpProcess *twin;
  g_autofree char *table = NULL, *csv = NULL;
  g_autoptr (JsonNode) root = NULL;

  add_read (self, 123, MIB, 0, 0);
  twin = fixture_snapshot_add_reason (&self->snapshot, 124, "twin", FP_REASON_SHARED_MEMORY);
  twin->shares_with = 123;
  save (self);
  root = cli_get_json ("--open", self->path, "--json", NULL);
  g_assert_cmpstr (cli_json_get_text (cli_json_find (root, "processes", "pid", 124), "reason"), ==, "shared memory");
  g_assert_cmpint (cli_json_get_int (cli_json_find (root, "processes", "pid", 124), "shares_with"), ==, 123);
  csv = cli_get_output ("--open", self->path, "--csv", "--columns", "pid,reason", NULL);
  g_assert_nonnull (strstr (csv, "\r\n124,shared memory\r\n"));
  table = cli_get_output ("--open", self->path, "--columns", "pid,reason", NULL);
  g_assert_nonnull (strstr (table, "124  shared memory with 123\n"));
}

/* A sign that is two cells wide does not fit in the last one. */
static void
test_wide_cut (Fixture *self,
               gconstpointer data)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  add_read (self, 1, MIB, 0, 0);
  fixture_snapshot_add (&self->snapshot, 2, "a字字字字字字字字字字字字字字字字");
  fixture_snapshot_add (&self->snapshot, 3, "字字字字字字字字字字字字字字字字字");
  save (self);
  g_setenv ("NO_COLOR", "1", TRUE);
  text = cli_terminal_get_output (80, "--open", self->path, "--columns", "program,pid", NULL);
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), >, 4);
  for (guint i = 3; i < 6; i++)
    g_assert_cmpuint (fp_display_width (lines[i]), ==, fp_display_width (lines[2]));
}

static void
test_meanings (Fixture *self,
               gconstpointer data)
{
  g_autofree char *piped = NULL, *wide = NULL, *narrow = NULL;

  add_read (self, 1, MIB, 0, 0);
  save (self);
  g_setenv ("NO_COLOR", "1", TRUE);
  piped = cli_get_output ("--open", self->path, "--system", NULL);
  wide = cli_terminal_get_output (200, "--open", self->path, "--system", NULL);
  narrow = cli_terminal_get_output (80, "--open", self->path, "--system", NULL);
  assert_matches (piped, "^Programs’ own +100 MiB  Heaps, stacks and buffers of processes$");
  assert_matches (wide, "^Programs’ own +100 MiB  Heaps, stacks and buffers of processes$");
  assert_matches (narrow, "^Programs’ own +100 MiB$");
}

/* Peaks of different moments, and scores */
static void
test_not_summed (Fixture *self,
                 gconstpointer data)
{
  g_autofree char *table = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *total, *group;

  for (gint pid = 1; pid <= 2; pid++)
    {
      FpProcess *process = add_read (self, pid, MIB, 0, 0);

      fp_memory_set (&process->memory, FP_FIELD_PEAK_RSS, 5 * MIB);
      fp_memory_set (&process->memory, FP_FIELD_VM_PEAK, 6 * MIB);
      fp_memory_set (&process->memory, FP_FIELD_OOM_SCORE, 7);
    }
  save (self);
  root = cli_get_json ("--open", self->path, "--by", "program", "--json", NULL);
  total = json_object_get_object_member (json_node_get_object (root), "total");
  group = json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "groups"), 0);
  g_assert_cmpint (cli_json_get_int (total, "pss"), ==, 2 * MIB);
  g_assert_false (json_object_has_member (total, "peak_rss"));
  g_assert_false (json_object_has_member (group, "peak_rss"));
  g_assert_false (json_object_has_member (group, "vm_peak"));
  table = cli_get_output ("--open", self->path, "--columns", "peak_rss,vm_peak,oom_score,pss,program", "--total", NULL);
  assert_matches (table, "^ +2\\.0 MiB +2 processes$");
  cli_assert_refused (2, "peak_rss", "--by", "user", "--columns", "peak_rss", NULL);
}

#define USER "/user.slice/user-1000.slice"

static void
add_member (Fixture *self,
            gint pid,
            guint32 uid,
            const char *user,
            const char *path)
{
  FpProcess *process = add_read (self, pid, MIB, 0, 0);

  process->uid = uid;
  fixture_snapshot_set_text (&self->snapshot, process, FP_TEXT_USER, user);
  fixture_snapshot_set_text (&self->snapshot, process, FP_TEXT_CONTROL_GROUP, path);
}

static void
set_counted (FpControlGroup *group)
{
  fixture_control_set (group, FP_CONTROL_MEMORY, 153 * MIB);
  fixture_control_set (group, FP_CONTROL_ANON, 100 * MIB);
  fixture_control_set (group, FP_CONTROL_FILE, 52 * MIB);
  fixture_control_set (group, FP_CONTROL_SHMEM, 2 * MIB);
  fixture_control_set (group, FP_CONTROL_KERNEL, MIB);
  fixture_control_set (group, FP_CONTROL_SLAB_RECLAIMABLE, 0);
  fixture_control_set (group, FP_CONTROL_SWAP, 50 * MIB);
}

/* The only user has 103 MiB without cache, and half of what is its own in swap; one group has no process. */
static FpControlGroups *
make_groups (void)
{
  FpControlGroups *groups = fixture_control_groups_new ();
  FpControlGroup *slice;

  fixture_control_groups_add (groups, FP_CONTROL_KIND_MACHINE, "/", "/");
  fixture_control_groups_add (groups, FP_CONTROL_KIND_SCOPE, "/init.scope", "init");
  set_counted (fixture_control_groups_add (groups, FP_CONTROL_KIND_SLICE, "/user.slice", "user"));
  slice = fixture_control_groups_add (groups, FP_CONTROL_KIND_USER, USER, "user-1000");
  slice->uid = 1000;
  set_counted (slice);
  fixture_control_groups_add (groups, FP_CONTROL_KIND_SCOPE, USER "/app.scope", "app");
  fixture_control_groups_add (groups, FP_CONTROL_KIND_SCOPE, USER "/idle.scope", "idle");
  return groups;
}

static void
save_with_groups (Fixture *self)
{
  g_autoptr (FpRecords) records = fixture_snapshot_make_records (&self->snapshot);
  g_autoptr (FpControlGroups) groups = make_groups ();
  g_autoptr (GBytes) bytes = fp_saved_file_pack (self->snapshot.snapshot, NULL, groups, FALSE, NULL);

  g_assert_true (g_file_set_contents (self->path, g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes), NULL));
}

/* Users have the figures that the kernel's groups had when the file was saved, and the groups of then. */
static void
test_groups (Fixture *self,
             gconstpointer data)
{
  g_autofree char *expected = g_strdup_printf ("name,groups_memory,groups_swap\r\nanna,%u,%u\r\n", 103u << 20, 50u << 20);
  g_autofree char *counted = NULL, *idle = NULL;

  add_member (self, 1, 0, "root", "/init.scope");
  add_member (self, 9, 1000, "anna", USER "/app.scope");
  save_with_groups (self);
  counted = cli_get_output ("--open", self->path, "--by", "user", "--csv", "--columns", "name,groups_memory,groups_swap", "--user", "anna", NULL);
  g_assert_cmpstr (counted, ==, expected);
  idle = cli_get_output ("--open", self->path, "--filter", "control_group=" USER "/idle.scope", NULL);
  g_assert_nonnull (idle);
  cli_assert_refused (2, "no control group", "--open", self->path, "--filter", "control_group=" USER "/none.scope", NULL);
}

/* The groups of this machine are in its file, where there are some. */
static void
test_groups_of_machine (Fixture *self,
                        gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpControlGroups) groups = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gsize size;

  g_free (cli_get_output ("--save", self->path, NULL));
  g_assert_true (g_file_get_contents (self->path, &text, &size, NULL));
  bytes = g_bytes_new (text, size);
  snapshot = fp_saved_file_unpack (bytes, &files, &groups, NULL);
  g_assert_nonnull (snapshot);
  for (guint i = 0; groups && i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];
      const char *path = fp_snapshot_get_text (snapshot, process, FP_TEXT_CONTROL_GROUP);

      if (process->pid == 1 && *path)
        g_assert_nonnull (fp_control_groups_find (groups, path));
    }
  if (!groups)
    g_test_skip ("this machine has no control groups of version 2");
}

#define ADD(name, func) g_test_add ("/cli/saved/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("rest", test_rest);
  ADD ("exact-rest", test_exact_rest);
  ADD ("hidden", test_hidden);
  ADD ("swap", test_swap);
  ADD ("swap-of-more-than-there-is", test_swap_of_more_than_there_is);
  ADD ("overflow", test_overflow);
  ADD ("zram", test_zram);
  ADD ("range-for-programs", test_range_for_programs);
  ADD ("range-for-people", test_range_for_people);
  ADD ("possible", test_possible);
  ADD ("reasons", test_reasons);
  ADD ("shared-memory", test_shared_memory);
  ADD ("wide-cut", test_wide_cut);
  ADD ("meanings", test_meanings);
  ADD ("not-summed", test_not_summed);
  ADD ("groups", test_groups);
  ADD ("groups-of-machine", test_groups_of_machine);
  return g_test_run ();
}
