// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-file-copies.h"

static FpMappedFile *
get_file (FpMappedFiles *files,
          gconstpointer index)
{
  return &g_array_index (files->files, FpMappedFile, GPOINTER_TO_UINT (index));
}

/* The files with a build ID, by inode, device and index, so that those that can be one stand together. */
static int
compare_files (gconstpointer a,
               gconstpointer b,
               gpointer data)
{
  const FpMappedFile *x = get_file (data, *(const gconstpointer *)a), *y = get_file (data, *(const gconstpointer *)b);

  if (x->build_id != y->build_id)
    return x->build_id < y->build_id ? -1 : 1;
  if (x->id.inode != y->id.inode)
    return x->id.inode < y->id.inode ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* Overlays show the inode of the layer beneath. Several may have that layer, and the host too; then there is one file. */
static gboolean
may_be_one (const FpMappedFile *a,
            const FpMappedFile *b)
{
  return a->build_id == b->build_id && a->id.inode == b->id.inode && (a->is_layered || b->is_layered);
}

static gboolean
is_larger (const FpMappedFiles *files,
           gconstpointer a,
           guint b)
{
  return fp_mapped_files_get (files, GPOINTER_TO_UINT (a))->unchanged > fp_mapped_files_get (files, b)->unchanged;
}

/* The first n of these have one build ID. */
static void
add_run (FpMappedFiles *files,
         gpointer *indices,
         guint n)
{
  FpFileCopies copies = { .largest = GPOINTER_TO_UINT (indices[0]) };

  for (guint i = 0; i < n; i++)
    {
      const FpMappedFile *file = get_file (files, indices[i]);

      copies.n += i == 0 || !may_be_one (get_file (files, indices[i - 1]), file);
      copies.unchanged += file->unchanged;
      copies.is_bound |= file->is_unchanged_bound;
      if (is_larger (files, indices[i], copies.largest))
        copies.largest = GPOINTER_TO_UINT (indices[i]);
    }
  if (copies.n > 1)
    g_array_append_val (files->copies, copies);
}

static int
compare_copies (gconstpointer a,
                gconstpointer b,
                gpointer data)
{
  const FpFileCopies *x = a, *y = b;
  guint64 more = x->unchanged - fp_file_copies_get_least (data, x), less = y->unchanged - fp_file_copies_get_least (data, y);

  if (more != less)
    return more > less ? -1 : 1;
  return x->largest < y->largest ? -1 : x->largest > y->largest;
}

void
fp_file_copies_find (FpMappedFiles *files)
{
  g_autoptr (GPtrArray) indices = g_ptr_array_new ();
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  guint n;

  for (guint i = 0; i < files->files->len; i++)
    if (fp_mapped_files_get (files, i)->build_id)
      g_ptr_array_add (indices, GUINT_TO_POINTER (i));
  g_ptr_array_sort_with_data (indices, compare_files, files);
  for (guint i = 0; i < indices->len; i += n)
    {
      n = 1;
      while (i + n < indices->len &&
             get_file (files, indices->pdata[i])->build_id == get_file (files, indices->pdata[i + n])->build_id)
        n++;
      add_run (files, indices->pdata + i, n);
    }
  g_array_sort_with_data (files->copies, compare_copies, files);
  for (guint i = 0; i < files->copies->len; i++)
    {
      guint largest = g_array_index (files->copies, FpFileCopies, i).largest;

      g_hash_table_insert (numbers, (gpointer)fp_mapped_files_get (files, largest)->build_id, GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < indices->len; i++)
    {
      FpMappedFile *file = get_file (files, indices->pdata[i]);

      file->copies = GPOINTER_TO_UINT (g_hash_table_lookup (numbers, file->build_id));
    }
}
