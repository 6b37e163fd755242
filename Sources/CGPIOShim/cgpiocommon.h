#ifndef CGPIOCOMMON_H
#define CGPIOCOMMON_H
// What both versions of the library share; see cgpioshim.h.
#include "cgpioshim.h"

/// Sets the lines of `mask`, on the wire as they are asked: inversion is done.
int cgpio_raw_set(struct cgpio_lines *lines, uint32_t mask, uint32_t levels);
/// 0 or 1, or -1.
int cgpio_raw_get(struct cgpio_lines *lines, unsigned index);
uint32_t cgpio_inverted(const struct cgpio_lines *lines);

/// Copies a name that may be NULL.
void cgpio_copy_name(char out[CGPIO_NAME_SIZE], const char *name);
#endif
