import GRDB
import Synchronization

extension Store {
    /// Imports records from a file of JSON lines, in any order: the lines of ``exportLines(of:to:)``, records alone, or
    /// records of an app.
    ///
    /// The file may instead be one document, which is read as a whole: an array of records, or records in a row, with
    /// line breaks and comments inside them.
    ///
    /// If the import throws, no record is stored. It takes up to about 100 MB of memory for a file of any size. Other
    /// commands wait only during the writing: with one thread, the first 64 MiB of lines are read and encoded before
    /// the transaction begins.
    ///
    /// - Parameters:
    ///   - path: The file; `-` for standard input.
    ///   - now: The start of profiles that have none.
    ///   - threads: The most threads to use, 1 or more. With 2 or more, lines are read while earlier lines are written.
    ///     Nothing else depends on it.
    ///   - options: How records of apps are read.
    /// - Returns: The number of imported records by kind. Under ``olderCount``, the number of records skipped because the
    ///   stored record was updated later. Under ``conflictingCount``, the number of decisions skipped because the
    ///   stored decision of their number has a different outcome. Under ``missingDaysCount``, the number of days that imported
    ///   content lacks. The parts of images that were left out are under `refused_objects` (with a missing or invalid
    ///   part), `refused_values` and `unknown_keys`. The number of documents in the export of a database that are not
    ///   records is under `left_out`.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite` with the file, the line and, if known, the
    ///   record and field; `.inputOutput`; `.cancelled` as described at `withProgressHandler`, with bytes as units.
    @discardableResult
    public nonisolated func importLines(
        from path: String, now: Timestamp, threads: Int = 1, options: ShapeOptions = ShapeOptions()
    ) async throws(KinError) -> [String: Int] {
        do throws(KinError) {
            try requireWritingAccess()
            var opened = try LineFile(path: path)
            if let document = try opened.document() {
                return try await importDocument(document, now: now, options)
            }
            let size = opened.size
            let file = Mutex(opened)
            return try await importLines(
                RecordLineReader(now: now, options), bytes: size, threads: threads
            ) { () throws(KinError) in
                try file.withLock { file throws(KinError) in try file.next()?[...] }
            }
        } catch {
            let isInside = error.names("line") || error.names("field")
            let error = isInside ? error.adding("nothing of the file was stored") : error
            throw error.names("file") || error.names("input") ? error : error.within("file", path)
        }
    }

    /// Imports the records of JSON lines; see ``importLines(from:now:threads:options:)``.
    ///
    /// - Parameters:
    ///   - text: The lines.
    ///   - now: The start of profiles that have none.
    ///   - threads: The most threads to use, 1 or more.
    @discardableResult
    public nonisolated func importLines(
        _ text: String, now: Timestamp, threads: Int = 1
    ) async throws(KinError) -> [String: Int] {
        try requireWritingAccess()
        let lines = Mutex(LineText(text))
        return try await importLines(
            RecordLineReader(now: now), bytes: text.utf8.count, threads: threads
        ) { () throws(KinError) in
            lines.withLock { $0.next() }
        }
    }

    /// Inserts or replaces the records of a JSON array. If this throws, no record is stored.
    ///
    /// - Parameters:
    ///   - array: An array of records as lines of ``exportLines(of:to:)``, as records alone, or as records of an app.
    ///   - now: The start of profiles that have none.
    ///   - options: How records of apps are read.
    /// - Returns: As ``importLines(from:now:threads:options:)``.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite` with the element, counted from 0, and the field;
    ///   `.inputOutput`.
    @discardableResult
    public nonisolated func importArray(
        _ array: String, now: Timestamp, options: ShapeOptions = ShapeOptions()
    ) async throws(KinError) -> [String: Int] {
        try requireWritingAccess()
        do throws(KinError) {
            return try await importDocument(Array(array.utf8), now: now, options)
        } catch {
            throw error.without(["line", "column"])
        }
    }

    /// Imports the records of a document in one transaction.
    private nonisolated func importDocument(
        _ document: [UInt8], now: Timestamp, _ options: ShapeOptions
    ) async throws(KinError) -> [String: Int] {
        let batch = RecordBatch(document: document, by: RecordLineReader(now: now, options))
        return try await write([batch], LongWork(of: nil), threads: 1) { _ in }
    }

    /// The key for the number of skipped records in the result of an import.
    public static let olderCount = "older"

    /// The key for the number of decisions in an import that were skipped because the stored decision of their
    /// number has a different outcome.
    public static let conflictingCount = "conflicting"

    /// The key for the number of days that the store's year of content lacks, in the result of an import of such days.
    public static let missingDaysCount = "missing_content_days"

    /// The number of bytes of lines that are read and encoded before the transaction makes other commands wait.
    private static let readingAhead = 1 << 26

    private nonisolated func importLines(
        _ first: RecordLineReader, bytes: Int?, threads: Int,
        next: @Sendable () throws(KinError) -> ArraySlice<UInt8>?
    ) async throws(KinError) -> [String: Int] {
        try requireThreads(threads)
        let work = LongWork(of: bytes)
        var reader = first
        var (ahead, size) = ([RecordBatch](), 0)
        while size < (threads > 1 ? 1 : Self.readingAhead), let lines = try next() {
            ahead.append(RecordBatch())
            ahead[ahead.count - 1].read(lines, by: &reader)
            size += lines.count
            try work.step(by: 0)
        }
        let following = reader
        return try await write(ahead, work, threads: threads) { write in
            var reader = following
            try forEachBatch(threads: threads, next: next) { lines, batch in
                batch.read(lines, by: &reader)
            } write: {
                try write(&$0)
            }
        }
    }

    /// Writes batches of records in one transaction.
    ///
    /// - Parameter others: Passes on the batches that follow.
    private func write(
        _ batches: consuming [RecordBatch], _ work: LongWork, threads: Int,
        others: @Sendable ((inout RecordBatch) throws -> Void) throws -> Void
    ) throws(KinError) -> [String: Int] {
        try write("import records") { transaction in
            var counts: [String: Int] = [:]
            var late: RecordBatch? = RecordBatch()
            func write(_ batch: inout RecordBatch) throws {
                try batch.write(to: transaction, work, late: &late) { kind, _ in counts[kind.name, default: 0] += 1 }
                counts.merge(batch.omitted, uniquingKeysWith: +)
            }
            for index in batches.indices { try write(&batches[index]) }
            try others(write)
            if var last = late.take() { try write(&last) }
            try StoreTransaction(transaction).learnOutcomes()
            for (name, skipped) in [
                (Self.olderCount, transaction.older), (Self.conflictingCount, transaction.conflicting),
            ] {
                for (kind, count) in skipped {
                    counts[kind.name, default: 0] -= count
                    counts[name, default: 0] += count
                }
            }
            if counts[ContentItem.kind.name] != nil {
                counts[Self.missingDaysCount] = try CachedContent.missingDays(in: transaction.database).count
            }
            return counts.filter { $0.value > 0 }
        }
    }

    /// Exports records as JSON lines, for one person or for all people.
    ///
    /// A person's profiles come first, then their sessions, each by ascending time. An import restores the same
    /// records. The export of each owner of a baby has the whole log, under that owner's id.
    ///
    /// - Parameters:
    ///   - user: The person; nil for all people and the inventory. Nothing is written for an unknown person.
    ///   - write: Receives whole lines of UTF-8; it may read the store.
    /// - Returns: The number of exported records by kind.
    /// - Throws: `.corruptFile` if a record is damaged; `.inputOutput`; the errors of `write` (see
    ///   `KinError.underlying`); `.cancelled` as described at `withProgressHandler`, with records as units.
    @discardableResult
    public nonisolated func exportLines(
        of user: String? = nil, to write: ([UInt8]) throws -> Void
    ) throws(KinError) -> [String: Int] {
        try readSnapshot("export records") { database in
            var counts: [String: Int] = [:]
            var lines: [UInt8] = []
            var read = 0
            let work = LongWork(of: nil)
            for type in RecordKind.types where user == nil || type.kind.isOwned {
                let kind = type.kind
                let person = try user.map { try SQLValue.id($0, "user") }
                for (number, query) in kind.exports(ofOne: user != nil).enumerated() {
                    let owner = number == 0 ? nil : person?.text
                    try SQLStatement(query, in: database).query(person.map { [$0] } ?? []) { row in
                        let row = try StoredRow(row, of: kind, in: database)
                        try type.appendLine(of: row, alone: user != nil, under: owner, to: &lines, in: database)
                        counts[kind.name, default: 0] += 1
                        read += 1
                        if read % 256 == 0 { try work.step(by: 256) }
                        if lines.count >= 1 << 18 {
                            try callingBack { try write(lines) }
                            lines.removeAll(keepingCapacity: true)
                        }
                    }
                }
            }
            if !lines.isEmpty { try callingBack { try write(lines) } }
            return counts
        }
    }
}

extension RecordKind {
    /// The queries of an export: for one person, whose id is their parameter, or for all people. The second query selects
    /// the records in logs that the person shares and does not keep.
    fileprivate func exports(ofOne: Bool) -> [String] {
        let order = order.map { "\(name).\($0)" }.joined(separator: ", ")
        guard isOwned else { return ["\(select) ORDER BY \(order)"] }
        let join = "\(select) JOIN person ON person.number = \(name).person"
        guard ofOne else { return ["\(join) ORDER BY person.uid, \(order)"] }
        let shared = BabyOwners.isShared(self).map { "\(select) WHERE \($0) ORDER BY \(order)" }
        return ["\(join) WHERE person.uid = ? ORDER BY \(order)"] + (shared.map { [$0] } ?? [])
    }
}
