// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-elf-sections.h"
#include "fp-proc-dir.h"
#include "test-elf-file.h"

#define N_LIBRARIES 10

static const guint8 some_id[] = "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15";

static int
make_file (const GByteArray *bytes,
           gsize size)
{
  int fd = memfd_create ("footprint-elf", MFD_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes->data, size), ==, size);
  return fd;
}

static void
assert_id (const GByteArray *bytes,
           const char *expected)
{
  g_auto (FpFd) fd = make_file (bytes, bytes->len);
  char text[FP_BUILD_ID_TEXT_SIZE];
  FpBuildId id;

  g_assert_cmpint (fp_elf_read_build_id (fd, &id), ==, *expected != '\0');
  fp_build_id_write (&id, text);
  if (*expected)
    g_assert_cmpstr (text, ==, expected);
}

static void
test_widths (void)
{
  g_autoptr (GByteArray) wide = test_elf_file_new_wide (some_id, 20), narrow = test_elf_file_new_narrow (some_id, 20);
  g_autoptr (GByteArray) fast = test_elf_file_new_wide (some_id, 5);

  assert_id (wide, "0102030405060708090a0b0c0d0e0f1011121314");
  assert_id (narrow, "0102030405060708090a0b0c0d0e0f1011121314");
  assert_id (fast, "0102030405");
}

/* An ID that says nothing, or that the kernel would not take, is none. */
static void
test_none (void)
{
  static const guint8 zeros[20] = { 0 };
  g_autoptr (GByteArray) blank = test_elf_file_new_wide (zeros, 20), longer = test_elf_file_new_wide (some_id, 21);
  g_autoptr (GByteArray) empty = test_elf_file_new_wide (some_id, 0), other = test_elf_file_new_wide (some_id, 20);
  g_autoptr (GByteArray) text = g_byte_array_new ();
  g_auto (FpFd) folder = open ("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  FpBuildId id;

  ((Elf64_Ehdr *)(void *)other->data)->e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
  g_byte_array_append (text, (const guint8 *)"#!/bin/sh\n", 10);
  assert_id (blank, "");
  assert_id (longer, "");
  assert_id (empty, "");
  assert_id (other, "");
  assert_id (text, "");
  g_assert_false (fp_elf_read_build_id (folder, &id));
  g_assert_cmpuint (id.size, ==, 0);
}

/* It is found whole or not at all, wherever the file ends. */
static void
test_truncated (void)
{
  GByteArray *files[] = { test_elf_file_new_wide (some_id, 20), test_elf_file_new_narrow (some_id, 20) };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    for (gsize size = 0; size < files[i]->len; size++)
      {
        g_auto (FpFd) fd = make_file (files[i], size);
        FpBuildId id;

        g_assert_false (fp_elf_read_build_id (fd, &id));
        g_assert_cmpuint (id.size, ==, 0);
      }
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_byte_array_unref (files[i]);
}

/* Numbers that lead beyond all ends */
static void
test_damaged (void)
{
  for (guint n = 0; n < 20000; n++)
    {
      gboolean is_wide = g_test_rand_bit ();
      g_autoptr (GByteArray) bytes = is_wide ? test_elf_file_new_wide (some_id, 20) : test_elf_file_new_narrow (some_id, 20);
      g_auto (FpFd) fd = -1;
      FpBuildId id;

      for (guint i = 0; i < 3; i++)
        bytes->data[g_test_rand_int_range (0, (gint32)bytes->len)] = g_test_rand_bit () ? 0xff : (guint8)g_test_rand_int ();
      fd = make_file (bytes, bytes->len);
      fp_elf_read_build_id (fd, &id);
      g_assert_cmpuint (id.size, <=, FP_BUILD_ID_SIZE);
    }
}

static gpointer
shrink_and_grow (gpointer data)
{
  const int *files = data;
  char text[4096];
  gssize size = pread (files[0], text, sizeof text, 0);

  while (g_atomic_int_get (&files[1]))
    {
      g_assert_cmpint (ftruncate (files[0], g_random_int_range (0, (gint32)size)), ==, 0);
      g_assert_cmpint (pwrite (files[0], text, (gsize)size, 0), ==, size);
    }
  return NULL;
}

/* Another one writes it at the same time: what was read is the ID, none, or a mixture, but nothing breaks. */
static void
test_changing (void)
{
  g_autoptr (GByteArray) bytes = test_elf_file_new_wide (some_id, 20);
  int files[2] = { make_file (bytes, bytes->len), TRUE };
  GThread *thread = g_thread_new ("writer", shrink_and_grow, files);
  guint n_found = 0;

  for (guint n = 0; n < 20000; n++)
    {
      FpBuildId id;

      n_found += fp_elf_read_build_id (files[0], &id);
      g_assert_cmpuint (id.size, <=, FP_BUILD_ID_SIZE);
    }
  g_atomic_int_set (&files[1], FALSE);
  g_thread_join (thread);
  g_test_message ("found %u times", n_found);
  close (files[0]);
}

static void
assert_possible (const FpElfLayout *layout)
{
  guint64 end = 0;

  for (guint i = 0; i < layout->sections->len; i++)
    {
      const FpElfSection *section = &g_array_index (layout->sections, FpElfSection, i);

      g_assert_cmpuint (section->start, >=, end);
      g_assert_cmpuint (section->end, >=, section->start);
      g_assert_cmpuint (section->kind, <, FP_SECTION_REST);
      g_assert_true (g_utf8_validate (section->name, -1, NULL));
      end = section->end;
    }
}

/* The tables of this program, with numbers in them that lead anywhere, and cut short */
static void
test_damaged_sections (void)
{
  g_autofree char *text = NULL;
  g_auto (FpFd) fd = memfd_create ("footprint-elf", MFD_CLOEXEC);
  const Elf64_Ehdr *header;
  gsize length, size;

  g_assert_true (g_file_get_contents ("/proc/self/exe", &text, &length, NULL));
  header = (const Elf64_Ehdr *)(void *)text;
  g_assert_cmpint (write (fd, text, length), ==, length);
  if (header->e_ident[EI_CLASS] != ELFCLASS64)
    {
      g_test_skip ("This is no machine of 64 bits");
      return;
    }
  size = header->e_shnum * sizeof (Elf64_Shdr);
  for (guint n = 0; n < 5000; n++)
    {
      gsize at = g_test_rand_bit () ? header->e_shoff + (gsize)g_test_rand_int_range (0, (gint32)size)
                                    : (gsize)g_test_rand_int_range (16, 1024);
      guint32 number = g_test_rand_bit () ? G_MAXUINT32 : (guint32)g_test_rand_int ();
      g_autoptr (FpElfLayout) layout = NULL;

      g_assert_cmpint (pwrite (fd, &number, sizeof number, (off_t)at), ==, sizeof number);
      layout = fp_elf_layout_read (fd);
      assert_possible (layout);
      g_assert_cmpint (pwrite (fd, text + at, MIN (sizeof number, length - at), (off_t)at), >, 0);
    }
  for (guint n = 0; n < 200; n++)
    {
      g_autoptr (FpElfLayout) layout = NULL;

      g_assert_cmpint (ftruncate (fd, (off_t)(length - length * n / 200)), ==, 0);
      layout = fp_elf_layout_read (fd);
      assert_possible (layout);
    }
}

static int
find_libraries (struct dl_phdr_info *info,
                size_t size,
                void *data)
{
  char **folder = data;

  if (*folder || !strstr (info->dlpi_name, "/libc.so"))
    return 0;
  *folder = g_path_get_dirname (info->dlpi_name);
  return 1;
}

/* The words about a file's notes and sections */
static char *
ask_readelf (const char *readelf,
             const char *path)
{
  g_autofree char *program = g_shell_quote (readelf), *file = g_shell_quote (path), *output = NULL, *errors = NULL;
  g_autofree char *command = g_strdup_printf ("env LC_ALL=C %s -nSW %s", program, file);

  g_assert_true (g_spawn_command_line_sync (command, &output, &errors, NULL, NULL));
  return g_steal_pointer (&output);
}

/* All sections that are loaded, with their places and what they are for */
static void
assert_sections (int fd,
                 const char *output)
{
  g_autoptr (GRegex) regex = g_regex_new ("^ *\\[ *\\d+\\] (\\S+) +(\\S+) +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +([A-Za-z]*A[A-Za-z]*) ",
                                          G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (FpElfLayout) layout = fp_elf_layout_read (fd);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (regex, output, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *name = g_match_info_fetch (match, 1), *type = g_match_info_fetch (match, 2);
      g_autofree char *address = g_match_info_fetch (match, 3), *size = g_match_info_fetch (match, 4);
      g_autofree char *flags = g_match_info_fetch (match, 5);
      const FpElfSection *section;

      if (g_ascii_strtoull (size, NULL, 16) == 0 || (strchr (flags, 'T') && g_str_equal (type, "NOBITS")))
        continue;
      g_assert_cmpuint (n, <, layout->sections->len);
      section = &g_array_index (layout->sections, FpElfSection, n++);
      g_assert_cmpstr (section->name, ==, name);
      g_assert_cmpuint (section->start, ==, g_ascii_strtoull (address, NULL, 16));
      g_assert_cmpuint (section->end - section->start, ==, g_ascii_strtoull (size, NULL, 16));
      g_assert_cmpint (section->kind == FP_SECTION_CODE, ==, strchr (flags, 'X') != NULL);
      if (!strchr (flags, 'X'))
        g_assert_cmpint (section->kind == FP_SECTION_CONSTANTS, ==, strchr (flags, 'W') == NULL);
      if (g_str_equal (name, ".bss"))
        g_assert_cmpint (section->kind, ==, FP_SECTION_ZEROED);
      if (g_str_equal (name, ".data"))
        g_assert_cmpint (section->kind, ==, FP_SECTION_DATA);
      if (g_str_equal (name, ".data.rel.ro"))
        g_assert_cmpint (section->kind, ==, FP_SECTION_RELOCATED);
    }
  g_assert_cmpuint (n, ==, layout->sections->len);
  g_assert_cmpuint (n, >, 5);
}

static gboolean
is_as_readelf_says (const char *readelf,
                    const char *path)
{
  g_auto (FpFd) fd = open (path, O_RDONLY | O_CLOEXEC);
  g_autoptr (GRegex) regex = g_regex_new ("Build ID: ([0-9a-f]+)", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *output = NULL, *expected = NULL;
  char text[FP_BUILD_ID_TEXT_SIZE];
  struct stat status;
  FpBuildId id;

  if (fd < 0 || fstat (fd, &status) != 0 || !S_ISREG (status.st_mode))
    return FALSE;
  output = ask_readelf (readelf, path);
  if (!g_regex_match (regex, output, 0, &match))
    return FALSE;
  expected = g_match_info_fetch (match, 1);
  assert_sections (fd, output);
  g_assert_true (fp_elf_read_build_id (fd, &id));
  fp_build_id_write (&id, text);
  g_assert_cmpstr (text, ==, expected);
  return TRUE;
}

static void
test_readelf (void)
{
  g_autofree char *readelf = g_find_program_in_path ("readelf"), *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  const char *name;
  guint n = 0;

  dl_iterate_phdr (find_libraries, &folder);
  dir = folder ? g_dir_open (folder, 0, NULL) : NULL;
  if (!readelf || !dir)
    {
      g_test_skip (readelf ? "The C library is in no folder" : "There is no readelf");
      return;
    }
  while (n < N_LIBRARIES && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      n += strstr (name, ".so") && is_as_readelf_says (readelf, path);
    }
  if (n < N_LIBRARIES)
    g_test_skip ("There are fewer than ten libraries with a build ID beside the C library");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/elf/widths", test_widths);
  g_test_add_func ("/elf/none", test_none);
  g_test_add_func ("/elf/truncated", test_truncated);
  g_test_add_func ("/elf/damaged", test_damaged);
  g_test_add_func ("/elf/changing", test_changing);
  g_test_add_func ("/elf/damaged-sections", test_damaged_sections);
  g_test_add_func ("/elf/readelf", test_readelf);
  return g_test_run ();
}
