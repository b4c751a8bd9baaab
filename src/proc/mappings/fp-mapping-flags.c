// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-mapping-flags.h"

const FpMappingFlagInfo fp_mapping_flag_infos[FP_N_MAPPING_FLAGS] = {
  { "rd", N_ ("Can be read") },
  { "wr", N_ ("Can be written") },
  { "ex", N_ ("Can be executed") },
  { "sh", N_ ("Other processes see what is written") },
  { "mr", N_ ("May be made readable") },
  { "mw", N_ ("May be made writable") },
  { "me", N_ ("May be made executable") },
  { "ms", N_ ("May be shared") },
  [FP_MAPPING_FLAG_GROWS_DOWN] = { "gd", N_ ("Grows downwards, as stacks do") },
  [FP_MAPPING_FLAG_PAGE_FRAMES] = { "pf", N_ ("Has pages that are not ordinary memory") },
  { "dw", N_ ("Its file can’t be written to while it is mapped") },
  { "lo", N_ ("Is locked in RAM") },
  [FP_MAPPING_FLAG_DEVICE] = { "io", N_ ("Is memory of a device") },
  { "sr", N_ ("Is read in sequence") },
  { "rr", N_ ("Is read at random") },
  { "dc", N_ ("Is not copied at fork") },
  { "de", N_ ("Can’t be made larger") },
  { "ac", N_ ("Counts as committed memory") },
  { "nr", N_ ("No swap is set aside for it") },
  [FP_MAPPING_FLAG_HUGE_POOL] = { "ht", N_ ("Uses reserved huge pages") },
  { "sf", N_ ("Faults wait until its file is safe on the disk") },
  { "ar", N_ ("Has a flag of this processor’s own") },
  { "wf", N_ ("Is wiped at fork") },
  { "dd", N_ ("Is left out of core dumps") },
  { "sd", N_ ("New, or written to since the last reset") },
  { "mm", N_ ("Has both ordinary memory and pages that are not") },
  { "hg", N_ ("Asks for huge pages") },
  { "nh", N_ ("Declines huge pages") },
  { "mg", N_ ("May be merged with equal pages") },
  { "bt", N_ ("Jumps into it are guarded") },
  { "mt", N_ ("Has memory tags") },
  { "um", N_ ("Its process handles missing pages itself") },
  { "uw", N_ ("Its process is notified when it is written to") },
  { "ui", N_ ("Its process handles pages that only lack an entry itself") },
  [FP_MAPPING_FLAG_SHADOW_STACK] = { "ss", N_ ("Is a shadow stack") },
  { "sl", N_ ("Is sealed: neither access nor place can be changed") },
  { "lf", N_ ("Is locked in RAM page by page, as it is used") },
  { "dp", N_ ("Can be dropped when memory is short") },
  { "gu", N_ ("May have guard pages in it") },
  { "nl", N_ ("Its pages are out of order") },
  { "mp", N_ ("Holds bounds of pointers") },
  [FP_MAPPING_FLAG_UNKNOWN] = { "??", N_ ("Has a flag that this version does not know") },
};

/* Returns a sentence for each flag that is set, in the user's language. */
GStrv
fp_mapping_describe_flags (guint64 flags)
{
  GPtrArray *sentences = g_ptr_array_new ();

  for (guint flag = 0; flag < FP_N_MAPPING_FLAGS; flag++)
    if (flags >> flag & 1 && fp_mapping_flag_infos[flag].meaning)
      g_ptr_array_add (sentences, g_strdup (_ (fp_mapping_flag_infos[flag].meaning)));
  g_ptr_array_add (sentences, NULL);
  return (GStrv)g_ptr_array_free (sentences, FALSE);
}
