// avx512_tile.c: a tile of queries against up to 16 dimensions, 6-bit codes, AVX-512 without VNNI.
//
// Like avx2_tile.c, but a register holds 32 rows and the 32 registers hold a whole block of 64 rows. So each pair of
// weights is loaded once per block: as a 32-bit broadcast, which costs only the load.

#if defined(__x86_64__)

#include "avx512.h"
#include "hits.h"

#define TARGET KIN_AVX512
#define LEVEL(name) kin_avx512_##name

enum { ROWS = 32, HALVES = KIN_BLOCK_ROWS / ROWS };

/// A query in 32-bit words that hold each pair of weights, and the limit, twice.
typedef struct {
    int32_t pairs[8];
    int32_t limit;
} tile_query;

static int32_t twice(int16_t value) {
    return (int32_t)((uint32_t)(uint16_t)value * 0x00010001u);
}

static void copy_tile(const kin_screen_job *job, tile_query *queries) {
    size_t pairs = 2 * job->groups;
    for (size_t n = 0; n < job->queries; n++) {
        for (size_t p = 0; p < pairs; p++) {
            int16_t pair;
            memcpy(&pair, job->weights + (n * pairs + p) * 2, sizeof pair);
            queries[n].pairs[p] = twice(pair);
        }
        queries[n].limit = twice((int16_t)kin_clamp(job->limits[n], INT16_MIN, INT16_MAX));
    }
}

/// Loads 32 rows as pairs: lane 2 i is row i, lane 2 i + 1 is row 16 + i. Returns floor(sum of u (u - 64) / 2) for
/// each.
KIN_AVX512 KIN_INLINE __m512i load_rows(const uint8_t *codes, size_t groups, __m512i *pairs) {
    __m512i leading_bits = _mm512_set1_epi8(0x3F);
    __m512i square = _mm512_setzero_si512();
    for (size_t g = 0; g < groups; g++) {
        __m512i a = _mm512_load_si512(codes + g * 256);
        __m512i b = _mm512_load_si512(codes + g * 256 + 64);
        __m512i low = _mm512_mask_blend_epi16(0xAAAAAAAA, a, _mm512_slli_epi32(b, 16));
        __m512i high = _mm512_mask_blend_epi16(0xAAAAAAAA, _mm512_srli_epi32(a, 16), b);
        pairs[2 * g] = _mm512_and_si512(_mm512_srli_epi16(low, 2), leading_bits);
        pairs[2 * g + 1] = _mm512_and_si512(_mm512_srli_epi16(high, 2), leading_bits);
        for (size_t p = 2 * g; p < 2 * g + 2; p++) {
            __m512i shifted = _mm512_sub_epi8(pairs[p], _mm512_set1_epi8(64));
            square = _mm512_add_epi16(square, _mm512_maddubs_epi16(pairs[p], shifted));
        }
    }
    return _mm512_srai_epi16(square, 1);
}

/// Reorders lanes to rows: the even lanes first.
KIN_AVX512 KIN_INLINE uint64_t rows_of_lanes(__mmask32 lanes) {
    return _pext_u32(lanes, 0x55555555) | (uint64_t)_pext_u32(lanes, 0xAAAAAAAA) << 16;
}

/// Compares one block with the chosen queries of the tile.
KIN_AVX512 KIN_INLINE void screen_block(const uint8_t *codes, size_t groups, int squared, const tile_query *queries,
                                        uint64_t chosen, kin_marks *marks) {
    __m512i pairs[HALVES][8], terms[HALVES];
    for (size_t h = 0; h < HALVES; h++) {
        terms[h] = load_rows(codes + h * ROWS * 4, groups, pairs[h]);
        if (!squared)
            terms[h] = _mm512_setzero_si512();
    }
    while (chosen != 0) {
        size_t q = kin_next_query(&chosen);
        __m512i first = terms[0], second = terms[1];
        for (size_t p = 0; p < 2 * groups; p++) {
            __m512i weights = _mm512_set1_epi32(queries[q].pairs[p]);
            first = _mm512_add_epi16(first, _mm512_maddubs_epi16(pairs[0][p], weights));
            second = _mm512_add_epi16(second, _mm512_maddubs_epi16(pairs[1][p], weights));
        }
        __m512i limit = _mm512_set1_epi32(queries[q].limit);
        __mmask32 pass_first = _mm512_cmple_epi16_mask(first, limit);
        __mmask32 pass_second = _mm512_cmple_epi16_mask(second, limit);
        if (__builtin_expect((pass_first | pass_second) != 0, 0))
            kin_mark(marks, q, rows_of_lanes(pass_first) | rows_of_lanes(pass_second) << ROWS);
    }
}

#include "tile_template.h"

#endif
