// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-control-groups.h"
#include "fp-details.h"
#include "fp-ending.h"
#include "fp-kept.h"
#include "fp-malloc.h"
#include "fp-mapped-reader.h"
#include "fp-mapping.h"
#include "fp-page-map.h"
#include "fp-sections.h"
#include "fp-sweep.h"
#include "fp-tmpfs-files.h"

G_BEGIN_DECLS

#define FP_TYPE_SOURCE (fp_source_get_type ())

G_DECLARE_INTERFACE (FpSource, fp_source, FP, SOURCE, GObject)

/* The requests that sources answer, each with a type of its own. */
typedef enum
{
  FP_REQUEST_COLLECT,        /* FpSnapshot; it comes when its slice of time is over, and may have pending processes */
  FP_REQUEST_MAPPINGS,       /* FpMappings; full smaps, which holds the process up, so only when its user asks for it */
  FP_REQUEST_DETAILS,        /* FpDetails */
  FP_REQUEST_PAGES,          /* FpPageMap, freed with g_free (); read in small pieces with pauses */
  FP_REQUEST_ENDING,         /* FpEnding; full smaps in small pieces with pauses */
  FP_REQUEST_CONTROL_GROUPS, /* FpControlGroups */
  FP_REQUEST_KEPT,           /* FpKept */
  FP_REQUEST_MAPPED_FILES,   /* FpMappedFiles; full smaps of each process, so only when its user asks for it */
  FP_REQUEST_TMPFS_FILES,    /* FpTmpfsFiles; what this process sees, never with more rights than its user has */
  FP_REQUEST_SECTIONS,       /* FpSections; full smaps and the pages of one file, so only when its user asks for it */
  FP_REQUEST_MALLOC,         /* FpMalloc; the heap itself, which the kernel lets few read; never through a helper */
  FP_N_REQUEST_KINDS,
} FpRequestKind;

#define FP_REQUEST_BIT(kind) (1u << (kind))
#define FP_ALL_REQUEST_BITS  (FP_REQUEST_BIT (FP_N_REQUEST_KINDS) - 1)

/* Addresses at multiples of the page size, and how many bins at most their pages are told in */
typedef struct
{
  guint64 start;
  guint64 end;
  guint max_bins;
} FpPageRange;

/* Lives until the call returns; fp_source_request_copy () is for those who need it longer. */
typedef struct
{
  FpRequestKind kind;
  FpSweepRequest sweep;          /* COLLECT */
  guint32 asker;                 /* COLLECT of an FpSharedSweep: the user for whom it is */
  FpProcessId id;                /* MAPPINGS, DETAILS, PAGES, SECTIONS, MALLOC */
  FpPageRange range;             /* PAGES */
  const char *file;              /* SECTIONS: its name among the mappings */
  const FpEndingMember *members; /* ENDING */
  guint n_members;
  const FpMappedProcess *mapped; /* MAPPED_FILES */
  guint n_mapped;
  const FpTmpfs *tmpfs;           /* TMPFS_FILES */
  guint n_biggest;                /* TMPFS_FILES */
  gboolean may_be_copied;         /* ENDING: also of a copied /proc, where nothing can be ended */
  gboolean may_ask;               /* for a password: COLLECT, for all processes and from then on; MAPPINGS, MAPPED_FILES */
  GFileProgressCallback progress; /* (nullable): MAPPINGS, PAGES, MAPPED_FILES in processes, TMPFS_FILES, MALLOC; of a helper files alone */
  FpMappedPartFunc part;          /* (nullable): MAPPED_FILES, with progress_data; a helper gives none */
  gpointer progress_data;
} FpSourceRequest;

/* The processes that a source can read at present, and what can be done about it. The errors belong to the source. */
typedef struct
{
  gboolean is_saved;     /* one moment from a file */
  gboolean is_sandboxed; /* this process is in a Flatpak */
  gboolean is_confined;  /* it can read nothing outside of its Flatpak */
  gboolean is_unlocked;
  gboolean can_unlock;         /* it is locked, and somebody can be asked */
  const char *name;            /* (nullable): of the file */
  const char *advice;          /* (nullable): for the error of the last ::lock-changed */
  const GError *helper_error;  /* (nullable): why the helper does not read for this Flatpak */
  const GError *outside_error; /* (nullable): the same for the program that it starts outside */
} FpSourceStatus;

/* Where snapshots come from: this process, a helper, a file. One collection at a time, but for the helper's FpSharedSweep.
 *
 * Every call calls back exactly once, and never before it has returned; after its cancellable was cancelled with
 * G_IO_ERROR_CANCELLED, whatever became of it.
 *
 * ::lock-changed (GError *error): it was unlocked, or locked again; error: why it could not be, or could not stay so
 * ::reader-changed: another process reads than before */
struct _FpSourceInterface
{
  GTypeInterface parent;

  guint kinds; /* bits of the requests that it answers */

  /* Ends with fp_source_answer (), at once or later; until then it keeps a reference to the task. */
  void (*answer) (FpSource *self, const FpSourceRequest *request, GTask *task);

  /* (nullable): the same in the calling thread, for fp_source_request_sync () */
  gpointer (*read) (FpSource *self, const FpSourceRequest *request, GError **error);

  /* (nullable): nothing is known beyond zeros */
  void (*get_status) (FpSource *self, FpSourceStatus *status);

  /* (nullable): it can't be unlocked. Returns a boolean with the task */
  void (*unlock) (FpSource *self, GTask *task);
  void (*lock) (FpSource *self);
};

void fp_source_request_async (FpSource *self,
                              const FpSourceRequest *request,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer data);
gpointer fp_source_request_finish (FpSource *self, FpRequestKind kind, GAsyncResult *result, GError **error);
gpointer fp_source_request_sync (FpSource *self, const FpSourceRequest *request, GError **error);
gboolean fp_source_offers (FpSource *self, FpRequestKind kind);
const char *fp_source_get_missing (FpRequestKind kind);
FpSourceStatus fp_source_get_status (FpSource *self);

void fp_source_unlock_async (FpSource *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
gboolean fp_source_unlock_finish (FpSource *self, GAsyncResult *result, GError **error);
void fp_source_lock (FpSource *self);

/* For those who implement it */
FpSourceRequest *fp_source_request_copy (const FpSourceRequest *self);
void fp_source_request_free (gpointer self);
void fp_source_answer (GTask *task, gpointer answer, GError *error);

G_END_DECLS
