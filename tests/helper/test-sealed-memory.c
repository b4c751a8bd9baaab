// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-sealed-memory.h"

static int
make_sealed (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  int fd = fp_sealed_memory_open (&error);
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);

  g_assert_no_error (error);
  g_assert_cmpint (write (fd, data, size), ==, (gssize)size);
  g_assert_true (fp_sealed_memory_seal (fd, &error));
  return fd;
}

static void
test_round_trip (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("footprint", 9);
  g_autoptr (GError) error = NULL;
  int fd = make_sealed (bytes);
  g_autoptr (GBytes) there = NULL;
  struct stat st;
  int reader;

  /* The mode lets its owner alone read it: a descriptor in other hands opens no second one. */
  g_assert_cmpint (fstat (fd, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0400);
  reader = fp_sealed_memory_open_reader (fd, NULL);
  g_assert_cmpint (fcntl (reader, F_ADD_SEALS, F_SEAL_SHRINK), ==, -1);
  close (reader);
  g_assert_cmpint (write (fd, "x", 1), ==, -1);
  g_assert_cmpint (ftruncate (fd, 100), ==, -1);
  g_assert_true (mmap (NULL, 9, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED);
  there = fp_sealed_memory_read (fd, 9, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (bytes, there));
  close (fd);
}

static void
expect_refusal (int fd,
                gsize max_size)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (fd, >=, 0);
  g_assert_null (fp_sealed_memory_read (fd, max_size, &error));
  g_assert_nonnull (error);
  close (fd);
}

static void
test_untrusted (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("footprint", 9);
  int pipes[2], half;

  expect_refusal (make_sealed (bytes), 8);
  expect_refusal (fp_sealed_memory_open (NULL), 100);
  expect_refusal (open ("/proc/self/exe", O_RDONLY), G_MAXINT);
  expect_refusal (open ("/dev/zero", O_RDONLY), G_MAXINT);
  expect_refusal (open ("/", O_RDONLY), G_MAXINT);
  g_assert_cmpint (pipe (pipes), ==, 0);
  expect_refusal (pipes[0], 100);
  close (pipes[1]);
  half = memfd_create ("half", MFD_ALLOW_SEALING);
  g_assert_cmpint (fcntl (half, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_WRITE), ==, 0);
  expect_refusal (half, 100);
}

/* Pages that a reader left in a socket stay in memory, so they are not taken back before they are gone from there. */
static void
test_pages_in_a_socket (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_malloc0 (64 * 1024), 64 * 1024);
  int fd = make_sealed (bytes), reader = fp_sealed_memory_open_reader (fd, NULL), pair[2];
  off_t offset = 0;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
  g_assert_cmpint (sendfile (pair[0], reader, &offset, 4096), ==, 4096);
  close (reader);
  g_assert_false (fp_sealed_memory_take_back (fd));
  g_assert_cmpint (lseek (fd, 0, SEEK_END), ==, 64 * 1024);
  close (pair[0]);
  close (pair[1]);
  g_assert_true (fp_sealed_memory_take_back (fd));
  g_assert_cmpint (lseek (fd, 0, SEEK_END), ==, 0);
  close (fd);
}

static void
test_empty (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("", 0);
  int fd = make_sealed (bytes);
  g_autoptr (GBytes) there = fp_sealed_memory_read (fd, 100, NULL);

  g_assert_cmpuint (g_bytes_get_size (there), ==, 0);
  close (fd);
}

/* Handed on as a descriptor or as a mapping of one. */
static void
test_held (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static ("footprint", 9);
  g_autoptr (GError) error = NULL;
  int fd = make_sealed (bytes), probe = fp_sealed_memory_open_reader (fd, &error), reader;
  void *mapping;

  g_assert_no_error (error);
  g_assert_false (fp_sealed_memory_is_held (probe));
  reader = fp_sealed_memory_open_reader (fd, &error);
  g_assert_no_error (error);
  g_assert_true (fp_sealed_memory_is_held (probe));
  g_assert_cmpint (write (reader, "x", 1), ==, -1);
  g_assert_cmpint (ftruncate (reader, 0), ==, -1);
  mapping = mmap (NULL, 9, PROT_READ, MAP_SHARED, reader, 0);
  g_assert_true (mapping != MAP_FAILED);
  close (reader);
  g_assert_true (fp_sealed_memory_is_held (probe));
  munmap (mapping, 9);
  g_assert_false (fp_sealed_memory_is_held (probe));
  close (probe);
  close (fd);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sealed-memory/round-trip", test_round_trip);
  g_test_add_func ("/sealed-memory/untrusted", test_untrusted);
  g_test_add_func ("/sealed-memory/pages-in-a-socket", test_pages_in_a_socket);
  g_test_add_func ("/sealed-memory/empty", test_empty);
  g_test_add_func ("/sealed-memory/held", test_held);
  return g_test_run ();
}
