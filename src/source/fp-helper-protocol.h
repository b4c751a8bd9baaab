// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The helper and its callers agree on these names and limits, beside the interface itself. */
#define FP_HELPER_BUS_NAME      FP_APP_ID ".Helper"
#define FP_HELPER_PATH          "/io/github/footprint_app/Footprint/Helper"
#define FP_HELPER_INTERFACE     FP_APP_ID ".Helper1"
#define FP_HELPER_MAX_BLOCK     ((gsize)1 << 28)
#define FP_HELPER_MAX_ATTENTION 64 /* which a first call may have */
#define FP_HELPER_MAX_WANTED    16

#define FP_POLKIT_NAME      "org.freedesktop.PolicyKit1"
#define FP_POLKIT_PATH      "/org/freedesktop/PolicyKit1/Authority"
#define FP_POLKIT_INTERFACE "org.freedesktop.PolicyKit1.Authority"

/* How much of the machine's processes a caller is given. */
typedef enum
{
  FP_ACCESS_NONE,
  FP_ACCESS_OWN, /* at most what it could read itself */
  FP_ACCESS_ALL,
  FP_N_ACCESSES,
} FpAccess;

typedef enum
{
  FP_HELPER_ERROR_FAILED,
  FP_HELPER_ERROR_NOT_INSTALLED,
  FP_HELPER_ERROR_DENIED,
  FP_HELPER_ERROR_CANCELLED, /* by the person who was asked, or by the caller itself */
  FP_HELPER_ERROR_NO_AGENT,  /* nothing that could ask for a password */
  FP_HELPER_ERROR_CRASHED,
  FP_HELPER_ERROR_OTHER_VERSION,
  FP_HELPER_ERROR_TIMED_OUT,
  FP_HELPER_ERROR_BUSY, /* the caller's user has reached a limit; the message begins with the milliseconds to wait */
  FP_HELPER_ERROR_ENDED,
  FP_HELPER_ERROR_LOCKED,    /* a password is needed, but may not be asked for */
  FP_HELPER_ERROR_DAMAGED,   /* its answer can not be read */
  FP_HELPER_ERROR_SANDBOXED, /* the Flatpak's permissions do not let it start */
  FP_HELPER_ERROR_UNTRUSTED, /* others than root could change it, so it is not started as root */
  FP_HELPER_ERROR_REFUSED,   /* the kernel does not let the helper read it */
  FP_HELPER_ERROR_NO_BUS,    /* the system bus can not be reached */
  FP_HELPER_ERROR_TOO_MUCH,  /* the helper never passes on so much at once */
  FP_HELPER_ERROR_NO_POLKIT, /* polkit can not be asked */
  FP_N_HELPER_ERRORS,
} FpHelperError;

#define FP_HELPER_ERROR (fp_helper_error_quark ())

/* How footprint-helper --as-root ends, beside as pkexec does */
#define FP_HELPER_EXIT_UNTRUSTED 3
#define FP_HELPER_EXIT_NO_PKEXEC 4

GQuark fp_helper_error_quark (void);
const char *fp_helper_error_get_message (FpHelperError code);
const char *fp_helper_error_get_outside_message (FpHelperError code);
FpHelperError fp_helper_error_find (const GError *error);
FpHelperError fp_helper_error_of_reading (const GError *error);
const char *fp_helper_error_get_advice (FpHelperError code);
const char *fp_helper_error_get_started_advice (FpHelperError code);
const char *fp_access_get_name (FpAccess access);
FpAccess fp_access_find (const char *name);

G_END_DECLS
