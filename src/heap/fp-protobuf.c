// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-protobuf.h"

enum
{
  NUMBER = 0,
  FIXED_64 = 1,
  PIECE = 2,
  FIXED_32 = 5,
};

void
fp_protobuf_init (FpProtobuf *self,
                  const guint8 *data,
                  gsize length)
{
  *self = (FpProtobuf){ .at = data, .end = data + length };
}

void
fp_protobuf_init_piece (FpProtobuf *self,
                        const FpProtobuf *outer)
{
  fp_protobuf_init (self, outer->piece, outer->is_piece ? outer->length : 0);
}

static gboolean
read_number (FpProtobuf *self,
             guint64 *number)
{
  *number = 0;
  for (guint shift = 0; shift < 64 && self->at < self->end; shift += 7)
    {
      guint8 byte = *self->at++;

      *number |= (guint64)(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        return TRUE;
    }
  self->is_wrong = TRUE;
  return FALSE;
}

static gboolean
skip (FpProtobuf *self,
      gsize length)
{
  if ((gsize)(self->end - self->at) < length)
    {
      self->is_wrong = TRUE;
      return FALSE;
    }
  self->at += length;
  return TRUE;
}

gboolean
fp_protobuf_next (FpProtobuf *self)
{
  guint64 key, length;

  if (self->at == self->end || self->is_wrong || !read_number (self, &key))
    return FALSE;
  self->field = (guint)MIN (key >> 3, G_MAXUINT);
  self->is_piece = FALSE;
  self->number = 0;
  self->piece = self->at;
  self->length = 0;
  switch (key & 7)
    {
    case NUMBER:
      return read_number (self, &self->number);
    case FIXED_64:
      return skip (self, 8);
    case FIXED_32:
      return skip (self, 4);
    case PIECE:
      if (!read_number (self, &length))
        return FALSE;
      self->piece = self->at;
      self->length = (gsize)length;
      self->is_piece = TRUE;
      return length <= G_MAXSSIZE && skip (self, (gsize)length);
    default:
      self->is_wrong = TRUE;
      return FALSE;
    }
}

/* Gets the next number of the field that was read last: of a packed list one after the other, else the only one. */
gboolean
fp_protobuf_next_packed (FpProtobuf *self,
                         guint64 *number)
{
  FpProtobuf list;

  if (!self->is_piece)
    {
      *number = self->number;
      self->is_piece = TRUE;
      self->length = 0;
      return TRUE;
    }
  if (self->length == 0)
    return FALSE;
  fp_protobuf_init_piece (&list, self);
  if (!read_number (&list, number))
    return FALSE;
  self->length -= (gsize)(list.at - self->piece);
  self->piece = list.at;
  return TRUE;
}
