#include "kin.h"

const char *kin_status_name(kin_status status) {
    static const char *const names[] = {
        [KIN_OK] = "ok",
        [KIN_INVALID_ARGUMENT] = "invalid argument",
        [KIN_DIMENSION_MISMATCH] = "dimension mismatch",
        [KIN_NOT_FINITE] = "not finite",
        [KIN_ZERO_VECTOR] = "zero vector",
        [KIN_DUPLICATE_ID] = "duplicate id",
        [KIN_UNKNOWN_ID] = "unknown id",
        [KIN_MALFORMED_INPUT] = "malformed input",
        [KIN_CORRUPT_FILE] = "corrupt file",
        [KIN_UNSUPPORTED_FORMAT] = "unsupported format",
        [KIN_INPUT_OUTPUT] = "input/output",
        [KIN_CAPACITY_EXCEEDED] = "capacity exceeded",
        [KIN_NUMERICAL_FAILURE] = "numerical failure",
        [KIN_BUSY] = "busy",
        [KIN_CANCELLED] = "cancelled",
    };
    return status >= 0 && (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown status";
}
