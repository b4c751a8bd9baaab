// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "population-memory.h"

G_BEGIN_DECLS

#define POPULATION_MEM_TOTAL (32719264 * KIB)

void population_system_fill (FpSystem *self, const PopulationTotals *totals);

G_END_DECLS
