// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-cgroup.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  FpCgroup cgroup;

  memset (&cgroup, 0xa5, sizeof cgroup);
  fp_cgroup_parse (&cgroup, (const char *)data, size);
  FUZZ_ASSERT_TEXT (cgroup.unit);
  FUZZ_ASSERT_TEXT (cgroup.slice);
  FUZZ_ASSERT_TEXT (cgroup.app);
  FUZZ_ASSERT_TEXT (cgroup.container);
  FUZZ_ASSERT_TEXT (cgroup.path);
  FUZZ_ASSERT (!strchr (cgroup.unit, '/') && !strchr (cgroup.slice, '/'));
  FUZZ_ASSERT (!*cgroup.app || g_str_has_prefix (cgroup.unit, "app-") || g_str_has_prefix (cgroup.unit, "snap."));
  return 0;
}
