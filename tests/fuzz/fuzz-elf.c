// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/mman.h>
#include <unistd.h>

#include "fp-elf-sections.h"
#include "fuzz.h"

/* The parts are in order, do not overlap, and have names that can be shown. */
static void
check_layout (int fd)
{
  g_autoptr (FpElfLayout) layout = fp_elf_layout_read (fd);
  guint64 end = 0;

  for (guint i = 0; i < layout->sections->len; i++)
    {
      const FpElfSection *section = &g_array_index (layout->sections, FpElfSection, i);

      FUZZ_ASSERT_TEXT (section->name);
      FUZZ_ASSERT (section->start >= end && section->end >= section->start && section->kind < FP_SECTION_REST);
      end = section->end;
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  static int fd = -1;
  char text[FP_BUILD_ID_TEXT_SIZE];
  FpBuildId id;

  if (fd < 0)
    fd = memfd_create ("footprint-fuzz", MFD_CLOEXEC);
  FUZZ_ASSERT (ftruncate (fd, 0) == 0 && pwrite (fd, data, size, 0) == (gssize)size);
  check_layout (fd);
  if (!fp_elf_read_build_id (fd, &id))
    {
      FUZZ_ASSERT (!fp_build_id_is_known (&id));
      return 0;
    }
  FUZZ_ASSERT (id.size > 0 && id.size <= FP_BUILD_ID_SIZE);
  FUZZ_ASSERT (memmem (data, size, id.bytes, id.size));
  fp_build_id_write (&id, text);
  FUZZ_ASSERT (strlen (text) == 2 * id.size);
  return 0;
}
