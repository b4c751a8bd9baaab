// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-view.h"
#include "fp-json.h"

G_BEGIN_DECLS

FpRecords *fp_cli_files_read (const FpCliView *view, GError **error);
FpMappedFiles *fp_cli_files_read_all (FpCliReader *reader, const FpSnapshot *snapshot, GError **error);
char *fp_cli_files_describe_unread (const FpCliView *view);
void fp_cli_files_add_unread (const FpCliView *view, FpJson *json);
void fp_cli_files_add_sharing (const FpCliView *view, FpJson *json);
char *fp_cli_files_describe_outdated (const FpCliView *view);
void fp_cli_files_add_restarts (const FpCliView *view, FpJson *json);

G_END_DECLS
