// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <stdio.h>

#include "fp-segments.h"

#define MAX_PAGE 65536 /* of any machine; a segment is whole pages */

#define TO_BE_REMOVED 01000 /* SHM_DEST */

/* /proc/sysvipc/shm, below its line of titles */
FpSegments *
fp_segments_parse (const char *text,
                   gboolean all_go)
{
  FpSegments *self = g_array_new (FALSE, FALSE, sizeof (FpSegment));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (char **line = lines; *line; line++)
    {
      FpSegment segment;
      unsigned permissions;

      if (sscanf (*line,
                  "%*d %" G_GUINT64_FORMAT " %o %" G_GUINT64_FORMAT " %d %*d %" G_GUINT64_FORMAT
                  " %u %*u %*u %*u %*d %*d %*d %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                  &segment.id, &permissions, &segment.size, &segment.creator_pid, &segment.n_attached, &segment.uid, &segment.resident,
                  &segment.swap) != 8)
        continue;
      segment.goes_with_last = all_go || (permissions & TO_BE_REMOVED);
      g_array_append_val (self, segment);
    }
  return self;
}

/* Reads the segments of our IPC namespace only; those of a process in another are not found. */
FpSegments *
fp_segments_read (const FpProcDir *proc)
{
  static const gsize size = 1 << 20;
  g_autofree char *text = g_malloc (size);
  char all_go[8];

  if (fp_read_at (proc->fd, "sysvipc/shm", text, size) < 0)
    text[0] = '\0';
  fp_read_at (proc->fd, "sys/kernel/shm_rmid_forced", all_go, sizeof all_go);
  return fp_segments_parse (text, all_go[0] == '1');
}

/* The kernel counts huge pages of a segment many times (seen with 6.18), and they are the pool's. */
gboolean
fp_segment_is_of_pool (const FpSegment *self)
{
  return self->resident + self->swap > self->size + MAX_PAGE;
}

gboolean
fp_segments_find (const FpSegments *self,
                  guint64 id,
                  FpSegment *segment)
{
  for (guint i = 0; i < self->len; i++)
    if (g_array_index (self, FpSegment, i).id == id)
      {
        *segment = g_array_index (self, FpSegment, i);
        return TRUE;
      }
  return FALSE;
}
