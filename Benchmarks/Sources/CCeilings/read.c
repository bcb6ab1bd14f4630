#include "ceilings.h"
#include "rate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// 64 bytes: one cache line. The compiler maps it to any vector registers that the function may use.
typedef uint64_t line __attribute__((vector_size(64)));

typedef struct {
    const line *lines;
    size_t count;
    size_t next; ///< where the next slice begins
} stretch;

enum { SLICE_LINES = 1 << 14, ACCUMULATORS = 4 };

// A slice is 1 MiB or the whole range, so that checking the clock is frequent enough and costs nothing.
#define READ_SLICE(name, attributes)                                                                                   \
    attributes static double name(void *state) {                                                                       \
        stretch *self = state;                                                                                         \
        size_t begin = self->next, end = begin + SLICE_LINES;                                                          \
        end = end < self->count ? end : self->count;                                                                   \
        line sum[ACCUMULATORS] = {0};                                                                                  \
        for (size_t i = begin; i < end; i += ACCUMULATORS) {                                                           \
            for (size_t j = 0; j < ACCUMULATORS; j++) {                                                                \
                sum[j] |= self->lines[i + j];                                                                          \
            }                                                                                                          \
        }                                                                                                              \
        line all = (sum[0] | sum[1]) | (sum[2] | sum[3]);                                                              \
        __asm__ volatile("" : : "m"(all));                                                                             \
        self->next = end == self->count ? 0 : end;                                                                     \
        return (double)((end - begin) * sizeof(line));                                                                 \
    }

READ_SLICE(read_baseline, )

static ceiling_work widest_read(void);

#if defined(__x86_64__)
READ_SLICE(read_avx2, __attribute__((target("avx2"))))
READ_SLICE(read_avx512, __attribute__((target("avx512f,prefer-256-bit"))))

static ceiling_work widest_read(void) {
    if (__builtin_cpu_supports("avx512f")) {
        return read_avx512;
    }
    return __builtin_cpu_supports("avx2") ? read_avx2 : read_baseline;
}
#else
static ceiling_work widest_read(void) {
    return read_baseline;
}
#endif

static int map_stretch(stretch *self, size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (memory == MAP_FAILED) {
        return 0;
    }
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    memset(memory, 1, bytes); // untouched pages would all be the one zero page
    *self = (stretch){.lines = memory, .count = bytes / sizeof(line)};
    return 1;
}

double ceiling_read(size_t bytes, int threads, double seconds) {
    const size_t step = ACCUMULATORS * sizeof(line);
    bytes = (bytes + step - 1) / step * step;
    stretch *stretches = calloc((size_t)threads, sizeof *stretches);
    void **states = calloc((size_t)threads, sizeof *states);
    int mapped = 0;
    while (stretches && states && mapped < threads && map_stretch(&stretches[mapped], bytes)) {
        states[mapped] = &stretches[mapped];
        mapped++;
    }
    double rate = threads > 0 && mapped == threads ? ceiling_rate(widest_read(), states, threads, seconds) : 0;
    while (mapped > 0) {
        munmap((void *)(uintptr_t)stretches[--mapped].lines, bytes);
    }
    free(states);
    free(stretches);
    return rate;
}

size_t ceiling_cache_bytes(int level) {
#if defined(_SC_LEVEL3_CACHE_SIZE)
    long bytes = sysconf(level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? (size_t)bytes : 0;
#else
    (void)level;
    return 0;
#endif
}
