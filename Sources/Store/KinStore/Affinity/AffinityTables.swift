/// The tables of souls and of what people make for each other.
///
/// A contribution belongs to its author, what lies in an inbox and a block to the recipient; both refer to the contribution, and go with
/// it when its author is forgotten. A block says "no more from whoever made this": who that is, only the contribution's row knows.
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
