// SPDX-License-Identifier: GPL-3.0-or-later
/* Answers that were handed out: who is given one again, and how long it counts. */
#include "config.h"

#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fp-block-store.h"
#include "fp-sealed-memory.h"
#include "fp-sweep.h"
#include "make-accounts.h"

static FpSnapshot *
collect (void)
{
  const FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  const FpSweepRequest request = { 0 };
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, NULL);

  return fp_sweep_collect (sweep, &request, NULL);
}

/* A block is handed on to the same user only, and as long as the same is hidden from him. */
static void
test_hidden (void)
{
  const FpPermission permission = { FP_ACCESS_OWN, geteuid (), getegid (), FALSE };
  FpBlockStore *store = fp_block_store_new ();
  g_autoptr (FpSnapshot) snapshot = collect ();
  g_autoptr (GError) error = NULL;
  FpPermission other = permission;
  FpBlock *block;

  block = fp_block_new_snapshot (snapshot, &permission, NULL, &error);
  g_assert_no_error (error);
  fp_block_store_take (store, block);
  g_assert_true (fp_block_store_find (store, snapshot, &permission) == block);
  other.hides_others = TRUE;
  g_assert_null (fp_block_store_find (store, snapshot, &other));
  other = permission;
  other.uid++;
  g_assert_null (fp_block_store_find (store, snapshot, &other));
  fp_block_store_free (store);
}

/* A block that is being taken back is given to nobody, also not to a call of an older snapshot that comes late. */
static void
test_late (void)
{
  const FpPermission permission = { FP_ACCESS_OWN, geteuid (), getegid (), FALSE };
  FpBlockStore *store = fp_block_store_new ();
  g_autoptr (FpSnapshot) snapshot = collect (), later = collect ();
  FpBlock *block = fp_block_new_snapshot (snapshot, &permission, NULL, NULL);

  fp_block_store_take (store, block);
  later->info.boottime_us = snapshot->info.boottime_us + 1;
  g_assert_true (fp_block_store_find (store, snapshot, &permission) == block);
  g_assert_null (fp_block_store_find (store, later, &permission));
  fp_block_store_prune (store);
  g_assert_null (fp_block_store_find (store, snapshot, &permission));
  fp_block_store_free (store);
}

static void
let_leave (FpBlockStore *store,
           FpBlock *block)
{
  fp_block_store_prune (store);
  while (g_atomic_int_get (&block->is_leaving))
    g_usleep (1000);
}

/* An answer counts for its user as long as somebody holds it, or has left its pages in a socket. */
static void
test_taken_back (void)
{
  const FpPermission permission = { FP_ACCESS_OWN, geteuid (), getegid (), FALSE };
  FpAccount *account = fp_accounts_get (make_accounts (), 1001);
  FpBlockStore *store = fp_block_store_new ();
  g_autoptr (FpSnapshot) snapshot = collect ();
  off_t offset = 0;
  FpBlock *block;
  int reader, pair[2];

  for (guint i = 0; i < FP_ACCOUNT_MAX_ANSWERS; i++)
    g_assert_true (fp_account_begin (account, FP_COUNT_ANSWERS, NULL));
  for (guint i = 0; i < FP_ACCOUNT_MAX_CONNECTIONS + FP_ACCOUNT_MAX_ANSWERS; i++)
    g_assert_true (fp_account_begin (account, FP_COUNT_BLOCKS, NULL));
  block = fp_block_new_snapshot (snapshot, &permission, account, NULL);
  block->n_passed = FP_ACCOUNT_MAX_ANSWERS;
  block->boottime_us = 0;
  g_assert_cmpint (block->probe = fp_sealed_memory_open_reader (block->fd, NULL), >=, 0);
  g_assert_cmpint (reader = fp_sealed_memory_open_reader (block->fd, NULL), >=, 0);
  fp_block_store_take (store, block);
  let_leave (store, block);
  g_assert_false (fp_account_begin (account, FP_COUNT_ANSWERS, NULL));
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
  g_assert_cmpint (sendfile (pair[0], reader, &offset, 4096), >, 0);
  close (reader);
  let_leave (store, block);
  g_assert_true (fp_account_begin (account, FP_COUNT_ANSWERS, NULL));
  g_assert_false (fp_account_charge (account, FP_WORK_SHORT, FP_ACCOUNT_MAX_BYTES));
  close (pair[0]);
  close (pair[1]);
  let_leave (store, block);
  g_assert_false (block->is_taken_back);
  g_assert_true (fp_block_store_prune (store));
  g_assert_false (fp_account_begin (account, FP_COUNT_BLOCKS, NULL));
  block->next_us = 0;
  let_leave (store, block);
  g_assert_false (fp_block_store_prune (store));
  g_assert_true (fp_account_begin (account, FP_COUNT_BLOCKS, NULL));
  g_assert_true (fp_account_charge (account, FP_WORK_SHORT, FP_ACCOUNT_MAX_BYTES));
  fp_block_store_free (store);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/block-store/hidden", test_hidden);
  g_test_add_func ("/block-store/late", test_late);
  g_test_add_func ("/block-store/taken-back", test_taken_back);
  return g_test_run ();
}
