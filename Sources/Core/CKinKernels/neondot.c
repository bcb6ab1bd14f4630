// neondot.c: the NEON level with the dot product: 8-bit codes.
//
// sdot adds four products of signed bytes to each 32-bit lane. In the blocks' layout a lane is a row and its bytes are
// four dimensions. Flipping a code's top bit gives the signed s = u - 128, and then
//
//     sum u w = sum s w + 128 sum w             the last term is the query's own and moves into its limit
//     sum u (u - 256) = sum s s - 16384 d       over d dimensions
//
// In up to 16 dimensions 16 rows fill 16 registers and their terms four. A query starts four sums at (term - limit -
// 1), adds its products, and a row passes if its sum is negative.

#if defined(__aarch64__)

#include "hits.h"
#include "neon.h"

#define TARGET KIN_NEONDOT
#define LEVEL(name) kin_neondot_##name

enum { ROWS = 16, SLAB_GROUPS = 8, STEP = 2, LEFT_STEP = 1 };

/// sum s w - sum u w over the first groups.
static int64_t sum_shift(const kin_screen_job *job, size_t query, size_t groups) {
    const int8_t *weights = job->weights + query * 4 * job->groups;
    int64_t shift = 0;
    for (size_t j = 0; j < 4 * groups; j++)
        shift -= 128 * weights[j];
    return shift;
}

/// The four weights of one group, for every row.
TARGET KIN_INLINE int8x16_t load_weights(const int8_t *weights) {
    return vreinterpretq_s8_u8(kin_neon_four_of(weights));
}

// MARK: - Up to 16 dimensions

#include "byte_tile.h"

typedef struct {
    int8x16_t codes[4][4]; // by group, then four rows each
    int32x4_t terms[4];
} loaded_rows;

TARGET KIN_INLINE void load_rows(const uint8_t *codes, size_t groups, int squared, loaded_rows *rows) {
    for (size_t v = 0; v < 4; v++) {
        int32x4_t square = vdupq_n_s32(-16384 * 4 * (int32_t)groups);
        for (size_t g = 0; g < groups; g++) {
            rows->codes[g][v] = kin_neon_signed(vld1q_u8(codes + g * 256 + v * 16));
            square = vdotq_s32(square, rows->codes[g][v], rows->codes[g][v]);
        }
        rows->terms[v] = squared ? vshrq_n_s32(square, 1) : vdupq_n_s32(0);
    }
}

/// Negative in the lanes of rows that pass; returns all four registers or-ed.
TARGET KIN_INLINE int32x4_t add_query(const tile_query *query, const loaded_rows *rows, size_t groups,
                                      int32x4_t sums[4]) {
    int32x4_t limit = vld1q_dup_s32(&query->limit);
    for (size_t v = 0; v < 4; v++)
        sums[v] = vsubq_s32(rows->terms[v], limit);
    for (size_t g = 0; g < groups; g++) {
        int8x16_t weights = load_weights(query->weights + 4 * g);
        for (size_t v = 0; v < 4; v++)
            sums[v] = vdotq_s32(sums[v], rows->codes[g][v], weights);
    }
    return vorrq_s32(vorrq_s32(sums[0], sums[1]), vorrq_s32(sums[2], sums[3]));
}

TARGET KIN_INLINE void mark_negative(const int32x4_t sums[4], size_t query, size_t first, kin_marks *marks) {
    uint64_t rows = kin_neon_negative(sums);
    if (rows != 0)
        kin_mark(marks, query, rows << first);
}

TARGET KIN_INLINE void screen_block(const uint8_t *codes, size_t groups, int squared, const tile_query *queries,
                                    uint64_t chosen, kin_marks *marks) {
    for (size_t first = 0; first < KIN_BLOCK_ROWS; first += ROWS) {
        loaded_rows rows;
        load_rows(codes + first * 4, groups, squared, &rows);
        for (uint64_t rest = chosen; rest != 0;) {
            size_t q = kin_next_query(&rest), second = kin_next_query(&rest);
            int32x4_t sums[4], next[4];
            int32x4_t any = vorrq_s32(add_query(&queries[q], &rows, groups, sums),
                                      add_query(&queries[second], &rows, groups, next));
            if (__builtin_expect(vmaxvq_u32(vreinterpretq_u32_s32(any)) >> 31 == 0, 1))
                continue;
            mark_negative(sums, q, first, marks);
            mark_negative(next, second, first, marks);
        }
    }
}

#include "tile_template.h"

// MARK: - Any dimension

enum { VECTORS = KIN_BLOCK_ROWS / 4, HALF = VECTORS / 2 };

TARGET static const uint8_t *load_slab(const uint8_t *codes, size_t groups, uint8_t *slab, int32_t *squares) {
    for (size_t v = 0; v < VECTORS; v++) {
        int32x4_t square = vdupq_n_s32(-16384 * 4 * (int32_t)groups);
        for (size_t g = 0; g < groups; g++) {
            int8x16_t code = kin_neon_signed(vld1q_u8(codes + g * 256 + v * 16));
            vst1q_u8(slab + g * 256 + v * 16, vreinterpretq_u8_s8(code));
            square = vdotq_s32(square, code, code);
        }
        if (squares != NULL)
            vst1q_s32(squares + v * 4, vaddq_s32(vld1q_s32(squares + v * 4), square));
    }
    return slab;
}

/// Half a block (32 rows) and up to two queries at a time: sixteen sums in registers.
TARGET KIN_INLINE void add_products(const uint8_t *slab, size_t groups, const int8_t *const *weights, size_t offset,
                                    size_t queries, int first, int32_t *const *sums) {
    for (size_t half = 0; half < VECTORS; half += HALF) {
        int32x4_t products[STEP][HALF];
        for (size_t q = 0; q < queries; q++)
            for (size_t v = 0; v < HALF; v++)
                products[q][v] = first ? vdupq_n_s32(0) : vld1q_s32(sums[q] + (half + v) * 4);
        for (size_t g = 0; g < groups; g++)
            for (size_t q = 0; q < queries; q++) {
                int8x16_t weight = load_weights(weights[q] + offset + 4 * g);
                for (size_t v = 0; v < HALF; v++) {
                    int8x16_t code = vreinterpretq_s8_u8(vld1q_u8(slab + g * 256 + (half + v) * 16));
                    products[q][v] = vdotq_s32(products[q][v], code, weight);
                }
            }
        for (size_t q = 0; q < queries; q++)
            for (size_t v = 0; v < HALF; v++)
                vst1q_s32(sums[q] + (half + v) * 4, products[q][v]);
    }
}

#define passing kin_neon_passing

#include "slabs_template.h"

TARGET size_t LEVEL(screen)(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    return job->groups <= 4 ? LEVEL(screen_tile)(job, block, hits, capacity) : screen_slabs(job, block, hits, capacity);
}

void kin_overlay_neondot(kin_kernels *table) {
    table->code_bits = 8;
    table->screen = LEVEL(screen);
    table->screen_blocks = kin_neondot_screen_blocks;
}

#endif
