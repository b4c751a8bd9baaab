// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The groups in which the kernel counted an event since they were asked for the last time. */
typedef struct
{
  int fd;          /* inotify's, negative where there is none */
  GHashTable *ids; /* by watch */
} FpControlEvents;

typedef void (*FpControlEventFunc) (guint64 id, gpointer data);

void fp_control_events_init (FpControlEvents *self);
void fp_control_events_clear (FpControlEvents *self);
int fp_control_events_watch (FpControlEvents *self, int folder, guint64 id);
void fp_control_events_forget (FpControlEvents *self, int watch);
void fp_control_events_take (FpControlEvents *self, FpControlEventFunc func, gpointer data);

G_END_DECLS
