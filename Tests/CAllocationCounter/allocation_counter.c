#include "allocation_counter.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

#include <errno.h>

// glibc exports its allocator to interposers with these names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// These are in the program itself, so reading them never allocates.
static _Thread_local uint64_t calls;
static _Thread_local uint64_t bytes;

static void count(size_t size) {
    calls++;
    bytes += size;
}

void *malloc(size_t size) {
    count(size);
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count(number * size);
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count(size);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    count(size);
    void *result = __libc_memalign(alignment, size);
    if (!result) {
        return ENOMEM;
    }
    *memory = result;
    return 0;
}

int allocation_counter_works(void) {
    return 1;
}

uint64_t allocation_count(void) {
    return calls;
}

uint64_t allocated_bytes(void) {
    return bytes;
}

#else

int allocation_counter_works(void) {
    return 0;
}

uint64_t allocation_count(void) {
    return 0;
}

uint64_t allocated_bytes(void) {
    return 0;
}

#endif
