// SPDX-License-Identifier: GPL-3.0-or-later
/* Whatever user IDs somebody's processes have, they count for one user. */
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "fp-payer.h"
#include "live-process.h"

#define PERSON    54321
#define CONTAINER 0x70000

/* The way in which a process comes to its user IDs */
typedef struct
{
  const char *name;
  uid_t maker;     /* of its namespace */
  const char *map; /* (nullable): of user IDs there; NULL: it makes none */
  uid_t real, effective;
  gboolean nests; /* in a second one */
  gboolean is_dumpable;
  guint32 expected;
} Case;

static const Case cases[] = {
  { "ordinary", 0, NULL, PERSON, PERSON, FALSE, TRUE, PERSON },
  { "undumpable", 0, NULL, PERSON, PERSON, FALSE, FALSE, PERSON },
  { "root", 0, NULL, 0, 0, FALSE, TRUE, 0 },
  { "set-user-id", 0, NULL, PERSON, 0, FALSE, FALSE, PERSON },
  { "other", 0, NULL, PERSON, PERSON + 1, FALSE, TRUE, PERSON + 1 },
  { "subordinate", PERSON, "0 300000 65536", 7, 7, FALSE, TRUE, PERSON },
  { "subordinate-undumpable", PERSON, "0 300000 65536", 65535, 65535, FALSE, FALSE, PERSON },
  { "subordinate-nested", PERSON, "0 300000 65536", 7, 7, TRUE, TRUE, PERSON },
  { "container", 0, "0 458752 65536", 7, 7, FALSE, TRUE, CONTAINER },
  { "container-nested", 0, "0 458752 65536", 8, 8, TRUE, TRUE, CONTAINER },
  { "same-ids", 0, "0 0 4294967295", PERSON, PERSON, FALSE, TRUE, PERSON },
};

static void
make_namespace (void)
{
  if (unshare (CLONE_NEWUSER) != 0)
    _exit (1);
}

static void
become (gpointer data)
{
  const Case *self = data;

  if (setresuid (self->maker, self->maker, self->maker) != 0)
    _exit (1);
  if (self->map)
    make_namespace ();
  live_answer ();
  live_await_order ();
  if (setresgid (self->real, self->real, self->real) != 0 || setresuid (self->real, self->effective, self->effective) != 0)
    _exit (1);
  if (self->nests)
    make_namespace ();
  prctl (PR_SET_DUMPABLE, self->is_dumpable);
  live_answer ();
  for (;;)
    live_await_order ();
}

static void
write_map (pid_t pid,
           const char *name,
           const char *map)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", pid, name);
  g_auto (FpFd) fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (write (fd, map, strlen (map)), ==, (gssize)strlen (map));
}

/* It is known as what it was before, and has then become another user's. */
static void
test_live (gconstpointer data)
{
  const Case *given = data;
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpPayer payer = { 0 };
  LiveProcess process;
  g_auto (FpFd) dir = -1;
  char status[8192];
  gssize length;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can become another user");
      return;
    }
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  live_process_start (&process, become, (gpointer)given);
  g_assert_cmpuint (fp_payer_check (&payer, &proc, process.pid), ==, given->maker);
  if (given->map)
    {
      write_map (process.pid, "uid_map", given->map);
      write_map (process.pid, "gid_map", given->map);
    }
  live_process_order (&process, ' ');
  dir = fp_proc_dir_open_process (&proc, process.pid);
  g_assert_cmpuint (fp_payer_find (dir), ==, given->expected);
  length = fp_read_record_at (dir, "status", status, sizeof status);
  g_assert_cmpuint (fp_payer_find_in (status, (gsize)length, dir), ==, given->expected);
  if (given->is_dumpable)
    g_assert_cmpuint (fp_payer_check (&payer, &proc, process.pid), ==, given->expected);
  live_process_stop (&process);
}

static void
test_range (void)
{
  static const char text[] = "ada:100000:65536\n\nben\nben:165536\nben:x:5\nben:165536:65536\n1003:300000:10\nada:400000:10";
  static const struct
  {
    guint32 uid, first;
  } ids[] = {
    { 99999, 0 },
    { 100000, 100000 },
    { 165535, 100000 },
    { 165536, 165536 },
    { 300009, 300000 },
    { 300010, 0 },
    { 400009, 100000 },
    { 400010, 0 },
    { 5, 0 },
    { 0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      guint32 first = 0;

      g_assert_cmpint (fp_payer_find_range (text, ids[i].uid, &first), ==, ids[i].first != 0);
      g_assert_cmpuint (first, ==, ids[i].first);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/payer/range", test_range);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/payer/", cases[i].name, NULL);

      g_test_add_data_func (path, &cases[i], test_live);
    }
  return g_test_run ();
}
