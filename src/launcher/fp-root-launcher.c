// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <unistd.h>

#include "fp-helper-protocol.h"
#include "fp-root-files.h"
#include "fp-root-launcher.h"

int
fp_root_launcher_run (const char *const *command)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) error = NULL;

  g_return_val_if_fail (command && command[0], FP_HELPER_EXIT_UNTRUSTED);
  if (!fp_root_files_check (command, &error))
    {
      g_printerr ("footprint-helper: %s\n", error->message);
      return FP_HELPER_EXIT_UNTRUSTED;
    }
  g_strv_builder_add (builder, "pkexec");
  g_strv_builder_addv (builder, (const char **)command);
  argv = g_strv_builder_end (builder);
  execvp (argv[0], argv);
  g_printerr ("footprint-helper: pkexec: %s\n", g_strerror (errno));
  return FP_HELPER_EXIT_NO_PKEXEC;
}
