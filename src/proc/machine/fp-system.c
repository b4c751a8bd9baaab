// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fp-scan.h"
#include "fp-strings.h"
#include "fp-system.h"

#define ZRAM_PREFIX  "/dev/zram"
#define MAX_ZRAM_GAP 3 /* disks are numbered, and may be removed in any order */

#define FP_SYSTEM_FIELD_INFO(id, name, origin, key, unit) \
  { name, key, FP_SYSTEM_ORIGIN_##origin, FP_SYSTEM_UNIT_##unit },

const FpSystemFieldInfo fp_system_field_infos[FP_N_SYSTEM_FIELDS] = {
  FP_SYSTEM_FIELDS (FP_SYSTEM_FIELD_INFO)
};

#undef FP_SYSTEM_FIELD_INFO

static void
set_pages (FpSystem *self,
           FpSystemField field,
           guint64 n_pages)
{
  guint64 figure;

  if (!__builtin_mul_overflow (n_pages, (guint64)sysconf (_SC_PAGESIZE), &figure))
    fp_system_set (self, field, figure);
}

void
fp_system_parse_meminfo (FpSystem *self,
                         const char *text,
                         gsize length)
{
  const char *cursor = text, *end = text + length;
  FpLine line;

  while (fp_scan_line (&cursor, end, &line))
    for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
      if (fp_system_field_infos[field].origin == FP_SYSTEM_ORIGIN_MEMINFO && line.has_value && line.is_kilobytes &&
          fp_line_has_key (&line, fp_system_field_infos[field].key))
        fp_system_set (self, field, line.value);
}

void
fp_system_parse_vmstat (FpSystem *self,
                        const char *text,
                        gsize length)
{
  const char *end = text + length;

  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    {
      const FpSystemFieldInfo *info = &fp_system_field_infos[field];
      gsize key_length = strlen (info->key);
      const char *line = text;
      guint64 number;

      if (info->origin != FP_SYSTEM_ORIGIN_VMSTAT)
        continue;
      while (line && (gsize)(end - line) > key_length &&
             !(memcmp (line, info->key, key_length) == 0 && line[key_length] == ' '))
        line = (line = memchr (line, '\n', end - line)) ? line + 1 : NULL;
      if (!line || (gsize)(end - line) <= key_length + 1 || !g_ascii_isdigit (line[key_length + 1]))
        continue;
      line += key_length + 1;
      number = fp_scan_number (&line, end);
      if (line == end || number == G_MAXUINT64)
        continue;
      if (info->unit == FP_SYSTEM_UNIT_PAGES)
        set_pages (self, field, number);
      else
        fp_system_set (self, field, number);
    }
}

/* "some avg10=1.23 avg60=0.00 avg300=0.00 total=456"; shares of time are kept in hundredths of a percent, the total of all
 * time is in microseconds. */
void
fp_system_parse_pressure (FpSystem *self,
                          const char *text,
                          gsize length)
{
  const char *end = text + length;

  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    {
      const char *key = fp_system_field_infos[field].key;
      const char *line, *line_end, *at;
      guint64 whole;

      if (fp_system_field_infos[field].origin != FP_SYSTEM_ORIGIN_PRESSURE)
        continue;
      if (!(line = memmem (text, length, key, 5)))
        continue;
      line_end = memchr (line, '\n', end - line);
      line_end = line_end ? line_end : end;
      if (!(at = memmem (line, line_end - line, key + 5, strlen (key + 5))))
        continue;
      at += strlen (key + 5);
      if (at >= end || !g_ascii_isdigit (*at))
        continue;
      whole = fp_scan_number (&at, end);
      if (fp_system_field_infos[field].unit == FP_SYSTEM_UNIT_COUNT)
        {
          if (at < end && whole != G_MAXUINT64) /* else it may have been cut */
            fp_system_set (self, field, whole);
        }
      else if (whole <= 100 && end - at >= 3 && *at == '.' && g_ascii_isdigit (at[1]) && g_ascii_isdigit (at[2]))
        fp_system_set (self, field, whole * 100 + (guint64)(at[1] - '0') * 10 + (guint64)(at[2] - '0'));
    }
}

/* The fourth field is "running/all" of the tasks of the whole machine. */
void
fp_system_parse_loadavg (FpSystem *self,
                         const char *text,
                         gsize length)
{
  const char *end = text + length;
  const char *slash = memchr (text, '/', length);

  if (slash && slash + 1 < end && g_ascii_isdigit (slash[1]))
    {
      guint64 n_tasks;

      slash++;
      n_tasks = fp_scan_number (&slash, end);
      if (slash < end)
        fp_system_set (self, FP_SYSTEM_TASKS, n_tasks);
    }
}

/* Blanks, tabs, newlines and backslashes of a name are written in octal, as \040. */
static gsize
unescape_octal (char *name,
                gsize size,
                const char *raw,
                gsize length)
{
  gsize used = 0;

  for (gsize i = 0; i < length && used < size; used++)
    if (raw[i] == '\\' && i + 3 < length && raw[i + 1] >= '0' && raw[i + 1] <= '3' && raw[i + 2] >= '0' &&
        raw[i + 2] <= '7' && raw[i + 3] >= '0' && raw[i + 3] <= '7')
      {
        name[used] = (char)((raw[i + 1] - '0') << 6 | (raw[i + 2] - '0') << 3 | (raw[i + 3] - '0'));
        i += 4;
      }
    else
      name[used] = raw[i++];
  return used;
}

static gboolean
parse_swap (FpSwap *swap,
            const char *line,
            const char *end)
{
  const char *name_end = memchr (line, ' ', end - line), *type;
  const char *tab = memchr (line, '\t', end - line);
  char raw[sizeof swap->name];
  guint64 priority;
  gboolean negative;

  if (!name_end || (tab && tab < name_end))
    name_end = tab;
  if (!name_end || name_end == line)
    return FALSE;
  *swap = (FpSwap){ 0 };
  fp_text_clean (swap->name, sizeof swap->name, raw, unescape_octal (raw, sizeof raw, line, name_end - line));

  type = fp_scan_blanks (name_end, end);
  /* A removed swap file has " (deleted)", escaped, in its name and is still a file. */
  swap->type = end - type >= 4 && memcmp (type, "file", 4) == 0 ? FP_SWAP_FILE : FP_SWAP_PARTITION;
  if (g_str_has_prefix (swap->name, ZRAM_PREFIX))
    {
      swap->type = FP_SWAP_ZRAM;
      swap->stored = swap->compressed = swap->cost = FP_SWAP_UNKNOWN;
    }
  while (type < end && *type != ' ' && *type != '\t')
    type++;
  type = fp_scan_blanks (type, end);
  if (type == end || !g_ascii_isdigit (*type))
    return FALSE;
  if (__builtin_mul_overflow (fp_scan_number (&type, end), 1024, &swap->size))
    return FALSE;
  type = fp_scan_blanks (type, end);
  if (type == end || !g_ascii_isdigit (*type))
    return FALSE;
  if (__builtin_mul_overflow (fp_scan_number (&type, end), 1024, &swap->used))
    return FALSE;
  if (type == end) /* it may have been cut */
    return FALSE;
  type = fp_scan_blanks (type, end);
  if ((negative = type < end && *type == '-'))
    type++;
  priority = fp_scan_number (&type, end);
  swap->priority = (gint)MIN (priority, G_MAXINT16) * (negative ? -1 : 1);
  return TRUE;
}

void
fp_system_parse_swaps (FpSystem *self,
                       const char *text,
                       gsize length)
{
  const char *end = text + length;
  const char *line = memchr (text, '\n', length);

  self->n_swaps = 0;
  while (line && ++line < end && self->n_swaps < FP_MAX_SWAPS)
    {
      const char *newline = memchr (line, '\n', end - line);

      if (parse_swap (&self->swaps[self->n_swaps], line, newline ? newline : end))
        self->n_swaps++;
      line = newline;
    }
}

/* mm_stat: orig_data_size compr_data_size mem_used_total … in bytes; the third is what it costs. */
gboolean
fp_swap_parse_zram (FpSwap *self,
                    const char *mm_stat,
                    gsize length)
{
  guint64 *figures[] = { &self->stored, &self->compressed, &self->cost };
  const char *cursor = mm_stat, *end = mm_stat + length;

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      const char *start = cursor = fp_scan_blanks (cursor, end);

      *figures[i] = fp_scan_number (&cursor, end);
      if (cursor == start || cursor == end)
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_number (int dir_fd,
             const char *name,
             guint64 *number)
{
  char text[32];
  const char *cursor = text;
  gssize length = fp_read_record_at (dir_fd, name, text, sizeof text);

  if (length <= 0 || !g_ascii_isdigit (*text))
    return FALSE;
  *number = fp_scan_number (&cursor, text + length);
  return TRUE;
}

/* Lines "count: 63" under "pagesets" of zoneinfo: free pages that each processor keeps at hand. MemFree leaves them
 * out, and since Linux 6.7 they may be hundreds of MiB after much was freed. */
guint64
fp_system_count_pages_at_hand (const char *lines,
                               gsize length)
{
  const char *cursor = lines, *end = lines + length;
  guint64 n_pages = 0;
  FpLine line;

  while (fp_scan_line (&cursor, end, &line))
    {
      const char *key = fp_scan_blanks (line.key, line.text);

      if (line.has_value && line.key + line.key_length - key == 5 && memcmp (key, "count", 5) == 0 &&
          line.value < G_MAXUINT32)
        n_pages += line.value;
    }
  return n_pages;
}

static void
add_pages_at_hand (gpointer data,
                   const char *line,
                   const char *end)
{
  *(guint64 *)data += fp_system_count_pages_at_hand (line, (gsize)(end - line));
}

/* The file has a part for each zone and, in it, one for each processor. */
static void
read_pages_at_hand (FpSystem *self,
                    int proc_fd)
{
  g_auto (FpFd) fd = openat (proc_fd, "zoneinfo", O_RDONLY | O_CLOEXEC);
  guint64 n_pages = 0;

  if (fd >= 0 && fp_read_lines (fd, add_pages_at_hand, &n_pages))
    set_pages (self, FP_SYSTEM_FREE_AT_HAND, n_pages);
}

/* FALSE: there is no such disk. */
static gboolean
add_zram (FpSystem *self,
          FpSwap *total,
          int sys_fd,
          guint number)
{
  char path[64], name[32], text[256];
  FpSwap disk;
  gssize length;

  g_snprintf (path, sizeof path, "block/zram%u/mm_stat", number);
  length = fp_read_record_at (sys_fd, path, text, sizeof text);
  if (length < 0 || !fp_swap_parse_zram (&disk, text, (gsize)length))
    return length >= 0;
  total->stored += disk.stored;
  total->compressed += disk.compressed;
  total->cost += disk.cost;
  fp_system_set (self, FP_SYSTEM_ZRAM_STORED, total->stored);
  fp_system_set (self, FP_SYSTEM_ZRAM_COMPRESSED, total->compressed);
  fp_system_set (self, FP_SYSTEM_ZRAM_USED, total->cost);
  g_snprintf (name, sizeof name, ZRAM_PREFIX "%u", number);
  for (guint i = 0; i < self->n_swaps; i++)
    if (strcmp (self->swaps[i].name, name) == 0)
      {
        self->swaps[i].stored = disk.stored;
        self->swaps[i].compressed = disk.compressed;
        self->swaps[i].cost = disk.cost;
      }
  return TRUE;
}

/* Every zram disk costs RAM, whether it is used for swap or holds a file system. */
static void
read_zram (FpSystem *self,
           int sys_fd)
{
  FpSwap total = { 0 };
  guint n_asked = 0, n_missing = 0;

  for (; n_asked < FP_MAX_SWAPS && n_missing <= MAX_ZRAM_GAP; n_asked++)
    n_missing += !add_zram (self, &total, sys_fd, n_asked);
  for (guint i = 0; i < self->n_swaps; i++)
    {
      const char *name = self->swaps[i].name;
      guint64 number;

      if (g_str_has_prefix (name, ZRAM_PREFIX) &&
          g_ascii_string_to_unsigned (name + strlen (ZRAM_PREFIX), 10, n_asked, G_MAXINT, &number, NULL) &&
          !fp_swap_has_cost (&self->swaps[i]))
        add_zram (self, &total, sys_fd, (guint)number);
    }
}

static void
read_ksm (FpSystem *self,
          int sys_fd)
{
  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    {
      const FpSystemFieldInfo *info = &fp_system_field_infos[field];
      char path[64];
      guint64 n_pages;

      if (info->origin != FP_SYSTEM_ORIGIN_KSM)
        continue;
      g_snprintf (path, sizeof path, "kernel/mm/ksm/%s", info->key);
      if (read_number (sys_fd, path, &n_pages))
        set_pages (self, field, n_pages);
    }
}

static void
read_huge_pools (FpSystem *self,
                 int sys_fd)
{
  /* All sizes that any architecture has, in kB; asking for each is cheaper than listing the folder. */
  static const guint64 sizes[] = { 64, 1024, 2048, 16384, 32768, 262144, 524288, 1048576, 2097152, 16777216 };

  self->n_huge_pools = 0;
  for (guint i = 0; i < G_N_ELEMENTS (sizes) && self->n_huge_pools < FP_MAX_HUGE_POOLS; i++)
    {
      FpHugePool *pool = &self->huge_pools[self->n_huge_pools];
      g_auto (FpFd) dir_fd = -1;
      char path[64];

      g_snprintf (path, sizeof path, "kernel/mm/hugepages/hugepages-%" G_GUINT64_FORMAT "kB", sizes[i]);
      if ((dir_fd = openat (sys_fd, path, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
        continue;
      *pool = (FpHugePool){ .page_size = sizes[i] * 1024 };
      if (read_number (dir_fd, "nr_hugepages", &pool->n_total) &&
          read_number (dir_fd, "free_hugepages", &pool->n_free) &&
          read_number (dir_fd, "resv_hugepages", &pool->n_reserved) &&
          read_number (dir_fd, "surplus_hugepages", &pool->n_surplus))
        self->n_huge_pools++;
    }
}

/* The number of tasks is read by itself, just before the processes are listed, because tasks come and go. */
gboolean
fp_system_read_tasks (const FpProcDir *proc,
                      guint64 *n_tasks)
{
  FpSystem system = { 0 };
  char text[256];
  gssize length = fp_read_at (proc->fd, "loadavg", text, sizeof text);

  if (length > 0)
    fp_system_parse_loadavg (&system, text, (gsize)length);
  *n_tasks = fp_system_get (&system, FP_SYSTEM_TASKS);
  return fp_system_has (&system, FP_SYSTEM_TASKS);
}

void
fp_system_read (FpSystem *self,
                const FpProcDir *proc)
{
  static const struct
  {
    const char *name;
    void (*parse) (FpSystem *self, const char *text, gsize length);
  } files[] = {
    { "meminfo", fp_system_parse_meminfo },
    { "vmstat", fp_system_parse_vmstat },
    { "pressure/memory", fp_system_parse_pressure },
    { "swaps", fp_system_parse_swaps },
  };
  g_auto (FpFd) sys_fd = -1;
  char text[16384];

  self->present = 0;
  self->n_swaps = self->n_huge_pools = 0;
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      gssize length = fp_read_at (proc->fd, files[i].name, text, sizeof text);

      if (length > 0)
        files[i].parse (self, text, (gsize)length);
    }

  read_pages_at_hand (self, proc->fd);

  /* Beside /proc is /sys, in a recorded tree too. */
  if ((sys_fd = openat (proc->fd, "../sys", O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0)
    return;
  read_zram (self, sys_fd);
  read_ksm (self, sys_fd);
  read_huge_pools (self, sys_fd);
}

gboolean
fp_system_get_swap_used (const FpSystem *self,
                         guint64 *used)
{
  guint64 total = fp_system_get (self, FP_SYSTEM_SWAP_TOTAL), free = fp_system_get (self, FP_SYSTEM_SWAP_FREE);

  *used = total > free ? total - free : 0;
  return fp_system_has (self, FP_SYSTEM_SWAP_TOTAL) && fp_system_has (self, FP_SYSTEM_SWAP_FREE);
}

/* FALSE: what a zram disk for swap costs could not be read, as where /sys is not shown. */
gboolean
fp_system_knows_zram (const FpSystem *self)
{
  for (guint i = 0; i < self->n_swaps; i++)
    if (self->swaps[i].type == FP_SWAP_ZRAM && !fp_swap_has_cost (&self->swaps[i]))
      return FALSE;
  return TRUE;
}

/* Adds up the zram disks that hold a file system, or anything but swap. FALSE: there is none, or the list of swap areas is not
 * whole, so that nothing tells them apart. */
gboolean
fp_system_get_plain_zram (const FpSystem *self,
                          guint64 *stored,
                          guint64 *cost)
{
  guint64 swap_stored = 0, swap_cost = 0, size = 0;

  for (guint i = 0; i < self->n_swaps; i++)
    {
      size += self->swaps[i].size;
      if (!fp_swap_has_cost (&self->swaps[i]))
        continue;
      swap_stored += self->swaps[i].stored;
      swap_cost += self->swaps[i].cost;
    }
  *stored = fp_system_get (self, FP_SYSTEM_ZRAM_STORED) - MIN (fp_system_get (self, FP_SYSTEM_ZRAM_STORED), swap_stored);
  *cost = fp_system_get (self, FP_SYSTEM_ZRAM_USED) - MIN (fp_system_get (self, FP_SYSTEM_ZRAM_USED), swap_cost);
  if (size < fp_system_get (self, FP_SYSTEM_SWAP_TOTAL))
    *stored = *cost = 0;
  return *cost > 0;
}
