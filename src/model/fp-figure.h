// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-memory.h"

G_BEGIN_DECLS

#define FP_N_UNITS_OF_BYTES 7

typedef enum
{
  FP_FIGURE_NONE,    /* there is nothing to know: a kernel thread has no memory */
  FP_FIGURE_UNKNOWN, /* could not be read */
  FP_FIGURE_EXACT,
  FP_FIGURE_AT_MOST,
  FP_FIGURE_RANGE,   /* it may have changed since it was read, within these ends; or a sum of such */
  FP_FIGURE_PARTIAL, /* a sum in which some could not be read */
  FP_FIGURE_MORE,    /* a difference upwards, by this much */
  FP_FIGURE_LESS,
  FP_FIGURE_EITHER, /* a difference of which not even the direction is known: low downwards at most, high upwards */
} FpFigureKind;

/* A number that says how well it is known. high is G_MAXUINT64 where there is no upper end. */
typedef struct
{
  FpFigureKind kind;
  guint64 low;
  guint64 high;
} FpFigure;

typedef enum
{
  FP_STYLE_IEC,     /* 1.5 MiB */
  FP_STYLE_EXACT,   /* 1572864 */
  FP_STYLE_PERCENT, /* of a whole */
  FP_STYLE_BYTES,   /* 1,572,864 B, as the language groups digits */
  FP_STYLE_GROUPED, /* 1,572,864 */
} FpFigureStyle;

#define FP_FIGURE_TEXT_SIZE  64
#define FP_FIGURE_WORDS_SIZE 256

#define FP_NUMBER_TEXT_SIZE 21

gsize fp_number_write (guint64 number, char text[FP_NUMBER_TEXT_SIZE]);

const char *fp_figure_get_unit (guint power);
FpFigure fp_figure_exact (guint64 value);
FpFigure fp_figure_at_most (guint64 bound);
FpFigure fp_figure_at_least (guint64 bound);
FpFigure fp_figure_between (guint64 low, guint64 high);
FpFigure fp_figure_difference (guint64 before, guint64 after);
FpFigure fp_figure_change (FpFigure before, FpFigure after);
FpFigure fp_figure_of_memory (const FpMemory *memory, FpField field);
gboolean fp_figure_is_known (FpFigure self);
guint64 fp_figure_get_place (FpFigure self, gboolean descending);
int fp_figure_compare (FpFigure a, FpFigure b, gboolean descending);
void fp_figure_format (FpFigure self, FpUnit unit, FpFigureStyle style, guint64 whole, char *text, gsize size);
char *fp_figure_format_part (guint64 part, guint64 whole, FpFigureStyle style);
void fp_figure_keep_together (char *text);
gboolean fp_figure_describe (FpFigure self, FpUnit unit, FpFigureStyle style, guint64 whole, char *text, gsize size);

G_END_DECLS
