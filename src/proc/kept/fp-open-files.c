// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "fp-clock.h"
#include "fp-file-state.h"
#include "fp-mounts.h"
#include "fp-open-files.h"
#include "fp-reading.h"
#include "fp-scan.h"
#include "fp-strings.h"

#define MEMFD     "/memfd:"
#define DMABUF    "/dmabuf:"
#define NAME_SIZE 256
#define LINK_SIZE 4200
#define MAX_KEPT  3 /* looks in turn that take the list of mappings over */

guint
fp_file_key_hash (gconstpointer data)
{
  const FpFileKey *key = data;

  return (guint)(key->inode ^ key->inode >> 32) * 31 + (guint)key->device;
}

gboolean
fp_file_key_equal (gconstpointer a,
                   gconstpointer b)
{
  const FpFileKey *x = a, *y = b;

  return x->inode == y->inode && x->device == y->device;
}

static void
file_clear (gpointer data)
{
  g_free (((FpOpenFile *)data)->name);
}

/* Neither asks a server, nor opens or mounts anything: the link may lead to any file system. */
static gboolean
look (int dir,
      const char *path,
      struct statx *status)
{
  return statx (dir, path, AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC, STATX_BASIC_STATS, status) == 0 &&
         S_ISREG (status->stx_mode);
}

static FpFileKey
make_key (const struct statx *status)
{
  return (FpFileKey){ makedev (status->stx_dev_major, status->stx_dev_minor), status->stx_ino };
}

/* A process can have as many descriptors on one thing, or on different ones, as it likes. */
typedef struct
{
  FpOpenFiles *list;
  GHashTable *homes;
  GHashTable *files;
  GHashTable *mapped;
  GHashTable *graphics;
} Look;

static void
add_file (Look *self,
          int fd_dir,
          const char *number,
          const char *link)
{
  FpOpenFile file = { .number = atoi (number) };
  char name[NAME_SIZE];
  struct statx status;

  if (!look (fd_dir, number, &status) || status.stx_nlink != 0)
    return;
  file.key = make_key (&status);
  file.home = (FpFileHome)GPOINTER_TO_INT (g_hash_table_lookup (self->homes, &file.key.device));
  if (file.home == 0 || !g_hash_table_add (self->files, g_memdup2 (&file.key, sizeof file.key)))
    return;
  if ((file.home == FP_HOME_MEMFD || file.home == FP_HOME_HUGE_MEMFD) && g_str_has_prefix (link, MEMFD))
    link += strlen (MEMFD);
  fp_text_clean (name, sizeof name, link, strlen (link) - strlen (FP_DELETED));
  file.name = g_strdup (name);
  file.used = status.stx_blocks * 512;
  g_array_append_val (self->list->files, file);
}

static gboolean
read_graphics (FpOpenGraphics *self,
               int process_dir,
               FpGraphicsKind kind)
{
  g_autofree char *path = g_strdup_printf ("fdinfo/%d", self->number);
  char text[8192];
  gssize length = fp_read_at (process_dir, path, text, sizeof text);

  if (length <= 0)
    return FALSE;
  return kind == FP_GRAPHICS_DRM ? fp_graphics_parse_client (&self->graphics, text, (gsize)length)
                                 : fp_graphics_parse_buffer (&self->graphics, text, (gsize)length);
}

static void
add_graphics (Look *self,
              int process_dir,
              const char *number,
              FpGraphicsKind kind)
{
  FpOpenGraphics entry = { .number = atoi (number) };

  if (!read_graphics (&entry, process_dir, kind))
    self->list->has_silent_client |= kind == FP_GRAPHICS_DRM;
  else if (g_hash_table_add (self->graphics, g_memdup2 (&entry.graphics, sizeof entry.graphics)))
    g_array_append_val (self->list->graphics, entry);
}

static void
add_descriptor (Look *self,
                int process_dir,
                int fd_dir,
                const char *number,
                const char *link)
{
  if (g_str_has_prefix (link, "/dev/dri/") || g_str_has_prefix (link, "/dev/accel/"))
    add_graphics (self, process_dir, number, FP_GRAPHICS_DRM);
  else if (g_str_has_prefix (link, DMABUF))
    add_graphics (self, process_dir, number, FP_GRAPHICS_DMABUF);
  else if (g_str_has_prefix (link, "/dev/nvidia"))
    self->list->has_silent_client = TRUE;
  else if (g_str_has_suffix (link, FP_DELETED))
    add_file (self, fd_dir, number, link);
}

static gboolean
is_refused (void)
{
  return errno == EACCES || errno == EPERM;
}

/* FALSE: they may not be read. The folder opens to its owner and to root, also where the kernel refuses what is in it. */
static gboolean
read_descriptors (Look *self,
                  int process_dir)
{
  int fd_dir = openat (process_dir, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd_dir >= 0 ? fdopendir (fd_dir) : NULL;
  struct dirent *entry;
  gboolean may_read = TRUE;
  char link[LINK_SIZE];
  guint n = 0;

  if (!dir)
    return FALSE;
  while (may_read && !self->list->is_cut && (entry = readdir (dir)))
    {
      if (!g_ascii_isdigit (entry->d_name[0]))
        continue;
      self->list->is_cut = n++ == FP_OPEN_FILES_MAX;
      if (self->list->is_cut)
        continue;
      if (fp_read_link_at (fd_dir, entry->d_name, link, sizeof link) <= 0)
        may_read = !is_refused ();
      else if (link[0] == '/')
        add_descriptor (self, process_dir, fd_dir, entry->d_name, link);
    }
  closedir (dir);
  return may_read;
}

static void
add_by_text (Look *self,
             int process_dir,
             const char *number)
{
  FpOpenGraphics client = { .number = atoi (number) }, buffer = client;
  g_autofree char *path = g_strdup_printf ("fdinfo/%s", number);
  const FpOpenGraphics *entry = NULL;
  char text[8192];
  gssize length = fp_read_at (process_dir, path, text, sizeof text);

  if (length <= 0)
    return;
  if (fp_graphics_parse_client (&client.graphics, text, (gsize)length))
    entry = &client;
  else if (g_strstr_len (text, length, "drm-driver:"))
    self->list->has_silent_client = TRUE;
  else if (fp_graphics_parse_buffer (&buffer.graphics, text, (gsize)length))
    entry = &buffer;
  if (entry && g_hash_table_add (self->graphics, g_memdup2 (&entry->graphics, sizeof entry->graphics)))
    g_array_append_val (self->list->graphics, *entry);
}

/* Since Linux 5.14 the texts open to CAP_SYS_PTRACE, and the links never do. FALSE: they may not be read. */
static gboolean
read_texts (Look *self,
            int process_dir)
{
  int fd = openat (process_dir, "fdinfo", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  struct dirent *entry;
  guint n = 0;

  if (!dir)
    return FALSE;
  while (!self->list->is_cut && (entry = readdir (dir)))
    {
      if (!g_ascii_isdigit (entry->d_name[0]))
        continue;
      self->list->is_cut = n++ == FP_OPEN_FILES_MAX;
      if (!self->list->is_cut)
        add_by_text (self, process_dir, entry->d_name);
    }
  closedir (dir);
  return TRUE;
}

/* "7f0000000000-7f0000001000 rw-s 00000000 00:01 1234    /memfd:name (deleted)" */
static void
add_mapping (gpointer data,
             const char *line,
             const char *end)
{
  Look *self = data;
  GArray *mapped = self->list->mapped;
  unsigned device_major, device_minor;
  FpFileKey key;

  if ((gsize)(end - line) <= strlen (FP_DELETED) || memcmp (end - strlen (FP_DELETED), FP_DELETED, strlen (FP_DELETED)) != 0)
    return;
  if (sscanf (line, "%*x-%*x %*s %*x %x:%x %" G_GUINT64_FORMAT, &device_major, &device_minor, &key.inode) != 3)
    return;
  key.device = makedev (device_major, device_minor);
  if (mapped->len == FP_OPEN_FILES_MAX)
    self->list->is_cut = TRUE;
  else if (g_hash_table_add (self->mapped, g_memdup2 (&key, sizeof key)))
    g_array_append_val (mapped, key);
}

/* FALSE: they may not be read. */
static gboolean
read_mappings (Look *self,
               const FpProcDir *proc,
               gint pid)
{
  g_auto (FpFd) fd = fp_proc_dir_open_file (proc, pid, "maps");

  if (fd < 0)
    return !is_refused ();
  errno = 0;
  if (fp_read_lines (fd, add_mapping, self))
    return TRUE;
  self->list->is_cut |= errno == 0;
  return !is_refused ();
}

static FpMappedSizes
read_sizes (int process_dir)
{
  char text[4096];
  gssize length = fp_read_record_at (process_dir, "status", text, sizeof text);
  const char *cursor = text;
  FpMappedSizes sizes = { 0 };
  FpLine line;

  while (length > 0 && fp_scan_line (&cursor, text + length, &line))
    {
      if (fp_line_has_key (&line, "VmSize"))
        sizes.whole = line.has_value ? line.value : 0;
      else if (fp_line_has_key (&line, "RssShmem"))
        sizes.shared = line.has_value ? line.value : 0;
    }
  return sizes;
}

/* A process without shared pages maps none of these files, and its long list of mappings need not be read. It is the same as
 * before where both sizes are; as something may be mapped in the place of something else, it is read now and then all the
 * same. FALSE: they may not be read. */
static gboolean
find_mapped (Look *self,
             const FpProcDir *proc,
             gint pid,
             int process_dir,
             const FpOpenFiles *before)
{
  FpOpenFiles *list = self->list;

  list->sizes = read_sizes (process_dir);
  if (list->sizes.shared == 0)
    return TRUE;
  if (!before || before->is_cut || before->n_kept == MAX_KEPT || before->sizes.whole != list->sizes.whole ||
      before->sizes.shared != list->sizes.shared)
    return read_mappings (self, proc, pid);
  g_array_append_vals (list->mapped, before->mapped->data, before->mapped->len);
  list->n_kept = before->n_kept + 1;
  return TRUE;
}

/* NULL: they may not be read. */
static FpOpenFiles *
read_files (const FpProcDir *proc,
            gint pid,
            int process_dir,
            GHashTable *homes,
            const FpOpenFiles *before)
{
  FpOpenFiles *list = g_new0 (FpOpenFiles, 1);
  g_autoptr (GHashTable) files = g_hash_table_new_full (fp_file_key_hash, fp_file_key_equal, g_free, NULL);
  g_autoptr (GHashTable) mapped = g_hash_table_new_full (fp_file_key_hash, fp_file_key_equal, g_free, NULL);
  g_autoptr (GHashTable) graphics = g_hash_table_new_full (fp_graphics_hash, fp_graphics_equal, g_free, NULL);
  Look self = { list, homes, files, mapped, graphics };

  list->files = g_array_new (FALSE, FALSE, sizeof (FpOpenFile));
  list->mapped = g_array_new (FALSE, FALSE, sizeof (FpFileKey));
  list->graphics = g_array_new (FALSE, FALSE, sizeof (FpOpenGraphics));
  g_array_set_clear_func (list->files, file_clear);
  if (homes ? !read_descriptors (&self, process_dir) || !find_mapped (&self, proc, pid, process_dir, before)
            : !read_texts (&self, process_dir))
    {
      fp_open_files_free (list);
      return NULL;
    }
  return list;
}

void
fp_open_files_free (FpOpenFiles *self)
{
  g_array_unref (self->files);
  g_array_unref (self->mapped);
  g_array_unref (self->graphics);
  g_free (self);
}

typedef struct
{
  FpReading reading;
  GHashTable *homes;   /* (nullable): a reference */
  FpOpenFiles *before; /* (nullable) */
  FpOpenFilesLook look;
} Inquiry;

static void
inquiry_free (gpointer data)
{
  Inquiry *self = data;

  g_clear_pointer (&self->homes, g_hash_table_unref);
  g_clear_pointer (&self->before, fp_open_files_free);
  g_clear_pointer (&self->look.files, fp_open_files_free);
  fp_reading_free (self);
}

/* Kernel threads have no files; anyone's may be known by their state, but only root could look for their files. */
static void
inquire (gpointer data)
{
  Inquiry *self = data;
  const FpProcDir *proc = &self->reading.proc;
  gint pid = self->reading.id.pid;
  g_auto (FpFd) dir = fp_proc_dir_open_process (proc, pid);
  FpStat stat;

  if (dir < 0 || !fp_stat_read_any (&stat, proc, pid) || stat.is_kernel_thread || fp_stat_is_zombie (&stat))
    return;
  if (self->reading.id.start_ticks != stat.start_ticks)
    g_clear_pointer (&self->before, fp_open_files_free);
  self->look.start_ticks = stat.start_ticks;
  self->look.mount_namespace = fp_mounts_get_namespace (dir);
  self->look.files = read_files (proc, pid, dir, self->homes, self->before);
  self->look.is_closed = !self->look.files && fp_stat_read_any (&stat, proc, pid) && !fp_stat_is_zombie (&stat);
}

void
fp_open_files_look (FpOpenFilesLook *look,
                    const FpProcDir *proc,
                    const FpProcessId *id,
                    GHashTable *homes,
                    FpOpenFiles *before)
{
  Inquiry *inquiry = fp_reading_new (sizeof *inquiry, proc, id);

  inquiry->homes = homes ? g_hash_table_ref (homes) : NULL;
  inquiry->before = before;
  *look = (FpOpenFilesLook){ .is_closed = TRUE };
  if (!fp_reading_await (inquiry, inquire, inquiry_free))
    return;
  *look = inquiry->look;
  inquiry->look.files = NULL;
  inquiry_free (inquiry);
}

/* FALSE: the descriptor is another file's now, or is closed. */
static gboolean
update_file (FpOpenFile *self,
             int process_dir)
{
  struct statx status;
  char path[32];
  FpFileKey key;

  g_snprintf (path, sizeof path, "fd/%d", self->number);
  if (!look (process_dir, path, &status))
    return FALSE;
  key = make_key (&status);
  self->used = status.stx_blocks * 512;
  return fp_file_key_equal (&key, &self->key);
}

static gboolean
update_graphics (FpOpenGraphics *self,
                 int process_dir)
{
  FpOpenGraphics now = { .number = self->number };

  if (!read_graphics (&now, process_dir, self->graphics.kind) || !fp_graphics_is_same (&now.graphics, &self->graphics))
    return FALSE;
  *self = now;
  return TRUE;
}

typedef struct
{
  FpReading reading;
  FpOpenFiles *files;
  GArray *known;     /* gboolean of each file */
  guint64 budget_us; /* 0: no limit */
  guint first;       /* all from this one on are up to date */
  gboolean has_changed;
} Update;

static void
update_free (gpointer data)
{
  Update *self = data;

  g_clear_pointer (&self->files, fp_open_files_free);
  g_array_unref (self->known);
  fp_reading_free (self);
}

static void
update (gpointer data)
{
  Update *self = data;
  g_auto (FpFd) dir = fp_proc_dir_open_process (&self->reading.proc, self->reading.id.pid);
  GArray *files = self->files->files, *graphics = self->files->graphics;
  guint64 end_us = self->budget_us ? fp_clock_us (CLOCK_THREAD_CPUTIME_ID) + self->budget_us : G_MAXUINT64;
  FpStat stat;

  self->first = files->len;
  self->has_changed = dir < 0 || !fp_stat_read (&stat, &self->reading.proc, &self->reading.id);
  if (self->has_changed)
    return;
  while (self->first > 0 && fp_clock_us (CLOCK_THREAD_CPUTIME_ID) <= end_us)
    {
      guint i = --self->first;

      if (g_array_index (self->known, gboolean, i) || update_file (&g_array_index (files, FpOpenFile, i), dir))
        continue;
      g_array_remove_index_fast (files, i);
      self->has_changed = TRUE;
    }
  for (guint i = graphics->len; i-- > 0 && fp_clock_us (CLOCK_THREAD_CPUTIME_ID) <= end_us;)
    if (!update_graphics (&g_array_index (graphics, FpOpenGraphics, i), dir))
      {
        g_array_remove_index_fast (graphics, i);
        self->has_changed = TRUE;
      }
}

/* Reads their figures anew. known: the FpFileKey of those that need not be read; budget_us: of CPU time, or 0; first: (out): all
 * from this one on are up to date. FALSE: it has others now, or none (NULL) because it does not answer */
gboolean
fp_open_files_update (FpOpenFiles **self,
                      const FpProcDir *proc,
                      const FpProcessId *id,
                      GHashTable *known,
                      guint64 budget_us,
                      guint *first)
{
  Update *reading = fp_reading_new (sizeof *reading, proc, id);
  gboolean has_changed;

  reading->known = g_array_new (FALSE, FALSE, sizeof (gboolean));
  for (guint i = 0; i < (*self)->files->len; i++)
    {
      gboolean is_known = g_hash_table_contains (known, &g_array_index ((*self)->files, FpOpenFile, i).key);

      g_array_append_val (reading->known, is_known);
    }
  reading->files = g_steal_pointer (self);
  reading->budget_us = budget_us;
  *first = 0;
  if (!fp_reading_await (reading, update, update_free))
    return FALSE;
  *self = g_steal_pointer (&reading->files);
  *first = reading->first;
  has_changed = reading->has_changed;
  update_free (reading);
  return !has_changed;
}
