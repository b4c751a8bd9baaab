// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-query.h"

#define MAX_DEPTH 32

typedef enum
{
  NODE_TERM,
  NODE_ALL,
  NODE_ANY,
} NodeKind;

typedef struct
{
  NodeKind kind;
  gboolean is_negated;
  FpQueryTerm term;
  GPtrArray *children; /* of NODE_ALL and NODE_ANY */
} Node;

struct _FpQuery
{
  FpRecordKind kind;
  FpRecordKind members; /* or 0 */
  Node *root;
};

typedef enum
{
  TOKEN_END,
  TOKEN_WORD,
  TOKEN_OR,
  TOKEN_OPEN,
  TOKEN_CLOSE,
} Token;

/* Reads the text one token ahead. */
typedef struct
{
  FpRecordKind kind;
  FpRecordKind members; /* or 0 */
  const char *cursor;
  guint depth; /* open parentheses */
  Token token;
  GString *word;
  gboolean is_quoted;
  gboolean is_negated; /* a minus sign stood before the word or the parenthesis */
} Parser;

static void
node_free (gpointer data)
{
  Node *self = data;

  fp_query_term_clear (&self->term);
  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Node, node_free)

static Node *
node_new (NodeKind kind)
{
  Node *self = g_new0 (Node, 1);

  self->kind = kind;
  if (kind != NODE_TERM)
    self->children = g_ptr_array_new_with_free_func (node_free);
  return self;
}

static void
skip_blanks (Parser *self)
{
  while (g_ascii_isspace (*self->cursor))
    self->cursor++;
}

/* Appends up to the next blank or sign that is not between quotes; parentheses within a word belong to it. Between quotes
 * two of them stand for one. */
static void
append_word (Parser *self)
{
  guint n_open = 0;

  for (gboolean inside = FALSE; *self->cursor; self->cursor++)
    {
      char c = *self->cursor;

      if (!inside && (g_ascii_isspace (c) || c == '|' || (c == ')' && n_open == 0 && self->depth > 0)))
        return;
      if (c == '"' && !(inside && self->cursor[1] == '"'))
        {
          inside = !inside;
          continue;
        }
      self->cursor += c == '"';
      if (!inside && c == '(')
        n_open++;
      if (!inside && c == ')' && n_open > 0)
        n_open--;
      g_string_append_c (self->word, c);
    }
}

static gboolean
is_at_comparison (const Parser *self)
{
  return *self->cursor && strchr ("<>=", *self->cursor);
}

/* A name that the records have goes before one that only their members have. */
static FpRecordKind
choose_kind (const Parser *self,
             const char *word)
{
  FpComparison comparison;
  const char *value;

  return self->members && !fp_query_term_split (word, self->kind, &comparison, &value) &&
                 fp_query_term_split (word, self->members, &comparison, &value)
             ? self->members
             : self->kind;
}

/* Joins the parts of a comparison that has blanks in it: "swap > 50 M". */
static void
join_comparison (Parser *self)
{
  const FpColumn *column = fp_columns_find_named (self->word->str, self->kind);
  FpComparison comparison;
  const char *value, *end = self->cursor;
  FpRecordKind kind;
  guint64 number;

  if (!column && self->members)
    column = fp_columns_find_named (self->word->str, self->members);
  skip_blanks (self);
  if (column && is_at_comparison (self) && (column->presentation != FP_PRESENT_TEXT || *self->cursor == '='))
    {
      append_word (self);
      end = self->cursor;
    }
  kind = choose_kind (self, self->word->str);
  column = fp_query_term_split (self->word->str, kind, &comparison, &value);
  if (!column)
    return;
  skip_blanks (self);
  if (!*value && end[-1] != '"')
    append_word (self);
  column = fp_query_term_split (self->word->str, kind, &comparison, &value);
  skip_blanks (self);
  if (column->presentation != FP_PRESENT_TEXT && column->unit == FP_UNIT_BYTES && *value &&
      g_ascii_isdigit (value[strlen (value) - 1]) && fp_query_parse_size (value, FP_UNIT_BYTES, &number) &&
      fp_query_is_unit (self->cursor, strcspn (self->cursor, " \t|)")))
    append_word (self);
}

static Token
read_word (Parser *self)
{
  g_string_truncate (self->word, 0);
  self->is_quoted = *self->cursor == '"';
  append_word (self);
  if (self->is_quoted)
    return TOKEN_WORD;
  if (!self->is_negated && g_ascii_strcasecmp (self->word->str, "or") == 0)
    return TOKEN_OR;
  join_comparison (self);
  return TOKEN_WORD;
}

/* A blank means "and", so the word is skipped. */
static void
next_token (Parser *self)
{
  do
    {
      skip_blanks (self);
      self->is_negated = *self->cursor == '-' && self->cursor[1] && !g_ascii_isspace (self->cursor[1]);
      if (self->is_negated)
        self->cursor++;
      switch (*self->cursor)
        {
        case '\0':
          self->token = TOKEN_END;
          return;
        case '|':
          self->cursor += strspn (self->cursor, "|");
          self->token = TOKEN_OR;
          return;
        case '(':
          self->cursor++;
          self->token = TOKEN_OPEN;
          return;
        case ')':
          if (self->depth > 0)
            {
              self->cursor++;
              self->token = TOKEN_CLOSE;
              return;
            }
          break;
        default:
          break;
        }
      self->token = read_word (self);
    }
  while (self->token == TOKEN_WORD && !self->is_quoted && !self->is_negated &&
         g_ascii_strcasecmp (self->word->str, "and") == 0);
}

static Node *parse_any (Parser *self, GError **error);

static Node *
parse_parenthesis (Parser *self,
                   GError **error)
{
  gboolean is_negated = self->is_negated;
  g_autoptr (Node) node = NULL;

  if (++self->depth > MAX_DEPTH)
    {
      fp_refuse_input (error, _ ("There are too many parentheses"));
      return NULL;
    }
  next_token (self);
  if (!(node = parse_any (self, error)))
    return NULL;
  if (self->token != TOKEN_CLOSE)
    {
      fp_refuse_input (error, _ ("A “)” is missing"));
      return NULL;
    }
  self->depth--;
  next_token (self);
  node->is_negated = is_negated;
  return g_steal_pointer (&node);
}

static Node *
parse_term (Parser *self,
            GError **error)
{
  g_autoptr (Node) node = node_new (NODE_TERM);

  node->is_negated = self->is_negated;
  if (!fp_query_term_parse (&node->term, self->word->str, self->is_quoted,
                            self->is_quoted ? self->kind : choose_kind (self, self->word->str), self->kind | self->members, error))
    return NULL;
  next_token (self);
  return g_steal_pointer (&node);
}

static Node *
parse_all (Parser *self,
           GError **error)
{
  g_autoptr (Node) all = node_new (NODE_ALL);

  while (self->token == TOKEN_WORD || self->token == TOKEN_OPEN)
    {
      Node *node = self->token == TOKEN_OPEN ? parse_parenthesis (self, error) : parse_term (self, error);

      if (!node)
        return NULL;
      g_ptr_array_add (all->children, node);
    }
  return g_steal_pointer (&all);
}

static Node *
parse_any (Parser *self,
           GError **error)
{
  g_autoptr (Node) any = node_new (NODE_ANY);

  for (;;)
    {
      Node *all = parse_all (self, error);

      if (!all)
        return NULL;
      g_ptr_array_add (any->children, all);
      if (all->children->len == 0 && (any->children->len > 1 || self->token == TOKEN_OR || self->depth > 0))
        {
          fp_refuse_input (error, self->token == TOKEN_OR || any->children->len > 1 ? _ ("Write something on both sides of “or”")
                                                                                    : _ ("Write something between “(” and “)”"));
          return NULL;
        }
      if (self->token != TOKEN_OR)
        return g_steal_pointer (&any);
      next_token (self);
    }
}

/* Narrows the search: records must match this text, too. */
gboolean
fp_query_add (FpQuery *self,
              const char *text,
              GError **error)
{
  g_autoptr (GString) word = g_string_new (NULL);
  Parser parser = { .kind = self->kind, .members = self->members, .cursor = text, .word = word };
  Node *node;

  if (!g_utf8_validate (text, -1, NULL))
    return fp_refuse_input (error, _ ("The search text is not valid UTF-8"));
  next_token (&parser);
  if (!(node = parse_any (&parser, error)))
    return FALSE;
  g_ptr_array_add (self->root->children, node);
  return TRUE;
}

FpQuery *
fp_query_new (const char *text,
              FpRecordKind kind,
              GError **error)
{
  return fp_query_new_with_members (text, kind, 0, error);
}

/* The typed words search within what the filter leaves, and are text where they make no other sense. filter: NULL for all */
FpQuery *
fp_query_new_within (const char *filter,
                     const char *typed,
                     FpRecordKind kind)
{
  g_autofree char *text = g_strdup_printf ("%s %s", filter ? filter : "", typed);
  g_autofree char *quoted = g_strdup_printf ("%s \"%s\"", filter ? filter : "", typed);
  FpQuery *query = fp_query_new (text, kind, NULL);

  return query ? query : fp_query_new (quoted, kind, NULL);
}

/* Records such as files are made of members such as processes, whose columns the text may name, too: what it says of them
 * is to be taken out before it is used. */
FpQuery *
fp_query_new_with_members (const char *text,
                           FpRecordKind kind,
                           FpRecordKind members,
                           GError **error)
{
  g_autoptr (FpQuery) self = g_new0 (FpQuery, 1);

  self->kind = kind;
  self->members = members;
  self->root = node_new (NODE_ALL);
  return fp_query_add (self, text, error) ? g_steal_pointer (&self) : NULL;
}

/* The kinds of records that its terms are about */
static guint
get_kinds (const Node *self)
{
  guint kinds = self->kind == NODE_TERM ? self->term.kind : 0;

  for (guint i = 0; self->children && i < self->children->len; i++)
    kinds |= get_kinds (g_ptr_array_index (self->children, i));
  return kinds;
}

/* A node whose parts all have to match, and with them the node */
static gboolean
is_all (const Node *self)
{
  return !self->is_negated && (self->kind == NODE_ALL || (self->kind == NODE_ANY && self->children->len == 1));
}

static gboolean
move_members (Node *self,
              FpRecordKind members,
              Node *taken,
              GError **error)
{
  for (guint i = 0; i < self->children->len;)
    {
      Node *child = g_ptr_array_index (self->children, i);
      guint kinds = get_kinds (child);

      if (kinds == members)
        {
          g_ptr_array_add (taken->children, g_ptr_array_steal_index (self->children, i));
          continue;
        }
      if ((kinds & members) && !is_all (child))
        return fp_refuse_input (error, _ ("Ask for processes and for files apart: one “or”, or one “-( )”, cannot be about both"));
      if ((kinds & members) && !move_members (child, members, taken, error))
        return FALSE;
      i++;
    }
  return TRUE;
}

/* Returns what is asked of the members, which is no part of the query any more. */
FpQuery *
fp_query_take_members (FpQuery *self,
                       GError **error)
{
  g_autoptr (FpQuery) taken = g_new0 (FpQuery, 1);

  taken->kind = self->members;
  taken->root = node_new (NODE_ALL);
  return move_members (self->root, self->members, taken->root, error) ? g_steal_pointer (&taken) : NULL;
}

static const char *
find_empty_place (const Node *self,
                  const FpRecords *records)
{
  const char *place = NULL;

  if (self->kind == NODE_TERM && !self->is_negated && fp_query_term_is_place (&self->term) && *self->term.text)
    {
      for (guint i = 0; i < records->n; i++)
        if (fp_query_term_matches (&self->term, records, i))
          return NULL;
      return self->term.text;
    }
  for (guint i = 0; self->kind != NODE_TERM && is_all (self) && i < self->children->len && !place; i++)
    place = find_empty_place (g_ptr_array_index (self->children, i), records);
  return place;
}

/* Finds a place that all matches have to be at, although no record is there. NULL: there is none */
const char *
fp_query_find_empty_place (const FpQuery *self,
                           const FpRecords *records)
{
  return find_empty_place (self->root, records);
}

void
fp_query_free (FpQuery *self)
{
  node_free (self->root);
  g_free (self);
}

/* NODE_ALL matches as surely as its least certain child, NODE_ANY as its most certain one. */
static FpMatch
node_matches (const Node *self,
              const FpRecords *records,
              guint index)
{
  FpMatch match = self->kind == NODE_ALL ? FP_MATCH_CERTAINLY : FP_MATCH_NOT;

  if (self->kind == NODE_TERM)
    match = fp_query_term_matches (&self->term, records, index);
  else if (self->kind == NODE_ALL)
    for (guint i = 0; i < self->children->len && match > FP_MATCH_NOT; i++)
      match = MIN (match, node_matches (g_ptr_array_index (self->children, i), records, index));
  else
    for (guint i = 0; i < self->children->len && match < FP_MATCH_CERTAINLY; i++)
      match = MAX (match, node_matches (g_ptr_array_index (self->children, i), records, index));
  return self->is_negated ? FP_MATCH_CERTAINLY - match : match;
}

FpMatch
fp_query_matches (const FpQuery *self,
                  const FpRecords *records,
                  guint index)
{
  return node_matches (self->root, records, index);
}

static guint
get_node_needs (const Node *node)
{
  guint needs = node->term.column ? node->term.column->needs : 0;

  for (guint i = 0; node->children && i < node->children->len; i++)
    needs |= get_node_needs (g_ptr_array_index (node->children, i));
  return needs;
}

/* Whether everything matches. */
gboolean
fp_query_is_empty (const FpQuery *self)
{
  return get_kinds (self->root) == 0;
}

/* Bits of FpNeed */
guint
fp_query_get_needs (const FpQuery *self)
{
  return self->root ? get_node_needs (self->root) : 0;
}

static guint64
get_node_fields (const Node *node)
{
  const FpColumn *column = node->term.column;
  guint64 fields = column && column->field != FP_FIELD_NONE ? G_GUINT64_CONSTANT (1) << column->field : 0;

  for (guint i = 0; node->children && i < node->children->len; i++)
    fields |= get_node_fields (g_ptr_array_index (node->children, i));
  return fields;
}

/* A bit for each figure of the kernel that it compares */
guint64
fp_query_get_fields (const FpQuery *self)
{
  return get_node_fields (self->root);
}
