// module: KinEngineABI
// seeds: Tests/Fuzz/Seeds/EngineInterface
// long: it needs SQLite's wrapper and takes minutes to build

// Calls the methods of kin_engine.h with arbitrary text. The first line of the input names the method, or its first
// byte selects one; the rest is the request. Inputs of an even length go to a store, the others to an engine without
// one. A call succeeds with one line of JSON. Otherwise it fails with a status of the header and a message, and does
// not touch the answer. Inputs that begin with byte 253 open an engine with options from their bytes. Those with 252
// are read as a file of vectors, those with 251 as a log, and those with 250 as a backup.

#include "kin_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { METHODS = 128, LONGEST = 64 };

static kin_engine *engines[2];
static char methods[METHODS][LONGEST];
static size_t method_count;

static void broken(const char *what) {
    fprintf(stderr, "%s\n", what);
    abort();
}

/// Splits the names: a JSON array of words without escapes.
static void read_methods(void) {
    const char *next = kin_engine_methods();
    while ((next = strchr(next, '"')) != NULL && method_count < METHODS) {
        const char *end = strchr(next + 1, '"');
        size_t length = (size_t)(end - next) - 1;
        if (length >= LONGEST)
            broken("a method has a name of 64 letters or more");
        memcpy(methods[method_count++], next + 1, length);
        next = end + 1;
    }
}

static void open_engines(void) {
    char path[256];
    const char *folder = getenv("TMPDIR");
    read_methods();
    snprintf(path, sizeof path, "%s/kin-fuzz-%d.db", folder != NULL ? folder : "/tmp", (int)getpid());
    if (kin_engine_open(NULL, 0, &engines[0]) != KIN_OK || kin_engine_open(path, 0, &engines[1]) != KIN_OK)
        broken(kin_last_error());
}

/// The method that a line names; NULL if the name is unknown.
static const char *named(const uint8_t *line, size_t length) {
    for (size_t i = 0; i < method_count; i++)
        if (strlen(methods[i]) == length && memcmp(methods[i], line, length) == 0)
            return methods[i];
    return NULL;
}

static void call(kin_engine *engine, const char *method, const char *request) {
    char untouched = 0, *answer = &untouched;
    kin_status status = kin_engine_call(engine, method, request, &answer);
    if (status == KIN_OK) {
        if (answer == &untouched || answer == NULL || strchr(answer, '\n') != NULL)
            broken("a call that worked has no answer of one line");
        kin_string_free(answer);
        return;
    }
    if (answer != &untouched)
        broken("a call that failed touched the answer");
    if (kin_last_error()[0] == 0 || strcmp(kin_status_name(status), "unknown status") == 0)
        broken("a call failed without a reason");
}

/// Opens an engine in memory with options of arbitrary numbers; the key is the rest of the input.
static void open_with(const uint8_t *data, size_t size) {
    struct {
        int32_t read_only, has_key, has_size;
        size_t size, key_length, memory_budget, answer_limit;
    } given = {0};
    size_t taken = size < sizeof given ? size : sizeof given;
    memcpy(&given, data, taken);
    // As much memory as the largest accepted size, because the size field claims the structure's length.
    static union {
        kin_engine_options options;
        uint8_t bytes[4096];
    } memory;
    kin_engine_options options = KIN_ENGINE_OPTIONS_INIT;
    options.read_only = given.read_only;
    if (given.has_size % 4 == 1)
        options.size = given.size;
    if (given.has_key % 2 == 1)
        options.naming_key = data + taken;
    // Without a key the length may be any number; with one, the bytes have to exist.
    options.naming_key_length = given.has_key % 2 == 1 ? size - taken : given.key_length;
    options.memory_budget = given.memory_budget;
    options.answer_limit = given.answer_limit;
    memory.options = options;
    kin_engine *engine = NULL;
    if (kin_engine_open_with(NULL, &memory.options, &engine) == KIN_OK) {
        if (engine == NULL)
            broken("an engine that was opened is NULL");
        call(engine, "memory", "{}");
        if (kin_engine_close(engine) != KIN_OK)
            broken("an engine in memory is not closed");
    } else if (engine != NULL || kin_last_error()[0] == 0) {
        broken("an opening failed without a reason, or with an engine");
    }
}

/// Requires a status of the header and, on failure, a message.
static int worked(kin_status status) {
    if (status != KIN_OK && (kin_last_error()[0] == 0 || strcmp(kin_status_name(status), "unknown status") == 0))
        broken("a call failed without a reason");
    return status == KIN_OK;
}

static void write_file(const char *path, const uint8_t *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        broken("the input is not in a file");
}

static void remove_store(const char *path) {
    static const char *const endings[] = {"", "-wal", "-shm", "-writer"};
    char name[80];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

/// Replaces a store by a backup of arbitrary bytes, and opens it with a key of arbitrary bytes.
static void restore(const uint8_t *data, size_t size) {
    char backup[64], path[64];
    snprintf(backup, sizeof backup, "/dev/shm/kin-fuzz-%d.backup", (int)getpid());
    snprintf(path, sizeof path, "/dev/shm/kin-fuzz-%d.restored", (int)getpid());
    write_file(backup, data, size);
    kin_engine *engine = NULL;
    if (worked(kin_engine_restore(backup, path)) && worked(kin_engine_open_keyed(path, 0, data, size, &engine)))
        call(engine, "memory", "{}");
    if (!worked(kin_engine_close(engine)))
        broken(kin_last_error());
    remove_store(backup);
    remove_store(path);
}

/// Reads a file of vectors whose format and options are in the first byte.
static void read_vectors(const uint8_t *data, size_t size) {
    static const char *const options[] = {
        NULL,
        "{\"format\": \"npy\"}",
        "{\"format\": \"fvecs\"}",
        "{\"format\": \"bvecs\"}",
        "{\"format\": \"ivecs\"}",
        "{\"label\": \"1\", \"attributes\": [\"a:category=2\", \"b:time-range=2,3\"]}",
        "{\"id\": \"2\", \"exclude\": [\"3\"], \"header\": true}",
        "{\"columns\": [\"2\", \"1\"], \"strict\": true}",
    };
    char path[64];
    snprintf(path, sizeof path, "/dev/shm/kin-fuzz-%d.csv", (int)getpid());
    write_file(path, data + 1, size - 1);
    kin_vectors *vectors = NULL;
    if (worked(kin_vectors_read(path, options[data[0] % 8], &vectors))) {
        size_t count = kin_vectors_count(vectors), dimension = kin_vectors_dimension(vectors);
        float *elements = malloc(count * dimension * sizeof *elements);
        uint64_t *ids = malloc(count * sizeof *ids);
        char *json = NULL;
        if (count == 0 || dimension == 0 || !worked(kin_vectors_copy(vectors, elements, ids)) ||
            !worked(kin_vectors_describe(vectors, &json)))
            broken("vectors that were read are not there");
        kin_string_free(json);
        free(elements);
        free(ids);
    } else if (vectors != NULL) {
        broken("a call that failed touched its output");
    }
    kin_vectors_free(vectors);
}

static void read_log(const uint8_t *data, size_t size) {
    char *text = calloc(size + 1, 1), *answer = NULL;
    memcpy(text, data, size);
    if (worked(kin_log_read(NULL, text, "{\"dates\": \"day-first\", \"unit\": \"ml\"}", &answer)))
        kin_string_free(answer);
    free(text);
}

const char *__asan_default_options(void);

/// The sanitizer's options. Data that a store caches looks like a leak after each call, and the search for leaks took
/// half of the time. Valgrind finds leaks instead.
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (engines[0] == NULL)
        open_engines();
    if (size == 0)
        return 0;
    if (data[0] == 253) {
        open_with(data + 1, size - 1);
        return 0;
    }
    if (data[0] == 252 && size > 1) {
        read_vectors(data + 1, size - 1);
        return 0;
    }
    if (data[0] == 250) {
        restore(data + 1, size - 1);
        return 0;
    }
    if (data[0] == 251) {
        read_log(data + 1, size - 1);
        return 0;
    }
    const uint8_t *end = memchr(data, '\n', size);
    size_t line = end != NULL ? (size_t)(end - data) : size;
    const char *method = named(data, line);
    size_t start = method != NULL && end != NULL ? line + 1 : 1;
    if (method == NULL)
        method = data[0] == 255 ? "no such method" : methods[data[0] % method_count];
    // An import reads files by path, which the fuzzer must not do.
    if (strcmp(method, "import") == 0)
        return 0;
    char *request = calloc(size + 1, 1);
    memcpy(request, data + start, size - start);
    call(engines[size % 2], method, data[0] == 254 ? NULL : request);
    free(request);
    return 0;
}
