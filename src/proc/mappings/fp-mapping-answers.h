// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping.h"

G_BEGIN_DECLS

/* The meanings of names that the kernel's text leaves open: found by asking (fp-mapping-names), or told behind the text. */
typedef struct
{
  FpMappings *mappings;
  FpStrings *names;
  GHashTable *table;
  gboolean has_doubtful; /* any among the mappings */
} FpMappingAnswers;

void fp_mapping_answers_init (FpMappingAnswers *self, FpMappings *mappings, FpStrings *names);
void fp_mapping_answers_clear (FpMappingAnswers *self);
void fp_mapping_answers_scan (FpMappingAnswers *self, const char *line, const char *end);
void fp_mapping_answers_settle (FpMappingAnswers *self, guint index, const char *name, FpFileState file_state);
gboolean fp_mapping_answers_next_open (const FpMappingAnswers *self, guint *index, FpMapping *mapping);
void fp_mapping_answers_apply (FpMappingAnswers *self);

G_END_DECLS
