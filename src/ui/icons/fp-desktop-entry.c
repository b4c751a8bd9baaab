// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "fp-desktop-entry.h"
#include "fp-identity.h"

#define GROUP    G_KEY_FILE_DESKTOP_GROUP
#define MAX_SIZE (1 << 20)

static char *
get_text (GKeyFile *file,
          const char *key)
{
  char *text = g_key_file_get_string (file, GROUP, key, NULL);

  if (text && !*text)
    g_clear_pointer (&text, g_free);
  return text;
}

static gboolean
is_assignment (const char *argument)
{
  const char *end = strpbrk (argument, "=/");

  return end && *end == '=' && end > argument;
}

/* env [-i] [-u NAME] [NAME=VALUE]… */
static char **
skip_env (char **arguments)
{
  for (arguments++; *arguments; arguments++)
    {
      if ((g_str_equal (*arguments, "-u") || g_str_equal (*arguments, "-C")) && arguments[1])
        arguments++;
      else if (**arguments != '-' && !is_assignment (*arguments))
        break;
    }
  return arguments;
}

/* Past what only starts another program. */
static char **
skip_starters (char **arguments)
{
  static const char *const starters[] = { "nohup", "pkexec", "setsid", NULL };

  while (*arguments)
    {
      g_autofree char *name = g_path_get_basename (*arguments);

      if (g_str_equal (name, "env"))
        arguments = skip_env (arguments);
      else if (is_assignment (*arguments) || g_strv_contains (starters, name))
        arguments++;
      else
        break;
    }
  return arguments;
}

/* %U, %f and their like stand for what is opened. */
static gboolean
is_field_code (const char *argument)
{
  return argument[0] == '%' && argument[1] != '\0' && argument[2] == '\0';
}

static char *
name_program (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);

  return fp_identity_is_interpreter (name) ? NULL : g_steal_pointer (&name);
}

static void
take_flatpak (FpDesktopEntry *self,
              char **arguments)
{
  for (; *arguments && **arguments == '-'; arguments++)
    if (g_str_has_prefix (*arguments, "--command=") && !self->program)
      self->program = name_program (*arguments + strlen ("--command="));
  if (*arguments && !self->app)
    self->app = g_strdup (*arguments);
}

/* Named as its process will be: a script by itself, not by its interpreter. */
static void
take_program (FpDesktopEntry *self,
              char **arguments)
{
  g_autoptr (GString) joined = g_string_new (NULL);
  g_autofree char *name = g_path_get_basename (*arguments);
  FpIdentity identity = { 0 };
  guint n = 0;

  for (char **argument = arguments; *argument; argument++)
    if (!is_field_code (*argument))
      {
        g_string_append_len (joined, *argument, (gssize)strlen (*argument) + 1);
        n++;
      }
  g_strlcpy (identity.exe, name, sizeof identity.exe);
  g_strlcpy (identity.comm, name, sizeof identity.comm);
  fp_identity_find_program (&identity, joined->str, joined->len);
  self->has_arguments = n > (fp_identity_is_interpreter (name) ? 2u : 1u);
  if (n == 1 || !fp_identity_is_interpreter (identity.program))
    self->program = g_strdup (identity.program);
}

static void
take_exec (FpDesktopEntry *self,
           const char *exec)
{
  g_auto (GStrv) words = NULL;
  g_autofree char *name = NULL;
  char **arguments;

  if (!exec || !g_shell_parse_argv (exec, NULL, &words, NULL))
    return;
  arguments = skip_starters (words);
  if (!*arguments)
    return;
  name = g_path_get_basename (*arguments);
  if (g_str_equal (name, "flatpak") && g_strcmp0 (arguments[1], "run") == 0)
    take_flatpak (self, arguments + 2);
  else
    take_program (self, arguments);
}

/* A path must be whole: no theme has names with slashes, and what is no file could hold up who draws it. */
static GIcon *
make_icon (const char *text)
{
  g_autofree char *name = NULL;
  g_autoptr (GFile) file = NULL;
  gsize length = strlen (text);

  if (g_path_is_absolute (text))
    {
      file = g_file_new_for_path (text);
      return g_file_test (text, G_FILE_TEST_IS_REGULAR) ? g_file_icon_new (file) : NULL;
    }
  if (strchr (text, '/'))
    return NULL;
  if (g_str_has_suffix (text, ".png") || g_str_has_suffix (text, ".svg") || g_str_has_suffix (text, ".xpm"))
    length -= 4;
  name = g_strndup (text, length);
  return length > 0 ? g_themed_icon_new (name) : NULL;
}

static void
take_keys (FpDesktopEntry *self,
           GKeyFile *file)
{
  g_autofree char *icon = g_key_file_get_locale_string (file, GROUP, G_KEY_FILE_DESKTOP_KEY_ICON, NULL, NULL);
  g_autofree char *exec = get_text (file, G_KEY_FILE_DESKTOP_KEY_EXEC);
  g_autofree char *try_exec = get_text (file, G_KEY_FILE_DESKTOP_KEY_TRY_EXEC);
  g_autofree char *window_class = get_text (file, G_KEY_FILE_DESKTOP_KEY_STARTUP_WM_CLASS);

  self->icon = icon ? make_icon (icon) : NULL;
  if (!self->icon)
    return;
  self->is_displayed = !g_key_file_get_boolean (file, GROUP, G_KEY_FILE_DESKTOP_KEY_NO_DISPLAY, NULL);
  self->app = get_text (file, "X-Flatpak");
  if (!self->app)
    self->app = get_text (file, "X-SnapInstanceName");
  take_exec (self, exec);
  self->try_program = try_exec ? name_program (try_exec) : NULL;
  self->window_class = window_class ? g_utf8_strdown (window_class, -1) : NULL;
}

/* No GDesktopAppInfo: that knows no entry whose program is not in the PATH, as the host's are not in a Flatpak.
 * Without an icon: it is deleted, damaged or has none. */
void
fp_desktop_entry_read (FpDesktopEntry *self,
                       const char *path)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *type = NULL;
  GStatBuf st;

  *self = (FpDesktopEntry){ 0 };
  if (g_stat (path, &st) != 0 || !S_ISREG (st.st_mode) || st.st_size > MAX_SIZE ||
      !g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return;
  type = get_text (file, G_KEY_FILE_DESKTOP_KEY_TYPE);
  if (g_strcmp0 (type, G_KEY_FILE_DESKTOP_TYPE_APPLICATION) == 0 &&
      !g_key_file_get_boolean (file, GROUP, G_KEY_FILE_DESKTOP_KEY_HIDDEN, NULL))
    take_keys (self, file);
}

void
fp_desktop_entry_clear (FpDesktopEntry *self)
{
  g_clear_object (&self->icon);
  g_clear_pointer (&self->program, g_free);
  g_clear_pointer (&self->try_program, g_free);
  g_clear_pointer (&self->window_class, g_free);
  g_clear_pointer (&self->app, g_free);
}
