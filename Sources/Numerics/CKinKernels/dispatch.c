// dispatch.c: which tables this CPU runs, and which one is in use.
//
// A table starts as the serial one and is overlaid level by level with what the CPU has, so it holds the best function
// of every level up to its own.

#include "levels.h"

#include <pthread.h>
#include <stdlib.h>

#define MOST_LEVELS 4

static struct {
    kin_kernels tables[MOST_LEVELS];
    size_t count;
    const kin_kernels *active;
    const char *refused;
} levels;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Adds a table that starts as a copy of the best one so far.
static void add_level(void (*overlay)(kin_kernels *)) {
    kin_kernels *table = &levels.tables[levels.count];
    if (levels.count > 0)
        *table = levels.tables[levels.count - 1];
    overlay(table);
    levels.count += 1;
}

#if defined(__x86_64__)

static void add_levels_of_cpu(void) {
    // The compiler's run-time library reads CPUID and, for registers wider than SSE's, asks the operating system
    // through XGETBV whether it saves them.
    __builtin_cpu_init();
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("sse4.2")))
        return;
    add_level(kin_overlay_avx2);
}

#else

static void add_levels_of_cpu(void) {}

#endif

static const kin_kernels *table_named(const char *name) {
    for (size_t i = 0; i < levels.count; i++)
        if (strcmp(levels.tables[i].name, name) == 0)
            return &levels.tables[i];
    return NULL;
}

static void detect(void) {
    add_level(kin_overlay_serial);
    add_levels_of_cpu();
    levels.active = &levels.tables[levels.count - 1];
    const char *wanted = getenv("KIN_SIMD");
    if (wanted == NULL || wanted[0] == '\0')
        return;
    const kin_kernels *named = table_named(wanted);
    if (named != NULL)
        levels.active = named;
    else
        levels.refused = strdup(wanted); // getenv's own string may be overwritten later; kept for the process's life
}

const kin_kernels *kin_kernels_active(void) {
    pthread_once(&once, detect);
    return levels.active;
}

const kin_kernels *kin_kernels_named(const char *name) {
    pthread_once(&once, detect);
    return table_named(name);
}

const kin_kernels *kin_kernels_at(size_t i) {
    pthread_once(&once, detect);
    return i < levels.count ? &levels.tables[i] : NULL;
}

const char *kin_kernels_refused(void) {
    pthread_once(&once, detect);
    return levels.refused;
}
