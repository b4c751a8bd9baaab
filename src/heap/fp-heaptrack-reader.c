// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "fp-heap-formats.h"
#include "fp-heap-suppressions.h"
#include "fp-heaptrack-reader.h"

#define MAX_FORMAT      3
#define MAX_INFO_SIZE   (G_MAXUINT32 - 1)
#define BIG             G_MAXUINT32 /* the size is in the table */
#define NONE            G_MAXUINT64
#define NUMBERED        (2 * 1024 * 1024)
#define NUMBERED_A_BYTE 8
#define MAX_COMMAND     8192
#define EVENT_SIZE      24 /* more than the text of an event */

typedef struct
{
  guint32 size;
  guint32 stack;
} Info;

typedef struct
{
  guint64 info;
  guint64 size;
} BigSize;

void
fp_heaptrack_reader_init (FpHeaptrackReader *self,
                          FpHeapInput *input,
                          FpHeapBuilder *builder)
{
  *self = (FpHeaptrackReader){ .input = input, .builder = builder, .profile = builder->profile, .last = NONE, .page_size = 4096 };
  fp_heap_traces_init (&self->traces, builder);
  self->infos = g_array_new (FALSE, FALSE, sizeof (Info));
  self->big = g_array_new (FALSE, FALSE, sizeof (BigSize));
  self->suppressions = fp_heap_suppressions_new ();
  fp_heap_pointers_init (&self->blocks);
}

void
fp_heaptrack_reader_clear (FpHeaptrackReader *self)
{
  if (!self->infos)
    return;
  fp_heap_traces_clear (&self->traces);
  g_clear_pointer (&self->infos, g_array_unref);
  g_clear_pointer (&self->big, g_array_unref);
  g_clear_pointer (&self->suppressions, g_ptr_array_unref);
  fp_heap_pointers_clear (&self->blocks);
}

static gboolean
read_info (FpHeaptrackReader *self,
           const char *at)
{
  guint64 size = 0, trace = 0;
  gboolean ok = fp_heap_read_number (&at, &size) && fp_heap_read_number (&at, &trace) && trace < self->traces.nodes->len;
  Info info = { .size = (guint32)MIN (size, BIG) };

  if (size > MAX_INFO_SIZE)
    {
      const BigSize big = { self->infos->len, size };

      info.size = BIG;
      g_array_append_val (self->big, big);
    }
  info.stack = fp_heap_builder_add_stack (self->builder, ok ? fp_heap_traces_get_node (&self->traces, trace) : 0);
  g_array_append_val (self->infos, info);
  return ok;
}

static int
compare_big (gconstpointer a,
             gconstpointer b)
{
  guint64 x = ((const BigSize *)a)->info, y = ((const BigSize *)b)->info;

  return (x > y) - (x < y);
}

static guint64
get_big_size (const FpHeaptrackReader *self,
              guint64 info)
{
  const BigSize wanted = { info, 0 }, *found = bsearch (&wanted, self->big->data, self->big->len, sizeof wanted, compare_big);

  return found ? found->size : 0;
}

static inline gboolean
count_event (FpHeaptrackReader *self,
             guint64 number,
             gboolean is_allocation)
{
  const Info *info;
  guint64 size;
  gboolean is_temporary;

  if (number >= self->infos->len)
    return FALSE;
  info = &g_array_index (self->infos, Info, number);
  size = G_LIKELY (info->size != BIG) ? info->size : get_big_size (self, number);
  is_temporary = self->last == number;
  self->last = is_allocation ? number : NONE;
  return is_allocation ? fp_heap_builder_allocate (self->builder, info->stack, size)
                       : fp_heap_builder_release (self->builder, info->stack, size, is_temporary);
}

static gboolean
read_event (FpHeaptrackReader *self,
            const char *at,
            gboolean is_allocation)
{
  guint64 number;

  return fp_heap_read_number (&at, &number) && count_event (self, number, is_allocation);
}

/* A block that is allocated again at the same address was freed by something that is not recorded. */
static gboolean
read_block (FpHeaptrackReader *self,
            const char *at)
{
  guint64 size, trace, address;
  FpHeapBlock block, old;

  if (!fp_heap_read_number (&at, &size) || !fp_heap_read_number (&at, &trace) || !fp_heap_read_number (&at, &address) ||
      trace >= self->traces.nodes->len || !address)
    return FALSE;
  if (fp_heap_pointers_take (&self->blocks, address, &old))
    fp_heap_builder_release (self->builder, old.stack, old.size, FALSE);
  block = (FpHeapBlock){ address, size, fp_heap_builder_add_stack (self->builder, fp_heap_traces_get_node (&self->traces, trace)) };
  if (!fp_heap_builder_allocate (self->builder, block.stack, size))
    return FALSE;
  fp_heap_pointers_add (&self->blocks, &block);
  self->last = address;
  return TRUE;
}

/* Blocks from before a recorder was attached, or from functions that it does not know, are freed without having been seen. */
static gboolean
read_free (FpHeaptrackReader *self,
           const char *at)
{
  guint64 address;
  FpHeapBlock block;

  if (!fp_heap_read_number (&at, &address))
    return FALSE;
  if (fp_heap_pointers_take (&self->blocks, address, &block))
    fp_heap_builder_release (self->builder, block.stack, block.size, self->last == address);
  self->last = NONE;
  return TRUE;
}

static gboolean
read_version (FpHeaptrackReader *self,
              const char *at,
              GError **error)
{
  guint64 version;

  if (!fp_heap_read_number (&at, &version))
    return TRUE;
  if (!fp_heap_read_number (&at, &self->traces.format))
    self->traces.format = version == 0x10200 ? 1 : 0;
  return self->traces.format <= MAX_FORMAT || fp_heap_refuse (error, _ ("it is of a newer heaptrack"));
}

/* "I 1000 5e27ec" */
static gboolean
is_system_line (const char *line,
                const char *end)
{
  const char *line_end = memchr (line, '\n', (gsize)(end - line));
  g_autofree char *copy = line_end && line_end - line < 64 ? g_strndup (line, (gsize)(line_end - line)) : NULL;
  const char *at = copy ? copy + 1 : NULL;
  guint64 number;

  return copy && *copy == 'I' && fp_heap_read_number (&at, &number) && fp_heap_read_number (&at, &number) && !*at;
}

/* A command may have lines of its own, which look like any line. Recorders write the system's line behind it, so that all in
 * front of that is the command. */
static void
read_more_of_command (FpHeaptrackReader *self,
                      GString *command)
{
  FpHeapInput *input = self->input;
  const char *text, *end, *line;

  fp_heap_input_fill_to (input, MAX_COMMAND);
  text = input->text + input->at;
  end = input->text + MIN (input->end, input->at + MAX_COMMAND);
  for (line = text; line && line < end; line = memchr (line, '\n', (gsize)(end - line)), line = line ? line + 1 : NULL)
    if (is_system_line (line, end))
      {
        if (line > text)
          g_string_append_printf (command, "\n%.*s", (int)(line - text) - 1, text);
        input->at += (gsize)(line - text);
        return;
      }
}

static gboolean
read_command (FpHeaptrackReader *self,
              const char *at)
{
  g_autoptr (GString) command = g_string_new (*at == ' ' ? at + 1 : at);

  if (self->profile->command)
    return FALSE;
  read_more_of_command (self, command);
  self->profile->command = g_utf8_make_valid (command->str, -1);
  return TRUE;
}

static gboolean
read_suppression (FpHeaptrackReader *self,
                  const char *at,
                  const char *end)
{
  gsize length;
  g_autofree char *text = NULL;

  if (!fp_heap_traces_get_text (&self->traces, &at, end, &length))
    return FALSE;
  text = g_strndup (at, length);
  fp_heap_suppressions_add_line (self->suppressions, text);
  return TRUE;
}

static gboolean
read_rare (FpHeaptrackReader *self,
           const char *line,
           const char *end)
{
  const char *at = line + 1;
  guint64 number;

  switch (*line)
    {
    case 'c':
      if (!fp_heap_read_number (&at, &number))
        return FALSE;
      fp_heap_builder_set_time (self->builder, number);
      return TRUE;
    case 'R':
      if (!fp_heap_read_number (&at, &number) || number > G_MAXUINT64 / self->page_size)
        return FALSE;
      fp_heap_builder_set_rss (self->builder, number * self->page_size);
      return TRUE;
    case 'X':
      return read_command (self, at);
    case 'I':
      if (!fp_heap_read_number (&at, &number) || number == 0 || number > 1 << 20)
        return FALSE;
      self->page_size = number;
      return TRUE;
    case 'A':
      self->profile->is_attached = TRUE;
      return TRUE;
    case 'S':
      return read_suppression (self, at, end);
    case 'x':
      return fp_heap_traces_read_executable (&self->traces, at, end);
    case 'm':
      return fp_heap_traces_read_module (&self->traces, at, end);
    case '#':
      self->has_trailer = self->has_trailer || g_str_has_prefix (line, "# strings:");
      return TRUE;
    case '\0':
      return TRUE;
    default:
      return FALSE;
    }
}

static inline gboolean
read_line (FpHeaptrackReader *self,
           const char *line,
           const char *end)
{
  const char *at = line + 1;
  gboolean has_blocks = self->traces.is_raw || self->traces.format == 0;

  switch (*line)
    {
    case '+':
      return has_blocks ? read_block (self, at) : read_event (self, at, TRUE);
    case '-':
      return has_blocks ? read_free (self, at) : read_event (self, at, FALSE);
    case 'a':
      return read_info (self, at);
    case 't':
      return fp_heap_traces_read_trace (&self->traces, at);
    case 'i':
      return fp_heap_traces_read_pointer (&self->traces, at);
    case 's':
      return fp_heap_traces_read_string (&self->traces, at, end);
    default:
      return read_rare (self, line, end);
    }
}

/* Most lines are events, so that these are read without looking for the ends of lines first. */
static inline gboolean
read_quickly (FpHeaptrackReader *self)
{
  FpHeapInput *input = self->input;
  const char *line = input->text + input->at, *c = line + 2;
  guint64 number = 0;

  if (input->end - input->at < EVENT_SIZE || (*line != '+' && *line != '-') || line[1] != ' ')
    return FALSE;
  for (; c < line + EVENT_SIZE - 2; c++)
    {
      guint digit = (guint)(guchar)*c - '0';

      if (digit > 9)
        {
          digit = (guint)(guchar)*c - 'a' + 10;
          if (digit < 10 || digit > 15)
            break;
        }
      number = number << 4 | digit;
    }
  if (*c != '\n' || c == line + 2 || !count_event (self, number, *line == '+'))
    return FALSE;
  input->at += (gsize)(c + 1 - line);
  return TRUE;
}

/* A small compressed file can unpack to any number of lines that ask for memory. Real ones have one in some bytes. */
static gboolean
is_absurd (const FpHeaptrackReader *self)
{
  return fp_heap_traces_count (&self->traces) + self->infos->len > NUMBERED + self->input->position * NUMBERED_A_BYTE;
}

static void
end_early (FpHeaptrackReader *self,
           gsize length)
{
  if (self->is_growing)
    self->input->at -= length;
  else
    self->profile->condition = FP_HEAP_CUT_OFF;
}

static gboolean
read_lines (FpHeaptrackReader *self,
            GError **error)
{
  char *line;
  gsize length;
  guint n = 0;

  for (;;)
    {
      while (!self->traces.is_raw && self->traces.format > 0 && read_quickly (self))
        ;
      if (!fp_heap_input_get_line (self->input, &line, &length))
        break;
      /* A number that is cut off would be another number. */
      if (!self->input->is_line_whole)
        {
          end_early (self, length);
          break;
        }
      if (*line == 'v' && !read_version (self, line + 1, error))
        return FALSE;
      if (*line != 'v' && !read_line (self, line, line + length))
        self->profile->n_bad_lines++;
      if (G_UNLIKELY (++n % 4096 == 0) && is_absurd (self))
        {
          self->profile->condition = FP_HEAP_DAMAGED;
          break;
        }
    }
  return TRUE;
}

gboolean
fp_heaptrack_reader_read (FpHeaptrackReader *self,
                          GError **error)
{
  FpHeapProfile *profile = self->profile;

  if (!read_lines (self, error))
    return FALSE;
  profile->known = 1 << FP_HEAP_PEAK | 1 << FP_HEAP_LEAKED | 1 << FP_HEAP_TEMPORARY | 1 << FP_HEAP_CALLS;
  profile->is_raw = self->traces.is_raw && !self->traces.has_names;
  return TRUE;
}

static gboolean
read_heaptrack (FpHeapInput *input,
                FpHeapBuilder *builder,
                GError **error)
{
  g_auto (FpHeaptrackReader) self = { 0 };

  fp_heaptrack_reader_init (&self, input, builder);
  if (!fp_heaptrack_reader_read (&self, error))
    return FALSE;
  /* The interpreter writes the number of strings at the end of a file that is whole. */
  if (self.profile->condition == FP_HEAP_COMPLETE && self.traces.format > 0 && !self.traces.is_raw && !self.has_trailer)
    self.profile->condition = FP_HEAP_CUT_OFF;
  fp_heap_builder_finish_stacks (builder);
  fp_heap_suppressions_apply (self.suppressions, self.profile);
  return TRUE;
}

/* Each of the first lines begins with a letter of the format and a blank. */
static gboolean
is_heaptrack (const char *text,
              gsize length)
{
  const char *end = text + length;
  guint n = 0;

  if (length > 2 && text[0] == 'v' && text[1] == ' ' && g_ascii_isxdigit (text[2]))
    return TRUE;
  for (const char *line = text; line < end && n < 8; n++)
    {
      const char *line_end = memchr (line, '\n', (gsize)(end - line));

      if (!line_end)
        break;
      if (line_end - line < 3 || !strchr ("xXIASmst+-aicR#", *line) || line[1] != ' ')
        return FALSE;
      line = line_end + 1;
    }
  return n > 0;
}

const FpHeapFormat fp_heap_heaptrack = { "heaptrack", is_heaptrack, read_heaptrack };
