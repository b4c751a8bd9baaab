// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "fp-elf-private.h"

#define MAX_NOTES (64u * 1024) /* of all segments; linkers write less than 200 bytes */

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define OWN_ORDER ELFDATA2LSB
#else
#define OWN_ORDER ELFDATA2MSB
#endif

gboolean
fp_elf_read_exactly (int fd,
                     void *buffer,
                     gsize size,
                     guint64 offset)
{
  return offset <= G_MAXINT64 - size && pread (fd, buffer, size, (off_t)offset) == (gssize)size;
}

static void
widen_header (Elf64_Ehdr *header,
              const Elf32_Ehdr *narrow)
{
  header->e_phoff = narrow->e_phoff;
  header->e_phentsize = narrow->e_phentsize;
  header->e_phnum = narrow->e_phnum;
  header->e_shoff = narrow->e_shoff;
  header->e_shentsize = narrow->e_shentsize;
  header->e_shnum = narrow->e_shnum;
  header->e_shstrndx = narrow->e_shstrndx;
}

gboolean
fp_elf_read_header (int fd,
                    Elf64_Ehdr *header)
{
  Elf32_Ehdr narrow;

  if (!fp_elf_read_exactly (fd, &narrow, sizeof narrow, 0) || memcmp (narrow.e_ident, ELFMAG, SELFMAG) != 0 ||
      narrow.e_ident[EI_DATA] != OWN_ORDER)
    return FALSE;
  if (narrow.e_ident[EI_CLASS] == ELFCLASS64)
    return fp_elf_read_exactly (fd, header, sizeof *header, 0) && header->e_ident[EI_CLASS] == ELFCLASS64;
  memset (header, 0, sizeof *header);
  memcpy (header->e_ident, narrow.e_ident, sizeof header->e_ident);
  widen_header (header, &narrow);
  return narrow.e_ident[EI_CLASS] == ELFCLASS32;
}

static gboolean
is_wide (const Elf64_Ehdr *header)
{
  return header->e_ident[EI_CLASS] == ELFCLASS64;
}

/* One entry of a table that begins here */
static gboolean
read_entry (int fd,
            guint64 table,
            guint i,
            gsize size,
            void *entry)
{
  return table <= G_MAXINT64 && fp_elf_read_exactly (fd, entry, size, table + (guint64)i * size);
}

gboolean
fp_elf_read_segment (int fd,
                     const Elf64_Ehdr *header,
                     guint i,
                     Elf64_Phdr *segment)
{
  Elf32_Phdr narrow;

  if (i >= header->e_phnum)
    return FALSE;
  if (is_wide (header))
    return header->e_phentsize == sizeof *segment && read_entry (fd, header->e_phoff, i, sizeof *segment, segment);
  if (header->e_phentsize != sizeof narrow || !read_entry (fd, header->e_phoff, i, sizeof narrow, &narrow))
    return FALSE;
  *segment = (Elf64_Phdr){
    .p_type = narrow.p_type,
    .p_flags = narrow.p_flags,
    .p_offset = narrow.p_offset,
    .p_vaddr = narrow.p_vaddr,
    .p_filesz = narrow.p_filesz,
    .p_memsz = narrow.p_memsz,
  };
  return TRUE;
}

/* The number is not compared with e_shnum, which is 0 where there are very many. */
gboolean
fp_elf_read_section (int fd,
                     const Elf64_Ehdr *header,
                     guint i,
                     Elf64_Shdr *section)
{
  Elf32_Shdr narrow;

  if (header->e_shoff == 0)
    return FALSE;
  if (is_wide (header))
    return header->e_shentsize == sizeof *section && read_entry (fd, header->e_shoff, i, sizeof *section, section);
  if (header->e_shentsize != sizeof narrow || !read_entry (fd, header->e_shoff, i, sizeof narrow, &narrow))
    return FALSE;
  *section = (Elf64_Shdr){
    .sh_name = narrow.sh_name,
    .sh_type = narrow.sh_type,
    .sh_flags = narrow.sh_flags,
    .sh_addr = narrow.sh_addr,
    .sh_offset = narrow.sh_offset,
    .sh_size = narrow.sh_size,
    .sh_link = narrow.sh_link,
  };
  return TRUE;
}

/* Both widths write notes alike. */
static gboolean
find_build_id (const guint8 *notes,
               gsize size,
               FpBuildId *id)
{
  Elf64_Nhdr note;

  for (gsize at = 0; size - at >= sizeof note; at += sizeof note)
    {
      guint64 name_size, text_size;

      memcpy (&note, notes + at, sizeof note);
      name_size = ((guint64)note.n_namesz + 3) & ~(guint64)3;
      text_size = ((guint64)note.n_descsz + 3) & ~(guint64)3;
      if (name_size + text_size > size - at - sizeof note)
        return FALSE;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU && note.n_descsz > 0 &&
          note.n_descsz <= sizeof id->bytes &&
          memcmp (notes + at + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0)
        {
          id->size = note.n_descsz;
          memcpy (id->bytes, notes + at + sizeof note + name_size, id->size);
          return TRUE;
        }
      at += name_size + text_size;
    }
  return FALSE;
}

gboolean
fp_elf_read_build_id (int fd,
                      FpBuildId *id)
{
  Elf64_Ehdr header;
  Elf64_Phdr segment;
  guint64 left = MAX_NOTES;

  *id = (FpBuildId){ 0 };
  if (!fp_elf_read_header (fd, &header))
    return FALSE;
  for (guint i = 0; i < FP_ELF_MAX_SEGMENTS && id->size == 0 && fp_elf_read_segment (fd, &header, i, &segment); i++)
    {
      g_autofree guint8 *notes = NULL;

      if (segment.p_type != PT_NOTE || segment.p_filesz > left)
        continue;
      left -= segment.p_filesz;
      notes = g_malloc (segment.p_filesz + 1);
      if (fp_elf_read_exactly (fd, notes, segment.p_filesz, segment.p_offset))
        find_build_id (notes, segment.p_filesz, id);
    }
  return fp_build_id_is_known (id);
}

/* Some tools fill the place for it with zeros and leave it so. */
gboolean
fp_build_id_is_known (const FpBuildId *self)
{
  for (guint i = 0; i < self->size; i++)
    if (self->bytes[i] != 0)
      return TRUE;
  return FALSE;
}

/* In the digits that readelf and the names of debug packages have. */
void
fp_build_id_write (const FpBuildId *self,
                   char text[FP_BUILD_ID_TEXT_SIZE])
{
  for (guint i = 0; i < self->size; i++)
    g_snprintf (text + 2 * i, 3, "%02x", self->bytes[i]);
  text[2 * self->size] = '\0';
}
