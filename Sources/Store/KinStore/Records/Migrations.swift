import GRDB

/// The steps that made the database what it is, by name, in the order in which they were added.
///
/// A step that was released is never changed: what comes later is added below. A database knows by the names which steps it
/// has behind it; one with a name that is not here was written by a newer release.
///
/// A record that a person owns gets a table whose first column is `person INTEGER NOT NULL REFERENCES person ON DELETE
/// CASCADE` and an index that begins with it, its kind joins ``RecordKind/all``, and forgetting, exporting, the change log and the
/// checks know it.
enum Migrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("people and changes") { try $0.execute(sql: peopleAndChanges) }
        migrator.registerMigration("pleasure") { try $0.execute(sql: pleasure) }
        migrator.registerMigration("affinity") { try $0.execute(sql: AffinityTables.sql) }
        migrator.registerMigration("realms") { try $0.execute(sql: realms) }
        migrator.registerMigration("rhythms") { try $0.execute(sql: RecordKind.careTables) }
        migrator.registerMigration("challenges") { try $0.execute(sql: RecordKind.challengeTables) }
        migrator.registerMigration("numbering") { try $0.execute(sql: numbering) }
        migrator.registerMigration("affinity model") { try $0.execute(sql: RecordKind.affinityModelTable) }
        migrator.registerMigration("one form of ids, inboxes that travel") { try AffinityMigration(database: $0).run() }
        return migrator
    }

    /// Who there is, what was changed in which order, and what is still to be done.
    private static let peopleAndChanges = """
        CREATE TABLE person (
            number INTEGER PRIMARY KEY,
            uid TEXT NOT NULL UNIQUE
        ) STRICT;

        CREATE TABLE change (
            number INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            chain INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE duty (
            name TEXT NOT NULL PRIMARY KEY
        ) STRICT, WITHOUT ROWID;

        INSERT INTO change VALUES (1, 'beginning', 0, 0, 0);
        """

    private static let pleasure = """
        CREATE TABLE profile (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            since INTEGER NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL,
            UNIQUE (person, since)
        ) STRICT;

        CREATE TABLE session (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            id TEXT NOT NULL UNIQUE,
            start INTEGER NOT NULL,
            state TEXT NOT NULL,
            vector BLOB NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX session_by_person ON session (person, start, id);

        CREATE TABLE inventory_item (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;
        """

    private static let realms = """
        CREATE TABLE image (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;
        """

    /// The largest numbers that rows have had, of kinds of which some were removed; and a rotation has its segments from here on, which a
    /// release without this step does not read.
    private static let numbering = """
        CREATE TABLE numbering (
            kind TEXT NOT NULL PRIMARY KEY,
            largest INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
