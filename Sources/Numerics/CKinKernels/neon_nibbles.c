// neon_nibbles.c: one query against four-bit codes, NEON: four registers hold a dimension of a block.

#if defined(__aarch64__)

#include "neon.h"

#define TARGET
#define LEVEL(name) kin_neon_##name

enum { QUARTERS = 4, QUARTER = KIN_BLOCK_ROWS / QUARTERS };

KIN_INLINE uint64_t sum_pairs(const uint8_t *nibbles, const uint8_t *table, size_t pairs, uint8_t limit) {
    uint8x16_t sums[QUARTERS];
    for (size_t h = 0; h < QUARTERS; h++)
        sums[h] = vdupq_n_u8(0);
    for (size_t p = 0; p < pairs; p++) {
        const uint8_t *line = nibbles + p * KIN_BLOCK_ROWS;
        __builtin_prefetch(line + KIN_PAGE);
        uint8x16_t even = vld1q_u8(table + 32 * p), odd = vld1q_u8(table + 32 * p + 16);
        for (size_t h = 0; h < QUARTERS; h++) {
            uint8x16_t codes = vld1q_u8(line + h * QUARTER);
            sums[h] = vqaddq_u8(sums[h], vqtbl1q_u8(even, vandq_u8(codes, vdupq_n_u8(15))));
            sums[h] = vqaddq_u8(sums[h], vqtbl1q_u8(odd, vshrq_n_u8(codes, 4)));
        }
    }
    uint64_t rows = 0;
    for (size_t h = 0; h < QUARTERS; h++)
        rows |= kin_neon_bits(vcleq_u8(sums[h], vdupq_n_u8(limit))) << (h * QUARTER);
    return rows;
}

#include "nibbles_template.h"

#endif
