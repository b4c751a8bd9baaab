// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "fp-control-records.h"
#include "fp-list-page-info.h"
#include "fp-mapped-records.h"
#include "fp-sum.h"

#define FIRST_PERSON 1000
#define LAST_PERSON  59999

static gboolean
is_mine (const FpRecords *records,
         guint index,
         gpointer data)
{
  const FpProcess *process = fp_process_records_get (records, index);

  return process->uid == geteuid () && !fp_process_is_kernel_thread (process);
}

static gboolean
is_of_programs (const FpRecords *records,
                guint index,
                gpointer data)
{
  return !fp_process_is_kernel_thread (fp_process_records_get (records, index));
}

static gboolean
is_of_kernel (const FpRecords *records,
              guint index,
              gpointer data)
{
  return fp_process_is_kernel_thread (fp_process_records_get (records, index));
}

static gboolean
is_of_person (const FpRecords *records,
              guint index,
              gpointer data)
{
  guint32 uid = fp_process_records_get (records, index)->uid;

  return uid >= FIRST_PERSON && uid <= LAST_PERSON && is_of_programs (records, index, data);
}

static gboolean
is_of_system (const FpRecords *records,
              guint index,
              gpointer data)
{
  return !is_of_person (records, index, data) && is_of_programs (records, index, data);
}

static const FpListFilter process_filters[] = {
  { "all", NC_ ("filter", "All"), is_of_programs },
  { "mine", NC_ ("filter", "Mine"), is_mine },
  { "kernel", NC_ ("filter", "Kernel"), is_of_kernel },
  { "ended", NC_ ("filter", "Ended"), NULL },
  { NULL, NULL, NULL },
};

static const FpListFilter user_filters[] = {
  { "everyone", NC_ ("filter", "Everyone"), is_of_programs },
  { "mine", NC_ ("filter", "Mine"), is_mine },
  { "people", NC_ ("filter", "People"), is_of_person },
  { "system", NC_ ("filter", "System"), is_of_system },
  { NULL, NULL, NULL },
};

static gboolean
is_no_machine (const FpRecords *records,
               guint index,
               gpointer data)
{
  return fp_control_records_get (records, index)->kind != FP_CONTROL_KIND_MACHINE;
}

static gboolean
is_app (const FpRecords *records,
        guint index,
        gpointer data)
{
  return fp_control_records_get (records, index)->kind == FP_CONTROL_KIND_APP;
}

static gboolean
is_limited (const FpRecords *records,
            guint index,
            gpointer data)
{
  return is_no_machine (records, index, data) && fp_figure_is_known (fp_control_records_get_limit (records, index));
}

/* The whole machine is no group among others: the bar above and the other views are about it. */
static const FpListFilter control_filters[] = {
  { "all", NC_ ("filter", "All"), is_no_machine },
  { "apps", NC_ ("filter", "Apps"), is_app },
  { "limited", NC_ ("filter", "Limited"), is_limited },
  { NULL, NULL, NULL },
};

static gboolean
is_any (const FpRecords *records,
        guint index,
        gpointer data)
{
  return TRUE;
}

static gboolean
is_outdated (const FpRecords *records,
             guint index,
             gpointer data)
{
  return fp_mapped_file_is_outdated (fp_mapped_records_get (records, index));
}

static const FpListFilter file_filters[] = {
  { "all", NC_ ("filter", "All"), is_any },
  { "outdated", NC_ ("filter", "Updated or Deleted"), is_outdated },
  { NULL, NULL, NULL },
};

static char *
describe_total (const FpSessionState *state)
{
  return state->before ? NULL : fp_sum_describe_total (state->sum, &state->format);
}

static char *
describe_machine (const FpSessionState *state)
{
  return state->before ? NULL : fp_sum_describe_machine (&state->snapshot->system, state->sum, state->kept, &state->format);
}

const FpListPageInfo fp_processes_page_info = {
  .content = &fp_list_of_processes,
  .layout = &fp_table_layouts[FP_TABLE_PROCESSES],
  .filters = process_filters,
  .grouping = FP_GROUPING_NOTHING,
  .may_regroup = TRUE,
  .choice_keys = { "filter", "group-by" },
  .describe_all = describe_total,
};

const FpListPageInfo fp_users_page_info = {
  .content = &fp_list_of_processes,
  .layout = &fp_table_layouts[FP_TABLE_USERS],
  .filters = user_filters,
  .grouping = FP_GROUPING_USER_PROGRAM,
  .groups_activate = TRUE,
  .describe_all = describe_machine,
};

const FpListPageInfo fp_control_groups_page_info = {
  .content = &fp_list_of_control_groups,
  .layout = &fp_table_layouts[FP_TABLE_CONTROL_GROUPS],
  .filters = control_filters,
  .grouping = FP_GROUPING_PARENT,
  .may_regroup = TRUE,
  .groups_activate = TRUE,
  .choice_keys = { "control-group-filter", "control-group-by" },
};

const FpListPageInfo fp_files_page_info = {
  .content = &fp_list_of_files,
  .layout = &fp_table_layouts[FP_TABLE_MAPPED_FILES],
  .filters = file_filters,
  .grouping = FP_GROUPING_EVERY_FILE,
  .may_regroup = TRUE,
  .choice_keys = { "file-filter", "file-by" },
};
