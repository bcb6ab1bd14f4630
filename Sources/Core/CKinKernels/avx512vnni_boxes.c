// avx512vnni_boxes.c: distances of boxes from a query, AVX-512 with VNNI; as avx512_boxes.c, but a gap, a byte of at
// most 127, is squared and added to those of three more dimensions by one instruction.

#if defined(__x86_64__)

#include "avx512.h"

#define TARGET KIN_AVX512VNNI
#define LEVEL(name) kin_avx512vnni_##name

KIN_AVX512VNNI KIN_INLINE __m512i add_squares(__m512i sums, __m512i gaps) {
    return _mm512_dpbusd_epi32(sums, gaps, gaps);
}

#include "avx512_boxes_template.h"

#endif
