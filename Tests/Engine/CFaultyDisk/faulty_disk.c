#include "faulty_disk.h"

#include "undo.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// The part of a file that is this disk's. The system's file precedes it in memory. Its methods are replaced by a copy
// with some methods of this disk.
struct faulty_file {
    const sqlite3_io_methods *system;
    sqlite3_io_methods methods;
    sqlite3_file *file;
    struct faulty_file *next; // of the files with an undo log
    struct undo_log undo;
    int keeps_undo; // the database and its log do, temporary files need not
};

static sqlite3_vfs *system_disk;
static sqlite3_vfs this_disk;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct faulty_file *files; // with an undo log
static enum faulty_disk_fault armed;
static int64_t armed_step;
static uint64_t chance;
static _Atomic int64_t steps;

static struct faulty_file *part(sqlite3_file *file) {
    return (struct faulty_file *)((char *)file + system_disk->szOsFile);
}

static _Noreturn void die(void) {
    raise(SIGKILL);
    abort(); // not reached
}

static _Noreturn void lose_power(void) {
    for (struct faulty_file *file = files; file; file = file->next) {
        file->file->pMethods = file->system;
        undo_fail(&file->undo, file->file, &chance);
    }
    die();
}

// --- Steps ----------------------------------------------------------------------------------------------------------

// The outcome of a step, decided under the lock.
enum outcome { OUTCOME_GOES_ON, OUTCOME_ENDS, OUTCOME_FULL, OUTCOME_FAILS };

static enum outcome step(int grows) {
    int64_t number = atomic_fetch_add(&steps, 1);
    switch (armed) {
    case FAULTY_DISK_KILL:
    case FAULTY_DISK_POWER:
        return number == armed_step ? OUTCOME_ENDS : OUTCOME_GOES_ON;
    case FAULTY_DISK_FULL:
        return number >= armed_step && grows ? OUTCOME_FULL : OUTCOME_GOES_ON;
    case FAULTY_DISK_ERROR:
        return number == armed_step ? OUTCOME_FAILS : OUTCOME_GOES_ON;
    case FAULTY_DISK_NONE:
        break;
    }
    return OUTCOME_GOES_ON;
}

static _Noreturn void end(void) {
    if (armed == FAULTY_DISK_POWER)
        lose_power();
    die();
}

int faulty_disk_step(enum faulty_disk_kind kind) {
    pthread_mutex_lock(&lock);
    enum outcome outcome = step(kind == FAULTY_DISK_WRITE);
    if (outcome == OUTCOME_ENDS)
        end();
    pthread_mutex_unlock(&lock);
    return outcome == OUTCOME_FULL ? ENOSPC : outcome == OUTCOME_FAILS ? EIO : 0;
}

void faulty_disk_arm(enum faulty_disk_fault fault, int64_t at, uint64_t seed) {
    pthread_mutex_lock(&lock);
    armed = fault;
    armed_step = at;
    chance = seed;
    atomic_store(&steps, 0);
    pthread_mutex_unlock(&lock);
}

void faulty_disk_disarm(void) {
    faulty_disk_arm(FAULTY_DISK_NONE, 0, 0);
}

int64_t faulty_disk_steps(void) {
    return atomic_load(&steps);
}

// --- Files ----------------------------------------------------------------------------------------------------------

static int file_close(sqlite3_file *base) {
    struct faulty_file *file = part(base);
    pthread_mutex_lock(&lock);
    for (struct faulty_file **place = &files; *place; place = &(*place)->next) {
        if (*place == file) {
            *place = file->next;
            break;
        }
    }
    undo_clear(&file->undo);
    pthread_mutex_unlock(&lock);
    return file->system->xClose(base);
}

static int file_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
    struct faulty_file *faulty = part(file);
    sqlite3_int64 size = 0;
    faulty->system->xFileSize(file, &size);
    pthread_mutex_lock(&lock);
    enum outcome outcome = step(offset + length > size);
    if (outcome == OUTCOME_GOES_ON || outcome == OUTCOME_ENDS) {
        if (faulty->keeps_undo)
            undo_note_write(&faulty->undo, file, bytes, length, offset);
    }
    if (outcome == OUTCOME_ENDS) {
        int part = armed == FAULTY_DISK_POWER ? length : (int)(undo_random(&chance) % (uint64_t)(length + 1));
        if (part)
            faulty->system->xWrite(file, bytes, part, offset);
        end();
    }
    int status = outcome == OUTCOME_FULL    ? SQLITE_FULL
                 : outcome == OUTCOME_FAILS ? SQLITE_IOERR_WRITE
                                            : faulty->system->xWrite(file, bytes, length, offset);
    pthread_mutex_unlock(&lock);
    return status;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    struct faulty_file *faulty = part(file);
    pthread_mutex_lock(&lock);
    enum outcome outcome = step(0);
    if (outcome == OUTCOME_ENDS)
        end();
    int status = SQLITE_IOERR_TRUNCATE;
    if (outcome == OUTCOME_GOES_ON) {
        if (faulty->keeps_undo)
            undo_note_truncate(&faulty->undo, file, size);
        status = faulty->system->xTruncate(file, size);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

// Only the process ends here, and the page cache outlives it, so nothing is flushed to the disk itself. A power failure
// cannot undo synchronized writes.
static int file_sync(sqlite3_file *file, int flags) {
    (void)flags;
    pthread_mutex_lock(&lock);
    enum outcome outcome = step(0);
    if (outcome == OUTCOME_ENDS)
        end();
    if (outcome == OUTCOME_GOES_ON)
        undo_clear(&part(file)->undo);
    pthread_mutex_unlock(&lock);
    return outcome == OUTCOME_GOES_ON ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

// Guarantees nothing: no atomic writes, no safe appends, no order except by synchronization.
static int file_characteristics(sqlite3_file *file) {
    (void)file;
    return 0;
}

// --- The disk -------------------------------------------------------------------------------------------------------

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *granted) {
    (void)vfs;
    struct faulty_file *file = part(base);
    memset(file, 0, sizeof *file);
    int status = system_disk->xOpen(system_disk, name, base, flags, granted);
    if (status != SQLITE_OK)
        return status;
    file->system = base->pMethods;
    file->file = base;
    file->methods = *file->system;
    // The third version can read the file as memory, around this disk.
    file->methods.iVersion = 2;
    file->methods.xClose = file_close;
    file->methods.xWrite = file_write;
    file->methods.xTruncate = file_truncate;
    file->methods.xSync = file_sync;
    file->methods.xDeviceCharacteristics = file_characteristics;
    base->pMethods = &file->methods;
    file->keeps_undo = (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    pthread_mutex_lock(&lock);
    if (file->keeps_undo) {
        file->next = files;
        files = file;
    }
    pthread_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *name, int synchronize) {
    (void)vfs;
    pthread_mutex_lock(&lock);
    enum outcome outcome = step(0);
    if (outcome == OUTCOME_ENDS)
        end();
    pthread_mutex_unlock(&lock);
    if (outcome == OUTCOME_FAILS)
        return SQLITE_IOERR_DELETE;
    return system_disk->xDelete(system_disk, name, synchronize);
}

int faulty_disk_install(void) {
    if (system_disk)
        return SQLITE_OK;
    system_disk = sqlite3_vfs_find(NULL);
    if (!system_disk)
        return SQLITE_ERROR;
    // All other functions are the system's, which do not check the VFS they were called with.
    this_disk = *system_disk;
    this_disk.zName = "kin-faulty-disk";
    this_disk.szOsFile = system_disk->szOsFile + (int)sizeof(struct faulty_file);
    this_disk.xOpen = disk_open;
    this_disk.xDelete = disk_delete;
    return sqlite3_vfs_register(&this_disk, 1);
}
