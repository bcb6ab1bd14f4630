#ifndef FOREIGN_SQLITE_H
#define FOREIGN_SQLITE_H

// A second SQLite library in the process, which knows nothing of the connections of the first: as Python's own beside that of Kin.

/// Opens a database with the second library, reads and closes it.
///
/// Returns 1, or a negative number where there is no second library or the database cannot be read.
int foreign_sqlite_read(const char *path);

/// Opens a file and closes it, as a program that copies it does: the process loses all its POSIX locks on the file.
void foreign_open_and_close(const char *path);

#endif
