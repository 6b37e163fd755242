#ifndef CLINUXBUILD_H
#define CLINUXBUILD_H
#include <stddef.h>

/// Copies the program's own build id (the linker's note NT_GNU_BUILD_ID), at most `size` octets; returns how many.
int clinux_build_id(unsigned char *out, size_t size);
/// The running kernel's release, cut at `size` with its NUL; 0 or -1.
int clinux_kernel_release(char *out, size_t size);
#endif
