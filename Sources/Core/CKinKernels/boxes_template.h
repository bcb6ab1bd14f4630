// boxes_template.h: distances of boxes, and of rows with all their bits, from a query, for the levels of x86: include
// it after avx2.h or avx512.h, and after defining
//
//     TARGET        the function attribute of the level
//     LEVEL         (name): the name of the level's function, kin_<level>_<name>
//     add_gaps      (sums, gaps): adds the squares of four bytes, each at most 127, to each lane; always inline
//     add_corners   (sums, corners, weights): adds the products of four bytes and four signed bytes; always inline
//
// A 32-bit lane is a box, four dimensions at a time. One of a dimension's two saturating differences is zero (the query
// is not on both sides of a box), so their union is the gap.

/// Adds terms of a register's boxes in four dimensions to their sums.
typedef kin_vector add_boxes(kin_vector sums, kin_vector lows, kin_vector highs, kin_vector low, kin_vector high);

TARGET KIN_INLINE kin_vector add_squares(kin_vector sums, kin_vector lows, kin_vector highs, kin_vector above,
                                         kin_vector below) {
    kin_vector to_low = KIN_EACH(subs_epu8)(lows, above), to_high = KIN_EACH(subs_epu8)(below, highs);
    return add_gaps(sums, KIN_EACH(min_epu8)(KIN_WHOLE(or)(to_low, to_high), KIN_EACH(set1_epi8)(127)));
}

TARGET KIN_INLINE kin_vector add_both_corners(kin_vector sums, kin_vector lows, kin_vector highs, kin_vector low,
                                              kin_vector high) {
    return add_corners(add_corners(sums, lows, low), highs, high);
}

/// Sums terms of all boxes; inlined with `add`.
TARGET KIN_INLINE void sum_blocks(add_boxes *add, const uint8_t *lows, const uint8_t *highs, size_t groups,
                                  size_t blocks, const void *low, const void *high, int32_t *sums) {
    for (size_t block = 0; block < blocks; block++) {
        kin_vector total[KIN_VECTORS];
        for (size_t v = 0; v < KIN_VECTORS; v++)
            total[v] = KIN_WHOLE(setzero)();
        for (size_t g = 0; g < groups; g++) {
            size_t offset = (block * groups + g) * 4 * KIN_BLOCK_ROWS;
            const kin_vector *first = (const kin_vector *)(lows + offset), *last = (const kin_vector *)(highs + offset);
            kin_vector one = kin_four_of((const char *)low + 4 * g), other = kin_four_of((const char *)high + 4 * g);
            for (size_t v = 0; v < KIN_VECTORS; v++)
                total[v] = add(total[v], KIN_WHOLE(load)(first + v), KIN_WHOLE(load)(last + v), one, other);
        }
        for (size_t v = 0; v < KIN_VECTORS; v++)
            KIN_WHOLE(storeu)((kin_vector *)(sums + block * KIN_BLOCK_ROWS) + v, total[v]);
    }
}

TARGET void LEVEL(box_bounds)(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                              const uint8_t *above, const uint8_t *below, int32_t *bounds) {
    if (groups == 4)
        sum_blocks(add_squares, lows, highs, 4, blocks, above, below, bounds);
    else
        sum_blocks(add_squares, lows, highs, groups, blocks, above, below, bounds);
}

TARGET void LEVEL(box_products)(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                                const int8_t *low_weights, const int8_t *high_weights, int32_t *sums) {
    sum_blocks(add_both_corners, lows, highs, groups, blocks, low_weights, high_weights, sums);
}

/// The rows of a block within the limit: a row is a box of one point.
TARGET KIN_INLINE uint64_t rows_within(const uint8_t *codes, const int8_t *weights, size_t groups, int32_t most) {
    kin_vector limit = KIN_EACH(set1_epi32)(most), sums[KIN_VECTORS];
    for (size_t v = 0; v < KIN_VECTORS; v++)
        sums[v] = KIN_WHOLE(setzero)();
    for (size_t g = 0; g < groups; g++) {
        if (g > 0 && g % KIN_GROUPS_AT_A_TIME == 0 && kin_within(sums, limit) == 0)
            return 0;
        const kin_vector *rows = (const kin_vector *)(codes + g * 4 * KIN_BLOCK_ROWS);
        kin_vector centre = KIN_EACH(sub_epi8)(KIN_EACH(set1_epi8)(-128), kin_four_of(weights + 4 * g));
        for (size_t v = 0; v < KIN_VECTORS; v++) {
            kin_vector row = KIN_WHOLE(load)(rows + v);
            sums[v] = add_squares(sums[v], row, row, centre, centre);
        }
    }
    return kin_within(sums, limit);
}

#include "blocks_template.h"
