// avx512.h: the names of avx2.h for registers of 512 bits.

#ifndef KIN_AVX512_H
#define KIN_AVX512_H

#include "levels.h"

#include <immintrin.h>

#define KIN_AVX512VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2,bmi2,popcnt")))

typedef __m512i kin_vector;
enum { KIN_LANES = 16, KIN_VECTORS = KIN_BLOCK_ROWS / KIN_LANES };
#define KIN_EACH(name) _mm512_##name
#define KIN_WHOLE(name) _mm512_##name##_si512

/// The rows of a block whose sums do not exceed the bound in every 32-bit lane.
KIN_AVX512VNNI KIN_INLINE uint64_t kin_within(const __m512i *sums, __m512i bound) {
    uint64_t rows = 0;
    for (size_t v = 0; v < KIN_VECTORS; v++)
        rows |= (uint64_t)_mm512_cmple_epi32_mask(sums[v], bound) << (KIN_LANES * v);
    return rows;
}

/// The rows of a block whose sum plus term does not exceed the limit.
KIN_AVX512VNNI KIN_INLINE uint64_t kin_passing(const int32_t *sums, const int32_t *terms, int32_t limit) {
    __m512i totals[KIN_VECTORS];
    for (size_t v = 0; v < KIN_VECTORS; v++)
        totals[v] = _mm512_add_epi32(_mm512_load_si512(sums + v * KIN_LANES), _mm512_load_si512(terms + v * KIN_LANES));
    return kin_within(totals, _mm512_set1_epi32(limit));
}

/// The lanes with a negative number, lane i at bit i.
KIN_AVX512VNNI KIN_INLINE uint64_t kin_negative(__m512i numbers) {
    return _mm512_movepi32_mask(numbers);
}

/// The same four bytes in every lane.
KIN_AVX512VNNI KIN_INLINE __m512i kin_four_of(const void *codes) {
    int32_t four;
    memcpy(&four, codes, sizeof four);
    return _mm512_set1_epi32(four);
}

#endif
