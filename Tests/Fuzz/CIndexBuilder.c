// module: KinABI
// seeds:

// Builds index files from batches as a careless program would, with the arguments of CInterface.c, several builds at a
// time. A finished build has exactly the vectors of the calls that succeeded, and takes no more.

#include "Support/careless.h"

#include <unistd.h>

enum { SLOTS = 2 };

static struct {
    kin_index_builder *handle;
    size_t dimension, count;
    bool is_over;
} builders[SLOTS];

static char path[64];

static void begin(input *in) {
    size_t slot = byte(in) % SLOTS;
    static const char *const names[] = {path, path, path, path, NULL, "", "/", "\xff\xfe", "/nowhere/at/all"};
    const char *name = names[byte(in) % (sizeof names / sizeof names[0])];
    size_t dimension = byte(in) < 240 ? 1 + byte(in) % 9 : size(in), lists = byte(in) < 200 ? 0 : size(in);
    kin_metric metric = byte(in) % 4 - (byte(in) == 255);
    size_t memory = byte(in) < 200 ? (size_t)16 << 20 : size(in);
    kin_index_builder *made = NULL;
    bool is_wanted = byte(in) != 255;
    kin_index_builder **place = is_wanted ? &made : NULL;
    if (!worked(byte(in) % 2 == 0
                    ? kin_index_builder_create(name, dimension, metric, lists, memory, place)
                    : kin_index_builder_create_with(name, dimension, metric, lists, memory, file_options(in), place))) {
        if (made != NULL) {
            fail("a failed call made a handle");
        }
        return;
    }
    kin_index_builder_free(builders[slot].handle);
    builders[slot].handle = made;
    builders[slot].dimension = dimension;
    builders[slot].count = 0;
    builders[slot].is_over = false;
}

static void append(input *in) {
    size_t slot = byte(in) % SLOTS;
    size_t n = size(in), d = builders[slot].dimension, step = stride(in, d * sizeof(float));
    const float *vectors = floats(in, n, step, d <= ARRAY ? d : ARRAY);
    const uint64_t *numbers = byte(in) < 128 ? NULL : ids(in, n);
    static const char *const names[] = {"a", "b", "c", "d", "", "\xff", NULL};
    bool is_named = byte(in) % 4 == 0;
    const char *const *given = names + byte(in) % 4;
    n = is_named ? n % 4 : n;
    if (worked(is_named ? kin_index_builder_append_named(builders[slot].handle, vectors, n, step, given)
                        : kin_index_builder_append(builders[slot].handle, vectors, n, step, numbers))) {
        if (builders[slot].is_over) {
            fail("a build that is over took vectors");
        }
        builders[slot].count += n;
    }
}

static void finish(input *in) {
    size_t slot = byte(in) % SLOTS;
    size_t threads = byte(in) < 240 ? 1 + byte(in) % 2 : size(in);
    kin_index *index = NULL;
    bool is_wanted = byte(in) < 200, was_over = builders[slot].is_over;
    bool is_done = worked(kin_index_builder_finish(builders[slot].handle, threads, is_wanted ? &index : NULL));
    if (is_done && (was_over || (is_wanted && kin_index_count(index) != builders[slot].count))) {
        fail("a build made what it was not given");
    }
    // A call with refused arguments left the build unchanged.
    builders[slot].is_over = was_over || is_done;
    kin_index_free(index);
}

static const call calls[] = {begin, finish, append, append};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    snprintf(path, sizeof path, "/tmp/kin-fuzz-build-%d.kin", (int)getpid());
    make_calls(bytes, count, calls, sizeof calls / sizeof calls[0]);
    for (size_t slot = 0; slot < SLOTS; slot++) {
        kin_index_builder_free(builders[slot].handle);
        builders[slot].handle = NULL;
        builders[slot].is_over = false;
        builders[slot].count = builders[slot].dimension = 0;
    }
    unlink(path);
    return 0;
}
