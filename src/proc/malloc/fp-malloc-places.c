// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "fp-elf-private.h"
#include "fp-file-identity.h"
#include "fp-malloc-places.h"
#include "fp-mapping-scanner.h"
#include "fp-reading.h"

#define MAX_FILE (16u << 20) /* glibc has 2 MiB */
#define WINDOW   (256u * 1024)
#define OVERLAP  512 /* longer than the line with the version */

static void
take_line (gpointer data,
           const char *line,
           const char *end)
{
  fp_mapping_scanner_feed (data, line, (gsize)(end - line) + 1);
}

static void
set_no_answer (GError **error,
               gint pid)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
               _ ("Process %d does not answer, because it keeps its memory locked"), pid);
}

static FpMappings *
read_mappings (const FpProcDir *proc,
               const FpProcessId *id,
               GError **error)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  int problem = fp_reading_read_lines (proc, id, "maps", take_line, scanner);

  if (problem == 0)
    return fp_mapping_scanner_finish (scanner);
  if (problem == ESRCH || problem == ENOENT)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("Process %d has ended"), id->pid);
  else if (problem == ETIMEDOUT)
    set_no_answer (error, id->pid);
  else if (problem == EACCES || problem == EPERM)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES,
                 _ ("You may not read the memory of process %d, so its heap can’t be looked into"), id->pid);
  else
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (problem), _ ("The mappings of process %d can’t be read: %s"),
                 id->pid, g_strerror (problem));
  return NULL;
}

static gboolean
is_glibc (const FpMapping *mapping)
{
  const char *slash = strrchr (mapping->name, '/');

  return mapping->inode != 0 && slash && (g_str_has_prefix (slash, "/libc.so.6") || g_str_has_prefix (slash, "/libc-2."));
}

/* Debian has it as libc.so in a folder of its own. */
static gboolean
is_musl (const FpMapping *mapping)
{
  static const char *const parts[] = { "/ld-musl-", "/libc.musl-", "-linux-musl/libc.so" };

  for (guint i = 0; mapping->inode != 0 && i < G_N_ELEMENTS (parts); i++)
    if (strstr (mapping->name, parts[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_same_file (const FpMapping *a,
              const FpMapping *b)
{
  return a->inode == b->inode && a->device_major == b->device_major && a->device_minor == b->device_minor;
}

static void
add_mapping (FpMallocPlaces *self,
             const FpMapping *mapping,
             const FpMapping *library)
{
  const FpMallocRange range = { mapping->start, mapping->end };

  if (strcmp (mapping->name, "[heap]") == 0)
    self->heap = (FpMallocRange){ self->heap.start ? self->heap.start : range.start, range.end };
  else if (is_same_file (mapping, library) && strncmp (mapping->permissions, "rw", 2) == 0)
    g_array_append_val (self->data, range);
}

/* Returns how many different files look like it. library: the first mapping of the first one */
static guint
find_library (const FpMappings *mappings,
              FpMapping *library,
              gboolean *has_musl)
{
  guint n = 0;

  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;

      fp_mappings_get_facts (mappings, i, &mapping);
      *has_musl |= is_musl (&mapping);
      if (!is_glibc (&mapping) || (n > 0 && is_same_file (&mapping, library)))
        continue;
      if (n++ == 0)
        *library = mapping;
    }
  return n;
}

/* 0: it does not say. The file may be changed by anybody, so it is read and never mapped. */
static guint
read_version (int fd)
{
  g_autofree char *window = g_malloc (WINDOW);
  Elf64_Ehdr header;
  gsize held = 0;
  guint minor = 0;

  if (!fp_elf_read_header (fd, &header) || header.e_ident[EI_CLASS] != ELFCLASS64)
    return 0;
  for (off_t at = 0; at < MAX_FILE && minor == 0;)
    {
      gssize n = pread (fd, window + held, WINDOW - held, at);

      if (n <= 0)
        break;
      at += n;
      held += (gsize)n;
      minor = fp_malloc_layout_find_version (window, held);
      memmove (window, window + held - MIN (held, OVERLAP), MIN (held, OVERLAP));
      held = MIN (held, OVERLAP);
    }
  return minor;
}

/* The kernel opens the file with the lock of the process's memory, which may never come. */
typedef struct
{
  FpReading reading;
  FpMapping library;
  char *name;
  gboolean is_open;
  guint minor;
} Version;

static void
version_free (gpointer data)
{
  Version *self = data;

  g_free (self->name);
  fp_reading_free (self);
}

static void
open_library (gpointer data)
{
  Version *self = data;
  g_auto (FpFd) fd = fp_file_identity_open (&self->reading.proc, &self->reading.id, &self->library);

  self->is_open = fd >= 0;
  self->minor = fd >= 0 ? read_version (fd) : 0;
}

static gboolean
take_version (FpMallocPlaces *self,
              const Version *version,
              GError **error)
{
  const gint pid = version->reading.id.pid;
  const guint minor = version->minor;

  if (minor > 0 && fp_malloc_layout_init (&self->layout, minor))
    return TRUE;
  if (!version->is_open)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES,
                 _ ("The file of glibc in process %d can’t be read, so it is not known how its heap is laid out"), pid);
  else if (minor == 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS, _ ("Only the heaps of 64-bit programs can be looked into"));
  else
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS,
                 /* Translators: the ID of a process, and the second part of a version */
                 _ ("Process %d has glibc 2.%u. Footprint knows the heap of glibc 2.30 to 2.41"), pid, minor);
  return FALSE;
}

static gboolean
find_version (FpMallocPlaces *self,
              const FpProcDir *proc,
              const FpProcessId *id,
              const FpMapping *library,
              GError **error)
{
  Version *version = fp_reading_new (sizeof *version, proc, id);
  gboolean is_known;

  version->library = *library;
  version->library.name = version->library.shown = version->name = g_strdup (library->name);
  if (!fp_reading_await (version, open_library, version_free))
    {
      set_no_answer (error, id->pid);
      return FALSE;
    }
  is_known = take_version (self, version, error);
  version_free (version);
  return is_known;
}

gboolean
fp_malloc_places_find (FpMallocPlaces *self,
                       const FpProcDir *proc,
                       const FpProcessId *id,
                       GError **error)
{
  g_autoptr (FpMappings) mappings = read_mappings (proc, id, error);
  gboolean has_musl = FALSE;
  FpMapping library, mapping;
  guint n;

  if (!mappings)
    return FALSE;
  n = find_library (mappings, &library, &has_musl);
  if (n != 1)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS,
                   has_musl ? _ ("Only the heap of glibc can be looked into, and process %d has musl instead")
                   : n == 0 ? _ ("Only the heap of glibc can be looked into, and process %d does not load it")
                            : _ ("Process %d has more than one glibc, so it is not known which has its heap"),
                   id->pid);
      return FALSE;
    }
  if (!find_version (self, proc, id, &library, error))
    return FALSE;
  self->data = g_array_new (FALSE, FALSE, sizeof (FpMallocRange));
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      fp_mappings_get_facts (mappings, i, &mapping);
      add_mapping (self, &mapping, &library);
    }
  return TRUE;
}

void
fp_malloc_places_clear (FpMallocPlaces *self)
{
  g_clear_pointer (&self->data, g_array_unref);
}
