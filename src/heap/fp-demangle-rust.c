// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-demangle.h"

#define MAX_DEPTH 200
#define MAX_TEXT  (16 * 1024)

/* Reads a symbol of Rust's v0 scheme (RFC 2603) and writes it as rustc does in messages, without the hashes of crates. */
typedef struct
{
  const char *symbol; /* behind "_R" */
  gsize at, length;
  GString *out;
  guint depth;
  guint n_lifetimes; /* that binders around here have named */
  guint silent;      /* is read and not written */
  gboolean is_wrong;
} Rust;

static void read_path (Rust *self, gboolean is_value);
static void read_type (Rust *self);
static void read_const (Rust *self);

static void
append (Rust *self,
        const char *text)
{
  if (self->silent || self->is_wrong)
    return;
  g_string_append (self->out, text);
  if (self->out->len > MAX_TEXT)
    self->is_wrong = TRUE;
}

static char
peek (const Rust *self)
{
  return self->is_wrong || self->at >= self->length ? '\0' : self->symbol[self->at];
}

static char
next (Rust *self)
{
  char c = peek (self);

  if (c)
    self->at++;
  else
    self->is_wrong = TRUE;
  return c;
}

static gboolean
take (Rust *self,
      char c)
{
  if (peek (self) != c)
    return FALSE;
  self->at++;
  return TRUE;
}

static guint64
read_base_62 (Rust *self)
{
  guint64 value = 0;

  if (take (self, '_'))
    return 0;
  while (!take (self, '_'))
    {
      char c = next (self);

      if (!g_ascii_isalnum (c) || value > (G_MAXUINT64 - 62) / 62)
        {
          self->is_wrong = TRUE;
          return 0;
        }
      value = value * 62 + (guint)(g_ascii_isdigit (c) ? c - '0' : g_ascii_islower (c) ? c - 'a' + 10
                                                                                       : c - 'A' + 36);
    }
  return value + 1;
}

/* A number that is there only where it is not 0 */
static guint64
read_optional (Rust *self,
               char tag)
{
  return take (self, tag) ? read_base_62 (self) + 1 : 0;
}

static guint64
read_decimal (Rust *self)
{
  guint64 value = 0;

  if (!g_ascii_isdigit (peek (self)))
    self->is_wrong = TRUE;
  if (take (self, '0'))
    return 0;
  while (g_ascii_isdigit (peek (self)) && value <= MAX_TEXT)
    value = value * 10 + (guint)(next (self) - '0');
  return value;
}

static guint
adapt_bias (guint delta,
            guint n,
            gboolean is_first)
{
  guint k = 0;

  delta /= is_first ? 700 : 2;
  for (delta += delta / n; delta > 455; k += 36)
    delta /= 35;
  return k + 36 * delta / (delta + 38);
}

/* Punycode with "_" for the hyphen (RFC 3492). Free the text; NULL: it is none. */
static char *
decode_punycode (const char *text,
                 gsize length)
{
  g_autoptr (GArray) letters = g_array_new (FALSE, FALSE, sizeof (gunichar));
  const char *mark = memrchr (text, '_', length), *at = text, *end = text + length;
  guint code = 128, i = 0, bias = 72;

  for (; mark && at < mark; at++)
    g_array_append_val (letters, ((gunichar){ (guchar)*at }));
  for (at = mark ? mark + 1 : text; at < end;)
    {
      guint before = i, weight = 1;

      for (guint k = 36;; k += 36)
        {
          guint digit, threshold = k <= bias ? 1 : MIN (k - bias, 26);

          if (at == end || !(g_ascii_islower (*at) || g_ascii_isdigit (*at)))
            return NULL;
          digit = (guint)(g_ascii_isdigit (*at) ? *at - '0' + 26 : *at - 'a');
          at++;
          if (weight > 0x1000000 || digit * (guint64)weight > 0x7fffffff - i)
            return NULL;
          i += digit * weight;
          if (digit < threshold)
            break;
          weight *= 36 - threshold;
        }
      bias = adapt_bias (i - before, letters->len + 1, before == 0);
      code += i / (letters->len + 1);
      i %= letters->len + 1;
      if (!g_unichar_validate (code))
        return NULL;
      g_array_insert_val (letters, i, ((gunichar){ code }));
      i++;
    }
  return g_ucs4_to_utf8 ((const gunichar *)(void *)letters->data, letters->len, NULL, NULL, NULL);
}

/* Free the text; NULL where the symbol is wrong */
static char *
read_name (Rust *self)
{
  gboolean is_puny = take (self, 'u');
  guint64 length = read_decimal (self);
  char *name;

  take (self, '_');
  if (self->is_wrong || length > self->length - self->at)
    {
      self->is_wrong = TRUE;
      return NULL;
    }
  name = is_puny ? decode_punycode (self->symbol + self->at, length) : g_strndup (self->symbol + self->at, length);
  self->at += length;
  self->is_wrong = !name;
  return name;
}

static gboolean
enter (Rust *self)
{
  if (++self->depth > MAX_DEPTH)
    self->is_wrong = TRUE;
  return !self->is_wrong;
}

/* Goes to a part that stood before. Each goes further to the front, so that it ends. */
static gboolean
begin_reference (Rust *self,
                 gsize *back)
{
  gsize start = self->at - 1;
  guint64 target = read_base_62 (self);

  *back = self->at;
  if (target >= start)
    self->is_wrong = TRUE;
  if (self->is_wrong || self->silent)
    return FALSE;
  self->at = (gsize)target;
  return TRUE;
}

static void
append_lifetime (Rust *self,
                 guint64 number)
{
  char text[32];

  if (number == 0)
    g_strlcpy (text, "'_", sizeof text);
  else if (number > self->n_lifetimes)
    self->is_wrong = TRUE;
  else if (self->n_lifetimes - number < 26)
    g_snprintf (text, sizeof text, "'%c", (char)('a' + (self->n_lifetimes - number)));
  else
    g_snprintf (text, sizeof text, "'_%u", (guint)(self->n_lifetimes - number));
  append (self, self->is_wrong ? "" : text);
}

/* "for<'a, 'b> "; returns how many lifetimes end with what they are for */
static guint
read_binder (Rust *self)
{
  guint64 n = read_optional (self, 'G');

  if (n > 64)
    self->is_wrong = TRUE;
  if (n == 0 || self->is_wrong)
    return 0;
  append (self, "for<");
  for (guint i = 0; i < n; i++)
    {
      append (self, i > 0 ? ", " : "");
      self->n_lifetimes++;
      append_lifetime (self, 1);
    }
  append (self, "> ");
  return (guint)n;
}

static void
read_argument (Rust *self)
{
  if (take (self, 'L'))
    append_lifetime (self, read_base_62 (self));
  else if (take (self, 'K'))
    read_const (self);
  else
    read_type (self);
}

static void
read_arguments (Rust *self)
{
  for (guint i = 0; !self->is_wrong && !take (self, 'E'); i++)
    {
      append (self, i > 0 ? ", " : "");
      read_argument (self);
    }
}

static void
read_silent_path (Rust *self)
{
  read_optional (self, 's');
  self->silent++;
  read_path (self, FALSE);
  self->silent--;
}

static void
read_nested (Rust *self,
             gboolean is_value)
{
  char space = next (self), text[32];
  g_autofree char *name = NULL;
  guint64 number;

  read_path (self, is_value);
  number = read_optional (self, 's');
  name = read_name (self);
  if (self->is_wrong)
    return;
  if (g_ascii_isupper (space))
    {
      append (self, space == 'C' ? "::{closure" : space == 'S' ? "::{shim"
                                                               : "::{");
      if (space != 'C' && space != 'S')
        append (self, ((char[]){ space, '\0' }));
      append (self, *name ? ":" : "");
      append (self, name);
      g_snprintf (text, sizeof text, "#%" G_GUINT64_FORMAT "}", number);
      append (self, text);
    }
  else if (*name)
    {
      append (self, "::");
      append (self, name);
    }
}

static void
read_implementation (Rust *self,
                     char tag)
{
  if (tag != 'Y')
    read_silent_path (self);
  append (self, "<");
  read_type (self);
  if (tag != 'M')
    {
      append (self, " as ");
      read_path (self, FALSE);
    }
  append (self, ">");
}

/* is_value: a function, whose arguments follow "::" */
static void
read_path (Rust *self,
           gboolean is_value)
{
  char tag = enter (self) ? next (self) : '\0';
  g_autofree char *name = NULL;
  gsize back;

  switch (tag)
    {
    case 'C':
      read_optional (self, 's');
      name = read_name (self);
      append (self, name ? name : "");
      break;
    case 'M':
    case 'X':
    case 'Y':
      read_implementation (self, tag);
      break;
    case 'N':
      read_nested (self, is_value);
      break;
    case 'I':
      read_path (self, is_value);
      append (self, is_value ? "::<" : "<");
      read_arguments (self);
      append (self, ">");
      break;
    case 'B':
      if (begin_reference (self, &back))
        {
          read_path (self, is_value);
          self->at = back;
        }
      break;
    default:
      self->is_wrong = TRUE;
      break;
    }
  self->depth--;
}

static const char *
get_basic_type (char tag)
{
  static const char *const names[] = {
    ['a' - 'a'] = "i8",
    ['b' - 'a'] = "bool",
    ['c' - 'a'] = "char",
    ['d' - 'a'] = "f64",
    ['e' - 'a'] = "str",
    ['f' - 'a'] = "f32",
    ['h' - 'a'] = "u8",
    ['i' - 'a'] = "isize",
    ['j' - 'a'] = "usize",
    ['l' - 'a'] = "i32",
    ['m' - 'a'] = "u32",
    ['n' - 'a'] = "i128",
    ['o' - 'a'] = "u128",
    ['p' - 'a'] = "_",
    ['s' - 'a'] = "i16",
    ['t' - 'a'] = "u16",
    ['u' - 'a'] = "()",
    ['v' - 'a'] = "...",
    ['x' - 'a'] = "i64",
    ['y' - 'a'] = "u64",
    ['z' - 'a'] = "!",
  };

  return g_ascii_islower (tag) ? names[tag - 'a'] : NULL;
}

static void
read_reference_type (Rust *self,
                     gboolean is_mutable)
{
  guint64 lifetime;

  append (self, "&");
  if (take (self, 'L') && (lifetime = read_base_62 (self)) > 0)
    {
      append_lifetime (self, lifetime);
      append (self, " ");
    }
  append (self, is_mutable ? "mut " : "");
  read_type (self);
}

static void
read_tuple (Rust *self)
{
  guint n = 0;

  append (self, "(");
  for (; !self->is_wrong && !take (self, 'E'); n++)
    {
      append (self, n > 0 ? ", " : "");
      read_type (self);
    }
  append (self, n == 1 ? ",)" : ")");
}

static void
read_abi (Rust *self)
{
  g_autofree char *abi = NULL;

  append (self, "extern \"");
  if (take (self, 'C'))
    append (self, "C");
  else if ((abi = read_name (self)))
    append (self, g_strdelimit (abi, "_", '-'));
  append (self, "\" ");
}

static void
read_function_type (Rust *self)
{
  guint n_bound = read_binder (self);

  append (self, take (self, 'U') ? "unsafe " : "");
  if (take (self, 'K'))
    read_abi (self);
  append (self, "fn(");
  read_arguments (self);
  append (self, ")");
  if (!take (self, 'u'))
    {
      append (self, " -> ");
      read_type (self);
    }
  self->n_lifetimes -= n_bound;
}

/* The arguments of a trait stay open, for its associated types stand among them. Returns whether there are any. */
static gboolean
read_open_path (Rust *self)
{
  gboolean is_open = FALSE;
  gsize back;

  if (!enter (self))
    return FALSE;
  if (take (self, 'B'))
    {
      if (begin_reference (self, &back))
        {
          is_open = read_open_path (self);
          self->at = back;
        }
    }
  else if (take (self, 'I'))
    {
      read_path (self, FALSE);
      append (self, "<");
      read_arguments (self);
      is_open = TRUE;
    }
  else
    read_path (self, FALSE);
  self->depth--;
  return is_open;
}

static void
read_dynamic_type (Rust *self)
{
  guint n_bound;
  guint64 lifetime;

  append (self, "dyn ");
  n_bound = read_binder (self);
  for (guint i = 0; !self->is_wrong && !take (self, 'E'); i++)
    {
      gboolean is_open;

      append (self, i > 0 ? " + " : "");
      is_open = read_open_path (self);
      while (take (self, 'p'))
        {
          g_autofree char *name = NULL;

          append (self, is_open ? ", " : "<");
          is_open = TRUE;
          name = read_name (self);
          append (self, name ? name : "");
          append (self, " = ");
          read_type (self);
        }
      append (self, is_open ? ">" : "");
    }
  self->n_lifetimes -= n_bound;
  if (!take (self, 'L'))
    self->is_wrong = TRUE;
  else if ((lifetime = read_base_62 (self)) > 0)
    {
      append (self, " + ");
      append_lifetime (self, lifetime);
    }
}

static void
read_array (Rust *self,
            gboolean has_length)
{
  append (self, "[");
  read_type (self);
  if (has_length)
    {
      append (self, "; ");
      read_const (self);
    }
  append (self, "]");
}

static void
read_type (Rust *self)
{
  char tag = enter (self) ? next (self) : '\0';
  gsize back;

  switch (tag)
    {
    case 'A':
    case 'S':
      read_array (self, tag == 'A');
      break;
    case 'T':
      read_tuple (self);
      break;
    case 'R':
    case 'Q':
      read_reference_type (self, tag == 'Q');
      break;
    case 'P':
    case 'O':
      append (self, tag == 'P' ? "*const " : "*mut ");
      read_type (self);
      break;
    case 'F':
      read_function_type (self);
      break;
    case 'D':
      read_dynamic_type (self);
      break;
    case 'B':
      if (begin_reference (self, &back))
        {
          read_type (self);
          self->at = back;
        }
      break;
    default:
      if (get_basic_type (tag))
        append (self, get_basic_type (tag));
      else if (tag)
        {
          self->at--;
          read_path (self, FALSE);
        }
      break;
    }
  self->depth--;
}

static void
append_value (Rust *self,
              char type,
              const char *digits,
              gsize length)
{
  g_autofree char *hex = g_strndup (digits, length);
  char text[32];
  guint64 value = g_ascii_strtoull (*hex ? hex : "0", NULL, 16);

  if (type == 'b')
    append (self, value ? "true" : "false");
  else if (type == 'c' && g_unichar_validate ((gunichar)value))
    {
      text[g_unichar_to_utf8 ((gunichar)value, text)] = '\0';
      append (self, "'");
      append (self, text);
      append (self, "'");
    }
  else if (length <= 16)
    {
      g_snprintf (text, sizeof text, "%" G_GUINT64_FORMAT, value);
      append (self, text);
    }
  else
    {
      append (self, "0x");
      append (self, hex);
    }
}

static void
read_const (Rust *self)
{
  char type = enter (self) ? next (self) : '\0';
  gsize back, start;

  if (type == 'B')
    {
      if (begin_reference (self, &back))
        {
          read_const (self);
          self->at = back;
        }
    }
  else if (type == 'p')
    append (self, "_");
  else if (!type || !strchr ("abchijlmnostxy", type))
    self->is_wrong = TRUE;
  else
    {
      append (self, take (self, 'n') ? "-" : "");
      start = self->at;
      while (g_ascii_isxdigit (peek (self)) && !g_ascii_isupper (peek (self)))
        self->at++;
      append_value (self, type, self->symbol + start, self->at - start);
      if (!take (self, '_'))
        self->is_wrong = TRUE;
    }
  self->depth--;
}

/* name: begins with "_R". What the linker or the compiler adds follows a dot. NULL: it is no such name */
char *
fp_demangle_rust (const char *name)
{
  g_autoptr (GString) out = g_string_new (NULL);
  Rust self = { .out = out };

  if (!g_str_has_prefix (name, "_R") || !g_str_is_ascii (name))
    return NULL;
  self.symbol = name + strlen ("_R");
  self.length = strcspn (self.symbol, ".$");
  read_path (&self, TRUE);
  if (!self.is_wrong && g_ascii_isupper (peek (&self)))
    {
      self.silent++;
      read_path (&self, FALSE);
    }
  if (self.is_wrong || self.at != self.length || out->len == 0)
    return NULL;
  return g_string_free (g_steal_pointer (&out), FALSE);
}
