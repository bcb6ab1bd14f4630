#include "undo.h"

#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512 };

uint64_t undo_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// SQLite's own files transfer at most 128 KiB at a time.
enum { PIECE = 1 << 16 };

static void read_all(sqlite3_file *file, unsigned char *bytes, int length, sqlite3_int64 offset) {
    for (int first = 0; first < length; first += PIECE) {
        int rest = length - first;
        file->pMethods->xRead(file, bytes + first, rest < PIECE ? rest : PIECE, offset + first);
    }
}

static void write_all(sqlite3_file *file, const unsigned char *bytes, int length, sqlite3_int64 offset) {
    for (int first = 0; first < length; first += PIECE) {
        int rest = length - first;
        file->pMethods->xWrite(file, bytes + first, rest < PIECE ? rest : PIECE, offset + first);
    }
}

// Adds an entry with a copy of the existing bytes from `offset` on, at most `length`.
static struct undo_entry *note(struct undo_log *log, sqlite3_file *file, sqlite3_int64 offset, sqlite3_int64 length) {
    struct undo_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        abort();
    file->pMethods->xFileSize(file, &entry->old_size);
    sqlite3_int64 there = entry->old_size - offset;
    entry->old_length = (int)(there < 0 ? 0 : there < length ? there : length);
    entry->offset = offset;
    entry->old_bytes = malloc((size_t)entry->old_length + 1);
    if (!entry->old_bytes)
        abort();
    read_all(file, entry->old_bytes, entry->old_length, offset);
    entry->before = log->last;
    log->last = entry;
    return entry;
}

void undo_note_write(struct undo_log *log, sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    struct undo_entry *entry = note(log, file, offset, length);
    entry->length = length;
    entry->new_bytes = malloc((size_t)length + 1);
    if (!entry->new_bytes)
        abort();
    memcpy(entry->new_bytes, bytes, (size_t)length);
}

void undo_note_truncate(struct undo_log *log, sqlite3_file *file, sqlite3_int64 size) {
    note(log, file, size, INT32_MAX);
}

static struct undo_entry *remove_last(struct undo_log *log) {
    struct undo_entry *entry = log->last;
    log->last = entry->before;
    return entry;
}

static void release(struct undo_entry *entry) {
    free(entry->new_bytes);
    free(entry->old_bytes);
    free(entry);
}

void undo_clear(struct undo_log *log) {
    while (log->last)
        release(remove_last(log));
}

// Repeats an entry: completely, not at all, or some sectors of a write.
static void redo(const struct undo_entry *entry, sqlite3_file *file, uint64_t *state) {
    uint64_t chance = undo_random(state) % 3;
    if (chance == 0)
        return;
    if (entry->length == 0) {
        file->pMethods->xTruncate(file, entry->offset);
        return;
    }
    for (int first = 0; first < entry->length; first += SECTOR) {
        int rest = entry->length - first;
        if (chance == 1 || undo_random(state) % 2 == 0) {
            file->pMethods->xWrite(file, entry->new_bytes + first, rest < SECTOR ? rest : SECTOR,
                                   entry->offset + first);
        }
    }
}

void undo_fail(struct undo_log *log, sqlite3_file *file, uint64_t *state) {
    struct undo_log again = {0};
    while (log->last) {
        struct undo_entry *entry = remove_last(log);
        write_all(file, entry->old_bytes, entry->old_length, entry->offset);
        sqlite3_int64 size = 0;
        file->pMethods->xFileSize(file, &size);
        if (size > entry->old_size)
            file->pMethods->xTruncate(file, entry->old_size);
        entry->before = again.last;
        again.last = entry;
    }
    while (again.last) {
        struct undo_entry *entry = remove_last(&again);
        redo(entry, file, state);
        release(entry);
    }
}
