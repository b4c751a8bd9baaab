// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-user.h"
#include "fp-columns.h"
#include "fp-heap-places.h"

G_BEGIN_DECLS

typedef enum
{
  FP_CLI_TABLE,
  FP_CLI_JSON,
  FP_CLI_CSV,
} FpCliOutput;

typedef struct
{
  FpRecordKind kind;  /* of the rows */
  const FpColumn *by; /* NULL: processes themselves */
  const FpColumn *sort;
  gboolean reverse;
  guint limit;              /* of rows; 0: all */
  const FpColumn **columns; /* NULL-terminated; NULL: the usual ones */
  char **filters;
  GArray *users; /* (nullable): of FpCliUser */
  gint *pids;    /* 0-terminated */
  gboolean all;
  gboolean mappings;
  gboolean files; /* of all chosen processes together */
  gboolean freed;
  char *sections;  /* (nullable): the file */
  gboolean malloc; /* what is in the heap */
  gboolean system;
  gboolean kernel;
  gboolean total;
  double watch_seconds; /* 0: once */
  FpCliOutput output;
  FpFigureStyle style;
  gboolean numeric;
  char *proc_path;
  char *save_path;
  gboolean with_files;    /* are saved */
  gboolean with_commands; /* are saved */
  char *open_path;
  char *heap_path; /* (nullable): of a heap profile; the fields below are about it */
  FpHeapBy heap_by;
  FpHeapCost heap_cost;
  gboolean has_heap_cost;
  guint64 heap_at_ms;
  gboolean has_heap_at;
  guint64 heap_from_ms;
  gboolean has_heap_from; /* it is a range until heap_at_ms */
  gboolean folded;
  gboolean svg;
  char *compare_path; /* (nullable): the earlier moment */
  gboolean list_columns;
  gboolean version;
  char *help; /* (nullable): the text, where it was asked for */
} FpCliOptions;

gboolean fp_cli_options_parse (FpCliOptions *self, char **argv, GError **error);
guint fp_cli_options_get_kinds (const FpCliOptions *self);
void fp_cli_options_clear (FpCliOptions *self);

G_END_DECLS
