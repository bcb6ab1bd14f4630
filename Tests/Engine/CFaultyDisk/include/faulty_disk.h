#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdint.h>

// A disk on which one step goes wrong: a virtual file system for SQLite over the system's own, and a counter that other
// code which writes files takes part in.
//
// Every write, truncation, synchronization, removal and renaming is a step, counted from 0 in the order in which they
// happen. The fault strikes at one step.

/// What happens at the step.
enum faulty_disk_fault {
    FAULTY_DISK_NONE = 0,
    /// SIGKILL before the step; when it is a write, after a part of it (none and all included).
    FAULTY_DISK_KILL = 1,
    /// The power fails: of what was written to the database and its log since each was last synchronized, any part is
    /// lost, in units of sectors and in any order. Then SIGKILL.
    FAULTY_DISK_POWER = 2,
    /// From the step on the disk is full: what would make a file longer fails, until faulty_disk_disarm.
    FAULTY_DISK_FULL = 3,
    /// The step fails, once.
    FAULTY_DISK_ERROR = 4,
};

/// What a step is, for code that takes part.
enum faulty_disk_kind {
    FAULTY_DISK_WRITE = 0,
    FAULTY_DISK_TRUNCATE = 1,
    FAULTY_DISK_SYNC = 2,
    FAULTY_DISK_REMOVE = 3,
    FAULTY_DISK_RENAME = 4,
};

/// Makes the disk the one that SQLite uses for every database opened from now on in this process; once is enough.
///
/// Returns 0, or an SQLite error code.
int faulty_disk_install(void);

/// Sets what goes wrong, at which step counted from now on, and the seed of what is left to chance.
void faulty_disk_arm(enum faulty_disk_fault fault, int64_t step, uint64_t seed);

/// Nothing goes wrong from now on.
void faulty_disk_disarm(void);

/// Steps since the disk was last armed.
int64_t faulty_disk_steps(void);

/// Takes a step: returns 0, or the errno with which it fails. Does not return when it is the last.
int faulty_disk_step(enum faulty_disk_kind kind);

#endif
