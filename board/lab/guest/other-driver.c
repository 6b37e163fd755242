// Makes the kernel's simulated radios look like those of a lesser kernel or driver, to a program that is started with this
// preloaded: takes the parts of GET_WIPHY's answer away that such a one would not send. Nothing is added.
//
// OTHER_DRIVER: kernel            no NAN capabilities, as before Linux 7.2
//               firmware          the discovery engine is in firmware only
//               data              no NAN data interfaces
//               frames            NAN management frames are not encrypted
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// Numbers of linux/nl80211.h, which is older than these on most machines.
enum {
    NL80211_CMD_NEW_WIPHY = 3,
    NL80211_ATTR_SUPPORTED_IFTYPES = 32,
    NL80211_ATTR_EXT_FEATURES = 217,
    NL80211_ATTR_NAN_CAPABILITIES = 344,
    NL80211_NAN_CAPA_USERSPACE_DE = 2,
    NL80211_IFTYPE_NAN_DATA = 13,
    NL80211_EXT_FEATURE_SECURE_NAN = 63,
    NOBODY_READS = 0x3ffe,
};

static struct nlattr *find(char *octets, size_t length, int type) {
    while (length >= NLA_HDRLEN) {
        struct nlattr *attribute = (struct nlattr *)octets;
        size_t whole = NLA_ALIGN(attribute->nla_len);
        if (attribute->nla_len < NLA_HDRLEN || whole > length)
            return NULL;
        if ((attribute->nla_type & NLA_TYPE_MASK) == type)
            return attribute;
        octets += whole;
        length -= whole;
    }
    return NULL;
}

static struct nlattr *inside(struct nlattr *nest, int type) {
    return nest ? find((char *)nest + NLA_HDRLEN, nest->nla_len - NLA_HDRLEN, type) : NULL;
}

static void hide(struct nlattr *attribute) {
    if (attribute)
        attribute->nla_type = NOBODY_READS;
}

static void degrade(char *octets, size_t length, const char *as) {
    struct nlattr *capabilities = find(octets, length, NL80211_ATTR_NAN_CAPABILITIES);
    if (!strcmp(as, "kernel"))
        hide(capabilities);
    if (!strcmp(as, "firmware"))
        hide(inside(capabilities, NL80211_NAN_CAPA_USERSPACE_DE));
    if (!strcmp(as, "data"))
        hide(inside(find(octets, length, NL80211_ATTR_SUPPORTED_IFTYPES), NL80211_IFTYPE_NAN_DATA));
    if (!strcmp(as, "frames")) {
        struct nlattr *features = find(octets, length, NL80211_ATTR_EXT_FEATURES);
        if (features && features->nla_len > NLA_HDRLEN + NL80211_EXT_FEATURE_SECURE_NAN / 8)
            ((char *)features)[NLA_HDRLEN + NL80211_EXT_FEATURE_SECURE_NAN / 8] &=
                ~(1 << NL80211_EXT_FEATURE_SECURE_NAN % 8);
    }
}

ssize_t recvmsg(int socket, struct msghdr *message, int flags) {
    static ssize_t (*next)(int, struct msghdr *, int);
    if (!next)
        next = (ssize_t(*)(int, struct msghdr *, int))dlsym(RTLD_NEXT, "recvmsg");
    ssize_t count = next(socket, message, flags);
    const char *as = getenv("OTHER_DRIVER");
    const struct sockaddr_nl *from = message->msg_name;
    if (!as || count <= 0 || !from || message->msg_namelen < sizeof *from || from->nl_family != AF_NETLINK)
        return count;
    size_t left = (size_t)count < message->msg_iov->iov_len ? (size_t)count : message->msg_iov->iov_len;
    for (struct nlmsghdr *header = message->msg_iov->iov_base; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
        struct genlmsghdr *generic = NLMSG_DATA(header);
        if (header->nlmsg_type > GENL_ID_CTRL && header->nlmsg_len >= NLMSG_LENGTH(GENL_HDRLEN) &&
            generic->cmd == NL80211_CMD_NEW_WIPHY)
            degrade((char *)generic + GENL_HDRLEN, header->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN), as);
    }
    return count;
}
