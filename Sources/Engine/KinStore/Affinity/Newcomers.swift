import GRDB

/// The new souls: those that no routing has welcomed yet. The table `welcomed` has the row numbers of all other souls.
enum Newcomers {
    /// The number of days before its first routing from which a new soul receives contributions.
    private static let days: Int64 = 30

    /// The SQL of the table; the souls of an earlier release are not new.
    static let table = """
        CREATE TABLE welcomed (
            soul INTEGER PRIMARY KEY REFERENCES soul ON DELETE CASCADE
        ) STRICT;

        INSERT INTO welcomed SELECT number FROM soul;
        """

    /// The people of new souls with enough events, by ascending id.
    static func all(
        in database: Database, _ limits: DeliveryLimits, _ matcher: SoulMatcher
    ) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT uid FROM person JOIN soul ON soul.person = person.number
                WHERE soul.number NOT IN (SELECT soul FROM welcomed) ORDER BY uid
                """
        ).filter { try matcher.contains($0) && limits.allow(Soul.of($0, in: database)) }
    }

    /// Whether contributions that new souls may receive were routed before.
    static func haveEarlier(in database: Database, at instant: Timestamp) throws -> Bool {
        try SQLStatement("SELECT 1 FROM contribution WHERE routed = 1 AND made > ? LIMIT 1", in: database)
            .first([since(instant)]) { _ in true } ?? false
    }

    /// The instant after which contributions must have been made.
    static func since(_ instant: Timestamp) -> SQLValue {
        .microseconds(days: days, before: instant)
    }

    /// Marks a soul as no longer new.
    static func welcome(_ user: String, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO welcomed SELECT number FROM soul WHERE person = (SELECT number FROM person WHERE uid = ?)
                """, arguments: [user])
    }
}
