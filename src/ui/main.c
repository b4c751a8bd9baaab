// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"
#include "folders.h"

#include <glib/gi18n.h>
#include <locale.h>
#ifdef HAVE_MALLOC_TRIM
#include <malloc.h>
#endif

#include "fp-application.h"

#define MAX_ARENAS 2

int
main (int argc,
      char *argv[])
{
  /* A program in the build folder has them beside it; gettext(1) knows the variable. */
  const char *translations = g_getenv ("TEXTDOMAINDIR");
  g_autoptr (FpApplication) application = NULL;

#ifdef HAVE_MALLOC_TRIM
  /* Threads that read would keep free memory apart, in up to eight places for each processor: 18 MiB after two hours. */
  mallopt (M_ARENA_MAX, MAX_ARENAS);
#endif
  setlocale (LC_ALL, "");
  bindtextdomain (FP_GETTEXT_DOMAIN, translations ? translations : FP_LOCALE_DIR);
  bind_textdomain_codeset (FP_GETTEXT_DOMAIN, "UTF-8");
  textdomain (FP_GETTEXT_DOMAIN);
  application = fp_application_new ();
  return fp_application_run (application, argc, argv);
}
