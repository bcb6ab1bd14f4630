import Foundation
import GRDB
import Synchronization

extension Store {
    /// Checks the whole store: SQLite's pages and indexes, the foreign keys, and the checksum and content of every row.
    /// It also compares the indexes in memory and in index files with the rows.
    ///
    /// - Returns: Counts, problems (at most 20 per table) and warnings.
    /// - Throws: `.corruptFile` if the database cannot be read at all; `.inputOutput`; `.cancelled` as described at
    ///   `withProgressHandler`, with rows as units.
    /// - Complexity: O(size of the database).
    public nonisolated func check() throws(KinError) -> StoreReport {
        try requireOpen()
        return try attempting("check the store", at: paths) {
            try connections.read { database in
                var problems = fileProblems + (try damagedStructure(in: database))
                let counts = try StoreCounts(in: database)
                for type in RecordKind.types { problems += try damagedRows(type, in: database).problems }
                if problems.isEmpty { problems += try disagreements(in: database) }
                return StoreReport(
                    path: path, version: try ChangeLog.version(in: database),
                    people: counts.people, counts: counts.records,
                    totalBytes: totalBytes, problems: problems, warnings: try warnings(in: database),
                    namingKey: try NamingKeySource.location(in: database))
            }
        }
    }

    /// One sentence if another program removed or replaced a file of the open store.
    nonisolated var fileProblems: [String] {
        switch connections.fileState {
        case .inPlace: []
        case .logRemoved: ["another program removed SQLite's log \(paths.log); the next write puts it back"]
        case .replaced(let problem): ["\(problem); close the store and open it again with the right files in place"]
        }
    }

    /// One sentence if the store restored SQLite's log after another program had removed it.
    package nonisolated var fileWarnings: [String] {
        guard connections.restorations > 0 else { return [] }
        return [
            """
            another program removed SQLite's log while the store was open, and the store put it back; do not open or copy the \
            database by other programs while it is in use
            """
        ]
    }

    /// The largest number of problems per table in a report.
    static let mostProblems = 20

    /// Problems in the pages, indexes and references of a table, one sentence each. nil checks all tables and the pages
    /// outside them.
    nonisolated func damagedStructure(of table: String? = nil, in database: Database) throws -> [String] {
        // SQLite takes a limit or a table name; with a table name it stops after 100 problems.
        let check = "PRAGMA integrity_check(\(table ?? "\(Self.mostProblems)"))"
        var problems = try String.fetchAll(database, sql: check).filter { $0 != "ok" }
        let references =
            table == "sqlite_schema"
            ? []
            : try Row.fetchAll(
                database, sql: "PRAGMA foreign_key_check" + (table.map { "(\($0))" } ?? ""))
        problems += references.map { "a row of table \($0["table"] as String? ?? "?") has no person" }
        problems = Array(problems.prefix(Self.mostProblems))
        if table == nil || table == InboxRecord.kind.name { problems += try itemsWithoutContent(in: database) }
        if table == nil || table == "baby_owner" { problems += try BabyOwners.problems(in: database) }
        return problems
    }

    /// Problems of rows whose checksum, owner or columns do not match their record: at most ``mostProblems`` sentences.
    ///
    /// - Parameters:
    ///   - number: The check starts after this row number. Default: all rows.
    ///   - limit: The largest number of rows to read, by ascending row number.
    /// - Returns: The problems, the number of rows read and the last row number.
    nonisolated func damagedRows<Record: StoredRecord>(
        _: Record.Type, after number: Int64 = .min, limit: Int = .max, in database: Database
    ) throws -> (problems: [String], count: Int, last: Int64) {
        let kind = Record.kind
        let join = " JOIN person ON person.number = \(kind.name).person"
        let select = kind.isOwned ? kind.select(with: "person.uid") + join : kind.select
        var (problems, count, last): ([String], Int, Int64) = ([], 0, number)
        let part = " WHERE \(kind.name).number > ? ORDER BY \(kind.name).number LIMIT ?"
        let values: [SQLValue] = [.integer(number), .integer(Int64(limit))]
        try SQLStatement(select + part, in: database).query(values, reportingTo: LongWork(of: nil)) { row in
            guard problems.count < Self.mostProblems else { return }
            count += 1
            last = row.integer(0)
            do {
                let stored = try StoredRow(row, of: kind, in: database)
                let record: Record = try stored.record()
                if kind.isOwned, record.owner.map({ Array($0.utf8) }) != row.bytes(kind.columns.count + 2) {
                    problems.append("row \(stored.number) of table \(kind.name) and its record have different persons")
                } else if !stored.agrees(with: record.values) {
                    problems.append("row \(stored.number) of table \(kind.name) has other columns than its record says")
                }
            } catch let error as KinError {
                problems.append("\(error)")
            }
        }
        return (problems, count, last)
    }

    /// One sentence if inbox items have no content.
    private nonisolated func itemsWithoutContent(in database: Database) throws -> [String] {
        let count = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM inbox WHERE content IS NULL
                    AND NOT EXISTS (SELECT 1 FROM contribution WHERE contribution.id = inbox.contribution)
                """)
        return count.map { $0 > 0 ? ["\($0) items of inboxes refer to no contribution"] : [] } ?? []
    }

    private nonisolated var totalBytes: Int {
        guard !paths.isInMemory else { return 0 }
        let folder = paths.indexFolder
        let indexes = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = [paths.database, paths.log] + indexes.map { "\(folder)/\($0)" }
        return files.reduce(0) { sum, file in
            let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            return sum + (size ?? 0)
        }
    }
}

extension Store {
    /// The warnings of a report; see ``StoreReport/warnings``.
    nonisolated func warnings(in database: Database) throws -> [String] {
        var warnings = try Erasure.warnings(in: database)
        let missingDays = try CachedContent.missingDays(in: database)
        if let note = ContentLibrary.incompleteYear(without: missingDays) { warnings.append(note) }
        guard !paths.isInMemory else { return warnings }
        if let failure = unnoted.withLock({ $0 }) {
            warnings.append("the last change is missing from the writer's note, which detects lost changes: \(failure)")
        }
        warnings += fileWarnings
        let folder = IndexFolder(path: paths.indexFolder, files: files)
        let indexes = ((try? folder.names()) ?? []).map { "\(folder.path)/\($0)" }
        return warnings
            + OwnerOnly.wider(paths.replayed + [paths.database, paths.writerNote, folder.path] + indexes)
    }
}

/// The result of ``Store/check()``: counts, problems and warnings.
public struct StoreReport: Sendable, Hashable {
    /// The path of the database file.
    public let path: String
    /// The version of the database that was checked.
    public let version: StoreVersion
    /// The number of people with a record.
    public let people: Int
    /// The number of records by kind.
    public let counts: [String: Int]
    /// The size of the database, its log and the index files, in bytes.
    public let totalBytes: Int
    /// One sentence for each damaged record, index or reference; empty if the store is intact.
    public let problems: [String]
    /// One sentence for each warning. Warnings are not damage, for example bytes of an erased person that could not be
    /// removed yet, or files that other accounts may read.
    public let warnings: [String]

    /// The location of the key of anonymous names.
    public let namingKey: NamingKeyLocation

    /// The locations of a naming key.
    public enum NamingKeyLocation: String, Sendable, Hashable, CaseIterable {
        /// No key exists, because no name was needed.
        case nowhere = "none"
        /// The key is in the database.
        case database
        /// The caller stores the key; the database has its fingerprint.
        case caller
    }

    /// Whether there are no problems: no record is damaged, and the indexes agree with the records.
    public var isIntact: Bool { problems.isEmpty }
}
