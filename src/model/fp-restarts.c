// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "fp-display.h"
#include "fp-restarts.h"

#define USERS       "/user.slice/"
#define USER_PREFIX "user-"

/* Finds the processes of which one of the files is outdated, with those that share their memory. */
static gboolean *
find_outdated (const FpRecords *records,
               const guint *indices,
               guint n)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);
  gboolean *outdated = g_new0 (gboolean, files->n_processes + 1);

  for (guint i = 0; i < (indices ? n : files->files->len); i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, indices ? indices[i] : i);
      const FpMappedHolder *holders = fp_mapped_files_get_holders (files, file);

      for (guint j = 0; j < file->n_holders && fp_mapped_file_is_outdated (file); j++)
        outdated[holders[j].process] |= fp_mapped_holder_is_outdated (&holders[j], file);
    }
  for (guint i = 0; i < files->n_processes; i++)
    if (files->owners[i] != FP_MAPPED_NOT_READ)
      outdated[i] |= outdated[files->owners[i]];
  return outdated;
}

static void
restart_free (gpointer data)
{
  g_array_unref (((FpRestart *)data)->pids);
  g_free (data);
}

/* Services are what people restart; else it is the program. */
static const char *
get_name (const FpRestart *self)
{
  return *self->unit ? self->unit : self->program;
}

static guint
restart_hash (gconstpointer data)
{
  return g_str_hash (get_name (data)) * 31 + ((const FpRestart *)data)->uid;
}

static gboolean
restart_equal (gconstpointer a,
               gconstpointer b)
{
  const FpRestart *x = a, *y = b;

  return x->uid == y->uid && x->is_of_user == y->is_of_user && strcmp (x->unit, y->unit) == 0 &&
         strcmp (x->container, y->container) == 0 && (*x->unit || strcmp (x->program, y->program) == 0);
}

static guint
rank (const FpRestart *self)
{
  if (*self->unit && !self->is_of_user)
    return *self->container ? 1 : 0;
  return self->uid == 0 && !self->is_of_user ? 2 : 3;
}

static int
compare_restarts (gconstpointer a,
                  gconstpointer b)
{
  const FpRestart *x = *(const FpRestart *const *)a, *y = *(const FpRestart *const *)b;
  int order = (int)rank (x) - (int)rank (y);

  if (order == 0)
    order = strcmp (get_name (x), get_name (y));
  return order ? order : g_array_index (x->pids, gint, 0) - g_array_index (y->pids, gint, 0);
}

static int
compare_pids (gconstpointer a,
              gconstpointer b)
{
  return *(const gint *)a - *(const gint *)b;
}

/* Says whose slice a control group is in. FALSE: it is in none of a user */
static gboolean
find_user (const char *control_group,
           guint32 *uid)
{
  const char *slice = control_group + strlen (USERS);

  if (!g_str_has_prefix (control_group, USERS))
    return FALSE;
  *uid = G_MAXUINT32;
  if (g_str_has_prefix (slice, USER_PREFIX) && g_ascii_isdigit (slice[strlen (USER_PREFIX)]))
    *uid = (guint32)strtoul (slice + strlen (USER_PREFIX), NULL, 10);
  return TRUE;
}

/* Users call their services as they like, so a program that runs as somebody else there is none of theirs. */
static FpRestart
describe_process (const FpSnapshot *snapshot,
                  const FpProcess *process)
{
  const char *unit = fp_snapshot_get_text (snapshot, process, FP_TEXT_UNIT);
  guint32 owner;
  FpRestart restart = {
    .unit = g_str_has_suffix (unit, ".service") ? unit : "",
    .program = fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM),
    .container = fp_snapshot_get_text (snapshot, process, FP_TEXT_CONTAINER),
    .user = fp_snapshot_get_text (snapshot, process, FP_TEXT_USER),
    .uid = process->uid,
  };

  if (!find_user (fp_snapshot_get_text (snapshot, process, FP_TEXT_CONTROL_GROUP), &owner))
    return restart;
  if (owner != process->uid)
    restart.unit = "";
  restart.is_of_user = *restart.unit || process->uid != 0;
  return restart;
}

static void
add_process (GHashTable *found,
             GPtrArray *restarts,
             const FpSnapshot *snapshot,
             const FpProcess *process)
{
  const FpRestart wanted = describe_process (snapshot, process);
  FpRestart *restart = g_hash_table_lookup (found, &wanted);

  if (!restart)
    {
      restart = g_memdup2 (&wanted, sizeof wanted);
      restart->pids = g_array_new (FALSE, FALSE, sizeof (gint));
      g_hash_table_add (found, restart);
      g_ptr_array_add (restarts, restart);
    }
  g_array_append_val (restart->pids, process->pid);
}

GPtrArray *
fp_restarts_list (const FpRecords *records,
                  const guint *indices,
                  guint n,
                  const FpSnapshot *snapshot,
                  guint *n_processes)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);
  g_autofree gboolean *outdated = find_outdated (records, indices, n);
  g_autoptr (GHashTable) found = g_hash_table_new (restart_hash, restart_equal);
  GPtrArray *restarts = g_ptr_array_new_with_free_func (restart_free);

  *n_processes = 0;
  for (guint i = 0; i < files->n_processes; i++)
    {
      const FpProcess *process = outdated[i] ? fp_snapshot_find_same (snapshot, &files->processes[i].id) : NULL;

      if (!process)
        continue;
      (*n_processes)++;
      add_process (found, restarts, snapshot, process);
    }
  for (guint i = 0; i < restarts->len; i++)
    g_array_sort (((FpRestart *)restarts->pdata[i])->pids, compare_pids);
  g_ptr_array_sort (restarts, compare_restarts);
  return restarts;
}

void
fp_restarts_append_pids (GString *text,
                         const gint *pids,
                         guint n,
                         guint max)
{
  /* With one more than these, its number is as short as saying so. */
  guint n_named = n <= max + 1 ? n : max;

  g_autoptr (GString) list = g_string_new ("PID ");

  for (guint i = 0; i < n_named; i++)
    g_string_append_printf (list, "%s%d", i > 0 ? _ (", ") : "", pids[i]);
  if (n > n_named)
    /* Translators: a list, such as “PID 12, 15”, and how many more there are */
    g_string_append_printf (text, ngettext ("%s and %u more", "%s and %u more", n - n_named), list->str, n - n_named);
  else
    g_string_append (text, list->str);
}

/* A user can call a program or a service of theirs like one of the system's, so that it is said whose it is. A service
 * needs no PID, since it has a name for systemctl. */
static void
append_restart (GString *text,
                const FpRestart *self,
                guint max_pids)
{
  g_autoptr (GString) name = g_string_new (NULL), facts = g_string_new (NULL);

  fp_display_append_name (text, get_name (self));
  if (self->uid != 0 || self->is_of_user)
    {
      fp_display_append_name (name, self->user);
      /* Translators: a user of the machine */
      fp_display_append_item (facts, g_strdup_printf (_ ("user %s"), name->str));
    }
  if (*self->container)
    {
      g_string_truncate (name, 0);
      fp_display_append_name (name, self->container);
      fp_display_append_item (facts, g_strdup_printf (_ ("container %s"), name->str));
    }
  if (!*self->unit && max_pids > 0)
    {
      g_string_truncate (name, 0);
      fp_restarts_append_pids (name, (const gint *)(void *)self->pids->data, self->pids->len, max_pids);
      fp_display_append_item (facts, g_strdup (name->str));
    }
  if (facts->len > 0)
    g_string_append_printf (text, " (%s)", facts->str);
}

char *
fp_restarts_describe (const GPtrArray *self,
                      guint n_processes,
                      guint max_named,
                      guint max_pids,
                      guint *n_more)
{
  guint n_named = self->len <= max_named + 1 ? self->len : max_named;
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < n_named; i++)
    {
      g_string_append (list, i > 0 ? _ (", ") : "");
      append_restart (list, self->pdata[i], max_pids);
    }
  *n_more = self->len - n_named;
  /* Translators: a number, and a list of programs and services to be restarted */
  return g_strdup_printf (ngettext ("%u process uses an old version of files that were updated or deleted. Restart: %s",
                                    "%u processes use old versions of files that were updated or deleted. Restart: %s", n_processes),
                          n_processes, list->str);
}
