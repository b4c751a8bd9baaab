// SPDX-License-Identifier: GPL-3.0-or-later
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "fp-mapping-reader.h"
#include "fp-section-reader.h"
#include "live-process.h"

#define N_LIBRARIES 10

/* Amounts that the kernel and the sections both have */
typedef struct
{
  guint64 mapped;
  guint64 resident;
  guint64 changed;
  guint64 swapped;
} Amounts;

/* A stopped process with some libraries more than this one */
static void
load_and_wait (gpointer data)
{
  dlopen ("libgio-2.0.so.0", RTLD_NOW);
  live_answer ();
  for (;;)
    pause ();
}

static FpMappings *
read_mappings (const FpProcDir *proc,
               const FpProcessId *id)
{
  g_autoptr (GError) error = NULL;
  FpMappings *mappings = fp_mappings_read (proc, id, NULL, NULL, &error);

  g_assert_no_error (error);
  return mappings;
}

static void
add_mapping (Amounts *amounts,
             const FpMapping *mapping)
{
  amounts->mapped += mapping->end - mapping->start;
  amounts->resident += fp_memory_get (&mapping->memory, FP_FIELD_RSS);
  amounts->changed += fp_memory_get (&mapping->memory, FP_FIELD_ANONYMOUS);
  amounts->swapped += fp_memory_get (&mapping->memory, FP_FIELD_SWAP);
}

static guint64
get_counted (const FpSections *sections,
             const FpMapping *mapping)
{
  guint64 counted = 0;

  for (guint i = 0; i < sections->ranges->len; i++)
    {
      const FpAddressRange *range = &g_array_index (sections->ranges, FpAddressRange, i);

      if (range->start < mapping->end && range->end > mapping->start)
        counted += MIN (range->end, mapping->end) - MAX (range->start, mapping->start);
    }
  return counted;
}

/* FALSE: the kernel joined the end of the library with other memory, so that the amounts can't be compared. */
static gboolean
sum_up_mappings (const FpMappings *mappings,
                 const char *name,
                 const FpSections *sections,
                 Amounts *amounts)
{
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;
      guint64 counted;

      fp_mappings_get (mappings, i, &mapping);
      counted = get_counted (sections, &mapping);
      if (g_str_equal (mapping.name, name))
        g_assert_cmpuint (counted, ==, mapping.end - mapping.start);
      if (counted == mapping.end - mapping.start)
        add_mapping (amounts, &mapping);
      else if (counted > 0)
        return FALSE;
    }
  return TRUE;
}

static Amounts
sum_up_sections (const FpSections *sections)
{
  Amounts amounts = { 0 };

  for (guint i = 0; i < sections->sections->len; i++)
    {
      const FpSection *section = &g_array_index (sections->sections, FpSection, i);

      amounts.mapped += section->mapped;
      amounts.resident += section->resident;
      amounts.changed += section->changed;
      amounts.swapped += section->swapped;
    }
  return amounts;
}

/* Each section is where it should be, and nobody changed the code. */
static void
assert_likely (const FpSections *sections)
{
  const FpSection *rest = &g_array_index (sections->sections, FpSection, sections->sections->len - 1);

  for (guint i = 0; i + 1 < sections->sections->len; i++)
    {
      const FpSection *section = &g_array_index (sections->sections, FpSection, i);

      g_assert_cmpuint (section->mapped, ==, section->place.end - section->place.start);
      g_assert_cmpuint (section->resident, <=, section->mapped);
      if (section->place.kind == FP_SECTION_CODE)
        g_assert_cmpuint (section->changed, ==, 0);
    }
  g_assert_cmpint (rest->place.kind, ==, FP_SECTION_REST);
}

/* FALSE: it can't be compared. Other processes may drop a page of a library meanwhile, so it is read until nothing has
 * changed from before to after. */
static gboolean
compare (const FpProcDir *proc,
         const FpProcessId *id,
         const char *name)
{
  for (;;)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpMappings) before = read_mappings (proc, id), after = NULL;
      g_autoptr (FpSections) sections = fp_sections_read (proc, id, name, NULL, NULL, &error);
      Amounts expected = { 0 }, again = { 0 }, found;

      if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES))
        return FALSE;
      g_assert_no_error (error);
      after = read_mappings (proc, id);
      if (!sum_up_mappings (before, name, sections, &expected) || !sum_up_mappings (after, name, sections, &again))
        return FALSE;
      if (memcmp (&expected, &again, sizeof again) != 0)
        continue;
      found = sum_up_sections (sections);
      g_test_message ("%s", name);
      g_assert_cmpuint (found.mapped, ==, expected.mapped);
      g_assert_cmpuint (found.resident, ==, expected.resident);
      g_assert_cmpuint (found.changed, ==, expected.changed);
      g_assert_cmpuint (found.swapped, ==, expected.swapped);
      assert_likely (sections);
      return TRUE;
    }
}

static void
test_libraries (void)
{
  LiveProcess live;
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (FpMappings) mappings = NULL;
  FpProcessId id;
  FpStat stat;
  guint n = 0;

  live_process_start (&live, load_and_wait, NULL);
  kill (live.pid, SIGSTOP);
  live_wait_for_state (live.pid, "T");
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, live.pid));
  id = (FpProcessId){ live.pid, stat.start_ticks };
  mappings = read_mappings (&proc, &id);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      if (mapping.inode != 0 && mapping.permissions[2] == 'x')
        n += compare (&proc, &id, mapping.name);
    }
  live_process_stop (&live);
  g_test_message ("%u libraries", n);
  if (n < N_LIBRARIES)
    g_test_skip ("There are fewer than ten libraries to load that can be read");
}

static void
test_none (void)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (GError) missing = NULL;
  FpProcessId id;
  FpStat stat;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, getpid ()));
  id = (FpProcessId){ getpid (), stat.start_ticks };
  g_assert_null (fp_sections_read (&proc, &id, "/nothing\nof it", NULL, NULL, &missing));
  g_assert_error (missing, G_FILE_ERROR, G_FILE_ERROR_NOENT);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live/sections/libraries", test_libraries);
  g_test_add_func ("/live/sections/none", test_none);
  return g_test_run ();
}
