// tile_template.h: screening in up to 16 dimensions, for every level: include it after defining
//
//     TARGET        the function attribute of the level
//     tile_query    a query as the level wants it
//     copy_tile     (job, queries): fills an array of KIN_TILE_QUERIES of them; returns their number, which may be
//                   rounded up with queries that no row passes
//     screen_block  (codes, groups, squared, queries, n, marks): compares one block with n queries and marks the rows
//                   that pass; always inline

#include "hits.h"

TARGET KIN_INLINE size_t screen_groups(const kin_screen_job *job, size_t groups, size_t *block, kin_hit *hits,
                                       size_t capacity) {
    tile_query queries[KIN_TILE_QUERIES];
    size_t n = copy_tile(job, queries), count = 0, b = *block;
    kin_marks marks = {.queries = 0};
    for (; b < job->end_block && count + job->queries <= capacity; b++) {
        screen_block(job->codes + b * groups * 4 * KIN_BLOCK_ROWS, groups, job->squared, queries, n, &marks);
        count = kin_write_hits(&marks, b, hits, count);
    }
    *block = b;
    return count;
}

/// Screens with one specialised copy per number of groups, so that the loops over them unroll and rows stay in
/// registers.
TARGET static size_t screen_tile(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    switch (job->groups) {
    case 1:
        return screen_groups(job, 1, block, hits, capacity);
    case 2:
        return screen_groups(job, 2, block, hits, capacity);
    case 3:
        return screen_groups(job, 3, block, hits, capacity);
    default:
        return screen_groups(job, 4, block, hits, capacity);
    }
}
