#ifndef CLINUXSOCKET_H
#define CLINUXSOCKET_H
// Internet sockets without sockaddr casts, cmsg macros and level/option pairs: one call each, result or -1 with errno.
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// An address as both families have it; `octets` in network order, the first 4 for IPv4.
struct clinux_address {
    uint8_t octets[16];
    uint32_t scope;
    uint16_t port;
    uint8_t is_v6;
};

/// Close-on-exec and non-blocking; an IPv6 one takes no IPv4.
int clinux_inet_socket(int is_v6, int is_stream);
int clinux_inet_bind(int fd, const struct clinux_address *address);
/// For a stream: EINPROGRESS until it is writable, then `clinux_socket_error` tells.
int clinux_inet_connect(int fd, const struct clinux_address *address);
int clinux_inet_local(int fd, struct clinux_address *address);
int clinux_inet_accept(int fd, struct clinux_address *peer);
int clinux_socket_error(int fd);
int clinux_shutdown_write(int fd);

/// One datagram, its sender and, where `clinux_report_traffic_class` was called, its traffic class (else -1).
ssize_t clinux_inet_receive(int fd, void *octets, size_t count, struct clinux_address *from, int *traffic_class);
int clinux_report_traffic_class(int fd, int is_v6);

/// SO_REUSEPORT: sockets of one user share the port.
int clinux_share_port(int fd);
/// SO_REUSEADDR: a listener does not wait for its predecessor's connections to time out.
int clinux_reuse_address(int fd);
/// IP_TOS or IPV6_TCLASS.
int clinux_set_traffic_class(int fd, int is_v6, int traffic_class);
int clinux_set_priority(int fd, int priority);
int clinux_get_priority(int fd, int *priority);
int clinux_set_buffers(int fd, int send, int receive);
int clinux_set_no_delay(int fd);

/// Has the kernel throw away arriving packets at random, `threshold` of 2^32 of them (classic BPF, SKF_AD_RANDOM).
int clinux_drop_at_random(int fd, uint32_t threshold);

/// Names the calling thread, 15 octets at most.
void clinux_name_thread(const char *name);

/// A counter descriptor, non-blocking: readable once written.
int clinux_eventfd(void);
#endif
