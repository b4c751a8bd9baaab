// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-elf-private.h"
#include "fp-elf-sections.h"
#include "fp-strings.h"

#define MAX_SECTIONS 4096 /* the others are in the rest */
#define MAX_ADDRESS  G_MAXINT64

const FpSectionKindInfo fp_section_kind_infos[FP_N_SECTION_KINDS] = {
  [FP_SECTION_CODE] = { "code", N_ ("Code") },
  /* Translators: what a section of a program is for */
  [FP_SECTION_CONSTANTS] = { "constants", N_ ("Constants") },
  [FP_SECTION_RELOCATED] = { "relocated", N_ ("Relocated data") },
  /* Translators: what a section of a program is for */
  [FP_SECTION_DATA] = { "data", N_ ("Data") },
  [FP_SECTION_ZEROED] = { "zeroed", N_ ("Zeroed data") },
  [FP_SECTION_REST] = { "rest", N_ ("Headers and gaps") },
};

typedef struct
{
  guint64 start;
  guint64 end;
} Range;

static int
compare_segments (gconstpointer a,
                  gconstpointer b)
{
  const FpElfSegment *x = a, *y = b;

  return x->address < y->address ? -1 : x->address > y->address;
}

static int
compare_sections (gconstpointer a,
                  gconstpointer b)
{
  const FpElfSection *x = a, *y = b;

  return x->start < y->start ? -1 : x->start > y->start;
}

static gboolean
is_possible (guint64 start,
             guint64 size)
{
  return start <= MAX_ADDRESS && size <= MAX_ADDRESS - start;
}

/* relocated: what the loader protects once it has written it */
static void
read_segments (FpElfLayout *self,
               int fd,
               const Elf64_Ehdr *header,
               Range *relocated)
{
  Elf64_Phdr segment;

  for (guint i = 0; i < FP_ELF_MAX_SEGMENTS && fp_elf_read_segment (fd, header, i, &segment); i++)
    {
      const FpElfSegment loaded = { segment.p_vaddr, segment.p_offset, segment.p_filesz, segment.p_memsz };

      if (!is_possible (segment.p_vaddr, segment.p_memsz) || !is_possible (segment.p_offset, segment.p_filesz) ||
          segment.p_filesz > segment.p_memsz)
        continue;
      if (segment.p_type == PT_LOAD && segment.p_memsz > 0)
        g_array_append_val (self->segments, loaded);
      else if (segment.p_type == PT_GNU_RELRO)
        *relocated = (Range){ segment.p_vaddr, segment.p_vaddr + segment.p_memsz };
    }
  g_array_sort (self->segments, compare_segments);
}

static FpSectionKind
get_kind (const Elf64_Shdr *section,
          const Range *relocated)
{
  if (section->sh_flags & SHF_EXECINSTR)
    return FP_SECTION_CODE;
  if (!(section->sh_flags & SHF_WRITE))
    return FP_SECTION_CONSTANTS;
  if (section->sh_addr >= relocated->start && section->sh_addr + section->sh_size <= relocated->end)
    return FP_SECTION_RELOCATED;
  return section->sh_type == SHT_NOBITS ? FP_SECTION_ZEROED : FP_SECTION_DATA;
}

/* The file may say anything of the name, too. */
static void
read_name (int fd,
           const Elf64_Shdr *names,
           const Elf64_Shdr *section,
           FpElfSection *found)
{
  char text[sizeof found->name] = "";
  gsize size;

  if (!is_possible (names->sh_offset, names->sh_size) || section->sh_name >= names->sh_size)
    return;
  size = MIN (names->sh_size - section->sh_name, sizeof text - 1);
  if (fp_elf_read_exactly (fd, text, size, names->sh_offset + section->sh_name))
    fp_text_clean (found->name, sizeof found->name, text, strlen (text));
}

/* A thread's own data without contents has an address, but nothing is there. */
static gboolean
is_loaded (const Elf64_Shdr *section)
{
  return (section->sh_flags & SHF_ALLOC) && section->sh_size > 0 && is_possible (section->sh_addr, section->sh_size) &&
         !(section->sh_type == SHT_NOBITS && (section->sh_flags & SHF_TLS));
}

static void
read_sections (FpElfLayout *self,
               int fd,
               const Elf64_Ehdr *header,
               const Range *relocated)
{
  Elf64_Shdr first, names = { 0 }, section;
  guint64 n;

  if (!fp_elf_read_section (fd, header, 0, &first))
    return;
  n = header->e_shnum ? header->e_shnum : first.sh_size;
  if (!fp_elf_read_section (fd, header, header->e_shstrndx == SHN_XINDEX ? first.sh_link : header->e_shstrndx, &names))
    memset (&names, 0, sizeof names);
  for (guint i = 1; i < MIN (n, MAX_SECTIONS) && fp_elf_read_section (fd, header, i, &section); i++)
    {
      FpElfSection found = { "", get_kind (&section, relocated), section.sh_addr, section.sh_addr + section.sh_size };

      if (!is_loaded (&section))
        continue;
      read_name (fd, &names, &section, &found);
      g_array_append_val (self->sections, found);
    }
  g_array_sort (self->sections, compare_sections);
}

/* The first of two sections at one place has it, so that no page counts twice. */
static void
separate_sections (FpElfLayout *self)
{
  guint64 end = 0;

  for (guint i = 0; i < self->sections->len; i++)
    {
      FpElfSection *section = &g_array_index (self->sections, FpElfSection, i);

      section->start = MAX (section->start, end);
      section->end = MAX (section->end, section->start);
      end = section->end;
    }
}

FpElfLayout *
fp_elf_layout_read (int fd)
{
  FpElfLayout *self = g_new0 (FpElfLayout, 1);
  Range relocated = { 0 };
  Elf64_Ehdr header;

  self->segments = g_array_new (FALSE, FALSE, sizeof (FpElfSegment));
  self->sections = g_array_new (FALSE, FALSE, sizeof (FpElfSection));
  if (!fp_elf_read_header (fd, &header))
    return self;
  read_segments (self, fd, &header, &relocated);
  read_sections (self, fd, &header, &relocated);
  separate_sections (self);
  return self;
}

void
fp_elf_layout_free (FpElfLayout *self)
{
  g_array_unref (self->segments);
  g_array_unref (self->sections);
  g_free (self);
}
