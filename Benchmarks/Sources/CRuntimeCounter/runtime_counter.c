#include "runtime_counter.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct metadata_response {
    const void *metadata;
    size_t state;
};

// The definitions in this file take precedence over the runtime's functions of the same names, which they call for the
// work. The runtime also has hooks for this, but on Linux they receive the bytes of short strings as if these were
// objects.

/// The runtime's functions.
static struct {
    void *(*alloc_object)(const void *metadata, size_t size, size_t alignment_mask);
    void *(*retain)(void *object);
    void *(*retain_n)(void *object, uint32_t count);
    void (*release)(void *object);
    void (*release_n)(void *object, uint32_t count);
    void *(*bridge_retain)(void *object);
    void (*bridge_release)(void *object);
    struct metadata_response (*generic_metadata)(size_t request, const void *const *arguments, void *description);
} runtime;

enum { OWN_OBJECTS = 1 << 18, CLASSES = 64 };

static _Thread_local bool is_counting;
static struct runtime_counts counts;
static struct runtime_class classes[CLASSES];
static size_t class_count;
/// The objects that the measured thread has allocated since it began: a hash table with linear probing.
static void *own_objects[OWN_OBJECTS];
static size_t own_count;
/// The end of the measured thread's stack that was in use when it began. Objects on its stack are its own.
static char *stack_base;

static size_t place(const void *object) {
    size_t at = ((uintptr_t)object >> 4) * 0x9E3779B97F4A7C15u >> 46;
    while (own_objects[at] != NULL && own_objects[at] != object)
        at = (at + 1) % OWN_OBJECTS;
    return at;
}

static bool is_own(const void *object) {
    char here;
    if ((const char *)object > &here && (const char *)object < stack_base)
        return true;
    return own_objects[place(object)] == object;
}

/// An object without the bits that a pointer to it may carry, such as those of strings; NULL for a constant string.
static void *plain(const void *object) {
    return (intptr_t)object > 0 ? (void *)((uintptr_t)object & 0x00FFFFFFFFFFFFF8) : NULL;
}

/// The second word of an object is its reference count. That of a constant never changes.
static uint64_t count_of(const void *object) {
    return ((const uint64_t *)object)[1];
}

static void note(const void *object) {
    const void *metadata = *(const void *const *)object;
    counts.shared_writes++;
    for (size_t i = 0; i < class_count; i++)
        if (classes[i].metadata == metadata) {
            classes[i].writes++;
            return;
        }
    if (class_count < CLASSES)
        classes[class_count++] = (struct runtime_class){metadata, 1};
}

/// Counts a change of an object's reference count. The change is tried and taken back, since a release may free it.
static void note_change(const void *pointer) {
    void *object = plain(pointer);
    if (!is_counting || object == NULL || is_own(object))
        return;
    uint64_t before = count_of(object);
    runtime.retain(object);
    if (count_of(object) == before)
        return;
    runtime.release(object);
    note(object);
}

/// Looks up the runtime's functions before the first call of one, which a library may make before `main`.
static void find_runtime(void) {
    if (runtime.generic_metadata != NULL)
        return;
    *(void **)&runtime.alloc_object = dlsym(RTLD_NEXT, "swift_allocObject");
    *(void **)&runtime.retain = dlsym(RTLD_NEXT, "swift_retain");
    *(void **)&runtime.retain_n = dlsym(RTLD_NEXT, "swift_retain_n");
    *(void **)&runtime.release = dlsym(RTLD_NEXT, "swift_release");
    *(void **)&runtime.release_n = dlsym(RTLD_NEXT, "swift_release_n");
    *(void **)&runtime.bridge_retain = dlsym(RTLD_NEXT, "swift_bridgeObjectRetain");
    *(void **)&runtime.bridge_release = dlsym(RTLD_NEXT, "swift_bridgeObjectRelease");
    *(void **)&runtime.generic_metadata = dlsym(RTLD_NEXT, "swift_getGenericMetadata");
}

void *swift_allocObject(const void *metadata, size_t size, size_t alignment_mask) {
    find_runtime();
    void *object = runtime.alloc_object(metadata, size, alignment_mask);
    if (is_counting) {
        // A longer measurement would make probing slow and, at the end, endless.
        if (++own_count > OWN_OBJECTS / 2)
            abort();
        own_objects[place(object)] = object;
    }
    return object;
}

void *swift_retain(void *object) {
    find_runtime();
    note_change(object);
    return runtime.retain(object);
}

void *swift_retain_n(void *object, uint32_t n) {
    find_runtime();
    note_change(object);
    return runtime.retain_n(object, n);
}

void swift_release(void *object) {
    find_runtime();
    note_change(object);
    runtime.release(object);
}

void swift_release_n(void *object, uint32_t n) {
    find_runtime();
    note_change(object);
    runtime.release_n(object, n);
}

void *swift_bridgeObjectRetain(void *object) {
    find_runtime();
    note_change(object);
    return runtime.bridge_retain(object);
}

void swift_bridgeObjectRelease(void *object) {
    find_runtime();
    note_change(object);
    runtime.bridge_release(object);
}

struct metadata_response swift_getGenericMetadata(size_t request, const void *const *arguments, void *description) {
    find_runtime();
    if (is_counting)
        counts.lookups++;
    return runtime.generic_metadata(request, arguments, description);
}

void runtime_counter_begin(void) {
    memset(own_objects, 0, sizeof own_objects);
    own_count = class_count = 0;
    counts = (struct runtime_counts){0, 0};
    stack_base = (char *)__builtin_frame_address(0);
    is_counting = true;
}

struct runtime_counts runtime_counter_end(void) {
    is_counting = false;
    return counts;
}

size_t runtime_counter_classes(struct runtime_class *into, size_t capacity) {
    size_t number = class_count < capacity ? class_count : capacity;
    memcpy(into, classes, number * sizeof *classes);
    return number;
}
