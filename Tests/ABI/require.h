// Ends a program with the library's error message if a claim is not true.

#include <stdio.h>
#include <stdlib.h>

static void require(int truth, const char *claim) {
    if (!truth) {
        fprintf(stderr, "not true: %s; last error: %s\n", claim, kin_last_error());
        exit(1);
    }
}

#define REQUIRE(claim) require((claim), #claim)
