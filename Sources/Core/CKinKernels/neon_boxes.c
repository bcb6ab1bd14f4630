// neon_boxes.c: distances of boxes, and of rows with all their bits, from a query, NEON; like avx2_boxes.c, with four
// boxes at a time.

#if defined(__aarch64__)

#include "neon.h"

#define TARGET
#define LEVEL(name) kin_neon_##name

/// The sum of the squared gaps of four boxes in four dimensions, each at most 127: products of bytes in 16 bits, then
/// pairs of products in 32 bits.
KIN_INLINE uint32x4_t squared_gaps(const uint8_t *lows, const uint8_t *highs, uint8x16_t above, uint8x16_t below) {
    uint8x16_t to_low = vqsubq_u8(vld1q_u8(lows), above);
    uint8x16_t to_high = vqsubq_u8(below, vld1q_u8(highs));
    uint8x16_t gap = vminq_u8(vorrq_u8(to_low, to_high), vdupq_n_u8(127));
    uint16x8_t first = vmull_u8(vget_low_u8(gap), vget_low_u8(gap)), second = vmull_high_u8(gap, gap);
    return vpaddq_u32(vpaddlq_u16(first), vpaddlq_u16(second));
}

void kin_neon_box_bounds(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks, const uint8_t *above,
                         const uint8_t *below, int32_t *bounds) {
    for (size_t first = 0; first < blocks * KIN_BLOCK_ROWS; first += 4) {
        size_t offset = first / KIN_BLOCK_ROWS * groups * 4 * KIN_BLOCK_ROWS + first % KIN_BLOCK_ROWS * 4;
        uint32x4_t sum = vdupq_n_u32(0);
        for (size_t g = 0; g < groups; g++, offset += 4 * KIN_BLOCK_ROWS)
            sum = vaddq_u32(sum, squared_gaps(lows + offset, highs + offset, kin_neon_four_of(above + 4 * g),
                                              kin_neon_four_of(below + 4 * g)));
        vst1q_s32(bounds + first, vreinterpretq_s32_u32(sum));
    }
}

/// The inner products of four boxes' codes in four dimensions.
KIN_INLINE int32x4_t products(const uint8_t *codes, int8x16_t weights) {
    uint8x16_t u = vld1q_u8(codes);
    int16x8_t low = vmulq_s16(vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(u))), vmovl_s8(vget_low_s8(weights)));
    int16x8_t high = vmulq_s16(vreinterpretq_s16_u16(vmovl_high_u8(u)), vmovl_high_s8(weights));
    return vpaddq_s32(vpaddlq_s16(low), vpaddlq_s16(high));
}

void kin_neon_box_products(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                           const int8_t *low_weights, const int8_t *high_weights, int32_t *sums) {
    for (size_t first = 0; first < blocks * KIN_BLOCK_ROWS; first += 4) {
        size_t offset = first / KIN_BLOCK_ROWS * groups * 4 * KIN_BLOCK_ROWS + first % KIN_BLOCK_ROWS * 4;
        int32x4_t sum = vdupq_n_s32(0);
        for (size_t g = 0; g < groups; g++, offset += 4 * KIN_BLOCK_ROWS) {
            sum = vaddq_s32(sum, products(lows + offset, vreinterpretq_s8_u8(kin_neon_four_of(low_weights + 4 * g))));
            sum = vaddq_s32(sum, products(highs + offset, vreinterpretq_s8_u8(kin_neon_four_of(high_weights + 4 * g))));
        }
        vst1q_s32(sums + first, sum);
    }
}

/// The rows of a block within the limit: a row is a box of one point.
KIN_INLINE uint64_t rows_within(const uint8_t *codes, const int8_t *weights, size_t groups, int32_t most) {
    int32x4_t limit = vdupq_n_s32(most);
    uint64_t rows = 0;
    for (size_t first = 0; first < KIN_BLOCK_ROWS; first += 16) {
        uint32x4_t pass[4];
        for (size_t v = 0; v < 4; v++) {
            uint32x4_t sum = vdupq_n_u32(0);
            for (size_t g = 0; g < groups; g++) {
                const uint8_t *row = codes + g * 4 * KIN_BLOCK_ROWS + 4 * first + 16 * v;
                uint8x16_t centre = vsubq_u8(vdupq_n_u8(128), kin_neon_four_of(weights + 4 * g));
                sum = vaddq_u32(sum, squared_gaps(row, row, centre, centre));
            }
            pass[v] = vcleq_s32(vreinterpretq_s32_u32(sum), limit);
        }
        rows |= kin_neon_bits(kin_neon_narrow(pass)) << first;
    }
    return rows;
}

#include "blocks_template.h"

void kin_neon_bounds_within(const int32_t *bounds, size_t n, int32_t limit, uint64_t *within) {
    int32x4_t most = vdupq_n_s32(limit);
    for (size_t i = 0; i < n; i += 16) {
        uint32x4_t pass[4];
        for (size_t v = 0; v < 4; v++)
            pass[v] = vcleq_s32(vld1q_s32(bounds + i + 4 * v), most);
        uint64_t bits = kin_neon_bits(kin_neon_narrow(pass)) << i % 64;
        within[i / 64] = i % 64 == 0 ? bits : within[i / 64] | bits;
    }
}

#endif
