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
// This file is the contract, and the only thing to read. It holds for all of it:
//
// ERRORS. A call that can fail returns a kin_status: KIN_OK is 0, every other value is a failure that kin_last_error
// describes. A call that fails has changed nothing: neither the handle, nor one byte of what its output arguments
// point at. Every argument is checked before it is used: NULL where something is needed, negative or absurd sizes and
// strides, unaligned pointers, numbers that are not finite, unknown constants. What cannot be checked is left to
// the caller: that an array is as long as its count says, and that a handle is one that was given and not yet freed.
// Every call may fail with KIN_INVALID_ARGUMENT for an argument that is not what its line says, with KIN_NOT_FINITE for
// a number that is NaN, infinite or of a magnitude above what its line says, with KIN_DIMENSION_MISMATCH for sizes that
// do not go together, and with KIN_CAPACITY_EXCEEDED for sizes that do not fit into memory. What else there is, "Fails
// with" says.
//
// HANDLES. kin_index, kin_index_builder, kin_filter, kin_matches, kin_clustering, kin_minibatch_kmeans, kin_pca and
// kin_policy are made by a call that writes a pointer to its last argument, and given back by kin_..._free, once, when
// no other thread uses them. Freeing NULL does nothing. Using or freeing a handle after it was freed is undefined, as
// it is for malloc and free.
//
// ARRAYS. Many vectors are passed as rows: a pointer to the first number, how many rows there are, and the stride, the
// bytes from the beginning of one row to that of the next. Stride 0 means that rows are packed; any other is a multiple
// of the element's size and at least a whole row. A pointer may be NULL when there are no rows. Input is read during
// the call only and copied where it has to be kept. Output is written to the caller's memory.
//
// OPTIONS. A structure of options begins with its size in bytes. Set it up by its initializer (KIN_SEARCH_OPTIONS_INIT
// and so on), which also sets every default, then change what you like. NULL stands for the defaults. Fields will be
// added at the end in later releases: a program that was compiled with an older header gets the new fields'
// defaults; one that was compiled with a newer header and uses a field that this library does not know gets
// KIN_INVALID_ARGUMENT.
//
// THREADS. Any thread may call, also one that the Swift runtime has never seen. Calls that take a const handle may run
// at the same time on the same handle; each works on the state in which it found it, and none waits for another. Calls
// that change a handle may also run beside them: they take turns, and a call that starts meanwhile waits for the
// change to be complete. To keep readers from waiting for a long load, load a copy (kin_index_copy costs next to
// nothing) and use that from then on. The library starts no thread unless `threads` asks for more than one; results
// never depend on it. The system's BLAS may start threads of its own when it is loaded, which are not used.
//
// FORK. A child process may use everything that its parent had, provided that no other thread was inside a call of
// this library at the moment of the fork. Once the parent has used more than one thread, the child computes on one,
// whatever `threads` says: a pool of threads does not survive a fork. Memory is shared until it is changed, so
// load first and fork then. In a child that starts threads of its own, the thread that forked should not call while
// they do: Swift's runtime can make it wait for ever.
//
// TIME. Calls that only tell a number of a handle take O(1), those that write or copy arrays as long as these are, and
// those that make or free a handle as long as what it holds. What takes longer says so.
//
// MEMORY. Counts of arrays that no process can address (2^47 bytes and more), and copies for which the system would not
// give memory, give KIN_CAPACITY_EXCEEDED before anything is read or allocated. When the system has no memory left for
// less, the process ends, as Swift programs do.
//
// TEXT is UTF-8, paths included. Ids are any 64-bit numbers but KIN_NO_ID. Distances are doubles, and smaller is
// nearer for every metric; equal distances are ordered by ascending id, so that every search has one right answer.

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

/// The release this header belongs to.
#define KIN_VERSION "0.2.0"

/// The same as a number: 1,000,000 major + 1,000 minor + patch.
#define KIN_VERSION_NUMBER 2000

/// The number of the binary interface; a library with the same number works with this header. It rises when a program
/// would have to be compiled anew, and is part of the library's file name (libkin.so.1).
#define KIN_ABI_VERSION 1

/// KIN_VERSION_NUMBER of the library that is running.
uint32_t kin_version_number(void);

/// KIN_ABI_VERSION of the library that is running; compare it with the header's when the library was loaded by hand.
uint32_t kin_abi_version(void);

/// Facts about the running library, as a JSON object. Keys: "version", "abi" (number), "commit" (of the sources, or
/// "unknown"), "simd" (the instruction set in use: "serial", "avx2", "avxvnni", "avx512", "avx512vnni", "neon",
/// "neondot" or "neoni8mm"; the environment variable KIN_SIMD chooses a lower one before the first call) and "blas"
/// (what computes dense algebra). The text lives as long as the process.
const char *kin_build_info(void);

// --------------------------------------------------------------------------------------------------------------------
// Errors
// --------------------------------------------------------------------------------------------------------------------

/// The outcome of a call: KIN_OK or one of the codes below. The set is open: later releases add codes, none changes its
/// number.
typedef int32_t kin_status;

enum {
    KIN_OK = 0,                 ///< it worked
    KIN_INVALID_ARGUMENT = 1,   ///< an argument is outside what the call accepts
    KIN_DIMENSION_MISMATCH = 2, ///< vectors of another number of dimensions than is needed
    KIN_NOT_FINITE = 3,         ///< a number is NaN or infinite
    KIN_ZERO_VECTOR = 4,        ///< a vector of zeros where a direction is needed (cosine)
    KIN_DUPLICATE_ID = 5,       ///< one id appears twice in one call
    KIN_UNKNOWN_ID = 6,         ///< no vector has this id
    KIN_MALFORMED_INPUT = 7,    ///< text that cannot be read as what it should be
    KIN_CORRUPT_FILE = 8,       ///< a file contradicts its format or its checksums
    KIN_UNSUPPORTED_FORMAT = 9, ///< a file of a format or version that this release does not read
    KIN_INPUT_OUTPUT = 10,      ///< the operating system refused a file operation
    KIN_CAPACITY_EXCEEDED = 11, ///< a limit of the library is exceeded
    KIN_NUMERICAL_FAILURE = 12, ///< a numerical method did not reach its answer
    KIN_BUSY = 13,              ///< another process holds what is needed, as a store that it writes
    KIN_CANCELLED = 14,         ///< the function of kin_set_progress ended the work; nothing has changed
};

/// The message of the last call of this thread that failed: a sentence that names the argument, row or file, and where
/// possible what to do. Empty when none has failed. A call that succeeds leaves it as it is. The text is good until the
/// thread's next call that fails, and is cut at 2,047 bytes.
const char *kin_last_error(void);

/// The name of a status, as "dimension mismatch"; "unknown status" for a number that is none. A constant.
const char *kin_status_name(kin_status status);

/// Gives back a text that a call has written to a `char **`. NULL does nothing.
void kin_string_free(char *text);

// --------------------------------------------------------------------------------------------------------------------
// Progress of long calls
// --------------------------------------------------------------------------------------------------------------------

/// Receives how far a long call is. It must not call the library with the handle of that call. Long calls that it makes
/// itself report to nobody, and kin_set_progress is not for it to call.
///
/// @param done    the units done: rows, points, people, bytes or records, by the work; work in several stages begins
/// again at 0
/// @param total   the units in all; 0 where nobody knows
/// @param context as kin_set_progress took it
///
/// Returns 0 to go on, anything else to cancel: the call fails with KIN_CANCELLED, and everything is as it was before,
/// an import rolled back, an index unchanged.
typedef int32_t (*kin_progress)(uint64_t done, uint64_t total, void *context);

/// Sets the function that long calls of this thread report to, on this thread, at most every 10 ms: kin_kmeans_fit,
/// kin_clustering_assign, kin_minibatch_kmeans_partial_fit (while points are held back),
/// kin_minibatch_kmeans_clustering, kin_pca_fit (until all rows were read), kin_index_upsert, kin_index_append,
/// kin_index_builder_finish, kin_index_calibrate, kin_index_search (of two queries or more), kin_index_range_search,
/// kin_index_recommend, kin_index_save and, in libkin_engine, kin_engine_call. A call that takes less never calls it.
/// Results are the same, bit for bit, with and without.
///
/// @param progress the function; NULL for none, as every thread begins
/// @param context  passed to it
void kin_set_progress(kin_progress progress, void *context);

// --------------------------------------------------------------------------------------------------------------------
// Filters: which vectors a search may return
// --------------------------------------------------------------------------------------------------------------------

/// A set of ids that a search may return; it never changes. One filter serves any number of searches, indexes and
/// threads.
typedef struct kin_filter kin_filter;

/// Allows the given ids. Ids that no vector has are ignored, and so is that one is given twice.
///
/// @param ids    `count` ids in any order
/// @param filter receives the filter, to be given back by kin_filter_free
///
/// Time and memory O(count). A search then reads just these vectors when they are few, and scans when they are many.
kin_status kin_filter_create_ids(const uint64_t *ids, size_t count, kin_filter **filter);

/// Allows the ids whose bits are set: id i when bit i % 64 of words[i / 64] is 1. For dense ids this takes 64 times
/// less memory than a list.
///
/// @param words  `count` words
/// @param filter receives the filter, to be given back by kin_filter_free
kin_status kin_filter_create_bitmap(const uint64_t *words, size_t count, kin_filter **filter);

/// Allows the vectors whose attributes an expression is true of:
///
///     user = "u42" and start >= 2026-01-01 and state in (drift, mastery)
///     not (score < 0.5 or note is missing) and visit overlaps [2026-01-01, 2026-02-01)
///
/// A condition compares an attribute by =, !=, <, <=, >, >=, in (...), not in (...), between a and b, is missing, is
/// present, or a time range by overlaps [from, to). `id` is the vector's id; visit.start and visit.end are the ends of
/// the time range visit. Values are numbers, times (ISO 8601, UTC unless they say otherwise), true, false, and strings
/// in quotes or as bare words.
///
/// @param expression the text; an error names the character
/// @param filter     receives the filter, to be given back by kin_filter_free
///
/// Fails with KIN_MALFORMED_INPUT, or KIN_CAPACITY_EXCEEDED for more than 1 MiB, 2,500 conditions or 100 brackets
/// within one another. A search fails with KIN_INVALID_ARGUMENT when the expression does not fit the attributes of its
/// index. Every search looks at the attributes as they are then, in some 0.5 ns a vector and condition;
/// kin_index_prepare does so once for many searches.
kin_status kin_filter_create_expression(const char *expression, kin_filter **filter);

/// Gives the filter back.
void kin_filter_free(kin_filter *filter);

// --------------------------------------------------------------------------------------------------------------------
// Indexes
// --------------------------------------------------------------------------------------------------------------------

/// The distances between vectors. Each metric gives a distance, and the smaller distance is nearer.
typedef int32_t kin_metric;

enum {
    KIN_METRIC_L2 = 0,     ///< sum of (x - q)^2, the square of the Euclidean distance
    KIN_METRIC_IP = 1,     ///< -<x, q>, the negated inner product: the largest product is the nearest
    KIN_METRIC_COSINE = 2, ///< 1 - <x, q> / (|x| |q|), 0 ... 2; a vector of zeros is refused
};

/// The id that stands for "no vector": it fills the rest of a row of results.
#define KIN_NO_ID UINT64_MAX

/// An index: vectors under ids, and the structure that finds the nearest of them.
typedef struct kin_index kin_index;

/// Makes an empty flat index: exact, every search reads every vector, the right choice up to millions of them.
///
/// It finds what a scan in double precision would find, for any data. Memory for 16 dimensions: 88 bytes a vector.
///
/// @param dimension numbers in every vector, 1 ... 65,536
/// @param metric    KIN_METRIC_L2, KIN_METRIC_IP or KIN_METRIC_COSINE
/// @param index     receives the index, to be given back by kin_index_free
kin_status kin_index_create_flat(size_t dimension, kin_metric metric, kin_index **index);

/// Makes an empty inverted-file index: a search reads the lists that can hold a neighbour.
///
/// Vectors that are near each other share a list, and each block of 64 vectors has a bounding box. A search visits
/// boxes by ascending distance and stops when none is nearer than the k-th neighbour found: it finds what a flat index
/// finds, in a small part of the time wherever the data have any structure. kin_search_options trades recall for time.
/// There is nothing to train: the index splits its lists as it grows, and divides a large load at once. Memory for 16
/// dimensions: some 94 bytes a vector.
///
/// @param dimension numbers in every vector, 1 ... 65,536
/// @param metric    KIN_METRIC_L2, KIN_METRIC_IP or KIN_METRIC_COSINE
/// @param lists     0: lists split at the median of their widest axis; else the number of k-means centroids, each with
/// a list
/// @param index     receives the index, to be given back by kin_index_free
kin_status kin_index_create_ivf(size_t dimension, kin_metric metric, size_t lists, kin_index **index);

/// The kinds of indexes. The set is open.
typedef int32_t kin_index_type;

enum {
    KIN_INDEX_FLAT = 0, ///< made by kin_index_create_flat
    KIN_INDEX_IVF = 1,  ///< made by kin_index_create_ivf
};

/// The kind of an index, of one opened from a file too; -1 for NULL.
kin_index_type kin_index_kind(const kin_index *index);

/// Makes a second index with the same contents, to be given back by kin_index_free.
///
/// The two share all memory until one of them changes a part of it, so this takes no time, and changing one never shows
/// in the other: a snapshot for readers, or a draft for a writer.
kin_status kin_index_copy(const kin_index *index, kin_index **copy);

/// Gives the index back.
void kin_index_free(kin_index *index);

/// The number of vectors; 0 for NULL.
size_t kin_index_count(const kin_index *index);

/// The numbers in every vector; 0 for NULL.
size_t kin_index_dimension(const kin_index *index);

/// The metric; -1 for NULL.
kin_metric kin_index_metric(const kin_index *index);

/// Bytes that vectors, codes and ids take, in memory or mapped from a file; 0 for NULL.
size_t kin_index_bytes(const kin_index *index);

/// Puts vectors in: new ids are added, ids that are there get the new vector. All of them or, on failure, none.
///
/// @param vectors count rows of the index's dimension; finite, and for cosine not all zero
/// @param ids     count different ids, none of them KIN_NO_ID
/// @param threads the most threads to use, 1 ... 65,536; large loads of an inverted file use them, the result does not
///                depend on it
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_NOT_FINITE, KIN_ZERO_VECTOR, KIN_DUPLICATE_ID or KIN_CAPACITY_EXCEEDED (an
/// index holds less than 2^32 vectors).
kin_status kin_index_upsert(kin_index *index, const float *vectors, size_t count, size_t stride, const uint64_t *ids,
                            size_t threads);

/// Adds vectors under fresh ids: consecutive numbers above every id the index has ever held, from 0 on.
///
/// @param threads as for kin_index_upsert
/// @param first   receives the id of the first row, row i has the id that is i larger; may be NULL
kin_status kin_index_append(kin_index *index, const float *vectors, size_t count, size_t stride, size_t threads,
                            uint64_t *first);

/// Takes vectors out; nothing of them stays in memory or in the next file. Ids that no vector has are passed over.
///
/// @param removed receives how many there were; may be NULL
kin_status kin_index_remove(kin_index *index, const uint64_t *ids, size_t count, size_t *removed);

/// Reserves memory for about `count` vectors in all, so that the index grows in fewer steps. A hint.
kin_status kin_index_reserve(kin_index *index, size_t count);

/// Measures how many blocks a search with a recall below 1 has to read, with vectors of the index as queries.
///
/// A load that rebuilds an inverted file measures too; other changes keep the last calibration, so that they stay
/// short. An index that was never calibrated, or has less than 10,000 vectors, is searched exactly. Time: some thousand
/// searches; nothing to do for a flat index. Readers do not wait.
///
/// @param threads as in kin_search_options
kin_status kin_index_calibrate(kin_index *index, size_t threads);

/// Gives back memory that was set aside for growth and sorts the ids, which changes one by one leave to a tree of
/// several times the memory. Worth it when an index will not change for long.
kin_status kin_index_compact(kin_index *index);

/// Writes for each id whether a vector has it.
///
/// @param found receives count times 1 or 0
kin_status kin_index_contains(const kin_index *index, const uint64_t *ids, size_t count, uint8_t *found);

/// Reads vectors back, exactly as they were put in.
///
/// @param vectors receives count rows of the index's dimension
///
/// Fails with KIN_UNKNOWN_ID when no vector has one of the ids.
kin_status kin_index_get(const kin_index *index, const uint64_t *ids, size_t count, float *vectors, size_t stride);

/// Lists the ids of all vectors, in the order in which the index stores them.
///
/// @param ids      receives the ids; NULL with a capacity of 0 writes nothing but `count`
/// @param capacity places in `ids`; with fewer than there are vectors, the call fails with KIN_INVALID_ARGUMENT. Where
///                 other threads add vectors meanwhile, list a copy (kin_index_copy), which has one number of them
/// @param count    receives how many there are
kin_status kin_index_ids(const kin_index *index, uint64_t *ids, size_t capacity, size_t *count);

// --------------------------------------------------------------------------------------------------------------------
// Attributes: what is known of a vector beside its numbers, to filter by
// --------------------------------------------------------------------------------------------------------------------

/// The types of attributes, and how kin_index_set_attribute takes them.
typedef int32_t kin_attribute_kind;

enum {
    KIN_ATTRIBUTE_INTEGER = 0,    ///< int64_t
    KIN_ATTRIBUTE_NUMBER = 1,     ///< double, finite
    KIN_ATTRIBUTE_CATEGORY = 2,   ///< const char *: few texts beside the vectors; NULL is a missing one
    KIN_ATTRIBUTE_TIME = 3,       ///< int64_t: microseconds since 1970 began in UTC, in the years 0 ... 9999
    KIN_ATTRIBUTE_BOOLEAN = 4,    ///< uint8_t: 0 or another number
    KIN_ATTRIBUTE_TIME_RANGE = 5, ///< int64_t[2], as for times: the start, and the end, which does not belong to it
};

/// Declares an attribute; every vector lacks it until it is set. Declaring it again as the same kind changes nothing.
///
/// @param name 1 ... 128 bytes without control characters, quotes, backslashes or points, and not "id"
///
/// Fails with KIN_INVALID_ARGUMENT for another name or when it is declared as another kind already, and
/// KIN_CAPACITY_EXCEEDED for more than 1,000 attributes.
kin_status kin_index_declare_attribute(kin_index *index, const char *name, kin_attribute_kind kind);

/// Sets one attribute of vectors that are there: of all of them or, on failure, of none.
///
/// @param kind    the kind it was declared as
/// @param ids     `count` different ids
/// @param values  `count` values in the layout of the kind
/// @param present `count` bytes, 0 where the value is missing; NULL: none is
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_NOT_FINITE, KIN_UNKNOWN_ID, KIN_DUPLICATE_ID or KIN_CAPACITY_EXCEEDED.
kin_status kin_index_set_attribute(kin_index *index, const char *name, kin_attribute_kind kind, const uint64_t *ids,
                                   size_t count, const void *values, const uint8_t *present);

/// Writes the declared attributes.
///
/// @param json receives a JSON object, to be given back by kin_string_free: the kinds by the names, "integer",
/// "number",
///             "category", "time", "boolean" or "time-range", in the order of declaration
kin_status kin_index_schema(const kin_index *index, char **json);

/// Writes the attributes of one vector.
///
/// @param json receives a JSON object, to be given back by kin_string_free: the values by the names, missing ones left
/// out.
///             Times are ISO 8601 texts, time ranges objects of "start" and "end".
///
/// Fails with KIN_UNKNOWN_ID when no vector has the id.
kin_status kin_index_attributes(const kin_index *index, uint64_t id, char **json);

// --------------------------------------------------------------------------------------------------------------------
// Search
// --------------------------------------------------------------------------------------------------------------------

/// Parameters of a search; every field has a default.
typedef struct kin_search_options {
    size_t size;              ///< sizeof(kin_search_options)
    const kin_filter *filter; ///< which vectors may be returned; NULL: all
    size_t threads;           ///< the most threads to use, 1 ... 65,536; short work stays on the calling thread anyway
    double recall; ///< 0: exact; above 0 and at most 1: the fewest blocks whose calibrated mean recall is at least
                   ///< this (see kin_index_calibrate); a flat index is always exact
    size_t probes; ///< 0: exact; else the number of nearest lists of an inverted file to read, and more while fewer
                   ///< than k allowed vectors are found, unless the query has a finite radius; only one of recall and
                   ///< probes, and no probes for a search of a flat index
    const double *radii; ///< one for each query: the largest distance of a neighbour, in the metric's own units as for
                         ///< kin_index_range_search, infinity for any; a vector at this very distance is one. Whatever
                         ///< lies beyond is skipped unread where boxes tell, so that a radius known from elsewhere
                         ///< saves time. NULL: none
} kin_search_options;

/// All vectors, one thread, exact, no radii.
#define KIN_SEARCH_OPTIONS_INIT                                                                                        \
    { sizeof(kin_search_options), NULL, 1, 0, 0, NULL }

/// Makes a filter ready for many searches of this index: its expression is evaluated, and for an inverted
/// file the allowed vectors are copied into lists of their own, unless they are more than a quarter of all.
///
/// A search of an inverted file under it takes no longer than one of an index that holds the allowed vectors alone.
/// When the index has changed since, the original filter is used: the result is right at any time, and quick until
/// then.
///
/// @param threads  the most threads to use, 1 ... 65,536
/// @param prepared receives the filter, to be given back by kin_filter_free
kin_status kin_index_prepare(const kin_index *index, const kin_filter *filter, size_t threads, kin_filter **prepared);

/// Finds the k nearest vectors of each query.
///
/// Row q of the results has min(k, number of allowed vectors) neighbours, with radii only those of them within its
/// radius, nearest first, equally near ones by ascending id; the entries after them hold KIN_NO_ID and infinity.
///
/// @param queries   count rows of the index's dimension; finite, and for cosine not all zero
/// @param options   NULL for the defaults
/// @param ids       receives count x k ids
/// @param distances receives count x k distances; may be NULL
/// @param counts    receives for each query how many neighbours it has; may be NULL
///
/// Fails with KIN_NOT_FINITE for a radius that is NaN.
///
/// One query of a flat index allocates nothing for k up to 64 when the dimension is a multiple of 8 and at most 1,024.
/// Time O(vectors x dimension) a query for a flat index, with a batch several times faster than its queries one by one.
kin_status kin_index_search(const kin_index *index, const float *queries, size_t count, size_t stride, size_t k,
                            const kin_search_options *options, uint64_t *ids, double *distances, size_t *counts);

/// The results of a range search; they never change.
typedef struct kin_matches kin_matches;

/// Finds every vector within a radius of each query; exact, whatever recall and probes are. The options' radii are
/// NULL.
///
/// @param radius  the largest distance, in the metric's own units: squared for KIN_METRIC_L2, negated for KIN_METRIC_IP
/// @param matches receives the results, to be given back by kin_matches_free
kin_status kin_index_range_search(const kin_index *index, const float *queries, size_t count, size_t stride,
                                  double radius, const kin_search_options *options, kin_matches **matches);

/// The offsets of the results of each query: query q has those from offsets[q] up to, not including, offsets[q + 1].
/// There is one more offset than there are queries. NULL for NULL.
const size_t *kin_matches_offsets(const kin_matches *matches);

/// The ids of all results, query after query, nearest first. Good until kin_matches_free. NULL for NULL.
const uint64_t *kin_matches_ids(const kin_matches *matches);

/// The distances that belong to kin_matches_ids. NULL for NULL.
const double *kin_matches_distances(const kin_matches *matches);

/// Gives the results back.
void kin_matches_free(kin_matches *matches);

/// A request for a list, for kin_index_recommend; the examples of a side are its vectors and its ids together.
typedef struct kin_recommendation {
    size_t size;                  ///< sizeof(kin_recommendation)
    const float *positive;        ///< examples that the list is to be like: `positive_count` vectors
    size_t positive_count;        ///< with the ids at least 1 in all
    size_t positive_stride;       ///< the stride of `positive`
    const uint64_t *positive_ids; ///< more of them, by the ids of the index; the list leaves these vectors out
    size_t positive_id_count;     ///< their number
    const float *negative;        ///< examples that the list is to be unlike: `negative_count` vectors
    size_t negative_count;        ///< may be 0
    size_t negative_stride;       ///< the stride of `negative`
    const uint64_t *negative_ids; ///< more of them, by ids; left out too
    size_t negative_id_count;     ///< their number
    double negative_weight;       ///< w, 0 ... 1; below 1 for KIN_METRIC_L2
    double diversity;             ///< the weight of being different from the rest of the list, 0 ... < 1; for
                                  ///< KIN_METRIC_L2 less than (1 - w) / (2 - w), 0.5 without negative examples
    const char *category;         ///< an attribute of which no value is in the list more than per_category times; NULL:
                                  ///< none. Vectors without a value are not limited
    size_t per_category;          ///< 1 or more, with `category`
    const uint64_t *excluded;     ///< ids that the list leaves out, such as what was seen: `excluded_count`
    size_t excluded_count;        ///< may be 0
} kin_recommendation;

/// No examples, which have to be given; negative ones weigh 0.5, no diversity, no limit, nothing excluded.
#define KIN_RECOMMENDATION_INIT                                                                                        \
    { sizeof(kin_recommendation), NULL, 0, 0, NULL, 0, NULL, 0, 0, NULL, 0, 0.5, 0, NULL, 0, NULL, 0 }

/// Makes a list of k vectors like some examples, unlike others, different from each other, with limits per category.
///
/// The score of a vector x is its mean distance from the positive examples less negative_weight times its mean distance
/// from the negative ones; smaller is better, and one positive example alone gives the plain search. With a diversity
/// above 0 the list is chosen by maximal marginal relevance (Carbonell and Goldstein 1998): first the best score, then
/// each time the least (1 - diversity) x score(x) - diversity x (the distance of x from the nearest vector chosen), of
/// all vectors that are allowed. Exact, whatever recall and probes are. The options' radii are NULL.
///
/// @param wanted    the examples, and what the list is to be like
/// @param options   NULL for the defaults
/// @param ids       receives k ids in the order of the choices, KIN_NO_ID after the last
/// @param distances receives their scores, infinity after the last; may be NULL
/// @param count     receives how many there are; may be NULL
///
/// Time: for ten of a million vectors that of 2 to 4 plain searches with a diversity of 0.1 and of 2 to 8 with 0.3,
/// more the nearer it comes to its limit; with negative examples, of 2 to 10.
kin_status kin_index_recommend(const kin_index *index, const kin_recommendation *wanted, size_t k,
                               const kin_search_options *options, uint64_t *ids, double *distances, size_t *count);

/// Searches for one query, as kin_index_search does on one thread (with one radius, if any), and reports the plan and
/// what was read.
///
/// @param query one vector
/// @param json  receives a JSON object, to be given back by kin_string_free. Keys: "neighbors" (objects of "id" and
///              "distance", nearest first), "plan" (what was done, in a sentence), "rows", "lists" and
///              "lists_visited" (of an inverted file), "blocks_screened", "survivors", "exact_distances", "bytes_read",
///              "simd", "code_bits".
kin_status kin_index_explain(const kin_index *index, const float *query, size_t k, const kin_search_options *options,
                             char **json);

// --------------------------------------------------------------------------------------------------------------------
// Files
// --------------------------------------------------------------------------------------------------------------------

/// Saves the index, all or nothing: a file that was there before is replaced in one step when the new one is complete
/// and on the disk. The same index gives the same bytes.
///
/// Fails with KIN_INPUT_OUTPUT, and with KIN_INVALID_ARGUMENT for a file that is neither empty nor a saved index; see
/// kin_index_save_with.
kin_status kin_index_save(const kin_index *index, const char *path);

/// The checks of a saved index that is opened.
typedef int32_t kin_verify;
enum {
    KIN_VERIFY_STRUCTURE = 0, ///< structure, ids and offsets: a damaged part gives wrong neighbours or an error
    KIN_VERIFY_ALL = 1,       ///< every byte, and all that kin_index_verify checks, which reads the whole file
};

/// Options of files that are written or opened.
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
/// @param options `overwrite` counts; NULL: those of KIN_FILE_OPTIONS_INIT
///
/// Fails with KIN_INPUT_OUTPUT, and with KIN_INVALID_ARGUMENT for a file of a different kind.
kin_status kin_index_save_with(const kin_index *index, const char *path, const kin_file_options *options);

/// The file of an inverted-file index that is being built of more vectors than memory holds.
typedef struct kin_index_builder kin_index_builder;

/// Begins to build the file of an inverted-file index.
///
/// Vectors go to a file without a name beside `path` as they come, and from there, in some passes, to their lists: for
/// a time they take twice the space of the file on that disk. The file has the bytes that kin_index_save writes for an
/// index that was given all vectors in one call. What was at `path` stays until it is complete.
///
/// @param path      the file to write
/// @param dimension as for kin_index_create_ivf
/// @param metric    as for kin_index_create_ivf
/// @param lists     as for kin_index_create_ivf
/// @param memory    bytes of vectors to hold in memory at a time, 16 MB or more; 0 for 1 GB. Beside that, some 12
///                  bytes a vector, and more for ids in no order
/// @param builder   receives the builder, to be given back by kin_index_builder_free
///
/// Fails with KIN_INVALID_ARGUMENT, or with KIN_INPUT_OUTPUT when no file can be made there.
kin_status kin_index_builder_create(const char *path, size_t dimension, kin_metric metric, size_t lists, size_t memory,
                                    kin_index_builder **builder);

/// Begins to build the file of an inverted-file index as kin_index_builder_create does, with options.
///
/// @param options `overwrite` counts; NULL: those of KIN_FILE_OPTIONS_INIT
///
/// Fails as kin_index_builder_create does, and with KIN_INVALID_ARGUMENT for a file of a different kind.
kin_status kin_index_builder_create_with(const char *path, size_t dimension, kin_metric metric, size_t lists,
                                         size_t memory, const kin_file_options *options, kin_index_builder **builder);

/// Adds vectors to a build. All of them or, on failure, none.
///
/// @param vectors count rows of the index's dimension; finite, and for cosine not all zero
/// @param ids     count ids that no other vector has, none of them KIN_NO_ID; NULL numbers vectors from 0 on, all calls
///                together
///
/// Fails as kin_index_upsert, and with KIN_INPUT_OUTPUT when the disk is full. An id that another call gave is found by
/// kin_index_builder_finish.
kin_status kin_index_builder_append(kin_index_builder *builder, const float *vectors, size_t count, size_t stride,
                                    const uint64_t *ids);

/// Builds the index, puts its file into place and opens it, as kin_index_map does. It reports to kin_set_progress.
///
/// The build is over then, whether it succeeded or not: all that is left to do with the builder is to free it. Only a
/// call with an argument that cannot be leaves it as it was.
///
/// @param threads the most threads to use, 1 ... 65,536; the file does not depend on it
/// @param index   receives the index, to be given back by kin_index_free; may be NULL
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_DUPLICATE_ID, KIN_INPUT_OUTPUT or KIN_CANCELLED; what was at the path is
/// untouched then.
kin_status kin_index_builder_finish(kin_index_builder *builder, size_t threads, kin_index **index);

/// Gives the builder back, and the space on the disk of a build that was not finished.
void kin_index_builder_free(kin_index_builder *builder);

/// Opens a saved index. It is mapped, not read: opening takes no longer for a large file, pages come in as they are
/// needed, and processes share them. What is changed later lives in memory; the file is never written to.
///
/// The bytes must stay as they are while any index still uses them: replace a file by renaming another over it, as
/// kin_index_save does, and never write into it. A program that shortens or overwrites a mapped file in place
/// (`cp new.kin old.kin`, `truncate`) ends the process with SIGBUS; kin_index_open can read the file instead. Any
/// content either opens or fails, with KIN_INPUT_OUTPUT, KIN_UNSUPPORTED_FORMAT or KIN_CORRUPT_FILE.
///
/// @param index receives the index, to be given back by kin_index_free
kin_status kin_index_map(const char *path, kin_index **index);

/// Opens a saved index, mapped or read into memory.
///
/// An index that was read into memory does not depend on the file any more. Opening it takes time and memory in
/// proportion to the file, and processes do not share that memory.
///
/// @param options `unmapped` and `verify` count; NULL: those of KIN_FILE_OPTIONS_INIT
/// @param index   receives the index, to be freed by kin_index_free
///
/// Fails as kin_index_map does, and with KIN_INVALID_ARGUMENT for an unknown `verify`.
kin_status kin_index_open(const char *path, const kin_file_options *options, kin_index **index);

/// Checks a saved index: every byte against its checksum, and all that a search relies on.
///
/// @param intact receives 1 when everything is as it was written, else 0
/// @param json   receives a report, to be given back by kin_string_free; may be NULL. Keys: "intact", "kind",
///               "total_bytes", "sections" (objects of "name", "offset", "length", "intact"), "facts" (an object of
///               texts) and, for a damaged file, "damage" (an object of "section", "offset", "description").
///
/// Succeeds for a damaged file too; fails when there is nothing that could be described.
kin_status kin_index_verify(const char *path, int32_t *intact, char **json);

// --------------------------------------------------------------------------------------------------------------------
// k-means
// --------------------------------------------------------------------------------------------------------------------

/// Parameters of k-means; every field has a default.
typedef struct kin_kmeans_options {
    size_t size;           ///< sizeof(kin_kmeans_options)
    kin_metric metric;     ///< KIN_METRIC_L2, or KIN_METRIC_COSINE for spherical k-means
    size_t threads;        ///< the most threads to use, 1 ... 65,536
    size_t restarts;       ///< runs from different starts, 1 ... 1,000,000; the one of lowest inertia is kept
    size_t max_iterations; ///< the most iterations of a run, 1 or more
    double tolerance;      ///< a run ends when an iteration lowers the inertia by no more than this share, 0 ... < 1
    uint64_t seed;         ///< the same seed gives the same clustering, bit for bit, with any number of threads
    const float *start;    ///< k rows to start from, which take one run; NULL: drawn by k-means++
    size_t start_stride;   ///< the stride of `start`
    const double *weights; ///< one a point: 0, or 1e-100 ... 1e100, not all of them 0; NULL: 1 each
    int32_t parallel;      ///< 1: drawn by k-means|| in five rounds, faster for thousands of clusters; 0: by k-means++
    int32_t swaps;         ///< 1: swaps of clusters follow, which find a far lower inertia; 0: iterations alone
} kin_kmeans_options;

/// L2, one thread, one run of at most 100 iterations to a tolerance of 1e-4 from k-means++ with seed 0, all weights 1,
/// and swaps, unless `start` is given: given centroids move by iterations alone.
#define KIN_KMEANS_OPTIONS_INIT                                                                                        \
    { sizeof(kin_kmeans_options), KIN_METRIC_L2, 1, 1, 100, 1e-4, 0, NULL, 0, NULL, 0, 1 }

/// Centroids, and the clusters of the points they were found from; it never changes.
typedef struct kin_clustering kin_clustering;

/// Clusters points: looks for k centroids that make the inertia, the weighted sum of the distances from each point to
/// its nearest centroid, small. Lloyd's iterations, exact: the nearest centroid is that of double precision.
///
/// @param points     count rows of `dimension` finite numbers; for cosine not all zero
/// @param k          clusters, 1 ... count
/// @param options    NULL for the defaults
/// @param clustering receives the clustering, to be given back by kin_clustering_free
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_NOT_FINITE, KIN_ZERO_VECTOR or KIN_CAPACITY_EXCEEDED. Time O(count x k x
/// dimension) an iteration, on 8-bit codes from 24 clusters on.
kin_status kin_kmeans_fit(const float *points, size_t count, size_t dimension, size_t stride, size_t k,
                          const kin_kmeans_options *options, kin_clustering **clustering);

/// Makes a clustering of no points from centroids that were kept from an earlier one, for kin_clustering_assign.
///
/// @param centroids  k rows of `dimension` finite numbers; for cosine not all zero, and brought to length 1
/// @param clustering receives the clustering, to be given back by kin_clustering_free
kin_status kin_clustering_create(const float *centroids, size_t k, size_t dimension, size_t stride, kin_metric metric,
                                 kin_clustering **clustering);

/// Gives the clustering back.
void kin_clustering_free(kin_clustering *clustering);

/// The number of clusters; 0 for NULL.
size_t kin_clustering_k(const kin_clustering *clustering);

/// The numbers in every centroid; 0 for NULL.
size_t kin_clustering_dimension(const kin_clustering *clustering);

/// The number of points it was found from; 0 for NULL.
size_t kin_clustering_count(const kin_clustering *clustering);

/// The metric; -1 for NULL.
kin_metric kin_clustering_metric(const kin_clustering *clustering);

/// The weighted sum of the distances from the points to their centroids; 0 for NULL.
double kin_clustering_inertia(const kin_clustering *clustering);

/// The number of times that the centroids were moved; 0 for NULL.
size_t kin_clustering_iterations(const kin_clustering *clustering);

/// 1 when the inertia had settled, 0 when the limit of iterations ended the run, and for NULL.
int32_t kin_clustering_is_converged(const kin_clustering *clustering);

/// The number of clusters with points of positive weight: below k if there are fewer different points than k; 0 for
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

/// Finds the nearest centroid of each point, exactly; of equally near ones the lowest number.
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

/// The centroids of a stream of points that is not stored: each is the weighted mean of all points that were ever
/// assigned to it (Sculley, "Web-scale k-means clustering", WWW 2010). The inertia is slightly above that of
/// kin_kmeans_fit, in one pass and with the memory of a batch.
typedef struct kin_minibatch_kmeans kin_minibatch_kmeans;

/// Makes a stream without points.
///
/// @param k         clusters, 1 or more
/// @param dimension the numbers in every point, 1 or more
/// @param options   NULL for the defaults
/// @param stream    receives the stream, to be given back by kin_minibatch_kmeans_free
kin_status kin_minibatch_kmeans_create(size_t k, size_t dimension, const kin_minibatch_kmeans_options *options,
                                       kin_minibatch_kmeans **stream);

/// Makes a stream from the bytes of kin_minibatch_kmeans_encode; it goes on as that one would, bit for bit. Any bytes
/// give a stream or KIN_CORRUPT_FILE, KIN_UNSUPPORTED_FORMAT or KIN_INVALID_ARGUMENT.
///
/// @param threads the most threads to use, 1 ... 65,536, which the bytes do not say
/// @param stream  receives the stream, to be given back by kin_minibatch_kmeans_free
kin_status kin_minibatch_kmeans_decode(const uint8_t *bytes, size_t count, size_t threads,
                                       kin_minibatch_kmeans **stream);

/// Writes the state as bytes: options, centroids and what they have accumulated, or the points held back.
///
/// @param bytes    room for `capacity` bytes; may be NULL when capacity is 0
/// @param capacity less than needed: nothing is written but `count`
/// @param count    receives the number of bytes needed: 96 + 8 k (dimension + 1), and 4 k x dimension more for cosine;
///                 while points are held back, 48 + points x (4 x dimension + 8)
kin_status kin_minibatch_kmeans_encode(const kin_minibatch_kmeans *stream, uint8_t *bytes, size_t capacity,
                                       size_t *count);

/// Makes a second stream with the same state, to be given back by kin_minibatch_kmeans_free.
kin_status kin_minibatch_kmeans_copy(const kin_minibatch_kmeans *stream, kin_minibatch_kmeans **copy);

/// Gives the stream back.
void kin_minibatch_kmeans_free(kin_minibatch_kmeans *stream);

/// Updates the centroids by a batch; some thousands of points are a good size. The first 3 k points are held back, and
/// k-means finds the initial centroids among them. A call that fails changes nothing.
///
/// @param points  count rows of the stream's dimension; finite, and for cosine not all zero
/// @param weights one a point: 0, or 1e-100 ... 1e100; NULL: 1 each
///
/// Time O(count x k x dimension), on 8-bit codes from 24 clusters on.
kin_status kin_minibatch_kmeans_partial_fit(kin_minibatch_kmeans *stream, const float *points, size_t count,
                                            size_t stride, const double *weights);

/// The number of clusters; 0 for NULL.
size_t kin_minibatch_kmeans_k(const kin_minibatch_kmeans *stream);

/// The numbers in every point; 0 for NULL.
size_t kin_minibatch_kmeans_dimension(const kin_minibatch_kmeans *stream);

/// The metric; -1 for NULL.
kin_metric kin_minibatch_kmeans_metric(const kin_minibatch_kmeans *stream);

/// The number of points received, those held back included; 0 for NULL.
uint64_t kin_minibatch_kmeans_count(const kin_minibatch_kmeans *stream);

/// The mean distance of the latest batch's points to the centroids before its update, which no longer falls once the
/// stream has converged; 0 before there are centroids, and for NULL.
double kin_minibatch_kmeans_inertia(const kin_minibatch_kmeans *stream);

/// Writes the centroids: k rows; of length 1 for cosine. KIN_INVALID_ARGUMENT while points are held back.
kin_status kin_minibatch_kmeans_centroids(const kin_minibatch_kmeans *stream, float *centroids, size_t stride);

/// Makes a clustering of points, of the stream or not, by the present centroids; while points are held back, by those
/// that k-means finds among them. The stream does not change.
///
/// @param points     count rows of the stream's dimension, 1 or more; finite, and for cosine not all zero
/// @param weights    one a point: 0, or 1e-100 ... 1e100; NULL: 1 each
/// @param clustering receives the clustering, to be given back by kin_clustering_free
///
/// Fails with KIN_INVALID_ARGUMENT when the stream has had fewer than k points.
kin_status kin_minibatch_kmeans_clustering(const kin_minibatch_kmeans *stream, const float *points, size_t count,
                                           size_t stride, const double *weights, kin_clustering **clustering);

// --------------------------------------------------------------------------------------------------------------------
// Principal components
// --------------------------------------------------------------------------------------------------------------------

/// The directions in which data varies most; it never changes.
typedef struct kin_pca kin_pca;

/// Finds the principal components of a table: the unit eigenvectors of its covariance, largest variance first, in
/// double precision. Of the two signs a component could have, its element of largest magnitude is positive.
///
/// @param data       count rows (2 or more) of `dimension` finite numbers
/// @param components how many to keep, 1 ... min(count, dimension); 0: all of these
/// @param threads    the most threads to use, 1 ... 65,536; the result does not depend on it
/// @param pca        receives the components, to be given back by kin_pca_free
///
/// Fails with KIN_INVALID_ARGUMENT, KIN_NOT_FINITE or KIN_CAPACITY_EXCEEDED (more than 32,766 columns). Time O(count x
/// dimension^2 + dimension^3), memory 8 x dimension^2 bytes and more.
kin_status kin_pca_fit(const float *data, size_t count, size_t dimension, size_t stride, size_t components,
                       size_t threads, kin_pca **pca);

/// Makes it from the numbers of an earlier one.
///
/// @param mean               `dimension` numbers
/// @param components         `count` x `dimension` numbers, packed
/// @param explained_variance `count` numbers, not negative, none larger than the one before
/// @param total_variance     at least the sum of these, to rounding
/// @param pca                receives the components, to be given back by kin_pca_free
kin_status kin_pca_create(const double *mean, const double *components, const double *explained_variance,
                          double total_variance, size_t count, size_t dimension, kin_pca **pca);

/// Gives the components back.
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

/// Writes the vectors that coordinates stand for: x = mean + sum of y x component. With all components this undoes
/// kin_pca_transform, to rounding.
///
/// @param coordinates count rows of kin_pca_count numbers
/// @param data        receives count rows of kin_pca_dimension numbers
kin_status kin_pca_inverse_transform(const kin_pca *pca, const float *coordinates, size_t count, size_t stride,
                                     float *data, size_t data_stride);

// --------------------------------------------------------------------------------------------------------------------
// Policies: contextual bandits, which choose among actions and learn from the rewards
// --------------------------------------------------------------------------------------------------------------------

/// The kinds of policies: their models of rewards and ways to explore. The set is open.
typedef int32_t kin_policy_kind;

enum {
    /// The kind that the library recommends: logistic models, for rewards from 0 to 1. With arms it standardizes
    /// features by what it sees and takes no prior weights and no prior intercept.
    KIN_POLICY_STANDARD = 0,
    KIN_POLICY_EPSILON_GREEDY = 1,    ///< a linear model; a share of all choices at random
    KIN_POLICY_LINUCB = 2,            ///< a linear model; the highest upper confidence bound
    KIN_POLICY_THOMPSON = 3,          ///< a linear model; the best under weights drawn from their posterior
    KIN_POLICY_LOGISTIC_THOMPSON = 4, ///< the same on a logistic model, for rewards from 0 to 1
    KIN_POLICY_LOGISTIC_UCB = 5,      ///< upper confidence bounds on a logistic model
    KIN_POLICY_SQUARECB = 6,          ///< a linear model; inverse gap weighting
    KIN_POLICY_REGCB = 7,             ///< a linear model; evenly among the arms that could still be the best
};

/// Parameters of a new policy.
typedef struct kin_policy_options {
    size_t size;        ///< sizeof(kin_policy_options)
    size_t arms;        ///< a model for each of so many arms, at most 65,536; 0: one model for all, actions being rows
    int32_t pairs;      ///< 1: products of features in pairs are features too; these are 4,095 at most with them
    double exploration; ///< share, width, scale or gain, by the kind; below 0: its default
    double epsilon;     ///< the share of choices that is uniformly random, 0 ... 1; below 0: the kind's default
    double prior_precision;      ///< of each weight before any observation, 1e-9 ... 1e9; 0: the default
    double effective_window;     ///< observations after which one weighs 1/e of a new one, 2 or more; 0: no discount
    double prior_intercept;      ///< the score expected where all features are 0, of a magnitude of 1e9 at most
    const double *prior_weights; ///< the weights' means before any observation, one a feature, up to 1e40; NULL: zeros
    uint64_t seed;               ///< the same seed and the same calls give the same choices
} kin_policy_options;

/// One model for all actions, no pairs, the kind's own exploration, a prior of zeros, no discount, seed 0.
#define KIN_POLICY_OPTIONS_INIT                                                                                        \
    { sizeof(kin_policy_options), 0, 0, -1, -1, 0, 0, 0, NULL, 0 }

/// A policy and its state. Calls that change it take turns. Features have a magnitude of 1e40 at most, rewards of 1e9.
/// The scale of every feature is observed: features times any factor, from 1e-40 to 1e40, give the same choices.
///
/// With D features of its model, pairs and a constant included, and K arms: a policy has 8 (D^2 / 2 + 2 D) bytes for
/// each arm, or once without arms, and 2^28 numbers at most. To choose in a context takes O(K D), by confidence bounds
/// and Thompson sampling O(K D^2); among n actions O(n D), by confidence bounds O(n D^2). An observation takes O(D^2).
typedef struct kin_policy kin_policy;

/// Makes a policy that has learned nothing yet.
///
/// @param dimension features of an action, or with arms of the context, 1 ... 4,095
/// @param options   NULL for the defaults
/// @param policy    receives the policy, to be given back by kin_policy_free
///
/// Fails with KIN_CAPACITY_EXCEEDED for more than 2^28 numbers.
kin_status kin_policy_create(kin_policy_kind kind, size_t dimension, const kin_policy_options *options,
                             kin_policy **policy);

/// Makes a policy from the bytes of kin_policy_encode; it goes on as that one would. Any bytes give a policy or
/// KIN_CORRUPT_FILE, KIN_UNSUPPORTED_FORMAT or KIN_INVALID_ARGUMENT.
kin_status kin_policy_decode(const uint8_t *bytes, size_t count, kin_policy **policy);

/// Writes the state as bytes.
///
/// @param bytes    room for `capacity` bytes; may be NULL when capacity is 0
/// @param capacity less than needed: nothing is written but `count`
/// @param count    receives the number of bytes needed
kin_status kin_policy_encode(const kin_policy *policy, uint8_t *bytes, size_t capacity, size_t *count);

/// Makes a second policy with the same state, to be given back by kin_policy_free.
kin_status kin_policy_copy(const kin_policy *policy, kin_policy **copy);

/// Gives the policy back.
void kin_policy_free(kin_policy *policy);

/// The features of an action or a context; 0 for NULL.
size_t kin_policy_dimension(const kin_policy *policy);

/// The number of arms with a model of their own; 0 for a policy without and for NULL.
size_t kin_policy_arms(const kin_policy *policy);

/// The number of rewards learned; 0 for NULL.
uint64_t kin_policy_observations(const kin_policy *policy);

/// Chooses an action or arms. Without arms: one of `count` actions, each a row of features. With arms: an arm for each
/// of `count` contexts, one after the other, nothing being learned in between.
///
/// @param rows         count rows of kin_policy_dimension numbers; at least one
/// @param choices      receives the chosen row (1 number), or an arm for each context (count numbers)
/// @param propensities receives the probability of each of these choices
kin_status kin_policy_choose(kin_policy *policy, const double *rows, size_t count, size_t stride, int64_t *choices,
                             double *propensities);

/// Chooses among some arms in one context.
///
/// @param context    kin_policy_dimension numbers
/// @param arms       `count` different arms
/// @param choice     receives the chosen arm
/// @param propensity receives the probability of the choice
kin_status kin_policy_choose_among(kin_policy *policy, const double *context, const int64_t *arms, size_t count,
                                   int64_t *choice, double *propensity);

/// Learns from the rewards of choices, all or nothing.
///
/// @param rows    count rows: the features of the chosen actions, or the contexts
/// @param arms    the chosen arms; NULL for a policy without
/// @param rewards count numbers; from 0 to 1 for a logistic model
/// @param weights how many such rewards each stands for, above 0 and up to 1e9; NULL: 1
///
/// Fails with KIN_NUMERICAL_FAILURE when observations of magnitudes too far apart cannot be discounted.
kin_status kin_policy_learn(kin_policy *policy, const double *rows, size_t count, size_t stride, const int64_t *arms,
                            const double *rewards, const double *weights);

/// Plays labelled rows as a bandit, in their order: chooses an arm, sees whether it is the label, and learns that
/// alone.
///
/// @param rows         count contexts
/// @param labels       count arms
/// @param choices      receives the chosen arms
/// @param propensities receives their probabilities; may be NULL
kin_status kin_policy_play(kin_policy *policy, const double *rows, size_t count, size_t stride, const int64_t *labels,
                           int64_t *choices, double *propensities);

/// Multiplies the weight of everything learned so far by a factor, 0 ... 1: for time that has passed.
///
/// Fails with KIN_NUMERICAL_FAILURE as kin_policy_learn does. Takes O(K D^3).
kin_status kin_policy_discount(kin_policy *policy, double factor);

/// Writes the expected rewards, probabilities for a logistic model.
///
/// @param rewards receives count numbers, or with arms count rows of kin_policy_arms numbers, packed
kin_status kin_policy_expected_rewards(const kin_policy *policy, const double *rows, size_t count, size_t stride,
                                       double *rewards);

/// Writes the probability of each action were it chosen from now: with arms what kin_policy_choose would choose each
/// context by if it came next, exactly; without arms exact too, but for Thompson sampling a mean over draws.
///
/// @param draws         how many draws to average over, 1 ... 16,777,216; only Thompson sampling without arms uses them
/// @param seed          what they are drawn from
/// @param probabilities receives count numbers, or with arms count rows of kin_policy_arms numbers, packed
///
/// Fails with KIN_CAPACITY_EXCEEDED for draws of more than 2^28 numbers: draws times the larger of count and features.
kin_status kin_policy_probabilities(const kin_policy *policy, const double *rows, size_t count, size_t stride,
                                    size_t draws, uint64_t seed, double *probabilities);

/// The estimators of a policy's value from another one's log. The set is open.
typedef int32_t kin_estimator;

enum {
    KIN_ESTIMATOR_IPS = 0,   ///< inverse propensity scores
    KIN_ESTIMATOR_SNIPS = 1, ///< the same divided by the sum of the weights
    KIN_ESTIMATOR_DM = 2,    ///< the direct method: a model's estimates alone
    KIN_ESTIMATOR_DR = 3,    ///< doubly robust: right when either the propensities or the model are
    // Doubly robust with limited weights, whose limit is chosen from the log: less variance for some bias, which the
    // interval does not show.
    KIN_ESTIMATOR_SWITCH_DR = 4, ///< by the model alone where a weight exceeds the limit
    KIN_ESTIMATOR_DROS = 5,      ///< large weights shrunk towards 0
    KIN_ESTIMATOR_SG_DR = 6,     ///< weights below a bound, so that errors are sub-Gaussian
};

/// Estimates the reward a round that a policy would have had, with an interval: the score interval, or that of a
/// bootstrap.
///
/// @param rewards       of the logged actions, `count` numbers
/// @param propensities  the probabilities with which they were logged, 1e-100 ... 1
/// @param probabilities the probabilities with which the evaluated policy would choose them
/// @param estimates     the rewards that a model expects of them; NULL: none, for IPS and SNIPS
/// @param values        the rewards that a model expects under the evaluated policy; NULL with `estimates`
/// @param confidence    how often the interval should hold the truth, between 0 and 1
/// @param resamples     0: the score interval, which holds it more nearly as often; or 2 ... 10,000,000 of a bootstrap
/// @param result        receives the value, and the interval's lower and upper end: 3 numbers. The ends are NaN with
/// less than 20 effective rounds, (sum of w)^2 / sum of w^2 with w = probability / propensity, and if all rounds agree
///
/// Fails with KIN_NUMERICAL_FAILURE when rewards or probability / propensity are so large that the result is not
/// finite. Takes O(count), and O(count x resamples) for a bootstrap.
kin_status kin_off_policy_estimate(kin_estimator estimator, const double *rewards, const double *propensities,
                                   const double *probabilities, const double *estimates, const double *values,
                                   size_t count, double confidence, size_t resamples, uint64_t seed, double *result);

/// Estimates the propensities of a log that has none: those of a multinomial logistic model of the action given the
/// features, fitted to other people's rounds (cross-fitting) and calibrated. Estimates by them are right only when the
/// features have everything that the logging policy went by.
///
/// @param actions      `count` numbers of the logged actions
/// @param features     `count` rows of `dimension` numbers, `stride` bytes apart (0: packed); units do not matter
/// @param groups       the number of each round's person or unit; NULL: rounds are independent
/// @param folds        3 or more; 0: 5
/// @param floor        the least propensity, to which lower ones are raised; 0: a tenth of an even share, at most 0.01
/// @param seed         of the folds
/// @param propensities receives the probabilities of the logged actions, `count` numbers
/// @param result       receives the floor, the number of propensities that were raised to it, and the expected
///                     calibration error of the model: 3 numbers
kin_status kin_off_policy_propensities(const int64_t *actions, const double *features, size_t count, size_t dimension,
                                       size_t stride, const int64_t *groups, size_t folds, double floor, uint64_t seed,
                                       double *propensities, double *result);

/// Chooses which features stand for the actions (MIPS): all of them, or fewer while no bias shows (SLOPE). The
/// importance of a round is then that of all actions that share these features with the logged one: estimate with the
/// propensities and probabilities that this writes.
///
/// @param rewards       of the logged actions, `count` numbers
/// @param actions       the logged actions, 0 ... action_count - 1
/// @param features      `action_count` rows of `dimension` whole numbers, packed: equal numbers are equal features
/// @param propensities  of all actions under the logging policy, `count` rows of `action_count` numbers, packed
/// @param probabilities the same under the evaluated policy
/// @param kept          receives 1 for each dimension that is kept and 0 for others, `dimension` numbers
/// @param shared_propensities   receives the propensities of the logged actions' features, `count` numbers
/// @param shared_probabilities  receives their probabilities under the evaluated policy, `count` numbers
kin_status kin_off_policy_select_features(const double *rewards, const int64_t *actions, size_t count,
                                          const int64_t *features, size_t action_count, size_t dimension,
                                          const double *propensities, const double *probabilities, uint8_t *kept,
                                          double *shared_propensities, double *shared_probabilities);

/// The estimators of the value of a policy of slates (rankings) from another one's log. The set is open.
typedef int32_t kin_slate_estimator;

enum {
    KIN_SLATE_SIPS = 0, ///< rewards weighted by the importance of the whole slate
    KIN_SLATE_IIPS = 1, ///< by that of their slot alone; probabilities are those of the slot, whatever stands above
    KIN_SLATE_RIPS = 2, ///< by that of their slot and those above
    KIN_SLATE_CASCADE_DR = 3, ///< a model's expectation from each slot down, corrected by its weighted errors
};

/// Estimates the reward a slate that a policy would have had, with an interval as kin_off_policy_estimate.
///
/// The arrays have `count` rows of `slots` numbers, packed, the top slot first. Probabilities are those given the slots
/// above, but for IIPS.
///
/// @param slots         the slots of a slate, 1 or more
/// @param rewards       of the slots
/// @param propensities  the probabilities with which their actions were logged, above 0
/// @param probabilities the probabilities with which the evaluated policy would choose them
/// @param estimates     the rewards that a model expects of them and what is below; NULL: none, for all but Cascade-DR
/// @param values        the same under the evaluated policy; NULL with `estimates`
/// @param confidence    how often the interval should hold the truth, between 0 and 1
/// @param resamples     0: the score interval, which holds it more nearly as often; or 2 ... 10,000,000 of a bootstrap
/// @param result        receives the value, and the interval's lower and upper end: 3 numbers. The ends are NaN with
/// less than 20 effective rounds, (sum of w)^2 / sum of w^2 with w = probability / propensity, and if all rounds agree
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
/// that is added or gets more weight takes people from the others, and moves nobody between those. Assignments by
/// another experiment's name or another key are independent.
///
/// @param experiment    the name of the experiment, UTF-8
/// @param key           the secret, 16 bytes or more
/// @param variants      the names of the variants, all different
/// @param weights       above 0; NULL: all equal
/// @param people        the ids of count people
/// @param assigned      receives the index of each person's variant, count numbers
kin_status kin_experiment_assign(const char *experiment, const uint8_t *key, size_t key_count,
                                 const char *const *variants, const double *weights, size_t variant_count,
                                 const char *const *people, size_t count, int64_t *assigned);

/// Tests the effect of a treatment at all times: p-values and intervals hold however often one looks, and whenever one
/// stops. Nothing is assumed of the outcomes but their range.
///
/// @param outcomes   one for each of count people, in the order of their arrival
/// @param treated    1 for those with the treatment, 0 for the control
/// @param share      the probability of the treatment, 1e-9 ... 1 - 1e-9
/// @param low        the least possible outcome
/// @param high       the largest possible outcome
/// @param confidence of the interval, between 0 and 1
/// @param p_values   receives the p-value after each outcome, count numbers; may be NULL
/// @param result     receives the effect (the treatment's mean outcome less the control's), its interval's lower and
///                   upper end, and the p-value: 4 numbers
kin_status kin_experiment_test(const double *outcomes, const uint8_t *treated, size_t count, double share, double low,
                               double high, double confidence, double *p_values, double *result);

/// Computes how many people find an effect, of both variants together.
///
/// @param baseline     the mean outcome under the control, 0 ... 1
/// @param effect       the treatment's mean outcome less that, not 0
/// @param share        the probability of the treatment, between 0 and 1
/// @param significance the probability of finding an effect where there is none, between 0 and 1
/// @param power        the probability of finding this one, between 0 and 1
/// @param result       receives the number for a test at the end, and for kin_experiment_test: 2 numbers
kin_status kin_experiment_size(double baseline, double effect, double share, double significance, double power,
                               double *result);

/// Computes the least increase that a number of people finds; see kin_experiment_size.
///
/// @param size   the number of people, of both variants together
/// @param result receives the increase for a test at the end, and for kin_experiment_test: 2 numbers
kin_status kin_experiment_effect(double baseline, size_t size, double share, double significance, double power,
                                 double *result);

#ifdef __cplusplus
}
#endif

#endif
