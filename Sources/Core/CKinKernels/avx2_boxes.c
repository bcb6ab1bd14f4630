// avx2_boxes.c: distances of boxes, and of rows with all their bits, from a query, AVX2.
//
// A 32-bit lane is a box, four dimensions at a time. One of a dimension's two saturating differences is zero (the query
// is not on both sides of a box), so their union is the gap, and vpmaddubsw squares it.

#if defined(__x86_64__)

#include "avx2.h"

#define TARGET KIN_AVX2
#define LEVEL(name) kin_avx2_##name

/// The sum of the squared gaps of eight boxes in four dimensions, each at most 127.
KIN_AVX2 KIN_INLINE __m256i squared_gaps(const uint8_t *lows, const uint8_t *highs, __m256i above, __m256i below) {
    __m256i to_low = _mm256_subs_epu8(_mm256_load_si256((const __m256i *)lows), above);
    __m256i to_high = _mm256_subs_epu8(below, _mm256_load_si256((const __m256i *)highs));
    __m256i gap = _mm256_min_epu8(_mm256_or_si256(to_low, to_high), _mm256_set1_epi8(127));
    return _mm256_madd_epi16(_mm256_maddubs_epi16(gap, gap), _mm256_set1_epi16(1));
}

/// Adds terms of eight boxes in four dimensions to their sums.
typedef __m256i add_boxes(__m256i sums, const uint8_t *lows, const uint8_t *highs, __m256i low, __m256i high);

KIN_AVX2 KIN_INLINE __m256i add_squares(__m256i sums, const uint8_t *lows, const uint8_t *highs, __m256i above,
                                        __m256i below) {
    return _mm256_add_epi32(sums, squared_gaps(lows, highs, above, below));
}

/// Adds products in pairs: two products of at most 255 * 64 in magnitude fit in 16 bits; both corners are added in 32.
KIN_AVX2 KIN_INLINE __m256i add_products(__m256i sums, const uint8_t *lows, const uint8_t *highs, __m256i low,
                                         __m256i high) {
    __m256i ones = _mm256_set1_epi16(1);
    __m256i first = _mm256_maddubs_epi16(_mm256_load_si256((const __m256i *)lows), low);
    __m256i second = _mm256_maddubs_epi16(_mm256_load_si256((const __m256i *)highs), high);
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(first, ones));
    return _mm256_add_epi32(sums, _mm256_madd_epi16(second, ones));
}

/// Sums terms of all boxes; inlined with `add`.
KIN_AVX2 KIN_INLINE void sum_blocks(add_boxes *add, const uint8_t *lows, const uint8_t *highs, size_t groups,
                                    size_t blocks, const void *low, const void *high, int32_t *sums) {
    for (size_t block = 0; block < blocks; block++) {
        __m256i total[KIN_BLOCK_YMMS];
        for (size_t v = 0; v < KIN_BLOCK_YMMS; v++)
            total[v] = _mm256_setzero_si256();
        for (size_t g = 0; g < groups; g++) {
            size_t offset = (block * groups + g) * 4 * KIN_BLOCK_ROWS;
            __m256i first = kin_avx2_four_of((const char *)low + 4 * g);
            __m256i second = kin_avx2_four_of((const char *)high + 4 * g);
            for (size_t v = 0; v < KIN_BLOCK_YMMS; v++)
                total[v] = add(total[v], lows + offset + 32 * v, highs + offset + 32 * v, first, second);
        }
        for (size_t v = 0; v < KIN_BLOCK_YMMS; v++)
            _mm256_storeu_si256((__m256i *)(sums + block * KIN_BLOCK_ROWS + KIN_YMM_ROWS * v), total[v]);
    }
}

KIN_AVX2 void kin_avx2_box_bounds(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                  const uint8_t *above, const uint8_t *below, int32_t *bounds) {
    if (groups == 4)
        sum_blocks(add_squares, lows, highs, 4, blocks, above, below, bounds);
    else
        sum_blocks(add_squares, lows, highs, groups, blocks, above, below, bounds);
}

KIN_AVX2 void kin_avx2_box_products(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                    const int8_t *low_weights, const int8_t *high_weights, int32_t *sums) {
    sum_blocks(add_products, lows, highs, groups, blocks, low_weights, high_weights, sums);
}

/// The rows of a block within the limit: a row is a box of one point.
KIN_AVX2 KIN_INLINE uint64_t rows_within(const uint8_t *codes, const int8_t *weights, size_t groups, int32_t most) {
    __m256i limit = _mm256_set1_epi32(most);
    __m256i sums[KIN_BLOCK_YMMS];
    for (size_t v = 0; v < KIN_BLOCK_YMMS; v++)
        sums[v] = _mm256_setzero_si256();
    for (size_t g = 0; g < groups; g++) {
        if (g > 0 && g % KIN_GROUPS_AT_A_TIME == 0 && kin_avx2_within(sums, limit) == 0)
            return 0;
        __m256i centre = _mm256_sub_epi8(_mm256_set1_epi8(-128), kin_avx2_four_of(weights + 4 * g));
        for (size_t v = 0; v < KIN_BLOCK_YMMS; v++) {
            const uint8_t *row = codes + g * 4 * KIN_BLOCK_ROWS + 32 * v;
            sums[v] = _mm256_add_epi32(sums[v], squared_gaps(row, row, centre, centre));
        }
    }
    return kin_avx2_within(sums, limit);
}

#include "blocks_template.h"

KIN_AVX2 void kin_avx2_bounds_within(const int32_t *bounds, size_t n, int32_t limit, uint64_t *within) {
    __m256i most = _mm256_set1_epi32(limit);
    for (size_t i = 0; i < n; i += 64) {
        uint64_t above = 0;
        for (size_t v = 0; v < 64; v += KIN_YMM_ROWS) {
            __m256i eight = _mm256_loadu_si256((const __m256i *)(bounds + i + v));
            __m256 mask = _mm256_castsi256_ps(_mm256_cmpgt_epi32(eight, most));
            above |= (uint64_t)(unsigned)_mm256_movemask_ps(mask) << v;
        }
        within[i / 64] = ~above;
    }
}

#endif
