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
check_ids (const GArray *ids,
           guint max)
{
  FUZZ_ASSERT (ids->len <= max);
  for (guint i = 0; i < ids->len; i++)
    {
      const FpProcessId *id = &g_array_index (ids, FpProcessId, i);

      FUZZ_ASSERT (id->pid > 0 && id->start_ticks > 0);
    }
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
  check_ids (request.attention, FP_HELPER_MAX_ATTENTION);
  check_ids (request.wanted, FP_HELPER_MAX_WANTED);
  FUZZ_ASSERT (request.slice_us > 0 && request.slice_us <= G_USEC_PER_SEC);
  FUZZ_ASSERT (fp_request_parse_id (load, &id) == (id.pid > 0 && id.start_ticks > 0));
  return 0;
}
