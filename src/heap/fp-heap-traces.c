// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-heap-traces.h"

#define MAX_IP_FRAMES 256
#define MAX_SEGMENTS  65536
#define MAX_LOADS     64 /* of one module; linkers make four */

/* The frames of an instruction pointer, the innermost first, in an array for all of them. */
typedef struct
{
  guint32 first;
  guint16 n;
  guint8 is_new;  /* operator new, which says nothing */
  guint8 is_stop; /* nothing that called it is of interest */
} Pointer;

/* An address in a file, wherever that is loaded. */
typedef struct
{
  guint64 address;
  guint32 path; /* number of a text; 0: in no module */
} Place;

void
fp_heap_traces_init (FpHeapTraces *self,
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
  const Place nowhere = { 0 };

  *self = (FpHeapTraces){ .builder = builder };
  self->strings = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->pointers = g_array_new (FALSE, FALSE, sizeof (Pointer));
  self->frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  fp_heap_index_init (&self->index);
  fp_heap_modules_init (&self->modules);
  g_array_append_val (self->strings, zero);
  g_array_append_val (self->pointers, none);
  g_array_append_val (self->nodes, zero);
  g_array_append_val (self->places, nowhere);
  for (guint i = 0; i < G_N_ELEMENTS (new_names); i++)
    self->new_names[i] = fp_heap_builder_add_text (builder, new_names[i], strlen (new_names[i]));
  for (guint i = 0; i < G_N_ELEMENTS (stop_names); i++)
    self->stop_names[i] = fp_heap_builder_add_text (builder, stop_names[i], strlen (stop_names[i]));
}

void
fp_heap_traces_clear (FpHeapTraces *self)
{
  g_clear_pointer (&self->strings, g_array_unref);
  g_clear_pointer (&self->pointers, g_array_unref);
  g_clear_pointer (&self->frames, g_array_unref);
  g_clear_pointer (&self->nodes, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  fp_heap_index_clear (&self->index);
  fp_heap_modules_clear (&self->modules);
  g_clear_pointer (&self->symbols, fp_heap_symbols_free);
}

/* How many lines have asked for memory. */
guint64
fp_heap_traces_count (const FpHeapTraces *self)
{
  return (guint64)self->strings->len + self->pointers->len + self->frames->len + self->nodes->len;
}

/* Gets the text of a line. Format 3 says in front of it how long it is, and module lines go on behind it. */
gboolean
fp_heap_traces_get_text (const FpHeapTraces *self,
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
  if (!fp_heap_read_number (at, &claimed))
    return FALSE;
  if (**at == ' ')
    (*at)++;
  *length = MIN (claimed, (gsize)(end - *at));
  return *length == claimed;
}

/* A damaged line takes its number, too, or all that follow would be others. */
gboolean
fp_heap_traces_read_string (FpHeapTraces *self,
                            const char *at,
                            const char *end)
{
  gsize length = 0;
  gboolean ok = fp_heap_traces_get_text (self, &at, end, &length);
  guint32 text = ok ? fp_heap_builder_add_function (self->builder, at, length) : 0;

  g_array_append_val (self->strings, text);
  return ok;
}

static guint32
get_string (const FpHeapTraces *self,
            guint64 number)
{
  return number < self->strings->len ? g_array_index (self->strings, guint32, number) : 0;
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
add_frame (FpHeapTraces *self,
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

gboolean
fp_heap_traces_read_pointer (FpHeapTraces *self,
                             const char *at)
{
  Pointer pointer = { .first = self->frames->len };
  FpHeapFrame frame = { 0 };
  guint64 address, module, function, file, line;
  gboolean ok = fp_heap_read_number (&at, &address) && fp_heap_read_number (&at, &module);

  if (ok)
    frame.module = get_string (self, module);
  while (ok && *at && pointer.n < MAX_IP_FRAMES && !pointer.is_stop && (ok = fp_heap_read_number (&at, &function)))
    {
      frame.function = get_string (self, function);
      frame.file = frame.line = 0;
      if (*at && (ok = fp_heap_read_number (&at, &file) && fp_heap_read_number (&at, &line)))
        {
          frame.file = get_string (self, file);
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
add_pointer_node (FpHeapTraces *self,
                  guint32 number,
                  guint32 parent)
{
  const Pointer *pointer = &g_array_index (self->pointers, Pointer, number);
  guint32 node = pointer->is_stop ? 0 : parent;

  if (pointer->is_new)
    return parent;
  for (guint i = pointer->n; i > 0; i--)
    node = fp_heap_builder_add_node (self->builder, g_array_index (self->frames, guint32, pointer->first + i - 1), node);
  return node;
}

static guint32
hash_place (const Place *place)
{
  return fp_heap_hash_two (place->address, place->path);
}

static guint32
get_place_hash (gconstpointer owner,
                guint32 number)
{
  return hash_place (&g_array_index ((GArray *)owner, Place, number));
}

static gboolean
is_place (gconstpointer owner,
          guint32 number,
          gconstpointer key)
{
  const Place *place = &g_array_index ((GArray *)owner, Place, number), *wanted = key;

  return place->address == wanted->address && place->path == wanted->path;
}

static guint32
add_text (FpHeapTraces *self,
          const char *text)
{
  return text ? fp_heap_builder_add_text (self->builder, text, strlen (text)) : 0;
}

/* segment: (nullable) */
static void
add_frames (FpHeapTraces *self,
            Pointer *pointer,
            const Place *place,
            const FpHeapSegment *segment)
{
  FpHeapSymbol symbols[MAX_IP_FRAMES];
  guint n = segment ? fp_heap_symbols_find (self->symbols, segment->object, place->address, symbols, MAX_IP_FRAMES) : 0;
  FpHeapFrame frame = { .module = place->path };

  for (guint i = 0; i < n && !pointer->is_stop; i++)
    {
      frame.function = fp_heap_builder_add_function (self->builder, symbols[i].function, strlen (symbols[i].function));
      frame.file = add_text (self, symbols[i].file);
      frame.line = symbols[i].line;
      add_frame (self, pointer, &frame);
    }
  self->has_names = self->has_names || n > 0;
  frame.address = place->address;
  if (n == 0)
    add_frame (self, pointer, &frame);
}

/* Symbols are looked up once for each place, which keeps its number when libraries are loaded anew. */
static guint32
find_raw_pointer (FpHeapTraces *self,
                  guint64 address)
{
  const FpHeapSegment *segment = fp_heap_modules_find (&self->modules, address);
  const Place place = { segment ? address - segment->base : address, segment ? segment->path : 0 };
  Pointer pointer = { .first = self->frames->len };
  guint32 hash = hash_place (&place), number;

  if (fp_heap_index_find (&self->index, hash, is_place, self->places, &place, &number))
    return number;
  add_frames (self, &pointer, &place, segment);
  g_array_append_val (self->pointers, pointer);
  g_array_append_val (self->places, place);
  number = self->places->len - 1;
  fp_heap_index_add (&self->index, hash, number, get_place_hash, self->places);
  return number;
}

gboolean
fp_heap_traces_read_trace (FpHeapTraces *self,
                           const char *at)
{
  guint64 where, parent;
  guint32 node = 0;
  gboolean ok = fp_heap_read_number (&at, &where) && fp_heap_read_number (&at, &parent) && parent < self->nodes->len;

  if (ok && self->is_raw)
    node = add_pointer_node (self, find_raw_pointer (self, where), fp_heap_traces_get_node (self, parent));
  else if (ok && (ok = where < self->pointers->len))
    node = add_pointer_node (self, (guint32)where, fp_heap_traces_get_node (self, parent));
  g_array_append_val (self->nodes, node);
  return ok;
}

gboolean
fp_heap_traces_read_executable (FpHeapTraces *self,
                                const char *at,
                                const char *end)
{
  gsize length;

  self->is_raw = TRUE;
  if (!fp_heap_traces_get_text (self, &at, end, &length))
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

static void
add_segments (FpHeapTraces *self,
              FpHeapSegment *segment,
              const FpHeapLoad *loads,
              guint n)
{
  const char *path = fp_heap_profile_get_text (self->builder->profile, segment->path);

  if (!self->symbols)
    self->symbols = fp_heap_symbols_new ();
  segment->object = fp_heap_symbols_add (self->symbols, path, loads, n);
  for (guint i = 0; i < n && self->modules.segments->len < MAX_SEGMENTS; i++)
    {
      segment->begin = segment->base + loads[i].address;
      segment->end = segment->begin + loads[i].size;
      if (segment->end > segment->begin)
        fp_heap_modules_add (&self->modules, segment);
    }
}

gboolean
fp_heap_traces_read_module (FpHeapTraces *self,
                            const char *at,
                            const char *end)
{
  FpHeapSegment segment = { 0 };
  FpHeapLoad loads[MAX_LOADS];
  guint n = 0;
  gsize length;

  self->is_raw = TRUE;
  if (!fp_heap_traces_get_text (self, &at, end, &length))
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
  if (!fp_heap_read_number (&at, &segment.base))
    return FALSE;
  while (n < MAX_LOADS && *at && fp_heap_read_number (&at, &loads[n].address) && fp_heap_read_number (&at, &loads[n].size))
    n++;
  add_segments (self, &segment, loads, n);
  return !*at;
}
