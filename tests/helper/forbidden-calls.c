// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "forbidden-calls.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif

typedef struct
{
  const char *name;
  long number;
  long arguments[6];
} Call;

#define N_CALLS 128

static char buffer[4096] __attribute__ ((aligned (4096)));

static int
add (Call *calls,
     int n,
     const Call *list,
     size_t n_list)
{
  for (size_t i = 0; i < n_list && n < N_CALLS; i++)
    calls[n++] = list[i];
  return n;
}

#define ADD(calls, n, list) add (calls, n, list, sizeof list / sizeof list[0])

static int
add_files (Call *calls,
           int n,
           long path)
{
  const long page = (long)buffer;
  const Call list[] = {
    { "open O_CREAT", SYS_openat, { AT_FDCWD, (long)"/tmp/footprint-made", O_RDONLY | O_CREAT, 0600 } },
    { "open O_TRUNC", SYS_openat, { AT_FDCWD, path, O_RDONLY | O_TRUNC } },
    { "open O_WRONLY", SYS_openat, { AT_FDCWD, path, O_WRONLY } },
    { "open O_RDWR", SYS_openat, { AT_FDCWD, path, O_RDWR } },
    { "open O_APPEND", SYS_openat, { AT_FDCWD, path, O_RDONLY | O_APPEND } },
    { "open O_TMPFILE", SYS_openat, { AT_FDCWD, (long)"/tmp", O_TMPFILE | O_RDWR, 0600 } },
    { "open access 3", SYS_openat, { AT_FDCWD, path, 3 } },
    { "openat2", 437, { AT_FDCWD, path, page, 24 } },
    { "truncate", SYS_truncate, { path, 0 } },
    { "fchmodat", SYS_fchmodat, { AT_FDCWD, path, 0777 } },
    { "fchmodat2", SYS_fchmodat2, { AT_FDCWD, path, 0777, 0 } },
    { "fchownat", SYS_fchownat, { AT_FDCWD, path, 0, 0, 0 } },
    { "unlinkat", SYS_unlinkat, { AT_FDCWD, path, 0 } },
    { "linkat", SYS_linkat, { AT_FDCWD, path, AT_FDCWD, (long)"/tmp/footprint-hard", 0 } },
    { "utimensat", SYS_utimensat, { AT_FDCWD, path, 0, 0 } },
    { "setxattr", SYS_setxattr, { path, (long)"user.a", page, 1, 0 } },
    { "mount", SYS_mount, { 0, 0, 0, 0, 0 } },
    { "chroot", SYS_chroot, { (long)"/" } },
    { "fchmod, for others", SYS_fchmod, { 0, 0666 } },
    { "fchown", SYS_fchown, { 0, 0, 0 } },
    { "fallocate", SYS_fallocate, { 0, 0, 0, 4096 } },
    { "copy_file_range", SYS_copy_file_range, { 0, 0, 0, 0, 1, 0 } },
    { "sendfile", SYS_sendfile, { 0, 0, 0, 1 } },
    { "splice", SYS_splice, { 0, 0, 0, 0, 1, 0 } },
    { "renameat2", SYS_renameat2, { AT_FDCWD, path, AT_FDCWD, (long)"/tmp/footprint-moved", 0 } },
    { "symlinkat", SYS_symlinkat, { path, AT_FDCWD, (long)"/tmp/footprint-link" } },
    { "mkdirat", SYS_mkdirat, { AT_FDCWD, (long)"/tmp/footprint-folder", 0700 } },
    { "mknodat", SYS_mknodat, { AT_FDCWD, (long)"/tmp/footprint-node", S_IFIFO | 0600, 0 } },
    { "open_by_handle_at", SYS_open_by_handle_at, { AT_FDCWD, page, O_RDONLY } },
    { "umount2", SYS_umount2, { (long)"/", 0 } },
    { "pivot_root", SYS_pivot_root, { (long)"/", (long)"/" } },
    { "open_tree", SYS_open_tree, { AT_FDCWD, (long)"/", 0 } },
    { "fsopen", SYS_fsopen, { (long)"tmpfs", 0 } },
    { "move_mount", SYS_move_mount, { AT_FDCWD, (long)"/", AT_FDCWD, (long)"/", 0 } },
    { "fanotify_init", SYS_fanotify_init, { 0, 0 } },
#ifdef SYS_open
    { "open (old) O_TRUNC", SYS_open, { path, O_TRUNC } },
    { "creat", SYS_creat, { path, 0600 } },
    { "unlink", SYS_unlink, { path } },
    { "mkdir", SYS_mkdir, { (long)"/tmp/footprint-folder", 0700 } },
    { "fork", SYS_fork, { 0 } },
#endif
  };

  return ADD (calls, n, list);
}

static int
add_processes (Call *calls,
               int n)
{
  static const char *const argv[] = { "/bin/true", NULL };
  const long page = (long)buffer;
  const Call list[] = {
    { "clone, a process", SYS_clone, { SIGCHLD } },
    { "clone, a user namespace", SYS_clone, { CLONE_NEWUSER | SIGCHLD } },
    { "clone, a thread in a new namespace", SYS_clone, { CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_NEWNET } },
    { "clone3", SYS_clone3, { page, 64 } },
    { "unshare", SYS_unshare, { CLONE_NEWUSER } },
    { "setns", SYS_setns, { 0, 0 } },
    { "execve", SYS_execve, { (long)argv[0], (long)argv, 0 } },
    { "execveat", SYS_execveat, { AT_FDCWD, (long)argv[0], (long)argv, 0, 0 } },
    { "mmap W+X", SYS_mmap, { 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
    { "mmap X", SYS_mmap, { 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
    { "mprotect X", SYS_mprotect, { page, 4096, PROT_READ | PROT_EXEC } },
    { "pkey_mprotect", SYS_pkey_mprotect, { page, 4096, PROT_READ | PROT_EXEC, -1 } },
    { "shmat", SYS_shmat, { 0, 0, 0 } },
    { "remap_file_pages", SYS_remap_file_pages, { page, 4096, 0, 0, 0 } },
    { "ptrace", SYS_ptrace, { PTRACE_TRACEME } },
    { "process_vm_readv", SYS_process_vm_readv, { getppid (), 0, 0, 0, 0, 0 } },
    { "process_vm_writev", SYS_process_vm_writev, { getppid (), 0, 0, 0, 0, 0 } },
    { "process_madvise", SYS_process_madvise, { 0, 0, 0, 0, 0 } },
    { "pidfd_open", SYS_pidfd_open, { getppid (), 0 } },
    { "pidfd_getfd", SYS_pidfd_getfd, { 0, 0, 0 } },
    { "kill", SYS_kill, { getpid (), 0 } },
    { "tkill", SYS_tkill, { getpid (), 0 } },
    { "tgkill, another", SYS_tgkill, { getppid (), getppid (), 0 } },
    { "rt_sigqueueinfo", SYS_rt_sigqueueinfo, { getpid (), 0, page } },
    { "setuid", SYS_setuid, { getuid () } },
    { "setgroups", SYS_setgroups, { 0, 0 } },
    { "capset", SYS_capset, { page, page } },
    { "prctl PR_SET_DUMPABLE", SYS_prctl, { PR_SET_DUMPABLE, 1 } },
    { "prctl PR_SET_SECCOMP", SYS_prctl, { PR_SET_SECCOMP, 2, 0 } },
    { "personality", SYS_personality, { 0xffffffff } },
    { "sched_setattr", SYS_sched_setattr, { 0, page, 0 } },
    { "clone, without a thread", SYS_clone, { CLONE_VM | CLONE_SIGHAND | SIGCHLD } },
    { "clone, a traced thread", SYS_clone, { CLONE_VM | CLONE_THREAD | CLONE_SIGHAND | CLONE_PTRACE } },
    { "prctl PR_SET_MM", SYS_prctl, { PR_SET_MM, PR_SET_MM_EXE_FILE, 0, 0, 0 } },
    { "prctl PR_SET_PTRACER", SYS_prctl, { PR_SET_PTRACER, -1, 0, 0, 0 } },
    { "prctl PR_CAP_AMBIENT", SYS_prctl, { PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0 } },
    { "prlimit64, another process", SYS_prlimit64, { getppid (), 7, 0, page } },
    { "pidfd_send_signal", SYS_pidfd_send_signal, { 0, 0, 0, 0 } },
    { "rt_tgsigqueueinfo", SYS_rt_tgsigqueueinfo, { getppid (), getppid (), 0, page } },
    { "setresuid", SYS_setresuid, { -1, -1, -1 } },
    { "setgid", SYS_setgid, { getgid () } },
    { "setfsuid", SYS_setfsuid, { getuid () } },
    { "setpriority", SYS_setpriority, { 0, 0, 0 } },
    { "seccomp", SYS_seccomp, { 0, 0, 0 } },
    { "landlock_create_ruleset", SYS_landlock_create_ruleset, { 0, 0, 1 } },
    { "shmget", SYS_shmget, { 0, 4096, 0600 } },
    { "msgget", SYS_msgget, { 0, 0600 } },
    { "move_pages", SYS_move_pages, { getppid (), 0, 0, 0, 0, 0 } },
  };

  return ADD (calls, n, list);
}

static int
add_others (Call *calls,
            int n)
{
  const long page = (long)buffer;
  const Call list[] = {
    { "socket AF_INET", SYS_socket, { AF_INET, SOCK_STREAM, 0 } },
    { "socket AF_NETLINK", SYS_socket, { AF_NETLINK, SOCK_RAW, 0 } },
    { "bind", SYS_bind, { 0, page, 16 } },
    { "listen", SYS_listen, { 0, 1 } },
    { "accept4", SYS_accept4, { 0, 0, 0, 0 } },
    { "bpf", SYS_bpf, { 0, page, 32 } },
    { "perf_event_open", SYS_perf_event_open, { page, 0, 0, -1, 0 } },
    { "userfaultfd", SYS_userfaultfd, { 0 } },
    { "io_uring_setup", SYS_io_uring_setup, { 1, page } },
    { "keyctl", SYS_keyctl, { 0, 0 } },
    { "add_key", SYS_add_key, { (long)"user", (long)"a", page, 1, -1 } },
    { "ioctl TIOCSTI", SYS_ioctl, { 0, 0x5412, page } },
    { "syslog", SYS_syslog, { 10, 0, 0 } },
    { "socket AF_PACKET", SYS_socket, { AF_PACKET, SOCK_RAW, 0 } },
    { "socket AF_VSOCK", SYS_socket, { AF_VSOCK, SOCK_STREAM, 0 } },
    { "socket AF_ALG", SYS_socket, { AF_ALG, SOCK_SEQPACKET, 0 } },
    { "request_key", SYS_request_key, { (long)"user", (long)"a", 0, 0 } },
    { "init_module", SYS_init_module, { page, 0, page } },
    { "kexec_load", SYS_kexec_load, { 0, 0, 0, 0 } },
    { "reboot", SYS_reboot, { 0, 0, 0, 0 } },
    { "clock_settime", SYS_clock_settime, { 0, page } },
  };

  return ADD (calls, n, list);
}

static int
fill (Call *calls,
      const char *victim)
{
  return add_others (calls, add_processes (calls, add_files (calls, 0, (long)victim)));
}

/* The helper's own filter says ENOSYS, which a kernel says only of what it was built without; systemd's, which is asked as well, EPERM. */
int
forbidden_calls_try (const char *victim,
                     int has_another_filter)
{
  Call calls[N_CALLS];
  int n = fill (calls, victim);

  for (int i = 0; i < n; i++)
    {
      const long *a = calls[i].arguments;
      long result = syscall (calls[i].number, a[0], a[1], a[2], a[3], a[4], a[5]);

      if (result >= 0 || (errno != ENOSYS && !(has_another_filter && errno == EPERM)))
        return i + 1;
    }
  return n < 100 ? 254 : 0;
}

const char *
forbidden_calls_get_name (int number)
{
  Call calls[N_CALLS];
  int n = fill (calls, "");

  return number >= 1 && number <= n ? calls[number - 1].name : "?";
}
