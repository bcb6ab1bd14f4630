// immintrin.h for CPUs without AVX-512. The compiler finds it before its own header. It defines the intrinsics with
// SIMDe (portable emulation), and the few that SIMDe 0.7.4 lacks from their definition in Intel's guide.

#ifndef KIN_EMULATED_IMMINTRIN_H
#define KIN_EMULATED_IMMINTRIN_H

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx2.h>
#include <simde/x86/avx512.h>

#include <stdint.h>
#include <string.h>

typedef uint32_t __mmask32;

// AVX-VNNI has the instruction of AVX-512 VNNI under a name of its own.
#define _mm256_dpbusd_avx_epi32 _mm256_dpbusd_epi32

/// Sums of neighbouring products of signed 16-bit lanes, in 32 bits.
#undef _mm512_madd_epi16
static inline __m512i _mm512_madd_epi16(__m512i a, __m512i b) {
    int16_t x[32], y[32];
    int32_t sums[16];
    memcpy(x, &a, sizeof x);
    memcpy(y, &b, sizeof y);
    for (int i = 0; i < 16; i++)
        sums[i] = x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
    memcpy(&a, sums, sizeof sums);
    return a;
}

/// Arithmetic shift to the right of 32-bit lanes.
static inline __m512i _mm512_srai_epi32(__m512i a, unsigned bits) {
    int32_t lanes[16];
    memcpy(lanes, &a, sizeof lanes);
    for (int i = 0; i < 16; i++)
        lanes[i] >>= bits;
    memcpy(&a, lanes, sizeof lanes);
    return a;
}

/// Signed 32-bit lanes as floats.
static inline __m512 _mm512_cvtepi32_ps(__m512i a) {
    int32_t whole[16];
    float lanes[16];
    memcpy(whole, &a, sizeof whole);
    for (int i = 0; i < 16; i++)
        lanes[i] = (float)whole[i];
    __m512 floats;
    memcpy(&floats, lanes, sizeof lanes);
    return floats;
}

/// The bits of `value` where `mask` has ones, moved together at the low end.
static inline uint32_t _pext_u32(uint32_t value, uint32_t mask) {
    uint32_t gathered = 0;
    for (unsigned bit = 0, next = 0; bit < 32; bit++)
        if (mask >> bit & 1)
            gathered |= (value >> bit & 1) << next++;
    return gathered;
}

// The code under test selects its instruction set per function, which the emulation must not see.
#define target(features) unused

#endif
