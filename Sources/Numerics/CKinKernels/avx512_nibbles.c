// avx512_nibbles.c: one query against four-bit codes, AVX-512: a register holds a dimension of a whole block.

#if defined(__x86_64__)

#include "avx512.h"

#define TARGET KIN_AVX512
#define LEVEL(name) kin_avx512_##name

KIN_AVX512 KIN_INLINE __m512i terms_of(const uint8_t *table) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)table));
}

KIN_AVX512 KIN_INLINE uint64_t sum_pairs(const uint8_t *nibbles, const uint8_t *table, size_t pairs, uint8_t limit) {
    __m512i low_half = _mm512_set1_epi8(15), even = _mm512_setzero_si512(), odd = even;
#pragma GCC unroll 8
    for (size_t p = 0; p < pairs; p++) {
        const uint8_t *line = nibbles + p * KIN_BLOCK_ROWS;
        __builtin_prefetch(line + KIN_PAGE);
        __m512i codes = _mm512_load_si512(line);
        __m512i low = _mm512_and_si512(codes, low_half);
        __m512i high = _mm512_and_si512(_mm512_srli_epi16(codes, 4), low_half);
        even = _mm512_adds_epu8(even, _mm512_shuffle_epi8(terms_of(table + 32 * p), low));
        odd = _mm512_adds_epu8(odd, _mm512_shuffle_epi8(terms_of(table + 32 * p + 16), high));
    }
    return _mm512_cmple_epu8_mask(_mm512_adds_epu8(even, odd), _mm512_set1_epi8((char)limit));
}

#include "nibbles_template.h"

#endif
