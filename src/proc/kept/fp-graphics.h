// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FP_GRAPHICS_DRM,
  FP_GRAPHICS_DMABUF,
} FpGraphicsKind;

#define FP_GRAPHICS_NAME_SIZE 64

/* The memory of one client of a graphics driver, or one buffer, once however many processes hold it. */
typedef struct
{
  FpGraphicsKind kind;
  guint64 id;                         /* the client's id with its driver and device, or the buffer's inode */
  char driver[FP_GRAPHICS_NAME_SIZE]; /* a buffer's is its exporter */
  char device[FP_GRAPHICS_NAME_SIZE]; /* its place on the bus; empty where the driver does not tell, and of a buffer */
  gint32 pid;                         /* the first that holds it */
  guint n_holders;
  guint64 in_ram;      /* resident, in the machine's memory */
  guint64 on_card;     /* resident, in the card's own; also what the firmware took from the machine's before MemTotal */
  guint64 allocated;   /* resident or not */
  guint64 shared;      /* of in_ram, what other clients have, too: a sum over clients counts it more than once */
  guint64 purgeable;   /* of in_ram, what the driver may drop when memory is needed */
  gboolean has_in_ram; /* FALSE: the driver tells no more than what is allocated */
  gboolean is_shmem;   /* it lies in Shmem already, so that it must not be counted twice */
} FpGraphics;

gboolean fp_graphics_parse_client (FpGraphics *self, const char *fdinfo, gsize length);
gboolean fp_graphics_parse_buffer (FpGraphics *self, const char *fdinfo, gsize length);
gboolean fp_graphics_is_same (const FpGraphics *a, const FpGraphics *b);
guint fp_graphics_hash (gconstpointer data);
gboolean fp_graphics_equal (gconstpointer a, gconstpointer b);

G_END_DECLS
