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

static double neon_float(void *state) {
    (void)state;
    float32x4_t sum[ACCUMULATORS], a = vdupq_n_f32(1e-3f), b = vdupq_n_f32(1.0f);
    for (int i = 0; i < ACCUMULATORS; i++) {
        sum[i] = vdupq_n_f32((float)i);
    }
    KEEP(a);
    KEEP(b);
    for (int n = 0; n < LOOPS; n++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < ACCUMULATORS; i++) {
            sum[i] = vfmaq_f32(sum[i], a, b);
        }
    }
    for (int i = 0; i < ACCUMULATORS; i++) {
        KEEP(sum[i]);
    }
    return 4.0 * ACCUMULATORS * LOOPS;
}

static double neon_byte(void *state) {
    (void)state;
    int16x8_t sum[ACCUMULATORS];
    int8x8_t a = vdup_n_s8(3), b = vdup_n_s8(5);
    for (int i = 0; i < ACCUMULATORS; i++) {
        sum[i] = vdupq_n_s16((int16_t)i);
    }
    KEEP(a);
    KEEP(b);
    for (int n = 0; n < LOOPS; n++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < ACCUMULATORS; i++) {
            sum[i] = vmlal_s8(sum[i], a, b);
        }
    }
    for (int i = 0; i < ACCUMULATORS; i++) {
        KEEP(sum[i]);
    }
    return 8.0 * ACCUMULATORS * LOOPS;
}

__attribute__((target("dotprod"))) static double dot_byte(void *state) {
    (void)state;
    uint32x4_t sum[ACCUMULATORS];
    uint8x16_t a = vdupq_n_u8(3), b = vdupq_n_u8(5);
    for (int i = 0; i < ACCUMULATORS; i++) {
        sum[i] = vdupq_n_u32((uint32_t)i);
    }
    KEEP(a);
    KEEP(b);
    for (int n = 0; n < LOOPS; n++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < ACCUMULATORS; i++) {
            sum[i] = vdotq_u32(sum[i], a, b);
        }
    }
    for (int i = 0; i < ACCUMULATORS; i++) {
        KEEP(sum[i]);
    }
    return 16.0 * ACCUMULATORS * LOOPS;
}

__attribute__((target("i8mm"))) static double matrix_byte(void *state) {
    (void)state;
    int32x4_t sum[ACCUMULATORS];
    uint8x16_t a = vdupq_n_u8(3);
    int8x16_t b = vdupq_n_s8(5);
    for (int i = 0; i < ACCUMULATORS; i++) {
        sum[i] = vdupq_n_s32(i);
    }
    KEEP(a);
    KEEP(b);
    for (int n = 0; n < LOOPS; n++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < ACCUMULATORS; i++) {
            sum[i] = vusmmlaq_s32(sum[i], a, b);
        }
    }
    for (int i = 0; i < ACCUMULATORS; i++) {
        KEEP(sum[i]);
    }
    return 32.0 * ACCUMULATORS * LOOPS;
}

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
