// avx2_triangle.c: the AVX2 product of rows with a triangle in 16 bits.
//
// A block of 16 columns is two registers; four rows meet it together, their eight sums in registers.

#if defined(__x86_64__)

#include "avx2.h"

#define TARGET KIN_AVX2
#define LEVEL(name) kin_avx2_##name

enum { ROWS = 4, HALVES = 2 };

KIN_AVX2 KIN_INLINE void sum_of_squares(const double *row, const double *factors, size_t n, double lanes[8]) {
    __m256d low = _mm256_setzero_pd(), high = _mm256_setzero_pd();
    for (size_t j = 0; j < n; j += 8) {
        __m256d a = _mm256_mul_pd(_mm256_loadu_pd(row + j), _mm256_loadu_pd(factors + j));
        __m256d b = _mm256_mul_pd(_mm256_loadu_pd(row + j + 4), _mm256_loadu_pd(factors + j + 4));
        low = _mm256_add_pd(low, _mm256_mul_pd(a, a));
        high = _mm256_add_pd(high, _mm256_mul_pd(b, b));
    }
    _mm256_storeu_pd(lanes, low);
    _mm256_storeu_pd(lanes + 4, high);
}

KIN_AVX2 KIN_INLINE void square_products(const kin_triangle_job *job, kin_triangle_shape shape, float sums[ROWS]) {
    __m256 squares[ROWS][HALVES];
    for (size_t r = 0; r < ROWS; r++)
        squares[r][0] = squares[r][1] = _mm256_setzero_ps();
    for (size_t b = 0; b < shape.blocks; b++) {
        const int16_t *weights = job->weights + b * shape.pairs * 32;
        __m256i y[ROWS][HALVES];
        for (size_t r = 0; r < ROWS; r++)
            y[r][0] = y[r][1] = _mm256_setzero_si256();
        for (size_t pair = 0; pair < kin_triangle_end(shape, b); pair++) {
            const __m256i *two = (const __m256i *)(weights + pair * 32);
            __m256i low = _mm256_loadu_si256(two), high = _mm256_loadu_si256(two + 1);
            for (size_t r = 0; r < ROWS; r++) {
                __m256i code = kin_avx2_four_of(job->codes + 2 * (r * shape.pairs + pair));
                y[r][0] = _mm256_add_epi32(y[r][0], _mm256_madd_epi16(low, code));
                y[r][1] = _mm256_add_epi32(y[r][1], _mm256_madd_epi16(high, code));
            }
        }
        for (size_t r = 0; r < ROWS; r++)
            for (size_t half = 0; half < HALVES; half++) {
                __m256 number = _mm256_cvtepi32_ps(y[r][half]);
                squares[r][half] = _mm256_add_ps(squares[r][half], _mm256_mul_ps(number, number));
            }
    }
    for (size_t r = 0; r < ROWS; r++)
        sums[r] = kin_avx2_add_eight(_mm256_add_ps(squares[r][0], squares[r][1]));
}

#define code_eight kin_avx2_code_eight

#include "triangle_template.h"

#endif
