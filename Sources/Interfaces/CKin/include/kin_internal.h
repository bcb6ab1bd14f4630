// kin_internal.h: the C functions that the Swift side of libkin needs. Not installed, not exported.

#ifndef KIN_INTERNAL_H
#define KIN_INTERNAL_H

#include "kin.h"
#include "kin_engine.h"

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

/// TYPE_defaults(): options of a type with the values of its initializer.
#define KIN_DEFAULTS(type, initializer)                                                                                \
    static inline type type##_defaults(void) {                                                                         \
        type options = initializer;                                                                                    \
        return options;                                                                                                \
    }
KIN_DEFAULTS(kin_search_options, KIN_SEARCH_OPTIONS_INIT)
KIN_DEFAULTS(kin_recommendation, KIN_RECOMMENDATION_INIT)
KIN_DEFAULTS(kin_file_options, KIN_FILE_OPTIONS_INIT)
KIN_DEFAULTS(kin_kmeans_options, KIN_KMEANS_OPTIONS_INIT)
KIN_DEFAULTS(kin_minibatch_kmeans_options, KIN_MINIBATCH_KMEANS_OPTIONS_INIT)
KIN_DEFAULTS(kin_policy_options, KIN_POLICY_OPTIONS_INIT)
KIN_DEFAULTS(kin_engine_options, KIN_ENGINE_OPTIONS_INIT)
#undef KIN_DEFAULTS

#ifdef __cplusplus
}
#endif

#endif
