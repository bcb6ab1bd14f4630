#include "kin.h"
#include "kin_internal.h"

// In C because Swift has no thread-local variables.
static _Thread_local kin_progress function;
static _Thread_local void *function_context;

void kin_set_progress(kin_progress progress, void *context) {
    function = progress;
    function_context = context;
}

kin_progress kin_progress_get(void **context) {
    *context = function_context;
    return function;
}
