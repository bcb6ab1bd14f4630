// avx2.h: declarations shared by the AVX2 files.

#ifndef KIN_AVX2_H
#define KIN_AVX2_H

#include "levels.h"

#include <immintrin.h>

#define KIN_AVX2 __attribute__((target("avx2,popcnt,sse4.2")))
#define KIN_AVXVNNI __attribute__((target("avxvnni,avx2,popcnt,sse4.2")))

enum { KIN_YMM_ROWS = 8, KIN_BLOCK_YMMS = KIN_BLOCK_ROWS / KIN_YMM_ROWS };

/// The rows of a block whose sums do not exceed the bound, in every 32-bit
/// lane; mostly none.
KIN_AVX2 KIN_INLINE uint64_t kin_avx2_within(const __m256i *sums, __m256i bound) {
    __m256i above[KIN_BLOCK_YMMS], all = _mm256_set1_epi8(-1);
    for (size_t v = 0; v < KIN_BLOCK_YMMS; v++) {
        above[v] = _mm256_cmpgt_epi32(sums[v], bound);
        all = _mm256_and_si256(all, above[v]);
    }
    if (__builtin_expect(_mm256_movemask_epi8(all) == -1, 1))
        return 0;
    uint64_t rows = 0;
    for (size_t v = 0; v < KIN_BLOCK_YMMS; v++) {
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(above[v]));
        rows |= (uint64_t)(~mask & 0xFF) << (KIN_YMM_ROWS * v);
    }
    return rows;
}

/// The rows of a block whose sum, plus its term, does not exceed the limit.
KIN_AVX2 KIN_INLINE uint64_t kin_avx2_passing(const int32_t *sums, const int32_t *terms, int32_t limit) {
    __m256i totals[KIN_BLOCK_YMMS];
    for (size_t v = 0; v < KIN_BLOCK_YMMS; v++) {
        __m256i sum = _mm256_load_si256((const __m256i *)(sums + v * KIN_YMM_ROWS));
        totals[v] = _mm256_add_epi32(sum, _mm256_load_si256((const __m256i *)(terms + v * KIN_YMM_ROWS)));
    }
    return kin_avx2_within(totals, _mm256_set1_epi32(limit));
}

/// The same four bytes in every lane.
KIN_AVX2 KIN_INLINE __m256i kin_avx2_four_of(const void *codes) {
    int32_t four;
    memcpy(&four, codes, sizeof four);
    return _mm256_set1_epi32(four);
}

/// Codes eight numbers of a row for `triangle_norms`.
KIN_AVX2 KIN_INLINE void kin_avx2_code_eight(const double *row, const double *factors, double steps, int16_t *codes) {
    __m128i four[2];
    for (size_t half = 0; half < 2; half++) {
        __m256d z = _mm256_mul_pd(_mm256_loadu_pd(row + 4 * half), _mm256_loadu_pd(factors + 4 * half));
        four[half] = _mm256_cvtpd_epi32(_mm256_mul_pd(z, _mm256_set1_pd(steps)));
    }
    _mm_storeu_si128((__m128i *)codes, _mm_packs_epi32(four[0], four[1]));
}

/// The sum of eight lanes: halves, then halves of these, and so on.
KIN_AVX2 KIN_INLINE float kin_avx2_add_eight(__m256 eight) {
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(eight), _mm256_extractf128_ps(eight, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

KIN_DECLARE(screen, kin_avx2_screen_tile); ///< groups <= 4
KIN_DECLARE(screen, kin_avx2_screen_one);  ///< queries = 1, without `chosen` and `sums`
KIN_DECLARE(screen_blocks, kin_avx2_screen_blocks);
KIN_DECLARE(bounds_within, kin_avx2_bounds_within);
KIN_DECLARE(box_bounds, kin_avx2_box_bounds);
KIN_DECLARE(box_products, kin_avx2_box_products);
KIN_DECLARE(triangle_norms, kin_avx2_triangle_norms);

#endif
