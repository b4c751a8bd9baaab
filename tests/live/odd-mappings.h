// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping-kind.h"
#include "live-process.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 start;
  FpMappingKind kind;
  char label[16];
} OddMapping;

#define ODD_MAPPINGS_MAX 64

typedef struct
{
  guint n;
  OddMapping mappings[ODD_MAPPINGS_MAX];
} OddList;

/* A process with one mapping of each kind that this kernel has, and of files with odd names. */
typedef struct
{
  LiveProcess process;
  char *folder;
  OddList list;
} OddMappings;

void odd_mappings_start (OddMappings *self);
void odd_mappings_stop (OddMappings *self);

G_END_DECLS
