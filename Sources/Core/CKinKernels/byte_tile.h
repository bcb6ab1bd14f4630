// byte_tile.h: a tile of queries in up to 16 dimensions for levels that multiply whole codes: include it after defining
//
//     sum_shift   (job, query, groups): what the level's sums of products over the first groups are more than those
//                 of the contract

#include "levels.h"

typedef struct {
    int8_t weights[16];
    int32_t limit; // limit + 1
} tile_query;

static void copy_tile(const kin_screen_job *job, tile_query *queries) {
    const int32_t end = 1 << 28; // sums are well within
    for (size_t n = 0; n < job->queries; n++) {
        memcpy(queries[n].weights, job->weights + n * 4 * job->groups, 4 * job->groups);
        queries[n].limit = kin_clamp(job->limits[n] + sum_shift(job, n, job->groups), -end, end) + 1;
    }
    queries[KIN_TILE_QUERIES] = (tile_query){.weights = {0}, .limit = -end};
}
