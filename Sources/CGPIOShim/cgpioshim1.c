#include "cgpiocommon.h"
#include <errno.h>
#include <gpiod.h>
#include <stdlib.h>
// libgpiod 1.6. gpiod.h has no version macro; GPIOD_BIT exists only in the 1.x header.
#ifdef GPIOD_BIT

int cgpio_chip_info(const char *path, struct cgpio_chip_info *out) {
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return -1;
    cgpio_copy_name(out->name, gpiod_chip_name(chip));
    cgpio_copy_name(out->label, gpiod_chip_label(chip));
    out->lines = gpiod_chip_num_lines(chip);
    gpiod_chip_close(chip);
    return 0;
}

int cgpio_line_info(const char *path, unsigned offset, struct cgpio_line_info *out) {
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return -1;
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (line) {
        cgpio_copy_name(out->name, gpiod_line_name(line));
        cgpio_copy_name(out->consumer, gpiod_line_consumer(line));
        out->is_taken = gpiod_line_is_used(line);
    }
    int saved = errno;
    gpiod_chip_close(chip);
    errno = saved;
    return line ? 0 : -1;
}

struct cgpio_lines {
    struct gpiod_chip *chip;
    struct gpiod_line_bulk bulk;
    uint32_t inverted;
    // The whole request is set at once: what no step names keeps its level.
    int levels[CGPIO_LINES_AT_MOST];
};

struct cgpio_lines *cgpio_lines_open(
    const char *path, const unsigned *offsets, size_t count, const char *consumer, int drive, uint32_t inverted,
    uint32_t initial) {
    if (count == 0 || count > CGPIO_LINES_AT_MOST) {
        errno = EINVAL;
        return NULL;
    }
    struct cgpio_lines *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->inverted = inverted;
    int flags = drive == CGPIO_OPEN_DRAIN ? GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN | GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP : 0;
    for (size_t i = 0; i < count; i++) self->levels[i] = (initial ^ inverted) >> i & 1;
    self->chip = gpiod_chip_open(path);
    // The array is only read, and the library's own type for it is not const.
    if (!self->chip || gpiod_chip_get_lines(self->chip, (unsigned *)offsets, (unsigned)count, &self->bulk) != 0) goto fail;
    if (gpiod_line_request_bulk_output_flags(&self->bulk, consumer, flags, self->levels) == 0) return self;
    // A chip without resistors of its own: then the board has them.
    flags &= ~GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    if (errno != EBUSY && gpiod_line_request_bulk_output_flags(&self->bulk, consumer, flags, self->levels) == 0) return self;
fail:;
    int saved = errno;
    cgpio_lines_close(self);
    errno = saved;
    return NULL;
}

int cgpio_raw_set(struct cgpio_lines *self, uint32_t mask, uint32_t levels) {
    unsigned count = gpiod_line_bulk_num_lines(&self->bulk);
    for (unsigned i = 0; i < count; i++) {
        if (mask >> i & 1) self->levels[i] = levels >> i & 1;
    }
    return gpiod_line_set_value_bulk(&self->bulk, self->levels);
}

int cgpio_raw_get(struct cgpio_lines *self, unsigned index) {
    // All of them: asked for one line of several, 1.6 answers with the request's first.
    int levels[CGPIO_LINES_AT_MOST];
    return gpiod_line_get_value_bulk(&self->bulk, levels) == 0 ? levels[index] : -1;
}

uint32_t cgpio_inverted(const struct cgpio_lines *self) { return self->inverted; }

int cgpio_lines_fd(const struct cgpio_lines *self) {
    (void)self;
    return -1;
}

void cgpio_lines_close(struct cgpio_lines *self) {
    if (!self) return;
    if (self->chip) gpiod_chip_close(self->chip);
    free(self);
}

struct cgpio_input {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
};

struct cgpio_input *cgpio_input_open(const char *path, unsigned offset, const char *consumer, int bias) {
    struct cgpio_input *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    int flags = bias == CGPIO_BIAS_PULL_UP     ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP
                : bias == CGPIO_BIAS_PULL_DOWN ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN
                                               : 0;
    self->chip = gpiod_chip_open(path);
    if (!self->chip) goto fail;
    self->line = gpiod_chip_get_line(self->chip, offset);
    if (self->line && gpiod_line_request_both_edges_events_flags(self->line, consumer, flags) == 0) return self;
fail:;
    int saved = errno;
    cgpio_input_close(self);
    errno = saved;
    return NULL;
}

int cgpio_input_fd(const struct cgpio_input *self) { return gpiod_line_event_get_fd(self->line); }

int cgpio_input_take_events(struct cgpio_input *self) {
    struct gpiod_line_event events[16];
    return gpiod_line_event_read_multiple(self->line, events, sizeof events / sizeof *events);
}

int cgpio_input_level(struct cgpio_input *self) { return gpiod_line_get_value(self->line); }

void cgpio_input_close(struct cgpio_input *self) {
    if (!self) return;
    if (self->chip) gpiod_chip_close(self->chip);
    free(self);
}
#endif
