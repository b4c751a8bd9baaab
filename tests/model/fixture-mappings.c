// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-mappings.h"
#include "fp-mapping-scanner.h"

FpMappings *
fixture_mappings_scan (const char *const *lines)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (; *lines; lines++)
    {
      g_auto (GStrv) parts = g_strsplit (*lines, "|", 2);
      g_auto (GStrv) fields = g_strsplit (parts[1] ? parts[1] : "", ", ", -1);

      g_string_append_printf (text, "%s\n", parts[0]);
      for (char **field = fields; *field; field++)
        {
          gsize length = strcspn (*field, " ");

          g_string_append_printf (text, "%.*s:%*s kB\n", (int)length, *field, (int)(23 - length), *field + length);
        }
    }
  g_assert_cmpuint (fp_mapping_scanner_feed (scanner, text->str, text->len), ==, text->len);
  return fp_mapping_scanner_finish (scanner);
}

FpRecords *
fixture_mappings_new (const char *const *lines)
{
  g_autoptr (FpMappings) mappings = fixture_mappings_scan (lines);

  return fp_mapping_records_new (mappings);
}
