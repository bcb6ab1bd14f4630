// vnni_template.h: screening of 8-bit codes with VNNI, for registers of either width: include it after avx2.h or
// avx512.h, and after defining
//
//     TARGET          the function attribute of the level
//     LEVEL           (name): the name of the level's function, kin_<level>_<name>
//     add_bytes       (sums, u, s): vpdpbusd
//     TILE_VECTORS    the registers of a block that are compared at a time with queries of up to 16 dimensions
//     STEP            queries that share one pass over a slab
//
// vpdpbusd adds four products of an unsigned and a signed byte to each 32-bit lane. In the blocks' layout a lane is a
// row and its bytes are four dimensions, so a code is multiplied as stored.

#include "hits.h"

enum { SLAB_GROUPS = 16, LEFT_STEP = 1, SLAB_VECTORS = 4, QUERIES_AT_ONCE = 2 };

/// Adds u (u - 256) of four dimensions: u (u - 128) - 128 u, as u - 128 in a signed byte is u with its top bit flipped.
TARGET KIN_INLINE kin_vector add_square(kin_vector sum, kin_vector u) {
    kin_vector minus128 = KIN_EACH(set1_epi8)(-128);
    return add_bytes(add_bytes(sum, u, KIN_WHOLE(xor)(u, minus128)), u, minus128);
}

// MARK: - Up to 16 dimensions

#define sum_shift kin_no_shift

#include "byte_tile.h"

TARGET KIN_INLINE void mark_negative(const kin_vector *sums, size_t first, size_t query, kin_marks *marks) {
    uint64_t rows = 0;
    for (size_t v = 0; v < TILE_VECTORS; v++)
        rows |= kin_negative(sums[v]) << (first + v) * KIN_LANES;
    if (rows != 0)
        kin_mark(marks, query, rows);
}

/// Compares one block with the chosen queries of the tile. A query starts its sums at (term - limit - 1) and adds its
/// products, and a row passes if its sum is negative. The sign bits of two queries are or-ed and tested by one branch
/// that is rarely taken.
TARGET KIN_INLINE void screen_block(const uint8_t *codes, size_t groups, int squared, const tile_query *queries,
                                    uint64_t chosen, kin_marks *marks) {
    for (size_t first = 0; first < KIN_VECTORS; first += TILE_VECTORS) {
        kin_vector rows[4][TILE_VECTORS], terms[TILE_VECTORS];
        for (size_t v = 0; v < TILE_VECTORS; v++) {
            terms[v] = KIN_WHOLE(setzero)();
            for (size_t g = 0; g < groups; g++) {
                rows[g][v] = KIN_WHOLE(load)((const kin_vector *)(codes + g * 256) + first + v);
                if (squared)
                    terms[v] = add_square(terms[v], rows[g][v]);
            }
            terms[v] = KIN_EACH(srai_epi32)(terms[v], 1);
        }
        for (uint64_t rest = chosen; rest != 0;) {
            size_t numbers[QUERIES_AT_ONCE];
            kin_vector sums[QUERIES_AT_ONCE][TILE_VECTORS], any = KIN_WHOLE(setzero)();
            for (size_t i = 0; i < QUERIES_AT_ONCE; i++) {
                const tile_query *query = &queries[numbers[i] = kin_next_query(&rest)];
                kin_vector limit = KIN_EACH(set1_epi32)(query->limit);
                for (size_t v = 0; v < TILE_VECTORS; v++)
                    sums[i][v] = KIN_EACH(sub_epi32)(terms[v], limit);
                for (size_t g = 0; g < groups; g++) {
                    kin_vector weights = kin_four_of(query->weights + 4 * g);
                    for (size_t v = 0; v < TILE_VECTORS; v++)
                        sums[i][v] = add_bytes(sums[i][v], rows[g][v], weights);
                }
                for (size_t v = 0; v < TILE_VECTORS; v++)
                    any = KIN_WHOLE(or)(any, sums[i][v]);
            }
            if (__builtin_expect(kin_negative(any) == 0, 1))
                continue;
            for (size_t i = 0; i < QUERIES_AT_ONCE; i++)
                mark_negative(sums[i], first, numbers[i], marks);
        }
    }
}

#include "tile_template.h"

// MARK: - Any dimension

TARGET static const uint8_t *load_slab(const uint8_t *codes, size_t groups, uint8_t *slab, int32_t *squares) {
    (void)slab; // the codes are multiplied in place
    if (squares == NULL)
        return codes;
    for (size_t v = 0; v < KIN_VECTORS; v++) {
        kin_vector *place = (kin_vector *)squares + v, square = KIN_WHOLE(load)(place);
        for (size_t g = 0; g < groups; g++)
            square = add_square(square, KIN_WHOLE(load)((const kin_vector *)(codes + g * 256) + v));
        KIN_WHOLE(store)(place, square);
    }
    return codes;
}

TARGET KIN_INLINE void add_products(const uint8_t *slab, size_t groups, const int8_t *const *weights, size_t offset,
                                    size_t queries, int first, int32_t *const *sums) {
    for (size_t part = 0; part < KIN_VECTORS; part += SLAB_VECTORS) {
        kin_vector products[STEP][SLAB_VECTORS];
        for (size_t q = 0; q < queries; q++)
            for (size_t v = 0; v < SLAB_VECTORS; v++)
                products[q][v] = first ? KIN_WHOLE(setzero)() : KIN_WHOLE(load)((const kin_vector *)sums[q] + part + v);
        for (size_t g = 0; g < groups; g++) {
            const kin_vector *rows = (const kin_vector *)(slab + g * 256) + part;
            for (size_t q = 0; q < queries; q++) {
                kin_vector weight = kin_four_of(weights[q] + offset + 4 * g);
                for (size_t v = 0; v < SLAB_VECTORS; v++)
                    products[q][v] = add_bytes(products[q][v], KIN_WHOLE(load)(rows + v), weight);
            }
        }
        for (size_t q = 0; q < queries; q++)
            for (size_t v = 0; v < SLAB_VECTORS; v++)
                KIN_WHOLE(store)((kin_vector *)sums[q] + part + v, products[q][v]);
    }
}

#define passing kin_passing

#include "slabs_template.h"

TARGET static size_t screen(const kin_screen_job *job, size_t *block, kin_hit *hits, size_t capacity) {
    return job->groups <= 4 ? LEVEL(screen_tile)(job, block, hits, capacity) : screen_slabs(job, block, hits, capacity);
}

// MARK: - Boxes, and chosen blocks

/// A gap of at most 127 is the same as a signed and as an unsigned byte.
TARGET KIN_INLINE kin_vector add_gaps(kin_vector sums, kin_vector gaps) {
    return add_bytes(sums, gaps, gaps);
}

#define add_corners add_bytes

#include "boxes_template.h"

static void overlay_vnni(kin_kernels *table) {
    table->code_bits = 8;
    table->screen = screen;
    table->screen_blocks = LEVEL(screen_blocks);
    table->box_bounds = LEVEL(box_bounds);
    table->box_products = LEVEL(box_products);
}
