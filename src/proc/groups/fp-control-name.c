// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-cgroup.h"
#include "fp-control-name.h"
#include "fp-strings.h"

static const struct
{
  const char *suffix;
  FpControlKind kind;
} unit_kinds[] = {
  { ".slice", FP_CONTROL_KIND_SLICE },
  { ".service", FP_CONTROL_KIND_SERVICE },
  { ".scope", FP_CONTROL_KIND_SCOPE },
};

static void
parse_cgroup (FpCgroup *cgroup,
              const char *path,
              gsize length)
{
  g_autofree char *line = g_strdup_printf ("0::%.*s", (int)length, path);

  fp_cgroup_parse (cgroup, line, strlen (line));
}

/* systemd writes a byte that a unit's name may not have as \xNN. One of a control character stays written so: its owner
 * chose the name, and others see it on their terminals. */
static gsize
unescape (char *text,
          gsize length)
{
  gsize used = 0;

  for (gsize i = 0; i < length; used++)
    {
      const gboolean is_escaped = length - i >= 4 && text[i] == '\\' && text[i + 1] == 'x' &&
                                  g_ascii_isxdigit (text[i + 2]) && g_ascii_isxdigit (text[i + 3]);
      const char c =
          is_escaped ? (char)(g_ascii_xdigit_value (text[i + 2]) << 4 | g_ascii_xdigit_value (text[i + 3])) : '\0';

      text[used] = g_ascii_iscntrl (c) ? text[i] : c;
      i += g_ascii_iscntrl (c) ? 1 : 4;
    }
  return used;
}

/* The kernel allows all control characters but a newline in a group's name. */
static void
set_plain_text (FpControlName *self,
                const char *text,
                gsize length)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  for (gsize i = 0; i < length; i++)
    if (g_ascii_iscntrl (text[i]))
      g_string_append_printf (plain, "\\x%02x", (guint)text[i]);
    else
      g_string_append_c (plain, text[i]);
  fp_text_clean (self->text, sizeof self->text, plain->str, plain->len);
}

static void
set_text (FpControlName *self,
          const char *text,
          gsize length)
{
  g_autofree char *copy = g_strndup (text, length);

  set_plain_text (self, copy, unescape (copy, length));
}

static gboolean
parse_uid (const char *name,
           guint32 *uid)
{
  const char *number = g_str_has_prefix (name, "user-") ? name + strlen ("user-") : "";
  guint64 value;
  char *end;

  if (!g_ascii_isdigit (*number))
    return FALSE;
  value = g_ascii_strtoull (number, &end, 10);
  if (strcmp (end, ".slice") != 0 || value >= G_MAXUINT32)
    return FALSE;
  *uid = (guint32)value;
  return TRUE;
}

/* A user may make groups of any name in his own tree, and a container in its own, but only systemd makes those of
 * users below the top. */
static gboolean
is_among_users (const char *path,
                const char *name,
                const char *root)
{
  const gsize skip = strcmp (root, "/") != 0 && g_str_has_prefix (path, root) ? strlen (root) : 0;
  static const char users[] = "/user.slice/";

  return g_str_has_prefix (path + skip, users) && path + skip + strlen (users) == name;
}

static void
parse_unit (FpControlName *self,
            const char *name,
            const char *app)
{
  const gsize length = strlen (name);

  set_text (self, name, length);
  for (guint i = 0; i < G_N_ELEMENTS (unit_kinds); i++)
    if (g_str_has_suffix (name, unit_kinds[i].suffix) && length > strlen (unit_kinds[i].suffix))
      {
        self->kind = unit_kinds[i].kind;
        set_text (self, name, length - strlen (unit_kinds[i].suffix));
        if (self->kind != FP_CONTROL_KIND_SLICE && *app)
          {
            self->kind = FP_CONTROL_KIND_APP;
            set_plain_text (self, app, strlen (app));
          }
      }
}

/* A path names the app or container of all groups below it, too; its own they are where its last part adds them. */
void
fp_control_name_parse (FpControlName *self,
                       const char *path,
                       const char *root)
{
  const char *slash = strrchr (path, '/');
  const char *name = slash ? slash + 1 : path;
  FpCgroup own, around;

  *self = (FpControlName){ .kind = FP_CONTROL_KIND_OTHER, .uid = G_MAXUINT32 };
  if (!*name)
    {
      self->kind = FP_CONTROL_KIND_MACHINE;
      g_strlcpy (self->text, "/", sizeof self->text);
      return;
    }
  parse_cgroup (&own, path, strlen (path));
  parse_cgroup (&around, path, (gsize)(name - path));
  parse_unit (self, name, own.app);
  if (is_among_users (path, name, root) && parse_uid (name, &self->uid))
    self->kind = FP_CONTROL_KIND_USER;
  if (*own.container && strcmp (own.container, around.container) != 0)
    {
      const char *colon = strchr (own.container, ':');
      const char *container = colon && colon[1] ? colon + 1 : own.container;

      self->kind = FP_CONTROL_KIND_CONTAINER;
      set_plain_text (self, container, strlen (container));
    }
}
