// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stddef.h>
#include <sys/types.h>

#define POPULATION_ROLE_VARIABLE "BENCH_POPULATION_ROLE"
#define POPULATION_SHARED_SIZE   ((size_t)900 * 1024)

typedef enum
{
  POPULATION_ZYGOTE,
  POPULATION_MEMBER,
  POPULATION_POOL,
  POPULATION_WORKER,
  POPULATION_TRIO,
  POPULATION_PARTNER,
  POPULATION_ORPHAN,
  POPULATION_GIANT,
  POPULATION_N_KINDS,
} PopulationKind;

typedef enum
{
  POPULATION_READY,
  POPULATION_DIED,
  POPULATION_TICKED,
  POPULATION_FAILED,
} PopulationEvent;

typedef enum
{
  POPULATION_TICK = 1,
  POPULATION_KILL,
  POPULATION_REPLACE,
} PopulationOrder;

typedef struct
{
  PopulationEvent event;
  PopulationKind kind;
  int index;
  pid_t pid;
} PopulationReport;

typedef struct
{
  PopulationKind kind;
  int group;
  int index;
  int count;
  int anonymous_percent;
  int life_fd;
  int report_fd;
  int libraries_fd;
  pid_t parent;
} PopulationRole;

/* population-role.c */
void population_role_run (PopulationRole *role,
                          char **argv) __attribute__ ((noreturn));
void population_role_fail (const PopulationRole *role,
                           const char *what) __attribute__ ((noreturn));
void population_role_report (const PopulationRole *role,
                             PopulationEvent event,
                             pid_t pid);

/* population-spawn.c */
int population_list_libraries (void);
void population_spawn (const PopulationRole *role,
                       int is_orphan);

/* population-memory.c */
char *population_map_heap (const PopulationRole *role,
                           size_t size);
char *population_map_shared (const PopulationRole *role);
void population_build_memory (const PopulationRole *role);
void population_touch (char *start,
                       size_t size,
                       int is_write);
void population_tick_memory (void);
