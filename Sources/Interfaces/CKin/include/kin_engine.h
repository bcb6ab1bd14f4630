// kin_engine.h: queries of and commands to a store of people's records, in JSON, in addition to the calls with arrays
// in kin.h.
//
// libkin_engine has these functions and all of kin.h. It contains SQLite's wrapper, Foundation and the command-line
// tool, and takes about 40 MB; libkin takes 11 MB. Link one of the two. The rules of kin.h on errors, threads and text
// hold here.
//
// METHODS.md, which is installed next to this file, describes the parameters and answers of the methods. An example:
//
//     kin_engine *engine = NULL;
//     char *answer = NULL;
//     const char *request = "{\"session\": \"s1\", \"where\": \"state = drift\", \"k\": 5}";
//     if (kin_engine_open("people.db", 0, &engine) != KIN_OK ||
//         kin_engine_call(engine, "near", request, &answer) != KIN_OK)
//         fprintf(stderr, "%s\n", kin_last_error());
//     kin_string_free(answer);
//     kin_engine_close(engine);

#ifndef KIN_ENGINE_H
#define KIN_ENGINE_H

#include "kin.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An engine: a store of records in one SQLite file, with its queries and commands by name, in JSON.
typedef struct kin_engine kin_engine;

/// Vectors that were read from a file, with the ids, labels and attributes of the rows.
typedef struct kin_vectors kin_vectors;

/// Opens a store, and creates it if there is no file.
///
/// @param path      the database file; NULL: records are in memory only
/// @param read_only 1: only to read, with a path; any number of processes can read while one writes. 0: to read and
///                  write
/// @param engine    receives the engine, to be freed by kin_engine_close
///
/// A store does not survive a fork. In a child of a process that had a store open, or that used several threads, this
/// call and kin_engine_call fail with KIN_INVALID_ARGUMENT; start a new process instead. Such a child can open a store
/// in memory for the methods that need no record; all other methods fail.
///
/// Fails with KIN_BUSY if another process has the store open for writing, KIN_CORRUPT_FILE, KIN_UNSUPPORTED_FORMAT or
/// KIN_INPUT_OUTPUT.
kin_status kin_engine_open(const char *path, int32_t read_only, kin_engine **engine);

/// Opens a store with a naming key that the caller stores, such as in a keychain or with a key service.
///
/// Anonymous names and the ids of contributions are derived from the naming key. Without a key from the caller, the
/// store generates one and saves it in the database. With a key from the caller, the database contains only its
/// fingerprint, and every later operation that involves names needs the same key.
///
/// @param path       the database file; NULL: records are in memory only
/// @param read_only  as for kin_engine_open
/// @param key        the key, random bytes; copied
/// @param key_length bytes of the key, 16 to 4096
/// @param engine     receives the engine, to be freed by kin_engine_close
///
/// Fails as kin_engine_open does, and with KIN_INVALID_ARGUMENT for a key that is too short or not the store's.
kin_status kin_engine_open_keyed(const char *path, int32_t read_only, const uint8_t *key, size_t key_length,
                                 kin_engine **engine);

/// Options for opening an engine.
typedef struct kin_engine_options {
    size_t size;               ///< sizeof(kin_engine_options)
    int32_t read_only;         ///< as for kin_engine_open
    const uint8_t *naming_key; ///< as for kin_engine_open_keyed; NULL: the store's own
    size_t naming_key_length;  ///< bytes of the naming key, 16 to 4096; 0 without a key
    size_t memory_budget;      ///< bytes for data derived from records; 0: a quarter of the memory, 256 MiB to 2 GiB
    size_t answer_limit;       ///< bytes of a query's answer, above which it fails with KIN_CAPACITY_EXCEEDED; 0: 1 GiB
} kin_engine_options;

/// For reading and writing, with the store's own naming key and a quarter of the machine's memory.
#define KIN_ENGINE_OPTIONS_INIT                                                                                        \
    { sizeof(kin_engine_options), 0, NULL, 0, 0, 0 }

/// Opens a store, and creates it if there is no file; this function has all options.
///
/// Data derived from the records, such as indexes, matchers and learned profiles, is cached in memory up to
/// memory_budget. The least recently used data is dropped first, and derived again when it is needed. A single index
/// above the budget is cached alone. The method "memory" reports the memory in use.
///
/// @param path    the database file; NULL: records are in memory only, outside memory_budget
/// @param options the options; NULL: KIN_ENGINE_OPTIONS_INIT
/// @param engine  receives the engine, to be freed by kin_engine_close
///
/// Fails as kin_engine_open_keyed does.
kin_status kin_engine_open_with(const char *path, const kin_engine_options *options, kin_engine **engine);

/// Replaces a store by a backup, which starts a new history; the method "backup" makes backups.
///
/// After a failure, or if the process ends at any moment, either the old store with its log or the new store is
/// complete. With the store's own path as `backup`, the store continues from its database file. A process that has a
/// store without a log open for reading does not prevent this: its later calls fail and say that the store must be
/// opened again.
///
/// @param backup the backup, or the database file of any store
/// @param path   the store to replace; it may be missing or damaged
///
/// Fails with KIN_BUSY while the store is open, KIN_CORRUPT_FILE for a damaged backup, KIN_UNSUPPORTED_FORMAT for a
/// backup of a newer release, KIN_INVALID_ARGUMENT if the file at `path` is not a store, or KIN_INPUT_OUTPUT.
kin_status kin_engine_restore(const char *backup, const char *path);

/// Saves the indexes next to the database, closes it and frees the engine, also on failure; does nothing for NULL.
/// A process that ends without this call loses nothing, but the next process has more work when it opens the store.
kin_status kin_engine_close(kin_engine *engine);

/// Calls a method; many threads may call at the same time, on one engine.
///
/// @param method  the name, one of kin_engine_methods
/// @param request the parameters, an object in JSON; NULL: no parameters
/// @param answer  receives the answer in JSON, to be freed by kin_string_free; not touched on failure
///
/// Fails with KIN_INVALID_ARGUMENT for an unknown method or parameter, KIN_MALFORMED_INPUT for invalid JSON, and with
/// the errors of the method; the last error names method, parameter and record.
kin_status kin_engine_call(kin_engine *engine, const char *method, const char *request, char **answer);

/// Reads a baby's log, in Kin's own CSV or JSON or as exported by a tracker, and reports on it.
///
/// The encoding, separator, decimal mark, columns, dates, times and units are detected. The page "Importing logs" of
/// KinFiles lists the trackers.
///
/// @param path    the file, or a folder of files with a type each; NULL: the log is in `log`
/// @param log     the text of the log, if path is NULL
/// @param options a JSON object with the keys below, or NULL for none
/// @param answer  receives a JSON object, to be freed by kin_string_free; not touched on failure. Keys: `log` (`name`,
///                `date_of_birth` and `events`, the form that the method "forecast" takes) and `report` (`files` and
///                `repairs`)
///
/// Keys of `options`:
/// - `born`: the day of birth
/// - `zone`: the local time zone for times with an offset
/// - `child`: the name of the child, in a log of several children
/// - `dates`: "day-first", "month-first" or "year-first" (26-03-05)
/// - `unit`: "ml" or "oz", of amounts without a unit
/// - `strict`: true to fail if there is anything to report
///
/// Fails with KIN_INPUT_OUTPUT for a file that cannot be read. Fails with KIN_MALFORMED_INPUT, with line and column,
/// for an invalid log, and if the order of day and month or the unit of amounts is ambiguous.
kin_status kin_log_read(const char *path, const char *log, const char *options, char **answer);

/// Reads a whole file of vectors: CSV or other text with separators, NPY, or fvecs, bvecs and ivecs.
///
/// Encoding, separator, decimal mark and header are detected. A column that counts rows is not a dimension.
///
/// @param path    the file
/// @param options a JSON object with the keys below, or NULL for none
/// @param vectors receives the vectors, to be freed by kin_vectors_free; not touched on failure
///
/// Keys of `options`; columns are chosen in CSV only, by name or number from 1:
/// - `id`: the column of the ids. Default: the column "id", if there is one, otherwise row numbers from 0
/// - `label`: a column of texts that is not a dimension
/// - `columns`: the columns of the vector, in this order, or one column of lists such as "[0.1, 0.2]". Default: all
///   remaining columns
/// - `exclude`: columns to leave out
/// - `attributes`: attributes to read, such as "city:category", "start:time=began" or "stay:time-range=from,to"
/// - `header`: whether the first line names the columns. Default: detected
/// - `format`: "csv", "npy", "fvecs", "bvecs" or "ivecs". Default: by the name of the file
/// - `strict`: true to fail if there is anything to note
///
/// Fails with KIN_INPUT_OUTPUT for a file that cannot be read, KIN_INVALID_ARGUMENT for unknown columns, and
/// KIN_MALFORMED_INPUT, KIN_NOT_FINITE, KIN_DIMENSION_MISMATCH (lists of different lengths), KIN_DUPLICATE_ID or
/// KIN_UNSUPPORTED_FORMAT with line and column, row or byte. Reports progress in bytes.
kin_status kin_vectors_read(const char *path, const char *options, kin_vectors **vectors);

/// Frees vectors; does nothing for NULL.
void kin_vectors_free(kin_vectors *vectors);

/// The number of vectors; 0 for NULL.
size_t kin_vectors_count(const kin_vectors *vectors);

/// The number of dimensions; 0 for NULL.
size_t kin_vectors_dimension(const kin_vectors *vectors);

/// Copies vectors and ids to the caller's arrays.
///
/// @param elements receives count x dimension numbers, row after row; NULL: not wanted
/// @param ids      receives count ids, which are row numbers from 0 if the file has none that are numbers; NULL: not
///                 wanted
kin_status kin_vectors_copy(const kin_vectors *vectors, float *elements, uint64_t *ids);

/// Describes vectors: everything that was read besides numbers and ids.
///
/// @param json receives a JSON object, to be freed by kin_string_free; not touched on failure
///
/// Keys:
/// - `has_ids`: whether the file has ids that are numbers
/// - `names`: a text for each row, if the ids are texts
/// - `columns`: the names of the dimensions, if the file has them
/// - `labels`: a text for each row, if a column was chosen
/// - `attributes`: for each attribute an array with a value for each row, null where it is missing
/// - `notes`: what to know about the way the file was read
kin_status kin_vectors_describe(const kin_vectors *vectors, char **json);

/// The names of all methods, a JSON array in ascending order. The text is valid until the process ends.
const char *kin_engine_methods(void);

/// All methods, for generators of code and pages, as a JSON object. Under `groups` it has each group's `title`, `prose`
/// and `methods` (`name`, `summary`, `is_command`, `answer`, `fields`, `parameters`), and under `records` the fields of
/// each kind of record. The text is valid until the process ends.
const char *kin_engine_method_table(void);

/// Runs the command-line tool `kin` in this process, as its main function.
///
/// Reads standard input, and writes results to standard output and errors to standard error. Ctrl-C cancels long work.
/// Call it from one thread at a time.
///
/// @param count     the number of arguments, with the name of the program
/// @param arguments the arguments of main; NULL: only prints the help
///
/// Returns the exit status of the process, 0 for success. `kin --help` lists the others.
int32_t kin_tool_main(int32_t count, char *const *arguments);

#ifdef __cplusplus
}
#endif

#endif
