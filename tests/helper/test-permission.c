// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-permission.h"
#include "fp-request.h"
#include "fp-snapshot-file.h"

#define ALICE 1000
#define BOB   1001

/* One process of each kind; by its pid. */
enum
{
  ROOTS = 1,
  PLAIN = 10,
  OTHER_GROUP,
  NOT_PLAIN,
  PENDING,
  GIANT,
  BOBS,
  KERNEL,
  BOBS_ZOMBIE,
  BOBS_TWIN,
  SCRIPT,
};

static const FpPermission alice = { FP_ACCESS_OWN, ALICE, ALICE, FALSE };

static void
add (FpSnapshot *snapshot,
     FpStrings *strings,
     gint pid,
     guint32 uid,
     guint32 gid,
     gboolean is_plain,
     FpReason reason)
{
  FpProcess *process = &snapshot->processes[snapshot->n_processes++];
  g_autofree char *exe = g_strdup_printf ("/secret/%d", pid);
  g_autofree char *program = pid == SCRIPT ? g_strdup ("backup.py") : g_strdup_printf ("secret-%d", pid);

  *process = (FpProcess){ .pid = pid, .start_ticks = 100, .uid = uid, .gid = gid, .is_plain = is_plain };
  process->state = 'S';
  process->reason = (guint8)reason;
  process->texts[FP_TEXT_COMM] = fp_strings_intern (strings, pid == SCRIPT ? "python3" : "comm");
  process->texts[FP_TEXT_COMMAND] = fp_strings_intern (strings, "python3 /usr/bin/backup.py -v");
  process->texts[FP_TEXT_EXE] = fp_strings_intern (strings, exe);
  process->texts[FP_TEXT_PROGRAM] = fp_strings_intern (strings, program);
  process->exe_state = 1;
  process->measured_us = reason == FP_REASON_NONE ? 5 : 0;
  process->cost_us = 7;
  fp_memory_set (&process->memory, FP_FIELD_RSS, 1000);
  fp_memory_set (&process->memory, FP_FIELD_RSS_ANON, 500);
  fp_memory_set (&process->memory, FP_FIELD_RSS_FILE, 300);
  fp_memory_set (&process->memory, FP_FIELD_RSS_SHMEM, 100);
  fp_memory_set (&process->memory, FP_FIELD_VM_SWAP, 64);
  fp_memory_set (&process->memory, FP_FIELD_THREADS, 2);
  fp_memory_set (&process->memory, FP_FIELD_OOM_SCORE, 666);
  if (reason == FP_REASON_NONE)
    {
      fp_memory_set (&process->memory, FP_FIELD_PSS, 800);
      fp_memory_set (&process->memory, FP_FIELD_PRIVATE_CLEAN, 100);
      fp_memory_set (&process->memory, FP_FIELD_PRIVATE_DIRTY, 400);
      fp_memory_set (&process->memory, FP_FIELD_SWAP, 70);
    }
  fp_memory_derive (&process->memory);
}

static FpSnapshot *
make (void)
{
  FpSnapshotPool *pool = fp_snapshot_pool_new ();
  FpSnapshot *snapshot = fp_snapshot_pool_take (pool, 20);
  FpStrings strings;

  fp_snapshot_pool_unref (pool);
  fp_strings_init (&strings, 1024);
  snapshot->info = (FpSnapshotInfo){ .ticks_per_second = 100, .page_size = 4096, .n_pending = 3 };
  snapshot->system = (FpSystem){ 0 };
  fp_system_set (&snapshot->system, FP_SYSTEM_TASKS, 500);
  fp_system_set (&snapshot->system, FP_SYSTEM_HIDDEN_TASKS, 0);
  add (snapshot, &strings, ROOTS, 0, 0, TRUE, FP_REASON_NONE);
  add (snapshot, &strings, PLAIN, ALICE, ALICE, TRUE, FP_REASON_NONE);
  add (snapshot, &strings, OTHER_GROUP, ALICE, BOB, TRUE, FP_REASON_NONE);
  add (snapshot, &strings, NOT_PLAIN, ALICE, ALICE, FALSE, FP_REASON_NONE);
  add (snapshot, &strings, PENDING, ALICE, ALICE, FALSE, FP_REASON_PENDING);
  add (snapshot, &strings, GIANT, ALICE, ALICE, FALSE, FP_REASON_TOO_COSTLY);
  add (snapshot, &strings, BOBS, BOB, BOB, TRUE, FP_REASON_NONE);
  add (snapshot, &strings, KERNEL, 0, 0, FALSE, FP_REASON_KERNEL_THREAD);
  add (snapshot, &strings, BOBS_ZOMBIE, BOB, BOB, FALSE, FP_REASON_ZOMBIE);
  add (snapshot, &strings, BOBS_TWIN, BOB, BOB, TRUE, FP_REASON_SHARED_MEMORY);
  add (snapshot, &strings, SCRIPT, BOB, BOB, TRUE, FP_REASON_PENDING);
  snapshot->processes[snapshot->n_processes - 2].shares_with = BOBS;
  snapshot->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  return snapshot;
}

/* The answer is what /proc shows to everybody and no more. */
static void
assert_public (const FpSnapshot *snapshot,
               gint pid,
               FpReason reason)
{
  const FpProcess *process = fp_snapshot_find (snapshot, pid);

  g_assert_nonnull (process);
  g_assert_cmpint (process->reason, ==, reason);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if (fp_field_infos[field].origin == FP_ORIGIN_SMAPS && field != FP_FIELD_RSS)
      g_assert_false (fp_memory_has (&process->memory, field));
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_USS));
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_MEMORY_AND_SWAP));
  if (fp_reason_has_memory (reason))
    g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_RSS), ==, 900);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_OOM_SCORE), ==, 666);
  g_assert_cmpuint (process->measured_us, ==, 0);
  g_assert_cmpuint (process->cost_us, ==, 0);
  g_assert_cmpint (process->shares_with, ==, 0);
  g_assert_cmpint (process->exe_state, ==, 0);
  g_assert_cmpint (process->is_plain, ==, 0);
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_EXE), ==, "");
}

static gboolean
holds (const FpSnapshot *snapshot,
       const char *text)
{
  g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (snapshot);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  return memmem (data, size, text, strlen (text)) != NULL;
}

static void
test_own (void)
{
  g_autoptr (FpSnapshot) snapshot = make ();
  g_autoptr (FpSnapshot) filtered = fp_permission_filter (&alice, snapshot);
  const FpProcess *own = fp_snapshot_find (filtered, PLAIN);
  const FpProcess *script = fp_snapshot_find (filtered, SCRIPT);

  g_assert_cmpuint (filtered->n_processes, ==, snapshot->n_processes);
  g_assert_cmpmem (&own->memory, sizeof own->memory, &fp_snapshot_find (snapshot, PLAIN)->memory, sizeof own->memory);
  g_assert_cmpstr (fp_snapshot_get_text (filtered, own, FP_TEXT_EXE), ==, "/secret/10");
  g_assert_cmpuint (own->measured_us, ==, 5);
  assert_public (filtered, ROOTS, FP_REASON_PERMISSION);
  assert_public (filtered, OTHER_GROUP, FP_REASON_PERMISSION);
  assert_public (filtered, NOT_PLAIN, FP_REASON_PERMISSION);
  assert_public (filtered, PENDING, FP_REASON_PENDING);
  assert_public (filtered, GIANT, FP_REASON_TOO_COSTLY);
  assert_public (filtered, BOBS, FP_REASON_PERMISSION);
  assert_public (filtered, KERNEL, FP_REASON_KERNEL_THREAD);
  assert_public (filtered, BOBS_ZOMBIE, FP_REASON_ZOMBIE);
  assert_public (filtered, BOBS_TWIN, FP_REASON_PERMISSION);
  assert_public (filtered, SCRIPT, FP_REASON_PERMISSION);
  g_assert_cmpstr (fp_snapshot_get_text (filtered, script, FP_TEXT_PROGRAM), ==, "backup.py");
  g_assert_cmpuint (filtered->info.n_pending, ==, 1);
}

/* Not in the records and not in the bytes that are handed over either. */
static void
test_texts (void)
{
  g_autoptr (FpSnapshot) snapshot = make ();
  g_autoptr (FpSnapshot) filtered = fp_permission_filter (&alice, snapshot);

  g_assert_true (holds (snapshot, "secret-15"));
  g_assert_true (holds (filtered, "/secret/10"));
  for (gint pid = ROOTS; pid <= SCRIPT; pid++)
    {
      g_autofree char *exe = g_strdup_printf ("/secret/%d", pid);
      g_autofree char *program = g_strdup_printf ("secret-%d", pid);

      g_assert_true (pid == PLAIN || pid == ROOTS || (!holds (filtered, exe) && !holds (filtered, program)));
    }
  g_assert_cmpstr (fp_snapshot_get_text (filtered, fp_snapshot_find (filtered, ROOTS), FP_TEXT_PROGRAM), ==, "comm");
}

/* A /proc that hides processes leaves out those that are not for certain theirs. */
static void
test_hiding (void)
{
  FpPermission viewer = alice;
  g_autoptr (FpSnapshot) snapshot = make ();
  g_autoptr (FpSnapshot) filtered = NULL;

  viewer.hides_others = TRUE;
  filtered = fp_permission_filter (&viewer, snapshot);
  g_assert_cmpuint (filtered->n_processes, ==, 1);
  g_assert_cmpint (filtered->processes[0].pid, ==, PLAIN);
  g_assert_cmpuint (filtered->info.n_pending, ==, 1);
  g_assert_cmpuint (fp_system_get (&filtered->system, FP_SYSTEM_HIDDEN_TASKS), ==, 498);
  g_assert_false (holds (filtered, "comm2"));
  g_assert_false (holds (filtered, "secret-15"));
}

static void
test_others (void)
{
  g_autoptr (FpSnapshot) snapshot = make ();
  const FpPermission viewers[] = {
    { FP_ACCESS_OWN, BOB, G_MAXUINT32, FALSE },
    { FP_ACCESS_OWN, G_MAXUINT32, G_MAXUINT32, FALSE },
    { FP_ACCESS_OWN, BOB, ALICE, FALSE },
    { FP_ACCESS_OWN, ALICE, BOB + 1, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (viewers); i++)
    {
      g_autoptr (FpSnapshot) filtered = fp_permission_filter (&viewers[i], snapshot);

      g_assert_cmpuint (filtered->n_processes, ==, snapshot->n_processes);
      for (guint j = 0; j < filtered->n_processes; j++)
        g_assert_false (fp_memory_has (&filtered->processes[j].memory, FP_FIELD_PSS));
    }
}

/* Root's gid is 0 too, which makes it nobody's own. */
static void
test_root_is_no_exception (void)
{
  const FpPermission root = { FP_ACCESS_OWN, 0, 0, FALSE };
  g_autoptr (FpSnapshot) snapshot = make ();
  g_autoptr (FpSnapshot) filtered = fp_permission_filter (&root, snapshot);

  g_assert_true (fp_memory_has (&fp_snapshot_find (filtered, ROOTS)->memory, FP_FIELD_PSS));
  g_assert_false (fp_memory_has (&fp_snapshot_find (filtered, PLAIN)->memory, FP_FIELD_PSS));
}

static void
test_none (void)
{
  const FpPermission nobody = { FP_ACCESS_NONE, ALICE, ALICE, FALSE };
  g_autoptr (FpSnapshot) snapshot = make ();
  g_autoptr (FpSnapshot) filtered = fp_permission_filter (&nobody, snapshot);

  g_assert_cmpuint (filtered->n_processes, ==, 0);
  g_assert_false (fp_permission_may_read (&nobody, fp_snapshot_find (snapshot, PLAIN)));
  g_assert_false (fp_permission_may_measure (&nobody, fp_snapshot_find (snapshot, PLAIN)));
}

static void
test_all (void)
{
  const FpPermission admin = { FP_ACCESS_ALL, ALICE, ALICE, TRUE };
  g_autoptr (FpSnapshot) snapshot = make ();
  g_autoptr (FpSnapshot) filtered = fp_permission_filter (&admin, snapshot);

  g_assert_true (filtered == snapshot);
}

/* The block that passes is a snapshot that everybody takes. */
static void
test_usable (void)
{
  g_autoptr (FpSnapshot) snapshot = make ();
  g_autoptr (FpSnapshot) filtered = fp_permission_filter (&alice, snapshot);
  g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (filtered);
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) there = fp_snapshot_from_bytes (bytes, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (there->n_processes, ==, filtered->n_processes);
}

static void
test_measurable (void)
{
  static const FpProcessId asked[] = {
    { ROOTS, 100 },
    { PLAIN, 100 },
    { PLAIN, 101 },
    { GIANT, 100 },
    { OTHER_GROUP, 100 },
    { BOBS, 100 },
    { 999, 100 },
  };
  g_autoptr (FpSnapshot) snapshot = make ();
  g_autoptr (GVariant) arguments = NULL;
  GVariantBuilder ids;
  FpSweepRequest request;

  g_variant_builder_init (&ids, G_VARIANT_TYPE ("a(it)"));
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    g_variant_builder_add (&ids, "(it)", asked[i].pid, asked[i].start_ticks);
  arguments = g_variant_ref_sink (
      g_variant_new_parsed ("(%@a(it), @t 0, {'wanted': <[(%i, @t 100)]>, 'refresh-all': <true>})", g_variant_builder_end (&ids), ROOTS));
  fp_request_parse (&request, arguments, &alice, snapshot);
  g_assert_cmpuint (request.n_attention, ==, 2);
  g_assert_cmpint (request.attention[0].pid, ==, PLAIN);
  g_assert_cmpint (request.attention[1].pid, ==, GIANT);
  g_assert_cmpuint (request.n_wanted, ==, 0);
  g_assert_false (request.refresh_all);
  fp_request_clear (&request);
  fp_request_parse (&request, arguments, &alice, NULL);
  g_assert_cmpuint (request.n_attention, ==, 0);
  fp_request_clear (&request);
}

/* Distinctive, and as large as a figure may be that is written. */
static guint64
poison_of (gint pid,
           guint place)
{
  return (G_GUINT64_CONSTANT (1) << 50) + (guint64)pid * 1000 + place;
}

/* Every figure and every number of a record, also where no figure is said to be present. */
static FpSnapshot *
make_poisoned (void)
{
  FpSnapshot *snapshot = make ();

  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      FpProcess *process = &snapshot->processes[i];

      for (FpField field = 0; field < FP_N_FIELDS; field++)
        process->memory.figures[field] = poison_of (process->pid, field);
      process->measured_us = poison_of (process->pid, 900);
      process->cost_us = 0x51515151;
    }
  return snapshot;
}

static guint
count_words (const FpSnapshot *snapshot,
             guint64 word)
{
  g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (snapshot);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  guint n = 0;

  for (gsize at = 0; at + sizeof word <= size; at += 4)
    n += memcmp (data + at, &word, sizeof word) == 0;
  return n;
}

/* A saved or shared snapshot shows no figure that it does not say it has. */
static void
test_absent_bytes (void)
{
  g_autoptr (FpSnapshot) snapshot = make_poisoned ();
  const FpProcess *pending = fp_snapshot_find (snapshot, PENDING);

  for (FpField field = 0; field < FP_N_FIELDS; field++)
    g_assert_cmpuint (count_words (snapshot, poison_of (PENDING, field)), ==, fp_memory_has (&pending->memory, field));
}

/* The bytes that are handed over hold of others what /proc shows to everybody, and nothing else. */
static void
test_public_bytes (gconstpointer data)
{
  const guint public_origins = FP_ORIGIN_STATUS | FP_ORIGIN_STAT | FP_ORIGIN_OTHER;
  FpPermission permission = alice;
  g_autoptr (FpSnapshot) snapshot = make_poisoned ();
  g_autoptr (FpSnapshot) filtered = NULL;

  permission.hides_others = data != NULL;
  filtered = fp_permission_filter (&permission, snapshot);
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      if (process->pid == PLAIN)
        continue;
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        if (permission.hides_others || !(fp_field_infos[field].origin & public_origins))
          g_assert_cmpuint (count_words (filtered, poison_of (process->pid, field)), ==, 0);
      g_assert_cmpuint (count_words (filtered, poison_of (process->pid, 900)), ==, 0);
    }
  g_assert_cmpuint (count_words (filtered, poison_of (PLAIN, FP_FIELD_PSS)), ==, 1);
  g_assert_cmpuint (count_words (filtered, poison_of (ROOTS, FP_FIELD_VM_SWAP)), ==, !permission.hides_others);
  g_assert_true (holds (snapshot, "QQQQ"));
  for (guint i = 0; i < filtered->n_processes; i++)
    g_assert_cmpuint (filtered->processes[i].cost_us, ==, filtered->processes[i].pid == PLAIN ? 0x51515151 : 0);
}

static const FpCallerFacts plain_caller = { .uid = ALICE, .gid = ALICE, .standing.shares_namespaces = TRUE };

/* The rights of each kind of caller, as a table. */
static void
test_decide (void)
{
  static const FpCallerFacts root = { .standing.shares_namespaces = TRUE }, contained_root = { 0 };

  g_assert_cmpint (fp_permission_decide (&root, FP_ACCESS_NONE, FALSE), ==, FP_ACCESS_ALL);
  g_assert_cmpint (fp_permission_decide (&plain_caller, FP_ACCESS_NONE, FALSE), ==, FP_ACCESS_NONE);
  g_assert_cmpint (fp_permission_decide (&plain_caller, FP_ACCESS_NONE, TRUE), ==, FP_ACCESS_NONE);
  g_assert_cmpint (fp_permission_decide (&plain_caller, FP_ACCESS_OWN, FALSE), ==, FP_ACCESS_OWN);
  g_assert_cmpint (fp_permission_decide (&plain_caller, FP_ACCESS_ALL, FALSE), ==, FP_ACCESS_ALL);
  g_assert_cmpint (fp_permission_decide (&plain_caller, FP_ACCESS_ALL, TRUE), ==, FP_ACCESS_ALL);
  g_assert_cmpint (fp_permission_decide (&plain_caller, FP_ACCESS_OWN, TRUE), ==, FP_ACCESS_OWN);
  g_assert_cmpint (fp_permission_decide (&contained_root, FP_ACCESS_NONE, TRUE), ==, FP_ACCESS_NONE);
  g_assert_cmpint (fp_permission_decide (&contained_root, FP_ACCESS_ALL, FALSE), ==, FP_ACCESS_NONE);
  g_assert_cmpint (fp_permission_decide (&contained_root, FP_ACCESS_OWN, TRUE), ==, FP_ACCESS_NONE);
  g_assert_cmpint (fp_permission_decide (&contained_root, FP_ACCESS_ALL, TRUE), ==, FP_ACCESS_ALL);
}

static void
test_confined (void)
{
  static const struct
  {
    const char *label;
    gboolean is_confined;
  } labels[] = {
    { NULL, FALSE },
    { "", FALSE },
    { "unconfined", FALSE },
    { "_", FALSE },
    { "unconfined_u:unconfined_r:unconfined_t:s0-s0:c0.c1023", FALSE },
    { "system_u:system_r:unconfined_service_t:s0", FALSE },
    { "firefox (unconfined)", FALSE },
    { "snap.thing.thing (complain)", FALSE },
    { "snap.thing.thing (enforce)", TRUE },
    { "unconfined//&:lxd:unconfined (unconfined)", TRUE },
    { "user_u:user_r:user_t:s0", TRUE },
    { "user_u:user_r:unconfined_tool_t:s0", TRUE },
    { "user_u:user_r:user_t:unconfined_t", TRUE },
    { "user_u:unconfined_t", TRUE },
    { "system_u:system_r:container_t:s0:c1,c2", TRUE },
    { "Pop", TRUE },
  };
  FpCallerFacts facts = plain_caller;

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      facts.label = (char *)labels[i].label;
      facts.standing.is_flatpak_proxy = i % 2;
      g_test_message ("%s", labels[i].label);
      g_assert_cmpint (fp_caller_facts_is_confined (&facts), ==, labels[i].is_confined);
    }
  facts = plain_caller;
  facts.standing.has_no_new_privileges = TRUE;
  g_assert_true (fp_caller_facts_is_confined (&facts));
  facts.standing.is_flatpak_proxy = TRUE;
  g_assert_false (fp_caller_facts_is_confined (&facts));
  facts.standing.shares_namespaces = FALSE;
  g_assert_false (fp_caller_facts_is_confined (&facts));
  facts.standing.is_flatpak_proxy = facts.standing.has_no_new_privileges = FALSE;
  g_assert_true (fp_caller_facts_is_confined (&facts));
}

/* A caller may have an agent of its own, which is shown the question. */
static void
test_names (void)
{
  const FpCallerFacts plain = { .uid = ALICE, .gid = ALICE, .standing.shares_namespaces = TRUE };
  const FpCallerFacts confined = { .uid = ALICE, .gid = ALICE, .standing.shares_namespaces = FALSE };
  g_autoptr (FpSnapshot) snapshot = make ();
  const FpProcess *own = fp_snapshot_find (snapshot, PLAIN), *bobs = fp_snapshot_find (snapshot, BOBS);

  g_assert_true (fp_permission_may_name (&plain, bobs, FALSE));
  g_assert_true (fp_permission_may_name (&plain, own, TRUE));
  g_assert_false (fp_permission_may_name (&plain, bobs, TRUE));
  g_assert_false (fp_permission_may_name (&confined, own, FALSE));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/permission/own", test_own);
  g_test_add_func ("/permission/texts", test_texts);
  g_test_add_func ("/permission/hiding", test_hiding);
  g_test_add_func ("/permission/others", test_others);
  g_test_add_func ("/permission/root", test_root_is_no_exception);
  g_test_add_func ("/permission/none", test_none);
  g_test_add_func ("/permission/all", test_all);
  g_test_add_func ("/permission/usable", test_usable);
  g_test_add_func ("/permission/measurable", test_measurable);
  g_test_add_func ("/permission/names", test_names);
  g_test_add_func ("/permission/absent-bytes", test_absent_bytes);
  g_test_add_data_func ("/permission/public-bytes", NULL, test_public_bytes);
  g_test_add_data_func ("/permission/public-bytes-hiding", "hidepid", test_public_bytes);
  g_test_add_func ("/permission/decide", test_decide);
  g_test_add_func ("/permission/confined", test_confined);
  return g_test_run ();
}
