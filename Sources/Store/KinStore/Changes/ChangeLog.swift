import GRDB

/// The database's own account of which rows were changed, in order.
///
/// It numbers the states of the database, so that whoever keeps something made from records can tell whether it still holds, and
/// if not, which rows to look at again. Rows are named by numbers, which say nothing of what was in them.
enum ChangeLog {
    /// How many entries are kept; who is further behind starts anew.
    static let length: Int64 = 4096

    /// The state that a connection sees.
    static func version(in database: Database) throws -> StoreVersion {
        let query = try SQLStatement("SELECT number, chain FROM change ORDER BY number DESC LIMIT 1", in: database)
        return try query.first { StoreVersion(number: $0.integer(0), chain: $0.integer(1)) }
            ?? StoreVersion(number: 0, chain: 0)
    }

    /// Adds entries, and removes the oldest when there are too many.
    ///
    /// - Parameter digest: of the values that were written.
    /// - Returns: The state after them.
    static func append(_ changes: [RecordChange], digest: HashChain, in database: Database) throws -> StoreVersion {
        var version = try version(in: database)
        let insert = try SQLStatement("INSERT INTO change VALUES (?, ?, ?, ?, ?)", in: database)
        for change in changes {
            var chain = HashChain(version.chain)
            chain.mix(change.kind)
            chain.mix(change.numbers.lowerBound)
            chain.mix(change.numbers.upperBound)
            chain.mix(digest.value)
            version = StoreVersion(number: version.number + 1, chain: chain.column)
            try insert.run([
                .integer(version.number), .text(change.kind), .integer(change.numbers.lowerBound),
                .integer(change.numbers.upperBound), .integer(version.chain),
            ])
            if version.number % (length / 4) == 0 {
                try SQLStatement("DELETE FROM change WHERE number <= ?", in: database)
                    .run([.integer(version.number - length)])
            }
        }
        return version
    }

    /// Forgets what was changed, though not how often: whatever was made from records has to be made anew.
    static func restart(in database: Database) throws -> StoreVersion {
        let version = try version(in: database)
        try SQLStatement("DELETE FROM change", in: database).run([])
        var chain = HashChain(version.chain)
        chain.mix("forgotten")
        let next = StoreVersion(number: version.number + 1, chain: chain.column)
        try SQLStatement("INSERT INTO change VALUES (?, 'forgotten', 0, 0, ?)", in: database)
            .run([.integer(next.number), .integer(next.chain)])
        return next
    }

    /// The rows of a kind that were changed after a state, or nil when the state is none that the log remembers.
    static func changes(of kind: String, since version: StoreVersion, in database: Database) throws -> [ClosedRange<
        Int64
    >]? {
        let chain = try SQLStatement("SELECT chain FROM change WHERE number = ?", in: database)
            .first([.integer(version.number)]) { $0.integer(0) }
        guard chain == version.chain else { return nil }
        var ranges: [ClosedRange<Int64>] = []
        try SQLStatement("SELECT first, last FROM change WHERE number > ? AND kind = ?", in: database)
            .query([.integer(version.number), .text(kind)]) { row in
                let (first, last) = (row.integer(0), row.integer(1))
                // A damaged log must not lead to a range that ends before it begins.
                guard first <= last else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "change log") }
                ranges.append(first...last)
                return true
            }
        return ranges
    }
}

/// Rows of one kind that a transaction added, changed or removed.
struct RecordChange: Sendable, Hashable {
    let kind: String
    var numbers: ClosedRange<Int64>
}
