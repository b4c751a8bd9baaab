// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-heap-formats.h"
#include "fp-protobuf.h"

#define MAX_VALUES 16

/* Fields of the message Profile of google/pprof, profile.proto */
enum
{
  PROFILE_SAMPLE_TYPE = 1,
  PROFILE_SAMPLE = 2,
  PROFILE_MAPPING = 3,
  PROFILE_LOCATION = 4,
  PROFILE_FUNCTION = 5,
  PROFILE_STRING = 6,
};

/* A value of each sample stands for one of these. */
typedef enum
{
  VALUE_OTHER,
  VALUE_CALLS,
  VALUE_USED_BLOCKS,
  VALUE_USED_BYTES,
} Value;

typedef struct
{
  guint32 name, file;
} Function;

/* Its frames, the innermost first, are in an array for all of them. */
typedef struct
{
  guint32 first;
  guint32 n;
} Location;

/* Samples come before what they refer to. So the message is read as a whole, and each kind of field in a pass of its own. */
typedef struct
{
  FpHeapBuilder *builder;
  const guint8 *data;
  gsize length;
  GArray *texts;         /* of guint32: numbers of texts of the profile */
  GHashTable *modules;   /* id → text */
  GHashTable *functions; /* id → index + 1 */
  GHashTable *locations; /* id → index + 1 */
  GArray *function_list; /* of Function */
  GArray *location_list; /* of Location */
  GArray *frames;        /* of guint32 */
  GArray *path;          /* of guint64: ids of the locations of a sample */
  Value values[MAX_VALUES];
  guint n_values;
  gboolean is_cut;
} Pprof;

typedef void (*FieldFunc) (Pprof *self, FpProtobuf *field);

static void
for_each (Pprof *self,
          guint number,
          FieldFunc function)
{
  FpProtobuf message;

  fp_protobuf_init (&message, self->data, self->length);
  while (fp_protobuf_next (&message))
    if (message.field == number)
      {
        FpProtobuf field;

        fp_protobuf_init_piece (&field, &message);
        function (self, &field);
      }
  self->is_cut = self->is_cut || message.is_wrong;
}

static guint32
get_text (const Pprof *self,
          guint64 number)
{
  return number < self->texts->len ? g_array_index (self->texts, guint32, number) : 0;
}

/* An id of 0 is none. */
static void
remember (GHashTable *table,
          guint64 id,
          guint value)
{
  g_hash_table_insert (table, g_memdup2 (&id, sizeof id), GUINT_TO_POINTER (value));
}

static guint
look_up (GHashTable *table,
         guint64 id)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (table, &id));
}

static void
add_string (Pprof *self,
            FpProtobuf *field)
{
  guint32 text = fp_heap_builder_add_function (self->builder, (const char *)field->at, (gsize)(field->end - field->at));

  g_array_append_val (self->texts, text);
}

static void
add_sample_type (Pprof *self,
                 FpProtobuf *field)
{
  guint64 type = 0, unit = 0;
  const char *name;
  gboolean is_bytes;

  while (fp_protobuf_next (field))
    if (field->field == 1)
      type = field->number;
    else if (field->field == 2)
      unit = field->number;
  if (self->n_values == MAX_VALUES)
    return;
  name = fp_heap_texts_get (&self->builder->profile->texts, get_text (self, type));
  is_bytes = strcmp (fp_heap_texts_get (&self->builder->profile->texts, get_text (self, unit)), "bytes") == 0;
  if (g_str_has_prefix (name, "alloc_"))
    self->values[self->n_values++] = is_bytes ? VALUE_OTHER : VALUE_CALLS;
  else
    self->values[self->n_values++] = is_bytes                                                                 ? VALUE_USED_BYTES
                                     : g_str_has_prefix (name, "inuse") || g_str_has_prefix (name, "objects") ? VALUE_USED_BLOCKS
                                                                                                              : VALUE_OTHER;
}

static void
add_mapping (Pprof *self,
             FpProtobuf *field)
{
  guint64 id = 0, name = 0;

  while (fp_protobuf_next (field))
    if (field->field == 1)
      id = field->number;
    else if (field->field == 5)
      name = field->number;
  remember (self->modules, id, get_text (self, name));
}

static void
add_function (Pprof *self,
              FpProtobuf *field)
{
  Function function = { 0 };
  guint64 id = 0;

  while (fp_protobuf_next (field))
    if (field->field == 1)
      id = field->number;
    else if (field->field == 2)
      function.name = get_text (self, field->number);
    else if (field->field == 4)
      function.file = get_text (self, field->number);
  g_array_append_val (self->function_list, function);
  remember (self->functions, id, self->function_list->len);
}

static void
add_line (Pprof *self,
          FpProtobuf *line,
          FpHeapFrame *frame)
{
  guint64 number = 0;
  guint function = 0;
  guint32 added;

  while (fp_protobuf_next (line))
    if (line->field == 1)
      function = look_up (self->functions, line->number);
    else if (line->field == 2)
      number = line->number;
  if (function > 0)
    {
      frame->function = g_array_index (self->function_list, Function, function - 1).name;
      frame->file = g_array_index (self->function_list, Function, function - 1).file;
      frame->line = (guint32)MIN (number, G_MAXUINT32);
    }
  added = fp_heap_builder_add_frame (self->builder, frame);
  g_array_append_val (self->frames, added);
}

static void
add_location (Pprof *self,
              FpProtobuf *field)
{
  Location location = { self->frames->len, 0 };
  FpProtobuf lines = *field, line;
  FpHeapFrame frame = { 0 };
  guint64 id = 0, address = 0;
  guint32 module = 0;

  while (fp_protobuf_next (field))
    if (field->field == 1)
      id = field->number;
    else if (field->field == 2)
      module = look_up (self->modules, field->number);
    else if (field->field == 3)
      address = field->number;
  while (fp_protobuf_next (&lines))
    if (lines.field == 4)
      {
        frame = (FpHeapFrame){ .module = module };
        fp_protobuf_init_piece (&line, &lines);
        add_line (self, &line, &frame);
      }
  if (self->frames->len == location.first)
    {
      frame = (FpHeapFrame){ .module = module, .address = address };
      fp_protobuf_init (&line, (const guint8 *)"", 0);
      add_line (self, &line, &frame);
    }
  location.n = self->frames->len - location.first;
  g_array_append_val (self->location_list, location);
  remember (self->locations, id, self->location_list->len);
}

/* Negative values are of profiles that were subtracted from each other, which have no sums. */
static void
set_value (FpHeapStack *sums,
           Value value,
           guint64 number)
{
  if (number > G_MAXINT64)
    return;
  if (value == VALUE_CALLS)
    sums->calls = number;
  else if (value == VALUE_USED_BLOCKS)
    sums->leaked.blocks = number;
  else if (value == VALUE_USED_BYTES)
    sums->leaked.bytes = number;
}

static void
add_sample (Pprof *self,
            FpProtobuf *field)
{
  FpHeapStack sums = { 0 };
  guint64 number;
  guint n = 0;

  g_array_set_size (self->path, 0);
  while (fp_protobuf_next (field))
    while ((field->field == 1 || field->field == 2) && fp_protobuf_next_packed (field, &number))
      if (field->field == 1)
        g_array_append_val (self->path, number);
      else if (n++ < self->n_values)
        set_value (&sums, self->values[n - 1], number);
  for (guint i = self->path->len; i > 0; i--)
    {
      guint index = look_up (self->locations, g_array_index (self->path, guint64, i - 1));
      const Location *location = index ? &g_array_index (self->location_list, Location, index - 1) : NULL;

      for (guint j = location ? location->n : 0; j > 0; j--)
        sums.node = fp_heap_builder_add_node (self->builder, g_array_index (self->frames, guint32, location->first + j - 1), sums.node);
    }
  fp_heap_builder_add_sums (self->builder, &sums);
}

static void
pprof_init (Pprof *self,
            FpHeapBuilder *builder,
            const FpHeapInput *input)
{
  *self = (Pprof){ .builder = builder, .data = (const guint8 *)input->text + input->at, .length = input->end - input->at };
  self->texts = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->modules = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->functions = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->locations = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->function_list = g_array_new (FALSE, FALSE, sizeof (Function));
  self->location_list = g_array_new (FALSE, FALSE, sizeof (Location));
  self->frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->path = g_array_new (FALSE, FALSE, sizeof (guint64));
}

static void
pprof_clear (Pprof *self)
{
  g_array_unref (self->texts);
  g_hash_table_unref (self->modules);
  g_hash_table_unref (self->functions);
  g_hash_table_unref (self->locations);
  g_array_unref (self->function_list);
  g_array_unref (self->location_list);
  g_array_unref (self->frames);
  g_array_unref (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pprof, pprof_clear)

static guint
get_known (const Pprof *self)
{
  guint known = 0;

  for (guint i = 0; i < self->n_values; i++)
    known |= self->values[i] == VALUE_CALLS ? 1 << FP_HEAP_CALLS : self->values[i] == VALUE_USED_BYTES ? 1 << FP_HEAP_LEAKED
                                                                                                       : 0;
  return known;
}

/* Profiles of running programs: what they call in use is so at that moment, and may be freed later. */
static gboolean
read_pprof (FpHeapInput *input,
            FpHeapBuilder *builder,
            GError **error)
{
  g_auto (Pprof) self = { 0 };
  gboolean is_too_large = fp_heap_input_fill_to (input, FP_HEAP_MAX_TEXT);

  pprof_init (&self, builder, input);
  if (is_too_large)
    return fp_heap_refuse (error, _ ("it is too large"));
  for_each (&self, PROFILE_STRING, add_string);
  for_each (&self, PROFILE_SAMPLE_TYPE, add_sample_type);
  builder->profile->known = get_known (&self);
  builder->profile->is_snapshot = TRUE;
  if (self.is_cut)
    builder->profile->condition = FP_HEAP_CUT_OFF;
  if (builder->profile->known == 0)
    return fp_heap_refuse (error, self.is_cut ? _ ("the file is damaged or cut off at its beginning") : _ ("it is not about memory"));
  for_each (&self, PROFILE_MAPPING, add_mapping);
  for_each (&self, PROFILE_FUNCTION, add_function);
  for_each (&self, PROFILE_LOCATION, add_location);
  for_each (&self, PROFILE_SAMPLE, add_sample);
  return TRUE;
}

/* The first field is a type of sample, or the empty string. Everything that is there is fields of the message. */
static gboolean
is_pprof (const char *text,
          gsize length)
{
  FpProtobuf message, type;
  guint n = 0;

  fp_protobuf_init (&message, (const guint8 *)text, length);
  while (fp_protobuf_next (&message) && message.field > 0 && message.field < 32)
    {
      if (n++ > 0)
        continue;
      fp_protobuf_init_piece (&type, &message);
      if (message.field == PROFILE_STRING && message.is_piece && message.length == 0)
        continue;
      if (message.field != PROFILE_SAMPLE_TYPE || !fp_protobuf_next (&type) || type.is_piece || type.field > 2)
        return FALSE;
    }
  return n > 0 && (message.at == message.end || message.is_wrong) && (message.is_wrong || message.field < 32);
}

const FpHeapFormat fp_heap_pprof = { "pprof", is_pprof, read_pprof };
