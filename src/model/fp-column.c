// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-column.h"

gboolean
fp_column_is_name (const FpColumn *self)
{
  return self->role == FP_ROLE_NAME;
}

/* In a window a name is titled so, whatever has it; a size is no name. */
const char *
fp_column_get_heading (const FpColumn *self)
{
  return fp_column_is_name (self) && self->unit != FP_UNIT_BYTES ? _ ("Name") : _ (self->title);
}

gboolean
fp_column_is_figure (const FpColumn *self)
{
  return self->presentation != FP_PRESENT_TEXT && self->presentation != FP_PRESENT_NUMBER;
}

/* Says whether it only draws what another column says. */
gboolean
fp_column_is_drawing (const FpColumn *self)
{
  return self->presentation == FP_PRESENT_SHARE || self->presentation == FP_PRESENT_TREND;
}

/* Says whether exports leave it out: it is a drawing, or only a window knows it. */
gboolean
fp_column_is_left_out (const FpColumn *self)
{
  return fp_column_is_drawing (self) || self->flags & FP_COLUMN_WATCHED;
}

/* Says whether the sum of records has something in it. */
gboolean
fp_column_is_summed (const FpColumn *self)
{
  if (self->field != FP_FIELD_NONE)
    return fp_field_is_summed (self->field);
  return self->get_figure && (self->kinds & (FP_RECORD_TOTAL | FP_RECORD_FOLD | FP_RECORD_COMPARED));
}

FpFigure
fp_column_get_figure (const FpColumn *self,
                      const FpRecords *records,
                      guint index)
{
  if (self->get_figure)
    return self->get_figure (records, index);
  if (self->field != FP_FIELD_NONE)
    return fp_records_get_figure (records, index, self->field);
  return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
}

/* Gives the text of a text column. The records own it, or it is in the buffer. Empty: there is none. */
const char *
fp_column_get_text (const FpColumn *self,
                    const FpRecords *records,
                    guint index,
                    const FpFormat *format,
                    char *buffer,
                    gsize size)
{
  g_return_val_if_fail (self->presentation == FP_PRESENT_TEXT, "");

  if (self->get_text)
    return self->get_text (records, index, format);
  self->make_text (records, index, format, buffer, size);
  return buffer;
}

static FpFigureStyle
get_style (const FpColumn *self,
           const FpFormat *format)
{
  if (self->presentation == FP_PRESENT_NUMBER)
    return FP_STYLE_EXACT;
  /* In a column a unit, the same in each row, would take the room of digits. */
  if (format->style == FP_STYLE_BYTES && self->unit == FP_UNIT_BYTES)
    return FP_STYLE_GROUPED;
  return format->style;
}

void
fp_column_format (const FpColumn *self,
                  const FpRecords *records,
                  guint index,
                  const FpFormat *format,
                  char *text,
                  gsize size)
{
  if (self->presentation == FP_PRESENT_SHARE)
    fp_format_share (format, fp_column_get_figure (self, records, index), text, size);
  else if (self->presentation == FP_PRESENT_TEXT)
    {
      const char *kept = fp_column_get_text (self, records, index, format, text, size);

      if (kept != text)
        g_strlcpy (text, kept, size);
    }
  else
    fp_figure_format (fp_column_get_figure (self, records, index), self->unit, get_style (self, format),
                      fp_format_get_whole (format, self->field), text, size);
}
