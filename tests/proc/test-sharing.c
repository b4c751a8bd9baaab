// SPDX-License-Identifier: GPL-3.0-or-later
/* Processes whose addresses may not be read, so that program and starter tell which of them can share pages. */
#include "fp-sharing.h"

#define MIB   ((guint64)1 << 20)
#define GIANT 1000

typedef struct
{
  gint pid;
  gint ppid;
  const char *program;
  guint32 uid;
  guint64 file;
} Person;

/* A roster that has people already keeps them as the last collection. */
static void
roster_add (FpRoster *self,
            const Person *people,
            guint n)
{
  g_clear_pointer (&self->tracked, g_free);
  self->tracked = g_new0 (FpTracked, n);
  self->last = g_steal_pointer (&self->next);
  if (self->last)
    self->last->strings = fp_string_block_ref (self->reader->strings.block);
  self->next = fp_snapshot_pool_take (self->pool, n);
  self->next->n_processes = n;
  for (guint i = 0; i < n; i++)
    {
      FpProcess *process = &self->next->processes[i];

      *process = (FpProcess){
        .pid = people[i].pid, .ppid = people[i].ppid, .uid = people[i].uid, .start_ticks = (guint64)people[i].pid
      };
      process->texts[FP_TEXT_PROGRAM] = fp_strings_intern (&self->reader->strings, people[i].program);
      fp_memory_set (&process->memory, FP_FIELD_RSS_ANON, MIB);
      fp_memory_set (&process->memory, FP_FIELD_RSS_SHMEM, MIB);
      fp_memory_set (&process->memory, FP_FIELD_RSS_FILE, people[i].file);
    }
}

static void
roster_init (FpRoster *self,
             const Person *people,
             guint n)
{
  *self = (FpRoster){ .pool = fp_snapshot_pool_new (), .reader = fp_process_reader_new ("/proc", NULL, 4096, NULL) };
  g_assert_nonnull (self->reader);
  roster_add (self, people, n);
}

static void
roster_clear (FpRoster *self)
{
  g_clear_pointer (&self->last, fp_snapshot_unref);
  self->next->strings = fp_string_block_ref (self->reader->strings.block);
  fp_snapshot_unref (self->next);
  fp_process_reader_unref (self->reader);
  fp_snapshot_pool_unref (self->pool);
  g_free (self->tracked);
}

static guint
find_slot (const FpRoster *self)
{
  return (guint)(fp_snapshot_find (self->next, GIANT) - self->next->processes);
}

/* The number of partners of the giant, of which its parent is one: it may have forked without an exec. */
static guint64
count_partners (const Person *people,
                guint n)
{
  FpRoster roster;
  FpSharing sharing;
  guint64 bytes;

  roster_init (&roster, people, n);
  fp_sharing_init (&sharing);
  fp_sharing_update (&sharing, &roster, find_slot (&roster), 0);
  bytes = sharing.bytes;
  fp_sharing_clear (&sharing);
  roster_clear (&roster);
  return bytes / MIB;
}

#define assert_partners(expected, ...)                                               \
  G_STMT_START                                                                       \
  {                                                                                  \
    static const Person people[] = { __VA_ARGS__ };                                  \
    g_assert_cmpuint (count_partners (people, G_N_ELEMENTS (people)), ==, expected); \
  }                                                                                  \
  G_STMT_END

static void
test_forks (void)
{
  assert_partners (2, { 1, 0, "init", 0 }, { 10, 1, "sh", 0 }, { 900, 10, "web", 0 }, { GIANT, 900, "web", 5 },
                   { 1001, 900, "web", 5 }, { 1002, 10, "sh", 5 });
  assert_partners (2, { 1, 0, "init", 0 }, { 10, 1, "sh", 0 }, { GIANT, 10, "web", 5 }, { 1001, GIANT, "sh", 5 });
}

static void
test_strangers (void)
{
  assert_partners (1, { 1, 0, "init", 0 }, { 10, 1, "sh", 0 }, { 20, 1, "sh", 0 }, { GIANT, 10, "web", 5 },
                   { 1001, 20, "web", 6 });
}

/* The parent has ended, and its fork was adopted by the first process, or by one in between. */
static void
test_orphans (void)
{
  assert_partners (2, { 1, 0, "init", 0 }, { 10, 1, "sh", 0 }, { GIANT, 10, "web", 5 }, { 1001, 1, "web", 6 });
  assert_partners (2, { 1, 0, "init", 0 }, { 10, 1, "tini", 0 }, { 20, 10, "sh", 0 }, { GIANT, 20, "web", 5 },
                   { 1001, 10, "web", 6 });
  assert_partners (2, { 1, 0, "init", 0 }, { 10, 1, "tini", 0 }, { 20, 10, "sh", 0 }, { 30, 20, "web", 6 },
                   { GIANT, 10, "web", 5 });
}

static void
test_hidden_parents (void)
{
  assert_partners (2, { 1, 0, "init", 0 }, { 10, 1, "sh", 0 }, { GIANT, 10, "web", 5 }, { 1001, 555, "web", 6 });
}

/* A folder that was made by hand may say this, and a PID that is used anew for a moment. */
static void
test_circle (void)
{
  assert_partners (1, { 1, 0, "init", 0 }, { GIANT, 1001, "web", 5 }, { 1001, GIANT, "web", 6 });
  assert_partners (1, { 1, 0, "init", 0 }, { 10, 1, "sh", 0 }, { 20, 20, "sh", 0 }, { GIANT, 10, "web", 5 },
                   { 1001, 20, "web", 6 });
}

/* Shared memory that others have gained since there was nothing */
static guint64
get_gained (const Person *people,
            guint n)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FpSharingChange));
  FpRoster roster;
  FpSharing sharing;
  guint64 gained;

  roster_init (&roster, people, n);
  fp_sharing_init (&sharing);
  fp_sharing_list_changes (&roster, changes);
  fp_sharing_add_changes (&sharing, changes, &roster, find_slot (&roster), 0);
  gained = sharing.gained[FP_PAGES_SHMEM];
  fp_sharing_clear (&sharing);
  roster_clear (&roster);
  return gained / MIB;
}

/* Shared memory is also passed between those that one user has started twice. */
static void
test_shared_memory (void)
{
  static const Person same_user[] = { { 10, 1, "sh", 5 }, { 20, 1, "sh", 5 }, { GIANT, 10, "web", 5 }, { 1001, 20, "web", 5 } };
  static const Person stranger[] = { { 10, 1, "sh", 5 }, { 20, 1, "sh", 6 }, { GIANT, 10, "web", 5 }, { 1001, 20, "web", 6 } };

  /* The giant's parent is a relative. */
  g_assert_cmpuint (get_gained (same_user, G_N_ELEMENTS (same_user)), ==, 2);
  g_assert_cmpuint (get_gained (stranger, G_N_ELEMENTS (stranger)), ==, 1);
}

/* A process that is seen between fork and exec has more pages of files than afterwards; those of the program are new. */
static void
test_exec (void)
{
  static const Person forked[] = {
    { 1, 0, "init", 0, 0 }, { 10, 1, "sh", 5, 0 }, { 15, 1, "cron", 6, 0 }, { 20, 15, "sh", 6, 3 * MIB }, { GIANT, 10, "web", 5, 0 }
  };
  static const Person run[] = {
    { 1, 0, "init", 0, 0 }, { 10, 1, "sh", 5, 0 }, { 15, 1, "cron", 6, 0 }, { 20, 15, "web", 6, MIB }, { GIANT, 10, "web", 5, 0 }
  };
  static const Person smaller[] = {
    { 1, 0, "init", 0, 0 }, { 10, 1, "sh", 5, 0 }, { 15, 1, "cron", 6, 0 }, { 20, 15, "sh", 6, MIB }, { GIANT, 10, "web", 5, 0 }
  };
  static const struct
  {
    const Person *then;
    guint64 gained;
    guint64 lost;
  } cases[] = { { run, 1, 3 }, { smaller, 0, 2 }, { forked, 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FpSharingChange));
      FpRoster roster;
      FpSharing sharing;

      roster_init (&roster, forked, G_N_ELEMENTS (forked));
      roster_add (&roster, cases[i].then, G_N_ELEMENTS (forked));
      fp_sharing_init (&sharing);
      fp_sharing_list_changes (&roster, changes);
      fp_sharing_add_changes (&sharing, changes, &roster, find_slot (&roster), G_MAXUINT64);
      g_assert_cmpuint (sharing.strangers_gained / MIB, ==, cases[i].gained);
      g_assert_cmpuint (sharing.strangers_lost / MIB, ==, cases[i].lost);
      fp_sharing_clear (&sharing);
      roster_clear (&roster);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/sharing/forks", test_forks);
  g_test_add_func ("/proc/sharing/strangers", test_strangers);
  g_test_add_func ("/proc/sharing/orphans", test_orphans);
  g_test_add_func ("/proc/sharing/hidden-parents", test_hidden_parents);
  g_test_add_func ("/proc/sharing/circle", test_circle);
  g_test_add_func ("/proc/sharing/shared-memory", test_shared_memory);
  g_test_add_func ("/proc/sharing/exec", test_exec);
  return g_test_run ();
}
