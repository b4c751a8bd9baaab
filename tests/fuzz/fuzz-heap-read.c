// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/mman.h>
#include <unistd.h>

#include "fp-heap-folded.h"
#include "fp-heap-places.h"
#include "fuzz-heap.h"
#include "fuzz.h"

static void
check_stacks (const FpHeapProfile *profile,
              const GArray *stacks)
{
  for (guint i = 0; i < stacks->len; i++)
    {
      const FpHeapStack *stack = &g_array_index (stacks, FpHeapStack, i);

      FUZZ_ASSERT (stack->node < profile->nodes->len);
      for (guint32 node = stack->node; node; node = fp_heap_profile_get_parent (profile, node))
        FUZZ_ASSERT (fp_heap_profile_get_parent (profile, node) < node);
    }
}

static void
check_frames (const FpHeapProfile *profile)
{
  for (guint i = 0; i < profile->texts.offsets->len; i++)
    FUZZ_ASSERT (g_utf8_validate (fp_heap_profile_get_text (profile, i), -1, NULL));
  for (guint i = 0; i < profile->frames->len; i++)
    {
      const FpHeapFrame *frame = &g_array_index (profile->frames, FpHeapFrame, i);

      FUZZ_ASSERT (frame->function < profile->texts.offsets->len && frame->file < profile->texts.offsets->len);
      FUZZ_ASSERT (frame->module < profile->texts.offsets->len);
    }
  FUZZ_ASSERT (!profile->command || g_utf8_validate (profile->command, -1, NULL));
}

/* Sums are equal, however they are made. */
static void
check_places (const FpHeapProfile *profile,
              FpHeapBy by)
{
  g_autoptr (GArray) places = fp_heap_places_new (profile, profile->stacks, by);
  FpHeapStack sum = { 0 };

  for (guint i = 0; i < places->len; i++)
    {
      const FpHeapPlace *place = &g_array_index (places, FpHeapPlace, i);

      sum.peak.bytes += place->own.peak.bytes;
      sum.leaked.bytes += place->own.leaked.bytes;
      sum.calls += place->own.calls;
      FUZZ_ASSERT (place->all.peak.bytes <= profile->total.peak.bytes && place->all.calls <= profile->total.calls);
    }
  FUZZ_ASSERT (sum.peak.bytes == profile->total.peak.bytes && sum.leaked.bytes == profile->total.leaked.bytes);
  FUZZ_ASSERT (sum.calls == profile->total.calls);
}

static void
check_profile (const FpHeapProfile *profile)
{
  g_autoptr (GArray) past = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 found_ms;

  check_frames (profile);
  check_stacks (profile, profile->stacks);
  for (FpHeapBy by = 0; by < FP_HEAP_N_BYS; by++)
    check_places (profile, by);
  past = fp_heap_profile_dup_stacks_at (profile, profile->duration_ms / 2, &found_ms);
  if (past)
    check_stacks (profile, past);
  fp_heap_folded_write (profile, profile->stacks, FP_HEAP_CALLS, text);
  FUZZ_ASSERT (g_utf8_validate (text->str, (gssize)text->len, NULL));
}

void
fuzz_heap_read (const guint8 *data,
                gsize size,
                const FpHeapFormat *format)
{
  static int fd = -1;
  g_autoptr (FpHeapProfile) profile = NULL;
  g_autoptr (GError) error = NULL;

  if (format && !format->recognizes ((const char *)data, MIN (size, FP_HEAP_MAGIC)))
    return;
  if (fd < 0)
    fd = memfd_create ("footprint-fuzz", MFD_CLOEXEC);
  FUZZ_ASSERT (ftruncate (fd, 0) == 0 && pwrite (fd, data, size, 0) == (gssize)size && lseek (fd, 0, SEEK_SET) == 0);
  profile = fp_heap_profile_read (fd, NULL, NULL, &error);
  FUZZ_ASSERT ((profile == NULL) == (error != NULL));
  if (profile)
    check_profile (profile);
}
