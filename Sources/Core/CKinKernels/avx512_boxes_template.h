// avx512_boxes_template.h: distances of boxes from a query, sixteen boxes at a time, for the AVX-512 levels: include it
// after defining
//
//     TARGET       the function attribute of the level
//     LEVEL        (name): the name of the level's function, kin_<level>_<name>
//     add_squares  (sums, gaps): adds the squares of 16 boxes' gaps in four dimensions to their sums; always inline

#include "avx512.h"

TARGET void LEVEL(box_bounds)(const uint8_t *lows, const uint8_t *highs, size_t groups, size_t blocks,
                              const uint8_t *above, const uint8_t *below, int32_t *bounds) {
    for (size_t block = 0; block < blocks; block++) {
        __m512i sums[KIN_BLOCK_ZMMS];
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            sums[v] = _mm512_setzero_si512();
        for (size_t g = 0; g < groups; g++) {
            size_t offset = (block * groups + g) * 4 * KIN_BLOCK_ROWS;
            __m512i up = kin_avx512_four_of(above + 4 * g), down = kin_avx512_four_of(below + 4 * g);
            for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
                sums[v] =
                    add_squares(sums[v], kin_avx512_gaps(lows + offset + 64 * v, highs + offset + 64 * v, up, down));
        }
        for (size_t v = 0; v < KIN_BLOCK_ZMMS; v++)
            _mm512_storeu_si512(bounds + block * KIN_BLOCK_ROWS + KIN_ZMM_ROWS * v, sums[v]);
    }
}
