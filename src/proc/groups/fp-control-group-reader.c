// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-control-group-reader.h"

struct _FpControlGroupReader
{
  int root;
};

FpControlGroupReader *
fp_control_group_reader_new (const FpProcDir *proc,
                             GError **error)
{
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, "not written yet");
  return NULL;
}

void
fp_control_group_reader_free (FpControlGroupReader *self)
{
  g_free (self);
}

FpControlGroups *
fp_control_group_reader_read (FpControlGroupReader *self,
                              GError **error)
{
  return NULL;
}
