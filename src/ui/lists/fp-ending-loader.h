// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-columns.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_ENDING_LOADER (fp_ending_loader_get_type ())

/* Says what ending the selected processes gives back: at once what is certain, and all of it once they are read, which
 * begins when the selection has been the same for a moment.
 *
 * ::changed: there is more to say */
G_DECLARE_FINAL_TYPE (FpEndingLoader, fp_ending_loader, FP, ENDING_LOADER, GObject)

FpEndingLoader *fp_ending_loader_new (FpSource *source);
void fp_ending_loader_set_target (FpEndingLoader *self, FpRecords *records, const guint *indices, guint n);
gboolean fp_ending_loader_has_target (FpEndingLoader *self, const FpProcessId *ids, guint n);
char *fp_ending_loader_describe (FpEndingLoader *self, const FpFormat *format);

G_END_DECLS
