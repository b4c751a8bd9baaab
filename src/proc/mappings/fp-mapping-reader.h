// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping.h"

G_BEGIN_DECLS

/* How much of the resident memory, in bytes, is behind what was read; whole is 0 where it is not known. FALSE: to stop */
typedef gboolean (*FpMappingStepFunc) (guint64 position, guint64 whole, gpointer data);

FpMappings *fp_mappings_read (
    const FpProcDir *proc, const FpProcessId *id, FpMappingStepFunc step, gpointer data, GError **error);

/* Many processes, one after another: next gives each, or FALSE when there is none any more, and done gets what was read. */
typedef struct
{
  gboolean (*next) (FpProcessId *id, gpointer data);
  FpMappingStepFunc step; /* with step_data */
  gpointer step_data;
  void (*done) (const FpMappings *mappings, const GError *error, gpointer data); /* NULL: with an error */
} FpMappingSeries;

void fp_mappings_read_each (const FpProcDir *proc, const FpMappingSeries *series, gpointer data, guint max);

/* A piece of the text, or NULL where the reading begins. FALSE: it failed, with errno set */
typedef gboolean (*FpMappingTextFunc) (const char *text, gsize length, gpointer data);

gboolean fp_mappings_copy (
    const FpProcDir *proc, const FpProcessId *id, FpMappingTextFunc take, gpointer data, GError **error);

G_END_DECLS
