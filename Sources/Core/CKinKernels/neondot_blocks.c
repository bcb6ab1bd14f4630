// neondot_blocks.c: distances of rows with all their bits from a query, NEON with the dot product; like neon_boxes.c,
// with the squares of four dimensions in one instruction.

#if defined(__aarch64__)

#include "neon.h"

#define TARGET KIN_NEONDOT
#define LEVEL(name) kin_neondot_##name

/// The rows of a block within the limit.
KIN_NEONDOT KIN_INLINE uint64_t rows_within(const uint8_t *codes, const int8_t *weights, size_t groups, int32_t most) {
    int32x4_t limit = vdupq_n_s32(most);
    uint64_t rows = 0;
    for (size_t first = 0; first < KIN_BLOCK_ROWS; first += 16) {
        uint32x4_t sums[4] = {vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0), vdupq_n_u32(0)}, pass[4];
        for (size_t g = 0; g < groups; g++) {
            uint8x16_t centre = vsubq_u8(vdupq_n_u8(128), kin_neon_four_of(weights + 4 * g));
            const uint8_t *row = codes + g * 4 * KIN_BLOCK_ROWS + 4 * first;
            for (size_t v = 0; v < 4; v++) {
                uint8x16_t gap = vminq_u8(vabdq_u8(vld1q_u8(row + 16 * v), centre), vdupq_n_u8(127));
                sums[v] = vdotq_u32(sums[v], gap, gap);
            }
        }
        for (size_t v = 0; v < 4; v++)
            pass[v] = vcleq_s32(vreinterpretq_s32_u32(sums[v]), limit);
        rows |= kin_neon_bits(kin_neon_narrow(pass)) << first;
    }
    return rows;
}

#include "blocks_template.h"

#endif
