// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-file-state.h"
#include "fp-mapping-flags.h"
#include "fp-memory.h"
#include "fp-stat.h"
#include "fp-strings.h"

G_BEGIN_DECLS

#define FP_MAPPING_NAME_SIZE 4200 /* PATH_MAX, " (deleted)" and an ellipsis */

/* One entry of smaps, unpacked. */
typedef struct
{
  guint64 start;
  guint64 end;
  guint64 offset;
  guint64 inode;
  guint32 device_major;
  guint32 device_minor;
  guint64 flags;
  char permissions[5];
  FpFileState file_state; /* FP_FILE_UNKNOWN unless the path ends in " (deleted)" and that is settled */
  const char *name;       /* the kernel's, with newlines restored where that is possible */
  const char *shown;      /* the same, with quotes where it is really called "(deleted)" */
  FpMemory memory;
} FpMapping;

/* Every mapping of a process, immutable; below 100 bytes each. */
typedef struct _FpMappings FpMappings;

/* Makes an FpMappings of a text that comes in pieces. */
typedef struct _FpMappingScanner FpMappingScanner;

FpMappingScanner *fp_mapping_scanner_new (void);
void fp_mapping_scanner_free (FpMappingScanner *self);
gsize fp_mapping_scanner_feed (FpMappingScanner *self, const char *text, gsize length);
guint64 fp_mapping_scanner_get_resident (const FpMappingScanner *self);
gboolean fp_mapping_scanner_next_doubtful (FpMappingScanner *self, guint *index, FpMapping *mapping);
void fp_mapping_scanner_settle (FpMappingScanner *self, guint index, const char *name, FpFileState file_state);
FpMappings *fp_mapping_scanner_finish (FpMappingScanner *self);

FpMappings *fp_mappings_ref (FpMappings *self);
void fp_mappings_unref (FpMappings *self);
guint fp_mappings_get_n (const FpMappings *self);
void fp_mappings_get (const FpMappings *self, guint index, FpMapping *mapping);
void fp_mappings_get_facts (const FpMappings *self, guint index, FpMapping *mapping);
guint64 fp_mappings_get_present (const FpMappings *self, guint index);
guint64 fp_mappings_get_figure (const FpMappings *self, guint index, FpField field);
void fp_mappings_get_memory (const FpMappings *self, guint index, FpMemory *memory);
gsize fp_mappings_get_size (const FpMappings *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMappingScanner, fp_mapping_scanner_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMappings, fp_mappings_unref)

G_END_DECLS
