// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-snapshot.h"

G_BEGIN_DECLS

/* Mappings of several processes, by bit: id, what it is of, KiB, how many percent of it each of them has touched */
/* clang-format off */
#define POPULATION_SEGMENTS(SEGMENT)          \
  SEGMENT (LIBC, FILE, 3400, 55)              \
  SEGMENT (SYSTEMD, FILE, 5200, 60)           \
  SEGMENT (GLIB, FILE, 9800, 50)              \
  SEGMENT (GTK, FILE, 62000, 40)              \
  SEGMENT (MESA, FILE, 88000, 45)             \
  SEGMENT (WINDOWS, SHMEM, 196000, 12)        \
  SEGMENT (FIREFOX, FILE, 168000, 50)         \
  SEGMENT (FIREFOX_FORK, ANON, 52000, 60)     \
  SEGMENT (FIREFOX_PICTURES, SHMEM, 92000, 35) \
  SEGMENT (ELECTRON, FILE, 146000, 55)        \
  SEGMENT (ELECTRON_FORK, ANON, 14000, 70)    \
  SEGMENT (SPOTIFY, FILE, 128000, 50)         \
  SEGMENT (WEBKIT, FILE, 86000, 55)           \
  SEGMENT (MAIL, FILE, 38000, 45)             \
  SEGMENT (PYTHON, FILE, 26000, 60)           \
  SEGMENT (TORCH, FILE, 412000, 45)           \
  SEGMENT (TRAINING_DATA, SHMEM, 462000, 80)  \
  SEGMENT (TRAINING_FORK, ANON, 318000, 85)   \
  SEGMENT (POSTGRES_BUFFERS, SHMEM, 1572864, 62) \
  SEGMENT (POSTGRES_FORK, ANON, 9000, 75)     \
  SEGMENT (GO, FILE, 28000, 60)               \
  SEGMENT (NGINX_IMAGE, FILE, 5400, 70)       \
  SEGMENT (NGINX_FORK, ANON, 5200, 75)        \
  SEGMENT (FLATPAK_RUNTIME, FILE, 74000, 50)
/* clang-format on */

enum
{
#define POPULATION_SEGMENT_ID(id, ...) SEGMENT_##id,
  POPULATION_SEGMENTS (POPULATION_SEGMENT_ID)
#undef POPULATION_SEGMENT_ID
      N_SEGMENTS,
};

G_STATIC_ASSERT (N_SEGMENTS <= 32);

enum
{
#define POPULATION_SEGMENT_BIT(id, ...) id = 1u << SEGMENT_##id,
  POPULATION_SEGMENTS (POPULATION_SEGMENT_BIT)
#undef POPULATION_SEGMENT_BIT
};

/* One process, or several of a kind. In texts “#” is the number of the process among them, and of “{first|second}”
 * each takes the next. */
typedef struct
{
  guint n;
  gint pid;
  gint ppid;
  guint32 uid;
  guint threads;
  guint own_kib; /* what is mapped by nobody else, without its program's file */
  guint swap_kib;
  guint segments; /* which of the above it maps */
  const char *exe;
  const char *command; /* NULL: as exe */
  const char *cgroup;
  const char *comm; /* NULL: the end of exe */
  guint spread;     /* in percent of own_kib and swap_kib; 0: 50 */
  gint step;        /* from pid to pid; 0: 3 */
  gint16 oom_score_adj;
  guint grown_kib; /* since it was read: its memory is a range */
  FpReason reason;
  FpExeState exe_state; /* UNKNOWN: present */
  char state;           /* 0: sleeping */
} PopulationLine;

typedef struct
{
  guint32 uid;
  const char *name;
  const char *full_name;
} PopulationUser;

extern const PopulationUser population_users[];
extern const guint population_n_users;
extern const PopulationLine population_lines[];
extern const guint population_n_lines;

G_END_DECLS
