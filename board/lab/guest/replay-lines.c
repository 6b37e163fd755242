// What refreshing a display costs at least: does the line updates of a script over and over, and nothing else.
//
// Usage: replay-lines CHIP STEP_NS SECONDS SCRIPT NAME...
//
// The names say which lines there are, in the order of the script's columns. A line of the script is one call: a word of
// 0 (low), 1 (high) and - (as it is). An empty line ends a step; steps begin STEP_NS after each other. Afterwards it prints
// the nanoseconds of processor time it took in those SECONDS.
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { CALLS_AT_MOST = 1 << 16, LINES_AT_MOST = 64 };

static struct gpio_v2_line_values calls[CALLS_AT_MOST];
// How many calls each step has.
static int steps[CALLS_AT_MOST];
static int call_count, step_count;

static void fail(const char *what) {
    fprintf(stderr, "replay-lines: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void read_script(const char *path) {
    char text[LINES_AT_MOST + 2];
    FILE *file = fopen(path, "r");
    if (!file)
        fail(path);
    while (fgets(text, sizeof text, file)) {
        if (text[0] == '\n') {
            step_count++;
            continue;
        }
        if (call_count == CALLS_AT_MOST) {
            errno = E2BIG;
            fail(path);
        }
        for (int line = 0; text[line] != '\n' && text[line]; line++) {
            if (text[line] == '-')
                continue;
            calls[call_count].mask |= 1ULL << line;
            if (text[line] == '1')
                calls[call_count].bits |= 1ULL << line;
        }
        call_count++;
        steps[step_count]++;
    }
    fclose(file);
}

static int take_lines(const char *chip, char **names, int count) {
    struct gpio_v2_line_request request = {.num_lines = count, .config.flags = GPIO_V2_LINE_FLAG_OUTPUT};
    struct gpiochip_info info = {0};
    int descriptor = open(chip, O_RDWR | O_CLOEXEC);
    if (descriptor < 0 || ioctl(descriptor, GPIO_GET_CHIPINFO_IOCTL, &info) < 0)
        fail(chip);
    for (int n = 0; n < count; n++) {
        unsigned offset = 0;
        for (; offset < info.lines; offset++) {
            struct gpio_v2_line_info line = {.offset = offset};
            if (ioctl(descriptor, GPIO_V2_GET_LINEINFO_IOCTL, &line) < 0)
                fail(names[n]);
            if (!strcmp(line.name, names[n]))
                break;
        }
        request.offsets[n] = offset;
    }
    strcpy(request.consumer, "replay");
    if (ioctl(descriptor, GPIO_V2_GET_LINE_IOCTL, &request) < 0)
        fail("the lines");
    close(descriptor);
    return request.fd;
}

static int64_t now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words) {
    if (count < 6 || count - 5 > LINES_AT_MOST) {
        fputs("usage: replay-lines CHIP STEP_NS SECONDS SCRIPT NAME...\n", stderr);
        return 2;
    }
    read_script(words[4]);
    const int lines = take_lines(words[1], words + 5, count - 5);
    const int64_t step_time = atoll(words[2]);
    int64_t next = now(CLOCK_MONOTONIC);
    const int64_t end = next + atoll(words[3]) * 1000000000LL;
    const int64_t used = now(CLOCK_PROCESS_CPUTIME_ID);
    while (next < end) {
        const struct gpio_v2_line_values *call = calls;
        for (int step = 0; step < step_count; step++) {
            struct timespec wake = {.tv_sec = next / 1000000000LL, .tv_nsec = next % 1000000000LL};
            while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wake, NULL) == EINTR)
                continue;
            for (int left = steps[step]; left > 0; left--, call++) {
                struct gpio_v2_line_values values = *call;
                if (ioctl(lines, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) < 0)
                    fail("setting lines");
            }
            next += step_time;
        }
    }
    printf("%lld\n", (long long)(now(CLOCK_PROCESS_CPUTIME_ID) - used));
    return 0;
}
