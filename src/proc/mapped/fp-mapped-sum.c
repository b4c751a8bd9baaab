// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-build-ids.h"
#include "fp-clock.h"
#include "fp-file-copies.h"
#include "fp-mapped-sum.h"

#define LABEL_SIZE       256
#define SIZE_FOR_HOLDING 64   /* one more for so many bytes of names and files */
#define SIZE_FOR_PART    1024 /* the same, while one process is added */
#define STEP             64   /* mappings; a file of one can take long to look at */
#define N_RECENT         1024

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
  guint64 round;          /* in which it was found last */
  guint part;             /* of that round */
  gboolean is_identified; /* its build ID was asked for */
} Slot;

/* The mappings that one process has of a file. They count when all of the process was read. */
typedef struct
{
  Slot *slot;
  guint n_mappings;
  FpMappingKind kind;
  FpFileState state;
  FpMappedHolder holder; /* without its figures */
  FpMemory memory;       /* present are the figures that every mapping has */
  guint64 unchanged;
  gboolean is_unchanged_bound;
} Part;

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
  GHashTable *slots;      /* of Slot by Key */
  Slot *recent[N_RECENT]; /* of files that their numbers alone tell apart, by inode */
  GArray *holdings;       /* Holding, by process in the order of reading */
  gsize max_holdings;
  GArray *unread; /* FpMappedUnread */
  guint64 fields;
  gint64 end_us; /* of the time for looking at files */
  gboolean is_late;

  /* The process that is added */
  guint process;
  guint64 round; /* another one each time a process begins */
  guint n_mappings;
  guint n_files; /* all of those before it */
  GArray *parts; /* Part */
  guint max_parts;
  /* Neighbours are of one file more often than not. */
  gboolean has_last;
  guint last_part;
  guint32 last_name;
  FpFileId last_id;
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
  self->parts = g_array_new (FALSE, TRUE, sizeof (Part));
  self->max_parts = (guint)MIN (max_size / SIZE_FOR_PART, G_MAXUINT);
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
  g_array_unref (self->parts);
  g_array_unref (self->unread);
  g_free (self);
}

/* A file has the kind of its mappings that weighs most, because it says most of the file. */
static FpMappingKind
weigh (FpMappingKind a,
       FpMappingKind b)
{
  static const guint8 weights[FP_N_MAPPING_KINDS] = {
    [FP_MAPPING_DEVICE] = 9,
    [FP_MAPPING_HUGE_POOL] = 8,
    [FP_MAPPING_SYSTEM_V] = 7,
    [FP_MAPPING_JIT] = 6,
    [FP_MAPPING_CODE] = 5,
    [FP_MAPPING_SHARED_MEMORY] = 4,
    [FP_MAPPING_FILE] = 3,
    [FP_MAPPING_DATA] = 2,
    [FP_MAPPING_CONSTANTS] = 1,
  };

  return weights[b] > weights[a] ? b : a;
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
  *slot = (Slot){ *key, self->files->files->len, 0, 0, FALSE };
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
find_named_slot (FpMappedSum *self,
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

/* Most processes map the same libraries. */
static Slot *
find_file_slot (FpMappedSum *self,
                const FpMapping *mapping,
                FpMappingKind kind)
{
  Slot **recent = &self->recent[mapping->inode % N_RECENT];

  if (mapping->device_major == 0 || mapping->inode == 0)
    return find_named_slot (self, mapping, kind);
  if (!*recent || (*recent)->key.id.inode != mapping->inode || (*recent)->key.id.device_major != mapping->device_major ||
      (*recent)->key.id.device_minor != mapping->device_minor)
    *recent = find_named_slot (self, mapping, kind);
  return *recent;
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
  const FpFileId *last = &self->last_id;

  return self->has_last && mapping->name_number == self->last_name && mapping->inode == last->inode &&
         mapping->device_minor == last->device_minor && mapping->device_major == last->device_major &&
         (kind == self->last_kind || (mapping->inode != 0 && kind != FP_MAPPING_SYSTEM_V && mapping->name[0] == '/'));
}

/* The kernel counts changed pages whole, and their part of pss not at all. It is the same where no process shares them. */
static void
add_unchanged (Part *part,
               const FpMemory *memory)
{
  guint64 pss = fp_memory_get (memory, FP_FIELD_PSS), changed = fp_memory_get (memory, FP_FIELD_ANONYMOUS);

  part->unchanged += pss - MIN (pss, changed);
  part->is_unchanged_bound |= changed > 0 && changed < fp_memory_get (memory, FP_FIELD_RSS) &&
                              fp_memory_get (memory, FP_FIELD_SHARED_DIRTY) > 0;
}

/* All figures, as a few more that stay 0 cost less than to choose. */
static void
add_figures (Part *part,
             const FpMemory *memory)
{
  part->n_mappings++;
  part->memory.present &= memory->present;
  for (guint i = 0; i < FP_N_FIELDS; i++)
    part->memory.figures[i] += memory->figures[i];
  add_unchanged (part, memory);
}

/* A process can have a file by one name that was deleted, and by another one that is still there. */
static void
add_state (FpMappedSum *self,
           Part *part,
           const FpMapping *mapping)
{
  FpFileState state = fp_mapping_get_file_state (mapping);

  if (g_array_index (self->files->files, FpMappedFile, part->slot->index).id.inode == 0)
    return;
  part->state = MAX (part->state, state);
  part->holder.is_deleted |= state == FP_FILE_DELETED;
  part->holder.is_updated |= state == FP_FILE_DELETED && fp_file_identities_is_updated (self->identities, mapping);
}

static gboolean
has_room (const FpMappedSum *self)
{
  return self->parts->len < self->max_parts && self->holdings->len + self->parts->len < self->max_holdings;
}

/* Returns the index of the part to which the mapping belongs. */
static guint
find_part (FpMappedSum *self,
           const FpMapping *mapping,
           FpMappingKind kind)
{
  Slot *slot = self->is_late ? find_rest (self) : find_slot (self, mapping, kind);
  Part *part;

  if (slot->round != self->round && !has_room (self))
    slot = find_rest (self);
  if (slot->round == self->round)
    return slot->part;
  slot->round = self->round;
  slot->part = self->parts->len;
  g_array_set_size (self->parts, slot->part + 1);
  part = &g_array_index (self->parts, Part, slot->part);
  part->slot = slot;
  part->kind = FP_MAPPING_RESERVED;
  part->holder.process = self->process;
  part->memory.present = self->fields;
  return slot->part;
}

/* The part with which a library begins is not always the first one that is found. */
static void
identify (FpMappedSum *self,
          Slot *slot,
          const FpMapping *mapping)
{
  FpMappedFile *file = &g_array_index (self->files->files, FpMappedFile, slot->index);
  char text[FP_BUILD_ID_TEXT_SIZE];
  FpFileIdentity identity;
  FpBuildId id;

  if (file->id.inode == 0 || mapping->permissions[3] != 'p' || (mapping->offset != 0 && mapping->permissions[2] != 'x'))
    return;
  fp_file_identities_find (self->identities, mapping, &identity);
  file->is_layered = identity.is_layered;
  slot->is_identified = fp_build_ids_find (self->build_ids, mapping, &identity, &id);
  if (!fp_build_id_is_known (&id))
    return;
  fp_build_id_write (&id, text);
  file->build_id = fp_mapped_texts_add (self->files->texts, text);
}

/* end_us: of the monotonic clock. From then on files get no place of their own any more. */
void
fp_mapped_sum_set_end (FpMappedSum *self,
                       gint64 end_us)
{
  self->end_us = end_us;
}

static gboolean
is_new (gpointer key,
        gpointer value,
        gpointer data)
{
  return ((const Slot *)value)->index >= ((const FpMappedSum *)data)->n_files;
}

/* The process could not be read whole, so none of its mappings count. */
void
fp_mapped_sum_drop (FpMappedSum *self)
{
  if (self->files->files->len > self->n_files)
    {
      g_hash_table_foreach_remove (self->slots, is_new, self);
      memset (self->recent, 0, sizeof self->recent);
    }
  g_array_set_size (self->files->files, self->n_files);
  g_array_set_size (self->parts, 0);
}

/* Whether it is to get the roots of the processes that follow. */
gboolean
fp_mapped_sum_needs_root (const FpMappedSum *self)
{
  return fp_file_identities_need_root (self->identities);
}

/* process: its index among those that were given at first. Its mappings follow; those of one that was not ended are dropped.
 * root: (nullable): of the process, which is taken */
void
fp_mapped_sum_begin (FpMappedSum *self,
                     guint process,
                     FpFileRoot *root)
{
  fp_mapped_sum_drop (self);
  self->process = process;
  self->round++;
  self->n_mappings = 0;
  self->has_last = FALSE;
  fp_file_identities_begin (self->identities, self->files->processes[process].id.pid, root);
  fp_build_ids_begin (self->build_ids, &self->files->processes[process].id);
}

void
fp_mapped_sum_add_mapping (FpMappedSum *self,
                           const FpMapping *mapping,
                           const FpMemory *memory)
{
  FpMappingKind kind = fp_mapping_kind (mapping);
  Part *part;

  if (++self->n_mappings % STEP == 0)
    self->is_late = g_get_monotonic_time () > self->end_us;
  if (!is_like_last (self, mapping, kind))
    {
      self->last_part = find_part (self, mapping, kind);
      self->last_name = mapping->name_number;
      self->last_id = (FpFileId){ mapping->inode, mapping->device_major, mapping->device_minor };
      self->has_last = TRUE;
      add_state (self, &g_array_index (self->parts, Part, self->last_part), mapping);
    }
  self->last_kind = kind;
  part = &g_array_index (self->parts, Part, self->last_part);
  add_figures (part, memory);
  part->kind = weigh (part->kind, kind);
  if (!part->slot->is_identified)
    identify (self, part->slot, mapping);
}

static void
count_part (FpMappedSum *self,
            const Part *part)
{
  FpMappedFile *file = &g_array_index (self->files->files, FpMappedFile, part->slot->index);
  guint64 fields = self->fields;
  Holding holding = { part->slot->index, part->holder };

  for (guint i = 0; fields; fields &= fields - 1, i++)
    file->figures[i] += part->memory.figures[__builtin_ctzll (fields)];
  file->present &= part->memory.present;
  file->n_mappings += part->n_mappings;
  file->n_holders++;
  file->kind = weigh (file->kind, part->kind);
  file->state = MAX (file->state, part->state);
  file->is_updated |= part->holder.is_updated;
  file->unchanged += part->unchanged;
  file->is_unchanged_bound |= part->is_unchanged_bound;
  fp_mapped_holder_add (&holding.holder, &part->memory);
  g_array_append_val (self->holdings, holding);
}

/* rest: those of its mappings that were not added yet. FALSE: step gave it up, and the process is dropped. */
gboolean
fp_mapped_sum_end (FpMappedSum *self,
                   const FpMappings *rest,
                   FpMappingStepFunc step,
                   gpointer data)
{
  guint n = fp_mappings_get_n (rest);

  for (guint i = 0; i < n; i++)
    {
      FpMapping mapping;

      if (step && i % STEP == STEP - 1 && !step (i, n, data))
        {
          fp_mapped_sum_drop (self);
          return FALSE;
        }
      fp_mappings_get (rest, i, &mapping);
      fp_mapped_sum_add_mapping (self, &mapping, &mapping.memory);
    }
  for (guint i = 0; i < self->parts->len; i++)
    count_part (self, &g_array_index (self->parts, Part, i));
  g_array_set_size (self->parts, 0);
  self->n_files = self->files->files->len;
  self->files->owners[self->process] = self->process;
  self->files->n_read++;
  return TRUE;
}

gboolean
fp_mapped_sum_add (FpMappedSum *self,
                   guint process,
                   const FpMappings *mappings,
                   FpMappingStepFunc step,
                   gpointer data)
{
  fp_mapped_sum_begin (self, process, NULL);
  return fp_mapped_sum_end (self, mappings, step, data);
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
