// avx2.c: the AVX2 level: 6-bit codes, any dimension, and the functions of the table.
//
// vpmaddubsw multiplies 32 codes by 32 weights and adds the products in pairs, saturating at 16 bits. With 6-bit codes
// and |w| <= 32 a pair is at most 2 * 63 * 32 = 4032, so eight groups of dimensions fit (8 * 4032 = 32256) before
// vpmaddwd widens them. In a slab, a 32-bit lane is a row and its four bytes are four dimensions, in their stored
// order.

#if defined(__x86_64__)

#include "avx2.h"

#define TARGET KIN_AVX2

enum { SLAB_GROUPS = 8, STEP = 2, LEFT_STEP = 1, VECTORS = KIN_BLOCK_ROWS / 8, HALF = VECTORS / 2 };

KIN_AVX2 static const uint8_t *load_slab(const uint8_t *codes, size_t groups, uint8_t *slab, int32_t *squares) {
    for (size_t v = 0; v < VECTORS; v++) {
        __m256i square = _mm256_setzero_si256();
        for (size_t g = 0; g < groups; g++) {
            __m256i code = _mm256_load_si256((const __m256i *)(codes + g * 256 + v * 32));
            __m256i u = _mm256_and_si256(_mm256_srli_epi16(code, 2), _mm256_set1_epi8(0x3F));
            _mm256_store_si256((__m256i *)(slab + g * 256 + v * 32), u);
            __m256i shifted = _mm256_sub_epi8(u, _mm256_set1_epi8(64));
            square = _mm256_add_epi16(square, _mm256_maddubs_epi16(u, shifted)); // at least 8 * 2 * -1024
        }
        if (squares != NULL) {
            __m256i *sum = (__m256i *)(squares + v * 8);
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(square, _mm256_set1_epi16(1)));
        }
    }
    return slab;
}

/// Half a block (32 rows in four registers) and up to two queries at a time: eight sums in registers.
KIN_AVX2 KIN_INLINE void add_products(const uint8_t *slab, size_t groups, const int8_t *const *weights, size_t offset,
                                      size_t queries, int first, int32_t *const *sums) {
    for (size_t half = 0; half < VECTORS; half += HALF) {
        __m256i products[STEP][HALF];
        for (size_t q = 0; q < queries; q++)
            for (size_t v = 0; v < HALF; v++)
                products[q][v] = _mm256_setzero_si256();
        for (size_t g = 0; g < groups; g++) {
            const __m256i *rows = (const __m256i *)(slab + g * 256 + half * 32);
            for (size_t q = 0; q < queries; q++) {
                __m256i weight = kin_four_of(weights[q] + offset + 4 * g);
                for (size_t v = 0; v < HALF; v++)
                    products[q][v] = _mm256_add_epi16(products[q][v], _mm256_maddubs_epi16(rows[v], weight));
            }
        }
        for (size_t q = 0; q < queries; q++) {
            __m256i *sum = (__m256i *)(sums[q] + half * 8);
            for (size_t v = 0; v < HALF; v++) {
                __m256i wide = _mm256_madd_epi16(products[q][v], _mm256_set1_epi16(1));
                sum[v] = first ? wide : _mm256_add_epi32(sum[v], wide);
            }
        }
    }
}

#define sum_shift kin_no_shift

#define passing kin_passing

#include "lanes_template.h"
#include "slabs_template.h"

KIN_AVX2 static size_t screen(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    if (job->queries == 1 && job->chosen == NULL)
        return kin_avx2_screen_one(job, block, hits, capacity);
    if (job->groups <= 4)
        return kin_avx2_screen_tile(job, block, hits, capacity);
    return screen_slabs(job, block, hits, capacity);
}

void kin_overlay_avx2(kin_kernels *table) {
    table->code_bits = 6;
    table->screen = screen;
    table->screen_blocks = kin_avx2_screen_blocks;
    table->bounds_within = kin_avx2_bounds_within;
    table->box_bounds = kin_avx2_box_bounds;
    table->box_products = kin_avx2_box_products;
    overlay_lanes(table);
    kin_overlay_crc32c(table);
}

#endif
