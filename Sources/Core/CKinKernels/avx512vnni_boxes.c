// avx512vnni_boxes.c: distances of boxes from a query, AVX-512 with VNNI; like avx512_boxes.c, but one instruction
// squares a gap, a byte of at most 127, and adds it to those of three more dimensions.

#if defined(__x86_64__)

#include "avx512.h"

KIN_AVX512VNNI KIN_INLINE __m512i add_squares(__m512i sums, const uint8_t *lows, const uint8_t *highs, __m512i above,
                                              __m512i below) {
    __m512i gaps = kin_avx512_gaps(lows, highs, above, below);
    return _mm512_dpbusd_epi32(sums, gaps, gaps);
}

KIN_AVX512VNNI void kin_avx512vnni_box_bounds(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                              const uint8_t *above, const uint8_t *below, int32_t *bounds) {
    kin_avx512_sum_boxes(add_squares, lows, highs, groups, blocks, above, below, bounds);
}

#endif
