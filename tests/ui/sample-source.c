// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample-source.h"

#include <string.h>

#include "fixture-control-groups.h"
#include "fixture-snapshot.h"
#include "sample-machine.h"

#define MIB    G_GUINT64_CONSTANT (1048576)
#define N_LONG 8

struct _SampleSource
{
  GObject parent;

  const char *mode;
  guint n_reads; /* of groups */
  guint n_snapshots;
};

static void sample_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (SampleSource,
                               sample_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, sample_source_iface_init))

/* A group without groups in it: its figures in MiB, its limits (0: none), events, and how long it waited. */
typedef struct
{
  FpControlKind kind;
  const char *path, *name;
  guint own, cache, shared, kernel, swap, high, max, held, killed, waited_ms;
} Leaf;

#define USER    "/user.slice/user-1000.slice/user@1000.service"
#define APPS    USER "/app.slice"
#define SESSION USER "/session.slice"

#define SERVICE FP_CONTROL_KIND_SERVICE
#define APP     FP_CONTROL_KIND_APP

/* clang-format off */
static const Leaf leaves[] = {
  { SERVICE, "/system.slice/NetworkManager.service", "NetworkManager", 9, 14, 0, 3, 2, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/accounts-daemon.service", "accounts-daemon", 2, 3, 0, 1, 1, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/avahi-daemon.service", "avahi-daemon", 1, 2, 0, 1, 0, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/bluetooth.service", "bluetooth", 2, 3, 0, 1, 0, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/colord.service", "colord", 7, 9, 0, 1, 3, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/cron.service", "cron", 1, 41, 0, 2, 0, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/cups.service", "cups", 3, 8, 0, 1, 2, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/dbus.service", "dbus", 4, 2, 0, 1, 0, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/docker.service", "docker", 61, 122, 0, 14, 22, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/gdm.service", "gdm", 4, 7, 0, 2, 3, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/packagekit.service", "packagekit", 31, 288, 0, 12, 9, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/polkit.service", "polkit", 6, 4, 0, 1, 1, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/postgresql.service", "postgresql", 212, 1430, 131, 48, 64, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/render-worker.service", "render-worker", 902, 60, 0, 21, 380, 0, 1024, 214, 1, 11240 },
  { SERVICE, "/system.slice/systemd-journald.service", "systemd-journald", 5, 88, 0, 3, 1, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/systemd-logind.service", "systemd-logind", 2, 2, 0, 1, 0, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/systemd-resolved.service", "systemd-resolved", 6, 3, 0, 1, 0, 0, 0, 0, 0, 0 },
  { SERVICE, "/system.slice/systemd-udevd.service", "systemd-udevd", 4, 11, 0, 3, 1, 0, 0, 0, 0, 0 },
  { FP_CONTROL_KIND_CONTAINER, "/system.slice/docker-3f9c0a1b2c3d4e5f60718293a4b5c6d7e8f90123456789abcdef0123456789ab.scope", "docker:3f9c0a1b2c3d", 7420, 388, 12, 96, 210, 8192, 0, 14, 0, 2310 },
  { APP, APPS "/app-gnome-org.gnome.Evolution-2841.scope", "org.gnome.Evolution", 410, 96, 22, 14, 120, 0, 0, 0, 0, 120 },
  { APP, APPS "/app-gnome-org.gnome.Nautilus-3120.scope", "org.gnome.Nautilus", 88, 140, 6, 6, 12, 0, 0, 0, 0, 0 },
  { APP, APPS "/app-gnome-org.gnome.Builder-4711.scope", "org.gnome.Builder", 1240, 310, 40, 32, 240, 0, 0, 0, 0, 4020 },
  { APP, APPS "/app-gnome-firefox\\x2desr-2310.scope", "firefox-esr", 3480, 512, 286, 74, 1210, 0, 0, 0, 0, 9030 },
  { APP, APPS "/app-gnome-org.gnome.Terminal-2990.scope", "org.gnome.Terminal", 46, 180, 3, 5, 4, 0, 0, 0, 0, 0 },
  { APP, APPS "/app-flatpak-org.signal.Signal-5120.scope", "org.signal.Signal", 388, 120, 60, 18, 210, 0, 0, 0, 0, 310 },
  { APP, APPS "/app-gnome-org.gnome.Calendar-3011.scope", "org.gnome.Calendar", 58, 20, 4, 3, 30, 0, 0, 0, 0, 0 },
  { APP, APPS "/app-gnome-org.gnome.Software-3055.scope", "org.gnome.Software", 190, 84, 4, 8, 140, 0, 0, 0, 0, 0 },
  { SERVICE, APPS "/gvfs-daemon.service", "gvfs-daemon", 12, 18, 0, 2, 6, 0, 0, 0, 0, 0 },
  { SERVICE, APPS "/tracker-miner-fs-3.service", "tracker-miner-fs-3", 44, 402, 0, 11, 18, 0, 600, 37, 0, 0 },
  { SERVICE, APPS "/xdg-desktop-portal.service", "xdg-desktop-portal", 8, 4, 0, 1, 4, 0, 0, 0, 0, 0 },
  { SERVICE, SESSION "/org.gnome.Shell@wayland.service", "org.gnome.Shell@wayland", 402, 118, 310, 22, 88, 0, 0, 0, 0, 210 },
  { SERVICE, SESSION "/pipewire.service", "pipewire", 14, 3, 8, 1, 0, 0, 0, 0, 0, 0 },
  { SERVICE, SESSION "/wireplumber.service", "wireplumber", 9, 4, 0, 1, 1, 0, 0, 0, 0, 0 },
  { SERVICE, SESSION "/at-spi-dbus-bus.service", "at-spi-dbus-bus", 3, 2, 0, 1, 1, 0, 0, 0, 0, 0 },
  { FP_CONTROL_KIND_SCOPE, USER "/init.scope", "init", 4, 6, 0, 1, 1, 0, 0, 0, 0, 0 },
  { FP_CONTROL_KIND_SCOPE, "/user.slice/user-1000.slice/session-2.scope", "session-2", 22, 31, 0, 4, 9, 0, 0, 0, 0, 0 },
  { FP_CONTROL_KIND_SCOPE, "/init.scope", "init", 8, 22, 0, 3, 1, 0, 0, 0, 0, 0 },
};
/* clang-format on */

static const struct
{
  FpControlKind kind;
  const char *path, *name;
} branches[] = {
  { FP_CONTROL_KIND_MACHINE, "/", "/" },
  { FP_CONTROL_KIND_SLICE, "/system.slice", "system" },
  { FP_CONTROL_KIND_SLICE, "/user.slice", "user" },
  { FP_CONTROL_KIND_USER, "/user.slice/user-1000.slice", "user-1000" },
  { SERVICE, USER, "user@1000" },
  { FP_CONTROL_KIND_SLICE, APPS, "app" },
  { FP_CONTROL_KIND_SLICE, SESSION, "session" },
};

static void
add_up (FpControlGroups *groups,
        FpControlGroup *leaf,
        FpControlField field,
        guint64 figure)
{
  for (FpControlGroup *group = leaf; group; group = group->parent == FP_CONTROL_NONE ? NULL : &groups->groups[group->parent])
    if (group->kind != FP_CONTROL_KIND_MACHINE)
      fixture_control_set (group, field, group->figures[field] + figure);
}

static void
add_leaf (FpControlGroups *groups,
          const Leaf *leaf)
{
  FpControlGroup *group = fixture_control_groups_add (groups, leaf->kind, leaf->path, leaf->name);
  guint64 memory = leaf->own + leaf->cache + leaf->shared + leaf->kernel;

  fixture_control_set (group, FP_CONTROL_HIGH, leaf->high ? leaf->high * MIB : FP_CONTROL_NO_LIMIT);
  fixture_control_set (group, FP_CONTROL_MAX, leaf->max ? leaf->max * MIB : FP_CONTROL_NO_LIMIT);
  add_up (groups, group, FP_CONTROL_MEMORY, memory * MIB);
  add_up (groups, group, FP_CONTROL_PEAK, (memory + memory / 9) * MIB);
  add_up (groups, group, FP_CONTROL_ANON, leaf->own * MIB);
  add_up (groups, group, FP_CONTROL_FILE, (leaf->cache + leaf->shared) * MIB);
  add_up (groups, group, FP_CONTROL_SHMEM, leaf->shared * MIB);
  add_up (groups, group, FP_CONTROL_KERNEL, leaf->kernel * MIB);
  add_up (groups, group, FP_CONTROL_SLAB_RECLAIMABLE, 0);
  add_up (groups, group, FP_CONTROL_SWAP, leaf->swap * MIB);
  add_up (groups, group, FP_CONTROL_EVENTS_HIGH, leaf->high ? leaf->held : 0);
  add_up (groups, group, FP_CONTROL_EVENTS_MAX, leaf->max ? leaf->held : 0);
  add_up (groups, group, FP_CONTROL_OOM_KILLS, leaf->killed);
  add_up (groups, group, FP_CONTROL_REFAULTS_ANON, leaf->swap * 40);
  add_up (groups, group, FP_CONTROL_REFAULTS_FILE, leaf->cache * 3);
  add_up (groups, group, FP_CONTROL_SOME_US, leaf->waited_ms * 1000);
  for (FpControlGroup *above = group; above; above = above->parent == FP_CONTROL_NONE ? NULL : &groups->groups[above->parent])
    {
      above->waited_us = MAX (above->waited_us, leaf->waited_ms * (guint64)1000);
      above->waited_over_us = 60 * (guint64)G_USEC_PER_SEC;
    }
}

static gboolean
is_changing (SampleSource *self)
{
  return g_str_equal (self->mode, "changing") || g_str_equal (self->mode, "fewer");
}

/* Each reading is 5 seconds after the one before; when all has changed, only 10 ms, as what was read back within the last
 * minute is shown for a minute, however long a test takes to look. */
static guint64
get_time_us (SampleSource *self)
{
  const guint n_long = is_changing (self) ? MIN (self->n_snapshots, N_LONG) : self->n_snapshots;

  return (1000 + 5 * (guint64)n_long) * G_USEC_PER_SEC + (self->n_snapshots - n_long) * (guint64)10000;
}

static void
add_to (FpControlGroups *groups,
        const char *path,
        FpControlField field,
        guint64 figure)
{
  guint i = 0;

  while (!g_str_equal (groups->groups[i].path, path))
    i++;
  add_up (groups, &groups->groups[i], field, figure);
}

/* Up to the fourth reading one group grows, processes of another are killed, and a third reads back from swap. */
static void
change (SampleSource *self,
        FpControlGroups *groups)
{
  guint step = MIN (self->n_reads, 4) - 1;

  add_to (groups, APPS "/app-gnome-org.gnome.Builder-4711.scope", FP_CONTROL_MEMORY, step * 96 * MIB);
  add_to (groups, APPS "/app-gnome-org.gnome.Builder-4711.scope", FP_CONTROL_ANON, step * 96 * MIB);
  add_to (groups, "/system.slice/postgresql.service", FP_CONTROL_OOM_KILLS, step);
  add_to (groups, APPS "/app-flatpak-org.signal.Signal-5120.scope", FP_CONTROL_REFAULTS_ANON, step * 12800);
  add_to (groups, APPS "/app-flatpak-org.signal.Signal-5120.scope", FP_CONTROL_REFAULTS_FILE, step * 100);
}

static FpControlGroups *
make_groups (SampleSource *self)
{
  FpControlGroups *groups = fixture_control_groups_new ();

  for (guint i = 0; i < G_N_ELEMENTS (branches); i++)
    {
      FpControlGroup *group = fixture_control_groups_add (groups, branches[i].kind, branches[i].path, branches[i].name);

      if (group->kind == FP_CONTROL_KIND_USER)
        group->uid = 1000;
      if (group->kind == FP_CONTROL_KIND_MACHINE)
        continue;
      fixture_control_set (group, FP_CONTROL_HIGH, FP_CONTROL_NO_LIMIT);
      fixture_control_set (group, FP_CONTROL_MAX, FP_CONTROL_NO_LIMIT);
    }
  for (guint i = 0; i < G_N_ELEMENTS (leaves); i++)
    if (!g_str_equal (self->mode, "fewer") || !g_str_equal (leaves[i].name, "bluetooth"))
      add_leaf (groups, &leaves[i]);
  self->n_reads++;
  for (guint i = 0; i < groups->n; i++)
    groups->groups[i].measured_us = get_time_us (self);
  if (is_changing (self))
    change (self, groups);
  groups->is_cut = g_str_equal (self->mode, "cut");
  if (!g_str_equal (self->mode, "calm") && (!g_str_equal (self->mode, "back") || self->n_reads > 2))
    return groups;
  groups->has_memory = FALSE;
  for (guint i = 0; i < groups->n; i++)
    groups->groups[i].present &= G_GUINT64_CONSTANT (1) << FP_CONTROL_SOME_US;
  return groups;
}

static void
set_system (FpSystem *system)
{
  static const struct
  {
    FpSystemField field;
    guint mib;
  } figures[] = {
    { FP_SYSTEM_MEM_TOTAL, 32768 },
    { FP_SYSTEM_MEM_FREE, 8192 },
    { FP_SYSTEM_MEM_AVAILABLE, 13312 },
    { FP_SYSTEM_ANON_PAGES, 16590 },
    { FP_SYSTEM_MAPPED, 900 },
    { FP_SYSTEM_SHMEM, 870 },
    { FP_SYSTEM_CACHED, 5530 },
    { FP_SYSTEM_BUFFERS, 160 },
    { FP_SYSTEM_SLAB, 800 },
    { FP_SYSTEM_S_RECLAIMABLE, 500 },
    { FP_SYSTEM_PAGE_TABLES, 160 },
    { FP_SYSTEM_KERNEL_STACK, 20 },
    { FP_SYSTEM_PERCPU, 10 },
    { FP_SYSTEM_VMALLOC_USED, 50 },
    { FP_SYSTEM_SWAP_TOTAL, 8192 },
    { FP_SYSTEM_SWAP_FREE, 5120 },
    { FP_SYSTEM_HIDDEN_TASKS, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    fp_system_set (system, figures[i].field, figures[i].mib * MIB);
}

static FpSnapshot *
make_snapshot (SampleSource *self)
{
  static const struct
  {
    gint pid;
    guint32 uid;
    const char *program, *path, *user;
    FpReason reason;
  } processes[] = {
    { 1, 0, "systemd", "/init.scope", "root", FP_REASON_NONE },
    { 800, 0, "render-worker", "/system.slice/render-worker.service", "root", FP_REASON_NONE },
    { 901, 106, "postgres", "/system.slice/postgresql.service", "postgres", FP_REASON_PERMISSION },
    { 902, 106, "postgres", "/system.slice/postgresql.service", "postgres", FP_REASON_PERMISSION },
    { 2310, 1000, "firefox-esr", APPS "/app-gnome-firefox\\x2desr-2310.scope", "anna", FP_REASON_NONE },
    { 2311, 1000, "Web Content", APPS "/app-gnome-firefox\\x2desr-2310.scope", "anna", FP_REASON_NONE },
    { 2900, 0, "sudo", "/user.slice/user-1000.slice/session-2.scope", "root", FP_REASON_PERMISSION },
    { 4711, 1000, "gnome-builder", APPS "/app-gnome-org.gnome.Builder-4711.scope", "anna", FP_REASON_NONE },
  };
  FixtureSnapshot fixture;
  FpSnapshot *snapshot;

  fixture_snapshot_init (&fixture, G_N_ELEMENTS (processes));
  self->n_snapshots++;
  fixture.snapshot->info.boottime_us = get_time_us (self);
  fixture.snapshot->info.realtime_us = (guint64)g_get_real_time ();
  set_system (&fixture.snapshot->system);
  /* As long as its render-worker waited of the last minute */
  if (!g_str_equal (self->mode, "calm"))
    {
      fp_system_set (&fixture.snapshot->system, FP_SYSTEM_PRESSURE_SOME_10, 1870);
      fp_system_set (&fixture.snapshot->system, FP_SYSTEM_PRESSURE_SOME_60, 1870);
    }
  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    {
      gboolean is_read = processes[i].reason == FP_REASON_NONE;
      FpProcess *process = is_read ? fixture_snapshot_add (&fixture, processes[i].pid, processes[i].program)
                                   : fixture_snapshot_add_reason (&fixture, processes[i].pid, processes[i].program, processes[i].reason);

      process->uid = processes[i].uid;
      fixture_snapshot_set_text (&fixture, process, FP_TEXT_CONTROL_GROUP, processes[i].path);
      fixture_snapshot_set_text (&fixture, process, FP_TEXT_USER, processes[i].user);
      if (is_read)
        fixture_set_figures (process, (i + 1) * 100 * MIB, (i + 1) * 120 * MIB, i * MIB);
      else
        fp_memory_set (&process->memory, FP_FIELD_RSS, (i + 1) * 120 * MIB);
    }
  fixture.snapshot->strings = fp_string_block_ref (fixture.strings.block);
  snapshot = fp_snapshot_ref (fixture.snapshot);
  fixture_snapshot_clear (&fixture);
  return snapshot;
}

static void
add_file (FpTmpfsFiles *list,
          char *path,
          guint mib)
{
  FpTmpfsFile file = { .path = path, .place = path, .owner = (char *)"anna", .used = mib * MIB, .uid = 1000, .modified_s = 1000 };

  g_array_append_val (list->files, file);
  list->seen += file.used;
}

static FpTmpfsFiles *
make_files (void)
{
  static char film[] = "render/a rather long name of a film that is rendered in several parts.mkv", notes[] = "notes";
  FpTmpfsFiles *list = g_new0 (FpTmpfsFiles, 1);

  *list = (FpTmpfsFiles){ .not_seen = 12 * MIB, .n_found = 7, .n_files = 4, .n_closed = 2, .has_used = TRUE };
  list->files = g_array_new (FALSE, FALSE, sizeof (FpTmpfsFile));
  add_file (list, film, 300);
  add_file (list, notes, 2);
  return list;
}

/* Tells the test how many snapshots and how many lists of groups were read. */
static void
tell_reads (SampleSource *self)
{
  g_autofree char *text = g_strdup_printf ("%u %u", self->n_snapshots, self->n_reads);

  if (g_getenv ("SAMPLE_READS"))
    g_file_set_contents (g_getenv ("SAMPLE_READS"), text, -1, NULL);
}

static void
sample_source_answer (FpSource *source,
                      const FpSourceRequest *request,
                      GTask *task)
{
  SampleSource *self = SAMPLE_SOURCE (source);
  gboolean is_machine = g_str_equal (self->mode, "machine");

  if (request->kind == FP_REQUEST_COLLECT)
    g_signal_emit_by_name (self, "asked");
  if (request->kind == FP_REQUEST_COLLECT)
    fp_source_answer (task, is_machine ? sample_machine_make_snapshot (++self->n_snapshots) : make_snapshot (self), NULL);
  else if (request->kind == FP_REQUEST_KEPT && is_machine)
    fp_source_answer (task, sample_machine_make_kept (self->n_snapshots), NULL);
  else if (request->kind == FP_REQUEST_CONTROL_GROUPS && !g_str_equal (self->mode, "none"))
    fp_source_answer (task, make_groups (self), NULL);
  else if (request->kind == FP_REQUEST_TMPFS_FILES)
    fp_source_answer (task, make_files (), NULL);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "This kernel tells no figures of them.");
  tell_reads (self);
}

static void
sample_source_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_REQUEST_BIT (FP_REQUEST_COLLECT) | FP_REQUEST_BIT (FP_REQUEST_CONTROL_GROUPS) | FP_REQUEST_BIT (FP_REQUEST_KEPT) |
                 FP_REQUEST_BIT (FP_REQUEST_TMPFS_FILES);
  iface->answer = sample_source_answer;
}

static void
sample_source_class_init (SampleSourceClass *class)
{
  g_signal_new ("asked", SAMPLE_TYPE_SOURCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
sample_source_init (SampleSource *self)
{
}

FpSource *
sample_source_new (const char *mode)
{
  SampleSource *self = g_object_new (SAMPLE_TYPE_SOURCE, NULL);

  self->mode = mode;
  return FP_SOURCE (self);
}

guint
sample_source_get_n_snapshots (SampleSource *self)
{
  return self->n_snapshots;
}

/* Returns the names of all groups. Free the text. */
char *
sample_source_list_names (void)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (branches); i++)
    g_string_append_printf (names, "%s ", branches[i].name);
  for (guint i = 0; i < G_N_ELEMENTS (leaves); i++)
    g_string_append_printf (names, "%s ", leaves[i].name);
  return g_string_free (names, FALSE);
}
