// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>
#include <stdio.h>

#include "fp-snapshot.h"

G_BEGIN_DECLS

/* A program that runs as a user of the namespace, and is talked to by lines. */
typedef struct
{
  pid_t pid;
  int to;
  FILE *from;
} SystemProcess;

/* One of a desktop */
typedef struct
{
  const char *id;
  const char *user;
  char *group;
} SystemSession;

/* A share of the processors */
typedef struct
{
  char *group; /* NULL: none */
} SystemSlice;

void system_start (SystemProcess *self, const char *user, const char *const *argv);
void system_start_together (SystemProcess *processes, guint n, const char *user, const SystemSlice *slice, const char *const (*argvs)[3]);
void system_start_client (SystemProcess *self, const char *user, const char *steps);
void system_start_agent (SystemProcess *self, pid_t pid, const char *mode, const char *word);
void system_start_session_agent (SystemProcess *self, const SystemSession *session, const char *mode, const char *word);
void system_make_session (SystemSession *self, const char *user);
void system_join_session (const SystemSession *self, pid_t pid);
void system_clear_session (SystemSession *self);
gboolean system_make_slice (SystemSlice *self, const char *name, guint weight);
void system_join_slice (const SystemSlice *self, pid_t pid);
char *system_read_line (SystemProcess *self);
void system_expect (SystemProcess *self, const char *line);
void system_expect_error (SystemProcess *self, const char *step, gint code);
void system_release (SystemProcess *self);
void system_stop (SystemProcess *self);

void system_set_rules (const char *name, const char *text);
void system_set_rule (const char *name, const char *body);
void system_await_no_owner (const char *name);
GDBusConnection *system_connect_to_bus (void);
void system_end_owner (const char *name);
void system_reload_bus (void);
void system_await_sleep (pid_t pid, const char *comm);
pid_t system_await_process (const char *comm);
pid_t system_find_process (const char *comm);
pid_t system_find_helper (void);
char *system_get_status (pid_t pid, const char *key);
FpSnapshot *system_load_snapshot (const char *path);

G_END_DECLS
