// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-demangle.h"
#include "fuzz.h"

/* The C++ library's own demangler is not ours to be tested. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  g_autofree char *name = g_strndup ((const char *)data, size), *prefixed = g_strconcat ("_R", name, NULL);
  g_autofree char *plain = fp_demangle_rust (name), *other = fp_demangle_rust (prefixed), *legacy = fp_demangle_rust_legacy (name);

  FUZZ_ASSERT (!plain || g_utf8_validate (plain, -1, NULL));
  FUZZ_ASSERT (!other || (*other && g_utf8_validate (other, -1, NULL)));
  FUZZ_ASSERT (!legacy || strlen (legacy) <= 6 * strlen (name));
  return 0;
}
