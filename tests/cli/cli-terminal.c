// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli-terminal.h"

#define PATIENCE_US (60 * G_USEC_PER_SEC)

static void
run_child (int slave,
           char **argv)
{
  setsid ();
  ioctl (slave, TIOCSCTTY, 0);
  dup2 (slave, STDIN_FILENO);
  dup2 (slave, STDOUT_FILENO);
  dup2 (slave, STDERR_FILENO);
  execv (argv[0], argv);
  _exit (127);
}

static void
start (CliTerminal *self,
       guint n_columns,
       guint n_lines,
       const char *first,
       va_list rest)
{
  struct winsize size = { .ws_col = (gushort)n_columns, .ws_row = (gushort)n_lines };
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (gpointer)g_getenv ("FOOTPRINT_CLI"));
  for (const char *argument = first; argument; argument = va_arg (rest, const char *))
    g_ptr_array_add (argv, (gpointer)argument);
  g_ptr_array_add (argv, NULL);

  g_assert_cmpint (openpty (&self->master, &self->slave, NULL, NULL, &size), ==, 0);
  fcntl (self->master, F_SETFD, FD_CLOEXEC);
  self->output = g_string_new (NULL);
  self->pid = fork ();
  g_assert_cmpint (self->pid, >=, 0);
  if (self->pid == 0)
    run_child (self->slave, (char **)argv->pdata);
}

void
cli_terminal_start (CliTerminal *self,
                    guint n_columns,
                    guint n_lines,
                    ...)
{
  va_list rest;
  const char *first;

  va_start (rest, n_lines);
  first = va_arg (rest, const char *);
  start (self, n_columns, n_lines, first, rest);
  va_end (rest);
}

static gboolean
read_some (CliTerminal *self,
           int timeout_ms)
{
  struct pollfd poll_fd = { self->master, POLLIN, 0 };
  char buffer[4096];
  gssize n;

  if (poll (&poll_fd, 1, timeout_ms) <= 0 || (n = read (self->master, buffer, sizeof buffer)) <= 0)
    return FALSE;
  g_string_append_len (self->output, buffer, n);
  return TRUE;
}

void
cli_terminal_wait_for (CliTerminal *self,
                       const char *text)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_US;

  while (!strstr (self->output->str, text))
    {
      if (g_get_monotonic_time () > end)
        g_error ("“%s” is not in: %s", text, self->output->str);
      read_some (self, 100);
    }
}

void
cli_terminal_type (CliTerminal *self,
                   const char *keys)
{
  g_assert_cmpint (write (self->master, keys, strlen (keys)), ==, strlen (keys));
}

void
cli_terminal_resize (CliTerminal *self,
                     guint n_columns,
                     guint n_lines)
{
  struct winsize size = { .ws_col = (gushort)n_columns, .ws_row = (gushort)n_lines };

  g_assert_cmpint (ioctl (self->master, TIOCSWINSZ, &size), ==, 0);
}

tcflag_t
cli_terminal_get_flags (CliTerminal *self)
{
  struct termios attributes;

  g_assert_cmpint (tcgetattr (self->slave, &attributes), ==, 0);
  return attributes.c_lflag;
}

/* The exit status, or 128 and the signal; what is still to be read is in output then. */
int
cli_terminal_finish (CliTerminal *self)
{
  gint64 end = g_get_monotonic_time () + PATIENCE_US;
  int status;
  pid_t ended;

  while ((ended = waitpid (self->pid, &status, WNOHANG)) == 0)
    {
      read_some (self, 20);
      if (g_get_monotonic_time () > end)
        {
          kill (self->pid, SIGKILL);
          g_error ("It does not end; last it said: %s", self->output->str);
        }
    }
  g_assert_cmpint (ended, ==, self->pid);
  while (read_some (self, 20))
    ;
  self->pid = 0;
  return WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
}

void
cli_terminal_clear (CliTerminal *self)
{
  if (self->pid > 0)
    {
      kill (self->pid, SIGKILL);
      waitpid (self->pid, NULL, 0);
    }
  close (self->master);
  close (self->slave);
  g_string_free (self->output, TRUE);
}

/* Lines end with LF, as the program wrote them. */
char *
cli_terminal_get_output (guint n_columns,
                         const char *first,
                         ...)
{
  g_auto (CliTerminal) terminal = { 0 };
  va_list rest;

  va_start (rest, first);
  start (&terminal, n_columns, 50, first, rest);
  va_end (rest);
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 0);
  g_string_replace (terminal.output, "\r\n", "\n", 0);
  return g_strdup (terminal.output->str);
}
