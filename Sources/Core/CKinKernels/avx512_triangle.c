// avx512_triangle.c: the AVX-512 product of rows with a triangle in 16 bits.
//
// A block of 16 columns is one register. Two blocks and six rows meet, twelve sums in registers; with an odd number of
// blocks the first, whose columns are the shortest, is alone. VNNI is of no use here: its product of 16 bits runs on
// one port where the multiplication and the addition have two.

#if defined(__x86_64__)

#include "avx2.h"
#include "avx512.h"

#define TARGET KIN_AVX512
#define LEVEL(name) kin_avx512_##name

enum { ROWS = 6, TWO = 2 };

KIN_AVX512 KIN_INLINE void sum_of_squares(const double *row, const double *factors, size_t n, double lanes[8]) {
    __m512d sum = _mm512_setzero_pd();
    for (size_t j = 0; j < n; j += 8) {
        __m512d z = _mm512_mul_pd(_mm512_loadu_pd(row + j), _mm512_loadu_pd(factors + j));
        sum = _mm512_add_pd(sum, _mm512_mul_pd(z, z));
    }
    _mm512_storeu_pd(lanes, sum);
}

/// The sum of sixteen lanes: halves, then halves of these, and so on.
KIN_AVX512 KIN_INLINE float add_sixteen(__m512 sixteen) {
    __m256d high = _mm512_extractf64x4_pd(_mm512_castps_pd(sixteen), 1);
    return kin_avx2_add_eight(_mm256_add_ps(_mm512_castps512_ps256(sixteen), _mm256_castpd_ps(high)));
}

/// Adds the products with some pairs of rows of `blocks` blocks.
KIN_AVX512 KIN_INLINE void add_products(const kin_triangle_job *job, kin_triangle_shape shape, size_t block,
                                        size_t blocks, size_t first, size_t end, __m512i y[ROWS][TWO]) {
    const int16_t *weights = job->weights + block * shape.pairs * 32;
    for (size_t pair = first; pair < end; pair++) {
        __m512i columns[TWO];
        for (size_t b = 0; b < blocks; b++)
            columns[b] = _mm512_loadu_si512(weights + (b * shape.pairs + pair) * 32);
#pragma GCC unroll 6
        for (size_t r = 0; r < ROWS; r++) {
            __m512i code = kin_avx512_four_of(job->codes + 2 * (r * shape.pairs + pair));
            for (size_t b = 0; b < blocks; b++)
                y[r][b] = _mm512_add_epi32(y[r][b], _mm512_madd_epi16(columns[b], code));
        }
    }
}

/// Adds the squares of the products with one or two blocks to those of the blocks before.
KIN_AVX512 KIN_INLINE void add_blocks(const kin_triangle_job *job, kin_triangle_shape shape, size_t block,
                                      size_t blocks, __m512 squares[ROWS]) {
    __m512i y[ROWS][TWO];
    for (size_t r = 0; r < ROWS; r++)
        y[r][0] = y[r][1] = _mm512_setzero_si512();
    size_t end = kin_triangle_end(shape, block);
    add_products(job, shape, block, blocks, 0, end, y);
    if (blocks == TWO) {
        __m512i second[ROWS][TWO];
        for (size_t r = 0; r < ROWS; r++)
            second[r][0] = y[r][1];
        add_products(job, shape, block + 1, 1, end, kin_triangle_end(shape, block + 1), second);
        for (size_t r = 0; r < ROWS; r++)
            y[r][1] = second[r][0];
    }
    for (size_t b = 0; b < blocks; b++)
        for (size_t r = 0; r < ROWS; r++) {
            __m512 number = _mm512_cvtepi32_ps(y[r][b]);
            squares[r] = _mm512_add_ps(squares[r], _mm512_mul_ps(number, number));
        }
}

KIN_AVX512 KIN_INLINE void square_products(const kin_triangle_job *job, kin_triangle_shape shape, float sums[ROWS]) {
    __m512 squares[ROWS];
    for (size_t r = 0; r < ROWS; r++)
        squares[r] = _mm512_setzero_ps();
    size_t alone = shape.blocks % TWO;
    if (alone)
        add_blocks(job, shape, 0, 1, squares);
    for (size_t b = alone; b < shape.blocks; b += TWO)
        add_blocks(job, shape, b, TWO, squares);
    for (size_t r = 0; r < ROWS; r++)
        sums[r] = add_sixteen(squares[r]);
}

#define code_eight kin_avx2_code_eight

#include "triangle_template.h"

#endif
