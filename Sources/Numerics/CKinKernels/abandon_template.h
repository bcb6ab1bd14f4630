// abandon_template.h: abandons the queries of which no row of a block can pass any more, for every level: include it
// after defining
//
//     TARGET        the function attribute of the level
//     CODE_MIDDLE   half the number of codes that the level tells apart: 128, or 32 with six bits
//     sum_shift     (job, query, groups): what the level's sums of products over the first groups are more than those
//                   of the contract
//     passing       (sums, terms, limit): bit r is set when sums[r] + terms[r] <= limit
//
// and chosen_queries, the queries of a block (slabs_template.h).
//
// In many dimensions most rows are too far by the time half of these were added up (Bei and Gray 1985, "An improvement
// of the minimum distortion encoding algorithm for vector quantization", doi:10.1109/TCOM.1985.1096214). With m the
// middle, u a row's codes, v = m - w the query's and A + B the sum of u (u - 2 m) / 2 + u w over some dimensions, each
// dimension adds ((u - v)^2 - v^2) / 2, so the others add at least -V / 2 with V their sum of v^2. Of a row that passes
//
//     floor(A) + B  <=  limit + floor((V + 1) / 2)
//
// as its whole sum, of which the half may be cut off, is at most `limit`. Inner products have no tests: what the rest
// of their sum is at least lies far below what it is.

#include "levels.h"

/// A test takes a query as long as so many groups.
enum { TEST_GROUPS = 4 };

/// The blocks after which what was learnt counts half, as limits shorten in the course of a search.
enum { MEMORY_BLOCKS = 32 };

/// Places the tests of a tile whose queries are new.
TARGET static void plan_tests(const kin_screen_job *job, size_t slab_groups, kin_partial_tests *tests) {
    size_t slabs = (job->groups + slab_groups - 1) / slab_groups;
    size_t spacing = (slabs + KIN_MOST_TESTS) / (KIN_MOST_TESTS + 1);
    *tests = (kin_partial_tests){.spacing = spacing * slab_groups, .count = job->squared ? (slabs - 1) / spacing : 0};
    for (size_t query = 0; query < job->queries; query++) {
        const int8_t *weights = job->weights + query * 4 * job->groups;
        int64_t rest = 0;
        size_t end = job->groups;
        for (size_t test = tests->count; test-- > 0;) {
            size_t first = (test + 1) * tests->spacing;
            int32_t squares = 0; // of at most 2^13 dimensions
            for (size_t j = 4 * first; j < 4 * end; j++)
                squares += (CODE_MIDDLE - weights[j]) * (CODE_MIDDLE - weights[j]);
            rest += squares;
            end = first;
            tests->rests[test][query] = (int32_t)(sum_shift(job, query, first) + (rest + 1) / 2);
        }
    }
}

/// Begins a block: lets what was learnt long ago count less.
KIN_INLINE void begin_tests(kin_partial_tests *tests) {
    if (++tests->blocks < MEMORY_BLOCKS)
        return;
    tests->blocks = 0;
    for (size_t test = 0; test < tests->count; test++) {
        tests->tested[test] /= 2;
        tests->abandoned[test] /= 2;
    }
}

/// Whether a test saves more than it takes, as far as that is known.
KIN_INLINE int test_pays(const kin_screen_job *job, size_t test, size_t groups_left) {
    const kin_partial_tests *tests = job->tests;
    return groups_left > 2 * TEST_GROUPS && (tests->tested[test] < job->queries ||
                                             tests->abandoned[test] * groups_left >= tests->tested[test] * TEST_GROUPS);
}

/// Takes out the queries that no row of the block can pass for, and keeps the order of the others.
///
/// `terms` are the rows' sums of u (u - 2 m) so far.
TARGET static void abandon_queries(const kin_screen_job *job, size_t test, const int32_t *terms,
                                   chosen_queries *queries) {
    kin_partial_tests *tests = job->tests;
    _Alignas(64) int32_t halves[KIN_BLOCK_ROWS];
    for (size_t row = 0; row < KIN_BLOCK_ROWS; row++)
        halves[row] = terms[row] >> 1;
    size_t kept = 0;
    for (size_t i = 0; i < queries->count; i++) {
        uint32_t query = queries->numbers[i];
        int32_t *sums = queries->sums[i];
        int32_t limit = kin_clamp((int64_t)job->limits[query] + tests->rests[test][query], INT32_MIN, INT32_MAX);
        // No branch: whether a query is abandoned cannot be predicted.
        queries->numbers[kept] = query;
        queries->weights[kept] = queries->weights[i];
        queries->sums[kept] = sums;
        kept += passing(sums, halves, limit) != 0;
    }
    tests->tested[test] += (uint32_t)queries->count;
    tests->abandoned[test] += (uint32_t)(queries->count - kept);
    queries->count = kept;
}
