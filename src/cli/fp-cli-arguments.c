// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-cli-arguments.h"

static gboolean
takes_value (const GOptionEntry *entry)
{
  return entry->long_name && entry->arg != G_OPTION_ARG_NONE;
}

static const GOptionEntry *
find_long (const GOptionEntry *entries,
           const char *name)
{
  while (entries->long_name && strcmp (entries->long_name, name) != 0)
    entries++;
  return entries;
}

static const GOptionEntry *
find_short (const GOptionEntry *entries,
            char letter)
{
  while (entries->long_name && entries->short_name != letter)
    entries++;
  return entries;
}

/* Cuts "-rw1" into "-rw" and "1". Returns whether the next argument is the value of this one. */
static gboolean
split_letters (const char *argument,
               const GOptionEntry *entries,
               GPtrArray *split)
{
  for (const char *letter = argument + 1; *letter; letter++)
    if (takes_value (find_short (entries, *letter)))
      {
        g_ptr_array_add (split, g_strndup (argument, (gsize)(letter + 1 - argument)));
        if (!letter[1])
          return TRUE;
        g_ptr_array_add (split, g_strdup (letter + 1));
        return FALSE;
      }
  g_ptr_array_add (split, g_strdup (argument));
  return FALSE;
}

/* GOption does not know values that follow their letter without a blank, as in -w1. Free with g_strfreev(). */
char **
fp_cli_arguments_split (char **argv,
                        const GOptionEntry *entries)
{
  GPtrArray *split = g_ptr_array_new ();
  gboolean is_value = TRUE; /* argv[0] is no option, either */

  for (; *argv && (is_value || strcmp (*argv, "--") != 0); argv++)
    {
      if (!is_value && (*argv)[0] == '-' && (*argv)[1] && (*argv)[1] != '-')
        {
          is_value = split_letters (*argv, entries, split);
          continue;
        }
      is_value = !is_value && g_str_has_prefix (*argv, "--") && takes_value (find_long (entries, *argv + 2));
      g_ptr_array_add (split, g_strdup (*argv));
    }
  for (; *argv; argv++)
    g_ptr_array_add (split, g_strdup (*argv));
  g_ptr_array_add (split, NULL);
  return (char **)g_ptr_array_free (split, FALSE);
}
