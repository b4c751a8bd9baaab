// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-reader.h"
#include "live-process.h"

G_BEGIN_DECLS

#define MAPPED_SIZE ((guint64)1 << 20)
#define MAPPED_MAX  8

/* Children that map files, and are stopped before they are looked at */
typedef struct
{
  LiveProcess live[MAPPED_MAX];
  FpMappedProcess processes[MAPPED_MAX];
  guint n;
} MappedFixture;

/* The file that a child maps and touches; n_written: its first pages that it changes */
typedef struct
{
  const char *path; /* NULL: fd */
  int fd;
  int protection;
  int flags;
  guint n_written;
  LiveFunc prepare; /* (nullable) */
} MappedTask;

void mapped_set_up (MappedFixture *self, gconstpointer data);
void mapped_tear_down (MappedFixture *self, gconstpointer data);
char *mapped_in_folder (const char *name);
void mapped_fill (int fd);
void mapped_make_file (const char *path);
G_NORETURN void mapped_map_and_wait (gpointer data);
void mapped_add_child (MappedFixture *self, LiveFunc func, gpointer data, guint32 uid);
void mapped_add_task (MappedFixture *self, const MappedTask *task);
FpMappedFiles *mapped_read_all (MappedFixture *self);
guint mapped_count (const FpMappedFiles *files, const char *name);
const FpMappedFile *mapped_find (const FpMappedFiles *files, const char *name, guint n);
guint64 mapped_get (const FpMappedFile *file, FpField field);

G_END_DECLS
