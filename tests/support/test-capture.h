// SPDX-License-Identifier: GPL-3.0-or-later
/* Archives as smemcap makes them of /proc. */
#pragma once

#include <glib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum
{
  CAPTURE_OF_SMEM,    /* smem's own: the oldest form of an archive, in which the folder has the owner */
  CAPTURE_OF_BUSYBOX, /* the same with a mark, and with root as the owner of each folder */
  CAPTURE_OF_TAR,     /* one that tar packed anew: names begin with ./proc/, owners have names, and an end is marked */
} CaptureStyle;

typedef struct
{
  const char *name;
  const char *text; /* NULL: a folder */
  gsize size;
  guint uid;
  const char *user;
  guint64 time;
  char type; /* 0: that of a file or a folder */
} CaptureMember;

#define CAPTURE_BLOCK     512
#define CAPTURE_SIZE      124
#define CAPTURE_CHECKSUM  148
#define CAPTURE_TYPE      156
#define CAPTURE_MAGIC     257
#define CAPTURE_USER_NAME 265

static inline void
capture_sign (char *header)
{
  guint sum = 0;

  memset (header + CAPTURE_CHECKSUM, ' ', 8);
  for (guint i = 0; i < CAPTURE_BLOCK; i++)
    sum += (guchar)header[i];
  g_snprintf (header + CAPTURE_CHECKSUM, 8, "%06o", sum);
}

static inline void
capture_add (GByteArray *bytes,
             CaptureStyle style,
             const CaptureMember *member)
{
  char header[CAPTURE_BLOCK] = { 0 }, padding[CAPTURE_BLOCK] = { 0 };
  guint uid = style == CAPTURE_OF_BUSYBOX && !member->text ? 0 : member->uid;

  g_snprintf (header, 100, "%s%s%s", style == CAPTURE_OF_TAR ? "./proc/" : "", member->name,
              style == CAPTURE_OF_TAR && !member->text ? "/" : "");
  g_snprintf (header + 100, 8, "%07o", member->text ? 0444u : 0555u);
  g_snprintf (header + 108, 8, "%07o", uid);
  g_snprintf (header + 116, 8, "%07o", uid);
  g_snprintf (header + CAPTURE_SIZE, 12, "%011o", (guint)member->size);
  g_snprintf (header + 136, 12, "%011" G_GINT64_MODIFIER "o", member->time);
  header[CAPTURE_TYPE] = member->type ? member->type : member->text ? '0'
                                                                    : '5';
  if (style != CAPTURE_OF_SMEM)
    memcpy (header + CAPTURE_MAGIC, style == CAPTURE_OF_TAR ? "ustar\00000" : "ustar  ", 8);
  if (style == CAPTURE_OF_TAR && member->user)
    g_strlcpy (header + CAPTURE_USER_NAME, member->user, 32);
  capture_sign (header);
  g_byte_array_append (bytes, (const guint8 *)header, sizeof header);
  if (member->size > 0)
    g_byte_array_append (bytes, (const guint8 *)member->text, (guint)member->size);
  g_byte_array_append (bytes, (const guint8 *)padding, (guint)(-member->size % CAPTURE_BLOCK));
}

static inline void
capture_end (GByteArray *bytes,
             CaptureStyle style)
{
  const guint8 zeros[2 * CAPTURE_BLOCK] = { 0 };

  if (style == CAPTURE_OF_TAR)
    g_byte_array_append (bytes, zeros, sizeof zeros);
}

/* A file that can't be read is empty there. */
static inline void
capture_add_file (GByteArray *bytes,
                  CaptureStyle style,
                  const char *proc,
                  const char *name,
                  const char *user)
{
  g_autofree char *path = g_build_filename (proc, name, NULL), *text = NULL;
  struct stat st = { 0 };
  gsize size = 0;

  if (stat (path, &st) != 0 || S_ISDIR (st.st_mode) || !g_file_get_contents (path, &text, &size, NULL))
    size = 0;
  capture_add (bytes, style,
               &(CaptureMember){ .name = name, .text = S_ISDIR (st.st_mode) ? NULL : text ? text
                                                                                          : "",
                                 .size = size,
                                 .uid = st.st_uid,
                                 .user = user,
                                 .time = (guint64)MAX (st.st_mtime, 0) });
}

static inline void
capture_begin (GByteArray *bytes,
               CaptureStyle style,
               const char *proc)
{
  capture_add_file (bytes, style, proc, "meminfo", "root");
  capture_add_file (bytes, style, proc, "version", "root");
}

/* user: (nullable) */
static inline void
capture_add_process (GByteArray *bytes,
                     CaptureStyle style,
                     const char *proc,
                     gint pid,
                     const char *user)
{
  static const char *const files[] = { "", "/smaps", "/cmdline", "/stat" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *name = g_strdup_printf ("%d%s", pid, files[i]);

      capture_add_file (bytes, style, proc, name, user);
    }
}
