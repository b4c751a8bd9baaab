// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-texts.h"
#include "fp-mapping-kind.h"

G_BEGIN_DECLS

#define FP_IS_OF_SMAPS   +1
#define FP_IS_OF_MAPPING +1
#define FP_IS_OF_DERIVED
#define FP_IS_OF_STATUS
#define FP_IS_OF_STAT
#define FP_IS_OF_OTHER
#define FP_IS_OF_KEPT
#define FP_COUNT_MAPPED(id, name, source, ...) FP_IS_OF_##source

/* Fields that a line of smaps has; there is one figure for each of them, in their order. */
enum
{
  FP_N_MAPPED_FIGURES = 0 FP_MEMORY_FIELDS (FP_COUNT_MAPPED)
};

/* A file with all its mappings in some processes. A segment of shared memory is one too, and so is all anonymous memory of
 * one kind, or with one name that programs gave it. */
typedef struct
{
  FpFileId id;       /* 0 where it is no file */
  const char *name;  /* the kernel's; empty for all memory of a kind */
  const char *shown; /* the same, with quotes where a file is really called "(deleted)" */
  FpMappingKind kind;
  FpFileState state;
  gboolean is_updated; /* it was deleted, and another file has its name now */
  guint64 key[2];      /* identifies it from one list to the next */
  guint n_mappings;
  guint n_processes; /* those that share their memory with a holder, too */
  guint n_users;
  guint first_holder; /* in FpMappedFiles.holders */
  guint n_holders;
  guint64 present; /* bits of the figures that every mapping has */
  guint64 figures[FP_N_MAPPED_FIGURES];
  const char *build_id;        /* (nullable): it has none, or none that can be read; one text for equal ones */
  gboolean is_layered;         /* of an overlay */
  gboolean is_unchanged_bound; /* unchanged may be more: processes share pages that they changed */
  guint64 unchanged;           /* its part of pss that is as in the file, so that processes can have it in common */
  guint copies;                /* index, and one, of the copies that it is among; 0: there is no other */
} FpMappedFile;

/* Files that are one library or program, by their build ID, and lie in memory once each. */
typedef struct
{
  guint n;
  guint largest;     /* index of the file with the most that is unchanged */
  guint64 unchanged; /* of all of them */
  gboolean is_bound; /* it may be more */
} FpFileCopies;

typedef struct
{
  FpProcessId id;
  guint32 uid;
  gint shares_with; /* the process whose address space it has, too; or 0 */
} FpMappedProcess;

#define FP_N_HOLDER_FIGURES 5

extern const FpField fp_holder_fields[FP_N_HOLDER_FIGURES];

/* One memory that has mappings of a file. The processes that share it are not copied for each file, because somebody may
 * have thousands of both. */
typedef struct
{
  guint32 process;                  /* index of the one whose mappings were read */
  guint32 n_up_to;                  /* processes of the file that this holder and those before it stand for */
  guint8 is_deleted;                /* the name by which it has the file */
  guint8 is_updated;                /* another file has that name now, for who sees the same mounts */
  guint32 kib[FP_N_HOLDER_FIGURES]; /* its part of the file's figures, in the order of fp_holder_fields; G_MAXUINT32: or more */
} FpMappedHolder;

typedef struct
{
  guint32 process; /* index */
  gboolean is_refused;
} FpMappedUnread;

/* All that some processes map, summed up by file; never changed afterwards. */
typedef struct
{
  gatomicrefcount ref_count;
  guint64 measured_us;        /* CLOCK_BOOTTIME */
  GArray *files;              /* FpMappedFile, in the order in which they were found */
  GArray *copies;             /* FpFileCopies, those first of which one copy would save most */
  FpMappedProcess *processes; /* those that were asked for */
  guint n_processes;
  guint n_tried; /* fewer than n_processes: it is a part, and the rest was not read yet */
  guint n_read;
  guint n_unread;          /* could not be read; one that has ended counts neither here nor there */
  FpMappedUnread *unread;  /* n_unread of them */
  FpMappedHolder *holders; /* in runs by file */
  guint n_holders;
  gboolean lacks_parts; /* only the sums are known: the holders have no figures */
  guint32 *owners;      /* of each process: the one whose mappings stand for it, often itself; or FP_MAPPED_NOT_READ */
  guint32 *first_twin;  /* of each process, and one more: where in twins those begin that share its memory */
  guint32 *twins;       /* indices of processes */
  FpMappedTexts *texts;
} FpMappedFiles;

#define FP_MAPPED_NOT_READ G_MAXUINT32

/* texts: (nullable): shared with another list */
FpMappedFiles *fp_mapped_files_new (guint n_processes, FpMappedTexts *texts);
void fp_mapped_files_index (FpMappedFiles *self);
void fp_mapped_files_count_users (FpMappedFiles *self);
FpMappedFiles *fp_mapped_files_ref (FpMappedFiles *self);
void fp_mapped_files_unref (FpMappedFiles *self);

static inline const FpMappedFile *
fp_mapped_files_get (const FpMappedFiles *self,
                     guint index)
{
  return &g_array_index (self->files, FpMappedFile, index);
}

static inline gboolean
fp_mapped_files_is_part (const FpMappedFiles *self)
{
  return self->n_tried < self->n_processes;
}

const FpMappedHolder *fp_mapped_files_find_holder (
    const FpMappedFiles *self, const FpMappedFile *file, guint i, const FpMappedProcess **process);
const FpMappedProcess *fp_mapped_files_get_holder (const FpMappedFiles *self, const FpMappedFile *file, guint i);
guint64 fp_file_copies_get_least (const FpMappedFiles *files, const FpFileCopies *copies);
gboolean fp_mapped_file_is_outdated (const FpMappedFile *self);
gboolean fp_mapped_file_is_rest (const FpMappedFile *self);

static inline const FpMappedHolder *
fp_mapped_files_get_holders (const FpMappedFiles *self,
                             const FpMappedFile *file)
{
  return &self->holders[file->first_holder];
}

static inline gboolean
fp_mapped_holder_is_outdated (const FpMappedHolder *self,
                              const FpMappedFile *file)
{
  return self->is_updated || (self->is_deleted && file->kind == FP_MAPPING_CODE);
}

void fp_mapped_file_get_memory (const FpMappedFile *self, FpMemory *memory);
void fp_mapped_holder_add (FpMappedHolder *self, const FpMemory *memory);
void fp_mapped_holder_get_memory (const FpMappedHolder *self, const FpMappedFile *file, FpMemory *memory);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMappedFiles, fp_mapped_files_unref)

G_END_DECLS
