// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* A program that holds memory of known content; its path is in $FOOTPRINT_WORKLOAD. */
typedef struct
{
  GPid pid;
  FILE *orders;
  FILE *answers;
  GHashTable *pids; /* role → pid */
} Workload;

gboolean workload_start (Workload *self, const char *arguments);
gint workload_get_pid (const Workload *self, const char *role);
void workload_order (Workload *self, const char *order, const char *answer);
void workload_stop (Workload *self);

G_END_DECLS
