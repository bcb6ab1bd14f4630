// Threads and processes that the Swift runtime did not create. POSIX threads share an index while one of them changes
// it. Then the process forks, and the child continues with its parent's handles.

#include <kin.h>

#include "require.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DIMENSION = 16, VECTORS = 30000, QUERIES = 64, K = 10, READERS = 4, ROUNDS = 10, CHILDREN = 8 };

static float vectors[VECTORS][DIMENSION];
static kin_index *shared;
static const kin_index *fixed;
static uint64_t expected[QUERIES][K];

#define CHECK(call) REQUIRE((call) == KIN_OK)

/// Searches the unchanged index on `threads` threads and requires the same result every time.
static void search_fixed(size_t threads) {
    uint64_t ids[QUERIES][K];
    kin_search_options options = KIN_SEARCH_OPTIONS_INIT;
    options.threads = threads;
    CHECK(kin_index_search(fixed, &vectors[0][0], QUERIES, 0, K, &options, &ids[0][0], NULL, NULL));
    require(memcmp(ids, expected, sizeof ids) == 0, "results do not depend on threads");
}

static void *read_both(void *number) {
    size_t reader = *(const size_t *)number;
    for (size_t round = 0; round < ROUNDS; round++) {
        search_fixed(1 + reader % 2);
        // Every state of the shared index has the first QUERIES vectors.
        uint64_t id = 0;
        double distance = -1;
        CHECK(kin_index_search(shared, vectors[reader], 1, 0, 1, NULL, &id, &distance, NULL));
        require(id == reader && distance == 0, "a vector is nearest to itself");
        // Errors belong to the thread on which they happened.
        char text[40];
        snprintf(text, sizeof text, "not %zu", (size_t)1000 + reader);
        require(kin_kmeans_fit(&vectors[0][0], 10, DIMENSION, 0, 1000 + reader, NULL, NULL) == KIN_INVALID_ARGUMENT,
                "NULL is refused");
        kin_clustering *none = NULL;
        require(kin_kmeans_fit(&vectors[0][0], 10, DIMENSION, 0, 1000 + reader, NULL, &none) != KIN_OK, "k > points");
        require(strstr(kin_last_error(), text) != NULL, "the last error is this thread's");
    }
    return NULL;
}

static void *write_shared(void *unused) {
    (void)unused;
    for (size_t round = 0; round < 20 * ROUNDS; round++) {
        uint64_t id = QUERIES + round % 1000;
        CHECK(kin_index_upsert(shared, vectors[id], 1, 0, &id, 1));
        CHECK(kin_index_remove(shared, &id, 1, NULL));
    }
    return NULL;
}

static void run_threads(void) {
    pthread_t threads[READERS + 1];
    size_t numbers[READERS];
    for (size_t i = 0; i < READERS; i++) {
        numbers[i] = i;
        require(pthread_create(&threads[i], NULL, read_both, &numbers[i]) == 0, "a thread starts");
    }
    require(pthread_create(&threads[READERS], NULL, write_shared, NULL) == 0, "a thread starts");
    for (size_t i = 0; i <= READERS; i++) {
        pthread_join(threads[i], NULL);
    }
}

/// The work of a child on two threads that are both the first to use much of the library.
static void build_in_child(void) {
    alarm(120);
    enum { ROWS = 12000 };
    static uint64_t ids[ROWS];
    for (size_t i = 0; i < ROWS; i++) {
        ids[i] = i;
    }
    kin_index *index = NULL;
    CHECK(kin_index_create_ivf(DIMENSION, KIN_METRIC_L2, 0, &index));
    CHECK(kin_index_upsert(index, &vectors[0][0], ROWS, 0, ids, 2));
    CHECK(kin_index_calibrate(index, 2));
    kin_index_free(index);
}

/// A child uses its parent's handles, and requests two threads although it has only one.
static void live_in_child(void) {
    alarm(120);
    search_fixed(2);
    uint64_t id = 5;
    CHECK(kin_index_upsert(shared, vectors[9], 1, 0, &id, 1));
    kin_kmeans_options options = KIN_KMEANS_OPTIONS_INIT;
    options.threads = 2;
    kin_clustering *clustering = NULL;
    CHECK(kin_kmeans_fit(&vectors[0][0], VECTORS, DIMENSION, 0, 3, &options, &clustering));
    kin_clustering_free(clustering);
    kin_pca *pca = NULL;
    CHECK(kin_pca_fit(&vectors[0][0], VECTORS, DIMENSION, 0, 2, 2, &pca));
    kin_pca_free(pca);
    kin_index_free(shared);
}

static void require_child(const char *when, void (*live)(void)) {
    fflush(NULL);
    pid_t child = fork();
    require(child >= 0, "a process forks");
    if (child == 0) {
        live();
        _exit(0);
    }
    int status = 0;
    require(waitpid(child, &status, 0) == child, "the child ends");
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "the child %s ended with %d\n", when, status);
        exit(1);
    }
}

int main(void) {
    uint64_t state = 1;
    for (size_t i = 0; i < VECTORS; i++) {
        for (size_t j = 0; j < DIMENSION; j++) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            vectors[i][j] = (float)(state >> 40) / (float)(1 << 24);
        }
    }
    for (size_t child = 0; child < CHILDREN; child++) {
        require_child("before any call", build_in_child);
    }
    kin_index *index = NULL;
    CHECK(kin_index_create_flat(DIMENSION, KIN_METRIC_L2, &index));
    CHECK(kin_index_append(index, &vectors[0][0], VECTORS, 0, 1, NULL));
    CHECK(kin_index_copy(index, &shared));
    fixed = index;
    CHECK(kin_index_search(fixed, &vectors[0][0], QUERIES, 0, K, NULL, &expected[0][0], NULL, NULL));

    require_child("before any threads", live_in_child);
    run_threads();
    require_child("after threads", live_in_child);
    run_threads();
    kin_index_free(index);
    kin_index_free(shared);
    printf("%d readers and a writer shared an index, and %d children did their work\n", READERS, CHILDREN + 2);
    return 0;
}
