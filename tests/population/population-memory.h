// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "population-lines.h"

G_BEGIN_DECLS

#define KIB (G_GUINT64_CONSTANT (1) << 10)
#define MIB (G_GUINT64_CONSTANT (1) << 20)

typedef enum
{
  POPULATION_ANON,
  POPULATION_FILE,
  POPULATION_SHMEM,
  POPULATION_N_KINDS,
} PopulationKind;

typedef struct
{
  gint pid;
  guint number; /* among those of its line */
  const PopulationLine *line;
  char *exe; /* NULL: none */
} PopulationMember;

/* The memory of all together, each page once */
typedef struct
{
  guint64 pages[POPULATION_N_KINDS]; /* in bytes */
  guint64 swap;
  guint64 page_tables;
  guint64 huge;
  guint64 n_threads;
} PopulationTotals;

typedef struct _PopulationMemory PopulationMemory;

guint population_scatter (guint a, guint b, guint c);

PopulationMemory *population_memory_new (const GArray *members);
void population_memory_free (PopulationMemory *self);
void population_memory_measure (const PopulationMemory *self, const PopulationMember *member, FpMemory *memory);
const PopulationTotals *population_memory_get_totals (const PopulationMemory *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PopulationMemory, population_memory_free)

G_END_DECLS
