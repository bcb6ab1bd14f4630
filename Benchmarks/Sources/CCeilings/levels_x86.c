// The register loops for x86-64.
//
// Ten independent accumulators cover the latency of two multiply-adds a cycle (5 cycles x 2).

#if defined(__x86_64__)

#include "levels.h"

#include <immintrin.h>
#include <stddef.h>

#define KEEP(x) __asm__ volatile("" : "+v"(x))
#define AVX2 __attribute__((target("avx2,fma")))
#define VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))

enum { ACCUMULATORS = 10, LOOPS = 4096 };

REGISTER_LOOP(avx2_float, AVX2, 8, _mm256_set1_ps(1e-3f), _mm256_set1_ps(1.0f), _mm256_set1_ps, ,
              _mm256_fmadd_ps(a, b, sum[i]))
REGISTER_LOOP(avx2_byte, AVX2, 32, _mm256_set1_epi8(3), _mm256_set1_epi8(5), _mm256_set1_epi16, KEEP(a),
              _mm256_add_epi16(sum[i], _mm256_maddubs_epi16(a, b)))
REGISTER_LOOP(vnni_float, VNNI, 16, _mm512_set1_ps(1e-3f), _mm512_set1_ps(1.0f), _mm512_set1_ps, ,
              _mm512_fmadd_ps(a, b, sum[i]))
REGISTER_LOOP(vnni_byte, VNNI, 64, _mm512_set1_epi8(3), _mm512_set1_epi8(5), _mm512_set1_epi32, ,
              _mm512_dpbusd_epi32(sum[i], a, b))

static int has_avx2(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static int has_vnni(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vnni");
}

const ceiling_level_entry ceiling_level_entries[] = {
    {"avx2", "vfmadd (ymm)", "vpmaddubsw + vpaddw (ymm)", avx2_float, avx2_byte, has_avx2},
    {"avx512vnni", "vfmadd (zmm)", "vpdpbusd (zmm)", vnni_float, vnni_byte, has_vnni},
    {0},
};

#endif
