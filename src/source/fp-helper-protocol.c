// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-helper-protocol.h"

#define NAME(error) FP_HELPER_INTERFACE ".Error." error

static const GDBusErrorEntry entries[] = {
  { FP_HELPER_ERROR_FAILED, NAME ("Failed") },
  { FP_HELPER_ERROR_NOT_INSTALLED, NAME ("NotInstalled") },
  { FP_HELPER_ERROR_DENIED, NAME ("Denied") },
  { FP_HELPER_ERROR_CANCELLED, NAME ("Cancelled") },
  { FP_HELPER_ERROR_NO_AGENT, NAME ("NoAgent") },
  { FP_HELPER_ERROR_CRASHED, NAME ("Crashed") },
  { FP_HELPER_ERROR_OTHER_VERSION, NAME ("OtherVersion") },
  { FP_HELPER_ERROR_TIMED_OUT, NAME ("TimedOut") },
  { FP_HELPER_ERROR_BUSY, NAME ("Busy") },
  { FP_HELPER_ERROR_ENDED, NAME ("Ended") },
  { FP_HELPER_ERROR_LOCKED, NAME ("Locked") },
  { FP_HELPER_ERROR_DAMAGED, NAME ("Damaged") },
  { FP_HELPER_ERROR_SANDBOXED, NAME ("Sandboxed") },
};

G_STATIC_ASSERT (G_N_ELEMENTS (entries) == FP_N_HELPER_ERRORS);

GQuark
fp_helper_error_quark (void)
{
  static gsize quark;

  g_dbus_error_register_error_domain ("fp-helper-error-quark", &quark, entries, G_N_ELEMENTS (entries));
  return (GQuark)quark;
}

static const char *const access_names[FP_N_ACCESSES] = { "none", "own", "all" };

const char *
fp_access_get_name (FpAccess access)
{
  return access_names[access];
}

/* One that this version does not know gives nothing. */
FpAccess
fp_access_find (const char *name)
{
  for (FpAccess access = FP_ACCESS_NONE; access < FP_N_ACCESSES; access++)
    if (g_str_equal (access_names[access], name))
      return access;
  return FP_ACCESS_NONE;
}
