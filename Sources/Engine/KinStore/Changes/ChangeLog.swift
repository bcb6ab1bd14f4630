import GRDB

/// The log of changed rows in the database, in order.
///
/// It numbers the versions of the database, so that derived data can be checked, and updated from the rows that changed
/// since. Row numbers reveal nothing of the content.
enum ChangeLog {
    /// The number of stored entries; an index further behind is rebuilt.
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
    /// - Returns: The version after the entries.
    static func append(_ changes: [RecordChange], digest: HashChain, in database: Database) throws -> StoreVersion {
        var version = try version(in: database)
        for change in changes {
            var chain = HashChain(version.chain)
            chain.mix(change.kind)
            chain.mix(change.numbers.lowerBound)
            chain.mix(change.numbers.upperBound)
            chain.mix(digest.value)
            version = StoreVersion(number: version.number + 1, chain: chain.column)
            try insert(change, version, in: database)
            if version.number % (length / 4) == 0 {
                try SQLStatement("DELETE FROM change WHERE number <= ?", in: database)
                    .run([.integer(version.number - length)])
            }
        }
        return version
    }

    /// Deletes all entries but continues the numbering: all derived data is rebuilt.
    static func restart(in database: Database) throws -> StoreVersion {
        let version = try version(in: database)
        try SQLStatement("DELETE FROM change", in: database).run([])
        return try appendForgetting(after: version, in: database)
    }

    /// Appends the entry of forgotten people, and removes their numbers from earlier entries.
    static func noteForgetting(of people: [Int64], in database: Database) throws -> StoreVersion {
        for person in people { try removeOwner(person, in: database) }
        return try appendForgetting(after: version(in: database), in: database)
    }

    /// Removes the number of a deleted person from all entries, because a later person may get the same number.
    static func removeOwner(_ person: Int64, in database: Database) throws {
        try SQLStatement("UPDATE change SET owner = NULL WHERE owner = ?", in: database).run([.integer(person)])
    }

    private static func appendForgetting(after version: StoreVersion, in database: Database) throws -> StoreVersion {
        var chain = HashChain(version.chain)
        chain.mix("forgotten")
        let next = StoreVersion(number: version.number + 1, chain: chain.column)
        try insert(RecordChange(kind: "forgotten", numbers: 0...0), next, in: database)
        return next
    }

    private static func insert(_ change: RecordChange, _ version: StoreVersion, in database: Database) throws {
        try SQLStatement("INSERT INTO change VALUES (?, ?, ?, ?, ?, ?)", in: database).run([
            .integer(version.number), .text(change.kind), .integer(change.numbers.lowerBound),
            .integer(change.numbers.upperBound), .integer(version.chain), change.person.map { .integer($0) } ?? .null,
        ])
    }

    /// Whether the log reaches back to a version.
    static func contains(_ version: StoreVersion, in database: Database) throws -> Bool {
        try SQLStatement("SELECT chain FROM change WHERE number = ?", in: database)
            .first([.integer(version.number)]) { $0.integer(0) } == version.chain
    }

    /// Whether a person was forgotten after a version.
    static func hasForgotten(since version: StoreVersion, in database: Database) throws -> Bool {
        try SQLStatement("SELECT 1 FROM change WHERE number > ? AND kind = 'forgotten' LIMIT 1", in: database)
            .first([.integer(version.number)]) { _ in true } ?? false
    }

    /// The rows of some kinds that changed after a version, in the order of the log; nil if the log does not reach back
    /// to the version.
    ///
    /// - Parameters:
    ///   - person: The id of the only person whose rows are returned; nil for all people. A person without records has
    ///     no changes.
    static func changes(
        of kinds: [RecordKind], person: String? = nil, since version: StoreVersion, in database: Database
    ) throws -> [RecordChange]? {
        guard try contains(version, in: database) else { return nil }
        var (condition, values) = ("", [SQLValue.integer(version.number)])
        if let person {
            // A change of unknown owner may be the person's.
            condition = " AND (owner IS NULL OR owner = ?)"
            values.append(.integer(try People.number(of: person, in: database) ?? -1))
        }
        let names = Set(kinds.map(\.name))
        return try SQLStatement(
            "SELECT kind, first, last FROM change WHERE number > ?\(condition) ORDER BY number", in: database
        ).all(values) { row -> RecordChange? in
            let (kind, first, last) = (row.text(0), row.integer(1), row.integer(2))
            guard names.contains(kind) else { return nil }
            // Guards against a damaged log with a range that ends before it begins, or with numbers that no row has.
            guard first >= 0, first <= last, last < 1 << 48 else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "change log")
            }
            return RecordChange(kind: kind, numbers: first...last)
        }.compactMap { $0 }
    }
}

/// The rows of one kind that a transaction inserted, updated or deleted.
struct RecordChange: Sendable, Hashable {
    let kind: String
    var numbers: ClosedRange<Int64>
    /// The number of the person who owns the rows; nil if the rows have no owner or several owners.
    var person: Int64?
}

/// The changed rows of a transaction, joined to ranges.
struct ChangeCollector {
    private(set) var changes: [RecordChange] = []
    /// Whether changes of different owners have been joined.
    private var isJoined = false

    /// The largest number of entries of one transaction: a quarter of the log.
    private static let limit = Int(ChangeLog.length / 4)

    /// Logs a changed row.
    mutating func log(_ kind: RecordKind, _ number: Int64, person: Int64?) {
        let person = isJoined ? nil : person
        if let last = changes.last, last.kind == kind.name, last.person == person {
            let numbers = last.numbers
            if numbers.contains(number) { return }
            if number == numbers.upperBound + 1 {
                changes[changes.count - 1].numbers = numbers.lowerBound...number
                return
            }
        }
        changes.append(RecordChange(kind: kind.name, numbers: number...number, person: person))
        if changes.count > Self.limit { join() }
    }

    /// Joins neighbouring ranges regardless of their owners. If too many remain, joins all ranges of a kind: unchanged
    /// rows in the gaps are then read again.
    private mutating func join() {
        isJoined = true
        changes.sort { ($0.kind, $0.numbers.lowerBound) < ($1.kind, $1.numbers.lowerBound) }
        join { $1.numbers.lowerBound <= $0.numbers.upperBound + 1 }
        if changes.count > Self.limit / 2 { join { _, _ in true } }
    }

    /// Joins each change with the previous one if both are of the same kind and a condition holds.
    private mutating func join(where condition: (RecordChange, RecordChange) -> Bool) {
        var joined: [RecordChange] = []
        for change in changes {
            if let last = joined.last, last.kind == change.kind, condition(last, change) {
                joined[joined.count - 1].numbers =
                    last.numbers.lowerBound...max(last.numbers.upperBound, change.numbers.upperBound)
            } else {
                joined.append(RecordChange(kind: change.kind, numbers: change.numbers))
            }
        }
        changes = joined
    }
}
