// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-tmpfs-words.h"

#define MINUTE ((gint64)60)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define MONTH  (30 * DAY)
#define YEAR   (365 * DAY)

/* Clocks differ, and a file may have been given any date. Free the text. */
char *
fp_tmpfs_describe_age (gint64 modified_s,
                       gint64 now_s)
{
  gint64 age = now_s - modified_s;

  if (age < -MINUTE)
    return g_strdup (_ ("dated in the future"));
  if (age < MINUTE)
    return g_strdup (_ ("changed just now"));
  if (age < HOUR)
    return g_strdup_printf (ngettext ("changed %u minute ago", "changed %u minutes ago", (gulong)(age / MINUTE)), (guint)(age / MINUTE));
  if (age < DAY)
    return g_strdup_printf (ngettext ("changed %u hour ago", "changed %u hours ago", (gulong)(age / HOUR)), (guint)(age / HOUR));
  if (age < 2 * MONTH)
    return g_strdup_printf (ngettext ("changed %u day ago", "changed %u days ago", (gulong)(age / DAY)), (guint)(age / DAY));
  if (age < 2 * YEAR)
    return g_strdup_printf (ngettext ("changed %u month ago", "changed %u months ago", (gulong)(age / MONTH)), (guint)(age / MONTH));
  return g_strdup_printf (ngettext ("changed %u year ago", "changed %u years ago", (gulong)(age / YEAR)), (guint)(age / YEAR));
}

static gboolean
is_plain (const char *path)
{
  for (; *path; path++)
    if (!g_ascii_isalnum (*path) && !strchr ("/._-+,:@%=", *path) && !((guchar)*path & 0x80))
      return FALSE;
  return TRUE;
}

static gboolean
has_control (const char *path)
{
  for (; *path; path = g_utf8_next_char (path))
    if (g_unichar_iscntrl (g_utf8_get_char (path)))
      return TRUE;
  return FALSE;
}

/* Writes a path that a shell takes as it is, whatever signs a program has put into the name. A name that is no text, or has
 * signs that do something in a terminal, is spelt with escapes. Free the text. */
char *
fp_tmpfs_quote_path (const char *path)
{
  g_autofree char *escaped = NULL;
  g_autoptr (GString) text = NULL;

  if (g_utf8_validate (path, -1, NULL) && !has_control (path))
    return is_plain (path) ? g_strdup (path) : g_shell_quote (path);
  escaped = g_strescape (path, NULL);
  text = g_string_new (escaped);
  g_string_replace (text, "'", "\\'", 0);
  return g_strdup_printf ("$'%s'", text->str);
}

/* "1.2 GiB in 345 files". Free the text. */
char *
fp_tmpfs_describe_files (const FpTmpfsFiles *files,
                         const FpFormat *format)
{
  const gboolean is_all = files->is_whole && files->n_closed + files->n_too_deep == 0;
  guint64 bytes = files->seen + files->not_seen;
  char size[FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, files->has_used || is_all ? fp_figure_exact (bytes) : fp_figure_at_least (bytes), size);
  if (!is_all)
    /* Translators: an amount of memory, and a number */
    return g_strdup_printf (ngettext ("%s in at least %u file", "%s in at least %u files", files->n_files), size, files->n_files);
  if (files->not_seen > 0)
    /* Translators: an amount of memory, not all of it in these files, and a number */
    return g_strdup_printf (ngettext ("%s · %u file seen", "%s · %u files seen", files->n_files), size, files->n_files);
  /* Translators: an amount of memory, and a number */
  return g_strdup_printf (ngettext ("%s in %u file", "%s in %u files", files->n_files), size, files->n_files);
}

static void
add_file (FpMachineItems *items,
          const FpTmpfsFile *file,
          gint64 now_s)
{
  FpMachineItem *item = fp_machine_items_add (items, file->path, fp_figure_exact (file->used));
  g_autofree char *age = fp_tmpfs_describe_age (file->modified_s, now_s);
  g_autofree char *number = g_strdup_printf (_ ("user %u"), file->uid);

  item->remark = g_strdup_printf ("%s · %s", file->owner ? file->owner : number, age);
}

static char *
explain_unseen (const FpTmpfsFiles *files)
{
  const guint n_missed = files->n_closed + files->n_too_deep;

  if (!files->is_whole)
    return g_strdup_printf (_ ("There are too many files and folders to look at; these are the biggest of the first %u"), files->n_found);
  if (n_missed == 0)
    return g_strdup (_ ("Deleted files that a program still holds open"));
  if (files->n_closed == 0)
    return g_strdup_printf (ngettext ("In %u folder that is too deep to be opened, or deleted files that a program still holds open",
                                      "In %u folders that are too deep to be opened, or deleted files that a program still holds open",
                                      n_missed),
                            n_missed);
  if (files->n_too_deep > 0)
    return g_strdup_printf (ngettext ("In %u folder that is closed to you or too deep to be opened, or deleted files that a program still holds open",
                                      "In %u folders that are closed to you or too deep to be opened, or deleted files that a program still holds open",
                                      n_missed),
                            n_missed);
  return g_strdup_printf (ngettext ("In %u folder that you may not open, or deleted files that a program still holds open",
                                    "In %u folders that you may not open, or deleted files that a program still holds open",
                                    files->n_closed),
                          files->n_closed);
}

FpMachineItems *
fp_tmpfs_list_items (const FpTmpfsFiles *files,
                     gint64 now_s)
{
  FpMachineItems *items = fp_machine_items_new ();
  gboolean may_miss = !files->is_whole || files->n_closed + files->n_too_deep > 0;
  guint n_smaller = files->n_files - files->files->len;
  guint64 shown = 0;

  for (guint i = 0; i < files->files->len; i++)
    {
      const FpTmpfsFile *file = &g_array_index (files->files, FpTmpfsFile, i);

      add_file (items, file, now_s);
      shown += file->used;
    }
  if (n_smaller > 0)
    {
      g_autofree char *name = g_strdup_printf (ngettext ("%u smaller file", "%u smaller files", n_smaller), n_smaller);

      fp_machine_items_add (items, name, fp_figure_exact (files->seen - MIN (files->seen, shown)));
    }
  if (files->not_seen > 0 || (!files->has_used && may_miss))
    fp_machine_items_add (items, _ ("Not seen"), files->has_used ? fp_figure_exact (files->not_seen) : (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 })->remark =
        explain_unseen (files);
  return items;
}
