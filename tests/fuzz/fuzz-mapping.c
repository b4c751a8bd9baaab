// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-mapping-kind.h"
#include "fp-mapping-scanner.h"
#include "fuzz.h"

static FpMappings *
scan_in_pieces (const char *text,
                gsize length,
                gsize piece)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  gsize taken = 0;

  for (gsize end = MIN (piece, length);; end = MIN (end + piece, length))
    {
      /* Its own block, so that a reading past the piece shows. */
      g_autofree char *held = g_malloc (MAX (end - taken, 1));
      gsize n;

      memcpy (held, text + taken, end - taken);
      n = fp_mapping_scanner_feed (scanner, held, end - taken);
      FUZZ_ASSERT (n <= end - taken);
      taken += n;
      if (end == length)
        break;
    }
  return fp_mapping_scanner_finish (scanner);
}

static void
check (const FpMapping *mapping,
       const FpMapping *other)
{
  FUZZ_ASSERT (mapping->start <= mapping->end);
  FUZZ_ASSERT (strlen (mapping->permissions) == 4 && strspn (mapping->permissions, "rwxsp-") == 4);
  FUZZ_ASSERT (g_utf8_validate (mapping->name, -1, NULL) && g_utf8_validate (mapping->shown, -1, NULL));
  FUZZ_ASSERT (mapping->file_state <= FP_FILE_DELETED && mapping->file_state == other->file_state);
  FUZZ_ASSERT (mapping->memory.present >> FP_N_FIELDS == 0);
  FUZZ_ASSERT (mapping->start == other->start && mapping->end == other->end);
  FUZZ_ASSERT (mapping->offset == other->offset && mapping->inode == other->inode);
  FUZZ_ASSERT (mapping->flags == other->flags && strcmp (mapping->name, other->name) == 0);
  FUZZ_ASSERT (strcmp (mapping->shown, other->shown) == 0);
  FUZZ_ASSERT (strcmp (mapping->permissions, other->permissions) == 0);
  FUZZ_ASSERT (mapping->memory.present == other->memory.present);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    FUZZ_ASSERT (fp_memory_get (&mapping->memory, field) == fp_memory_get (&other->memory, field));
}

static void
check_kind (const FpMapping *mapping)
{
  char label[64];

  FUZZ_ASSERT (fp_mapping_kind (mapping) < FP_N_MAPPING_KINDS);
  FUZZ_ASSERT (!fp_mapping_get_file (mapping) || *fp_mapping_get_file (mapping));
  fp_mapping_get_label (mapping, label, sizeof label);
  FUZZ_ASSERT (strlen (label) < sizeof label);
}

/* As a scanner passes them on */
typedef struct
{
  const FpMappings *expected;
  guint next;
  guint n_passed;
} Passing;

static gboolean
is_same (const FpMapping *mapping,
         const FpMemory *memory,
         const FpMapping *other)
{
  const guint64 fields = fp_fields_of_origins (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);

  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if (memory->figures[field] != (fields >> field & 1 ? fp_memory_get (&other->memory, field) : 0))
      return FALSE;
  return mapping->start == other->start && mapping->end == other->end && mapping->offset == other->offset &&
         mapping->inode == other->inode && mapping->flags == other->flags && memory->present == (other->memory.present & fields) &&
         strcmp (mapping->permissions, other->permissions) == 0 && strcmp (mapping->name, other->name) == 0;
}

/* It is one of those that were kept, behind the one before. */
static void
find_cb (const FpMapping *mapping,
         const FpMemory *memory,
         gpointer data)
{
  Passing *self = data;
  FpMapping other;

  do
    {
      FUZZ_ASSERT (self->next < fp_mappings_get_n (self->expected));
      fp_mappings_get (self->expected, self->next++, &other);
    }
  while (!is_same (mapping, memory, &other));
  self->n_passed++;
}

/* Twice with one scanner, which has learnt names and lines by then. */
static void
check_passing (const FpMappings *whole,
               const char *text,
               gsize length)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  Passing passing;

  fp_mapping_scanner_pass_on (scanner, find_cb, &passing);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (FpMappings) rest = NULL;

      passing = (Passing){ whole, 0, 0 };
      fp_mapping_scanner_restart (scanner);
      fp_mapping_scanner_feed (scanner, text, length);
      rest = fp_mapping_scanner_finish (scanner);
      FUZZ_ASSERT (passing.n_passed + fp_mappings_get_n (rest) == fp_mappings_get_n (whole));
    }
}

/* The first byte is the size of the pieces. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  g_autoptr (FpMappings) whole = NULL, pieces = NULL;

  if (size == 0)
    return 0;
  whole = scan_in_pieces ((const char *)data + 1, size - 1, size);
  pieces = scan_in_pieces ((const char *)data + 1, size - 1, MAX (data[0], 1));
  FUZZ_ASSERT (fp_mappings_get_n (whole) == fp_mappings_get_n (pieces));
  for (guint i = 0; i < fp_mappings_get_n (whole); i++)
    {
      FpMapping a, b;

      fp_mappings_get (whole, i, &a);
      fp_mappings_get (pieces, i, &b);
      check (&a, &b);
      check_kind (&a);
    }
  check_passing (whole, (const char *)data + 1, size - 1);
  return 0;
}
