// Uses the record interface as a C program would: stores records, calls methods, provokes errors, forgets a person.

#include <kin_engine.h>

#include "require.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const RECORDS =
    "{\"records\": [{\"session\": {\"id\": \"s1\", \"user_id\": \"u1\", \"state\": \"drift\", \"state_history\": "
    "[\"idle\", \"drift\"], "
    "\"timestamp_start\": \"2026-11-20T06:30:00Z\", \"timestamp_end\": null, \"pleasure_vector\": {\"primary\": "
    "[\"food\"], "
    "\"secondary\": [], \"intensities\": {}}, \"notes\": \"\", \"embedding_id\": null, \"transcript_url\": null, "
    "\"media_urls\": []}}]}";

static void ask(kin_engine *engine, const char *method, const char *request, const char *part) {
    char *answer = NULL;
    REQUIRE(kin_engine_call(engine, method, request, &answer) == KIN_OK);
    REQUIRE(strstr(answer, part) != NULL);
    kin_string_free(answer);
}

int main(int count, char **arguments) {
    REQUIRE(count == 2);
    REQUIRE(strstr(kin_engine_methods(), "\"near\"") != NULL);

    kin_engine *engine = NULL;
    REQUIRE(kin_engine_open(arguments[1], 0, &engine) == KIN_OK);
    ask(engine, "put", RECORDS, "{\"session\":1}");
    ask(engine, "near", "{\"point\": {\"food\": 1}, \"k\": 1}", "\"s1\"");

    kin_engine *second = NULL;
    REQUIRE(kin_engine_open(arguments[1], 0, &second) == KIN_BUSY);
    REQUIRE(second == NULL);

    char *untouched = NULL;
    REQUIRE(kin_engine_call(engine, "near", "{\"session\": 7}", &untouched) == KIN_MALFORMED_INPUT);
    REQUIRE(kin_engine_call(engine, "nowhere", NULL, &untouched) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_call(engine, NULL, NULL, &untouched) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_call(NULL, "info", NULL, &untouched) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_call(engine, "info", NULL, NULL) == KIN_INVALID_ARGUMENT);
    REQUIRE(untouched == NULL);

    ask(engine, "forget", "{\"user\": [\"nobody\", \"u1\"]}", "{\"session\":1}");
    ask(engine, "forget", "{\"user\": \"u1\"}", "{}");
    ask(engine, "info", NULL, "\"sessions\":0");
    REQUIRE(kin_engine_close(engine) == KIN_OK);
    REQUIRE(kin_engine_close(NULL) == KIN_OK);

    // The tool, with its exit status.
    char *version[] = {"kin", "--version"}, *unknown[] = {"kin", "nonsense", NULL};
    REQUIRE(kin_tool_main(2, version) == 0);
    REQUIRE(kin_tool_main(3, unknown) == 64);
    REQUIRE(kin_tool_main(-1, NULL) == 0);
    char *latin[] = {"kin", "users", "--store", "caf\xe9.db"};
    REQUIRE(kin_tool_main(4, latin) == 64);

    // A naming key supplied by the caller: the store's names are derived from it.
    const uint8_t key[16] = {1, 2, 3};
    const uint8_t other[16] = {3, 2, 1};
    kin_engine *keyed = NULL;
    REQUIRE(kin_engine_open_keyed(arguments[1], 0, key, 15, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_open_keyed(arguments[1], 0, NULL, 16, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_open_keyed(arguments[1], 0, key, SIZE_MAX, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_open_keyed(NULL, 0, key, 15, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(keyed == NULL);
    REQUIRE(kin_engine_open_keyed(arguments[1], 0, key, sizeof key, &keyed) == KIN_OK);
    ask(keyed, "check", NULL, "\"naming_key\":\"caller\"");
    REQUIRE(kin_engine_close(keyed) == KIN_OK);
    keyed = NULL;
    REQUIRE(kin_engine_open_keyed(arguments[1], 0, other, sizeof other, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(keyed == NULL);

    // The same through options, with a memory budget for derived data. A size below that of every release is refused.
    kin_engine_options options = KIN_ENGINE_OPTIONS_INIT;
    options.read_only = 2;
    REQUIRE(kin_engine_open_with(arguments[1], &options, &keyed) == KIN_INVALID_ARGUMENT);
    options.read_only = 1;
    options.naming_key = key;
    REQUIRE(kin_engine_open_with(arguments[1], &options, &keyed) == KIN_INVALID_ARGUMENT);
    options.naming_key_length = sizeof key;
    options.memory_budget = 12345;
    options.size = 7;
    REQUIRE(kin_engine_open_with(arguments[1], &options, &keyed) == KIN_INVALID_ARGUMENT);
    options.size = sizeof options;
    REQUIRE(kin_engine_open(arguments[1], 2, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_open_keyed(arguments[1], -1, key, sizeof key, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(keyed == NULL);
    REQUIRE(kin_engine_open_with(arguments[1], &options, &keyed) == KIN_OK);
    ask(keyed, "memory", NULL, "\"budget\":12345");
    REQUIRE(kin_engine_call(keyed, "forget", "{\"user\": \"u1\"}", &untouched) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_close(keyed) == KIN_OK);
    keyed = NULL;

    // In memory there is nothing to open read-only.
    REQUIRE(kin_engine_open(NULL, 1, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_open_keyed(NULL, 1, key, sizeof key, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(kin_engine_open_with(NULL, &options, &keyed) == KIN_INVALID_ARGUMENT);
    REQUIRE(keyed == NULL);

    // A forked child cannot open a store. In memory, calls that need a store fail.
    pid_t child = fork();
    if (child == 0)
        _exit(kin_engine_open(arguments[1], 1, &keyed) == KIN_INVALID_ARGUMENT && keyed == NULL &&
                      kin_engine_open(NULL, 0, &keyed) == KIN_OK &&
                      kin_engine_call(keyed, "info", NULL, &untouched) == KIN_INVALID_ARGUMENT
                  ? 0
                  : 1);
    int ended = 1;
    REQUIRE(waitpid(child, &ended, 0) == child && ended == 0);

    // In memory, with a naming key.
    REQUIRE(kin_engine_open_keyed(NULL, 0, key, sizeof key, &keyed) == KIN_OK);
    ask(keyed, "check", NULL, "\"naming_key\":\"caller\"");
    REQUIRE(kin_engine_close(keyed) == KIN_OK);
    REQUIRE(kin_engine_open_with(NULL, NULL, &keyed) == KIN_OK);
    ask(keyed, "check", NULL, "\"naming_key\":\"none\"");
    REQUIRE(kin_engine_close(keyed) == KIN_OK);

    // The same library has the array functions of kin.h.
    kin_index *index = NULL;
    REQUIRE(kin_index_create_flat(16, KIN_METRIC_L2, &index) == KIN_OK);
    kin_index_free(index);

    // Without a path the records are stored in memory, and every method is available.
    REQUIRE(kin_engine_open(NULL, 0, &engine) == KIN_OK);
    ask(engine, "info", NULL, "{\"people\":0,");
    ask(engine, "put", "{\"records\": [{\"soul\": {\"uid\": \"u1\", \"valence\": 0.5}}]}", "{\"soul\":1}");
    ask(engine, "info", NULL, "{\"people\":1,");
    REQUIRE(kin_engine_close(engine) == KIN_OK);

    // A query's answer above the limit is an error. A command has no limit, since it has changed the store.
    kin_engine_options limited = KIN_ENGINE_OPTIONS_INIT;
    limited.answer_limit = 4;
    REQUIRE(kin_engine_open_with(NULL, &limited, &engine) == KIN_OK);
    char *answer = NULL;
    REQUIRE(kin_engine_call(engine, "memory", NULL, &answer) == KIN_CAPACITY_EXCEEDED && answer == NULL);
    REQUIRE(strstr(kin_last_error(), "answer_limit") != NULL);
    ask(engine, "put", "{\"records\": [{\"soul\": {\"uid\": \"u1\", \"valence\": 0.5}}]}", "{\"soul\":1}");
    REQUIRE(kin_engine_close(engine) == KIN_OK);

    // A file of vectors.
    char path[4096];
    snprintf(path, sizeof path, "%s.csv", arguments[1]);
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL && fputs("id,calm,warm\n7,0.5,2\n9,-1,4\n", file) > 0 && fclose(file) == 0);
    kin_vectors *vectors = NULL;
    REQUIRE(kin_vectors_read(path, "{\"strict\": true}", &vectors) == KIN_MALFORMED_INPUT && vectors == NULL);
    REQUIRE(kin_vectors_read(path, NULL, &vectors) == KIN_OK);
    REQUIRE(kin_vectors_count(vectors) == 2 && kin_vectors_dimension(vectors) == 2);
    float elements[4];
    uint64_t ids[2];
    REQUIRE(kin_vectors_copy(vectors, elements, ids) == KIN_OK);
    REQUIRE(elements[0] == 0.5f && elements[3] == 4 && ids[1] == 9);
    REQUIRE(kin_vectors_describe(vectors, &answer) == KIN_OK && strstr(answer, "[\"calm\",\"warm\"]") != NULL);
    kin_string_free(answer);
    kin_vectors_free(vectors);
    REQUIRE(remove(path) == 0);
    return 0;
}
