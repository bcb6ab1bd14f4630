// nibbles_template.h: screening by four-bit codes, for every level: include it after defining
//
//     TARGET      the function attribute of the level
//     LEVEL       (name): the name of the level's function, kin_<level>_<name>
//     sum_pairs   (nibbles, table, pairs, limit): the rows of a block whose terms add up to at most the limit;
//                 always inline
//
// A register holds a dimension's sixteen terms, and one byte shuffle looks up those of as many rows as the register has
// bytes (as in Andre, Kermarrec and Le Scouarnec 2015). Sums of bytes that saturate at 255 are enough, since limits are
// less. Codes are read once, in ascending order: the speed is that of the memory, which is why a page ahead is
// prefetched (see avx2_one.c).

#include "levels.h"

TARGET KIN_INLINE size_t screen_pairs(const kin_nibble_job *job, size_t pairs, size_t *block, kin_hit *hits,
                                      size_t capacity) {
    size_t count = 0, b = *block;
    for (; b < job->end_block && count < capacity; b++) {
        uint64_t rows = sum_pairs(job->nibbles + b * pairs * KIN_BLOCK_ROWS, job->table, pairs, job->limit);
        if (__builtin_expect(rows != 0, 0))
            hits[count++] = (kin_hit){.query = 0, .block = (uint32_t)b, .rows = rows};
    }
    *block = b;
    return count;
}

/// Screens with a copy of its own for 16 dimensions, whose loop unrolls so that the terms stay in registers.
TARGET size_t LEVEL(screen_nibbles)(const kin_nibble_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    return job->pairs == 8 ? screen_pairs(job, 8, block, hits, capacity)
                           : screen_pairs(job, job->pairs, block, hits, capacity);
}
