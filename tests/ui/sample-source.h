// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

/* The control groups of a laptop that does not exist, and processes in some of them. The mode says how they are: "whole", "calm"
 * (without memory and limits), "changing" (one grows, is killed in and reads back), "fewer" (the same, and one is not there), "back"
 * (as "calm" until they are read the third time), "cut" (there are more), or "none" (they can't be read); "machine" has all
 * that fills a machine. */
#define SAMPLE_TYPE_SOURCE (sample_source_get_type ())
G_DECLARE_FINAL_TYPE (SampleSource, sample_source, SAMPLE, SOURCE, GObject)

FpSource *sample_source_new (const char *mode);
guint sample_source_get_n_snapshots (SampleSource *self);
char *sample_source_list_names (void);

G_END_DECLS
