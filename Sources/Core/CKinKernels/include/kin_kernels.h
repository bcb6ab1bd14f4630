// kin_kernels.h: the SIMD kernels behind Kin, one table of functions per instruction set.
//
// Every kernel of every table computes the same result as the readable reference in serial.c, bit for bit if the
// comment contains "exact". `kin_kernels_active` picks the best table that this CPU can run; KIN_SIMD selects a
// different one.
//
// Shapes. A vector has `dimension` floats, stored with a row stride of `stride` floats: dimension rounded up to a
// multiple of 8, the rest zero. Codes pad the dimension to `4 * groups`, groups = ceil(dimension / 4).
//
// Code blocks. 64 rows are coded together, four dimensions side by side, so that one 32-bit lane is one row:
//
//     codes[block * 256 * groups + group * 256 + row * 4 + d]      is the code of dimension 4 * group + d
//
// A stored code is 8 bits, 0 ... 255. A table whose `code_bits` is 6 reads only the leading six bits (code >> 2). Each
// precision has its own error bound, so both give a certified screen (see Screening in KinLinearAlgebra).

#ifndef KIN_KERNELS_H
#define KIN_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The number of rows in one code block.
#define KIN_BLOCK_ROWS 64

/// The largest number of queries in one call of `screen`.
#define KIN_TILE_QUERIES 64

/// The rows of a block that may be neighbours of a query.
typedef struct {
    uint32_t query; ///< index of the query in its tile
    uint32_t block; ///< index of the block, counted from the `codes` pointer
    uint64_t rows;  ///< bit r is set if row 64 * block + r passed
} kin_hit;

/// The distance between vectors; for each metric, a smaller distance is nearer.
typedef enum {
    KIN_SQUARED_L2 = 0,    ///< sum of (x - q)^2
    KIN_INNER_PRODUCT = 1, ///< -<x, q>
    KIN_COSINE = 2,        ///< 1 - <x, q> / (|x| |q|), clamped to 0 ... 2; rows and query are not zero
} kin_metric;

/// The number of metrics.
enum { KIN_METRICS = KIN_COSINE + 1 };

/// A tile of coded queries and the blocks to compare them with.
typedef struct {
    const uint8_t *codes;   ///< blocks of codes, in the layout above; 64-byte aligned
    size_t groups;          ///< dimension / 4, rounded up
    size_t end_block;       ///< blocks 0 ..< end_block exist
    const int8_t *weights;  ///< queries x (4 * groups), row-major; |w| <= 127 for 8 code bits, <= 32 for 6
    const int32_t *limits;  ///< one per query
    size_t queries;         ///< 1 ... KIN_TILE_QUERIES
    int squared;            ///< 1: the row term floor(sum of u (u - 2^bits) / 2) is added; 0: it is not
    const uint64_t *chosen; ///< bit q of chosen[b]: query q is compared with block b; NULL: all queries with all blocks
} kin_screen_job;

/// The functions of one instruction set.
typedef struct {
    /// The instruction set; levels.h lists the names.
    const char *name;

    /// The number of leading bits of a code that `screen` reads, 8 or 6.
    uint32_t code_bits;

    /// Finds the rows that may be neighbours of the queries.
    ///
    /// With u the row's codes (their leading `code_bits` bits) and w the query's weights, a row passes if
    ///
    ///     (squared ? floor(sum_j u_j (u_j - 2^code_bits) / 2) : 0) + sum_j u_j w_j  <=  limit
    ///
    /// in exact integer arithmetic, and if the query is compared with its block. Starts at *block and writes at most
    /// `capacity` hits (at least `queries`), in ascending order of block and, within a block, of query. Returns the
    /// number of hits and sets *block to the first block not processed: `end_block` when done. Otherwise the caller
    /// uses the hits and repeats the call, possibly with lower limits. All 64 rows of a block are tested: the caller
    /// masks the rows past its last one. There is a fast path for 16 dimensions (groups = 4); any other number of
    /// groups up to 8192 works.
    ///
    /// 6-bit tables may assume |sum| <= 32767 when groups = 4 (the caller clamps `limit` to int16 there).
    size_t (*screen)(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity);

    /// Finds the rows of chosen blocks that may be neighbours of one query by squared distance, always with all eight
    /// bits of the codes.
    ///
    /// Tables whose `screen` reads six bits pass several times the necessary number of rows; with a single query there
    /// is time to read all bits. The weights are 128 - v, and the limit is the limit of `screen` for eight bits. With c
    /// = sum_j v_j^2, row r of block blocks[i] passes, and bit r of rows[i] is set, if
    ///
    ///     sum_j min(127, |u_j - v_j|)^2  <=  2 * limit + 1 + c
    ///
    /// which is true for every row that passes `screen` with eight bits. The codes of later blocks are prefetched.
    void (*screen_blocks)(const uint8_t *codes, size_t groups, const uint32_t *blocks, size_t n, const int8_t *weights,
                          int32_t limit, uint64_t *rows);

    /// Computes lower bounds on the squared distances of boxes from a query, in code steps; exact integer arithmetic.
    ///
    /// Boxes are coded like rows, in blocks of 64 in the layout above, with their lowest corners in `lows` and their
    /// highest in `highs`. With `above` and `below` the query's coordinates rounded up and down (4 * groups codes
    /// each),
    ///
    ///     bounds[i] = sum_j min(127, max(0, low_ij - above_j, below_j - high_ij))^2,   0 <= i < 64 * blocks
    ///
    /// No point of the box is nearer than that. A gap is clamped to 127 steps, half the range of the codes, so that its
    /// square is a product of signed bytes. Boxes that far away are beyond the limit, or all others are as well.
    void (*box_bounds)(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks, const uint8_t *above,
                       const uint8_t *below, int32_t *bounds);

    /// Compares n bounds (a multiple of 64) with a limit: bit i mod 64 of within[i / 64] is set if bounds[i] <= limit.
    void (*bounds_within)(const int32_t *bounds, size_t n, int32_t limit, uint64_t *within);

    /// Computes the term of each box in a bound on inner products; exact integer arithmetic, |weights| <= 64.
    ///
    ///     sums[i] = sum_j low_ij * low_weights_j + high_ij * high_weights_j,   0 <= i < 64 * blocks
    void (*box_products)(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                         const int8_t *low_weights, const int8_t *high_weights, int32_t *sums);

    /// Computes exact distances in double precision, bit-identical in every table.
    ///
    /// `rows` is n x stride or, with `picks`, the rows picks[0 ..< n] are used; out receives n distances. Lane l of
    /// eight doubles adds the dimensions l, l + 8, ... in ascending order without fused multiply-add; the lanes are
    /// then added as ((0+4)+(2+6)) + ((1+5)+(3+7)). `query` has `stride` floats. Cosine divides by the square root of
    /// <x, x> * <q, q>, each in that order, so the distance of a vector from itself is exactly 0.
    void (*distances)(kin_metric metric, const float *query, const float *rows, size_t stride, const uint32_t *picks,
                      size_t n, double *out);

    /// Codes rows on a grid and computes a bound on the distance of each coded row from the original row.
    ///
    /// u_j = clamp(round((x_j - offsets_j) / scale), 1, 255) in double precision, halves to even; dimensions past
    /// `dimension` get the code 1. Writes the codes of rows first_row ..< first_row + n, counted from `codes`; `rows`
    /// points at the first of them. For rows[i] it writes two upper bounds over the `dimension` dimensions, rounded up:
    /// on ||(x - offset) / scale - u|| at errors[2 i], and on ||(x - offset) / scale - (4 (u >> 2) + 1.5)|| at errors[2
    /// i + 1]. The bounds include every rounding on the way. Bit-identical in every table. `normalise` is 1 to code x /
    /// |x| instead of x (cosine).
    void (*encode)(const float *rows, size_t n, size_t stride, size_t dimension, int normalise, const double *offsets,
                   double scale, uint8_t *codes, size_t first_row, float *errors);

    /// Codes a query for `screen` by squared distance, with `bits` (8 or 6) of the codes.
    ///
    /// Let y_j = ((query_j / length - offsets_j) / scale - origin) * step, with origin 0 and step 1 for 8 bits, origin
    /// 1.5 and step 1/4 for 6 bits. The code v_j is y_j clamped to the codes (1 ... 255 or 0 ... 63) and rounded to the
    /// nearest, halves to even. The weight weights_j is 2^(bits-1) - v_j. The three sums are the sum of (y_j - v_j)^2
    /// over the unclamped dimensions, the same sum over the clamped dimensions, and the sum of v_j^2. Dimensions past
    /// `dimension` get the lowest code, which counts in the third sum. `query` has whole groups of eight floats.
    /// Bit-identical in every table.
    void (*code_query)(const float *query, size_t dimension, double length, const double *offsets, double scale,
                       uint32_t bits, int8_t *weights, double sums[3]);

    /// Codes a query for `box_bounds`: t_j = (query_j - offsets_j) / step, raised by `slack` and rounded up into
    /// above_j, lowered by `slack` and rounded down into below_j, both clamped to 0 ... 255; zeros past `dimension`.
    /// Returns the sum of the squared distances of t_j from 0 ... 255, each reduced by the slack. Bit-identical in
    /// every table.
    double (*code_box_query)(const float *query, size_t dimension, const float *offsets, double step, double slack,
                             uint8_t *above, uint8_t *below);

    /// The index of the first NaN or infinity among n floats, or n.
    size_t (*first_not_finite)(const float *values, size_t n);

    /// The CRC-32C checksum (Castagnoli, reflected, as in RFC 3720) of n bytes, continuing from `crc` (0 to begin).
    uint32_t (*crc32c)(uint32_t crc, const void *bytes, size_t n);
} kin_kernels;

/// The table in use: the best table for this CPU, or the table named by the environment variable KIN_SIMD if this CPU
/// can run it. Chosen once, at the first call, from any thread. Never NULL.
const kin_kernels *kin_kernels_active(void);

/// The i-th table that this CPU can run, best last (0 is "serial"), or NULL past the end.
const kin_kernels *kin_kernels_at(size_t i);

/// Computes `screen` as serial.c does, with the given code bits: the reference for 6-bit tables.
size_t kin_reference_screen(uint32_t code_bits, const kin_screen_job *job, size_t *block, kin_hit *hits,
                            size_t capacity);

/// Prefetches the cache line at an address; no effect if the address is not mapped.
static inline void kin_prefetch(const void *address) {
    __builtin_prefetch(address);
}

#ifdef __cplusplus
}
#endif

#endif
