// compare_levels.c: compares kernel levels that this CPU may lack, emulated, with the serial reference.
//
// On x86-64 the tables are built here and not by dispatch.c, which would query the CPU. Prints one line per level.
// Exits with 1 at the first difference and names the seed that caused it.

#include "levels.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_BLOCKS = 3, MOST_DIMENSION = 132, ROWS = 150 };

typedef struct {
    uint64_t state;
} generator;

/// SplitMix64 (Steele, Lea and Flood 2014).
static uint64_t draw(generator *random) {
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static int below(generator *random, int bound) {
    return (int)(draw(random) % (uint64_t)bound);
}

static void require(int holds, const char *level, const char *what, uint64_t seed) {
    if (holds)
        return;
    fprintf(stderr, "%s differs from the serial reference in %s, seed %llu\n", level, what, (unsigned long long)seed);
    exit(1);
}

// MARK: - Screening

typedef struct {
    _Alignas(64) uint8_t codes[MOST_BLOCKS * MOST_DIMENSION * KIN_BLOCK_ROWS];
    int8_t weights[KIN_TILE_QUERIES * MOST_DIMENSION];
    int32_t limits[KIN_TILE_QUERIES];
    uint64_t chosen[MOST_BLOCKS];
} screen_input;

/// All hits of all calls, `capacity` at a time.
static size_t screen_all(const kin_kernels *table, uint32_t bits, const kin_screen_job *job, size_t capacity,
                         kin_hit *hits) {
    size_t block = 0, count = 0;
    while (block < job->end_block)
        count += table != NULL ? table->screen(job, &block, hits + count, capacity)
                               : kin_reference_screen(bits, job, &block, hits + count, capacity);
    return count;
}

/// The offset of a code in the block layout of kin_kernels.h.
static size_t code_place(const kin_screen_job *job, size_t block, size_t row, size_t dimension) {
    return (block * job->groups + dimension / 4) * 256 + row * 4 + dimension % 4;
}

/// A limit for row `query` or any row of a block: exactly its sum, one off, or a value that lets all or no rows pass.
static int32_t draw_limit(generator *random, uint32_t bits, const kin_screen_job *job, size_t query) {
    static const int32_t ends[] = {INT32_MAX, INT32_MIN, 32767, -32768, 40000, -40000};
    if (below(random, 4) == 0)
        return ends[below(random, 6)];
    int64_t square = 0, product = 0;
    size_t block = (size_t)below(random, (int)job->end_block);
    size_t row = below(random, 2) ? query : (size_t)below(random, KIN_BLOCK_ROWS);
    for (size_t j = 0; j < 4 * job->groups; j++) {
        int64_t u = job->codes[code_place(job, block, row, j)] >> (8 - bits);
        square += u * (u - (1 << bits));
        product += u * job->weights[query * 4 * job->groups + j];
    }
    return (int32_t)((job->squared ? square >> 1 : 0) + product) + below(random, 3) - 1;
}

static void compare_screens(const kin_kernels *table, size_t groups, size_t queries, uint64_t seed) {
    static screen_input input;
    enum { MOST_HITS = MOST_BLOCKS * KIN_TILE_QUERIES };
    static kin_hit expected[MOST_HITS], found[MOST_HITS];
    generator random = {seed};
    int squared = below(&random, 3) != 0, code_temper = below(&random, 5), weight_temper = below(&random, 4);
    int most = table->code_bits == 8 ? 127 : 32;
    int least = table->code_bits == 8 ? -127 : squared ? -31 : -32; // 32 - v of a 6-bit v, so that 16-bit sums fit
    kin_screen_job job = {.codes = input.codes,
                          .groups = groups,
                          .end_block = 1 + (size_t)below(&random, MOST_BLOCKS),
                          .weights = input.weights,
                          .limits = input.limits,
                          .queries = queries,
                          .squared = squared};
    for (size_t i = 0; i < job.end_block * groups * 256; i++)
        input.codes[i] = code_temper == 0   ? 255
                         : code_temper == 1 ? (uint8_t)(-below(&random, 2))
                                            : (uint8_t)below(&random, 256);
    for (size_t i = 0; i < queries * groups * 4; i++)
        input.weights[i] = (int8_t)(weight_temper == 0   ? most
                                    : weight_temper == 1 ? (below(&random, 2) ? most : least)
                                                         : least + below(&random, most - least + 1));
    // From some group on, row q is as near to query q as possible.
    uint32_t bits = table->code_bits;
    size_t first = 4 * (size_t)below(&random, 2 * (int)groups);
    for (size_t q = 0; q < queries; q++)
        for (size_t b = 0; b < job.end_block; b++)
            for (size_t j = first; j < 4 * groups; j++)
                input.codes[code_place(&job, b, q, j)] =
                    (uint8_t)(((1 << (bits - 1)) - input.weights[q * groups * 4 + j]) << (8 - bits));
    for (size_t q = 0; q < queries; q++)
        input.limits[q] = draw_limit(&random, bits, &job, q);
    uint64_t all = queries < 64 ? ((uint64_t)1 << queries) - 1 : ~(uint64_t)0;
    for (size_t b = 0; b < MOST_BLOCKS; b++)
        input.chosen[b] = draw(&random) & all;
    input.chosen[below(&random, MOST_BLOCKS)] = below(&random, 2) ? all : 0;
    job.chosen = below(&random, 2) ? input.chosen : NULL;
    size_t capacity = queries + (size_t)below(&random, 2 * (int)queries);
    size_t wanted = screen_all(NULL, bits, &job, KIN_TILE_QUERIES, expected);
    size_t count = screen_all(table, table->code_bits, &job, capacity, found);
    require(count == wanted, table->name, "the number of hits of screen", seed);
    require(memcmp(expected, found, count * sizeof *found) == 0, table->name, "the hits of screen", seed);
}

static void compare_single_screens(const kin_kernels *table, const kin_kernels *serial, size_t groups, uint64_t seed) {
    static screen_input input;
    static const uint32_t blocks[] = {2, 0, 1, 1, 2, 0};
    uint64_t expected[6], found[6];
    generator random = {seed};
    kin_screen_job job = {.codes = input.codes,
                          .groups = groups,
                          .end_block = MOST_BLOCKS,
                          .weights = input.weights,
                          .limits = input.limits,
                          .queries = 1,
                          .squared = 1};
    for (size_t i = 0; i < job.end_block * groups * 256; i++)
        input.codes[i] = (uint8_t)below(&random, 256);
    for (size_t i = 0; i < groups * 4; i++)
        input.weights[i] = (int8_t)(below(&random, 255) - 127);
    input.limits[0] = draw_limit(&random, 8, &job, 0);
    size_t n = 1 + (size_t)below(&random, 6);
    serial->screen_blocks(input.codes, groups, blocks, n, input.weights, input.limits[0], expected);
    table->screen_blocks(input.codes, groups, blocks, n, input.weights, input.limits[0], found);
    require(memcmp(expected, found, n * sizeof *found) == 0, table->name, "screen_blocks", seed);
}

// MARK: - Boxes

static void compare_boxes(const kin_kernels *table, const kin_kernels *serial, size_t groups, uint64_t seed) {
    enum { BYTES = MOST_BLOCKS * MOST_DIMENSION * KIN_BLOCK_ROWS, BOXES = MOST_BLOCKS * KIN_BLOCK_ROWS };
    static _Alignas(64) uint8_t lows[BYTES], highs[BYTES];
    static uint8_t above[MOST_DIMENSION], below_query[MOST_DIMENSION];
    static int32_t expected[BOXES], found[BOXES];
    generator random = {seed};
    size_t blocks = 1 + (size_t)below(&random, MOST_BLOCKS);
    for (size_t i = 0; i < BYTES; i++) {
        lows[i] = (uint8_t)below(&random, 256);
        highs[i] = (uint8_t)(lows[i] + below(&random, 256 - lows[i]));
    }
    for (size_t j = 0; j < 4 * groups; j++) {
        above[j] = (uint8_t)below(&random, 256);
        below_query[j] = above[j] == 0 ? 0 : (uint8_t)(above[j] - below(&random, 2));
    }
    serial->box_bounds(lows, highs, groups, blocks, above, below_query, expected);
    table->box_bounds(lows, highs, groups, blocks, above, below_query, found);
    require(memcmp(expected, found, blocks * KIN_BLOCK_ROWS * sizeof *found) == 0, table->name, "box_bounds", seed);
    uint64_t within_expected[MOST_BLOCKS], within_found[MOST_BLOCKS];
    int32_t limit = expected[below(&random, (int)blocks * KIN_BLOCK_ROWS)];
    serial->bounds_within(expected, blocks * KIN_BLOCK_ROWS, limit, within_expected);
    table->bounds_within(expected, blocks * KIN_BLOCK_ROWS, limit, within_found);
    require(memcmp(within_expected, within_found, blocks * sizeof *within_found) == 0, table->name, "bounds_within",
            seed);
    static int8_t low_weights[MOST_DIMENSION], high_weights[MOST_DIMENSION];
    for (size_t j = 0; j < 4 * groups; j++) {
        low_weights[j] = (int8_t)(below(&random, 129) - 64);
        high_weights[j] = (int8_t)(below(&random, 129) - 64);
    }
    serial->box_products(lows, highs, groups, blocks, low_weights, high_weights, expected);
    table->box_products(lows, highs, groups, blocks, low_weights, high_weights, found);
    require(memcmp(expected, found, blocks * KIN_BLOCK_ROWS * sizeof *found) == 0, table->name, "box_products", seed);
}

// MARK: - The other functions

static float rows[ROWS * (MOST_DIMENSION + 8)];

static void draw_rows(generator *random, size_t dimension, size_t stride, double magnitude) {
    for (size_t i = 0; i < ROWS * stride; i++)
        rows[i] = i % stride < dimension ? (float)(((double)(draw(random) >> 11) * 0x1p-53 - 0.45) * magnitude) : 0;
}

static void compare_distances(const kin_kernels *table, const kin_kernels *serial, size_t dimension, uint64_t seed) {
    static double expected[ROWS], found[ROWS];
    static uint32_t picks[ROWS];
    generator random = {seed};
    size_t stride = (dimension + 7) / 8 * 8;
    draw_rows(&random, dimension, stride, below(&random, 2) ? 1 : 1e20);
    for (size_t i = 0; i < ROWS; i++)
        picks[i] = (uint32_t)below(&random, ROWS);
    for (int metric = 0; metric < KIN_METRICS; metric++)
        for (int picked = 0; picked < 2; picked++) {
            serial->distances((kin_metric)metric, rows + stride, rows, stride, picked ? picks : NULL, ROWS, expected);
            table->distances((kin_metric)metric, rows + stride, rows, stride, picked ? picks : NULL, ROWS, found);
            require(memcmp(expected, found, sizeof found) == 0, table->name, "distances", seed);
        }
}

static void compare_codes(const kin_kernels *table, const kin_kernels *serial, size_t dimension, uint64_t seed) {
    enum { BYTES = 4 * KIN_BLOCK_ROWS * (MOST_DIMENSION + 4) };
    static uint8_t expected[BYTES], found[BYTES];
    static float expected_errors[2 * ROWS], errors[2 * ROWS];
    static double offsets[MOST_DIMENSION];
    generator random = {seed};
    size_t stride = (dimension + 7) / 8 * 8, first_row = (size_t)below(&random, 100);
    int normalise = below(&random, 2);
    draw_rows(&random, dimension, stride, normalise ? 1 : 300);
    for (size_t j = 0; j < dimension; j++)
        offsets[j] = -0.45 * (normalise ? 1 : 300);
    double scale = (normalise ? 1 : 300) / (double)(20 + below(&random, 500));
    serial->encode(rows, ROWS, stride, dimension, normalise, offsets, scale, expected, first_row, expected_errors);
    table->encode(rows, ROWS, stride, dimension, normalise, offsets, scale, found, first_row, errors);
    require(memcmp(expected, found, sizeof found) == 0, table->name, "the codes of encode", seed);
    require(memcmp(expected_errors, errors, sizeof errors) == 0, table->name, "the errors of encode", seed);
}

static void compare_query_codes(const kin_kernels *table, const kin_kernels *serial, size_t dimension, uint64_t seed) {
    static int8_t expected[MOST_DIMENSION], found[MOST_DIMENSION];
    static uint8_t box_expected[2][MOST_DIMENSION], box_found[2][MOST_DIMENSION];
    static double offsets[MOST_DIMENSION];
    static float box_offsets[MOST_DIMENSION];
    double expected_sums[3], found_sums[3];
    generator random = {seed};
    size_t stride = (dimension + 7) / 8 * 8;
    draw_rows(&random, dimension, stride, 300);
    for (size_t j = 0; j < dimension; j++)
        offsets[j] = box_offsets[j] = (float)(-150 + below(&random, 100));
    double scale = 300 / (double)(20 + below(&random, 500)), length = below(&random, 2) ? 1 : 1.7;
    for (uint32_t bits = 6; bits <= 8; bits += 2) {
        serial->code_query(rows, dimension, length, offsets, scale, bits, expected, expected_sums);
        table->code_query(rows, dimension, length, offsets, scale, bits, found, found_sums);
        require(memcmp(expected, found, sizeof found) == 0, table->name, "the weights of code_query", seed);
        require(memcmp(expected_sums, found_sums, sizeof found_sums) == 0, table->name, "the sums of code_query", seed);
    }
    double slack = 1e-4 * (1 + below(&random, 3000));
    double wanted =
        serial->code_box_query(rows, dimension, box_offsets, scale, slack, box_expected[0], box_expected[1]);
    double outer = table->code_box_query(rows, dimension, box_offsets, scale, slack, box_found[0], box_found[1]);
    require(wanted == outer, table->name, "the sum of code_box_query", seed);
    require(memcmp(box_expected, box_found, sizeof box_found) == 0, table->name, "the codes of code_box_query", seed);
}

static void compare_scans(const kin_kernels *table, const kin_kernels *serial, uint64_t seed) {
    enum { COUNT = 13000 };
    static float values[COUNT];
    generator random = {seed};
    for (size_t i = 0; i < COUNT; i++)
        values[i] = (float)below(&random, 1000);
    size_t n = (size_t)below(&random, COUNT), bad = (size_t)below(&random, COUNT);
    values[bad] = below(&random, 2) ? INFINITY : NAN;
    require(table->first_not_finite(values, n) == (bad < n ? bad : n), table->name, "first_not_finite", seed);
    size_t bytes = (size_t)below(&random, COUNT * 4 - 3);
    const uint8_t *start = (const uint8_t *)values + below(&random, 3);
    require(table->crc32c(7, start, bytes) == serial->crc32c(7, start, bytes), table->name, "crc32c", seed);
}

static void compare_level(const kin_kernels *table, const kin_kernels *serial) {
    static const size_t dimensions[] = {1, 4, 7, 8, 13, 16, 33, 48, 130};
    for (uint64_t seed = 0; seed < 400; seed++)
        compare_screens(table, 4, 1 + (size_t)(seed % KIN_TILE_QUERIES), seed);
    for (uint64_t seed = 1000; seed < 1400; seed++)
        compare_screens(table, 1 + (size_t)(seed % 33), 1 + (size_t)(seed * 7 % 11), seed);
    for (uint64_t seed = 3000; seed < 3100; seed++)
        compare_single_screens(table, serial, 1 + (size_t)(seed % 33), seed);
    for (uint64_t seed = 4000; seed < 4100; seed++) {
    }
    for (uint64_t seed = 3000; seed < 3100; seed++)
        compare_boxes(table, serial, 1 + (size_t)(seed % 33), seed);
    for (uint64_t seed = 2000; seed < 2090; seed++) {
        size_t dimension = dimensions[seed % (sizeof dimensions / sizeof *dimensions)];
        compare_distances(table, serial, dimension, seed);
        compare_codes(table, serial, dimension, seed);
        compare_query_codes(table, serial, dimension, seed);
        compare_scans(table, serial, seed);
    }
    printf("%s agrees with the serial reference\n", table->name);
}

#if defined(__x86_64__)

static void compare_overlay(const char *name, void (*overlay)(kin_kernels *)) {
    kin_kernels serial, table;
    kin_overlay_serial(&serial);
    table = serial;
    overlay(&table);
    table.name = name;
    compare_level(&table, &serial);
}

int main(void) {
    compare_overlay("avxvnni", kin_overlay_avxvnni);
    compare_overlay("avx512vnni", kin_overlay_avx512vnni);
    return 0;
}

#else

/// The argument is the level that detection should choose on the emulated CPU.
int main(int count, char **arguments) {
    require(count == 2 && strcmp(kin_kernels_active()->name, arguments[1]) == 0, kin_kernels_active()->name,
            "its choice: not the expected level", 0);
    for (size_t i = 1; kin_kernels_at(i) != NULL; i++)
        compare_level(kin_kernels_at(i), kin_kernels_at(0));
    return 0;
}

#endif
