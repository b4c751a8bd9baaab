// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <sys/types.h>
#include <termios.h>

G_BEGIN_DECLS

/* The program in a terminal of its own. */
typedef struct
{
  pid_t pid;
  int master;
  int slave;
  GString *output;
} CliTerminal;

void cli_terminal_start (CliTerminal *self, guint n_columns, guint n_lines, ...) G_GNUC_NULL_TERMINATED;
void cli_terminal_wait_for (CliTerminal *self, const char *text);
void cli_terminal_type (CliTerminal *self, const char *keys);
void cli_terminal_resize (CliTerminal *self, guint n_columns, guint n_lines);
tcflag_t cli_terminal_get_flags (CliTerminal *self);
int cli_terminal_finish (CliTerminal *self);
void cli_terminal_clear (CliTerminal *self);

char *cli_terminal_get_output (guint n_columns, const char *first, ...) G_GNUC_NULL_TERMINATED;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliTerminal, cli_terminal_clear)

G_END_DECLS
