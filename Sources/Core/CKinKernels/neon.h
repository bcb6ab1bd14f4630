// neon.h: declarations shared by the NEON files.

#ifndef KIN_NEON_H
#define KIN_NEON_H

#include "levels.h"

#include <arm_neon.h>

#if defined(__clang__)
#define KIN_NEONDOT __attribute__((target("dotprod")))
#define KIN_NEONI8MM __attribute__((target("dotprod,i8mm")))
#else
#define KIN_NEONDOT __attribute__((target("arch=armv8.2-a+dotprod")))
#define KIN_NEONI8MM __attribute__((target("arch=armv8.2-a+dotprod+i8mm")))
#endif

/// One bit per row, from sixteen bytes that are all ones or all zeros.
KIN_INLINE uint64_t kin_neon_bits(uint8x16_t mask) {
    static const uint8_t powers[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(mask, vld1q_u8(powers));
    return (uint64_t)vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

/// The same four bytes in every 32-bit lane.
KIN_INLINE uint8x16_t kin_neon_four_of(const void *codes) {
    uint32_t four;
    memcpy(&four, codes, sizeof four);
    return vreinterpretq_u8_u32(vdupq_n_u32(four));
}

/// The codes minus 128.
KIN_INLINE int8x16_t kin_neon_signed(uint8x16_t codes) {
    return vreinterpretq_s8_u8(veorq_u8(codes, vdupq_n_u8(0x80)));
}

/// Sixteen 32-bit masks, all ones or all zeros, as bytes.
KIN_INLINE uint8x16_t kin_neon_narrow(const uint32x4_t masks[4]) {
    uint16x8_t low = vcombine_u16(vmovn_u32(masks[0]), vmovn_u32(masks[1]));
    uint16x8_t high = vcombine_u16(vmovn_u32(masks[2]), vmovn_u32(masks[3]));
    return vcombine_u8(vmovn_u16(low), vmovn_u16(high));
}

/// One bit per row, set if its sum is negative.
KIN_INLINE uint64_t kin_neon_negative(const int32x4_t sums[4]) {
    uint32x4_t negative[4];
    for (size_t v = 0; v < 4; v++)
        negative[v] = vcltzq_s32(sums[v]);
    return kin_neon_bits(kin_neon_narrow(negative));
}

/// The rows of a block whose sum plus term does not exceed the limit.
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

KIN_DECLARE(screen, kin_neon_screen_tile); ///< groups <= 4
KIN_DECLARE(screen, kin_neondot_screen);
KIN_DECLARE(screen_blocks, kin_neon_screen_blocks);
KIN_DECLARE(screen_blocks, kin_neondot_screen_blocks);
KIN_DECLARE(bounds_within, kin_neon_bounds_within);
KIN_DECLARE(box_bounds, kin_neon_box_bounds);
KIN_DECLARE(box_products, kin_neon_box_products);

#endif
