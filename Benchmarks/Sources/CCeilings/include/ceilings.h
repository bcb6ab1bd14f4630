// ceilings.h: what this machine can do at most, measured, so that a benchmark's figure can stand beside it.
//
// Three resources bound a vector search: fused multiply-adds on floats, multiply-adds on bytes, and reading memory.
// Each function keeps one of them busy and nothing else, on 1 or more threads at once, and returns the best rate of a
// few rounds (other programs can only lower a rate, so the best round is nearest to the truth).

#ifndef KIN_CEILINGS_H
#define KIN_CEILINGS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The i-th instruction set level that this CPU runs, best last, named as Kin's kernel tables are ("avx2", "avx512",
/// "avx512vnni", "neon", "neondot", "neoni8mm"), or NULL past the end. A CPU with none of them has no level.
const char *ceiling_level(size_t i);

/// The instruction behind `ceiling_float` at that level, or NULL when this CPU does not run it.
const char *ceiling_float_instruction(const char *level);

/// The instructions behind `ceiling_byte` at that level, or NULL when this CPU does not run it.
const char *ceiling_byte_instruction(const char *level);

/// Float multiply-adds a second (two floating-point operations each) of all threads together, in registers.
/// `seconds` is the time of one round. 0 when this CPU does not run the level.
double ceiling_float(const char *level, int threads, double seconds);

/// Byte multiply-adds a second of all threads together, in registers, summed into 16 or 32 bits.
/// 0 when this CPU does not run the level.
double ceiling_byte(const char *level, int threads, double seconds);

/// Bytes read a second by all threads together. Every thread reads `bytes` of its own, over and over, in ascending
/// order. Less than a cache's size measures that cache; much more than the last one's measures memory (huge pages are
/// asked for, as the index does). 0 when the memory cannot be had.
double ceiling_read(size_t bytes, int threads, double seconds);

/// Bytes of the data cache of that level (2 or 3) that one thread can use, or 0 when the system does not say.
size_t ceiling_cache_bytes(int level);

#ifdef __cplusplus
}
#endif

#endif
