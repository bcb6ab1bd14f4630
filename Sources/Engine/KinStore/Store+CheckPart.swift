import GRDB

extension Store {
    /// Checks a part of the store, for an app that spreads a check over idle time.
    ///
    ///     var part = try store.checkPart()
    ///     while part.problems.isEmpty, let next = part.next { part = try store.checkPart(after: next) }
    ///
    /// A part is a number of rows, each checked with its checksum, owner and columns, or SQLite's own check of tables'
    /// pages, indexes and references. All parts together find the damage in records, tables and indexes that
    /// ``check()`` finds. Only ``check()`` covers pages that no table uses and compares derived data with the rows. A
    /// row written between two parts may be in neither.
    ///
    /// - Parameters:
    ///   - cursor: ``StoreCheckPart/next`` of the previous part; nil for the first part.
    ///   - rows: The largest number of rows, 1 or more.
    /// - Throws: `.invalidArgument` for an invalid cursor; `.corruptFile` if the database cannot be read;
    ///   `.inputOutput`.
    /// - Complexity: O(`rows`). A part that checks the pages and indexes of a table with more rows reads no rows, and
    ///   takes O(rows of the table).
    public nonisolated func checkPart(after cursor: String? = nil, rows: Int = 10_000) throws(KinError)
        -> StoreCheckPart
    {
        try KinError.requireCount(rows, "rows", from: 1)
        return try read("check a part of the store") { database in
            var part = PartialCheck(rows: rows, problems: fileProblems)
            let tables = try PartialCheck.tables(in: database)
            var place = try cursor.map { try CheckCursor($0, tables) } ?? CheckCursor(table: tables[0])
            while let next = try part.run(place, tables, self, in: database) {
                if part.isFull { return StoreCheckPart(rows: part.checked, problems: part.problems, next: "\(next)") }
                place = next
            }
            return StoreCheckPart(rows: part.checked, problems: part.problems, next: nil)
        }
    }
}

/// The result of ``Store/checkPart(after:rows:)``.
public struct StoreCheckPart: Sendable, Hashable {
    /// The number of records that were read.
    public let rows: Int
    /// One sentence for each damaged record, index or reference of the part.
    public let problems: [String]
    /// The cursor of the next part; nil after the last part.
    public let next: String?
}

/// A position in a check: the rows of a table after a row number, or the table's structure.
private struct CheckCursor: CustomStringConvertible {
    let table: String
    /// The number of the last checked row; nil after the last row of the table.
    var last: Int64? = .min

    init(table: String) { self.table = table }

    /// Reads a cursor's text.
    ///
    /// - Throws: `.invalidArgument` for a text that is not a cursor of a store with these tables.
    init(_ text: String, _ tables: [String]) throws(KinError) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count <= 2, tables.contains(String(words[0])), words.count == 1 || Int64(words[1]) != nil else {
            throw .field("after", "\"\(text.prefix(40))\" is not the `next` of an earlier part")
        }
        table = String(words[0])
        last = words.count == 2 ? Int64(words[1]) : nil
    }

    var description: String { last.map { "\(table) \($0)" } ?? table }
}

/// The check of a part: its problems, and the number of rows that it may still read.
private struct PartialCheck {
    private var left: Int
    private(set) var checked = 0
    private(set) var problems: [String]

    init(rows: Int, problems: [String]) {
        left = rows
        self.problems = problems
    }

    /// Whether the part has reached its number of rows or the largest number of problems.
    var isFull: Bool { left <= 0 || problems.count >= Store.mostProblems }

    /// The tables in the order of the check; the schema table is first.
    static func tables(in database: Database) throws -> [String] {
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        return ["sqlite_schema"] + (try String.fetchAll(database, sql: tables))
    }

    /// Checks from a position to the end of the part or of the table.
    ///
    /// - Returns: The next position; nil at the end of the last table.
    mutating func run(
        _ place: CheckCursor, _ tables: [String], _ store: Store, in database: Database
    ) throws -> CheckCursor? {
        var next = place
        if let last = place.last, let type = RecordKind.types.first(where: { $0.kind.name == place.table }) {
            let found = try store.damagedRows(type, after: last, limit: left, in: database)
            problems += found.problems
            checked += found.count
            left -= found.count
            next.last = found.last
            if isFull { return next }
        }
        next.last = nil
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(place.table)") ?? 0
        // A table with more rows than the part has left starts the next part.
        guard count <= left || checked == 0 else {
            left = 0
            return next
        }
        problems += try store.damagedStructure(of: place.table, in: database)
        left -= max(count, 1)
        let following = tables.firstIndex(of: place.table)! + 1
        return following < tables.count ? CheckCursor(table: tables[following]) : nil
    }
}
