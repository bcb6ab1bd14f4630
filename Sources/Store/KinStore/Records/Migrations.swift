import GRDB

/// The migrations of the database, by name, in the order in which they were added.
///
/// A released migration is never changed; new ones are added at the end. The database stores the names of those it has;
/// an unknown name means a newer release. Columns and tables keep the names of release 0.1.0 whatever the code calls
/// them: a row's checksum is the column `seal`, pending tasks are the table `duty`, the digest of the hash chain is
/// `change.chain`.
///
/// The table of a record that a person owns begins with `person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE`
/// and an index on it, and its kind joins ``RecordKind/all``; forgetting, exporting, the change log and the checks go
/// by that.
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
        migrator.registerMigration("owners of changes") { try $0.execute(sql: ownersOfChanges) }
        migrator.registerMigration("one form of ids, inboxes that travel") { try AffinityMigration(database: $0).run() }
        migrator.registerMigration("policies") { try $0.execute(sql: NamedPolicy.sql) }
        migrator.registerMigration("states of policies") { try $0.execute(sql: PolicyState.sql) }
        migrator.registerMigration("embeddings") { try $0.execute(sql: RecordKind.embeddingTable) }
        return migrator
    }

    /// The people, the change log and the pending tasks.
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

    /// The person whose rows changed; NULL for rows of nobody or of several people, and for changes of an earlier release.
    private static let ownersOfChanges = "ALTER TABLE change ADD COLUMN owner INTEGER"

    /// The largest row numbers of kinds with removed rows. From this migration on a rotation stores its segments, which
    /// an earlier release cannot read.
    private static let numbering = """
        CREATE TABLE numbering (
            kind TEXT NOT NULL PRIMARY KEY,
            largest INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
