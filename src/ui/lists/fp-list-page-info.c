// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "fp-list-page-info.h"

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
  { "all", N_ ("All"), is_of_programs },
  { "mine", N_ ("Mine"), is_mine },
  { "kernel", N_ ("Kernel"), is_of_kernel },
  { NULL, NULL, NULL },
};

static const FpListFilter user_filters[] = {
  { "everyone", N_ ("Everyone"), is_of_programs },
  { "mine", N_ ("Mine"), is_mine },
  { "people", N_ ("People"), is_of_person },
  { "system", N_ ("System"), is_of_system },
  { NULL, NULL, NULL },
};

const FpListPageInfo fp_processes_page_info = {
  &fp_table_layouts[FP_TABLE_PROCESSES],
  process_filters, FP_GROUPING_NOTHING, TRUE, FALSE
};

const FpListPageInfo fp_users_page_info = {
  &fp_table_layouts[FP_TABLE_USERS],
  user_filters, FP_GROUPING_USER_PROGRAM, FALSE, TRUE
};
