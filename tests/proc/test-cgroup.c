// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-cgroup.h"

#define ID    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UUID  "2f1a5b7e-9d1c-4f6b-8a3e-5c7d9e1f2a3b"
#define USER  "0::/user.slice/user-1000.slice/user@1000.service/"
#define SHORT "0123456789ab"

typedef struct
{
  const char *text, *unit, *slice, *app, *container;
} Case;

static void
check (const Case *cases,
       gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *exact = g_memdup2 (cases[i].text, MAX (strlen (cases[i].text), 1));
      FpCgroup cgroup;

      memset (&cgroup, 'x', sizeof cgroup);
      fp_cgroup_parse (&cgroup, exact, strlen (cases[i].text));
      if (strcmp (cgroup.unit, cases[i].unit) != 0 || strcmp (cgroup.app, cases[i].app) != 0 ||
          strcmp (cgroup.container, cases[i].container) != 0 || strcmp (cgroup.slice, cases[i].slice) != 0)
        g_test_message ("of %s", cases[i].text);
      g_assert_cmpstr (cgroup.unit, ==, cases[i].unit);
      g_assert_cmpstr (cgroup.slice, ==, cases[i].slice);
      g_assert_cmpstr (cgroup.app, ==, cases[i].app);
      g_assert_cmpstr (cgroup.container, ==, cases[i].container);
    }
}

static void
test_units (void)
{
  static const Case cases[] = {
    { "0::/\n", "", "", "", "" },
    { "", "", "", "", "" },
    { "0::/init.scope\n", "init.scope", "", "", "" },
    { "0::/system.slice/ssh.service\n", "ssh.service", "system.slice", "", "" },
    { "0::/system.slice/ssh.service", "ssh.service", "system.slice", "", "" },
    { "0::/system.slice/system-getty.slice/getty@tty1.service\n", "getty@tty1.service", "system-getty.slice", "", "" },
    { "0::/user.slice/user-1000.slice/session-5.scope\n", "session-5.scope", "user-1000.slice", "", "" },
    { USER "init.scope\n", "init.scope", "user-1000.slice", "", "" },
    { USER "app.slice/dbus.service\n", "dbus.service", "app.slice", "", "" },
    { USER "session.slice/org.gnome.Shell@wayland.service\n", "org.gnome.Shell@wayland.service",
      "session.slice", "", "" },
    { "0::/system.slice/cups.socket\n", "cups.socket", "system.slice", "", "" },
    { "0::/system.slice/docker.service/sub/group\n", "docker.service", "system.slice", "", "" },
    { "0::/../../system.slice/ssh.service\n", "ssh.service", "system.slice", "", "" },
    { "0::/../..\n", "", "", "", "" },
    { "0::/plain/group\n", "", "", "", "" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

/* The kernel writes this behind the path of a group that was removed while a process was in it. */
static void
test_removed (void)
{
  static const Case cases[] = {
    { "0::/system.slice/ssh.service (deleted)\n", "ssh.service", "system.slice", "", "" },
    { "0::/system.slice/docker-" ID ".scope (deleted)\n", "docker-" ID ".scope", "system.slice", "", "docker:" SHORT },
  };

  check (cases, G_N_ELEMENTS (cases));
}

static void
test_version_1 (void)
{
  static const Case cases[] = {
    { "9:name=systemd:/system.slice/ssh.service\n8:pids:/other.slice\n0::/\n", "ssh.service", "system.slice", "", "" },
    { "4:memory:/user.slice\n1:name=systemd:/user.slice/user-1000.slice/session-2.scope\n", "session-2.scope",
      "user-1000.slice", "", "" },
    { "1:name=systemd:/system.slice/ssh.service\n0::/system.slice/ssh.service\n", "ssh.service",
      "system.slice", "", "" },
    { "3:cpu,cpuacct:/system.slice/cron.service\n", "cron.service", "system.slice", "", "" },
    { "12:memory:/docker/" ID "\n1:name=systemd:/docker/" ID "\n", "", "", "", "docker:" SHORT },
    { "4:memory:/docker/" ID "\n1:cpu:/\n0::/\n", "", "", "", "docker:" SHORT },
    /* A hybrid host: docker of that time moved its containers in the old hierarchies only. */
    { "12:memory:/docker/" ID "\n1:name=systemd:/docker/" ID "\n0::/system.slice/containerd.service\n", "", "",
      "", "docker:" SHORT },
  };

  check (cases, G_N_ELEMENTS (cases));
}

static void
test_apps (void)
{
  static const Case cases[] = {
    { USER "app.slice/app-gnome-firefox-1200.scope\n", "app-gnome-firefox-1200.scope", "app.slice", "firefox", "" },
    { USER "app.slice/app-gnome-org.gnome.Nautilus-99.scope\n", "app-gnome-org.gnome.Nautilus-99.scope",
      "app.slice", "org.gnome.Nautilus", "" },
    { USER "app.slice/app-gnome-google\\x2dchrome-99.scope\n", "app-gnome-google\\x2dchrome-99.scope",
      "app.slice", "google-chrome", "" },
    { USER "app.slice/app-org.kde.konsole-0a1b.scope\n", "app-org.kde.konsole-0a1b.scope", "app.slice",
      "org.kde.konsole", "" },
    { USER "app.slice/app-kde-org.kde.kate-1.scope\n", "app-kde-org.kde.kate-1.scope", "app.slice",
      "org.kde.kate", "" },
    { USER "app.slice/app-org.kde.kate@0f1e.service\n", "app-org.kde.kate@0f1e.service", "app.slice",
      "org.kde.kate", "" },
    { USER "app.slice/app-firefox.service\n", "app-firefox.service", "app.slice", "firefox", "" },
    { USER "app.slice/app-flatpak-org.mozilla.firefox-31.scope\n", "app-flatpak-org.mozilla.firefox-31.scope",
      "app.slice", "org.mozilla.firefox", "" },
    { USER "app.slice/app-sway-foot-7.scope\n", "app-sway-foot-7.scope", "app.slice", "foot", "" },
    { USER "app.slice/app-niri-foot-7.scope\n", "app-niri-foot-7.scope", "app.slice", "foot", "" },
    { USER "app.slice/app-xfce-thunar-7.scope\n", "app-xfce-thunar-7.scope", "app.slice", "thunar", "" },
    { USER "app.slice/app-gnome\\x2dkeyring@autostart.service\n", "app-gnome\\x2dkeyring@autostart.service",
      "app.slice", "gnome-keyring", "" },
    { USER "app.slice/app-gnome-gnome\\x2dterminal-3.scope\n", "app-gnome-gnome\\x2dterminal-3.scope",
      "app.slice", "gnome-terminal", "" },
    { USER "app.slice/app-.scope\n", "app-.scope", "app.slice", "", "" },
    { USER "app.slice/app-gnome-.scope\n", "app-gnome-.scope", "app.slice", "gnome", "" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

/* "-" in an id is written \x2d, so that what is left of a "-" is the launcher, whatever its name. */
static void
test_launchers_of_any_name (void)
{
  static const Case cases[] = {
    { USER "app.slice/app-Hyprland-kitty-1a2b.scope\n", "app-Hyprland-kitty-1a2b.scope", "app.slice", "kitty", "" },
    { USER "app.slice/app-cosmic-com.system76.CosmicFiles-77.scope\n",
      "app-cosmic-com.system76.CosmicFiles-77.scope", "app.slice", "com.system76.CosmicFiles", "" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

static void
test_snaps (void)
{
  static const Case cases[] = {
    { USER "app.slice/snap.firefox.firefox-" UUID ".scope\n", "snap.firefox.firefox-" UUID ".scope",
      "app.slice", "firefox", "" },
    { USER "app.slice/snap.libreoffice.calc-" UUID ".scope\n", "snap.libreoffice.calc-" UUID ".scope",
      "app.slice", "libreoffice_calc", "" },
    { "0::/system.slice/snap.lxd.daemon.service\n", "snap.lxd.daemon.service", "system.slice", "lxd_daemon", "" },
    { USER "app.slice/snap.snap-store.snap-store-" UUID ".scope\n",
      "snap.snap-store.snap-store-" UUID ".scope", "app.slice", "snap-store", "" },
    { USER "app.slice/snap.snap-store.ubuntu-software-" UUID ".scope\n",
      "snap.snap-store.ubuntu-software-" UUID ".scope", "app.slice", "snap-store_ubuntu-software", "" },
    { "0::/system.slice/snap.cups.cups-browsed.service\n", "snap.cups.cups-browsed.service", "system.slice",
      "cups_cups-browsed", "" },
    { USER "apps.slice/snap.chromium.chromium." UUID ".scope\n", "snap.chromium.chromium." UUID ".scope",
      "apps.slice", "chromium", "" },
    { USER "app.slice/snap.x.scope\n", "snap.x.scope", "app.slice", "", "" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

static void
test_containers (void)
{
  static const Case cases[] = {
    { "0::/system.slice/docker-" ID ".scope\n", "docker-" ID ".scope", "system.slice", "", "docker:" SHORT },
    { "0::/docker/" ID "\n", "", "", "", "docker:" SHORT },
    { "0::/docker/" ID "/init.scope\n", "init.scope", "", "", "docker:" SHORT },
    { "0::/../" ID "\n", "", "", "", "" },
    { USER "user.slice/libpod-" ID ".scope/container\n", "libpod-" ID ".scope", "user.slice", "", "podman:" SHORT },
    { "0::/machine.slice/libpod-" ID ".scope\n", "libpod-" ID ".scope", "machine.slice", "", "podman:" SHORT },
    { "0::/machine.slice/libpod-conmon-" ID ".scope\n", "libpod-conmon-" ID ".scope", "machine.slice", "", "" },
    { "0::/libpod_parent/libpod-" ID "\n", "", "", "", "podman:" SHORT },
    { "0::/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podaa_bb.slice/cri-containerd-" ID ".scope\n", "cri-containerd-" ID ".scope", "kubepods-besteffort-podaa_bb.slice", "", "k8s:" SHORT },
    { "0::/kubepods.slice/kubepods-podaa_bb.slice/crio-" ID ".scope\n", "crio-" ID ".scope",
      "kubepods-podaa_bb.slice", "", "k8s:" SHORT },
    { "0::/kubepods.slice/kubepods-podaa_bb.slice/crio-conmon-" ID ".scope\n", "crio-conmon-" ID ".scope",
      "kubepods-podaa_bb.slice", "", "" },
    { "5:cpu:/kubepods/besteffort/podaaaa-bbbb/" ID "\n", "", "", "", "k8s:" SHORT },
    { "0::/lxc/web/system.slice/nginx.service\n", "nginx.service", "system.slice", "", "lxc:web" },
    { "0::/lxc.payload.web/system.slice/nginx.service\n", "nginx.service", "system.slice", "", "lxc:web" },
    { "0::/lxc.monitor.web\n", "", "", "", "" },
    { "0::/machine.slice/systemd-nspawn@debian.service/payload\n", "systemd-nspawn@debian.service",
      "machine.slice", "", "nspawn:debian" },
    { "0::/machine.slice/machine-my\\x2dbox.scope/payload\n", "machine-my\\x2dbox.scope", "machine.slice", "",
      "nspawn:my-box" },
    { "0::/machine.slice/machine-qemu\\x2d1\\x2dwin11.scope/libvirt/emulator\n", "machine-qemu\\x2d1\\x2dwin11.scope",
      "machine.slice", "", "" },
    { "0::/machine.slice/machine-lxc\\x2d7\\x2dweb.scope\n", "machine-lxc\\x2d7\\x2dweb.scope", "machine.slice", "",
      "lxc:7-web" },
    { "0::/system.slice/docker.service\n", "docker.service", "system.slice", "", "" },
    { "0::/system.slice/docker-nothex.scope\n", "docker-nothex.scope", "system.slice", "", "" },
    { "0::/docker/buildx\n", "", "", "", "" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

static void
test_garbage (void)
{
  static const Case cases[] = {
    { "\n\n\n", "", "", "", "" },
    { ":", "", "", "", "" },
    { "::", "", "", "", "" },
    { "::::::", "", "", "", "" },
    { "no colon at all", "", "", "", "" },
    { "0:\n:/system.slice/x.service\n", "", "", "", "" },
    { "0:://///a.service////\n", "a.service", "", "", "" },
    { "0::relative/b.service\n", "b.service", "", "", "" },
    { "0::/.service\n", ".service", "", "", "" },
  };

  check (cases, G_N_ELEMENTS (cases));
}

/* Anybody with a delegated group may name it as he likes: what is cut is still valid UTF-8. */
static void
test_long_names (void)
{
  static const char *const endings[] = { ".slice", ".service", ".scope", "" };

  for (guint n = 100; n < 256; n++)
    for (guint e = 0; e < G_N_ELEMENTS (endings); e++)
      for (guint bad = 0; bad < 2; bad++)
        {
          g_autofree char *fill = g_strnfill (n - (n & 1), bad ? '\xff' : 'a');
          g_autofree char *text = g_strdup_printf ("0::/lxc/%s%s\xc3\xa9\xc3\xa9\xc3\xa9%s\n", fill,
                                                   n & 1 ? "b" : "", endings[e]);
          FpCgroup cgroup;

          fp_cgroup_parse (&cgroup, text, strlen (text));
          g_assert_true (g_utf8_validate (cgroup.slice, -1, NULL));
          g_assert_true (g_utf8_validate (cgroup.unit, -1, NULL));
          g_assert_true (g_utf8_validate (cgroup.app, -1, NULL));
          g_assert_true (g_utf8_validate (cgroup.container, -1, NULL));
        }
}

/* The path is that of version 2 alone, and none where the group is gone or the path too long. */
static void
test_path (void)
{
  g_autofree char *name = g_strnfill (FP_CGROUP_MAX_PATH - 1, 'a');
  g_autofree char *longest = g_strdup_printf ("0::/%s\n", name);
  g_autofree char *too_long = g_strdup_printf ("0::/%sa\n", name);
  const struct
  {
    const char *text, *path;
  } cases[] = {
    { "0::/\n", "/" },
    { "0::/system.slice/a\\x2db.service", "/system.slice/a\\x2db.service" },
    { "1:name=systemd:/system.slice/ssh.service\n0::/system.slice/other.service\n", "/system.slice/other.service" },
    { "3:cpu,cpuacct:/system.slice/cron.service\n1:name=systemd:/a\n", "" },
    { "10::/a\n", "" },
    { "0::/system.slice/ssh.service (deleted)\n", "" },
    { "0::/a\xff\n", "/a\\xff" },
    { longest, longest + strlen ("0::") },
    { too_long, "" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strchomp (g_strdup (cases[i].path));
      FpCgroup cgroup;

      fp_cgroup_parse (&cgroup, cases[i].text, strlen (cases[i].text));
      g_assert_cmpstr (cgroup.path, ==, path);
    }
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/proc/cgroup/units", test_units);
  g_test_add_func ("/proc/cgroup/removed", test_removed);
  g_test_add_func ("/proc/cgroup/version-1", test_version_1);
  g_test_add_func ("/proc/cgroup/apps", test_apps);
  g_test_add_func ("/proc/cgroup/launchers-of-any-name", test_launchers_of_any_name);
  g_test_add_func ("/proc/cgroup/snaps", test_snaps);
  g_test_add_func ("/proc/cgroup/containers", test_containers);
  g_test_add_func ("/proc/cgroup/garbage", test_garbage);
  g_test_add_func ("/proc/cgroup/path", test_path);
  g_test_add_func ("/proc/cgroup/long-names", test_long_names);
  return g_test_run ();
}
