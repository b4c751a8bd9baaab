// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <elf.h>

#include "fp-elf.h"

G_BEGIN_DECLS

#define FP_ELF_MAX_SEGMENTS 128 /* programs have a dozen */

/* Parts of a file of either width, in the wide form. FALSE: the file ends before, or is no ELF file of this machine. */
gboolean fp_elf_read_exactly (int fd, void *buffer, gsize size, guint64 offset);
gboolean fp_elf_read_header (int fd, Elf64_Ehdr *header);
gboolean fp_elf_read_segment (int fd, const Elf64_Ehdr *header, guint i, Elf64_Phdr *segment);
gboolean fp_elf_read_section (int fd, const Elf64_Ehdr *header, guint i, Elf64_Shdr *section);

G_END_DECLS
