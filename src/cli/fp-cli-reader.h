// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-options.h"
#include "fp-control-groups.h"
#include "fp-ending.h"
#include "fp-kept.h"
#include "fp-machine-history.h"
#include "fp-malloc.h"
#include "fp-mapped-files.h"
#include "fp-sections.h"
#include "fp-mapping.h"
#include "fp-snapshot.h"
#include "fp-total-history.h"

G_BEGIN_DECLS

/* Where processes are read: here, or with --all by the helper. */
typedef struct _FpCliReader FpCliReader;

FpCliReader *fp_cli_reader_new (const FpCliOptions *options);
void fp_cli_reader_free (FpCliReader *self);
FpSnapshot *fp_cli_reader_collect (FpCliReader *self, GError **error);
FpMappings *fp_cli_reader_load_mappings (FpCliReader *self, const FpProcessId *id, GError **error);
FpMappedFiles *fp_cli_reader_read_files (FpCliReader *self, const FpMappedProcess *processes, guint n, GError **error);
FpEnding *fp_cli_reader_read_ending (FpCliReader *self, const FpEndingMember *members, guint n, GError **error);
FpSections *fp_cli_reader_read_sections (FpCliReader *self, const FpProcessId *id, const char *file, GError **error);
FpMalloc *fp_cli_reader_read_malloc (FpCliReader *self, const FpProcessId *id, GError **error);
FpControlGroups *fp_cli_reader_read_groups (FpCliReader *self);
FpKept *fp_cli_reader_read_kept (FpCliReader *self);
FpMachineHistory *fp_cli_reader_get_history (FpCliReader *self);
FpHistory *fp_cli_reader_get_process_history (FpCliReader *self);
const FpTotalHistory *fp_cli_reader_get_total_history (FpCliReader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpCliReader, fp_cli_reader_free)

G_END_DECLS
