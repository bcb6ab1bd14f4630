// lanes_template.h: the functions in double precision, for every level: include it after defining
//
//     TARGET        the function attribute of the level
//
// Written with the compilers' vector types, eight lanes wide, so that one source fits registers of 2, 4 and 8 doubles.
// Additions are in the same order as in serial.c, so the results are bit-identical.

#include "levels.h"

typedef double lanes_f64 __attribute__((vector_size(64)));
typedef int64_t lanes_i64 __attribute__((vector_size(64)));
typedef float lanes_f32 __attribute__((vector_size(32)));
typedef uint8_t lanes_u8 __attribute__((vector_size(8)));
typedef int32_t lanes_i32 __attribute__((vector_size(64)));
typedef int32_t narrow_i32 __attribute__((vector_size(32)));
typedef double half_f64 __attribute__((vector_size(32)));
typedef double quarter_f64 __attribute__((vector_size(16)));

// Vectors are passed by address: by value, the calling convention would depend on the instruction set.

TARGET KIN_INLINE void load_lanes(const float *from, lanes_f64 *lanes) {
    lanes_f32 floats;
    memcpy(&floats, from, sizeof floats);
    *lanes = __builtin_convertvector(floats, lanes_f64);
}

/// The sum ((0+4)+(2+6)) + ((1+5)+(3+7)), as kin_sum_lanes.
TARGET KIN_INLINE double add_lanes(const lanes_f64 *lanes) {
    half_f64 half =
        __builtin_shufflevector(*lanes, *lanes, 0, 1, 2, 3) + __builtin_shufflevector(*lanes, *lanes, 4, 5, 6, 7);
    quarter_f64 quarter = __builtin_shufflevector(half, half, 0, 1) + __builtin_shufflevector(half, half, 2, 3);
    return quarter[0] + quarter[1];
}

// MARK: - Exact distances

enum { PICKS_AHEAD = 8 };

TARGET KIN_INLINE double dot_product(const float *a, const float *b, size_t n) {
    lanes_f64 sum = {0}, x, y;
    for (size_t j = 0; j < n; j += 8) {
        load_lanes(a + j, &x);
        load_lanes(b + j, &y);
        sum += x * y;
    }
    return add_lanes(&sum);
}

TARGET KIN_INLINE double squared_distance(const float *a, const float *b, size_t n) {
    lanes_f64 sum = {0}, x, y;
    for (size_t j = 0; j < n; j += 8) {
        load_lanes(a + j, &x);
        load_lanes(b + j, &y);
        lanes_f64 difference = x - y;
        sum += difference * difference;
    }
    return add_lanes(&sum);
}

TARGET KIN_INLINE void distances_of(kin_metric metric, const float *query, const float *rows, size_t stride,
                                    const uint32_t *picks, size_t n, double *out) {
    double query_square = metric == KIN_COSINE ? dot_product(query, query, stride) : 0;
    for (size_t i = 0; i < n; i++) {
        // Picked rows are scattered in memory: prefetch a row's first lines some rows ahead; the rest follows in order.
        if (picks != NULL && i + PICKS_AHEAD < n) {
            const float *ahead = rows + picks[i + PICKS_AHEAD] * stride;
            __builtin_prefetch(ahead);
            if (stride > 16)
                __builtin_prefetch(ahead + 16);
        }
        const float *row = rows + (picks != NULL ? picks[i] : i) * stride;
        switch (metric) {
        case KIN_SQUARED_L2:
            out[i] = squared_distance(row, query, stride);
            break;
        case KIN_INNER_PRODUCT:
            out[i] = -dot_product(row, query, stride);
            break;
        case KIN_COSINE:
            out[i] = kin_cosine_distance(dot_product(row, query, stride), dot_product(row, row, stride), query_square);
            break;
        }
    }
}

// One copy per metric and, for 16 dimensions, one with the query in registers.
TARGET static void distances(kin_metric metric, const float *query, const float *rows, size_t stride,
                             const uint32_t *picks, size_t n, double *out) {
    switch (metric) {
    case KIN_SQUARED_L2:
        if (stride == 8)
            distances_of(KIN_SQUARED_L2, query, rows, 8, picks, n, out);
        else if (stride == 16)
            distances_of(KIN_SQUARED_L2, query, rows, 16, picks, n, out);
        else
            distances_of(KIN_SQUARED_L2, query, rows, stride, picks, n, out);
        break;
    case KIN_INNER_PRODUCT:
        if (stride == 16)
            distances_of(KIN_INNER_PRODUCT, query, rows, 16, picks, n, out);
        else
            distances_of(KIN_INNER_PRODUCT, query, rows, stride, picks, n, out);
        break;
    case KIN_COSINE:
        distances_of(KIN_COSINE, query, rows, stride, picks, n, out);
        break;
    }
}

// MARK: - Coding

/// Clears all lanes outside a mask.
TARGET KIN_INLINE void keep_lanes(lanes_f64 *x, const lanes_i64 *kept) {
    *x = (lanes_f64)((lanes_i64)*x & *kept);
}

/// Clamps to least ... most; `unchanged` receives the lanes that were within.
TARGET KIN_INLINE void clamp_lanes(lanes_f64 *x, double least, double most, lanes_i64 *unchanged) {
    lanes_f64 low = (lanes_f64){0} + least, high = (lanes_f64){0} + most;
    lanes_i64 below = *x<low, above = *x> high, inside = ~(below | above);
    *x = (lanes_f64)(((lanes_i64)*x & inside) | ((lanes_i64)low & below) | ((lanes_i64)high & above));
    *unchanged = inside;
}

/// The nearest integers, halves to even, of numbers in 0 ... 2^51.
TARGET KIN_INLINE void round_lanes(lanes_f64 *x) {
    lanes_f64 rounder = (lanes_f64){0} + 0x1.8p52;
    *x = (*x + rounder) - rounder;
}

/// The mask of the lanes below `valid`.
TARGET KIN_INLINE void first_lanes(size_t valid, lanes_i64 *lanes) {
    *lanes = (lanes_i64){0, 1, 2, 3, 4, 5, 6, 7} < (lanes_i64){0} + (int64_t)valid;
}

/// Codes eight dimensions of a row and adds their squared errors to both sums. Dimensions from `valid` on do not exist:
/// code 1, error 0.
TARGET KIN_INLINE void code_lanes(const lanes_f64 *t, size_t valid, lanes_u8 *codes, lanes_f64 *sum8, lanes_f64 *sum6) {
    const lanes_f64 rounder = (lanes_f64){0} + 0x1.8p52;
    const lanes_i64 zero = {0};
    lanes_f64 clamped = *t;
    lanes_i64 inside;
    clamp_lanes(&clamped, 1, 255, &inside);
    // 1.5 * 2^52 + u has the integer u in its low bits; without the last two bits it is 1.5 * 2^52 + 4 (u >> 2).
    lanes_i64 shifted = (lanes_i64)(clamped + rounder);
    lanes_f64 u = (lanes_f64)shifted - rounder;
    lanes_f64 centre = ((lanes_f64)(shifted & ~(zero + 3)) - rounder) + 1.5;
    lanes_f64 error8 = *t - u, error6 = *t - centre;
    error8 *= error8;
    error6 *= error6;
    if (valid < 8) {
        lanes_i64 exists;
        first_lanes(valid, &exists);
        shifted = (shifted & exists) | ((zero + 1) & ~exists);
        keep_lanes(&error8, &exists);
        keep_lanes(&error6, &exists);
    }
    *sum8 += error8;
    *sum6 += error6;
    *codes = __builtin_convertvector(shifted & (zero + 0xFF), lanes_u8);
}

/// Codes one row; the codes of group g are written to out + 256 g.
TARGET KIN_INLINE void encode_row(const float *row, size_t dimension, double length, int normalise,
                                  const double *offsets, double scale, uint8_t *out, float *errors) {
    lanes_f64 sum8 = {0}, sum6 = {0}, t, offset;
    for (size_t j = 0; j < dimension; j += 8) {
        size_t valid = dimension - j < 8 ? dimension - j : 8;
        offset = (lanes_f64){0};
        memcpy(&offset, offsets + j, valid < 8 ? valid * sizeof *offsets : sizeof offset);
        load_lanes(row + j, &t);
        if (normalise)
            t /= length;
        t = (t - offset) / scale;
        lanes_u8 codes;
        code_lanes(&t, valid, &codes, &sum8, &sum6);
        memcpy(out + j / 4 * 256, &codes, 4);
        if (valid > 4)
            memcpy(out + (j / 4 + 1) * 256, (const uint8_t *)&codes + 4, 4);
    }
    errors[0] = kin_error_bound(add_lanes(&sum8), dimension, normalise, scale);
    errors[1] = kin_error_bound(add_lanes(&sum6), dimension, normalise, scale);
}

TARGET static void encode(const float *rows, size_t n, size_t stride, size_t dimension, int normalise,
                          const double *offsets, double scale, uint8_t *codes, size_t first_row, float *errors) {
    size_t groups = (dimension + 3) / 4;
    for (size_t i = 0; i < n; i++) {
        const float *row = rows + i * stride;
        size_t position = first_row + i;
        uint8_t *out = codes + position / KIN_BLOCK_ROWS * groups * 256 + position % KIN_BLOCK_ROWS * 4;
        double length = normalise ? sqrt(dot_product(row, row, stride)) : 1;
        if (dimension == 16)
            encode_row(row, 16, length, normalise, offsets, scale, out, errors + 2 * i);
        else
            encode_row(row, dimension, length, normalise, offsets, scale, out, errors + 2 * i);
    }
}

// MARK: - Coding queries

/// Stores one byte per lane, for whole groups of four dimensions. Through 32 bits: AVX2 converts to 64 bits lane by
/// lane.
TARGET KIN_INLINE void store_lanes(const lanes_f64 *x, size_t valid, void *bytes) {
    lanes_u8 low = __builtin_convertvector(__builtin_convertvector(*x, narrow_i32), lanes_u8);
    memcpy(bytes, &low, valid > 4 ? 8 : 4);
}

TARGET KIN_INLINE void code_query_lanes(const float *query, size_t dimension, double length, const double *offsets,
                                        double scale, uint32_t bits, int8_t *weights, double sums[3]) {
    kin_reading reading = kin_reading_of(bits);
    lanes_f64 inner = {0}, outer = {0}, square = {0}, y, offset;
    for (size_t j = 0; j < dimension; j += 8) {
        size_t valid = dimension - j < 8 ? dimension - j : 8;
        offset = (lanes_f64){0};
        memcpy(&offset, offsets + j, valid < 8 ? valid * sizeof *offsets : sizeof offset);
        load_lanes(query + j, &y);
        if (length != 1) // the quotient would be the same, but a division takes as long as all the rest
            y /= length;
        y = ((y - offset) / scale - reading.origin) * reading.step;
        lanes_f64 v = y;
        lanes_i64 inside, outside;
        clamp_lanes(&v, reading.lowest, reading.highest, &inside);
        outside = ~inside;
        round_lanes(&v);
        lanes_f64 r = (y - v) * (y - v);
        if (valid < 8) {
            lanes_i64 exists, missing;
            first_lanes(valid, &exists);
            first_lanes((valid + 3) / 4 * 4, &missing);
            missing &= ~exists;
            lanes_f64 lowest = (lanes_f64){0} + reading.lowest;
            keep_lanes(&r, &exists);
            keep_lanes(&v, &exists);
            keep_lanes(&lowest, &missing);
            v += lowest;
        }
        lanes_f64 kept = r;
        keep_lanes(&kept, &inside);
        keep_lanes(&r, &outside);
        inner += kept;
        outer += r;
        square += v * v;
        lanes_f64 weight = reading.middle - v;
        store_lanes(&weight, valid, weights + j);
    }
    sums[0] = add_lanes(&inner);
    sums[1] = add_lanes(&outer);
    sums[2] = add_lanes(&square);
}

TARGET static void code_query(const float *query, size_t dimension, double length, const double *offsets, double scale,
                              uint32_t bits, int8_t *weights, double sums[3]) {
    if (dimension == 16)
        code_query_lanes(query, 16, length, offsets, scale, bits, weights, sums);
    else
        code_query_lanes(query, dimension, length, offsets, scale, bits, weights, sums);
}

TARGET KIN_INLINE double code_box_query_lanes(const float *query, size_t dimension, const float *offsets, double step,
                                              double slack, uint8_t *above, uint8_t *below) {
    lanes_f64 outer = {0}, t, offset;
    for (size_t j = 0; j < dimension; j += 8) {
        size_t valid = dimension - j < 8 ? dimension - j : 8;
        float padded[8] = {0};
        memcpy(padded, offsets + j, valid * sizeof *offsets);
        load_lanes(padded, &offset);
        load_lanes(query + j, &t);
        t = (t - offset) / step;
        lanes_f64 up = t + slack, down = t - slack, beyond = down - 255, short_of = -up;
        lanes_i64 over = beyond > 0, under = short_of > 0;
        keep_lanes(&beyond, &over);
        keep_lanes(&short_of, &under);
        beyond += short_of;
        lanes_i64 unchanged;
        clamp_lanes(&up, 0, 255, &unchanged);
        clamp_lanes(&down, 0, 255, &unchanged);
        lanes_f64 ceiling = up, floored = down;
        round_lanes(&ceiling);
        round_lanes(&floored);
        // A true comparison is -1.
        ceiling -= __builtin_convertvector(ceiling < up, lanes_f64);
        floored += __builtin_convertvector(floored > down, lanes_f64);
        if (valid < 8) {
            lanes_i64 exists;
            first_lanes(valid, &exists);
            keep_lanes(&beyond, &exists);
            keep_lanes(&ceiling, &exists);
            keep_lanes(&floored, &exists);
        }
        outer += beyond * beyond;
        store_lanes(&ceiling, valid, above + j);
        store_lanes(&floored, valid, below + j);
    }
    return add_lanes(&outer);
}

TARGET static double code_box_query(const float *query, size_t dimension, const float *offsets, double step,
                                    double slack, uint8_t *above, uint8_t *below) {
    if (dimension == 16)
        return code_box_query_lanes(query, 16, offsets, step, slack, above, below);
    return code_box_query_lanes(query, dimension, offsets, step, slack, above, below);
}

// MARK: - Finite numbers

TARGET static size_t first_not_finite(const float *values, size_t n) {
    enum { CHUNK = 1024 };
    const lanes_i32 exponent = (lanes_i32){0} + 0x7F800000;
    size_t i = 0;
    for (; i + CHUNK <= n; i += CHUNK) {
        lanes_i32 found = {0}, bits;
        for (size_t j = 0; j < CHUNK; j += 16) {
            memcpy(&bits, values + i + j, sizeof bits);
            found |= (bits & exponent) == exponent;
        }
        int any = 0;
        for (size_t lane = 0; lane < 16; lane++)
            any |= found[lane];
        if (any)
            break; // the loop below finds which
    }
    for (; i < n; i++)
        if (!isfinite(values[i]))
            return i;
    return n;
}

/// Sets the functions of this file.
static void overlay_lanes(kin_kernels *table) {
    table->distances = distances;
    table->encode = encode;
    table->code_query = code_query;
    table->code_box_query = code_box_query;
    table->first_not_finite = first_not_finite;
}
