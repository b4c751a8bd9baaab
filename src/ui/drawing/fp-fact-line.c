// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-fact-line.h"

#define SEPARATOR " · "
#define DASH      "–"
#define JOINER    "\u2060"
#define MAX_WHOLE 24 /* characters: also in large text a line of the narrowest window has room for them */

/* Told not to break a line, Pango 1.50 breaks it behind each dash, so that it is told so only between dashes. */
static void
keep_whole (PangoAttrList *attributes,
            const char *text,
            const char *fact,
            const char *end)
{
  while (fact < end)
    {
      const char *dash = g_strstr_len (fact, end - fact, DASH);
      PangoAttribute *whole = pango_attr_allow_breaks_new (FALSE);

      whole->start_index = (guint)(fact - text);
      whole->end_index = (guint)((dash ? dash : end) - text);
      pango_attr_list_insert (attributes, whole);
      fact = dash ? dash + strlen (DASH JOINER) : end;
    }
}

/* Lines are broken between facts. One that no line may have room for is broken like any text. */
void
fp_fact_line_show (GtkLabel *label,
                   const char *text)
{
  PangoAttrList *attributes = pango_attr_list_new ();
  g_autoptr (GString) joined = g_string_new (text);

  g_string_replace (joined, DASH, DASH JOINER, 0);
  for (const char *fact = joined->str; fact;)
    {
      const char *separator = strstr (fact, SEPARATOR);
      const char *end = separator ? separator + strlen (SEPARATOR) - 1 : fact + strlen (fact);

      if (g_utf8_strlen (fact, end - fact) <= MAX_WHOLE)
        keep_whole (attributes, joined->str, fact, end);
      fact = separator ? end + 1 : NULL;
    }
  gtk_label_set_text (label, joined->str);
  gtk_label_set_attributes (label, attributes);
  pango_attr_list_unref (attributes);
}
