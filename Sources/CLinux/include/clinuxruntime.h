#ifndef CLINUXRUNTIME_H
#define CLINUXRUNTIME_H
// What the runtime's files, sockets and processes need beyond Swift's Glibc module:
// GNU extensions, variadic calls, unions. Nothing here holds state or decides anything.
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>

static const uint32_t CLINUX_EPOLLOUT = EPOLLOUT;
static const uint32_t CLINUX_EPOLLHUP = EPOLLHUP;
static const int32_t CLINUX_STREAM = SOCK_STREAM;
static const int32_t CLINUX_DATAGRAM = SOCK_DGRAM;
static const int32_t CLINUX_NOSIGNAL = MSG_NOSIGNAL;

/// A Unix socket, close-on-exec, and non-blocking when asked.
int clinux_unix_socket(int type, int non_blocking);
/// The next waiting connection, close-on-exec and non-blocking.
int clinux_accept(int fd);
/// `pipe2`, both ends close-on-exec.
int clinux_pipe(int ends[2]);
/// `F_SETPIPE_SZ`.
int clinux_set_pipe_size(int fd, int octets);
/// Who connected: `SO_PEERCRED`, fixed when the connection was made.
int clinux_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid);

/// How a child ended: its exit code, or minus the signal that ended it.
int clinux_child_status(const siginfo_t *info);
/// As `clinux_child_status`, of the status that `waitpid` fills in.
int clinux_wait_status(int status);

/// A program to start: what it is called with, and what it finds as descriptors 0, 1 and 2 (-1 for /dev/null). It
/// inherits no other, no blocked signal, and SIGPIPE as a program expects it.
struct clinux_program {
    const char *path;
    char *const *arguments;
    char *const *environment;
    int streams[3];
    /// Its process group is its own, and no capability of ours is left to it.
    int is_outsider;
    /// The signal it gets when the thread that started it ends, however that came; 0 for none.
    int parting_signal;
};
/// Starts it: its process, or -1 with the errno of what failed, `execve` included.
pid_t clinux_start(const struct clinux_program *program);

/// `prctl(PR_SET_DUMPABLE)`.
int clinux_set_dumpable(int dumpable);

/// Waits until `deadline` (CLOCK_BOOTTIME, in ns; INT64_MAX for ever), until `fd` can be read, or until the other end of
/// `hazard` (-1 for none) is gone. Bit 0 says that `fd` can, bit 1 that `hazard` has; -1 with errno.
int clinux_wait_until(int fd, int hazard, int64_t deadline);

/// Pages of their own, zeroed, kept out of core dumps and, where the limits allow, out of swap.
void *clinux_private_pages(size_t count);
/// Wipes and unmaps them.
void clinux_release_private_pages(void *pages, size_t count);
/// A `memset` to zero that no compiler removes.
void clinux_wipe(void *octets, size_t count);
#endif
