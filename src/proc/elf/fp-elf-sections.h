// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-elf.h"

G_BEGIN_DECLS

typedef enum
{
  FP_SECTION_CODE,
  FP_SECTION_CONSTANTS,
  FP_SECTION_RELOCATED, /* addresses that the loader writes and then protects (RELRO) */
  FP_SECTION_DATA,
  FP_SECTION_ZEROED, /* not in the file: .bss */
  FP_SECTION_REST,   /* headers, and what lies between the sections */
  FP_N_SECTION_KINDS,
} FpSectionKind;

typedef struct
{
  const char *id;
  const char *title;
} FpSectionKindInfo;

extern const FpSectionKindInfo fp_section_kind_infos[FP_N_SECTION_KINDS];

typedef struct
{
  char name[64]; /* valid UTF-8; empty for the rest */
  FpSectionKind kind;
  guint64 start; /* addresses as in the file; no two sections overlap */
  guint64 end;
} FpElfSection;

typedef struct
{
  guint64 address;
  guint64 offset;
  guint64 file_size;
  guint64 memory_size;
} FpElfSegment;

/* The parts of a program or library that are loaded; empty where the file is none, or says nothing that is possible. */
typedef struct
{
  GArray *segments; /* FpElfSegment, by address */
  GArray *sections; /* FpElfSection, by address */
} FpElfLayout;

FpElfLayout *fp_elf_layout_read (int fd);
void fp_elf_layout_free (FpElfLayout *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpElfLayout, fp_elf_layout_free)

G_END_DECLS
