// SPDX-License-Identifier: GPL-3.0-or-later
/* Reading recordings of heaptrack, against heaptrack_print: one of python3 with more than 8 million allocations, and one of
 * 10 million blocks of random sizes that live for random times, which is the worst case for what is kept of other times. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "bench-report.h"

#define N_RANDOM   (10 * 1000 * 1000)
#define N_STACKS   20000u
#define N_BLOCKS   100000
#define N_SIZES    200
#define PER_STAMP  2000
/* States at other times have a limit of their own, which random blocks reach: 1,048,576 changes of 40 bytes. */
#define STATES_MIB 40
#define SCRIPT     "import json; [json.loads(json.dumps([{str(j): [j, 'x%d' % j]} for j in range(2500)])) for i in range(130)]"

typedef struct
{
  double seconds; /* of CPU */
  double mib;
} Cost;

static Cost
measure (const char *const *argv)
{
  struct rusage usage;
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      if (!freopen ("/dev/null", "w", stdout))
        _exit (1);
      execvp (argv[0], (char **)argv);
      _exit (127);
    }
  if (wait4 (pid, &status, 0, &usage) != pid || status != 0)
    g_error ("%s failed", argv[0]);
  return (Cost){ (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
                 (double)usage.ru_maxrss / 1024 };
}

static void
record (const char *path)
{
  const char *const argv[] = { "heaptrack", "-o", path, "/usr/bin/python3", "-c", SCRIPT, NULL };

  g_setenv ("PYTHONMALLOC", "malloc", TRUE);
  measure (argv);
}

static void
write_piece (FILE *file,
             ZSTD_CCtx *context,
             GString *text,
             ZSTD_EndDirective end)
{
  char out[65536];
  ZSTD_inBuffer in = { text->str, text->len, 0 };
  gsize left;

  do
    {
      ZSTD_outBuffer buffer = { out, sizeof out, 0 };

      left = ZSTD_compressStream2 (context, &buffer, &in, end);
      if (ZSTD_isError (left) || fwrite (out, 1, buffer.pos, file) != buffer.pos)
        g_error ("cannot write the recording");
    }
  while (in.pos < in.size || (end == ZSTD_e_end && left > 0));
  g_string_truncate (text, 0);
}

static void
add_stacks (GString *text,
            GRand *random)
{
  g_string_append (text, "v 10400 3\nX ./random\nI 1000 5e27ec\ns 7 /bin/random\n");
  for (guint i = 1; i <= N_STACKS; i++)
    {
      g_autofree char *name = g_strdup_printf ("function_%u", i);

      g_string_append_printf (text, "s %x %s\ni %x 1 %x\nt %x %x\n", (guint)strlen (name), name, 0x1000 + i, i + 1, i,
                              (guint)g_rand_int_range (random, (gint)MAX (i, 20) - 20, (gint)i));
      for (guint j = 0; j < N_SIZES; j++)
        g_string_append_printf (text, "a %x %x\n", (guint)g_rand_int_range (random, 1, 4096), i);
    }
}

/* Each block takes the place of another one. */
static void
write_random (const char *path)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree guint32 *blocks = g_new0 (guint32, N_BLOCKS);
  ZSTD_CCtx *context = ZSTD_createCCtx ();
  FILE *file = fopen (path, "wb");

  if (!file)
    g_error ("cannot write to %s", path);
  add_stacks (text, random);
  for (guint i = 0; i < N_RANDOM; i++)
    {
      guint32 *block = &blocks[g_rand_int_range (random, 0, N_BLOCKS)];
      guint32 info = (guint32)g_rand_int_range (random, 0, (gint)N_STACKS * N_SIZES);

      if (*block)
        g_string_append_printf (text, "- %x\n", *block - 1);
      g_string_append_printf (text, "+ %x\n", info);
      *block = info + 1;
      if (i % PER_STAMP == 0)
        g_string_append_printf (text, "c %x\nR 1000\n", i / PER_STAMP * 10);
      if (text->len > 1 << 20)
        write_piece (file, context, text, ZSTD_e_continue);
    }
  g_string_append_printf (text, "# strings: %x\n# ips: %x\n", N_STACKS + 1, N_STACKS);
  write_piece (file, context, text, ZSTD_e_end);
  ZSTD_freeCCtx (context);
  fclose (file);
}

static void
compare (const char *title,
         const char *path,
         double apart_mib,
         double memory_goal)
{
  const char *const theirs[] = { "heaptrack_print", "-a0", "-p0", "-T0", "-l0", "-f", path, NULL };
  const char *const ours[] = { g_getenv ("FOOTPRINT_CLI"), "--heap", path, "--limit", "1", NULL };
  Cost their = measure (theirs), our = measure (ours);
  g_autofree char *time = g_strdup_printf ("%s: time / heaptrack_print's", title), *memory = g_strdup_printf ("%s: memory without other times / heaptrack_print's", title);

  g_print ("%s: heaptrack_print %.2f s, %.0f MiB; footprint-cli %.2f s, %.0f MiB\n", title, their.seconds, their.mib, our.seconds, our.mib);
  bench_report (time, our.seconds / their.seconds, 1.0 / 3, "");
  bench_report (memory, (our.mib - apart_mib) / their.mib, memory_goal, "");
}

int
main (int argc,
      char *argv[])
{
  g_autofree char *folder = g_dir_make_tmp ("footprint-bench-heap-XXXXXX", NULL);
  g_autofree char *recording = g_build_filename (folder, "python", NULL), *recorded = g_strconcat (recording, ".zst", NULL);
  g_autofree char *random = g_build_filename (folder, "random.zst", NULL);

  record (recording);
  compare ("python3", recorded, 0, 1.0 / 4);
  unlink (recorded);
  write_random (random);
  compare ("random blocks", random, STATES_MIB, 1.0 / 2);
  unlink (random);
  rmdir (folder);
  return 0;
}
