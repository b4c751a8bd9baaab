// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Things to be read that belong to several users, any of whom may have as many as he likes. Next is one of the user whose
 * things have taken least time until now, so that a user with many of them, or slow ones, holds up only his own. */
typedef struct _FpTurns FpTurns;

FpTurns *fp_turns_new (void);
void fp_turns_free (FpTurns *self);
void fp_turns_clear (FpTurns *self);
void fp_turns_add (FpTurns *self, guint32 uid, gpointer item);
gpointer fp_turns_next (FpTurns *self);
void fp_turns_spend (FpTurns *self, guint64 spent_us);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpTurns, fp_turns_free)

G_END_DECLS
