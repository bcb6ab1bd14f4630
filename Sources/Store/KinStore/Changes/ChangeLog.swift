import GRDB

/// The log of changed rows in the database, in order.
///
/// It numbers the versions of the database, so that whatever was derived from records can be checked, and updated from
/// the rows that changed since. Row numbers reveal nothing of the content.
enum ChangeLog {
    /// The number of entries kept; an index further behind is rebuilt.
    static let length: Int64 = 4096

    /// The version that a connection sees.
    static func version(in database: Database) throws -> StoreVersion {
        let query = try SQLStatement("SELECT number, chain FROM change ORDER BY number DESC LIMIT 1", in: database)
        return try query.first { StoreVersion(number: $0.integer(0), chain: $0.integer(1)) }
            ?? StoreVersion(number: 0, chain: 0)
    }

    /// Appends entries, and deletes the oldest beyond ``length``.
    ///
    /// - Parameter digest: The digest of the written values.
    /// - Returns: The version after them.
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

    /// Deletes all entries but keeps counting: whatever was derived from records is rebuilt.
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

    /// The rows of a kind changed after a version; nil when the log does not reach back to it.
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

/// The rows of one kind that a transaction inserted, updated or deleted.
struct RecordChange: Sendable, Hashable {
    let kind: String
    var numbers: ClosedRange<Int64>
}
