// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-column-sets.h"
#include "fp-comparison.h"
#include "fp-display.h"
#include "fp-export.h"

#define STEP       512 /* records between two checks for cancellation */
#define MAX_ESCAPE 4   /* bytes that fp_display_escape() makes of one */

static gboolean
is_cancelled (const gint *cancelled,
              guint i)
{
  return i % STEP == 0 && cancelled && g_atomic_int_get (cancelled);
}

/* RFC 4180: a field with a comma or a quote stands between quotes. */
static void
append_field (GString *out,
              const char *text)
{
  if (!strpbrk (text, ",\""))
    {
      g_string_append (out, text);
      return;
    }
  g_string_append_c (out, '"');
  for (; *text; text++)
    {
      if (*text == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *text);
    }
  g_string_append_c (out, '"');
}

/* A process may give itself any name: no control character may reach a terminal, and no formula a spreadsheet. */
static void
append_text (GString *out,
             const char *text)
{
  char shown[1 + MAX_ESCAPE * FP_CELL_SIZE] = "'";
  gboolean is_formula = *text && strchr ("=+-@", *text);

  fp_display_escape (text, shown + 1, sizeof shown - 1);
  append_field (out, is_formula ? shown : shown + 1);
}

void
fp_export_csv_header (const FpColumn *const *columns,
                      GString *out)
{
  for (guint i = 0; columns[i]; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? "," : "", columns[i]->id);
  g_string_append (out, "\r\n");
}

/* Leaves the field empty where the figure is unknown. Of a range and of a sum only the certain part is written. */
static void
append_figure (GString *out,
               const FpColumn *column,
               FpFigure figure,
               const FpFormat *format)
{
  char text[FP_FIGURE_TEXT_SIZE];

  if (!fp_figure_is_known (figure) || figure.kind == FP_FIGURE_AT_MOST || figure.kind == FP_FIGURE_EITHER)
    return;
  if (figure.kind == FP_FIGURE_LESS)
    g_string_append_c (out, '-');
  fp_figure_format (fp_figure_exact (figure.low), column->unit, format->style, fp_format_get_whole (format, column->field), text,
                    sizeof text);
  append_field (out, text);
}

void
fp_export_csv_record (const FpRecords *records,
                      guint index,
                      const FpColumn *const *columns,
                      const FpFormat *format,
                      GString *out)
{
  char buffer[FP_CELL_SIZE];

  for (guint i = 0; columns[i]; i++)
    {
      if (i > 0)
        g_string_append_c (out, ',');
      if (!(columns[i]->kinds & fp_records_get_kinds (records)))
        continue;
      if (columns[i]->presentation == FP_PRESENT_TEXT)
        append_text (out, fp_column_get_text (columns[i], records, index, format, buffer, sizeof buffer));
      else
        append_figure (out, columns[i], fp_column_get_figure (columns[i], records, index), format);
    }
  g_string_append (out, "\r\n");
}

void
fp_export_json_members (FpJson *json,
                        const FpRecords *records,
                        guint index,
                        const FpColumn *const *columns,
                        const FpFormat *format)
{
  char buffer[FP_CELL_SIZE];

  for (; *columns; columns++)
    if ((*columns)->presentation == FP_PRESENT_TEXT)
      fp_json_add_text (json, (*columns)->id,
                        fp_column_get_text (*columns, records, index, format, buffer, sizeof buffer));
    else
      fp_json_add_figure (json, (*columns)->id, fp_column_get_figure (*columns, records, index));
}

static void
export_csv (const FpRecords *records,
            const guint *indices,
            guint n,
            const FpColumn *const *columns,
            const FpFormat *format,
            const gint *cancelled,
            GString *out)
{
  fp_export_csv_header (columns, out);
  for (guint i = 0; i < n && !is_cancelled (cancelled, i); i++)
    fp_export_csv_record (records, indices ? indices[i] : i, columns, format, out);
}

static void
export_json (const FpRecords *records,
             const guint *indices,
             guint n,
             const FpColumn *const *columns,
             const FpFormat *format,
             const gint *cancelled,
             GString *out)
{
  FpJson json = { out, TRUE, TRUE, 0 };

  fp_json_begin_array (&json, NULL);
  for (guint i = 0; i < n && !is_cancelled (cancelled, i); i++)
    {
      fp_json_begin_object (&json, NULL);
      fp_export_json_members (&json, records, indices ? indices[i] : i, columns, format);
      fp_json_end_object (&json);
    }
  fp_json_end_array (&json);
  g_string_append_c (out, '\n');
}

/* A column of figures as wide as its widest cell. */
typedef struct
{
  FpField field;
  int width;
  guint64 sum;
} Stripe;

static int
count_digits (guint64 number)
{
  int n = 1;

  for (; number >= 10; number /= 10)
    n++;
  return n;
}

static guint64
get_number (const FpMapping *mapping,
            FpField field)
{
  guint64 number = fp_memory_get (&mapping->memory, field);

  return fp_field_infos[field].unit == FP_UNIT_BYTES ? number / 1024 : number;
}

/* Leaves out lines of smaps that this kernel does not have. */
static GArray *
measure_stripes (const FpRecords *records,
                 const guint *indices,
                 guint n,
                 int *inode_width)
{
  GArray *stripes = g_array_new (FALSE, FALSE, sizeof (Stripe));
  guint64 present = 0, sums[FP_N_FIELDS] = { 0 };
  const FpColumn *column;
  FpMapping mapping;

  for (guint i = 0; i < n; i++)
    {
      fp_mapping_records_get (records, indices ? indices[i] : i, &mapping);
      *inode_width = MAX (*inode_width, count_digits (mapping.inode));
      present |= mapping.memory.present;
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        sums[field] += get_number (&mapping, field);
    }
  for (guint i = 0; (column = fp_column_set_get (&fp_mapping_sets[FP_MAPPING_SET_PMAP_MORE], i)); i++)
    {
      FpField field = column->field;
      Stripe stripe = { field, 0, 0 };

      if (field == FP_FIELD_NONE || !(present >> field & 1))
        continue;
      stripe.sum = sums[field];
      stripe.width = MAX ((int)fp_field_infos[field].key_length, count_digits (stripe.sum));
      g_array_append_val (stripes, stripe);
    }
  return stripes;
}

/* Aligns the number at the end of its column. */
static void
append_number (GString *out,
               guint64 number,
               int width)
{
  static const char blanks[] = "                                ";
  char text[FP_NUMBER_TEXT_SIZE];
  gssize length = (gssize)fp_number_write (number, text);

  g_string_append_len (out, blanks, 1 + CLAMP (width - length, 0, (gssize)sizeof blanks - 2));
  g_string_append_len (out, text, length);
}

/* Writes a line end in a name as the kernel does. */
static void
append_name (const char *name,
             GString *out)
{
  char shown[FP_CELL_SIZE];

  for (const char *newline; (newline = strchr (name, '\n')); name = newline + 1)
    {
      g_autofree char *line = g_strndup (name, (gsize)(newline - name));

      fp_display_escape (line, shown, sizeof shown);
      g_string_append_printf (out, "%s\\012", shown);
    }
  fp_display_escape (name, shown, sizeof shown);
  g_string_append_printf (out, "%s\n", shown);
}

static void
append_mapping (const FpMapping *mapping,
                const GArray *stripes,
                int inode_width,
                GString *out)
{
  char start[32], device[32];

  g_snprintf (start, sizeof start, "%08" G_GINT64_MODIFIER "x", mapping->start);
  g_snprintf (device, sizeof device, "%02x:%02x", mapping->device_major, mapping->device_minor);
  g_string_append_printf (out, "%16s %s %08" G_GINT64_MODIFIER "x %6s %*" G_GUINT64_FORMAT, start,
                          mapping->permissions, mapping->offset, device, inode_width, mapping->inode);
  for (guint i = 0; i < stripes->len; i++)
    append_number (out, get_number (mapping, g_array_index (stripes, Stripe, i).field),
                   g_array_index (stripes, Stripe, i).width);
  g_string_append_c (out, ' ');
  append_name (mapping->name, out);
}

/* Equals, byte for byte, what pmap -X -p prints below the line with the command. */
static void
export_pmap (const FpRecords *records,
             const guint *indices,
             guint n,
             const gint *cancelled,
             GString *out)
{
  int inode_width = strlen ("Inode");
  g_autoptr (GArray) stripes = measure_stripes (records, indices, n, &inode_width);
  int facts_width = 16 + (int)strlen (" Perm   Offset Device ") + inode_width;

  g_string_append_printf (out, "%16s Perm   Offset Device %*s", "Address", inode_width, "Inode");
  for (guint i = 0; i < stripes->len; i++)
    {
      const Stripe *stripe = &g_array_index (stripes, Stripe, i);
      const FpFieldInfo *info = &fp_field_infos[stripe->field];

      g_string_append_printf (out, "%*s%.*s", 1 + stripe->width - (int)info->key_length, "", (int)info->key_length,
                              info->key);
    }
  g_string_append (out, " Mapping\n");

  for (guint i = 0; i < n && !is_cancelled (cancelled, i); i++)
    {
      FpMapping mapping;

      fp_mapping_records_get (records, indices ? indices[i] : i, &mapping);
      append_mapping (&mapping, stripes, inode_width, out);
    }
  for (guint line = 0; line < 2; line++)
    {
      g_string_append_printf (out, "%*s", facts_width, "");
      for (guint i = 0; i < stripes->len; i++)
        {
          const Stripe *stripe = &g_array_index (stripes, Stripe, i);
          g_autofree char *rule = g_strnfill ((gsize)stripe->width, '=');

          if (line == 0)
            g_string_append_printf (out, " %s", rule);
          else
            g_string_append_printf (out, " %*" G_GUINT64_FORMAT, stripe->width, stripe->sum);
        }
      g_string_append (out, line == 0 ? " \n" : " KB \n");
    }
}

void
fp_export (FpExport what,
           const FpRecords *records,
           const guint *indices,
           guint n,
           const FpColumn *const *columns,
           const FpFormat *format,
           const gint *cancelled,
           GString *out)
{
  switch (what)
    {
    case FP_EXPORT_JSON:
      export_json (records, indices, n, columns, format, cancelled, out);
      return;
    case FP_EXPORT_PMAP:
      export_pmap (records, indices, n, cancelled, out);
      return;
    case FP_EXPORT_CSV:
    default:
      export_csv (records, indices, n, columns, format, cancelled, out);
    }
}
