// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "fp-query-term.h"

#define UNITS "kmgtpe"

/* In French it is an o. */
static gboolean
is_byte (char c)
{
  return c != '\0' && strchr ("bo", g_ascii_tolower (c));
}

/* Units are powers of 1024: "1.5G", "100 MiB", "64k", "12". */
gboolean
fp_query_parse_size (const char *text,
                     FpUnit unit,
                     guint64 *size)
{
  char *end;
  double value = g_ascii_strtod (text, &end);
  const char *found;

  if (end == text || !(value >= 0) || !g_ascii_isdigit (*text))
    return FALSE;
  if (*end == ' ')
    end++;
  if (unit == FP_UNIT_BYTES && *end && (found = strchr (UNITS, g_ascii_tolower (*end))))
    {
      value = ldexp (value, (int)(found - UNITS + 1) * 10);
      end++;
      if (g_ascii_tolower (*end) == 'i')
        end++;
    }
  if (unit == FP_UNIT_BYTES && is_byte (*end))
    end++;
  if (*end || value >= 18446744073709549568.0)
    return FALSE;
  *size = (guint64)value;
  return TRUE;
}

/* Returns whether the text is a unit of sizes, as in "50 MiB". */
gboolean
fp_query_is_unit (const char *text,
                  gsize length)
{
  gsize n = 0;

  if (length > 0 && strchr (UNITS, g_ascii_tolower (text[0])))
    {
      n++;
      if (n < length && g_ascii_tolower (text[n]) == 'i')
        n++;
    }
  if (n < length && is_byte (text[n]))
    n++;
  return length > 0 && n == length;
}

/* A PID is written as in lists: without a sign or zeros in front. */
static gint
parse_pid (const char *text)
{
  guint64 pid;

  if (*text == '0' || !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &pid, NULL))
    return 0;
  return (gint)pid;
}

static FpComparison
find_comparison (const char *term,
                 gsize *at,
                 gsize *length)
{
  *at = strcspn (term, "<>=:");
  *length = term[*at] ? 1 : 0;
  switch (term[*at])
    {
    case ':':
      return FP_COMPARE_CONTAINS;
    case '=':
      return FP_COMPARE_EQUAL;
    case '<':
    case '>':
      if (term[*at + 1] == '=')
        *length = 2;
      if (term[*at] == '<')
        return *length == 2 ? FP_COMPARE_LESS_EQUAL : FP_COMPARE_LESS;
      return *length == 2 ? FP_COMPARE_GREATER_EQUAL : FP_COMPARE_GREATER;
    default:
      return FP_COMPARE_CONTAINS;
    }
}

/* Finds the column whose name the word begins with. Without a name a comparison is about memory. NULL: the word is text */
const FpColumn *
fp_query_term_split (const char *word,
                     FpRecordKind kind,
                     FpComparison *comparison,
                     const char **value)
{
  gsize at, length;
  g_autofree char *name = NULL;

  *comparison = find_comparison (word, &at, &length);
  *value = word + at + length;
  name = g_strndup (word, at);
  if (length == 0)
    return NULL;
  if (at == 0)
    return *word == ':' ? NULL : fp_columns_get_role (FP_ROLE_MEMORY, kind);
  return fp_columns_find_named (name, kind);
}

/* Sets the error of what was typed wrongly, and returns FALSE. */
gboolean
fp_refuse_input (GError **error,
                 const char *format,
                 ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, format, arguments));
  va_end (arguments);
  return FALSE;
}

static gboolean
parse_value (FpQueryTerm *self,
             const char *value,
             const char *word,
             GError **error)
{
  int length = (int)strcspn (word, "<>=:");

  if (self->column->presentation == FP_PRESENT_TEXT)
    return self->comparison <= FP_COMPARE_EQUAL ||
           /* Translators: both times the name of a column */
           fp_refuse_input (error, _ ("“%.*s” is text; search it as in “%.*s:word”"), length, word, length, word);
  if (self->comparison == FP_COMPARE_CONTAINS)
    self->comparison = FP_COMPARE_EQUAL;
  if (!*value)
    return fp_refuse_input (error, _ ("There is no number after “%s”; write it as in “memory>100M”"), word);
  return fp_query_parse_size (value, self->column->unit, &self->number) ||
         fp_refuse_input (error, _ ("“%s” is not a number; write it as in “memory>100M”"), value);
}

/* Whether it asks for what is at a place in a tree or below it. */
gboolean
fp_query_term_is_place (const FpQueryTerm *self)
{
  return self->column && (self->column->flags & FP_COLUMN_TREE) && self->comparison == FP_COMPARE_EQUAL;
}

/* Groups may have names that differ in case only. */
static char *
make_text (const FpQueryTerm *self,
           const char *value)
{
  gsize length = strlen (value);

  if (!fp_query_term_is_place (self))
    return g_utf8_casefold (value, -1);
  while (length > 1 && value[length - 1] == '/')
    length--;
  return g_strndup (value, length);
}

/* Makes a term that finds exactly this value, whatever signs are in it. Free the text. */
char *
fp_query_term_make (const char *column,
                    const char *value)
{
  gboolean is_plain = *value && !value[strcspn (value, " \t\n\v\f\r\"|()")];
  g_auto (GStrv) parts = g_strsplit (value, "\"", -1);
  g_autofree char *quoted = g_strjoinv ("\"\"", parts);

  return g_strdup_printf (is_plain ? "%s=%s" : "%s=\"%s\"", column, quoted);
}

/* One other letter makes another word of a short one, such as “gid” of “pid”. */
static gboolean
is_slip (const char *name,
         const char *meant)
{
  gsize length = strlen (name);

  if (length > 3 || length != strlen (meant))
    return TRUE;
  for (gsize i = 0; i < length; i++)
    if (!strchr (name, g_ascii_tolower (meant[i])) && !strchr (name, g_ascii_toupper (meant[i])))
      return FALSE;
  return TRUE;
}

/* A path, an address or a setting may have a colon or an equals sign, too, so only what looks like a column with a value is
 * taken for one. */
static gboolean
looks_meant (const char *name,
             const char *meant,
             const char *value,
             guint named)
{
  const FpColumn *column = fp_columns_find_named (meant, named);
  guint64 number;

  if (!*value || *value == '/' || !is_slip (name, meant))
    return FALSE;
  return column->presentation == FP_PRESENT_TEXT || fp_query_parse_size (value, column->unit, &number);
}

static gboolean
refuse_name (const char *word,
             FpComparison comparison,
             guint named,
             GError **error)
{
  gsize at, length;
  g_autofree char *name = NULL;
  const char *similar;

  find_comparison (word, &at, &length);
  name = g_strndup (word, at);
  similar = length > 0 ? fp_columns_find_similar (name, named) : NULL;
  if (similar && (comparison > FP_COMPARE_EQUAL || looks_meant (name, similar, word + at + length, named)))
    return fp_refuse_input (error, _ ("There is no column “%s”; did you mean “%s”?"), name, similar);
  return comparison <= FP_COMPARE_EQUAL || fp_refuse_input (error, _ ("There is no column “%s”"), name);
}

/* A word is text unless it begins with the name of a column; then it must make sense. named: a mask of FpRecordKind, of whose
 * columns the word may name one */
gboolean
fp_query_term_parse (FpQueryTerm *self,
                     const char *word,
                     gboolean is_quoted,
                     FpRecordKind kind,
                     guint named,
                     GError **error)
{
  const char *value;
  guint n = 0;

  *self = (FpQueryTerm){ .kind = kind };
  if (!is_quoted)
    self->column = fp_query_term_split (word, kind, &self->comparison, &value);
  if (self->column)
    {
      if (!parse_value (self, value, word, error))
        return FALSE;
    }
  else
    {
      if (!is_quoted && !refuse_name (word, self->comparison, named, error))
        return FALSE;
      self->comparison = FP_COMPARE_CONTAINS;
      value = word;
      for (guint i = 0; i < fp_columns_get_n () && n < FP_MAX_SEARCHED; i++)
        if ((fp_columns_get (i)->flags & FP_COLUMN_SEARCHED) && (fp_columns_get (i)->kinds & kind))
          self->searched[n++] = fp_columns_get (i);
    }
  self->text = make_text (self, value);
  self->pid = parse_pid (self->text);
  return TRUE;
}

void
fp_query_term_clear (FpQueryTerm *self)
{
  g_clear_pointer (&self->text, g_free);
}

/* Ignores case: that of ASCII in place, any other by folding the text first. */
static gboolean
contains (const char *text,
          const char *folded)
{
  gsize length = strlen (folded);
  char lower = folded[0], upper = g_ascii_toupper (lower);
  gboolean is_ascii = TRUE;

  for (const char *c = text; *c; c++)
    {
      if ((*c == lower || *c == upper) && g_ascii_strncasecmp (c, folded, length) == 0)
        return TRUE;
      is_ascii &= (guchar)*c < 0x80;
    }
  if (!is_ascii)
    {
      g_autofree char *whole = g_utf8_casefold (text, -1);

      return strstr (whole, folded) != NULL;
    }
  return length == 0;
}

static gboolean
is_at_or_below (const char *path,
                const char *place)
{
  gsize length = strlen (place);

  if (length == 0)
    return !*path;
  return strncmp (path, place, length) == 0 &&
         (path[length] == '\0' || path[length] == '/' || g_str_equal (place, "/"));
}

static gboolean
text_matches (const FpQueryTerm *self,
              const FpColumn *column,
              const FpRecords *records,
              guint index)
{
  char buffer[FP_CELL_SIZE];
  const char *text = fp_column_get_text (column, records, index, NULL, buffer, sizeof buffer);
  g_autofree char *folded = NULL;

  if (self->comparison == FP_COMPARE_CONTAINS)
    return contains (text, self->text);
  if (fp_query_term_is_place (self))
    return is_at_or_below (text, self->text);
  folded = g_utf8_casefold (text, -1);
  return strcmp (folded, self->text) == 0;
}

static FpMatch
range_matches (FpFigure figure,
               gboolean low_matches,
               gboolean high_matches)
{
  if (low_matches && high_matches)
    return FP_MATCH_CERTAINLY;
  return figure.kind == FP_FIGURE_RANGE && (low_matches || high_matches) ? FP_MATCH_POSSIBLY : FP_MATCH_NOT;
}

/* An unknown figure matches nothing. Both ends must agree of a bound, and of a sum with an unread part; one end of a
 * range is enough for a possible match. A negative figure is below every number that can be written. */
static FpMatch
figure_matches (const FpQueryTerm *self,
                const FpRecords *records,
                guint index)
{
  FpFigure figure = fp_column_get_figure (self->column, records, index);
  guint64 number = self->number;

  if (!fp_figure_is_known (figure))
    return FP_MATCH_NOT;
  if (figure.kind == FP_FIGURE_EITHER)
    figure = fp_figure_between (0, figure.high);
  if (figure.kind == FP_FIGURE_LESS)
    return self->comparison == FP_COMPARE_LESS || self->comparison == FP_COMPARE_LESS_EQUAL ? FP_MATCH_CERTAINLY
                                                                                            : FP_MATCH_NOT;
  switch (self->comparison)
    {
    case FP_COMPARE_EQUAL:
      if (figure.kind == FP_FIGURE_RANGE)
        return figure.low <= number && number <= figure.high ? FP_MATCH_POSSIBLY : FP_MATCH_NOT;
      return range_matches (figure, figure.low == number, figure.high == number);
    case FP_COMPARE_LESS:
      return range_matches (figure, figure.low < number, figure.high < number);
    case FP_COMPARE_LESS_EQUAL:
      return range_matches (figure, figure.low <= number, figure.high <= number);
    case FP_COMPARE_GREATER:
      return range_matches (figure, figure.low > number, figure.high > number);
    case FP_COMPARE_GREATER_EQUAL:
      return range_matches (figure, figure.low >= number, figure.high >= number);
    case FP_COMPARE_CONTAINS:
    default:
      g_assert_not_reached ();
    }
}

static gboolean
word_matches (const FpQueryTerm *self,
              const FpRecords *records,
              guint index)
{
  if ((self->kind & FP_RECORD_PROCESS) && self->pid > 0 && self->pid == fp_process_records_get (records, index)->pid)
    return TRUE;
  for (const FpColumn *const *column = self->searched; *column; column++)
    if (text_matches (self, *column, records, index))
      return TRUE;
  return FALSE;
}

FpMatch
fp_query_term_matches (const FpQueryTerm *self,
                       const FpRecords *records,
                       guint index)
{
  gboolean is_match;

  if (self->column && self->column->presentation != FP_PRESENT_TEXT)
    return figure_matches (self, records, index);
  is_match = self->column ? text_matches (self, self->column, records, index) : word_matches (self, records, index);
  return is_match ? FP_MATCH_CERTAINLY : FP_MATCH_NOT;
}
