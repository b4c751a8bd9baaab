// SPDX-License-Identifier: GPL-3.0-or-later
#include <dlfcn.h>
#include <stdlib.h>

char *bindtextdomain (const char *domain, const char *folder);

/* Preloaded: translations of all domains are looked for in the folder $TEST_LOCALES. */
char *
bindtextdomain (const char *domain,
                const char *folder)
{
  char *(*real_bindtextdomain) (const char *, const char *);

  *(void **)&real_bindtextdomain = dlsym (RTLD_NEXT, "bindtextdomain");
  return real_bindtextdomain (domain, folder ? getenv ("TEST_LOCALES") : NULL);
}
