// avx2.h: declarations shared by the AVX2 files.

#ifndef KIN_AVX2_H
#define KIN_AVX2_H

#include "levels.h"

#include <immintrin.h>

#define KIN_AVX2 __attribute__((target("avx2,popcnt,sse4.2")))
#define KIN_AVXVNNI __attribute__((target("avxvnni,avx2,popcnt,sse4.2")))

// The names that x86 templates use, which avx512.h defines for its registers: a register, its 32-bit lanes (a row or a
// box each), the registers of a block, and the intrinsics on lanes and on whole registers.
typedef __m256i kin_vector;
enum { KIN_LANES = 8, KIN_VECTORS = KIN_BLOCK_ROWS / KIN_LANES };
#define KIN_EACH(name) _mm256_##name
#define KIN_WHOLE(name) _mm256_##name##_si256

/// The rows of a block whose sums do not exceed the bound in every 32-bit lane; usually none.
KIN_AVX2 KIN_INLINE uint64_t kin_within(const __m256i *sums, __m256i bound) {
    __m256i above[KIN_VECTORS], all = _mm256_set1_epi8(-1);
    for (size_t v = 0; v < KIN_VECTORS; v++) {
        above[v] = _mm256_cmpgt_epi32(sums[v], bound);
        all = _mm256_and_si256(all, above[v]);
    }
    if (__builtin_expect(_mm256_movemask_epi8(all) == -1, 1))
        return 0;
    uint64_t rows = 0;
    for (size_t v = 0; v < KIN_VECTORS; v++) {
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(above[v]));
        rows |= (uint64_t)(~mask & 0xFF) << (KIN_LANES * v);
    }
    return rows;
}

/// The rows of a block whose sum plus term does not exceed the limit.
KIN_AVX2 KIN_INLINE uint64_t kin_passing(const int32_t *sums, const int32_t *terms, int32_t limit) {
    __m256i totals[KIN_VECTORS];
    for (size_t v = 0; v < KIN_VECTORS; v++) {
        __m256i sum = _mm256_load_si256((const __m256i *)(sums + v * KIN_LANES));
        totals[v] = _mm256_add_epi32(sum, _mm256_load_si256((const __m256i *)(terms + v * KIN_LANES)));
    }
    return kin_within(totals, _mm256_set1_epi32(limit));
}

/// The lanes with a negative number, lane i at bit i.
KIN_AVX2 KIN_INLINE uint64_t kin_negative(__m256i numbers) {
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(numbers));
}

/// The same four bytes in every lane.
KIN_AVX2 KIN_INLINE __m256i kin_four_of(const void *codes) {
    int32_t four;
    memcpy(&four, codes, sizeof four);
    return _mm256_set1_epi32(four);
}

KIN_DECLARE(screen, kin_avx2_screen_tile); ///< groups <= 4
KIN_DECLARE(screen, kin_avx2_screen_one);  ///< queries = 1, without `chosen` and `sums`
KIN_DECLARE(screen_blocks, kin_avx2_screen_blocks);
KIN_DECLARE(bounds_within, kin_avx2_bounds_within);
KIN_DECLARE(box_bounds, kin_avx2_box_bounds);
KIN_DECLARE(box_products, kin_avx2_box_products);

#endif
