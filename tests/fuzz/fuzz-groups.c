// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-control-figures.h"
#include "fp-control-name.h"
#include "fp-control-tree.h"
#include "fp-mounts.h"
#include "fuzz.h"

static const char *const files[] = { "memory.current", "memory.max", "memory.stat", "memory.events", "memory.pressure" };

static void
check_figures (const guint8 *data,
               gsize size,
               const char *file)
{
  FpControlGroup group = { 0 };

  fp_control_figures_parse (&group, file, (const char *)data, size);
  FUZZ_ASSERT (group.present >> FP_N_CONTROL_FIELDS == 0);
  for (FpControlField field = 0; field < FP_N_CONTROL_FIELDS; field++)
    {
      const gboolean is_limit = field == FP_CONTROL_MAX;

      FUZZ_ASSERT (fp_control_group_has (&group, field) || group.figures[field] == 0);
      FUZZ_ASSERT (is_limit || group.figures[field] != FP_CONTROL_NO_LIMIT);
    }
}

static void
check_texts (const guint8 *data,
             gsize size,
             gboolean is_mount)
{
  g_autofree char *text = g_strndup ((const char *)data, size);
  g_autofree char *prefix = NULL;
  g_autoptr (GArray) mounts = is_mount ? fp_mounts_parse (text) : NULL;
  g_autofree char *path = mounts ? fp_control_tree_find_mount (mounts, &prefix) : NULL;
  FpControlName name;

  FUZZ_ASSERT (!path == !prefix);
  if (is_mount)
    {
      FUZZ_ASSERT (fp_mounts_line_hides (text) <= (strstr (text, "hidepid=") != NULL));
      return;
    }
  fp_control_name_parse (&name, text, "/");
  FUZZ_ASSERT_TEXT (name.text);
  FUZZ_ASSERT (name.kind <= FP_CONTROL_KIND_OTHER);
  FUZZ_ASSERT ((name.uid != G_MAXUINT32) == (name.kind == FP_CONTROL_KIND_USER));
}

/* The first byte says which file it is. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  if (size == 0)
    return 0;
  if (data[0] % 8 < G_N_ELEMENTS (files))
    check_figures (data + 1, size - 1, files[data[0] % 8]);
  else
    check_texts (data + 1, size - 1, data[0] % 8 == 7);
  return 0;
}
