// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The texts of lists of files, each once. Several lists can share them: one thread adds texts, while others read those that
 * were there before, which stay at their places. */
typedef struct _FpMappedTexts FpMappedTexts;

FpMappedTexts *fp_mapped_texts_new (gsize max_size);
FpMappedTexts *fp_mapped_texts_ref (FpMappedTexts *self);
void fp_mapped_texts_unref (FpMappedTexts *self);

/* NULL: it would be too much */
const char *fp_mapped_texts_add (FpMappedTexts *self, const char *text);

/* Counts what is kept for each text as one with them. */
void fp_mapped_texts_charge (FpMappedTexts *self, gsize size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMappedTexts, fp_mapped_texts_unref)

G_END_DECLS
