// avx2_tile.c: a tile of queries against up to 16 dimensions, 6-bit codes, AVX2.
//
// Eight registers hold 16 rows x 16 dimensions as pairs: a 16-bit lane is a row, its two bytes are two dimensions. So
// vpmaddubsw multiplies and adds both, and eight of its results, added in 16 bits, are a row's whole sum. That the sum
// fits in 16 bits is part of the contract of `screen` (for groups < 4 it always does: at most 12 * (63 * 32 + 512) =
// 30336).
//
// Each query then costs, for 16 rows, eight multiplications straight from memory, eight additions, one comparison and a
// quarter of three ands and a branch: 18 vector instructions. Zen 3 starts four per cycle, but multiplies on only two
// of its four pipes, which also execute additions: 4.5 cycles at best, 5.7 measured for every order of the
// instructions.

#if defined(__x86_64__)

#include "avx2.h"
#include "hits.h"

#define TARGET KIN_AVX2
#define LEVEL(name) kin_avx2_##name

enum { ROWS = 16, QUERIES_AT_ONCE = 4 };

/// A query spread over registers: each pair of weights, and the limit, in every 16-bit lane.
typedef struct {
    __m256i pairs[8];
    __m256i limit;
} tile_query;

/// Spreads the tile over registers.
KIN_AVX2 static void copy_tile(const kin_screen_job *job, tile_query *queries) {
    size_t pairs = 2 * job->groups;
    for (size_t n = 0; n < job->queries; n++) {
        const int8_t *weights = job->weights + n * 2 * pairs;
        for (size_t p = 0; p < pairs; p++) {
            int16_t pair;
            memcpy(&pair, weights + 2 * p, sizeof pair);
            queries[n].pairs[p] = _mm256_set1_epi16(pair);
        }
        queries[n].limit = _mm256_set1_epi16((int16_t)kin_clamp(job->limits[n], INT16_MIN, INT16_MAX));
    }
    for (size_t p = 0; p < pairs; p++)
        queries[KIN_TILE_QUERIES].pairs[p] = _mm256_setzero_si256();
    queries[KIN_TILE_QUERIES].limit = _mm256_set1_epi16(INT16_MIN);
}

/// Loads 16 rows as pairs. Lane 2 i is row i, lane 2 i + 1 is row 8 + i: one shift and one blend per register. Returns
/// floor(sum of u (u - 64) / 2) for each row.
KIN_AVX2 KIN_INLINE __m256i load_rows(const uint8_t *codes, size_t groups, __m256i *pairs) {
    __m256i leading_bits = _mm256_set1_epi8(0x3F);
    __m256i square = _mm256_setzero_si256();
    for (size_t g = 0; g < groups; g++) {
        __m256i a = _mm256_load_si256((const __m256i *)(codes + g * 256));
        __m256i b = _mm256_load_si256((const __m256i *)(codes + g * 256 + 32));
        __m256i low = _mm256_blend_epi16(a, _mm256_slli_epi32(b, 16), 0xAA);
        __m256i high = _mm256_blend_epi16(_mm256_srli_epi32(a, 16), b, 0xAA);
        pairs[2 * g] = _mm256_and_si256(_mm256_srli_epi16(low, 2), leading_bits);
        pairs[2 * g + 1] = _mm256_and_si256(_mm256_srli_epi16(high, 2), leading_bits);
        for (size_t p = 2 * g; p < 2 * g + 2; p++) {
            __m256i shifted = _mm256_sub_epi8(pairs[p], _mm256_set1_epi8(64));
            square = _mm256_add_epi16(square, _mm256_maddubs_epi16(pairs[p], shifted));
        }
    }
    return _mm256_srai_epi16(square, 1);
}

/// All ones in the lanes of the rows that fail.
KIN_AVX2 KIN_INLINE __m256i failing(const tile_query *query, const __m256i *pairs, size_t groups, __m256i term) {
    __m256i sum = term;
    for (size_t p = 0; p < 2 * groups; p++)
        sum = _mm256_add_epi16(sum, _mm256_maddubs_epi16(pairs[p], query->pairs[p]));
    return _mm256_cmpgt_epi16(sum, query->limit);
}

/// The rows that passed, row i at bit i.
KIN_AVX2 KIN_INLINE uint64_t passing_rows(__m256i fail) {
    unsigned first = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(fail, 16)));
    unsigned second = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(fail));
    return ~(first | second << 8) & 0xFFFF;
}

KIN_AVX2 KIN_INLINE void screen_rows(const uint8_t *codes, size_t groups, int squared, const tile_query *queries,
                                     uint64_t chosen, unsigned shift, kin_marks *marks) {
    __m256i pairs[8];
    __m256i term = load_rows(codes, groups, pairs);
    if (!squared)
        term = _mm256_setzero_si256();
    while (chosen != 0) {
        size_t numbers[QUERIES_AT_ONCE];
        __m256i fail[QUERIES_AT_ONCE];
        for (size_t i = 0; i < QUERIES_AT_ONCE; i++)
            fail[i] = failing(&queries[numbers[i] = kin_next_query(&chosen)], pairs, groups, term);
        __m256i all = _mm256_and_si256(_mm256_and_si256(fail[0], fail[1]), _mm256_and_si256(fail[2], fail[3]));
        if (__builtin_expect(_mm256_movemask_epi8(all) == -1, 1))
            continue;
        for (size_t i = 0; i < QUERIES_AT_ONCE; i++) {
            uint64_t rows = passing_rows(fail[i]);
            if (rows != 0)
                kin_mark(marks, numbers[i], rows << shift);
        }
    }
}

KIN_AVX2 KIN_INLINE void screen_block(const uint8_t *codes, size_t groups, int squared, const tile_query *queries,
                                      uint64_t chosen, kin_marks *marks) {
    for (unsigned first = 0; first < KIN_BLOCK_ROWS; first += ROWS)
        screen_rows(codes + 4 * first, groups, squared, queries, chosen, first, marks);
}

#include "tile_template.h"

#endif
