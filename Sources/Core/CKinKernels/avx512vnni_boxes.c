// avx512vnni_boxes.c: distances of boxes from a query, AVX-512 with VNNI; like avx2_boxes.c, with sixteen boxes at a
// time. One instruction squares a gap, a byte of at most 127, and adds it to those of three more dimensions.

#if defined(__x86_64__)

#include "avx512.h"

/// Adds terms of 16 boxes in four dimensions to their sums.
typedef __m512i add_boxes(__m512i sums, const uint8_t *lows, const uint8_t *highs, __m512i low, __m512i high);

KIN_AVX512VNNI KIN_INLINE __m512i add_squares(__m512i sums, const uint8_t *lows, const uint8_t *highs, __m512i above,
                                              __m512i below) {
    __m512i to_low = _mm512_subs_epu8(_mm512_load_si512(lows), above);
    __m512i to_high = _mm512_subs_epu8(below, _mm512_load_si512(highs));
    __m512i gaps = _mm512_min_epu8(_mm512_or_si512(to_low, to_high), _mm512_set1_epi8(127));
    return _mm512_dpbusd_epi32(sums, gaps, gaps);
}

KIN_AVX512VNNI KIN_INLINE __m512i add_products(__m512i sums, const uint8_t *lows, const uint8_t *highs, __m512i low,
                                               __m512i high) {
    sums = _mm512_dpbusd_epi32(sums, _mm512_load_si512(lows), low);
    return _mm512_dpbusd_epi32(sums, _mm512_load_si512(highs), high);
}

/// Sums terms of all boxes; inlined with `add`.
KIN_AVX512VNNI KIN_INLINE void sum_blocks(add_boxes *add, const uint8_t *lows, const uint8_t *highs, size_t groups,
                                          size_t blocks, const void *low, const void *high, int32_t *sums) {
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

KIN_AVX512VNNI void kin_avx512vnni_box_bounds(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                              const uint8_t *above, const uint8_t *below, int32_t *bounds) {
    sum_blocks(add_squares, lows, highs, groups, blocks, above, below, bounds);
}

KIN_AVX512VNNI void kin_avx512vnni_box_products(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                                const int8_t *low_weights, const int8_t *high_weights, int32_t *sums) {
    sum_blocks(add_products, lows, highs, groups, blocks, low_weights, high_weights, sums);
}

#endif
