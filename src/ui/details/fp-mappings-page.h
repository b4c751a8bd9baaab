// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"
#include "fp-source.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FP_TYPE_MAPPINGS_PAGE (fp_mappings_page_get_type ())

/* A process down to its last mapping. They are read when this is looked at, and only then. */
G_DECLARE_FINAL_TYPE (FpMappingsPage, fp_mappings_page, FP, MAPPINGS_PAGE, GtkWidget)

void fp_mappings_page_set_settings (FpMappingsPage *self, GSettings *settings);
void fp_mappings_page_set_source (FpMappingsPage *self, FpSource *source);
void fp_mappings_page_show (FpMappingsPage *self, const FpRecords *records, guint index, const FpFormat *format);
void fp_mappings_page_refresh (FpMappingsPage *self);

G_END_DECLS
