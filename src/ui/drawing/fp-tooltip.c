// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-tooltip.h"

#define MAX_CHARS 60
#define MAX_WORD  90

/* Breaks lines at blanks so that none is longer than MAX_CHARS; a word that is longer has lines of its own. GTK does so only
 * where a text has one line, and a path may be longer than the screen. Free the text. */
char *
fp_tooltip_wrap (const char *text)
{
  GString *wrapped = g_string_new (NULL);
  guint n_chars = 0, n_since = 0; /* in this line, and since its last blank */
  gsize blank = 0;                /* 0: none in this line */

  for (const char *at = text; *at; at = g_utf8_next_char (at))
    {
      if (*at == ' ' && n_chars > 0)
        blank = wrapped->len;
      g_string_append_unichar (wrapped, g_utf8_get_char (at));
      n_chars = *at == '\n' ? 0 : n_chars + 1;
      n_since = *at == ' ' ? 0 : n_since + 1;
      if (n_chars == 0)
        blank = 0;
      if (n_chars > MAX_CHARS && blank > 0)
        {
          wrapped->str[blank] = '\n';
          n_chars = n_since;
          blank = 0;
        }
      else if (n_chars >= MAX_WORD && !strchr ("\n ", *g_utf8_next_char (at)))
        {
          g_string_append_c (wrapped, '\n');
          n_chars = 0;
          blank = 0;
        }
    }
  return g_string_free (wrapped, FALSE);
}

/* text: (nullable): there is nothing to show, and FALSE is returned */
gboolean
fp_tooltip_set_text (GtkTooltip *tooltip,
                     const char *text)
{
  g_autofree char *wrapped = NULL;

  g_return_val_if_fail (GTK_IS_TOOLTIP (tooltip), FALSE);

  wrapped = text ? fp_tooltip_wrap (text) : NULL;
  gtk_tooltip_set_text (tooltip, wrapped);
  return text != NULL;
}
