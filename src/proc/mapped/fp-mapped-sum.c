// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-build-ids.h"
#include "fp-clock.h"
#include "fp-file-copies.h"
#include "fp-mapped-sum.h"

#define LABEL_SIZE       256
#define NO_PROCESS       G_MAXUINT
#define SIZE_FOR_HOLDING 64 /* one more for so many bytes of names and files */
#define STEP             64 /* mappings; a file of one can take long to look at */

typedef struct
{
  FpFileId id;
  FpMappingKind kind; /* FP_N_MAPPING_KINDS for files */
  const char *text;   /* the label, or a path where numbers are not enough */
} Key;

typedef struct
{
  Key key;
  guint index;            /* of the file */
  guint last_process;     /* that was found to have it */
  guint last_holding;     /* of that process */
  gboolean is_identified; /* its build ID was asked for */
} Slot;

typedef struct
{
  guint file;
  FpMappedHolder holder;
} Holding;

struct _FpMappedSum
{
  const FpProcDir *proc;
  FpMappedFiles *files;
  FpFileIdentities *identities;
  FpBuildIds *build_ids;
  GHashTable *slots; /* of Slot by Key */
  GArray *holdings;  /* Holding, by process in the order of reading */
  gsize max_holdings;
  GArray *unread; /* FpMappedUnread */
  guint64 fields;
  gint64 end_us; /* of the time for looking at files */
  gboolean is_late;

  guint process;
  /* Neighbours are of one file more often than not. */
  Slot *last;
  FpMapping last_mapping;
  FpMappingKind last_kind;
};

static guint
key_hash (gconstpointer data)
{
  const Key *self = data;

  return (guint)(self->id.inode ^ self->id.inode >> 32) * 31 + self->id.device_major * 1048583 + self->id.device_minor * 7 +
         self->kind + (*self->text ? g_str_hash (self->text) : 0);
}

static gboolean
key_equal (gconstpointer a,
           gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->id.inode == y->id.inode && x->id.device_major == y->id.device_major &&
         x->id.device_minor == y->id.device_minor && x->kind == y->kind && strcmp (x->text, y->text) == 0;
}

FpMappedSum *
fp_mapped_sum_new (const FpProcDir *proc,
                   const FpMappedProcess *processes,
                   guint n,
                   gsize max_size)
{
  FpMappedSum *self = g_new0 (FpMappedSum, 1);
  g_autoptr (FpMappedTexts) texts = fp_mapped_texts_new (max_size);

  self->files = fp_mapped_files_new (n, texts);
  self->files->measured_us = fp_clock_us (CLOCK_BOOTTIME);
  if (n > 0)
    memcpy (self->files->processes, processes, n * sizeof *processes);
  self->proc = proc;
  self->identities = fp_file_identities_new (proc, texts);
  self->build_ids = fp_build_ids_new (proc);
  self->slots = g_hash_table_new_full (key_hash, key_equal, NULL, g_free);
  self->holdings = g_array_new (FALSE, FALSE, sizeof (Holding));
  self->max_holdings = max_size / SIZE_FOR_HOLDING;
  self->unread = g_array_new (FALSE, FALSE, sizeof (FpMappedUnread));
  self->fields = fp_fields_of_origins (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);
  self->end_us = G_MAXINT64;
  return self;
}

void
fp_mapped_sum_free (FpMappedSum *self)
{
  g_clear_pointer (&self->files, fp_mapped_files_unref);
  g_clear_pointer (&self->identities, fp_file_identities_free);
  g_clear_pointer (&self->build_ids, fp_build_ids_free);
  g_hash_table_unref (self->slots);
  g_array_unref (self->holdings);
  g_array_unref (self->unread);
  g_free (self);
}

/* A file has the kind of its mappings that comes first here, because it says most of the file. */
static guint
rank (FpMappingKind kind)
{
  static const FpMappingKind order[] = {
    FP_MAPPING_DEVICE, FP_MAPPING_HUGE_POOL, FP_MAPPING_SYSTEM_V, FP_MAPPING_JIT, FP_MAPPING_CODE,
    FP_MAPPING_SHARED_MEMORY, FP_MAPPING_FILE, FP_MAPPING_DATA, FP_MAPPING_CONSTANTS
  };
  guint i = 0;

  while (i < G_N_ELEMENTS (order) && order[i] != kind)
    i++;
  return i;
}

/* FALSE: there are too many names */
static gboolean
add_names (FpMappedTexts *texts,
           FpMappedFile *file,
           const FpMapping *mapping)
{
  file->name = fp_mapped_texts_add (texts, mapping->name);
  file->shown = fp_mapped_texts_add (texts, mapping->shown);
  return file->name && file->shown;
}

/* NULL: there are too many names */
static Slot *
add_slot (FpMappedSum *self,
          const Key *key,
          const FpMapping *mapping,
          gboolean is_file,
          gboolean is_named)
{
  FpMappedTexts *texts = self->files->texts;
  FpMappedFile file = { .present = G_MAXUINT64, .kind = FP_MAPPING_RESERVED, .name = "", .shown = "" };
  const char *text = *key->text ? fp_mapped_texts_add (texts, key->text) : "";
  Slot *slot;

  if (!text || ((is_file || is_named) && !add_names (texts, &file, mapping)))
    return NULL;
  slot = g_new (Slot, 1);
  *slot = (Slot){ *key, self->files->files->len, NO_PROCESS, 0, FALSE };
  slot->key.text = text;
  if (is_file)
    file.id = key->id;
  else
    file.kind = key->kind;
  file.key[0] = key->id.inode ^ (guint64)g_str_hash (key->text) << 32;
  file.key[1] = (guint64)key->id.device_major << 40 | (guint64)key->id.device_minor << 8 | key->kind;
  g_array_append_val (self->files->files, file);
  g_hash_table_insert (self->slots, &slot->key, slot);
  fp_mapped_texts_charge (texts, sizeof *slot + sizeof file);
  return slot;
}

/* The one for all files that get none of their own */
static Slot *
find_rest (FpMappedSum *self)
{
  const Key key = { { 0 }, FP_N_MAPPING_KINDS, "" };
  Slot *slot = g_hash_table_lookup (self->slots, &key);
  FpMappedFile *file;

  if (slot)
    return slot;
  slot = add_slot (self, &key, NULL, FALSE, FALSE);
  file = &g_array_index (self->files->files, FpMappedFile, slot->index);
  file->kind = FP_MAPPING_RESERVED;
  file->key[0] = file->key[1] = 0;
  return slot;
}

static Slot *
find_file_slot (FpMappedSum *self,
                const FpMapping *mapping,
                FpMappingKind kind)
{
  FpFileIdentity identity;
  Slot *slot;
  Key key;

  fp_file_identities_find (self->identities, mapping, &identity);
  if (identity.is_lost)
    return find_rest (self);
  key.id = identity.id;
  key.text = identity.path ? identity.path : identity.id.inode == 0 ? mapping->name
                                                                    : "";
  /* The number of a segment may be that of a memfd, too. */
  key.kind = kind == FP_MAPPING_SYSTEM_V ? kind : FP_N_MAPPING_KINDS;
  slot = g_hash_table_lookup (self->slots, &key);
  if (!slot)
    slot = add_slot (self, &key, mapping, TRUE, FALSE);
  return slot ? slot : find_rest (self);
}

/* Heaps and stacks are one each, whatever programs call them. */
static Slot *
find_slot (FpMappedSum *self,
           const FpMapping *mapping,
           FpMappingKind kind)
{
  char label[LABEL_SIZE] = "";
  Key key = { { 0 }, kind, label };
  Slot *slot;

  if (fp_mapping_get_file (mapping))
    return find_file_slot (self, mapping, kind);
  if (kind != FP_MAPPING_HEAP && kind != FP_MAPPING_STACK)
    fp_mapping_get_label (mapping, label, sizeof label);
  slot = g_hash_table_lookup (self->slots, &key);
  if (!slot)
    slot = add_slot (self, &key, mapping, FALSE, *label);
  return slot ? slot : find_rest (self);
}

static gboolean
is_like_last (const FpMappedSum *self,
              const FpMapping *mapping,
              FpMappingKind kind)
{
  const FpMapping *last = &self->last_mapping;

  return self->last && mapping->name == last->name && mapping->inode == last->inode &&
         mapping->device_minor == last->device_minor && mapping->device_major == last->device_major &&
         (kind == self->last_kind || (mapping->inode != 0 && kind != FP_MAPPING_SYSTEM_V && mapping->name[0] == '/'));
}

/* The kernel counts changed pages whole, and their part of pss not at all. It is the same where no process shares them. */
static void
add_unchanged (FpMappedFile *file,
               const FpMemory *memory)
{
  guint64 pss = fp_memory_get (memory, FP_FIELD_PSS), changed = fp_memory_get (memory, FP_FIELD_ANONYMOUS);

  file->unchanged += pss - MIN (pss, changed);
  file->is_unchanged_bound |= changed > 0 && changed < fp_memory_get (memory, FP_FIELD_RSS) &&
                              fp_memory_get (memory, FP_FIELD_SHARED_DIRTY) > 0;
}

static void
add_figures (FpMappedSum *self,
             FpMappedFile *file,
             const FpMemory *memory)
{
  guint64 fields = self->fields;

  file->n_mappings++;
  file->present &= memory->present;
  for (guint i = 0; fields; fields &= fields - 1, i++)
    file->figures[i] += memory->figures[__builtin_ctzll (fields)];
  add_unchanged (file, memory);
}

static FpMappedHolder *
get_holder (const FpMappedSum *self,
            const Slot *slot)
{
  return &g_array_index (self->holdings, Holding, slot->last_holding).holder;
}

/* A process can have a file by one name that was deleted, and by another one that is still there. */
static void
add_state (FpMappedSum *self,
           FpMappedFile *file,
           FpMappedHolder *holder,
           const FpMapping *mapping)
{
  FpFileState state = fp_mapping_get_file_state (mapping);

  if (file->id.inode == 0)
    return;
  file->state = MAX (file->state, state);
  holder->is_deleted |= state == FP_FILE_DELETED;
  holder->is_updated |= state == FP_FILE_DELETED && fp_file_identities_is_updated (self->identities, mapping);
  file->is_updated |= holder->is_updated;
}

/* The part with which a library begins is not always the first one that is found. */
static void
identify (FpMappedSum *self,
          Slot *slot,
          FpMappedFile *file,
          const FpMapping *mapping)
{
  char text[FP_BUILD_ID_TEXT_SIZE];
  FpFileIdentity identity;
  FpBuildId id;

  if (slot->is_identified || file->id.inode == 0 || mapping->permissions[3] != 'p' ||
      (mapping->offset != 0 && mapping->permissions[2] != 'x'))
    return;
  fp_file_identities_find (self->identities, mapping, &identity);
  file->is_layered = identity.is_layered;
  slot->is_identified = fp_build_ids_find (self->build_ids, mapping, &identity, &id);
  if (!fp_build_id_is_known (&id))
    return;
  fp_build_id_write (&id, text);
  file->build_id = fp_mapped_texts_add (self->files->texts, text);
}

static void
add_mapping (FpMappedSum *self,
             const FpMapping *mapping,
             const FpMemory *memory)
{
  FpMappingKind kind = fp_mapping_kind (mapping);
  gboolean is_like = is_like_last (self, mapping, kind);
  FpMappedFile *file;

  if (!is_like)
    {
      self->last = self->is_late ? find_rest (self) : find_slot (self, mapping, kind);
      if (self->last->last_process != self->process && self->holdings->len >= self->max_holdings)
        self->last = find_rest (self);
      self->last_mapping = *mapping;
    }
  self->last_kind = kind;
  file = &g_array_index (self->files->files, FpMappedFile, self->last->index);
  add_figures (self, file, memory);
  identify (self, self->last, file, mapping);
  if (rank (kind) < rank (file->kind))
    file->kind = kind;
  if (self->last->last_process != self->process)
    {
      const Holding holding = { self->last->index, { .process = self->process } };

      self->last->last_process = self->process;
      self->last->last_holding = self->holdings->len;
      file->n_holders++;
      g_array_append_val (self->holdings, holding);
    }
  fp_mapped_holder_add (get_holder (self, self->last), memory);
  if (!is_like)
    add_state (self, file, get_holder (self, self->last), mapping);
}

/* end_us: of the monotonic clock. From then on files get no place of their own any more. */
void
fp_mapped_sum_set_end (FpMappedSum *self,
                       gint64 end_us)
{
  self->end_us = end_us;
}

/* process: its index among those that were given at first */
gboolean
fp_mapped_sum_add (FpMappedSum *self,
                   guint process,
                   const FpMappings *mappings,
                   FpMappingStepFunc step,
                   gpointer data)
{
  guint n = fp_mappings_get_n (mappings);

  self->process = process;
  self->last = NULL;
  fp_file_identities_begin (self->identities, self->files->processes[process].id.pid);
  fp_build_ids_begin (self->build_ids, &self->files->processes[process].id);
  for (guint i = 0; i < n; i++)
    {
      FpMapping mapping;

      if (i % STEP == STEP - 1)
        {
          if (step && !step (i, n, data))
            return FALSE;
          self->is_late = g_get_monotonic_time () > self->end_us;
        }
      fp_mappings_get (mappings, i, &mapping);
      add_mapping (self, &mapping, &mapping.memory);
    }
  self->files->owners[process] = process;
  self->files->n_read++;
  return TRUE;
}

/* A process that has the address space of another one has all its files, and no memory besides. */
void
fp_mapped_sum_add_twin (FpMappedSum *self,
                        guint process,
                        guint owner)
{
  self->files->owners[process] = owner;
  self->files->n_read++;
}

void
fp_mapped_sum_add_unread (FpMappedSum *self,
                          guint process,
                          gboolean is_refused)
{
  const FpMappedUnread unread = { process, is_refused };

  g_array_append_val (self->unread, unread);
}

/* Puts the holders into runs by file. */
static void
sort_holders (const FpMappedSum *self,
              FpMappedFiles *files)
{
  g_autofree guint *ends = g_new (guint, files->files->len + 1);
  guint at = 0;

  files->n_holders = self->holdings->len;
  files->holders = g_new (FpMappedHolder, self->holdings->len + 1);
  for (guint i = 0; i < files->files->len; i++)
    {
      FpMappedFile *file = &g_array_index (files->files, FpMappedFile, i);

      file->first_holder = ends[i] = at;
      at += file->n_holders;
    }
  for (guint i = 0; i < self->holdings->len; i++)
    {
      const Holding *holding = &g_array_index (self->holdings, Holding, i);

      files->holders[ends[holding->file]++] = holding->holder;
    }
}

static void
complete (const FpMappedSum *self,
          FpMappedFiles *files)
{
  sort_holders (self, files);
  files->n_unread = self->unread->len;
  files->unread = g_memdup2 (self->unread->data, self->unread->len * sizeof (FpMappedUnread));
  fp_mapped_files_index (files);
  fp_mapped_files_count_users (files);
  fp_file_copies_find (files);
}

/* Gives what was added up by now, between two processes. More can be added meanwhile, and the part may be read by another
 * thread then. */
FpMappedFiles *
fp_mapped_sum_get_part (const FpMappedSum *self,
                        guint n_tried)
{
  const FpMappedFiles *files = self->files;
  FpMappedFiles *part = fp_mapped_files_new (files->n_processes, files->texts);

  part->measured_us = files->measured_us;
  g_array_append_vals (part->files, files->files->data, files->files->len);
  memcpy (part->processes, files->processes, files->n_processes * sizeof *files->processes);
  memcpy (part->owners, files->owners, files->n_processes * sizeof *files->owners);
  part->n_tried = n_tried;
  part->n_read = files->n_read;
  complete (self, part);
  return part;
}

FpMappedFiles *
fp_mapped_sum_finish (FpMappedSum *self)
{
  complete (self, self->files);
  return g_steal_pointer (&self->files);
}
