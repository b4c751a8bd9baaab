// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-table.h"

G_BEGIN_DECLS

typedef enum
{
  FP_CLI_KEY_NONE, /* the time is over, or the window has another size */
  FP_CLI_KEY_QUIT,
} FpCliKey;

void fp_cli_terminal_measure (FpCliPaper *paper, guint *n_lines);
gboolean fp_cli_terminal_write (const char *text, gsize length, GError **error);
gboolean fp_cli_terminal_write_to (int fd, const char *text, gsize length, GError **error);
void fp_cli_terminal_begin_watch (void);
void fp_cli_terminal_end_watch (void);
FpCliKey fp_cli_terminal_wait (double seconds);

G_END_DECLS
