// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "fp-helper-protocol.h"
#include "system-user.h"

#define OWN_FOR_ALL "if (action.id == \"io.github.footprint_app.Footprint.read-own-memory\") return polkit.Result.YES;"
#define ALL_FOR_ADA \
  "if (action.id == \"io.github.footprint_app.Footprint.read-memory\" && subject.user == \"fp-ada\") return polkit.Result.YES;"
#define ALL_FOR_ALL "if (action.id == \"io.github.footprint_app.Footprint.read-memory\") return polkit.Result.YES;"
#define TOLERANCE   (128 * 1024) /* of what others who come and go share with it */

#define MIN_PUBLIC 12 /* figures that are public of every process */

#define N_WITH_GRAPHICS 2 /* of the users */
#define IN_RAM          ((guint64)54321 * 1024)

static const char *const users[] = { "fp-ada", "fp-ben", "fp-cleo" };

/* Each kind as each of the users; a program that may not be read is not dumpable. */
static const struct
{
  const char *path;
  mode_t mode;
  gboolean has_capability;
  gboolean is_plain;
} kinds[] = {
  { "/run/fp-plain", 0755, FALSE, TRUE },
  { "/run/fp-setgid", 02755, FALSE, FALSE },
  { "/run/fp-setuid", 04755, FALSE, FALSE },
  { "/run/fp-capable", 0755, TRUE, FALSE },
  { "/run/fp-undumpable", 0711, FALSE, FALSE },
};

static SystemProcess sleepers[G_N_ELEMENTS (users)][G_N_ELEMENTS (kinds)];

static void
give_capability (const char *path)
{
  const struct vfs_cap_data data = {
    .magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
    .data[0].permitted = 1 << CAP_NET_RAW,
  };

  g_assert_cmpint (setxattr (path, "security.capability", &data, XATTR_CAPS_SZ_2, 0), ==, 0);
}

/* The kernel has no such driver here: a folder with what one would write is mounted over that of the process. */
static void
give_graphics (gint pid,
               const char *user)
{
  g_autofree char *folder = g_strdup_printf ("/run/fp-fdinfo-%s", user), *file = g_build_filename (folder, "3", NULL);
  g_autofree char *target = g_strdup_printf ("/proc/%d/fdinfo", pid);
  g_autofree char *text = g_strdup_printf ("pos:\t0\ndrm-driver:\tdriver-of-%s\ndrm-client-id:\t7\n"
                                           "drm-pdev:\tcard-of-%s\ndrm-resident-gtt:\t%d KiB\n",
                                           user, user, (int)(IN_RAM / 1024));

  g_assert_cmpint (mkdir (folder, 0755), ==, 0);
  g_assert_true (g_file_set_contents (file, text, -1, NULL));
  g_assert_cmpint (chmod (file, 0644), ==, 0);
  g_assert_cmpint (mount (folder, target, NULL, MS_BIND, NULL), ==, 0);
}

static void
start_sleepers (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *command = g_strdup_printf ("cp /bin/sleep %s", kinds[i].path);

      g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
      g_assert_cmpint (chown (kinds[i].path, 0, getgrnam ("footprint")->gr_gid), ==, 0);
      g_assert_cmpint (chmod (kinds[i].path, kinds[i].mode), ==, 0);
      if (kinds[i].has_capability)
        give_capability (kinds[i].path);
      for (guint j = 0; j < G_N_ELEMENTS (users); j++)
        system_start (&sleepers[j][i], users[j], (const char *const[]){ kinds[i].path, "1000", NULL });
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (guint j = 0; j < G_N_ELEMENTS (users); j++)
      {
        g_autofree char *comm = g_path_get_basename (kinds[i].path);

        system_await_sleep (sleepers[j][i].pid, comm);
      }
  /* Before the helper first looks: it looks again only at those whose number of descriptors has changed. */
  for (guint j = 0; j < N_WITH_GRAPHICS; j++)
    give_graphics (sleepers[j][0].pid, users[j]);
}

/* The answers of the helper to a user, and the readings of that user, at one time: the figures are not from before the
 * end of the client that was there before. */
static void
read_both (const char *user,
           FpSnapshot **given,
           FpSnapshot **own)
{
  g_autofree char *given_path = g_strdup_printf ("/run/%s/given", user);
  g_autofree char *own_path = g_strdup_printf ("/run/%s/own", user);
  g_autofree char *steps = g_strdup_printf ("own fresh raw=%s local=%s hold", given_path, own_path);
  SystemProcess client;

  if (g_str_equal (user, "root"))
    g_mkdir_with_parents ("/run/root", 0700);
  system_start_client (&client, user, steps);
  system_expect (&client, "own ");
  system_expect (&client, "saved 1");
  system_expect (&client, "saved 1");
  system_expect (&client, "holding");
  *given = system_load_snapshot (given_path);
  *own = system_load_snapshot (own_path);
  system_stop (&client);
}

static gboolean
is_text_of (const FpSnapshot *snapshot,
            const char *text)
{
  for (guint i = 0; i < snapshot->n_processes; i++)
    for (FpText kind = 0; kind < FP_N_TEXTS; kind++)
      if (g_str_equal (fp_snapshot_get_text (snapshot, &snapshot->processes[i], kind), text))
        return TRUE;
  return FALSE;
}

/* The whole block of texts: also of those that no record names. */
static void
assert_no_other_texts (const FpSnapshot *given,
                       const FpSnapshot *own)
{
  for (gsize at = 0; at < given->strings->used; at += strlen (given->strings->data + at) + 1)
    {
      const char *text = given->strings->data + at;

      if (*text && !is_text_of (own, text))
        g_error ("“%s” is in the bytes and can't be read", text);
    }
}

static gboolean
is_close (guint64 a,
          guint64 b)
{
  return (a > b ? a - b : b - a) <= TOLERANCE;
}

/* Every number, whether it is said to be present or not, and text by text. */
static void
assert_not_more (const FpSnapshot *given,
                 const FpProcess *process,
                 const FpSnapshot *own)
{
  const FpProcess *theirs = fp_snapshot_find (own, process->pid);

  if (!theirs)
    g_error ("%d is shown and can't be seen", process->pid);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if ((fp_memory_has (&process->memory, field) || process->memory.figures[field] != 0) &&
        !fp_memory_has (&theirs->memory, field))
      g_error ("%s of %d (%s) is in the bytes and can't be read", fp_field_infos[field].name, process->pid,
               fp_snapshot_get_text (given, process, FP_TEXT_COMM));
  if (!fp_memory_has (&theirs->memory, FP_FIELD_PSS))
    {
      g_assert_cmpuint (process->measured_us, ==, 0);
      g_assert_cmpuint (process->cost_us, ==, 0);
      g_assert_cmpint (process->shares_with, ==, 0);
      g_assert_cmpint (process->exe_state, ==, 0);
      g_assert_cmpint (process->is_plain, ==, 0);
    }
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    {
      const char *shown = fp_snapshot_get_text (given, process, text);

      if (*shown && text == FP_TEXT_EXE)
        g_assert_cmpstr (shown, ==, fp_snapshot_get_text (own, theirs, text));
      else if (text == FP_TEXT_PROGRAM && g_strcmp0 (shown, fp_snapshot_get_text (own, theirs, text)) != 0)
        g_assert_cmpstr (shown, ==, fp_snapshot_get_text (own, theirs, FP_TEXT_COMM));
    }
}

static void
assert_equal (const FpSnapshot *given,
              const FpSnapshot *own,
              gint pid)
{
  const FpProcess *a = fp_snapshot_find (given, pid), *b = fp_snapshot_find (own, pid);

  g_assert_true (a && b);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if (fp_field_infos[field].origin & (FP_ORIGIN_SMAPS | FP_ORIGIN_DERIVED))
      {
        g_assert_cmpint (fp_memory_has (&a->memory, field), ==, fp_memory_has (&b->memory, field));
        if (!is_close (fp_memory_get (&a->memory, field), fp_memory_get (&b->memory, field)))
          g_error ("%s of %d: %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT, fp_field_infos[field].name, pid,
                   fp_memory_get (&a->memory, field), fp_memory_get (&b->memory, field));
      }
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    g_assert_cmpstr (fp_snapshot_get_text (given, a, text), ==, fp_snapshot_get_text (own, b, text));
  g_assert_cmpint (a->reason, ==, b->reason);
  g_assert_cmpint (a->exe_state, ==, b->exe_state);
}

/* Public figures of a process that sleeps are the same to everybody. */
static void
assert_same_public (const FpSnapshot *given,
                    const FpSnapshot *own,
                    gint pid)
{
  const FpProcess *a = fp_snapshot_find (given, pid), *b = fp_snapshot_find (own, pid);
  guint n = 0;

  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if (fp_memory_has (&a->memory, field))
      {
        n++;
        if (!is_close (fp_memory_get (&a->memory, field), fp_memory_get (&b->memory, field)))
          g_error ("%s of %d: %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT, fp_field_infos[field].name, pid,
                   fp_memory_get (&a->memory, field), fp_memory_get (&b->memory, field));
      }
  g_assert_cmpuint (n, >=, MIN_PUBLIC);
}

static void
check_user (guint user,
            gboolean is_hiding)
{
  g_autoptr (FpSnapshot) given = NULL;
  g_autoptr (FpSnapshot) own = NULL;

  read_both (users[user], &given, &own);
  for (guint i = 0; i < given->n_processes; i++)
    if (fp_snapshot_find (own, given->processes[i].pid) || is_hiding)
      assert_not_more (given, &given->processes[i], own);
  assert_no_other_texts (given, own);
  for (guint j = 0; j < G_N_ELEMENTS (users); j++)
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
      {
        const FpProcess *process = fp_snapshot_find (given, sleepers[j][i].pid);

        if (j == user && kinds[i].is_plain)
          {
            g_assert_true (fp_memory_has (&process->memory, FP_FIELD_PSS));
            assert_equal (given, own, sleepers[j][i].pid);
          }
        else if (is_hiding)
          g_assert_null (process);
        else
          {
            g_assert_false (fp_memory_has (&process->memory, FP_FIELD_PSS));
            assert_same_public (given, own, sleepers[j][i].pid);
          }
      }
}

static void
test_without_password (gconstpointer data)
{
  const char *option = data;
  SystemProcess client;

  system_set_rule ("20-test", OWN_FOR_ALL);
  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, option), ==, 0);
  /* Root has asked before, so that there is a sweep of everything to be shared. */
  system_start_client (&client, "root", "own");
  system_expect (&client, "own all");
  system_stop (&client);
  for (guint user = 0; user < G_N_ELEMENTS (users); user++)
    check_user (user, !g_str_equal (option, "hidepid=0"));
  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, "hidepid=0"), ==, 0);
}

/* A plain process of one's own needs no question; all others are for an administrator. */
static void
test_mappings (void)
{
  system_set_rule ("20-test", OWN_FOR_ALL);
  for (guint j = 0; j < G_N_ELEMENTS (users); j++)
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
      {
        g_autofree char *steps = g_strdup_printf ("own mappings=%d", sleepers[j][i].pid);
        SystemProcess client;

        system_start_client (&client, users[0], steps);
        system_expect (&client, "own own");
        if (j == 0 && kinds[i].is_plain)
          system_expect (&client, "mappings read ");
        else
          system_expect_error (&client, "mappings", FP_HELPER_ERROR_NO_AGENT);
        system_stop (&client);
      }
}

/* In the helper's confinement: a program that is not dumpable, of somebody else. */
static void
test_graphics (void)
{
  const gboolean has_driver = g_file_test ("/proc/driver/nvidia", G_FILE_TEST_EXISTS);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *steps = g_strdup_printf ("own graphics=%d", sleepers[1][i].pid);
      SystemProcess client;

      system_set_rule ("20-test", OWN_FOR_ALL);
      system_start_client (&client, users[0], steps);
      system_expect (&client, "own own");
      system_expect_error (&client, "graphics", FP_HELPER_ERROR_LOCKED);
      system_stop (&client);
      system_set_rule ("20-test", OWN_FOR_ALL ALL_FOR_ADA);
      system_start_client (&client, users[0], steps);
      system_expect (&client, "own all");
      system_expect (&client, has_driver ? "graphics known 0, beside 0" : "graphics known 1, beside 0");
      system_stop (&client);
    }
  system_set_rule ("20-test", NULL);
}

static gboolean
has_bytes (GBytes *bytes,
           gconstpointer part,
           gsize length)
{
  return memmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), part, length) != NULL;
}

/* The whole message, whatever its type. */
static GBytes *
read_raw_kept (const char *user)
{
  g_autofree char *path = g_strdup_printf ("/run/%s/raw-kept", user), *steps = g_strdup_printf ("raw-kept=%s", path);
  SystemProcess client;
  char *data;
  gsize size;

  system_start_client (&client, user, steps);
  system_expect (&client, "saved 1");
  system_stop (&client);
  g_assert_true (g_file_get_contents (path, &data, &size, NULL));
  g_assert_cmpint (g_remove (path), ==, 0);
  return g_bytes_new_take (data, size);
}

static GDBusMessage *
parse_message (GBytes *bytes)
{
  return g_dbus_message_new_from_blob ((guchar *)g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes),
                                       G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
}

/* The body is a sentence, without any figure. */
static void
assert_refused (GBytes *bytes)
{
  g_autoptr (GDBusMessage) message = parse_message (bytes);
  const guint64 in_ram = IN_RAM;
  const char *sentence;

  g_assert_cmpint (g_dbus_message_get_message_type (message), ==, G_DBUS_MESSAGE_TYPE_ERROR);
  g_assert_cmpstr (g_dbus_message_get_signature (message), ==, "s");
  g_variant_get (g_dbus_message_get_body (message), "(&s)", &sentence);
  if (strpbrk (sentence, "0123456789"))
    g_error ("“%s” has a figure", sentence);
  g_assert_false (has_bytes (bytes, &in_ram, sizeof in_ram));
  g_assert_false (has_bytes (bytes, "-of-fp-", strlen ("-of-fp-")));
}

/* Lists 6 to 8 of the message are those of graphics. The others, which the helper looks at for nobody, are empty. */
static void
assert_graphics_alone (GBytes *bytes)
{
  static const char *const of_two[] = { "driver-of-fp-ada", "card-of-fp-ada", "driver-of-fp-ben", "card-of-fp-ben" };
  g_autoptr (GDBusMessage) message = parse_message (bytes);
  GVariant *body = g_dbus_message_get_body (message);
  const guint64 in_ram = IN_RAM;

  g_assert_true (has_bytes (bytes, &in_ram, sizeof in_ram));
  for (guint i = 0; i < G_N_ELEMENTS (of_two); i++)
    g_assert_true (has_bytes (bytes, of_two[i], strlen (of_two[i])));
  g_assert_cmpuint (g_variant_n_children (body), ==, 10);
  for (guint list = 4; list < 10; list++)
    {
      g_autoptr (GVariant) entries = g_variant_get_child_value (body, list);

      g_assert_cmpint (g_variant_n_children (entries) > 0, ==, list >= 6 && list <= 8);
    }
}

static void
check_raw_kept (const char *user,
                gboolean may_read_all)
{
  g_autoptr (GBytes) bytes = read_raw_kept (user);

  if (may_read_all)
    assert_graphics_alone (bytes);
  else
    assert_refused (bytes);
}

/* Byte for byte: both classes of callers, two users who have graphics, and one who has none. Those who may not read all are told
 * not even of their own, which they read themselves. */
static void
test_graphics_raw (void)
{
  if (g_file_test ("/proc/driver/nvidia", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("where NVIDIA’s driver is no graphics are told");
      return;
    }
  for (guint j = 0; j < G_N_ELEMENTS (users); j++)
    {
      system_set_rule ("20-test", OWN_FOR_ALL);
      check_raw_kept (users[j], FALSE);
      system_set_rule ("20-test", OWN_FOR_ALL ALL_FOR_ALL);
      check_raw_kept (users[j], TRUE);
      system_set_rule ("20-test", NULL);
      check_raw_kept (users[j], FALSE);
    }
}

static void
expect_details (gint pid,
                gboolean may_see)
{
  g_autofree char *steps = g_strdup_printf ("own details=%d", pid);
  SystemProcess client;

  system_start_client (&client, users[0], steps);
  system_expect (&client, "own own");
  if (may_see)
    system_expect (&client, "details read ");
  else
    system_expect_error (&client, "details", FP_HELPER_ERROR_LOCKED);
  system_stop (&client);
}

/* Those of everybody, as their files are, but only one's own where /proc hides any. */
static void
test_details (void)
{
  system_set_rule ("20-test", OWN_FOR_ALL);
  expect_details (sleepers[1][0].pid, TRUE);
  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, "hidepid=1"), ==, 0);
  for (guint j = 0; j < G_N_ELEMENTS (sleepers); j++)
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
      expect_details (sleepers[j][i].pid, j == 0 && kinds[i].is_plain);
  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, "hidepid=0"), ==, 0);
}

/* Less than its user: without a password of its own it is given nothing, not even with a rule for its user. */
static void
test_confined (void)
{
  const char *client = g_getenv ("FOOTPRINT_CLIENT");
  const char *const commands[][9] = {
    { "/usr/bin/setpriv", "--no-new-privs", client, "own", "mappings=1", NULL },
    { "/usr/bin/unshare", "--user", "--map-current-user", client, "own", "mappings=1", NULL },
    { "/usr/bin/unshare", "--user", "--map-current-user", "--pid", "--fork", client, "own", "mappings=1", NULL },
    { "/usr/bin/setpriv", "--no-new-privs", g_getenv ("FOOTPRINT_LANDLOCKED"), client, "own", "mappings=1", NULL },
    { "/usr/bin/bwrap", "--dev-bind", "/", "/", client, "own", "mappings=1", NULL },
  };

  system_set_rule ("20-test", OWN_FOR_ALL ALL_FOR_ADA);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      SystemProcess process;

      system_start (&process, "fp-ada", commands[i]);
      system_expect_error (&process, "own", FP_HELPER_ERROR_LOCKED);
      system_expect_error (&process, "mappings", FP_HELPER_ERROR_NO_AGENT);
      system_stop (&process);
    }
  system_set_rule ("20-test", NULL);
}

/* As Flatpak starts it: in a sandbox of its own, and outside of the program's. */
static void
test_flatpak_proxy (void)
{
  g_autofree char *command = g_strdup_printf (
      "bwrap --dev-bind / / --die-with-parent xdg-dbus-proxy unix:path=/run/dbus/system_bus_socket /run/fp-ada/proxy & "
      "while ! test -S /run/fp-ada/proxy; do sleep 0.1; done; "
      "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/fp-ada/proxy exec %s own",
      g_getenv ("FOOTPRINT_CLIENT"));
  SystemProcess process;

  system_set_rule ("20-test", OWN_FOR_ALL);
  system_start (&process, "fp-ada", (const char *const[]){ "/bin/sh", "-c", command, NULL });
  system_expect (&process, "own own");
  system_stop (&process);
  system_set_rule ("20-test", NULL);
}

/* Somebody whose group is not that of the list of users sees the processes of that group, as the kernel has it. */
static void
test_other_group (void)
{
  const char *const sleeper[] = { "/bin/sh", "-c", "exec sg footprint 'exec sleep 1000'", NULL };
  SystemProcess process, client;
  g_autofree char *steps = NULL;
  pid_t sleep;

  system_set_rule ("20-test", OWN_FOR_ALL);
  g_assert_true (g_spawn_command_line_sync ("usermod -a -G footprint fp-ada", NULL, NULL, NULL, NULL));
  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, "hidepid=2"), ==, 0);
  system_start (&process, "fp-ada", sleeper);
  sleep = system_await_process ("sleep");
  steps = g_strdup_printf ("exec sg footprint '%s own fresh details=%d mappings=%d'", g_getenv ("FOOTPRINT_CLIENT"),
                           sleep, sleep);
  system_start (&client, "fp-ada", (const char *const[]){ "/bin/sh", "-c", steps, NULL });
  system_expect (&client, "own own");
  system_expect (&client, "details read");
  system_expect (&client, "mappings read");
  system_stop (&client);
  system_stop (&process);
  g_assert_cmpint (mount (NULL, "/proc", NULL, MS_REMOUNT, "hidepid=0"), ==, 0);
  system_set_rule ("20-test", NULL);
}

/* After authorization: what root reads. */
static void
test_with_permission (void)
{
  g_autoptr (FpSnapshot) given = NULL;
  g_autoptr (FpSnapshot) own = NULL;
  g_autoptr (FpSnapshot) of_root = NULL;
  g_autoptr (FpSnapshot) by_root = NULL;

  system_set_rule ("20-test", ALL_FOR_ADA);
  read_both ("fp-ada", &given, &own);
  read_both ("root", &of_root, &by_root);
  for (guint j = 0; j < G_N_ELEMENTS (users); j++)
    for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
      {
        assert_equal (given, by_root, sleepers[j][i].pid);
        assert_equal (of_root, by_root, sleepers[j][i].pid);
      }
  for (guint i = 0; i < by_root->n_processes; i++)
    if (fp_snapshot_find (given, by_root->processes[i].pid))
      g_assert_cmpint (by_root->processes[i].reason, ==,
                       fp_snapshot_find (given, by_root->processes[i].pid)->reason);
  system_set_rule ("20-test", NULL);
}

int
main (int argc,
      char *argv[])
{
  /* The sanitizer looks for leaks with ptrace, which the helper forbids itself. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  g_test_init (&argc, &argv, NULL);
  start_sleepers ();
  g_test_add_data_func ("/views/without-password/hidepid-0", "hidepid=0", test_without_password);
  g_test_add_data_func ("/views/without-password/hidepid-1", "hidepid=1", test_without_password);
  g_test_add_data_func ("/views/without-password/hidepid-2", "hidepid=2", test_without_password);
  g_test_add_func ("/views/mappings", test_mappings);
  g_test_add_func ("/views/graphics", test_graphics);
  g_test_add_func ("/views/graphics-raw", test_graphics_raw);
  g_test_add_func ("/views/details", test_details);
  g_test_add_func ("/views/confined", test_confined);
  g_test_add_func ("/views/flatpak-proxy", test_flatpak_proxy);
  g_test_add_func ("/views/other-group", test_other_group);
  g_test_add_func ("/views/with-permission", test_with_permission);
  return g_test_run ();
}
