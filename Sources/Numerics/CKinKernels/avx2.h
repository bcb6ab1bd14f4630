// avx2.h: what the AVX2 files share.

#ifndef KIN_AVX2_H
#define KIN_AVX2_H

#include "levels.h"

#include <immintrin.h>

#define KIN_AVX2 __attribute__((target("avx2,popcnt,sse4.2")))

/// A tile of up to 64 queries against 16 dimensions (groups <= 4).
size_t kin_avx2_screen_tile(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity);

/// One query, any number of dimensions.
size_t kin_avx2_screen_one(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity);

#endif
