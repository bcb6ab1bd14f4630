// module: KinABI
// seeds:

// Calls the functions of kin.h on the library, clusterings, streams and principal components as a careless program
// would, with the rules of CInterface.c.

#include "Support/careless.h"

enum { SLOTS = 3 };

static kin_clustering *clusterings[SLOTS];
static kin_minibatch_kmeans *streams[SLOTS];
static kin_pca *pcas[SLOTS];

static void cluster(input *in) {
    size_t n = size(in), d = byte(in) < 250 ? 1 + byte(in) % 9 : size(in), step = stride(in, d * sizeof(float));
    size_t k = byte(in) < 250 ? byte(in) % 6 : size(in), start_step = stride(in, d * sizeof(float));
    const float *points = floats(in, n, step, d <= ARRAY ? d : ARRAY);
    // The structure really has the claimed size, with fields of a later release after those of this one.
    struct {
        kin_kmeans_options known;
        unsigned char later[256 - sizeof(kin_kmeans_options)];
    } options = {KIN_KMEANS_OPTIONS_INIT, {0}};
    options.later[0] = byte(in) == 255;
    options.known.metric = byte(in) % 4 - (byte(in) == 255);
    options.known.threads = byte(in) < 250 ? 1 + byte(in) % 2 : size(in);
    // Large numbers of restarts and iterations are requested work, not a mistake.
    options.known.restarts = byte(in) % 3;
    options.known.max_iterations = byte(in) % 5;
    options.known.tolerance = byte(in) < 240 ? 1e-4 : number(in);
    options.known.seed = byte(in);
    if (byte(in) % 4 == 0) {
        options.known.start = floats(in, k, start_step, d <= ARRAY ? d : ARRAY);
        options.known.start_stride = start_step;
    }
    options.known.weights = byte(in) % 4 == 0 ? doubles(in, n) : NULL;
    options.known.size = byte(in) < 250 ? sizeof options.known : byte(in);
    NEW(kin_clustering, clusterings[byte(in) % SLOTS], kin_clustering_free,
        kin_kmeans_fit(points, n, d, step, k, byte(in) % 8 == 0 ? NULL : &options.known, place));
}

static void restore_clustering(input *in) {
    size_t k = size(in), d = byte(in) < 250 ? 1 + byte(in) % 9 : size(in), step = stride(in, d * sizeof(float));
    const float *centroids = floats(in, k, step, d <= ARRAY ? d : ARRAY);
    NEW(kin_clustering, clusterings[byte(in) % SLOTS], kin_clustering_free,
        kin_clustering_create(centroids, k, d, step, byte(in) % 4, place));
}

static void use_clustering(input *in) {
    const kin_clustering *c = clusterings[byte(in) % SLOTS];
    size_t k = kin_clustering_k(c), d = kin_clustering_dimension(c), n = kin_clustering_count(c);
    size_t row = d * sizeof(float), step = stride(in, row), m = size(in);
    kin_clustering_metric(c);
    if (kin_clustering_distinct(c) > k) {
        fail("more distinct centroids than centroids");
    }
    kin_clustering_inertia(c);
    kin_clustering_iterations(c);
    kin_clustering_is_converged(c);
    switch (byte(in) % 5) {
    case 0:
        worked(kin_clustering_centroids(c, output(in, k, step, row), step));
        break;
    case 1:
        worked(kin_clustering_labels(c, output(in, n, 0, sizeof(int64_t))));
        break;
    case 2:
        worked(kin_clustering_sizes(c, output(in, k, 0, sizeof(uint64_t))));
        break;
    case 3:
        worked(kin_clustering_weights(c, output(in, k, 0, sizeof(double))));
        break;
    default: {
        const float *points = floats(in, m, step, d);
        int64_t *labels = output(in, m, 0, sizeof *labels);
        double *distances = output(in, m, 0, sizeof *distances);
        worked(kin_clustering_assign(c, points, m, step, byte(in) < 240 ? 1 : size(in), labels, distances));
    }
    }
}

static void make_stream(input *in) {
    size_t k = byte(in) < 250 ? byte(in) % 5 : size(in), d = byte(in) < 250 ? byte(in) % 9 : size(in);
    kin_minibatch_kmeans_options options = KIN_MINIBATCH_KMEANS_OPTIONS_INIT;
    options.metric = byte(in) % 4 - (byte(in) == 255);
    options.threads = byte(in) < 250 ? 1 + byte(in) % 2 : size(in);
    options.reassignment_ratio = byte(in) < 200 ? 0.3 : number(in);
    options.seed = byte(in);
    options.size = byte(in) < 250 ? sizeof options : byte(in) % 40;
    NEW(kin_minibatch_kmeans, streams[byte(in) % SLOTS], kin_minibatch_kmeans_free,
        kin_minibatch_kmeans_create(k, d, byte(in) % 8 == 0 ? NULL : &options, place));
}

/// Writes a stream, may damage the bytes, and reads them.
static void keep_stream(input *in) {
    const kin_minibatch_kmeans *from = streams[byte(in) % SLOTS];
    if (byte(in) % 4 == 0) {
        NEW(kin_minibatch_kmeans, streams[byte(in) % SLOTS], kin_minibatch_kmeans_free,
            kin_minibatch_kmeans_copy(from, place));
        return;
    }
    static uint8_t state[1 << 14];
    size_t count = 0;
    if (!worked(kin_minibatch_kmeans_encode(from, byte(in) == 255 ? NULL : state,
                                            byte(in) == 255 ? size(in) % sizeof state : sizeof state, &count)) ||
        count > sizeof state) {
        return;
    }
    for (int spoilt = byte(in) % 4; spoilt > 0; spoilt--) {
        state[(size_t)(byte(in) << 8 | byte(in)) % count] = byte(in);
    }
    count = byte(in) < 200 ? count : byte(in) % (count + 1);
    size_t threads = byte(in) < 250 ? 1 : size(in);
    NEW(kin_minibatch_kmeans, streams[byte(in) % SLOTS], kin_minibatch_kmeans_free,
        kin_minibatch_kmeans_decode(state, count, threads, place));
}

static void use_stream(input *in) {
    kin_minibatch_kmeans *s = streams[byte(in) % SLOTS];
    size_t k = kin_minibatch_kmeans_k(s), d = kin_minibatch_kmeans_dimension(s), n = size(in);
    // A damaged state may need more centroids or dimensions than an array here has.
    if (k > ARRAY || d > ARRAY) {
        return;
    }
    size_t row = d * sizeof(float), step = stride(in, row);
    const float *points = floats(in, n, step, d);
    const double *weights = byte(in) % 4 == 0 ? doubles(in, n) : NULL;
    uint64_t before = kin_minibatch_kmeans_count(s);
    kin_minibatch_kmeans_inertia(s);
    if (s != NULL && kin_minibatch_kmeans_metric(s) < 0) {
        fail("a stream without a metric");
    }
    switch (byte(in) % 4) {
    case 0:
        worked(kin_minibatch_kmeans_centroids(s, output(in, k, step, row), step));
        break;
    case 1:
        NEW(kin_clustering, clusterings[byte(in) % SLOTS], kin_clustering_free,
            kin_minibatch_kmeans_clustering(s, points, n, step, weights, place));
        break;
    default:
        if (!worked(kin_minibatch_kmeans_partial_fit(s, points, n, step, weights)) &&
            kin_minibatch_kmeans_count(s) != before) {
            fail("a failed call taught the stream");
        }
    }
}

static void fit_pca(input *in) {
    size_t n = size(in), d = byte(in) < 250 ? 1 + byte(in) % 9 : size(in), step = stride(in, d * sizeof(float));
    const float *data = floats(in, n, step, d <= ARRAY ? d : ARRAY);
    size_t components = byte(in) < 250 ? byte(in) % 6 : size(in), threads = byte(in) < 250 ? 1 : size(in);
    NEW(kin_pca, pcas[byte(in) % SLOTS], kin_pca_free, kin_pca_fit(data, n, d, step, components, threads, place));
}

static void restore_pca(input *in) {
    size_t k = size(in), d = size(in), total = 0;
    if (__builtin_mul_overflow(k, d, &total)) {
        total = SIZE_MAX;
    }
    const double *mean = doubles(in, d), *components = doubles(in, total), *variance = doubles(in, k);
    NEW(kin_pca, pcas[byte(in) % SLOTS], kin_pca_free,
        kin_pca_create(mean, components, variance, number(in), k, d, place));
}

static void use_pca(input *in) {
    const kin_pca *p = pcas[byte(in) % SLOTS];
    size_t k = kin_pca_count(p), d = kin_pca_dimension(p), n = size(in);
    size_t long_row = d * sizeof(float), short_row = k * sizeof(float);
    size_t long_step = stride(in, long_row), short_step = stride(in, short_row);
    kin_pca_total_variance(p);
    switch (byte(in) % 5) {
    case 0:
        worked(kin_pca_mean(p, output(in, d, 0, sizeof(double))));
        break;
    case 1:
        worked(kin_pca_components(p, output(in, k * d, 0, sizeof(double))));
        break;
    case 2:
        worked(kin_pca_explained_variance(p, output(in, k, 0, sizeof(double))));
        break;
    case 3: {
        const float *data = floats(in, n, long_step, d);
        worked(kin_pca_transform(p, data, n, long_step, output(in, n, short_step, short_row), short_step));
        break;
    }
    default: {
        const float *coordinates = floats(in, n, short_step, k);
        worked(kin_pca_inverse_transform(p, coordinates, n, short_step, output(in, n, long_step, long_row), long_step));
    }
    }
}

static int32_t answer(uint64_t done, uint64_t total, void *context) {
    (void)done;
    (void)total;
    return *(const int32_t *)context;
}

/// Long calls, if any, are cancelled or continue.
static void watch(input *in) {
    static int32_t answers[2] = {0, 1};
    kin_set_progress(byte(in) % 3 == 0 ? NULL : answer, &answers[byte(in) % 2]);
}

static void free_one(input *in) {
    size_t s = byte(in) % SLOTS;
    switch (byte(in) % 3) {
    case 0:
        kin_clustering_free(clusterings[s]);
        clusterings[s] = NULL;
        break;
    case 1:
        kin_minibatch_kmeans_free(streams[s]);
        streams[s] = NULL;
        break;
    default:
        kin_pca_free(pcas[s]);
        pcas[s] = NULL;
    }
}

static void ask_library(input *in) {
    if (kin_version_number() != KIN_VERSION_NUMBER || kin_abi_version() != KIN_ABI_VERSION ||
        kin_build_info()[0] != '{') {
        fail("not this library");
    }
    kin_status_name((kin_status)size(in));
    kin_matches_free(NULL);
    kin_string_free(NULL);
    if (kin_matches_offsets(NULL) != NULL || kin_matches_ids(NULL) != NULL || kin_matches_distances(NULL) != NULL) {
        fail("results of nothing");
    }
}

static const call calls[] = {
    cluster, restore_clustering, use_clustering, make_stream, keep_stream, use_stream,  use_stream,
    fit_pca, restore_pca,        use_pca,        free_one,    watch,       ask_library,
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    make_calls(bytes, count, calls, sizeof calls / sizeof calls[0]);
    for (size_t s = 0; s < SLOTS; s++) {
        kin_clustering_free(clusterings[s]);
        kin_minibatch_kmeans_free(streams[s]);
        kin_pca_free(pcas[s]);
        clusterings[s] = NULL;
        streams[s] = NULL;
        pcas[s] = NULL;
    }
    return 0;
}
