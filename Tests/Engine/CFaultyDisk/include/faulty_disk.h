#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdint.h>

// A disk with a fault at one step: a virtual file system for SQLite on top of the system's, and a step counter shared
// with other code that writes files.
//
// Every write, truncation, synchronization, removal and renaming is a step, counted from 0 in order. The fault happens
// at one step.

/// The fault at the step.
enum faulty_disk_fault {
    FAULTY_DISK_NONE = 0,
    /// SIGKILL before the step. If the step is a write, after any part of it (none and all included).
    FAULTY_DISK_KILL = 1,
    /// A power failure, then SIGKILL. Any part of the data written to the database and its log since their last
    /// synchronization is lost, in units of sectors and in any order.
    FAULTY_DISK_POWER = 2,
    /// From the step on the disk is full: calls that would make a file longer fail, until faulty_disk_disarm.
    FAULTY_DISK_FULL = 3,
    /// The step fails, once.
    FAULTY_DISK_ERROR = 4,
};

/// The kind of a step, for other code that writes files.
enum faulty_disk_kind {
    FAULTY_DISK_WRITE = 0,
    FAULTY_DISK_TRUNCATE = 1,
    FAULTY_DISK_SYNC = 2,
    FAULTY_DISK_REMOVE = 3,
    FAULTY_DISK_RENAME = 4,
};

/// Makes this the disk for every database that SQLite opens after the call in this process. One call is enough.
///
/// Returns 0, or an SQLite error code.
int faulty_disk_install(void);

/// Sets the fault, its step counted from this call, and the seed of its random choices.
void faulty_disk_arm(enum faulty_disk_fault fault, int64_t step, uint64_t seed);

/// Removes the fault.
void faulty_disk_disarm(void);

/// The number of steps since the disk was last armed.
int64_t faulty_disk_steps(void);

/// Performs a step. Returns 0, or the errno of its failure. Does not return if the process ends at this step.
int faulty_disk_step(enum faulty_disk_kind kind);

#endif
