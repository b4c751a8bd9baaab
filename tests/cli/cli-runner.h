// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* One run of the program in $FOOTPRINT_CLI. */
typedef struct
{
  int status;
  char *out;
  char *err;
} CliResult;

void cli_run (CliResult *self, ...) G_GNUC_NULL_TERMINATED;
void cli_run_argv (CliResult *self, char **arguments);
void cli_run_as_nobody (CliResult *self, ...) G_GNUC_NULL_TERMINATED;
void cli_run_shell (CliResult *self, const char *script);
void cli_result_clear (CliResult *self);
char *cli_get_output (const char *first, ...) G_GNUC_NULL_TERMINATED;
void cli_assert_refused (int status, const char *part, ...) G_GNUC_NULL_TERMINATED;

JsonNode *cli_get_json (const char *first, ...) G_GNUC_NULL_TERMINATED;
JsonNode *cli_parse_json (const char *text);
JsonObject *cli_json_find (JsonNode *root, const char *array, const char *key, gint64 value);
gint64 cli_json_get_int (JsonObject *object, const char *key);
const char *cli_json_get_text (JsonObject *object, const char *key);

char *cli_make_folder (void);
void cli_remove_folder (char *folder);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliResult, cli_result_clear)

G_END_DECLS
