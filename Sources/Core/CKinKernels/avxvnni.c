// avxvnni.c: the AVX2 level with VNNI (AVX-VNNI, on CPUs without AVX-512): 8-bit codes; like avx512vnni.c, with
// registers of eight rows.
//
// In up to 16 dimensions 16 rows fill eight registers and their terms two; two queries have four sums.

#if defined(__x86_64__)

#include "avx2.h"
#include "hits.h"

#define TARGET KIN_AVXVNNI
#define LEVEL(name) kin_avxvnni_##name

enum { SLAB_GROUPS = 16, STEP = 2, LEFT_STEP = 1, VECTORS = KIN_BLOCK_ROWS / 8, PART = 2, QUERIES_AT_ONCE = 2 };

/// Adds u (u - 256) of four dimensions: u (u - 128) - 128 u, as u - 128 in a signed byte is u with its top bit flipped.
KIN_AVXVNNI KIN_INLINE __m256i add_square(__m256i sum, __m256i u) {
    __m256i minus128 = _mm256_set1_epi8(-128);
    sum = _mm256_dpbusd_avx_epi32(sum, u, _mm256_xor_si256(u, minus128));
    return _mm256_dpbusd_avx_epi32(sum, u, minus128);
}

/// The signs of 16 rows' sums.
KIN_AVXVNNI KIN_INLINE uint64_t negative(const __m256i *sums) {
    uint64_t low = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(sums[0]));
    return low | (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(sums[1])) << 8;
}

// MARK: - Up to 16 dimensions

#define sum_shift kin_no_shift

#include "byte_tile.h"

/// Compares one block with the chosen queries of the tile, 16 rows at a time.
KIN_AVXVNNI KIN_INLINE void screen_block(const uint8_t *codes, size_t groups, int squared, const tile_query *queries,
                                         uint64_t chosen, kin_marks *marks) {
    for (size_t first = 0; first < VECTORS; first += PART) {
        __m256i rows[4][PART], terms[PART];
        for (size_t v = 0; v < PART; v++) {
            terms[v] = _mm256_setzero_si256();
            for (size_t g = 0; g < groups; g++) {
                rows[g][v] = _mm256_load_si256((const __m256i *)(codes + g * 256 + (first + v) * 32));
                if (squared)
                    terms[v] = add_square(terms[v], rows[g][v]);
            }
            terms[v] = _mm256_srai_epi32(terms[v], 1);
        }
        for (uint64_t rest = chosen; rest != 0;) {
            size_t numbers[QUERIES_AT_ONCE];
            __m256i sums[QUERIES_AT_ONCE][PART], any = _mm256_setzero_si256();
            for (size_t i = 0; i < QUERIES_AT_ONCE; i++) {
                const tile_query *query = &queries[numbers[i] = kin_next_query(&rest)];
                __m256i limit = _mm256_set1_epi32(query->limit);
                for (size_t v = 0; v < PART; v++)
                    sums[i][v] = _mm256_sub_epi32(terms[v], limit);
                for (size_t g = 0; g < groups; g++) {
                    __m256i weights = kin_avx2_four_of(query->weights + 4 * g);
                    for (size_t v = 0; v < PART; v++)
                        sums[i][v] = _mm256_dpbusd_avx_epi32(sums[i][v], rows[g][v], weights);
                }
                any = _mm256_or_si256(any, _mm256_or_si256(sums[i][0], sums[i][1]));
            }
            if (__builtin_expect(_mm256_movemask_ps(_mm256_castsi256_ps(any)) == 0, 1))
                continue;
            for (size_t i = 0; i < QUERIES_AT_ONCE; i++) {
                uint64_t passed = negative(sums[i]) << (first * 8);
                if (passed != 0)
                    kin_mark(marks, numbers[i], passed);
            }
        }
    }
}

#include "tile_template.h"

// MARK: - Any dimension

KIN_AVXVNNI static const uint8_t *load_slab(const uint8_t *codes, size_t groups, uint8_t *slab, int32_t *squares) {
    (void)slab; // the codes are multiplied in place
    if (squares == NULL)
        return codes;
    for (size_t v = 0; v < VECTORS; v++) {
        __m256i square = _mm256_load_si256((const __m256i *)(squares + v * 8));
        for (size_t g = 0; g < groups; g++)
            square = add_square(square, _mm256_load_si256((const __m256i *)(codes + g * 256 + v * 32)));
        _mm256_store_si256((__m256i *)(squares + v * 8), square);
    }
    return codes;
}

/// Half a block (four registers) and up to two queries at a time: eight sums in registers.
KIN_AVXVNNI KIN_INLINE void add_products(const uint8_t *slab, size_t groups, const int8_t *const *weights,
                                         size_t offset, size_t queries, int first, int32_t *const *sums) {
    enum { HALF = VECTORS / 2 };
    for (size_t half = 0; half < VECTORS; half += HALF) {
        __m256i products[STEP][HALF];
        for (size_t q = 0; q < queries; q++)
            for (size_t v = 0; v < HALF; v++)
                products[q][v] =
                    first ? _mm256_setzero_si256() : _mm256_load_si256((const __m256i *)(sums[q] + (half + v) * 8));
        for (size_t g = 0; g < groups; g++) {
            const __m256i *rows = (const __m256i *)(slab + g * 256 + half * 32);
            for (size_t q = 0; q < queries; q++) {
                __m256i weight = kin_avx2_four_of(weights[q] + offset + 4 * g);
                for (size_t v = 0; v < HALF; v++)
                    products[q][v] = _mm256_dpbusd_avx_epi32(products[q][v], rows[v], weight);
            }
        }
        for (size_t q = 0; q < queries; q++)
            for (size_t v = 0; v < HALF; v++)
                _mm256_store_si256((__m256i *)(sums[q] + (half + v) * 8), products[q][v]);
    }
}

#define passing kin_avx2_passing

#include "slabs_template.h"

KIN_AVXVNNI static size_t screen(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    return job->groups <= 4 ? LEVEL(screen_tile)(job, block, hits, capacity) : screen_slabs(job, block, hits, capacity);
}

// MARK: - Chosen blocks

/// The rows of a block within the limit; as in avx512vnni_blocks.c.
KIN_AVXVNNI KIN_INLINE uint64_t rows_within(const uint8_t *codes, const int8_t *weights, size_t groups, int32_t most) {
    __m256i limit = _mm256_set1_epi32(most), sums[VECTORS];
    for (size_t v = 0; v < VECTORS; v++)
        sums[v] = _mm256_setzero_si256();
    for (size_t g = 0; g < groups; g++) {
        if (g > 0 && g % KIN_GROUPS_AT_A_TIME == 0 && kin_avx2_within(sums, limit) == 0)
            return 0;
        __m256i centre = _mm256_sub_epi8(_mm256_set1_epi8(-128), kin_avx2_four_of(weights + 4 * g));
        for (size_t v = 0; v < VECTORS; v++) {
            __m256i u = _mm256_load_si256((const __m256i *)(codes + g * 4 * KIN_BLOCK_ROWS + 32 * v));
            __m256i gap = _mm256_or_si256(_mm256_subs_epu8(u, centre), _mm256_subs_epu8(centre, u));
            gap = _mm256_min_epu8(gap, _mm256_set1_epi8(127));
            sums[v] = _mm256_dpbusd_avx_epi32(sums[v], gap, gap);
        }
    }
    return kin_avx2_within(sums, limit);
}

#include "blocks_template.h"

void kin_overlay_avxvnni(kin_kernels *table) {
    table->code_bits = 8;
    table->screen = screen;
    table->screen_blocks = LEVEL(screen_blocks);
}

#endif
