import GRDB

/// Converts the ids of a store of release 0.1.0 to their normal form (``RecordID``), within a migration.
///
/// People whose ids differ only in their Unicode form are merged, with their records. Of two records with the same key,
/// the later version remains (``StoredRecord/isEarlier``) or, if neither is later, the one with the larger row number.
/// Damaged rows are not changed, so that a check finds them.
struct RecordRepair {
    let database: Database

    /// Repairs the ids of all records and people.
    ///
    /// - Returns: Whether anything was changed.
    func run() throws -> Bool {
        var hasChanged = false
        var merged: [Int64: Int64] = [:]
        let people = try SQLStatement("SELECT number, uid FROM person ORDER BY number", in: database)
            .all { (number: $0.integer(0), uid: $0.text(1), id: RecordID.repaired($0.text(1))) }
        let rename = try SQLStatement("UPDATE person SET uid = ? WHERE number = ?", in: database)
        let find = try SQLStatement("SELECT number FROM person WHERE uid = ?", in: database)
        for (number, uid, id) in people where Array(id.utf8) != Array(uid.utf8) {
            hasChanged = true
            if let other = try find.first([.text(id)], { $0.integer(0) }) {
                merged[number] = other
            } else {
                try rename.run([.text(id), .integer(number)])
            }
        }
        // Kinds added later have no table yet; their ids have always had the present form.
        let types = try RecordKind.types.filter { try database.tableExists($0.kind.name) }
        for type in types where try repair(type, merged) { hasChanged = true }
        for (number, other) in merged {
            for kind in types.map({ $0.kind }) where kind.isOwned {
                try SQLStatement("UPDATE OR IGNORE \(kind.name) SET person = ? WHERE person = ?", in: database)
                    .run([.integer(other), .integer(number)])
                // The remaining rows are damaged, and an undamaged record has the same key.
                try SQLStatement("DELETE FROM \(kind.name) WHERE person = ?", in: database).run([.integer(number)])
            }
            try SQLStatement("DELETE FROM person WHERE number = ?", in: database).run([.integer(number)])
        }
        return hasChanged
    }

    /// A row with the new values of its record.
    private struct Change<Record> {
        let number: Int64
        let record: Record
        let values: [SQLValue]
    }

    private func repair<Record: StoredRecord>(_: Record.Type, _ merged: [Int64: Int64]) throws -> Bool {
        let kind = Record.kind
        var changes: [Change<Record>] = []
        try SQLStatement("\(kind.select) ORDER BY number", in: database).query { row in
            guard let stored = try? StoredRow(row, of: kind, in: database) else { return }
            let person = kind.isOwned ? stored.integer("person") : 0
            let body = try? JSONIDs.repaired(stored.body, at: Record.idPaths)
            guard body != nil || merged[person] != nil else { return }
            guard let record = try? Record(row: stored, body: body ?? stored.body) else { return }
            let owner: [SQLValue] = kind.isOwned ? [.integer(merged[person] ?? person)] : []
            changes.append(Change(number: stored.number, record: record, values: owner + record.values))
        }
        for change in changes { try write(change, of: kind) }
        return !changes.isEmpty
    }

    private func write<Record: StoredRecord>(_ change: Change<Record>, of kind: RecordKind) throws {
        let key = kind.key.map { change.values[kind.columns.firstIndex(of: $0)!] }
        let found = try SQLStatement(kind.find, in: database).first(key) { $0.integer(0) }
        let delete = try SQLStatement(kind.delete, in: database)
        if let found, found != change.number {
            let other = try? RecordQuery<Record>("WHERE number = ?", [.integer(found)]).first(in: database)
            var isLater = found < change.number
            if let other, let isEarlier = Record.isEarlier {
                isLater = isLater ? !isEarlier(change.record, other) : isEarlier(other, change.record)
            }
            try RowNumbers.keep(for: [kind], in: database)
            try delete.run([.integer(isLater ? found : change.number)])
            if !isLater { return }
        }
        let checksum = StoredRow.checksum(number: change.number, change.values)
        try SQLStatement(kind.update, in: database)
            .run([.integer(change.number)] + change.values + [.integer(Int64(checksum))])
    }
}
