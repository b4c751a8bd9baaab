// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FP_BUILD_ID_SIZE 20 /* The kernel knows no longer ones. */

/* The linker's mark on a program or library. Copies have the same, and every other build has another one. */
typedef struct
{
  guint8 bytes[FP_BUILD_ID_SIZE];
  guint size; /* 0: it has none, or none that can be read */
} FpBuildId;

#define FP_BUILD_ID_TEXT_SIZE (2 * FP_BUILD_ID_SIZE + 1)

gboolean fp_build_id_is_known (const FpBuildId *self);
void fp_build_id_write (const FpBuildId *self, char text[FP_BUILD_ID_TEXT_SIZE]);

/* The file may be damaged, or change at any time: it is read, never mapped, and nothing in it is believed. */
gboolean fp_elf_read_build_id (int fd, FpBuildId *id);

G_END_DECLS
