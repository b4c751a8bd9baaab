// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-format.h"

#define KIB     (G_GUINT64_CONSTANT (1) << 10)
#define MIB     (G_GUINT64_CONSTANT (1) << 20)
#define GIB     (G_GUINT64_CONSTANT (1) << 30)
#define NONE    ((FpFigure){ FP_FIGURE_NONE, 0, 0 })
#define UNKNOWN ((FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 })

static FpFigure
make_range (guint64 low,
            guint64 high)
{
  return (FpFigure){ FP_FIGURE_RANGE, low, high };
}

static FpFigure
make_partial (guint64 low,
              guint64 high)
{
  return (FpFigure){ FP_FIGURE_PARTIAL, low, high };
}

static void
assert_format (FpFigure figure,
               FpUnit unit,
               FpFigureStyle style,
               guint64 whole,
               const char *expected)
{
  char text[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (figure, unit, style, whole, text, sizeof text);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_iec (void)
{
  static const struct
  {
    guint64 bytes;
    const char *expected;
  } cases[] = {
    { 0, "0 B" },
    { 1, "1 B" },
    { 999, "999 B" },
    { 1000, "1000 B" },
    { 1023, "1023 B" },
    { 1024, "1.0 KiB" },
    { 1075, "1.0 KiB" },
    { 1076, "1.1 KiB" },
    { 1536, "1.5 KiB" },
    { 10239, "10.0 KiB" },
    { 10240, "10.0 KiB" },
    { 102348, "99.9 KiB" },
    { 102349, "100 KiB" },
    { 1023 * KIB, "1023 KiB" },
    { 1023 * KIB + 511, "1023 KiB" },
    { 1023 * KIB + 512, "1.0 MiB" },
    { MIB - 1, "1.0 MiB" },
    { MIB, "1.0 MiB" },
    { 104805171, "99.9 MiB" }, /* 99.95 MiB is 104805171.2 */
    { 104805172, "100 MiB" },
    { 100 * MIB, "100 MiB" },
    { 1073690000, "1.0 GiB" }, /* 1023.95 MiB is 1073689395.2 */
    { GIB, "1.0 GiB" },
    { G_GUINT64_CONSTANT (1) << 40, "1.0 TiB" },
    { G_GUINT64_CONSTANT (1) << 50, "1.0 PiB" },
    { G_GUINT64_CONSTANT (1) << 56, "64.0 PiB" },
    { G_GUINT64_CONSTANT (1) << 60, "1.0 EiB" },
    { G_MAXUINT64 - 1, "16.0 EiB" },
    { G_MAXUINT64, "16.0 EiB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_format (fp_figure_exact (cases[i].bytes), FP_UNIT_BYTES, FP_STYLE_IEC, 0, cases[i].expected);
}

static void
test_bytes (void)
{
  assert_format (fp_figure_exact (0), FP_UNIT_BYTES, FP_STYLE_EXACT, 0, "0");
  assert_format (fp_figure_exact (1572864), FP_UNIT_BYTES, FP_STYLE_EXACT, 0, "1572864");
  assert_format (fp_figure_exact (G_MAXUINT64), FP_UNIT_BYTES, FP_STYLE_EXACT, 0, "18446744073709551615");
  assert_format (fp_figure_at_most (4096), FP_UNIT_BYTES, FP_STYLE_EXACT, 0, "≤ 4096");
  assert_format (make_range (1, 4096), FP_UNIT_BYTES, FP_STYLE_EXACT, 0, "1–4096");
  assert_format (make_range (4096, G_MAXUINT64), FP_UNIT_BYTES, FP_STYLE_EXACT, 0, "≥ 4096");
}

/* For people: with its unit, and a duration stays one. */
static void
test_readable_bytes (void)
{
  assert_format (fp_figure_exact (0), FP_UNIT_BYTES, FP_STYLE_BYTES, 0, "0 B");
  assert_format (fp_figure_exact (1572864), FP_UNIT_BYTES, FP_STYLE_BYTES, 0, "1572864 B");
  assert_format (fp_figure_at_most (4096), FP_UNIT_BYTES, FP_STYLE_BYTES, 0, "≤ 4096 B");
  assert_format (make_range (1, 4096), FP_UNIT_BYTES, FP_STYLE_BYTES, 0, "1–4096 B");
  assert_format (fp_figure_exact (1572864), FP_UNIT_BYTES, FP_STYLE_GROUPED, 0, "1572864");
  assert_format (make_range (1, 4096), FP_UNIT_BYTES, FP_STYLE_GROUPED, 0, "1–4096");
  assert_format (fp_figure_exact (12), FP_UNIT_COUNT, FP_STYLE_BYTES, 0, "12");
  assert_format (fp_figure_exact (1990000), FP_UNIT_MICROSECONDS, FP_STYLE_BYTES, 0, "1.99 s");
}

static void
test_percent (void)
{
  assert_format (fp_figure_exact (0), FP_UNIT_BYTES, FP_STYLE_PERCENT, GIB, "0.00 %");
  assert_format (fp_figure_exact (GIB), FP_UNIT_BYTES, FP_STYLE_PERCENT, GIB, "100.00 %");
  assert_format (fp_figure_exact (GIB / 2), FP_UNIT_BYTES, FP_STYLE_PERCENT, GIB, "50.00 %");
  assert_format (fp_figure_exact (GIB * 3), FP_UNIT_BYTES, FP_STYLE_PERCENT, GIB, "300.00 %");
  assert_format (fp_figure_exact (1), FP_UNIT_BYTES, FP_STYLE_PERCENT, 3, "33.33 %");
  assert_format (fp_figure_at_most (GIB / 4), FP_UNIT_BYTES, FP_STYLE_PERCENT, GIB, "≤ 25.00 %");
  assert_format (make_range (GIB / 4, GIB / 2), FP_UNIT_BYTES, FP_STYLE_PERCENT, GIB, "25.00–50.00 %");
  assert_format (fp_figure_exact (5), FP_UNIT_BYTES, FP_STYLE_PERCENT, 0, "—");
  assert_format (fp_figure_exact (5), FP_UNIT_COUNT, FP_STYLE_PERCENT, GIB, "5");
}

static void
assert_share (FpFigure figure,
              const char *expected)
{
  const FpFormat format = { .memory_total = 1000 * GIB };
  char text[FP_FIGURE_TEXT_SIZE];

  fp_format_share (&format, figure, text, sizeof text);
  g_assert_cmpstr (text, ==, expected);
}

/* A small share is not written as nothing. */
static void
test_share (void)
{
  assert_share (fp_figure_exact (0), "0.0 %");
  assert_share (fp_figure_exact (1), "< 0.1 %");
  assert_share (fp_figure_exact (GIB / 3), "< 0.1 %");
  assert_share (fp_figure_exact (GIB), "0.1 %");
  assert_share (fp_figure_exact (250 * GIB), "25.0 %");
  assert_share (fp_figure_at_most (1), "≤ 0.1 %");
  assert_share (fp_figure_at_most (250 * GIB), "≤ 25.0 %");
  assert_share (make_range (1, 2), "< 0.1 %");
}

static void
test_not_exact (void)
{
  assert_format (NONE, FP_UNIT_BYTES, FP_STYLE_IEC, 0, "—");
  assert_format (UNKNOWN, FP_UNIT_BYTES, FP_STYLE_IEC, 0, "—");
  assert_format (UNKNOWN, FP_UNIT_BYTES, FP_STYLE_EXACT, 0, "—");
  assert_format (UNKNOWN, FP_UNIT_COUNT, FP_STYLE_IEC, 0, "—");
  assert_format (fp_figure_at_most (8 * GIB), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "≤ 8.0 GiB");
  assert_format (fp_figure_at_most (1023), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "≤ 1023 B");
  assert_format (make_range (31 * GIB / 10, 39 * GIB / 10), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "3.1–3.9 GiB");
  assert_format (make_range (500 * MIB, 2 * GIB), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "500 MiB–2.0 GiB");
  assert_format (make_range (0, 2 * MIB), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "0 B–2.0 MiB");
  assert_format (make_range (3 * GIB, 3 * GIB + 1), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "3.0 GiB");
  assert_format (make_range (1020 * MIB, GIB), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "1.0 GiB");
  assert_format (make_range (900 * MIB, GIB), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "900 MiB–1.0 GiB");
  assert_format (make_range (3 * GIB, G_MAXUINT64), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "≥ 3.0 GiB");
  assert_format (make_range (3, 7), FP_UNIT_COUNT, FP_STYLE_IEC, 0, "3–7");
  assert_format (make_partial (31 * GIB / 10, 39 * GIB / 10), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "3.1–3.9 GiB");
  assert_format (make_partial (3 * GIB, G_MAXUINT64), FP_UNIT_BYTES, FP_STYLE_IEC, 0, "≥ 3.0 GiB");
}

static void
test_times (void)
{
  assert_format (fp_figure_exact (0), FP_UNIT_MICROSECONDS, FP_STYLE_IEC, 0, "0 s");
  assert_format (fp_figure_exact (1990000), FP_UNIT_MICROSECONDS, FP_STYLE_IEC, 0, "1.99 s");
  assert_format (fp_figure_exact (59999999), FP_UNIT_MICROSECONDS, FP_STYLE_IEC, 0, "59.99 s");
  assert_format (fp_figure_exact (60000000), FP_UNIT_MICROSECONDS, FP_STYLE_IEC, 0, "1:00");
  assert_format (fp_figure_exact (G_GUINT64_CONSTANT (3599000000)), FP_UNIT_MICROSECONDS, FP_STYLE_IEC, 0, "59:59");
  assert_format (fp_figure_exact (G_GUINT64_CONSTANT (3600000000)), FP_UNIT_MICROSECONDS, FP_STYLE_IEC, 0, "1:00:00");
  assert_format (fp_figure_exact (G_GUINT64_CONSTANT (360061000000)), FP_UNIT_MICROSECONDS, FP_STYLE_IEC, 0,
                 "100:01:01");
  assert_format (fp_figure_exact (1990000), FP_UNIT_MICROSECONDS, FP_STYLE_EXACT, 0, "1990000");
}

static void
assert_moment (GDateTime *moment,
               const char *format)
{
  g_autofree char *expected = g_date_time_format (moment, format);

  assert_format (fp_figure_exact ((guint64)g_date_time_to_unix (moment) * G_USEC_PER_SEC + 999999), FP_UNIT_MOMENT,
                 FP_STYLE_IEC, 0, expected);
}

/* Only as much as tells it from now. */
static void
test_moments (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) last_year = g_date_time_add_years (now, -1);
  g_autoptr (GDateTime) other_day = g_date_time_add_days (now, g_date_time_get_day_of_year (now) > 180 ? -30 : 30);

  assert_moment (now, "%H:%M:%S");
  assert_moment (other_day, "%-d %b %H:%M");
  assert_moment (last_year, "%Y-%m-%d");
  assert_format (fp_figure_exact (1990000), FP_UNIT_MOMENT, FP_STYLE_EXACT, 0, "1990000");
  assert_format (fp_figure_exact (G_MAXUINT64), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, "—");
}

static void
test_small_buffers (void)
{
  for (gsize size = 1; size <= 24; size++)
    {
      g_autofree char *text = g_malloc (size);

      fp_figure_format (make_range (500 * MIB, 2 * GIB), FP_UNIT_BYTES, FP_STYLE_IEC, 0, text, size);
      g_assert_cmpuint (strlen (text), <, size);
      fp_figure_format (UNKNOWN, FP_UNIT_BYTES, FP_STYLE_IEC, 0, text, size);
      g_assert_cmpuint (strlen (text), <, size);
    }
}

static int
compare (FpFigure a,
         FpFigure b,
         gboolean descending)
{
  int order = fp_figure_compare (a, b, descending);

  g_assert_cmpint (fp_figure_compare (b, a, descending), ==, -order);
  return (order > 0) - (order < 0);
}

static void
test_compare (void)
{
  g_assert_cmpint (compare (fp_figure_exact (1), fp_figure_exact (2), FALSE), ==, -1);
  g_assert_cmpint (compare (fp_figure_exact (1), fp_figure_exact (2), TRUE), ==, 1);
  g_assert_cmpint (compare (fp_figure_exact (2), fp_figure_exact (2), TRUE), ==, 0);
  g_assert_cmpint (compare (fp_figure_exact (G_MAXUINT64), fp_figure_exact (0), FALSE), ==, 1);
  g_assert_cmpint (compare (fp_figure_at_most (8 * GIB), fp_figure_exact (GIB), TRUE), ==, -1);
  g_assert_cmpint (compare (fp_figure_at_most (MIB), fp_figure_exact (GIB), TRUE), ==, 1);
  g_assert_cmpint (compare (make_partial (1, 5 * GIB), fp_figure_exact (4 * GIB), TRUE), ==, -1);
  g_assert_cmpint (compare (make_range (GIB, G_MAXUINT64), fp_figure_exact (2 * GIB), TRUE), ==, 1);
}

/* Wherever in a range the next reading is, its row passes none that is further away than half of the range is wide. */
static void
test_compare_ranges (void)
{
  const FpFigure range = make_range (2 * GIB, 4 * GIB);

  g_assert_cmpint (compare (range, fp_figure_exact (3 * GIB - 1), TRUE), ==, -1);
  g_assert_cmpint (compare (range, fp_figure_exact (3 * GIB), TRUE), ==, 0);
  g_assert_cmpint (compare (range, fp_figure_exact (3 * GIB + 1), TRUE), ==, 1);
  g_assert_cmpint (compare (make_range (G_MAXUINT64 - 4, G_MAXUINT64 - 2), fp_figure_exact (G_MAXUINT64 - 3), TRUE), ==, 0);
  g_assert_cmpuint (fp_figure_get_place (range, TRUE), ==, fp_figure_get_place (fp_figure_exact (3 * GIB), TRUE));
  g_assert_cmpuint (fp_figure_get_place (range, FALSE), ==, fp_figure_get_place (fp_figure_exact (3 * GIB), FALSE));
}

static void
assert_description (FpFigure figure,
                    FpFigureStyle style,
                    const char *expected,
                    gboolean is_range)
{
  char text[FP_FIGURE_WORDS_SIZE];

  g_assert_cmpint (fp_figure_describe (figure, FP_UNIT_BYTES, style, 10 * GIB, text, sizeof text), ==, is_range);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_describe (void)
{
  assert_description (fp_figure_exact (GIB), FP_STYLE_IEC, "1.0 GiB", FALSE);
  assert_description (fp_figure_at_most (GIB), FP_STYLE_IEC, "≤ 1.0 GiB", FALSE);
  assert_description (make_partial (GIB, 2 * GIB), FP_STYLE_IEC, "1.0–2.0 GiB", FALSE);
  assert_description (make_range (GIB, G_MAXUINT64), FP_STYLE_IEC, "≥ 1.0 GiB", FALSE);
  assert_description (make_range (121 * GIB / 100, 125 * GIB / 100), FP_STYLE_IEC,
                      "between 1.21\u00a0GiB and 1.25\u00a0GiB", TRUE);
  assert_description (make_range (900 * MIB, GIB), FP_STYLE_IEC, "between 900\u00a0MiB and 1.00\u00a0GiB", TRUE);
  assert_description (make_range (GIB, GIB + MIB), FP_STYLE_IEC, "1.0\u00a0GiB", FALSE);
  assert_description (make_range (1, 2), FP_STYLE_BYTES, "between 1\u00a0B and 2\u00a0B", TRUE);
  assert_description (make_range (GIB, 2 * GIB), FP_STYLE_PERCENT, "between 10.00\u00a0% and 20.00\u00a0%", TRUE);
}

static void
test_compare_unknown (void)
{
  const FpFigure known[] = { fp_figure_exact (0), fp_figure_exact (G_MAXUINT64), fp_figure_at_most (5),
                             make_range (1, G_MAXUINT64) };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    for (gboolean descending = FALSE; descending <= TRUE; descending++)
      {
        g_assert_cmpint (compare (known[i], UNKNOWN, descending), ==, -1);
        g_assert_cmpint (compare (known[i], NONE, descending), ==, -1);
      }
  g_assert_cmpint (compare (UNKNOWN, NONE, TRUE), ==, 0);
  g_assert_cmpint (compare (UNKNOWN, UNKNOWN, FALSE), ==, 0);
}

static void
assert_figure (FpFigure figure,
               FpFigureKind kind,
               guint64 low,
               guint64 high)
{
  g_assert_cmpint (figure.kind, ==, kind);
  g_assert_cmpuint (figure.low, ==, low);
  g_assert_cmpuint (figure.high, ==, high);
}

/* PSS and USS are at most RSS, SwapPss at most VmSwap; Swap counts shared memory that VmSwap does not. */
static void
test_of_memory (void)
{
  FpMemory memory = { 0 };

  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_PSS), FP_FIGURE_UNKNOWN, 0, G_MAXUINT64);
  fp_memory_set (&memory, FP_FIELD_RSS, 7 * MIB);
  fp_memory_set (&memory, FP_FIELD_VM_SWAP, 3 * MIB);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_RSS), FP_FIGURE_EXACT, 7 * MIB, 7 * MIB);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_PSS), FP_FIGURE_AT_MOST, 0, 7 * MIB);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_USS), FP_FIGURE_AT_MOST, 0, 7 * MIB);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_PSS_ANON), FP_FIGURE_AT_MOST, 0, 7 * MIB);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_SWAP_PSS), FP_FIGURE_AT_MOST, 0, 3 * MIB);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_SWAP), FP_FIGURE_UNKNOWN, 0, G_MAXUINT64);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_PTE), FP_FIGURE_UNKNOWN, 0, G_MAXUINT64);
  fp_memory_set (&memory, FP_FIELD_RSS_ANON, 2 * MIB);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_PSS_ANON), FP_FIGURE_AT_MOST, 0, 2 * MIB);
  fp_memory_set_range (&memory, FP_FIELD_PSS, 4 * MIB, 6 * MIB);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_PSS), FP_FIGURE_RANGE, 4 * MIB, 6 * MIB);
  fp_memory_set (&memory, FP_FIELD_PSS, 0);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_PSS), FP_FIGURE_EXACT, 0, 0);
  fp_memory_set (&memory, FP_FIELD_VM_SWAP, 0);
  assert_figure (fp_figure_of_memory (&memory, FP_FIELD_SWAP_PSS), FP_FIGURE_EXACT, 0, 0);
}

static void
test_differences (void)
{
  /* From the largest up to the largest down */
  const FpFigure ordered[] = { fp_figure_difference (0, 9 * KIB), fp_figure_difference (5, 6),
                               fp_figure_difference (7, 7), fp_figure_difference (6, 5),
                               fp_figure_difference (9 * KIB, 0), UNKNOWN };
  static const char *const texts[] = { "+9.0 KiB", "+1 B", "0 B", "−1 B", "−9.0 KiB", "—" };

  for (guint i = 0; i < G_N_ELEMENTS (ordered); i++)
    {
      assert_format (ordered[i], FP_UNIT_BYTES, FP_STYLE_IEC, 0, texts[i]);
      for (guint j = 0; j < G_N_ELEMENTS (ordered); j++)
        {
          g_assert_cmpint (fp_figure_compare (ordered[i], ordered[j], TRUE), ==, (i > j) - (i < j));
          if (i < 5 && j < 5)
            g_assert_cmpint (fp_figure_compare (ordered[i], ordered[j], FALSE), ==, (i < j) - (i > j));
        }
    }
  assert_format (ordered[0], FP_UNIT_COUNT, FP_STYLE_EXACT, 0, "+9216");
  assert_format (ordered[4], FP_UNIT_BYTES, FP_STYLE_PERCENT, 18 * KIB, "−50.00 %");
}

static void
test_numbers (void)
{
  for (guint64 number = 1; number != 0; number = number > G_MAXUINT64 / 10 ? 0 : number * 10)
    for (int more = -1; more <= 1; more++)
      {
        g_autofree char *printed = g_strdup_printf ("%" G_GUINT64_FORMAT, number + (guint64)more);
        char text[FP_NUMBER_TEXT_SIZE];

        g_assert_cmpuint (fp_number_write (number + (guint64)more, text), ==, strlen (printed));
        g_assert_cmpstr (text, ==, printed);
      }
  assert_format (fp_figure_exact (G_MAXUINT64), FP_UNIT_COUNT, FP_STYLE_EXACT, 0, "18446744073709551615");
}

/* Places are in the order of figures, to the last byte. */
static void
test_places (void)
{
  const FpFigure ascending[] = {
    fp_figure_difference (G_MAXINT64, 0),
    fp_figure_difference (4, 0),
    fp_figure_difference (3, 0),
    fp_figure_exact (0),
    fp_figure_exact (1),
    fp_figure_exact (2),
    fp_figure_exact (3),
    fp_figure_exact (G_GUINT64_CONSTANT (1) << 62),
    fp_figure_exact ((G_GUINT64_CONSTANT (1) << 62) + 1),
    { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 },
  };

  for (guint i = 1; i < G_N_ELEMENTS (ascending); i++)
    {
      g_assert_cmpuint (fp_figure_get_place (ascending[i - 1], FALSE), <, fp_figure_get_place (ascending[i], FALSE));
      if (i + 1 < G_N_ELEMENTS (ascending))
        g_assert_cmpuint (fp_figure_get_place (ascending[i - 1], TRUE), >, fp_figure_get_place (ascending[i], TRUE));
    }
  g_assert_cmpuint (fp_figure_get_place (ascending[G_N_ELEMENTS (ascending) - 1], TRUE), ==, G_MAXUINT64);
}

static void
assert_part (guint64 part,
             guint64 whole,
             FpFigureStyle style,
             const char *expected)
{
  g_autofree char *text = fp_figure_format_part (part, whole, style);

  g_assert_cmpstr (text, ==, expected);
}

/* One unit says how much of the whole it is at a glance, as long as it leaves a digit of the part. */
static void
test_parts (void)
{
  const guint64 kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

  assert_part (0, 8 * gib, FP_STYLE_IEC, "0 of 8.0 GiB");
  assert_part (386 * mib, 16 * gib, FP_STYLE_IEC, "386 MiB of 16.0 GiB");
  assert_part (1020 * mib, gib, FP_STYLE_IEC, "1.0 of 1.0 GiB");
  assert_part (3 * gib + 300 * mib, 23 * gib + 512 * mib, FP_STYLE_IEC, "3.3 of 23.5 GiB");
  assert_part (150 * gib, 200 * gib, FP_STYLE_IEC, "150 of 200 GiB");
  assert_part (12, 100, FP_STYLE_IEC, "12 of 100 B");
  assert_part (512 * mib, gib, FP_STYLE_PERCENT, "50.00 % of 1.0 GiB");
  assert_part (0, 0, FP_STYLE_IEC, "0 of 0 B");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/figure/iec", test_iec);
  g_test_add_func ("/figure/bytes", test_bytes);
  g_test_add_func ("/figure/readable-bytes", test_readable_bytes);
  g_test_add_func ("/figure/percent", test_percent);
  g_test_add_func ("/figure/share", test_share);
  g_test_add_func ("/figure/not-exact", test_not_exact);
  g_test_add_func ("/figure/times", test_times);
  g_test_add_func ("/figure/moments", test_moments);
  g_test_add_func ("/figure/small-buffers", test_small_buffers);
  g_test_add_func ("/figure/compare", test_compare);
  g_test_add_func ("/figure/compare-ranges", test_compare_ranges);
  g_test_add_func ("/figure/compare-unknown", test_compare_unknown);
  g_test_add_func ("/figure/describe", test_describe);
  g_test_add_func ("/figure/of-memory", test_of_memory);
  g_test_add_func ("/figure/differences", test_differences);
  g_test_add_func ("/figure/numbers", test_numbers);
  g_test_add_func ("/figure/parts", test_parts);
  g_test_add_func ("/figure/places", test_places);
  return g_test_run ();
}
