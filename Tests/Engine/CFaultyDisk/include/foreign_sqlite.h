#ifndef FOREIGN_SQLITE_H
#define FOREIGN_SQLITE_H

// A second SQLite library in the process, as when Python's and Kin's are both loaded. Neither library knows the other's
// connections.

/// Opens a database with the second library, reads and closes it.
///
/// Returns 1, or -1 if the library cannot be loaded or the database cannot be read.
int foreign_sqlite_read(const char *path);

/// Opens a database with the second library and reads it. Returns the connection, or NULL.
void *foreign_sqlite_open(const char *path);

/// Closes a connection of the second library.
void foreign_sqlite_close(void *database);

/// Opens and closes a file, as a copying program does. The process loses all its POSIX locks on the file.
void foreign_open_and_close(const char *path);

#endif
