// neon_tile.c: a tile of queries against up to 16 dimensions, 6-bit codes, NEON without the dot product.
//
// ld4 splits 16 rows x 4 dimensions into four registers, one per dimension; sixteen registers hold 16 rows. Each is
// multiplied by one weight into 16-bit sums, eight rows per register. That the sums fit in 16 bits is part of the
// contract of `screen` (for groups < 4 they always do: at most 12 * (63 * 32 + 512) = 30336).

#if defined(__aarch64__)

#include "hits.h"
#include "neon.h"

enum { ROWS = 16 };

typedef struct {
    int8_t weights[16];
    int16_t limit;
} tile_query;

static void copy_tile(const kin_screen_job *job, tile_query *queries) {
    size_t dimension = 4 * job->groups;
    for (size_t n = 0; n < job->queries; n++) {
        memcpy(queries[n].weights, job->weights + n * dimension, dimension);
        queries[n].limit = (int16_t)kin_clamp(job->limits[n], INT16_MIN, INT16_MAX);
    }
    queries[KIN_TILE_QUERIES] = (tile_query){.weights = {0}, .limit = INT16_MIN};
}

/// The dimensions of 16 rows, and floor(sum of u (u - 64) / 2) for each row.
typedef struct {
    int8x16_t dimensions[16];
    int16x8_t low_terms, high_terms;
} loaded_rows;

KIN_INLINE void load_rows(const uint8_t *codes, size_t groups, int squared, loaded_rows *rows) {
    int16x8_t low = vdupq_n_s16(0), high = vdupq_n_s16(0);
    for (size_t g = 0; g < groups; g++) {
        uint8x16x4_t four = vld4q_u8(codes + g * 256);
        for (size_t d = 0; d < 4; d++) {
            int8x16_t u = vreinterpretq_s8_u8(vshrq_n_u8(four.val[d], 2));
            int8x16_t shifted = vsubq_s8(u, vdupq_n_s8(64));
            rows->dimensions[4 * g + d] = u;
            low = vmlal_s8(low, vget_low_s8(u), vget_low_s8(shifted));
            high = vmlal_high_s8(high, u, shifted);
        }
    }
    rows->low_terms = squared ? vshrq_n_s16(low, 1) : vdupq_n_s16(0);
    rows->high_terms = squared ? vshrq_n_s16(high, 1) : vdupq_n_s16(0);
}

/// All ones in the bytes of the rows that pass.
KIN_INLINE uint8x16_t passing_rows(const tile_query *query, const loaded_rows *rows, size_t groups) {
    int16x8_t low = rows->low_terms, high = rows->high_terms;
    for (size_t d = 0; d < 4 * groups; d++) {
        int8x16_t weight = vld1q_dup_s8(&query->weights[d]);
        low = vmlal_s8(low, vget_low_s8(rows->dimensions[d]), vget_low_s8(weight));
        high = vmlal_high_s8(high, rows->dimensions[d], weight);
    }
    int16x8_t limit = vld1q_dup_s16(&query->limit);
    // A passing lane is all ones; two registers of 16-bit sums narrow to one register of bytes.
    return vcombine_u8(vmovn_u16(vcleq_s16(low, limit)), vmovn_u16(vcleq_s16(high, limit)));
}

KIN_INLINE void screen_block(const uint8_t *codes, size_t groups, int squared, const tile_query *queries,
                             uint64_t chosen, kin_marks *marks) {
    for (size_t first = 0; first < KIN_BLOCK_ROWS; first += ROWS) {
        loaded_rows rows;
        load_rows(codes + first * 4, groups, squared, &rows);
        for (uint64_t rest = chosen; rest != 0;) {
            size_t q = kin_next_query(&rest), second = kin_next_query(&rest);
            uint8x16_t pass = passing_rows(&queries[q], &rows, groups);
            uint8x16_t next = passing_rows(&queries[second], &rows, groups);
            if (__builtin_expect(vmaxvq_u8(vorrq_u8(pass, next)) == 0, 1))
                continue;
            uint64_t bits = kin_neon_bits(pass), next_bits = kin_neon_bits(next);
            if (bits != 0)
                kin_mark(marks, q, bits << first);
            if (next_bits != 0)
                kin_mark(marks, second, next_bits << first);
        }
    }
}

#define TARGET
#define LEVEL(name) kin_neon_##name
#include "tile_template.h"

#endif
