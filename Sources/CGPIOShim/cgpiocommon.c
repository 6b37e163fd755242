#include "cgpiocommon.h"
#include <stdio.h>
#include <time.h>

// Entering and leaving the kernel to set the next line takes longer than this on any processor.
static const uint32_t shorter_than_a_call = 200;
// From here on it pays to sleep; below, the scheduler would take longer.
static const uint32_t worth_sleeping = 100000;

void cgpio_copy_name(char out[CGPIO_NAME_SIZE], const char *name) {
    snprintf(out, CGPIO_NAME_SIZE, "%s", name ? name : "");
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void wait_for(uint32_t nanoseconds) {
    if (nanoseconds < shorter_than_a_call) return;
    uint64_t end = now() + nanoseconds;
    if (nanoseconds >= worth_sleeping) {
        struct timespec until = {(time_t)(end / 1000000000u), (long)(end % 1000000000u)};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0) {}
        return;
    }
    while (now() < end) {}
}

int cgpio_lines_play(struct cgpio_lines *lines, const struct cgpio_step *steps, size_t count, bool insist) {
    uint32_t inverted = cgpio_inverted(lines);
    int result = 0;
    for (size_t i = 0; i < count; i++) {
        const struct cgpio_step *step = &steps[i];
        if (step->sense >= 0) {
            int level = cgpio_raw_get(lines, (unsigned)step->sense);
            if (level < 0) return -1;
            if (insist && (level ^ (int)(inverted >> step->sense & 1))) result = 1;
        }
        if (step->mask != 0 && cgpio_raw_set(lines, step->mask, step->levels ^ inverted) != 0) return -1;
        wait_for(step->nanoseconds);
    }
    return result;
}
