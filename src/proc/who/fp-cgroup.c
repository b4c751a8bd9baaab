// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-cgroup.h"
#include "fp-strings.h"

#define MAX_PATH 4096
#define SHORT_ID 12 /* as docker and podman print ids */

static gboolean
is_id (const char *text,
       gsize length)
{
  if (length < SHORT_ID)
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isxdigit (text[i]))
      return FALSE;
  return TRUE;
}

/* systemd writes "-" as \x2d in unit names. */
static void
unescape (char *text)
{
  char *to = text;

  for (const char *from = text; *from;)
    if (from[0] == '\\' && from[1] == 'x' && g_ascii_isxdigit (from[2]) && g_ascii_isxdigit (from[3]))
      {
        char c = (char)(g_ascii_xdigit_value (from[2]) << 4 | g_ascii_xdigit_value (from[3]));

        *to++ = g_ascii_isprint (c) ? c : '?';
        from += 4;
      }
    else
      *to++ = *from++;
  *to = '\0';
}

static gboolean
cut_suffix (char *text,
            const char *suffix)
{
  if (!g_str_has_suffix (text, suffix))
    return FALSE;
  text[strlen (text) - strlen (suffix)] = '\0';
  return TRUE;
}

/* app[-<launcher>]-<id>-<random>.scope, app[-<launcher>]-<id>[@<random>].service (systemd, "Desktop Environments").
 * A "-" in an id is written \x2d, so one that is left ends the launcher. */
static void
parse_app_unit (FpCgroup *self)
{
  char name[sizeof self->unit];
  char *id = name + strlen ("app-"), *cut;

  g_strlcpy (name, self->unit, sizeof name);
  if (cut_suffix (name, ".scope"))
    {
      if ((cut = strrchr (id, '-')) && cut > id)
        *cut = '\0';
    }
  else if (cut_suffix (name, ".service") && (cut = strrchr (id, '@')))
    *cut = '\0';

  if ((cut = strchr (id, '-')) && cut > id && cut[1])
    id = cut + 1;
  unescape (id);
  fp_text_clean (self->app, sizeof self->app, id, strlen (id));
}

/* snap.<snap>.<app>[{-,.}<uuid>].scope or .service */
static void
parse_snap_unit (FpCgroup *self)
{
  static const gsize uuid_length = sizeof "01234567-0123-0123-0123-0123456789ab" - 1;
  char name[sizeof self->unit];
  char *snap = name + strlen ("snap."), *app;
  gsize length;

  g_strlcpy (name, self->unit, sizeof name);
  if (!cut_suffix (name, ".scope"))
    cut_suffix (name, ".service");
  if (!(app = strchr (snap, '.')))
    return;
  *app++ = '\0';
  length = strlen (app);
  if (length > uuid_length + 1 && g_uuid_string_is_valid (app + length - uuid_length))
    app[length - uuid_length - 1] = '\0';
  if (*app && strcmp (snap, app) != 0)
    app[-1] = '_';
  fp_text_clean (self->app, sizeof self->app, snap, strlen (snap));
}

static void
set_container (FpCgroup *self,
               const char *kind,
               const char *name,
               gsize length)
{
  char clean[64];

  if (is_id (name, length))
    length = SHORT_ID;
  fp_text_clean (clean, sizeof clean, name, length);
  unescape (clean);
  g_snprintf (self->container, sizeof self->container, "%s:%s", kind, clean);
}

/* One component of the path: docker-<id>.scope, libpod-<id>, machine-<name>.scope, lxc.payload.<name>, …
 * libvirt names its machines after the driver; those of QEMU are no containers. */
static void
parse_container (FpCgroup *self,
                 const char *parent,
                 const char *name)
{
  static const struct
  {
    const char *prefix, *kind;
    gboolean is_named;
  } forms[] = {
    { "docker-", "docker", FALSE },
    { "libpod-", "podman", FALSE },
    { "cri-containerd-", "k8s", FALSE },
    { "crio-", "k8s", FALSE },
    { "lxc.payload.", "lxc", TRUE },
    { "systemd-nspawn@", "nspawn", TRUE },
    { "machine-qemu\\x2d", NULL, TRUE },
    { "machine-lxc\\x2d", "lxc", TRUE },
    { "machine-", "nspawn", TRUE },
  };
  gsize length = strlen (name);

  if (g_str_has_suffix (name, ".scope"))
    length -= strlen (".scope");
  else if (g_str_has_suffix (name, ".service"))
    length -= strlen (".service");

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      gsize skip = strlen (forms[i].prefix);

      if (!g_str_has_prefix (name, forms[i].prefix) || length <= skip)
        continue;
      if (forms[i].is_named && length == strlen (name) && name[0] != 'l')
        continue;
      if (forms[i].kind && (forms[i].is_named || is_id (name + skip, length - skip)))
        set_container (self, forms[i].kind, name + skip, length - skip);
      break;
    }
  if (is_id (name, length) && length >= 32 && strcmp (parent, "docker") == 0)
    set_container (self, "docker", name, length);
  else if (is_id (name, length) && length >= 32 && (g_str_has_prefix (parent, "pod") || strstr (parent, "-pod")))
    set_container (self, "k8s", name, length);
  else if (strcmp (parent, "lxc") == 0)
    set_container (self, "lxc", name, length);
}

static void
parse_component (FpCgroup *self,
                 const char *parent,
                 const char *name)
{
  static const char *const unit_suffixes[] = { ".service", ".scope", ".socket", ".mount", ".swap" };

  parse_container (self, parent, name);
  if (g_str_has_suffix (name, ".slice"))
    fp_text_clean (self->slice, sizeof self->slice, name, strlen (name));
  for (guint i = 0; i < G_N_ELEMENTS (unit_suffixes); i++)
    if (g_str_has_suffix (name, unit_suffixes[i]))
      fp_text_clean (self->unit, sizeof self->unit, name, strlen (name));
}

static void
parse_path (FpCgroup *self,
            const char *path,
            gsize length)
{
  char clean[MAX_PATH];
  const char *parent = "";
  char *state = NULL;

  fp_text_clean (clean, sizeof clean, path, length);
  cut_suffix (clean, " (deleted)"); /* removed while the process was in it */
  for (char *name = strtok_r (clean, "/", &state); name; name = strtok_r (NULL, "/", &state))
    {
      parse_component (self, parent, name);
      parent = name;
    }
  if (g_str_has_prefix (self->unit, "app-"))
    parse_app_unit (self);
  else if (g_str_has_prefix (self->unit, "snap."))
    parse_snap_unit (self);
}

static void
set_path (FpCgroup *self,
          const char *path,
          gsize length)
{
  char clean[MAX_PATH];

  fp_text_clean (clean, sizeof clean, path, length);
  if (!cut_suffix (clean, " (deleted)") && strlen (clean) <= FP_CGROUP_MAX_PATH)
    g_strlcpy (self->path, clean, sizeof self->path);
}

/* Lines "id:controllers:path". Version 2 is "0::path"; with version 1 systemd's own hierarchy has the units,
 * and a container is in every one. */
void
fp_cgroup_parse (FpCgroup *self,
                 const char *text,
                 gsize length)
{
  const char *end = text + length, *best = NULL;
  gsize best_length = 0;
  guint best_rank = 0;

  *self = (FpCgroup){ 0 };
  for (const char *line = text; line < end;)
    {
      const char *newline = memchr (line, '\n', end - line);
      const char *line_end = newline ? newline : end;
      const char *controllers = memchr (line, ':', line_end - line);
      const char *path = controllers ? memchr (controllers + 1, ':', line_end - controllers - 1) : NULL;

      if (path && path == line + 2 && line[0] == '0' && line_end - path > 1)
        set_path (self, path + 1, (gsize)(line_end - path - 1));
      if (path && line_end - path > 2)
        {
          gboolean is_systemd = path - controllers == 13 && memcmp (controllers, ":name=systemd:", 14) == 0;
          guint rank = is_systemd ? 3 : path == controllers + 1 ? 2
                                                                : 1;

          if (rank > best_rank)
            {
              best = path + 1;
              best_length = line_end - best;
              best_rank = rank;
            }
        }
      line = newline ? newline + 1 : end;
    }
  if (best)
    parse_path (self, best, best_length);
}
