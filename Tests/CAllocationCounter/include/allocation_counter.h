// allocation_counter.h: counts the heap allocations of the calling thread.
//
// A program that links this target has its calls of malloc and related functions counted, including calls from the
// Swift runtime and from every shared library. A definition in the program takes precedence over the one in the C
// library (glibc manual, "Replacing malloc"), and calls it for the work. Counts are per thread, so tests may run in
// parallel.

#ifndef KIN_ALLOCATION_COUNTER_H
#define KIN_ALLOCATION_COUNTER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// 1 if allocations are counted; 0 if the C library is not glibc or a sanitizer has replaced its allocator.
int allocation_counter_works(void);

/// The number of calls of malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign by the calling thread so
/// far.
uint64_t allocation_count(void);

/// The number of bytes that these calls of the calling thread have requested so far. Freed bytes are not subtracted.
uint64_t allocated_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
