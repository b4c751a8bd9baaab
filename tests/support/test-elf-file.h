// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <elf.h>
#include <glib.h>
#include <string.h>

/* A library with nothing in it but a build ID. */
#define TEST_ELF_FILE(name, Ehdr, Phdr, class)                                                                  \
  static inline GByteArray *name (const void *id, guint32 id_size)                                              \
  {                                                                                                             \
    const Elf64_Nhdr note = { sizeof ELF_NOTE_GNU, id_size, NT_GNU_BUILD_ID };                                  \
    const guint32 size = (guint32)sizeof note + (guint32)sizeof ELF_NOTE_GNU + ((id_size + 3) & ~3u);           \
    const guint8 padding[4] = { 0 };                                                                            \
    GByteArray *bytes = g_byte_array_new ();                                                                    \
    Ehdr file = { .e_type = ET_DYN,                                                                             \
                  .e_version = EV_CURRENT,                                                                      \
                  .e_phoff = sizeof file,                                                                       \
                  .e_ehsize = sizeof file,                                                                      \
                  .e_phentsize = sizeof (Phdr),                                                                 \
                  .e_phnum = 2 };                                                                               \
    const Phdr segments[2] = {                                                                                  \
      { .p_type = PT_LOAD, .p_filesz = 4096, .p_memsz = 4096 },                                                 \
      { .p_type = PT_NOTE, .p_offset = sizeof file + sizeof segments, .p_filesz = size, .p_memsz = size },      \
    };                                                                                                          \
                                                                                                                \
    memcpy (file.e_ident, ELFMAG, SELFMAG);                                                                     \
    file.e_ident[EI_CLASS] = class;                                                                             \
    file.e_ident[EI_DATA] = G_BYTE_ORDER == G_LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;                        \
    file.e_ident[EI_VERSION] = EV_CURRENT;                                                                      \
    g_byte_array_append (bytes, (const guint8 *)&file, sizeof file);                                            \
    g_byte_array_append (bytes, (const guint8 *)segments, sizeof segments);                                     \
    g_byte_array_append (bytes, (const guint8 *)&note, sizeof note);                                            \
    g_byte_array_append (bytes, (const guint8 *)ELF_NOTE_GNU, sizeof ELF_NOTE_GNU);                             \
    g_byte_array_append (bytes, id, id_size);                                                                   \
    g_byte_array_append (bytes, padding, size - (guint32)sizeof note - (guint32)sizeof ELF_NOTE_GNU - id_size); \
    return bytes;                                                                                               \
  }

TEST_ELF_FILE (test_elf_file_new_wide, Elf64_Ehdr, Elf64_Phdr, ELFCLASS64)
TEST_ELF_FILE (test_elf_file_new_narrow, Elf32_Ehdr, Elf32_Phdr, ELFCLASS32)
