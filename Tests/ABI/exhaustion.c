// Uses a store and an index in many processes. From one step on, each process has no more threads, files or disk, or
// continues in a forked child. Every call must return KIN_OK or an error with a message, and the store must contain all
// acknowledged changes afterwards. Ctrl-C must end a process without threads at any time.

#define _DEFAULT_SOURCE

#include <kin_engine.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { DIMENSION = 16, VECTORS = 8000, QUERIES = 256, POINTS = 2000, SECONDS = 60, NOBODY = 65534, FINE = 16 };

static float vectors[VECTORS][DIMENSION];
static char folder[200], store[256], records[256], backup[256], saved[256], built[256];
static kin_engine *engine;
static kin_index *kept;
/// The last that the store said of the first person. A call to forget them that fails may have erased them: the next
/// opening removes the rest.
static enum { UNKNOWN, STORED, MAYBE_FORGOTTEN, FORGOTTEN } person;
/// The step that a process is at, for the report of a signal.
static volatile const char *at = "start";

static void fail(const char *claim) {
    fprintf(stderr, "%s: %s; last error: %s\n", (const char *)at, claim, kin_last_error());
    _exit(2);
}

/// Whether a call succeeded or failed with a message.
static int is_fine(kin_status status) {
    if (status != KIN_OK && strlen(kin_last_error()) == 0)
        fail("every error has a message");
    return status == KIN_OK;
}

static int call(const char *method, const char *request) {
    char *answer = NULL;
    int fine = is_fine(kin_engine_call(engine, method, request, &answer));
    if (fine != (answer != NULL))
        fail("an answer is returned only on success");
    kin_string_free(answer);
    return fine;
}

/// Calls a method with a path and further parameters.
static void call_with(const char *method, const char *path, const char *more) {
    char request[400];
    snprintf(request, sizeof request, "{\"path\": \"%s\"%s}", path, more);
    call(method, request);
}

static void open_store(void) {
    is_fine(kin_engine_open(store, 0, &engine));
}
static void put(void) {
    if (call("put", "{\"records\": [{\"soul\": {\"uid\": \"u0\", \"valence\": 0.5}}]}"))
        person = STORED;
}
static void import(void) {
    call_with("import", records, ", \"threads\": 4");
}
static void search_store(void) {
    call("match", "{\"k\": 3, \"threads\": 4}");
    call("similar_souls", "{\"user\": \"u1\"}");
}
static void forget(void) {
    person = call("forget", "{\"user\": \"u0\"}") ? FORGOTTEN : person == STORED ? MAYBE_FORGOTTEN : UNKNOWN;
}
static void back_up(void) {
    call_with("backup", backup, "");
    call("save_indexes", NULL);
}
static void build(void) {
    if (!is_fine(kin_index_create_ivf(DIMENSION, KIN_METRIC_L2, 0, &kept)))
        return;
    is_fine(kin_index_append(kept, &vectors[0][0], VECTORS, 0, 4, NULL));
    is_fine(kin_index_calibrate(kept, 4));
}
static void search(void) {
    if (kept == NULL)
        return;
    static uint64_t ids[QUERIES][3], alone[QUERIES][3];
    kin_search_options options = KIN_SEARCH_OPTIONS_INIT;
    options.threads = 4;
    if (is_fine(kin_index_search(kept, &vectors[0][0], QUERIES, 0, 3, &options, &ids[0][0], NULL, NULL))) {
        options.threads = 1;
        if (is_fine(kin_index_search(kept, &vectors[0][0], QUERIES, 0, 3, &options, &alone[0][0], NULL, NULL)) &&
            memcmp(ids, alone, sizeof ids) != 0)
            fail("results do not depend on threads");
    }
}
/// Writes the clusters of the first vectors, found by a number of threads.
static int cluster_with(size_t threads, int64_t *labels) {
    kin_kmeans_options options = KIN_KMEANS_OPTIONS_INIT;
    options.threads = threads;
    kin_clustering *clustering = NULL;
    int fine = is_fine(kin_kmeans_fit(&vectors[0][0], POINTS, DIMENSION, 0, 16, &options, &clustering)) &&
               is_fine(kin_clustering_labels(clustering, labels));
    kin_clustering_free(clustering);
    return fine;
}
static void cluster(void) {
    static int64_t labels[POINTS], alone[POINTS];
    if (cluster_with(4, labels) && cluster_with(1, alone) && memcmp(labels, alone, sizeof labels) != 0)
        fail("clusters do not depend on threads");
}
static void save(void) {
    if (kept != NULL)
        is_fine(kin_index_save(kept, saved));
}
static void build_file(void) {
    kin_index_builder *builder = NULL;
    if (!is_fine(kin_index_builder_create(built, DIMENSION, KIN_METRIC_L2, 0, 16 << 20, &builder)))
        return;
    kin_index *index = NULL;
    if (is_fine(kin_index_builder_append(builder, &vectors[0][0], VECTORS, 0, NULL)))
        is_fine(kin_index_builder_finish(builder, 4, &index));
    kin_index_builder_free(builder);
    kin_index_free(index);
}
static void close_store(void) {
    is_fine(kin_engine_close(engine));
    engine = NULL;
}
/// Stores records in memory, in a separate engine.
static void use_memory(void) {
    kin_engine *stored = engine;
    engine = NULL;
    int before = person;
    if (is_fine(kin_engine_open(NULL, 0, &engine))) {
        put();
        search_store();
        close_store();
    }
    engine = stored;
    person = before;
}

static const struct {
    const char *name;
    void (*run)(void);
    /// Whether the step uses the store.
    int needs_store;
} steps[] = {
    {"open", open_store, 0},
    {"put", put, 1},
    {"import", import, 1},
    {"search the store", search_store, 1},
    {"forget", forget, 1},
    {"back up", back_up, 1},
    {"build", build, 0},
    {"search", search, 0},
    {"cluster", cluster, 0},
    {"save", save, 0},
    {"build a file", build_file, 0},
    {"use memory", use_memory, 0},
    {"close", close_store, 1},
};
enum { STEPS = sizeof steps / sizeof *steps, FORK = -1, INTERRUPT = -2 };

static int open_files(void) {
    int most = 0;
    for (int file = 0; file < 256; file++)
        if (fcntl(file, F_GETFD) != -1)
            most = file + 1;
    return most;
}

static void set(int resource, rlim_t value) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0)
        fail("a limit is read");
    limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
    if (setrlimit(resource, &limit) != 0)
        fail("a limit is set");
}

/// Waits for a process, and ends a process that takes too long.
///
/// @return the wait status; -1 if the process took too long
static int watch(pid_t child) {
    for (int tenths = 0; tenths < 100 * SECONDS; tenths++) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child)
            return status;
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    return -1;
}

/// Runs the steps of a range; those that need the store only if it is open.
static void run_steps(int first, int end) {
    for (int step = first; step < end; step++) {
        at = steps[step].name;
        if (engine != NULL || !steps[step].needs_store)
            steps[step].run();
    }
}

/// Runs the steps in this process, with a limit from step `from` on. For FORK, a forked child runs the later steps
/// first.
static void run(int resource, long value, int from) {
    signal(SIGXFSZ, SIG_IGN);
    run_steps(0, from);
    if (resource == FORK) {
        pid_t child = fork();
        if (child == 0) {
            run_steps(from, STEPS);
            _exit(FINE);
        }
        int status = child < 0 ? -1 : watch(child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != FINE) {
            fprintf(stderr, "the forked child ends with status %d\n", status);
            _exit(2);
        }
    } else {
        set(resource, resource == RLIMIT_NOFILE ? (rlim_t)(open_files() + value) : (rlim_t)value);
    }
    run_steps(from, STEPS);
    kin_index_free(kept);
    _exit(FINE + person);
}

/// Opens the store in a new process without limits, and requires an intact store with all acknowledged changes.
static void reopen(int before) {
    at = "reopening";
    if (kin_engine_open(store, 0, &engine) != KIN_OK)
        fail("the store opens once resources are available");
    char *answer = NULL;
    if (kin_engine_call(engine, "check", NULL, &answer) != KIN_OK)
        fail("the store is checked");
    if (strstr(answer, "\"problems\":[]") == NULL)
        fail("the store is intact");
    kin_string_free(answer);
    if (kin_engine_call(engine, "users", NULL, &answer) != KIN_OK)
        fail("the store is read");
    int is_there = strstr(answer, "\"u0\"") != NULL;
    if (before == STORED && !is_there)
        fail("acknowledged records are present");
    if (before == FORGOTTEN && is_there)
        fail("forgotten records are gone");
    kin_string_free(answer);
    if (kin_engine_close(engine) != KIN_OK)
        fail("the store closes");
    _exit(FINE);
}

/// Forks a process without the rights of the superuser, because the superuser has no limit on threads.
static pid_t begin(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        exit(1);
    if (child == 0 && getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        _exit(3);
    return child;
}

static void clear(void) {
    char command[500];
    snprintf(command, sizeof command, "rm -rf %s/run && mkdir -m 777 %s/run", folder, folder);
    if (system(command) != 0)
        exit(1);
}

int main(int count, char **arguments) {
    if (count < 2)
        return 1;
    // Inherited files would leave gaps below the limit of files.
    for (int file = 3; file < 1024; file++)
        close(file);
    snprintf(folder, sizeof folder, "%s", arguments[1]);
    snprintf(store, sizeof store, "%s/run/store.db", folder);
    snprintf(records, sizeof records, "%s/records.jsonl", folder);
    snprintf(backup, sizeof backup, "%s/run/backup.db", folder);
    snprintf(saved, sizeof saved, "%s/run/saved.kin", folder);
    snprintf(built, sizeof built, "%s/run/built.kin", folder);
    unsigned state = 1;
    for (int row = 0; row < VECTORS; row++)
        for (int column = 0; column < DIMENSION; column++) {
            state = state * 1664525U + 1013904223U;
            vectors[row][column] = (float)(state >> 8) / 16777216.0F;
        }
    FILE *file = fopen(records, "w");
    if (file == NULL)
        return 1;
    for (int user = 1; user <= 300; user++)
        fprintf(file, "{\"soul\": {\"uid\": \"u%d\", \"valence\": %f}}\n", user, user / 300.0);
    fclose(file);

    static const struct {
        const char *name;
        int resource;
        long values[4];
        int count;
    } trials[] = {
        {"threads", RLIMIT_NPROC, {1}, 1},       {"files", RLIMIT_NOFILE, {0, 1, 2, 5}, 4},
        {"bytes", RLIMIT_FSIZE, {0, 100000}, 2}, {"fork", FORK, {0}, 1},
        {"Ctrl-C", INTERRUPT, {40}, 1},
    };
    int runs = 0, faults = 0;
    for (size_t trial = 0; trial < sizeof trials / sizeof *trials; trial++)
        for (int number = 0; number < trials[trial].count; number++)
            for (int from = 0; from < STEPS; from++) {
                clear();
                int resource = trials[trial].resource;
                long value = trials[trial].values[number];
                pid_t child = begin();
                if (child == 0 && resource == INTERRUPT)
                    run(RLIMIT_NPROC, 1, 0);
                if (child == 0)
                    run(resource, value, from);
                if (resource == INTERRUPT) {
                    nanosleep(&(struct timespec){0, (1 + from) * value * 1000000}, NULL);
                    kill(child, SIGINT);
                }
                int status = watch(child);
                runs++;
                int interrupted = resource == INTERRUPT && WIFSIGNALED(status) && WTERMSIG(status) == SIGINT;
                if (interrupted || (WIFEXITED(status) && WEXITSTATUS(status) >= FINE)) {
                    int before = interrupted ? UNKNOWN : WEXITSTATUS(status) - FINE;
                    child = begin();
                    if (child == 0)
                        reopen(before);
                    status = watch(child);
                    if (WIFEXITED(status) && WEXITSTATUS(status) == FINE)
                        continue;
                }
                faults++;
                fprintf(stderr, "%s, %ld from \"%s\" on: %s %d\n", trials[trial].name, value, steps[from].name,
                        status == -1          ? "timed out"
                        : WIFSIGNALED(status) ? "signal"
                                              : "status",
                        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
            }
    printf("%d processes ran out of threads, files or disk, forked or were interrupted: %d faults\n", runs, faults);
    return faults > 0;
}
