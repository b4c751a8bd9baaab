// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* bench-population or bench-victim as a child that takes orders, line by line. */
typedef struct
{
  GPid pid;
  FILE *orders;
  FILE *answers;
  gint first_pid; /* of those it named before it was ready */
  char line[1 << 16];
} BenchChild;

void bench_child_start (BenchChild *self, const char *command);
const char *bench_child_order (BenchChild *self, const char *order);
void bench_child_stop (BenchChild *self);

G_END_DECLS
