// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <gio/gio.h>

#include "fp-consent.h"

#define DEFAULT_SECONDS 300
#define LATENESS_US     (5 * G_USEC_PER_SEC) /* of the answer after the beginning of polkit's time */

void
fp_consent_clear (FpConsent *self)
{
  self->given_us = 0;
  g_clear_pointer (&self->kept, g_free);
}

void
fp_consent_give (FpConsent *self,
                 const char *kept,
                 gint64 now_us)
{
  fp_consent_clear (self);
  self->given_us = now_us;
  self->kept = g_strdup (kept);
}

static gboolean
is_past_revoking (const FpConsent *self,
                  gint64 asked_us,
                  gint64 keeping_us)
{
  if (self->given_us == 0)
    return FALSE;
  return !self->kept || asked_us - self->given_us >= keeping_us - LATENESS_US;
}

/* polkit has changed its mind and was asked again at asked_us. What it keeps ends by itself after keeping_us, which
 * spares a program that comes again the question and takes nothing from one that has not gone. Gone earlier, it was
 * revoked. It has to be judged at each change, or a revocation is taken for that end later. */
gboolean
fp_consent_judge (FpConsent *self,
                  FpAnswer answer,
                  const char *kept,
                  gint64 asked_us,
                  gint64 keeping_us)
{
  gboolean stands = is_past_revoking (self, asked_us, keeping_us);

  if (answer == FP_ANSWER_NO || (!stands && (answer == FP_ANSWER_PASSWORD || g_strcmp0 (kept, self->kept) != 0)))
    self->given_us = 0;
  if (answer == FP_ANSWER_YES && kept && g_strcmp0 (kept, self->kept) != 0)
    {
      g_free (self->kept);
      self->kept = g_strdup (kept);
    }
  return answer == FP_ANSWER_YES || (answer == FP_ANSWER_PASSWORD && stands);
}

/* paths: polkit's configuration files, the first that says so decides. Where one can't be read what polkit keeps is
 * never taken to have ended by itself. */
gint64
fp_consent_read_keeping_us (const char *const *paths)
{
  for (guint i = 0; paths[i]; i++)
    {
      g_autoptr (GKeyFile) file = g_key_file_new ();
      g_autoptr (GError) error = NULL;
      guint64 seconds;

      if (!g_key_file_load_from_file (file, paths[i], G_KEY_FILE_NONE, &error))
        {
          if (error->domain == G_FILE_ERROR && error->code != G_FILE_ERROR_NOENT)
            return G_MAXINT64;
          continue;
        }
      seconds = g_key_file_get_uint64 (file, "Polkitd", "ExpirationSeconds", &error);
      if (!error && seconds <= G_MAXUINT)
        return (gint64)seconds * G_USEC_PER_SEC;
    }
  return DEFAULT_SECONDS * G_USEC_PER_SEC;
}
