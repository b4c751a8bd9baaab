// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-elf.h"
#include "fp-file-copies.h"
#include "fp-snapshot-file.h"
#include "fp-snapshot-mapped.h"

#define MAGIC        "FPMAPPED"
#define SCHEMA       2
#define MAX_FIELDS   64
#define MAX_FIGURE   (G_GUINT64_CONSTANT (1) << 56) /* as in the snapshot */
#define MAX_STRINGS  (1u << 30)
#define ALIGN(size)  (((size) + 7) & ~(gsize)7)
#define FILE_ORIGINS (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING)
#define PIECE_SIZE   (64 * 1024)

/* The block behind the snapshot: header, files with their figures, processes, unread, holders, strings padded
 * to 8 bytes. Twins and numbers of processes follow from the owners. */
typedef struct
{
  char magic[8];
  guint32 schema;
  guint32 n_fields;
  guint32 n_files;
  guint32 n_processes;
  guint32 n_unread;
  guint32 n_holders;
  guint64 measured_us;
  guint64 strings_size;
} Header;

typedef struct
{
  guint64 inode;
  guint64 key[2];
  guint64 present;
  guint32 device_major;
  guint32 device_minor;
  guint32 name; /* in the strings, and so is shown */
  guint32 shown;
  guint32 n_mappings;
  guint32 n_holders;
  guint32 n_users;
  guint8 kind;
  guint8 state;
  guint8 is_updated;
  guint8 reserved;
  /* Since schema 2 */
  guint64 unchanged;
  guint32 build_id; /* in the strings; the empty one where it is not known */
  guint8 is_layered;
  guint8 is_unchanged_bound;
  guint8 reserved_too[2];
} SavedFile;

typedef struct
{
  guint64 start_ticks;
  gint32 pid;
  guint32 uid;
  gint32 shares_with;
  guint32 owner;
} SavedProcess;

typedef struct
{
  guint32 process;
  guint32 is_refused;
} SavedUnread;

typedef struct
{
  guint32 process;
  guint8 is_deleted;
  guint8 is_updated;
  guint8 reserved[2];
  guint32 kib[FP_N_HOLDER_FIGURES]; /* since schema 2 */
} SavedHolder;

static gsize
get_fixed_size (const Header *header)
{
  return header->schema == 1 ? G_STRUCT_OFFSET (SavedFile, unchanged) : sizeof (SavedFile);
}

static gsize
get_file_size (const Header *header)
{
  return get_fixed_size (header) + sizeof (guint64) * header->n_fields;
}

static gsize
get_holder_size (const Header *header)
{
  return header->schema == 1 ? G_STRUCT_OFFSET (SavedHolder, kib) : sizeof (SavedHolder);
}

/* All counts have 32 bits, so that no sum overflows. */
static gsize
get_size (const Header *header)
{
  return sizeof *header + get_file_size (header) * header->n_files + sizeof (SavedProcess) * header->n_processes +
         sizeof (SavedUnread) * header->n_unread + get_holder_size (header) * header->n_holders + ALIGN (header->strings_size);
}

/* The texts of a list, each once, and their places in the block's strings. */
typedef struct
{
  GHashTable *places;
  GPtrArray *list;
  gsize size;
} Texts;

static void
texts_clear (Texts *self)
{
  g_hash_table_unref (self->places);
  g_ptr_array_unref (self->list);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Texts, texts_clear)

/* Behind the limit a name is left out. */
static void
add_text (Texts *self,
          const char *text)
{
  gsize length = strlen (text) + 1;

  if (g_hash_table_contains (self->places, text) || self->size + length > MAX_STRINGS)
    return;
  g_hash_table_insert (self->places, (gpointer)text, GSIZE_TO_POINTER (self->size));
  g_ptr_array_add (self->list, (gpointer)text);
  self->size += length;
}

static void
texts_init (Texts *self,
            const FpMappedFiles *files)
{
  *self = (Texts){ g_hash_table_new (g_str_hash, g_str_equal), g_ptr_array_new (), 0 };
  add_text (self, "");
  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);

      add_text (self, file->name);
      add_text (self, file->shown);
      add_text (self, file->build_id ? file->build_id : "");
    }
}

/* 0: it was left out */
static guint32
find_place (const Texts *self,
            const char *text)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->places, text));
}

static Header
make_header (const FpMappedFiles *files,
             const Texts *texts)
{
  return (Header){
    .magic = MAGIC,
    .schema = SCHEMA,
    .n_fields = FP_N_MAPPED_FIGURES,
    .n_files = files->files->len,
    .n_processes = files->n_processes,
    .n_unread = files->n_unread,
    .n_holders = files->n_holders,
    .measured_us = files->measured_us,
    .strings_size = texts->size,
  };
}

/* Bytes that stay in memory, or that go to a descriptor in pieces. */
typedef struct
{
  GByteArray *bytes;
  int fd;    /* -1: none */
  int error; /* errno of its first failure */
} Output;

static void
append (Output *self,
        gconstpointer data,
        gsize size)
{
  g_byte_array_append (self->bytes, data, (guint)size);
}

/* At a place where nothing behind it is to be changed any more. */
static void
pass_on (Output *self,
         gsize least)
{
  const guint8 *at = self->bytes->data;
  gsize left = self->bytes->len;

  if (self->fd < 0 || left < least)
    return;
  while (left > 0 && self->error == 0)
    {
      gssize n = write (self->fd, at, left);

      if (n < 0 && errno != EINTR)
        self->error = errno;
      at += MAX (n, 0);
      left -= (gsize)MAX (n, 0);
    }
  g_byte_array_set_size (self->bytes, 0);
}

static void
append_file (Output *out,
             const FpMappedFile *file,
             const Texts *texts)
{
  guint64 fields = fp_fields_of_origins (FILE_ORIGINS), figures[FP_N_MAPPED_FIGURES] = { 0 };
  SavedFile saved = {
    .inode = file->id.inode,
    .device_major = file->id.device_major,
    .device_minor = file->id.device_minor,
    .key = { file->key[0], file->key[1] },
    .present = file->present & fields,
    .name = find_place (texts, file->name),
    .shown = find_place (texts, file->shown),
    .n_mappings = file->n_mappings,
    .n_holders = file->n_holders,
    .n_users = file->n_users,
    .kind = (guint8)file->kind,
    .state = (guint8)file->state,
    .is_updated = file->is_updated != 0,
    .unchanged = MIN (file->unchanged, MAX_FIGURE),
    .build_id = file->build_id ? find_place (texts, file->build_id) : 0,
    .is_layered = file->is_layered != 0,
    .is_unchanged_bound = file->is_unchanged_bound != 0,
  };

  /* A reader would refuse an absurd figure, so that it is left out. */
  for (guint i = 0; fields; fields &= fields - 1, i++)
    {
      guint64 bit = fields & -fields;

      if (file->figures[i] > MAX_FIGURE)
        saved.present &= ~bit;
      figures[i] = saved.present & bit ? file->figures[i] : 0;
    }
  append (out, &saved, sizeof saved);
  append (out, figures, sizeof figures);
  pass_on (out, PIECE_SIZE);
}

static int
compare_holders (gconstpointer a,
                 gconstpointer b)
{
  const SavedHolder *x = a, *y = b;

  return (x->process > y->process) - (x->process < y->process);
}

/* They ascend in each file, by which a reader knows that none is there twice. */
static void
append_holders (Output *out,
                const FpMappedFiles *files)
{
  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);
      guint start = out->bytes->len;

      for (guint j = 0; j < file->n_holders; j++)
        {
          const FpMappedHolder *holder = &fp_mapped_files_get_holders (files, file)[j];
          SavedHolder saved = { .process = holder->process, .is_deleted = holder->is_deleted, .is_updated = holder->is_updated };

          memcpy (saved.kib, holder->kib, sizeof saved.kib);
          append (out, &saved, sizeof saved);
        }
      qsort (out->bytes->data + start, file->n_holders, sizeof (SavedHolder), compare_holders);
      pass_on (out, PIECE_SIZE);
    }
}

static void
append_processes (Output *out,
                  const FpMappedFiles *files)
{
  for (guint i = 0; i < files->n_processes; i++)
    {
      const FpMappedProcess *process = &files->processes[i];
      const SavedProcess saved = { process->id.start_ticks, process->id.pid, process->uid, process->shares_with, files->owners[i] };

      append (out, &saved, sizeof saved);
      pass_on (out, PIECE_SIZE);
    }
  for (guint i = 0; i < files->n_unread; i++)
    {
      const SavedUnread saved = { files->unread[i].process, files->unread[i].is_refused != 0 };

      append (out, &saved, sizeof saved);
      pass_on (out, PIECE_SIZE);
    }
}

static void
append_files (Output *out,
              const FpMappedFiles *files)
{
  static const guint8 zeros[8] = { 0 };
  g_auto (Texts) texts = { 0 };
  Header header;

  texts_init (&texts, files);
  header = make_header (files, &texts);
  append (out, &header, sizeof header);
  for (guint i = 0; i < files->files->len; i++)
    append_file (out, fp_mapped_files_get (files, i), &texts);
  append_processes (out, files);
  append_holders (out, files);
  for (guint i = 0; i < texts.list->len; i++)
    {
      append (out, texts.list->pdata[i], strlen (texts.list->pdata[i]) + 1);
      pass_on (out, PIECE_SIZE);
    }
  append (out, zeros, ALIGN (texts.size) - texts.size);
}

/* Returns the number of bytes that fp_mapped_files_write () writes. */
gsize
fp_mapped_files_get_size (const FpMappedFiles *self)
{
  g_auto (Texts) texts = { 0 };
  Header header;

  texts_init (&texts, self);
  header = make_header (self, &texts);
  return get_size (&header);
}

gboolean
fp_mapped_files_write (const FpMappedFiles *self,
                       int fd,
                       GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Output out = { bytes, fd, 0 };

  append_files (&out, self);
  pass_on (&out, 0);
  if (out.error == 0)
    return TRUE;
  g_set_error_literal (error, G_FILE_ERROR, (gint)g_file_error_from_errno (out.error), g_strerror (out.error));
  return FALSE;
}

/* files: (nullable) */
GBytes *
fp_snapshot_to_bytes_with_files (const FpSnapshot *self,
                                 const FpMappedFiles *files)
{
  GBytes *bytes = fp_snapshot_to_bytes (self);
  Output out = { .fd = -1 };

  if (!files)
    return bytes;
  out.bytes = g_bytes_unref_to_array (bytes);
  append_files (&out, files);
  return g_byte_array_free_to_bytes (out.bytes);
}

typedef struct
{
  const guint8 *at;
  const char *strings;
  guint64 strings_size;
  Header header;
  FpMappedFiles *files;
  guint64 n_holders; /* of the files that were taken */
} Reader;

static void
take (Reader *self,
      gpointer data,
      gsize size)
{
  memcpy (data, self->at, size);
  self->at += size;
}

static gboolean
check_strings (const Reader *self)
{
  if (self->strings_size == 0 || self->strings[0] != '\0' || self->strings[self->strings_size - 1] != '\0')
    return FALSE;
  for (gsize at = 0; at < self->strings_size; at += strlen (self->strings + at) + 1)
    if (!g_utf8_validate (self->strings + at, -1, NULL))
      return FALSE;
  return TRUE;
}

/* NULL: no text begins there */
static const char *
find_text (const Reader *self,
           guint32 place)
{
  if (place >= self->strings_size || (place > 0 && self->strings[place - 1] != '\0'))
    return NULL;
  return fp_mapped_texts_add (self->files->texts, self->strings + place);
}

/* A file of schema 1 has the place of the empty text. FALSE: no build ID looks like that. */
static gboolean
take_build_id (const Reader *self,
               FpMappedFile *file,
               guint32 place)
{
  const char *text = find_text (self, place);
  gsize length = text ? strlen (text) : 0;

  if (!text || length % 2 != 0 || length > 2 * FP_BUILD_ID_SIZE || strspn (text, "0123456789abcdef") != length)
    return FALSE;
  file->build_id = *text ? text : NULL;
  return TRUE;
}

/* Figures that this version does not know come last, and are passed over. */
static gboolean
take_figures (Reader *self,
              FpMappedFile *file)
{
  guint64 figures[MAX_FIELDS], fields = fp_fields_of_origins (FILE_ORIGINS);

  take (self, figures, sizeof *figures * self->header.n_fields);
  file->present &= fields;
  for (guint i = 0; fields; fields &= fields - 1, i++)
    {
      guint64 bit = fields & -fields;

      if (i >= self->header.n_fields)
        file->present &= ~bit;
      else if (figures[i] > MAX_FIGURE)
        return FALSE;
      else
        file->figures[i] = file->present & bit ? figures[i] : 0;
    }
  return TRUE;
}

static gboolean
take_file (Reader *self)
{
  FpMappedFile file = { 0 };
  SavedFile saved = { 0 };

  take (self, &saved, get_fixed_size (&self->header));
  file.id = (FpFileId){ saved.inode, saved.device_major, saved.device_minor };
  file.key[0] = saved.key[0];
  file.key[1] = saved.key[1];
  file.present = saved.present;
  file.name = find_text (self, saved.name);
  file.shown = find_text (self, saved.shown);
  file.n_mappings = saved.n_mappings;
  file.n_holders = saved.n_holders;
  file.n_users = saved.n_users;
  file.first_holder = (guint)self->n_holders;
  file.kind = saved.kind;
  file.state = saved.state;
  file.is_updated = saved.is_updated;
  file.unchanged = saved.unchanged;
  file.is_layered = saved.is_layered;
  file.is_unchanged_bound = saved.is_unchanged_bound;
  self->n_holders += saved.n_holders;
  if (!file.name || !file.shown || saved.n_holders == 0 || self->n_holders > self->header.n_holders ||
      saved.kind >= FP_N_MAPPING_KINDS || saved.state > FP_FILE_DELETED || saved.is_updated > 1 ||
      saved.unchanged > MAX_FIGURE || saved.is_layered > 1 || saved.is_unchanged_bound > 1 ||
      !take_build_id (self, &file, saved.build_id) || !take_figures (self, &file))
    return FALSE;
  g_array_append_val (self->files->files, file);
  return TRUE;
}

/* The owner of a memory that others share is its own. */
static gboolean
check_owners (const FpMappedFiles *files)
{
  for (guint i = 0; i < files->n_processes; i++)
    {
      guint32 owner = files->owners[i];

      if (owner != FP_MAPPED_NOT_READ && (owner >= files->n_processes || files->owners[owner] != owner))
        return FALSE;
    }
  return TRUE;
}

static gboolean
take_processes (Reader *self)
{
  FpMappedFiles *files = self->files;

  for (guint i = 0; i < files->n_processes; i++)
    {
      SavedProcess saved;

      take (self, &saved, sizeof saved);
      if (saved.pid <= 0 || saved.shares_with < 0)
        return FALSE;
      files->processes[i] = (FpMappedProcess){ { saved.pid, saved.start_ticks }, saved.uid, saved.shares_with };
      files->owners[i] = saved.owner;
      files->n_read += saved.owner != FP_MAPPED_NOT_READ;
    }
  for (guint i = 0; i < files->n_unread; i++)
    {
      SavedUnread saved;

      take (self, &saved, sizeof saved);
      if (saved.process >= files->n_processes || saved.is_refused > 1)
        return FALSE;
      files->unread[i] = (FpMappedUnread){ saved.process, saved.is_refused != 0 };
    }
  return check_owners (files);
}

static gboolean
take_holders (Reader *self)
{
  FpMappedFiles *files = self->files;

  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);

      for (guint j = 0; j < file->n_holders; j++)
        {
          FpMappedHolder *holder = &files->holders[file->first_holder + j];
          SavedHolder saved;

          /* Figures that are missing are not known. */
          memset (&saved, 0xff, sizeof saved);
          take (self, &saved, get_holder_size (&self->header));
          *holder = (FpMappedHolder){ .process = saved.process, .is_deleted = saved.is_deleted, .is_updated = saved.is_updated };
          memcpy (holder->kib, saved.kib, sizeof saved.kib);
          if (saved.process >= files->n_processes || files->owners[saved.process] != saved.process || saved.is_deleted > 1 ||
              saved.is_updated > 1 || (j > 0 && holder[-1].process >= saved.process))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_header (const Header *header,
              gsize size)
{
  return memcmp (header->magic, MAGIC, sizeof header->magic) == 0 && header->schema >= 1 && header->schema <= SCHEMA &&
         header->n_fields <= MAX_FIELDS && header->strings_size <= MAX_STRINGS && get_size (header) == size;
}

static gboolean
take_all (Reader *self)
{
  for (guint i = 0; i < self->header.n_files; i++)
    if (!take_file (self))
      return FALSE;
  if (self->n_holders != self->header.n_holders || !take_processes (self) || !take_holders (self))
    return FALSE;
  fp_mapped_files_index (self->files);
  for (guint i = 0; i < self->files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (self->files, i);

      if (file->n_users == 0 || file->n_users > file->n_processes)
        return FALSE;
    }
  fp_file_copies_find (self->files);
  return TRUE;
}

/* Whole, and as if an enemy had written it. What is allocated is never much more than what there is. NULL: it is damaged */
static FpMappedFiles *
take_files (const guint8 *data,
            gsize size)
{
  g_autoptr (FpMappedFiles) files = NULL;
  Reader self = { .at = data };

  if (size < sizeof self.header)
    return NULL;
  take (&self, &self.header, sizeof self.header);
  if (!check_header (&self.header, size))
    return NULL;
  self.strings_size = self.header.strings_size;
  self.strings = (const char *)data + size - ALIGN (self.strings_size);
  if (!check_strings (&self))
    return NULL;
  self.files = files = fp_mapped_files_new (self.header.n_processes, NULL);
  files->measured_us = self.header.measured_us;
  files->lacks_parts = self.header.schema == 1;
  files->n_unread = self.header.n_unread;
  files->unread = g_new0 (FpMappedUnread, files->n_unread + 1);
  files->n_holders = self.header.n_holders;
  files->holders = g_new0 (FpMappedHolder, files->n_holders + 1);
  return take_all (&self) ? g_steal_pointer (&files) : NULL;
}

FpMappedFiles *
fp_mapped_files_from_bytes (GBytes *bytes,
                            GError **error)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  FpMappedFiles *files = size > 0 ? take_files (data, size) : NULL;

  if (!files)
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "the files are damaged");
  return files;
}

/* files: gets the files, or NULL where none were saved */
FpSnapshot *
fp_snapshot_open_bytes (GBytes *bytes,
                        FpMappedFiles **files,
                        GError **error)
{
  gsize first = fp_snapshot_measure (bytes), size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  g_autoptr (FpMappedFiles) taken = NULL;
  g_autoptr (GBytes) block = NULL;
  FpSnapshot *snapshot;

  *files = NULL;
  if (first == 0 || size < strlen (MAGIC) || first > size - strlen (MAGIC) || memcmp (data + first, MAGIC, strlen (MAGIC)) != 0)
    return fp_snapshot_from_bytes (bytes, error);
  taken = take_files (data + first, size - first);
  if (!taken)
    {
      fp_snapshot_refuse (error, _ ("its files are damaged, or a later version saved them"));
      return NULL;
    }
  block = g_bytes_new_from_bytes (bytes, 0, first);
  snapshot = fp_snapshot_from_bytes (block, error);
  if (snapshot)
    *files = g_steal_pointer (&taken);
  return snapshot;
}
