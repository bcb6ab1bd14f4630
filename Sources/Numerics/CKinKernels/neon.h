// neon.h: declarations shared by the NEON files.

#ifndef KIN_NEON_H
#define KIN_NEON_H

#include "levels.h"

#include <arm_neon.h>

#if defined(__clang__)
#define KIN_NEONDOT __attribute__((target("dotprod")))
#else
#define KIN_NEONDOT __attribute__((target("arch=armv8.2-a+dotprod")))
#endif

/// One bit a row from sixteen bytes that are all ones or all zeros.
KIN_INLINE uint64_t kin_neon_bits(uint8x16_t mask) {
    static const uint8_t powers[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(mask, vld1q_u8(powers));
    return (uint64_t)vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

/// Sixteen 32-bit masks, all ones or all zeros, as bytes.
KIN_INLINE uint8x16_t kin_neon_narrow(const uint32x4_t masks[4]) {
    uint16x8_t low = vcombine_u16(vmovn_u32(masks[0]), vmovn_u32(masks[1]));
    uint16x8_t high = vcombine_u16(vmovn_u32(masks[2]), vmovn_u32(masks[3]));
    return vcombine_u8(vmovn_u16(low), vmovn_u16(high));
}

/// The rows of a block whose sum, plus its term, does not exceed the limit.
KIN_INLINE uint64_t kin_neon_passing(const int32_t *sums, const int32_t *terms, int32_t limit) {
    int32x4_t bound = vdupq_n_s32(limit);
    uint64_t rows = 0;
    for (size_t first = 0; first < KIN_BLOCK_ROWS; first += 16) {
        uint32x4_t pass[4];
        for (size_t v = 0; v < 4; v++) {
            int32x4_t sum = vaddq_s32(vld1q_s32(sums + first + 4 * v), vld1q_s32(terms + first + 4 * v));
            pass[v] = vcleq_s32(sum, bound);
        }
        rows |= kin_neon_bits(kin_neon_narrow(pass)) << first;
    }
    return rows;
}

/// Screens a tile of up to 64 queries in up to 16 dimensions by 6-bit codes.
size_t kin_neon_screen_tile(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity);

/// Screens one query by four-bit codes.
size_t kin_neon_screen_nibbles(const kin_nibble_job *job, size_t *block, kin_hit *hits, size_t capacity);

/// Screens one query by squared distance with all eight bits.
void kin_neon_screen_blocks(const uint8_t *codes, size_t groups, const uint32_t *blocks, size_t n,
                            const int8_t *weights, int32_t limit, uint64_t *rows);

/// The same with the dot product.
void kin_neondot_screen_blocks(const uint8_t *codes, size_t groups, const uint32_t *blocks, size_t n,
                               const int8_t *weights, int32_t limit, uint64_t *rows);

/// Compares bounds with a limit.
void kin_neon_bounds_within(const int32_t *bounds, size_t n, int32_t limit, uint64_t *within);

/// Bounds the distances of boxes in any number of dimensions.
void kin_neon_box_bounds(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks, const uint8_t *above,
                         const uint8_t *below, int32_t *bounds);

/// Computes inner products of boxes in any number of dimensions.
void kin_neon_box_products(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                           const int8_t *low_weights, const int8_t *high_weights, int32_t *sums);

#endif
