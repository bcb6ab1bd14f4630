#include "kin.h"

const char *kin_status_name(kin_status status) {
    switch (status) {
    case KIN_OK:
        return "ok";
    case KIN_INVALID_ARGUMENT:
        return "invalid argument";
    case KIN_DIMENSION_MISMATCH:
        return "dimension mismatch";
    case KIN_NOT_FINITE:
        return "not finite";
    case KIN_ZERO_VECTOR:
        return "zero vector";
    case KIN_DUPLICATE_ID:
        return "duplicate id";
    case KIN_UNKNOWN_ID:
        return "unknown id";
    case KIN_MALFORMED_INPUT:
        return "malformed input";
    case KIN_CORRUPT_FILE:
        return "corrupt file";
    case KIN_UNSUPPORTED_FORMAT:
        return "unsupported format";
    case KIN_INPUT_OUTPUT:
        return "input/output";
    case KIN_CAPACITY_EXCEEDED:
        return "capacity exceeded";
    case KIN_NUMERICAL_FAILURE:
        return "numerical failure";
    case KIN_BUSY:
        return "busy";
    case KIN_CANCELLED:
        return "cancelled";
    default:
        return "unknown status";
    }
}
