// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <pwd.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fp-confinement.h"

#define HELPER_USER "footprint-helper"
#define FALLBACK    "nobody"

static gboolean
fail (GError **error,
      const char *what,
      int code)
{
  g_set_error (error, G_IO_ERROR, (gint)g_io_error_from_errno (code), "%s: %s", what, g_strerror (code));
  return FALSE;
}

/* systemd's filter forbids to change what its unit has made right already.
 * With CAP_SYS_PTRACE it is another user's process that could be traced for it: so nobody may trace this one. */
static gboolean
keep_one_capability (gboolean is_root,
                     GError **error)
{
  gboolean has_it, has_more = FALSE;
  const struct passwd *user = NULL;
  int result;

  if (capng_get_caps_process () != 0)
    return fail (error, "capget", errno);
  has_it = capng_have_capability (CAPNG_PERMITTED, CAP_SYS_PTRACE);
  for (guint capability = 0; capability <= CAP_LAST_CAP; capability++)
    has_more |= capability != CAP_SYS_PTRACE && capng_have_capability (CAPNG_PERMITTED, capability);
  if (is_root && !(user = getpwnam (HELPER_USER)) && !(user = getpwnam (FALLBACK)))
    return fail (error, HELPER_USER, ENOENT);
  capng_clear (CAPNG_SELECT_ALL);
  if (has_it && capng_update (CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, CAP_SYS_PTRACE) != 0)
    return fail (error, "CAP_SYS_PTRACE", EPERM);
  if (is_root)
    result = capng_change_id ((int)user->pw_uid, (int)user->pw_gid, CAPNG_DROP_SUPP_GRP | CAPNG_CLEAR_BOUNDING);
  else
    result = has_more ? capng_apply (CAPNG_SELECT_CAPS) : 0;
  if (result != 0)
    return fail (error, "capset", EPERM);
  if (has_it && prctl (PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
    return fail (error, "PR_SET_DUMPABLE", errno);
  return TRUE;
}

/* It reads: nothing is run, signalled, traced, written or changed, and no network is there. */
static const char *const forbidden[] = {
  "ptrace",
  "process_vm_readv",
  "process_vm_writev",
  "process_madvise",
  "pidfd_getfd",
  "execve",
  "execveat",
  "fork",
  "vfork",
  "kill",
  "tkill",
  "rt_sigqueueinfo",
  "rt_tgsigqueueinfo",
  "pidfd_send_signal",
  "bpf",
  "perf_event_open",
  "userfaultfd",
  "io_uring_setup",
  "io_uring_enter",
  "io_uring_register",
  "add_key",
  "request_key",
  "keyctl",
  "mount",
  "umount2",
  "pivot_root",
  "chroot",
  "move_mount",
  "open_tree",
  "fsopen",
  "fsmount",
  "mount_setattr",
  "unshare",
  "setns",
  "swapon",
  "swapoff",
  "reboot",
  "kexec_load",
  "kexec_file_load",
  "init_module",
  "finit_module",
  "delete_module",
  "acct",
  "quotactl",
  "syslog",
  "setuid",
  "setgid",
  "setreuid",
  "setregid",
  "setresuid",
  "setresgid",
  "setgroups",
  "setfsuid",
  "setfsgid",
  "capset",
  "sethostname",
  "setdomainname",
  "settimeofday",
  "clock_settime",
  "clock_adjtime",
  "adjtimex",
  "ioperm",
  "iopl",
  "personality",
  "modify_ldt",
  "vhangup",
  "nfsservctl",
  "lookup_dcookie",
  "open_by_handle_at",
  "openat2",
  "creat",
  "truncate",
  "rename",
  "renameat",
  "renameat2",
  "link",
  "linkat",
  "symlink",
  "symlinkat",
  "unlink",
  "unlinkat",
  "mkdir",
  "mkdirat",
  "rmdir",
  "mknod",
  "mknodat",
  "chmod",
  "fchmod",
  "fchmodat",
  "chown",
  "fchown",
  "fchownat",
  "lchown",
  "utime",
  "utimes",
  "utimensat",
  "futimesat",
  "setxattr",
  "lsetxattr",
  "fsetxattr",
  "removexattr",
  "lremovexattr",
  "fremovexattr",
  "process_mrelease",
  "migrate_pages",
  "move_pages",
};

/* 0 or a negative errno */
static int
add_rules (scmp_filter_ctx filter)
{
  static const int modes[] = { O_WRONLY, O_RDWR };
  int result = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EAFNOSUPPORT), SCMP_SYS (socket), 1,
                                 SCMP_A0 (SCMP_CMP_NE, AF_UNIX));

  for (guint i = 0; i < G_N_ELEMENTS (forbidden) && result == 0; i++)
    {
      int number = seccomp_syscall_resolve_name (forbidden[i]);

      /* What this architecture or this libseccomp does not know */
      if (number != __NR_SCMP_ERROR)
        result = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), number, 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (modes) && result == 0; i++)
    {
      result = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (openat), 1,
                                 SCMP_A2 (SCMP_CMP_MASKED_EQ, O_ACCMODE, (scmp_datum_t)modes[i]));
      if (result == 0)
        result = seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (open), 1,
                                   SCMP_A1 (SCMP_CMP_MASKED_EQ, O_ACCMODE, (scmp_datum_t)modes[i]));
    }
  return result;
}

static gboolean
filter_system_calls (GError **error)
{
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ALLOW);
  int result;

  if (!filter)
    return fail (error, "seccomp", ENOMEM);
  /* A tree: it is asked at every system call of a sweep. */
  result = seccomp_attr_set (filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  if (result == 0)
    result = add_rules (filter);
  if (result == 0)
    result = seccomp_load (filter);
  seccomp_release (filter);
  return result == 0 || fail (error, "seccomp", -result);
}

/* Whatever it was started with: before the first byte of anybody is read, and before there is a second thread. */
gboolean
fp_confinement_enter (GError **error)
{
  if (!keep_one_capability (geteuid () == 0, error))
    return FALSE;
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return fail (error, "PR_SET_NO_NEW_PRIVS", errno);
  return filter_system_calls (error);
}
