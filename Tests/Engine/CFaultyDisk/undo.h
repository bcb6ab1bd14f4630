#ifndef FAULTY_DISK_UNDO_H
#define FAULTY_DISK_UNDO_H

#include <sqlite3.h>
#include <stdint.h>

// What was done to a file since it was last synchronized, so that a power failure can take parts of it back.

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

/// Notes a write that is about to be made.
void undo_note_write(struct undo_log *log, sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset);

/// Notes a truncation that is about to be made.
void undo_note_truncate(struct undo_log *log, sqlite3_file *file, sqlite3_int64 size);

/// Forgets all: the file is on the disk.
void undo_clear(struct undo_log *log);

/// Takes back everything and then does again a part of it that chance chooses.
void undo_fail(struct undo_log *log, sqlite3_file *file, uint64_t *state);

/// The next number of a generator (SplitMix64).
uint64_t undo_random(uint64_t *state);

#endif
