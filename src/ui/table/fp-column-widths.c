// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-column-widths.h"
#include "fp-columns.h"

/* The width of a column that the layout does not name. */
int
fp_column_widths_choose (const FpTableLayout *layout,
                         const FpColumn *column)
{
  if (column->presentation == FP_PRESENT_TEXT)
    return layout->text_width;
  return MAX (layout->figure_width,
              (int)g_utf8_strlen (_ (column->title), -1) * layout->letter_width + FP_COLUMN_TITLE_ROOM);
}

/* Finds the first column that has no room as a whole, and how much of it there is. n: all have room, or not even the first has */
guint
fp_column_widths_find_cut (const int *widths,
                           guint n,
                           int room,
                           int *rest)
{
  guint cut = 0;

  for (*rest = room; cut < n && widths[cut] <= *rest; cut++)
    *rest -= widths[cut];
  return cut > 0 ? cut : n;
}

/* Layouts of version 0.1 call some columns by the kernel's names, and others by ids that these have now. columns: a(sbi) */
gboolean
fp_column_widths_are_outdated (GVariant *columns,
                               guint kinds)
{
  GVariantIter iter;
  const char *id;

  g_variant_iter_init (&iter, columns);
  while (g_variant_iter_next (&iter, "(&sbi)", &id, NULL, NULL))
    if (!fp_columns_find (id, kinds) && fp_columns_find_named (id, kinds))
      return TRUE;
  return FALSE;
}
