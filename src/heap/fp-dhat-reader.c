// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-heap-formats.h"
#include "fp-heap-json.h"
#include "fp-valgrind-frame.h"

/* A point of the program; its frames, the innermost first, are in an array for all of them. */
typedef struct
{
  FpHeapStack sums;
  guint32 first;
  guint32 n;
} Point;

/* The frames stand behind the points in the file. */
typedef struct
{
  FpHeapBuilder *builder;
  FpHeapJson json;
  GArray *points; /* of Point */
  GArray *path;   /* of guint32: numbers of frames in the file */
  GArray *frames; /* of guint32: numbers of frames in the profile */
  GString *text;
  gboolean has_lives; /* whether it knows what was in use */
  guint64 per_ms;     /* 0: times are instructions or bytes */
  guint64 end, peak;
} Dhat;

static void
read_path (Dhat *self,
           Point *point)
{
  point->first = self->path->len;
  if (!fp_heap_json_enter (&self->json, '['))
    return;
  while (fp_heap_json_next_element (&self->json))
    {
      guint64 number = fp_heap_json_read_number (&self->json);
      guint32 frame = (guint32)MIN (number, G_MAXUINT32);

      g_array_append_val (self->path, frame);
    }
  point->n = self->path->len - point->first;
}

static void
read_point (Dhat *self)
{
  Point point = { 0 };

  if (!fp_heap_json_enter (&self->json, '{'))
    return;
  while (fp_heap_json_next_member (&self->json, self->text))
    {
      const char *name = self->text->str;

      if (strcmp (name, "tbk") == 0)
        point.sums.calls = fp_heap_json_read_number (&self->json);
      else if (strcmp (name, "gb") == 0)
        point.sums.peak.bytes = fp_heap_json_read_number (&self->json);
      else if (strcmp (name, "gbk") == 0)
        point.sums.peak.blocks = fp_heap_json_read_number (&self->json);
      else if (strcmp (name, "eb") == 0)
        point.sums.leaked.bytes = fp_heap_json_read_number (&self->json);
      else if (strcmp (name, "ebk") == 0)
        point.sums.leaked.blocks = fp_heap_json_read_number (&self->json);
      else if (strcmp (name, "fs") == 0)
        read_path (self, &point);
      else
        fp_heap_json_skip (&self->json);
    }
  if (!self->json.is_wrong)
    g_array_append_val (self->points, point);
}

static void
read_frames (Dhat *self)
{
  if (!fp_heap_json_enter (&self->json, '['))
    return;
  while (fp_heap_json_next_element (&self->json))
    {
      guint32 frame = 0;

      fp_heap_json_read_text (&self->json, self->text);
      if (strcmp (self->text->str, "[root]") != 0 && !self->json.is_wrong)
        frame = fp_valgrind_frame_add (self->builder, self->text->str);
      g_array_append_val (self->frames, frame);
    }
}

static void
read_unit (Dhat *self)
{
  fp_heap_json_read_text (&self->json, self->text);
  if (strcmp (self->text->str, "ms") == 0)
    self->per_ms = 1;
  else if (strcmp (self->text->str, "µs") == 0 || strcmp (self->text->str, "us") == 0)
    self->per_ms = 1000;
}

static void
read_member (Dhat *self)
{
  FpHeapProfile *profile = self->builder->profile;
  const char *name = self->text->str;

  if (strcmp (name, "bklt") == 0)
    {
      self->has_lives = self->json.end - self->json.at > 4 && memchr (self->json.at, 't', 4);
      fp_heap_json_skip (&self->json);
    }
  else if (strcmp (name, "cmd") == 0)
    {
      fp_heap_json_read_text (&self->json, self->text);
      g_free (profile->command);
      profile->command = g_utf8_make_valid (self->text->str, -1);
    }
  else if (strcmp (name, "tu") == 0)
    read_unit (self);
  else if (strcmp (name, "te") == 0)
    self->end = fp_heap_json_read_number (&self->json);
  else if (strcmp (name, "tg") == 0)
    self->peak = fp_heap_json_read_number (&self->json);
  else if (strcmp (name, "pps") == 0 && fp_heap_json_enter (&self->json, '['))
    while (fp_heap_json_next_element (&self->json))
      read_point (self);
  else if (strcmp (name, "ftbl") == 0)
    read_frames (self);
  else
    fp_heap_json_skip (&self->json);
}

static void
add_point (Dhat *self,
           const Point *point)
{
  FpHeapStack sums = point->sums;

  for (guint i = point->n; i > 0; i--)
    {
      guint32 number = g_array_index (self->path, guint32, point->first + i - 1);
      guint32 frame = number < self->frames->len ? g_array_index (self->frames, guint32, number) : 0;

      if (frame)
        sums.node = fp_heap_builder_add_node (self->builder, frame, sums.node);
    }
  fp_heap_builder_add_sums (self->builder, &sums);
}

static void
dhat_clear (Dhat *self)
{
  g_array_unref (self->points);
  g_array_unref (self->path);
  g_array_unref (self->frames);
  g_string_free (self->text, TRUE);
}

static gboolean
read_dhat (FpHeapInput *input,
           FpHeapBuilder *builder,
           GError **error)
{
  FpHeapProfile *profile = builder->profile;
  Dhat self = { .builder = builder };

  if (fp_heap_input_fill_to (input, FP_HEAP_MAX_TEXT))
    return fp_heap_refuse (error, _ ("it is too large"));
  self.json = (FpHeapJson){ input->text + input->at, input->text + input->end, FALSE };
  self.points = g_array_new (FALSE, FALSE, sizeof (Point));
  self.path = g_array_new (FALSE, FALSE, sizeof (guint32));
  self.frames = g_array_new (FALSE, FALSE, sizeof (guint32));
  self.text = g_string_new (NULL);
  if (fp_heap_json_enter (&self.json, '{'))
    while (fp_heap_json_next_member (&self.json, self.text))
      read_member (&self);
  for (guint i = 0; i < self.points->len; i++)
    add_point (&self, &g_array_index (self.points, Point, i));
  profile->known = 1 << FP_HEAP_CALLS | (self.has_lives ? 1 << FP_HEAP_PEAK | 1 << FP_HEAP_LEAKED : 0);
  profile->has_times = self.per_ms > 0;
  profile->duration_ms = self.end / MAX (self.per_ms, 1) * (self.per_ms > 0);
  profile->peak_ms = self.peak / MAX (self.per_ms, 1) * (self.per_ms > 0);
  if (self.json.is_wrong)
    profile->condition = self.json.at >= self.json.end ? FP_HEAP_CUT_OFF : FP_HEAP_DAMAGED;
  dhat_clear (&self);
  return TRUE;
}

static gboolean
is_dhat (const char *text,
         gsize length)
{
  return length > 0 && *text == '{' && memmem (text, length, "\"dhatFileVersion\"", 17);
}

const FpHeapFormat fp_heap_dhat = { "dhat", is_dhat, read_dhat };
