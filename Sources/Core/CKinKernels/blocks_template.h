// blocks_template.h: screening of chosen blocks by all bits of the codes, for every level: include it after defining
//
//     TARGET       the function attribute of the level
//     LEVEL        (name): the name of the level's function, kin_<level>_<name>
//     rows_within  (codes, weights, groups, most): the rows of a block within a distance in codes; always inline

#include "levels.h"

/// The number of blocks to prefetch: loading their codes takes longer than screening a block. For wide rows only the
/// beginning is prefetched, which may be enough; the rest follows in order, and the hardware prefetches it.
enum { AHEAD = 3, MOST_FETCHED = 8 * 4 * KIN_BLOCK_ROWS };

KIN_INLINE void fetch(const uint8_t *codes, size_t size) {
    for (size_t line = 0; line < size; line += 64)
        __builtin_prefetch(codes + line);
}

TARGET KIN_INLINE void screen_list(const uint8_t *codes, size_t groups, const uint32_t *blocks, size_t n,
                                   const int8_t *weights, int32_t limit, uint64_t *rows) {
    int32_t most = kin_clamp(kin_most_squared(weights, groups, limit), -1, INT32_MAX);
    size_t size = groups * 4 * KIN_BLOCK_ROWS;
    for (size_t i = 0; i < n; i++) {
        if (i + AHEAD < n)
            fetch(codes + blocks[i + AHEAD] * size, size < MOST_FETCHED ? size : MOST_FETCHED);
        rows[i] = rows_within(codes + blocks[i] * size, weights, groups, most);
    }
}

/// Screens with a separate copy for 16 dimensions, whose loops unroll.
TARGET void LEVEL(screen_blocks)(const uint8_t *codes, size_t groups, const uint32_t *blocks, size_t n,
                                 const int8_t *weights, int32_t limit, uint64_t *rows) {
    if (groups == 4)
        screen_list(codes, 4, blocks, n, weights, limit, rows);
    else
        screen_list(codes, groups, blocks, n, weights, limit, rows);
}
