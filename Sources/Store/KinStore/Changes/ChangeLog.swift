import GRDB

/// The database's own account of which rows were changed, in order.
///
/// It numbers the states of the database, so that whoever keeps something made from records can tell whether it still holds, and
/// if not, which rows to look at again. Rows are named by numbers, which say nothing of what was in them.
enum ChangeLog {
    /// How many entries are kept; who is further behind starts anew.
    static let length: Int64 = 4096

    /// The state that a connection sees.
    static func stamp(in database: Database) throws -> StoreStamp {
        let query = try SQLStatement("SELECT number, chain FROM change ORDER BY number DESC LIMIT 1", in: database)
        return try query.first { StoreStamp(number: $0.integer(0), chain: $0.integer(1)) }
            ?? StoreStamp(number: 0, chain: 0)
    }

    /// Adds entries, and removes the oldest when there are too many.
    ///
    /// - Parameter digest: of the values that were written.
    /// - Returns: The state after them.
    static func append(_ changes: [RecordChange], digest: ChainDigest, in database: Database) throws -> StoreStamp {
        var stamp = try stamp(in: database)
        let insert = try SQLStatement("INSERT INTO change VALUES (?, ?, ?, ?, ?)", in: database)
        for change in changes {
            var chain = ChainDigest(stamp.chain)
            chain.mix(change.kind)
            chain.mix(change.numbers.lowerBound)
            chain.mix(change.numbers.upperBound)
            chain.mix(digest.value)
            stamp = StoreStamp(number: stamp.number + 1, chain: chain.column)
            try insert.run([
                .integer(stamp.number), .text(change.kind), .integer(change.numbers.lowerBound),
                .integer(change.numbers.upperBound), .integer(stamp.chain),
            ])
            if stamp.number % (length / 4) == 0 {
                try SQLStatement("DELETE FROM change WHERE number <= ?", in: database)
                    .run([.integer(stamp.number - length)])
            }
        }
        return stamp
    }

    /// Forgets what was changed, though not how often: whatever was made from records has to be made anew.
    static func restart(in database: Database) throws -> StoreStamp {
        let stamp = try stamp(in: database)
        try SQLStatement("DELETE FROM change", in: database).run([])
        var chain = ChainDigest(stamp.chain)
        chain.mix("forgotten")
        let next = StoreStamp(number: stamp.number + 1, chain: chain.column)
        try SQLStatement("INSERT INTO change VALUES (?, 'forgotten', 0, 0, ?)", in: database)
            .run([.integer(next.number), .integer(next.chain)])
        return next
    }

    /// The rows of a kind that were changed after a state, or nil when the state is none that the log remembers.
    static func changes(of kind: String, since stamp: StoreStamp, in database: Database) throws -> [ClosedRange<Int64>]?
    {
        let chain = try SQLStatement("SELECT chain FROM change WHERE number = ?", in: database)
            .first([.integer(stamp.number)]) { $0.integer(0) }
        guard chain == stamp.chain else { return nil }
        var ranges: [ClosedRange<Int64>] = []
        try SQLStatement("SELECT first, last FROM change WHERE number > ? AND kind = ?", in: database)
            .query([.integer(stamp.number), .text(kind)]) { row in
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
