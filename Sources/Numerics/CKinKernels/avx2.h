// avx2.h: declarations shared by the AVX2 files.

#ifndef KIN_AVX2_H
#define KIN_AVX2_H

#include "levels.h"

#include <immintrin.h>

#define KIN_AVX2 __attribute__((target("avx2,popcnt,sse4.2")))

/// Screens a tile of up to 64 queries in up to 16 dimensions (groups <= 4).
size_t kin_avx2_screen_tile(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity);

/// Screens one query in any number of dimensions.
size_t kin_avx2_screen_one(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity);

/// Screens one query by squared distance with all eight bits.
void kin_avx2_screen_blocks(const uint8_t *codes, size_t groups, const uint32_t *blocks, size_t n,
                            const int8_t *weights, int32_t limit, uint64_t *rows);

/// Compares bounds with a limit.
void kin_avx2_bounds_within(const int32_t *bounds, size_t n, int32_t limit, uint64_t *within);

/// Bounds the distances of boxes in any number of dimensions.
void kin_avx2_box_bounds(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks, const uint8_t *above,
                         const uint8_t *below, int32_t *bounds);

/// Computes inner products of boxes in any number of dimensions.
void kin_avx2_box_products(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                           const int8_t *low_weights, const int8_t *high_weights, int32_t *sums);

#endif
