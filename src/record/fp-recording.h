// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-stat.h"

G_BEGIN_DECLS

#define FP_RECORDING_MAX_SIZE (G_GUINT64_CONSTANT (2) << 30)
#define FP_RECORDING_MIN_FREE (G_GUINT64_CONSTANT (512) << 20) /* left to all others in the file system */

/* A program that was started with the recorder. It goes on whatever becomes of the recording or of us. */
typedef struct
{
  GPid pid;   /* to be reaped by the caller */
  char *path; /* of the file as it was made */
  int fd;     /* of the file, whatever it is called by now */
  int number; /* of the descriptor that the program last had of it; -1: none was found yet */
  guint n_missed;
  FpStat recorded; /* of the program when something was first seen in the file */
  gboolean has_begun;
} FpRecording;

/* Free the path. */
char *fp_recording_make_folder (GError **error);
guint64 fp_recording_find_room (const char *folder);

/* folder, program_folder: absolute paths. program_folder: (nullable): ours. environment: all of it, without the recorder's */
gboolean fp_recording_start (FpRecording *self,
                             const char *recorder,
                             const char *folder,
                             char **argv,
                             const char *program_folder,
                             char **environment,
                             GError **error);
void fp_recording_clear (FpRecording *self);
FpRecording fp_recording_copy (const FpRecording *self);
void fp_recording_take_findings (FpRecording *self, const FpRecording *copy);

/* Each keeps the caller waiting for the file system. */
guint64 fp_recording_get_size (const FpRecording *self);
guint64 fp_recording_get_room (const FpRecording *self);
char *fp_recording_find_path (const FpRecording *self);
gboolean fp_recording_has_left (FpRecording *self);
gboolean fp_recording_end (const FpRecording *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpRecording, fp_recording_clear)

G_END_DECLS
