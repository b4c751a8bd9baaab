// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-display.h"

/* These characters are invisible or change how others are read; a process may have any of them in its name. */
static gboolean
is_dangerous (gunichar c)
{
  switch ((int)g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_SURROGATE:
      return TRUE;
    default:
      /* Joiners and fillers show nothing. */
      return c == 0x034f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5 || c == 0x3164 || c == 0xffa0 ||
             (c >= 0x180b && c <= 0x180f) || (c >= 0x2060 && c <= 0x206f) || (c >= 0xfff0 && c <= 0xfffb) ||
             (c >= 0xe0000 && c <= 0xe0fff);
    }
}

static gboolean
is_plain (char c)
{
  return c >= ' ' && c < 0x7f;
}

/* text is valid UTF-8, and so is what is shown. */
void
fp_display_escape (const char *text,
                   char *shown,
                   gsize size)
{
  gsize used = 0;

  for (; *text; text = g_utf8_next_char (text))
    {
      gunichar c;
      char piece[16];
      gsize length;

      if (is_plain (*text) && used + 1 < size)
        {
          shown[used++] = *text;
          continue;
        }
      c = g_utf8_get_char (text);
      if (c == '\n' || c == '\t')
        g_snprintf (piece, sizeof piece, "\\%c", c == '\n' ? 'n' : 't');
      else if (is_dangerous (c))
        g_snprintf (piece, sizeof piece, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
      else
        piece[g_unichar_to_utf8 (c, piece)] = '\0';
      length = strlen (piece);
      if (used + length >= size)
        break;
      memcpy (shown + used, piece, length);
      used += length;
    }
  shown[used] = '\0';
}

static guint
char_width (gunichar c)
{
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

/* Returns the width in cells of a terminal. */
guint
fp_display_width (const char *text)
{
  guint width = 0;

  for (; *text; text = g_utf8_next_char (text))
    width += is_plain (*text) ? 1 : char_width (g_utf8_get_char (text));
  return width;
}

/* Returns how many bytes of the text fit into that many cells. */
gsize
fp_display_fit (const char *text,
                guint width)
{
  const char *c = text;

  for (guint used = 0; *c; c = g_utf8_next_char (c))
    {
      used += char_width (g_utf8_get_char (c));
      if (used > width)
        break;
    }
  return (gsize)(c - text);
}

/* A language is written the way that the letters of its words are. */
static gboolean
is_right_to_left (void)
{
  for (const char *c = _ ("Memory"); *c; c = g_utf8_next_char (c))
    switch ((int)g_unichar_get_script (g_utf8_get_char (c)))
      {
      case G_UNICODE_SCRIPT_ARABIC:
      case G_UNICODE_SCRIPT_HEBREW:
      case G_UNICODE_SCRIPT_NKO:
      case G_UNICODE_SCRIPT_SYRIAC:
      case G_UNICODE_SCRIPT_THAANA:
        return TRUE;
      }
  return FALSE;
}

/* From right to left, a name in Latin letters would take the figure beside it with it, and all of a text that it begins. Free the
 * text. */
char *
fp_display_isolate (const char *name)
{
  return is_right_to_left () ? g_strconcat ("\u200f\u2068", name, "\u2069", NULL) : g_strdup (name);
}

/* Users and programs choose their names, which must not look like other words of the sentence: a name of other characters
 * is in quotes, and has none itself. */
void
fp_display_append_name (GString *text,
                        const char *name)
{
  gboolean is_plain = *name != '\0';
  g_autoptr (GString) quoted = NULL;
  g_autofree char *isolated = NULL;
  char shown[1024];

  for (const char *c = name; *c; c++)
    is_plain &= g_ascii_isalnum (*c) || strchr ("-_.+@:\\", *c);
  fp_display_escape (name, shown, sizeof shown);
  quoted = g_string_new (shown);
  g_string_replace (quoted, "“", "\\u201c", 0);
  g_string_replace (quoted, "”", "\\u201d", 0);
  isolated = fp_display_isolate (quoted->str);
  g_string_append_printf (text, is_plain ? "%s" : "“%s”", isolated);
}

/* A user who has no name is known by a number, which says nothing beside names and amounts. Free the text. */
char *
fp_display_make_user (const char *name)
{
  gboolean is_number = *name && name[strspn (name, "0123456789")] == '\0';

  /* Translators: a user of the machine */
  return is_number ? g_strdup_printf (_ ("user %s"), name) : g_strdup (name);
}

static void
append (GString *text,
        const char *separator,
        char *part)
{
  if (text->len > 0)
    g_string_append (text, separator);
  g_string_append (text, part);
  g_free (part);
}

/* Each is translated as a whole, and takes the text. A blank at the beginning of a translation would get lost. */
void
fp_display_append_sentence (GString *text,
                            char *sentence)
{
  append (text, " ", sentence);
}

/* A fact of a line such as “3 processes · Memory 12 MiB” */
void
fp_display_append_fact (GString *text,
                        char *fact)
{
  append (text, " · ", fact);
}

/* A member of a list */
void
fp_display_append_item (GString *text,
                        char *item)
{
  /* Translators: stands between the members of a list */
  append (text, _ (", "), item);
}

/* A clause of a sentence */
void
fp_display_append_clause (GString *text,
                          char *clause)
{
  g_autofree char *before = g_strdup (text->str);

  if (*before)
    /* Translators: the clauses of a sentence so far, and the next one */
    g_string_printf (text, _ ("%s; %s"), before, clause);
  else
    g_string_assign (text, clause);
  g_free (clause);
}

void
fp_display_end_sentence (GString *text)
{
  g_autofree char *clauses = g_strdup (text->str);

  /* Translators: a sentence that was put together of its clauses */
  g_string_printf (text, _ ("%s."), clauses);
}

/* Gets the width of a column of which the title is as wide as in this language, and apart from the one before it. */
guint
fp_display_widen (guint width,
                  const char *title)
{
  return MAX (width, fp_display_width (title) + 1);
}
