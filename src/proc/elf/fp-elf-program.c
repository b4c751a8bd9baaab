// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

#include "fp-elf-private.h"
#include "fp-elf-program.h"

#define MAX_NAME     256
#define MAX_SECTIONS 1024
#define MAX_ENTRIES  4096 /* of the dynamic section */
#define OWN_WIDTH    (sizeof (gpointer) == 8 ? ELFCLASS64 : ELFCLASS32)

/* The text goes to the end of the file at most. */
static gboolean
read_text (int fd,
           guint64 offset,
           char text[MAX_NAME])
{
  gssize n = offset <= G_MAXINT64 ? pread (fd, text, MAX_NAME - 1, (off_t)offset) : -1;

  text[MAX (n, 0)] = '\0';
  return n > 0;
}

/* The first of its type */
static gboolean
find_segment (int fd,
              const Elf64_Ehdr *header,
              guint32 type,
              Elf64_Phdr *segment)
{
  for (guint i = 0; i < MIN (header->e_phnum, FP_ELF_MAX_SEGMENTS); i++)
    if (fp_elf_read_segment (fd, header, i, segment) && segment->p_type == type)
      return TRUE;
  return FALSE;
}

/* Where in the file an address is; 0: nowhere */
static guint64
find_offset (int fd,
             const Elf64_Ehdr *header,
             guint64 address)
{
  Elf64_Phdr segment;

  for (guint i = 0; i < MIN (header->e_phnum, FP_ELF_MAX_SEGMENTS); i++)
    if (fp_elf_read_segment (fd, header, i, &segment) && segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz)
      return segment.p_offset + (address - segment.p_vaddr);
  return 0;
}

static guint64
find_names (int fd,
            const Elf64_Ehdr *header,
            const Elf64_Phdr *dynamic)
{
  ElfW (Dyn) entry;

  for (guint i = 0; i < MIN (dynamic->p_filesz / sizeof entry, MAX_ENTRIES); i++)
    if (fp_elf_read_exactly (fd, &entry, sizeof entry, dynamic->p_offset + i * sizeof entry) && entry.d_tag == DT_STRTAB)
      return find_offset (fd, header, entry.d_un.d_ptr);
  return 0;
}

static void
read_libraries (FpElfProgram *self,
                int fd,
                const Elf64_Ehdr *header)
{
  char name[MAX_NAME];
  Elf64_Phdr dynamic;
  ElfW (Dyn) entry;
  guint64 names;

  if (self->width != OWN_WIDTH || !find_segment (fd, header, PT_DYNAMIC, &dynamic) || !(names = find_names (fd, header, &dynamic)))
    return;
  for (guint i = 0; i < MIN (dynamic.p_filesz / sizeof entry, MAX_ENTRIES); i++)
    {
      if (!fp_elf_read_exactly (fd, &entry, sizeof entry, dynamic.p_offset + i * sizeof entry) || entry.d_tag == DT_NULL)
        return;
      if (entry.d_tag == DT_NEEDED && read_text (fd, names + entry.d_un.d_val, name))
        g_ptr_array_add (self->libraries, g_strdup (name));
    }
}

/* Go marks its programs, even where their symbols are stripped. */
static gboolean
has_go_section (int fd,
                const Elf64_Ehdr *header)
{
  Elf64_Shdr names, section;
  char name[MAX_NAME];

  if (!fp_elf_read_section (fd, header, header->e_shstrndx, &names))
    return FALSE;
  for (guint i = 1; i < MIN (header->e_shnum, MAX_SECTIONS); i++)
    if (fp_elf_read_section (fd, header, i, &section) && read_text (fd, names.sh_offset + section.sh_name, name) &&
        (strcmp (name, ".go.buildinfo") == 0 || strcmp (name, ".note.go.buildid") == 0))
      return TRUE;
  return FALSE;
}

gboolean
fp_elf_program_read (FpElfProgram *self,
                     int fd)
{
  char name[MAX_NAME];
  Elf64_Ehdr header;
  Elf64_Phdr loader;

  *self = (FpElfProgram){ .libraries = g_ptr_array_new_with_free_func (g_free) };
  if (!fp_elf_read_header (fd, &header) ||
      !fp_elf_read_exactly (fd, &self->machine, sizeof self->machine, offsetof (Elf64_Ehdr, e_machine)))
    return FALSE;
  self->width = header.e_ident[EI_CLASS];
  if (find_segment (fd, &header, PT_INTERP, &loader) && read_text (fd, loader.p_offset, name))
    self->loader = g_strdup (name);
  self->is_go = has_go_section (fd, &header);
  read_libraries (self, fd, &header);
  return TRUE;
}

void
fp_elf_program_clear (FpElfProgram *self)
{
  g_clear_pointer (&self->loader, g_free);
  g_clear_pointer (&self->libraries, g_ptr_array_unref);
}

/* prefix: of a library's name, "libstdc++." */
gboolean
fp_elf_program_needs (const FpElfProgram *self,
                      const char *prefix)
{
  for (guint i = 0; i < self->libraries->len; i++)
    if (g_str_has_prefix (g_ptr_array_index (self->libraries, i), prefix))
      return TRUE;
  return FALSE;
}
