import GRDB
public import KinCore
import KinJSON
import Synchronization

extension Store {
    /// Imports the records of a file of JSON lines in any order: what ``exportLines(of:to:)`` writes, records alone, or records of an app.
    ///
    /// A file may also be one document: an array of records, or records one after the other, with line breaks and comments inside them; and is then read
    /// as a whole.
    ///
    /// All of them or, when this throws, none. Takes up to about 100 MB of memory for a file of any size. Other commands wait for the
    /// writing only: with one thread, the first 64 MiB of lines are read and encoded before the transaction begins.
    ///
    /// - Parameters:
    ///   - path: The file; `/dev/stdin` for what is piped in.
    ///   - now: The start of profiles that come without one.
    ///   - threads: The most threads to use, 1 or more; with 2 or more, lines are read beside the writing of those before them. Nothing
    ///     else depends on it.
    ///   - options: How records of apps are read.
    /// - Returns: The number of imported records by kind, and under ``olderCount`` the number of skipped ones, whose
    ///   stored form was updated later.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite` with file, line and, where they are known, record and field;
    ///   `.inputOutput`; `.cancelled`, as `withProgressHandler` says, whose units are bytes.
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
            throw error.context.contains { ["file", "input"].contains($0.name) } ? error : error.within("file", path)
        }
    }

    /// Imports the records of JSON lines; see ``importLines(from:now:threads:options:)``.
    ///
    /// - Parameters:
    ///   - text: The lines.
    ///   - now: The start of profiles that come without one.
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

    /// Inserts or replaces the records of a JSON array: all of them or, when this throws, none.
    ///
    /// - Parameters:
    ///   - array: An array of records as ``exportLines(of:to:)`` writes them, of records alone, or of records of an app.
    ///   - now: The start of profiles that come without one.
    ///   - options: How records of apps are read.
    /// - Returns: As ``importLines(from:now:threads:options:)``.
    /// - Throws: `.malformedInput`, `.invalidArgument` or `.notFinite` with the element, from 0 on, and the field; `.inputOutput`.
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

    /// The key under which an import counts skipped records.
    public static let olderCount = "older"

    /// The number of bytes of lines that are read and encoded before other commands have to wait.
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
            func write(_ batch: inout RecordBatch) throws {
                try batch.write(to: transaction, work) { kind, _ in counts[kind.name, default: 0] += 1 }
            }
            for index in batches.indices { try write(&batches[index]) }
            try others(write)
            for (kind, count) in transaction.older {
                counts[kind.name, default: 0] -= count
                counts[Self.olderCount, default: 0] += count
            }
            return counts.filter { $0.value > 0 }
        }
    }

    /// Requires a number of threads that work can be done with.
    nonisolated func requireThreads(_ threads: Int) throws(KinError) {
        guard threads < 1 else { return }
        throw .field("threads", "\(threads) threads; give 1 or more")
    }

    /// Exports records as JSON lines: those of one person, or all.
    ///
    /// A person's profiles come first, then their sessions, each by ascending time. An import restores the same
    /// records.
    ///
    /// - Parameters:
    ///   - user: The person; nil for everybody and the inventory. Nothing is written for an unknown person.
    ///   - write: Receives whole lines of UTF-8; it may read from a store on a disk.
    /// - Returns: The number of exported records by kind.
    /// - Throws: `.corruptFile` when a record is not as it was written, `.inputOutput`, or what `write` throws; `.cancelled`, as
    ///   `withProgressHandler` says, whose units are records.
    @discardableResult
    public nonisolated func exportLines(
        of user: String? = nil, to write: ([UInt8]) throws(KinError) -> Void
    ) throws(KinError) -> [String: Int] {
        try requireOpen()
        try CommandScope.record(.read)
        return try attempting("export records", at: paths) {
            // So that `write` may use the connections of the store.
            try connections.withSnapshot { reader in
                try reader.read { database in
                    var counts: [String: Int] = [:]
                    var lines: [UInt8] = []
                    var read = 0
                    let work = LongWork(of: nil)
                    for type in RecordKind.types where user == nil || type.kind.isOwned {
                        let kind = type.kind
                        let statement = try SQLStatement(kind.export(ofOne: user != nil), in: database)
                        try statement.query(user.map { [try .id($0, "user")] } ?? []) { row in
                            let row = try StoredRow(row, of: kind, in: database)
                            try type.appendLine(of: row, alone: user != nil, to: &lines, in: database)
                            counts[kind.name, default: 0] += 1
                            read += 1
                            if read % 256 == 0 { try work.step(by: 256) }
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
