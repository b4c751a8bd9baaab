// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-mapped-reader.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

#define FP_FILES_MESSAGE_MAX 15000 /* PIDs of 4 bytes: the helper takes no message above 64 KiB */

GVariant *fp_files_message_pack_pids (const FpMappedProcess *processes, guint n);
FpMappedFiles *fp_files_message_read (
    const FpSnapshot *snapshot, GVariant *pids, FpMappingStepFunc step, gpointer data, GError **error);

G_END_DECLS
