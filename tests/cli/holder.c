// SPDX-License-Identifier: GPL-3.0-or-later
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <signal.h>
#include <unistd.h>

#define HELD   (8 << 20)
#define FREED  (2 << 20)
#define LOCKED (1 << 20)
#define SHARED (16 << 20)

static char *
map_memory (size_t size)
{
  char *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED || madvise (memory, size, MADV_NOHUGEPAGE) != 0)
    exit (1);
  memset (memory, 1, size);
  return memory;
}

static void
wait_for_end (const char *word)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (write (STDOUT_FILENO, word, strlen (word)) != (ssize_t)strlen (word))
    exit (1);
  for (;;)
    pause ();
}

/* The last few pages that are freed wait in a batch of this processor, which mlock hands on for the processor that it runs on
   alone. */
static void
stay_on_one_processor (void)
{
  cpu_set_t processors;

  CPU_ZERO (&processors);
  CPU_SET ((size_t)sched_getcpu (), &processors);
  if (sched_setaffinity (0, sizeof processors, &processors) != 0)
    exit (1);
}

/* Four that never write to what they share */
static void
share (void)
{
  char text[64] = "";
  char *end = text;

  map_memory (SHARED);
  for (int i = 0; i < 3; i++)
    {
      pid_t pid = fork ();

      if (pid == 0)
        wait_for_end ("");
      end += sprintf (end, "%d%s", (int)pid, i < 2 ? "," : "\n");
    }
  wait_for_end (text);
}

/* Linked statically, so that it shares no page with who measures it. */
int
main (int argc,
      char *argv[])
{
  char *memory;

  if (argc > 1)
    share ();
  stay_on_one_processor ();
  memory = map_memory (HELD);
  if (madvise (memory, FREED, MADV_FREE) != 0 || mlock (memory + HELD / 2, LOCKED) != 0)
    return 1;
  wait_for_end ("\n");
}
