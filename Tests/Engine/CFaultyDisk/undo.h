#ifndef FAULTY_DISK_UNDO_H
#define FAULTY_DISK_UNDO_H

#include <sqlite3.h>
#include <stdint.h>

// The changes to a file since its last synchronization, so that a power failure can undo parts of them.

struct undo_entry {
    struct undo_entry *before;
    sqlite3_int64 offset;   // where the write began, or where the file was cut
    sqlite3_int64 old_size; // of the file
    int length;             // of the write; 0 for a truncation
    int old_length;         // bytes that were there, from offset on
    unsigned char *new_bytes;
    unsigned char *old_bytes;
};

struct undo_log {
    struct undo_entry *last;
};

/// Records a write that is about to happen.
void undo_note_write(struct undo_log *log, sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset);

/// Records a truncation that is about to happen.
void undo_note_truncate(struct undo_log *log, sqlite3_file *file, sqlite3_int64 size);

/// Clears the log: the file is on the disk.
void undo_clear(struct undo_log *log);

/// Undoes all changes, then repeats a random part of them.
void undo_fail(struct undo_log *log, sqlite3_file *file, uint64_t *state);

/// The next number of a generator (SplitMix64).
uint64_t undo_random(uint64_t *state);

#endif
