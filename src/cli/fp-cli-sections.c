// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-cli-sections.h"
#include "fp-display.h"
#include "fp-json.h"

#define N_AMOUNTS 4
#define WIDTH     10 /* of an amount */

typedef struct
{
  const char *id;
  const char *title;
  gsize offset; /* in FpSection */
} Amount;

static const Amount amounts[N_AMOUNTS] = {
  { "size", N_ ("Size"), G_STRUCT_OFFSET (FpSection, mapped) },
  { "resident", N_ ("Resident"), G_STRUCT_OFFSET (FpSection, resident) },
  /* Translators: title of a column: how much of a section was written to since the file was read */
  { "changed", N_ ("Changed"), G_STRUCT_OFFSET (FpSection, changed) },
  { "swap", N_ ("Swap"), G_STRUCT_OFFSET (FpSection, swapped) },
};

static FpSections *
read_sections (const FpCliView *view,
               GError **error)
{
  gint pid = view->options->pids[0];
  const FpProcess *process = fp_snapshot_find (view->snapshot, pid);

  if (!process)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("Process %d has ended"), pid);
      return NULL;
    }
  return fp_cli_reader_read_sections (view->reader, &(FpProcessId){ process->pid, process->start_ticks },
                                      view->options->sections, error);
}

static const FpSection *
get_section (const FpSections *sections,
             guint i)
{
  return &g_array_index (sections->sections, FpSection, i);
}

static void
append_amount (GString *out,
               const Amount *amount,
               const char *text)
{
  guint width = fp_display_width (text), column = fp_display_widen (WIDTH, _ (amount->title));

  g_string_append_printf (out, "%*s%s", (int)(MAX (column, width) - width), "", text);
}

static void
append_amounts (GString *out,
                const FpCliView *view,
                const FpSection *section)
{
  for (guint i = 0; i < N_AMOUNTS; i++)
    {
      char text[FP_FIGURE_TEXT_SIZE];

      fp_format_memory (&view->format, fp_figure_exact (G_STRUCT_MEMBER (const guint64, section, amounts[i].offset)), text);
      append_amount (out, &amounts[i], text);
    }
}

/* In the order of the file, as readelf has them */
gboolean
fp_cli_sections_print (const FpCliView *view,
                       GString *out,
                       GError **error)
{
  g_autoptr (FpSections) sections = read_sections (view, error);
  FpSection sum;

  if (!sections)
    return FALSE;
  for (guint i = 0; i < N_AMOUNTS; i++)
    append_amount (out, &amounts[i], _ (amounts[i].title));
  /* Translators: title of a column: a part of a program or library */
  g_string_append_printf (out, "  %s\n", _ ("Section"));
  for (guint i = 0; i < sections->sections->len; i++)
    {
      const FpSection *section = get_section (sections, i);
      const char *kind = _ (fp_section_kind_infos[section->place.kind].title);
      char name[4 * sizeof section->place.name];

      append_amounts (out, view, section);
      fp_display_escape (section->place.name, name, sizeof name);
      g_string_append (out, "  ");
      if (*name)
        /* Translators: a section of a library and what it is for, such as ".text (Code)" */
        g_string_append_printf (out, _ ("%s (%s)"), name, kind);
      else
        g_string_append (out, kind);
      g_string_append_c (out, '\n');
    }
  sum = fp_sections_sum_up (sections, 0);
  append_amounts (out, view, &sum);
  g_string_append_printf (out, "  %s\n", _ ("All of it"));
  return TRUE;
}

static void
add_amounts (FpJson *json,
             const FpSection *section)
{
  for (guint i = 0; i < N_AMOUNTS; i++)
    fp_json_add_bytes (json, amounts[i].id, G_STRUCT_MEMBER (const guint64, section, amounts[i].offset));
}

gboolean
fp_cli_sections_print_json (const FpCliView *view,
                            gboolean pretty,
                            GString *out,
                            GError **error)
{
  g_autoptr (FpSections) sections = read_sections (view, error);
  FpJson json = { out, pretty, TRUE, 0 };
  FpSection sum;

  if (!sections)
    return FALSE;
  fp_json_begin_object (&json, NULL);
  fp_json_add_number (&json, "schema", 1);
  fp_json_add_text (&json, "file", view->options->sections);
  fp_json_begin_array (&json, "sections");
  for (guint i = 0; i < sections->sections->len; i++)
    {
      const FpSection *section = get_section (sections, i);

      fp_json_begin_object (&json, NULL);
      fp_json_add_text (&json, "section", *section->place.name ? section->place.name : NULL);
      fp_json_add_text (&json, "kind", fp_section_kind_infos[section->place.kind].id);
      add_amounts (&json, section);
      fp_json_end_object (&json);
    }
  fp_json_end_array (&json);
  sum = fp_sections_sum_up (sections, 0);
  fp_json_begin_object (&json, "total");
  add_amounts (&json, &sum);
  fp_json_end_object (&json);
  fp_json_end_object (&json);
  g_string_append_c (out, '\n');
  return TRUE;
}
