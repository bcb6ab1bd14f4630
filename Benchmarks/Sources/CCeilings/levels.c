#include "levels.h"

#include "ceilings.h"

#include <stdlib.h>
#include <string.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
const ceiling_level_entry ceiling_level_entries[] = {{0}};
#endif

const char *ceiling_level(size_t i) {
    for (const ceiling_level_entry *e = ceiling_level_entries; e->name; e++) {
        if (e->supported() && i-- == 0) {
            return e->name;
        }
    }
    return NULL;
}

static const ceiling_level_entry *entry(const char *level) {
    for (const ceiling_level_entry *e = ceiling_level_entries; e->name; e++) {
        if (strcmp(e->name, level) == 0) {
            return e->supported() ? e : NULL;
        }
    }
    return NULL;
}

const char *ceiling_float_instruction(const char *level) {
    const ceiling_level_entry *e = entry(level);
    return e ? e->float_instruction : NULL;
}

const char *ceiling_byte_instruction(const char *level) {
    const ceiling_level_entry *e = entry(level);
    return e ? e->byte_instruction : NULL;
}

// The register loops have no state, so the threads get empty slots.
static double rate(ceiling_work work, int threads, double seconds) {
    void **states = calloc((size_t)threads, sizeof *states);
    double result = states ? ceiling_rate(work, states, threads, seconds) : 0;
    free(states);
    return result;
}

double ceiling_float(const char *level, int threads, double seconds) {
    const ceiling_level_entry *e = entry(level);
    return e ? rate(e->float_work, threads, seconds) : 0;
}

double ceiling_byte(const char *level, int threads, double seconds) {
    const ceiling_level_entry *e = entry(level);
    return e ? rate(e->byte_work, threads, seconds) : 0;
}
