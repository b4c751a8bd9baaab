// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-helper-protocol.h"
#include "fp-request.h"
#include "fuzz.h"

#define N_PROCESSES 300

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

/* Those of the first processes that are found, and no more than may be asked for. */
static void
check_ids (const FpProcessId *ids,
           guint n,
           guint max)
{
  FUZZ_ASSERT (n <= max);
  for (guint i = 0; i < n; i++)
    FUZZ_ASSERT (ids[i].pid > 0 && ids[i].pid <= N_PROCESSES && ids[i].start_ticks <= 1);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  const FpPermission everything = { .access = FP_ACCESS_ALL };
  g_autoptr (GVariant) collect = make (G_VARIANT_TYPE ("(a(it)ta{sv})"), data, size);
  g_autoptr (GVariant) load = make (G_VARIANT_TYPE ("(it)"), data, size);
  g_autoptr (FpSnapshot) snapshot = fp_snapshot_new (N_PROCESSES);
  FpSweepRequest request;
  FpProcessId id;

  for (gint pid = 1; pid <= N_PROCESSES; pid++)
    snapshot->processes[snapshot->n_processes++] = (FpProcess){ .pid = pid, .start_ticks = (guint64)pid % 2 };
  fp_request_parse (&request, collect, &everything, snapshot);
  check_ids (request.attention, request.n_attention, FP_HELPER_MAX_ATTENTION);
  check_ids (request.wanted, request.n_wanted, FP_HELPER_MAX_WANTED);
  FUZZ_ASSERT (request.slice_us > 0 && request.slice_us <= G_USEC_PER_SEC);
  FUZZ_ASSERT (fp_request_parse_id (load, &id) == (id.pid > 0 && id.start_ticks > 0));
  fp_request_clear (&request);
  return 0;
}
