// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-owner.h"
#include "fp-proc-dir.h"

#define NOBODY 65534

typedef struct
{
  const char *name;
  const char *status;
  gboolean is_plain;
} Case;

static void
test_parse (gconstpointer data)
{
  const Case *given = data;
  FpOwner owner;

  fp_owner_parse (&owner, given->status, strlen (given->status));
  g_assert_cmpint (owner.is_plain, ==, given->is_plain);
  if (given->is_plain)
    g_assert_cmpuint (owner.uid, ==, 1000);
}

#define IDS  "Name:\tx\nUid:\t1000\t1000\t1000\t1000\nGid:\t100\t100\t100\t100\n"
#define NONE "CapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n"
#define AMB  "CapAmb:\t0000000000000000\n"

static const Case cases[] = {
  { "/owner/parse/plain", IDS NONE AMB, TRUE },
  { "/owner/parse/inheritable", IDS "CapInh:\t0000000800000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n" AMB, TRUE },
  { "/owner/parse/real-uid", "Uid:\t1000\t0\t0\t0\nGid:\t1\t1\t1\t1\n" NONE AMB, FALSE },
  { "/owner/parse/saved-uid", "Uid:\t1000\t1000\t0\t1000\nGid:\t1\t1\t1\t1\n" NONE AMB, FALSE },
  { "/owner/parse/fs-uid", "Uid:\t1000\t1000\t1000\t0\nGid:\t1\t1\t1\t1\n" NONE AMB, FALSE },
  { "/owner/parse/gid", "Uid:\t1000\t1000\t1000\t1000\nGid:\t1\t1\t1\t5\n" NONE AMB, FALSE },
  { "/owner/parse/short-uid", "Uid:\t1000\t1000\t1000\nGid:\t1\t1\t1\t1\n" NONE AMB, FALSE },
  { "/owner/parse/permitted", IDS "CapInh:\t0\nCapPrm:\t0000000000080000\nCapEff:\t0000000000000000\n" AMB, FALSE },
  { "/owner/parse/effective", IDS "CapInh:\t0\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000001\n" AMB, FALSE },
  { "/owner/parse/ambient", IDS NONE "CapAmb:\t0000000800000000\n", FALSE },
  { "/owner/parse/no-capabilities", IDS, FALSE },
  { "/owner/parse/empty-capabilities", IDS "CapPrm:\t\nCapEff:\t\nCapAmb:\t\n", FALSE },
  { "/owner/parse/cut", "Uid:\t1000\t1000\t1000\t1000\nGid:\t1", FALSE },
  { "/owner/parse/huge", "Uid:\t99999999999\t99999999999\t99999999999\t99999999999\nGid:\t1\t1\t1\t1\n" NONE AMB, FALSE },
  { "/owner/parse/nothing", "", FALSE },
};

static FpOwner
read_owner (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d", pid);
  int dir = open (path, O_PATH | O_DIRECTORY);
  char status[8192];
  gssize length = fp_read_record_at (dir, "status", status, sizeof status);
  FpOwner owner;

  g_assert_cmpint (length, >, 0);
  fp_owner_read (&owner, dir, status, (gsize)length);
  close (dir);
  return owner;
}

static void
say (int fd)
{
  if (write (fd, "x", 1) != 1)
    _exit (1);
}

static void
hear (int fd)
{
  char byte;

  if (read (fd, &byte, 1) != 1)
    g_error ("The other side has ended: is this a root folder in which nobody may make namespaces of users?");
}

static void
drop_capabilities (void)
{
  struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct none[2] = { 0 };

  if (syscall (SYS_capset, &header, none) != 0)
    _exit (1);
}

static void
become_nobody (void)
{
  if (setresgid (NOBODY, NOBODY, NOBODY) != 0 || setresuid (NOBODY, NOBODY, NOBODY) != 0 ||
      prctl (PR_SET_DUMPABLE, 1, 0, 0, 0) != 0)
    _exit (1);
}

static void
enter_namespace (void)
{
  if (unshare (CLONE_NEWUSER) != 0)
    _exit (1);
}

typedef enum
{
  ORDINARY,
  UNDUMPABLE,
  MAKER,     /* has all capabilities in the namespace it has made */
  SANDBOXED, /* in one that its own user has made */
  CAPTIVE,   /* its uid is nobody's, its namespace is root's */
} Kind;

static void
become (Kind kind,
        int to_parent,
        int from_parent)
{
  if (kind == CAPTIVE)
    {
      enter_namespace ();
      say (to_parent);
      hear (from_parent);
    }
  become_nobody ();
  if (kind == MAKER || kind == SANDBOXED)
    enter_namespace ();
  if (kind == SANDBOXED || kind == CAPTIVE)
    drop_capabilities ();
  prctl (PR_SET_DUMPABLE, kind != UNDUMPABLE, 0, 0, 0);
}

static void
map_nobody (pid_t pid,
            const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", pid, name);
  int fd = open (path, O_WRONLY);

  g_assert_cmpint (write (fd, "65534 65534 1", 13), ==, 13);
  close (fd);
}

/* A child that has become what is asked for and waits. */
static FpOwner
read_child (Kind kind)
{
  int from_child[2], to_child[2];
  pid_t pid;
  FpOwner owner;

  g_assert_cmpint (pipe (from_child), ==, 0);
  g_assert_cmpint (pipe (to_child), ==, 0);
  if ((pid = fork ()) == 0)
    {
      become (kind, from_child[1], to_child[0]);
      say (from_child[1]);
      for (;;)
        pause ();
    }
  /* A child that may not become it ends, which is heard where nobody else can write. */
  close (from_child[1]);
  if (kind == CAPTIVE)
    {
      hear (from_child[0]);
      map_nobody (pid, "uid_map");
      map_nobody (pid, "gid_map");
      say (to_child[1]);
    }
  hear (from_child[0]);
  owner = read_owner (pid);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  close (from_child[0]);
  close (to_child[0]);
  close (to_child[1]);
  return owner;
}

static void
test_live (void)
{
  static const struct
  {
    Kind kind;
    gboolean is_plain;
  } kinds[] = { { ORDINARY, TRUE }, { UNDUMPABLE, FALSE }, { MAKER, FALSE }, { SANDBOXED, TRUE }, { CAPTIVE, FALSE } };

  if (geteuid () != 0)
    {
      g_test_skip ("only root can become another user");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      FpOwner owner = read_child (kinds[i].kind);

      g_test_message ("kind %u", kinds[i].kind);
      g_assert_cmpuint (owner.uid, ==, NOBODY);
      g_assert_cmpuint (owner.gid, ==, NOBODY);
      g_assert_cmpint (owner.is_plain, ==, kinds[i].is_plain);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], test_parse);
  g_test_add_func ("/owner/live", test_live);
  return g_test_run ();
}
