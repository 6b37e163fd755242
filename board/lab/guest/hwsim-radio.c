// Makes and removes the kernel's simulated radios (mac80211_hwsim), over generic netlink.
//
// Usage: hwsim-radio add NAME [--no-nan] [--channels N] [--no-interface]
//        hwsim-radio remove NAME
//
// `add` makes a radio that can do NAN, and with it the wiphy NAME, and prints its number. (A name like phy0 is for the
// kernel to give: it is taken only when that is the next one's turn.) --channels says on how many channels it can be at a
// time (3; NAN on two bands with a data path needs them), --no-nan leaves NAN out, --no-interface leaves out the station
// interface that a radio has from birth.
//
// Not a script, for every scenario starts it several times, on a simulated processor.
#include <errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Numbers of the kernel's drivers/net/wireless/virtual/mac80211_hwsim.h.
enum {
    HWSIM_CMD_NEW_RADIO = 4,
    HWSIM_CMD_DEL_RADIO = 5,
    HWSIM_ATTR_CHANNELS = 9,
    HWSIM_ATTR_RADIO_NAME = 17,
    HWSIM_ATTR_NO_VIF = 18,
    HWSIM_ATTR_SUPPORT_NAN_DEVICE = 30,
};

static int usage(void) {
    fputs(
        "usage: hwsim-radio add NAME [--no-nan] [--channels N] [--no-interface]\n"
        "       hwsim-radio remove NAME\n",
        stderr);
    return 2;
}

// A refusal, or for a new radio the acknowledgement, whose number is the radio's.
struct outcome {
    bool is_over;
    int code;
    char text[200];
};

static int acknowledged(struct nl_msg *message, void *to) {
    const struct nlmsgerr *answer = nlmsg_data(nlmsg_hdr(message));
    *(struct outcome *)to = (struct outcome){.is_over = true, .code = answer->error};
    return NL_STOP;
}

static int refused(struct sockaddr_nl *from, struct nlmsgerr *answer, void *to) {
    (void)from;
    struct outcome *outcome = to;
    *outcome = (struct outcome){.is_over = true, .code = answer->error};
    // An acknowledgement with a number in it counts as an error, too.
    if (answer->error < 0)
        snprintf(outcome->text, sizeof outcome->text, "%s", strerror(-answer->error));
    return NL_STOP;
}

static struct outcome ask(struct nl_sock *socket, struct nl_msg *message) {
    struct outcome outcome = {0};
    struct nl_cb *callbacks = nl_cb_alloc(NL_CB_DEFAULT);
    nl_cb_set(callbacks, NL_CB_ACK, NL_CB_CUSTOM, acknowledged, &outcome);
    nl_cb_err(callbacks, NL_CB_CUSTOM, refused, &outcome);
    int code = nl_send_auto(socket, message);
    while (code >= 0 && !outcome.is_over)
        code = nl_recvmsgs(socket, callbacks);
    if (!outcome.is_over) {
        outcome.code = -EIO;
        snprintf(outcome.text, sizeof outcome.text, "%s", nl_geterror(code));
    }
    nl_cb_put(callbacks);
    return outcome;
}

int main(int count, char **words) {
    if (count < 3)
        return usage();
    const char *action = words[1], *name = words[2];
    bool is_new = !strcmp(action, "add"), has_nan = true, has_interface = true;
    unsigned long channels = 3;
    if (!is_new && strcmp(action, "remove"))
        return usage();
    for (int at = 3; at < count; at++) {
        char *end = "";
        if (is_new && !strcmp(words[at], "--no-nan"))
            has_nan = false;
        else if (is_new && !strcmp(words[at], "--no-interface"))
            has_interface = false;
        else if (is_new && !strcmp(words[at], "--channels") && at + 1 < count)
            channels = strtoul(words[++at], &end, 10);
        else
            return usage();
        if (*end || channels == 0)
            return usage();
    }

    struct nl_sock *socket = nl_socket_alloc();
    struct nl_msg *message = nlmsg_alloc();
    if (!socket || !message || genl_connect(socket) < 0) {
        perror("hwsim-radio: netlink");
        return 1;
    }
    int family = genl_ctrl_resolve(socket, "MAC80211_HWSIM");
    if (family < 0) {
        fprintf(stderr, "hwsim-radio: %s %s: is the module mac80211_hwsim loaded?\n", action, name);
        return 1;
    }
    genlmsg_put(
        message, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0, NLM_F_ACK, is_new ? HWSIM_CMD_NEW_RADIO : HWSIM_CMD_DEL_RADIO, 1);
    // Only a removal wants the NUL.
    nla_put(message, HWSIM_ATTR_RADIO_NAME, (int)strlen(name) + !is_new, name);
    if (is_new) {
        nla_put_u32(message, HWSIM_ATTR_CHANNELS, (uint32_t)channels);
        if (has_nan)
            nla_put_flag(message, HWSIM_ATTR_SUPPORT_NAN_DEVICE);
        if (!has_interface)
            nla_put_flag(message, HWSIM_ATTR_NO_VIF);
    }
    struct outcome outcome = ask(socket, message);
    if (outcome.code < 0) {
        fprintf(stderr, "hwsim-radio: %s %s: %s\n", action, name, outcome.text);
        return 1;
    }
    if (is_new)
        printf("%d\n", outcome.code);
    return 0;
}
