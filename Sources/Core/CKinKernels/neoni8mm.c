// neoni8mm.c: the NEON level with products of byte matrices (FEAT_I8MM): tiles of queries, 8-bit codes.
//
// usmmla multiplies 2 x 8 unsigned bytes by 8 x 2 signed bytes and adds the four sums to the 32-bit lanes: eight
// dimensions of two rows times two queries. That is twice the number of products of sdot, with the codes as stored. In
// the blocks' layout a lane is a row and its bytes are four dimensions, so zip1 and zip2 of two groups give two rows
// each. An odd number of groups is followed by one of zeros.
//
// With a single query half of the products are wasted, so usmmla does no more than sdot, which needs no zip: such tiles
// and `screen_blocks` use sdot.
//
// In up to 16 dimensions 16 rows fill 16 registers, and the sums with two queries eight. They start at (term - limit -
// 1), and a row passes if its sum is negative.

#if defined(__aarch64__)

#include "hits.h"
#include "neon.h"

#define TARGET KIN_NEONI8MM
#define LEVEL(name) kin_neoni8mm_##name

enum { SLAB_GROUPS = 16, STEP = 4, LEFT_STEP = 2 };

#define sum_shift kin_no_shift

/// Splits four rows of two groups into rows 0 and 1, and rows 2 and 3, of eight dimensions.
KIN_INLINE void zip_groups(uint8x16_t even, uint8x16_t odd, uint8x16_t rows[2]) {
    uint32x4_t a = vreinterpretq_u32_u8(even), b = vreinterpretq_u32_u8(odd);
    rows[0] = vreinterpretq_u8_u32(vzip1q_u32(a, b));
    rows[1] = vreinterpretq_u8_u32(vzip2q_u32(a, b));
}

/// Adds u (u - 256) + 16384 for each of four dimensions.
TARGET KIN_INLINE int32x4_t add_square(int32x4_t sum, uint8x16_t codes) {
    int8x16_t code = kin_neon_signed(codes);
    return vdotq_s32(sum, code, code);
}

// MARK: - Up to 16 dimensions

/// Two queries, in the form that usmmla multiplies.
///
/// The tile's pairs begin at 0. At KIN_TILE_QUERIES / 2 is a pair that no row passes. At KIN_TILE_QUERIES the first
/// number is the number of the tile's queries.
typedef struct {
    int8_t weights[2][2][8]; // by eight dimensions, then query
    int32_t limits[2];       // limit + 1
    uint32_t numbers[2];
} tile_query;

static void copy_tile(const kin_screen_job *job, tile_query *queries) {
    const int32_t end = 1 << 28; // sums are well within
    const tile_query none = {.limits = {-end, -end}, .numbers = {KIN_TILE_QUERIES, KIN_TILE_QUERIES}};
    size_t dimension = 4 * job->groups;
    queries[job->queries / 2] = queries[KIN_TILE_QUERIES / 2] = none;
    queries[KIN_TILE_QUERIES].numbers[0] = (uint32_t)job->queries;
    for (size_t n = 0; n < job->queries; n++) {
        tile_query *pair = &queries[n / 2];
        int8_t weights[16] = {0};
        memcpy(weights, job->weights + n * dimension, dimension);
        for (size_t half = 0; half < 2; half++)
            memcpy(pair->weights[half][n % 2], weights + 8 * half, 8);
        pair->limits[n % 2] = kin_clamp(job->limits[n], -end, end) + 1;
        pair->numbers[n % 2] = (uint32_t)n;
    }
}

/// Pairs the chosen queries, and returns the number of pairs.
KIN_INLINE size_t pair_queries(const tile_query *queries, uint64_t chosen, tile_query *pairs) {
    size_t count = 0;
    for (; chosen != 0; count++)
        for (size_t i = 0; i < 2; i++) {
            size_t query = kin_next_query(&chosen), place = query % 2;
            const tile_query *from = &queries[query / 2];
            for (size_t half = 0; half < 2; half++)
                memcpy(pairs[count].weights[half][i], from->weights[half][place], 8);
            pairs[count].limits[i] = from->limits[place];
            pairs[count].numbers[i] = (uint32_t)query;
        }
    return count;
}

enum { ROWS = 16, SUMS = ROWS / 2 };

typedef struct {
    uint8x16_t codes[2][SUMS]; // by eight dimensions, then two rows each
    int32x4_t terms[SUMS];     // like the sums: a row's term for both queries
} loaded_rows;

TARGET KIN_INLINE void load_rows(const uint8_t *codes, size_t groups, int squared, loaded_rows *rows) {
    for (size_t v = 0; v < SUMS; v += 2) {
        int32x4_t square = vdupq_n_s32(-16384 * 4 * (int32_t)groups);
        uint8x16_t group[4];
        for (size_t g = 0; g < 4; g++) {
            group[g] = vdupq_n_u8(0);
            if (g < groups) {
                group[g] = vld1q_u8(codes + g * 256 + v * 8);
                square = add_square(square, group[g]);
            }
        }
        zip_groups(group[0], group[1], &rows->codes[0][v]);
        zip_groups(group[2], group[3], &rows->codes[1][v]);
        int32x4_t term = squared ? vshrq_n_s32(square, 1) : vdupq_n_s32(0);
        rows->terms[v] = vzip1q_s32(term, term);
        rows->terms[v + 1] = vzip2q_s32(term, term);
    }
}

/// Both limits, for either row.
KIN_INLINE int32x4_t load_limits(const tile_query *pair) {
    int64_t both;
    memcpy(&both, pair->limits, sizeof both);
    return vreinterpretq_s32_s64(vdupq_n_s64(both));
}

/// Marks the rows whose sums are negative. A sum's lanes are one row with both queries, then a second row with both.
TARGET KIN_INLINE void mark_negative(const int32x4_t sums[SUMS], const tile_query *pair, size_t first,
                                     kin_marks *marks) {
    int32x4_t own[2][SUMS / 2];
    for (size_t v = 0; v < SUMS / 2; v++) {
        own[0][v] = vuzp1q_s32(sums[2 * v], sums[2 * v + 1]);
        own[1][v] = vuzp2q_s32(sums[2 * v], sums[2 * v + 1]);
    }
    for (size_t i = 0; i < 2; i++) {
        uint64_t rows = kin_neon_negative(own[i]);
        if (rows != 0)
            kin_mark(marks, pair->numbers[i], rows << first);
    }
}

TARGET KIN_INLINE void screen_block(const uint8_t *codes, size_t groups, int squared, const tile_query *queries,
                                    uint64_t chosen, kin_marks *marks) {
    tile_query some[KIN_TILE_QUERIES / 2];
    size_t all = queries[KIN_TILE_QUERIES].numbers[0], count = (all + 1) / 2;
    const tile_query *pairs = queries;
    if (chosen != kin_all_queries(all)) {
        count = pair_queries(queries, chosen, some);
        pairs = some;
    }
    for (size_t first = 0; first < KIN_BLOCK_ROWS; first += ROWS) {
        loaded_rows rows;
        load_rows(codes + first * 4, groups, squared, &rows);
        for (const tile_query *pair = pairs; pair < pairs + count; pair++) {
            int32x4_t limits = load_limits(pair);
            int8x16_t low = vld1q_s8(pair->weights[0][0]), high = vld1q_s8(pair->weights[1][0]);
            int32x4_t sums[SUMS], any = vdupq_n_s32(0);
            for (size_t v = 0; v < SUMS; v++) {
                sums[v] = vusmmlaq_s32(vsubq_s32(rows.terms[v], limits), rows.codes[0][v], low);
                if (groups > 2)
                    sums[v] = vusmmlaq_s32(sums[v], rows.codes[1][v], high);
                any = vorrq_s32(any, sums[v]);
            }
            if (__builtin_expect(vmaxvq_u32(vreinterpretq_u32_s32(any)) >> 31 != 0, 0))
                mark_negative(sums, pair, first, marks);
        }
    }
}

#include "tile_template.h"

// MARK: - Any dimension

// A slab has all dimensions of rows 0 and 1, two groups per register, then those of rows 2 and 3, and so on. The loops
// over the groups are unrolled for a whole slab and for half a slab; a shorter slab is filled with zeros.

enum { VECTORS = KIN_BLOCK_ROWS / 4, PAIRS = SLAB_GROUPS / 2 };

/// The number of pairs of groups to multiply, for a number of groups.
KIN_INLINE size_t filled_pairs(size_t groups) {
    return groups > PAIRS ? PAIRS : PAIRS / 2;
}

/// Four rows of a group, or zeros past the last one.
KIN_INLINE uint8x16_t load_group(const uint8_t *rows, size_t group, size_t groups) {
    return group < groups ? vld1q_u8(rows + group * 256) : vdupq_n_u8(0);
}

TARGET KIN_INLINE void zip_slab(const uint8_t *codes, size_t groups, uint8_t *slab, int32_t *squares) {
    size_t pairs = filled_pairs(groups);
    for (size_t v = 0; v < VECTORS; v++) {
        int32x4_t square = vdupq_n_s32(-16384 * 4 * 2 * (int32_t)pairs);
        for (size_t h = 0; h < pairs; h++) {
            uint8x16_t even = load_group(codes + v * 16, 2 * h, groups), rows[2];
            uint8x16_t odd = load_group(codes + v * 16, 2 * h + 1, groups);
            zip_groups(even, odd, rows);
            for (size_t i = 0; i < 2; i++)
                vst1q_u8(slab + ((2 * v + i) * PAIRS + h) * 16, rows[i]);
            square = add_square(add_square(square, even), odd);
        }
        if (squares != NULL)
            vst1q_s32(squares + v * 4, vaddq_s32(vld1q_s32(squares + v * 4), square));
    }
}

TARGET static const uint8_t *load_slab(const uint8_t *codes, size_t groups, uint8_t *slab, int32_t *squares) {
    if (groups == SLAB_GROUPS)
        zip_slab(codes, SLAB_GROUPS, slab, squares);
    else
        zip_slab(codes, groups, slab, squares);
    return slab;
}

/// A query's weights of two groups; zeros past the last group.
KIN_INLINE int8x8_t load_weights(const int8_t *weights, size_t group, size_t groups) {
    uint64_t eight = 0;
    if (group + 1 < groups)
        memcpy(&eight, weights + 4 * group, 8);
    else if (group < groups)
        memcpy(&eight, weights + 4 * group, 4);
    return vcreate_s8(eight);
}

/// The sums of four rows for two queries.
KIN_INLINE void load_sums(const int32_t *one, const int32_t *other, int32x4_t products[2]) {
    int32x4_t a = vld1q_s32(one), b = vld1q_s32(other);
    products[0] = vzip1q_s32(a, b);
    products[1] = vzip2q_s32(a, b);
}

/// Four rows at a time, with the weights of one or two pairs of queries in registers.
TARGET KIN_INLINE void add_pairs(const uint8_t *slab, size_t pairs, const int8x16_t (*weights)[PAIRS], size_t queries,
                                 int first, int32_t *const *sums) {
    size_t partner = queries > 1 ? 1 : 0; // a single query is its own partner
    for (size_t v = 0; v < VECTORS; v++) {
        int32x4_t products[STEP / 2][2] = {{vdupq_n_s32(0)}};
        if (!first)
            for (size_t q = 0; q < queries; q += 2)
                load_sums(sums[q] + 4 * v, sums[q + partner] + 4 * v, products[q / 2]);
        for (size_t h = 0; h < pairs; h++)
            for (size_t i = 0; i < 2; i++) {
                uint8x16_t rows = vld1q_u8(slab + ((2 * v + i) * PAIRS + h) * 16);
                for (size_t q = 0; q < queries; q += 2)
                    products[q / 2][i] = vusmmlaq_s32(products[q / 2][i], rows, weights[q / 2][h]);
            }
        for (size_t q = 0; q < queries; q += 2) {
            vst1q_s32(sums[q + partner] + 4 * v, vuzp2q_s32(products[q / 2][0], products[q / 2][1]));
            vst1q_s32(sums[q] + 4 * v, vuzp1q_s32(products[q / 2][0], products[q / 2][1]));
        }
    }
}

TARGET KIN_INLINE void add_products(const uint8_t *slab, size_t groups, const int8_t *const *weights, size_t offset,
                                    size_t queries, int first, int32_t *const *sums) {
    int8x16_t both[STEP / 2][PAIRS];
    size_t partner = queries > 1 ? 1 : 0;
    for (size_t q = 0; q < queries; q += 2)
        for (size_t h = 0; h < PAIRS; h++)
            both[q / 2][h] = vcombine_s8(load_weights(weights[q] + offset, 2 * h, groups),
                                         load_weights(weights[q + partner] + offset, 2 * h, groups));
    if (groups > PAIRS)
        add_pairs(slab, PAIRS, both, queries, first, sums);
    else
        add_pairs(slab, PAIRS / 2, both, queries, first, sums);
}

#define passing kin_neon_passing

#include "slabs_template.h"

TARGET static size_t screen(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    if (job->queries == 1)
        return kin_neondot_screen(job, block, hits, capacity);
    return job->groups <= 4 ? LEVEL(screen_tile)(job, block, hits, capacity) : screen_slabs(job, block, hits, capacity);
}

void kin_overlay_neoni8mm(kin_kernels *table) {
    table->screen = screen;
}

#endif
