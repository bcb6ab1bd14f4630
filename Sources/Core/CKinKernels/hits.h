// hits.h: collects the rows of one block that passed, and writes them as hits.

#ifndef KIN_HITS_H
#define KIN_HITS_H

#include "levels.h"

/// The rows of one block that passed, by query.
typedef struct {
    uint64_t rows[KIN_TILE_QUERIES]; // valid for the bits of `queries` only
    uint64_t queries;                // bit q is set if rows[q] is not empty
} kin_marks;

/// All queries of a tile, query q at bit q.
KIN_INLINE uint64_t kin_all_queries(size_t queries) {
    return queries < KIN_TILE_QUERIES ? ((uint64_t)1 << queries) - 1 : ~(uint64_t)0;
}

/// Removes the first query from a set and returns it; KIN_TILE_QUERIES if the set is empty.
KIN_INLINE size_t kin_next_query(uint64_t *rest) {
    size_t query = *rest != 0 ? (size_t)__builtin_ctzll(*rest) : KIN_TILE_QUERIES;
    *rest &= *rest - 1;
    return query;
}

/// Adds rows that passed for one query; `rows` is not empty.
KIN_INLINE void kin_mark(kin_marks *marks, size_t query, uint64_t rows) {
    uint64_t bit = (uint64_t)1 << query;
    marks->rows[query] = (marks->queries & bit ? marks->rows[query] : 0) | rows;
    marks->queries |= bit;
}

/// Writes the marks of one block by ascending query, clears them, and returns the new number of hits.
KIN_INLINE size_t kin_write_hits(kin_marks *marks, size_t block, kin_hit *hits, size_t count) {
    for (; marks->queries != 0; marks->queries &= marks->queries - 1) {
        uint32_t query = (uint32_t)__builtin_ctzll(marks->queries);
        hits[count++] = (kin_hit){.query = query, .block = (uint32_t)block, .rows = marks->rows[query]};
    }
    return count;
}

#endif
