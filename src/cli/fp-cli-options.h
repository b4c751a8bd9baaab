// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"

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
  const FpColumn **columns; /* NULL-terminated; NULL: the usual ones */
  char *filter;
  char *user;
  gboolean has_uid; /* user is a number, or NSS has one for the name */
  guint32 uid;
  gint *pids; /* 0-terminated */
  gboolean all;
  gboolean mappings;
  gboolean freed;
  gboolean system;
  gboolean kernel;
  gboolean total;
  double watch_seconds; /* 0: once */
  FpCliOutput output;
  FpFigureStyle style;
  gboolean numeric;
  char *proc_path;
  char *save_path;
  char *open_path;
  gboolean list_columns;
  gboolean version;
} FpCliOptions;

gboolean fp_cli_options_parse (FpCliOptions *self, int *argc, char ***argv, GError **error);
void fp_cli_options_clear (FpCliOptions *self);

G_END_DECLS
