// allocation_counter.h: how often the calling thread has asked for heap memory.
//
// A program that links this target has its calls of malloc and its kin counted, those of the Swift runtime and of every
// shared library included: a definition in the program goes before the one in the C library (glibc manual, "Replacing
// malloc"), and passes the work on to it. The count is of one thread, so tests may run side by side.

#ifndef KIN_ALLOCATION_COUNTER_H
#define KIN_ALLOCATION_COUNTER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// 1 when allocations are counted. 0 where the C library is not glibc, or a sanitizer has replaced its allocator.
int allocation_counter_works(void);

/// Calls of malloc, calloc, realloc, aligned_alloc, memalign and posix_memalign by the calling thread up to now.
uint64_t allocation_count(void);

/// Bytes that the calling thread has asked for by those calls up to now; what it gave back is not taken off.
uint64_t allocated_bytes(void);

#ifdef __cplusplus
}
#endif

#endif
