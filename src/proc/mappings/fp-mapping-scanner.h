// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping-answers.h"

G_BEGIN_DECLS

/* Makes an FpMappings of the text of smaps, which comes in pieces. */
typedef struct _FpMappingScanner FpMappingScanner;

/* memory: the figures of its lines, and 0 for those that it lacks; what follows from them is not in it, nor in the mapping */
typedef void (*FpMappingFunc) (const FpMapping *mapping, const FpMemory *memory, gpointer data);

FpMappingScanner *fp_mapping_scanner_new (void);
void fp_mapping_scanner_pass_on (FpMappingScanner *self, FpMappingFunc take, gpointer data);
void fp_mapping_scanner_restart (FpMappingScanner *self);
void fp_mapping_scanner_free (FpMappingScanner *self);
gsize fp_mapping_scanner_feed (FpMappingScanner *self, const char *text, gsize length);
guint64 fp_mapping_scanner_get_resident (const FpMappingScanner *self);
FpMappingAnswers *fp_mapping_scanner_get_answers (FpMappingScanner *self);
FpMappings *fp_mapping_scanner_finish (FpMappingScanner *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMappingScanner, fp_mapping_scanner_free)

G_END_DECLS
