// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-identity.h"
#include "fp-proc-dir.h"

typedef struct
{
  const char *exe, *comm, *arguments; /* "|" for the 0 between arguments */
  const char *program;
} Case;

static void
check_programs (const Case *cases,
                gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *arguments = g_strdup (cases[i].arguments);
      FpIdentity identity = { 0 };

      g_strlcpy (identity.exe, cases[i].exe, sizeof identity.exe);
      g_strlcpy (identity.comm, cases[i].comm, sizeof identity.comm);
      g_strdelimit (arguments, "|", '\0');
      fp_identity_find_program (&identity, arguments, strlen (cases[i].arguments));
      if (strcmp (identity.program, cases[i].program) != 0)
        g_test_message ("of %s", cases[i].arguments);
      g_assert_cmpstr (identity.program, ==, cases[i].program);
    }
}

static void
test_programs (void)
{
  static const Case cases[] = {
    { "/usr/bin/sleep", "sleep", "sleep|100|", "sleep" },
    { "/usr/bin/sleep", "fake", "fake|100|", "sleep" },
    { "/usr/sbin/nginx", "nginx", "nginx: worker process", "nginx" },
    { "/usr/lib/firefox/firefox", "Web Content", "/usr/lib/firefox/firefox|-contentproc|", "firefox" },
    { "/usr/libexec/gnome-terminal-server", "gnome-terminal-", "/usr/libexec/gnome-terminal-server|",
      "gnome-terminal-server" },
    { "/usr/bin/bash", "bash", "-bash|", "bash" },
    { "/usr/bin/bash", "bash", "bash|", "bash" },
    { "/bin/busybox", "ash", "/bin/ash|", "ash" },
    { "/bin/busybox", "sh", "/bin/sh|/etc/rc.local|", "rc.local" },
    { "/bin/busybox", "httpd", "httpd|-f|", "httpd" },
    { "/usr/bin/odd", "nuls", "||||||||||", "odd" },
    { "/usr/bin/odd", "odd", "", "odd" },
    { "/usr/bin/python3.11", "python3", "||||||||||", "python3.11" },
    { "/usr/bin/python3.11", "python3", "", "python3.11" },
    { "/usr/bin/x/", "odd", "x|", "/usr/bin/x/" },
  };

  check_programs (cases, G_N_ELEMENTS (cases));
}

static void
test_programs_without_exe (void)
{
  static const Case cases[] = {
    { "", "systemd-journal", "/lib/systemd/systemd-journald|", "systemd-journald" },
    { "", "sleep", "sleep|100|", "sleep" },
    { "", "bash", "-bash|", "bash" },
    { "", "nginx", "nginx: worker process", "nginx" },
    { "", "Web Content", "/usr/lib/firefox/firefox|-contentproc|", "Web Content" },
    { "", "nameless", "|two|", "nameless" },
    { "", "nuls", "||||||||||", "nuls" },
    { "", "gone", "", "gone" },
    { "", "python3", "python3|/srv/serve.py|", "serve.py" },
    { "/memfd:runc_cloned:/proc/self/exe (deleted)", "memfd:runc_clon", "runc|init|", "runc" },
  };

  check_programs (cases, G_N_ELEMENTS (cases));
}

static void
test_scripts (void)
{
  static const Case cases[] = {
    { "/usr/bin/python3.11", "python3", "python3|foo.py|", "foo.py" },
    { "/usr/bin/python3.11", "python3", "/usr/bin/python3|-u|/home/ada/bin/backup.py|--every|1h|", "backup.py" },
    { "/usr/bin/python3.11", "python3", "python3|-W|ignore|-X|dev|a.py|", "a.py" },
    { "/usr/bin/python3.11", "python3", "python3|-Es|/usr/sbin/tuned|-l|", "tuned" },
    { "/usr/bin/python3.11", "python3", "python3|-m|http.server|8000|", "http.server" },
    { "/usr/bin/python3.11", "python3", "python3|-c|import time|", "python3.11" },
    { "/usr/bin/python3.11", "python3", "python3|-|", "python3.11" },
    { "/usr/bin/python3.11", "python3", "python3|-i|", "python3.11" },
    { "/usr/bin/python3.11", "python3", "python3|/dev/fd/63|", "python3.11" },
    { "/usr/bin/python3.11", "python3", "python3|-W|", "python3.11" },
    { "/usr/bin/python3.11", "python3", "python3|-m|", "python3.11" },
    { "/usr/lib/jvm/java-17/bin/java", "java", "java|-Xmx1g|-jar|/opt/app/app.jar|--x|", "app.jar" },
    { "/usr/lib/jvm/java-17/bin/java", "java", "java|-cp|a.jar:b.jar|org.example.Main|", "org.example.Main" },
    { "/usr/bin/perl", "perl", "perl|-ne|print if /x/|", "perl" },
    { "/usr/bin/perl", "perl", "perl|-e|sleep 1|", "perl" },
    { "/usr/bin/perl", "perl", "/usr/bin/perl|-w|/usr/bin/ack|x|", "ack" },
    { "/usr/bin/dash", "sh", "sh|-c|sleep 100|", "dash" },
    { "/usr/bin/bash", "bash", "bash|-lc|make all|", "bash" },
    { "/usr/bin/bash", "run.sh", "/bin/bash|/srv/run.sh|now|", "run.sh" },
    { "/usr/bin/bash", "bash", "bash|-x|./run.sh|", "run.sh" },
    { "/usr/bin/bash", "bash", "bash|-o|pipefail|./run.sh|", "run.sh" },
    { "/usr/bin/bash", "bash", "bash|--|run.sh|", "run.sh" },
    { "/usr/bin/node", "node", "node|--inspect|/srv/server.js|", "server.js" },
    { "/usr/bin/node", "node", "node|-r|dotenv/config|server.js|", "server.js" },
    { "/usr/bin/ruby3.1", "ruby", "ruby|bin/rails|server|", "rails" },
    { "/usr/bin/gjs-console", "gjs", "gjs|-m|/usr/share/org.gnome.Weather/main|", "main" },
    { "/usr/bin/php8.2", "php", "php|-f|cron.php|", "cron.php" },
  };

  check_programs (cases, G_N_ELEMENTS (cases));
}

/* The same letter means different things: -e, -s, -E, -O and -i take no code everywhere. */
static void
test_scripts_behind_options (void)
{
  static const Case cases[] = {
    { "/usr/bin/dash", "sh", "/bin/sh|-e|/usr/lib/apt/apt.systemd.daily|install|", "apt.systemd.daily" },
    { "/usr/bin/bash", "bash", "/bin/bash|-e|/usr/sbin/cron-apt|", "cron-apt" },
    { "/usr/bin/bash", "bash", "/bin/bash|-ue|./build.sh|", "build.sh" },
    { "/usr/bin/python3.11", "firewalld", "/usr/bin/python3|-s|/usr/sbin/firewalld|--nofork|", "firewalld" },
    { "/usr/bin/python3.11", "python3", "/usr/bin/python3|-E|/usr/bin/virt-manager|", "virt-manager" },
    { "/usr/bin/python3.11", "python3", "/usr/bin/python3|-O|/srv/serve.py|start|", "serve.py" },
    { "/usr/bin/python3.11", "python3", "python3|-mhttp.server|8000|", "http.server" },
  };

  check_programs (cases, G_N_ELEMENTS (cases));
}

/* A loader that was started as a program is not what runs. */
static void
test_programs_of_loaders (void)
{
  static const Case cases[] = {
    { "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", "ld-linux-x86-64",
      "/app/ld-linux-x86-64.so.2|--library-path|/app/lib:/usr/lib|/app/libexec/footprint-helper|--agent|",
      "footprint-helper" },
    { "/usr/lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64",
      "ld.so|--argv0|other|--inhibit-cache|--preload|a.so|/opt/bin/tool|--library-path|x|", "tool" },
    { "/usr/lib/ld-2.31.so", "ld-2.31.so", "/lib/ld.so|--audit|a.so|--glibc-hwcaps-mask|v3|/bin/cat|", "cat" },
    { "/lib/ld-musl-aarch64.so.1", "ld-musl-aarch64",
      "/lib/ld-musl-aarch64.so.1|--library-path=/opt/lib|--|/opt/bin/tool|", "tool" },
    { "/lib64/ld64.so.2", "ld64.so.2", "/lib64/ld64.so.2|/usr/bin/python3|-u|/srv/serve.py|", "serve.py" },
    { "", "ld-linux-x86-64", "/lib64/ld-linux-x86-64.so.2|/bin/cat|", "cat" },
    { "/lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64", "ld.so|--library-path|", "ld-linux-x86-64.so.2" },
    { "/lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64", "ld.so|--library-path|/app/lib|", "ld-linux-x86-64.so.2" },
    { "/lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64", "ld.so|--help|", "ld-linux-x86-64.so.2" },
    { "/lib64/ld-linux-x86-64.so.2", "tool", "tool: idle", "ld-linux-x86-64.so.2" },
    { "/lib64/ld-linux-x86-64.so.2", "ld-linux-x86-64", "", "ld-linux-x86-64.so.2" },
    { "/usr/bin/ld-made", "ld-made", "ld-made|--all|x|", "ld-made" },
    { "/usr/bin/x86_64-linux-gnu-ld.bfd", "ld", "ld|-o|a.out|a.o|", "x86_64-linux-gnu-ld.bfd" },
  };

  check_programs (cases, G_N_ELEMENTS (cases));
}

/* Names of 255 bytes that are no UTF-8 grow when they are cleaned. */
static void
test_program_is_valid (void)
{
  for (guint n = 40; n < 255; n++)
    {
      g_autofree char *fill = g_strnfill (n, 'a');
      g_autofree char *escaped =
          g_strdup_printf ("/usr/bin/%s\\xff\\xff\\xff\\xff\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", fill);
      FpIdentity identity = { 0 };

      g_strlcpy (identity.exe, escaped, sizeof identity.exe);
      fp_identity_find_program (&identity, "", 0);
      g_assert_true (g_utf8_validate (identity.program, -1, NULL));
    }
}

static void
test_arguments_length (void)
{
  static const struct
  {
    const char *raw; /* "|" for 0 */
    guint64 arg_start, arg_end;
    gsize length;
  } cases[] = {
    { "", 0, 0, 0 },
    { "sleep|100|", 0, 0, 10 },
    { "sleep|100|", 0x1000, 0x100a, 10 },
    { "sleep|100|", 0x1000, 0x2000, 10 },
    { "title: xxxxSHELL=/bin/bash", 0x1000, 0x100b, 11 },
    { "title: xxxxSHELL=/bin/bash", 0, 0, 11 },
    { "title: xxxxSHELL=/bin/bash|", 0, 0, 11 },
    { "nginx: worker process", 0, 0, 21 },
    { "nginx: worker process|", 0, 0, 22 },
    { "nginx: worker process|", 0x1000, 0x1040, 22 },
    { "env|HOME=/root|x|", 0, 0, 17 },
    { "a b=c", 0, 0, 5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *raw = g_strdup (cases[i].raw);
      const FpImage image = { .arg_start = cases[i].arg_start, .arg_end = cases[i].arg_end };

      g_strdelimit (raw, "|", '\0');
      g_assert_cmpuint (fp_identity_arguments_length (raw, strlen (cases[i].raw), &image), ==, cases[i].length);
    }
}

/* Started as "nginx": the title is longer than its arguments were and has grown over the environment it moved away. */
static void
test_title_longer_than_arguments (void)
{
  static const char title[] = "nginx: worker process";
  const FpImage image = { .arg_start = 0x1000, .arg_end = 0x1006 };

  g_assert_cmpuint (fp_identity_arguments_length (title, sizeof title, &image), ==, sizeof title);
}

static void
read_at_most (const Fixture *fixture,
              const char *pid,
              gsize max_command,
              FpIdentity *identity)
{
  g_autofree char *path = g_build_filename (fixture->proc, pid, NULL);
  char text[1024];
  int dir = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  gssize length = fp_read_at (dir, "stat", text, sizeof text);
  FpStat stat;

  g_assert_cmpint (length, >, 0);
  g_assert_true (fp_stat_parse (&stat, text, (gsize)length));
  memset (identity, 'x', sizeof *identity);
  fp_identity_read (identity, dir, &stat, max_command, FALSE);
  close (dir);
}

static void
read_identity (const Fixture *fixture,
               const char *pid,
               FpIdentity *identity)
{
  read_at_most (fixture, pid, FP_COMMAND_SIZE, identity);
}

static void
test_read (void)
{
  g_auto (Fixture) fixture = { 0 };
  FpIdentity identity;

  fixture_copy (&fixture, "odd");
  read_identity (&fixture, "101", &identity);
  g_assert_cmpstr (identity.comm, ==, "a) R 1 (b\n\\c \\xff");
  read_identity (&fixture, "102", &identity);
  g_assert_cmpstr (identity.command, ==, "/usr/bin/odd \xe2\x80\xae<b>\x1b[31m \\xff\\xc3\\xe2\\x82");
  g_assert_cmpstr (identity.exe, ==, "");
  g_assert_cmpint (identity.exe_state, ==, FP_EXE_UNKNOWN);
  read_identity (&fixture, "103", &identity);
  g_assert_cmpstr (identity.command, ==, "");
  g_assert_cmpstr (identity.program, ==, "empty");
  read_identity (&fixture, "104", &identity);
  g_assert_cmpstr (identity.command, ==, "");
  g_assert_cmpstr (identity.program, ==, "odd");
  read_identity (&fixture, "105", &identity);
  g_assert_cmpstr (identity.program, ==, "nameless");
  read_identity (&fixture, "106", &identity);
  g_assert_cmpstr (identity.command, ==, "title: xxxx");
  read_identity (&fixture, "120", &identity);
  g_assert_cmpstr (identity.exe, ==, "/usr/bin/really");
  g_assert_cmpstr (identity.program, ==, "really");
  g_assert_cmpint (identity.exe_state, ==, FP_EXE_DELETED);
  read_identity (&fixture, "109", &identity);
  g_assert_cmpstr (identity.program, ==, "kworker/0:1");
}

static void
test_read_long_command (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *many = g_strnfill (2 * 1024 * 1024, 'y');
  FpIdentity identity;

  fixture_copy (&fixture, "odd");
  read_identity (&fixture, "107", &identity);
  g_assert_true (g_str_has_prefix (identity.command, "/usr/bin/long \xc3\xa9\xc3\xa9"));
  g_assert_true (g_str_has_suffix (identity.command, "\xc3\xa9\xe2\x80\xa6"));
  g_assert_true (g_utf8_validate (identity.command, -1, NULL));

  fixture_write (&fixture, "107/cmdline", many, 2 * 1024 * 1024);
  read_identity (&fixture, "107", &identity);
  g_assert_cmpuint (strlen (identity.command), ==, FP_COMMAND_SIZE - 1);
  g_assert_true (g_str_has_suffix (identity.command, "yy\xe2\x80\xa6"));
}

static void
assert_whole_command (Fixture *fixture,
                      const char *raw,
                      gsize length,
                      const char *end,
                      gsize expected)
{
  FpStat stat = { 0 };
  g_autofree char *command = NULL;
  int dir = open (fixture->proc, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int process_dir = openat (dir, "107", O_PATH | O_DIRECTORY | O_CLOEXEC);

  fixture_write (fixture, "107/cmdline", raw, (gssize)length);
  command = fp_identity_read_command (process_dir, &stat);
  g_assert_cmpuint (strlen (command), ==, expected);
  g_assert_true (g_str_has_suffix (command, end));
  g_assert_true (g_utf8_validate (command, -1, NULL));
  close (process_dir);
  close (dir);
}

/* Up to 128 KiB, of whatever bytes. */
static void
test_whole_command (void)
{
  const gsize most = 128 * 1024;
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *many = g_strnfill (most + 1, 'y'), *wrong = g_strnfill (most, '\xff');

  fixture_copy (&fixture, "odd");
  assert_whole_command (&fixture, "a\0b\nc\0\0", 7, "a b\nc", 5);
  assert_whole_command (&fixture, "", 0, "", 0);
  assert_whole_command (&fixture, many, most - 1, "yyy", most - 1);
  assert_whole_command (&fixture, many, most + 1, "yyy…", most + strlen ("…"));
  assert_whole_command (&fixture, wrong, most - 1, "\\xff\\xff", 4 * (most - 1));
}

/* Runs a copy of sleep under the name, until the pipe behind it is closed. */
static pid_t
start_copy (const char *path)
{
  g_autofree char *text = NULL;
  gsize length;
  pid_t pid;

  g_assert_true (g_file_get_contents ("/bin/sleep", &text, &length, NULL));
  g_assert_true (g_file_set_contents_full (path, text, (gssize)length, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
  if ((pid = fork ()) == 0)
    {
      execl (path, path, "60", NULL);
      _exit (127);
    }
  g_assert_cmpint (pid, >, 0);
  return pid;
}

static void
read_live (pid_t pid,
           const char *exe,
           FpIdentity *identity)
{
  char text[1024];
  FpProcDir proc;
  FpStat stat;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (proc.is_live);
  for (guint try = 0; try < 500; try++)
    {
      int dir = fp_proc_dir_open_process (&proc, pid);
      gssize length = fp_read_at (dir, "stat", text, sizeof text);

      g_assert_true (fp_stat_parse (&stat, text, (gsize)length));
      fp_identity_read (identity, dir, &stat, FP_COMMAND_SIZE, TRUE);
      close (dir);
      if (g_str_has_prefix (identity->exe, exe))
        break;
      g_usleep (10000);
    }
  fp_proc_dir_close (&proc);
}

/* Among many processes each has less room. */
static void
test_short (void)
{
  g_auto (Fixture) fixture = { 0 };
  FpIdentity identity, whole;

  fixture_copy (&fixture, "odd");
  read_identity (&fixture, "107", &whole);
  read_at_most (&fixture, "107", 40, &identity);
  g_assert_cmpuint (strlen (identity.command), <=, 40);
  g_assert_true (g_str_has_prefix (identity.command, "/usr/bin/long \xc3\xa9\xc3\xa9"));
  g_assert_true (g_str_has_suffix (identity.command, "\xc3\xa9\xe2\x80\xa6"));
  g_assert_cmpstr (identity.program, ==, whole.program);
}

static void
test_live_exe_states (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *path = NULL, *named_so = NULL, *linked = NULL;
  pid_t pid, other;
  FpIdentity identity;

  fixture_make_empty (&fixture);
  path = g_build_filename (fixture.proc, "sleeper", NULL);
  named_so = g_build_filename (fixture.proc, "sleeper (deleted)", NULL);
  linked = g_build_filename (fixture.proc, "another name", NULL);
  pid = start_copy (path);
  other = start_copy (named_so);
  read_live (pid, path, &identity);
  g_assert_cmpstr (identity.exe, ==, path);
  g_assert_cmpstr (identity.program, ==, "sleeper");
  g_assert_cmpint (identity.exe_state, ==, FP_EXE_PRESENT);
  read_live (other, named_so, &identity);
  g_assert_cmpstr (identity.exe, ==, named_so);
  g_assert_cmpint (identity.exe_state, ==, FP_EXE_PRESENT);

  /* Gone from where it was, though it has another name. */
  g_assert_cmpint (link (path, linked), ==, 0);
  g_assert_cmpint (unlink (path), ==, 0);
  read_live (pid, path, &identity);
  g_assert_cmpstr (identity.exe, ==, path);
  g_assert_cmpint (identity.exe_state, ==, FP_EXE_DELETED);

  fixture_write (&fixture, "sleeper", "new", 3);
  read_live (pid, path, &identity);
  g_assert_cmpstr (identity.exe, ==, path);
  g_assert_cmpint (identity.exe_state, ==, FP_EXE_UPDATED);
  kill (pid, SIGKILL);
  kill (other, SIGKILL);
  waitpid (pid, NULL, 0);
  waitpid (other, NULL, 0);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/proc/identity/programs", test_programs);
  g_test_add_func ("/proc/identity/programs-without-exe", test_programs_without_exe);
  g_test_add_func ("/proc/identity/scripts", test_scripts);
  g_test_add_func ("/proc/identity/scripts-behind-options", test_scripts_behind_options);
  g_test_add_func ("/proc/identity/programs-of-loaders", test_programs_of_loaders);
  g_test_add_func ("/proc/identity/program-is-valid", test_program_is_valid);
  g_test_add_func ("/proc/identity/arguments-length", test_arguments_length);
  g_test_add_func ("/proc/identity/title-longer-than-arguments", test_title_longer_than_arguments);
  g_test_add_func ("/proc/identity/read", test_read);
  g_test_add_func ("/proc/identity/read-long-command", test_read_long_command);
  g_test_add_func ("/proc/identity/short", test_short);
  g_test_add_func ("/proc/identity/whole-command", test_whole_command);
  g_test_add_func ("/proc/identity/live-exe-states", test_live_exe_states);
  return g_test_run ();
}
