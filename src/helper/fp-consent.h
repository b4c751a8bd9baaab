// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What polkit answers when it is asked once more and may ask nobody. */
typedef enum
{
  FP_ANSWER_NO,
  FP_ANSWER_PASSWORD, /* would be needed */
  FP_ANSWER_YES,
} FpAnswer;

/* The password that an administrator has given for one action on one connection. */
typedef struct
{
  gint64 given_us; /* 0: none was */
  char *kept;      /* polkit's id of what it keeps permitted for a while, or NULL */
} FpConsent;

void fp_consent_give (FpConsent *self, const char *kept, gint64 now_us);
gboolean fp_consent_judge (FpConsent *self, FpAnswer answer, const char *kept, gint64 asked_us, gint64 keeping_us);
void fp_consent_clear (FpConsent *self);

gint64 fp_consent_read_keeping_us (const char *const *paths);

G_END_DECLS
