/// Records that are encoded but not written yet. Encoding can run while earlier records are written.
struct RecordBatch: Sendable {
    /// The position of a record in the input, for errors.
    fileprivate enum Place {
        /// The number of a line.
        case line(Int)
        /// The number of an element of an array, counted from 0.
        case element(Int)
    }

    private struct Entry {
        /// The position of the record; nil for a record that was not read from an input.
        let place: Place?
        let content: Content
    }

    private enum Content {
        /// A row of ``rows``, for a record that depends on nothing in the store.
        case row(any StoredRecord.Type, owner: String?, Range<Int>)
        /// A record that the store adapts before it is encoded.
        case record(any StoredRecord)
        /// A record of an app, translated with data from the store.
        case shaped(ShapedLine)
    }

    private var entries: [Entry] = []
    private var rows = RowBytes()
    /// The start of records that have none.
    private var now = Timestamp(unchecked: 0)
    /// The error that ended the reading after the entries; nil if all lines were read.
    private var failure: KinError?
    /// The number of bytes of the lines.
    private var byteCount = 0
    /// The parts of images that were left out.
    private var report = AnalysisReport()
    /// The number of documents in exports of databases that are not records.
    private var leftOut = 0

    /// Replaces the records by those of some lines.
    ///
    /// - Parameters:
    ///   - lines: Whole lines.
    ///   - reader: The reader, after all earlier lines.
    mutating func read(_ lines: ArraySlice<UInt8>, by reader: inout RecordLineReader) {
        removeAll()
        byteCount = lines.count
        now = reader.now
        (reader.report, reader.leftOut) = (report, 0)
        do throws(KinError) {
            reader.line += try JSONLines.forEach(in: lines, firstLine: reader.line) { json, line throws(KinError) in
                for entry in try reader.read(&json) { append(entry, at: .line(line)) }
            }
        } catch {
            failure = error
        }
        (report, leftOut) = (reader.report, reader.leftOut)
        finishShaped()
    }

    /// Creates an empty batch.
    init() {}

    /// Creates a batch of the records of a document: an array or a sequence of values.
    init(document: [UInt8], by reader: RecordLineReader) {
        var (reader, element) = (reader, 0)
        now = reader.now
        do throws(KinError) {
            try JSONDocument.forEachValue(in: document) { json throws(KinError) in
                for entry in try reader.read(&json) { append(entry, at: .element(element)) }
                element += 1
            }
        } catch {
            failure = error.inField("records")
        }
        (report, leftOut) = (reader.report, reader.leftOut)
        finishShaped()
    }

    /// Checks the ids of people and babies in apps' records, and orders the records.
    private mutating func finishShaped() {
        refuseUnnamed()
        orderShaped()
    }

    /// Refuses several people or babies without an id: all would be that of the option.
    private mutating func refuseUnnamed() {
        var kinds: Set<String> = []
        for entry in entries {
            guard failure == nil, case .shaped(let line) = entry.content, let id = line.idOfOption,
                !kinds.insert(line.kind).inserted
            else { continue }
            let error = KinError(
                .invalidArgument,
                "several records have no id, and \"\(id.callers ?? id.option)\" names only one; write each id in \"\(id.names[0])\""
            )
            failure = entry.place?.naming(error) ?? error
        }
    }

    /// Moves records of apps after the records that they may refer to.
    private mutating func orderShaped() {
        func rank(_ entry: Entry) -> Int { if case .shaped(let line) = entry.content { line.rank } else { 0 } }
        guard entries.contains(where: { rank($0) > 0 }) else { return }
        entries = (0...3).flatMap { place in entries.filter { rank($0) == place } }
    }

    private mutating func append(_ entry: RecordLineReader.Entry, at place: Place) {
        switch entry {
        case .record(let record): append(record, at: place)
        case .shaped(let line): entries.append(Entry(place: place, content: .shaped(line)))
        }
    }

    private mutating func append<Record: StoredRecord>(_ record: Record, at place: Place?) {
        guard !record.needsStoreContext, Record.writeParts == nil, (record as? ProfileVersion)?.since != now else {
            return entries.append(Entry(place: place, content: .record(record)))
        }
        let first = rows.count
        rows.append(record)
        entries.append(
            Entry(place: place, content: .row(Record.self, owner: record.owner, first..<rows.count)))
    }

    /// Replaces the batch's records by records that come from no line, so that errors name no line. Its memory is
    /// reused.
    ///
    /// A session with an `extra`, which nothing has checked, is read again after it is written.
    mutating func replaceAll(with sessions: some Sequence<PleasureSession>) {
        removeAll()
        for session in sessions {
            if session.extra == nil {
                append(session, at: nil)
            } else {
                entries.append(Entry(place: nil, content: .record(session)))
            }
        }
    }

    private mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        rows.removeAll()
        failure = nil
        byteCount = 0
        (report, leftOut) = (AnalysisReport(), 0)
    }

    /// The number of parts of images and of documents that were left out, by the names in the result of an import.
    var omitted: [String: Int] {
        [
            "refused_objects": report.refusedObjects, "refused_values": report.refusedValues,
            "unknown_keys": report.unknownKeys.values.reduce(0, +), "left_out": leftOut,
        ]
    }

    /// Writes the records in their order.
    ///
    /// - Parameters:
    ///   - work: Counts the bytes of the lines; nil for records that are not from lines.
    ///   - late: Receives the records that refer to a record which is not stored yet, for the end; nil for the last batch.
    ///   - body: Receives the kind of each written record and its row number.
    /// - Throws: The first error of a record, of reading or of writing, with the record's position; `.cancelled`.
    mutating func write(
        to transaction: WriteTransaction, _ work: LongWork? = nil, late: inout RecordBatch?,
        _ body: (RecordKind, Int64) -> Void
    ) throws {
        for (index, entry) in entries.enumerated() {
            do {
                try write(entry.content, to: transaction, body)
            } catch {
                if late != nil, case .record = entry.content, (error as? KinError)?.code == .unknownID {
                    late?.entries.append(entry)
                    continue
                }
                guard let place = entry.place else { throw error }
                throw place.naming(KinError(error, doing: "import records"))
            }
            if index % 256 == 255 { try work?.step(by: 0) }
        }
        if let failure { throw failure }
        try work?.step(by: byteCount)
    }

    /// Writes the records of an entry.
    private mutating func write(
        _ content: Content, to transaction: WriteTransaction, _ body: (RecordKind, Int64) -> Void
    ) throws {
        switch content {
        case .row(let type, let owner, let range):
            body(type.kind, try rows.withRow(at: range) { try type.put($0, of: owner, in: transaction) })
        case .record(let record):
            try (record as? UserChallenge)?.noteOutcome(in: transaction, isNew: false)
            body(type(of: record).kind, try adopt(record, in: transaction))
        case .shaped(let line):
            let records = try line.records(in: ShapeLookup(transaction: transaction, now: now))
            for record in records {
                try (record as? UserChallenge)?.noteOutcome(in: transaction, isNew: true)
                body(type(of: record).kind, try adopt(transaction.admitted(record), in: transaction))
            }
        }
    }

    /// Writes a record, but not a profile from now on that equals the present one. Apps put profiles at each launch.
    private func adopt(_ record: any StoredRecord, in transaction: WriteTransaction) throws -> Int64 {
        if let version = record as? ProfileVersion, version.since == now {
            let present = try RecordQuery<ProfileVersion>(
                of: version.profile.userID, "AND since <= ? ORDER BY since DESC LIMIT 1", [.integer(now.microseconds)]
            ).numbered(in: transaction.database).first
            if let present, present.record.profile == version.profile { return present.number }
        }
        return try transaction.adopt(record)
    }
}

extension StoredRecord {
    /// Writes an encoded record.
    fileprivate static func put(_ row: RowView, of owner: String?, in transaction: WriteTransaction) throws -> Int64 {
        try transaction.put(row, of: Self.self, owner: owner, isReport: true) {
            try JSONReader.read(row.values.last?.text ?? "") { reader throws(KinError) in
                try read(&reader, now: Timestamp(unchecked: 0))
            }
        }
    }
}

extension RecordBatch.Place {
    /// An error with the position of its record.
    fileprivate func naming(_ error: KinError) -> KinError {
        switch self {
        case .line(let line): error.names("line") ? error : error.within("line", line)
        case .element(let element): error.inField("records[\(element)]")
        }
    }
}
