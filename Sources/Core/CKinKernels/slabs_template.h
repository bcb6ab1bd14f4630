// slabs_template.h: screening in any dimension, for every level: include it after defining
//
//     SLAB_GROUPS   groups of dimensions that are worked on at a time
//     STEP          queries that share one pass over a slab
//     LEFT_STEP     those that share one of fewer than STEP that are left: 1, or 2 where STEP is 4
//     TARGET        the function attribute of the level
//     load_slab     (codes, groups, slab, squares): returns the codes of a block ready for multiplication, in `slab` if
//                   they had to change; adds each row's sum of u (u - 2^bits) to squares unless that is NULL
//     add_products  (slab, groups, weights, offset, queries, first, sums): for 1, LEFT_STEP or STEP queries, the
//                   weights of each at weights[query] + offset, adds each row's sum of products to sums[query], or
//                   stores it there if `first`; always inline
//     sum_shift     (job, query, groups): what the level's sums of products over the first groups are more than those
//                   of the contract
//     passing       (sums, terms, limit): bit r is set when sums[r] + terms[r] <= limit
//
// A block's slab (2 KB) stays in the first-level cache while every query of the tile passes over it, and so do the
// running sums (16 KB); the codes themselves are read once per tile. Products are added in registers within a slab.

#include "hits.h"

/// The queries to compare with a block.
typedef struct {
    size_t count;
    uint32_t numbers[KIN_TILE_QUERIES];
    const int8_t *weights[KIN_TILE_QUERIES];
    int32_t *sums[KIN_TILE_QUERIES]; // of the rows, 64-byte aligned
} chosen_queries;

static void choose_queries(const kin_screen_job *job, uint64_t set, int32_t (*sums)[KIN_BLOCK_ROWS],
                           chosen_queries *queries) {
    size_t count = 0;
    for (; set != 0; count++) {
        size_t query = kin_next_query(&set);
        queries->numbers[count] = (uint32_t)query;
        queries->weights[count] = job->weights + query * 4 * job->groups;
        queries->sums[count] = sums[query];
    }
    queries->count = count;
}

/// Adds the products of the queries with one slab.
TARGET KIN_INLINE void add_slab_products(const chosen_queries *queries, const uint8_t *slab, size_t first_group,
                                         size_t groups) {
    size_t i = 0;
    int first = first_group == 0;
    for (; i + STEP <= queries->count; i += STEP) {
        // A copy that no store to the sums can change, so the compiler can hold it in registers.
        int32_t *sums[STEP];
        memcpy(sums, queries->sums + i, sizeof sums);
        add_products(slab, groups, queries->weights + i, 4 * first_group, STEP, first, sums);
    }
    if (LEFT_STEP > 1 && i + LEFT_STEP <= queries->count) {
        add_products(slab, groups, queries->weights + i, 4 * first_group, LEFT_STEP, first, queries->sums + i);
        i += LEFT_STEP;
    }
    for (; i < queries->count; i++)
        add_products(slab, groups, queries->weights + i, 4 * first_group, 1, first, queries->sums + i);
}

TARGET static size_t screen_slabs(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    _Alignas(64) int32_t sums[KIN_TILE_QUERIES][KIN_BLOCK_ROWS];
    _Alignas(64) int32_t terms[KIN_BLOCK_ROWS];
    _Alignas(64) uint8_t slab[SLAB_GROUPS * 4 * KIN_BLOCK_ROWS];
    int32_t limits[KIN_TILE_QUERIES];
    for (size_t query = 0; query < job->queries; query++)
        limits[query] =
            kin_clamp((int64_t)job->limits[query] + sum_shift(job, query, job->groups), INT32_MIN, INT32_MAX);
    chosen_queries queries;
    choose_queries(job, kin_all_queries(job->queries), sums, &queries);
    size_t count = 0, b = *block;
    for (; b < job->end_block && count + job->queries <= capacity; b++) {
        if (job->chosen != NULL)
            choose_queries(job, job->chosen[b], sums, &queries);
        if (queries.count == 0)
            continue;
        const uint8_t *codes = job->codes + b * job->groups * 4 * KIN_BLOCK_ROWS;
        memset(terms, 0, sizeof terms);
        for (size_t g = 0; g < job->groups; g += SLAB_GROUPS) {
            size_t groups = job->groups - g < SLAB_GROUPS ? job->groups - g : SLAB_GROUPS;
            const uint8_t *ready = load_slab(codes + g * 4 * KIN_BLOCK_ROWS, groups, slab, job->squared ? terms : NULL);
            if (groups == SLAB_GROUPS) // a separate copy, with the loop over the groups unrolled
                add_slab_products(&queries, ready, g, SLAB_GROUPS);
            else
                add_slab_products(&queries, ready, g, groups);
        }
        for (size_t row = 0; row < KIN_BLOCK_ROWS; row++)
            terms[row] >>= 1; // an arithmetic shift in all supported compilers: floor(sum / 2)
        for (size_t i = 0; i < queries.count; i++) {
            uint32_t query = queries.numbers[i];
            uint64_t rows = passing(queries.sums[i], terms, limits[query]);
            if (rows == 0)
                continue;
            hits[count++] = (kin_hit){.query = query, .block = (uint32_t)b, .rows = rows};
        }
    }
    *block = b;
    return count;
}
