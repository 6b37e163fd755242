#define _GNU_SOURCE
#include "clinuxruntime.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int clinux_unix_socket(int type, int non_blocking) {
    return socket(AF_UNIX, type | SOCK_CLOEXEC | (non_blocking ? SOCK_NONBLOCK : 0), 0);
}
int clinux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }
int clinux_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }
int clinux_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid) {
    struct ucred credentials;
    socklen_t length = sizeof credentials;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) < 0) return -1;
    *pid = credentials.pid;
    *uid = credentials.uid;
    *gid = credentials.gid;
    return 0;
}

int clinux_child_status(const siginfo_t *info) {
    return info->si_code == CLD_EXITED ? info->si_status : -info->si_status;
}
int clinux_wait_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status); }

int clinux_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int clinux_set_dumpable(int dumpable) { return prctl(PR_SET_DUMPABLE, dumpable, 0, 0, 0); }

int clinux_wait_until(int fd, int hazard, int64_t deadline) {
    struct pollfd entries[2] = {{.fd = fd, .events = POLLIN}, {.fd = hazard, .events = 0}};
    struct timespec rest = {0, 0};
    if (deadline != INT64_MAX) {
        struct timespec now;
        clock_gettime(CLOCK_BOOTTIME, &now);
        int64_t left = deadline - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
        if (left > 0) {
            rest.tv_sec = (time_t)(left / 1000000000);
            rest.tv_nsec = (long)(left % 1000000000);
        }
    }
    if (ppoll(entries, hazard < 0 ? 1 : 2, deadline == INT64_MAX ? NULL : &rest, NULL) < 0) return -1;
    return (entries[0].revents != 0) | (hazard >= 0 && entries[1].revents != 0) << 1;
}

void *clinux_private_pages(size_t count) {
    void *pages = mmap(NULL, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return NULL;
    int saved = errno;
    madvise(pages, count, MADV_DONTDUMP);
    madvise(pages, count, MADV_WIPEONFORK);
    mlock(pages, count);  // RLIMIT_MEMLOCK may refuse: the pages are wiped all the same
    errno = saved;
    return pages;
}
void clinux_release_private_pages(void *pages, size_t count) {
    explicit_bzero(pages, count);
    munmap(pages, count);
}
void clinux_wipe(void *octets, size_t count) { explicit_bzero(octets, count); }
