import GRDB

extension Store {
    /// The number of people, and of records by kind.
    ///
    /// - Throws: `.inputOutput`.
    /// - Complexity: O(records), a pass over the smallest index of each table.
    public nonisolated func counts() throws(KinError) -> StoreCounts {
        try read("count the records") { database in
            let counts = try StoreCounts(in: database)
            return StoreCounts(
                people: counts.people, records: counts.records.filter { $0.value > 0 }, warnings: fileWarnings)
        }
    }

    /// Whether the store has no person and no record.
    package nonisolated var isEmpty: Bool { (try? counts()) == StoreCounts(people: 0, records: [:]) }
}

extension StoreCounts {
    /// Counts the rows of every kind, including kinds without rows.
    init(in database: Database) throws {
        func count(_ table: String) throws -> Int {
            try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
        let counts = try RecordKind.all.map { ($0.name, try count($0.name)) }
        self.init(people: try count("person"), records: Dictionary(uniqueKeysWithValues: counts))
    }
}

/// The number of people and records in a store.
public struct StoreCounts: Sendable, Hashable {
    /// The number of people with a record.
    public let people: Int
    /// The number of records of each kind; kinds without records are absent.
    public let records: [String: Int]
    /// One sentence if another program removed a file of the open store and the store restored it; empty otherwise.
    public var warnings: [String] = []
}
