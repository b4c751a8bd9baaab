// SPDX-License-Identifier: GPL-3.0-or-later
#include "population-lines.h"

#define BASE     LIBC
#define DAEMON   (LIBC | SYSTEMD)
#define BUS      (LIBC | GLIB)
#define DESKTOP  (LIBC | GLIB | GTK)
#define WINDOW   (LIBC | GLIB | GTK | MESA | WINDOWS)
#define BROWSER  (WINDOW | FIREFOX | FIREFOX_FORK | FIREFOX_PICTURES)
#define CONTENT  (LIBC | GLIB | GTK | FIREFOX | FIREFOX_FORK | FIREFOX_PICTURES)
#define EDITOR   (LIBC | GLIB | ELECTRON)
#define POSTGRES (LIBC | POSTGRES_BUFFERS | POSTGRES_FORK)
#define TRAINING (LIBC | PYTHON | TORCH | TRAINING_DATA | TRAINING_FORK)

#define SYSTEM(name)        "/system.slice/" name ".service"
#define MANAGER(uid)        "/user.slice/user-" uid ".slice/user@" uid ".service/"
#define LOGIN(uid, n)       "/user.slice/user-" uid ".slice/session-" n ".scope"
#define ANNA(path)          MANAGER ("1000") path
#define SESSION(name)       ANNA ("session.slice/" name ".service")
#define APP(name)           ANNA ("app.slice/app-gnome-" name ".scope")
#define FIREFOX_APP         APP ("firefox-4213")
#define CODE_APP            APP ("code-6120")
#define MAIL_APP            APP ("org.gnome.Evolution-5480")
#define SNAP_APP            ANNA ("app.slice/snap.spotify.spotify-2f1a5b7e-9d1c-4f6b-8a3e-5c7d9e1f2a3b.scope")
#define LOUPE_APP           ANNA ("app.slice/app-flatpak-org.gnome.Loupe-88213.scope")
#define TAB(n)              ANNA ("app.slice/app-org.gnome.Terminal.slice/vte-spawn-1b0e5f5" n "-6d61-4c57-9b9c-7a1f0c2d3e4f.scope")
#define POSTGRES_SERVICE    "/system.slice/system-postgresql.slice/postgresql@16-main.service"
#define NGINX_CONTAINER     "/system.slice/docker-7c9e6679f7a342d0b56c1b9d8e4f0a123f5d7e9b1c2a4d6e8f0a1b2c3d4e5f60.scope"
#define REDIS_CONTAINER     MANAGER ("1001") "user.slice/libpod-3b2f8c1d5e6a47908b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6.scope/container"
#define CODE                "/usr/share/code/code"
#define FOX                 "/usr/lib/firefox/firefox"
#define CONTENT_PROCESS(id) FOX " -contentproc -childID " id " -isForBrowser -prefsLen 31520 -parentBuildID 20260305 -appDir /usr/lib/firefox/browser 4213 true tab"

const PopulationUser population_users[] = {
  { 0, "root", "root" },
  { 33, "www-data", "www-data" },
  { 100, "systemd-resolve", "" },
  { 101, "messagebus", "" },
  { 105, "avahi", "" },
  { 108, "rtkit", "" },
  { 110, "colord", "" },
  { 112, "dnsmasq", "" },
  { 113, "postgres", "PostgreSQL administrator" },
  { 997, "systemd-timesync", "" },
  { 996, "polkitd", "" },
  { 992, "systemd-oom", "" },
  { 1000, "anna", "Anna Lindqvist" },
  { 1001, "ben", "Ben Okafor" },
  { 1002, "chiara", "Chiara Rossi" },
  { 1003, "dmitri", "Dmitri Ivanov" },
  { 1004, "emeka", "Emeka Eze" },
  { 64055, "libvirt-qemu", "" },
};
const guint population_n_users = G_N_ELEMENTS (population_users);

/* n, pid, parent, user, threads, own, swap, segments, exe, command, control group */
/* clang-format off */
const PopulationLine population_lines[] = {
  /* The kernel's own */
  { 1, 2, 0, 0, 1, 0, 0, 0, NULL, NULL, "/", "kthreadd", .reason = FP_REASON_KERNEL_THREAD },
  { 6, 3, 2, 0, 1, 0, 0, 0, NULL, NULL, "/", "{pool_workqueue_release|kworker/R-rcu_gp|kworker/R-sync_wq|kworker/R-slub_flushwq|kworker/R-netns|kworker/R-mm_percpu_wq}", .step = 1, .reason = FP_REASON_KERNEL_THREAD, .state = 'I' },
  { 3, 13, 2, 0, 1, 0, 0, 0, NULL, NULL, "/", "{rcu_tasks_kthread|rcu_preempt|rcub/0}", .step = 1, .reason = FP_REASON_KERNEL_THREAD, .state = 'I' },
  { 8, 19, 2, 0, 1, 0, 0, 0, NULL, NULL, "/", "cpuhp/#", .step = 6, .reason = FP_REASON_KERNEL_THREAD },
  { 8, 21, 2, 0, 1, 0, 0, 0, NULL, NULL, "/", "migration/#", .step = 6, .reason = FP_REASON_KERNEL_THREAD },
  { 8, 22, 2, 0, 1, 0, 0, 0, NULL, NULL, "/", "ksoftirqd/#", .step = 6, .reason = FP_REASON_KERNEL_THREAD },
  { 8, 70, 2, 0, 1, 0, 0, 0, NULL, NULL, "/", "{kdevtmpfs|kauditd|khungtaskd|oom_reaper|kcompactd0|ksmd|khugepaged|kswapd0}", .reason = FP_REASON_KERNEL_THREAD },
  { 5, 141, 2, 0, 1, 0, 0, 0, NULL, NULL, "/", "{irq/122-pciehp|irq/146-nvme0q1|irq/161-i915|irq/163-iwlwifi|card0-crtc0}", .reason = FP_REASON_KERNEL_THREAD },
  { 4, 288, 2, 0, 1, 0, 0, 0, NULL, NULL, "/", "{jbd2/nvme0n1p2-8|kworker/R-ext4-rsv-conversion|jbd2/nvme0n1p3-8|zswap-shrink}", .reason = FP_REASON_KERNEL_THREAD },
  { 6, 412000, 2, 0, 1, 0, 0, 0, NULL, NULL, "/", "{kworker/0:1-events|kworker/u16:3-flush-259:0|kworker/2:0-mm_percpu_wq|kworker/5:2-events_freezable|kworker/7:1H-kblockd|kworker/u17:0-i915}", .step = 611, .reason = FP_REASON_KERNEL_THREAD, .state = 'I' },

  /* Services */
  { 1, 1, 0, 0, 1, 7400, 900, DAEMON, "/usr/lib/systemd/systemd", "/sbin/init splash", "/init.scope" },
  { 1, 421, 1, 0, 1, 21400, 2600, DAEMON, "/usr/lib/systemd/systemd-journald", NULL, SYSTEM ("systemd-journald"), .oom_score_adj = -250 },
  { 1, 468, 1, 0, 1, 5200, 1400, DAEMON, "/usr/lib/systemd/systemd-udevd", NULL, SYSTEM ("systemd-udevd"), .oom_score_adj = -1000 },
  { 1, 812, 1, 992, 1, 1900, 300, DAEMON, "/usr/lib/systemd/systemd-oomd", NULL, SYSTEM ("systemd-oomd") },
  { 1, 823, 1, 100, 1, 6100, 1200, DAEMON, "/usr/lib/systemd/systemd-resolved", NULL, SYSTEM ("systemd-resolved") },
  { 1, 826, 1, 997, 2, 1500, 400, DAEMON, "/usr/lib/systemd/systemd-timesyncd", NULL, SYSTEM ("systemd-timesyncd") },
  { 1, 901, 1, 0, 4, 2600, 900, DAEMON | GLIB, "/usr/libexec/accounts-daemon", NULL, SYSTEM ("accounts-daemon") },
  { 2, 905, 1, 105, 1, 900, 200, DAEMON, "/usr/sbin/avahi-daemon", "{avahi-daemon: running [shire.local]|avahi-daemon: chroot helper}", SYSTEM ("avahi-daemon") },
  { 1, 911, 1, 0, 1, 2300, 600, DAEMON | GLIB, "/usr/libexec/bluetooth/bluetoothd", NULL, SYSTEM ("bluetooth") },
  { 1, 915, 1, 0, 1, 700, 300, BASE, "/usr/sbin/cron", "/usr/sbin/cron -f", SYSTEM ("cron") },
  { 1, 917, 1, 101, 1, 3400, 200, DAEMON, "/usr/bin/dbus-daemon", "/usr/bin/dbus-daemon --system --address=systemd: --nofork --nopidfile --systemd-activation --syslog-only", SYSTEM ("dbus"), .oom_score_adj = -900, .exe_state = FP_EXE_UPDATED },
  { 1, 925, 1, 0, 4, 9800, 2100, DAEMON | GLIB, "/usr/sbin/NetworkManager", "/usr/sbin/NetworkManager --no-daemon", SYSTEM ("NetworkManager") },
  { 1, 931, 1, 996, 4, 7700, 2600, DAEMON | GLIB, "/usr/lib/polkit-1/polkitd", "/usr/lib/polkit-1/polkitd --no-debug", SYSTEM ("polkit"), .reason = FP_REASON_PERMISSION },
  { 1, 940, 1, 0, 4, 2100, 900, BUS, "/usr/libexec/power-profiles-daemon", NULL, SYSTEM ("power-profiles-daemon") },
  { 1, 951, 1, 0, 1, 2800, 1600, DAEMON, "/usr/sbin/smartd", "/usr/sbin/smartd -n", SYSTEM ("smartmontools") },
  { 1, 958, 1, 0, 1, 3600, 300, DAEMON, "/usr/lib/systemd/systemd-logind", NULL, SYSTEM ("systemd-logind") },
  { 1, 965, 1, 0, 6, 5900, 1800, DAEMON | GLIB, "/usr/libexec/udisks2/udisksd", NULL, SYSTEM ("udisks2") },
  { 1, 970, 1, 0, 4, 2400, 900, BUS, "/usr/libexec/upowerd", NULL, SYSTEM ("upower") },
  { 1, 982, 1, 0, 1, 4800, 700, DAEMON, "/usr/sbin/wpa_supplicant", "/usr/sbin/wpa_supplicant -u -s -O DIR=/run/wpa_supplicant GROUP=netdev", SYSTEM ("wpa_supplicant") },
  { 1, 1002, 1, 0, 4, 3900, 1700, DAEMON | GLIB, "/usr/sbin/ModemManager", NULL, SYSTEM ("ModemManager") },
  { 1, 1044, 1, 0, 1, 2700, 2900, DAEMON, "/usr/sbin/cupsd", "/usr/sbin/cupsd -l", SYSTEM ("cups") },
  { 1, 1051, 1, 0, 1, 1300, 500, DAEMON, "/usr/sbin/sshd", "sshd: /usr/sbin/sshd -D [listener] 0 of 10-100 startups", SYSTEM ("ssh"), .oom_score_adj = -1000 },
  { 1, 1060, 1, 0, 14, 34800, 8100, BASE | GO, "/usr/bin/containerd", NULL, SYSTEM ("containerd"), .oom_score_adj = -999 },
  { 1, 1102, 1, 0, 21, 61200, 15400, BASE | GO, "/usr/bin/dockerd", "/usr/bin/dockerd -H fd:// --containerd=/run/containerd/containerd.sock", SYSTEM ("docker"), .oom_score_adj = -500 },
  { 1, 1188, 1, 0, 19, 14600, 6800, DAEMON | GLIB, "/usr/sbin/libvirtd", "/usr/sbin/libvirtd --timeout 120", SYSTEM ("libvirtd") },
  { 2, 1204, 1, 112, 1, 900, 700, DAEMON, "/usr/sbin/dnsmasq", "/usr/sbin/dnsmasq --conf-file=/var/lib/libvirt/dnsmasq/default.conf --leasefile-ro --dhcp-script=/usr/lib/libvirt/libvirt_leaseshelper", SYSTEM ("libvirtd") },
  { 1, 1231, 1, 0, 4, 3300, 1900, DAEMON | GLIB, "/usr/sbin/gdm3", NULL, SYSTEM ("gdm") },
  { 1, 1302, 1, 108, 3, 600, 400, DAEMON, "/usr/libexec/rtkit-daemon", NULL, SYSTEM ("rtkit-daemon") },
  { 1, 1340, 1, 110, 4, 5200, 4100, BUS, "/usr/libexec/colord", NULL, SYSTEM ("colord") },
  { 1, 1371, 1, 0, 4, 18600, 31200, DAEMON | GLIB, "/usr/libexec/packagekitd", NULL, SYSTEM ("packagekit") },
  { 1, 1404, 1, 0, 6, 24800, 18700, DAEMON | GLIB, "/usr/libexec/fwupd/fwupd", NULL, SYSTEM ("fwupd"), .exe_state = FP_EXE_UPDATED },
  { 1, 1420, 1, 0, 18, 26100, 12800, BASE | GO, "/usr/lib/snapd/snapd", NULL, SYSTEM ("snapd"), .oom_score_adj = -900 },
  { 1, 1437, 1, 0, 2, 9400, 14200, BASE | PYTHON, "/usr/bin/python3.11", "/usr/bin/python3 /usr/share/unattended-upgrades/unattended-upgrade-shutdown --wait-for-signal", SYSTEM ("unattended-upgrades"), "unattended-upgr" },

  /* A database */
  { 1, 1510, 1, 113, 1, 9200, 6100, POSTGRES, "/usr/lib/postgresql/16/bin/postgres", "/usr/lib/postgresql/16/bin/postgres -D /var/lib/postgresql/16/main -c config_file=/etc/postgresql/16/main/postgresql.conf", POSTGRES_SERVICE, .oom_score_adj = -900 },
  { 5, 1522, 1510, 113, 1, 1400, 700, POSTGRES, "/usr/lib/postgresql/16/bin/postgres", "{postgres: 16/main: checkpointer|postgres: 16/main: background writer|postgres: 16/main: walwriter|postgres: 16/main: autovacuum launcher|postgres: 16/main: logical replication launcher}", POSTGRES_SERVICE, .step = 1 },
  { 12, 201412, 1510, 113, 1, 14800, 2100, POSTGRES, "/usr/lib/postgresql/16/bin/postgres", "{postgres: 16/main: library ledger 10.0.0.14(5142#) idle|postgres: 16/main: library ledger 10.0.0.14(5143#) SELECT|postgres: 16/main: chiara survey [local] idle in transaction|postgres: 16/main: library ledger 10.0.0.21(3981#) UPDATE}", POSTGRES_SERVICE, .step = 1137, .spread = 120 },

  /* Containers and a virtual machine */
  { 1, 1820, 1, 0, 11, 6900, 2300, BASE | GO, "/usr/bin/containerd-shim-runc-v2", "/usr/bin/containerd-shim-runc-v2 -namespace moby -id 7c9e6679f7a3 -address /run/containerd/containerd.sock", SYSTEM ("containerd"), .oom_score_adj = -998 },
  { 2, 1826, 1102, 0, 7, 1300, 1600, BASE | GO, "/usr/bin/docker-proxy", "{/usr/bin/docker-proxy -proto tcp -host-ip 0.0.0.0 -host-port 443 -container-ip 172.17.0.2 -container-port 443|/usr/bin/docker-proxy -proto tcp -host-ip :: -host-port 443 -container-ip 172.17.0.2 -container-port 443}", SYSTEM ("docker"), .oom_score_adj = -500 },
  { 1, 1841, 1820, 0, 1, 2200, 1900, NGINX_IMAGE | NGINX_FORK, "/usr/sbin/nginx", "nginx: master process nginx -g daemon off;", NGINX_CONTAINER },
  { 8, 1873, 1841, 33, 1, 3600, 900, NGINX_IMAGE | NGINX_FORK, "/usr/sbin/nginx", "nginx: worker process", NGINX_CONTAINER, .step = 1, .spread = 90 },
  { 1, 3320, 1, 64055, 9, 4063232, 262144, DAEMON | GLIB, "/usr/bin/qemu-system-x86_64", "/usr/bin/qemu-system-x86_64 -name guest=bookkeeping,debug-threads=on -S -accel kvm -cpu host -m 6144 -smp 4", "/machine.slice/machine-qemu\\x2d1\\x2dbookkeeping.scope/libvirt/emulator", .grown_kib = 122880 },

  /* Anna's desktop */
  { 1, 2101, 1, 1000, 1, 5600, 900, DAEMON, "/usr/lib/systemd/systemd", "/usr/lib/systemd/systemd --user", ANNA ("init.scope"), .oom_score_adj = 100 },
  { 1, 2103, 2101, 1000, 1, 1500, 2400, DAEMON, "/usr/lib/systemd/systemd", "(sd-pam)", ANNA ("init.scope"), "(sd-pam)", .oom_score_adj = 100, .reason = FP_REASON_PERMISSION },
  { 1, 2118, 2101, 1000, 4, 4700, 1100, BUS, "/usr/bin/gnome-keyring-daemon", "/usr/bin/gnome-keyring-daemon --foreground --components=pkcs11,secrets --control-directory=/run/user/1000/keyring", ANNA ("app.slice/gnome-keyring-daemon.service"), .oom_score_adj = 200, .reason = FP_REASON_PERMISSION },
  { 1, 2120, 2101, 1000, 3, 11800, 2300, DAEMON, "/usr/bin/pipewire", NULL, SESSION ("pipewire"), .oom_score_adj = 200 },
  { 1, 2122, 2101, 1000, 6, 9700, 2900, BUS, "/usr/bin/wireplumber", NULL, SESSION ("wireplumber"), .oom_score_adj = 200, .exe_state = FP_EXE_UPDATED },
  { 1, 2123, 2101, 1000, 3, 16400, 4100, DAEMON, "/usr/bin/pipewire-pulse", NULL, SESSION ("pipewire-pulse"), .oom_score_adj = 200 },
  { 1, 2126, 2101, 1000, 1, 3100, 400, DAEMON, "/usr/bin/dbus-daemon", "/usr/bin/dbus-daemon --session --address=systemd: --nofork --nopidfile --systemd-activation --syslog-only", SESSION ("dbus"), .oom_score_adj = 200 },
  { 2, 2140, 2101, 1000, 4, 4600, 1500, DESKTOP, "/usr/libexec/gnome-session-binary", "{/usr/libexec/gnome-session-binary --session=gnome|/usr/libexec/gnome-session-binary --systemd-service --session=gnome}", SESSION ("gnome-session-manager@gnome"), .oom_score_adj = 200 },
  { 1, 2190, 2101, 1000, 24, 416000, 61000, WINDOW, "/usr/bin/gnome-shell", NULL, SESSION ("org.gnome.Shell@wayland"), .oom_score_adj = 200 },
  { 1, 2264, 2190, 1000, 7, 58000, 9000, BASE | MESA | WINDOWS, "/usr/bin/Xwayland", "/usr/bin/Xwayland :0 -rootless -noreset -accessx -core -auth /run/user/1000/.mutter-Xwaylandauth.K3Q2T2 -listenfd 4 -listenfd 5 -displayfd 6 -initfd 7", SESSION ("org.gnome.Shell@wayland"), .oom_score_adj = 200 },
  { 6, 2281, 2101, 1000, 4, 2400, 1300, BUS, "{/usr/libexec/gvfsd|/usr/libexec/gvfsd-fuse|/usr/libexec/gvfs-udisks2-volume-monitor|/usr/libexec/gvfs-mtp-volume-monitor|/usr/libexec/gvfsd-metadata|/usr/libexec/gvfsd-trash}", NULL, SESSION ("gvfs-daemon"), .oom_score_adj = 200 },
  { 3, 2311, 2101, 1000, 4, 1900, 800, BUS, "{/usr/libexec/at-spi-bus-launcher|/usr/libexec/at-spi2-registryd|/usr/libexec/dconf-service}", NULL, SESSION ("{at-spi-dbus-bus|at-spi-dbus-bus|dconf}"), .oom_score_adj = 200 },
  { 12, 2330, 2101, 1000, 4, 3300, 2600, DESKTOP, "{/usr/libexec/gsd-a11y-settings|/usr/libexec/gsd-color|/usr/libexec/gsd-datetime|/usr/libexec/gsd-housekeeping|/usr/libexec/gsd-keyboard|/usr/libexec/gsd-media-keys|/usr/libexec/gsd-power|/usr/libexec/gsd-print-notifications|/usr/libexec/gsd-rfkill|/usr/libexec/gsd-sharing|/usr/libexec/gsd-smartcard|/usr/libexec/gsd-sound}", NULL, SESSION ("{org.gnome.SettingsDaemon.A11ySettings|org.gnome.SettingsDaemon.Color|org.gnome.SettingsDaemon.Datetime|org.gnome.SettingsDaemon.Housekeeping|org.gnome.SettingsDaemon.Keyboard|org.gnome.SettingsDaemon.MediaKeys|org.gnome.SettingsDaemon.Power|org.gnome.SettingsDaemon.PrintNotifications|org.gnome.SettingsDaemon.Rfkill|org.gnome.SettingsDaemon.Sharing|org.gnome.SettingsDaemon.Smartcard|org.gnome.SettingsDaemon.Sound}"), .oom_score_adj = 200, .spread = 110 },
  { 4, 2401, 2190, 1000, 4, 4100, 3900, BUS, "{/usr/bin/ibus-daemon|/usr/libexec/ibus-dconf|/usr/libexec/ibus-extension-gtk3|/usr/libexec/ibus-engine-simple}", "{/usr/bin/ibus-daemon --panel disable|/usr/libexec/ibus-dconf|/usr/libexec/ibus-extension-gtk3|/usr/libexec/ibus-engine-simple}", SESSION ("org.gnome.Shell@wayland"), .oom_score_adj = 200, .spread = 110 },
  { 4, 2440, 2101, 1000, 5, 3700, 2200, BUS, "{/usr/libexec/xdg-desktop-portal|/usr/libexec/xdg-document-portal|/usr/libexec/xdg-permission-store|/usr/libexec/xdg-desktop-portal-gnome}", NULL, SESSION ("{xdg-desktop-portal|xdg-document-portal|xdg-permission-store|xdg-desktop-portal-gnome}"), .oom_score_adj = 200 },
  { 3, 2471, 2101, 1000, 6, 14600, 9800, BUS | MAIL, "{/usr/libexec/evolution-source-registry|/usr/libexec/evolution-calendar-factory|/usr/libexec/evolution-addressbook-factory}", NULL, SESSION ("{evolution-source-registry|evolution-calendar-factory|evolution-addressbook-factory}"), .oom_score_adj = 200 },
  { 1, 2483, 2101, 1000, 5, 12300, 10400, WINDOW | MAIL, "/usr/libexec/evolution-data-server/evolution-alarm-notify", NULL, ANNA ("app.slice/app-org.gnome.Evolution\\x2dalarm\\x2dnotify@autostart.service"), .oom_score_adj = 200 },
  { 2, 2491, 2101, 1000, 4, 9900, 6100, BUS, "{/usr/libexec/goa-daemon|/usr/libexec/goa-identity-service}", NULL, SESSION ("dbus"), .oom_score_adj = 200 },
  { 1, 2510, 2101, 1000, 5, 18400, 22600, BUS, "/usr/libexec/tracker-miner-fs-3", NULL, ANNA ("background.slice/tracker-miner-fs-3.service"), .oom_score_adj = 200 },
  { 1, 2533, 2101, 1000, 1, 800, 200, BASE, "/usr/bin/ssh-agent", "/usr/bin/ssh-agent -D -a /run/user/1000/openssh_agent", ANNA ("app.slice/ssh-agent.service"), .oom_score_adj = 200, .reason = FP_REASON_PERMISSION },

  { 1, 4213, 2190, 1000, 104, 884000, 118000, BROWSER, FOX, NULL, FIREFOX_APP, .oom_score_adj = 200 },
  { 1, 4271, 4213, 1000, 6, 9800, 3200, CONTENT, FOX, FOX " -contentproc -parentBuildID 20260305 -prefsLen 31520 -appDir /usr/lib/firefox/browser 4213 true socket", FIREFOX_APP, "Socket Process", .oom_score_adj = 233 },
  { 1, 4296, 4213, 1000, 27, 38200, 12100, CONTENT, FOX, CONTENT_PROCESS ("1"), FIREFOX_APP, "Privileged Cont", .oom_score_adj = 267 },
  { 1, 4340, 4213, 1000, 31, 176000, 34000, CONTENT, FOX, CONTENT_PROCESS ("2"), FIREFOX_APP, "WebExtensions", .oom_score_adj = 233 },
  { 1, 4352, 4213, 1000, 9, 21700, 6100, CONTENT | MESA, FOX, FOX " -contentproc -parentBuildID 20260305 -prefsLen 31520 -appDir /usr/lib/firefox/browser 4213 true rdd", FIREFOX_APP, "RDD Process", .oom_score_adj = 233 },
  { 16, 4388, 4213, 1000, 28, 214000, 52000, CONTENT, FOX, CONTENT_PROCESS ("1#"), FIREFOX_APP, "Isolated Web Co", .oom_score_adj = 267, .step = 1733, .spread = 160 },
  { 3, 391022, 4213, 1000, 18, 24600, 0, CONTENT, FOX, CONTENT_PROCESS ("4#"), FIREFOX_APP, "Web Content", .oom_score_adj = 267, .step = 41 },

  { 1, 5480, 2190, 1000, 21, 121000, 46000, WINDOW | WEBKIT | MAIL, "/usr/bin/evolution", "/usr/bin/evolution --component=mail", MAIL_APP, .oom_score_adj = 200 },
  { 2, 5511, 5480, 1000, 14, 61000, 21000, DESKTOP | WEBKIT, "{/usr/libexec/webkit2gtk-4.1/WebKitWebProcess|/usr/libexec/webkit2gtk-4.1/WebKitNetworkProcess}", "{/usr/libexec/webkit2gtk-4.1/WebKitWebProcess 7 38|/usr/libexec/webkit2gtk-4.1/WebKitNetworkProcess 6 36}", MAIL_APP, .oom_score_adj = 200 },

  { 1, 6120, 2190, 1000, 38, 132000, 28000, EDITOR | GTK | WINDOWS, CODE, CODE " --unity-launch /home/anna/src/library", CODE_APP, .oom_score_adj = 200 },
  { 2, 6131, 6120, 1000, 1, 1400, 900, EDITOR | ELECTRON_FORK, CODE, "{" CODE " --type=zygote --no-zygote-sandbox|" CODE " --type=zygote}", CODE_APP, .oom_score_adj = 200 },
  { 1, 6164, 6131, 1000, 12, 148000, 9000, EDITOR | ELECTRON_FORK | MESA, CODE, CODE " --type=gpu-process --ozone-platform=wayland --enable-crash-reporter", CODE_APP, .oom_score_adj = 200 },
  { 1, 6171, 6120, 1000, 9, 22000, 6000, EDITOR, CODE, CODE " --type=utility --utility-sub-type=network.mojom.NetworkService --lang=en-GB", CODE_APP, .oom_score_adj = 200 },
  { 2, 6203, 6134, 1000, 18, 372000, 41000, EDITOR | ELECTRON_FORK, CODE, CODE " --type=renderer --enable-crash-reporter --app-path=/usr/share/code/resources/app --vscode-window-config=#", CODE_APP, .oom_score_adj = 300 },
  { 3, 6230, 6120, 1000, 17, 142000, 36000, EDITOR, CODE, "{" CODE " --type=utility --utility-sub-type=node.mojom.NodeService extensionHost|" CODE " --type=utility --utility-sub-type=node.mojom.NodeService fileWatcher|" CODE " --type=utility --utility-sub-type=node.mojom.NodeService ptyHost}", CODE_APP, .oom_score_adj = 200, .spread = 150 },
  { 1, 6290, 6230, 1000, 12, 372000, 24000, BASE, "/usr/lib/llvm-16/bin/clangd", "/usr/bin/clangd --background-index --clang-tidy", CODE_APP, .oom_score_adj = 200 },
  { 1, 6312, 6230, 1000, 7, 118000, 31000, BASE | PYTHON, "/usr/bin/python3.11", "/usr/bin/python3 -m pylsp", CODE_APP, "pylsp", .oom_score_adj = 200 },
  { 1, 6330, 6236, 1000, 1, 2900, 1100, BASE, "/usr/bin/bash", "/usr/bin/bash --init-file /usr/share/code/resources/app/out/vs/workbench/contrib/terminal/shellIntegration-bash.sh", CODE_APP, .oom_score_adj = 200 },

  { 1, 7044, 2190, 1000, 9, 74000, 18000, WINDOW, "/usr/bin/nautilus", "/usr/bin/nautilus --gapplication-service", APP ("org.gnome.Nautilus-7044"), .oom_score_adj = 200 },
  { 1, 7101, 2101, 1000, 6, 46000, 7000, WINDOW, "/usr/libexec/gnome-terminal-server", NULL, ANNA ("app.slice/app-org.gnome.Terminal.slice/gnome-terminal-server.service"), "gnome-terminal-", .oom_score_adj = 200, .exe_state = FP_EXE_UPDATED },
  { 4, 7120, 7101, 1000, 1, 2300, 900, BASE, "/usr/bin/bash", "bash", TAB ("#"), .oom_score_adj = 200, .step = 11 },
  { 1, 331870, 7120, 1000, 1, 5100, 0, BASE, "/usr/bin/htop", "htop", TAB ("0"), .oom_score_adj = 200, .state = 'R' },
  { 1, 331902, 7131, 1000, 1, 9400, 0, BASE, "/usr/bin/vim.basic", "vim loans.sql", TAB ("1"), .oom_score_adj = 200 },
  { 1, 331950, 7142, 1000, 1, 3300, 0, BASE, "/usr/bin/ssh", "ssh chiara@reading-room", TAB ("2"), .oom_score_adj = 200, .reason = FP_REASON_PERMISSION },

  { 1, 61720, 2101, 1000, 33, 142000, 58000, BASE | GLIB | GTK | SPOTIFY | WINDOWS, "/snap/spotify/79/usr/share/spotify/spotify", NULL, SNAP_APP, .oom_score_adj = 200 },
  { 4, 61748, 61720, 1000, 14, 136000, 24000, BASE | GLIB | SPOTIFY, "/snap/spotify/79/usr/share/spotify/spotify", "{/snap/spotify/79/usr/share/spotify/spotify --type=zygote --no-sandbox|/snap/spotify/79/usr/share/spotify/spotify --type=gpu-process --no-sandbox|/snap/spotify/79/usr/share/spotify/spotify --type=utility --no-sandbox|/snap/spotify/79/usr/share/spotify/spotify --type=renderer --no-sandbox}", SNAP_APP, .oom_score_adj = 300, .spread = 150 },
  { 2, 88213, 2101, 1000, 1, 500, 100, BASE, "/usr/bin/bwrap", "/usr/bin/bwrap --args 42 -- loupe harbour.jpg", LOUPE_APP, .oom_score_adj = 200 },
  { 2, 88220, 88213, 1000, 2, 700, 200, BUS, "/usr/bin/xdg-dbus-proxy", "/usr/bin/xdg-dbus-proxy --args=40", LOUPE_APP, .oom_score_adj = 200 },
  { 1, 88231, 88216, 1000, 19, 438000, 12000, FLATPAK_RUNTIME | WINDOWS, "/app/bin/loupe", "loupe harbour.jpg", LOUPE_APP, .oom_score_adj = 200 },

  /* Ben trains a model over ssh, and has a container of his own */
  { 1, 9120, 1, 1001, 1, 5300, 1700, DAEMON, "/usr/lib/systemd/systemd", "/usr/lib/systemd/systemd --user", MANAGER ("1001") "init.scope", .oom_score_adj = 100 },
  { 1, 9122, 9120, 1001, 1, 1500, 2400, DAEMON, "/usr/lib/systemd/systemd", "(sd-pam)", MANAGER ("1001") "init.scope", "(sd-pam)", .oom_score_adj = 100, .reason = FP_REASON_PERMISSION },
  { 1, 9170, 1051, 0, 1, 2300, 900, DAEMON, "/usr/sbin/sshd", "sshd: ben [priv]", LOGIN ("1001", "7") },
  { 1, 9181, 9170, 1001, 1, 1700, 600, DAEMON, "/usr/sbin/sshd", "sshd: ben@pts/4", LOGIN ("1001", "7"), .reason = FP_REASON_PERMISSION },
  { 1, 9182, 9181, 1001, 1, 2400, 1100, BASE, "/usr/bin/bash", "-bash", LOGIN ("1001", "7") },
  { 1, 9240, 1, 1001, 1, 6100, 900, BASE, "/usr/bin/tmux", "tmux new-session -s model", LOGIN ("1001", "7"), "tmux: server" },
  { 3, 9241, 9240, 1001, 1, 2500, 1200, BASE, "/usr/bin/bash", "-bash", LOGIN ("1001", "7") },
  { 1, 240117, 9241, 1001, 14, 412000, 18000, TRAINING, "/usr/bin/python3.11", "python3 /home/ben/forecast/train.py --workers 8 --data tides.parquet", LOGIN ("1001", "7") },
  { 8, 240163, 240117, 1001, 3, 104000, 6000, TRAINING, "/usr/bin/python3.11", "python3 /home/ben/forecast/train.py --workers 8 --data tides.parquet", LOGIN ("1001", "7"), .step = 1, .spread = 24, .state = 'R' },
  { 1, 240391, 9244, 1001, 1, 8700, 300, BASE, "/usr/bin/vim.basic", "vim train.py", LOGIN ("1001", "7") },
  { 1, 118402, 1, 1001, 2, 700, 500, BASE | GLIB, "/usr/bin/conmon", "/usr/bin/conmon --api-version 1 -c 3b2f8c1d5e6a -n queue", MANAGER ("1001") "user.slice/libpod-conmon-3b2f8c1d5e6a47908b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6.scope" },
  { 1, 118406, 118402, 1001, 6, 502000, 41000, 0, "/usr/local/bin/redis-server", "redis-server *:6379", REDIS_CONTAINER },

  /* Chiara's statistics, Dmitri's notebooks, Emeka's compiler */
  { 1, 31007, 1, 1002, 1, 5100, 2200, DAEMON, "/usr/lib/systemd/systemd", "/usr/lib/systemd/systemd --user", MANAGER ("1002") "init.scope", .oom_score_adj = 100 },
  { 1, 31044, 1, 1002, 11, 742000, 214000, BASE | GLIB, "/usr/lib/rstudio-server/bin/rsession", "/usr/lib/rstudio-server/bin/rsession -u chiara --session-use-secure-cookies 0", LOGIN ("1002", "11") },
  { 1, 31090, 31044, 1002, 1, 2300, 900, BASE, "/usr/bin/bash", "bash -l", LOGIN ("1002", "11") },
  { 1, 305660, 31090, 1002, 4, 236000, 0, BASE | GLIB, "/usr/lib/R/bin/exec/R", "/usr/lib/R/bin/exec/R --no-save --file=survey-2026.R", LOGIN ("1002", "11"), .state = 'R' },
  { 1, 44100, 1, 1003, 1, 5200, 1900, DAEMON, "/usr/lib/systemd/systemd", "/usr/lib/systemd/systemd --user", MANAGER ("1003") "init.scope", .oom_score_adj = 100 },
  { 1, 44180, 44100, 1003, 3, 64000, 37000, BASE | PYTHON, "/usr/bin/python3.11", "/usr/bin/python3 /home/dmitri/.local/bin/jupyter-lab --no-browser", MANAGER ("1003") "app.slice/jupyter.service", "jupyter-lab" },
  { 3, 44233, 44180, 1003, 13, 296000, 132000, BASE | PYTHON, "/usr/bin/python3.11", "/usr/bin/python3 -m ipykernel_launcher -f /home/dmitri/.local/share/jupyter/runtime/kernel-#.json", MANAGER ("1003") "app.slice/jupyter.service", .spread = 140, .step = 5204 },
  { 1, 72918, 1, 1003, 47, 806000, 318000, BASE, "/usr/lib/jvm/java-21-openjdk-amd64/bin/java", "/usr/lib/jvm/java-21-openjdk-amd64/bin/java -Xmx2g -jar /home/dmitri/search/catalogue.jar --port 8983", LOGIN ("1003", "14"), .exe_state = FP_EXE_UPDATED },
  { 1, 380010, 1051, 0, 1, 2300, 0, DAEMON, "/usr/sbin/sshd", "sshd: emeka [priv]", LOGIN ("1004", "22") },
  { 1, 380041, 380010, 1004, 1, 1700, 0, DAEMON, "/usr/sbin/sshd", "sshd: emeka@pts/9", LOGIN ("1004", "22"), .reason = FP_REASON_PERMISSION },
  { 1, 380042, 380041, 1004, 1, 2400, 0, BASE, "/usr/bin/bash", "-bash", LOGIN ("1004", "22") },
  { 1, 402113, 380042, 1004, 1, 664000, 0, BASE, "/home/emeka/orbits/simulate", "./simulate --steps 400000", LOGIN ("1004", "22"), .exe_state = FP_EXE_DELETED, .state = 'R' },
  { 1, 419840, 380042, 1004, 1, 3900, 0, BASE, "/usr/bin/make", "make -j4", LOGIN ("1004", "22") },
  { 4, 419902, 419840, 1004, 1, 214000, 0, BASE, "/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus", "{/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus -quiet -O2 -std=c++20 orbits/body.cpp|/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus -quiet -O2 -std=c++20 orbits/field.cpp|/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus -quiet -O2 -std=c++20 orbits/main.cpp|/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus -quiet -O2 -std=c++20 orbits/vector.cpp}", LOGIN ("1004", "22"), .spread = 90, .state = 'R' },
  { 1, 419930, 419840, 1004, 1, 0, 0, 0, NULL, NULL, LOGIN ("1004", "22"), "cc1plus", .reason = FP_REASON_ZOMBIE, .state = 'Z' },
};
const guint population_n_lines = G_N_ELEMENTS (population_lines);
/* clang-format on */
