// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cgroup.h"
#include "fp-stat.h"

G_BEGIN_DECLS

#define FP_COMMAND_SIZE 512

typedef enum
{
  FP_EXE_UNKNOWN,
  FP_EXE_PRESENT,
  FP_EXE_DELETED,
  FP_EXE_UPDATED, /* replaced by another file of this name */
} FpExeState;

/* The identity of a process. Texts are valid UTF-8, control characters are kept. */
typedef struct
{
  char comm[256];
  char command[FP_COMMAND_SIZE];
  char exe[1024];
  char program[256];
  FpExeState exe_state;
  FpCgroup cgroup;
} FpIdentity;

void fp_identity_read (FpIdentity *self, int process_dir, const FpStat *stat, gsize max_command, gboolean is_live);
void fp_identity_read_short (FpIdentity *self, int process_dir, const FpStat *stat);
void fp_identity_parse (FpIdentity *self, const FpStat *stat, const char *cmdline, gsize length);
char *fp_identity_read_command (int process_dir, const FpStat *stat);
gsize fp_identity_arguments_length (const char *raw, gsize length, const FpImage *image);
gboolean fp_identity_is_interpreter (const char *program);
void fp_identity_find_program (FpIdentity *self, const char *arguments, gsize length);
void fp_identity_find_public_program (FpIdentity *self, const char *comm, const char *command);

G_END_DECLS
