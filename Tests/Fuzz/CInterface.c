// module: KinABI
// seeds:

// Calls every function of kin.h except those on the library and models (CModels.c), policies (CPolicies.c), builders
// (CIndexBuilder.c) and combined filters (CFilters.c) as a careless program would. The arguments are drawn from the
// input: NULL, unaligned addresses, sizes and strides that fit nothing, numbers that are not finite, options of any
// size, unknown constants.
//
// Two rules are left to the caller. A handle is never used after it was freed. An array is never shorter than its
// count, unless the count is so wrong that it has to be refused. All calls succeed, or fail with a status of the
// header, a message, and unchanged outputs.

#include "Support/careless.h"

#include <unistd.h>

enum { SLOTS = 3 };

// ---- Handles.

static kin_index *indexes[SLOTS];
static kin_filter *filters[SLOTS];
static char path[64];

static kin_index *an_index(input *in) {
    return indexes[byte(in) % SLOTS];
}

/// Options for a search of n queries, at the front of a larger structure as in a program with a newer header.
static const kin_search_options *search_options(input *in, size_t n) {
    static struct {
        kin_search_options known;
        uint64_t later[2];
    } options;
    uint8_t b = byte(in);
    if (b < 64) {
        return NULL;
    }
    options.known = (kin_search_options)KIN_SEARCH_OPTIONS_INIT;
    options.known.filter = filters[byte(in) % SLOTS];
    options.known.threads = b < 240 ? 1 + b % 3 : size(in);
    uint8_t way = byte(in);
    options.known.recall = way % 4 == 1 ? number(in) : 0;
    options.known.probes = way % 4 == 2 || way == 255 ? size(in) : 0;
    options.known.radii = way % 3 == 1 ? doubles(in, n) : NULL;
    options.known.group_by = way % 5 == 4 ? (way % 2 == 0 ? "a" : "b") : NULL;
    options.later[0] = options.later[1] = byte(in) == 255;
    uint8_t s = byte(in);
    options.known.size = s < 192 ? sizeof options.known : s < 224 ? sizeof options : s < 250 ? s % 64 : 9999;
    if (options.known.size > sizeof options && options.known.size <= 4096) {
        options.known.size = sizeof options;
    }
    return &options.known;
}

// ---- One call each.

static void make(input *in) {
    size_t dimension = byte(in) < 240 ? 1 + byte(in) % 18 : size(in);
    kin_metric metric = byte(in) < 250 ? byte(in) % 3 : (kin_metric)size(in);
    if (byte(in) % 2 == 0) {
        NEW(kin_index, indexes[byte(in) % SLOTS], kin_index_free, kin_index_create_flat(dimension, metric, place));
    } else {
        size_t lists = byte(in) < 128 ? 0 : size(in);
        NEW(kin_index, indexes[byte(in) % SLOTS], kin_index_free,
            kin_index_create_ivf(dimension, metric, lists, place));
    }
}

static void copy(input *in) {
    const kin_index *from = an_index(in);
    NEW(kin_index, indexes[byte(in) % SLOTS], kin_index_free, kin_index_copy(from, place));
}

static void upsert(input *in) {
    kin_index *index = an_index(in);
    size_t n = size(in), d = kin_index_dimension(index), step = stride(in, d * sizeof(float));
    const float *vectors = floats(in, n, step, d);
    size_t before = kin_index_count(index), threads = byte(in) < 240 ? 1 : size(in);
    if (byte(in) % 2 == 0) {
        uint64_t *first = output(in, 1, 0, sizeof *first);
        worked(kin_index_append(index, vectors, n, step, threads, first));
    } else if (!worked(kin_index_upsert(index, vectors, n, step, ids(in, n), threads)) &&
               kin_index_count(index) != before) {
        fail("a failed call changed the index");
    }
}

static void remove_some(input *in) {
    kin_index *index = an_index(in);
    size_t n = size(in);
    const uint64_t *gone = ids(in, n);
    size_t *removed = output(in, 1, 0, sizeof *removed);
    worked(kin_index_remove(index, gone, n, removed));
}

/// Names: mostly one of a few, sometimes NULL, empty, invisible, too long or not UTF-8.
static const char *const *names(input *in, size_t n) {
    static const char *const some[] = {"ada", "mia", "noor", "lou", "Zo\xC3\xAB", "7", "a name with spaces", "-"};
    static const char *const odd[] = {NULL, "", "\n", "\xE2\x80\xAE", "\xFF\xFE", "\xC3"};
    static char long_name[1100];
    memset(long_name, 'x', sizeof long_name - 1);
    const char **a = array(in, n, 0, sizeof *a);
    for (size_t i = 0; a != NULL && i < n; i++) {
        uint8_t b = byte(in);
        const char *name = b < 240 ? some[b % 8] : b < 250 ? odd[b % 6] : long_name + b % 64;
        memcpy((uint8_t *)a + i * sizeof name, &name, sizeof name);
    }
    return a;
}

static void upsert_named(input *in) {
    kin_index *index = an_index(in);
    size_t n = size(in), d = kin_index_dimension(index), step = stride(in, d * sizeof(float));
    const float *vectors = floats(in, n, step, d);
    const char *const *given = names(in, n);
    size_t threads = byte(in) < 240 ? 1 : size(in);
    uint64_t *made = output(in, n, 0, sizeof *made);
    if (worked(kin_index_upsert_named(index, vectors, n, step, given, threads, made)) && n > 0 &&
        kin_index_has_names(index) != 1) {
        fail("an index with names has none");
    }
}

static void find_names(input *in) {
    kin_index *index = an_index(in);
    size_t n = size(in);
    const char *const *given = names(in, n);
    if (byte(in) % 4 == 0) {
        size_t *removed = output(in, 1, 0, sizeof *removed);
        worked(kin_index_remove_named(index, given, n, removed));
        return;
    }
    uint64_t *found = output(in, n, 0, sizeof *found);
    bool is_found = worked(kin_index_find(index, given, n, found)) && found != NULL;
    const uint64_t *wanted = is_found ? found : ids(in, n);
    size_t capacity = size(in), *needed = output(in, 1, 0, sizeof *needed);
    char *texts = output(in, capacity, 0, 1);
    worked(kin_index_names(index, wanted, n, texts, capacity, needed));
}

static void maintain(input *in) {
    kin_index *index = an_index(in);
    // A reservation allocates memory, whose cost is limited by one chunk.
    worked(byte(in) % 2 == 0 ? kin_index_reserve(index, size(in)) : kin_index_compact(index));
    worked(kin_index_calibrate(index, 1 + byte(in) % 3));
    kin_index_bytes(index);
    if (index != NULL && (kin_index_metric(index) < 0 || kin_index_kind(index) < 0)) {
        fail("an index without a metric");
    }
}

static void look_up(input *in) {
    const kin_index *index = an_index(in);
    size_t n = size(in), d = kin_index_dimension(index), step = stride(in, d * sizeof(float));
    const uint64_t *wanted = ids(in, n);
    switch (byte(in) % 3) {
    case 0: {
        uint8_t *found = output(in, n, 0, 1);
        worked(kin_index_contains(index, wanted, n, found));
        break;
    }
    case 1: {
        float *vectors = output(in, n, step, d * sizeof(float));
        worked(kin_index_get(index, wanted, n, vectors, step));
        break;
    }
    default: {
        uint64_t *list = output(in, n, 0, sizeof *list);
        size_t *count = output(in, 1, 0, sizeof *count);
        worked(kin_index_ids(index, list, n, count));
    }
    }
}

static void search(input *in) {
    const kin_index *index = an_index(in);
    size_t n = size(in) % 9, d = kin_index_dimension(index), step = stride(in, d * sizeof(float)), k = size(in);
    n = byte(in) == 255 ? size(in) : n;
    const float *queries = floats(in, n, step, d);
    size_t total = 0;
    if (__builtin_mul_overflow(n, k, &total)) {
        total = SIZE_MAX;
    }
    uint64_t *found = output(in, total, 0, sizeof *found);
    double *distances = output(in, total, 0, sizeof *distances);
    size_t *counts = output(in, n, 0, sizeof *counts);
    const kin_search_options *options = search_options(in, n);
    if (worked(kin_index_search(index, queries, n, step, k, options, found, distances, counts)) && counts != NULL) {
        const double *radii = options != NULL && options->size >= sizeof *options ? options->radii : NULL;
        for (size_t q = 0; q < n; q++) {
            if (radii != NULL && distances != NULL && counts[q] > 0 &&
                !(distances[q * k + counts[q] - 1] <= radii[q])) {
                fail("a neighbour outside its radius");
            }
            if (counts[q] > k || (counts[q] < k && found[q * k + counts[q]] != KIN_NO_ID)) {
                fail("counts do not agree with ids");
            }
        }
    }
}

static void search_radius(input *in) {
    const kin_index *index = an_index(in);
    size_t n = size(in) % 9, d = kin_index_dimension(index), step = stride(in, d * sizeof(float));
    const float *queries = floats(in, n, step, d);
    double radius = number(in);
    const kin_search_options *options = search_options(in, n);
    kin_matches *matches = NULL;
    NEW(kin_matches, matches, kin_matches_free,
        kin_index_range_search(index, queries, n, step, radius, options, place));
    if (matches != NULL) {
        size_t total = kin_matches_offsets(matches)[n];
        if (total > n * kin_index_count(index) ||
            (total > 0 && (kin_matches_ids(matches)[total - 1] == KIN_NO_ID ||
                           !(kin_matches_distances(matches)[total - 1] <= radius)))) {
            fail("results outside the radius");
        }
    }
    kin_matches_free(matches);
}

static void recommend(input *in) {
    const kin_index *index = an_index(in);
    size_t d = kin_index_dimension(index), k = size(in);
    kin_recommendation wanted = KIN_RECOMMENDATION_INIT;
    wanted.positive = floats(in, wanted.positive_count = size(in) % 4, 0, d);
    wanted.negative_ids = ids(in, wanted.negative_id_count = size(in) % 4);
    wanted.excluded = ids(in, wanted.excluded_count = size(in));
    wanted.diversity = number(in) / 4;
    wanted.category = (wanted.per_category = size(in)) > 20 ? "a" : NULL;
    uint64_t *found = output(in, k, 0, sizeof *found);
    size_t total = 0, *count = &total;
    if (worked(kin_index_recommend(index, &wanted, k, search_options(in, 1), found, NULL, count)) && *count > k) {
        fail("the count does not agree with the ids");
    }
}

static void explain(input *in) {
    const kin_index *index = an_index(in);
    const float *query = floats(in, 1, 0, kin_index_dimension(index));
    char *json = NULL;
    if (worked(kin_index_explain(index, query, size(in), search_options(in, 1), byte(in) == 255 ? NULL : &json)) &&
        json[0] != '{') {
        fail("no JSON");
    }
    kin_string_free(json);
}

static void prepare(input *in) {
    const kin_index *index = an_index(in);
    const kin_filter *plain = filters[byte(in) % SLOTS];
    size_t threads = byte(in) < 240 ? 1 : size(in);
    NEW(kin_filter, filters[byte(in) % SLOTS], kin_filter_free, kin_index_prepare(index, plain, threads, place));
}

/// A short text: an existing name, the beginning of an expression, or bytes.
static const char *words(input *in) {
    static const char *const some[] = {"a",
                                       "b",
                                       "visit",
                                       "a = 1",
                                       "a = x or b > 2",
                                       "not (a is missing)",
                                       "id < 9",
                                       "b between -1 and 1",
                                       "visit overlaps [1970-01-01, 1970-01-02)",
                                       "a contains x or b overlaps (x, y)",
                                       "",
                                       "a in (",
                                       "\xff"};
    static char text[24];
    uint8_t b = byte(in);
    if (b == 255) {
        return NULL;
    }
    if (b < 200) {
        return some[b % (sizeof some / sizeof some[0])];
    }
    for (size_t i = 0; i < sizeof text - 1; i++) {
        text[i] = (char)byte(in);
    }
    return text;
}

static void know(input *in) {
    kin_index *index = an_index(in);
    const char *name = words(in);
    kin_attribute_kind kind = byte(in) < 250 ? byte(in) % 7 : (kin_attribute_kind)size(in);
    if (byte(in) % 3 == 0) {
        worked(kin_index_declare_attribute(index, name, kind));
        return;
    }
    size_t n = size(in);
    static const size_t bytes[] = {8, 8, sizeof(char *), 8, 1, 16, sizeof(char *)};
    uint8_t *values = array(in, n, 0, bytes[kind >= 0 && kind < 7 ? kind : 0]);
    for (size_t i = 0; values != NULL && i < n; i++) {
        if (kind == KIN_ATTRIBUTE_CATEGORY || kind == KIN_ATTRIBUTE_TAGS) {
            const char *text = byte(in) % 4 == 0 ? NULL : byte(in) % 2 == 0 ? "x\x1Fy" : "\xff";
            memcpy(values + i * sizeof text, &text, sizeof text);
        } else {
            memset(values + i * bytes[kind >= 0 && kind < 7 ? kind : 0], byte(in),
                   bytes[kind >= 0 && kind < 7 ? kind : 0]);
        }
    }
    const uint64_t *which = ids(in, n);
    const uint8_t *present = byte(in) % 2 == 0 ? NULL : array(in, n, 0, 1);
    for (size_t i = 0; present != NULL && i < n; i++) {
        ((uint8_t *)(uintptr_t)present)[i] = byte(in) % 3;
    }
    worked(kin_index_set_attribute(index, name, kind, which, n, values, present));
}

static void tell(input *in) {
    const kin_index *index = an_index(in);
    char *json = NULL;
    char **where = byte(in) == 255 ? NULL : &json;
    if (worked(byte(in) % 2 == 0 ? kin_index_schema(index, where) : kin_index_attributes(index, id(in), where)) &&
        json[0] != '{') {
        fail("no JSON");
    }
    kin_string_free(json);
}

static void express(input *in) {
    const char *text = words(in);
    NEW(kin_filter, filters[byte(in) % SLOTS], kin_filter_free, kin_filter_create_expression(text, place));
}

static void make_filter(input *in) {
    size_t n = size(in);
    const uint64_t *list = ids(in, n);
    bool words = byte(in) % 2 == 0;
    NEW(kin_filter, filters[byte(in) % SLOTS], kin_filter_free,
        words ? kin_filter_create_bitmap(list, n, place) : kin_filter_create_ids(list, n, place));
}

static void files(input *in) {
    static const char *const names[] = {path, path, path, path, NULL, "", "/", "\xff\xfe", "/nowhere/at/all"};
    const char *name = names[byte(in) % (sizeof names / sizeof names[0])];
    switch (byte(in) % 4) {
    case 0:
        worked(byte(in) % 2 == 0 ? kin_index_save(an_index(in), name)
                                 : kin_index_save_with(an_index(in), name, file_options(in)));
        break;
    case 1:
        NEW(kin_index, indexes[byte(in) % SLOTS], kin_index_free, kin_index_map(name, place));
        break;
    case 2:
        NEW(kin_index, indexes[byte(in) % SLOTS], kin_index_free, kin_index_open(name, file_options(in), place));
        break;
    default: {
        int32_t *intact = output(in, 1, 0, sizeof *intact);
        char *json = NULL;
        if (worked(kin_index_verify(name, intact, byte(in) == 255 ? NULL : &json)) && *intact != 1) {
            fail("a saved index is not intact");
        }
        kin_string_free(json);
    }
    }
}

static void free_one(input *in) {
    size_t s = byte(in) % SLOTS;
    if (byte(in) % 2 == 0) {
        kin_index_free(indexes[s]);
        indexes[s] = NULL;
    } else {
        kin_filter_free(filters[s]);
        filters[s] = NULL;
    }
}

static const call calls[] = {
    make,    copy,   upsert, upsert,        remove_some, upsert_named, find_names,  maintain,
    look_up, search, search, search_radius, explain,     free_one,     make_filter, prepare,
    know,    know,   tell,   express,       files,       recommend,
};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    snprintf(path, sizeof path, "/tmp/kin-fuzz-%d.kin", (int)getpid());
    make_calls(bytes, count, calls, sizeof calls / sizeof calls[0]);
    for (size_t s = 0; s < SLOTS; s++) {
        kin_index_free(indexes[s]);
        kin_filter_free(filters[s]);
        indexes[s] = NULL;
        filters[s] = NULL;
    }
    unlink(path);
    return 0;
}
