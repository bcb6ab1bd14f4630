import GRDB
public import KinCore

extension Store {
    /// Checks a part of the store, for an app that spreads a check over idle time.
    ///
    ///     var part = try store.checkPart()
    ///     while part.problems.isEmpty, let next = part.next { part = try store.checkPart(after: next) }
    ///
    /// A part is some rows, each with its checksum, owner and columns, or the pages, indexes and references of tables by SQLite's own
    /// check. All parts together find what ``check()`` finds in records, tables and indexes; left to it are the pages that no table uses and the
    /// agreement of derived data with the rows. What is written between two parts may be in neither.
    ///
    /// - Parameters:
    ///   - cursor: ``StoreCheckPart/next`` of the part before; nil for the first part.
    ///   - rows: The largest number of rows, 1 or more.
    /// - Throws: `.invalidArgument` for another cursor; `.corruptFile` when the database cannot be read; `.inputOutput`.
    /// - Complexity: O(`rows`), but O(rows of the table) where a part checks the pages and indexes of a larger one, which it does by itself.
    public nonisolated func checkPart(after cursor: String? = nil, rows: Int = 10_000) throws(KinError)
        -> StoreCheckPart
    {
        guard rows > 0 else {
            throw .field("rows", "a part of \(rows) rows; give 1 or more")
        }
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
    /// The beginning of the next part, for the next call; nil when this was the last one.
    public let next: String?
}

/// A place in a check: the rows of a table from a number on, or its structure.
private struct CheckCursor: CustomStringConvertible {
    let table: String
    /// The number of the last row that was checked; nil when all were.
    var last: Int64? = .min

    init(table: String) { self.table = table }

    /// Reads a cursor's text.
    ///
    /// - Throws: `.invalidArgument` for what is no cursor of a store with these tables.
    init(_ text: String, _ tables: [String]) throws(KinError) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count <= 2, tables.contains(String(words[0])), words.count == 1 || Int64(words[1]) != nil else {
            throw .field("after", "\"\(text.prefix(40))\" is not where a part ended")
        }
        table = String(words[0])
        last = words.count == 2 ? Int64(words[1]) : nil
    }

    var description: String { last.map { "\(table) \($0)" } ?? table }
}

/// The check of a part: what it found, and how much it may still read.
private struct PartialCheck {
    private var left: Int
    private(set) var checked = 0
    private(set) var problems: [String]

    init(rows: Int, problems: [String]) {
        left = rows
        self.problems = problems
    }

    /// Whether the part has as many rows as it may have, or its problems are enough to tell of.
    var isFull: Bool { left <= 0 || problems.count >= Store.mostProblems }

    /// The tables in the order of the check, that of the schema first.
    static func tables(in database: Database) throws -> [String] {
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        return ["sqlite_schema"] + (try String.fetchAll(database, sql: tables))
    }

    /// Checks from a place on, to the end of the part or of what lies there.
    ///
    /// - Returns: The next place; nil at the end of the last table.
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
        // A table larger than what is left of the part is the beginning of another.
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
