// careless.h: arguments drawn from a fuzzer's input, and outputs that are checked.

#ifndef CARELESS_H
#define CARELESS_H

#include "kin.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The bytes of the largest array of a call, and the number of outputs of one call.
enum { ARRAY = 1 << 13, OUTPUTS = 4 };

typedef struct {
    const uint8_t *at;
    size_t left;
} input;

static inline uint8_t byte(input *in) {
    if (in->left == 0) {
        return 0;
    }
    in->left--;
    return *in->at++;
}

/// A size: mostly small, sometimes one that overflows something.
static inline size_t size(input *in) {
    static const size_t wrong[] = {SIZE_MAX,        SIZE_MAX / 2, SIZE_MAX / 4 + 1, (size_t)1 << 62, SIZE_MAX - 3,
                                   (size_t)1 << 40, 65537,        (size_t)1 << 32};
    uint8_t b = byte(in);
    return b < 224 ? b % 40 : wrong[b % 8];
}

static inline size_t stride(input *in, size_t row) {
    uint8_t b = byte(in);
    return b < 128 ? 0 : b < 192 ? row : b < 224 ? row + 4 * (size_t)(b % 8) : b < 248 ? b : size(in);
}

static inline float number(input *in) {
    static const float special[] = {NAN, INFINITY, -INFINITY, 3e38F, -3e38F, 1e-45F, 0, -0.0F};
    uint8_t b = byte(in);
    return b < 248 ? (float)(b % 16) / 4 - 2 : special[b % 8];
}

/// One of the few ids in use, or an id at either end of the range.
static inline uint64_t id(input *in) {
    uint8_t b = byte(in);
    return b < 240 ? b % 64 : b < 244 ? KIN_NO_ID : b < 248 ? KIN_NO_ID - 1 : (uint64_t)1 << (b % 64);
}

// ---- Arrays. Each is at the end of a separate block, so that the address sanitizer sees an access beyond the end.

static uint8_t *blocks[16];
static size_t block_count;

/// An array of `count` rows of `bytes` each, `step` bytes apart (0: packed). Sometimes NULL, and always if it would be
/// too large to exist; sometimes unaligned.
static inline void *array(input *in, size_t count, size_t step, size_t bytes) {
    uint8_t b = byte(in);
    if (step == 0) {
        step = bytes;
    }
    size_t total = 0;
    if (b == 255 || count > ARRAY || __builtin_mul_overflow(count, step, &total) || total > ARRAY) {
        return NULL;
    }
    size_t shift = b == 254 ? 1 : 0;
    uint8_t *block = malloc(total + shift);
    blocks[block_count++] = block;
    return block + shift;
}

// Not every interface takes floats.
__attribute__((unused)) static float *floats(input *in, size_t count, size_t step, size_t columns) {
    size_t row = columns * sizeof(float);
    // The call has to refuse a stride that is too short; until then the rows overlap here.
    uint8_t *a = array(in, count, step != 0 && step < row ? row : step, row);
    for (size_t i = 0; a != NULL && i < count; i++) {
        for (size_t j = 0; j < columns; j++) {
            float x = number(in);
            memcpy(a + i * (step == 0 ? row : step) + j * sizeof x, &x, sizeof x);
        }
    }
    return (float *)(void *)a;
}

static inline double *doubles(input *in, size_t count) {
    uint8_t *a = array(in, count, 0, sizeof(double));
    for (size_t i = 0; a != NULL && i < count; i++) {
        double x = number(in);
        memcpy(a + i * sizeof x, &x, sizeof x);
    }
    return (double *)(void *)a;
}

static inline uint64_t *ids(input *in, size_t count) {
    uint8_t *a = array(in, count, 0, sizeof(uint64_t));
    for (size_t i = 0; a != NULL && i < count; i++) {
        uint64_t x = id(in);
        memcpy(a + i * sizeof x, &x, sizeof x);
    }
    return (uint64_t *)(void *)a;
}

// ---- Outputs, checked.

static struct {
    uint8_t *place;
    size_t bytes;
} outputs[OUTPUTS];
static size_t output_count;

static const uint8_t untouched = 0xA5;

static inline void *output(input *in, size_t count, size_t step, size_t bytes) {
    uint8_t *place = array(in, count, step, bytes);
    if (place != NULL) {
        outputs[output_count].place = place;
        outputs[output_count].bytes = count * (step == 0 ? bytes : step);
        memset(place, untouched, outputs[output_count].bytes);
        output_count++;
    }
    return place;
}

static inline void fail(const char *what) {
    fprintf(stderr, "%s; last error: %s\n", what, kin_last_error());
    abort();
}

/// Whether the call succeeded. If it failed, its guarantees about failures are checked. After a success the outputs are
/// no longer checked, because later calls did not write them.
static inline bool worked(kin_status status) {
    if (status == KIN_OK) {
        output_count = 0;
        return true;
    }
    if (strcmp(kin_status_name(status), "unknown status") == 0) {
        fail("a status that the header does not have");
    }
    if (kin_last_error()[0] == '\0') {
        fail("a failure without a message");
    }
    for (size_t i = 0; i < output_count; i++) {
        for (size_t j = 0; j < outputs[i].bytes; j++) {
            if (outputs[i].place[j] != untouched) {
                fail("a failed call wrote to its output");
            }
        }
    }
    return false;
}

// ---- Calls.

typedef void (*call)(input *);

/// Makes the calls that an input selects from `choices`, until the input is used up.
static inline void make_calls(const uint8_t *bytes, size_t count, const call *choices, size_t number) {
    input in = {bytes, count};
    while (in.left > 0) {
        block_count = output_count = 0;
        choices[byte(&in) % number](&in);
        while (block_count > 0) {
            free(blocks[--block_count]);
        }
    }
}

// ---- Options.

/// Options for files, in memory of the size that they claim; sometimes NULL.
__attribute__((unused)) static kin_file_options *file_options(input *in) {
    static struct {
        kin_file_options known;
        unsigned char later[256 - sizeof(kin_file_options)];
    } options;
    options.known = (kin_file_options)KIN_FILE_OPTIONS_INIT;
    options.later[0] = byte(in) == 255;
    options.known.overwrite = byte(in) % 3;
    options.known.unmapped = byte(in) % 3;
    options.known.verify = byte(in) % 4 - (byte(in) == 255);
    options.known.reserved = byte(in) == 255;
    options.known.size = byte(in) < 250 ? sizeof options.known : byte(in);
    return byte(in) % 8 == 0 ? NULL : &options.known;
}

// ---- Handles.

/// Stores the handle that a call creates in a slot, in place of the existing one. Sometimes the call gets NULL for the
/// handle.
#define NEW(kind, slot, release, call)                                                                                 \
    do {                                                                                                               \
        kind *made = NULL;                                                                                             \
        kind **place = byte(in) == 255 ? NULL : &made;                                                                 \
        if (worked(call)) {                                                                                            \
            kind **old = &(slot);                                                                                      \
            release(*old);                                                                                             \
            *old = made;                                                                                               \
        } else if (made != NULL) {                                                                                     \
            fail("a failed call made a handle");                                                                       \
        }                                                                                                              \
    } while (0)

#endif
