import GRDB

/// The migrations of the database with their names, in the order of their addition.
///
/// A released migration is never changed, down to the white space of its tables; new migrations are added at the end.
/// The database stores the names of the migrations that it has; an unknown name means a newer release. Columns and
/// tables retain the names of release 0.1.0 even if the code uses different names: a row's checksum is the column
/// `seal`, pending tasks are the table `duty`, the digest of the hash chain is `change.chain`.
///
/// The table of a record that a person owns begins with ``person`` and has an index on it, and its kind is in
/// ``RecordKind/all``. Forgetting, exporting, the change log and the checks rely on both. The tables of
/// ``RecordKind/added`` are created from their declarations, each in a migration of its own.
enum Migrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, sql) in [
            ("people and changes", peopleAndChanges), ("pleasure", pleasure), ("affinity", affinity),
            ("realms", table("image", "id TEXT NOT NULL UNIQUE")), ("rhythms", rhythms), ("challenges", challenges),
            ("numbering", numbering), ("affinity model", table("affinity_model", "id TEXT NOT NULL UNIQUE")),
            // The person whose rows changed; NULL for rows without an owner or with several owners, and for changes of
            // an earlier release.
            ("owners of changes", "ALTER TABLE change ADD COLUMN owner INTEGER"),
        ] {
            migrator.registerMigration(name) { try $0.execute(sql: sql) }
        }
        migrator.registerMigration("one form of ids, inboxes that travel") { try AffinityMigration(database: $0).run() }
        for (name, sql) in [
            ("policies", table("policy", "name TEXT NOT NULL UNIQUE")), ("states of policies", policyStates),
            ("embeddings", embeddings),
            ("forecast ledger, owners of babies", forecastLedger + babyOwners),
            ("welcomed souls", Newcomers.table),
        ] + RecordKind.added.map({ ($0.kind.name.replacing("_", with: " "), $0.creation) }) {
            migrator.registerMigration(name) { try $0.execute(sql: sql) }
        }
        // Earlier releases left people whose last record was removed.
        migrator.registerMigration("people with records", foreignKeyChecks: .immediate) {
            try People.removeWithoutRecords(in: $0)
        }
        return migrator
    }

    /// The SQL of a table of records: the row number, further columns, the body and the checksum.
    ///
    /// - Parameter unique: The columns whose values together must be unique; nil for none.
    static func table(_ name: String, _ columns: String..., unique: String? = nil) -> String {
        table(name, columns, unique: unique)
    }

    static func table(_ name: String, _ columns: [String], unique: String?) -> String {
        let all =
            ["number INTEGER PRIMARY KEY"] + columns + ["body TEXT NOT NULL", "seal INTEGER NOT NULL"]
            + (unique.map { ["UNIQUE (\($0))"] } ?? [])
        return "CREATE TABLE \(name) (\n    \(all.joined(separator: ",\n    "))\n) STRICT;\n"
    }

    /// The column of the person who owns a record.
    static let person = "person INTEGER NOT NULL REFERENCES person ON DELETE CASCADE"
    /// The same for kinds with one record per person.
    static let onePerPerson = "person INTEGER NOT NULL UNIQUE REFERENCES person ON DELETE CASCADE"

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

    private static let pleasure =
        table("profile", person, "since INTEGER NOT NULL", unique: "person, since")
        + table(
            "session", person, "id TEXT NOT NULL UNIQUE", "start INTEGER NOT NULL", "state TEXT NOT NULL",
            "vector BLOB NOT NULL")
        + "CREATE INDEX session_by_person ON session (person, start, id);"
        + table("inventory_item", "id TEXT NOT NULL UNIQUE")

    /// The tables of souls, contributions, inboxes, blocks and the naming key.
    ///
    /// A contribution belongs to its author, an inbox item and a block to the recipient; both refer to the contribution
    /// and are removed with it. A block contains no author: its author is the person of the contribution's row.
    private static let affinity =
        table("soul", onePerPerson)
        + table(
            "contribution", person, "id TEXT NOT NULL UNIQUE", "made INTEGER NOT NULL", "routed INTEGER NOT NULL")
        + table("inbox", person, ofContribution, "arrived INTEGER NOT NULL", unique: "person, contribution")
        + table("block", person, ofContribution, unique: "person, contribution")
            + """
            CREATE INDEX contribution_by_person ON contribution (person, made);
            CREATE INDEX contribution_to_route ON contribution (made, id) WHERE routed = 0;
            CREATE INDEX inbox_by_time ON inbox (person, arrived);
            CREATE INDEX inbox_by_contribution ON inbox (contribution);
            CREATE INDEX block_by_contribution ON block (contribution);

            CREATE TABLE secret (
                name TEXT NOT NULL PRIMARY KEY,
                value BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;
            """

    private static let ofContribution = "contribution TEXT NOT NULL REFERENCES contribution (id) ON DELETE CASCADE"

    /// The tables of babies and care events.
    private static let rhythms =
        table("baby", person, "id TEXT NOT NULL", unique: "person, id")
        + table(
            "care_event", person, "baby TEXT NOT NULL", "id TEXT NOT NULL", "start INTEGER NOT NULL",
            unique: "person, baby, id")
        + "CREATE INDEX care_event_by_time ON care_event (person, baby, start, id);"

    /// The tables of challenges, daily content and people's answers to them.
    private static let challenges =
        table("challenge", "id TEXT NOT NULL UNIQUE") + table("content_day", "day INTEGER NOT NULL UNIQUE")
        + table("challenge_preferences", onePerPerson) + table("challenge_state", onePerPerson)
        + table(
            "user_challenge", person, "challenge TEXT NOT NULL", "assigned INTEGER NOT NULL",
            unique: "person, challenge, assigned")
        + table(
            "challenge_decision", person, "decision INTEGER NOT NULL", "is_open INTEGER NOT NULL",
            unique: "person, decision")
        + table("notification", person, "sent INTEGER NOT NULL", unique: "person, sent")
        + table("rotation", onePerPerson)
        + table("reflection", person, "date INTEGER NOT NULL", unique: "person, date")
            + """
            CREATE INDEX user_challenge_by_time ON user_challenge (person, assigned);
            CREATE INDEX challenge_decision_open ON challenge_decision (person, decision) WHERE is_open = 1;
            """

    /// The largest row numbers of kinds with removed rows. Since this migration a rotation stores its segments, which
    /// an earlier release cannot read.
    private static let numbering = """
        CREATE TABLE numbering (
            kind TEXT NOT NULL PRIMARY KEY,
            largest INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The table of the parts of policies' states (``PolicyState``).
    private static let policyStates = """
        CREATE TABLE policy_state (
            policy INTEGER NOT NULL REFERENCES policy ON DELETE CASCADE,
            part INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            seal INTEGER NOT NULL,
            PRIMARY KEY (policy, part)
        ) STRICT, WITHOUT ROWID;
        """

    private static let forecastLedger = table(
        "forecast_ledger", person, "baby TEXT NOT NULL", "period INTEGER NOT NULL", unique: "person, baby, period")

    /// The owners of babies, except the owner who keeps the log (``BabyOwners``).
    private static let babyOwners = """
        CREATE TABLE baby_owner (
            \(person),
            id TEXT NOT NULL,
            keeper INTEGER NOT NULL REFERENCES person ON DELETE CASCADE,
            PRIMARY KEY (person, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX baby_owner_by_keeper ON baby_owner (keeper, id);
        """

    /// The table of the sessions' embeddings.
    private static let embeddings =
        table(
            "session_embedding", person, "session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE",
            "model TEXT NOT NULL", "dimension INTEGER NOT NULL", unique: "session_id, model")
            + """
            CREATE INDEX session_embedding_by_person ON session_embedding (person);
            CREATE INDEX session_embedding_by_model ON session_embedding (model, dimension);
            """
}
