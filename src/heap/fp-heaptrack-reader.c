// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "fp-heap-formats.h"
#include "fp-heap-modules.h"
#include "fp-heap-pointers.h"
#include "fp-heap-suppressions.h"

#define MAX_FORMAT      3
#define MAX_IP_FRAMES   256
#define MAX_SEGMENTS    65536
#define MAX_INFO_SIZE   (G_MAXUINT32 - 1)
#define BIG             G_MAXUINT32 /* the size is in the table */
#define NONE            G_MAXUINT64
#define NUMBERED        (2 * 1024 * 1024)
#define NUMBERED_A_BYTE 8
#define MAX_COMMAND     8192
#define EVENT_SIZE      24 /* more than the text of an event */

/* The frames of an instruction pointer, the innermost first, in an array for all of them. */
typedef struct
{
  guint32 first;
  guint16 n;
  guint8 is_new;  /* operator new, which says nothing */
  guint8 is_stop; /* nothing that called it is of interest */
} Pointer;

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

/* Strings, pointers and traces are numbered from 1. */
typedef struct
{
  FpHeapInput *input;
  FpHeapBuilder *builder;
  FpHeapProfile *profile; /* of the builder */
  guint64 format;
  gboolean is_raw, has_trailer;
  GArray *strings;  /* of guint32: numbers of texts */
  GArray *pointers; /* of Pointer */
  GArray *frames;   /* of guint32: numbers of the builder's frames */
  GArray *traces;   /* of guint32: numbers of the builder's nodes */
  GArray *infos;    /* of Info */
  GArray *big;      /* of BigSize: those that do not fit, in the order of infos */
  GPtrArray *suppressions;
  FpHeapPointers blocks;
  FpHeapModules modules;
  guint32 executable;
  guint32 new_names[4];
  guint32 stop_names[3];
  guint64 last; /* what was allocated by the event before: an info or an address */
  guint64 page_size;
} Reader;

static inline gboolean
read_number (const char **at,
             guint64 *value)
{
  const char *c = *at;
  guint64 sum = 0;
  guint n = 0;

  while (*c == ' ')
    c++;
  for (;; c++, n++)
    {
      guint digit = (guint)(guchar)*c - '0';

      if (digit > 9)
        {
          digit = (guint)(guchar)*c - 'a' + 10;
          if (digit < 10 || digit > 15)
            break;
        }
      sum = sum << 4 | digit;
    }
  if (n == 0 || n > 16 || (*c != ' ' && *c != '\0'))
    return FALSE;
  *at = c;
  *value = sum;
  return TRUE;
}

static guint32
get_number (const GArray *array,
            guint64 number)
{
  return number < array->len ? g_array_index (array, guint32, number) : 0;
}

static void
reader_init (Reader *self,
             FpHeapInput *input,
             FpHeapBuilder *builder)
{
  static const char *const new_names[] = {
    "operator new(unsigned long)",
    "operator new[](unsigned long)",
    "operator new(unsigned int)",
    "operator new[](unsigned int)",
  };
  static const char *const stop_names[] = { "main", "__libc_start_main", "__static_initialization_and_destruction_0" };
  const guint32 zero = 0;
  const Pointer none = { 0 };

  *self = (Reader){ .input = input, .builder = builder, .profile = builder->profile, .last = NONE, .page_size = 4096 };
  self->strings = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->pointers = g_array_new (FALSE, FALSE, sizeof (Pointer));
  self->frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->traces = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->infos = g_array_new (FALSE, FALSE, sizeof (Info));
  self->big = g_array_new (FALSE, FALSE, sizeof (BigSize));
  self->suppressions = fp_heap_suppressions_new ();
  fp_heap_pointers_init (&self->blocks);
  fp_heap_modules_init (&self->modules);
  g_array_append_val (self->strings, zero);
  g_array_append_val (self->pointers, none);
  g_array_append_val (self->traces, zero);
  for (guint i = 0; i < G_N_ELEMENTS (new_names); i++)
    self->new_names[i] = fp_heap_builder_add_text (builder, new_names[i], strlen (new_names[i]));
  for (guint i = 0; i < G_N_ELEMENTS (stop_names); i++)
    self->stop_names[i] = fp_heap_builder_add_text (builder, stop_names[i], strlen (stop_names[i]));
}

static void
reader_clear (Reader *self)
{
  g_array_unref (self->strings);
  g_array_unref (self->pointers);
  g_array_unref (self->frames);
  g_array_unref (self->traces);
  g_array_unref (self->infos);
  g_array_unref (self->big);
  g_ptr_array_unref (self->suppressions);
  fp_heap_pointers_clear (&self->blocks);
  fp_heap_modules_clear (&self->modules);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

/* Gets the text of a line. Format 3 says in front of it how long it is, and module lines go on behind it. */
static gboolean
read_text (const Reader *self,
           const char **at,
           const char *end,
           gsize *length)
{
  guint64 claimed;

  if (self->format < 3)
    {
      while (**at == ' ')
        (*at)++;
      *length = (gsize)(end - *at);
      return TRUE;
    }
  if (!read_number (at, &claimed))
    return FALSE;
  if (**at == ' ')
    (*at)++;
  *length = MIN (claimed, (gsize)(end - *at));
  return *length == claimed;
}

/* A damaged line takes its number, too, or all that follow would be others. */
static gboolean
read_string (Reader *self,
             const char *at,
             const char *end)
{
  gsize length = 0;
  gboolean ok = read_text (self, &at, end, &length);
  guint32 text = ok ? fp_heap_builder_add_function (self->builder, at, length) : 0;

  g_array_append_val (self->strings, text);
  return ok;
}

static gboolean
has_name (const guint32 *names,
          guint n,
          guint32 name)
{
  for (guint i = 0; i < n; i++)
    if (names[i] == name)
      return TRUE;
  return FALSE;
}

static void
add_frame (Reader *self,
           Pointer *pointer,
           const FpHeapFrame *frame)
{
  guint32 number = fp_heap_builder_add_frame (self->builder, frame);

  if (pointer->n == 0)
    pointer->is_new = has_name (self->new_names, G_N_ELEMENTS (self->new_names), frame->function);
  pointer->is_stop = has_name (self->stop_names, G_N_ELEMENTS (self->stop_names), frame->function);
  pointer->n++;
  g_array_append_val (self->frames, number);
}

static gboolean
read_pointer (Reader *self,
              const char *at)
{
  Pointer pointer = { .first = self->frames->len };
  FpHeapFrame frame = { 0 };
  guint64 address, module, function, file, line;
  gboolean ok = read_number (&at, &address) && read_number (&at, &module);

  if (ok)
    frame.module = get_number (self->strings, module);
  while (ok && *at && pointer.n < MAX_IP_FRAMES && !pointer.is_stop && (ok = read_number (&at, &function)))
    {
      frame.function = get_number (self->strings, function);
      frame.file = frame.line = 0;
      if (*at && (ok = read_number (&at, &file) && read_number (&at, &line)))
        {
          frame.file = get_number (self->strings, file);
          frame.line = (guint32)MIN (line, G_MAXUINT32);
        }
      frame.address = frame.function ? 0 : address;
      add_frame (self, &pointer, &frame);
    }
  if (ok && pointer.n == 0)
    {
      frame.address = address;
      add_frame (self, &pointer, &frame);
    }
  g_array_append_val (self->pointers, pointer);
  return ok;
}

static guint32
add_pointer_node (Reader *self,
                  const Pointer *pointer,
                  guint32 parent)
{
  guint32 node = pointer->is_stop ? 0 : parent;

  if (pointer->is_new)
    return parent;
  for (guint i = pointer->n; i > 0; i--)
    node = fp_heap_builder_add_node (self->builder, g_array_index (self->frames, guint32, pointer->first + i - 1), node);
  return node;
}

static guint32
add_raw_node (Reader *self,
              guint64 address,
              guint32 parent)
{
  const FpHeapSegment *segment = fp_heap_modules_find (&self->modules, address);
  FpHeapFrame frame = { .address = address };

  if (segment)
    {
      frame.module = segment->path;
      frame.address -= segment->base;
    }
  return fp_heap_builder_add_node (self->builder, fp_heap_builder_add_frame (self->builder, &frame), parent);
}

static gboolean
read_trace (Reader *self,
            const char *at)
{
  guint64 where, parent;
  guint32 node = 0;
  gboolean ok = read_number (&at, &where) && read_number (&at, &parent) && parent < self->traces->len;

  if (ok && self->is_raw)
    node = add_raw_node (self, where, get_number (self->traces, parent));
  else if (ok && (ok = where < self->pointers->len))
    node = add_pointer_node (self, &g_array_index (self->pointers, Pointer, where), get_number (self->traces, parent));
  g_array_append_val (self->traces, node);
  return ok;
}

static gboolean
read_info (Reader *self,
           const char *at)
{
  guint64 size = 0, trace = 0;
  gboolean ok = read_number (&at, &size) && read_number (&at, &trace) && trace < self->traces->len;
  Info info = { .size = (guint32)MIN (size, BIG) };

  if (size > MAX_INFO_SIZE)
    {
      const BigSize big = { self->infos->len, size };

      info.size = BIG;
      g_array_append_val (self->big, big);
    }
  info.stack = fp_heap_builder_add_stack (self->builder, ok ? get_number (self->traces, trace) : 0);
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
get_big_size (const Reader *self,
              guint64 info)
{
  const BigSize wanted = { info, 0 }, *found = bsearch (&wanted, self->big->data, self->big->len, sizeof wanted, compare_big);

  return found ? found->size : 0;
}

static inline gboolean
count_event (Reader *self,
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
read_event (Reader *self,
            const char *at,
            gboolean is_allocation)
{
  guint64 number;

  return read_number (&at, &number) && count_event (self, number, is_allocation);
}

/* A block that is allocated again at the same address was freed by something that is not recorded. */
static gboolean
read_block (Reader *self,
            const char *at)
{
  guint64 size, trace, address;
  FpHeapBlock block, old;

  if (!read_number (&at, &size) || !read_number (&at, &trace) || !read_number (&at, &address) || trace >= self->traces->len || !address)
    return FALSE;
  if (fp_heap_pointers_take (&self->blocks, address, &old))
    fp_heap_builder_release (self->builder, old.stack, old.size, FALSE);
  block = (FpHeapBlock){ address, size, fp_heap_builder_add_stack (self->builder, get_number (self->traces, trace)) };
  if (!fp_heap_builder_allocate (self->builder, block.stack, size))
    return FALSE;
  fp_heap_pointers_add (&self->blocks, &block);
  self->last = address;
  return TRUE;
}

/* Blocks from before a recorder was attached, or from functions that it does not know, are freed without having been seen. */
static gboolean
read_free (Reader *self,
           const char *at)
{
  guint64 address;
  FpHeapBlock block;

  if (!read_number (&at, &address))
    return FALSE;
  if (fp_heap_pointers_take (&self->blocks, address, &block))
    fp_heap_builder_release (self->builder, block.stack, block.size, self->last == address);
  self->last = NONE;
  return TRUE;
}

static gboolean
read_executable (Reader *self,
                 const char *at,
                 const char *end)
{
  gsize length;

  self->is_raw = TRUE;
  if (!read_text (self, &at, end, &length))
    return FALSE;
  self->executable = fp_heap_builder_add_text (self->builder, at, length);
  return TRUE;
}

/* Older formats do not say where the path ends: it is in front of the numbers. */
static gsize
find_numbers (const char *text,
              gsize length)
{
  const char *blank = memchr (text, ' ', length);

  return blank ? (gsize)(blank - text) : length;
}

static gboolean
read_module (Reader *self,
             const char *at,
             const char *end)
{
  FpHeapSegment segment = { 0 };
  guint64 address, size;
  gsize length;

  self->is_raw = TRUE;
  if (!read_text (self, &at, end, &length))
    return FALSE;
  if (self->format < 3)
    length = find_numbers (at, length);
  if (length == 1 && *at == '-')
    {
      fp_heap_modules_forget (&self->modules);
      return TRUE;
    }
  segment.path = length == 1 && *at == 'x' ? self->executable : fp_heap_builder_add_text (self->builder, at, length);
  at += length;
  if (!read_number (&at, &segment.base))
    return FALSE;
  while (*at && read_number (&at, &address) && read_number (&at, &size) && self->modules.segments->len < MAX_SEGMENTS)
    {
      segment.begin = segment.base + address;
      segment.end = segment.begin + size;
      if (segment.end > segment.begin)
        fp_heap_modules_add (&self->modules, &segment);
    }
  return !*at;
}

static gboolean
read_version (Reader *self,
              const char *at,
              GError **error)
{
  guint64 version;

  if (!read_number (&at, &version))
    return TRUE;
  if (!read_number (&at, &self->format))
    self->format = version == 0x10200 ? 1 : 0;
  return self->format <= MAX_FORMAT || fp_heap_refuse (error, _ ("it is of a newer heaptrack"));
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

  return copy && *copy == 'I' && read_number (&at, &number) && read_number (&at, &number) && !*at;
}

/* A command may have lines of its own, which look like any line. Recorders write the system's line behind it, so that all in
 * front of that is the command. */
static void
read_more_of_command (Reader *self,
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
read_command (Reader *self,
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
read_suppression (Reader *self,
                  const char *at,
                  const char *end)
{
  gsize length;
  g_autofree char *text = NULL;

  if (!read_text (self, &at, end, &length))
    return FALSE;
  text = g_strndup (at, length);
  fp_heap_suppressions_add_line (self->suppressions, text);
  return TRUE;
}

static gboolean
read_rare (Reader *self,
           const char *line,
           const char *end)
{
  const char *at = line + 1;
  guint64 number;

  switch (*line)
    {
    case 'c':
      if (!read_number (&at, &number))
        return FALSE;
      fp_heap_builder_set_time (self->builder, number);
      return TRUE;
    case 'R':
      if (!read_number (&at, &number) || number > G_MAXUINT64 / self->page_size)
        return FALSE;
      fp_heap_builder_set_rss (self->builder, number * self->page_size);
      return TRUE;
    case 'X':
      return read_command (self, at);
    case 'I':
      if (!read_number (&at, &number) || number == 0 || number > 1 << 20)
        return FALSE;
      self->page_size = number;
      return TRUE;
    case 'A':
      self->profile->is_attached = TRUE;
      return TRUE;
    case 'S':
      return read_suppression (self, at, end);
    case 'x':
      return read_executable (self, at, end);
    case 'm':
      return read_module (self, at, end);
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
read_line (Reader *self,
           const char *line,
           const char *end)
{
  const char *at = line + 1;
  gboolean has_blocks = self->is_raw || self->format == 0;

  switch (*line)
    {
    case '+':
      return has_blocks ? read_block (self, at) : read_event (self, at, TRUE);
    case '-':
      return has_blocks ? read_free (self, at) : read_event (self, at, FALSE);
    case 'a':
      return read_info (self, at);
    case 't':
      return read_trace (self, at);
    case 'i':
      return read_pointer (self, at);
    case 's':
      return read_string (self, at, end);
    default:
      return read_rare (self, line, end);
    }
}

/* Most lines are events, so that these are read without looking for the ends of lines first. */
static inline gboolean
read_quickly (Reader *self)
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
is_absurd (const Reader *self)
{
  guint64 n = (guint64)self->strings->len + self->pointers->len + self->frames->len + self->traces->len + self->infos->len;

  return n > NUMBERED + self->input->position * NUMBERED_A_BYTE;
}

static gboolean
read_lines (Reader *self,
            GError **error)
{
  char *line;
  gsize length;
  guint n = 0;

  for (;;)
    {
      while (!self->is_raw && self->format > 0 && read_quickly (self))
        ;
      if (!fp_heap_input_get_line (self->input, &line, &length))
        break;
      /* A number that is cut off would be another number. */
      if (!self->input->is_line_whole)
        {
          self->profile->condition = FP_HEAP_CUT_OFF;
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

static gboolean
read_heaptrack (FpHeapInput *input,
                FpHeapBuilder *builder,
                GError **error)
{
  g_auto (Reader) self = { 0 };

  reader_init (&self, input, builder);
  if (!read_lines (&self, error))
    return FALSE;
  self.profile->known = 1 << FP_HEAP_PEAK | 1 << FP_HEAP_LEAKED | 1 << FP_HEAP_TEMPORARY | 1 << FP_HEAP_CALLS;
  self.profile->is_raw = self.is_raw;
  /* The interpreter writes the number of strings at the end of a file that is whole. */
  if (self.profile->condition == FP_HEAP_COMPLETE && self.format > 0 && !self.is_raw && !self.has_trailer)
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
