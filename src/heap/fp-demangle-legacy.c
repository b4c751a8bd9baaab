// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-demangle.h"

#define HASH_LENGTH 16 /* behind "h" */

static gboolean
is_hash (const char *text)
{
  if (text[0] != 'h' || strlen (text) != HASH_LENGTH + 1)
    return FALSE;
  return strspn (text + 1, "0123456789abcdef") == HASH_LENGTH;
}

static gboolean
append_escape (GString *out,
               const char *escape,
               gsize length)
{
  static const struct
  {
    const char *escape, *text;
  } known[] = {
    { "SP", "@" },
    { "BP", "*" },
    { "RF", "&" },
    { "LT", "<" },
    { "GT", ">" },
    { "LP", "(" },
    { "RP", ")" },
    { "C", "," },
  };
  g_autofree char *copy = g_strndup (escape, length);
  guint64 code;

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (known[i].escape, copy) == 0)
      {
        g_string_append (out, known[i].text);
        return TRUE;
      }
  if (copy[0] != 'u' || !g_ascii_string_to_unsigned (copy + 1, 16, 32, 0x10ffff, &code, NULL) || !g_unichar_validate ((gunichar)code))
    return FALSE;
  g_string_append_unichar (out, (gunichar)code);
  return TRUE;
}

static void
append_part (GString *out,
             const char *part,
             gsize length)
{
  const char *end = part + length;

  if (length > 1 && part[0] == '_' && part[1] == '$')
    part++;
  while (part < end)
    {
      const char *close = *part == '$' ? memchr (part + 1, '$', (gsize)(end - part - 1)) : NULL;

      if (close && append_escape (out, part + 1, (gsize)(close - part - 1)))
        part = close + 1;
      else if (end - part >= 2 && part[0] == '.' && part[1] == '.')
        {
          g_string_append (out, "::");
          part += 2;
        }
      else
        g_string_append_c (out, *part++);
    }
}

/* "_ZN4core3fmt5Write17h0123456789abcdefE" */
static char *
demangle_whole (const char *name)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const char *at = name + strlen ("_ZN");

  while (g_ascii_isdigit (*at))
    {
      char *part;
      guint64 length = g_ascii_strtoull (at, &part, 10);
      g_autofree char *copy = NULL;

      if (length == 0 || length > strlen (part))
        return NULL;
      copy = g_strndup (part, length);
      if (part[length] == 'E')
        return is_hash (copy) && out->len > 0 ? g_string_free (g_steal_pointer (&out), FALSE) : NULL;
      g_string_append (out, out->len > 0 ? "::" : "");
      append_part (out, part, length);
      at = part + length;
    }
  return NULL;
}

/* The names of older compilers, which look like C++ with a hash at the end. Demangled as C++, they have the escapes and the
 * hash still. NULL: it is none of these */
char *
fp_demangle_rust_legacy (const char *name)
{
  const char *last = g_strrstr (name, "::");

  if (g_str_has_prefix (name, "_ZN"))
    return demangle_whole (name);
  if (!last || last == name || !is_hash (last + 2))
    return NULL;
  else
    {
      g_autoptr (GString) out = g_string_new (NULL);
      g_autofree char *path = g_strndup (name, (gsize)(last - name));
      g_auto (GStrv) parts = g_strsplit (path, "::", -1);

      for (guint i = 0; parts[i]; i++)
        {
          g_string_append (out, i > 0 ? "::" : "");
          append_part (out, parts[i], strlen (parts[i]));
        }
      return g_string_free (g_steal_pointer (&out), FALSE);
    }
}
