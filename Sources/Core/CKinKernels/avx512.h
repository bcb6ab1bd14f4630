// avx512.h: declarations shared by the AVX-512 files.

#ifndef KIN_AVX512_H
#define KIN_AVX512_H

#include "levels.h"

#include <immintrin.h>

#define KIN_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi2,popcnt")))
#define KIN_AVX512VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,bmi2,popcnt")))

enum { KIN_ZMM_ROWS = 16, KIN_BLOCK_ZMMS = KIN_BLOCK_ROWS / KIN_ZMM_ROWS };

/// The rows of a block whose sum plus term does not exceed the limit.
KIN_AVX512 KIN_INLINE uint64_t kin_avx512_passing(const int32_t *sums, const int32_t *terms, int32_t limit) {
    __m512i bound = _mm512_set1_epi32(limit);
    uint64_t rows = 0;
    for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++) {
        __m512i sum = _mm512_load_si512(sums + v * KIN_ZMM_ROWS);
        __m512i term = _mm512_load_si512(terms + v * KIN_ZMM_ROWS);
        uint64_t pass = _mm512_cmple_epi32_mask(_mm512_add_epi32(sum, term), bound);
        rows |= pass << (v * KIN_ZMM_ROWS);
    }
    return rows;
}

/// The same four bytes in every lane.
KIN_AVX512 KIN_INLINE __m512i kin_avx512_four_of(const void *codes) {
    int32_t four;
    memcpy(&four, codes, sizeof four);
    return _mm512_set1_epi32(four);
}

/// The gaps between a query and 16 boxes in four dimensions, at most 127.
KIN_AVX512 KIN_INLINE __m512i kin_avx512_gaps(const uint8_t *lows, const uint8_t *highs, __m512i above, __m512i below) {
    __m512i to_low = _mm512_subs_epu8(_mm512_load_si512(lows), above);
    __m512i to_high = _mm512_subs_epu8(below, _mm512_load_si512(highs));
    return _mm512_min_epu8(_mm512_or_si512(to_low, to_high), _mm512_set1_epi8(127));
}

/// Adds terms of 16 boxes in four dimensions to their sums.
typedef __m512i kin_avx512_add(__m512i sums, const uint8_t *lows, const uint8_t *highs, __m512i low, __m512i high);

/// Sums terms of all boxes; inlined with `add`.
KIN_AVX512 KIN_INLINE void kin_avx512_sum_boxes(kin_avx512_add *add, const uint8_t *lows, const uint8_t *highs,
                                                size_t groups, size_t blocks, const void *low, const void *high,
                                                int32_t *sums) {
    for (size_t block = 0; block < blocks; block++) {
        __m512i total[KIN_BLOCK_ZMMS];
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            total[v] = _mm512_setzero_si512();
        for (size_t g = 0; g < groups; g++) {
            size_t offset = (block * groups + g) * 4 * KIN_BLOCK_ROWS;
            __m512i first = kin_avx512_four_of((const char *)low + 4 * g);
            __m512i second = kin_avx512_four_of((const char *)high + 4 * g);
            for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
                total[v] = add(total[v], lows + offset + 64 * v, highs + offset + 64 * v, first, second);
        }
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            _mm512_storeu_si512(sums + block * KIN_BLOCK_ROWS + KIN_ZMM_ROWS * v, total[v]);
    }
}

KIN_DECLARE(screen, kin_avx512_screen_tile); ///< groups <= 4
KIN_DECLARE(screen_blocks, kin_avx512vnni_screen_blocks);
KIN_DECLARE(box_bounds, kin_avx512_box_bounds);
KIN_DECLARE(box_bounds, kin_avx512vnni_box_bounds);
KIN_DECLARE(box_products, kin_avx512_box_products);

#endif
