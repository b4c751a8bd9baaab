// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-identity.h"
#include "fp-strings.h"
#include "fuzz.h"

#define MAX_LENGTH 8192

/* A process folder that has gone. */
static int
open_folder (void)
{
  static int folder = -1;
  char path[] = "/tmp/footprint-fuzz-XXXXXX";

  if (folder < 0)
    {
      FUZZ_ASSERT (g_mkdtemp (path));
      folder = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);
      rmdir (path);
    }
  return folder;
}

static void
check_read (const FpStat *stat)
{
  FpIdentity identity;

  memset (&identity, 0xa5, sizeof identity);
  fp_identity_read (&identity, open_folder (), stat, FP_COMMAND_SIZE, FALSE);
  FUZZ_ASSERT_TEXT (identity.comm);
  FUZZ_ASSERT_TEXT (identity.program);
  FUZZ_ASSERT (!*identity.exe && !*identity.command && identity.exe_state == FP_EXE_UNKNOWN);
}

static void
check_program (const char *exe,
               gsize exe_length,
               const char *comm,
               gsize comm_length,
               const char *raw,
               gsize length)
{
  g_autofree char *arguments = g_strndup ("", length + 1);
  FpIdentity identity;

  memcpy (arguments, raw, length);
  arguments[length] = '\0';
  memset (&identity, 0xa5, sizeof identity);
  fp_text_clean (identity.exe, sizeof identity.exe, exe, exe_length);
  fp_text_clean (identity.comm, sizeof identity.comm, comm, comm_length);
  fp_identity_find_program (&identity, arguments, length);
  FUZZ_ASSERT_TEXT (identity.program);
  FUZZ_ASSERT (*identity.program || !*identity.comm);
}

/* "exe\ncomm\narguments" */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  const char *text = (const char *)data, *end = text + size;
  const char *comm = memchr (text, '\n', size);
  const char *raw = comm ? memchr (comm + 1, '\n', end - comm - 1) : NULL;
  FpStat stat = { 0 };
  FpImage image = { 0 };
  gsize length, kept;

  if (!raw || size > MAX_LENGTH)
    return 0;
  comm++;
  raw++;
  length = end - raw;
  kept = fp_identity_arguments_length (raw, length, &image);
  FUZZ_ASSERT (kept <= length);
  image.arg_end = 5;
  FUZZ_ASSERT (fp_identity_arguments_length (raw, length, &image) <= length);
  check_program (text, comm - 1 - text, comm, MIN (raw - 1 - comm, 63), raw, length);
  check_program ("", 0, comm, MIN (raw - 1 - comm, 63), raw, kept);

  stat.comm_length = (guint)MIN (raw - 1 - comm, 63);
  memcpy (stat.comm, comm, stat.comm_length);
  check_read (&stat);
  return 0;
}
