// crc32c.c: CRC-32C by the instructions of x86 (SSE4.2) and ARM (CRC32).
//
// The instruction takes 8 bytes and has a latency of three cycles, but a new one can start every cycle. So three lanes
// of the input run in parallel and are joined afterwards. Appending n zero bytes to a lane multiplies its remainder by
// x^(8 n) modulo the polynomial, so the remainder of A B C is (A x^(16 n)) + (B x^(8 n)) + C for lanes of n bytes.

#include "levels.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#define TARGET __attribute__((target("sse4.2")))
#define ADD_WORD(crc, word) ((uint32_t)_mm_crc32_u64(crc, word))
#define ADD_BYTE(crc, byte) _mm_crc32_u8(crc, byte)
#elif defined(__aarch64__)
#if defined(__clang__)
#define TARGET __attribute__((target("crc")))
#else
#define TARGET __attribute__((target("+crc")))
#endif
#include <arm_acle.h>
#define ADD_WORD(crc, word) __crc32cd(crc, word)
#define ADD_BYTE(crc, byte) __crc32cb(crc, byte)
#endif

#if defined(TARGET)

enum { LANE = 8192 };

// x^(8 LANE) and x^(16 LANE) modulo the polynomial, the coefficient of x^0 in the highest bit.
#define SHIFT_BY_LANE UINT32_C(0x28461564)
#define SHIFT_BY_TWO_LANES UINT32_C(0xBF455269)

/// The product a(x) b(x) modulo the polynomial, all in reflected order.
static uint32_t multiply(uint32_t a, uint32_t b) {
    uint32_t product = 0;
    for (unsigned bit = 0; bit < 32; bit++) {
        product ^= b & -(a >> (31 - bit) & 1);
        b = b >> 1 ^ (UINT32_C(0x82F63B78) & -(b & 1));
    }
    return product;
}

TARGET static uint64_t load_word(const uint8_t *from) {
    uint64_t word;
    memcpy(&word, from, sizeof word);
    return word;
}

TARGET static uint32_t crc32c(uint32_t crc, const void *bytes, size_t n) {
    const uint8_t *next = bytes;
    crc = ~crc;
    for (; n >= 3 * LANE; n -= 3 * LANE, next += 3 * LANE) {
        uint32_t second = 0, third = 0;
        for (size_t i = 0; i < LANE; i += 8) {
            crc = ADD_WORD(crc, load_word(next + i));
            second = ADD_WORD(second, load_word(next + LANE + i));
            third = ADD_WORD(third, load_word(next + 2 * LANE + i));
        }
        crc = multiply(crc, SHIFT_BY_TWO_LANES) ^ multiply(second, SHIFT_BY_LANE) ^ third;
    }
    for (; n >= 8; n -= 8, next += 8)
        crc = ADD_WORD(crc, load_word(next));
    for (; n > 0; n--, next++)
        crc = ADD_BYTE(crc, *next);
    return ~crc;
}

void kin_overlay_crc32c(kin_kernels *table) {
    table->crc32c = crc32c;
}

#endif
