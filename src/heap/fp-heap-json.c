// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-heap-json.h"

#define MAX_DEPTH 64

static char
peek (FpHeapJson *self)
{
  while (self->at < self->end && strchr (" \t\r\n", *self->at) && *self->at)
    self->at++;
  if (self->at < self->end && *self->at && !self->is_wrong)
    return *self->at;
  self->is_wrong = TRUE;
  return '\0';
}

static gboolean
take (FpHeapJson *self,
      char c)
{
  if (peek (self) != c || self->is_wrong)
    return FALSE;
  self->at++;
  return TRUE;
}

/* bracket: "{" or "[" */
gboolean
fp_heap_json_enter (FpHeapJson *self,
                    char bracket)
{
  if (!take (self, bracket))
    self->is_wrong = TRUE;
  return !self->is_wrong;
}

/* Takes the comma in front of the next one, or the bracket behind the last one. */
static gboolean
has_next (FpHeapJson *self,
          char bracket)
{
  if (take (self, bracket))
    return FALSE;
  take (self, ',');
  return !self->is_wrong;
}

gboolean
fp_heap_json_next_member (FpHeapJson *self,
                          GString *name)
{
  if (!has_next (self, '}'))
    return FALSE;
  fp_heap_json_read_text (self, name);
  if (!take (self, ':'))
    self->is_wrong = TRUE;
  return !self->is_wrong;
}

gboolean
fp_heap_json_next_element (FpHeapJson *self)
{
  return has_next (self, ']');
}

/* A fraction is left out; 0 for what is negative. */
guint64
fp_heap_json_read_number (FpHeapJson *self)
{
  gboolean is_negative = take (self, '-');
  guint64 value = 0;

  if (!g_ascii_isdigit (peek (self)))
    self->is_wrong = TRUE;
  while (!self->is_wrong && self->at < self->end && g_ascii_isdigit (*self->at))
    {
      guint digit = (guint)(*self->at++ - '0');

      value = value > (G_MAXUINT64 - digit) / 10 ? G_MAXUINT64 : value * 10 + digit;
    }
  while (!self->is_wrong && self->at < self->end && *self->at && strchr (".0123456789eE+-", *self->at))
    self->at++;
  return is_negative ? 0 : value;
}

static void
read_escape (FpHeapJson *self,
             GString *text)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char *known;
  g_autofree char *digits = NULL;
  guint64 code;

  if (self->at == self->end)
    return;
  known = *self->at ? strchr (from, *self->at) : NULL;
  if (known)
    g_string_append_c (text, to[known - from]);
  else if (*self->at == 'u' && self->end - self->at > 4)
    {
      digits = g_strndup (self->at + 1, 4);
      if (g_ascii_string_to_unsigned (digits, 16, 1, 0xffff, &code, NULL) && g_unichar_validate ((gunichar)code))
        g_string_append_unichar (text, (gunichar)code);
      self->at += 4;
    }
  self->at++;
}

void
fp_heap_json_read_text (FpHeapJson *self,
                        GString *text)
{
  g_string_truncate (text, 0);
  if (!take (self, '"'))
    self->is_wrong = TRUE;
  while (!self->is_wrong && self->at < self->end && *self->at != '"')
    {
      const char *plain = self->at;

      while (self->at < self->end && *self->at != '"' && *self->at != '\\')
        self->at++;
      g_string_append_len (text, plain, self->at - plain);
      if (self->at < self->end && *self->at == '\\')
        {
          self->at++;
          read_escape (self, text);
        }
    }
  if (!take (self, '"'))
    self->is_wrong = TRUE;
}

/* Goes behind a value of any kind. */
void
fp_heap_json_skip (FpHeapJson *self)
{
  guint depth = 0;

  do
    {
      char c = peek (self);

      if (c == '"')
        {
          g_autoptr (GString) text = g_string_new (NULL);

          fp_heap_json_read_text (self, text);
          continue;
        }
      depth += c == '{' || c == '[';
      if ((c == '}' || c == ']') && depth-- == 0)
        self->is_wrong = TRUE;
      if (depth > MAX_DEPTH)
        self->is_wrong = TRUE;
      if (c == '{' || c == '[' || c == '}' || c == ']' || c == ',' || c == ':')
        self->at += !self->is_wrong;
      else
        while (!self->is_wrong && self->at < self->end && !strchr ("{}[],: \t\r\n\"", *self->at))
          self->at++;
    }
  while (depth > 0 && !self->is_wrong);
}
