// avx2_boxes.c: distances of boxes, and of rows with all their bits, from a query, AVX2.

#if defined(__x86_64__)

#include "avx2.h"

#define TARGET KIN_AVX2
#define LEVEL(name) kin_avx2_##name

KIN_AVX2 KIN_INLINE __m256i add_pairs(__m256i sums, __m256i pairs) {
    return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

KIN_AVX2 KIN_INLINE __m256i add_gaps(__m256i sums, __m256i gaps) {
    return add_pairs(sums, _mm256_maddubs_epi16(gaps, gaps));
}

/// Adds products in pairs: two products of at most 255 * 64 in magnitude fit in 16 bits; both corners are added in 32.
KIN_AVX2 KIN_INLINE __m256i add_corners(__m256i sums, __m256i corners, __m256i weights) {
    return add_pairs(sums, _mm256_maddubs_epi16(corners, weights));
}

#include "boxes_template.h"

KIN_AVX2 void kin_avx2_bounds_within(const int32_t *bounds, size_t n, int32_t limit, uint64_t *within) {
    __m256i most = _mm256_set1_epi32(limit);
    for (size_t i = 0; i < n; i += 64) {
        uint64_t above = 0;
        for (size_t v = 0; v < 64; v += KIN_LANES) {
            __m256i eight = _mm256_loadu_si256((const __m256i *)(bounds + i + v));
            __m256 mask = _mm256_castsi256_ps(_mm256_cmpgt_epi32(eight, most));
            above |= (uint64_t)(unsigned)_mm256_movemask_ps(mask) << v;
        }
        within[i / 64] = ~above;
    }
}

#endif
