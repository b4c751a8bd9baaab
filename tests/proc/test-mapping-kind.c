// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-mapping-kind.h"
#include "fp-mapping-scanner.h"

/* One entry as the kernel writes it: access, device and inode, name; flags. */
static FpMappings *
scan (const char *facts,
      const char *name,
      gsize name_length,
      const char *flags)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  g_autoptr (GString) text = g_string_new ("7f0000000000-7f0000002000 ");
  FpMappings *mappings;

  g_string_append_printf (text, "%.4s 00000000 %s     ", facts, facts + 5);
  g_string_append_len (text, name, (gssize)name_length);
  g_string_append_printf (text, "\nSize:                  8 kB\nVmFlags: %s \n", flags);
  g_assert_cmpuint (fp_mapping_scanner_feed (scanner, text->str, text->len), ==, text->len);
  mappings = fp_mapping_scanner_finish (scanner);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 1);
  return mappings;
}

static const char *
get_kind (const char *facts,
          const char *name,
          const char *flags)
{
  g_autoptr (FpMappings) mappings = scan (facts, name, strlen (name), flags);
  FpMapping mapping;

  fp_mappings_get (mappings, 0, &mapping);
  return fp_mapping_kind_infos[fp_mapping_kind (&mapping)].id;
}

static void
test_table (void)
{
  for (FpMappingKind kind = 0; kind < FP_N_MAPPING_KINDS; kind++)
    {
      const FpMappingKindInfo *info = &fp_mapping_kind_infos[kind];

      g_assert_true (info->id && *info->id && info->title && *info->title && info->explanation && *info->explanation);
      for (FpMappingKind other = 0; other < kind; other++)
        {
          g_assert_cmpstr (info->id, !=, fp_mapping_kind_infos[other].id);
          g_assert_cmpstr (info->title, !=, fp_mapping_kind_infos[other].title);
        }
    }
}

/* As Linux 6.18 wrote them of real mappings, but for what this machine has no device for. */
static void
test_kinds (void)
{
  static const struct
  {
    const char *facts, *name, *flags, *kind;
  } cases[] = {
    { "rw-p 00:00 0", "[heap]", "rd wr", "heap" },
    { "rwxp 00:00 0", "[heap]", "rd wr ex", "heap" },
    { "rw-p 00:00 0", "[anon: glibc: malloc arena]", "rd wr", "heap" },
    { "rw-p 00:00 0", "[anon:libc_malloc]", "rd wr", "heap" },
    { "rw-p 00:00 0", "[stack]", "rd wr gd", "stack" },
    { "rwxp 00:00 0", "[stack]", "rd wr ex gd", "stack" },
    { "rw-p 00:00 0", "[stack:1234]", "rd wr", "stack" },
    { "rw-p 00:00 0", "", "rd wr gd ac", "stack" },
    { "rw-p 00:00 0", "", "rd wr ss", "stack" },
    { "rw-p 00:00 0", "[anon: glibc: pthread stack: 4711]", "rd wr", "stack" },
    { "rw-p 00:00 0", "[anon:stack_and_tls:4711]", "rd wr", "stack" },
    { "rw-p 00:00 0", "", "rd wr mr mw me ac", "anonymous" },
    { "r--p 00:00 0", "", "", "anonymous" },
    { "rw-p 00:06 4", "/dev/zero", "rd wr", "anonymous" },
    { "rwxp 00:06 4", "/dev/zero", "rd wr ex", "jit" },
    { "rw-p 00:00 0", "[anon:firefox zygote]", "rd wr", "named" },
    { "rw-p 00:00 0", "[anon:[heap]]", "rd wr", "named" },
    { "rw-p 00:00 0", "[anon:]", "rd wr", "named" },
    { "rwxp 00:00 0", "", "rd wr ex", "jit" },
    { "r-xp 00:00 0", "[anon:v8]", "rd ex", "jit" },
    { "r-xs 00:01 10198", "/memfd:doublemapper (deleted)", "rd ex sh", "jit" },
    { "rwxs 00:01 10198", "/dev/zero (deleted)", "rd wr ex sh", "jit" },
    { "---p 00:00 0", "", "mr mw me", "reserved" },
    { "---p 00:00 0", "[anon:cage]", "mr mw me", "reserved" },
    { "---p fe:00 11", "/usr/lib/libfoo.so", "mr mw me", "reserved" },
    { "r-xp fe:00 11", "/usr/lib/libfoo.so", "rd ex", "code" },
    { "rwxp fe:00 11", "/usr/lib/libfoo.so", "rd wr ex", "code" },
    { "--xp fe:00 11", "/usr/bin/secret", "ex", "code" },
    { "r--p fe:00 11", "/usr/lib/libfoo.so", "rd", "constants" },
    { "r--s fe:00 11", "/usr/lib/gconv/gconv-modules.cache", "rd", "constants" },
    { "rw-p fe:00 11", "/usr/lib/libfoo.so", "rd wr", "data" },
    { "rw-p fe:00 11", "/usr/lib/libfoo.so (deleted)", "rd wr", "data" },
    { "rw-s fe:00 11", "/var/lib/database", "rd wr sh", "file" },
    { "rw-s 00:01 10198", "/dev/zero (deleted)", "rd wr sh", "shared_memory" },
    { "rw-s 00:01 10198", "/memfd:wayland-shm (deleted)", "rd wr sh", "shared_memory" },
    { "r--p 00:01 10198", "/memfd:../lib/libfoo.so (deleted)", "rd", "shared_memory" },
    { "rw-s 00:01 10198", "/memfd: (deleted)", "rd wr sh", "shared_memory" },
    { "rw-s 00:1a 3", "/dev/shm/org.chromium.X (deleted)", "rd wr sh", "shared_memory" },
    { "rw-s 00:0e 1071", "/secretmem (deleted)", "rd wr sh lo", "shared_memory" },
    { "rw-s 00:00 0", "[anon_shmem:frames]", "rd wr sh", "shared_memory" },
    { "rw-s 00:01 1736761", "/SYSV00000000 (deleted)", "rd wr sh", "system_v" },
    { "rw-s 00:01 1736761", "/SYSV0052e2c1 (deleted)", "rd wr sh", "system_v" },
    { "rw-s 00:10 98", "/anon_hugepage (deleted)", "rd wr sh ht", "huge_pool" },
    { "rw-p 00:10 98", "/anon_hugepage (deleted)", "", "huge_pool" },
    { "rw-s 00:10 98", "/memfd:huge (deleted)", "rd wr sh ht", "huge_pool" },
    { "rw-s 00:10 98", "/SYSV00000000 (deleted)", "rd wr sh ht", "huge_pool" },
    { "rw-s 00:2f 98", "/dev/hugepages/vm1", "rd wr sh ht", "huge_pool" },
    { "---p 00:10 98", "/anon_hugepage (deleted)", "mr ht", "huge_pool" },
    { "rw-s 00:06 541", "/dev/dri/card0", "rd wr sh io", "device" },
    { "rw-s 00:06 548", "/dev/nvidia0", "rd wr sh", "device" },
    { "rw-s 00:00 0", "anon_inode:i915.gem", "rd wr sh", "device" },
    { "rw-s 00:0f 20", "anon_inode:[io_uring]", "rd wr sh", "device" },
    { "rw-s 00:0b 1", "/dmabuf:", "rd wr sh", "device" },
    { "rw-s 00:01 77", "/i915 (deleted)", "rd wr sh", "device" },
    { "rw-s 00:01 77", "/drm mm object (deleted)", "rd wr sh", "device" },
    { "rw-s 00:13 77", "/[aio] (deleted)", "rd wr sh", "device" },
    { "rw-s 00:08 55", "socket:[5512]", "rd wr sh", "device" },
    { "rw-s 00:17 9", "/sys/devices/pci0000:00/0000:00:02.0/resource0", "rd wr sh io pf", "device" },
    { "r-xp 00:00 0", "[vdso]", "rd ex", "kernel" },
    { "r--p 00:00 0", "[vvar]", "rd io de dd pf", "kernel" },
    { "r--p 00:00 0", "[vvar_vclock]", "rd io de dd pf", "kernel" },
    { "--xp 00:00 0", "[vsyscall]", "ex", "kernel" },
    { "r-xp 00:00 0", "[uprobes]", "rd ex", "kernel" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s %s", cases[i].facts, cases[i].name);
      g_assert_cmpstr (get_kind (cases[i].facts, cases[i].name, cases[i].flags), ==, cases[i].kind);
    }
}

/* Files on a disk may be called anything; what the kernel makes up is not on one. */
static void
test_odd_names (void)
{
  static const char *const names[] = {
    "/home/a/[heap]",
    "/home/a/[stack]",
    "/[heap]",
    "/[anon:x]",
    "/home/a/x (deleted)",
    "/home/a/x (deleted) (deleted)",
    "/memfd:foo (deleted)",
    "/SYSV00000000 (deleted)",
    "/dev/zero (deleted)",
    "/anon_hugepage (deleted)",
    "/i915 (deleted)",
    "/SYSV00000000",
    "/SYSVsomething (deleted)",
    "/home/a/dev/shm/x",
    "/devices",
    "/home/a\\012b",
    "/home/a\\012/dev/dri/card0",
    "/home/in\xffvalid",
    "/home/tab\there",
    "/ (deleted)",
    "/",
    "//deleted",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_test_message ("%u", i);
      g_assert_cmpstr (get_kind ("rw-p fe:00 11", names[i], "rd wr"), ==,
                       strcmp (names[i], "/dev/zero (deleted)") == 0 ? "device" : "data");
    }
  g_assert_cmpstr (get_kind ("rw-p 00:2a 11", "/SYSV0000000 (deleted)", "rd wr"), ==, "data");
  g_assert_cmpstr (get_kind ("rw-p 00:2a 11", "/SYSV000000000 (deleted)", "rd wr"), ==, "data");
  g_assert_cmpstr (get_kind ("rw-p 00:2a 11", "/SYSV0000000g (deleted)", "rd wr"), ==, "data");
  g_assert_cmpstr (get_kind ("rw-p 00:2a 11", "/memfd:foo", "rd wr"), ==, "data");
  g_assert_cmpstr (get_kind ("rw-p 00:2a 11", "/i915-notes (deleted)", "rd wr"), ==, "data");
  g_assert_cmpstr (get_kind ("rw-p 00:2a 11", "/[aio].txt (deleted)", "rd wr"), ==, "data");
  g_assert_cmpint (fp_mapping_kind (&(FpMapping){ .name = "/memfd:foo (deleted)", .permissions = "rw-p" }), ==,
                   FP_MAPPING_SHARED_MEMORY);
  g_assert_cmpint (fp_mapping_kind (&(FpMapping){ .name = "/memfd:foo (deleted)",
                                                  .permissions = "rw-p",
                                                  .file_state = FP_FILE_PRESENT }),
                   ==, FP_MAPPING_DATA);
}

static void
test_long_names (void)
{
  g_autofree char *path = g_strnfill (4095, 'x');
  g_autofree char *newlines = g_malloc (4 * 4094 + 2);
  char *end = newlines;

  path[0] = '/';
  *end++ = '/';
  for (guint i = 0; i < 4094; i++)
    end = g_stpcpy (end, "\\012");
  g_assert_cmpstr (get_kind ("r-xp fe:00 11", path, "rd ex"), ==, "code");
  g_assert_cmpstr (get_kind ("r-xp fe:00 11", newlines, "rd ex"), ==, "code");
}

static void
assert_file_and_label (const char *facts,
                       const char *name,
                       const char *file,
                       const char *label)
{
  g_autoptr (FpMappings) mappings = scan (facts, name, strlen (name), "rd");
  FpMapping mapping;
  char buffer[16];

  fp_mappings_get (mappings, 0, &mapping);
  g_test_message ("%s", name);
  g_assert_cmpstr (fp_mapping_get_file (&mapping), ==, file);
  g_assert_cmpstr (fp_mapping_get_label (&mapping, buffer, sizeof buffer), ==, label);
}

static void
test_files_and_labels (void)
{
  assert_file_and_label ("rw-p fe:00 1", "/usr/lib/x", "/usr/lib/x", "");
  assert_file_and_label ("rw-p fe:00 1", "/usr/lib/x (deleted)", "/usr/lib/x (deleted)", "");
  assert_file_and_label ("rw-s 00:01 1", "/memfd:a (deleted)", "/memfd:a (deleted)", "");
  assert_file_and_label ("rw-s 00:0f 1", "anon_inode:[io_uring]", "anon_inode:[io_uring]", "");
  assert_file_and_label ("rw-s 00:01 1", "/dev/zero (deleted)", NULL, "");
  assert_file_and_label ("rw-p 00:06 1", "/dev/zero", NULL, "");
  assert_file_and_label ("rw-p 00:10 1", "/anon_hugepage (deleted)", NULL, "");
  assert_file_and_label ("rw-p 00:00 0", "", NULL, "");
  assert_file_and_label ("rw-p 00:00 0", "[heap]", NULL, "");
  assert_file_and_label ("rw-p 00:00 0", "[anon:name]", NULL, "name");
  assert_file_and_label ("rw-p 00:00 0", "[anon:a:b c]", NULL, "a:b c");
  assert_file_and_label ("rw-p 00:00 0", "[anon: glibc: malloc]", NULL, "glibc: malloc");
  assert_file_and_label ("rw-p 00:00 0", "[anon_shmem:frames]", NULL, "frames");
  assert_file_and_label ("rw-p 00:00 0", "[anon:]", NULL, "");
  assert_file_and_label ("rw-p 00:00 0", "[anon:", NULL, "");
  assert_file_and_label ("rw-p 00:00 0", "[anon:longer than there is room]", NULL, "longer than the");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/mapping-kind/table", test_table);
  g_test_add_func ("/mapping-kind/kinds", test_kinds);
  g_test_add_func ("/mapping-kind/odd-names", test_odd_names);
  g_test_add_func ("/mapping-kind/long-names", test_long_names);
  g_test_add_func ("/mapping-kind/files-and-labels", test_files_and_labels);
  return g_test_run ();
}
