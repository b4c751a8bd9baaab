// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-snapshot-file.h"
#include "fp-snapshot-mapped.h"

#define MAGIC        "FPMAPPED"
#define SCHEMA       1
#define MAX_FIELDS   64
#define MAX_FIGURE   (G_GUINT64_CONSTANT (1) << 56) /* as in the snapshot */
#define MAX_STRINGS  (1u << 30)
#define ALIGN(size)  (((size) + 7) & ~(gsize)7)
#define FILE_ORIGINS (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING)

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
} SavedHolder;

static gsize
get_file_size (const Header *header)
{
  return sizeof (SavedFile) + sizeof (guint64) * header->n_fields;
}

/* All counts have 32 bits, so that no sum overflows. */
static gsize
get_size (const Header *header)
{
  return sizeof *header + get_file_size (header) * header->n_files + sizeof (SavedProcess) * header->n_processes +
         sizeof (SavedUnread) * header->n_unread + sizeof (SavedHolder) * header->n_holders + ALIGN (header->strings_size);
}

typedef struct
{
  GByteArray *strings;
  GHashTable *places; /* of texts that belong to the list */
} Texts;

/* The same text is often called for twice. Behind the limit a name is left out. */
static guint32
add_text (Texts *self,
          const char *text)
{
  gsize length = strlen (text) + 1;
  gpointer place;

  if (g_hash_table_lookup_extended (self->places, text, NULL, &place))
    return GPOINTER_TO_UINT (place);
  if (self->strings->len + length > MAX_STRINGS)
    return 0;
  place = GUINT_TO_POINTER (self->strings->len);
  g_byte_array_append (self->strings, (const guint8 *)text, (guint)length);
  g_hash_table_insert (self->places, (gpointer)text, place);
  return GPOINTER_TO_UINT (place);
}

static void
append_file (GByteArray *out,
             const FpMappedFile *file,
             Texts *texts)
{
  guint64 fields = fp_fields_of_origins (FILE_ORIGINS), figures[FP_N_MAPPED_FIGURES] = { 0 };
  SavedFile saved = {
    .inode = file->id.inode,
    .device_major = file->id.device_major,
    .device_minor = file->id.device_minor,
    .key = { file->key[0], file->key[1] },
    .present = file->present & fields,
    .name = add_text (texts, file->name),
    .shown = add_text (texts, file->shown),
    .n_mappings = file->n_mappings,
    .n_holders = file->n_holders,
    .n_users = file->n_users,
    .kind = (guint8)file->kind,
    .state = (guint8)file->state,
    .is_updated = file->is_updated != 0,
  };

  /* A reader would refuse an absurd figure, so that it is left out. */
  for (guint i = 0; fields; fields &= fields - 1, i++)
    {
      guint64 bit = fields & -fields;

      if (file->figures[i] > MAX_FIGURE)
        saved.present &= ~bit;
      figures[i] = saved.present & bit ? file->figures[i] : 0;
    }
  g_byte_array_append (out, (const guint8 *)&saved, sizeof saved);
  g_byte_array_append (out, (const guint8 *)figures, sizeof figures);
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
append_holders (GByteArray *out,
                const FpMappedFiles *files)
{
  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);
      guint start = out->len;

      for (guint j = 0; j < file->n_holders; j++)
        {
          const FpMappedHolder *holder = &fp_mapped_files_get_holders (files, file)[j];
          const SavedHolder saved = { holder->process, holder->is_deleted, holder->is_updated, { 0 } };

          g_byte_array_append (out, (const guint8 *)&saved, sizeof saved);
        }
      qsort (out->data + start, file->n_holders, sizeof (SavedHolder), compare_holders);
    }
}

static void
append_processes (GByteArray *out,
                  const FpMappedFiles *files)
{
  for (guint i = 0; i < files->n_processes; i++)
    {
      const FpMappedProcess *process = &files->processes[i];
      const SavedProcess saved = { process->id.start_ticks, process->id.pid, process->uid, process->shares_with, files->owners[i] };

      g_byte_array_append (out, (const guint8 *)&saved, sizeof saved);
    }
  for (guint i = 0; i < files->n_unread; i++)
    {
      const SavedUnread saved = { files->unread[i].process, files->unread[i].is_refused != 0 };

      g_byte_array_append (out, (const guint8 *)&saved, sizeof saved);
    }
}

static void
append_files (GByteArray *out,
              const FpMappedFiles *files)
{
  static const guint8 zeros[8] = { 0 };
  g_autoptr (GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GByteArray) strings = g_byte_array_new ();
  Texts texts = { strings, places };
  Header header = {
    .magic = MAGIC,
    .schema = SCHEMA,
    .n_fields = FP_N_MAPPED_FIGURES,
    .n_files = files->files->len,
    .n_processes = files->n_processes,
    .n_unread = files->n_unread,
    .n_holders = files->n_holders,
    .measured_us = files->measured_us,
  };
  guint start = out->len;

  g_byte_array_append (out, (const guint8 *)&header, sizeof header);
  add_text (&texts, "");
  for (guint i = 0; i < files->files->len; i++)
    append_file (out, fp_mapped_files_get (files, i), &texts);
  append_processes (out, files);
  append_holders (out, files);
  header.strings_size = strings->len;
  g_byte_array_append (out, strings->data, strings->len);
  g_byte_array_append (out, zeros, (guint)(ALIGN (strings->len) - strings->len));
  memcpy (out->data + start, &header, sizeof header);
}

GBytes *
fp_mapped_files_to_bytes (const FpMappedFiles *self)
{
  GByteArray *out = g_byte_array_new ();

  append_files (out, self);
  return g_byte_array_free_to_bytes (out);
}

/* files: (nullable) */
GBytes *
fp_snapshot_to_bytes_with_files (const FpSnapshot *self,
                                 const FpMappedFiles *files)
{
  GBytes *bytes = fp_snapshot_to_bytes (self);
  GByteArray *out;

  if (!files)
    return bytes;
  out = g_bytes_unref_to_array (bytes);
  append_files (out, files);
  return g_byte_array_free_to_bytes (out);
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
  SavedFile saved;

  take (self, &saved, sizeof saved);
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
  self->n_holders += saved.n_holders;
  if (!file.name || !file.shown || saved.n_holders == 0 || self->n_holders > self->header.n_holders ||
      saved.kind >= FP_N_MAPPING_KINDS || saved.state > FP_FILE_DELETED || saved.is_updated > 1 || !take_figures (self, &file))
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

          take (self, &saved, sizeof saved);
          *holder = (FpMappedHolder){ saved.process, 0, saved.is_deleted, saved.is_updated };
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
  return memcmp (header->magic, MAGIC, sizeof header->magic) == 0 && header->schema == SCHEMA &&
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
