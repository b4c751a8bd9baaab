// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_SECTION_LIST (fp_section_list_get_type ())

/* The sections of a program or library, and how much of each is resident, changed and in swap in one process. Reading them
 * takes a list of all mappings of the process, so they are read only while the list is open. */
G_DECLARE_FINAL_TYPE (FpSectionList, fp_section_list, FP, SECTION_LIST, GtkWidget)

void fp_section_list_show (FpSectionList *self, FpSource *source, const FpProcessId *id, const FpMapping *mapping, gboolean is_costly);
void fp_section_list_clear (FpSectionList *self);
void fp_section_list_set_style (FpSectionList *self, FpFigureStyle style);

G_END_DECLS
