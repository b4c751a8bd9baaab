// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-helper-protocol.h"
#include "fp-request.h"
#include "fuzz.h"

/* As GDBus hands over what a caller has sent: of the right type, with any content. */
static GVariant *
make (const GVariantType *type,
      const guint8 *data,
      gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (GVariant) raw = g_variant_ref_sink (g_variant_new_from_bytes (type, bytes, FALSE));

  return g_variant_get_normal_form (raw);
}

static void
check_ids (const FpProcessId *ids,
           guint n,
           guint max)
{
  FUZZ_ASSERT (n <= max);
  for (guint i = 0; i < n; i++)
    FUZZ_ASSERT (ids[i].pid > 0 && ids[i].start_ticks > 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  g_autoptr (GVariant) collect = make (G_VARIANT_TYPE ("(a(it)ta{sv})"), data, size);
  g_autoptr (GVariant) load = make (G_VARIANT_TYPE ("(it)"), data, size);
  g_auto (FpRequest) request = { 0 };
  FpProcessId id;

  fp_request_parse (&request, collect);
  check_ids (request.sweep.attention, request.sweep.n_attention, FP_HELPER_MAX_ATTENTION);
  check_ids (request.sweep.wanted, request.sweep.n_wanted, FP_HELPER_MAX_WANTED);
  FUZZ_ASSERT (request.sweep.slice_us > 0 && request.sweep.slice_us <= G_USEC_PER_SEC);
  FUZZ_ASSERT (fp_request_parse_id (load, &id) == (id.pid > 0 && id.start_ticks > 0));
  return 0;
}
