import GRDB
public import KinCore
import KinJSON

extension Store {
    /// Puts in the records of a file of JSON lines: what ``exportLines(of:to:)`` wrote, or sessions, profiles and items alone, one a
    /// line, in any order.
    ///
    /// All of them or, when this throws, none. Memory for a few megabytes of lines is needed, however large the file.
    ///
    /// - Parameters:
    ///   - path: The file; `/dev/stdin` for what is piped in.
    ///   - now: The instant from which profiles hold that come without one.
    ///   - progress: Is told after every few megabytes how many records there were so far.
    /// - Returns: How many records of each kind were put in, by the kind's name, and under ``olderCount`` how many changed nothing, since
    ///   those that are there were updated later.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite` with file, line and, where they are known, record and field;
    ///   `.inputOutput`.
    @discardableResult
    public func importLines(
        from path: String, now: Timestamp, progress: (@Sendable (Int) -> Void)? = nil
    ) throws(KinError) -> [String: Int] {
        try requireWriting()
        do throws(KinError) {
            var file = try LineFile(path: path)
            return try importLines(now: now, progress: progress) { () throws(KinError) in try file.next() }
        } catch {
            throw error.context.contains { $0.name == "file" } ? error : error.within("file", path)
        }
    }

    /// Puts in the records of JSON lines; see ``importLines(from:now:progress:)``.
    ///
    /// - Parameters:
    ///   - text: The lines.
    ///   - now: Since when profiles hold that say nothing about it.
    @discardableResult
    public func importLines(_ text: String, now: Timestamp) throws(KinError) -> [String: Int] {
        var text: [UInt8]? = Array(text.utf8)
        return try importLines(now: now, progress: nil) { () throws(KinError) in
            defer { text = nil }
            return text
        }
    }

    /// Under which name an import counts the records that changed nothing, since those that are there were updated later.
    public static let olderCount = "older"

    private func importLines(
        now: Timestamp, progress: (@Sendable (Int) -> Void)?, next: () throws(KinError) -> [UInt8]?
    ) throws(KinError) -> [String: Int] {
        try write("import records") { transaction in
            var counts: [String: Int] = [:]
            var reader = RecordLineReader(now: now)
            var line = 1
            var all = 0
            while let piece = try next() {
                unsafe line += try piece.withUnsafeBufferPointer { bytes in
                    try unsafe JSONLines.forEach(in: bytes, firstLine: line) { json, _ throws(KinError) in
                        let record = try reader.read(&json)
                        try transaction.adopt(record)
                        counts[type(of: record).kind.name, default: 0] += 1
                        all += 1
                    }
                }
                progress?(all)
            }
            for (kind, count) in transaction.older {
                counts[kind.name, default: 0] -= count
                counts[Self.olderCount, default: 0] += count
            }
            return counts.filter { $0.value > 0 }
        }
    }

    /// Writes records as JSON lines: everything of a person, or everything there is.
    ///
    /// A person's profiles come first, oldest first, then their sessions, oldest first. An import gives the same records again.
    ///
    /// - Parameters:
    ///   - user: Whose; everybody's and the inventory when it is nil. Nothing is written for somebody unknown.
    ///   - write: Takes some whole lines of UTF-8; it may read from the store.
    /// - Returns: How many records of each kind there were, by the kind's name.
    /// - Throws: `.corruptFile` when a record is not as it was written, `.inputOutput`, or what `write` throws.
    @discardableResult
    public nonisolated func exportLines(
        of user: String? = nil, to write: ([UInt8]) throws(KinError) -> Void
    ) throws(KinError) -> [String: Int] {
        // A snapshot has a connection of its own, so that `write` may use those of the store.
        let snapshot = try attempting("export records", at: paths) { try pool.makeSnapshot() }
        return try attempting("export records", at: paths) {
            try snapshot.read { database in
                var counts: [String: Int] = [:]
                var lines: [UInt8] = []
                for type in RecordKind.types where user == nil || type.kind.isOwned {
                    let kind = type.kind
                    let statement = try SQLStatement(kind.export(ofOne: user != nil), in: database)
                    try statement.query(user.map { [try .id($0, "user")] } ?? []) { row in
                        let row = try StoredRow(row, of: kind)
                        try type.appendLine(of: row, alone: user != nil, to: &lines, in: database)
                        counts[kind.name, default: 0] += 1
                        if lines.count >= 1 << 18 {
                            try write(lines)
                            lines.removeAll(keepingCapacity: true)
                        }
                        return true
                    }
                }
                if !lines.isEmpty { try write(lines) }
                return counts
            }
        }
    }
}

extension RecordKind {
    /// The query of an export: of one person, who is its parameter, or of everybody.
    fileprivate func export(ofOne: Bool) -> String {
        let order = order.map { "\(name).\($0)" }.joined(separator: ", ")
        guard isOwned else { return "\(select) ORDER BY \(order)" }
        let join = "\(select) JOIN person ON person.number = \(name).person"
        return ofOne
            ? "\(join) WHERE person.uid = ? ORDER BY \(order)" : "\(join) ORDER BY person.uid, \(order)"
    }
}

extension WriteTransaction {
    /// Writes the record of a line.
    fileprivate func adopt<Record: StoredRecord>(_ record: Record) throws(KinError) {
        do {
            try put(record.adopted(by: self))
        } catch let error as KinError {
            throw error
        } catch let error as DatabaseError {
            throw KinError(error, doing: "import records")
        } catch {
            throw KinError(.inputOutput, "cannot import records: \(error)")
        }
    }
}
