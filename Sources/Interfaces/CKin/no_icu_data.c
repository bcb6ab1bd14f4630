#include <stdint.h>

// An empty data table for ICU, which install.sh links into libkin_engine.
//
// GRDB depends on Foundation, which includes ICU and its 34 MB of names of languages, calendars and collation orders.
// The store compares, splits and normalises texts with the Swift library and parses dates itself, so it never reads
// this data. A table of contents without entries, in the layout of ICU's UDataInfo (unicode/udata.h), makes ICU report
// "missing resource" if anything requests data.

#ifndef KIN_ICU_DATA
#error "KIN_ICU_DATA is the name that ICU's data have in this Swift, as icudt76_dat"
#endif

struct empty_icu_data {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size, reserved;
    uint8_t is_big_endian, charset_family, size_of_char, reserved_too;
    uint8_t data_format[4], format_version[4], data_version[4];
    uint8_t padding[8];
    uint32_t entries, no_entry[3];
};

_Alignas(16) const struct empty_icu_data KIN_ICU_DATA = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .size_of_char = 2,
    .data_format = {'T', 'o', 'C', 'P'},
    .format_version = {1, 0, 0, 0},
};
