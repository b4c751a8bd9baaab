// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How a program is started. */
typedef struct
{
  guint8 width; /* ELFCLASS64, … */
  guint16 machine;
  gboolean is_go;
  char *loader;         /* (nullable): of its libraries; a static program has none */
  GPtrArray *libraries; /* of char *: those that it names itself; empty for another width than ours */
} FpElfProgram;

/* The file may be damaged, or change at any time: it is read, never mapped, and nothing in it is believed. FALSE: it is no
 * program of this byte order */
gboolean fp_elf_program_read (FpElfProgram *self, int fd);
void fp_elf_program_clear (FpElfProgram *self);
gboolean fp_elf_program_needs (const FpElfProgram *self, const char *prefix);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpElfProgram, fp_elf_program_clear)

G_END_DECLS
