// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* A real child that does what it is told, one byte at a time, and ends with the test. */
typedef struct
{
  pid_t pid;
  int orders;
  int answers;
} LiveProcess;

typedef void (*LiveFunc) (gpointer data);

void live_process_start (LiveProcess *self, LiveFunc func, gpointer data);
void live_process_wait_until (LiveProcess *self);
void live_process_order (LiveProcess *self, char order);
void live_process_stop (LiveProcess *self);

/* They wait until the process is in one of these states, or has this name. */
void live_wait_for_state (pid_t pid, const char *states);
void live_wait_for_comm (pid_t pid, const char *comm);

/* In the child */
void live_answer (void);
char live_await_order (void);
void *live_touch (gsize size);
pid_t live_fork (LiveFunc func, gpointer data);
void live_become_nobody (void);

G_END_DECLS
