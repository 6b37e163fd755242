#ifndef CLINUXREGISTERS_H
#define CLINUXREGISTERS_H

/// Zeroes this thread's vector registers, which a core dump has as well as memory.
void clinux_clear_vector_registers(void);

/// Zeroes the stack below the caller's frame, as deep as functions that have returned are likely to have gone.
void clinux_clear_stack(void);
#endif
