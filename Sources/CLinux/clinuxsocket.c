#define _GNU_SOURCE
#include "clinuxsocket.h"

#include <errno.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

union any {
    struct sockaddr plain;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static socklen_t to_kernel(const struct clinux_address *address, union any *out) {
    memset(out, 0, sizeof *out);
    if (address->is_v6) {
        out->v6.sin6_family = AF_INET6;
        out->v6.sin6_port = htons(address->port);
        out->v6.sin6_scope_id = address->scope;
        memcpy(&out->v6.sin6_addr, address->octets, 16);
        return sizeof out->v6;
    }
    out->v4.sin_family = AF_INET;
    out->v4.sin_port = htons(address->port);
    memcpy(&out->v4.sin_addr, address->octets, 4);
    return sizeof out->v4;
}
static void from_kernel(const union any *in, struct clinux_address *address) {
    memset(address, 0, sizeof *address);
    address->is_v6 = in->plain.sa_family == AF_INET6;
    if (address->is_v6) {
        address->port = ntohs(in->v6.sin6_port);
        address->scope = in->v6.sin6_scope_id;
        memcpy(address->octets, &in->v6.sin6_addr, 16);
    } else {
        address->port = ntohs(in->v4.sin_port);
        memcpy(address->octets, &in->v4.sin_addr, 4);
    }
}
static int set(int fd, int level, int option, int value) {
    return setsockopt(fd, level, option, &value, sizeof value);
}

int clinux_inet_socket(int is_v6, int is_stream) {
    int type = (is_stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC | SOCK_NONBLOCK;
    int fd = socket(is_v6 ? AF_INET6 : AF_INET, type, 0);
    if (fd >= 0 && is_v6) set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
    return fd;
}
int clinux_inet_bind(int fd, const struct clinux_address *address) {
    union any kernel;
    socklen_t length = to_kernel(address, &kernel);
    return bind(fd, &kernel.plain, length);
}
int clinux_inet_connect(int fd, const struct clinux_address *address) {
    union any kernel;
    socklen_t length = to_kernel(address, &kernel);
    return connect(fd, &kernel.plain, length);
}
int clinux_inet_local(int fd, struct clinux_address *address) {
    union any kernel;
    socklen_t length = sizeof kernel;
    if (getsockname(fd, &kernel.plain, &length) < 0) return -1;
    from_kernel(&kernel, address);
    return 0;
}
int clinux_inet_accept(int fd, struct clinux_address *peer) {
    union any kernel;
    socklen_t length = sizeof kernel;
    int connection = accept4(fd, &kernel.plain, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection >= 0) from_kernel(&kernel, peer);
    return connection;
}
int clinux_socket_error(int fd) {
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return errno;
    return error;
}
int clinux_shutdown_write(int fd) { return shutdown(fd, SHUT_WR); }

ssize_t clinux_inet_receive(int fd, void *octets, size_t count, struct clinux_address *from, int *traffic_class) {
    union any kernel;
    union {
        char octets[128];
        struct cmsghdr alignment;
    } control;
    struct iovec vector = {.iov_base = octets, .iov_len = count};
    struct msghdr message = {
        .msg_name = &kernel,
        .msg_namelen = sizeof kernel,
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = &control,
        .msg_controllen = sizeof control,
    };
    ssize_t received = recvmsg(fd, &message, MSG_DONTWAIT);
    if (received < 0) return -1;
    from_kernel(&kernel, from);
    *traffic_class = -1;
    for (struct cmsghdr *item = CMSG_FIRSTHDR(&message); item; item = CMSG_NXTHDR(&message, item)) {
        if (item->cmsg_level == IPPROTO_IP && item->cmsg_type == IP_TOS) {
            *traffic_class = *CMSG_DATA(item);
        } else if (item->cmsg_level == IPPROTO_IPV6 && item->cmsg_type == IPV6_TCLASS) {
            int value;
            memcpy(&value, CMSG_DATA(item), sizeof value);
            *traffic_class = value;
        }
    }
    return received;
}
int clinux_report_traffic_class(int fd, int is_v6) {
    return is_v6 ? set(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, 1) : set(fd, IPPROTO_IP, IP_RECVTOS, 1);
}

int clinux_share_port(int fd) { return set(fd, SOL_SOCKET, SO_REUSEPORT, 1); }
int clinux_reuse_address(int fd) { return set(fd, SOL_SOCKET, SO_REUSEADDR, 1); }
int clinux_set_traffic_class(int fd, int is_v6, int traffic_class) {
    return is_v6 ? set(fd, IPPROTO_IPV6, IPV6_TCLASS, traffic_class) : set(fd, IPPROTO_IP, IP_TOS, traffic_class);
}
int clinux_set_priority(int fd, int priority) { return set(fd, SOL_SOCKET, SO_PRIORITY, priority); }
int clinux_get_priority(int fd, int *priority) {
    socklen_t length = sizeof *priority;
    return getsockopt(fd, SOL_SOCKET, SO_PRIORITY, priority, &length);
}
int clinux_set_buffers(int fd, int send, int receive) {
    if (send > 0 && set(fd, SOL_SOCKET, SO_SNDBUF, send) < 0) return -1;
    return receive > 0 ? set(fd, SOL_SOCKET, SO_RCVBUF, receive) : 0;
}
int clinux_set_no_delay(int fd) { return set(fd, IPPROTO_TCP, TCP_NODELAY, 1); }

int clinux_drop_at_random(int fd, uint32_t threshold) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_RANDOM)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, threshold, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
        BPF_STMT(BPF_RET | BPF_K, 0),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
