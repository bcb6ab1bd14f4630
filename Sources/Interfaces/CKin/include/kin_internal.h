// kin_internal.h: the C functions that the Swift side of libkin needs. Not installed, not exported.

#ifndef KIN_INTERNAL_H
#define KIN_INTERNAL_H

#include "kin.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Stores the text of this thread's kin_last_error, cut between two characters if it is too long.
void kin_last_error_set(const char *text, size_t count);

/// The function that receives the progress of this thread's long calls, and its context; NULL if none is set.
kin_progress kin_progress_get(void **context);

/// The commit of the sources; "unknown" unless a different object is linked before this one.
const char *kin_commit(void);

#ifdef __cplusplus
}
#endif

#endif
