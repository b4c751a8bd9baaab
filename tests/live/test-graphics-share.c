// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fp-kept-reader.h"
#include "live-process.h"

#define MIB  ((guint64)1 << 20)
#define HEAP "/dev/dma_heap/system"

static FpKept *
read_kept (void)
{
  g_autoptr (GError) error = NULL;
  g_auto (FpProcDir) proc = { .fd = -1 };
  FpKept *kept;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", &error));
  kept = fp_kept_read (&proc, &error);
  g_assert_no_error (error);
  return kept;
}

static void
wait_for_ever (gpointer data)
{
  pause ();
}

static void
hold_buffer (gpointer data)
{
  struct dma_heap_allocation_data request = { .len = 24 * MIB, .fd_flags = O_RDWR | O_CLOEXEC };
  int heap = open (HEAP, O_RDWR | O_CLOEXEC);

  g_assert_cmpint (ioctl (heap, DMA_HEAP_IOCTL_ALLOC, &request), ==, 0);
  live_fork (wait_for_ever, NULL);
  live_answer ();
  live_await_order ();
}

static gboolean
find_share (const FpKept *kept,
            pid_t pid,
            FpGraphicsShare *share)
{
  FpProcDir proc;
  FpStat stat;
  FpProcessId id = { pid, 0 };

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, pid));
  fp_proc_dir_close (&proc);
  id.start_ticks = stat.start_ticks + 1;
  g_assert_false (fp_kept_get_graphics (kept, &id, share));
  id.start_ticks = stat.start_ticks;
  return fp_kept_get_graphics (kept, &id, share);
}

/* A process without a client is known to have none. */
static void
test_no_client (void)
{
  g_autoptr (FpKept) kept = read_kept ();
  FpGraphicsShare share;

  g_assert_true (find_share (kept, getpid (), &share));
  g_assert_cmpuint (share.in_ram, ==, 0);
  g_assert_true (share.has_in_ram);
}

/* Two processes hold it, and it is there once. */
static void
test_buffer (void)
{
  g_autoptr (FpKept) kept = NULL;
  FpGraphicsShare share;
  LiveProcess process;
  guint n = 0;

  if (access (HEAP, R_OK | W_OK) != 0)
    {
      g_test_skip ("this kernel has no " HEAP);
      return;
    }
  live_process_start (&process, hold_buffer, NULL);
  kept = read_kept ();
  for (guint i = 0; i < kept->graphics->len; i++)
    {
      const FpGraphics *graphics = &g_array_index (kept->graphics, FpGraphics, i);

      if (graphics->pid != process.pid)
        continue;
      n++;
      g_assert_cmpuint (graphics->in_ram, ==, 24 * MIB);
      g_assert_cmpuint (graphics->n_holders, ==, 2);
    }
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (find_share (kept, process.pid, &share));
  g_assert_cmpuint (share.in_ram, ==, 12 * MIB);
  live_process_stop (&process);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/graphics-share/buffer", test_buffer);
  g_test_add_func ("/graphics-share/no-client", test_no_client);
  return g_test_run ();
}
