// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "fp-ledger.h"
#include "test-machine.h"

#define MIB           ((gint64)1 << 20)
#define PAGE          ((gint64)4096)
#define HUGE_PAGE     (2 * MIB)
#define MESSAGE_SIZE  (PAGE - 48) /* with its header, exactly a page of the kernel's objects */
#define POOL          "/proc/sys/vm/nr_hugepages"
#define QUEUE_SIZE    "/proc/sys/kernel/msgmnb"
#define ZRAM_CONTROL  "/sys/class/zram-control/"
#define PACKED_SIZE   2700 /* of a page */
#define MIN_TURNS     3
#define MAX_TURNS     40
#define BUSY_PAUSE_US 200000
#define MAX_LOOKS     20
#define LOOK_PAUSE_US 10000

/* Memory of one known kind and size, which is taken and given back. */
typedef struct
{
  gint64 size;
  char *memory;
  gsize mapped;
  int fd;
  int queue;
  int disk;
  int problem; /* errno of what could not be had */
  char pool[32];
} Allocation;

typedef struct
{
  const char *name;
  FpPart part;
  /* FALSE: it can't be had on this machine; errno says why. */
  gboolean (*take) (Allocation *self);
  void (*give) (Allocation *self);
  gboolean (*prepare) (Allocation *self); /* (nullable): before the first look */
  void (*finish) (Allocation *self);
  gint64 divisor; /* of the size, where it takes long; 0: 1 */
} Kind;

static gboolean
map (Allocation *self,
     gsize size,
     int flags,
     int fd)
{
  self->memory = mmap (NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
  if (self->memory == MAP_FAILED)
    return FALSE;
  self->mapped = size;
  madvise (self->memory, size, MADV_NOHUGEPAGE);
  return TRUE;
}

static void
touch (Allocation *self)
{
  for (gint64 i = 0; i < self->size; i += PAGE)
    self->memory[i] = 'f';
}

static gboolean
write_all (int fd,
           gint64 size,
           const char *block)
{
  for (gint64 done = 0; done < size; done += MIB)
    if (write (fd, block, MIB) != MIB)
      return FALSE;
  return TRUE;
}

static gboolean
fill_file (Allocation *self)
{
  g_autofree char *block = g_malloc (MIB);

  memset (block, 'f', MIB);
  return self->fd >= 0 && write_all (self->fd, self->size, block);
}

static void
give_back (Allocation *self)
{
  if (self->mapped > 0)
    munmap (self->memory, self->mapped);
  if (self->fd >= 0)
    close (self->fd);
  self->mapped = 0;
  self->fd = -1;
}

static gboolean
take_anonymous (Allocation *self)
{
  if (!map (self, (gsize)self->size, MAP_PRIVATE | MAP_ANONYMOUS, -1))
    return FALSE;
  touch (self);
  return TRUE;
}

static gboolean
make_file (Allocation *self,
           const char *folder)
{
  g_autofree char *path = g_strdup_printf ("%s/footprint-test-parts-%d", folder, getpid ());

  self->fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  unlink (path);
  return fill_file (self);
}

/* In the build's folder, for /tmp is in memory on many a machine. A file that is only read needs no buffers of the kernel
 * beside its pages. */
static gboolean
prepare_file (Allocation *self)
{
  g_autofree char *here = g_get_current_dir ();
  struct statfs fs;

  errno = ENOTSUP;
  return statfs (here, &fs) == 0 && fs.f_type != TMPFS_MAGIC && make_file (self, here) && fsync (self->fd) == 0 &&
         posix_fadvise (self->fd, 0, 0, POSIX_FADV_DONTNEED) == 0;
}

static gboolean
take_file (Allocation *self)
{
  volatile char sum = 0;

  if (!map (self, (gsize)self->size, MAP_SHARED, self->fd))
    return FALSE;
  for (gint64 i = 0; i < self->size; i += PAGE)
    sum += self->memory[i];
  return TRUE;
}

static void
give_file (Allocation *self)
{
  munmap (self->memory, self->mapped);
  self->mapped = 0;
  posix_fadvise (self->fd, 0, 0, POSIX_FADV_DONTNEED);
}

static gboolean
take_tmpfs (Allocation *self)
{
  return make_file (self, "/dev/shm");
}

static gboolean
take_memfd (Allocation *self)
{
  self->fd = memfd_create ("footprint-test", MFD_CLOEXEC);
  return fill_file (self);
}

static gboolean
take_segment (Allocation *self)
{
  int id = shmget (IPC_PRIVATE, (gsize)self->size, IPC_CREAT | 0600);

  if (id < 0)
    return FALSE;
  self->memory = shmat (id, NULL, 0);
  shmctl (id, IPC_RMID, NULL);
  if (self->memory == (char *)-1)
    return FALSE;
  touch (self);
  return TRUE;
}

static void
give_segment (Allocation *self)
{
  if (self->memory && self->memory != (char *)-1)
    shmdt (self->memory);
}

static gboolean
write_number (const char *path,
              const char *number)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  gboolean is_written = fd >= 0 && write (fd, number, strlen (number)) > 0;

  if (fd >= 0)
    close (fd);
  return is_written;
}

static long
read_pool (void)
{
  g_autofree char *text = NULL;

  return g_file_get_contents (POOL, &text, NULL, NULL) ? atol (text) : -1;
}

static gboolean
take_pool (Allocation *self)
{
  long before = read_pool (), wanted = before + self->size / HUGE_PAGE;
  g_autofree char *number = g_strdup_printf ("%ld", wanted);

  if (before < 0)
    return FALSE;
  g_snprintf (self->pool, sizeof self->pool, "%ld", before);
  errno = ENOMEM;
  return write_number (POOL, number) && read_pool () == wanted;
}

static void
give_pool (Allocation *self)
{
  if (self->pool[0])
    write_number (POOL, self->pool);
}

/* Reading maps the zero page, so that each 2 MiB cost a page of page tables and no other. */
static gboolean
take_page_tables (Allocation *self)
{
  gint64 n = self->size / PAGE;
  volatile char sum = 0;

  if (!map (self, (gsize)(n * HUGE_PAGE), MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    sum += self->memory[i * HUGE_PAGE];
  return TRUE;
}

/* A queue's messages are objects of the kernel. */
static gboolean
take_kernel (Allocation *self)
{
  g_autofree struct msgbuf *message = g_malloc0 (sizeof *message + MESSAGE_SIZE);
  struct msqid_ds queue;

  if ((self->queue = msgget (IPC_PRIVATE, IPC_CREAT | 0600)) < 0 || msgctl (self->queue, IPC_STAT, &queue) != 0)
    return FALSE;
  errno = EPERM;
  if ((gint64)queue.msg_qbytes < self->size)
    return FALSE;
  message->mtype = 1;
  for (gint64 i = 0; i < self->size / PAGE; i++)
    if (msgsnd (self->queue, message, MESSAGE_SIZE, IPC_NOWAIT) != 0)
      return FALSE;
  return TRUE;
}

static void
give_kernel (Allocation *self)
{
  if (self->queue >= 0)
    msgctl (self->queue, IPC_RMID, NULL);
}

static gboolean
write_to_disk_file (const Allocation *self,
                    const char *name,
                    gint64 number)
{
  g_autofree char *path = g_strdup_printf ("/sys/block/zram%d/%s", self->disk, name);
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);

  return write_number (path, text);
}

/* A disk of the test's own */
static gboolean
prepare_zram (Allocation *self)
{
  g_autofree char *number = NULL;

  errno = ENODEV;
  if (!g_file_get_contents (ZRAM_CONTROL "hot_add", &number, NULL, NULL))
    return FALSE;
  self->disk = atoi (number);
  return write_to_disk_file (self, "disksize", 2 * self->size);
}

static gint64
read_disk_cost (const Allocation *self)
{
  g_autofree char *path = g_strdup_printf ("/sys/block/zram%d/mm_stat", self->disk);
  g_autofree char *text = NULL;
  gint64 cost = 0;

  return g_file_get_contents (path, &text, NULL, NULL) && sscanf (text, "%*d %*d %" G_GINT64_FORMAT, &cost) == 1 ? cost : -1;
}

/* Pages that can be packed a little, written past the page cache until the kernel says that they take the size */
static gboolean
take_zram (Allocation *self)
{
  g_autofree char *path = g_strdup_printf ("/dev/zram%d", self->disk);
  gint64 cost = 0;

  if ((self->fd = open (path, O_RDWR | O_DIRECT | O_CLOEXEC)) < 0 || !map (self, (gsize)MIB, MAP_PRIVATE | MAP_ANONYMOUS, -1))
    return FALSE;
  for (gint64 i = 0; i < MIB; i++)
    self->memory[i] = i % PAGE < PACKED_SIZE ? (char)g_random_int () : 0;
  while ((cost = read_disk_cost (self)) >= 0 && cost < self->size)
    if (write (self->fd, self->memory, MIB) != MIB)
      return FALSE;
  return cost >= 0;
}

static void
give_zram (Allocation *self)
{
  give_back (self);
  write_to_disk_file (self, "reset", 1);
  write_to_disk_file (self, "disksize", 2 * self->size);
}

static void
finish_zram (Allocation *self)
{
  g_autofree char *number = g_strdup_printf ("%d", self->disk);

  if (self->disk < 0)
    return;
  write_to_disk_file (self, "reset", 1);
  write_number (ZRAM_CONTROL "hot_remove", number);
}

static const Kind kinds[] = {
  { "anonymous", FP_PART_ANONYMOUS, take_anonymous, give_back },
  { "mapped-file", FP_PART_PAGE_CACHE, take_file, give_file, prepare_file, give_back },
  { "tmpfs", FP_PART_SHMEM, take_tmpfs, give_back },
  { "memfd", FP_PART_SHMEM, take_memfd, give_back },
  { "segment", FP_PART_SHMEM, take_segment, give_segment },
  { "huge-pool", FP_PART_HUGETLB, take_pool, give_pool },
  { "page-tables", FP_PART_PAGE_TABLES, take_page_tables, give_back },
  { "kernel", FP_PART_SLAB, take_kernel, give_kernel },
  { "zram", FP_PART_ZRAM, take_zram, give_zram, prepare_zram, finish_zram, 2 },
};

static void
look (FpLedger *ledger,
      FpSystem *system)
{
  FpProcDir proc;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  fp_system_read (system, &proc);
  g_assert_true (fp_ledger_make (ledger, system));
  fp_proc_dir_close (&proc);
}

static gboolean
is_quiet (const FpLedger *before,
          const FpLedger *after,
          gint64 noise)
{
  for (FpPart part = 0; part < FP_N_PARTS; part++)
    if (ABS (after->parts[part] - before->parts[part]) > noise)
      return FALSE;
  return TRUE;
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return (x > y) - (x < y);
}

/* Other memory that moves between two readings spoils a turn; then the parts are not back where they were after it. */
static gboolean
take_turn (const Kind *kind,
           Allocation *allocation,
           gint64 *moves,
           gboolean *can_be_had)
{
  FpLedger before, between, after;
  gboolean quiet = FALSE;
  FpSystem system;

  look (&before, &system);
  *can_be_had = kind->take (allocation);
  allocation->problem = errno;
  look (&between, &system);
  kind->give (allocation);
  for (FpPart part = 0; part < FP_N_PARTS; part++)
    moves[part] = between.parts[part] - before.parts[part];
  /* The kernel frees some things, such as page tables, a moment later. */
  for (guint i = 0; i < MAX_LOOKS && !quiet; i++)
    {
      g_usleep (i == 0 ? 0 : LOOK_PAUSE_US);
      look (&after, &system);
      quiet = is_quiet (&before, &after, allocation->size / 200);
    }
  return quiet;
}

static gint64
get_median (gint64 *moves,
            guint n)
{
  qsort (moves, n, sizeof *moves, compare);
  return moves[n / 2];
}

/* The greatest deviation of a part from what it should have moved by */
static gint64
find_deviation (const Kind *kind,
                gint64 size,
                gint64 moves[FP_N_PARTS][MAX_TURNS],
                guint n)
{
  gint64 most = 0;

  for (FpPart part = 0; part < FP_N_PARTS; part++)
    {
      gint64 expected = part == kind->part ? size : part == FP_PART_FREE ? -size
                                                                         : 0;
      gint64 deviation = get_median (moves[part], n) - expected;

      most = MAX (most, ABS (deviation));
    }
  return most;
}

static void
check_moves (const Kind *kind,
             gint64 size,
             gint64 moves[FP_N_PARTS][MAX_TURNS],
             guint n)
{
  for (FpPart part = 0; part < FP_N_PARTS; part++)
    g_test_message ("%s: %+.2f MiB, the median of %u", fp_part_infos[part].name, (double)get_median (moves[part], n) / MIB, n);
  g_assert_cmpint (find_deviation (kind, size, moves, n), <=, size / 100);
}

/* More turns are taken until the median is free of what other programs do. FALSE: it can't be had. */
static gboolean
take_turns (const Kind *kind,
            Allocation *allocation,
            gint64 moves[FP_N_PARTS][MAX_TURNS],
            guint *n_quiet)
{
  *n_quiet = 0;
  for (guint i = 0; i < MAX_TURNS; i++)
    {
      gint64 turn[FP_N_PARTS];
      gboolean can_be_had, quiet = take_turn (kind, allocation, turn, &can_be_had);

      if (!can_be_had)
        return FALSE;
      for (FpPart part = 0; quiet && part < FP_N_PARTS; part++)
        moves[part][*n_quiet] = turn[part];
      *n_quiet += quiet;
      if (*n_quiet >= MIN_TURNS && find_deviation (kind, allocation->size, moves, *n_quiet) <= allocation->size / 100)
        break;
      if (!quiet)
        g_usleep (BUSY_PAUSE_US);
    }
  return TRUE;
}

/* A known size moves its part by that, and no other one by more than a hundredth of it. */
static void
test_kind (gconstpointer data)
{
  const Kind *kind = data;
  gint64 available = (gint64)test_get_available (), size = available > 8192 * MIB ? 1024 * MIB : 512 * MIB;
  gint64 moves[FP_N_PARTS][MAX_TURNS];
  Allocation allocation = { .size = size / MAX (kind->divisor, 1), .fd = -1, .queue = -1, .disk = -1 };
  guint n_quiet = 0;
  gboolean can_be_had = TRUE;

  if (available < 3 * size)
    {
      g_test_skip ("too little memory is available");
      return;
    }
  if (kind->prepare && !kind->prepare (&allocation))
    {
      can_be_had = FALSE;
      allocation.problem = errno;
    }
  can_be_had = can_be_had && take_turns (kind, &allocation, moves, &n_quiet);
  if (kind->finish)
    kind->finish (&allocation);
  if (!can_be_had)
    g_test_skip (g_strerror (allocation.problem));
  else if (n_quiet < MIN_TURNS ||
           (n_quiet < MAX_TURNS / 2 && find_deviation (kind, allocation.size, moves, n_quiet) > allocation.size / 100))
    g_test_skip ("other programs move the machine's memory too much");
  else
    check_moves (kind, allocation.size, moves, n_quiet);
}

static void
test_remainder (void)
{
  FpLedger ledger;
  FpSystem system;
  gint64 total, remainder;

  look (&ledger, &system);
  total = (gint64)fp_system_get (&system, FP_SYSTEM_MEM_TOTAL);
  remainder = ledger.parts[FP_PART_REMAINDER];
  g_test_message ("not accounted for: %.1f MiB of %.1f MiB, %.2f %%", (double)remainder / MIB, (double)total / MIB,
                  100.0 * (double)remainder / (double)total);
  g_assert_cmpint (ABS (remainder), <=, total / 100);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  /* Queues and segments that a failed test leaves go with their namespace. */
  if (unshare (CLONE_NEWIPC) != 0)
    g_test_message ("no IPC namespace of our own: %s", g_strerror (errno));
  else if (!write_number (QUEUE_SIZE, "2147483647"))
    g_test_message ("no long queues: %s", g_strerror (errno));
  g_test_add_func ("/parts/remainder", test_remainder);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strconcat ("/parts/", kinds[i].name, NULL);

      g_test_add_data_func (path, &kinds[i], test_kind);
    }
  return g_test_run ();
}
