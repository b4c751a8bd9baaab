// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/* The colours of bars, charts and strips, as CSS and Pango read them. */
#define FP_COLOUR_BLUE       "#3584e4"
#define FP_COLOUR_LIGHT_BLUE "#62a0ea"
#define FP_COLOUR_CYAN       "#7cc4d1" /* pale: of cache, which is given back when needed */
#define FP_COLOUR_GREEN      "#26a269"
#define FP_COLOUR_LIME       "#8fb93a"
#define FP_COLOUR_SLATE      "#5a7d9a"
#define FP_COLOUR_YELLOW     "#cd9309"
#define FP_COLOUR_ORANGE     "#e66100"
#define FP_COLOUR_RED        "#e01b24"
#define FP_COLOUR_PURPLE     "#a347ba"
#define FP_COLOUR_PINK       "#c061cb"
#define FP_COLOUR_BROWN      "#986a44"
#define FP_COLOUR_SAND       "#b5835a"
#define FP_COLOUR_GREY       "#77767b"
#define FP_COLOUR_TROUGH     "rgba(128,128,128,0.35)" /* of a part that is nothing */
#define FP_COLOUR_TROUGH_DOT "#808080"                /* its dot in a legend, as Pango knows no rgba() */
#define FP_TROUGH_ALPHA      "55%"                    /* of that dot, which is small */
