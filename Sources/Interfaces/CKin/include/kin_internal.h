// kin_internal.h: what the Swift side of libkin needs from its C side. Not installed, not exported.

#ifndef KIN_INTERNAL_H
#define KIN_INTERNAL_H

#include "kin.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Keeps a text for this thread's kin_last_error, cut between two characters when it is too long.
void kin_last_error_set(const char *text, size_t count);

/// The function that this thread's long calls report to, and its context; NULL for none.
kin_progress kin_progress_get(void **context);

/// The commit of the sources; "unknown" unless whoever links the library puts another object before this one.
const char *kin_commit(void);

#ifdef __cplusplus
}
#endif

#endif
