// dispatch.c: detection of the tables that this CPU can run, and choice of the one in use.
//
// A table starts as the serial table and is overlaid level by level, so it has the best function of every level up to
// its own.

#include "levels.h"

#include <pthread.h>
#include <stdlib.h>

#if defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#elif defined(__aarch64__) && defined(__APPLE__)
#include <sys/sysctl.h>
#endif

#define COUNT(name) +1

static struct {
    kin_kernels tables[KIN_LEVELS(COUNT)];
    size_t count;
    const kin_kernels *active;
} levels;

static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Adds a table that starts as a copy of the best table so far.
static void add_level(const char *name, void (*overlay)(kin_kernels *)) {
    kin_kernels *table = &levels.tables[levels.count];
    if (levels.count > 0)
        *table = levels.tables[levels.count - 1];
    overlay(table);
    table->name = name;
    levels.count += 1;
}

#define ADD_LEVEL(name) add_level(#name, kin_overlay_##name)

#if defined(__x86_64__)

static void add_levels_of_cpu(void) {
    // The compiler's run-time library reads CPUID. For registers wider than SSE's it also checks with XGETBV that the
    // operating system saves them.
    __builtin_cpu_init();
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("sse4.2")))
        return;
    ADD_LEVEL(avx2);
    // Client CPUs have it without AVX-512; on CPUs with both, the levels above replace its screen.
    if (__builtin_cpu_supports("avxvnni"))
        ADD_LEVEL(avxvnni);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("bmi2"))
        ADD_LEVEL(avx512vnni);
}

#elif defined(__aarch64__)

#if defined(__APPLE__)
static int has_feature(const char *name) {
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value != 0;
}
#define HAS_DOT_PRODUCT has_feature("hw.optional.arm.FEAT_DotProd")
#define HAS_BYTE_MATRICES has_feature("hw.optional.arm.FEAT_I8MM")
#define HAS_CRC has_feature("hw.optional.armv8_crc32")
#elif defined(__linux__)
#define HAS_DOT_PRODUCT ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0)
#define HAS_BYTE_MATRICES ((getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0)
#define HAS_CRC ((getauxval(AT_HWCAP) & HWCAP_CRC32) != 0)
#else
#define HAS_DOT_PRODUCT 0
#define HAS_BYTE_MATRICES 0
#define HAS_CRC 0
#endif

static void add_levels_of_cpu(void) {
    ADD_LEVEL(neon);
    // The checksum instruction has no level of its own.
    if (HAS_CRC)
        kin_overlay_crc32c(&levels.tables[levels.count - 1]);
    if (!HAS_DOT_PRODUCT)
        return;
    ADD_LEVEL(neondot);
    if (HAS_BYTE_MATRICES)
        ADD_LEVEL(neoni8mm);
}

#else

static void add_levels_of_cpu(void) {}

#endif

static void detect(void) {
    ADD_LEVEL(serial);
    add_levels_of_cpu();
    levels.active = &levels.tables[levels.count - 1];
    const char *wanted = getenv("KIN_SIMD");
    for (size_t i = 0; wanted != NULL && i < levels.count; i++)
        if (strcmp(levels.tables[i].name, wanted) == 0)
            levels.active = &levels.tables[i];
}

const kin_kernels *kin_kernels_active(void) {
    pthread_once(&once, detect);
    return levels.active;
}

const kin_kernels *kin_kernels_at(size_t i) {
    pthread_once(&once, detect);
    return i < levels.count ? &levels.tables[i] : NULL;
}
