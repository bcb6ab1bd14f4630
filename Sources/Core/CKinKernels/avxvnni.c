// avxvnni.c: the AVX2 level with VNNI (AVX-VNNI, on CPUs without AVX-512): 8-bit codes. In up to 16 dimensions 16 rows
// fill eight registers and their terms two; two queries have four sums.

#if defined(__x86_64__)

#include "avx2.h"

#define TARGET KIN_AVXVNNI
#define LEVEL(name) kin_avxvnni_##name
#define add_bytes _mm256_dpbusd_avx_epi32

enum { TILE_VECTORS = 2, STEP = 2 };

#include "vnni_template.h"

void kin_overlay_avxvnni(kin_kernels *table) {
    overlay_vnni(table);
}

#endif
