// avx2_nibbles.c: one query against four-bit codes, AVX2: two registers hold a dimension of a block.

#if defined(__x86_64__)

#include "avx2.h"

#define TARGET KIN_AVX2
#define LEVEL(name) kin_avx2_##name

enum { HALVES = 2, HALF = KIN_BLOCK_ROWS / HALVES };

KIN_AVX2 KIN_INLINE __m256i terms_of(const uint8_t *table) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
}

KIN_AVX2 KIN_INLINE uint64_t sum_pairs(const uint8_t *nibbles, const uint8_t *table, size_t pairs, uint8_t limit) {
    __m256i low_half = _mm256_set1_epi8(15), sums[HALVES][2];
    for (size_t h = 0; h < HALVES; h++)
        sums[h][0] = sums[h][1] = _mm256_setzero_si256();
#pragma GCC unroll 8
    for (size_t p = 0; p < pairs; p++) {
        const uint8_t *line = nibbles + p * KIN_BLOCK_ROWS;
        __builtin_prefetch(line + KIN_PAGE);
        __m256i even = terms_of(table + 32 * p), odd = terms_of(table + 32 * p + 16);
        for (size_t h = 0; h < HALVES; h++) {
            __m256i codes = _mm256_load_si256((const __m256i *)(line + h * HALF));
            __m256i low = _mm256_and_si256(codes, low_half);
            __m256i high = _mm256_and_si256(_mm256_srli_epi16(codes, 4), low_half);
            sums[h][0] = _mm256_adds_epu8(sums[h][0], _mm256_shuffle_epi8(even, low));
            sums[h][1] = _mm256_adds_epu8(sums[h][1], _mm256_shuffle_epi8(odd, high));
        }
    }
    uint64_t rows = 0;
    for (size_t h = 0; h < HALVES; h++) {
        __m256i sum = _mm256_adds_epu8(sums[h][0], sums[h][1]);
        __m256i pass = _mm256_cmpeq_epi8(_mm256_min_epu8(sum, _mm256_set1_epi8((char)limit)), sum);
        rows |= (uint64_t)(unsigned)_mm256_movemask_epi8(pass) << (h * HALF);
    }
    return rows;
}

#include "nibbles_template.h"

#endif
