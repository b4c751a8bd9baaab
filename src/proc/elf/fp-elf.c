// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "fp-elf.h"

#define MAX_HEADERS 128          /* programs have a dozen */
#define MAX_NOTES   (64u * 1024) /* of a segment; linkers write less than 200 bytes */

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define OWN_ORDER ELFDATA2LSB
#else
#define OWN_ORDER ELFDATA2MSB
#endif

/* The program headers of a file, of either width. */
typedef struct
{
  gboolean is_wide;
  guint64 offset;
  guint entry_size;
  guint n;
} Headers;

static gboolean
read_exactly (int fd,
              void *buffer,
              gsize size,
              guint64 offset)
{
  return offset <= G_MAXINT64 - size && pread (fd, buffer, size, (off_t)offset) == (gssize)size;
}

static gboolean
read_headers (int fd,
              Headers *headers)
{
  union
  {
    guchar ident[EI_NIDENT];
    Elf32_Ehdr narrow;
    Elf64_Ehdr wide;
  } file = { { 0 } };

  if (!read_exactly (fd, &file, sizeof file.narrow, 0) || memcmp (file.ident, ELFMAG, SELFMAG) != 0 ||
      file.ident[EI_DATA] != OWN_ORDER)
    return FALSE;
  headers->is_wide = file.ident[EI_CLASS] == ELFCLASS64;
  if (!headers->is_wide)
    {
      headers->offset = file.narrow.e_phoff;
      headers->entry_size = file.narrow.e_phentsize;
      headers->n = file.narrow.e_phnum;
      return file.ident[EI_CLASS] == ELFCLASS32 && headers->entry_size == sizeof (Elf32_Phdr);
    }
  if (!read_exactly (fd, &file, sizeof file.wide, 0))
    return FALSE;
  headers->offset = file.wide.e_phoff;
  headers->entry_size = file.wide.e_phentsize;
  headers->n = file.wide.e_phnum;
  return headers->entry_size == sizeof (Elf64_Phdr);
}

/* FALSE: the segment with this number has no notes. */
static gboolean
read_notes_place (int fd,
                  const Headers *headers,
                  guint i,
                  guint64 *offset,
                  guint64 *size)
{
  union
  {
    Elf32_Phdr narrow;
    Elf64_Phdr wide;
  } segment;

  if (headers->offset > G_MAXINT64 || !read_exactly (fd, &segment, headers->entry_size, headers->offset + (guint64)i * headers->entry_size))
    return FALSE;
  *offset = headers->is_wide ? segment.wide.p_offset : segment.narrow.p_offset;
  *size = headers->is_wide ? segment.wide.p_filesz : segment.narrow.p_filesz;
  return (headers->is_wide ? segment.wide.p_type : segment.narrow.p_type) == PT_NOTE;
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
  Headers headers;

  *id = (FpBuildId){ 0 };
  if (!read_headers (fd, &headers))
    return FALSE;
  for (guint i = 0; i < MIN (headers.n, MAX_HEADERS) && id->size == 0; i++)
    {
      g_autofree guint8 *notes = NULL;
      guint64 offset, size;

      if (!read_notes_place (fd, &headers, i, &offset, &size) || size > MAX_NOTES)
        continue;
      notes = g_malloc (size + 1);
      if (read_exactly (fd, notes, size, offset))
        find_build_id (notes, size, id);
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
