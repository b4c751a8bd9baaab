// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-format.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_MALLOC_CARD (fp_malloc_card_get_type ())

/* The heap of a process: how much of it is in use, and how much is free and kept. It is looked into when its user asks. */
G_DECLARE_FINAL_TYPE (FpMallocCard, fp_malloc_card, FP, MALLOC_CARD, GtkWidget)

void fp_malloc_card_show (FpMallocCard *self, FpSource *source, const FpProcessId *id, const FpFormat *format);
void fp_malloc_card_clear (FpMallocCard *self);

G_END_DECLS
