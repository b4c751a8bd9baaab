// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-snapshot-file.h"
#include "population-snapshot.h"

/* Saves the population, to be shown with --open. */
int
main (int argc,
      char *argv[])
{
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  if (argc != 2)
    {
      g_printerr ("footprint-make-snapshot OUT\n");
      return 2;
    }
  snapshot = population_make_snapshot ();
  bytes = fp_snapshot_to_bytes (snapshot);
  if (!g_file_set_contents (argv[1], g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes), &error))
    {
      g_printerr ("footprint-make-snapshot: %s\n", error->message);
      return 1;
    }
  return 0;
}
