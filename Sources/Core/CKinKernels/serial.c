// serial.c: the readable reference; every other level gives the same results.

#include "levels.h"

#include <stdlib.h>

// MARK: - Screening

/// The sum floor(sum of u (u - 2^bits) / 2) + sum of u w over one row of a block; without the first term if not
/// squared.
static int64_t screened_sum(const kin_screen_job *job, uint32_t code_bits, size_t block, size_t row, size_t query) {
    int64_t square = 0, product = 0;
    for (size_t group = 0; group < job->groups; group++) {
        const uint8_t *codes = job->codes + (block * job->groups + group) * 4 * KIN_BLOCK_ROWS + 4 * row;
        const int8_t *weights = job->weights + (query * job->groups + group) * 4;
        for (size_t d = 0; d < 4; d++) {
            int64_t u = codes[d] >> (8 - code_bits);
            square += u * (u - (1 << code_bits));
            product += u * weights[d];
        }
    }
    if (!job->squared)
        return product;
    int64_t half = square / 2 - (square % 2 != 0); // floor: the sum is never positive
    return half + product;
}

size_t kin_reference_screen(uint32_t code_bits, const kin_screen_job *job, size_t *block, kin_hit *hits,
                            size_t capacity) {
    size_t count = 0;
    size_t b = *block;
    for (; b < job->end_block && count + job->queries <= capacity; b++) {
        for (size_t query = 0; query < job->queries; query++) {
            if (job->chosen != NULL && (job->chosen[b] >> query & 1) == 0)
                continue;
            uint64_t rows = 0;
            for (size_t row = 0; row < KIN_BLOCK_ROWS; row++) {
                int64_t sum = screened_sum(job, code_bits, b, row, query);
                rows |= (uint64_t)(sum <= job->limits[query]) << row;
            }
            if (rows == 0)
                continue;
            hits[count++] = (kin_hit){.query = (uint32_t)query, .block = (uint32_t)b, .rows = rows};
        }
    }
    *block = b;
    return count;
}

static size_t screen(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    return kin_reference_screen(8, job, block, hits, capacity);
}

static void screen_blocks(const uint8_t *codes, size_t groups, const uint32_t *blocks, size_t n, const int8_t *weights,
                          int32_t limit, uint64_t *rows) {
    int64_t most = kin_most_squared(weights, groups, limit);
    for (size_t i = 0; i < n; i++) {
        rows[i] = 0;
        for (size_t row = 0; row < KIN_BLOCK_ROWS; row++) {
            int64_t sum = 0;
            for (size_t j = 0; j < 4 * groups; j++) {
                int code = codes[((blocks[i] * groups + j / 4) * KIN_BLOCK_ROWS + row) * 4 + j % 4];
                int gap = abs(code - (128 - weights[j]));
                sum += gap > 127 ? 127 * 127 : gap * gap;
            }
            if (sum <= most)
                rows[i] |= (uint64_t)1 << row;
        }
    }
}

// MARK: - Boxes

/// The gap between a query and a box in one dimension, at most 127.
static int gap_of(int low, int high, int above, int below) {
    int to_low = low - above, to_high = below - high;
    int gap = to_low > to_high ? to_low : to_high;
    return gap < 0 ? 0 : gap > 127 ? 127 : gap;
}

static void box_bounds(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks, const uint8_t *above,
                       const uint8_t *below, int32_t *bounds) {
    for (size_t i = 0; i < blocks * KIN_BLOCK_ROWS; i++) {
        int32_t sum = 0;
        for (size_t j = 0; j < 4 * groups; j++) {
            size_t offset = ((i / KIN_BLOCK_ROWS * groups + j / 4) * KIN_BLOCK_ROWS + i % KIN_BLOCK_ROWS) * 4 + j % 4;
            int gap = gap_of(lows[offset], highs[offset], above[j], below[j]);
            sum += gap * gap;
        }
        bounds[i] = sum;
    }
}

static void bounds_within(const int32_t *bounds, size_t n, int32_t limit, uint64_t *within) {
    memset(within, 0, n / 64 * sizeof *within);
    for (size_t i = 0; i < n; i++)
        within[i / 64] |= (uint64_t)(bounds[i] <= limit) << i % 64;
}

static void box_products(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                         const int8_t *low_weights, const int8_t *high_weights, int32_t *sums) {
    for (size_t i = 0; i < blocks * KIN_BLOCK_ROWS; i++) {
        sums[i] = 0;
        for (size_t j = 0; j < 4 * groups; j++) {
            size_t offset = ((i / KIN_BLOCK_ROWS * groups + j / 4) * KIN_BLOCK_ROWS + i % KIN_BLOCK_ROWS) * 4 + j % 4;
            sums[i] += lows[offset] * low_weights[j] + highs[offset] * high_weights[j];
        }
    }
}

// MARK: - Exact distances

static double sum_of_products(const float *a, const float *b, size_t n) {
    double lane[8] = {0};
    for (size_t j = 0; j < n; j++)
        lane[j % 8] += (double)a[j] * (double)b[j];
    return kin_sum_lanes(lane);
}

static double sum_of_squared_differences(const float *a, const float *b, size_t n) {
    double lane[8] = {0};
    for (size_t j = 0; j < n; j++) {
        double difference = (double)a[j] - (double)b[j];
        lane[j % 8] += difference * difference;
    }
    return kin_sum_lanes(lane);
}

static void distances(kin_metric metric, const float *query, const float *rows, size_t stride, const uint32_t *picks,
                      size_t n, double *out) {
    double query_square = metric == KIN_COSINE ? sum_of_products(query, query, stride) : 0;
    for (size_t i = 0; i < n; i++) {
        const float *row = rows + (picks ? picks[i] : i) * stride;
        switch (metric) {
        case KIN_SQUARED_L2:
            out[i] = sum_of_squared_differences(row, query, stride);
            break;
        case KIN_INNER_PRODUCT:
            out[i] = -sum_of_products(row, query, stride);
            break;
        case KIN_COSINE:
            out[i] = kin_cosine_distance(sum_of_products(row, query, stride), sum_of_products(row, row, stride),
                                         query_square);
            break;
        }
    }
}

// MARK: - Coding

/// The nearest integer, halves to even, clamped to 1 ... 255.
static double rounded_code(double t) {
    double clamped = t < 1 ? 1 : t > 255 ? 255 : t;
    return (clamped + 0x1.8p52) - 0x1.8p52; // the addition leaves no bits for a fraction, and so rounds it
}

static void encode(const float *rows, size_t n, size_t stride, size_t dimension, int normalise, const double *offsets,
                   double scale, uint8_t *codes, size_t first_row, float *errors) {
    size_t groups = (dimension + 3) / 4;
    for (size_t i = 0; i < n; i++) {
        const float *row = rows + i * stride;
        size_t position = first_row + i;
        uint8_t *out = codes + position / KIN_BLOCK_ROWS * groups * 4 * KIN_BLOCK_ROWS + position % KIN_BLOCK_ROWS * 4;
        double length = normalise ? sqrt(sum_of_products(row, row, stride)) : 1;
        double lane8[8] = {0}, lane6[8] = {0};
        for (size_t j = 0; j < 4 * groups; j++) {
            uint8_t *code = out + j / 4 * 4 * KIN_BLOCK_ROWS + j % 4;
            *code = 1;
            if (j >= dimension)
                continue;
            double t = ((double)row[j] / length - offsets[j]) / scale;
            double u = rounded_code(t);
            *code = isnan(u) ? 0 : (uint8_t)u; // as the other levels do for rows of a damaged file
            double centre6 = 4 * (double)(*code >> 2) + 1.5;
            lane8[j % 8] += (t - u) * (t - u);
            lane6[j % 8] += (t - centre6) * (t - centre6);
        }
        errors[2 * i] = kin_error_bound(kin_sum_lanes(lane8), dimension, normalise, scale);
        errors[2 * i + 1] = kin_error_bound(kin_sum_lanes(lane6), dimension, normalise, scale);
    }
}

// MARK: - Coding queries

static void code_query(const float *query, size_t dimension, double length, const double *offsets, double scale,
                       uint32_t bits, int8_t *weights, double sums[3]) {
    kin_reading reading = kin_reading_of(bits);
    double inner[8] = {0}, outer[8] = {0}, square[8] = {0};
    for (size_t j = 0; j < dimension; j++) {
        double y = ((query[j] / length - offsets[j]) / scale - reading.origin) * reading.step;
        double clamped = y < reading.lowest ? reading.lowest : y > reading.highest ? reading.highest : y;
        double v = nearbyint(clamped), r = y - v;
        (clamped == y ? inner : outer)[j % 8] += r * r;
        square[j % 8] += v * v;
        weights[j] = (int8_t)(reading.middle - v);
    }
    for (size_t j = dimension; j < (dimension + 3) / 4 * 4; j++) {
        square[j % 8] += reading.lowest * reading.lowest;
        weights[j] = (int8_t)(reading.middle - reading.lowest);
    }
    sums[0] = kin_sum_lanes(inner);
    sums[1] = kin_sum_lanes(outer);
    sums[2] = kin_sum_lanes(square);
}

static double code_box_query(const float *query, size_t dimension, const float *offsets, double step, double slack,
                             uint8_t *above, uint8_t *below) {
    double outer[8] = {0};
    for (size_t j = 0; j < (dimension + 3) / 4 * 4; j++) {
        double t = j < dimension ? ((double)query[j] - (double)offsets[j]) / step : 0;
        double up = t + slack, down = t - slack;
        above[j] = j < dimension ? (uint8_t)ceil(up < 0 ? 0 : up > 255 ? 255 : up) : 0;
        below[j] = j < dimension ? (uint8_t)floor(down < 0 ? 0 : down > 255 ? 255 : down) : 0;
        double beyond = down > 255 ? down - 255 : up < 0 ? -up : 0;
        outer[j % 8] += beyond * beyond;
    }
    return kin_sum_lanes(outer);
}

// MARK: - Scans

static size_t first_not_finite(const float *values, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(values[i]))
            return i;
    return n;
}

static uint32_t crc32c(uint32_t crc, const void *bytes, size_t n) {
    // Entry i is i(x) x^28 modulo the reflected polynomial 0x82F63B78: the result for four bits at the low end.
    static const uint32_t nibble[16] = {
        0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
        0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
    };
    const uint8_t *next = bytes;
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= next[i];
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return ~crc;
}

void kin_overlay_serial(kin_kernels *table) {
    *table = (kin_kernels){
        .code_bits = 8,
        .screen = screen,
        .screen_blocks = screen_blocks,
        .box_bounds = box_bounds,
        .box_products = box_products,
        .bounds_within = bounds_within,
        .distances = distances,
        .encode = encode,
        .code_query = code_query,
        .code_box_query = code_box_query,
        .first_not_finite = first_not_finite,
        .crc32c = crc32c,
    };
}
