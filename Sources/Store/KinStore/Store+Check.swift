import Foundation
import GRDB
public import KinCore
import KinIndex
import KinLinearAlgebra
import KinPleasure

extension Store {
    /// Looks at everything, which opening does not: SQLite's pages and indexes, references between tables, the checksum of every row and the record in it, and that
    /// the index of the sessions' points has what the rows have.
    ///
    /// - Returns: What there is, and what is wrong.
    /// - Throws: `.corruptFile` when the database cannot be read at all, `.inputOutput`.
    /// - Complexity: O(size of the database).
    public nonisolated func check() throws(KinError) -> StoreReport {
        try read("check the store") { database in
            var problems = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
            let strays = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
            problems += strays.prefix(20).map { "a row of table \($0["table"] as String? ?? "?") belongs to nobody" }
            var counts: [String: Int] = [:]
            for kind in RecordKind.all {
                counts[kind.name] = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(kind.name)")
            }
            for type in RecordKind.types { problems += try damagedRows(type, in: database) }
            problems += try itemsWithoutContent(in: database)
            if problems.isEmpty { problems += try disagreements(in: database) }
            return StoreReport(
                path: path, version: try ChangeLog.version(in: database),
                people: try Int.fetchOne(database, sql: "SELECT count(*) FROM person") ?? 0, counts: counts,
                totalBytes: totalBytes, problems: problems, warnings: try warnings(in: database),
                namingKey: try NamingKeySource.location(in: database))
        }
    }

    /// Rows that are not what was written, belong to another person than they say, or are not found by what their record says.
    private nonisolated func damagedRows<Record: StoredRecord>(
        _: Record.Type, in database: Database
    ) throws -> [String] {
        let kind = Record.kind
        let uid = kind.isOwned ? ", person.uid" : ""
        let join = kind.isOwned ? " JOIN person ON person.number = \(kind.name).person" : ""
        let select = kind.select.replacing(" FROM ", with: "\(uid) FROM ") + join
        var problems: [String] = []
        try SQLStatement(select, in: database).query { row in
            do {
                let stored = try StoredRow(row, of: kind)
                let record: Record = try stored.record()
                if kind.isOwned, record.owner.map({ Array($0.utf8) }) != row.bytes(kind.columns.count + 2) {
                    problems.append("row \(stored.number) of table \(kind.name) belongs to another person than it says")
                } else if !stored.agrees(with: record.values) {
                    problems.append("row \(stored.number) of table \(kind.name) has other columns than its record says")
                }
            } catch let error as KinError {
                problems.append("\(error)")
            }
            return problems.count < 20
        }
        return problems
    }

    /// Items of inboxes that have nothing in them.
    private nonisolated func itemsWithoutContent(in database: Database) throws -> [String] {
        let count = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM inbox WHERE content IS NULL
                    AND NOT EXISTS (SELECT 1 FROM contribution WHERE contribution.id = inbox.contribution)
                """)
        return count.map { $0 > 0 ? ["\($0) items of inboxes refer to no contribution"] : [] } ?? []
    }

    /// Differences between the index of the sessions' points and their rows.
    private nonisolated func disagreements(in database: Database) throws -> [String] {
        let index = try sessionIndexes.current(.squaredL2, in: database).points
        let truth = try SessionIndexBuilder(metric: .squaredL2, database: database).build().points
        guard index.count == truth.count else {
            return ["the index of sessions has \(index.count) of \(truth.count)"]
        }
        let wrong = truth.ids.filter { id in
            index.vector(for: id) != truth.vector(for: id)
                || index.attributes.values(for: id) != truth.attributes.values(for: id)
        }
        return wrong.isEmpty ? [] : ["the index of sessions differs from the rows at \(wrong.count) sessions"]
    }

    private nonisolated var totalBytes: Int {
        let folder = paths.indexFolder
        let indexes = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let files = [paths.database, paths.log] + indexes.map { "\(folder)/\($0)" }
        return files.reduce(0) { sum, file in
            let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            return sum + (size ?? 0)
        }
    }
}
