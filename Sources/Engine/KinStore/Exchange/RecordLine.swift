import GRDB

/// Reads records from lines of JSON, trying the type of the previous one first.
///
/// The store writes a record under its kind: `{"session":{…}}`, `{"profile":{…},"since":"2026-11-20T06:30:00Z"}`,
/// `{"inventory_item":{…}}` and so on. A record alone, as other programs write it, is recognized by its members.
struct RecordLineReader {
    /// A record as read.
    enum Entry {
        case record(any StoredRecord)
        /// A record of an app, translated inside the transaction.
        case shaped(ShapedLine)
    }

    /// The start of profiles that have none.
    let now: Timestamp
    /// The number of the next line.
    var line = 1
    /// The parts of images that were left out.
    var report = AnalysisReport()
    /// The number of documents in exports of databases that are not records.
    var leftOut = 0
    /// The type of the previous record if it was alone; nil if it was under its kind.
    private var last: (any StoredRecord.Type)?

    private let options: ShapeOptions

    private static let keys = JSONKeys(
        RecordKind.all.map(\.name) + JSONReader.companions + ["merge"], required: [])

    init(now: Timestamp, _ options: ShapeOptions = ShapeOptions()) {
        self.now = now
        self.options = options
    }

    /// Reads the record of a line, or the records of a document of content or of a database's export on one line.
    mutating func read(_ reader: inout JSONReader) throws(KinError) -> [Entry] {
        let start = reader
        let failure: KinError
        do throws(KinError) { return try document(&reader) } catch { failure = error }
        reader = start
        guard reader.isAtObject(), let tree = try? JSONTree(from: &reader) else { throw failure }
        let export = DatabaseExport(tree, options)
        guard !export.records.isEmpty else { throw failure }
        leftOut += export.leftOut.count
        var entries: [Entry] = []
        for record in export.records {
            do throws(KinError) {
                entries += try JSONReader.read(record.jsonText) { reader throws(KinError) in try document(&reader) }
            } catch {
                throw error.without(["line", "column"])
            }
        }
        return entries
    }

    private mutating func document(_ reader: inout JSONReader) throws(KinError) -> [Entry] {
        let start = reader
        guard reader.isAtObject() else {
            throw reader.error(Store.recordsAdvice)
        }
        if options.shape == nil {
            let failure: KinError
            do throws(KinError) {
                return try records(&reader).map { .record($0) }
            } catch {
                failure = error
            }
            reader = start
            guard let line = try ShapedLine(&reader, options) else { throw failure }
            return [.shaped(line)]
        }
        guard let line = try ShapedLine(&reader, options) else {
            reader = start
            return try records(&reader).map { .record($0) }
        }
        return [.shaped(line)]
    }

    /// Whether the names of an object's members are those of a record under its kind.
    static func isLabelled(_ names: [String]) -> Bool {
        names.contains { name in name == "since" || RecordKind.all.contains { $0.name == name } }
    }

    private mutating func records(_ reader: inout JSONReader) throws(KinError) -> [any StoredRecord] {
        let start = reader
        do throws(KinError) {
            return [try read(last, &reader)]
        } catch {
            var again = start
            let names = try again.memberNames().map(Spelling.snakeCase)
            let recognized = RecordKind.types.first { $0.isRecognized(by: names) }
            let isLabelled = Self.isLabelled(names)
            reader = start
            if recognized == nil, !isLabelled, try ContentDocument.isRecognized(&reader) {
                reader = start
                let document = try ContentDocument(from: &reader)
                return document.days + document.challenges
            }
            guard recognized != nil || isLabelled else {
                throw start.error(
                    """
                    this is not a record of Kin or of a known app: a session has a pleasure_vector, a profile a pleasure_profile, an item an access_mode, \
                    a soul goals, realms, objects, patterns or valence, an image detected_objects, a challenge a time_investment, a day of content a quote, and \
                    any other record, such as a baby, care_event, reflection or challenge_preferences, is under the name of its kind; `shape` names the app of a record; `contribute` stores the zone or story of a person; an app's accounts, insights and \
                    predictions are not records
                    """)
            }
            guard recognized?.kind != last?.kind else { throw error }
            last = recognized
            reader = start
            return [try read(recognized, &reader)]
        }
    }

    private mutating func read(
        _ type: (any StoredRecord.Type)?, _ reader: inout JSONReader
    ) throws(KinError) -> any StoredRecord {
        guard let type else { return try labelled(&reader) }
        guard type == ImageAnalysis.self else { return try type.read(&reader, now: now) }
        return try ImageAnalysis(from: &reader, id: nil, report: &report)
    }

    private mutating func labelled(_ reader: inout JSONReader) throws(KinError) -> any StoredRecord {
        let start = reader
        var records: [any StoredRecord] = []
        var beside = LineCompanions()
        try reader.members(of: Self.keys) { reader, key throws(KinError) in
            switch key - RecordKind.types.count {
            case 0: beside.since = try Timestamp(reader.string(), needsOffset: true)
            case 1: beside.content = try Contribution(from: &reader)
            case 2: beside.merge = try reader.boolean()
            default: records.append(try read(RecordKind.types[key], &reader))
            }
        }
        guard records.count == 1 else {
            throw start.error("a line must have one record, not \(records.count)")
        }
        do throws(KinError) {
            return try records[0].taking(beside)
        } catch {
            throw start.error(error.message, code: error.code)
        }
    }
}

extension StoredRecord {
    /// Appends a row's record as a line of JSON.
    ///
    /// - Parameters:
    ///   - alone: Whether the export is for one person.
    ///   - user: The id that replaces the user of a record in a shared log; nil for the record's own.
    static func appendLine(
        of row: StoredRow, alone: Bool, under user: String?, to bytes: inout [UInt8], in database: Database
    ) throws {
        bytes += "{\"\(kind.name)\":".utf8
        let record = try exported(row)
        bytes += try user.flatMap { user in try JSONIDs.changed(record, at: [["user_id"]]) { _ in user } } ?? record
        if let (name, value) = try companion(of: row, alone: alone, in: database) {
            bytes += ",\"\(name)\":\(value)".utf8
        }
        bytes += "}\n".utf8
    }
}

extension Store {
    /// The error about a text in place of a record, which may be a table.
    package static let recordsAdvice =
        "a JSON object is expected here; CSV, other tables and a comma after the last record are not read: Engine.put of Python takes a table with a row for each record, such as pandas.read_csv(path); a tracker's log is stored by `kin store import_log USER BABY FILE`, and from Python by kin.Baby(engine, user, baby).put(kin.read_log(path))"
}
