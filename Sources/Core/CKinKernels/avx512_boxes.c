// avx512_boxes.c: distances of boxes from a query, AVX-512; like avx2_boxes.c, with sixteen boxes at a time.

#if defined(__x86_64__)

#include "avx512.h"

KIN_AVX512 KIN_INLINE __m512i add_squares(__m512i sums, const uint8_t *lows, const uint8_t *highs, __m512i above,
                                          __m512i below) {
    __m512i gaps = kin_avx512_gaps(lows, highs, above, below);
    return _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_maddubs_epi16(gaps, gaps), _mm512_set1_epi16(1)));
}

/// Adds products in pairs: two products of at most 255 * 64 in magnitude fit in 16 bits; both corners are added in 32.
KIN_AVX512 KIN_INLINE __m512i add_products(__m512i sums, const uint8_t *lows, const uint8_t *highs, __m512i low,
                                           __m512i high) {
    __m512i ones = _mm512_set1_epi16(1);
    __m512i first = _mm512_maddubs_epi16(_mm512_load_si512(lows), low);
    __m512i second = _mm512_maddubs_epi16(_mm512_load_si512(highs), high);
    sums = _mm512_add_epi32(sums, _mm512_madd_epi16(first, ones));
    return _mm512_add_epi32(sums, _mm512_madd_epi16(second, ones));
}

KIN_AVX512 void kin_avx512_box_bounds(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                      const uint8_t *above, const uint8_t *below, int32_t *bounds) {
    kin_avx512_sum_boxes(add_squares, lows, highs, groups, blocks, above, below, bounds);
}

KIN_AVX512 void kin_avx512_box_products(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                        const int8_t *low_weights, const int8_t *high_weights, int32_t *sums) {
    kin_avx512_sum_boxes(add_products, lows, highs, groups, blocks, low_weights, high_weights, sums);
}

#endif
