// kin_engine.h: queries and commands to a store of people's records, in JSON; beside it kin.h has the calls with
// arrays.
//
// libkin_engine has these functions and all of kin.h; it carries SQLite's wrapper and Foundation, which make it some 36
// MB where libkin has 11. Link one of the two. What kin.h says of errors, threads and text holds here.
//
// What the methods take and give is in METHODS.md, which is installed beside this file. An example:
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

/// An engine: a store of records, one SQLite file, with its queries and commands by name, in JSON.
typedef struct kin_engine kin_engine;

/// Opens a store, and makes one where there is none.
///
/// @param path      the database file; NULL: records are kept in memory
/// @param read_only 1: only to read, with a path; any number of processes may, beside the one that writes. 0: to write
/// too
/// @param engine    receives the engine, to be given back by kin_engine_close
///
/// A store does not survive a fork: a child of a process that had one, or that used several threads, gets
/// KIN_INVALID_ARGUMENT here and from kin_engine_call; start it anew instead. In memory it may open one, for the
/// methods that need no record: all others fail there.
///
/// Fails with KIN_BUSY when another process has it open for writing, KIN_CORRUPT_FILE, KIN_UNSUPPORTED_FORMAT or
/// KIN_INPUT_OUTPUT.
kin_status kin_engine_open(const char *path, int32_t read_only, kin_engine **engine);

/// Opens a store whose naming key the caller keeps: in a keychain, or with a key service.
///
/// From the naming key anonymous names and the ids of contributions are made. Without one of the caller's the store
/// makes its own and keeps it in the database; with one the database has a fingerprint of it alone, and everything that
/// has to do with names wants the same key from then on.
///
/// @param path       the database file; NULL: records are kept in memory
/// @param read_only  as kin_engine_open takes it
/// @param key        the key, drawn by chance; copied
/// @param key_length bytes of the key, 16 to 4096
/// @param engine     receives the engine, to be given back by kin_engine_close
///
/// Fails as kin_engine_open does, and with KIN_INVALID_ARGUMENT for a key that is too short or not the store's.
kin_status kin_engine_open_keyed(const char *path, int32_t read_only, const uint8_t *key, size_t key_length,
                                 kin_engine **engine);

/// Options of an engine that is opened.
typedef struct kin_engine_options {
    size_t size;               ///< sizeof(kin_engine_options)
    int32_t read_only;         ///< as kin_engine_open takes it
    const uint8_t *naming_key; ///< as kin_engine_open_keyed takes it; NULL: the store's own
    size_t naming_key_length;  ///< bytes of the naming key, 16 to 4096; 0 without one
    size_t memory_budget;      ///< bytes for data derived from records; 0: a quarter of the memory, 256 MiB to 2 GiB
} kin_engine_options;

/// To read and to write, the store's own naming key, a quarter of the machine's memory.
#define KIN_ENGINE_OPTIONS_INIT                                                                                        \
    { sizeof(kin_engine_options), 0, NULL, 0, 0 }

/// Opens a store, and makes one where there is none; the function that has all options.
///
/// Indexes, matchers, learned profiles and what else answers are found by is derived from the records and kept in
/// memory as far as memory_budget goes; what was used the longest ago leaves first, and is derived again when it is
/// needed. A single index that is larger is kept alone. The method "memory" says what is in use.
///
/// @param path    the database file; NULL: records are kept in memory, which is not a part of memory_budget
/// @param options the options; NULL: those of KIN_ENGINE_OPTIONS_INIT
/// @param engine  receives the engine, to be given back by kin_engine_close
///
/// Fails as kin_engine_open_keyed does.
kin_status kin_engine_open_with(const char *path, const kin_engine_options *options, kin_engine **engine);

/// Puts a backup in place of a store, which begins a new history there; the method "backup" makes backups.
///
/// After a failure, or the end of the process at any moment, either the old store is whole, with its log, or the new
/// one is. With the store's own path as `backup` the store goes on from its database file.
///
/// @param backup the backup, or the database file of any store
/// @param path   the store to replace; it may be missing or damaged
///
/// Fails with KIN_BUSY while the store is open, KIN_CORRUPT_FILE for a damaged backup, KIN_UNSUPPORTED_FORMAT for one
/// of a newer release, KIN_INVALID_ARGUMENT when the file at `path` is not a store, or KIN_INPUT_OUTPUT.
kin_status kin_engine_restore(const char *backup, const char *path);

/// Saves the indexes beside the database, closes it and gives the engine back, whatever the status says; nothing for
/// NULL. A process that ends without it loses nothing, but the next to open has more to do.
kin_status kin_engine_close(kin_engine *engine);

/// Calls a method; many threads may at once, on one engine.
///
/// @param method  its name, one of kin_engine_methods
/// @param request its parameters, an object in JSON; NULL for none
/// @param answer  receives the answer in JSON, to be given back by kin_string_free; not touched on failure
///
/// Fails with KIN_INVALID_ARGUMENT for a method or a parameter that there is not, KIN_MALFORMED_INPUT for broken JSON,
/// and with what the method fails with; the last error names method, parameter and record.
kin_status kin_engine_call(kin_engine *engine, const char *method, const char *request, char **answer);

/// Reads a baby's log in Kin's own CSV or JSON, or as a tracker exports it, with a report.
///
/// Encoding, separator, decimal mark, columns, dates, times and units are detected. The page "Importing logs" of
/// KinFiles lists the trackers.
///
/// @param path    the file, or a folder of files with a type each; NULL: the log is in `log`
/// @param log     the text of the log, if path is NULL
/// @param options a JSON object of `born` (the day of birth), `zone` (the time zone whose clocks show times with an
/// offset), `child` (the name of the child, in a log of several), `dates` ("day-first" or "month-first"), `unit` ("ml"
/// or "oz", of amounts without a unit) and `strict` (true: anything to report is an error); NULL for none
/// @param answer  receives a JSON object of `log` (`name`, `date_of_birth` and `events`, as the method "forecast" takes
/// a log) and `report` (`files` and `repairs`), to be freed by kin_string_free; not touched on failure
///
/// Fails with KIN_INPUT_OUTPUT for a file that cannot be read, and KIN_MALFORMED_INPUT with line and column; also if
/// the order of day and month or the unit of amounts stays open.
kin_status kin_log_read(const char *path, const char *log, const char *options, char **answer);

/// The names of all methods, a JSON array in ascending order. The text lives as long as the process.
const char *kin_engine_methods(void);

/// All methods for generators of code and pages, a JSON object: under `groups` each group's `title`, `prose` and
/// `methods` (`name`, `summary`, `is_command`, `answer`, `fields`, `parameters`), under `records` the fields of each
/// kind of record. The text lives as long as the process.
const char *kin_engine_method_table(void);

#ifdef __cplusplus
}
#endif

#endif
