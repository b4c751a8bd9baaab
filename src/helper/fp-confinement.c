// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <linux/nsfs.h>
#include <pwd.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fp-confinement.h"
#include "fp-users.h"

#define HELPER_USER "footprint-helper"
#define FALLBACK    "nobody"

#define QUERY_MAPPING _IOC (_IOC_READ | _IOC_WRITE, 'f', 17, 104) /* PROCMAP_QUERY of Linux 6.11 */

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

/* Reading, waiting, threads and a socket need these system calls, with the C libraries of Debian 12 and 13. Any other
 * call fails with ENOSYS, as on a kernel without it, which makes newer C libraries fall back to these. The filter
 * leaves out calls that an architecture does not have. */
static const char allowed[] =
    "read pread64 readv preadv preadv2 write pwrite64 writev pwritev close dup dup2 dup3 lseek fcntl fcntl64 ftruncate ftruncate64 "
    "fadvise64 fstat fstat64 newfstatat fstatat64 stat stat64 lstat lstat64 statx statfs statfs64 fstatfs fstatfs64 memfd_create "
    "access faccessat faccessat2 readlink readlinkat getdents getdents64 getcwd "
    "munmap mremap madvise brk membarrier "
    "rt_sigaction rt_sigprocmask rt_sigreturn sigreturn sigaltstack rt_sigtimedwait restart_syscall "
    "futex futex_time64 futex_waitv futex_wake futex_wait futex_requeue set_robust_list get_robust_list rseq "
    "poll ppoll ppoll_time64 select pselect6 epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2 pipe2 sysinfo getrandom "
    "socketpair connect shutdown getsockname getpeername getsockopt setsockopt sendto sendmsg sendmmsg recvfrom recvmsg recvmmsg "
    "exit exit_group getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups getrusage getrlimit "
    "ugetrlimit uname getcpu sched_yield sched_getaffinity sched_getattr sched_getparam sched_getscheduler kcmp time times "
    "clock_gettime clock_gettime64 clock_getres clock_getres_time64 clock_nanosleep clock_nanosleep_time64 nanosleep gettimeofday";

/* The same, where these bits of an argument have to be so. */
static const struct
{
  const char *name;
  guint argument;
  scmp_datum_t mask;
  scmp_datum_t value;
} allowed_if[] = {
#define NOTHING_WRITTEN (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY))
#define NEW_NAMESPACES \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_PTRACE)
#ifdef __s390__
#define CLONE_ARGUMENT 1
#else
#define CLONE_ARGUMENT 0
#endif
  { "open", 1, NOTHING_WRITTEN, O_RDONLY },
  { "openat", 2, NOTHING_WRITTEN, O_RDONLY },
  { "fchmod", 1, ~(scmp_datum_t)0, S_IRUSR },
  { "prlimit64", 0, ~(scmp_datum_t)0, 0 },
  /* Threads alone */
  { "clone", CLONE_ARGUMENT, CLONE_VM | CLONE_THREAD | NEW_NAMESPACES, CLONE_VM | CLONE_THREAD },
  { "mmap", 2, PROT_EXEC, 0 },
  { "mmap2", 2, PROT_EXEC, 0 },
  { "mprotect", 2, PROT_EXEC, 0 },
  { "socket", 0, ~(scmp_datum_t)0, AF_UNIX },
  { "prctl", 0, ~(scmp_datum_t)0, PR_SET_NAME },
  { "prctl", 0, ~(scmp_datum_t)0, PR_GET_NAME },
  { "prctl", 0, ~(scmp_datum_t)0, PR_SET_VMA },
  { "ioctl", 1, ~(scmp_datum_t)0, NS_GET_PARENT },
  { "ioctl", 1, ~(scmp_datum_t)0, NS_GET_OWNER_UID },
  { "ioctl", 1, ~(scmp_datum_t)0, QUERY_MAPPING },
  { "ioctl", 1, ~(scmp_datum_t)0, FIONREAD },
  { "ioctl", 1, ~(scmp_datum_t)0, FIONBIO },
  { "ioctl", 1, ~(scmp_datum_t)0, TCGETS },
};

/* 0 or a negative errno. A call that is unknown here has a negative number. A rule for the calling process alone lets abort () end it. */
static int
add_rules (scmp_filter_ctx filter)
{
  g_auto (GStrv) names = g_strsplit (allowed, " ", -1);
  int result = seccomp_rule_add (filter, SCMP_ACT_ALLOW, SCMP_SYS (tgkill), 1, SCMP_A0 (SCMP_CMP_EQ, (scmp_datum_t)getpid ()));

  for (guint i = 0; names[i] && result == 0; i++)
    if (seccomp_syscall_resolve_name (names[i]) >= 0)
      result = seccomp_rule_add (filter, SCMP_ACT_ALLOW, seccomp_syscall_resolve_name (names[i]), 0);
  for (guint i = 0; i < G_N_ELEMENTS (allowed_if) && result == 0; i++)
    {
      int number = seccomp_syscall_resolve_name (allowed_if[i].name);
      const struct scmp_arg_cmp condition = SCMP_CMP (allowed_if[i].argument, SCMP_CMP_MASKED_EQ, allowed_if[i].mask, allowed_if[i].value);

      if (number >= 0)
        result = seccomp_rule_add_array (filter, SCMP_ACT_ALLOW, number, 1, &condition);
    }
  return result;
}

/* With G_MESSAGES_DEBUG=footprint-helper the kernel logs each call that is refused, for whoever brings another C library. */
static gboolean
filter_system_calls (GError **error)
{
  gboolean is_debugging = !g_log_writer_default_would_drop (G_LOG_LEVEL_DEBUG, G_LOG_DOMAIN);
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ERRNO (ENOSYS));
  int result;

  if (!filter)
    return fail (error, "seccomp", ENOMEM);
  /* A tree: it is asked at every system call of a sweep. */
  result = seccomp_attr_set (filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
  if (result == 0 && is_debugging)
    result = seccomp_attr_set (filter, SCMP_FLTATR_CTL_LOG, 1);
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
  /* The end of a lease on a block must not end the process. */
  signal (SIGIO, SIG_IGN);
  /* Behind the filter no code can be mapped any more. */
  fp_users_load_services ();
  return filter_system_calls (error);
}
