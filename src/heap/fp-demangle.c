// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "fp-demangle.h"

#define MAX_NAME (16 * 1024)

typedef char *(*DemangleFunc) (const char *name, char *text, gsize *size, int *status);

static gpointer
find_cpp_function (gpointer data)
{
  gpointer library = dlopen ("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

  return library ? dlsym (library, "__cxa_demangle") : NULL;
}

/* The C++ library knows its own names best. It is loaded with the first one: most profiles have none, because their
 * recorders did it, and no program in C is linked with it. Where it is not there, names stay as they are. */
static char *
demangle_cpp (const char *name)
{
  static GOnce once = G_ONCE_INIT;
  DemangleFunc demangle = (DemangleFunc)g_once (&once, find_cpp_function, NULL);
  char *text, *copy = NULL;
  int status = 0;

  if (!demangle)
    return NULL;
  text = demangle (name, NULL, NULL, &status);
  if (text && status == 0)
    copy = g_strdup (text);
  free (text);
  return copy;
}

/* Returns NULL where it is a plain name already. */
char *
fp_demangle (const char *name,
             gsize length)
{
  g_autofree char *copy = NULL;
  gboolean is_cpp = length > 2 && name[0] == '_' && name[1] == 'Z';
  gboolean is_rust = length > 2 && name[0] == '_' && name[1] == 'R';
  char *text = NULL;

  if (length > MAX_NAME || (!is_cpp && !is_rust && (length < 3 || !memmem (name, length, "::h", 3))))
    return NULL;
  copy = g_strndup (name, length);
  if (is_rust)
    return fp_demangle_rust (copy);
  text = fp_demangle_rust_legacy (copy);
  return text || !is_cpp ? text : demangle_cpp (copy);
}
