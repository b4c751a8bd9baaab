// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-file-identity.h"
#include "fp-page-map-reader.h"
#include "fp-section-reader.h"

#define MAX_PAGES 16384 /* are read at once */
#define STEP_US   20000
#define MAX_SIZE  (G_GUINT64_CONSTANT (1) << 36) /* an empty file can be as large as all addresses, and takes hours then */

typedef struct
{
  const FpProcDir *proc;
  const FpProcessId *id;
  const FpElfLayout *layout;
  FpSections *sections;
  FpMappingStepFunc step; /* (nullable) */
  gpointer data;
  guint64 page_size;
  gboolean is_loaded; /* the mappings that follow may belong to one that a loader mapped */
  guint64 bias;
} Reader;

static const FpElfSegment *
get_segment (const Reader *self,
             guint i)
{
  return &g_array_index (self->layout->segments, FpElfSegment, i);
}

static guint64
round_down (const Reader *self,
            guint64 address)
{
  return address & ~(self->page_size - 1);
}

static guint64
round_up (const Reader *self,
          guint64 address)
{
  return round_down (self, address + self->page_size - 1);
}

/* The mapping is that of a part of this segment, if it was loaded with this bias. */
static gboolean
is_of_segment (const Reader *self,
               const FpElfSegment *segment,
               const FpMapping *mapping,
               guint64 bias)
{
  guint64 begin = round_down (self, segment->offset), end = round_up (self, segment->offset + segment->file_size);

  return mapping->offset >= begin && mapping->offset < end && mapping->end - mapping->start <= end - mapping->offset &&
         mapping->start - bias == round_down (self, segment->address) + (mapping->offset - begin);
}

/* A loader maps the first segment first, and keeps the distances of the others. */
static void
find_bias (Reader *self,
           const FpMapping *mapping)
{
  const FpElfSegment *first = self->layout->segments->len > 0 ? get_segment (self, 0) : NULL;
  guint64 bias;

  if (!first || mapping->offset != round_down (self, first->offset))
    return;
  bias = mapping->start - round_down (self, first->address);
  if (!is_of_segment (self, first, mapping, bias))
    return;
  self->is_loaded = TRUE;
  self->bias = bias;
}

static gboolean
is_in_place (const Reader *self,
             const FpMapping *mapping)
{
  for (guint i = 0; self->is_loaded && i < self->layout->segments->len; i++)
    if (is_of_segment (self, get_segment (self, i), mapping, self->bias))
      return TRUE;
  return FALSE;
}

/* The memory behind the part that is in the file: it is anonymous, and the kernel may have joined it with other memory.
 * 0: it is not of this file */
static guint64
find_end_of_zeros (const Reader *self,
                   const FpMapping *mapping)
{
  for (guint i = 0; self->is_loaded && *mapping->name == '\0' && i < self->layout->segments->len; i++)
    {
      const FpElfSegment *segment = get_segment (self, i);
      guint64 start = self->bias + round_up (self, segment->address + segment->file_size);
      guint64 end = self->bias + round_up (self, segment->address + segment->memory_size);

      if (mapping->start >= start && mapping->start < end)
        return MIN (mapping->end, end);
    }
  return 0;
}

static FpPageMap *
read_pages (const Reader *self,
            guint64 start,
            guint64 end,
            GError **error)
{
  g_autoptr (FpPageMapReader) reader = fp_page_map_reader_new (self->proc, self->id, start, end, MAX_PAGES, error);
  GError *problem = NULL;

  if (!reader)
    return NULL;
  while (!fp_page_map_reader_step (reader, g_get_monotonic_time () + STEP_US, &problem) && !problem)
    if (self->step && !self->step (0, 0, self->data))
      {
        g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR, g_strerror (ECANCELED));
        return NULL;
      }
  if (!problem)
    return fp_page_map_reader_finish (reader, error);
  g_propagate_error (error, problem);
  return NULL;
}

static gboolean
count_pages (Reader *self,
             guint64 start,
             guint64 end,
             gboolean is_placed,
             GError **error)
{
  const guint64 step = MAX_PAGES * self->page_size;

  if (end - start > MAX_SIZE)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("It is too large for its sections to be looked at"));
      return FALSE;
    }
  for (; start < end; start += MIN (step, end - start))
    {
      g_autofree FpPageMap *pages = read_pages (self, start, start + MIN (step, end - start), error);

      if (!pages)
        return FALSE;
      if (is_placed)
        fp_sections_add (self->sections, pages, self->bias);
      else
        fp_sections_add_rest (self->sections, pages);
    }
  return TRUE;
}

static gboolean
count_mapping (Reader *self,
               const FpMapping *mapping,
               gboolean is_of_file,
               GError **error)
{
  guint64 end;

  if (is_of_file)
    {
      find_bias (self, mapping);
      return count_pages (self, mapping->start, mapping->end, is_in_place (self, mapping), error);
    }
  end = find_end_of_zeros (self, mapping);
  return end == 0 || count_pages (self, mapping->start, end, TRUE, error);
}

static FpElfLayout *
read_layout (const FpProcDir *proc,
             const FpProcessId *id,
             const FpMapping *mapping)
{
  g_auto (FpFd) fd = fp_file_identity_open (proc, id, mapping);

  return fd >= 0 ? fp_elf_layout_read (fd) : NULL;
}

static gboolean
find_first (const FpMappings *mappings,
            const char *name,
            FpMapping *mapping)
{
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      fp_mappings_get (mappings, i, mapping);
      if (mapping->inode != 0 && strcmp (mapping->name, name) == 0)
        return TRUE;
    }
  return FALSE;
}

static gboolean
count_all (Reader *self,
           const FpMappings *mappings,
           const char *name,
           GError **error)
{
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      if (!count_mapping (self, &mapping, mapping.inode != 0 && strcmp (mapping.name, name) == 0, error))
        return FALSE;
    }
  return TRUE;
}

FpSections *
fp_sections_read (const FpProcDir *proc,
                  const FpProcessId *id,
                  const char *name,
                  FpMappingStepFunc step,
                  gpointer data,
                  GError **error)
{
  g_autoptr (FpMappings) mappings = fp_mappings_read (proc, id, step, data, error);
  g_autoptr (FpElfLayout) layout = NULL;
  g_autoptr (FpSections) sections = NULL;
  Reader self = { .proc = proc, .id = id, .step = step, .data = data, .page_size = (guint64)sysconf (_SC_PAGESIZE) };
  FpMapping mapping;

  if (!mappings)
    return NULL;
  if (!find_first (mappings, name, &mapping))
    {
      /* Translators: the number of a process, and a file */
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("Process %d does not map “%s”"), id->pid, name);
      return NULL;
    }
  self.layout = layout = read_layout (proc, id, &mapping);
  if (!layout)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES, _ ("“%s” can’t be read, so its sections are not known"), name);
      return NULL;
    }
  if (layout->segments->len == 0)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("“%s” is no program or library, or is damaged"), name);
      return NULL;
    }
  self.sections = sections = fp_sections_new (layout);
  return count_all (&self, mappings, name, error) ? g_steal_pointer (&sections) : NULL;
}
