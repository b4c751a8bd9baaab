// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-figure.h"

FpFigure
fp_figure_exact (guint64 value)
{
  return (FpFigure){ FP_FIGURE_EXACT, value, value };
}

FpFigure
fp_figure_at_most (guint64 bound)
{
  if (bound == 0)
    return fp_figure_exact (0);
  return (FpFigure){ FP_FIGURE_AT_MOST, 0, bound };
}

FpFigure
fp_figure_at_least (guint64 bound)
{
  return (FpFigure){ FP_FIGURE_RANGE, bound, G_MAXUINT64 };
}

FpFigure
fp_figure_between (guint64 low,
                   guint64 high)
{
  return low == high ? fp_figure_exact (low) : (FpFigure){ FP_FIGURE_RANGE, low, high };
}

/* A difference of 0 is exact. */
FpFigure
fp_figure_difference (guint64 before,
                      guint64 after)
{
  if (after > before)
    return (FpFigure){ FP_FIGURE_MORE, after - before, after - before };
  if (after < before)
    return (FpFigure){ FP_FIGURE_LESS, before - after, before - after };
  return fp_figure_exact (0);
}

static FpFigure
make_difference (FpFigureKind kind,
                 guint64 least,
                 guint64 most)
{
  return most == 0 ? fp_figure_exact (0) : (FpFigure){ kind, least, most };
}

/* A difference of ranges is one, and of a bound alone nothing is known. */
FpFigure
fp_figure_change (FpFigure before,
                  FpFigure after)
{
  if (before.kind == FP_FIGURE_NONE || after.kind == FP_FIGURE_NONE)
    return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
  if (!fp_figure_is_known (before) || !fp_figure_is_known (after) ||
      (before.kind == FP_FIGURE_AT_MOST && after.kind == FP_FIGURE_AT_MOST))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  if (before.high != G_MAXUINT64 && after.low >= before.high)
    return make_difference (FP_FIGURE_MORE, after.low - before.high, after.high == G_MAXUINT64 ? G_MAXUINT64 : after.high - before.low);
  if (after.high != G_MAXUINT64 && before.low >= after.high)
    return make_difference (FP_FIGURE_LESS, before.low - after.high, before.high == G_MAXUINT64 ? G_MAXUINT64 : before.high - after.low);
  if (before.high == G_MAXUINT64 || after.high == G_MAXUINT64)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return (FpFigure){ FP_FIGURE_EITHER, before.high - after.low, after.high - before.low };
}

FpFigure
fp_figure_of_memory (const FpMemory *memory,
                     FpField field)
{
  guint64 low, high;

  if (fp_memory_has (memory, field))
    return fp_figure_exact (memory->figures[field]);
  if (!fp_memory_get_ends (memory, field, &low, &high))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  if (fp_memory_has_range (memory, field))
    return (FpFigure){ FP_FIGURE_RANGE, low, high };
  return fp_figure_at_most (high);
}

gboolean
fp_figure_is_known (FpFigure self)
{
  return self.kind != FP_FIGURE_NONE && self.kind != FP_FIGURE_UNKNOWN;
}

/* A range has the place of its middle: wherever in it the next reading is, the row moves by half its width at most. What
 * could not be read has the place of its bound, far above what it probably is, and so have sums with such a part. */
static guint64
sort_value (FpFigure self)
{
  if (self.kind == FP_FIGURE_RANGE && self.high != G_MAXUINT64)
    return self.low + (self.high - self.low) / 2;
  return self.kind != FP_FIGURE_AT_MOST && self.high == G_MAXUINT64 ? self.low : self.high;
}

/* A difference in either direction has the place of its middle. */
static FpFigure
find_middle (FpFigure self)
{
  return self.kind == FP_FIGURE_EITHER ? fp_figure_difference (self.low / 2, self.high / 2) : self;
}

/* A smaller place comes sooner. Figures of more than 63 bits all have the same place. */
guint64
fp_figure_get_place (FpFigure self,
                     gboolean descending)
{
  const guint64 zero = G_GUINT64_CONSTANT (1) << 63, farthest = zero - 2;
  const FpFigure middle = find_middle (self);
  guint64 distance = MIN (sort_value (middle), farthest);
  guint64 place = middle.kind == FP_FIGURE_LESS ? zero - distance : zero + distance;

  if (!fp_figure_is_known (self))
    return G_MAXUINT64;
  return descending ? ~place : place;
}

/* Figures without a value come last in both directions. */
int
fp_figure_compare (FpFigure a,
                   FpFigure b,
                   gboolean descending)
{
  gboolean a_known = fp_figure_is_known (a), b_known = fp_figure_is_known (b);
  guint64 x, y;

  a = find_middle (a);
  b = find_middle (b);
  x = sort_value (a);
  y = sort_value (b);
  if (!a_known || !b_known)
    return b_known - a_known;
  if ((a.kind == FP_FIGURE_LESS) != (b.kind == FP_FIGURE_LESS))
    return (a.kind == FP_FIGURE_LESS) == descending ? 1 : -1;
  if (a.kind == FP_FIGURE_LESS)
    descending = !descending;
  return descending ? (x < y) - (x > y) : (x > y) - (x < y);
}

/* Writes what printf would, in a tenth of the time. Returns the length. */
gsize
fp_number_write (guint64 number,
                 char text[FP_NUMBER_TEXT_SIZE])
{
  char digits[FP_NUMBER_TEXT_SIZE];
  char *first = digits + sizeof digits - 1;
  gsize length;

  *first = '\0';
  do
    *--first = (char)('0' + number % 10);
  while (number /= 10);
  length = (gsize)(digits + sizeof digits - 1 - first);
  memcpy (text, first, length + 1);
  return length;
}

/* 0: bytes. The language stays the same, and a translation is looked up once. */
const char *
fp_figure_get_unit (guint power)
{
  /* Translators: units of memory: bytes, and each 1024 of the one before */
  static const char *const units[FP_N_UNITS_OF_BYTES] = { N_ ("B"), N_ ("KiB"), N_ ("MiB"), N_ ("GiB"), N_ ("TiB"), N_ ("PiB"), N_ ("EiB") };
  static const char *shown[FP_N_UNITS_OF_BYTES];

  if (!shown[power])
    shown[power] = _ (units[power]);
  return shown[power];
}

/* In a column three digits: 999 B, 1.00 KiB would be too many, so 1.0 KiB, 10.5 MiB, 512 MiB. The unit is that in which
 * the scale is written. */
static void
format_iec (guint64 bytes,
            guint64 scale,
            int n_decimals,
            char *text,
            gsize size)
{
  guint unit = 0;
  double value = (double)bytes, scaled = (double)scale;

  /* 1023.95 would be written as 1024.0 of the smaller unit. */
  for (; scaled >= 1023.5 && unit + 1 < FP_N_UNITS_OF_BYTES; unit++)
    {
      scaled /= 1024;
      value /= 1024;
    }
  if (unit == 0 || value >= 99.95)
    g_snprintf (text, size, "%.0f %s", value, fp_figure_get_unit (unit));
  else
    g_snprintf (text, size, "%.*f %s", n_decimals, value, fp_figure_get_unit (unit));
}

static void
format_duration (guint64 us,
                 char *text,
                 gsize size)
{
  guint64 seconds = us / G_USEC_PER_SEC;

  if (us == 0)
    g_strlcpy (text, "0 s", size);
  else if (seconds < 60)
    g_snprintf (text, size, "%.2f s", (double)(us / 10000) / 100);
  else if (seconds < 3600)
    g_snprintf (text, size, "%u:%02u", (guint)(seconds / 60), (guint)(seconds % 60));
  else
    g_snprintf (text, size, "%" G_GUINT64_FORMAT ":%02u:%02u", seconds / 3600, (guint)(seconds / 60 % 60),
                (guint)(seconds % 60));
}

/* A time is written as short as possible: the time of today, a day of this year, or a date. */
static void
format_moment (guint64 us,
               char *text,
               gsize size)
{
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_local ((gint64)(us / G_USEC_PER_SEC));
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *words = NULL;

  if (!moment)
    {
      g_strlcpy (text, "—", size);
      return;
    }
  if (g_date_time_get_year (moment) != g_date_time_get_year (now))
    /* Translators: a day of another year */
    words = g_date_time_format (moment, _ ("%Y-%m-%d"));
  else if (g_date_time_get_day_of_year (moment) != g_date_time_get_day_of_year (now))
    /* Translators: a day of this year and the time, as “3 Nov 14:07” */
    words = g_date_time_format (moment, _ ("%-d %b %H:%M"));
  else
    words = g_date_time_format (moment, "%H:%M:%S");
  g_strlcpy (text, words, size);
}

static void
format_number (guint64 number,
               FpUnit unit,
               FpFigureStyle style,
               guint64 whole,
               char *text,
               gsize size)
{
  if (unit == FP_UNIT_BYTES && style == FP_STYLE_PERCENT && whole > 0)
    g_snprintf (text, size, "%.2f %%", (double)number * 100 / (double)whole);
  else if (unit == FP_UNIT_BYTES && style == FP_STYLE_IEC)
    format_iec (number, number, 1, text, size);
  else if (unit == FP_UNIT_BYTES && style == FP_STYLE_BYTES)
    g_snprintf (text, size, "%'" G_GUINT64_FORMAT " %s", number, fp_figure_get_unit (0));
  else if (unit == FP_UNIT_BYTES && style == FP_STYLE_GROUPED)
    g_snprintf (text, size, "%'" G_GUINT64_FORMAT, number);
  else if (unit == FP_UNIT_MICROSECONDS && style != FP_STYLE_EXACT)
    format_duration (number, text, size);
  else if (unit == FP_UNIT_MOMENT && style != FP_STYLE_EXACT)
    format_moment (number, text, size);
  else if (unit == FP_UNIT_PERCENT && style != FP_STYLE_EXACT)
    g_snprintf (text, size, "%" G_GUINT64_FORMAT " %%", number);
  else if (size >= FP_NUMBER_TEXT_SIZE)
    fp_number_write (number, text);
  else
    g_snprintf (text, size, "%" G_GUINT64_FORMAT, number);
}

static const char *
unit_of (const char *text)
{
  const char *blank = strrchr (text, ' ');

  return blank ? blank : "";
}

/* 1020 MiB and 1.0 GiB are one figure, too. */
static void
join_units (FpFigure self,
            int n_decimals,
            char *low,
            const char *high,
            gsize size)
{
  char joined[FP_FIGURE_TEXT_SIZE];

  format_iec (self.low, self.high, n_decimals, joined, sizeof joined);
  if (strcmp (joined, high) == 0)
    g_strlcpy (low, high, size);
}

/* whole: what 100 % is; a percentage of nothing is not known. */
void
fp_figure_format (FpFigure self,
                  FpUnit unit,
                  FpFigureStyle style,
                  guint64 whole,
                  char *text,
                  gsize size)
{
  char low[FP_FIGURE_TEXT_SIZE], high[FP_FIGURE_TEXT_SIZE];

  if (!fp_figure_is_known (self) || (style == FP_STYLE_PERCENT && unit == FP_UNIT_BYTES && whole == 0))
    {
      g_strlcpy (text, "—", size);
      return;
    }
  if (self.kind == FP_FIGURE_EXACT)
    {
      format_number (self.low, unit, style, whole, text, size);
      return;
    }
  if (self.kind == FP_FIGURE_MORE || self.kind == FP_FIGURE_LESS)
    {
      const char *dash;

      fp_figure_format (fp_figure_between (self.low, self.high), unit, style, whole, low, sizeof low);
      dash = strstr (low, "–");
      /* Without a sign of its own the second would be more than 0. */
      if (dash && self.kind == FP_FIGURE_LESS)
        g_snprintf (text, size, "−%.*s…−%s", (int)(dash - low), low, dash + strlen ("–"));
      else
        g_snprintf (text, size, "%s%s", self.kind == FP_FIGURE_MORE ? "+" : "−", low);
      return;
    }
  format_number (self.low, unit, style, whole, low, sizeof low);
  format_number (self.high, unit, style, whole, high, sizeof high);
  if (self.kind == FP_FIGURE_EITHER)
    {
      g_snprintf (text, size, "−%s…+%s", low, high);
      return;
    }
  if (unit == FP_UNIT_BYTES && style == FP_STYLE_IEC)
    join_units (self, 1, low, high, sizeof low);
  if (self.kind == FP_FIGURE_AT_MOST)
    g_snprintf (text, size, "≤ %s", high);
  else if (strcmp (low, high) == 0)
    g_strlcpy (text, low, size);
  else if (self.high == G_MAXUINT64)
    g_snprintf (text, size, "≥ %s", low);
  else if (strcmp (unit_of (low), unit_of (high)) == 0)
    g_snprintf (text, size, "%.*s–%s", (int)(strlen (low) - strlen (unit_of (low))), low, high);
  else
    g_snprintf (text, size, "%s–%s", low, high);
}

/* Gives bytes and what they are a part of: “3.3 of 23.5 GiB”, but “386 MiB of 16.0 GiB”, as 0.4 GiB would say less. The whole is
 * always 100 %, so it is never a percentage. Free the text. */
char *
fp_figure_format_part (guint64 part,
                       guint64 whole,
                       FpFigureStyle style)
{
  char low[FP_FIGURE_TEXT_SIZE], high[FP_FIGURE_TEXT_SIZE];
  double scale = 1;

  format_number (part, FP_UNIT_BYTES, style, whole, low, sizeof low);
  format_number (whole, FP_UNIT_BYTES, style == FP_STYLE_PERCENT ? FP_STYLE_IEC : style, 0, high, sizeof high);
  while ((double)whole / scale >= 1023.5)
    scale *= 1024;
  if (style == FP_STYLE_IEC && (part == 0 || (double)part >= 0.95 * scale))
    {
      format_iec (part, whole, part == 0 ? 0 : 1, low, sizeof low);
      low[strlen (low) - strlen (unit_of (low))] = '\0';
    }
  /* Translators: a part of a whole, as in “3.3 of 23.5 GiB” */
  return g_strdup_printf (C_ ("part", "%s of %s"), low, high);
}

/* No-break spaces keep a figure and its unit on one line. text: of FP_FIGURE_TEXT_SIZE */
void
fp_figure_keep_together (char *text)
{
  g_autoptr (GString) kept = g_string_new (text);

  g_string_replace (kept, " ", "\u00a0", 0);
  g_strlcpy (text, kept->str, FP_FIGURE_TEXT_SIZE);
}

/* A no-break space keeps a figure and its unit on one line. */
static void
keep_unit (char *text,
           gsize size)
{
  g_autofree char *number = g_strndup (text, strlen (text) - strlen (unit_of (text)));
  g_autofree char *kept = *unit_of (text) ? g_strconcat (number, "\u00a0", unit_of (text) + 1, NULL) : g_strdup (text);

  g_strlcpy (text, kept, size);
}

/* A range in words, with a digit more than in a column: “between 1.21 GiB and 1.25 GiB”. Any other figure, and a range of
 * which both ends are written the same, is formatted; TRUE: it is a range. */
gboolean
fp_figure_describe (FpFigure self,
                    FpUnit unit,
                    FpFigureStyle style,
                    guint64 whole,
                    char *text,
                    gsize size)
{
  char low[FP_FIGURE_TEXT_SIZE], high[FP_FIGURE_TEXT_SIZE];
  gboolean is_one;

  if (self.kind != FP_FIGURE_RANGE || self.high == G_MAXUINT64)
    {
      fp_figure_format (self, unit, style, whole, text, size);
      return FALSE;
    }
  format_number (self.low, unit, style, whole, low, sizeof low);
  format_number (self.high, unit, style, whole, high, sizeof high);
  if (unit == FP_UNIT_BYTES && style == FP_STYLE_IEC)
    {
      format_iec (self.low, self.low, 2, low, sizeof low);
      format_iec (self.high, self.high, 2, high, sizeof high);
      join_units (self, 2, low, high, sizeof low);
    }
  is_one = strcmp (low, high) == 0;
  /* A second decimal would let it differ from the same figure elsewhere. */
  if (is_one)
    format_number (self.low, unit, style, whole, low, sizeof low);
  keep_unit (low, sizeof low);
  keep_unit (high, sizeof high);
  if (is_one)
    g_strlcpy (text, low, size);
  else
    /* Translators: the ends of a range, such as “between 1.2 GiB and 1.4 GiB” */
    g_snprintf (text, size, _ ("between %s and %s"), low, high);
  return !is_one;
}
