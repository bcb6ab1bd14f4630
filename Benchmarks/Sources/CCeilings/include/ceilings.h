// ceilings.h: measures the limits of this machine, so that a benchmark's figure can be compared with them.
//
// Three resources bound a vector search: fused multiply-adds on floats, multiply-adds on bytes, and reading memory.
// Each function saturates one of them, on 1 or more threads at once, and returns the best rate of a few rounds. Other
// programs can only lower a rate, so the best round is nearest to the truth.

#ifndef KIN_CEILINGS_H
#define KIN_CEILINGS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The i-th instruction set level of this CPU, best last, with the name of Kin's kernel table ("avx2",
/// "avx512vnni", "neon", "neondot", "neoni8mm"); NULL past the end. A CPU without any of them has no level.
const char *ceiling_level(size_t i);

/// The instruction behind `ceiling_float` at that level; NULL if this CPU does not run it.
const char *ceiling_float_instruction(const char *level);

/// The instructions behind `ceiling_byte` at that level; NULL if this CPU does not run it.
const char *ceiling_byte_instruction(const char *level);

/// Float multiply-adds per second (two floating-point operations each) of all threads together, in registers. `seconds`
/// is the time of one round. 0 if this CPU does not run the level.
double ceiling_float(const char *level, int threads, double seconds);

/// Byte multiply-adds per second of all threads together, in registers, summed into 16 or 32 bits. 0 if this CPU does
/// not run the level.
double ceiling_byte(const char *level, int threads, double seconds);

/// Bytes read per second by all threads together. Each thread reads its own `bytes` repeatedly, in ascending order.
/// Fewer bytes than a cache holds measure that cache; many more than the last cache holds measure memory (with huge
/// pages, as in the index). 0 if the memory cannot be allocated.
double ceiling_read(size_t bytes, int threads, double seconds);

/// The bytes of the data cache of that level (2 or 3) that one thread can use; 0 if the system does not report them.
size_t ceiling_cache_bytes(int level);

#ifdef __cplusplus
}
#endif

#endif
