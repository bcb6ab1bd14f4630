// avx512vnni_boxes.c: distances of boxes from a query, AVX-512 with VNNI; as avx512_boxes.c, but a gap, a byte of at
// most 127, is squared and added to those of three more dimensions by one instruction.

#if defined(__x86_64__)

#include "avx512.h"

KIN_AVX512VNNI void kin_avx512vnni_box_bounds(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                              const uint8_t *above, const uint8_t *below, int32_t *bounds) {
    for (size_t block = 0; block < blocks; block++) {
        __m512i sums[KIN_BLOCK_ZMMS];
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            sums[v] = _mm512_setzero_si512();
        for (size_t g = 0; g < groups; g++) {
            size_t offset = (block * groups + g) * 4 * KIN_BLOCK_ROWS;
            __m512i up = kin_avx512_four_of(above + 4 * g), down = kin_avx512_four_of(below + 4 * g);
            for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++) {
                __m512i gap = kin_avx512_gaps(lows + offset + 64 * v, highs + offset + 64 * v, up, down);
                sums[v] = _mm512_dpbusd_epi32(sums[v], gap, gap);
            }
        }
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            _mm512_storeu_si512(bounds + block * KIN_BLOCK_ROWS + KIN_ZMM_ROWS * v, sums[v]);
    }
}

#endif
