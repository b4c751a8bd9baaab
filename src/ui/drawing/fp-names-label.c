// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-names-label.h"

/* Pango would end a line within a name with a hyphen, which looks like a part of the name. */
void
fp_names_label_wrap (GtkLabel *label)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_insert_hyphens_new (FALSE));
  gtk_label_set_attributes (label, attributes);
  pango_attr_list_unref (attributes);
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
}
