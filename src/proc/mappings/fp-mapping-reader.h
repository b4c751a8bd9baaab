// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping-scanner.h"
#include "fp-mounts.h"

G_BEGIN_DECLS

/* How much of the resident memory, in bytes, is behind what was read; whole is 0 where it is not known. FALSE: to stop */
typedef gboolean (*FpMappingStepFunc) (guint64 position, guint64 whole, gpointer data);

FpMappings *fp_mappings_read (
    const FpProcDir *proc, const FpProcessId *id, FpMappingStepFunc step, gpointer data, GError **error);

/* Many processes, one after another: next gives each, or FALSE when there is none any more. take gets its mappings while
 * they are read, from begin on, which may take the root and is called again where the reading begins anew. needs_root says
 * beforehand whether there is to be one. done gets the rest of them, of which the
 * names were in doubt until then. */
typedef struct
{
  gboolean (*next) (FpProcessId *id, gpointer data);
  gboolean (*needs_root) (gpointer data);
  void (*begin) (FpFileRoot *root, gpointer data); /* root: (nullable) */
  FpMappingFunc take;
  void (*done) (const FpMappings *rest, const GError *error, gpointer data); /* NULL: with an error; take's are no use then */
  FpMappingStepFunc step;                                                    /* with step_data; without a position */
  gpointer step_data;
} FpMappingSeries;

void fp_mappings_read_each (const FpProcDir *proc, const FpMappingSeries *series, gpointer data, guint max);

/* A piece of the text, or NULL where the reading begins. FALSE: it failed, with errno set */
typedef gboolean (*FpMappingTextFunc) (const char *text, gsize length, gpointer data);

/* Behind the last piece: whether the process may be read. FALSE: the same. If it is TRUE, and the text that was taken is not
 * that of the program that was asked about, the reading begins anew. */
typedef gboolean (*FpMappingConfirmFunc) (gpointer data);

gboolean fp_mappings_copy (const FpProcDir *proc,
                           const FpProcessId *id,
                           FpMappingTextFunc take,
                           FpMappingConfirmFunc confirm,
                           gpointer data,
                           GError **error);

G_END_DECLS
