// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "fp-clock.h"
#include "fp-control-events.h"
#include "fp-descriptors.h"
#include "fp-control-figures.h"
#include "fp-control-group-reader.h"
#include "fp-control-name.h"
#include "fp-control-tree.h"
#include "fp-control-wait.h"
#include "fp-scan.h"

#define CPU_SHARE      0.0015 /* of one core, for all of it */
#define MAX_SAVED_US   (10 * G_USEC_PER_SEC)
#define MAX_FIRST_US   (100 * 1000) /* for groups that were never read */
#define MIN_READS      4
#define MAX_OWED_US    (5 * G_USEC_PER_SEC)
#define WALK_US        (10 * G_USEC_PER_SEC)
#define FORCED_WALK_US G_USEC_PER_SEC
#define MAX_KEPT_FILES 512
#define CHANGED_WEIGHT 8
#define EVENT_WEIGHT   1000

typedef struct
{
  FpControlGroup group; /* without its place, path and name */
  char *file, *path, *name;
  FpControlWait wait;
  int current; /* memory.current, negative where it is not kept open */
  int watch;
  guint n_walks; /* the last walk that found it */
  gboolean has_changed;
  gboolean has_event;
  gboolean has_waited; /* perhaps, and so have groups in it */
  gboolean is_gone;
} Known;

struct _FpControlGroupReader
{
  FpControlTree tree;
  FpControlEvents events;
  GHashTable *known; /* by id */
  GPtrArray *order;  /* Known, as the folders of the tree */
  GPtrArray *queue;  /* the same, by urgency */
  char stat[256];    /* cgroup.stat at the last walk */
  guint n_walks;
  guint n_kept;
  guint max_kept;
  gboolean has_pressure;
  gboolean must_walk;
  guint64 now_us, walked_us, forced_us, last_us;
  double saved_us; /* CPU time that may be used */
  guint64 n_reads;
};

static void
known_free (gpointer data)
{
  Known *self = data;

  if (self->current >= 0)
    close (self->current);
  g_free (self->file);
  g_free (self->path);
  g_free (self->name);
  g_free (self);
}

/* Only the real root has no type. In a namespace the path of its own group is "/" as well. */
static gboolean
is_of_machine (const FpControlTree *tree)
{
  return faccessat (tree->root, "cgroup.type", F_OK, 0) != 0 && errno == ENOENT;
}

static Known *
known_new (const FpControlTree *tree,
           const FpControlFolder *folder)
{
  Known *self = g_new0 (Known, 1);
  FpControlName name;

  fp_control_name_parse (&name, folder->path, tree->prefix);
  self->group = (FpControlGroup){ .id = folder->id, .depth = folder->depth, .kind = name.kind, .uid = name.uid };
  if (name.kind == FP_CONTROL_KIND_MACHINE && !is_of_machine (tree))
    self->group.kind = FP_CONTROL_KIND_OTHER;
  self->file = g_strdup (folder->file);
  self->path = g_strdup (folder->path);
  self->name = g_strdup (name.text);
  self->current = self->watch = -1;
  self->has_waited = TRUE;
  return self;
}

static Known *
get_known (const FpControlGroupReader *self,
           guint place)
{
  return self->order->pdata[place];
}

static gboolean
is_lost (gpointer id,
         gpointer value,
         gpointer data)
{
  FpControlGroupReader *self = data;
  Known *known = value;

  if (known->n_walks == self->n_walks)
    return FALSE;
  fp_control_events_forget (&self->events, known->watch);
  self->n_kept -= known->current >= 0;
  return TRUE;
}

/* An id is never given twice by the kernel, but a folder elsewhere may come back with it under another path. */
static Known *
find_known (FpControlGroupReader *self,
            const FpControlFolder *folder)
{
  Known *known = g_hash_table_lookup (self->known, &folder->id);

  if (known && !known->is_gone && strcmp (known->file, folder->file) == 0)
    return known;
  if (known)
    {
      fp_control_events_forget (&self->events, known->watch);
      self->n_kept -= known->current >= 0;
    }
  known = known_new (&self->tree, folder);
  g_hash_table_replace (self->known, &known->group.id, known);
  return known;
}

static void
walk (FpControlGroupReader *self)
{
  fp_control_tree_walk (&self->tree);
  self->n_walks++;
  self->walked_us = self->now_us;
  self->must_walk = FALSE;
  g_ptr_array_set_size (self->order, 0);
  for (guint i = 0; i < self->tree.folders->len; i++)
    {
      Known *known = find_known (self, &g_array_index (self->tree.folders, FpControlFolder, i));

      known->n_walks = self->n_walks;
      g_ptr_array_add (self->order, known);
    }
  g_hash_table_foreach_remove (self->known, is_lost, self);
}

/* A group that can't be opened, or comes and goes, asks for a walk in each reading; walks count against the time for
 * figures, but are not limited by it. */
static gboolean
take_forced_walk (FpControlGroupReader *self)
{
  if (!self->must_walk || (self->forced_us > 0 && self->now_us - self->forced_us < FORCED_WALK_US))
    return FALSE;
  self->forced_us = self->now_us;
  return TRUE;
}

/* The kernel counts groups, and those that were removed but still have pages. Where it says nothing, or one came and one
 * went without a trace, the clock decides. */
static gboolean
is_outdated (FpControlGroupReader *self)
{
  char stat[sizeof self->stat];
  gboolean is_same, is_known = fp_read_at (self->tree.root, "cgroup.stat", stat, sizeof stat) > 0;

  is_same = strcmp (stat, self->stat) == 0;
  g_strlcpy (self->stat, stat, sizeof self->stat);
  return !is_known || !is_same || self->now_us - self->walked_us >= WALK_US || take_forced_walk (self);
}

/* One read of a file that is open already says whether the others are worth reading. */
static void
check_memory (FpControlGroupReader *self,
              Known *known)
{
  const FpControlGroup before = known->group;
  char text[32];
  gssize length;

  if (known->current < 0)
    return;
  length = fp_read_record (known->current, text, sizeof text);
  known->is_gone = length < 0;
  self->must_walk |= known->is_gone;
  fp_control_figures_parse (&known->group, "memory.current", text, (gsize)MAX (length, 0));
  if (known->group.figures[FP_CONTROL_MEMORY] != before.figures[FP_CONTROL_MEMORY])
    known->has_changed = TRUE;
}

static void
read_pressure (FpControlGroupReader *self,
               Known *known)
{
  g_autofree char *file = g_strconcat (known->file, "/memory.pressure", NULL);
  const guint64 before = known->group.figures[FP_CONTROL_SOME_US];

  fp_control_figures_read_file (&known->group, self->tree.root, "memory.pressure", file);
  known->has_waited =
      !fp_control_group_has (&known->group, FP_CONTROL_SOME_US) || known->group.figures[FP_CONTROL_SOME_US] != before;
}

/* While a program waits, all groups around it wait, too: where a group did not, none in it did. */
static void
check_pressure (FpControlGroupReader *self,
                guint place)
{
  const guint parent = g_array_index (self->tree.folders, FpControlFolder, place).parent;
  Known *known = get_known (self, place);

  if (parent == FP_CONTROL_NONE || known->group.measured_us == 0 || get_known (self, parent)->has_waited)
    read_pressure (self, known);
  else
    known->has_waited = FALSE;
}

static void
note_event (guint64 id,
            gpointer data)
{
  const FpControlGroupReader *self = data;
  Known *known = g_hash_table_lookup (self->known, &id);

  if (known)
    known->has_event = TRUE;
}

static void
keep_open (FpControlGroupReader *self,
           Known *known,
           int folder)
{
  if (known->current < 0 && self->n_kept < self->max_kept && fp_control_group_has (&known->group, FP_CONTROL_MEMORY))
    {
      known->current = openat (folder, "memory.current", O_RDONLY | O_CLOEXEC);
      self->n_kept += known->current >= 0;
    }
  if (known->watch < 0 && fp_control_group_has (&known->group, FP_CONTROL_OOM_KILLS))
    known->watch = fp_control_events_watch (&self->events, folder, known->group.id);
}

/* A folder that its owner has closed, or for which no descriptor is left, is still there. */
static gboolean
is_removed (int error)
{
  return error == ENOENT || error == ENODEV || error == ENOTDIR || error == ELOOP;
}

/* A group that is removed while it is read would have some of its figures only, so it is looked for once more. */
static void
read_group (FpControlGroupReader *self,
            Known *known)
{
  g_auto (FpFd) folder = fp_control_tree_open_folder (&self->tree, known->file, known->group.id);
  const int error = folder < 0 ? errno : 0;
  const guint64 waited_us = known->group.figures[FP_CONTROL_SOME_US];
  struct stat st;

  self->n_reads++;
  if (folder >= 0)
    {
      fp_control_figures_read (&known->group, folder);
      keep_open (self, known, folder);
    }
  else
    known->group.present = 0;
  known->is_gone = is_removed (error) || fstatat (self->tree.root, known->file, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
                   st.st_ino != known->group.id;
  known->group.measured_us = self->now_us;
  known->has_changed = known->has_event = FALSE;
  known->has_waited |= known->group.figures[FP_CONTROL_SOME_US] != waited_us;
}

static double
get_urgency (const Known *known,
             guint64 now_us)
{
  /* Also where all were read a moment ago, an event comes before age. */
  const double age_us = (double)(now_us - known->group.measured_us) + G_USEC_PER_SEC;

  if (known->group.measured_us == 0)
    return G_MAXDOUBLE;
  return age_us * (known->has_event ? EVENT_WEIGHT : known->has_changed ? CHANGED_WEIGHT
                                                                        : 1);
}

static int
compare_urgencies (gconstpointer a,
                   gconstpointer b,
                   gpointer data)
{
  const FpControlGroupReader *self = data;
  const double x = get_urgency (*(Known *const *)a, self->now_us), y = get_urgency (*(Known *const *)b, self->now_us);

  return (x < y) - (x > y);
}

static guint64
get_cpu_us (void)
{
  return fp_clock_us (CLOCK_THREAD_CPUTIME_ID);
}

static void
read_urgent (FpControlGroupReader *self,
             guint64 begun_us)
{
  g_ptr_array_set_size (self->queue, 0);
  for (guint i = 0; i < self->order->len; i++)
    g_ptr_array_add (self->queue, get_known (self, i));
  g_ptr_array_sort_with_data (self->queue, compare_urgencies, self);
  for (guint i = 0; i < self->queue->len; i++)
    {
      Known *known = self->queue->pdata[i];
      const guint64 used_us = get_cpu_us () - begun_us;

      if (i >= MIN_READS && (known->group.measured_us == 0 ? used_us > MAX_FIRST_US : (double)used_us > self->saved_us))
        break;
      if (!known->is_gone)
        read_group (self, known);
    }
}

static void
take_wait (FpControlGroupReader *self,
           Known *known)
{
  FpControlGroup *group = &known->group;

  if (fp_control_group_has (group, FP_CONTROL_SOME_US))
    fp_control_wait_take (&known->wait, self->now_us, group->figures[FP_CONTROL_SOME_US]);
  else
    known->wait.n = 0;
  fp_control_wait_get (&known->wait, &group->waited_us, &group->waited_over_us);
}

/* The root tells of the machine even where its groups have no figures. */
static void
note_controllers (FpControlGroups *list)
{
  for (guint i = 0; i < list->n; i++)
    {
      const FpControlGroup *group = &list->groups[i];

      list->has_memory |= (i > 0 || list->n == 1) && (group->present & (FP_CONTROL_BIT (MEMORY) | FP_CONTROL_BIT (ANON))) != 0;
      list->has_pressure |= fp_control_group_has (group, FP_CONTROL_SOME_US);
    }
}

/* A group that is gone is left out, and so are those that were in it. */
static FpControlGroups *
make_list (FpControlGroupReader *self)
{
  FpControlGroups *list = fp_control_groups_new (self->order->len);
  g_autofree guint *places = g_new (guint, self->order->len);

  for (guint i = 0; i < self->order->len; i++)
    {
      const guint parent = g_array_index (self->tree.folders, FpControlFolder, i).parent;
      Known *known = get_known (self, i);
      FpControlGroup *group = &list->groups[list->n];

      places[i] = FP_CONTROL_NONE;
      self->must_walk |= known->is_gone;
      if (known->is_gone || (parent != FP_CONTROL_NONE && places[parent] == FP_CONTROL_NONE))
        continue;
      take_wait (self, known);
      places[i] = list->n++;
      *group = known->group;
      group->parent = parent == FP_CONTROL_NONE ? FP_CONTROL_NONE : places[parent];
      group->path = g_string_chunk_insert (list->texts, known->path);
      group->name = g_string_chunk_insert (list->texts, known->name);
    }
  list->is_cut = self->tree.is_cut;
  note_controllers (list);
  fp_control_groups_seal (list);
  return list;
}

static FpControlGroupReader *
reader_new (FpControlTree *tree)
{
  FpControlGroupReader *self = g_new0 (FpControlGroupReader, 1);

  self->tree = *tree;
  self->known = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, known_free);
  self->order = g_ptr_array_new ();
  self->max_kept = MIN (fp_descriptors_raise_limit () / 4, MAX_KEPT_FILES);
  self->queue = g_ptr_array_new ();
  self->has_pressure = TRUE;
  self->saved_us = CPU_SHARE * MAX_SAVED_US;
  fp_control_events_init (&self->events);
  return self;
}

FpControlGroupReader *
fp_control_group_reader_new (const FpProcDir *proc,
                             GError **error)
{
  FpControlTree tree;

  if (fp_control_tree_open (&tree, proc, error))
    return reader_new (&tree);
  fp_control_tree_close (&tree);
  return NULL;
}

/* path: a folder that stands for the root of the file system; prefix: its path in the kernel's own tree */
FpControlGroupReader *
fp_control_group_reader_new_at (const char *path,
                                const char *prefix,
                                GError **error)
{
  FpControlTree tree;

  if (fp_control_tree_open_at (&tree, path, prefix, error))
    return reader_new (&tree);
  fp_control_tree_close (&tree);
  return NULL;
}

void
fp_control_group_reader_free (FpControlGroupReader *self)
{
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->order);
  g_ptr_array_unref (self->queue);
  fp_control_events_clear (&self->events);
  fp_control_tree_close (&self->tree);
  g_free (self);
}

guint64
fp_control_group_reader_get_n_reads (const FpControlGroupReader *self)
{
  return self->n_reads;
}

/* Reads what changed, and the oldest of the rest, as far as the time allows that the reader may take in the long run. */
FpControlGroups *
fp_control_group_reader_read (FpControlGroupReader *self)
{
  const guint64 begun_us = get_cpu_us ();
  FpControlGroups *list;

  self->now_us = fp_clock_us (CLOCK_BOOTTIME);
  if (self->last_us > 0)
    self->saved_us += CPU_SHARE * (double)(self->now_us - self->last_us);
  self->saved_us = MIN (self->saved_us, CPU_SHARE * MAX_SAVED_US);
  self->last_us = self->now_us;

  if (is_outdated (self))
    walk (self);
  fp_control_events_take (&self->events, note_event, self);
  for (guint i = 0; i < self->order->len; i++)
    check_memory (self, get_known (self, i));
  if (take_forced_walk (self))
    walk (self);
  for (guint i = 0; i < self->order->len && (self->has_pressure || self->walked_us == self->now_us); i++)
    check_pressure (self, i);
  read_urgent (self, begun_us);
  list = make_list (self);
  self->has_pressure = list->has_pressure;
  self->saved_us = MAX (self->saved_us - (double)(get_cpu_us () - begun_us), -CPU_SHARE * MAX_OWED_US);
  return list;
}
