// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-file-state.h"
#include "fp-mapping-flags.h"
#include "fp-memory.h"
#include "fp-stat.h"
#include "fp-strings.h"

G_BEGIN_DECLS

/* Beside FpFileState, until it is settled: the name can mean two things. */
#define FP_FILE_DOUBTFUL ((FpFileState)3)

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
  guint32 name_number;    /* one for equal names of a process */
  const char *name;       /* the kernel's, with newlines restored where that is possible */
  const char *shown;      /* the same, with quotes where it is really called "(deleted)" */
  FpMemory memory;
} FpMapping;

/* Every mapping of a process, immutable; below 100 bytes each. */
typedef struct _FpMappings FpMappings;

FpMappings *fp_mappings_ref (FpMappings *self);
void fp_mappings_unref (FpMappings *self);
guint fp_mappings_get_n (const FpMappings *self);
void fp_mappings_get (const FpMappings *self, guint index, FpMapping *mapping);
void fp_mappings_get_facts (const FpMappings *self, guint index, FpMapping *mapping);
guint64 fp_mappings_get_present (const FpMappings *self, guint index);
guint64 fp_mappings_get_figure (const FpMappings *self, guint index, FpField field);
void fp_mappings_get_memory (const FpMappings *self, guint index, FpMemory *memory);
void fp_mappings_sum (const FpMappings *self, FpMemory *sum);
gsize fp_mappings_get_size (const FpMappings *self);

/* For those that make them */
typedef struct
{
  guint32 figures;
  guint32 presence;
} FpPackedFigures;

FpMappings *fp_mappings_new (void);
FpPackedFigures fp_mappings_pack (FpMappings *self, const FpMemory *memory);
void fp_mappings_unpack (const FpMappings *self, FpPackedFigures packed, FpMemory *memory);
void fp_mappings_append (FpMappings *self, const FpMapping *mapping, guint32 name, FpPackedFigures figures);
guint fp_mappings_find (const FpMappings *self, guint64 start);
guint32 fp_mappings_get_place (const FpMappings *self, guint index, FpMapping *mapping);
void fp_mappings_set_file (FpMappings *self, guint index, guint32 name, FpFileState file_state);
void fp_mappings_add_quoted (FpMappings *self, guint32 name, guint32 shown);
void fp_mappings_finish (FpMappings *self, FpStringBlock *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMappings, fp_mappings_unref)

G_END_DECLS
