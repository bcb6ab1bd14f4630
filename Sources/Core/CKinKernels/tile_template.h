// tile_template.h: screening in up to 16 dimensions, for every level: include it after defining
//
//     TARGET        the function attribute of the level
//     LEVEL         (name): the name of the level's function, kin_<level>_<name>
//     tile_query    a query as the level wants it
//     copy_tile     (job, queries): fills an array of them, and at KIN_TILE_QUERIES, where the level compares several
//                   at once, puts one that no row passes
//     screen_block  (codes, groups, squared, queries, chosen, marks): compares one block with the queries whose bits
//                   are set and marks the rows that pass; always inline

#include "hits.h"

TARGET KIN_INLINE size_t screen_groups(const kin_screen_job *job, size_t groups, size_t *block, kin_hit *hits,
                                       size_t capacity) {
    enum { AHEAD = 2 };
    tile_query queries[KIN_TILE_QUERIES + 1];
    copy_tile(job, queries);
    uint64_t all = kin_all_queries(job->queries);
    size_t bytes = groups * 4 * KIN_BLOCK_ROWS, count = 0, b = *block;
    kin_marks marks = {.queries = 0};
    for (; b < job->end_block && count + job->queries <= capacity; b++) {
        uint64_t chosen = job->chosen != NULL ? job->chosen[b] : all;
        // If blocks are skipped, the CPU cannot predict which one is next.
        if (job->chosen != NULL && b + AHEAD < job->end_block && job->chosen[b + AHEAD] != 0)
            for (size_t line = 0; line < bytes; line += 64)
                kin_prefetch(job->codes + (b + AHEAD) * bytes + line);
        if (chosen == 0)
            continue;
        screen_block(job->codes + b * bytes, groups, job->squared, queries, chosen, &marks);
        count = kin_write_hits(&marks, b, hits, count);
    }
    *block = b;
    return count;
}

/// Screens with one specialised copy per number of groups, so that the loops over the groups unroll and rows stay in
/// registers.
TARGET size_t LEVEL(screen_tile)(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
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
