// avx512.h: declarations shared by the AVX-512 files.

#ifndef KIN_AVX512_H
#define KIN_AVX512_H

#include "levels.h"

#include <immintrin.h>

#define KIN_AVX512VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,bmi2,popcnt")))

enum { KIN_ZMM_ROWS = 16, KIN_BLOCK_ZMMS = KIN_BLOCK_ROWS / KIN_ZMM_ROWS };

/// The rows of a block whose sum plus term does not exceed the limit.
KIN_AVX512VNNI KIN_INLINE uint64_t kin_avx512_passing(const int32_t *sums, const int32_t *terms, int32_t limit) {
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
KIN_AVX512VNNI KIN_INLINE __m512i kin_avx512_four_of(const void *codes) {
    int32_t four;
    memcpy(&four, codes, sizeof four);
    return _mm512_set1_epi32(four);
}

KIN_DECLARE(screen_blocks, kin_avx512vnni_screen_blocks);
KIN_DECLARE(box_bounds, kin_avx512vnni_box_bounds);
KIN_DECLARE(box_products, kin_avx512vnni_box_products);

#endif
