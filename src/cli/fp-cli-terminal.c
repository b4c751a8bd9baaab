// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "fp-cli-terminal.h"

#define ENTER_SCREEN "\033[?1049h\033[?25l"
#define LEAVE_SCREEN "\033[?25h\033[?1049l"

static struct termios saved_attributes;
static gboolean has_saved_attributes;
static volatile sig_atomic_t is_stopped;
static int wakeup[2] = { -1, -1 };

/* To a pipe or a file goes everything, whatever its width. */
void
fp_cli_terminal_measure (FpCliPaper *paper,
                         guint *n_lines)
{
  struct winsize size;
  const char *no_colour = g_getenv ("NO_COLOR");

  *paper = (FpCliPaper){ 0 };
  *n_lines = 0;
  if (!isatty (STDOUT_FILENO))
    return;
  paper->colour = !(no_colour && *no_colour) && g_strcmp0 (g_getenv ("TERM"), "dumb") != 0;
  paper->width = 80;
  *n_lines = 24;
  if (ioctl (STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0)
    {
      paper->width = size.ws_col;
      *n_lines = size.ws_row;
    }
}

gboolean
fp_cli_terminal_write (const char *text,
                       gsize length,
                       GError **error)
{
  return fp_cli_terminal_write_to (STDOUT_FILENO, text, length, error);
}

gboolean
fp_cli_terminal_write_to (int fd,
                          const char *text,
                          gsize length,
                          GError **error)
{
  while (length > 0)
    {
      gssize n = write (fd, text, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("Can’t write the output: %s"),
                       g_strerror (errno));
          return FALSE;
        }
      text += n;
      length -= (gsize)n;
    }
  return TRUE;
}

/* A signal that comes before poll begins to wait would not end the wait. */
static void
wake_up (int number)
{
  int problem = errno;

  (void)!write (wakeup[1], "", 1);
  errno = problem;
}

static void
stop (int number)
{
  is_stopped = 1;
  wake_up (number);
}

/* A screen of its own, so that what stood there before comes back; keys at once, unseen. */
void
fp_cli_terminal_begin_watch (void)
{
  struct sigaction stopping = { .sa_handler = stop }, resizing = { .sa_handler = wake_up };

  if (pipe2 (wakeup, O_CLOEXEC | O_NONBLOCK) != 0)
    g_error ("No pipe: %s", g_strerror (errno));
  sigaction (SIGINT, &stopping, NULL);
  sigaction (SIGTERM, &stopping, NULL);
  sigaction (SIGHUP, &stopping, NULL);
  sigaction (SIGWINCH, &resizing, NULL);
  if (!isatty (STDOUT_FILENO))
    return;
  if (isatty (STDIN_FILENO) && tcgetattr (STDIN_FILENO, &saved_attributes) == 0)
    {
      struct termios attributes = saved_attributes;

      attributes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
      has_saved_attributes = tcsetattr (STDIN_FILENO, TCSANOW, &attributes) == 0;
    }
  fp_cli_terminal_write (ENTER_SCREEN, sizeof ENTER_SCREEN - 1, NULL);
}

void
fp_cli_terminal_end_watch (void)
{
  if (isatty (STDOUT_FILENO))
    fp_cli_terminal_write (LEAVE_SCREEN, sizeof LEAVE_SCREEN - 1, NULL);
  if (has_saved_attributes)
    tcsetattr (STDIN_FILENO, TCSANOW, &saved_attributes);
}

FpCliKey
fp_cli_terminal_wait (double seconds)
{
  gint64 end = g_get_monotonic_time () + (gint64)(seconds * G_USEC_PER_SEC);
  struct pollfd inputs[] = { { has_saved_attributes ? STDIN_FILENO : -1, POLLIN, 0 }, { wakeup[0], POLLIN, 0 } };
  gint64 left;

  while (!is_stopped && (left = end - g_get_monotonic_time ()) > 0)
    {
      char key, bytes[64];
      int n = poll (inputs, G_N_ELEMENTS (inputs), (int)((left + 999) / 1000));

      if (read (wakeup[0], bytes, sizeof bytes) > 0)
        break;
      if (n <= 0)
        continue;
      if (read (STDIN_FILENO, &key, 1) != 1 || key == 'q' || key == 'Q')
        return FP_CLI_KEY_QUIT;
    }
  return is_stopped ? FP_CLI_KEY_QUIT : FP_CLI_KEY_NONE;
}
