// The register loops for x86-64.
//
// Ten independent accumulators cover the latency of two multiply-adds a cycle (5 cycles x 2). KEEP hides a register's
// value from the compiler at no cost, so that equal products are not computed once and reused.

#if defined(__x86_64__)

#include "levels.h"

#include <immintrin.h>
#include <stddef.h>

#define KEEP(x) __asm__ volatile("" : "+v"(x))
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))

enum { ACCUMULATORS = 10, LOOPS = 4096 };

AVX2 static double avx2_float(void *state) {
    (void)state;
    __m256 sum[ACCUMULATORS], a = _mm256_set1_ps(1e-3f), b = _mm256_set1_ps(1.0f);
    for (int i = 0; i < ACCUMULATORS; i++) {
        sum[i] = _mm256_set1_ps((float)i);
    }
    KEEP(a);
    KEEP(b);
    for (int n = 0; n < LOOPS; n++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < ACCUMULATORS; i++) {
            sum[i] = _mm256_fmadd_ps(a, b, sum[i]);
        }
    }
    for (int i = 0; i < ACCUMULATORS; i++) {
        KEEP(sum[i]);
    }
    return 8.0 * ACCUMULATORS * LOOPS;
}

AVX2 static double avx2_byte(void *state) {
    (void)state;
    __m256i sum[ACCUMULATORS], a = _mm256_set1_epi8(3), b = _mm256_set1_epi8(5);
    for (int i = 0; i < ACCUMULATORS; i++) {
        sum[i] = _mm256_set1_epi16((short)i);
    }
    for (int n = 0; n < LOOPS; n++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < ACCUMULATORS; i++) {
            KEEP(a);
            sum[i] = _mm256_add_epi16(sum[i], _mm256_maddubs_epi16(a, b));
        }
    }
    for (int i = 0; i < ACCUMULATORS; i++) {
        KEEP(sum[i]);
    }
    return 32.0 * ACCUMULATORS * LOOPS;
}

AVX512 static double avx512_float(void *state) {
    (void)state;
    __m512 sum[ACCUMULATORS], a = _mm512_set1_ps(1e-3f), b = _mm512_set1_ps(1.0f);
    for (int i = 0; i < ACCUMULATORS; i++) {
        sum[i] = _mm512_set1_ps((float)i);
    }
    KEEP(a);
    KEEP(b);
    for (int n = 0; n < LOOPS; n++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < ACCUMULATORS; i++) {
            sum[i] = _mm512_fmadd_ps(a, b, sum[i]);
        }
    }
    for (int i = 0; i < ACCUMULATORS; i++) {
        KEEP(sum[i]);
    }
    return 16.0 * ACCUMULATORS * LOOPS;
}

AVX512 static double avx512_byte(void *state) {
    (void)state;
    __m512i sum[ACCUMULATORS], a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(5);
    for (int i = 0; i < ACCUMULATORS; i++) {
        sum[i] = _mm512_set1_epi16((short)i);
    }
    for (int n = 0; n < LOOPS; n++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < ACCUMULATORS; i++) {
            KEEP(a);
            sum[i] = _mm512_add_epi16(sum[i], _mm512_maddubs_epi16(a, b));
        }
    }
    for (int i = 0; i < ACCUMULATORS; i++) {
        KEEP(sum[i]);
    }
    return 64.0 * ACCUMULATORS * LOOPS;
}

VNNI static double vnni_byte(void *state) {
    (void)state;
    __m512i sum[ACCUMULATORS], a = _mm512_set1_epi8(3), b = _mm512_set1_epi8(5);
    for (int i = 0; i < ACCUMULATORS; i++) {
        sum[i] = _mm512_set1_epi32(i);
    }
    KEEP(a);
    KEEP(b);
    for (int n = 0; n < LOOPS; n++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < ACCUMULATORS; i++) {
            sum[i] = _mm512_dpbusd_epi32(sum[i], a, b);
        }
    }
    for (int i = 0; i < ACCUMULATORS; i++) {
        KEEP(sum[i]);
    }
    return 64.0 * ACCUMULATORS * LOOPS;
}

static int has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static int has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

static int has_vnni(void) {
    return has_avx512() && __builtin_cpu_supports("avx512vnni");
}

const ceiling_level_entry ceiling_level_entries[] = {
    {"avx2", "vfmadd (ymm)", "vpmaddubsw + vpaddw (ymm)", avx2_float, avx2_byte, has_avx2},
    {"avx512", "vfmadd (zmm)", "vpmaddubsw + vpaddw (zmm)", avx512_float, avx512_byte, has_avx512},
    {"avx512vnni", "vfmadd (zmm)", "vpdpbusd (zmm)", avx512_float, vnni_byte, has_vnni},
    {0},
};

#endif
