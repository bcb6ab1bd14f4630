// avx512vnni_blocks.c: distances of rows with all their bits from a query, AVX-512 with VNNI; like avx2_boxes.c, with
// sixteen rows at a time.
//
// A gap between codes is clamped to 127, which is the same as a signed and as an unsigned byte. So vpdpbusd squares it
// and adds four dimensions to the sum at once.

#if defined(__x86_64__)

#include "avx512.h"

#define TARGET KIN_AVX512VNNI
#define LEVEL(name) kin_avx512vnni_##name

/// The rows of a block within the limit.
KIN_AVX512VNNI KIN_INLINE uint64_t rows_within(const uint8_t *codes, const int8_t *weights, size_t groups,
                                               int32_t most) {
    __m512i limit = _mm512_set1_epi32(most), sums[KIN_BLOCK_ZMMS];
    for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
        sums[v] = _mm512_setzero_si512();
    for (size_t g = 0; g < groups; g++) {
        if (g > 0 && g % KIN_GROUPS_AT_A_TIME == 0) {
            __m512i least = _mm512_min_epi32(_mm512_min_epi32(sums[0], sums[1]), _mm512_min_epi32(sums[2], sums[3]));
            if (_mm512_cmple_epi32_mask(least, limit) == 0)
                return 0;
        }
        __m512i centre = _mm512_sub_epi8(_mm512_set1_epi8(-128), kin_avx512_four_of(weights + 4 * g));
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++) {
            __m512i u = _mm512_load_si512(codes + g * 4 * KIN_BLOCK_ROWS + 64 * v);
            __m512i gap = _mm512_or_si512(_mm512_subs_epu8(u, centre), _mm512_subs_epu8(centre, u));
            gap = _mm512_min_epu8(gap, _mm512_set1_epi8(127));
            sums[v] = _mm512_dpbusd_epi32(sums[v], gap, gap);
        }
    }
    uint64_t rows = 0;
    for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
        rows |= (uint64_t)_mm512_cmple_epi32_mask(sums[v], limit) << (v * KIN_ZMM_ROWS);
    return rows;
}

#include "blocks_template.h"

#endif
