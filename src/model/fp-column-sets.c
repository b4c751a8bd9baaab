// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-column-sets.h"

/* clang-format off */
/* The figures of a comparison of heap profiles, those of one cost at a time. */
#define HEAP_CHANGES \
  { "peak_change", 110, TRUE }, { "leaked_change", 110, TRUE }, { "temporary_change", 110, TRUE }, { "calls_change", 110, TRUE }
#define HEAP_BEFORE \
  { "peak_before", 110, TRUE }, { "leaked_before", 110, TRUE }, { "temporary_before", 110, TRUE }, { "calls_before", 110, TRUE }
#define HEAP_OUTCOMES \
  { "peak_outcome", 90, TRUE }, { "leaked_outcome", 90, TRUE }, { "temporary_outcome", 90, TRUE }, { "calls_outcome", 90, TRUE }
#define HEAP_CHANGES_WITH_CALLEES \
  { "all_peak_change", 120, TRUE }, { "all_leaked_change", 120, TRUE }, { "all_temporary_change", 120, TRUE }, { "all_calls_change", 120, TRUE }

const FpColumnSet fp_mapping_sets[FP_N_MAPPING_SETS] = {
  [FP_MAPPING_SET_USUAL] = {
    /* Translators: the usual set of columns */
    "usual", NC_ ("columns", "Usual"), N_ ("Every mapping, by address"), "start", FALSE, NULL, FP_RECORD_MAPPING,
    { "range", "permissions", "size", "pss", "uss", "rss", "swap", "dirty_whole", "mapping", NULL },
  },
  [FP_MAPPING_SET_PRIVATE] = {
    "private", NC_ ("columns", "Private"), N_ ("Only this process’s own pages, the ones it wrote to first"), "private_dirty", TRUE, "uss>0", FP_RECORD_MAPPING,
    { "size", "private_clean", "private_dirty", "permissions", "mapping", NULL },
  },
  [FP_MAPPING_SET_SHARED] = {
    "shared", NC_ ("columns", "Shared"), N_ ("Pages it shares with others, largest first"), "rss", TRUE, "shared>0", FP_RECORD_MAPPING,
    { "size", "rss", "shared_clean", "shared_dirty", "permissions", "mapping", NULL },
  },
  [FP_MAPPING_SET_PMAP] = {
    "pmap-x", NC_ ("columns", "As pmap -x"), N_ ("The columns of pmap -x"), "start", FALSE, NULL, FP_RECORD_MAPPING,
    { "start", "size", "rss", "dirty_whole", "permissions", "mapping", NULL }, .keeps_order = TRUE,
  },
  [FP_MAPPING_SET_PMAP_MORE] = {
    "pmap-X", NC_ ("columns", "As pmap -X"), N_ ("The columns of pmap -X"), "start", FALSE, NULL, FP_RECORD_MAPPING,
    { "start", "permissions", "offset", "device", "inode", "size", "rss", "pss", "pss_dirty", "referenced", "anonymous_whole",
      "ksm", "lazyfree", "shmem_huge", "file_huge", "shared_hugetlb", "private_hugetlb", "swap_whole", "swap", "locked",
      "thp_eligible", "protection_key", "mapping", NULL }, .keeps_order = TRUE,
  },
  [FP_MAPPING_SET_ALL] = {
    /* Translators: a set of columns: all of them */
    "pmap-XX", NC_ ("columns", "Everything"), N_ ("Everything that the kernel says, as pmap -XX"), "start", FALSE, NULL, FP_RECORD_MAPPING,
    { "start", "permissions", "offset", "device", "inode", "size", "kernel_page_size", "mmu_page_size", "rss", "pss",
      "pss_dirty", "shared_clean", "shared_dirty", "private_clean", "private_dirty", "referenced", "anonymous_whole", "ksm",
      "lazyfree", "anon_huge", "shmem_huge", "file_huge", "shared_hugetlb", "private_hugetlb", "swap_whole", "swap",
      "locked", "thp_eligible", "protection_key", "flags", "mapping", NULL }, .keeps_order = TRUE,
  },
};

const FpColumnSet fp_column_sets[FP_N_COLUMN_SETS] = {
  [FP_COLUMN_SET_PROCESSES] = { .kinds = FP_RECORD_PROCESS, .sort = "pss", .descending = TRUE,
    .columns = { "pid", "user", "pss", "uss", "rss", "swap", "program", "command", NULL } },
  [FP_COLUMN_SET_GROUPS] = { .kinds = FP_RECORD_TOTAL, .sort = "pss", .descending = TRUE,
    .columns = { "count", "pss", "uss", "rss", "swap", "name", NULL } },
  [FP_COLUMN_SET_FOLDS] = { .kinds = FP_RECORD_FOLD, .sort = "pss", .descending = TRUE,
    .columns = { "count", "size", "pss", "uss", "rss", "swap", "name", NULL } },
  [FP_COLUMN_SET_FOLD_TREE] = { .kinds = FP_RECORD_MAPPING | FP_RECORD_FOLD, .sort = "pss", .descending = TRUE,
    .columns = { "pss", "uss", "rss", "swap", NULL } },
  [FP_COLUMN_SET_FACTS] = { .kinds = FP_RECORD_PROCESS,
    .columns = { "command", "exe", "started", "user", "unit", "app", "container", "state", "threads", "oom_score", "peak_rss", NULL } },
  [FP_COLUMN_SET_MAPPED_FILES] = { .kinds = FP_RECORD_MAPPED_FILE, .sort = "pss", .descending = TRUE,
    .columns = { "pss", "processes", "uss", "private_dirty", "users", "rss", "swap", "size", "file", NULL } },
  [FP_COLUMN_SET_MAPPED_FACTS] = { .kinds = FP_RECORD_MAPPED_FILE,
    .columns = { "file", "pss", "uss", "private_dirty", "swap", "rss", "size", "mappings", "users", NULL } },
  [FP_COLUMN_SET_HOLDERS] = { .kinds = FP_RECORD_HOLDER, .sort = "pss", .descending = TRUE,
    .columns = { "pid", "program", "pss", "uss", "private_dirty", "rss", "swap", "file", NULL } },
  [FP_COLUMN_SET_CONTROL_GROUPS] = { .kinds = FP_RECORD_CONTROL_GROUP, .sort = "memory", .descending = TRUE,
    .columns = { "memory", "own", "cache", "swap", "near_limit", "waited", "killed", "name", "path", NULL } },
  [FP_COLUMN_SET_CONTROL_FACTS] = { .kinds = FP_RECORD_CONTROL_GROUP,
    .columns = { "kind", "unit", "path", "change", "peak", "limit", "near_limit", "swap", "read_back", "reread", "waited", NULL } },
  [FP_COLUMN_SET_COMPARED_PROCESSES] = { .kinds = FP_RECORD_PROCESS | FP_RECORD_COMPARED, .sort = "difference", .descending = TRUE,
    .columns = { "pid", "user", "before", "after", "difference", "swap_difference", "outcome", "program", NULL } },
  [FP_COLUMN_SET_COMPARED_GROUPS] = { .kinds = FP_RECORD_TOTAL | FP_RECORD_COMPARED, .sort = "difference", .descending = TRUE,
    .columns = { "count", "before", "after", "difference", "swap_difference", "outcome", "name", NULL } },
  [FP_COLUMN_SET_COMPARED_FILES] = { .kinds = FP_RECORD_MAPPED_FILE | FP_RECORD_COMPARED, .sort = "difference", .descending = TRUE,
    .columns = { "before", "after", "difference", "swap_difference", "outcome", "file", NULL } },
  [FP_COLUMN_SET_COMPARED_CONTROL_GROUPS] = { .kinds = FP_RECORD_CONTROL_GROUP | FP_RECORD_COMPARED, .sort = "difference", .descending = TRUE,
    .columns = { "before", "after", "difference", "swap_difference", "outcome", "name", "path", NULL } },
};

const FpTableLayout fp_table_layouts[FP_N_TABLE_LAYOUTS] = {
  [FP_TABLE_PROCESSES] = {
    .kinds = FP_RECORD_PROCESS | FP_RECORD_TOTAL | FP_RECORD_COMPARED, .sort = "pss", .text_width = 140, .figure_width = 110,
    .columns = {
      { "program", 220, TRUE }, { "pid", 68, TRUE }, { "user", 104, TRUE }, { "before", 100, TRUE }, { "after", 100, TRUE },
      { "difference", 146, TRUE }, { "outcome", 96, TRUE }, { "highest", 92, TRUE }, { "lasted", 92, TRUE }, { "ended", 92, TRUE },
      { "pss", 112, TRUE }, { "change", 116, TRUE }, { "uss", 104, TRUE },
      { "rss", 92, TRUE }, { "swap", 92, TRUE }, { "growth", 136, TRUE }, { "command", 380, TRUE }, { "shared", 108, FALSE },
      { "memory_and_swap", 130, FALSE }, { "app", 160, FALSE }, { "unit", 180, FALSE }, { "container", 140, FALSE },
      { "started", 120, FALSE }, { "measured_age_us", 100, FALSE }, { NULL },
    },
  },
  [FP_TABLE_USERS] = {
    .kinds = FP_RECORD_PROCESS | FP_RECORD_TOTAL | FP_RECORD_COMPARED, .sort = "pss", .text_width = 140, .figure_width = 110,
    .columns = {
      { "program", 150, TRUE }, { "count", 84, TRUE }, { "before", 100, TRUE }, { "after", 100, TRUE },
      { "difference", 146, TRUE }, { "outcome", 96, TRUE }, { "share", 150, TRUE }, { "pss", 118, TRUE }, { "change", 116, TRUE },
      { "swap", 112, TRUE },
      { "groups_memory", 142, TRUE }, { "rss", 96, TRUE }, { "uss", 116, TRUE }, { "full_name", 104, FALSE },
      { "unread", 80, FALSE }, { NULL },
    },
  },
  [FP_TABLE_MAPPINGS] = {
    .kinds = FP_RECORD_MAPPING | FP_RECORD_FOLD | FP_RECORD_CHANGE, .text_width = 110, .figure_width = 84, .letter_width = 7,
    .columns = { { "mapping", 164, TRUE }, { "range", 220, FALSE }, { "start", 166, FALSE }, { "end", 166, FALSE }, { NULL } },
  },
  [FP_TABLE_MAPPED_FILES] = {
    .kinds = FP_RECORD_MAPPED_FILE | FP_RECORD_FOLD | FP_RECORD_COMPARED, .sort = "pss", .text_width = 110, .figure_width = 100,
    .columns = {
      { "file", 270, TRUE }, { "before", 100, TRUE }, { "after", 100, TRUE }, { "difference", 146, TRUE },
      { "outcome", 96, TRUE }, { "pss", 100, TRUE }, { "change", 116, TRUE }, { "processes", 104, TRUE },
      { "uss", 100, TRUE }, { "private_dirty", 126, TRUE },
      { "swap", 90, TRUE }, { "rss", 90, TRUE }, { "size", 90, TRUE }, { "users", 80, TRUE }, { "kind", 130, TRUE },
      { "file_state", 100, TRUE }, { NULL },
    },
  },
  [FP_TABLE_CONTROL_GROUPS] = {
    .kinds = FP_RECORD_CONTROL_GROUP | FP_RECORD_COMPARED, .sort = "memory", .text_width = 140, .figure_width = 110,
    .columns = {
      { "name", 230, TRUE }, { "before", 100, TRUE }, { "after", 100, TRUE }, { "difference", 146, TRUE },
      { "outcome", 96, TRUE }, { "memory", 92, TRUE }, { "change", 116, TRUE }, { "near_limit", 84, TRUE }, { "own", 104, TRUE },
      { "cache", 78, TRUE }, { "shared", 130, FALSE }, { "kernel", 84, FALSE }, { "swap", 78, TRUE }, { "peak", 84, FALSE },
      { "limit", 80, FALSE }, { "growth", 136, FALSE }, { "waited", 84, TRUE }, { "killed", 80, FALSE }, { "reached", 124, FALSE },
      { "read_back_minute", 140, FALSE }, { "read_back", 176, FALSE }, { "reread_minute", 140, FALSE }, { "reread", 176, FALSE },
      { "kind", 110, FALSE }, { "unit", 220, FALSE }, { "path", 380, FALSE }, { NULL },
    },
  },
  [FP_TABLE_HEAP_FUNCTIONS] = {
    .kinds = FP_RECORD_HEAP_FUNCTION | FP_RECORD_HEAP_COMPARED, .sort = "peak", .text_width = 180, .figure_width = 120,
    .columns = {
      { "function", 220, TRUE }, HEAP_CHANGES, HEAP_BEFORE, { "peak", 120, TRUE }, { "leaked", 120, TRUE }, { "temporary", 120, TRUE },
      { "all_peak", 120, TRUE }, { "all_leaked", 120, TRUE }, { "all_temporary", 120, TRUE }, { "calls", 120, TRUE },
      { "all_calls", 120, TRUE }, HEAP_OUTCOMES, HEAP_CHANGES_WITH_CALLEES, { "library", 200, TRUE }, { NULL },
    },
  },
  [FP_TABLE_HEAP_LIBRARIES] = {
    .kinds = FP_RECORD_HEAP_LIBRARY | FP_RECORD_HEAP_COMPARED, .sort = "peak", .text_width = 180, .figure_width = 120,
    .columns = {
      { "library", 220, TRUE }, HEAP_CHANGES, HEAP_BEFORE, { "peak", 120, TRUE }, { "leaked", 120, TRUE }, { "temporary", 120, TRUE },
      { "all_peak", 120, TRUE }, { "all_leaked", 120, TRUE }, { "all_temporary", 120, TRUE }, { "calls", 120, TRUE },
      { "all_calls", 120, TRUE }, HEAP_OUTCOMES, HEAP_CHANGES_WITH_CALLEES, { NULL },
    },
  },
  [FP_TABLE_HEAP_STEPS] = {
    .kinds = FP_RECORD_HEAP_STEP | FP_RECORD_HEAP_COMPARED, .sort = "peak", .text_width = 180, .figure_width = 120,
    .columns = {
      { "function", 420, TRUE }, HEAP_CHANGES, HEAP_BEFORE, { "peak", 120, TRUE }, { "leaked", 120, TRUE }, { "temporary", 120, TRUE },
      { "calls", 120, TRUE }, HEAP_OUTCOMES, { "library", 200, TRUE }, { "depth", 80, FALSE }, { NULL },
    },
  },
  [FP_TABLE_HEAP_NEIGHBOURS] = {
    .kinds = FP_RECORD_HEAP_FUNCTION | FP_RECORD_HEAP_COMPARED, .sort = "peak", .text_width = 180, .figure_width = 120,
    .columns = {
      { "function", 220, TRUE }, HEAP_CHANGES, { "peak", 120, TRUE }, { "leaked", 120, TRUE }, { "temporary", 120, TRUE }, { "calls", 120, TRUE },
      { "all_peak", 120, FALSE }, { "all_leaked", 120, FALSE }, { "all_temporary", 120, FALSE }, { "all_calls", 120, FALSE },
      { "library", 160, FALSE }, { NULL },
    },
  },
  [FP_TABLE_HEAP_SIZES] = {
    .kinds = FP_RECORD_HEAP_SIZE, .text_width = 180, .figure_width = 120,
    .columns = { { "block_size", 220, TRUE }, { "calls", 160, TRUE }, { "allocated", 160, TRUE }, { "leaked", 160, TRUE }, { NULL } },
  },
};
/* clang-format on */

const FpColumn *
fp_column_set_get (const FpColumnSet *self,
                   guint i)
{
  g_return_val_if_fail (i <= FP_COLUMN_SET_MAX, NULL);

  return self->columns[i] ? fp_columns_find (self->columns[i], self->kinds) : NULL;
}

/* Gives the set that a line of a terminal has room for. */
const FpColumnSet *
fp_column_set_find (guint kinds)
{
  if (kinds == FP_RECORD_MAPPING)
    return &fp_mapping_sets[FP_MAPPING_SET_USUAL];
  for (guint i = 0; i < FP_N_COLUMN_SETS; i++)
    if (fp_column_sets[i].kinds == kinds)
      return &fp_column_sets[i];
  g_return_val_if_reached (NULL);
}
