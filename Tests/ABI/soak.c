// Calls everything in libkin repeatedly for SECONDS on three threads, with right and wrong arguments, for valgrind to
// watch.
//
//     soak SECONDS FOLDER

#include <kin.h>

#include "require.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { THREADS = 3, DIMENSIONS = 12, ROWS = 200, K = 7 };

static time_t end;
static const char *folder;
static kin_index *shared;

static float drawn(uint64_t *state) {
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (float)(*state >> 40) / (float)(1 << 24);
}

static void use_index(kin_index *index, float (*rows)[DIMENSIONS], size_t dimension, uint64_t *state) {
    uint64_t ids[ROWS], found[ROWS * K];
    double distances[ROWS * K];
    size_t stride = sizeof rows[0];
    for (size_t i = 0; i < ROWS; i++) {
        ids[i] = i * (1 + dimension) + (uint64_t)((float)(1 + dimension) * drawn(state));
    }
    REQUIRE(kin_index_append(index, rows[0], ROWS, stride, 1, NULL) == KIN_OK);
    REQUIRE(kin_index_upsert(index, rows[0], ROWS, stride, ids, 1) == KIN_OK);
    ids[1] = ids[0];
    REQUIRE(kin_index_upsert(index, rows[0], ROWS, stride, ids, 1) == KIN_DUPLICATE_ID);
    int64_t numbers[ROWS];
    const char *texts[ROWS];
    uint64_t own[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        own[i] = i * (1 + dimension);
        numbers[i] = (int64_t)i % 7;
        texts[i] = i % 5 == 0 ? NULL : i % 5 == 1 ? "one" : "another";
    }
    REQUIRE(kin_index_upsert(index, rows[0], ROWS, stride, own, 1) == KIN_OK);
    REQUIRE(kin_index_declare_attribute(index, "number", KIN_ATTRIBUTE_INTEGER) == KIN_OK);
    REQUIRE(kin_index_declare_attribute(index, "text", KIN_ATTRIBUTE_CATEGORY) == KIN_OK);
    REQUIRE(kin_index_set_attribute(index, "number", KIN_ATTRIBUTE_INTEGER, own, ROWS, numbers, NULL) == KIN_OK);
    REQUIRE(kin_index_set_attribute(index, "text", KIN_ATTRIBUTE_CATEGORY, own, ROWS, texts, NULL) == KIN_OK);
    char *known = NULL;
    REQUIRE(kin_index_attributes(index, own[1], &known) == KIN_OK && strstr(known, "one") != NULL);
    kin_string_free(known);
    kin_filter *expression = NULL, *prepared = NULL;
    REQUIRE(kin_filter_create_expression("number < 3 and text is present", &expression) == KIN_OK);
    REQUIRE(kin_index_prepare(index, expression, 2, &prepared) == KIN_OK);
    kin_search_options among = KIN_SEARCH_OPTIONS_INIT;
    among.filter = prepared;
    REQUIRE(kin_index_search(index, rows[0], ROWS, stride, K, &among, found, distances, NULL) == KIN_OK);
    kin_filter_free(prepared);
    kin_filter_free(expression);
    kin_filter *filter = NULL;
    REQUIRE(kin_filter_create_ids(ids, ROWS, &filter) == KIN_OK);
    kin_search_options options = KIN_SEARCH_OPTIONS_INIT;
    options.filter = filter;
    options.threads = 2;
    REQUIRE(kin_index_search(index, rows[0], ROWS, stride, K, &options, found, distances, NULL) == KIN_OK);
    REQUIRE(kin_index_search(index, rows[0], 1, stride, K, NULL, found, distances, NULL) == KIN_OK);
    REQUIRE(kin_index_search(index, rows[0], ROWS, 3, K, NULL, found, NULL, NULL) == KIN_INVALID_ARGUMENT);
    kin_filter_free(filter);
    kin_matches *matches = NULL;
    REQUIRE(kin_index_range_search(index, rows[0], 3, stride, 0.5, NULL, &matches) == KIN_OK);
    kin_matches_free(matches);
    char *json = NULL;
    REQUIRE(kin_index_explain(index, rows[0], K, NULL, &json) == KIN_OK);
    kin_string_free(json);
    float back[2][DIMENSIONS];
    REQUIRE(kin_index_get(index, found, 2, back[0], sizeof back[0]) == KIN_OK);
    REQUIRE(kin_index_remove(index, ids, ROWS / 2, NULL) == KIN_OK);
    REQUIRE(kin_index_compact(index) == KIN_OK);
}

static void use_files(const kin_index *index, size_t thread) {
    char path[512];
    snprintf(path, sizeof path, "%s/soak-%zu.kin", folder, thread);
    REQUIRE(kin_index_save(index, path) == KIN_OK);
    int32_t intact = 0;
    char *json = NULL;
    REQUIRE(kin_index_verify(path, &intact, &json) == KIN_OK && intact == 1);
    kin_string_free(json);
    kin_index *mapped = NULL;
    REQUIRE(kin_index_map(path, &mapped) == KIN_OK);
    REQUIRE(kin_index_count(mapped) == kin_index_count(index));
    // The first change to a mapped index copies the parts that it changes.
    uint64_t id = 0;
    size_t count = kin_index_count(mapped);
    uint64_t *ids = malloc(count * sizeof *ids);
    REQUIRE(ids != NULL && kin_index_ids(mapped, ids, count, &count) == KIN_OK);
    id = ids[count / 2];
    REQUIRE(kin_index_remove(mapped, &id, 1, NULL) == KIN_OK);
    free(ids);
    kin_index_free(mapped);
    REQUIRE(kin_index_map("/nowhere/at/all", &mapped) == KIN_INPUT_OUTPUT);
}

static void use_models(float (*rows)[DIMENSIONS], size_t dimension) {
    kin_kmeans_options options = KIN_KMEANS_OPTIONS_INIT;
    options.threads = 2;
    options.max_iterations = 4;
    kin_clustering *clustering = NULL;
    REQUIRE(kin_kmeans_fit(rows[0], ROWS, dimension, sizeof rows[0], 9, &options, &clustering) == KIN_OK);
    int64_t labels[ROWS];
    REQUIRE(kin_clustering_assign(clustering, rows[0], ROWS, sizeof rows[0], 1, labels, NULL) == KIN_OK);
    kin_clustering_free(clustering);
    kin_minibatch_kmeans *stream = NULL, *copy = NULL, *kept = NULL;
    uint8_t state[1 << 12];
    size_t bytes = 0;
    REQUIRE(kin_minibatch_kmeans_create(9, dimension, NULL, &stream) == KIN_OK);
    REQUIRE(kin_minibatch_kmeans_partial_fit(stream, rows[0], ROWS, sizeof rows[0], NULL) == KIN_OK);
    REQUIRE(kin_minibatch_kmeans_copy(stream, &copy) == KIN_OK);
    kin_minibatch_kmeans_free(stream);
    REQUIRE(kin_minibatch_kmeans_encode(copy, state, sizeof state, &bytes) == KIN_OK && bytes <= sizeof state);
    REQUIRE(kin_minibatch_kmeans_decode(state, bytes, 1, &kept) == KIN_OK);
    REQUIRE(kin_minibatch_kmeans_decode(state, bytes - 1, 1, &stream) == KIN_CORRUPT_FILE);
    REQUIRE(kin_minibatch_kmeans_count(kept) == ROWS);
    kin_minibatch_kmeans_free(copy);
    kin_minibatch_kmeans_free(kept);
    kin_pca *pca = NULL;
    REQUIRE(kin_pca_fit(rows[0], ROWS, dimension, sizeof rows[0], 1, 2, &pca) == KIN_OK);
    float line[ROWS], back[ROWS][DIMENSIONS];
    REQUIRE(kin_pca_transform(pca, rows[0], ROWS, sizeof rows[0], line, 0) == KIN_OK);
    REQUIRE(kin_pca_inverse_transform(pca, line, ROWS, 0, back[0], sizeof back[0]) == KIN_OK);
    kin_pca_free(pca);
}

static void *soak(void *number) {
    size_t thread = *(const size_t *)number;
    uint64_t state = thread + 1;
    static _Thread_local float rows[ROWS][DIMENSIONS];
    do {
        for (size_t i = 0; i < ROWS; i++) {
            for (size_t j = 0; j < DIMENSIONS; j++) {
                rows[i][j] = drawn(&state) + 0.01F;
            }
        }
        size_t dimension = 1 + (size_t)((DIMENSIONS - 1) * drawn(&state));
        kin_index *index = NULL, *copy = NULL;
        kin_metric metric = (kin_metric)(3 * drawn(&state));
        if (drawn(&state) < 0.5F) {
            REQUIRE(kin_index_create_flat(dimension, metric, &index) == KIN_OK);
        } else {
            REQUIRE(kin_index_create_ivf(dimension, metric, (size_t)(4 * drawn(&state)), &index) == KIN_OK);
        }
        use_index(index, rows, dimension, &state);
        REQUIRE(kin_index_copy(index, &copy) == KIN_OK);
        use_index(copy, rows, dimension, &state);
        kin_index_free(index);
        use_files(copy, thread);
        kin_index_free(copy);
        use_models(rows, dimension);
        uint64_t id = thread;
        REQUIRE(kin_index_upsert(shared, rows[0], 1, 0, &id, 1) == KIN_OK);
        REQUIRE(kin_index_search(shared, rows[0], 1, 0, 1, NULL, &id, NULL, NULL) == KIN_OK);
    } while (time(NULL) < end);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: soak SECONDS FOLDER\n");
        return 2;
    }
    end = time(NULL) + atol(argv[1]);
    folder = argv[2];
    REQUIRE(kin_index_create_flat(DIMENSIONS, KIN_METRIC_L2, &shared) == KIN_OK);
    pthread_t threads[THREADS];
    size_t numbers[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        numbers[i] = i;
        require(pthread_create(&threads[i], NULL, soak, &numbers[i]) == 0, "a thread starts");
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    kin_index_free(shared);
    printf("%d threads soaked for %s s\n", THREADS, argv[1]);
    return 0;
}
