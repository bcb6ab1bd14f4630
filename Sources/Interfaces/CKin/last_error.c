#include "kin.h"
#include "kin_internal.h"

#include <string.h>

// In C because Swift has no thread-local variables. A fixed buffer needs no freeing when a thread ends, and reporting
// an error cannot fail.
static _Thread_local char message[2048];

const char *kin_last_error(void) {
    return message;
}

void kin_last_error_set(const char *text, size_t count) {
    if (count >= sizeof message) {
        count = sizeof message - 1;
        // A byte 10xxxxxx continues a character of UTF-8: cut before its first byte.
        while (count > 0 && (text[count] & 0xC0) == 0x80) {
            count--;
        }
    }
    memcpy(message, text, count);
    message[count] = '\0';
}
