// SPDX-License-Identifier: GPL-3.0-or-later
/* This program looks its own functions up. */
#include <glib/gstdio.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-heap-symbols.h"

#define NOINLINE __attribute__ ((noinline, noclone))

/* The program as it is loaded */
typedef struct
{
  char *path;
  guint64 base;
  GArray *loads;
} Own;

static int
object_cb (struct dl_phdr_info *info,
           gsize size,
           gpointer data)
{
  Own *self = data;

  self->base = info->dlpi_addr;
  for (guint i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD)
      {
        const FpHeapLoad load = { info->dlpi_phdr[i].p_vaddr, info->dlpi_phdr[i].p_memsz };

        g_array_append_val (self->loads, load);
      }
  return 1;
}

static void
own_init (Own *self)
{
  self->path = g_file_read_link ("/proc/self/exe", NULL);
  self->loads = g_array_new (FALSE, FALSE, sizeof (FpHeapLoad));
  dl_iterate_phdr (object_cb, self);
  g_assert_cmpuint (self->loads->len, >, 0);
}

static void
own_clear (Own *self)
{
  g_free (self->path);
  g_array_unref (self->loads);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Own, own_clear)

static guint
add (FpHeapSymbols *symbols,
     const Own *own,
     const char *path)
{
  return fp_heap_symbols_add (symbols, path, (const FpHeapLoad *)(gconstpointer)own->loads->data, own->loads->len);
}

/* The address within the call of this function */
NOINLINE static guint64
get_place (void)
{
  return (guint64)(gsize)__builtin_extract_return_addr (__builtin_return_address (0)) - 1;
}

static volatile guint64 place;

__attribute__ ((always_inline)) static inline void
within (void)
{
  place = get_place ();
}

NOINLINE static void
around (void)
{
  within ();
}

static void
test_inlined (void)
{
  g_auto (Own) own = { 0 };
  g_autoptr (FpHeapSymbols) symbols = fp_heap_symbols_new ();
  FpHeapSymbol found[8];

  own_init (&own);
  around ();
  g_assert_cmpuint (fp_heap_symbols_find (symbols, add (symbols, &own, own.path), place - own.base, found, 8), ==, 2);
  g_assert_cmpstr (found[0].function, ==, "within");
  g_assert_cmpstr (found[1].function, ==, "around");
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (g_str_has_suffix (found[i].file, "test-heap-symbols.c"));
      g_assert_cmpuint (found[i].line, >, 0);
    }
  g_assert_cmpuint (found[1].line, >, found[0].line);
  g_assert_cmpuint (fp_heap_symbols_find (symbols, 0, place - own.base, found, 1), ==, 1);
  g_assert_cmpstr (found[0].function, ==, "within");
  g_assert_cmpuint (fp_heap_symbols_find (symbols, 0, 1, found, 8), ==, 0);
}

/* Another version of a file would give other names, and a file that keeps its reader waiting is not opened. */
static void
test_other (void)
{
  g_auto (Own) own = { 0 };
  g_autoptr (FpHeapSymbols) symbols = fp_heap_symbols_new ();
  g_autofree char *folder = g_dir_make_tmp ("footprint-symbols-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL), *text = g_build_filename (folder, "text", NULL);
  const char *paths[] = { "program", "/no/such/program", folder, pipe, text, "/proc/self/exe" };
  FpHeapSymbol found[8];

  own_init (&own);
  around ();
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_true (g_file_set_contents (text, "no program", -1, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      /* The last one is the program itself, in other pieces. */
      if (i == G_N_ELEMENTS (paths) - 1)
        g_array_index (own.loads, FpHeapLoad, own.loads->len - 1).size += 8;
      g_assert_cmpuint (fp_heap_symbols_find (symbols, add (symbols, &own, paths[i]), place - own.base, found, 8), ==, 0);
    }
  g_array_set_size (own.loads, own.loads->len - 1);
  g_assert_cmpuint (fp_heap_symbols_find (symbols, add (symbols, &own, own.path), place - own.base, found, 8), ==, 0);
  g_remove (pipe);
  g_remove (text);
  g_rmdir (folder);
}

/* Looks in a copy of the program that lacks something. */
static guint
find_in_copy (FpHeapSymbols *symbols,
              const char *option,
              FpHeapSymbol *found,
              guint max)
{
  g_auto (Own) own = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("footprint-symbols-XXXXXX", NULL), *copy = g_build_filename (folder, "program", NULL);
  const char *argv[] = { "objcopy", option, NULL, copy, NULL };
  guint n;
  int status;

  own_init (&own);
  around ();
  argv[2] = own.path;
  g_assert_true (g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  n = fp_heap_symbols_find (symbols, add (symbols, &own, copy), place - own.base, found, max);
  g_remove (copy);
  g_rmdir (folder);
  return n;
}

/* A stripped file names what others may call, and nothing else. Without debug information there are no lines and nothing that
 * was inlined. Clang writes no table of addresses. */
static void
test_lacking (void)
{
  g_autoptr (FpHeapSymbols) symbols = fp_heap_symbols_new ();
  FpHeapSymbol found[8];

  g_assert_cmpuint (find_in_copy (symbols, "--strip-all", found, 8), ==, 0);
  g_assert_cmpuint (find_in_copy (symbols, "--strip-debug", found, 8), ==, 1);
  g_assert_cmpstr (found[0].function, ==, "around");
  g_assert_null (found[0].file);
  g_assert_cmpuint (found[0].line, ==, 0);
  g_assert_cmpuint (find_in_copy (symbols, "--remove-section=.debug_aranges", found, 8), ==, 2);
  g_assert_cmpstr (found[0].function, ==, "within");
  g_assert_cmpuint (found[0].line, >, 0);
  g_assert_cmpstr (found[1].function, ==, "around");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap/symbols/inlined", test_inlined);
  g_test_add_func ("/heap/symbols/other", test_other);
  g_test_add_func ("/heap/symbols/lacking", test_lacking);
  return g_test_run ();
}
