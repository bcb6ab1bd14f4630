// module: KinABI
// seeds:

// Combines filters, lists the ids that they allow, and searches with one for each query, as a careless program would,
// in an index whose ids are numbers and in one with names. A filter and its complement together allow each vector once.

#include "Support/careless.h"

enum { SLOTS = 4, VECTORS = 200, DIMENSION = 3 };

static kin_index *indexes[2];
static kin_filter *filters[SLOTS];

/// The names of the index with names, and texts that are not names.
static const char *const names[] = {"a", "b", "c", "d", "e", "nobody", "", NULL, "\xff\xfe"};

static void build(void) {
    float rows[VECTORS][DIMENSION];
    int64_t values[VECTORS];
    uint64_t numbers[VECTORS];
    for (size_t i = 0; i < VECTORS; i++) {
        numbers[i] = i % 5 == 0 ? i : i << 33;
        values[i] = (int64_t)i % 7;
        for (size_t j = 0; j < DIMENSION; j++) {
            rows[i][j] = (float)((i * 31 + j * 17) % 101);
        }
    }
    uint64_t five[5];
    if (!worked(kin_index_create_ivf(DIMENSION, KIN_METRIC_L2, 0, &indexes[0])) ||
        !worked(kin_index_create_flat(DIMENSION, KIN_METRIC_L2, &indexes[1])) ||
        !worked(kin_index_upsert(indexes[0], rows[0], VECTORS, 0, numbers, 1)) ||
        !worked(kin_index_upsert_named(indexes[1], rows[0], 5, 0, names, 1, five)) ||
        !worked(kin_index_declare_attribute(indexes[0], "a", KIN_ATTRIBUTE_INTEGER)) ||
        !worked(kin_index_set_attribute(indexes[0], "a", KIN_ATTRIBUTE_INTEGER, numbers, VECTORS, values, NULL))) {
        fail("the indexes are valid");
    }
}

static const kin_filter *a_filter(input *in) {
    return filters[byte(in) % SLOTS];
}

static void create(input *in) {
    static const char *const texts[] = {"a = 3",       "a > 1 and id < 90",
                                        "id = b",      "id in (a, e, \"x\")",
                                        "not id != c", "a is missing",
                                        "id = 5",      "b = 1",
                                        "a >",         NULL};
    size_t n = size(in), first = byte(in) % (sizeof names / sizeof names[0]);
    const char *text = texts[byte(in) % (sizeof texts / sizeof texts[0])];
    const uint64_t *numbers = ids(in, n);
    uint8_t kind = byte(in) % 4;
    size_t few = n % (sizeof names / sizeof names[0] + 1 - first);
    NEW(kin_filter, filters[byte(in) % SLOTS], kin_filter_free,
        kind == 0   ? kin_filter_create_names(names + first, few, place)
        : kind == 1 ? kin_filter_create_ids(numbers, n, place)
        : kind == 2 ? kin_filter_create_bitmap(numbers, n, place)
                    : kin_filter_create_expression(text, place));
}

static void combine(input *in) {
    const kin_filter *a = a_filter(in), *b = a_filter(in);
    uint8_t way = byte(in) % 4;
    const kin_index *index = indexes[byte(in) % 2];
    NEW(kin_filter, filters[byte(in) % SLOTS], kin_filter_free,
        way == 0   ? kin_filter_create_and(a, b, place)
        : way == 1 ? kin_filter_create_or(a, b, place)
        : way == 2 ? kin_filter_create_not(a, place)
                   : kin_index_prepare(index, a, 1, place));
}

static void list(input *in) {
    const kin_index *index = indexes[byte(in) % 2];
    const kin_filter *filter = a_filter(in);
    size_t n = size(in), count = 0;
    uint64_t *some = output(in, n, 0, sizeof *some);
    worked(kin_index_ids_where(index, filter, some, n, byte(in) == 255 ? NULL : &count));
    uint64_t all[VECTORS];
    if (!worked(kin_index_ids_where(index, filter, all, VECTORS, &count))) {
        return;
    }
    for (size_t i = 1; i < count; i++) {
        if (all[i - 1] >= all[i]) {
            fail("the ids are not ascending");
        }
    }
    kin_filter *others = NULL;
    size_t rest = 0;
    if (worked(kin_filter_create_not(filter, &others)) && worked(kin_index_ids_where(index, others, NULL, 0, &rest)) &&
        count + rest != kin_index_count(index)) {
        fail("a filter and its complement do not allow every vector once");
    }
    kin_filter_free(others);
}

static void search(input *in) {
    const kin_index *index = indexes[byte(in) % 2];
    size_t n = byte(in) % 8;
    const float *queries = floats(in, n, 0, DIMENSION);
    const kin_filter *each[8] = {NULL};
    for (size_t i = 0; i < n; i++) {
        each[i] = a_filter(in);
    }
    kin_search_options options = KIN_SEARCH_OPTIONS_INIT;
    options.filters = each;
    options.filter = byte(in) == 255 ? each[0] : NULL;
    options.threads = 1 + byte(in) % 2;
    uint64_t *found = output(in, n * 5, 0, sizeof *found);
    worked(kin_index_search(index, queries, n, 0, 5, &options, found, NULL, NULL));
}

static void read_back(input *in) {
    size_t n = size(in), capacity = size(in), needed = 0;
    const char *name = names[byte(in) % (sizeof names / sizeof names[0])];
    kin_attribute_kind kind = byte(in) < 240 ? byte(in) % 6 : (kin_attribute_kind)size(in);
    const uint64_t *numbers = ids(in, n);
    void *values = output(in, capacity, 0, 1);
    uint8_t *present = byte(in) % 2 == 0 ? NULL : output(in, n, 0, 1);
    worked(kin_index_get_attribute(indexes[0], name, kind, numbers, n, values, capacity, &needed, present));
}

static const call calls[] = {create, combine, combine, list, search, read_back};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    if (indexes[0] == NULL) {
        build();
    }
    make_calls(bytes, count, calls, sizeof calls / sizeof calls[0]);
    for (size_t s = 0; s < SLOTS; s++) {
        kin_filter_free(filters[s]);
        filters[s] = NULL;
    }
    return 0;
}
