// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-heap-wrappers.h"

/* Functions that allocate for whoever calls them, in the C library, GLib, Python, Rust and programs of GNU. Sorted. */
static const char *const names[] = {
  "PyMem_Calloc",
  "PyMem_Malloc",
  "PyMem_RawCalloc",
  "PyMem_RawMalloc",
  "PyMem_RawRealloc",
  "PyMem_Realloc",
  "PyObject_Calloc",
  "PyObject_Malloc",
  "PyObject_Realloc",
  "_PyMem_RawCalloc",
  "_PyMem_RawMalloc",
  "_PyMem_RawRealloc",
  "_PyObject_Malloc",
  "_PyObject_Realloc",
  "___asprintf",
  "__asprintf",
  "__libc_calloc",
  "__libc_malloc",
  "__libc_memalign",
  "__libc_realloc",
  "__rdl_alloc",
  "__rdl_alloc_zeroed",
  "__rdl_realloc",
  "__rust_alloc",
  "__rust_alloc_zeroed",
  "__rust_realloc",
  "__strdup",
  "__strndup",
  "__vasprintf",
  "_mi_malloc_generic",
  "aligned_alloc",
  "asprintf",
  "calloc",
  "g_aligned_alloc",
  "g_aligned_alloc0",
  "g_malloc",
  "g_malloc0",
  "g_malloc0_n",
  "g_malloc_n",
  "g_memdup",
  "g_memdup2",
  "g_realloc",
  "g_realloc_n",
  "g_slice_alloc",
  "g_slice_alloc0",
  "g_slice_copy",
  "g_strconcat",
  "g_strdup",
  "g_strdup_printf",
  "g_strdup_vprintf",
  "g_strdupv",
  "g_strndup",
  "g_try_malloc",
  "g_try_malloc0",
  "g_try_malloc0_n",
  "g_try_malloc_n",
  "g_try_realloc",
  "g_try_realloc_n",
  "g_vasprintf",
  "malloc",
  "memalign",
  "mi_malloc",
  "posix_memalign",
  "pvalloc",
  "realloc",
  "reallocarray",
  "strdup",
  "strndup",
  "valloc",
  "vasprintf",
  "xcalloc",
  "xmalloc",
  "xmemdup",
  "xrealloc",
  "xstrdup",
  "xstrndup",
  "xzalloc",
};

/* Containers and smart pointers, whose own names do not say who fills them. */
static const char *const prefixes[] = {
  "operator new",
  "std::",
  "__gnu_cxx::",
  "alloc::",
  "core::",
  "hashbrown::",
};

static int
compare (gconstpointer a,
         gconstpointer b)
{
  return strcmp (a, *(const char *const *)b);
}

/* Functions out of templates have the type of their result in front: "void std::vector<int>::push_back(…)". */
static const char *
skip_result (const char *function)
{
  const char *name = function;
  int depth = 0;

  for (const char *c = function; *c && (*c != '(' || depth > 0); c++)
    {
      depth += *c == '<' ? 1 : *c == '>' ? -1
                                         : 0;
      if (*c == ' ' && depth == 0 && !g_str_has_prefix (name, "operator"))
        name = c + 1;
    }
  return name;
}

gboolean
fp_heap_is_wrapper (const char *function)
{
  const char *name = skip_result (function);

  /* The C library's own name of what it also exports */
  if (g_str_has_prefix (name, "__GI_"))
    name += strlen ("__GI_");
  /* Rust: "<alloc::vec::Vec<T> as core::clone::Clone>::clone" */
  name += strspn (name, "<");
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return TRUE;
  return bsearch (name, names, G_N_ELEMENTS (names), sizeof *names, compare) != NULL;
}
