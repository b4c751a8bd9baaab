// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "fp-query.h"

typedef enum
{
  COMPARE_CONTAINS,
  COMPARE_EQUAL,
  COMPARE_LESS,
  COMPARE_LESS_EQUAL,
  COMPARE_GREATER,
  COMPARE_GREATER_EQUAL,
} Comparison;

typedef struct
{
  const FpColumn *column; /* NULL: any of those that are searched */
  Comparison comparison;
  gboolean is_negated;
  char *text; /* folded */
  guint64 number;
  gint pid; /* that the text is; 0: none */
} Term;

static const char *const searched[] = { "program", "comm", "command", "user", "app", "name", "mapping" };

struct _FpQuery
{
  const FpColumn *searched[G_N_ELEMENTS (searched)]; /* NULL: these records have none */
  FpRecordKind kind;
  GArray *terms;
};

static void
clear_term (gpointer data)
{
  g_free (((Term *)data)->text);
}

/* "1.5G", "100 MiB", "64k", "12": powers of 1024, as all sizes here are. */
gboolean
fp_query_parse_size (const char *text,
                     FpUnit unit,
                     guint64 *size)
{
  static const char units[] = "kmgtpe";
  char *end;
  double value = g_ascii_strtod (text, &end);
  const char *found;

  if (end == text || !(value >= 0) || !g_ascii_isdigit (*text))
    return FALSE;
  if (*end == ' ')
    end++;
  if (unit == FP_UNIT_BYTES && *end && (found = strchr (units, g_ascii_tolower (*end))))
    {
      value = ldexp (value, (int)(found - units + 1) * 10);
      end++;
      if (g_ascii_tolower (*end) == 'i')
        end++;
    }
  if (unit == FP_UNIT_BYTES && g_ascii_tolower (*end) == 'b')
    end++;
  if (*end || value >= 18446744073709549568.0)
    return FALSE;
  *size = (guint64)value;
  return TRUE;
}

/* Only as it is written in lists: without a sign or zeros in front. */
static gint
parse_pid (const char *text)
{
  guint64 pid;

  if (*text == '0' || !g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT, &pid, NULL))
    return 0;
  return (gint)pid;
}

static Comparison
find_comparison (const char *term,
                 gsize *at,
                 gsize *length)
{
  *at = strcspn (term, "<>=:");
  *length = term[*at] ? 1 : 0;
  switch (term[*at])
    {
    case ':':
      return COMPARE_CONTAINS;
    case '=':
      return COMPARE_EQUAL;
    case '<':
    case '>':
      if (term[*at + 1] == '=')
        *length = 2;
      if (term[*at] == '<')
        return *length == 2 ? COMPARE_LESS_EQUAL : COMPARE_LESS;
      return *length == 2 ? COMPARE_GREATER_EQUAL : COMPARE_GREATER;
    default:
      return COMPARE_CONTAINS;
    }
}

/* A word is text unless it begins with the name of a column; then it must make sense. */
static gboolean
parse_term (Term *term,
            const char *word,
            gboolean is_quoted,
            FpRecordKind kind,
            GError **error)
{
  gsize at, length;
  g_autofree char *name = NULL;
  const char *value;

  *term = (Term){ .comparison = COMPARE_CONTAINS };
  if (!is_quoted && word[0] == '-' && word[1])
    {
      term->is_negated = TRUE;
      word++;
    }
  term->comparison = find_comparison (word, &at, &length);
  name = g_ascii_strdown (word, (gssize)at);
  value = word + at + length;
  if (!is_quoted && length > 0)
    term->column = at > 0 ? fp_columns_find (name, kind) : word[0] != ':' ? fp_columns_find ("pss", kind)
                                                                          : NULL;

  if (!term->column)
    {
      if (!is_quoted && length > 0 && term->comparison > COMPARE_EQUAL)
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("There is no column “%s”"), name);
          return FALSE;
        }
      term->comparison = COMPARE_CONTAINS;
      value = word;
    }
  else if (term->column->presentation != FP_PRESENT_TEXT)
    {
      if (term->comparison == COMPARE_CONTAINS)
        term->comparison = COMPARE_EQUAL;
      if (!fp_query_parse_size (value, term->column->unit, &term->number))
        {
          g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                       _ ("“%s” is no figure; write it as in “pss>100M”"), value);
          return FALSE;
        }
    }
  else if (term->comparison > COMPARE_EQUAL)
    {
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("“%s” is a text; search it as in “%s:word”"),
                   name, name);
      return FALSE;
    }
  term->text = g_utf8_casefold (value, -1);
  term->pid = parse_pid (term->text);
  return TRUE;
}

/* The next word: up to a blank, or what stands between quotes. */
static char *
next_word (const char **cursor,
           gboolean *is_quoted)
{
  GString *word;

  while (g_ascii_isspace (**cursor))
    (*cursor)++;
  if (!**cursor)
    return NULL;
  word = g_string_new (NULL);
  *is_quoted = **cursor == '"';
  for (gboolean inside = FALSE; **cursor && (inside || !g_ascii_isspace (**cursor)); (*cursor)++)
    if (**cursor == '"')
      inside = !inside;
    else
      g_string_append_c (word, **cursor);
  return g_string_free (word, FALSE);
}

FpQuery *
fp_query_new (const char *text,
              FpRecordKind kind,
              GError **error)
{
  g_autoptr (FpQuery) self = g_new0 (FpQuery, 1);
  const char *cursor = text;

  self->kind = kind;
  for (guint i = 0; i < G_N_ELEMENTS (searched); i++)
    self->searched[i] = fp_columns_find (searched[i], kind);
  self->terms = g_array_new (FALSE, FALSE, sizeof (Term));
  g_array_set_clear_func (self->terms, clear_term);
  if (!g_utf8_validate (text, -1, NULL))
    {
      g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("The search text is not valid UTF-8"));
      return NULL;
    }
  for (;;)
    {
      gboolean is_quoted = FALSE;
      g_autofree char *word = next_word (&cursor, &is_quoted);
      Term term;

      if (!word)
        return g_steal_pointer (&self);
      if (!*word)
        continue;
      if (!parse_term (&term, word, is_quoted, kind, error))
        return NULL;
      g_array_append_val (self->terms, term);
    }
}

void
fp_query_free (FpQuery *self)
{
  g_array_unref (self->terms);
  g_free (self);
}

/* Without regard to case: that of ASCII in place, any other by folding the text first. */
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
text_matches (const Term *term,
              const FpColumn *column,
              const FpRecords *records,
              guint index)
{
  char buffer[FP_CELL_SIZE];
  const char *text = fp_column_get_text (column, records, index, NULL, buffer, sizeof buffer);
  g_autofree char *folded = NULL;

  if (term->comparison == COMPARE_CONTAINS)
    return contains (text, term->text);
  folded = g_utf8_casefold (text, -1);
  return strcmp (folded, term->text) == 0;
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

/* A figure that is not known matches nothing; of a bound or a sum that was not all read both ends must agree, and of a
 * range one of them may. What is less is below all that can be written. */
static FpMatch
figure_matches (const Term *term,
                const FpRecords *records,
                guint index)
{
  FpFigure figure = fp_column_get_figure (term->column, records, index);
  guint64 number = term->number;
  gboolean is_less = term->comparison == COMPARE_LESS || term->comparison == COMPARE_LESS_EQUAL;

  if (!fp_figure_is_known (figure))
    return FP_MATCH_NOT;
  if (figure.kind == FP_FIGURE_LESS)
    return is_less ? FP_MATCH_CERTAINLY : FP_MATCH_NOT;
  switch (term->comparison)
    {
    case COMPARE_EQUAL:
      if (figure.kind == FP_FIGURE_RANGE)
        return figure.low <= number && number <= figure.high ? FP_MATCH_POSSIBLY : FP_MATCH_NOT;
      return range_matches (figure, figure.low == number, figure.high == number);
    case COMPARE_LESS:
      return range_matches (figure, figure.low < number, figure.high < number);
    case COMPARE_LESS_EQUAL:
      return range_matches (figure, figure.low <= number, figure.high <= number);
    case COMPARE_GREATER:
      return range_matches (figure, figure.low > number, figure.high > number);
    case COMPARE_GREATER_EQUAL:
      return range_matches (figure, figure.low >= number, figure.high >= number);
    case COMPARE_CONTAINS:
    default:
      g_assert_not_reached ();
    }
}

static gboolean
word_matches (const FpQuery *self,
              const Term *term,
              const FpRecords *records,
              guint index)
{
  if (self->kind == FP_RECORD_PROCESS && term->pid > 0 && term->pid == fp_process_records_get (records, index)->pid)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (self->searched); i++)
    if (self->searched[i] && text_matches (term, self->searched[i], records, index))
      return TRUE;
  return FALSE;
}

static FpMatch
term_matches (const FpQuery *self,
              const Term *term,
              const FpRecords *records,
              guint index)
{
  if (term->column && term->column->presentation != FP_PRESENT_TEXT)
    return figure_matches (term, records, index);
  if (term->column ? text_matches (term, term->column, records, index) : word_matches (self, term, records, index))
    return FP_MATCH_CERTAINLY;
  return FP_MATCH_NOT;
}

FpMatch
fp_query_matches (const FpQuery *self,
                  const FpRecords *records,
                  guint index)
{
  FpMatch least = FP_MATCH_CERTAINLY;

  for (guint i = 0; i < self->terms->len && least > FP_MATCH_NOT; i++)
    {
      const Term *term = &g_array_index (self->terms, Term, i);
      FpMatch match = term_matches (self, term, records, index);

      least = MIN (least, term->is_negated ? FP_MATCH_CERTAINLY - match : match);
    }
  return least;
}
