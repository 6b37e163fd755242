#define _GNU_SOURCE
#include "clinuxruntime.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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
int clinux_set_pipe_size(int fd, int octets) { return fcntl(fd, F_SETPIPE_SZ, octets); }
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

// In the child, between fork and exec: other threads may have held any lock, so that only system calls are left.
static void become(const struct clinux_program *program, pid_t parent, int report) {
    int sources[3];
    for (int stream = 0; stream < 3; stream++) {
        int source = program->streams[stream];
        if (source < 0 && (source = open("/dev/null", O_RDWR | O_CLOEXEC)) < 0) return;
        // Above all three, so that none is overwritten before it is used.
        if ((sources[stream] = fcntl(source, F_DUPFD_CLOEXEC, 3)) < 0) return;
    }
    for (int stream = 0; stream < 3; stream++) {
        if (dup2(sources[stream], stream) < 0) return;
    }
    // What others opened without close-on-exec.
    if (report > 3) close_range(3, (unsigned)report - 1, 0);
    close_range((unsigned)report + 1, ~0U, 0);
    if (program->is_outsider) {
        if (setpgid(0, 0) < 0) return;
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        // To root, exec gives all that is in the bounding set. Without CAP_SETPCAP nothing can be dropped from it; for
        // any other user the ambient ones were all there was.
        for (unsigned long one = 0; prctl(PR_CAPBSET_READ, one, 0, 0, 0) >= 0; one++) {
            prctl(PR_CAPBSET_DROP, one, 0, 0, 0);
        }
    }
    if (program->parting_signal) {
        if (prctl(PR_SET_PDEATHSIG, program->parting_signal, 0, 0, 0) < 0) return;
        if (getppid() != parent) _exit(127);  // it has gone meanwhile, and no signal will come
    }
    // The loop has signals blocked, which a program would inherit and never see.
    sigset_t none;
    sigemptyset(&none);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(program->path, program->arguments, program->environment);
}

pid_t clinux_start(const struct clinux_program *program) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0) return -1;
    // None of 0, 1 and 2, which the child replaces.
    int report = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
    pid_t parent = getpid();
    pid_t child = report < 0 ? -1 : fork();
    if (child == 0) {
        become(program, parent, report);
        int code = errno;
        ssize_t written = write(report, &code, sizeof code);
        _exit(written == sizeof code ? 127 : 126);
    }
    int code = child < 0 ? errno : 0;
    close(ends[1]);
    if (report >= 0) close(report);
    if (child > 0) {
        // Ended by exec, which closes the other end, or by what failed.
        ssize_t count;
        while ((count = read(ends[0], &code, sizeof code)) < 0 && errno == EINTR) {}
        if (count != sizeof code) code = 0;
        if (code) waitpid(child, NULL, 0);
    }
    close(ends[0]);
    if (!code) return child;
    errno = code;
    return -1;
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
