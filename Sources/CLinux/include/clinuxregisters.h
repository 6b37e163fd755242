#ifndef CLINUXREGISTERS_H
#define CLINUXREGISTERS_H

/// Zeroes this thread's vector registers, which a core dump has as well as memory.
void clinux_clear_vector_registers(void);
#endif
