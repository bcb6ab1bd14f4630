// avx512vnni.c: the AVX-512 level with VNNI: 8-bit codes.
//
// vpdpbusd adds four products of an unsigned and a signed byte to each 32-bit lane. In the blocks' layout a lane is a
// row and its bytes are four dimensions, so a code is multiplied as stored.
//
// In up to 16 dimensions a block of 64 rows fills 16 registers, and its row terms four. A query then starts four sums
// at (term - limit - 1) and adds its products, and a row passes if its sum is negative. The sign bits of two queries
// are or-ed and tested by one branch that is rarely taken.

#if defined(__x86_64__)

#include "avx512.h"
#include "hits.h"

#define TARGET KIN_AVX512VNNI
#define LEVEL(name) kin_avx512vnni_##name

enum { SLAB_GROUPS = 16, STEP = 4, LEFT_STEP = 1, QUERIES_AT_ONCE = 2 };

/// Adds u (u - 256) of four dimensions: u (u - 128) - 128 u, as u - 128 in a signed byte is u with its top bit flipped.
KIN_AVX512VNNI KIN_INLINE __m512i add_square(__m512i sum, __m512i u) {
    __m512i minus128 = _mm512_set1_epi8(-128);
    return _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(sum, u, _mm512_xor_si512(u, minus128)), u, minus128);
}

// MARK: - Up to 16 dimensions

#define sum_shift kin_no_shift

#include "byte_tile.h"

KIN_AVX512VNNI KIN_INLINE void mark_negative(const __m512i *sums, size_t query, kin_marks *marks) {
    uint64_t rows = 0;
    for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
        rows |= (uint64_t)_mm512_movepi32_mask(sums[v]) << (v * KIN_ZMM_ROWS);
    if (rows != 0)
        kin_mark(marks, query, rows);
}

/// Compares one block with the chosen queries of the tile.
KIN_AVX512VNNI KIN_INLINE void screen_block(const uint8_t *codes, size_t groups, int squared, const tile_query *queries,
                                            uint64_t chosen, kin_marks *marks) {
    __m512i rows[4][KIN_BLOCK_ZMMS], terms[KIN_BLOCK_ZMMS];
    for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++) {
        terms[v] = _mm512_setzero_si512();
        for (size_t g = 0; g < groups; g++) {
            rows[g][v] = _mm512_load_si512(codes + g * 256 + v * 64);
            if (squared)
                terms[v] = add_square(terms[v], rows[g][v]);
        }
        terms[v] = _mm512_srai_epi32(terms[v], 1);
    }
    while (chosen != 0) {
        size_t numbers[QUERIES_AT_ONCE];
        __m512i sums[QUERIES_AT_ONCE][KIN_BLOCK_ZMMS], any = _mm512_setzero_si512();
        for (size_t i = 0; i < QUERIES_AT_ONCE; i++) {
            const tile_query *query = &queries[numbers[i] = kin_next_query(&chosen)];
            __m512i limit = _mm512_set1_epi32(query->limit);
            for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
                sums[i][v] = _mm512_sub_epi32(terms[v], limit);
            for (size_t g = 0; g < groups; g++) {
                __m512i weights = kin_avx512_four_of(query->weights + 4 * g);
                for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
                    sums[i][v] = _mm512_dpbusd_epi32(sums[i][v], rows[g][v], weights);
            }
            any = _mm512_ternarylogic_epi32(any, sums[i][0], sums[i][1], 0xFE); // a | b | c
            any = _mm512_ternarylogic_epi32(any, sums[i][2], sums[i][3], 0xFE);
        }
        if (__builtin_expect(_mm512_movepi32_mask(any) == 0, 1))
            continue;
        for (size_t i = 0; i < QUERIES_AT_ONCE; i++)
            mark_negative(sums[i], numbers[i], marks);
    }
}

#include "tile_template.h"

// MARK: - Any dimension

KIN_AVX512VNNI static const uint8_t *load_slab(const uint8_t *codes, size_t groups, uint8_t *slab, int32_t *squares) {
    (void)slab; // the codes are multiplied in place
    if (squares == NULL)
        return codes;
    for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++) {
        __m512i square = _mm512_load_si512(squares + v * KIN_ZMM_ROWS);
        for (size_t g = 0; g < groups; g++)
            square = add_square(square, _mm512_load_si512(codes + g * 256 + v * 64));
        _mm512_store_si512(squares + v * KIN_ZMM_ROWS, square);
    }
    return codes;
}

KIN_AVX512VNNI KIN_INLINE void add_products(const uint8_t *slab, size_t groups, const int8_t *const *weights,
                                            size_t offset, size_t queries, int first, int32_t *const *sums) {
    __m512i products[STEP][KIN_BLOCK_ZMMS];
    for (size_t q = 0; q < queries; q++)
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            products[q][v] = first ? _mm512_setzero_si512() : _mm512_load_si512(sums[q] + v * KIN_ZMM_ROWS);
    for (size_t g = 0; g < groups; g++) {
        __m512i rows[KIN_BLOCK_ZMMS];
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            rows[v] = _mm512_load_si512(slab + g * 256 + v * 64);
        for (size_t q = 0; q < queries; q++) {
            __m512i weight = kin_avx512_four_of(weights[q] + offset + 4 * g);
            for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
                products[q][v] = _mm512_dpbusd_epi32(products[q][v], rows[v], weight);
        }
    }
    for (size_t q = 0; q < queries; q++)
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            _mm512_store_si512(sums[q] + v * KIN_ZMM_ROWS, products[q][v]);
}

#define passing kin_avx512_passing

#include "lanes_template.h"
#include "slabs_template.h"

KIN_AVX512VNNI static size_t screen(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    return job->groups <= 4 ? LEVEL(screen_tile)(job, block, hits, capacity) : screen_slabs(job, block, hits, capacity);
}

void kin_overlay_avx512vnni(kin_kernels *table) {
    table->code_bits = 8;
    table->screen = screen;
    table->screen_blocks = kin_avx512vnni_screen_blocks;
    table->box_bounds = kin_avx512vnni_box_bounds;
    table->box_products = kin_avx512vnni_box_products;
    overlay_lanes(table);
}

#endif
