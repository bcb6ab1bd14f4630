// avx512_boxes.c: distances of boxes from a query, AVX-512; as avx2_boxes.c, sixteen boxes at a time.

#if defined(__x86_64__)

#include "avx512.h"

#define TARGET KIN_AVX512
#define LEVEL(name) kin_avx512_##name

KIN_AVX512 KIN_INLINE __m512i add_squares(__m512i sums, __m512i gaps) {
    return _mm512_add_epi32(sums, _mm512_madd_epi16(_mm512_maddubs_epi16(gaps, gaps), _mm512_set1_epi16(1)));
}

#include "avx512_boxes_template.h"

/// Adds products in pairs: two of at most 255 * 64 in magnitude fit 16 bits; both corners are added in 32.
KIN_AVX512 void kin_avx512_box_products(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                        const int8_t *low_weights, const int8_t *high_weights, int32_t *sums) {
    __m512i ones = _mm512_set1_epi16(1);
    for (size_t block = 0; block < blocks; block++) {
        __m512i total[KIN_BLOCK_ZMMS];
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            total[v] = _mm512_setzero_si512();
        for (size_t g = 0; g < groups; g++) {
            size_t offset = (block * groups + g) * 4 * KIN_BLOCK_ROWS;
            __m512i low = kin_avx512_four_of(low_weights + 4 * g), high = kin_avx512_four_of(high_weights + 4 * g);
            for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++) {
                __m512i first = _mm512_maddubs_epi16(_mm512_load_si512(lows + offset + 64 * v), low);
                __m512i second = _mm512_maddubs_epi16(_mm512_load_si512(highs + offset + 64 * v), high);
                total[v] = _mm512_add_epi32(total[v], _mm512_madd_epi16(first, ones));
                total[v] = _mm512_add_epi32(total[v], _mm512_madd_epi16(second, ones));
            }
        }
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            _mm512_storeu_si512(sums + block * KIN_BLOCK_ROWS + KIN_ZMM_ROWS * v, total[v]);
    }
}

#endif
