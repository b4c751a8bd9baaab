// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-group-message.h"
#include "fp-helper-protocol.h"
#include "fp-kept-message.h"
#include "fp-source-message.h"

/* Floating. Takes the answer. */
static GVariant *
pack (FpRequestKind kind,
      gpointer answer)
{
  g_autoptr (FpControlGroups) groups = kind == FP_REQUEST_CONTROL_GROUPS ? answer : NULL;
  g_autoptr (FpKept) kept = kind == FP_REQUEST_KEPT ? answer : NULL;

  return groups ? fp_group_message_pack (groups) : fp_kept_message_pack (kept);
}

GVariant *
fp_source_message_read (FpSource *source,
                        FpRequestKind kind,
                        GError **error)
{
  g_autoptr (GError) problem = NULL;
  gpointer answer = fp_source_request_sync (source, &(FpSourceRequest){ .kind = kind }, &problem);

  if (answer)
    return g_variant_ref_sink (pack (kind, answer));
  g_set_error_literal (error, FP_HELPER_ERROR, FP_HELPER_ERROR_FAILED, problem->message);
  return NULL;
}
