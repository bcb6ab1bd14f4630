// neon.c: the NEON level without the dot product: 6-bit codes, any dimension, and the functions of the table.
//
// A slab is stored by dimension, 64 rows in 64 consecutive bytes, so that smlal adds one dimension of eight rows to
// their 16-bit sums. With 6-bit codes and |w| <= 32, four groups of dimensions fit (16 * 63 * 32 = 32256) before the
// sums are widened.

#if defined(__aarch64__)

#include "neon.h"

#define TARGET

enum { SLAB_GROUPS = 4, STEP = 2, LEFT_STEP = 1, VECTORS = KIN_BLOCK_ROWS / 16 };

/// Adds 16-bit values of sixteen rows to their 32-bit sums, or stores them as the sums.
KIN_INLINE void add_wide(int32_t *sums, int16x8_t low, int16x8_t high, int store) {
    int32x4_t zero = vdupq_n_s32(0);
    vst1q_s32(sums, vaddw_s16(store ? zero : vld1q_s32(sums), vget_low_s16(low)));
    vst1q_s32(sums + 4, vaddw_high_s16(store ? zero : vld1q_s32(sums + 4), low));
    vst1q_s32(sums + 8, vaddw_s16(store ? zero : vld1q_s32(sums + 8), vget_low_s16(high)));
    vst1q_s32(sums + 12, vaddw_high_s16(store ? zero : vld1q_s32(sums + 12), high));
}

static const uint8_t *load_slab(const uint8_t *codes, size_t groups, uint8_t *slab, int32_t *squares) {
    for (size_t v = 0; v < VECTORS; v++) {
        int16x8_t low = vdupq_n_s16(0), high = vdupq_n_s16(0);
        for (size_t g = 0; g < groups; g++) {
            uint8x16x4_t four = vld4q_u8(codes + g * 256 + v * 64);
            for (size_t d = 0; d < 4; d++) {
                int8x16_t u = vreinterpretq_s8_u8(vshrq_n_u8(four.val[d], 2));
                int8x16_t shifted = vsubq_s8(u, vdupq_n_s8(64));
                vst1q_u8(slab + (4 * g + d) * KIN_BLOCK_ROWS + v * 16, vreinterpretq_u8_s8(u));
                low = vmlal_s8(low, vget_low_s8(u), vget_low_s8(shifted)); // at least 16 * -1024
                high = vmlal_high_s8(high, u, shifted);
            }
        }
        if (squares != NULL)
            add_wide(squares + v * 16, low, high, 0);
    }
    return slab;
}

KIN_INLINE void add_products(const uint8_t *slab, size_t groups, const int8_t *const *weights, size_t offset,
                             size_t queries, int first, int32_t *const *sums) {
    int16x8_t low[STEP][VECTORS], high[STEP][VECTORS];
    for (size_t q = 0; q < queries; q++)
        for (size_t v = 0; v < VECTORS; v++)
            low[q][v] = high[q][v] = vdupq_n_s16(0);
    for (size_t d = 0; d < 4 * groups; d++) {
        const int8_t *rows = (const int8_t *)slab + d * KIN_BLOCK_ROWS;
        for (size_t q = 0; q < queries; q++) {
            int8x16_t weight = vld1q_dup_s8(weights[q] + offset + d);
            for (size_t v = 0; v < VECTORS; v++) {
                int8x16_t u = vld1q_s8(rows + v * 16);
                low[q][v] = vmlal_s8(low[q][v], vget_low_s8(u), vget_low_s8(weight));
                high[q][v] = vmlal_high_s8(high[q][v], u, weight);
            }
        }
    }
    for (size_t q = 0; q < queries; q++)
        for (size_t v = 0; v < VECTORS; v++)
            add_wide(sums[q] + v * 16, low[q][v], high[q][v], first);
}

#define sum_shift kin_no_shift

#define passing kin_neon_passing

#include "lanes_template.h"
#include "slabs_template.h"

static size_t screen(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    if (job->groups <= 4)
        return kin_neon_screen_tile(job, block, hits, capacity);
    return screen_slabs(job, block, hits, capacity);
}

void kin_overlay_neon(kin_kernels *table) {
    table->code_bits = 6;
    table->screen = screen;
    table->screen_blocks = kin_neon_screen_blocks;
    table->bounds_within = kin_neon_bounds_within;
    table->box_bounds = kin_neon_box_bounds;
    table->box_products = kin_neon_box_products;
    overlay_lanes(table);
}

#endif
