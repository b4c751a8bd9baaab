// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-helper-protocol.h"
#include "make-accounts.h"

#define ADA 1000
#define BEN 1001
#define NOW (100 * G_USEC_PER_SEC)
#define MIB ((gsize)1 << 20)

#define assert_busy(error)                                                \
  G_STMT_START                                                            \
  {                                                                       \
    g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY);        \
    g_assert_cmpuint (g_ascii_strtoull (error->message, NULL, 10), >, 0); \
    g_clear_error (&error);                                               \
  }                                                                       \
  G_STMT_END

static guint
count_admitted (FpAccounts *accounts,
                const char *sender,
                gint64 now_us,
                guint n)
{
  guint n_admitted = 0;

  for (guint i = 0; i < n; i++)
    n_admitted += fp_accounts_admit (accounts, sender, 0, now_us);
  return n_admitted;
}

static guint
count_begun (FpAccount *account,
             gint64 now_us,
             guint n)
{
  guint n_begun = 0;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GError) error = NULL;

      if (fp_account_begin_call (account, now_us, &error))
        {
          n_begun++;
          fp_account_end (account, FP_COUNT_CALLS);
        }
      else
        assert_busy (error);
    }
  return n_begun;
}

/* However many connections a user has, they share one bucket. */
static void
test_burst (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA), *ben = fp_accounts_get (accounts, BEN);

  g_assert_cmpuint (count_admitted (accounts, ":1.1", NOW, 1000), ==, FP_STRANGER_BURST + FP_STRANGERS_BURST);
  g_assert_true (fp_account_add_connection (ada, ":1.1", NULL));
  g_assert_true (fp_account_add_connection (ada, ":1.2", NULL));
  g_assert_true (fp_account_add_connection (ben, ":1.3", NULL));
  g_assert_cmpuint (count_admitted (accounts, ":1.1", NOW, 50), ==, 50);
  g_assert_cmpuint (count_admitted (accounts, ":1.2", NOW, 1000), ==, FP_ANSWERED * FP_ACCOUNT_BURST - 50);
  g_assert_cmpuint (count_admitted (accounts, ":1.3", NOW, 1000), ==, FP_ANSWERED * FP_ACCOUNT_BURST);
  g_assert_cmpuint (count_begun (ada, NOW, 1000), ==, FP_ACCOUNT_BURST);
  g_assert_cmpuint (count_begun (ben, NOW, 1000), ==, FP_ACCOUNT_BURST);
}

static void
test_rate (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA);
  guint n_begun = 0;

  for (gint64 now_us = NOW; now_us < NOW + 100 * G_USEC_PER_SEC; now_us += 100)
    n_begun += count_begun (ada, now_us, 1);
  g_assert_cmpuint (n_begun, >=, 100 * FP_ACCOUNT_CALLS_PER_S);
  g_assert_cmpuint (n_begun, <=, 100 * FP_ACCOUNT_CALLS_PER_S + FP_ACCOUNT_BURST);
}

/* A little more than what is served is told so, and the rest of a flood is not worth an answer. */
static void
test_answers (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA);
  guint n_admitted = 0, n_begun = 0;

  g_assert_true (fp_account_add_connection (ada, ":1.1", NULL));
  for (gint64 now_us = NOW; now_us < NOW + 100 * G_USEC_PER_SEC; now_us += 100)
    if (fp_accounts_admit (accounts, ":1.1", 0, now_us))
      {
        n_admitted++;
        n_begun += count_begun (ada, now_us, 1);
      }
  g_assert_cmpuint (n_admitted, >=, FP_ANSWERED * 100 * FP_ACCOUNT_CALLS_PER_S);
  g_assert_cmpuint (n_admitted, <=, FP_ANSWERED * (100 * FP_ACCOUNT_CALLS_PER_S + FP_ACCOUNT_BURST));
  g_assert_cmpuint (n_begun, >=, 100 * FP_ACCOUNT_CALLS_PER_S);
  g_assert_cmpuint (n_begun, <=, 100 * FP_ACCOUNT_CALLS_PER_S + FP_ACCOUNT_BURST);
}

/* To take a long list apart costs as much as some calls. */
static void
test_lists (void)
{
  const gsize sizes[] = { 0, 8000, 9000, 60000 };
  const guint calls[] = { 1, 1, 2, 8 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      FpAccounts *accounts = make_accounts ();
      guint n = 0;

      g_assert_true (fp_account_add_connection (fp_accounts_get (accounts, ADA), ":1.1", NULL));
      while (fp_accounts_admit (accounts, ":1.1", sizes[i], NOW))
        n++;
      g_assert_cmpuint (n, ==, FP_ANSWERED * FP_ACCOUNT_BURST / calls[i]);
      g_assert_true (fp_accounts_admit (accounts, ":1.2", sizes[i], NOW));
    }
}

/* Connections over the limit stay strangers, and many of them are no more than a few calls. */
static void
test_strangers (void)
{
  FpAccounts *accounts = make_accounts ();
  guint n_admitted = 0;

  for (gint64 now_us = 0; now_us < 100 * G_USEC_PER_SEC; now_us += 10000)
    n_admitted += fp_accounts_admit (accounts, ":1.1", 0, now_us);
  g_assert_cmpuint (n_admitted, >=, 100 * (FP_STRANGER_CALLS_PER_S + FP_STRANGERS_CALLS_PER_S));
  g_assert_cmpuint (n_admitted, <=,
                    100 * (FP_STRANGER_CALLS_PER_S + FP_STRANGERS_CALLS_PER_S) + FP_STRANGER_BURST + FP_STRANGERS_BURST);
}

/* With a new connection for each call, those that are past are forgotten; one in its flood is not. */
static void
test_many_senders (void)
{
  FpAccounts *accounts = make_accounts ();
  gint64 now_us = 0;

  for (guint i = 0; i < 100000; i++, now_us += 1000)
    {
      g_autofree char *sender = g_strdup_printf (":1.%u", i);

      g_assert_true (fp_accounts_admit (accounts, sender, 0, now_us));
      fp_accounts_admit (accounts, ":1.flood", 0, now_us);
    }
  g_assert_cmpuint (count_admitted (accounts, ":1.flood", now_us, 10), <=, 1);
}

/* One for which there is no place shares the calls of its user's others. */
static void
test_connections (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < FP_ACCOUNT_MAX_CONNECTIONS; i++)
    {
      g_autofree char *name = g_strdup_printf (":1.%u", i);

      g_assert_true (fp_account_add_connection (ada, name, NULL));
    }
  g_assert_false (fp_account_add_connection (ada, ":2.1", &error));
  assert_busy (error);
  g_assert_cmpuint (count_admitted (accounts, ":2.1", NOW, 1000), ==, FP_ANSWERED * FP_ACCOUNT_BURST);
  g_assert_cmpuint (count_admitted (accounts, ":1.1", NOW, 1000), ==, 0);
  g_assert_true (fp_account_add_connection (fp_accounts_get (accounts, BEN), ":2.2", NULL));
  fp_account_remove_connection (ada, ":1.0");
  g_assert_true (fp_account_add_connection (ada, ":2.1", NULL));
}

/* One user's questions leave room for others', and those of several for whoever asks none. */
static void
test_questions (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  for (guint i = 0; i < FP_ACCOUNT_MAX_QUESTIONS; i++)
    g_assert_true (fp_account_begin (ada, FP_COUNT_QUESTIONS, NULL));
  g_assert_false (fp_account_begin (ada, FP_COUNT_QUESTIONS, &error));
  assert_busy (error);
  for (guint32 uid = BEN; uid < BEN + 7; uid++)
    for (guint i = 0; i < FP_ACCOUNT_MAX_QUESTIONS; i++)
      g_assert_true (fp_account_begin (fp_accounts_get (accounts, uid), FP_COUNT_QUESTIONS, NULL));
  for (guint32 uid = BEN + 7; uid < BEN + 100; uid++)
    {
      FpAccount *other = fp_accounts_get (accounts, uid);

      n += fp_account_begin (other, FP_COUNT_QUESTIONS, NULL);
      g_assert_false (fp_account_begin (other, FP_COUNT_QUESTIONS, NULL));
    }
  g_assert_cmpuint (n, ==, 16);
  fp_account_end (ada, FP_COUNT_QUESTIONS);
  g_assert_true (fp_account_begin (fp_accounts_get (accounts, BEN + 100), FP_COUNT_QUESTIONS, NULL));
}

static void
log_turn (gpointer data)
{
  static GString *order;

  if (!data)
    {
      g_assert_cmpstr (order ? order->str : "", ==, "aAbBaba");
      g_string_free (g_steal_pointer (&order), TRUE);
      return;
    }
  if (!order)
    order = g_string_new (NULL);
  g_string_append (order, data);
}

/* A user with much work waits behind the one job of another. */
static void
test_turns (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA), *ben = fp_accounts_get (accounts, BEN),
            *other = fp_accounts_get (accounts, 5);
  g_autoptr (GError) error = NULL;

  /* Both places are taken, one of them by Ada. */
  g_assert_true (fp_account_take_turn (ada, FP_WORK_MAPPINGS, log_turn, (gpointer) "a", NULL));
  g_assert_true (fp_account_take_turn (other, FP_WORK_MAPPINGS, log_turn, (gpointer) "A", NULL));
  g_assert_true (fp_account_take_turn (ada, FP_WORK_MAPPINGS, log_turn, (gpointer) "a", NULL));
  g_assert_true (fp_account_take_turn (ada, FP_WORK_MAPPINGS, log_turn, (gpointer) "a", NULL));
  g_assert_true (fp_account_take_turn (ben, FP_WORK_MAPPINGS, log_turn, (gpointer) "b", NULL));
  g_assert_true (fp_account_take_turn (ben, FP_WORK_MAPPINGS, log_turn, (gpointer) "b", NULL));
  g_assert_true (fp_account_take_turn (ada, FP_WORK_MAPPINGS, log_turn, (gpointer) "!", NULL));
  g_assert_false (fp_account_take_turn (ada, FP_WORK_MAPPINGS, log_turn, (gpointer) "!", &error));
  assert_busy (error);
  /* The other kind of work has places of its own. */
  fp_account_end_turn (other, FP_WORK_MAPPINGS); /* b */
  g_assert_true (fp_account_take_turn (other, FP_WORK_SHORT, log_turn, (gpointer) "B", NULL));
  fp_account_end_turn (ada, FP_WORK_MAPPINGS); /* a */
  fp_account_end_turn (ben, FP_WORK_MAPPINGS); /* b */
  fp_account_end_turn (ada, FP_WORK_MAPPINGS); /* a */
  log_turn (NULL);
}

static void
count_turn (gpointer n)
{
  ++*(guint *)n;
}

/* One reading of many processes at a time, of all users together; none of them takes a place of snapshots. */
static void
test_long_work (void)
{
  static const FpWork works[] = { FP_WORK_FILES, FP_WORK_KEPT };

  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      FpAccounts *accounts = make_accounts ();
      FpAccount *ada = fp_accounts_get (accounts, ADA), *ben = fp_accounts_get (accounts, BEN);
      guint n = 0, n_short = 0;

      g_assert_true (fp_account_take_turn (ada, works[i], count_turn, &n, NULL));
      g_assert_true (fp_account_take_turn (ada, works[i], count_turn, &n, NULL));
      g_assert_true (fp_account_take_turn (ben, works[i], count_turn, &n, NULL));
      g_assert_cmpuint (n, ==, 1);
      g_assert_true (fp_account_take_turn (ada, FP_WORK_SHORT, count_turn, &n_short, NULL));
      g_assert_true (fp_account_take_turn (ben, FP_WORK_SHORT, count_turn, &n_short, NULL));
      g_assert_cmpuint (n_short, ==, 2);
      fp_account_end_turn (ada, works[i]);
      g_assert_cmpuint (n, ==, 2);
      fp_account_end_turn (ben, works[i]);
      g_assert_cmpuint (n, ==, 3);
    }
}

/* polkit has one of each user's to answer, whatever a crowd wants to know. */
static void
test_checks (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA), *ben = fp_accounts_get (accounts, BEN);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  for (guint i = 0; i < 4; i++)
    g_assert_true (fp_account_take_turn (ada, FP_WORK_CHECK, count_turn, &n, NULL));
  g_assert_cmpuint (n, ==, 1);
  g_assert_false (fp_account_take_turn (ada, FP_WORK_CHECK, count_turn, &n, &error));
  assert_busy (error);
  g_assert_true (fp_account_take_turn (ben, FP_WORK_CHECK, count_turn, &n, NULL));
  g_assert_cmpuint (n, ==, 2);
  fp_account_end_turn (ada, FP_WORK_CHECK);
  g_assert_cmpuint (n, ==, 3);
}

static gsize
take_all (FpAccount *account,
          FpWork work)
{
  gsize n = 0;

  while (fp_account_charge (account, work, MIB))
    n += MIB;
  return n;
}

/* The longest answer that a user can need, of 65,530 mappings with long paths, has room as long as he holds nothing. */
static void
test_bytes (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA);

  g_assert_true (fp_account_charge (ada, FP_WORK_MAPPINGS, 36 * MIB));
  g_assert_false (fp_account_charge (ada, FP_WORK_MAPPINGS, 36 * MIB));
  g_assert_true (fp_account_charge (ada, FP_WORK_SHORT, FP_ACCOUNT_MAX_BYTES - 36 * MIB));
  g_assert_false (fp_account_charge (ada, FP_WORK_SHORT, 1));
  fp_account_refund (ada, FP_ACCOUNT_MAX_BYTES);
  g_assert_true (fp_account_charge (ada, FP_WORK_MAPPINGS, 36 * MIB));
  g_assert_true (fp_account_charge (NULL, FP_WORK_MAPPINGS, G_MAXSIZE));
  fp_account_refund (ada, 36 * MIB);
  g_assert_false (fp_account_charge (ada, FP_WORK_MAPPINGS, FP_ACCOUNT_MAX_MAPPINGS + MIB));
  g_assert_true (fp_account_charge (ada, FP_WORK_MAPPINGS, FP_ACCOUNT_MAX_MAPPINGS));
}

/* Whatever one user takes as often as he can, another gets what mappings and sums of files mostly need, and a snapshot. Those of
 * one who holds them are counted while others ask. */
static void
test_hoard (void)
{
  static const FpWork works[][2] = {
    { FP_WORK_MAPPINGS, FP_WORK_SHORT }, { FP_WORK_FILES, FP_WORK_SHORT }, { FP_WORK_SHORT, FP_WORK_MAPPINGS }
  };

  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      FpAccounts *accounts = make_accounts ();
      FpAccount *ada = fp_accounts_get (accounts, ADA), *ben = fp_accounts_get (accounts, BEN);
      gsize n = take_all (ada, works[i][0]) + take_all (ada, works[i][1]);

      g_assert_cmpuint (n, <=, FP_ACCOUNT_MAX_BYTES);
      g_assert_true (fp_account_charge (ben, FP_WORK_MAPPINGS, 8 * MIB));
      g_assert_true (fp_account_charge (ben, FP_WORK_SHORT, MIB));
      g_assert_cmpuint (take_all (ada, works[i][0]), ==, 0);
      fp_account_refund (ben, 9 * MIB);
      g_assert_true (fp_account_charge (ben, FP_WORK_FILES, 8 * MIB));
    }
}

/* A snapshot for each user who holds nothing, beyond what others hold, but not for any number of users. */
static void
test_many_users (void)
{
  FpAccounts *accounts = make_accounts ();
  guint n = 0;

  g_assert_true (fp_account_charge (fp_accounts_get (accounts, ADA), FP_WORK_SHORT, FP_ACCOUNT_MAX_BYTES));
  g_assert_true (fp_account_charge (fp_accounts_get (accounts, BEN), FP_WORK_SHORT, 32 * MIB));
  g_assert_false (fp_account_charge (fp_accounts_get (accounts, BEN), FP_WORK_SHORT, MIB));
  for (guint32 uid = 10000; uid < 11000; uid++)
    n += fp_account_charge (fp_accounts_get (accounts, uid), FP_WORK_SHORT, 1 << 20);
  g_assert_cmpuint (n, ==, 24);

  /* On the largest machine somebody is always served. */
  accounts = make_accounts ();
  g_assert_true (fp_account_charge (fp_accounts_get (accounts, ADA), FP_WORK_SHORT, (gsize)200 << 20));
  g_assert_false (fp_account_charge (fp_accounts_get (accounts, BEN), FP_WORK_SHORT, 1));
}

/* In the long run it is a tenth of a processor, with whatever connections. */
static void
test_shares (void)
{
  FpAccounts *accounts = make_accounts ();
  g_autoptr (GError) error = NULL;
  gint64 spent_us = 0, end_us = 1000 * G_USEC_PER_SEC;

  for (gint64 now_us = 0; now_us < end_us; now_us += 10000)
    {
      FpAccount *ada = fp_accounts_get (accounts, ADA);

      if (fp_account_may_spend (ada, FP_COST_WANTED, now_us, NULL))
        {
          fp_account_spend (ada, FP_COST_WANTED, now_us, 50000);
          spent_us += 50000;
        }
    }
  g_assert_cmpint (spent_us, >, end_us / 11);
  g_assert_cmpint (spent_us, <, end_us / 9);
  fp_account_spend (fp_accounts_get (accounts, ADA), FP_COST_WANTED, end_us, G_USEC_PER_SEC);
  g_assert_false (fp_account_may_spend (fp_accounts_get (accounts, ADA), FP_COST_WANTED, end_us, &error));
  assert_busy (error);
  g_assert_true (fp_account_may_spend (fp_accounts_get (accounts, BEN), FP_COST_WANTED, end_us, NULL));
}

/* Connections that could not be identified share the calls of the user whom the bus names, and take none of others. They have
 * no place, which one that can be identified later still gets. */
static void
test_distrusted (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA), *ben = fp_accounts_get (accounts, BEN);
  guint n_admitted = 0;

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf (":2.%u", i);

      g_assert_true (fp_accounts_admit (accounts, name, 0, NOW));
      fp_account_add_sender (ada, name, FALSE);
    }
  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *name = g_strdup_printf (":2.%u", i);

      n_admitted += count_admitted (accounts, name, NOW, 100);
    }
  g_assert_cmpuint (n_admitted, ==, FP_ANSWERED * FP_ACCOUNT_BURST);
  g_assert_cmpuint (count_admitted (accounts, ":1.1", NOW, 100), ==, FP_STRANGER_BURST + FP_STRANGERS_BURST);
  fp_account_add_sender (ben, ":1.2", FALSE);
  g_assert_cmpuint (count_admitted (accounts, ":1.2", NOW, 1000), ==, FP_ANSWERED * FP_ACCOUNT_BURST);
  for (guint i = 0; i < FP_ACCOUNT_MAX_CONNECTIONS; i++)
    {
      g_autofree char *name = g_strdup_printf (":2.%u", i);

      g_assert_true (fp_account_add_connection (ada, name, NULL));
    }
}

/* How many calls of a size are admitted, of 20 that each of 100 strangers sends at once */
static guint
count_first_calls (gsize size)
{
  FpAccounts *accounts = make_accounts ();
  guint n_admitted = 0;

  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *name = g_strdup_printf (":1.%u", i);

      for (guint n = 0; n < 20; n++)
        n_admitted += fp_accounts_admit (accounts, name, size, NOW);
    }
  g_assert_true (fp_account_add_connection (fp_accounts_get (accounts, ADA), ":1.1", NULL));
  g_assert_true (fp_accounts_admit (accounts, ":1.1", 8000, NOW));
  return n_admitted;
}

/* A stranger is a new one each time, so that two short calls are all that one has, and of others all together have few. */
static void
test_first_calls (void)
{
  g_assert_cmpuint (count_first_calls (383), ==, 100 * FP_STRANGER_BURST + FP_STRANGERS_BURST);
  g_assert_cmpuint (count_first_calls (384), ==, 100 * FP_STRANGER_BURST / 2 + FP_STRANGERS_BURST / 2);
  g_assert_cmpuint (count_first_calls (768), ==, FP_STRANGERS_BURST / 3);
  g_assert_cmpuint (count_first_calls (1792), ==, FP_STRANGERS_BURST / 5);
  g_assert_cmpuint (count_first_calls (1793), ==, FP_STRANGERS_BURST);
  g_assert_cmpuint (count_first_calls (8192), ==, FP_STRANGERS_BURST / 2);
}

/* Those that could not be identified are forgotten when there are many, and others are not. */
static void
test_many_distrusted (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA), *ben = fp_accounts_get (accounts, BEN);

  g_assert_true (fp_account_add_connection (ben, ":1.1", NULL));
  for (guint i = 0; i < 10000; i++)
    {
      g_autofree char *name = g_strdup_printf (":2.%u", i);

      fp_account_add_sender (ada, name, FALSE);
      fp_accounts_admit (accounts, name, 0, NOW);
    }
  g_assert_cmpuint (count_admitted (accounts, ":2.0", NOW, 1000), ==, FP_STRANGER_BURST + FP_STRANGERS_BURST);
  g_assert_cmpuint (count_admitted (accounts, ":1.1", NOW, 1000), ==, FP_ANSWERED * FP_ACCOUNT_BURST);
}

/* New connections of one user are looked at one after the other, and another user's at the same time. */
static void
test_identities (void)
{
  FpAccounts *accounts = make_accounts ();
  FpAccount *ada = fp_accounts_get (accounts, ADA), *ben = fp_accounts_get (accounts, BEN);
  g_autoptr (GError) error = NULL;
  guint n_of_ada = 0, n_of_ben = 0;

  for (guint i = 0; i < FP_ACCOUNT_MAX_CONNECTIONS; i++)
    g_assert_true (fp_account_take_turn (ada, FP_WORK_IDENTITY, count_turn, &n_of_ada, NULL));
  g_assert_false (fp_account_take_turn (ada, FP_WORK_IDENTITY, count_turn, &n_of_ada, &error));
  assert_busy (error);
  g_assert_true (fp_account_take_turn (ben, FP_WORK_IDENTITY, count_turn, &n_of_ben, NULL));
  g_assert_cmpuint (n_of_ada, ==, 1);
  g_assert_cmpuint (n_of_ben, ==, 1);
  fp_account_end_turn (ada, FP_WORK_IDENTITY);
  g_assert_cmpuint (n_of_ada, ==, 2);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/account/burst", test_burst);
  g_test_add_func ("/account/rate", test_rate);
  g_test_add_func ("/account/answers", test_answers);
  g_test_add_func ("/account/lists", test_lists);
  g_test_add_func ("/account/strangers", test_strangers);
  g_test_add_func ("/account/many-senders", test_many_senders);
  g_test_add_func ("/account/distrusted", test_distrusted);
  g_test_add_func ("/account/first-calls", test_first_calls);
  g_test_add_func ("/account/many-distrusted", test_many_distrusted);
  g_test_add_func ("/account/identities", test_identities);
  g_test_add_func ("/account/connections", test_connections);
  g_test_add_func ("/account/questions", test_questions);
  g_test_add_func ("/account/turns", test_turns);
  g_test_add_func ("/account/checks", test_checks);
  g_test_add_func ("/account/long-work", test_long_work);
  g_test_add_func ("/account/bytes", test_bytes);
  g_test_add_func ("/account/hoard", test_hoard);
  g_test_add_func ("/account/many-users", test_many_users);
  g_test_add_func ("/account/shares", test_shares);
  return g_test_run ();
}
