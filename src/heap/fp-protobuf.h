// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A message of Protocol Buffers, and the field that was read last. A field is a number or a piece of bytes, which may be a
 * message again or a packed list of numbers. */
typedef struct
{
  const guint8 *at;
  const guint8 *end;
  guint field;
  gboolean is_piece;
  guint64 number;
  const guint8 *piece;
  gsize length;
  gboolean is_wrong; /* it ends within a field */
} FpProtobuf;

void fp_protobuf_init (FpProtobuf *self, const guint8 *data, gsize length);
void fp_protobuf_init_piece (FpProtobuf *self, const FpProtobuf *outer);
gboolean fp_protobuf_next (FpProtobuf *self);
gboolean fp_protobuf_next_packed (FpProtobuf *self, guint64 *number);

G_END_DECLS
