// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FP_TAR_BLOCK 512

typedef enum
{
  FP_TAR_FILE,
  FP_TAR_FOLDER,
  FP_TAR_LINK,
  FP_TAR_OTHER,
} FpTarType;

/* A member of an archive; its data are where the archive is in memory. */
typedef struct
{
  FpTarType type;
  char name[257];
  char user[33]; /* empty where it is not told */
  guint32 uid;
  guint64 time; /* seconds since 1970 */
  const char *data;
  gsize size;
} FpTarMember;

typedef enum
{
  FP_TAR_MEMBER,
  FP_TAR_LAST, /* no more, and the archive says so */
  FP_TAR_OVER, /* no more, but it may have been cut there */
  FP_TAR_CUT,
  FP_TAR_DAMAGED,
} FpTarStep;

/* Goes through an archive in memory. Nothing is unpacked, so no name and no link leads anywhere. */
typedef struct
{
  const guint8 *at;
  gsize left;
} FpTar;

gboolean fp_tar_is_one (const guint8 *data, gsize size);
FpTarStep fp_tar_next (FpTar *self, FpTarMember *member);

G_END_DECLS
