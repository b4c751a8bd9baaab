// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixture-snapshot.h"
#include "fp-restarts.h"

static const struct
{
  guint32 uid;
  const char *program, *user, *unit, *control_group, *container;
} processes[] = {
  { 1000, "a-game", "anna", "ssh.service", "/user.slice/user-1000.slice/user@1000.service/app.slice/ssh.service", "" },
  { 0, "sudo", "root", "ssh.service", "/user.slice/user-1000.slice/user@1000.service/app.slice/ssh.service", "" },
  { 0, "cron-job", "root", "", "/init.scope", "" },
  { 0, "sshd", "root", "ssh.service", "/system.slice/ssh.service", "" },
  { 0, "sshd", "root", "ssh.service", "/system.slice/ssh.service", "" },
  { 70, "nginx", "www", "web.service", "/machine.slice/x/system.slice/web.service", "shop" },
  { 106, "postgres", "postgres", "postgresql.service", "/system.slice/postgresql.service", "" },
  { 1000, "current", "anna", "", "/user.slice/user-1000.slice/session-1.scope", "" },
};

#define N_OUTDATED (G_N_ELEMENTS (processes) - 1)

/* One library that was updated, of all processes but the last, which has another one. */
static FpRecords *
make_records (void)
{
  g_autoptr (FpMappedFiles) files = fp_mapped_files_new (G_N_ELEMENTS (processes), NULL);
  FpMappedFile old = { .name = "/old", .shown = "/old", .kind = FP_MAPPING_CODE, .state = FP_FILE_DELETED, .is_updated = TRUE };
  FpMappedFile present = { .name = "/new", .shown = "/new", .kind = FP_MAPPING_CODE, .key = { 1, 1 } };

  files->holders = g_new0 (FpMappedHolder, G_N_ELEMENTS (processes));
  files->n_holders = G_N_ELEMENTS (processes);
  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    {
      files->processes[i] = (FpMappedProcess){ { (gint)i + 1, 100 }, processes[i].uid, 0 };
      files->owners[i] = i;
      files->holders[i] = (FpMappedHolder){ .process = i, .is_deleted = i < N_OUTDATED, .is_updated = i < N_OUTDATED };
    }
  old.n_holders = present.first_holder = N_OUTDATED;
  present.n_holders = 1;
  g_array_append_val (files->files, old);
  g_array_append_val (files->files, present);
  fp_mapped_files_index (files);
  return fp_mapped_records_new (files, NULL);
}

static void
make_snapshot (FixtureSnapshot *fixture)
{
  fixture_snapshot_init (fixture, G_N_ELEMENTS (processes));
  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    {
      FpProcess *process = fixture_snapshot_add (fixture, (gint)i + 1, processes[i].program);

      process->uid = processes[i].uid;
      process->start_ticks = 100;
      fixture_snapshot_set_text (fixture, process, FP_TEXT_USER, processes[i].user);
      fixture_snapshot_set_text (fixture, process, FP_TEXT_UNIT, processes[i].unit);
      fixture_snapshot_set_text (fixture, process, FP_TEXT_CONTROL_GROUP, processes[i].control_group);
      fixture_snapshot_set_text (fixture, process, FP_TEXT_CONTAINER, processes[i].container);
    }
  fixture->snapshot->strings = fp_string_block_ref (fixture->strings.block);
}

static void
assert_described (const guint *indices,
                  guint n,
                  guint max_named,
                  guint max_pids,
                  const char *expected,
                  guint expected_more)
{
  g_autoptr (FpRecords) records = make_records ();
  g_autoptr (GPtrArray) restarts = NULL;
  g_autofree char *text = NULL;
  FixtureSnapshot fixture;
  guint n_processes, n_more;

  make_snapshot (&fixture);
  restarts = fp_restarts_list (records, indices, n, fixture.snapshot, &n_processes);
  text = fp_restarts_describe (restarts, n_processes, max_named, max_pids, &n_more);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (n_more, ==, expected_more);
  g_clear_pointer (&restarts, g_ptr_array_unref);
  fixture_snapshot_clear (&fixture);
}

/* The machine's services come first, then root's programs. A user's service is never taken for one of the machine's, nor is
 * a program that runs as root in it a service. */
static void
test_order (void)
{
  assert_described (NULL, 0, 10, 3,
                    "7 processes use old versions of files that were updated or deleted. Restart: "
                    "postgresql.service (user postgres), ssh.service, web.service (user www, container shop), "
                    "cron-job (PID 3), sudo (PID 2), ssh.service (user anna)",
                    0);
}

static void
test_short (void)
{
  assert_described (NULL, 0, 2, 0,
                    "7 processes use old versions of files that were updated or deleted. Restart: "
                    "postgresql.service (user postgres), ssh.service",
                    4);
}

/* Only the files that are listed count. */
static void
test_listed (void)
{
  const guint present = 1;

  assert_described (&present, 1, 2, 0, "0 processes use old versions of files that were updated or deleted. Restart: ", 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/restarts/order", test_order);
  g_test_add_func ("/restarts/short", test_short);
  g_test_add_func ("/restarts/listed", test_listed);
  return g_test_run ();
}
