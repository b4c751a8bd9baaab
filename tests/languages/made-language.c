// SPDX-License-Identifier: GPL-3.0-or-later
#include <locale.h>
#include <string.h>

#include "made-language.h"

#define BEGIN 0x27e6 /* ⟦ */
#define END   0x27e7 /* ⟧ */

struct _MadeLanguage
{
  GHashTable *given;
};

/* Names, units and what is typed are the same in all languages; GLib, GTK and libadwaita have translations of their own. */
static const char known[] = "Footprint footprint cli Flatpak flatpak Snap PID KiB MiB GiB TiB PSS USS RSS CSV JSON "
                            "firefox user:ada swap override --user --talk-name=org.freedesktop.Flatpak io.github.footprint_app.Footprint "
                            "Ctrl Alt Shift Return Delete entry None Shortcuts All "
                            "free top smem systemd cgtop "
                            "Usage OPTION Options Application Help Show help options "
                            "Back Search preferences Close Minimize Maximize Restore Clear Entry Search Results Result Found Try different search vertical horizontal";

/* One in which $LANGUAGE chooses translations, for this process and for those that it starts */
void
made_language_enter_locale (void)
{
  g_setenv ("LOCPATH", g_getenv ("TEST_LOCALES"), TRUE);
  g_setenv ("LC_ALL", "zxx.UTF-8", TRUE);
  g_assert_nonnull (setlocale (LC_ALL, ""));
}

void
made_language_add_words (MadeLanguage *self,
                         const char *text)
{
  g_auto (GStrv) words = g_regex_split_simple ("[^\\p{L}]+", text, G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT);

  for (guint i = 0; words[i]; i++)
    g_hash_table_add (self->given, g_strdup (words[i]));
}

MadeLanguage *
made_language_new (void)
{
  MadeLanguage *self = g_new0 (MadeLanguage, 1);

  self->given = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  made_language_add_words (self, known);
  return self;
}

void
made_language_free (MadeLanguage *self)
{
  g_hash_table_unref (self->given);
  g_free (self);
}

/* Adds all that the program for the terminal says of a machine to other programs. */
void
made_language_add_names (MadeLanguage *self,
                         const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GRegex) value = g_regex_new ("\"((?:[^\"\\\\]|\\\\.)*)\"(\\s*:)?", G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *output = NULL;

  g_ptr_array_add (argv, (gpointer)g_getenv ("FOOTPRINT_CLI"));
  for (; *arguments; arguments++)
    g_ptr_array_add (argv, (gpointer)*arguments);
  g_ptr_array_add (argv, (gpointer) "--json");
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **)argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (output[0], ==, '{');
  for (g_regex_match (value, output, G_REGEX_MATCH_DEFAULT, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *text = g_match_info_fetch (match, 1), *is_key = g_match_info_fetch (match, 2);

      if (!is_key || !*is_key)
        made_language_add_words (self, text);
    }
}

/* Two letters are a unit or a symbol. Returns the first other word; free it. */
static char *
find_other_word (MadeLanguage *self,
                 const char *text)
{
  g_auto (GStrv) words = g_regex_split_simple ("[^\\p{L}]+", text, G_REGEX_DEFAULT, G_REGEX_MATCH_DEFAULT);

  for (guint i = 0; words[i]; i++)
    if (g_utf8_strlen (words[i], -1) > 2 && !g_hash_table_contains (self->given, words[i]))
      return g_strdup (words[i]);
  return NULL;
}

gboolean
made_language_is_given (MadeLanguage *self,
                        const char *text)
{
  g_autofree char *other = find_other_word (self, text);

  return !other;
}

/* Returns a word that is not translated, or the mark that is missing where a translation was cut off. NULL: all is translated;
 * free it */
char *
made_language_find_rest (MadeLanguage *self,
                         const char *text)
{
  g_autoptr (GString) outside = g_string_new (NULL);
  guint depth = 0;

  for (const char *at = text; *at; at = g_utf8_next_char (at))
    {
      gunichar letter = g_utf8_get_char (at);

      if (letter == BEGIN && depth++ == 0)
        g_string_append_c (outside, ' ');
      else if (letter == END && depth > 0)
        depth--;
      else if (depth == 0)
        g_string_append_unichar (outside, letter);
    }
  return depth > 0 ? g_strdup ("⟧") : find_other_word (self, outside->str);
}
