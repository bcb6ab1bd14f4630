// kin.h: the C interface of libkin, vector search and clustering in process.
//
//     #include <kin.h>
//
//     kin_index *index = NULL;
//     if (kin_index_create_flat(16, KIN_METRIC_L2, &index) != KIN_OK ||
//         kin_index_upsert(index, vectors, n, 0, ids, 1) != KIN_OK ||
//         kin_index_search(index, query, 1, 0, 10, NULL, nearest, distances, NULL) != KIN_OK) {
//         fprintf(stderr, "%s\n", kin_last_error());
//     }
//     kin_index_free(index);
//
// This file is the whole contract. The rest of this comment holds for every call.
//
// ERRORS. A call that can fail returns a kin_status: KIN_OK is 0, and every other value is a failure that
// kin_last_error describes. A failed call changes nothing: neither the handle nor the memory that its output arguments
// point at. Every argument is checked before it is used: NULL for a required pointer, negative or absurd sizes and
// strides, unaligned pointers, numbers that are not finite, unknown constants. Two things cannot be checked and are the
// caller's duty: every array is as long as its count, and every handle is valid and not yet freed. Every call may fail
// with these errors; further errors are listed under "Fails with".
//
//     KIN_INVALID_ARGUMENT     an argument outside its documented range
//     KIN_NOT_FINITE           a number that is NaN, infinite or above its documented magnitude
//     KIN_DIMENSION_MISMATCH   sizes that do not match
//     KIN_CAPACITY_EXCEEDED    sizes that do not fit into memory
//
// HANDLES are kin_index, kin_index_builder, kin_filter, kin_matches, kin_clustering, kin_minibatch_kmeans, kin_pca and
// kin_policy. A handle is created by a call that writes a pointer to its last argument, and freed by kin_..._free,
// once, when no other thread uses it. Freeing NULL does nothing. Using or freeing a freed handle is undefined, as for
// malloc and free.
//
// ARRAYS. Vectors are passed as rows: a pointer to the first number, the number of rows, and the stride, which is the
// distance in bytes from the start of one row to the start of the next. Stride 0 means packed rows; any other stride is
// a multiple of the element's size and at least a whole row. The pointer may be NULL if there are no rows. Input is
// read during the call only, and copied if the library needs it later. Output is written to the caller's memory.
//
// OPTIONS. An options structure begins with its size in bytes. Set it up with its initializer (KIN_SEARCH_OPTIONS_INIT
// and so on), which also sets every default, then change fields. NULL means the defaults. Later releases add fields at
// the end. A program compiled with an older header gets the defaults of new fields. A program compiled with a newer
// header that uses a field unknown to this library gets KIN_INVALID_ARGUMENT.
//
// THREADS. Any thread may call, including threads that the Swift runtime has never seen. Calls that take a const handle
// may run at the same time on the same handle: each works on the state it found at its start, and none waits for the
// others. Calls that change a handle may run at the same time as well. Changes run one after the other, and a call that
// starts during a change waits until the change is complete. To keep readers from waiting for a long load, load into a
// copy (kin_index_copy costs next to nothing) and then use the copy. The library starts no thread unless `threads` is
// above 1; results never depend on it. The system's BLAS may start threads of its own when it is loaded; the library
// does not use them. A thread needs a stack of 256 KiB, and must not be cancelled (pthread_cancel) during a call.
//
// FORK. A child process may use everything its parent had, provided that no other thread was inside a call of this
// library at the moment of the fork. If the parent has used more than one thread, the child computes on one thread,
// regardless of `threads`, because a thread pool does not survive a fork. Memory is shared until it is changed, so load
// first and fork then. In a child that starts threads, the forked thread should make no calls while other
// threads do: the Swift runtime can make it wait forever.
//
// TIME. Getters take O(1). Calls that write or copy arrays are linear in the size of the arrays, and calls that create
// or free a handle are linear in the size of its contents. Longer times are documented with the call.
//
// MEMORY. An array of 2^47 bytes or more, which no process can address, or a copy that exceeds the available memory
// fails with KIN_CAPACITY_EXCEEDED before anything is read or allocated. If the system has no memory for a smaller
// allocation, the process ends, as Swift programs do.
//
// TEXT is UTF-8, paths included. An id is any 64-bit number except KIN_NO_ID; a vector can have a name in addition.
// Distances are doubles, and smaller is nearer for every metric. Equal distances are ordered by ascending id, so every
// search has exactly one correct result.

#ifndef KIN_H
#define KIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// --------------------------------------------------------------------------------------------------------------------
// The library
// --------------------------------------------------------------------------------------------------------------------

/// The release that this header belongs to.
#define KIN_VERSION "0.3.0"

/// The release as a number: 1,000,000 major + 1,000 minor + patch.
#define KIN_VERSION_NUMBER 3000

/// The number of the binary interface (ABI): a library with the same number works with this header. It rises when
/// programs must be recompiled, and is part of the library's file name (libkin.so.1).
#define KIN_ABI_VERSION 1

/// KIN_VERSION_NUMBER of the running library.
uint32_t kin_version_number(void);

/// KIN_ABI_VERSION of the running library; compare it with the header's if the program loads the library by dlopen.
uint32_t kin_abi_version(void);

/// Facts about the running library, as a JSON object. The text is valid until the process ends.
///
/// Keys: "version", "abi" (number), "commit" (of the sources, or "unknown"), "blas" (the library for dense linear
/// algebra) and "simd" (the instruction set in use: "serial", "avx2", "avxvnni", "avx512vnni", "neon", "neondot" or
/// "neoni8mm"; see KIN_SIMD). The environment variable KIN_SIMD selects a lower instruction set before the first call.
const char *kin_build_info(void);

// --------------------------------------------------------------------------------------------------------------------
// Errors
// --------------------------------------------------------------------------------------------------------------------

/// The outcome of a call: KIN_OK or one of the codes below. The set is open: later releases may add codes, and no code
/// changes its number.
typedef int32_t kin_status;

enum {
    KIN_OK = 0,                 ///< it worked
    KIN_INVALID_ARGUMENT = 1,   ///< an argument is outside what the call accepts
    KIN_DIMENSION_MISMATCH = 2, ///< a vector has the wrong number of dimensions
    KIN_NOT_FINITE = 3,         ///< a number is NaN or infinite
    KIN_ZERO_VECTOR = 4,        ///< a vector of zeros, which has no direction (cosine)
    KIN_DUPLICATE_ID = 5,       ///< one id appears twice in one call
    KIN_UNKNOWN_ID = 6,         ///< no vector has this id
    KIN_MALFORMED_INPUT = 7,    ///< text that cannot be parsed
    KIN_CORRUPT_FILE = 8,       ///< a file contradicts its format or its checksums
    KIN_UNSUPPORTED_FORMAT = 9, ///< a file of a format or version that this release does not read
    KIN_INPUT_OUTPUT = 10,      ///< the operating system refused a file operation
    KIN_CAPACITY_EXCEEDED = 11, ///< a limit of the library is exceeded
    KIN_NUMERICAL_FAILURE = 12, ///< a numerical method did not reach its answer
    KIN_BUSY = 13,              ///< another process holds the resource, such as a store open for writing
    KIN_CANCELLED = 14,         ///< the function of kin_set_progress cancelled the call; nothing has changed
};

/// The message of this thread's last failed call: a sentence that names the argument, row or file and, where possible,
/// the next step. Empty if no call has failed. A successful call leaves it unchanged. The text is valid until the
/// thread's next failed call, and is cut at 2,047 bytes.
const char *kin_last_error(void);

/// The name of a status, such as "dimension mismatch"; "unknown status" for an unknown number. A constant string.
const char *kin_status_name(kin_status status);

/// Frees a text that a call has written to a `char **`. NULL does nothing.
void kin_string_free(char *text);

// --------------------------------------------------------------------------------------------------------------------
// Progress of long calls
// --------------------------------------------------------------------------------------------------------------------

/// Receives the progress of a long call. It must not call the library with the handle of that call, and must not call
/// kin_set_progress. Calls with the engine or stream of the call, and changes of its index, fail with
/// KIN_INVALID_ARGUMENT. Other long calls that it makes report no progress. It must return: after a C++ exception or a
/// longjmp out of it, the handle stays locked.
///
/// @param done    the units done: rows, points, people, bytes or records, depending on the call; in work of several
///                stages each stage starts again at 0
/// @param total   the units in all; 0 if unknown
/// @param context the pointer that was passed to kin_set_progress
///
/// Returns 0 to continue, anything else to cancel. A cancelled call fails with KIN_CANCELLED and changes nothing: an
/// import is rolled back, and an index stays as it was.
typedef int32_t (*kin_progress)(uint64_t done, uint64_t total, void *context);

/// Sets the function that receives the progress of this thread's long calls. It is called on the same thread, at most
/// every 10 ms; a call that takes less time never calls it. Results are the same, bit for bit, with and without it.
///
/// These calls report progress: kin_kmeans_fit, kin_clustering_assign, kin_minibatch_kmeans_partial_fit (while points
/// are held back), kin_minibatch_kmeans_clustering, kin_pca_fit (until all rows are read), kin_index_upsert,
/// kin_index_upsert_named, kin_index_append, kin_index_builder_finish, kin_index_calibrate, kin_index_search (with two
/// or more queries), kin_index_range_search, kin_index_recommend, kin_index_save and, in libkin_engine,
/// kin_engine_call. So do the calls of a policy with two or more rows, and all off-policy estimates.
///
/// @param progress the function; NULL: none, which is the initial state of every thread
/// @param context  passed to the function
void kin_set_progress(kin_progress progress, void *context);

// --------------------------------------------------------------------------------------------------------------------
// Filters: which vectors a search may return
// --------------------------------------------------------------------------------------------------------------------

/// The vectors that a search may return: a set of ids, an expression about their attributes, or a combination of
/// filters. It is immutable; one filter serves any number of searches, indexes and threads.
typedef struct kin_filter kin_filter;

/// Allows the given ids. Ids without a vector and repeated ids are ignored.
///
/// @param ids    `count` ids in any order
/// @param filter receives the filter, to be freed by kin_filter_free
///
/// Time and memory O(count). A search reads only these vectors if they are few, and scans if they are many.
kin_status kin_filter_create_ids(const uint64_t *ids, size_t count, kin_filter **filter);

/// Allows the ids whose bits are set: id i if bit i % 64 of words[i / 64] is 1. For dense ids a bitmap takes 1/64 of
/// the memory of a list.
///
/// @param words  `count` words
/// @param filter receives the filter, to be freed by kin_filter_free
kin_status kin_filter_create_bitmap(const uint64_t *words, size_t count, kin_filter **filter);

/// Allows the vectors whose attributes satisfy an expression:
///
///     user = "u42" and start >= 2026-01-01 and state in (drift, mastery)
///     not (score < 0.5 or note is missing) and visit overlaps [2026-01-01, 2026-02-01)
///     tags contains garden and tags not overlaps (busy, loud)
///
/// A condition compares an attribute by =, !=, <, <=, >, >=, in (...), between a and b, is missing or is present. A
/// time range is compared by overlaps [from, to); visit.start and visit.end are the ends of the time range visit. A set
/// of tags is compared by contains tag, or by overlaps (...): it has at least one of the tags. `not` can stand before
/// in, between, overlaps and contains. `id` is the vector's id, or its name in an index whose vectors have names: names
/// are compared by =, != and in. Values are numbers, times (ISO 8601, in UTC unless they have an offset), true, false,
/// and strings in quotes (a quote inside is doubled, a backslash too) or as bare words.
///
/// @param expression the text; an error names the character
/// @param filter     receives the filter, to be freed by kin_filter_free
///
/// Fails with KIN_MALFORMED_INPUT, or KIN_CAPACITY_EXCEEDED for more than 1 MiB, 2,500 conditions or 100 levels of
/// nested brackets. A search fails with KIN_INVALID_ARGUMENT if the expression does not fit the attributes of its
/// index. Every search evaluates the current attributes, in about 0.5 ns per vector and condition; kin_index_prepare
/// evaluates them once for many searches.
kin_status kin_filter_create_expression(const char *expression, kin_filter **filter);

/// Allows the vectors with the given names, in an index whose vectors have names. Names without a vector are ignored.
///
/// @param names  `count` names in any order
/// @param filter receives the filter, to be freed by kin_filter_free
///
/// A search finds the ids of the names first, in 0.1 to 1 us each. It fails with KIN_INVALID_ARGUMENT if the vectors of
/// the index have no names.
kin_status kin_filter_create_names(const char *const *names, size_t count, kin_filter **filter);

/// Allows the vectors that both filters allow.
///
/// @param filter receives the filter, to be freed by kin_filter_free; `a` and `b` can be freed before it
///
/// A combination is evaluated like an expression. If a set of few ids limits it, a search reads only these vectors.
///
/// Fails with KIN_CAPACITY_EXCEEDED for more than 10,000 conditions and operators.
kin_status kin_filter_create_and(const kin_filter *a, const kin_filter *b, kin_filter **filter);

/// Allows the vectors that at least one of two filters allows; see kin_filter_create_and.
kin_status kin_filter_create_or(const kin_filter *a, const kin_filter *b, kin_filter **filter);

/// Allows the vectors that a filter does not allow; see kin_filter_create_and.
kin_status kin_filter_create_not(const kin_filter *a, kin_filter **filter);

/// Frees a filter; NULL does nothing.
void kin_filter_free(kin_filter *filter);

// --------------------------------------------------------------------------------------------------------------------
// Indexes
// --------------------------------------------------------------------------------------------------------------------

/// The distances between vectors. For every metric the smaller distance is nearer.
typedef int32_t kin_metric;

enum {
    KIN_METRIC_L2 = 0,     ///< sum of (x - q)^2, the square of the Euclidean distance
    KIN_METRIC_IP = 1,     ///< -<x, q>, the negated inner product: the largest product is the nearest
    KIN_METRIC_COSINE = 2, ///< 1 - <x, q> / (|x| |q|), 0 ... 2; a vector of zeros is an error
};

/// The id for "no vector", which fills the unused entries of a row of results.
#define KIN_NO_ID UINT64_MAX

/// An index: vectors with their ids, and the structure that finds the nearest of them.
typedef struct kin_index kin_index;

/// Creates an empty flat index: exact, every search reads every vector; the right choice up to millions of vectors.
///
/// The results are those of a scan in double precision, for any data. Memory for 16 dimensions: 88 bytes per vector.
///
/// @param dimension numbers in every vector, 1 ... 65,536
/// @param metric    KIN_METRIC_L2, KIN_METRIC_IP or KIN_METRIC_COSINE
/// @param index     receives the index, to be freed by kin_index_free
kin_status kin_index_create_flat(size_t dimension, kin_metric metric, kin_index **index);

/// Creates an empty inverted-file index: a search reads only the lists that can hold a neighbour.
///
/// Vectors that are near each other share a list, and each block of 64 vectors has a bounding box. A search visits
/// boxes by ascending distance and stops when no box is nearer than the k-th neighbour found. It finds the same
/// neighbours as a flat index, in a small part of the time if the data have any structure. kin_search_options trades
/// recall for time. No training is needed: the index splits its lists as it grows, and partitions a large load at once.
/// Memory for 16 dimensions: about 90 bytes per vector after one load, up to 105 after many small ones.
///
/// @param dimension numbers in every vector, 1 ... 65,536
/// @param metric    KIN_METRIC_L2, KIN_METRIC_IP or KIN_METRIC_COSINE
/// @param lists     0: lists split at the median of their widest axis; otherwise the number of k-means centroids, with
///                  one list each
/// @param index     receives the index, to be freed by kin_index_free
kin_status kin_index_create_ivf(size_t dimension, kin_metric metric, size_t lists, kin_index **index);

/// The kinds of indexes. The set is open.
typedef int32_t kin_index_type;

enum {
    KIN_INDEX_FLAT = 0, ///< created by kin_index_create_flat
    KIN_INDEX_IVF = 1,  ///< created by kin_index_create_ivf
};

/// The kind of an index, also of one opened from a file; -1 for NULL.
kin_index_type kin_index_kind(const kin_index *index);

/// Creates a second index with the same contents, to be freed by kin_index_free.
///
/// The two share all memory until one of them changes a part of it. The copy therefore takes no time, and a change to
/// one index never shows in the other: use it as a snapshot for readers or a draft for a writer.
kin_status kin_index_copy(const kin_index *index, kin_index **copy);

/// Frees an index; NULL does nothing.
void kin_index_free(kin_index *index);

/// The number of vectors; 0 for NULL.
size_t kin_index_count(const kin_index *index);

/// The number of dimensions of every vector; 0 for NULL.
size_t kin_index_dimension(const kin_index *index);

/// The metric; -1 for NULL.
kin_metric kin_index_metric(const kin_index *index);

/// The bytes of vectors, codes and ids, in memory or mapped from a file; 0 for NULL.
size_t kin_index_bytes(const kin_index *index);

/// Inserts or replaces vectors: new ids are added, existing ids get the new vector. All vectors or, on failure, none.
///
/// @param vectors count rows of the index's dimension; finite, and for cosine not all zero
/// @param ids     count different ids, none of them KIN_NO_ID
/// @param threads the most threads to use, 1 ... 65,536; loads of thousands of vectors use them, and the result does
///                not depend on the number
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_NOT_FINITE, KIN_ZERO_VECTOR, KIN_DUPLICATE_ID or KIN_CAPACITY_EXCEEDED (an
/// index holds fewer than 2^32 vectors).
kin_status kin_index_upsert(kin_index *index, const float *vectors, size_t count, size_t stride, const uint64_t *ids,
                            size_t threads);

/// Adds vectors under new ids: consecutive numbers above every id that the index has ever held.
/// A new index starts at 0.
///
/// @param threads as for kin_index_upsert
/// @param first   receives the id of the first row, to which row i adds i; may be NULL
kin_status kin_index_append(kin_index *index, const float *vectors, size_t count, size_t stride, size_t threads,
                            uint64_t *first);

/// Removes vectors; nothing of them stays in memory or in the next file. Ids without a vector are ignored.
///
/// @param removed receives the number of vectors removed; may be NULL
kin_status kin_index_remove(kin_index *index, const uint64_t *ids, size_t count, size_t *removed);

/// Reserves memory for about `count` vectors in total, so that the index grows in fewer steps. A hint.
kin_status kin_index_reserve(kin_index *index, size_t count);

/// Measures how many blocks a search with a recall below 1 has to read, with vectors of the index as queries.
///
/// A load that rebuilds an inverted file calibrates it too; other changes leave the last calibration as it is, to stay
/// short. Under the inner product, changes of more than a tenth of the vectors make such searches exact until the next
/// calibration, since a few long vectors attract all queries. An index that was never calibrated, or has less than
/// 10,000 vectors, is searched exactly. Time: a few thousand searches; nothing for a flat index. Readers do not wait.
///
/// @param threads the most threads to use, 1 ... 65,536
kin_status kin_index_calibrate(kin_index *index, size_t threads);

/// Frees memory that was reserved for growth, and sorts the ids: single changes put ids into a tree that takes several
/// times the memory. Use it when an index will not change for a long time.
kin_status kin_index_compact(kin_index *index);

/// Writes for each id whether the index has a vector with it.
///
/// @param found receives count numbers: 1 if there is a vector, else 0
kin_status kin_index_contains(const kin_index *index, const uint64_t *ids, size_t count, uint8_t *found);

/// Reads vectors, exactly as they were inserted.
///
/// @param vectors receives count rows of the index's dimension
///
/// Fails with KIN_UNKNOWN_ID if an id has no vector.
kin_status kin_index_get(const kin_index *index, const uint64_t *ids, size_t count, float *vectors, size_t stride);

/// Lists the ids of all vectors, in the index's storage order.
///
/// @param ids      receives the ids; NULL with a capacity of 0 writes only `count`
/// @param capacity the size of `ids`; the call fails with KIN_INVALID_ARGUMENT if there are more vectors. If other
///                 threads add vectors at the same time, list a copy (kin_index_copy), whose number of vectors does not
///                 change
/// @param count    receives the number of vectors
kin_status kin_index_ids(const kin_index *index, uint64_t *ids, size_t capacity, size_t *count);

/// Lists the ids of the vectors that a filter allows, ascending.
///
/// @param ids      as for kin_index_ids
/// @param capacity the size of `ids`; kin_index_count is always enough, and the call fails with KIN_INVALID_ARGUMENT if
///                 there are more ids
/// @param count    receives the number of ids
///
/// Fails as a search with the filter. Takes O(n) for an expression, and O(m log m) for m ids.
kin_status kin_index_ids_where(const kin_index *index, const kin_filter *filter, uint64_t *ids, size_t capacity,
                               size_t *count);

// --------------------------------------------------------------------------------------------------------------------
// Names: texts that serve as ids
// --------------------------------------------------------------------------------------------------------------------
//
// The first load of an empty index decides whether its vectors have names. If so, the index chooses an id for each name
// when it first receives the name, and never gives an id to a different name. All other calls use these ids:
// kin_index_find converts names to ids, and kin_index_names converts the ids in results to names.
//
// A name is a text of 1 to 1,024 bytes without control or invisible characters. Two names are the same if their bytes
// are equal. In memory a name takes about 40 bytes in addition to its text; kin_index_bytes includes it.

/// Whether the vectors have names: 1 or 0; 0 for NULL and for an index without vectors.
int32_t kin_index_has_names(const kin_index *index);

/// Inserts or replaces vectors by their names, as kin_index_upsert does by ids.
///
/// @param names   count different names
/// @param threads as for kin_index_upsert
/// @param ids     receives the count ids of the names; may be NULL
///
/// Fails as kin_index_upsert, and with KIN_INVALID_ARGUMENT for a text that is not a name, or if the index has vectors
/// without names.
kin_status kin_index_upsert_named(kin_index *index, const float *vectors, size_t count, size_t stride,
                                  const char *const *names, size_t threads, uint64_t *ids);

/// Removes vectors by their names, as kin_index_remove does by ids. Names without a vector are ignored.
///
/// @param removed receives the number of vectors removed; may be NULL
kin_status kin_index_remove_named(kin_index *index, const char *const *names, size_t count, size_t *removed);

/// Finds the ids of names.
///
/// @param ids receives count ids, KIN_NO_ID for a name without a vector
kin_status kin_index_find(const kin_index *index, const char *const *names, size_t count, uint64_t *ids);

/// Reads the names of ids, such as those of a search.
///
/// @param ids      count ids; the name is empty for KIN_NO_ID, and for an id whose vector was removed since the search
/// @param names    receives the names one after the other, each followed by a zero; may be NULL when capacity is 0
/// @param capacity the size of `names` in bytes; if less than needed, only `needed` is written
/// @param needed   receives the number of bytes of all names and zeros
kin_status kin_index_names(const kin_index *index, const uint64_t *ids, size_t count, char *names, size_t capacity,
                           size_t *needed);

// --------------------------------------------------------------------------------------------------------------------
// Attributes: facts about vectors to filter by, in addition to their numbers
// --------------------------------------------------------------------------------------------------------------------

/// The types of attributes, and their layouts in kin_index_set_attribute.
typedef int32_t kin_attribute_kind;

enum {
    KIN_ATTRIBUTE_INTEGER = 0,    ///< int64_t
    KIN_ATTRIBUTE_NUMBER = 1,     ///< double, finite
    KIN_ATTRIBUTE_CATEGORY = 2,   ///< const char *: one of few texts, stored with the vectors; NULL: missing
    KIN_ATTRIBUTE_TIME = 3,       ///< int64_t: microseconds since 1970 began in UTC, in the years 0 ... 9999
    KIN_ATTRIBUTE_BOOLEAN = 4,    ///< uint8_t: 0 for false, any other number for true
    KIN_ATTRIBUTE_TIME_RANGE = 5, ///< int64_t[2], in the unit of times: the start, and the end, which is excluded
    KIN_ATTRIBUTE_TAGS = 6,       ///< const char *: a set of texts without control characters, with "\x1F" between two
                                  ///< of them, such as "quiet\x1Fgarden"; "": no tags; NULL: missing
};

/// Declares an attribute; it is missing in every vector until it is set. Declaring it again as the same kind changes
/// nothing.
///
/// @param name 1 ... 128 bytes without control characters, quotes, backslashes or points, and not "id"
///
/// Fails with KIN_INVALID_ARGUMENT for an invalid name or if the attribute is already declared as a different kind, and
/// KIN_CAPACITY_EXCEEDED for more than 1,000 attributes.
kin_status kin_index_declare_attribute(kin_index *index, const char *name, kin_attribute_kind kind);

/// Sets one attribute of existing vectors: of all of them or, on failure, of none.
///
/// @param kind    the declared kind
/// @param ids     `count` different ids
/// @param values  `count` values in the layout of the kind
/// @param present `count` bytes, 0 if the value is missing; NULL: no value is missing
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_NOT_FINITE, KIN_UNKNOWN_ID, KIN_DUPLICATE_ID or KIN_CAPACITY_EXCEEDED.
kin_status kin_index_set_attribute(kin_index *index, const char *name, kin_attribute_kind kind, const uint64_t *ids,
                                   size_t count, const void *values, const uint8_t *present);

/// Writes the declared attributes.
///
/// @param json receives a JSON object, to be freed by kin_string_free: the kinds by name ("integer", "number",
///             "category", "time", "boolean", "time-range" or "tags"), in the order of declaration
kin_status kin_index_schema(const kin_index *index, char **json);

/// Reads one attribute of vectors, such as the results of a search.
///
/// @param kind     the declared kind
/// @param ids      `count` ids; the value is missing for KIN_NO_ID and for an id without a vector
/// @param values   receives `count` values in the layout of the kind, zeros if missing. The texts of categories
///                 and tags are written one after the other instead, each followed by a zero; the tags of a set are in
///                 ascending order of their bytes. May be NULL when capacity is 0
/// @param capacity the size of `values` in bytes; if less than needed, only `needed` is written
/// @param needed   receives the number of bytes of all values
/// @param present  receives `count` bytes: 0 if the value is missing, else 1; may be NULL
///
/// Fails with KIN_INVALID_ARGUMENT for an unknown name or a different kind.
kin_status kin_index_get_attribute(const kin_index *index, const char *name, kin_attribute_kind kind,
                                   const uint64_t *ids, size_t count, void *values, size_t capacity, size_t *needed,
                                   uint8_t *present);

/// Writes the attributes of one vector.
///
/// @param json receives a JSON object, to be freed by kin_string_free: the values by name, without the missing ones.
///             Times are ISO 8601 texts, time ranges are objects of "start" and "end", and tags are arrays of texts.
///
/// Fails with KIN_UNKNOWN_ID if the id has no vector.
kin_status kin_index_attributes(const kin_index *index, uint64_t id, char **json);

// --------------------------------------------------------------------------------------------------------------------
// Search
// --------------------------------------------------------------------------------------------------------------------

/// Parameters of a search; every field has a default.
typedef struct kin_search_options {
    size_t size;              ///< sizeof(kin_search_options)
    const kin_filter *filter; ///< which vectors may be returned; NULL: all
    size_t threads;           ///< the most threads to use, 1 ... 65,536; short work stays on the calling thread
    double recall; ///< 0: exact; above 0 and at most 1: reads the fewest blocks whose calibrated mean recall is at
                   ///< least this (see kin_index_calibrate); queries unlike the vectors may find far fewer neighbours;
                   ///< more than 100 neighbours, groups, and neighbours behind many that a filter rejects are found
                   ///< exactly; a flat index is always exact
    size_t probes; ///< 0: exact; otherwise the number of nearest lists of an inverted file to read. The search reads
                   ///< more lists until it has k allowed vectors, unless the query has a finite radius. recall and
                   ///< probes exclude each other, and probes must be 0 for a flat index
    const double *radii; ///< one per query: the largest distance of a neighbour, inclusive, in the metric's own units
                         ///< as for kin_index_range_search; infinity: no limit. The search skips boxes beyond the
                         ///< radius without reading them, so a radius known in advance saves time. NULL: none
    const kin_filter *const *filters; ///< one per query, which may be NULL; the queries are then searched one by one,
                                      ///< by up to `threads` threads. `filter` must be NULL. NULL: `filter` for all
    const char *group_by; ///< an integer or category attribute, such as the document of a passage: the search finds the
                          ///< k nearest groups of vectors with the same value, and the nearest vector of each, exactly
                          ///< unless probes is given. A vector without a value is a group of its own. Takes a
                          ///< few searches per query. NULL: no groups. NULL in calls other than kin_index_search
} kin_search_options;

/// Return any vector, one thread, exact, no radii, no groups.
#define KIN_SEARCH_OPTIONS_INIT                                                                                        \
    { sizeof(kin_search_options), NULL, 1, 0, 0, NULL, NULL, NULL }

/// Prepares a filter for many searches of this index: evaluates its expression and, for an inverted file, copies the
/// allowed vectors into separate lists, unless they are more than a quarter of all vectors.
///
/// A search of an inverted file with the prepared filter takes no longer than a search of an index that holds only the
/// allowed vectors. If the index has changed since, a search uses the original filter: the result is always correct,
/// and the search is fast until the index changes.
///
/// @param threads  the most threads to use, 1 ... 65,536
/// @param prepared receives the filter, to be freed by kin_filter_free
kin_status kin_index_prepare(const kin_index *index, const kin_filter *filter, size_t threads, kin_filter **prepared);

/// Finds the k nearest vectors of each query.
///
/// Row q of the results has min(k, number of allowed vectors) neighbours, nearest first, equal distances by ascending
/// id. With radii, only neighbours within the query's radius are in the row; with group_by, only the nearest of each
/// group. The remaining entries hold KIN_NO_ID and infinity.
///
/// @param queries   count rows of the index's dimension; finite, and for cosine not all zero
/// @param options   NULL for the defaults
/// @param ids       receives count x k ids
/// @param distances receives count x k distances; may be NULL
/// @param counts    receives the number of neighbours of each query; may be NULL
///
/// Fails with KIN_NOT_FINITE for a radius that is NaN, and KIN_INVALID_ARGUMENT if group_by is not an integer or
/// category attribute of the index.
///
/// A search for one query in a flat index allocates nothing if k is at most 64 and the dimension is a multiple of 8 and
/// at most 1,024. Time for a flat index: O(vectors x dimension) per query; a batch is several times faster than single
/// queries.
kin_status kin_index_search(const kin_index *index, const float *queries, size_t count, size_t stride, size_t k,
                            const kin_search_options *options, uint64_t *ids, double *distances, size_t *counts);

/// The results of a range search; they are immutable.
typedef struct kin_matches kin_matches;

/// Finds every vector within a radius of each query; exact, regardless of recall and probes. `radii` and `filters` must
/// be NULL.
///
/// @param radius  the largest distance, in the metric's own units: squared for KIN_METRIC_L2, negated for KIN_METRIC_IP
/// @param matches receives the results, to be freed by kin_matches_free
kin_status kin_index_range_search(const kin_index *index, const float *queries, size_t count, size_t stride,
                                  double radius, const kin_search_options *options, kin_matches **matches);

/// The offsets of the results of each query: query q has the results from offsets[q] up to, not including, offsets[q +
/// 1]. There is one more offset than there are queries. NULL for NULL.
const size_t *kin_matches_offsets(const kin_matches *matches);

/// The ids of all results, query after query, nearest first. Valid until kin_matches_free. NULL for NULL.
const uint64_t *kin_matches_ids(const kin_matches *matches);

/// The distances that belong to kin_matches_ids. NULL for NULL.
const double *kin_matches_distances(const kin_matches *matches);

/// Frees the results of a range search; NULL does nothing.
void kin_matches_free(kin_matches *matches);

/// The request of kin_index_recommend. The examples of a side are its vectors and its ids together.
typedef struct kin_recommendation {
    size_t size;                  ///< sizeof(kin_recommendation)
    const float *positive;        ///< examples that the list should be like: `positive_count` vectors
    size_t positive_count;        ///< together with the ids at least 1
    size_t positive_stride;       ///< the stride of `positive`
    const uint64_t *positive_ids; ///< further examples, by their ids in the index; the list leaves these vectors out
    size_t positive_id_count;     ///< the number of `positive_ids`
    const float *negative;        ///< examples that the list should be unlike: `negative_count` vectors
    size_t negative_count;        ///< may be 0
    size_t negative_stride;       ///< the stride of `negative`
    const uint64_t *negative_ids; ///< further negative examples, by their ids; left out of the list too
    size_t negative_id_count;     ///< the number of `negative_ids`
    double negative_weight;       ///< w, 0 ... 1; below 1 for KIN_METRIC_L2
    double diversity;             ///< the weight of the distance from the rest of the list, 0 ... < 1; for
                                  ///< KIN_METRIC_L2 less than (1 - w) / (2 - w), 0.5 without negative examples
    const char *category;         ///< an attribute: the list has each value at most per_category times, and any number
                                  ///< of vectors without a value. NULL: no limit
    size_t per_category;          ///< 1 or more, with `category`
    const uint64_t *excluded;     ///< `excluded_count` ids that the list leaves out, such as items already seen
    size_t excluded_count;        ///< may be 0
} kin_recommendation;

/// No examples, which the caller has to set; a weight of 0.5 for negative examples, no diversity, no limit, nothing
/// excluded.
#define KIN_RECOMMENDATION_INIT                                                                                        \
    { sizeof(kin_recommendation), NULL, 0, 0, NULL, 0, NULL, 0, 0, NULL, 0, 0.5, 0, NULL, 0, NULL, 0 }

/// Selects a list of k vectors like some examples, unlike others, different from each other, with limits per category.
///
/// The score of a vector x is its mean distance from the positive examples less negative_weight times its mean distance
/// from the negative ones. Smaller is better, and one positive example alone gives the plain search. With a diversity
/// above 0 the list is chosen by maximal marginal relevance (Carbonell and Goldstein 1998). The best score comes first;
/// each later choice minimizes (1 - diversity) x score(x) - diversity x (the distance of x from the nearest vector
/// chosen), over all allowed vectors. Exact, regardless of recall and probes. `radii` and `filters` of the options must
/// be NULL.
///
/// @param wanted    the examples, and the limits of the list
/// @param options   NULL for the defaults
/// @param ids       receives k ids in the order of the choices, KIN_NO_ID after the last
/// @param distances receives their scores, infinity after the last; may be NULL
/// @param count     receives the length of the list; may be NULL
///
/// Time for ten of a million vectors: 2 to 4 plain searches with a diversity of 0.1 and 2 to 8 with 0.3, more as the
/// diversity approaches its limit; 2 to 10 with negative examples.
kin_status kin_index_recommend(const kin_index *index, const kin_recommendation *wanted, size_t k,
                               const kin_search_options *options, uint64_t *ids, double *distances, size_t *count);

/// Searches for one query, as kin_index_search does on one thread with at most one radius, and reports the plan and the
/// data read.
///
/// @param query one vector
/// @param json  receives a JSON object, to be freed by kin_string_free. Keys: "neighbors" (objects of "id", "name" if
///              the vectors have names, and "distance", nearest first), "plan" (the steps taken, in a sentence),
///              "rows", "lists" and "lists_visited" (of an inverted file), "blocks_screened", "survivors",
///              "exact_distances", "bytes_read", "simd", "code_bits".
kin_status kin_index_explain(const kin_index *index, const float *query, size_t k, const kin_search_options *options,
                             char **json);

// --------------------------------------------------------------------------------------------------------------------
// Files
// --------------------------------------------------------------------------------------------------------------------

/// Saves the index, all or nothing: an existing file is replaced in one step when the new one is complete and on the
/// disk. The same index gives the same bytes. A new file has mode 0600; one that replaces a file gets its mode.
///
/// Fails with KIN_INPUT_OUTPUT, and with KIN_INVALID_ARGUMENT for an existing file that is neither empty nor a saved
/// index; see kin_index_save_with.
kin_status kin_index_save(const kin_index *index, const char *path);

/// The checks when a saved index is opened.
typedef int32_t kin_verify;
enum {
    KIN_VERIFY_STRUCTURE = 0, ///< structure, ids and offsets; a damaged part gives wrong neighbours or an error
    KIN_VERIFY_ALL = 1,       ///< every byte, and all checks of kin_index_verify; reads the whole file
    KIN_VERIFY_ON_USE = 2,    ///< the structure; vectors and codes of a list when a call first reads them. A call that
                              ///< reads a damaged list, and every later search, fails with KIN_CORRUPT_FILE
};

/// Options for writing and opening files.
typedef struct kin_file_options {
    size_t size;       ///< sizeof(kin_file_options)
    int32_t overwrite; ///< writing: 1 replaces any file but a database; 0 refuses
    int32_t unmapped;  ///< opening: 1 reads the whole file into memory; 0 maps it
    kin_verify verify; ///< opening: the checks
    int32_t reserved;  ///< 0
} kin_file_options;

/// Refuse to replace files of different kinds; map files, and check their structure.
#define KIN_FILE_OPTIONS_INIT                                                                                          \
    { sizeof(kin_file_options), 0, 0, KIN_VERIFY_STRUCTURE, 0 }

/// Saves the index as kin_index_save does, with options.
///
/// @param options only `overwrite` is used; NULL: KIN_FILE_OPTIONS_INIT
///
/// Fails with KIN_INPUT_OUTPUT, and with KIN_INVALID_ARGUMENT for a file of a different kind.
kin_status kin_index_save_with(const kin_index *index, const char *path, const kin_file_options *options);

/// The builder of an inverted-file index with more vectors than memory holds.
typedef struct kin_index_builder kin_index_builder;

/// Begins to build the file of an inverted-file index.
///
/// Vectors are written to an unnamed file in the folder of `path` as they arrive, and from there, in several passes, to
/// their lists: for a time they take twice the space of the file on that disk. The file has the same bytes that
/// kin_index_save writes for an index that received all vectors in one call. An existing file at `path` stays until the
/// new one is complete.
///
/// @param path      the file to write
/// @param dimension as for kin_index_create_ivf
/// @param metric    as for kin_index_create_ivf
/// @param lists     as for kin_index_create_ivf
/// @param memory    bytes of vectors to hold in memory at a time, 16 MB or more; 0 for 1 GB. In addition the build
///                  takes about 12 bytes per vector, and more for unordered ids
/// @param builder   receives the builder, to be freed by kin_index_builder_free
///
/// Fails with KIN_INVALID_ARGUMENT, or with KIN_INPUT_OUTPUT if the file cannot be created.
kin_status kin_index_builder_create(const char *path, size_t dimension, kin_metric metric, size_t lists, size_t memory,
                                    kin_index_builder **builder);

/// Begins to build the file of an inverted-file index, as kin_index_builder_create does, with options.
///
/// @param options only `overwrite` is used; NULL: KIN_FILE_OPTIONS_INIT
///
/// Fails as kin_index_builder_create does, and with KIN_INVALID_ARGUMENT for a file of a different kind.
kin_status kin_index_builder_create_with(const char *path, size_t dimension, kin_metric metric, size_t lists,
                                         size_t memory, const kin_file_options *options, kin_index_builder **builder);

/// Adds vectors to a build: all of them or, on failure, none.
///
/// @param vectors count rows of the index's dimension; finite, and for cosine not all zero
/// @param ids     count ids that are new to the build, none of them KIN_NO_ID; NULL: numbers from 0, counted across all
///                calls
///
/// Fails as kin_index_upsert, and with KIN_INPUT_OUTPUT if the disk is full. kin_index_builder_finish detects an id
/// that was already in an earlier call.
kin_status kin_index_builder_append(kin_index_builder *builder, const float *vectors, size_t count, size_t stride,
                                    const uint64_t *ids);

/// Adds vectors with names to a build: all of them or, on failure, none. Names stay in memory until the build ends:
/// about 40 bytes each in addition to the text.
///
/// @param names count names that are new to the build
///
/// Fails as kin_index_builder_append, with KIN_DUPLICATE_ID for a name that the build already has, and with
/// KIN_INVALID_ARGUMENT for a text that is not a name, or if the build has vectors without names.
kin_status kin_index_builder_append_named(kin_index_builder *builder, const float *vectors, size_t count, size_t stride,
                                          const char *const *names);

/// Builds the index, moves its file into place and opens it, as kin_index_map does. It reports to kin_set_progress.
///
/// The call ends the build, whether it succeeds or fails; the builder can only be freed afterwards. After an invalid
/// argument alone, the build can continue.
///
/// @param threads the most threads to use, 1 ... 65,536; the file does not depend on it
/// @param index   receives the index, to be freed by kin_index_free; may be NULL
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_DUPLICATE_ID, KIN_INPUT_OUTPUT or KIN_CANCELLED, and leaves an existing file at
/// the path untouched.
kin_status kin_index_builder_finish(kin_index_builder *builder, size_t threads, kin_index **index);

/// Frees a builder, and the disk space of a build that was not finished; NULL does nothing.
void kin_index_builder_free(kin_index_builder *builder);

/// Opens a saved index. The file is mapped, not read: opening takes no longer for a large file, pages are loaded when
/// needed, and processes share them. Later changes are in memory only; the file is never written to.
///
/// The bytes must not change while any index uses them: replace a file by renaming a new one over it, as kin_index_save
/// does, and never write into it. A program that shortens or overwrites a mapped file in place (`cp new.kin old.kin`,
/// `truncate`) ends the process with SIGBUS; kin_index_open can read the file instead. A file with any content either
/// opens or fails with KIN_INPUT_OUTPUT, KIN_UNSUPPORTED_FORMAT or KIN_CORRUPT_FILE.
///
/// @param index receives the index, to be freed by kin_index_free
kin_status kin_index_map(const char *path, kin_index **index);

/// Opens a saved index, mapped or read into memory.
///
/// An index that was read into memory no longer depends on the file. Opening it takes time and memory in proportion to
/// the file, and processes do not share the memory.
///
/// @param options only `unmapped` and `verify` are used; NULL: KIN_FILE_OPTIONS_INIT
/// @param index   receives the index, to be freed by kin_index_free
///
/// Fails as kin_index_map does, and with KIN_INVALID_ARGUMENT for an unknown `verify`.
kin_status kin_index_open(const char *path, const kin_file_options *options, kin_index **index);

/// Checks a saved index: every byte against its checksum, and everything that a search relies on.
///
/// @param intact receives 1 if the file is undamaged, else 0
/// @param json   receives a report, to be freed by kin_string_free; may be NULL. Keys: "intact", "kind",
///               "total_bytes", "sections" (objects of "name", "offset", "length", "intact"), "facts" (an object of
///               texts) and, for a damaged file, "damage" (an object of "section", "offset", "description").
///
/// Succeeds for every damaged file. If the header or the table of sections is damaged, "kind" is null and "sections" is
/// empty. Fails with KIN_INPUT_OUTPUT if the file cannot be read, and with KIN_UNSUPPORTED_FORMAT for an intact file of
/// a newer version or a different kind.
kin_status kin_index_verify(const char *path, int32_t *intact, char **json);

// --------------------------------------------------------------------------------------------------------------------
// k-means
// --------------------------------------------------------------------------------------------------------------------

/// Parameters of k-means; every field has a default.
typedef struct kin_kmeans_options {
    size_t size;           ///< sizeof(kin_kmeans_options)
    kin_metric metric;     ///< KIN_METRIC_L2, or KIN_METRIC_COSINE for spherical k-means
    size_t threads;        ///< the most threads to use, 1 ... 65,536
    size_t restarts;       ///< runs from different starts, 1 ... 1,000,000; the run of lowest inertia is returned
    size_t max_iterations; ///< the most iterations of a run, 1 or more
    double tolerance;      ///< a run ends when an iteration lowers the inertia by at most this share, 0 ... < 1
    uint64_t seed;         ///< the same seed gives the same clustering, bit for bit, with any number of threads
    const float *start;    ///< k rows to start from, for a single run; NULL: drawn by k-means++
    size_t start_stride;   ///< the stride of `start`
    const double *weights; ///< one per point: 0, or 1e-100 ... 1e100, not all of them 0; NULL: 1 each
    int32_t parallel;      ///< 1: drawn by k-means|| in five rounds, faster for thousands of clusters; 0: by k-means++
    int32_t swaps;         ///< 1: swaps of clusters follow, which find a far lower inertia; 0: only Lloyd's iterations
} kin_kmeans_options;

/// L2, one thread, one run of at most 100 iterations to a tolerance of 1e-4 from k-means++ with seed 0, all weights 1,
/// and swaps unless `start` is set: centroids from `start` move by iterations alone.
#define KIN_KMEANS_OPTIONS_INIT                                                                                        \
    { sizeof(kin_kmeans_options), KIN_METRIC_L2, 1, 1, 100, 1e-4, 0, NULL, 0, NULL, 0, 1 }

/// Centroids, and the clusters of the points that they were fitted to; immutable.
typedef struct kin_clustering kin_clustering;

/// Clusters points: finds k centroids with a small inertia, which is the weighted sum of the distances from each point
/// to its nearest centroid. Uses Lloyd's iterations, exactly: the nearest centroid is the nearest in double precision.
///
/// @param points     count rows of `dimension` finite numbers; for cosine not all zero
/// @param k          clusters, 1 ... count
/// @param options    NULL for the defaults
/// @param clustering receives the clustering, to be freed by kin_clustering_free
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_NOT_FINITE, KIN_ZERO_VECTOR or KIN_CAPACITY_EXCEEDED. Time O(count x k x
/// dimension) per iteration, on 8-bit codes from 24 clusters on.
kin_status kin_kmeans_fit(const float *points, size_t count, size_t dimension, size_t stride, size_t k,
                          const kin_kmeans_options *options, kin_clustering **clustering);

/// Creates a clustering without points from the centroids of an earlier one, for kin_clustering_assign.
///
/// @param centroids  k rows of `dimension` finite numbers; for cosine not all zero, and brought to length 1
/// @param clustering receives the clustering, to be freed by kin_clustering_free
kin_status kin_clustering_create(const float *centroids, size_t k, size_t dimension, size_t stride, kin_metric metric,
                                 kin_clustering **clustering);

/// Frees a clustering; NULL does nothing.
void kin_clustering_free(kin_clustering *clustering);

/// The number of clusters; 0 for NULL.
size_t kin_clustering_k(const kin_clustering *clustering);

/// The number of dimensions of the centroids; 0 for NULL.
size_t kin_clustering_dimension(const kin_clustering *clustering);

/// The number of points that the clustering was fitted to; 0 for NULL.
size_t kin_clustering_count(const kin_clustering *clustering);

/// The metric; -1 for NULL.
kin_metric kin_clustering_metric(const kin_clustering *clustering);

/// The weighted sum of the distances from the points to their centroids; 0 for NULL.
double kin_clustering_inertia(const kin_clustering *clustering);

/// The number of iterations that moved the centroids; 0 for NULL.
size_t kin_clustering_iterations(const kin_clustering *clustering);

/// 1 if the inertia converged, 0 if the run stopped at its limit of iterations, and for NULL.
int32_t kin_clustering_is_converged(const kin_clustering *clustering);

/// The number of clusters with points of positive weight; below k if there are fewer than k different points. 0 for
/// NULL.
size_t kin_clustering_distinct(const kin_clustering *clustering);

/// Writes the centroids: k rows; of length 1 for cosine.
kin_status kin_clustering_centroids(const kin_clustering *clustering, float *centroids, size_t stride);

/// Writes the cluster of each point, 0 ... k - 1: kin_clustering_count numbers.
kin_status kin_clustering_labels(const kin_clustering *clustering, int64_t *labels);

/// Writes the number of points in each cluster: k numbers.
kin_status kin_clustering_sizes(const kin_clustering *clustering, uint64_t *sizes);

/// Writes the total weight of the points in each cluster: k numbers.
kin_status kin_clustering_weights(const kin_clustering *clustering, double *weights);

/// Finds the nearest centroid of each point, exactly; of equally near centroids the one with the lowest number.
///
/// @param points    count rows of the clustering's dimension; finite, and for cosine not all zero
/// @param threads   the most threads to use, 1 ... 65,536
/// @param labels    receives count cluster numbers
/// @param distances receives count distances to the centroids; may be NULL
kin_status kin_clustering_assign(const kin_clustering *clustering, const float *points, size_t count, size_t stride,
                                 size_t threads, int64_t *labels, double *distances);

// --------------------------------------------------------------------------------------------------------------------
// Mini-batch k-means
// --------------------------------------------------------------------------------------------------------------------

/// Parameters of mini-batch k-means; every field has a default.
typedef struct kin_minibatch_kmeans_options {
    size_t size;               ///< sizeof(kin_minibatch_kmeans_options)
    kin_metric metric;         ///< KIN_METRIC_L2, or KIN_METRIC_COSINE for spherical k-means
    size_t threads;            ///< the most threads to use, 1 ... 65,536
    double reassignment_ratio; ///< a centroid with less than this share of the largest one's weight is reassigned,
                               ///< 0 ... < 1; 0 for never
    uint64_t seed;             ///< the same batches and seed give the same centroids, bit for bit, with any threads
} kin_minibatch_kmeans_options;

/// L2, one thread, reassignment below a share of 0.01, seed 0.
#define KIN_MINIBATCH_KMEANS_OPTIONS_INIT                                                                              \
    { sizeof(kin_minibatch_kmeans_options), KIN_METRIC_L2, 1, 0.01, 0 }

/// The centroids of a stream of points that is not stored: each is the weighted mean of all points ever assigned to it
/// (Sculley, "Web-scale k-means clustering", WWW 2010). The inertia is slightly above that of kin_kmeans_fit, in one
/// pass and with the memory of one batch.
typedef struct kin_minibatch_kmeans kin_minibatch_kmeans;

/// Creates a stream without any points.
///
/// @param k         clusters, 1 or more
/// @param dimension the numbers in every point, 1 or more
/// @param options   NULL for the defaults
/// @param stream    receives the stream, to be freed by kin_minibatch_kmeans_free
kin_status kin_minibatch_kmeans_create(size_t k, size_t dimension, const kin_minibatch_kmeans_options *options,
                                       kin_minibatch_kmeans **stream);

/// Creates a stream from the bytes of kin_minibatch_kmeans_encode; it continues as the encoded stream would, bit for
/// bit. Invalid bytes fail with KIN_CORRUPT_FILE, KIN_UNSUPPORTED_FORMAT or KIN_INVALID_ARGUMENT.
///
/// @param threads the most threads to use, 1 ... 65,536; the bytes do not contain this number
/// @param stream  receives the stream, to be freed by kin_minibatch_kmeans_free
kin_status kin_minibatch_kmeans_decode(const uint8_t *bytes, size_t count, size_t threads,
                                       kin_minibatch_kmeans **stream);

/// Writes the state as bytes: the options, the centroids and their accumulated weights, or the points held back.
///
/// @param bytes    room for `capacity` bytes; may be NULL when capacity is 0
/// @param capacity if less than needed, only `count` is written
/// @param count    receives the number of bytes needed: 96 + 8 k (dimension + 1), and 4 k x dimension more for cosine;
///                 while points are held back, 48 + points x (4 x dimension + 8)
kin_status kin_minibatch_kmeans_encode(const kin_minibatch_kmeans *stream, uint8_t *bytes, size_t capacity,
                                       size_t *count);

/// Creates a second stream with the same state, to be freed by kin_minibatch_kmeans_free.
kin_status kin_minibatch_kmeans_copy(const kin_minibatch_kmeans *stream, kin_minibatch_kmeans **copy);

/// Frees a stream; NULL does nothing.
void kin_minibatch_kmeans_free(kin_minibatch_kmeans *stream);

/// Updates the centroids with a batch; a few thousand points are a good size. The first 3 k points are held back, and
/// k-means finds the initial centroids among them. A failed call changes nothing.
///
/// @param points  count rows of the stream's dimension; finite, and for cosine not all zero
/// @param weights one per point: 0, or 1e-100 ... 1e100; NULL: 1 each
///
/// Time O(count x k x dimension), on 8-bit codes from 24 clusters on.
kin_status kin_minibatch_kmeans_partial_fit(kin_minibatch_kmeans *stream, const float *points, size_t count,
                                            size_t stride, const double *weights);

/// The number of clusters; 0 for NULL.
size_t kin_minibatch_kmeans_k(const kin_minibatch_kmeans *stream);

/// The number of dimensions of the points; 0 for NULL.
size_t kin_minibatch_kmeans_dimension(const kin_minibatch_kmeans *stream);

/// The metric; -1 for NULL.
kin_metric kin_minibatch_kmeans_metric(const kin_minibatch_kmeans *stream);

/// The number of points received, including points held back; 0 for NULL.
uint64_t kin_minibatch_kmeans_count(const kin_minibatch_kmeans *stream);

/// The mean distance of the latest batch's points to the centroids before its update, which stops falling once the
/// stream has converged; 0 before there are centroids, and for NULL.
double kin_minibatch_kmeans_inertia(const kin_minibatch_kmeans *stream);

/// Writes the centroids: k rows; of length 1 for cosine. Fails with KIN_INVALID_ARGUMENT while points are held back.
kin_status kin_minibatch_kmeans_centroids(const kin_minibatch_kmeans *stream, float *centroids, size_t stride);

/// Creates a clustering of points, of the stream or not, with the current centroids; while points are held back, with
/// the centroids that k-means finds among them. The stream does not change.
///
/// @param points     count rows of the stream's dimension, 1 or more; finite, and for cosine not all zero
/// @param weights    one per point: 0, or 1e-100 ... 1e100; NULL: 1 each
/// @param clustering receives the clustering, to be freed by kin_clustering_free
///
/// Fails with KIN_INVALID_ARGUMENT if the stream has received fewer than k points.
kin_status kin_minibatch_kmeans_clustering(const kin_minibatch_kmeans *stream, const float *points, size_t count,
                                           size_t stride, const double *weights, kin_clustering **clustering);

// --------------------------------------------------------------------------------------------------------------------
// Principal components
// --------------------------------------------------------------------------------------------------------------------

/// The directions of largest variance in the data; immutable.
typedef struct kin_pca kin_pca;

/// Finds the principal components of a table: the unit eigenvectors of its covariance, largest variance first, in
/// double precision. The sign of a component is chosen so that its element of largest magnitude is positive.
///
/// @param data       count rows (2 or more) of `dimension` finite numbers
/// @param components the number of components, 1 ... min(count, dimension); 0: the maximum
/// @param threads    the most threads to use, 1 ... 65,536; the result does not depend on it
/// @param pca        receives the components, to be freed by kin_pca_free
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_NOT_FINITE or KIN_CAPACITY_EXCEEDED (more than 32,766 columns). Time O(count x
/// dimension^2 + dimension^3), memory 8 x dimension^2 bytes and more. With fewer rows than columns, and components for
/// less than a third of the columns, the limit is 32,766 rows, the time O(count^2 x dimension), and the memory 8 x
/// count x dimension bytes and more.
kin_status kin_pca_fit(const float *data, size_t count, size_t dimension, size_t stride, size_t components,
                       size_t threads, kin_pca **pca);

/// Creates principal components from stored numbers.
///
/// @param mean               `dimension` numbers
/// @param components         `count` x `dimension` numbers, packed
/// @param explained_variance `count` numbers, not negative, none larger than the one before
/// @param total_variance     at least the sum of the explained variances, to rounding
/// @param pca                receives the components, to be freed by kin_pca_free
kin_status kin_pca_create(const double *mean, const double *components, const double *explained_variance,
                          double total_variance, size_t count, size_t dimension, kin_pca **pca);

/// Frees principal components; NULL does nothing.
void kin_pca_free(kin_pca *pca);

/// The number of columns of the data; 0 for NULL.
size_t kin_pca_dimension(const kin_pca *pca);

/// The number of components; 0 for NULL.
size_t kin_pca_count(const kin_pca *pca);

/// The sum of the variances of all columns; 0 for NULL.
double kin_pca_total_variance(const kin_pca *pca);

/// Writes the mean of each column: kin_pca_dimension numbers.
kin_status kin_pca_mean(const kin_pca *pca, double *mean);

/// Writes the components: kin_pca_count x kin_pca_dimension numbers, packed; the rows are orthonormal.
kin_status kin_pca_components(const kin_pca *pca, double *components);

/// Writes the variance of the data along each component (divided by count - 1): kin_pca_count numbers.
kin_status kin_pca_explained_variance(const kin_pca *pca, double *variance);

/// Writes the coordinates of vectors along the components: y = <component, x - mean>.
///
/// @param data        count rows of kin_pca_dimension numbers
/// @param coordinates receives count rows of kin_pca_count numbers
kin_status kin_pca_transform(const kin_pca *pca, const float *data, size_t count, size_t stride, float *coordinates,
                             size_t coordinates_stride);

/// Writes the vectors for given coordinates: x = mean + sum of y x component. With all components this inverts
/// kin_pca_transform, to rounding.
///
/// @param coordinates count rows of kin_pca_count numbers
/// @param data        receives count rows of kin_pca_dimension numbers
kin_status kin_pca_inverse_transform(const kin_pca *pca, const float *coordinates, size_t count, size_t stride,
                                     float *data, size_t data_stride);

// --------------------------------------------------------------------------------------------------------------------
// Policies: contextual bandits, which choose among actions and learn from the rewards
// --------------------------------------------------------------------------------------------------------------------

/// The kinds of policies: models of rewards and ways to explore. The set is open.
typedef int32_t kin_policy_kind;

enum {
    /// The recommended kind: logistic models, for rewards from 0 to 1. With arms it standardizes features by the values
    /// it has seen, and takes no prior weights and no prior intercept. It then also learns a model with pairs if
    /// `pairs` is 1 or that model is small: at most 30 features, and 8 MiB for all arms.
    /// One of its choices in 64 is then drawn by the chance of each arm to be better than the best estimate.
    KIN_POLICY_STANDARD = 0,
    KIN_POLICY_EPSILON_GREEDY = 1,    ///< a linear model; a share of the choices is random
    KIN_POLICY_LINUCB = 2,            ///< a linear model; the highest upper confidence bound
    KIN_POLICY_THOMPSON = 3,          ///< a linear model; the best under weights drawn from their posterior
    KIN_POLICY_LOGISTIC_THOMPSON = 4, ///< like Thompson, with a logistic model, for rewards from 0 to 1
    KIN_POLICY_LOGISTIC_UCB = 5,      ///< upper confidence bounds with a logistic model
    KIN_POLICY_SQUARECB = 6,          ///< a linear model; inverse gap weighting
    KIN_POLICY_REGCB = 7,             ///< a linear model; evenly among the arms that could be the best
};

/// Parameters of a new policy.
typedef struct kin_policy_options {
    size_t size; ///< sizeof(kin_policy_options)
    size_t arms; ///< the number of arms, each with its own model, at most 65,536; 0: one model for all, the actions are
                 ///< rows
    int32_t pairs;           ///< 1: products of two features and squares are features too; together at most 4,095
    double exploration;      ///< share, width, scale or gain, depending on the kind; below 0: its default
    double epsilon;          ///< the share of choices that is uniformly random, 0 ... 1; below 0: the kind's default;
                             ///< for KIN_POLICY_EPSILON_GREEDY this is its exploration, unless that is given
    double prior_precision;  ///< of each weight times its feature's scale before any observation, 1e-9 ... 1e9; 0: the
                             ///< default
    double effective_window; ///< observations after which one weighs 1/e of a new one, 2 or more; 0: no discount
    double prior_intercept;  ///< the score expected if all features are 0, of a magnitude of at most 1e9
    const double *prior_weights; ///< the weights' means before any observation, one per feature, magnitudes up to 1e40;
                                 ///< NULL: zeros
    uint64_t seed;               ///< the same seed and the same calls give the same choices
} kin_policy_options;

/// One model for all actions, no pairs, the kind's default exploration, a prior of zeros, no discount, seed 0.
#define KIN_POLICY_OPTIONS_INIT                                                                                        \
    { sizeof(kin_policy_options), 0, 0, -1, -1, 0, 0, 0, NULL, 0 }

/// A policy and its state. Calls that change it run one after the other. Features have a magnitude of at most 1e40,
/// rewards of at most 1e9. A policy observes the scale of every feature that it learns from, so features times any
/// factor give the same choices. Only KIN_POLICY_STANDARD with arms also observes the mean: for all others 0 should
/// mean "as usual" or "none", such as degrees above the usual temperature, or an age and not a year. Below 1e-40,
/// products of two features have no effect. Rewards have no such scale: the linear kinds assume that the rewards of one
/// action vary by about 1, so divide amounts by their usual deviation. One wrong value of a million times the usual
/// size, once learned, hides the usual values of its feature.
///
/// Let D be the number of features of its model, including pairs and a constant, and K the number of arms. A policy
/// takes 8 (D^2 / 2 + 2 D) bytes per arm, or once without arms, and holds at most 2^28 numbers. A choice in a context
/// takes O(K D), with confidence bounds and Thompson sampling O(K D^2). A choice among n actions takes O(n D), with
/// confidence bounds O(n D^2). An observation takes O(D^2).
typedef struct kin_policy kin_policy;

/// Creates a policy that has learned nothing yet.
///
/// @param dimension features of an action, or with arms of the context, 1 ... 4,095
/// @param options   NULL for the defaults
/// @param policy    receives the policy, to be freed by kin_policy_free
///
/// Fails with KIN_CAPACITY_EXCEEDED for more than 2^28 numbers.
kin_status kin_policy_create(kin_policy_kind kind, size_t dimension, const kin_policy_options *options,
                             kin_policy **policy);

/// Creates a policy from the bytes of kin_policy_encode; it continues as the encoded policy would. Invalid bytes fail
/// with KIN_CORRUPT_FILE, KIN_UNSUPPORTED_FORMAT or KIN_INVALID_ARGUMENT.
kin_status kin_policy_decode(const uint8_t *bytes, size_t count, kin_policy **policy);

/// Writes the state as bytes.
///
/// @param bytes    room for `capacity` bytes; may be NULL when capacity is 0
/// @param capacity if less than needed, only `count` is written
/// @param count    receives the number of bytes needed
kin_status kin_policy_encode(const kin_policy *policy, uint8_t *bytes, size_t capacity, size_t *count);

/// Creates a second policy with the same state, to be freed by kin_policy_free.
kin_status kin_policy_copy(const kin_policy *policy, kin_policy **copy);

/// Frees a policy; NULL does nothing.
void kin_policy_free(kin_policy *policy);

/// The features of an action or a context; 0 for NULL.
size_t kin_policy_dimension(const kin_policy *policy);

/// The number of arms with their own models; 0 for a policy without arms and for NULL.
size_t kin_policy_arms(const kin_policy *policy);

/// The number of rewards learned; 0 for NULL.
uint64_t kin_policy_observations(const kin_policy *policy);

/// Chooses an action or arms. Without arms: one of `count` actions, each a row of features. With arms: an arm for each
/// of `count` contexts, in order, without learning in between.
///
/// @param rows         count rows of kin_policy_dimension numbers; at least one
/// @param choices      receives the chosen row (1 number), or an arm for each context (count numbers)
/// @param propensities receives the probability of each choice; for Thompson sampling without arms an estimate from a
///                     few draws, whose weights are unbiased (kin_policy_probabilities takes more draws)
kin_status kin_policy_choose(kin_policy *policy, const double *rows, size_t count, size_t stride, int64_t *choices,
                             double *propensities);

/// Chooses among some of the arms in one context.
///
/// @param context    kin_policy_dimension numbers
/// @param arms       `count` different arms
/// @param choice     receives the chosen arm
/// @param propensity receives the probability of the choice
kin_status kin_policy_choose_among(kin_policy *policy, const double *context, const int64_t *arms, size_t count,
                                   int64_t *choice, double *propensity);

/// Learns from the rewards of choices: from all or, on failure, from none.
///
/// @param rows    count rows: the features of the chosen actions, or the contexts
/// @param arms    the chosen arms; NULL for a policy without arms
/// @param rewards count numbers; from 0 to 1 for a logistic model
/// @param weights the number of such rewards that each one counts for, above 0 and up to 1e9; NULL: 1 each
///
/// Fails with KIN_NUMERICAL_FAILURE if observations differ too much in magnitude to be discounted.
kin_status kin_policy_learn(kin_policy *policy, const double *rows, size_t count, size_t stride, const int64_t *arms,
                            const double *rewards, const double *weights);

/// Plays labelled rows as a bandit, in their order: chooses an arm, sees whether it is the label, and learns only that.
///
/// @param rows         count contexts
/// @param labels       count arms
/// @param choices      receives the chosen arms
/// @param propensities receives their probabilities; may be NULL
kin_status kin_policy_play(kin_policy *policy, const double *rows, size_t count, size_t stride, const int64_t *labels,
                           int64_t *choices, double *propensities);

/// Multiplies the weight of everything learned so far by a factor, 0 ... 1, to account for elapsed time.
///
/// Fails with KIN_NUMERICAL_FAILURE as kin_policy_learn does. Takes O(K D^3).
kin_status kin_policy_discount(kin_policy *policy, double factor);

/// Writes the expected rewards; for a logistic model, probabilities.
///
/// @param rewards receives count numbers, or with arms count rows of kin_policy_arms numbers, packed
kin_status kin_policy_expected_rewards(const kin_policy *policy, const double *rows, size_t count, size_t stride,
                                       double *rewards);

/// Writes the probability with which the policy would choose each action now. With arms these are the exact
/// probabilities of kin_policy_choose for each context, if that context came next. Without arms they are exact too,
/// except for Thompson sampling: a mean over draws.
///
/// @param draws         the number of draws to average over, 1 ... 16,777,216; only for Thompson sampling without arms
/// @param seed          the seed of the draws
/// @param probabilities receives count numbers, or with arms count rows of kin_policy_arms numbers, packed
///
/// Fails with KIN_CAPACITY_EXCEEDED for draws of more than 2^28 numbers: draws times the larger of count and features.
kin_status kin_policy_probabilities(const kin_policy *policy, const double *rows, size_t count, size_t stride,
                                    size_t draws, uint64_t seed, double *probabilities);

/// The estimators of a policy's value from the log of a different policy. The set is open.
typedef int32_t kin_estimator;

enum {
    KIN_ESTIMATOR_IPS = 0,   ///< inverse propensity scores
    KIN_ESTIMATOR_SNIPS = 1, ///< IPS divided by the sum of the weights
    KIN_ESTIMATOR_DM = 2,    ///< the direct method: a model's estimates alone
    KIN_ESTIMATOR_DR = 3,    ///< doubly robust: correct if either the propensities or the model are
    // The following are doubly robust with limited weights. The limit is chosen from the log; they have less variance
    // and some bias, which the interval does not show.
    KIN_ESTIMATOR_SWITCH_DR = 4, ///< by the model alone if a weight exceeds the limit
    KIN_ESTIMATOR_DROS = 5,      ///< large weights shrunk towards 0
    KIN_ESTIMATOR_SG_DR = 6,     ///< weights below a bound, so that errors are sub-Gaussian
};

/// Estimates the reward per round that a policy would have had, with an interval: the score interval or a bootstrap
/// interval.
///
/// @param rewards       of the logged actions, `count` numbers
/// @param propensities  the probabilities of the logged actions under the logging policy, 1e-100 ... 1
/// @param probabilities the probabilities of the logged actions under the evaluated policy
/// @param estimates     a model's expected rewards of the logged actions; NULL: no model, for IPS and SNIPS
/// @param values        a model's expected rewards under the evaluated policy; NULL with `estimates`
/// @param confidence    the probability that the interval holds the true value, between 0 and 1
/// @param resamples     0: the score interval, whose coverage is closer to `confidence`; 2 ... 10,000,000: the
///                      resamples of a bootstrap
/// @param result        receives the value and the interval's lower and upper end: 3 numbers. The ends are NaN if all
///                      rounds or all rewards agree, and with fewer than 20 effective rounds, (sum of w)^2 / sum of w^2
///                      with w = probability / propensity. They are also NaN if the mean of w, 1 in expectation, is
///                      below 0.5: the log then lacks actions that the evaluated policy often takes. Intervals of 95 %
///                      hold about 82 % of the time if one reward in 50 is not 0, and 87 % if one in 20 is. The value
///                      of SNIPS is NaN if all w are 0
///
/// Fails with KIN_NUMERICAL_FAILURE if rewards or probability / propensity are so large that the result is not finite.
/// Takes O(count), and O(count x resamples) for a bootstrap.
kin_status kin_off_policy_estimate(kin_estimator estimator, const double *rewards, const double *propensities,
                                   const double *probabilities, const double *estimates, const double *values,
                                   size_t count, double confidence, size_t resamples, uint64_t seed, double *result);

/// Estimates the propensities of a log without propensities. A multinomial logistic model of the action given the
/// features is fitted to other people's rounds (cross-fitting) and calibrated. Estimates that use these propensities
/// are correct only if the features contain everything that the logging policy used.
///
/// @param actions      the numbers of the logged actions, `count` numbers
/// @param features     `count` rows of `dimension` numbers, `stride` bytes apart (0: packed); units do not matter
/// @param groups       the number of each round's person or unit; NULL: rounds are independent
/// @param folds        3 or more; 0: 5
/// @param floor        the smallest propensity, to which lower propensities are raised, at most an even share; 0: a
///                     tenth of it, at most 0.01
/// @param seed         the seed of the folds
/// @param propensities receives the probabilities of the logged actions, `count` numbers
/// @param result       receives the floor, the number of raised propensities, and the expected calibration error of the
///                     model: 3 numbers
kin_status kin_off_policy_propensities(const int64_t *actions, const double *features, size_t count, size_t dimension,
                                       size_t stride, const int64_t *groups, size_t folds, double floor, uint64_t seed,
                                       double *propensities, double *result);

/// Selects the features that represent the actions (MIPS): all of them, or fewer as long as no bias shows (SLOPE). The
/// importance of a round is then the importance of all actions that share these features with the logged action. Pass
/// the written propensities and probabilities to the estimate.
///
/// @param rewards       of the logged actions, `count` numbers
/// @param actions       the logged actions, 0 ... action_count - 1
/// @param features      `action_count` rows of `dimension` whole numbers, packed: equal numbers are equal features
/// @param propensities  of all actions under the logging policy, `count` rows of `action_count` numbers with the sum 1,
///                      packed
/// @param probabilities the same under the evaluated policy
/// @param kept          receives 1 for each selected dimension, otherwise 0, `dimension` numbers
/// @param shared_propensities   receives the propensities of the logged actions' features, `count` numbers
/// @param shared_probabilities  receives the probabilities of these features under the evaluated policy, `count`
///                              numbers
kin_status kin_off_policy_select_features(const double *rewards, const int64_t *actions, size_t count,
                                          const int64_t *features, size_t action_count, size_t dimension,
                                          const double *propensities, const double *probabilities, uint8_t *kept,
                                          double *shared_propensities, double *shared_probabilities);

/// The estimators of the value of a policy of slates (rankings) from the log of a different policy. The set is open.
typedef int32_t kin_slate_estimator;

enum {
    KIN_SLATE_SIPS = 0, ///< rewards weighted by the importance of the whole slate
    KIN_SLATE_IIPS = 1, ///< by the importance of their slot alone; probabilities are per slot, whatever the slots above
    KIN_SLATE_RIPS = 2, ///< by the importance of their slot and the slots above
    KIN_SLATE_CASCADE_DR = 3, ///< a model's expectation from each slot down, corrected by its weighted errors
};

/// Estimates the reward per slate that a policy would have had, with an interval as kin_off_policy_estimate.
///
/// The arrays have `count` rows of `slots` numbers, packed, the top slot first. Probabilities are conditional on the
/// slots above, except for IIPS.
///
/// @param slots         the slots of a slate, 1 or more
/// @param rewards       of the slots
/// @param propensities  the probabilities of the logged actions under the logging policy, above 0
/// @param probabilities the probabilities of the logged actions under the evaluated policy
/// @param estimates     a model's expected rewards of each slot and the slots below; NULL: no model, for all but
///                      Cascade-DR
/// @param values        the same expectations under the evaluated policy; NULL with `estimates`
/// @param confidence    the probability that the interval holds the true value, between 0 and 1
/// @param resamples     0: the score interval, whose coverage is closer to `confidence`; 2 ... 10,000,000: the
///                      resamples of a bootstrap
/// @param result        receives the value and the interval's lower and upper end: 3 numbers. The ends are NaN if all
///                      rounds agree or there are fewer than 20 effective rounds, (sum of w)^2 / sum of w^2 with w =
///                      probability / propensity
///
/// Fails with KIN_NUMERICAL_FAILURE as kin_off_policy_estimate does: products of many slots' probability / propensity
/// may exceed every number. Takes O(count x (slots + resamples)).
kin_status kin_slate_estimate(kin_slate_estimator estimator, size_t slots, const double *rewards,
                              const double *propensities, const double *probabilities, const double *estimates,
                              const double *values, size_t count, double confidence, size_t resamples, uint64_t seed,
                              double *result);

// --------------------------------------------------------------------------------------------------------------------
// Experiments
// --------------------------------------------------------------------------------------------------------------------

/// Assigns people to the variants of an experiment by a keyed hash (HMAC-SHA256), in proportion to the weights.
///
/// Nothing is stored: the same names, key and weights give the same variants, in any order of the variants. A variant
/// that is added or gets more weight takes people from the other variants, and no person moves between the others.
/// Assignments with a different experiment name or key are independent.
///
/// @param experiment    the name of the experiment, UTF-8
/// @param key           the secret, 16 bytes or more
/// @param variants      the names of the variants, all different
/// @param weights       above 0; NULL: all equal
/// @param people        the ids of count people; "é" in one or in two characters is the same id
/// @param assigned      receives the index of each person's variant, count numbers
kin_status kin_experiment_assign(const char *experiment, const uint8_t *key, size_t key_count,
                                 const char *const *variants, const double *weights, size_t variant_count,
                                 const char *const *people, size_t count, int64_t *assigned);

/// Tests the effect of a treatment at all times: p-values and intervals are valid however often the results are checked
/// and whenever the experiment stops. The only assumption about outcomes is their range.
///
/// @param outcomes   one per person, `count` numbers, in the order of their arrival
/// @param treated    1 for those with the treatment, 0 for the control
/// @param share      the probability of the treatment, 1e-9 ... 1 - 1e-9
/// @param low        the lowest possible outcome
/// @param high       the highest possible outcome
/// @param confidence of the interval, between 0 and 1
/// @param p_values   receives the p-value after each outcome, count numbers; may be NULL
/// @param result     receives the effect, its interval's lower and upper end, and the p-value: 4 numbers. The effect
///                   estimates the treatment's mean outcome less the control's, without bias. It is the mean of
///                   z (y - m), with z = 1 / share for the treatment and -1 / (1 - share) for the control, and the mean
///                   m of the earlier outcomes y, (low + high) / 2 for the first. It is not the difference of the two
///                   observed means, which is close to it for many people. The p-value is the least so far, while the
///                   interval is that of all outcomes, and may hold 0 again
kin_status kin_experiment_test(const double *outcomes, const uint8_t *treated, size_t count, double share, double low,
                               double high, double confidence, double *p_values, double *result);

/// Computes the number of people, of both variants together, needed to detect an effect.
///
/// @param baseline     the mean outcome under the control, 0 ... 1
/// @param effect       the treatment's mean outcome minus the baseline, not 0
/// @param share        the probability of the treatment, between 0 and 1
/// @param significance the probability of detecting an effect if there is none, between 0 and 1
/// @param power        the probability of detecting this effect, between 0 and 1
/// @param result       receives the number for a test at the end, and for kin_experiment_test: 2 numbers
kin_status kin_experiment_size(double baseline, double effect, double share, double significance, double power,
                               double *result);

/// Computes the smallest increase that a number of people can detect; see kin_experiment_size.
///
/// @param size   the number of people, of both variants together
/// @param result receives the increase for a test at the end, and for kin_experiment_test: 2 numbers
kin_status kin_experiment_effect(double baseline, size_t size, double share, double significance, double power,
                                 double *result);

#ifdef __cplusplus
}
#endif

#endif
