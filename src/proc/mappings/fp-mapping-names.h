// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping-answers.h"

G_BEGIN_DECLS

void fp_mapping_names_ask (FpMappingAnswers *settled, int process_dir, GString *answers);

G_END_DECLS
