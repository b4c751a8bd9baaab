// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-stat.h"

G_BEGIN_DECLS

/* The processes that several users want to have read first. Each user has a list without duplicates and with an end, and
 * they are served by turns, so that nobody's crowd shuts out others. */
typedef struct _FpWishes FpWishes;

FpWishes *fp_wishes_new (guint max_of_user, guint max_taken);
void fp_wishes_free (FpWishes *self);
void fp_wishes_add (FpWishes *self, guint32 uid, const FpProcessId *ids, guint n);
void fp_wishes_take (FpWishes *self, GArray *ids);
gboolean fp_wishes_has_of (const FpWishes *self, guint32 uid);
void fp_wishes_clear (FpWishes *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpWishes, fp_wishes_free)

G_END_DECLS
