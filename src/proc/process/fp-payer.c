// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <linux/nsfs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "fp-file-state.h"
#include "fp-payer.h"
#include "fp-scan.h"

#define MAX_NAMESPACES 32 /* the kernel nests no deeper */
#define OWN_NAMESPACE  "/proc/self/ns/user"
#define SUBORDINATES   "/etc/subuid"
#define ID_MASK        0xffffu /* people and services have no greater ones, and containers as many */

/* Sets maker to the user who made the namespace that is directly within ours and has the process in it; takes the
 * descriptor. */
static FpUserNamespace
find_maker (int namespace,
            guint32 *maker)
{
  struct stat ours, st;
  uid_t uid;

  if (stat (OWN_NAMESPACE, &ours) != 0)
    ours.st_ino = 0;
  for (guint i = 0; i < MAX_NAMESPACES && namespace >= 0; i++)
    {
      g_auto (FpFd) child = namespace;

      namespace = ioctl (child, NS_GET_PARENT);
      if (namespace < 0 || fstat (namespace, &st) != 0 || st.st_dev != ours.st_dev || st.st_ino != ours.st_ino)
        continue;
      close (namespace);
      if (ioctl (child, NS_GET_OWNER_UID, &uid) != 0)
        return FP_USER_NAMESPACE_UNKNOWN;
      *maker = uid;
      return FP_USER_NAMESPACE_WITHIN_OURS;
    }
  if (namespace >= 0)
    close (namespace);
  return FP_USER_NAMESPACE_UNKNOWN;
}

/* Most processes are in ours, which is found out without opening anything. */
FpUserNamespace
fp_user_namespace_find (int process_dir,
                        guint32 *maker)
{
  if (fp_file_is_at (process_dir, "ns/user", OWN_NAMESPACE))
    return FP_USER_NAMESPACE_OURS;
  return find_maker (openat (process_dir, "ns/user", O_RDONLY | O_CLOEXEC), maker);
}

/* The text is that of subuid(5): NAME:FIRST:COUNT. All ranges of a name count as the first one of them. */
gboolean
fp_payer_find_range (const char *subordinates,
                     guint32 uid,
                     guint32 *first)
{
  g_auto (GStrv) lines = g_strsplit (subordinates, "\n", -1);
  g_autoptr (GHashTable) firsts = g_hash_table_new (g_str_hash, g_str_equal);

  for (char **line = lines; *line; line++)
    {
      char *start = strchr (*line, ':'), *count = start ? strchr (start + 1, ':') : NULL;
      guint64 begin = start ? g_ascii_strtoull (start + 1, NULL, 10) : 0;
      gpointer known;

      if (!count || begin == 0)
        continue;
      *start = '\0';
      if (!g_hash_table_lookup_extended (firsts, *line, NULL, &known))
        g_hash_table_insert (firsts, *line, known = GSIZE_TO_POINTER (begin));
      if (uid < begin || uid - begin >= g_ascii_strtoull (count + 1, NULL, 10))
        continue;
      *first = (guint32)GPOINTER_TO_SIZE (known);
      return TRUE;
    }
  return FALSE;
}

/* Through a file with the set-user-ID bit a subordinate user has processes in our namespace, too, and makes others from there. */
guint32
fp_payer_find_superior (guint32 uid)
{
  g_autofree char *text = NULL;
  guint32 first;

  if (uid > ID_MASK && g_file_get_contents (SUBORDINATES, &text, NULL, NULL) && fp_payer_find_range (text, uid, &first))
    return first;
  return uid;
}

/* The folder of a process that may not be dumped is root's, so its status is asked. A program that its file gives to root
 * still does what the user likes who started it. */
static guint32
find_uid (const char *status,
          gsize length)
{
  const char *cursor = status, *end = status + length;
  FpLine line;

  while (fp_scan_line (&cursor, end, &line))
    if (fp_line_has_key (&line, "Uid"))
      {
        const char *ids = line.text;
        guint64 real = fp_scan_number (&ids, end), effective;

        ids = fp_scan_blanks (ids, end);
        effective = fp_scan_number (&ids, end);
        return (guint32)(effective != 0 ? effective : real);
      }
  return 0;
}

static guint32
read_uid (int process_dir)
{
  char text[8192];
  gssize length = fp_read_record_at (process_dir, "status", text, sizeof text);

  return find_uid (text, (gsize)MAX (length, 0));
}

/* Root makes namespaces for containers, whose user IDs are next to each other. */
static guint32
find_for (guint32 uid,
          int process_dir)
{
  guint32 maker;

  if (uid == 0)
    return 0;
  if (fp_user_namespace_find (process_dir, &maker) != FP_USER_NAMESPACE_WITHIN_OURS)
    return fp_payer_find_superior (uid);
  if (maker != 0)
    return fp_payer_find_superior (maker);
  return uid > ID_MASK ? uid & ~ID_MASK : uid;
}

guint32
fp_payer_find (int process_dir)
{
  return find_for (read_uid (process_dir), process_dir);
}

/* The caller takes more from the text of status: between two readings the process can get another user. */
guint32
fp_payer_find_in (const char *status,
                  gsize length,
                  int process_dir)
{
  return find_for (find_uid (status, length), process_dir);
}

gboolean
fp_folder_read (FpFolder *self,
                const FpProcDir *proc,
                gint pid)
{
  struct stat st;
  char name[16];

  g_snprintf (name, sizeof name, "%d", pid);
  if (fstatat (proc->fd, name, &st, 0) != 0)
    return FALSE;
  *self = (FpFolder){ st.st_uid, st.st_ino };
  return TRUE;
}

/* The user as far as known without waiting for the process, so that any thread may ask. The kernel looks up the owner of a folder
 * (pid_getattr) and writes status (proc_pid_status) under spin locks alone. It waits neither for the lock of its memory nor, as
 * for a namespace since 6.18.40, for the end of an exec. */
guint32
fp_payer_guess (FpPayer *self,
                const FpProcDir *proc,
                gint pid)
{
  g_auto (FpFd) dir = -1;
  FpFolder folder;
  guint32 owner;

  if (!fp_folder_read (&folder, proc, pid) || (self->is_known && self->owner == folder.owner))
    return self->uid;
  owner = folder.owner;
  if (owner == 0 && (dir = fp_proc_dir_open_process (proc, pid)) >= 0)
    owner = read_uid (dir);
  /* Root is nobody else, wherever it is. */
  if (owner == 0)
    *self = (FpPayer){ 0, 0, TRUE };
  return fp_payer_find_superior (owner);
}

/* A folder belongs to the effective user. Its status, which takes ten times as long to read, says more only of root's and of
 * those in other namespaces. */
static guint32
find_from_folder (int process_dir,
                  guint32 owner)
{
  guint32 maker;

  if (owner != 0 && fp_user_namespace_find (process_dir, &maker) == FP_USER_NAMESPACE_OURS)
    return fp_payer_find_superior (owner);
  return fp_payer_find (process_dir);
}

/* The same as fp_payer_find, for a process that is asked about again and again. */
guint32
fp_payer_check (FpPayer *self,
                const FpProcDir *proc,
                gint pid)
{
  g_auto (FpFd) dir = -1;
  FpFolder folder;

  if (!fp_folder_read (&folder, proc, pid) || (self->is_known && self->owner == folder.owner))
    return self->uid;
  if ((dir = fp_proc_dir_open_process (proc, pid)) >= 0)
    *self = (FpPayer){ folder.owner, find_from_folder (dir, folder.owner), TRUE };
  return self->uid;
}
