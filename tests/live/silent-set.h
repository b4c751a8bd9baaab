// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <stdio.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* Processes of one user that fall silent when they are told to, by FOOTPRINT_SILENT; silent.c says how. */
typedef struct
{
  pid_t server;
  pid_t pids[16];
  guint n;
  FILE *orders;
  FILE *answers;
} SilentSet;

/* option: (nullable): as silent.c has it. FALSE: this machine can't have it; the test is marked as skipped with the reason. */
gboolean silent_set_start (SilentSet *self, guint n, uid_t uid);
gboolean silent_set_start_with (SilentSet *self, guint n, uid_t uid, const char *option);
void silent_set_silence (SilentSet *self, guint n);
void silent_set_answer (SilentSet *self);
void silent_set_stop (SilentSet *self);

G_END_DECLS
