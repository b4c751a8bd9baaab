// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A thread that asks the main loop all the time whether it is there. */
typedef struct _BenchWatchdog BenchWatchdog;

BenchWatchdog *bench_watchdog_new (void);
void bench_watchdog_stop (BenchWatchdog *self, double *longest_ms, double *longest_cpu_ms);

G_END_DECLS
