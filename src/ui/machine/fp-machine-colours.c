// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-machine-colours.h"
#include "fp-palette.h"

const char *const fp_machine_colours[FP_N_MACHINE_LINES] = {
  [FP_MACHINE_PROGRAMS] = FP_COLOUR_BLUE,
  [FP_MACHINE_GRAPHICS] = FP_COLOUR_PURPLE,
  [FP_MACHINE_KEPT] = FP_COLOUR_YELLOW,
  [FP_MACHINE_SWAP] = FP_COLOUR_PINK,
  [FP_MACHINE_CACHE] = FP_COLOUR_CYAN,
  [FP_MACHINE_KERNEL] = FP_COLOUR_GREY,
  [FP_MACHINE_HUGE_PAGES] = FP_COLOUR_BROWN,
  [FP_MACHINE_FREE] = FP_COLOUR_TROUGH_DOT,
  [FP_MACHINE_UNEXPLAINED] = FP_COLOUR_SAND,
};
