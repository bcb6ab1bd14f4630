// The register loops for 64-bit ARM. Sixteen accumulators cover four multiply-adds a cycle at a latency of four.

#if defined(__aarch64__)

#include "levels.h"

#include <arm_neon.h>
#include <stddef.h>
#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

#define KEEP(x) __asm__ volatile("" : "+w"(x))

enum { ACCUMULATORS = 16, LOOPS = 4096 };

#define DOT __attribute__((target("dotprod")))
#define MATRICES __attribute__((target("i8mm")))

REGISTER_LOOP(neon_float, , 4, vdupq_n_f32(1e-3f), vdupq_n_f32(1.0f), vdupq_n_f32, , vfmaq_f32(sum[i], a, b))
REGISTER_LOOP(neon_byte, , 8, vdup_n_s8(3), vdup_n_s8(5), vdupq_n_s16, , vmlal_s8(sum[i], a, b))
REGISTER_LOOP(dot_byte, DOT, 16, vdupq_n_u8(3), vdupq_n_u8(5), vdupq_n_u32, , vdotq_u32(sum[i], a, b))
REGISTER_LOOP(matrix_byte, MATRICES, 32, vdupq_n_u8(3), vdupq_n_s8(5), vdupq_n_s32, , vusmmlaq_s32(sum[i], a, b))

static int always(void) {
    return 1;
}

#if defined(__APPLE__)
static int has_feature(const char *name) {
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, NULL, 0) == 0 && value == 1;
}
#endif

static int has_dot(void) {
#if defined(__linux__)
    return (getauxval(AT_HWCAP) >> 20) & 1; // HWCAP_ASIMDDP
#elif defined(__APPLE__)
    return has_feature("hw.optional.arm.FEAT_DotProd");
#else
    return 0;
#endif
}

static int has_byte_matrices(void) {
#if defined(__linux__)
    return (getauxval(AT_HWCAP2) >> 13) & 1; // HWCAP2_I8MM
#elif defined(__APPLE__)
    return has_feature("hw.optional.arm.FEAT_I8MM");
#else
    return 0;
#endif
}

const ceiling_level_entry ceiling_level_entries[] = {
    {"neon", "fmla", "smlal", neon_float, neon_byte, always},
    {"neondot", "fmla", "udot", neon_float, dot_byte, has_dot},
    {"neoni8mm", "fmla", "usmmla", neon_float, matrix_byte, has_byte_matrices},
    {0},
};

#endif
