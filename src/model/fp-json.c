// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-json.h"

static void
append_line_end (FpJson *self)
{
  if (!self->is_pretty)
    return;
  g_string_append_c (self->out, '\n');
  for (guint i = 0; i < self->depth; i++)
    g_string_append (self->out, "  ");
}

/* Some terminals take U+0080 to U+009F for the beginning of a command. */
static gboolean
is_high_control (const char *text)
{
  return (guchar)text[0] == 0xc2 && (guchar)text[1] < 0xa0;
}

/* text: valid UTF-8 */
static void
append_string (FpJson *self,
               const char *text)
{
  g_string_append_c (self->out, '"');
  for (;;)
    {
      const char *plain = text;

      while ((guchar)*text >= ' ' && *text != '"' && *text != '\\' && *text != 0x7f && !is_high_control (text))
        text++;
      g_string_append_len (self->out, plain, text - plain);
      if (!*text)
        break;
      if (*text == '"' || *text == '\\')
        g_string_append_printf (self->out, "\\%c", *text);
      else
        g_string_append_printf (self->out, "\\u%04x", g_utf8_get_char (text));
      text = g_utf8_next_char (text);
    }
  g_string_append_c (self->out, '"');
}

static void
begin_value (FpJson *self,
             const char *name)
{
  if (!self->is_first && self->depth > 0)
    g_string_append_c (self->out, ',');
  if (self->depth > 0)
    append_line_end (self);
  self->is_first = FALSE;
  if (!name)
    return;
  append_string (self, name);
  g_string_append (self->out, self->is_pretty ? " : " : ":");
}

static void
begin (FpJson *self,
       const char *name,
       char bracket)
{
  begin_value (self, name);
  g_string_append_c (self->out, bracket);
  self->depth++;
  self->is_first = TRUE;
}

static void
end (FpJson *self,
     char bracket)
{
  self->depth--;
  if (!self->is_first)
    append_line_end (self);
  g_string_append_c (self->out, bracket);
  self->is_first = FALSE;
}

void
fp_json_begin_object (FpJson *self,
                      const char *name)
{
  begin (self, name, '{');
}

void
fp_json_end_object (FpJson *self)
{
  end (self, '}');
}

void
fp_json_begin_array (FpJson *self,
                     const char *name)
{
  begin (self, name, '[');
}

void
fp_json_end_array (FpJson *self)
{
  end (self, ']');
}

void
fp_json_add_text (FpJson *self,
                  const char *name,
                  const char *text)
{
  begin_value (self, name);
  if (text && *text)
    append_string (self, text);
  else
    g_string_append (self->out, "null");
}

void
fp_json_add_number (FpJson *self,
                    const char *name,
                    gint64 number)
{
  char text[FP_NUMBER_TEXT_SIZE];

  begin_value (self, name);
  if (number < 0)
    g_string_append_c (self->out, '-');
  g_string_append_len (self->out, text, (gssize)fp_number_write (number < 0 ? -(guint64)number : (guint64)number, text));
}

/* Many readers of JSON round larger numbers. */
void
fp_json_add_bytes (FpJson *self,
                   const char *name,
                   guint64 bytes)
{
  fp_json_add_number (self, name, (gint64)MIN (bytes, G_MAXINT64));
}

void
fp_json_add_real (FpJson *self,
                  const char *name,
                  double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  begin_value (self, name);
  g_string_append (self->out, g_ascii_dtostr (text, sizeof text, number));
  if (!strpbrk (text, ".e"))
    g_string_append (self->out, ".0");
}

/* An unknown figure is null; a range, and a sum with an unknown part, is its lower end. */
void
fp_json_add_figure (FpJson *self,
                    const char *name,
                    FpFigure figure)
{
  if (figure.kind == FP_FIGURE_LESS)
    fp_json_add_number (self, name, -(gint64)MIN (figure.low, G_MAXINT64));
  else if (fp_figure_is_known (figure) && figure.kind != FP_FIGURE_AT_MOST && figure.kind != FP_FIGURE_EITHER)
    fp_json_add_bytes (self, name, figure.low);
  else
    fp_json_add_text (self, name, NULL);
}

void
fp_json_add_flag (FpJson *self,
                  const char *name,
                  gboolean flag)
{
  begin_value (self, name);
  g_string_append (self->out, flag ? "true" : "false");
}
