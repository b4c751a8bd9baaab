// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-messages.h"

#define PATIENCE_S 1

struct _FpMessages
{
  GDataInputStream *stream;
  char *of_whom;
  char *last;
  gboolean has_ended;
  GTask *waiting;
  guint timer;
};

FpMessages *
fp_messages_ref (FpMessages *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
messages_clear (gpointer data)
{
  FpMessages *self = data;

  g_object_unref (self->stream);
  g_free (self->of_whom);
  g_free (self->last);
}

void
fp_messages_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, messages_clear);
}

static void
answer (FpMessages *self)
{
  g_autoptr (GTask) waiting = g_steal_pointer (&self->waiting);

  g_clear_handle_id (&self->timer, g_source_remove);
  if (waiting)
    g_task_return_pointer (waiting, g_strdup (self->last), g_free);
}

static void
line_read_cb (GObject *object,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (FpMessages) self = data;
  g_autofree char *line = g_data_input_stream_read_line_finish (self->stream, result, NULL, NULL);

  if (!line)
    {
      self->has_ended = TRUE;
      answer (self);
      return;
    }
  if (*line)
    {
      g_free (self->last);
      self->last = g_utf8_make_valid (line, -1);
      g_message ("%s: %s", self->of_whom, self->last);
    }
  g_data_input_stream_read_line_async (self->stream, G_PRIORITY_LOW, NULL, line_read_cb, fp_messages_ref (self));
}

/* of_whom: before each in the log */
FpMessages *
fp_messages_new (GInputStream *stream,
                 const char *of_whom)
{
  FpMessages *self = g_atomic_rc_box_new0 (FpMessages);

  self->stream = g_data_input_stream_new (stream);
  self->of_whom = g_strdup (of_whom);
  g_data_input_stream_read_line_async (self->stream, G_PRIORITY_LOW, NULL, line_read_cb, fp_messages_ref (self));
  return self;
}

static gboolean
patience_cb (gpointer data)
{
  FpMessages *self = data;

  self->timer = 0;
  answer (self);
  return G_SOURCE_REMOVE;
}

/* Call it once, after the program has ended. It waits PATIENCE_S at most: a child may keep the pipe open. */
void
fp_messages_await_async (FpMessages *self,
                         GAsyncReadyCallback callback,
                         gpointer data)
{
  g_return_if_fail (!self->waiting);

  self->waiting = g_task_new (NULL, NULL, callback, data);
  g_task_set_source_tag (self->waiting, fp_messages_await_async);
  g_task_set_task_data (self->waiting, fp_messages_ref (self), fp_messages_unref);
  if (self->has_ended)
    answer (self);
  else
    self->timer = g_timeout_add_seconds (PATIENCE_S, patience_cb, self);
}

/* The last of them; NULL: it said nothing */
char *
fp_messages_await_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
