/// The tables of souls, contributions, inboxes, blocks and the naming key.
///
/// A contribution belongs to its author, an inbox item and a block to the recipient; both refer to the contribution and
/// are removed with it. A block names no author: that is the person of the contribution's row.
enum AffinityTables {
    static let sql = """
        CREATE TABLE soul (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL UNIQUE REFERENCES person ON DELETE CASCADE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE contribution (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            id TEXT NOT NULL UNIQUE,
            made INTEGER NOT NULL,
            routed INTEGER NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX contribution_by_person ON contribution (person, made);
        CREATE INDEX contribution_to_route ON contribution (made, id) WHERE routed = 0;

        CREATE TABLE inbox (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            contribution TEXT NOT NULL REFERENCES contribution (id) ON DELETE CASCADE,
            arrived INTEGER NOT NULL,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL,
            UNIQUE (person, contribution)
        ) STRICT;
        CREATE INDEX inbox_by_time ON inbox (person, arrived);
        CREATE INDEX inbox_by_contribution ON inbox (contribution);

        CREATE TABLE block (
            number INTEGER PRIMARY KEY,
            person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            contribution TEXT NOT NULL REFERENCES contribution (id) ON DELETE CASCADE,
            body TEXT NOT NULL,
            seal INTEGER NOT NULL,
            UNIQUE (person, contribution)
        ) STRICT;
        CREATE INDEX block_by_contribution ON block (contribution);

        CREATE TABLE secret (
            name TEXT NOT NULL PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
