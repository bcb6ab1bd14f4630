// A C11 program that uses libkin as the README shows: build, search with a filter, save, map. It prints the results and
// checks each one against a plain loop in this file.

#include <kin.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSION = 16, VECTORS = 2000, K = 5 };

static float vectors[VECTORS][DIMENSION];
static uint64_t ids[VECTORS];

/// Ends the program with the library's error message if a call has failed.
static void check(kin_status status, const char *call) {
    if (status != KIN_OK) {
        fprintf(stderr, "%s: %s (%s)\n", call, kin_last_error(), kin_status_name(status));
        exit(1);
    }
}

#define CHECK(call) check((call), #call)

static void require(int truth, const char *claim) {
    if (!truth) {
        fprintf(stderr, "not true: %s\n", claim);
        exit(1);
    }
}

#define REQUIRE(claim) require((claim), #claim)

/// Vectors around eight centres, the same on every run.
static void fill_vectors(void) {
    uint64_t state = 42;
    for (size_t i = 0; i < VECTORS; i++) {
        ids[i] = 1000 + 7 * i;
        for (size_t j = 0; j < DIMENSION; j++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            float noise = (float)(state >> 40) / (float)(1 << 24);
            vectors[i][j] = ((i % 8) >> (j % 3) & 1 ? 1.0F : 0.0F) + 0.2F * noise;
        }
    }
}

static double distance(const float *x, const float *y) {
    double sum = 0;
    for (size_t j = 0; j < DIMENSION; j++) {
        double difference = (double)x[j] - (double)y[j];
        sum += difference * difference;
    }
    return sum;
}

/// The id of the nearest vector that has an even id, found by a plain loop.
static uint64_t nearest_even(const float *query) {
    uint64_t best = KIN_NO_ID;
    double least = INFINITY;
    for (size_t i = 0; i < VECTORS; i++) {
        double d = distance(query, vectors[i]);
        if (ids[i] % 2 == 0 && d < least) {
            least = d;
            best = ids[i];
        }
    }
    return best;
}

static void search(const kin_index *index) {
    uint64_t even[VECTORS];
    size_t evens = 0;
    for (size_t i = 0; i < VECTORS; i++) {
        if (ids[i] % 2 == 0) {
            even[evens++] = ids[i];
        }
    }
    kin_search_options options = KIN_SEARCH_OPTIONS_INIT;
    kin_filter *filter = NULL;
    CHECK(kin_filter_create_ids(even, evens, &filter));
    options.filter = filter;

    // Every tenth vector is a query. The stride makes the search read the queries in place, without a copy.
    enum { QUERIES = VECTORS / 10 };
    uint64_t found[QUERIES][K];
    double distances[QUERIES][K];
    size_t counts[QUERIES];
    CHECK(kin_index_search(index, &vectors[0][0], QUERIES, 10 * sizeof vectors[0], K, &options, &found[0][0],
                           &distances[0][0], counts));
    for (size_t q = 0; q < QUERIES; q++) {
        REQUIRE(counts[q] == K);
        REQUIRE(found[q][0] == nearest_even(vectors[10 * q]));
        REQUIRE(fabs(distances[q][0] - distance(vectors[10 * q], vectors[(found[q][0] - 1000) / 7])) < 1e-9);
    }
    printf("nearest to %llu with an even id: %llu at %.3f\n", (unsigned long long)ids[10],
           (unsigned long long)found[1][0], distances[1][0]);
    kin_filter *odd = NULL;
    CHECK(kin_filter_create_not(filter, &odd));
    uint64_t listed[VECTORS];
    size_t odds = 0;
    CHECK(kin_index_ids_where(index, odd, listed, VECTORS, &odds));
    REQUIRE(odds == VECTORS - evens && listed[0] % 2 == 1);
    kin_filter_free(odd);
    kin_filter_free(filter);

    kin_matches *matches = NULL;
    CHECK(kin_index_range_search(index, vectors[0], 1, 0, 0.1, NULL, &matches));
    const size_t *offsets = kin_matches_offsets(matches);
    size_t within = 0;
    for (size_t i = 0; i < VECTORS; i++) {
        within += distance(vectors[0], vectors[i]) <= 0.1;
    }
    REQUIRE(offsets[1] == within && kin_matches_ids(matches)[0] == ids[0]);
    printf("within 0.1 of %llu: %zu\n", (unsigned long long)ids[0], within);
    kin_matches_free(matches);

    char *report = NULL;
    CHECK(kin_index_explain(index, vectors[0], K, NULL, &report));
    printf("explained: %.60s...\n", report);
    kin_string_free(report);
}

static kin_index *saved_and_mapped(const kin_index *index, const char *path) {
    CHECK(kin_index_save(index, path));
    int32_t intact = 0;
    CHECK(kin_index_verify(path, &intact, NULL));
    REQUIRE(intact == 1);
    kin_index *mapped = NULL;
    CHECK(kin_index_map(path, &mapped));
    REQUIRE(kin_index_count(mapped) == VECTORS && kin_index_dimension(mapped) == DIMENSION);
    return mapped;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "example.kin";
    REQUIRE(kin_abi_version() == KIN_ABI_VERSION);
    printf("%s\n", kin_build_info());
    fill_vectors();

    kin_index *index = NULL;
    CHECK(kin_index_create_flat(DIMENSION, KIN_METRIC_L2, &index));
    CHECK(kin_index_upsert(index, &vectors[0][0], VECTORS, 0, ids, 1));
    search(index);

    kin_index *mapped = saved_and_mapped(index, path);
    kin_index_free(index);
    search(mapped);

    // A failed call reports a message and changes nothing.
    float broken[DIMENSION] = {NAN};
    uint64_t id = 5;
    REQUIRE(kin_index_upsert(mapped, broken, 1, 0, &id, 1) == KIN_NOT_FINITE);
    printf("refused: %s\n", kin_last_error());
    REQUIRE(kin_index_count(mapped) == VECTORS);

    size_t removed = 0;
    CHECK(kin_index_remove(mapped, ids, 10, &removed));
    REQUIRE(removed == 10 && kin_index_count(mapped) == VECTORS - 10);
    kin_index_free(mapped);
    return 0;
}
