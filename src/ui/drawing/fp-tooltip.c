// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-tooltip.h"

#define MAX_CHARS 60

/* Breaks lines at blanks so that none is longer than MAX_CHARS; a word that is longer has a line of its own. GTK does so only
 * where a text has one line. Free the text. */
char *
fp_tooltip_wrap (const char *text)
{
  GString *wrapped = g_string_new (text);
  guint n_chars = 0;
  char *blank = NULL;

  for (char *at = wrapped->str; *at; at = g_utf8_next_char (at))
    {
      n_chars++;
      if (*at == '\n')
        {
          n_chars = 0;
          blank = NULL;
          continue;
        }
      if (*at == ' ')
        blank = at;
      if (n_chars <= MAX_CHARS || !blank)
        continue;
      *blank = '\n';
      n_chars = (guint)g_utf8_pointer_to_offset (blank, at);
      blank = NULL;
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
