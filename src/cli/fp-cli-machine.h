// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-view.h"
#include "fp-json.h"
#include "fp-machine-parts.h"

G_BEGIN_DECLS

/* The machine of a view's snapshot, with what else is read for it. Its changes are since the first of
 * --watch, or since the snapshot that it is compared with. */
typedef struct
{
  FpMachine *machine;
  FpRecords *users;
  FpRecords *all;
  FpControlGroups *groups; /* (nullable) */
  FpKept *kept;            /* (nullable) */
  FpMachineMoment start;   /* what it is compared with */
} FpCliMachine;

void fp_cli_machine_init (FpCliMachine *self, const FpCliView *view);
void fp_cli_machine_clear (FpCliMachine *self);
void fp_cli_machine_add_json (const FpCliMachine *self, FpJson *json);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpCliMachine, fp_cli_machine_clear)

G_END_DECLS
