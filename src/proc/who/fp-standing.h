// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-owner.h"

G_BEGIN_DECLS

/* Whether a process may do what its user may, and who answers for it. */
typedef struct
{
  int dir; /* stands for it: nothing is found in it when the process is gone */
  FpOwner owner;
  guint32 payer;
  guint64 start_ticks;
  gboolean shares_namespaces; /* of users and processes with this program */
  gboolean has_no_new_privileges;
  gboolean is_flatpak_proxy;
} FpStanding;

gboolean fp_standing_await (FpStanding *self, gint pid);
void fp_standing_clear (FpStanding *self);
gboolean fp_standing_is_there (const FpStanding *self);

G_END_DECLS
