// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <string.h>

#include "fp-clock.h"
#include "fp-estimate.h"
#include "fp-giant-reading.h"
#include "fp-giants.h"
#include "fp-sharing.h"
#include "fp-visit.h"

#define PERIOD_US       (50 * G_USEC_PER_SEC) /* so that no figure is older than a minute */
#define WIDE_PART       50                    /* a range is wide if it is more than this part of RSS */
#define WHOLE_PART      1000                  /* rest after a longer hold than a piece takes, in multiples of it */
#define URGENT_PAUSE    50                    /* pause before a wide range is read, in multiples of the time spent */
#define CALM_PAUSE      200                   /* pause before any other reading, likewise */
#define PTE_REACH       512                   /* bytes of memory for each byte of page tables */
#define URGENCY         8
#define PENDING_MINIMUM ((guint64)16 * 1024 * 1024) /* of RSS; a total can do without a smaller process that waits */

typedef struct
{
  FpProcessId id;
  FpImage image;
  guint slot;
  gboolean is_there;
  gboolean is_new;
  gboolean is_measured; /* it has been read once */
  gboolean has_no_page_map;
  gboolean page_map_is_vague; /* it left the range wide */
  gboolean has_strangers;     /* more pages are shared than partners can explain: by KSM, or they may not be seen */
  guint64 read_us;
  guint64 counted_us; /* later than read_us, and all its pages were counted by then */
  guint64 read_sweep;
  guint64 whole_rest_us; /* not read whole before */
  guint64 hold_us;       /* the longest that its lock is held when smaps is read, 0: not known */
  guint64 hold_rss;      /* and its RSS then */
  FpEstimate estimate;
  FpSharing sharing;
} Giant;

struct _FpGiants
{
  guint64 giant_us;
  FpRotationMode mode;
  guint n_sweeps;
  GPtrArray *giants;
  GArray *changes;
  guint64 fault_reach;
  guint64 sweep;
  guint64 now_us;

  /* The one reading that is under way */
  Giant *read;
  FpGiantReading *reading;
  FpMoment read_since;
  guint64 spent_us;
  guint64 spent_until_us;
  FpGiantHolds holds;
};

static void
giant_free (gpointer data)
{
  Giant *giant = data;

  fp_sharing_clear (&giant->sharing);
  g_free (giant);
}

FpGiants *
fp_giants_new (guint64 giant_us,
               FpRotationMode mode,
               guint n_sweeps)
{
  FpGiants *self = g_new0 (FpGiants, 1);

  self->giant_us = giant_us;
  self->mode = mode;
  self->n_sweeps = n_sweeps;
  self->changes = g_array_new (FALSE, FALSE, sizeof (FpSharingChange));
  self->giants = g_ptr_array_new_with_free_func (giant_free);
  self->reading = fp_giant_reading_new ();
  return self;
}

void
fp_giants_free (FpGiants *self)
{
  fp_giant_reading_free (self->reading);
  g_ptr_array_unref (self->giants);
  g_array_unref (self->changes);
  g_free (self);
}

const FpGiantHolds *
fp_giants_get_holds (const FpGiants *self)
{
  return &self->holds;
}

/* A walk also visits what is mapped and no part of RSS, such as a terabyte of zeros that were only read. A page table of 4 KiB
 * is for 2 MiB, and tables of ordinary programs are about half full. */
static guint64
predict_cost_us (const FpProcess *process,
                 guint64 rss)
{
  return fp_predict_cost_us (MAX (rss, fp_memory_get (&process->memory, FP_FIELD_PTE) * PTE_REACH / 2));
}

/* By stat's RSS, which is of now: what is shown may be of the last walk. It is 0 once the main thread has exited. */
gboolean
fp_giants_includes (const FpGiants *self,
                    const FpProcessReader *reader,
                    const FpTracked *tracked,
                    const FpProcess *process)
{
  double rss = (double)tracked->stat.fingerprint.rss_pages * (double)reader->page_size;

  if (process->main_thread_exited)
    rss = (double)fp_memory_get (&process->memory, FP_FIELD_RSS);
  if (process->cost_us > 0 && tracked->walked_rss > 0)
    return process->cost_us * (rss / (double)tracked->walked_rss) > (double)self->giant_us;
  return predict_cost_us (process, (guint64)rss) > self->giant_us;
}

static gboolean
is_readable (const FpTracked *tracked,
             const FpProcess *process)
{
  return process->start_ticks != 0 && tracked->life != FP_LIFE_GONE && tracked->trial != FP_TRIAL_DENIED &&
         fp_reason_has_memory (process->reason) && !fp_stat_has_ended (&tracked->stat) &&
         process->reason != FP_REASON_UNSUPPORTED && process->reason != FP_REASON_NO_ANSWER;
}

/* It is a giant whose memory may be read. */
gboolean
fp_giants_follows (const FpGiants *self,
                   const FpProcessReader *reader,
                   const FpTracked *tracked,
                   const FpProcess *process)
{
  return is_readable (tracked, process) && fp_giants_includes (self, reader, tracked, process);
}

static Giant *
get_giant (const FpGiants *self,
           guint index)
{
  return g_ptr_array_index (self->giants, index);
}

static Giant *
find_or_add (FpGiants *self,
             const FpProcess *process)
{
  Giant *giant;

  for (guint i = 0; i < self->giants->len; i++)
    {
      giant = get_giant (self, i);
      if (fp_process_is (process, &giant->id))
        return giant;
    }
  giant = g_new0 (Giant, 1);
  giant->id = (FpProcessId){ process->pid, process->start_ticks };
  giant->is_new = TRUE;
  fp_sharing_init (&giant->sharing);
  g_ptr_array_add (self->giants, giant);
  return giant;
}

static void
stop_reading (FpGiants *self)
{
  fp_giant_reading_stop (self->reading);
  self->read = NULL;
}

static void
forget_image (FpGiants *self,
              Giant *giant,
              const FpImage *image)
{
  if (self->read == giant)
    stop_reading (self);
  giant->image = *image;
  giant->is_measured = giant->has_no_page_map = giant->page_map_is_vague = giant->has_strangers = FALSE;
  giant->hold_us = 0;
}

static void
call_roll (FpGiants *self,
           const FpRoster *roster)
{
  for (guint i = 0; i < roster->next->n_processes; i++)
    {
      const FpTracked *tracked = &roster->tracked[i];
      const FpProcess *process = &roster->next->processes[i];
      Giant *giant;

      if (!fp_giants_follows (self, roster->reader, tracked, process))
        continue;
      giant = find_or_add (self, process);
      giant->slot = i;
      giant->is_there = TRUE;
      if (memcmp (&giant->image, &tracked->stat.image, sizeof giant->image) != 0)
        forget_image (self, giant, &tracked->stat.image);
    }
  for (guint i = self->giants->len; i > 0; i--)
    {
      Giant *giant = get_giant (self, i - 1);

      if (giant->is_there)
        continue;
      if (self->read == giant)
        stop_reading (self);
      g_ptr_array_remove_index_fast (self->giants, i - 1);
    }
}

static void
make_moment (const Giant *giant,
             const FpMemory *memory,
             FpMoment *moment)
{
  moment->whole[FP_PAGES_ANON] = fp_memory_get (memory, FP_FIELD_RSS_ANON);
  moment->whole[FP_PAGES_FILE] = fp_memory_get (memory, FP_FIELD_RSS_FILE);
  moment->whole[FP_PAGES_SHMEM] = fp_memory_get (memory, FP_FIELD_RSS_SHMEM);
  moment->whole[FP_PAGES_SWAP] = fp_memory_get (memory, FP_FIELD_VM_SWAP);
  for (FpPages pages = 0; pages < FP_N_PAGES; pages++)
    {
      moment->lost[pages] = giant->sharing.lost[pages];
      moment->gained[pages] = giant->sharing.gained[pages];
    }
  moment->strangers_lost = giant->sharing.strangers_lost;
  moment->strangers_gained = giant->sharing.strangers_gained;
  moment->partners = giant->has_strangers ? G_MAXUINT64 : giant->sharing.bytes;
}

/* FALSE: it is gone, or another program by now, or has no memory of its own any more */
static gboolean
see (FpRoster *roster,
     const Giant *giant,
     FpMoment *moment)
{
  FpTracked *tracked = &roster->tracked[giant->slot];
  FpProcess *process = &roster->next->processes[giant->slot];

  moment->faults_before = fp_stat_count_faults (&tracked->stat);
  if (!fp_roster_see (roster, giant->slot) ||
      memcmp (&giant->image, &tracked->stat.image, sizeof giant->image) != 0)
    return FALSE;
  moment->faults_after = fp_stat_count_faults (&tracked->stat);
  make_moment (giant, &process->memory, moment);
  return TRUE;
}

static void
note_whole (FpGiants *self,
            Giant *giant,
            guint64 hold_us)
{
  self->holds.n_whole++;
  self->holds.whole_us += hold_us;
  giant->whole_rest_us = fp_clock_us (CLOCK_BOOTTIME) + hold_us * WHOLE_PART;
}

static void
note_strangers (Giant *giant,
                FpEstimate *estimate,
                guint64 merged)
{
  giant->has_strangers = merged > 0 || estimate->deficit[FP_PAGES_ANON].low > giant->sharing.bytes;
  if (giant->has_strangers)
    estimate->moment.partners = G_MAXUINT64;
}

/* It was walked in this collection: for the first picture, or as its user asked. */
static void
take_walk (FpGiants *self,
           const FpRoster *roster,
           Giant *giant)
{
  const FpTracked *tracked = &roster->tracked[giant->slot];
  const FpProcess *process = &roster->next->processes[giant->slot];
  FpMoment moment;

  moment.faults_before = moment.faults_after = tracked->walked.minor_faults + tracked->walked.major_faults;
  make_moment (giant, &process->memory, &moment);
  if (!giant->is_new)
    {
      memcpy (moment.lost, giant->estimate.moment.lost, sizeof moment.lost);
      memcpy (moment.gained, giant->estimate.moment.gained, sizeof moment.gained);
      moment.strangers_lost = giant->estimate.moment.strangers_lost;
      moment.strangers_gained = giant->estimate.moment.strangers_gained;
    }
  fp_estimate_init_measured (&giant->estimate, &moment, &process->memory);
  note_strangers (giant, &giant->estimate, fp_memory_get (&process->memory, FP_FIELD_KSM));
  giant->is_measured = TRUE;
  giant->page_map_is_vague = FALSE;
  giant->read_us = self->now_us;
  giant->counted_us = fp_clock_us (CLOCK_BOOTTIME);
  giant->read_sweep = self->sweep;
  if (process->cost_us > self->giant_us)
    note_whole (self, giant, process->cost_us);
}

static void
write_estimate (const Giant *giant,
                FpProcess *process)
{
  fp_estimate_write (&giant->estimate, &process->memory);
  process->reason = giant->is_measured ? FP_REASON_NONE : FP_REASON_PENDING;
}

static gboolean
was_walked_now (const FpGiants *self,
                const FpRoster *roster,
                const Giant *giant)
{
  return roster->tracked[giant->slot].walked_sweep == self->sweep &&
         fp_memory_has (&roster->next->processes[giant->slot].memory, FP_FIELD_PSS);
}

static void
estimate (FpGiants *self,
          FpRoster *roster,
          Giant *giant,
          const FpMoment *moment)
{
  FpProcess *process = &roster->next->processes[giant->slot];

  if (!giant->is_measured)
    {
      fp_estimate_init_unknown (&giant->estimate, moment);
      write_estimate (giant, process);
    }
  else if (fp_estimate_advance (&giant->estimate, moment, self->fault_reach))
    write_estimate (giant, process);
}

static void
update_one (FpGiants *self,
            FpRoster *roster,
            Giant *giant)
{
  FpMoment moment;

  if (was_walked_now (self, roster, giant))
    take_walk (self, roster, giant);
  else if (see (roster, giant, &moment))
    estimate (self, roster, giant, &moment);
  else
    giant->is_there = FALSE;
  giant->is_new = FALSE;
}

static gboolean
is_old (const FpGiants *self,
        const Giant *giant)
{
  switch (self->mode)
    {
    case FP_ROTATION_FIXED:
      return self->sweep - giant->read_sweep >= self->n_sweeps;
    case FP_ROTATION_OFF:
      return FALSE;
    case FP_ROTATION_TIMED:
    default:
      return self->now_us - giant->read_us >= PERIOD_US;
    }
}

static guint64
get_width (const Giant *giant)
{
  FpEnds pss = fp_estimate_get_pss (&giant->estimate);

  return pss.high - pss.low;
}

static gboolean
is_wide (const Giant *giant,
         const FpProcess *process)
{
  return !giant->is_measured || get_width (giant) > fp_memory_get (&process->memory, FP_FIELD_RSS) / WIDE_PART;
}

/* The next collection forgets it. */
static void
give_up (const FpGiants *self,
         const FpRoster *roster,
         Giant *giant)
{
  giant->is_there = FALSE;
  fp_visit_leave_unread (&roster->tracked[giant->slot], &roster->next->processes[giant->slot], self->now_us);
}

/* A mapping takes as much of the time as it has of the pages, which is at most its size. */
static void
predict_hold (const FpGiants *self,
              const FpRoster *roster,
              Giant *giant)
{
  const FpProcess *process = &roster->next->processes[giant->slot];
  guint64 rss = MAX (fp_memory_get (&process->memory, FP_FIELD_RSS), 1), largest;
  guint64 cost_us = process->cost_us > 0 ? process->cost_us : predict_cost_us (process, rss);
  FpErrandVerdict verdict = fp_giant_find_largest (roster->errands, roster->reader, process, &largest);

  if (verdict == FP_ERRAND_REFUSED)
    give_up (self, roster, giant);
  if (verdict != FP_ERRAND_ALLOWED)
    return;
  giant->hold_us = (guint64)((double)cost_us * (double)MIN (largest, rss) / (double)rss) + 1;
  giant->hold_rss = rss;
}

static gboolean
is_quick (const FpGiants *self,
          const FpRoster *roster,
          const Giant *giant)
{
  guint64 rss = fp_memory_get (&roster->next->processes[giant->slot].memory, FP_FIELD_RSS);

  return (double)giant->hold_us * (double)MAX (rss, giant->hold_rss) <= (double)self->giant_us * (double)giant->hold_rss;
}

/* The page map tells what is shared, but not among how many. Where that is too little, the one mapping that takes too long
 * is walked whole, as often as it may. */
static FpGiantWay
choose_way (FpGiants *self,
            const FpRoster *roster,
            Giant *giant)
{
  if (!giant->is_there || was_walked_now (self, roster, giant))
    return FP_WAY_NONE;
  if (giant->hold_us == 0)
    predict_hold (self, roster, giant);
  if (giant->hold_us == 0)
    return FP_WAY_NONE;
  if (is_quick (self, roster, giant))
    return FP_WAY_PIECES;
  if (!giant->has_no_page_map && !giant->page_map_is_vague)
    return FP_WAY_PAGE_MAP;
  if (self->now_us >= giant->whole_rest_us)
    return FP_WAY_PIECES;
  return !giant->has_no_page_map && is_old (self, giant) ? FP_WAY_PAGE_MAP : FP_WAY_NONE;
}

/* FALSE: its user keeps readers waiting, so that others are read first */
static gboolean
may_be_read (const FpRoster *roster,
             const Giant *giant)
{
  const FpProcess *process = &roster->next->processes[giant->slot];

  return fp_absence_judge (&(FpProcessId){ process->pid, process->start_ticks }, roster->tracked[giant->slot].payer.uid) !=
         FP_ERRAND_LATER;
}

/* A giant with a wide range has its turn more often, but none waits for ever. */
static Giant *
choose (FpGiants *self,
        const FpRoster *roster)
{
  Giant *chosen = NULL;
  guint64 longest = 0;

  for (guint i = 0; i < self->giants->len; i++)
    {
      Giant *giant = get_giant (self, i);
      gboolean wide = is_wide (giant, &roster->next->processes[giant->slot]);
      guint64 waited = (self->now_us - giant->read_us) * (wide ? URGENCY : 1);

      if ((!wide && !is_old (self, giant)) || (chosen && waited <= longest) ||
          choose_way (self, roster, giant) == FP_WAY_NONE || !may_be_read (roster, giant))
        continue;
      chosen = giant;
      longest = waited;
    }
  return chosen;
}

static void
begin (FpGiants *self,
       FpRoster *roster)
{
  Giant *giant = choose (self, roster);
  guint64 pause;

  if (!giant)
    return;
  pause = is_wide (giant, &roster->next->processes[giant->slot]) ? URGENT_PAUSE : CALM_PAUSE;
  if (self->now_us < self->spent_until_us + self->spent_us * pause)
    return;
  self->spent_us = 0;
  self->read_since = giant->estimate.moment;
  self->read = giant;
  fp_giant_reading_begin (self->reading, &roster->next->processes[giant->slot], choose_way (self, roster, giant));
}

static void
note_hold (FpGiants *self,
           Giant *giant,
           guint64 rss)
{
  guint64 longest_us = self->reading->pieces.longest_us;

  giant->hold_us = MAX (longest_us, 1);
  giant->hold_rss = MAX (rss, 1);
  if (longest_us > self->giant_us)
    note_whole (self, giant, longest_us);
  else
    self->holds.longest_piece_us = MAX (self->holds.longest_piece_us, longest_us);
}

/* Huge pages take much less than was predicted of a process that was never walked: it is no giant then. */
static void
note_cost (const FpPieceReader *pieces,
           FpTracked *tracked,
           FpProcess *process)
{
  if (process->cost_us > 0 && process->cost_us <= pieces->held_us)
    return;
  process->cost_us = (guint32)MAX (pieces->held_us, 1);
  tracked->walked_rss = fp_memory_get (&process->memory, FP_FIELD_RSS);
}

/* A walk takes a huge page at one step. Once a walk itself has taken long, no prediction is believed against it. */
static void
note_huge_pages (const FpGiants *self,
                 Giant *giant,
                 FpTracked *tracked,
                 FpProcess *process)
{
  guint64 rss = fp_memory_get (&process->memory, FP_FIELD_RSS), cost_us;

  if (self->reading->page_walk.n_huge_pages == 0 || process->cost_us > self->giant_us)
    return;
  cost_us = fp_predict_cost_us (rss - MIN (self->reading->page_walk.n_huge_pages * self->reading->page_walk.page_size, rss)) + 1;
  process->cost_us = (guint32)cost_us;
  tracked->walked_rss = rss;
  if (giant->hold_us <= cost_us)
    return;
  giant->hold_us = cost_us;
  giant->hold_rss = MAX (rss, 1);
}

/* Memory that changed since the first piece was read may be in a piece or not: the ends cover both. */
static void
take_reading (FpGiants *self,
              FpRoster *roster)
{
  gboolean is_of_pieces = self->reading->way == FP_WAY_PIECES;
  Giant *giant = self->read;
  FpProcess *process = &roster->next->processes[giant->slot];
  FpEstimate fresh = { .moment = self->read_since };
  FpMoment moment;

  if (is_of_pieces)
    {
      fp_piece_reader_get_parts (&self->reading->pieces, &fresh);
      note_strangers (giant, &fresh, fp_memory_get (&self->reading->pieces.sums, FP_FIELD_KSM));
    }
  else
    fp_page_walk_get_parts (&self->reading->page_walk, &fresh);
  if (!see (roster, giant, &moment))
    return;
  if (is_of_pieces)
    {
      note_hold (self, giant, fp_memory_get (&process->memory, FP_FIELD_RSS));
      note_cost (&self->reading->pieces, &roster->tracked[giant->slot], process);
    }
  else
    note_huge_pages (self, giant, &roster->tracked[giant->slot], process);
  fp_estimate_advance (&fresh, &moment, self->fault_reach);
  if (giant->is_measured)
    {
      fp_estimate_advance (&giant->estimate, &moment, self->fault_reach);
      fp_estimate_intersect (&fresh, &giant->estimate);
    }
  giant->estimate = fresh;
  giant->is_measured = TRUE;
  giant->read_us = process->measured_us = self->now_us;
  giant->counted_us = fp_clock_us (CLOCK_BOOTTIME);
  giant->read_sweep = self->sweep;
  fp_tracked_note_trial (&roster->tracked[giant->slot], FP_TRIAL_MADE);
  self->holds.n_readings++;
  write_estimate (giant, process);
  giant->page_map_is_vague = !is_of_pieces && is_wide (giant, process);
}

static void
note_problem (const FpGiants *self,
              FpRoster *roster)
{
  Giant *giant = self->read;
  int problem = self->reading->problem;

  if (self->reading->way == FP_WAY_PAGE_MAP)
    giant->has_no_page_map = TRUE;
  else if (problem == EACCES || problem == EPERM)
    {
      fp_tracked_note_trial (&roster->tracked[giant->slot], FP_TRIAL_DENIED);
      fp_process_clear_memory (&roster->next->processes[giant->slot], FP_REASON_PERMISSION);
    }
}

static void
read_on (FpGiants *self,
         FpRoster *roster)
{
  FpErrandVerdict verdict;

  if (!self->read)
    begin (self, roster);
  if (!self->read)
    return;
  verdict = fp_giant_reading_step (&self->reading, roster->errands, roster->reader);
  if (verdict == FP_ERRAND_REFUSED)
    give_up (self, roster, self->read);
  if (verdict != FP_ERRAND_ALLOWED)
    {
      stop_reading (self);
      return;
    }
  if (self->reading->problem != 0)
    note_problem (self, roster);
  else if (self->reading->is_done)
    take_reading (self, roster);
  self->spent_us += self->reading->spent_us;
  self->spent_until_us = self->now_us;
  if (!fp_giant_reading_is_running (self->reading))
    self->read = NULL;
}

static void
see_others (FpGiants *self,
            const FpRoster *roster)
{
  const FpProcessReader *reader = roster->reader;

  fp_sharing_list_changes (roster, self->changes);
  for (guint i = 0; i < self->giants->len; i++)
    {
      Giant *giant = get_giant (self, i);
      guint64 counted_us = self->read == giant ? self->now_us : giant->counted_us;

      fp_sharing_update (&giant->sharing, roster, giant->slot, self->fault_reach);
      fp_sharing_add_changes (&giant->sharing, self->changes, roster, giant->slot,
                              counted_us * reader->ticks_per_second / G_USEC_PER_SEC);
    }
}

/* The others are walked when there is time for it. Until then what is certain of them counts, as of a giant at first
 * sight, or totals fall by a process that is still there. */
static void
bound_pending (const FpGiants *self,
               FpRoster *roster)
{
  for (guint i = 0; i < roster->next->n_processes; i++)
    {
      const FpTracked *tracked = &roster->tracked[i];
      FpProcess *process = &roster->next->processes[i];
      Giant passing = { .image = tracked->stat.image, .slot = i };
      FpMoment moment;

      if (process->reason != FP_REASON_PENDING || fp_memory_get (&process->memory, FP_FIELD_RSS) < PENDING_MINIMUM ||
          !is_readable (tracked, process) || fp_giants_includes (self, roster->reader, tracked, process))
        continue;
      fp_sharing_init (&passing.sharing);
      fp_sharing_update (&passing.sharing, roster, i, self->fault_reach);
      if (see (roster, &passing, &moment))
        {
          fp_estimate_init_unknown (&passing.estimate, &moment);
          write_estimate (&passing, process);
        }
      fp_sharing_clear (&passing.sharing);
    }
}

/* After all others were looked at. may_read: FALSE while the first picture is made */
void
fp_giants_update (FpGiants *self,
                  FpRoster *roster,
                  guint64 n_sweeps,
                  guint64 now_us,
                  gboolean may_read)
{
  guint64 page_size = roster->reader->page_size;

  self->sweep = n_sweeps;
  self->now_us = now_us;
  self->fault_reach = page_size / sizeof (guint64) * page_size; /* a page table */
  for (guint i = 0; i < self->giants->len; i++)
    get_giant (self, i)->is_there = FALSE;
  call_roll (self, roster);
  if (may_read)
    bound_pending (self, roster);
  if (self->giants->len == 0)
    return;
  see_others (self, roster);
  for (guint i = 0; i < self->giants->len; i++)
    update_one (self, roster, get_giant (self, i));
  if (may_read)
    read_on (self, roster);
}
