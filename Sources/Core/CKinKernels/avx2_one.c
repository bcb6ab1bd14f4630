// avx2_one.c: one query against rows of any dimension, 6-bit codes, AVX2.
//
// A single query has nothing to spread the cost of a row term over, so the term is folded into the weights:
//
//     floor(sum u (u - 64) / 2) + sum u w <= limit   if and only if   sum u (u + 2 w - 64) <= 2 limit + 1
//
// u + 2 w - 64 fits in a signed byte (|w| <= 32, u <= 63). One vpmaddubsw adds two products of at most 4095 in
// magnitude, so four groups of dimensions fit in 16 bits (8 * 4095 = 32760) before they must be widened.
//
// Codes are read once, in ascending order: at 16 dimensions this runs at the speed of the memory. The CPU's own
// prefetchers stop at the end of a page, so prefetching a page ahead matters. (Measured on Zen 3, 16 MB of codes read
// while a neighbour evicts them: 440 microseconds with it, 760 without.)

#if defined(__x86_64__)

#include "avx2.h"

enum { VECTORS = KIN_BLOCK_ROWS / 8, SLAB = 4 };

/// The factors of each group's codes: the weights w or, for squared distance, 2 w - 64 before the codes are added.
KIN_AVX2 KIN_INLINE void load_factors(const int8_t *weights, size_t groups, int squared, __m256i *factors) {
    for (size_t g = 0; g < groups; g++) {
        __m256i weight = kin_four_of(weights + 4 * g);
        factors[g] = squared ? _mm256_sub_epi8(_mm256_add_epi8(weight, weight), _mm256_set1_epi8(64)) : weight;
    }
}

/// Adds the products of up to four groups in 16 bits, then widens them into the sums of eight rows per vector.
KIN_AVX2 KIN_INLINE void add_slab(const uint8_t *codes, const __m256i *factors, size_t groups, int squared,
                                  __m256i *sums) {
    __m256i slab[VECTORS];
    for (size_t v = 0; v < VECTORS; v++)
        slab[v] = _mm256_setzero_si256();
#pragma GCC unroll 4
    for (size_t g = 0; g < groups; g++) {
        for (size_t line = 0; line < 256; line += 64)
            _mm_prefetch((const char *)codes + g * 256 + KIN_PAGE + line, _MM_HINT_T0);
        for (size_t v = 0; v < VECTORS; v++) {
            __m256i code = _mm256_load_si256((const __m256i *)(codes + g * 256 + v * 32));
            __m256i u = _mm256_and_si256(_mm256_srli_epi16(code, 2), _mm256_set1_epi8(0x3F));
            __m256i factor = squared ? _mm256_add_epi8(u, factors[g]) : factors[g];
            slab[v] = _mm256_add_epi16(slab[v], _mm256_maddubs_epi16(u, factor));
        }
    }
    for (size_t v = 0; v < VECTORS; v++)
        sums[v] = _mm256_add_epi32(sums[v], _mm256_madd_epi16(slab[v], _mm256_set1_epi16(1)));
}

/// The rows of a block that pass. The factors of the first slab are loaded already: at 16 dimensions there is only one
/// slab.
KIN_AVX2 KIN_INLINE uint64_t screen_block(const uint8_t *codes, const int8_t *weights, const __m256i *first_factors,
                                          size_t groups, int squared, __m256i bound) {
    __m256i sums[VECTORS];
    for (size_t v = 0; v < VECTORS; v++)
        sums[v] = _mm256_setzero_si256();
    add_slab(codes, first_factors, groups < SLAB ? groups : SLAB, squared, sums);
    for (size_t g = SLAB; g < groups; g += SLAB) {
        __m256i factors[SLAB];
        size_t rest = groups - g < SLAB ? groups - g : SLAB;
        load_factors(weights + 4 * g, rest, squared, factors);
        add_slab(codes + g * 256, factors, rest, squared, sums);
    }

    return kin_within(sums, bound);
}

KIN_AVX2 KIN_INLINE size_t screen_one(const kin_screen_job *job, size_t groups, int squared, size_t *block,
                                      kin_hit *hits, size_t capacity) {
    int64_t limit = squared ? 2 * (int64_t)job->limits[0] + 1 : job->limits[0];
    __m256i bound = _mm256_set1_epi32(kin_clamp(limit, INT32_MIN, INT32_MAX));
    __m256i factors[SLAB];
    load_factors(job->weights, groups < SLAB ? groups : SLAB, squared, factors);
    size_t count = 0, b = *block;
    for (; b < job->end_block && count < capacity; b++) {
        uint64_t rows = screen_block(job->codes + b * groups * 256, job->weights, factors, groups, squared, bound);
        if (rows != 0)
            hits[count++] = (kin_hit){.query = 0, .block = (uint32_t)b, .rows = rows};
    }
    *block = b;
    return count;
}

KIN_AVX2 size_t kin_avx2_screen_one(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    if (job->groups == 4)
        return job->squared ? screen_one(job, 4, 1, block, hits, capacity)
                            : screen_one(job, 4, 0, block, hits, capacity);
    return job->squared ? screen_one(job, job->groups, 1, block, hits, capacity)
                        : screen_one(job, job->groups, 0, block, hits, capacity);
}

#endif
