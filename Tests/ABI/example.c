// A C11 program that uses libkin as the README shows: build, search with a filter, save, map, cluster. It prints the
// results and checks each one against a plain loop in this file.

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

/// An index whose ids are texts, saved and mapped.
static void use_names(const char *path) {
    enum { NAMED = 500 };
    static char texts[NAMED][16];
    static const char *names[NAMED];
    for (size_t i = 0; i < NAMED; i++) {
        snprintf(texts[i], sizeof texts[i], "item-%zu", i);
        names[i] = texts[i];
    }
    kin_index *index = NULL;
    CHECK(kin_index_create_ivf(DIMENSION, KIN_METRIC_L2, 0, &index));
    uint64_t numbers[NAMED];
    CHECK(kin_index_upsert_named(index, &vectors[0][0], NAMED, 0, names, 1, numbers));
    size_t removed = 0;
    CHECK(kin_index_remove_named(index, names + 7, 2, &removed));
    REQUIRE(removed == 2);
    CHECK(kin_index_save(index, path));
    kin_index_free(index);
    CHECK(kin_index_map(path, &index));
    REQUIRE(kin_index_has_names(index) == 1 && kin_index_count(index) == NAMED - 2);

    uint64_t nearest[K];
    CHECK(kin_index_search(index, vectors[42], 1, 0, K, NULL, nearest, NULL, NULL));
    char found[K * 16];
    size_t needed = 0;
    CHECK(kin_index_names(index, nearest, K, found, sizeof found, &needed));
    REQUIRE(needed <= sizeof found && strcmp(found, "item-42") == 0);
    uint64_t ids[2];
    CHECK(kin_index_find(index, names + 8, 2, ids));
    REQUIRE(ids[0] == KIN_NO_ID && ids[1] == numbers[9]);
    printf("nearest to item-42: %s, then %s\n", found, found + strlen(found) + 1);
    kin_index_free(index);
}

static void cluster(void) {
    kin_kmeans_options options = KIN_KMEANS_OPTIONS_INIT;
    options.seed = 7;
    options.restarts = 5;
    kin_clustering *clustering = NULL;
    CHECK(kin_kmeans_fit(&vectors[0][0], VECTORS, DIMENSION, 0, 8, &options, &clustering));
    int64_t labels[VECTORS];
    CHECK(kin_clustering_labels(clustering, labels));
    for (size_t i = 8; i < VECTORS; i++) {
        REQUIRE(labels[i] == labels[i % 8]);
    }
    int64_t again[VECTORS];
    CHECK(kin_clustering_assign(clustering, &vectors[0][0], VECTORS, 0, 1, again, NULL));
    REQUIRE(memcmp(labels, again, sizeof labels) == 0);
    printf("clusters: %zu, inertia %.1f after %zu iterations\n", kin_clustering_k(clustering),
           kin_clustering_inertia(clustering), kin_clustering_iterations(clustering));
    kin_clustering_free(clustering);
}

/// The same vectors as a stream of batches that are not stored.
static void stream(void) {
    kin_minibatch_kmeans_options options = KIN_MINIBATCH_KMEANS_OPTIONS_INIT;
    options.seed = 7;
    kin_minibatch_kmeans *stream = NULL;
    CHECK(kin_minibatch_kmeans_create(8, DIMENSION, &options, &stream));
    for (size_t first = 0; first < VECTORS; first += 32) {
        size_t count = VECTORS - first < 32 ? VECTORS - first : 32;
        CHECK(kin_minibatch_kmeans_partial_fit(stream, vectors[first], count, 0, NULL));
    }
    REQUIRE(kin_minibatch_kmeans_count(stream) == VECTORS);

    // A program that waits for more batches has to store these bytes only.
    size_t needed = 0, written = 0;
    CHECK(kin_minibatch_kmeans_encode(stream, NULL, 0, &needed));
    uint8_t *bytes = malloc(needed);
    REQUIRE(bytes != NULL);
    CHECK(kin_minibatch_kmeans_encode(stream, bytes, needed, &written));
    kin_minibatch_kmeans_free(stream);
    CHECK(kin_minibatch_kmeans_decode(bytes, written, 1, &stream));
    free(bytes);
    REQUIRE(kin_minibatch_kmeans_count(stream) == VECTORS && kin_minibatch_kmeans_k(stream) == 8);

    float centroids[8][DIMENSION], same[8][DIMENSION];
    CHECK(kin_minibatch_kmeans_centroids(stream, &centroids[0][0], 0));
    kin_clustering *clustering = NULL;
    CHECK(kin_minibatch_kmeans_clustering(stream, &vectors[0][0], VECTORS, 0, NULL, &clustering));
    CHECK(kin_clustering_centroids(clustering, &same[0][0], 0));
    REQUIRE(memcmp(centroids, same, sizeof centroids) == 0);
    printf("of a stream: inertia %.1f\n", kin_clustering_inertia(clustering));
    kin_clustering_free(clustering);
    kin_minibatch_kmeans_free(stream);
}

static void reduce(void) {
    kin_pca *pca = NULL;
    CHECK(kin_pca_fit(&vectors[0][0], VECTORS, DIMENSION, 0, 3, 1, &pca));
    float plane[VECTORS][3];
    CHECK(kin_pca_transform(pca, &vectors[0][0], VECTORS, 0, &plane[0][0], 0));
    double variance[3];
    CHECK(kin_pca_explained_variance(pca, variance));
    double kept = (variance[0] + variance[1] + variance[2]) / kin_pca_total_variance(pca);
    REQUIRE(kept > 0.9 && kept <= 1);
    printf("three components keep %.0f %% of the variance\n", 100 * kept);
    kin_pca_free(pca);
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
    use_names(path);
    cluster();
    stream();
    reduce();
    return 0;
}
