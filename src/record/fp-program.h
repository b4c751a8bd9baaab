// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FP_PROGRAM_RECORDABLE,
  /* These can be recorded in part. */
  FP_PROGRAM_PYTHON,
  FP_PROGRAM_OWN_ALLOCATOR,
  /* These can't be recorded. */
  FP_PROGRAM_MISSING,
  FP_PROGRAM_NOT_EXECUTABLE,
  FP_PROGRAM_SHELL_SCRIPT,
  FP_PROGRAM_STARTER,
  FP_PROGRAM_SANDBOXED,
  FP_PROGRAM_PRIVILEGED,
  FP_PROGRAM_FOREIGN,
  FP_PROGRAM_GO,
  FP_PROGRAM_STATIC,
  FP_PROGRAM_MUSL,
} FpProgramKind;

/* A program as the recorder's library meets it. */
typedef struct
{
  FpProgramKind kind;
  char *name; /* as it was called */
  char *path; /* (nullable): of the file that decides: a script's interpreter, not the script */
} FpProgram;

/* Looks into files, which may keep the caller waiting. folder: (nullable): where it will run. environment: as it will have it */
void fp_program_look (FpProgram *self, const char *name, const char *folder, char **environment);
void fp_program_clear (FpProgram *self);
char *fp_program_describe (const FpProgram *self);

static inline gboolean
fp_program_can_be_recorded (const FpProgram *self)
{
  return self->kind < FP_PROGRAM_MISSING;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpProgram, fp_program_clear)

G_END_DECLS
