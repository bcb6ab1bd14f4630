#include "faulty_disk.h"

#include "undo.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// A file of this disk. The system's own file follows it in memory, because SQLite allocates both together.
struct faulty_file {
    sqlite3_file base;
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

static sqlite3_file *real(struct faulty_file *file) {
    return (sqlite3_file *)(file + 1);
}

static _Noreturn void die(void) {
    raise(SIGKILL);
    abort(); // not reached
}

static _Noreturn void lose_power(void) {
    for (struct faulty_file *file = files; file; file = file->next)
        undo_fail(&file->undo, real(file), &chance);
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
    struct faulty_file *file = (struct faulty_file *)base;
    pthread_mutex_lock(&lock);
    for (struct faulty_file **place = &files; *place; place = &(*place)->next) {
        if (*place == file) {
            *place = file->next;
            break;
        }
    }
    undo_clear(&file->undo);
    pthread_mutex_unlock(&lock);
    return real(file)->pMethods->xClose(real(file));
}

static int file_read(sqlite3_file *base, void *bytes, int length, sqlite3_int64 offset) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xRead(file, bytes, length, offset);
}

static int file_write(sqlite3_file *base, const void *bytes, int length, sqlite3_int64 offset) {
    struct faulty_file *faulty = (struct faulty_file *)base;
    sqlite3_file *file = real(faulty);
    sqlite3_int64 size = 0;
    file->pMethods->xFileSize(file, &size);
    pthread_mutex_lock(&lock);
    enum outcome outcome = step(offset + length > size);
    if (outcome == OUTCOME_GOES_ON || outcome == OUTCOME_ENDS) {
        if (faulty->keeps_undo)
            undo_note_write(&faulty->undo, file, bytes, length, offset);
    }
    if (outcome == OUTCOME_ENDS) {
        int part = armed == FAULTY_DISK_POWER ? length : (int)(undo_random(&chance) % (uint64_t)(length + 1));
        if (part)
            file->pMethods->xWrite(file, bytes, part, offset);
        end();
    }
    int status = outcome == OUTCOME_FULL    ? SQLITE_FULL
                 : outcome == OUTCOME_FAILS ? SQLITE_IOERR_WRITE
                                            : file->pMethods->xWrite(file, bytes, length, offset);
    pthread_mutex_unlock(&lock);
    return status;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size) {
    struct faulty_file *faulty = (struct faulty_file *)base;
    sqlite3_file *file = real(faulty);
    pthread_mutex_lock(&lock);
    enum outcome outcome = step(0);
    if (outcome == OUTCOME_ENDS)
        end();
    int status = SQLITE_IOERR_TRUNCATE;
    if (outcome == OUTCOME_GOES_ON) {
        if (faulty->keeps_undo)
            undo_note_truncate(&faulty->undo, file, size);
        status = file->pMethods->xTruncate(file, size);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

// Only the process ends here, and the page cache outlives it, so nothing is flushed to the disk itself. A power failure
// cannot undo synchronized writes.
static int file_sync(sqlite3_file *base, int flags) {
    (void)flags;
    struct faulty_file *faulty = (struct faulty_file *)base;
    pthread_mutex_lock(&lock);
    enum outcome outcome = step(0);
    if (outcome == OUTCOME_ENDS)
        end();
    if (outcome == OUTCOME_GOES_ON)
        undo_clear(&faulty->undo);
    pthread_mutex_unlock(&lock);
    return outcome == OUTCOME_GOES_ON ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xFileSize(file, size);
}

static int file_lock(sqlite3_file *base, int level) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xLock(file, level);
}

static int file_unlock(sqlite3_file *base, int level) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xUnlock(file, level);
}

static int file_check_reserved(sqlite3_file *base, int *result) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xCheckReservedLock(file, result);
}

static int file_control(sqlite3_file *base, int operation, void *argument) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xFileControl(file, operation, argument);
}

static int file_sector_size(sqlite3_file *base) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xSectorSize(file);
}

// Guarantees nothing: no atomic writes, no safe appends, no order except by synchronization.
static int file_characteristics(sqlite3_file *base) {
    (void)base;
    return 0;
}

static int file_shm_map(sqlite3_file *base, int region, int size, int extend, void volatile **memory) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xShmMap(file, region, size, extend, memory);
}

static int file_shm_lock(sqlite3_file *base, int offset, int count, int flags) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xShmLock(file, offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *base) {
    sqlite3_file *file = real((struct faulty_file *)base);
    file->pMethods->xShmBarrier(file);
}

static int file_shm_unmap(sqlite3_file *base, int remove) {
    sqlite3_file *file = real((struct faulty_file *)base);
    return file->pMethods->xShmUnmap(file, remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector_size,
    .xDeviceCharacteristics = file_characteristics,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

// --- The disk -------------------------------------------------------------------------------------------------------

static int disk_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *granted) {
    (void)vfs;
    struct faulty_file *file = (struct faulty_file *)base;
    memset(file, 0, sizeof *file);
    int status = system_disk->xOpen(system_disk, name, real(file), flags, granted);
    if (status != SQLITE_OK)
        return status;
    file->base.pMethods = &methods;
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
    this_disk.szOsFile = (int)sizeof(struct faulty_file) + system_disk->szOsFile;
    this_disk.xOpen = disk_open;
    this_disk.xDelete = disk_delete;
    return sqlite3_vfs_register(&this_disk, 1);
}
