// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_HOST_SOURCE (fp_host_source_get_type ())

/* The ways to read this machine, in the order in which they are tried. */
typedef enum
{
  FP_HOST_HELPER,   /* in a Flatpak: the helper on the system bus, without a password */
  FP_HOST_OUTSIDE,  /* in a Flatpak: a helper that it starts outside */
  FP_HOST_HERE,     /* this process */
  FP_HOST_UNLOCKED, /* the helper on the system bus, with a password */
  FP_HOST_ROOT,     /* the helper that came with this program, started as root with a password */
  FP_N_HOST_CANDIDATES,
} FpHostCandidate;

/* This machine, read by the first candidate that can, and once its administrator has said yes by one that may read all. */
G_DECLARE_FINAL_TYPE (FpHostSource, fp_host_source, FP, HOST_SOURCE, GObject)

FpSource *fp_host_source_new (const char *helper_path);

/* The same with other candidates. NULL: the way does not exist here; outside_error says why not outside. */
FpSource *fp_host_source_new_with (FpSource *const sources[FP_N_HOST_CANDIDATES], GError *outside_error);

G_END_DECLS
