// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <json-glib/json-glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* A process of the host, outside of the Flatpak */
pid_t host_find (const char *word);
char *host_read (pid_t pid, const char *name);

/* A process and its child that share memory with each other and with nobody else, and are stopped: nothing that
 * anybody does changes a figure of theirs. */
typedef struct
{
  pid_t pids[2];
  int input;
} Frozen;

void frozen_start (Frozen *self);
void frozen_end (Frozen *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Frozen, frozen_end)

/* The words of footprint-cli about a process, here or in a file that was written before */
JsonObject *host_measure (pid_t pid);
JsonObject *host_load (const char *file, guint n);

G_END_DECLS
