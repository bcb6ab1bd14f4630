// levels.h: declarations and small functions shared by all files of this target.
//
// The files of each instruction set replace functions in a table that contains the functions of the level below it;
// serial.c is the lowest level. dispatch.c builds the tables.

#ifndef KIN_LEVELS_H
#define KIN_LEVELS_H

#include "kin_kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A fused multiply-add rounds once, the reference twice: with it the levels would differ in the last bit.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#define KIN_INLINE static inline __attribute__((always_inline, unused))

/// Declares a function of a level that has the type of a member of the table.
#define KIN_DECLARE(member, function) __typeof__(*((kin_kernels *)0)->member) function

/// The distance in bytes of prefetches in a scan: the CPU's own prefetchers stop at the end of a page.
enum { KIN_PAGE = 4096 };

/// The names of the levels, lowest first; KIN_SIMD accepts them. Everything else about a level is in dispatch.c.
#if defined(__x86_64__)
#define KIN_LEVELS(LEVEL) LEVEL(serial) LEVEL(avx2) LEVEL(avxvnni) LEVEL(avx512vnni)
#elif defined(__aarch64__)
#define KIN_LEVELS(LEVEL) LEVEL(serial) LEVEL(neon) LEVEL(neondot) LEVEL(neoni8mm)
#else
#define KIN_LEVELS(LEVEL) LEVEL(serial)
#endif

/// kin_overlay_NAME: sets the functions that the level NAME has; the serial level has all of them.
#define KIN_OVERLAY(name) void kin_overlay_##name(kin_kernels *table);
KIN_LEVELS(KIN_OVERLAY)
#undef KIN_OVERLAY

/// Replaces the checksum by the CPU's instruction (SSE4.2, ARM CRC32).
void kin_overlay_crc32c(kin_kernels *table);

/// A limit clamped to the range of the sums that it is compared with; at the ends the comparison has the same result as
/// beyond them.
KIN_INLINE int32_t kin_clamp(int64_t limit, int32_t least, int32_t most) {
    return (int32_t)(limit < least ? least : limit > most ? most : limit);
}

/// The shift of the sums in a level that multiplies codes as stored (slabs_template.h): none.
KIN_INLINE int64_t kin_no_shift(const kin_screen_job *job, size_t query, size_t groups) {
    (void)job;
    (void)query;
    (void)groups;
    return 0;
}

/// The number of groups between two tests of whether any row of the block can still pass. The sums only grow, so a
/// block ends once all its rows are too far. Of 28 groups, on coordinates ordered by variance, that is usually after
/// the first 8 or 12.
enum { KIN_GROUPS_AT_A_TIME = 4 };

/// The largest squared distance between codes that passes `screen_blocks`.
KIN_INLINE int64_t kin_most_squared(const int8_t *weights, size_t groups, int32_t limit) {
    int64_t square = 0;
    for (size_t j = 0; j < 4 * groups; j++)
        square += (128 - weights[j]) * (128 - weights[j]);
    return 2 * (int64_t)limit + 1 + square;
}

/// The grid for coding a query, for a number of leading bits of the codes.
typedef struct {
    double origin, step, lowest, highest, middle;
} kin_reading;

KIN_INLINE kin_reading kin_reading_of(uint32_t bits) {
    return bits == 8 ? (kin_reading){0, 1, 1, 255, 128} : (kin_reading){1.5, 0.25, 0, 63, 32};
}

/// The sum of eight lanes in the order that `distances` and `encode` guarantee.
KIN_INLINE double kin_sum_lanes(const double lane[8]) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// The cosine distance from <x, q>, <x, x> and <q, q>. One root of the product, not two roots: then x = q gives exactly
/// 0, because the root of a rounded square is the number that was squared.
KIN_INLINE double kin_cosine_distance(double dot, double row_square, double query_square) {
    double distance = 1 - dot / sqrt(row_square * query_square);
    return distance < 0 ? 0 : distance > 2 ? 2 : distance;
}

/// The smallest float that is at least x >= 0.
KIN_INLINE float kin_float_above(double x) {
    if (x > FLT_MAX)
        return INFINITY;
    float rounded = (float)x;
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    // The next larger float: positive floats have the same order as their bits. An addition instead of a branch,
    // because the direction of the conversion's rounding is unpredictable.
    bits += (double)rounded < x;
    memcpy(&rounded, &bits, sizeof bits);
    return rounded;
}

/// An upper bound on ||T - c|| from the computed sum of (t - c)^2 over the computed coordinates t. T are the exact
/// scaled coordinates (x - offset) / scale, and c the centres of their codes.
///
/// Let e = 2^-53 and d be the number of dimensions. t has two roundings, so |t - T| <= 2.01 e |T| and |T| <= |T - c| +
/// 256. The computed sum has d/8 + 6 relative roundings, its root half of them and one more. For a normalised row the
/// computed |x| has d/16 + 3 roundings, each coordinate of x / |x| one more, and their vector has length 1. So T moves
/// by at most (d/16 + 4.01) e / scale. Each term below is at least twice that.
KIN_INLINE float kin_error_bound(double sum, size_t dimension, int normalise, double scale) {
    double d = (double)dimension;
    double relative = (d + 8) * DBL_EPSILON;
    double absolute = 256 * d * DBL_EPSILON + (normalise ? relative / scale : 0);
    return kin_float_above(sqrt(sum) * (1 + relative) + absolute);
}

#endif
