// avx512.c: the AVX-512 level without VNNI: 6-bit codes, any dimension, and the functions of the table.
//
// Like avx2.c, with 16 rows per register: a slab of a whole block (four registers) passes four queries at a time, 16
// sums in registers. A single query waits for memory, and takes the AVX2 path.

#if defined(__x86_64__)

#include "avx512.h"
#include "avx2.h"

#define TARGET KIN_AVX512

enum { SLAB_GROUPS = 8, STEP = 4, LEFT_STEP = 1 };

KIN_AVX512 static const uint8_t *load_slab(const uint8_t *codes, size_t groups, uint8_t *slab, int32_t *squares) {
    for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++) {
        __m512i square = _mm512_setzero_si512();
        for (size_t g = 0; g < groups; g++) {
            __m512i code = _mm512_load_si512(codes + g * 256 + v * 64);
            __m512i u = _mm512_and_si512(_mm512_srli_epi16(code, 2), _mm512_set1_epi8(0x3F));
            _mm512_store_si512(slab + g * 256 + v * 64, u);
            __m512i shifted = _mm512_sub_epi8(u, _mm512_set1_epi8(64));
            square = _mm512_add_epi16(square, _mm512_maddubs_epi16(u, shifted)); // at least 8 * 2 * -1024
        }
        if (squares != NULL) {
            int32_t *sum = squares + v * KIN_ZMM_ROWS;
            __m512i wide = _mm512_madd_epi16(square, _mm512_set1_epi16(1));
            _mm512_store_si512(sum, _mm512_add_epi32(_mm512_load_si512(sum), wide));
        }
    }
    return slab;
}

KIN_AVX512 KIN_INLINE void add_products(const uint8_t *slab, size_t groups, const int8_t *const *weights, size_t offset,
                                        size_t queries, int first, int32_t *const *sums) {
    __m512i products[STEP][KIN_BLOCK_ZMMS];
    for (size_t q = 0; q < queries; q++)
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            products[q][v] = _mm512_setzero_si512();
    for (size_t g = 0; g < groups; g++) {
        __m512i rows[KIN_BLOCK_ZMMS];
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            rows[v] = _mm512_load_si512(slab + g * 256 + v * 64);
        for (size_t q = 0; q < queries; q++) {
            __m512i weight = kin_avx512_four_of(weights[q] + offset + 4 * g);
            for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
                products[q][v] = _mm512_add_epi16(products[q][v], _mm512_maddubs_epi16(rows[v], weight));
        }
    }
    for (size_t q = 0; q < queries; q++)
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++) {
            int32_t *sum = sums[q] + v * KIN_ZMM_ROWS;
            __m512i wide = _mm512_madd_epi16(products[q][v], _mm512_set1_epi16(1));
            _mm512_store_si512(sum, first ? wide : _mm512_add_epi32(_mm512_load_si512(sum), wide));
        }
}

#define sum_shift kin_no_shift

#define passing kin_avx512_passing

#include "lanes_template.h"
#include "slabs_template.h"

KIN_AVX512 static size_t screen(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    if (job->queries == 1 && job->chosen == NULL && job->sums == NULL)
        return kin_avx2_screen_one(job, block, hits, capacity);
    if (job->groups <= 4)
        return kin_avx512_screen_tile(job, block, hits, capacity);
    return screen_slabs(job, block, hits, capacity);
}

void kin_overlay_avx512(kin_kernels *table) {
    table->code_bits = 6;
    table->screen = screen;
    table->box_bounds = kin_avx512_box_bounds;
    table->box_products = kin_avx512_box_products;
    overlay_lanes(table);
}

#endif
