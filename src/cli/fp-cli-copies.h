// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-view.h"
#include "fp-json.h"

G_BEGIN_DECLS

char *fp_cli_copies_describe (const FpCliView *view);
void fp_cli_copies_add_json (FpJson *json, const FpCliView *view);

G_END_DECLS
