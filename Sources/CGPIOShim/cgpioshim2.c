#include "cgpiocommon.h"
#include <errno.h>
#include <gpiod.h>
#include <stdlib.h>
// libgpiod 2.x; see cgpioshim1.c for how it is told from 1.6.
#ifndef GPIOD_BIT

int cgpio_chip_info(const char *path, struct cgpio_chip_info *out) {
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return -1;
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (info) {
        cgpio_copy_name(out->name, gpiod_chip_info_get_name(info));
        cgpio_copy_name(out->label, gpiod_chip_info_get_label(info));
        out->lines = (unsigned)gpiod_chip_info_get_num_lines(info);
        gpiod_chip_info_free(info);
    }
    int saved = errno;
    gpiod_chip_close(chip);
    errno = saved;
    return info ? 0 : -1;
}

int cgpio_line_info(const char *path, unsigned offset, struct cgpio_line_info *out) {
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return -1;
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (info) {
        cgpio_copy_name(out->name, gpiod_line_info_get_name(info));
        cgpio_copy_name(out->consumer, gpiod_line_info_get_consumer(info));
        out->is_taken = gpiod_line_info_is_used(info);
        gpiod_line_info_free(info);
    }
    int saved = errno;
    gpiod_chip_close(chip);
    errno = saved;
    return info ? 0 : -1;
}

static struct gpiod_line_request *request_lines(
    const char *path, const char *consumer, const unsigned *offsets, size_t count, struct gpiod_line_settings *settings,
    const enum gpiod_line_value *values) {
    struct gpiod_line_request *made = NULL;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *request = gpiod_request_config_new();
    if (chip && lines && request) {
        gpiod_request_config_set_consumer(request, consumer);
        if (gpiod_line_config_add_line_settings(lines, offsets, count, settings) == 0 &&
            (!values || gpiod_line_config_set_output_values(lines, values, count) == 0))
            made = gpiod_chip_request_lines(chip, request, lines);
    }
    int saved = errno;
    if (request) gpiod_request_config_free(request);
    if (lines) gpiod_line_config_free(lines);
    if (chip) gpiod_chip_close(chip);
    errno = saved;
    return made;
}

struct cgpio_lines {
    struct gpiod_line_request *request;
    uint32_t inverted;
    size_t count;
    unsigned offsets[CGPIO_LINES_AT_MOST];
};

struct cgpio_lines *cgpio_lines_open(
    const char *path, const unsigned *offsets, size_t count, const char *consumer, int drive, uint32_t inverted,
    uint32_t initial) {
    if (count == 0 || count > CGPIO_LINES_AT_MOST) {
        errno = EINVAL;
        return NULL;
    }
    struct cgpio_lines *self = calloc(1, sizeof *self);
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (self && settings) {
        enum gpiod_line_value values[CGPIO_LINES_AT_MOST];
        self->inverted = inverted;
        self->count = count;
        for (size_t i = 0; i < count; i++) {
            self->offsets[i] = offsets[i];
            values[i] = (initial ^ inverted) >> i & 1 ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
        }
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
        if (drive == CGPIO_OPEN_DRAIN) {
            gpiod_line_settings_set_drive(settings, GPIOD_LINE_DRIVE_OPEN_DRAIN);
            gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_UP);
        }
        self->request = request_lines(path, consumer, offsets, count, settings, values);
        if (!self->request && errno != EBUSY && drive == CGPIO_OPEN_DRAIN) {
            // A chip without resistors of its own: then the board has them.
            gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_AS_IS);
            self->request = request_lines(path, consumer, offsets, count, settings, values);
        }
    }
    int saved = errno;
    if (settings) gpiod_line_settings_free(settings);
    if (self && !self->request) {
        free(self);
        self = NULL;
    }
    errno = saved;
    return self;
}

int cgpio_raw_set(struct cgpio_lines *self, uint32_t mask, uint32_t levels) {
    unsigned offsets[CGPIO_LINES_AT_MOST];
    enum gpiod_line_value values[CGPIO_LINES_AT_MOST];
    size_t count = 0;
    for (size_t i = 0; i < self->count; i++) {
        if (!(mask >> i & 1)) continue;
        offsets[count] = self->offsets[i];
        values[count++] = levels >> i & 1 ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
    }
    return gpiod_line_request_set_values_subset(self->request, count, offsets, values);
}

int cgpio_raw_get(struct cgpio_lines *self, unsigned index) {
    return gpiod_line_request_get_value(self->request, self->offsets[index]);
}

uint32_t cgpio_inverted(const struct cgpio_lines *self) { return self->inverted; }

int cgpio_lines_fd(const struct cgpio_lines *self) { return gpiod_line_request_get_fd(self->request); }

void cgpio_lines_close(struct cgpio_lines *self) {
    if (!self) return;
    gpiod_line_request_release(self->request);
    free(self);
}

struct cgpio_input {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *events;
    unsigned offset;
};

struct cgpio_input *cgpio_input_open(const char *path, unsigned offset, const char *consumer, int bias) {
    struct cgpio_input *self = calloc(1, sizeof *self);
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    if (self && settings) {
        self->offset = offset;
        self->events = gpiod_edge_event_buffer_new(16);
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
        gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
        if (bias == CGPIO_BIAS_PULL_UP) gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_UP);
        if (bias == CGPIO_BIAS_PULL_DOWN) gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_DOWN);
        if (self->events) self->request = request_lines(path, consumer, &offset, 1, settings, NULL);
    }
    int saved = errno;
    if (settings) gpiod_line_settings_free(settings);
    if (self && !self->request) {
        cgpio_input_close(self);
        self = NULL;
    }
    errno = saved;
    return self;
}

int cgpio_input_fd(const struct cgpio_input *self) { return gpiod_line_request_get_fd(self->request); }

int cgpio_input_take_events(struct cgpio_input *self) {
    return gpiod_line_request_read_edge_events(self->request, self->events, 16);
}

int cgpio_input_level(struct cgpio_input *self) { return gpiod_line_request_get_value(self->request, self->offset); }

void cgpio_input_close(struct cgpio_input *self) {
    if (!self) return;
    if (self->request) gpiod_line_request_release(self->request);
    if (self->events) gpiod_edge_event_buffer_free(self->events);
    free(self);
}
#endif
