// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-looks.h"
#include "fp-visit.h"

#define BATCH 32 /* processes of one errand, because an errand for each would cost as much as its look */

typedef struct
{
  FpProcessId id;
  guint32 uid;
  int stat_fd;
  FpErrandVerdict verdict;
  FpLook look;
  FpStat stat;
} Look;

typedef struct
{
  FpProcessReader *reader; /* a reference */
  guint n;
  Look looks[BATCH];
} Batch;

typedef struct
{
  FpRoster *roster;
  const GArray *carried;
  guint size;   /* of a batch */
  GArray *left; /* (nullable): of a batch that was left behind */
} Looks;

static const FpCarried *
get_carried (const Looks *self,
             guint batch,
             guint i)
{
  return &g_array_index (self->carried, FpCarried, batch * self->size + i);
}

static guint
count (const Looks *self,
       guint batch)
{
  return MIN (self->carried->len - batch * self->size, self->size);
}

/* The kept descriptors go with the errand until it ends. */
static gboolean
begin (gpointer errand,
       gpointer data,
       guint index)
{
  const Looks *self = data;
  FpRoster *roster = self->roster;
  Batch *batch = errand;

  batch->reader = fp_process_reader_ref (roster->reader);
  batch->n = count (self, index);
  for (guint i = 0; i < batch->n; i++)
    {
      guint slot = get_carried (self, index, i)->slot;
      const FpProcess *process = &roster->next->processes[slot];
      Look *look = &batch->looks[i];

      look->id = (FpProcessId){ process->pid, process->start_ticks };
      look->uid = fp_visit_get_payer (&roster->tracked[slot], process);
      look->stat_fd = roster->tracked[slot].stat_fd;
      roster->tracked[slot].stat_fd = -1;
    }
  return TRUE;
}

/* All users are asked about here, because whether a process lives must be known, but for those whose time is over. */
static void
run (gpointer errand,
     FpRunner *runner)
{
  Batch *self = errand;

  for (guint i = 0; i < self->n; i++)
    {
      Look *look = &self->looks[i];

      look->verdict = fp_runner_enter (runner, &look->id, look->uid);
      if (fp_errand_may_look (look->verdict))
        look->look = fp_process_reader_read_stat (self->reader, &look->id, &look->stat_fd, &look->stat);
    }
}

/* Another process may have its PID by now, so it is met as a new one; what it was is found among the dead. */
static void
bury (FpRoster *roster,
      const FpCarried *carried)
{
  FpTracked *tracked = &roster->tracked[carried->slot];
  FpProcess *process = &roster->next->processes[carried->slot];

  roster->former[carried->former] = *tracked;
  *tracked = FP_TRACKED_NEW;
  *process = FP_ROSTER_NEWCOMER (process->pid);
  g_array_append_val (roster->newcomers, carried->slot);
}

/* A process that can't be looked at is known by its folder, which the kernel makes anew for another one with its PID; and
 * for the same one where nothing holds the old one, so that each look at a process without a descriptor notes it again. */
static gboolean
is_same (const FpRoster *roster,
         guint slot)
{
  FpFolder folder;

  return fp_folder_read (&folder, &roster->reader->proc, roster->next->processes[slot].pid) &&
         folder.inode == roster->tracked[slot].folder;
}

/* One that is refused because of others keeps its figures until it is its turn to be walked. */
static void
take_look (const Looks *self,
           const FpCarried *carried,
           const Look *look)
{
  FpRoster *roster = self->roster;
  FpTracked *tracked = &roster->tracked[carried->slot];
  FpProcess *process = &roster->next->processes[carried->slot];
  gboolean is_seen = fp_errand_may_look (look->verdict);
  FpFolder folder;

  tracked->stat_fd = look->stat_fd;
  if (is_seen && look->look == FP_LOOK_ALIVE && look->stat_fd < 0 && fp_folder_read (&folder, &roster->reader->proc, process->pid))
    tracked->folder = folder.inode;
  if (is_seen && look->look == FP_LOOK_ALIVE)
    fp_process_reader_take_stat (roster->reader, tracked, process, &look->stat);
  else if (is_seen || !is_same (roster, carried->slot))
    bury (roster, carried);
  else if (!self->left && look->verdict == FP_ERRAND_REFUSED)
    fp_visit_show_unanswered (roster->reader, tracked, process, roster->now_us);
}

static void
end (gpointer errand,
     gpointer data,
     guint index)
{
  const Looks *self = data;
  Batch *batch = errand;

  for (guint i = 0; i < batch->n; i++)
    take_look (self, get_carried (self, index, i), &batch->looks[i]);
  fp_process_reader_unref (batch->reader);
}

static void
leave (gpointer data,
       guint index,
       FpErrandVerdict verdict)
{
  const Looks *self = data;
  FpRoster *roster = self->roster;
  guint slot = get_carried (self, index, 0)->slot;

  if (self->left)
    g_array_append_vals (self->left, get_carried (self, index, 0), count (self, index));
  else if (is_same (roster, slot))
    fp_visit_leave (roster->reader, &roster->tracked[slot], &roster->next->processes[slot], roster->now_us, verdict);
  else
    bury (roster, get_carried (self, index, 0));
}

static void
clear (gpointer errand)
{
  Batch *self = errand;

  for (guint i = 0; i < self->n; i++)
    fp_process_reader_forget (self->reader, &self->looks[i].stat_fd);
  fp_process_reader_unref (self->reader);
}

static const FpErrandKind looking = { sizeof (Batch), begin, run, end, leave, clear };

static void
look_at (FpRoster *roster,
         const GArray *carried,
         guint size,
         GArray *left)
{
  Looks looks = { roster, carried, size, left };

  fp_errands_run (roster->errands, &looking, &looks, (carried->len + size - 1) / size, FALSE);
}

/* Reads the state of all that were carried over. Those of a batch in which one does not answer are looked at one by one. */
void
fp_looks_take (FpRoster *roster)
{
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (FpCarried));

  look_at (roster, roster->carried, BATCH, left);
  look_at (roster, left, 1, NULL);
}
