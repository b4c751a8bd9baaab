// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define MIB  ((size_t)1024 * 1024)
#define PAGE ((size_t)4096)

#define N_ARGUMENTS 3
#define READY_FD    3

/* A mode gets its arguments, makes its processes and returns; then they wait for the end of standard input. */
typedef void (*Mode) (const long *arguments);
typedef void (*ChildFunc) (const void *data);
typedef void (*OrderFunc) (const char *line);

/* Neither returns. In a child, both end that child alone, and its parent fails. */
void fail (const char *format, ...) __attribute__ ((noreturn, format (printf, 1, 2)));
void skip (const char *format, ...) __attribute__ ((noreturn, format (printf, 1, 2)));
void finish (int status) __attribute__ ((noreturn));

void *keep_region (void *memory, size_t size);
void keep_process (const char *role, pid_t pid);
void report (void);
void set_order (OrderFunc func);

const char *get_own_path (void);
void die_with_parent (pid_t parent);
void hold (void) __attribute__ ((noreturn));
void child_ready (void);
pid_t start_child (const char *role, ChildFunc func, const void *data);
void start_children (long n, ChildFunc func, const void *data);
pid_t start_program (const char *role, const char *path, char *const argv[], char *const envp[]);
void end_child (pid_t pid);

void sleep_ms (long ms);
long read_figure (pid_t pid, const char *name);

void *map_anonymous (size_t size);
int make_memfd (size_t size);
void *map_shared (int fd, size_t size);
void fill_unique (void *memory, size_t size);
void fill_half_compressible (void *memory, size_t size);

const char *undo_get_folder (void);
void undo_path (char *path, const char *name);
bool read_value (const char *path, char *value, size_t size);
bool write_value (const char *path, const char *value);
void set_value (const char *path, const char *value);
void undo_add_write (const char *path, const char *value);
void undo_add_zram (void);
pid_t undo_get_guardian (void);
bool undo_run (void);

#define SWAP_LABEL_OFFSET     1052
#define SWAP_SIGNATURE_OFFSET (PAGE - 10)
#define SWAP_LABEL            "footprint-test"
#define SWAP_SIGNATURE        "SWAPSPACE2"

void mode_fork (const long *arguments);
void mode_forkdie (const long *arguments);
void mode_shm (const long *arguments);
void mode_memfd_fd (const long *arguments);
void mode_twice (const long *arguments);
void mode_anon (const long *arguments);
void mode_thp (const long *arguments);
void mode_hugetlb (const long *arguments);
void mode_lazyfree (const long *arguments);
void mode_zero (const long *arguments);
void mode_ksm (const long *arguments);
void mode_vmas (const long *arguments);

void mode_swapfile (const long *arguments);
void mode_swapzram (const long *arguments);
void mode_swapanon (const long *arguments);
void mode_swapshm (const long *arguments);

void mode_clonevm (const long *arguments);
void mode_zombie_leader (const long *arguments);
void mode_zombie (const long *arguments);
void mode_nondumpable (const long *arguments);
void mode_setgid (const long *arguments);
void mode_churn (const long *arguments) __attribute__ ((noreturn));
void mode_churn_child (const long *arguments) __attribute__ ((noreturn));

void mode_names (const long *arguments);
void mode_deleted_map (const long *arguments);
int hold_with_name (int argc, char *argv[]);

int cleanup (void);
