// avx512vnni.c: the AVX-512 level with VNNI: 8-bit codes. In up to 16 dimensions a block of 64 rows fills 16 registers,
// and its row terms four; two queries have eight sums.

#if defined(__x86_64__)

#include "avx512.h"

#define TARGET KIN_AVX512VNNI
#define LEVEL(name) kin_avx512vnni_##name
#define add_bytes _mm512_dpbusd_epi32

enum { TILE_VECTORS = KIN_VECTORS, STEP = 4 };

#include "vnni_template.h"

#include "lanes_template.h"

void kin_overlay_avx512vnni(kin_kernels *table) {
    overlay_vnni(table);
    overlay_lanes(table);
}

#endif
