// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "cli-runner.h"
#include "test-capture.h"
#include "workload.h"

#define MIB     (1 << 20)
#define PROC    "/proc"
#define NOISE   (64 * 1024) /* of stacks and the like, from one run of a program to the next */
#define MISSING "A saved snapshot has no mappings"

/* The figures of smem for a process, from the text alone */
typedef struct
{
  gint64 pss;
  gint64 uss;
  gint64 rss;
  gint64 swap;
} Sums;

/* This test, and a program whose memory is known */
typedef struct
{
  char *folder;
  char *path; /* its name says nothing of what is in it */
  GByteArray *bytes;
  Workload workload;
} Fixture;

/* Others come and go between one of their files and the next, so that they would make nothing certain. */
static void
capture (Fixture *self)
{
  g_byte_array_set_size (self->bytes, 0);
  capture_begin (self->bytes, CAPTURE_OF_SMEM, PROC);
  capture_add_process (self->bytes, CAPTURE_OF_SMEM, PROC, getpid (), NULL);
  capture_add_process (self->bytes, CAPTURE_OF_SMEM, PROC, self->workload.pid, NULL);
  g_assert_true (g_file_set_contents (self->path, (const char *)self->bytes->data, (gssize)self->bytes->len, NULL));
}

/* It has a name that no other test's program has. */
static void
start (Fixture *self,
       const char *order)
{
  g_autofree char *path = g_build_filename (self->folder, "fpcapture", NULL);
  g_autoptr (GFile) source = g_file_new_for_path (g_getenv ("FOOTPRINT_LONELY_WORKLOAD")), target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_setenv ("FOOTPRINT_WORKLOAD", path, TRUE);
  g_assert_true (workload_start (&self->workload, order));
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->folder = cli_make_folder ();
  self->path = g_build_filename (self->folder, "monday", NULL);
  self->bytes = g_byte_array_new ();
  start (self, "anon 24");
  capture (self);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  workload_stop (&self->workload);
  g_byte_array_unref (self->bytes);
  g_free (self->path);
  cli_remove_folder (self->folder);
}

static gint64
read_line (const char *line,
           const char *key)
{
  gsize length = strlen (key);

  return strncmp (line, key, length) == 0 && line[length] == ':' ? atoll (line + length + 1) * 1024 : 0;
}

static Sums
sum_text (const char *text,
          gsize size)
{
  g_autofree char *copy = g_strndup (text, size);
  g_auto (GStrv) lines = g_strsplit (copy, "\n", -1);
  Sums sums = { 0 };

  for (char **line = lines; *line; line++)
    {
      sums.pss += read_line (*line, "Pss");
      sums.uss += read_line (*line, "Private_Clean") + read_line (*line, "Private_Dirty");
      sums.rss += read_line (*line, "Rss");
      sums.swap += read_line (*line, "Swap");
    }
  return sums;
}

static void
assert_process (JsonNode *root,
                gint pid,
                const Sums *sums)
{
  JsonObject *process = cli_json_find (root, "processes", "pid", pid);

  g_assert_nonnull (process);
  g_assert_cmpint (cli_json_get_int (process, "pss"), ==, sums->pss);
  g_assert_cmpint (cli_json_get_int (process, "uss"), ==, sums->uss);
  g_assert_cmpint (cli_json_get_int (process, "rss"), ==, sums->rss);
  g_assert_cmpint (cli_json_get_int (process, "swap_whole"), ==, sums->swap);
}

static JsonObject *
get_total (JsonNode *root)
{
  return json_object_get_object_member (json_node_get_object (root), "total");
}

/* Every process that has mappings in the archive has smem's figures, and so have all together. */
static void
test_figures (Fixture *self,
              gconstpointer data)
{
  g_autoptr (JsonNode) root = cli_get_json ("--open", self->path, "--json", NULL);
  const char *bytes = (const char *)self->bytes->data;
  Sums all = { 0 }, known = { 0 };
  guint n = 0;

  for (gsize at = 0, size; at < self->bytes->len; at += CAPTURE_BLOCK + (size + CAPTURE_BLOCK - 1) / CAPTURE_BLOCK * CAPTURE_BLOCK)
    {
      Sums sums;

      size = strtoull (bytes + at + CAPTURE_SIZE, NULL, 8);
      if (!g_str_has_suffix (bytes + at, "/smaps") || size == 0)
        continue;
      sums = sum_text (bytes + at + CAPTURE_BLOCK, size);
      assert_process (root, atoi (bytes + at), &sums);
      all.pss += sums.pss;
      all.uss += sums.uss;
      if (atoi (bytes + at) == self->workload.pid)
        known = sums;
      n++;
    }
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (known.uss, >=, 24 * MIB);
  g_assert_cmpint (known.uss, <, 26 * MIB); /* its libraries' own pages, too */
  g_assert_cmpint (cli_json_get_int (get_total (root), "pss"), ==, all.pss);
  g_assert_cmpint (cli_json_get_int (get_total (root), "uss"), ==, all.uss);
}

/* The other tables are made of the same. */
static void
test_views (Fixture *self,
            gconstpointer data)
{
  g_autoptr (JsonNode) processes = cli_get_json ("--open", self->path, "--json", NULL);
  g_autoptr (JsonNode) users = cli_get_json ("--open", self->path, "--by", "user", "--json", NULL);
  g_autoptr (JsonNode) files = cli_get_json ("--open", self->path, "--by", "file", "--json", NULL);
  g_autoptr (JsonNode) machine = cli_get_json ("--open", self->path, "--system", "--json", NULL);
  const gint64 pss = cli_json_get_int (get_total (processes), "pss");
  g_autofree char *meminfo = NULL, *expected = NULL, *shell = NULL;
  g_auto (CliResult) result = { 0 };
  JsonObject *system = json_object_get_object_member (json_node_get_object (machine), "system");

  g_assert_cmpint (cli_json_get_int (get_total (users), "pss"), ==, pss);
  g_assert_cmpint (cli_json_get_int (get_total (files), "pss"), ==, pss);
  g_assert_true (g_file_get_contents (PROC "/meminfo", &meminfo, NULL, NULL));
  g_assert_cmpint (cli_json_get_int (system, "mem_total"), ==, read_line (meminfo, "MemTotal"));

  shell = g_strdup_printf ("$CLI --open - --json --pid %d <'%s'", self->workload.pid, self->path);
  cli_run_shell (&result, shell);
  g_assert_cmpstr (result.err, ==, "");
  g_assert_nonnull (strstr (result.out, "anon 24\""));
}

/* Two captures are compared as any other moments, and what is known of them is how much more the program asks for now. */
static void
test_compare (Fixture *self,
              gconstpointer data)
{
  g_autofree char *before = g_strconcat (self->path, "-before", NULL);
  g_autoptr (JsonNode) root = NULL;
  JsonObject *process;

  g_assert_true (g_file_set_contents (before, (const char *)self->bytes->data, (gssize)self->bytes->len, NULL));
  workload_stop (&self->workload);
  start (self, "anon 32");
  capture (self);
  root = cli_get_json ("--compare", before, self->path, "--json", NULL);
  process = cli_json_find (root, "processes", "pid", self->workload.pid);
  g_assert_cmpstr (cli_json_get_text (process, "outcome"), ==, "grown");
  g_assert_cmpstr (cli_json_get_text (process, "compared_with"), ==, "rank");
  g_assert_cmpint (ABS (cli_json_get_int (process, "difference") - 8 * MIB), <=, NOISE);
}

static void
test_refused (Fixture *self,
              gconstpointer data)
{
  g_autofree char *pid = g_strdup_printf ("%d", self->workload.pid);

  g_assert_true (g_file_set_contents (self->path, (const char *)self->bytes->data, (gssize)self->bytes->len - CAPTURE_BLOCK, NULL));
  cli_assert_refused (1, "Not a usable capture of smemcap: it is cut short", "--open", self->path, NULL);
  capture (self);
  cli_assert_refused (2, MISSING, "--open", self->path, "--mappings", "--pid", pid, NULL);
}

#define ADD(name, func) g_test_add ("/cli/capture/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("figures", test_figures);
  ADD ("views", test_views);
  ADD ("compare", test_compare);
  ADD ("refused", test_refused);
  return g_test_run ();
}
