// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

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
  { FP_HELPER_ERROR_UNTRUSTED, NAME ("Untrusted") },
  { FP_HELPER_ERROR_REFUSED, NAME ("Refused") },
  { FP_HELPER_ERROR_NO_BUS, NAME ("NoBus") },
  { FP_HELPER_ERROR_TOO_MUCH, NAME ("TooMuch") },
  { FP_HELPER_ERROR_NO_POLKIT, NAME ("NoPolkit") },
};

G_STATIC_ASSERT (G_N_ELEMENTS (entries) == FP_N_HELPER_ERRORS);

GQuark
fp_helper_error_quark (void)
{
  static gsize quark;

  g_dbus_error_register_error_domain ("fp-helper-error-quark", &quark, entries, G_N_ELEMENTS (entries));
  return (GQuark)quark;
}

/* Finds the meaning of any error with which a call to the helper failed. */
FpHelperError
fp_helper_error_find (const GError *error)
{
  static const struct
  {
    GDBusError code;
    FpHelperError meaning;
  } meanings[] = {
    { G_DBUS_ERROR_SERVICE_UNKNOWN, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_NAME_HAS_NO_OWNER, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_SPAWN_FILE_INVALID, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_SPAWN_EXEC_FAILED, FP_HELPER_ERROR_NOT_INSTALLED },
    { G_DBUS_ERROR_SPAWN_CHILD_EXITED, FP_HELPER_ERROR_CRASHED },
    { G_DBUS_ERROR_SPAWN_CHILD_SIGNALED, FP_HELPER_ERROR_CRASHED },
    { G_DBUS_ERROR_NO_REPLY, FP_HELPER_ERROR_CRASHED },
    { G_DBUS_ERROR_DISCONNECTED, FP_HELPER_ERROR_CRASHED },
    { G_DBUS_ERROR_ACCESS_DENIED, FP_HELPER_ERROR_DENIED },
    { G_DBUS_ERROR_UNKNOWN_INTERFACE, FP_HELPER_ERROR_OTHER_VERSION },
    { G_DBUS_ERROR_UNKNOWN_OBJECT, FP_HELPER_ERROR_OTHER_VERSION },
    { G_DBUS_ERROR_UNKNOWN_METHOD, FP_HELPER_ERROR_OTHER_VERSION },
    { G_DBUS_ERROR_INVALID_ARGS, FP_HELPER_ERROR_OTHER_VERSION },
    { G_DBUS_ERROR_TIMED_OUT, FP_HELPER_ERROR_TIMED_OUT },
    { G_DBUS_ERROR_TIMEOUT, FP_HELPER_ERROR_TIMED_OUT },
    { G_DBUS_ERROR_LIMITS_EXCEEDED, FP_HELPER_ERROR_BUSY },
  };

  if (error->domain == FP_HELPER_ERROR)
    return (FpHelperError)error->code;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    return FP_HELPER_ERROR_TIMED_OUT;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE))
    return FP_HELPER_ERROR_CRASHED;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT))
    return FP_HELPER_ERROR_OTHER_VERSION; /* an answer of another type */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) || error->domain == G_SPAWN_ERROR)
    return FP_HELPER_ERROR_NOT_INSTALLED;
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (g_error_matches (error, G_DBUS_ERROR, (gint)meanings[i].code))
      return meanings[i].meaning;
  return FP_HELPER_ERROR_FAILED;
}

const char *
fp_helper_error_get_message (FpHelperError code)
{
  switch (code)
    {
    case FP_HELPER_ERROR_NOT_INSTALLED:
      return _ ("Footprint’s helper is not installed on this system");
    case FP_HELPER_ERROR_DENIED:
      return _ ("polkit did not permit it: the password was wrong, or the administrator forbids it");
    case FP_HELPER_ERROR_CANCELLED:
      return _ ("No password was given");
    case FP_HELPER_ERROR_NO_AGENT:
      return _ ("A password is needed, and there is no program here that could ask for it");
    case FP_HELPER_ERROR_CRASHED:
      return _ ("Footprint’s helper has stopped unexpectedly");
    case FP_HELPER_ERROR_OTHER_VERSION:
      return _ ("The helper that is installed belongs to another version of Footprint");
    case FP_HELPER_ERROR_TIMED_OUT:
      return _ ("Footprint’s helper does not answer");
    case FP_HELPER_ERROR_BUSY:
      return _ ("Footprint’s helper is busy with other requests");
    case FP_HELPER_ERROR_ENDED:
      return _ ("The process has ended");
    case FP_HELPER_ERROR_LOCKED:
      return _ ("A password is needed");
    case FP_HELPER_ERROR_DAMAGED:
      return _ ("The answer of Footprint’s helper is damaged");
    case FP_HELPER_ERROR_SANDBOXED:
      return _ ("This Flatpak is not permitted to start a program on the host");
    case FP_HELPER_ERROR_UNTRUSTED:
      return _ ("Footprint’s helper is not installed on this system, and the one that came with this copy of Footprint is "
                "not started as root, because it is not certain that nobody else could have changed it");
    case FP_HELPER_ERROR_REFUSED:
      return _ ("Footprint’s helper is not permitted to read it");
    case FP_HELPER_ERROR_NO_BUS:
      return _ ("The system bus is not running, and Footprint’s helper can’t be reached without it");
    case FP_HELPER_ERROR_TOO_MUCH:
      return _ ("It has more mappings than Footprint’s helper can pass on");
    case FP_HELPER_ERROR_NO_POLKIT:
      return _ ("polkit, which permits it, can’t be asked");
    case FP_HELPER_ERROR_FAILED:
    case FP_N_HELPER_ERRORS:
    default:
      return _ ("Footprint’s helper could not read it");
    }
}

/* The same of what this program brought along and started outside of its Flatpak; NULL: there is nothing to add */
const char *
fp_helper_error_get_outside_message (FpHelperError code)
{
  switch ((int)code)
    {
    case FP_HELPER_ERROR_NOT_INSTALLED:
      return _ ("Footprint’s reader was not found on the host");
    case FP_HELPER_ERROR_CRASHED:
      return _ ("Footprint’s reader on the host has stopped unexpectedly");
    case FP_HELPER_ERROR_OTHER_VERSION:
      return _ ("Footprint’s reader on the host belongs to another version of Footprint");
    case FP_HELPER_ERROR_TIMED_OUT:
      return _ ("Footprint’s reader on the host does not answer");
    case FP_HELPER_ERROR_DAMAGED:
      return _ ("The answer of Footprint’s reader on the host is damaged");
    case FP_HELPER_ERROR_FAILED:
      return _ ("Footprint’s reader on the host could not be asked");
    default:
      return NULL;
    }
}

/* Tells users what to do about the error. NULL: there is no advice */
const char *
fp_helper_error_get_advice (FpHelperError code)
{
  switch (code)
    {
    case FP_HELPER_ERROR_NOT_INSTALLED:
    case FP_HELPER_ERROR_UNTRUSTED:
    case FP_HELPER_ERROR_SANDBOXED:
      return _ ("Install Footprint on this system with “./dev install” in its source folder, or start “footprint-cli” as root.");
    case FP_HELPER_ERROR_NO_BUS:
      return _ ("Start the system bus, then try again; or start “footprint-cli” as root.");
    case FP_HELPER_ERROR_NO_POLKIT:
      return _ ("Install or start polkit, then try again; or start “footprint-cli” as root.");
    case FP_HELPER_ERROR_DENIED:
      return _ ("Try again, or ask the administrator: “man footprint-helper” says how "
                "polkit can be told to permit it.");
    case FP_HELPER_ERROR_CANCELLED:
    case FP_HELPER_ERROR_LOCKED:
      return _ ("Unlock asks again.");
    case FP_HELPER_ERROR_NO_AGENT:
      return _ ("Desktops bring such a program along. Without one start “footprint-cli --all” in a terminal, which asks "
                "there.");
    case FP_HELPER_ERROR_OTHER_VERSION:
      return _ ("Install Footprint again, so that the program and its helper have the same version.");
    case FP_HELPER_ERROR_BUSY:
      return _ ("Footprint tries again by itself. Other programs of yours may be asking it too much.");
    case FP_HELPER_ERROR_TOO_MUCH:
      return _ ("“footprint-cli” shows them when it is started as root.");
    case FP_HELPER_ERROR_CRASHED:
    case FP_HELPER_ERROR_TIMED_OUT:
    case FP_HELPER_ERROR_DAMAGED:
    case FP_HELPER_ERROR_FAILED:
      return _ ("Try again. If the problem persists, “journalctl -u footprint-helper” may say why.");
    case FP_HELPER_ERROR_ENDED:
    case FP_HELPER_ERROR_REFUSED:
    case FP_N_HELPER_ERRORS:
    default:
      return NULL;
    }
}

/* The same of one that this program started itself: the machine's services and packages know nothing of it. */
const char *
fp_helper_error_get_started_advice (FpHelperError code)
{
  switch ((int)code)
    {
    case FP_HELPER_ERROR_OTHER_VERSION:
      return _ ("Footprint has been updated; start it again.");
    case FP_HELPER_ERROR_CRASHED:
    case FP_HELPER_ERROR_TIMED_OUT:
    case FP_HELPER_ERROR_BUSY:
    case FP_HELPER_ERROR_DAMAGED:
    case FP_HELPER_ERROR_FAILED:
      return _ ("Try again. If the problem persists, start Footprint in a terminal, where its helper may say why.");
    default:
      return fp_helper_error_get_advice (code);
    }
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

/* Finds what callers are told when the helper could not read something. */
FpHelperError
fp_helper_error_of_reading (const GError *error)
{
  if (error->domain == FP_HELPER_ERROR)
    return (FpHelperError)error->code;
  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return FP_HELPER_ERROR_ENDED;
  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES) || g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PERM))
    return FP_HELPER_ERROR_REFUSED;
  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_INTR))
    return FP_HELPER_ERROR_CANCELLED;
  return FP_HELPER_ERROR_FAILED;
}
