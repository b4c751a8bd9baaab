// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-texts.h"
#include "fp-mapping.h"
#include "fp-mounts.h"

G_BEGIN_DECLS

/* One file, whichever name and mount a process has mapped it by. */
typedef struct
{
  FpFileId id;
  const char *path;    /* (nullable): tells it from others with the same numbers; within its file system */
  gboolean is_lost;    /* it can't be told from others: there are too many texts */
  gboolean is_layered; /* of an overlay: other overlays may show the same file of the layer beneath, with another device */
  gboolean is_at_hand; /* reading it waits for no server and no program */
} FpFileIdentity;

/* Tells files apart. Device and inode do that, but the list of mappings has one device for all subvolumes of a btrfs and
 * for all layers of an overlay, which number their inodes each for itself. There the file system is asked, and where it
 * does not answer the path decides. */
typedef struct _FpFileIdentities FpFileIdentities;

FpFileIdentities *fp_file_identities_new (const FpProcDir *proc, FpMappedTexts *texts);
void fp_file_identities_free (FpFileIdentities *self);
void fp_file_identities_begin (FpFileIdentities *self, gint pid, FpFileRoot *root);
gboolean fp_file_identities_need_root (const FpFileIdentities *self);
void fp_file_identities_find (FpFileIdentities *self, const FpMapping *mapping, FpFileIdentity *identity);
gboolean fp_file_identities_is_updated (FpFileIdentities *self, const FpMapping *mapping);

/* Opens the file of one mapping of a running process, where that waits for no server and no program. Negative: it can't be
 * had. The file may be changed by anybody meanwhile. */
int fp_file_identity_open (const FpProcDir *proc, const FpProcessId *id, const FpMapping *mapping);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpFileIdentities, fp_file_identities_free)

G_END_DECLS
