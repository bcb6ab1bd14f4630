// runtime_counter.h: counts what the Swift runtime writes to memory that other threads also write.
//
// Threads that take no lock still wait for each other when they write to the same memory. The runtime does this in two
// ways: it changes the reference count of an object that they share, and it counts each look-up of a generic type.

#ifndef KIN_RUNTIME_COUNTER_H
#define KIN_RUNTIME_COUNTER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct runtime_counts {
    /// Retains and releases that changed the reference count of an object that is older than the measurement.
    uint64_t shared_writes;
    /// Look-ups of generic types that the program's own code made.
    uint64_t lookups;
};

/// The class of an object that is older than the measurement, and the number of changes to counts of its objects.
struct runtime_class {
    const void *metadata;
    uint64_t writes;
};

/// Starts to count for the calling thread. Only one thread may count at a time.
void runtime_counter_begin(void);

/// Stops counting, and returns the counts since `runtime_counter_begin`.
struct runtime_counts runtime_counter_end(void);

/// The classes that the latest measurement counted, at most `capacity`; returns their number.
size_t runtime_counter_classes(struct runtime_class *classes, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
