import Foundation

/// Files of a baby's log: CSV, or the domain's JSON.
public enum RhythmLogFile {
    /// Reads a log and reports the columns, words and rows that were not understood.
    ///
    /// The file is CSV or JSON, in Kin's own format or as exported by a tracker, or a folder of such files with one
    /// type each. The encoding, separator, decimal mark, columns, dates, times and units are detected;
    /// <doc:ImportingLogs> lists the trackers. A row of an unknown type is left out and listed in the log's repairs, as
    /// is each unknown word.
    ///
    /// - Parameters:
    ///   - path: The file or folder; `-` is standard input.
    ///   - options: Decisions that the file leaves open.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with line and column. Also if no row
    ///   has a known type, the order of day and month or the unit of amounts is ambiguous, or a strict import has
    ///   something to report.
    public static func load(_ path: String, _ options: LogOptions = LogOptions()) throws(KinError) -> LogImport {
        let imported =
            FileIdentity(of: path)?.isFolder == true ? try loadFolder(path, options) : try loadFile(path, options)
        do throws(KinError) { return try imported.checked(options) } catch { throw error.within("file", path) }
    }

    /// Reads a log as ``load(_:_:)`` does, without its report.
    ///
    /// - Parameters:
    ///   - path: The file or folder; `-` is standard input.
    ///   - born: The instant of birth, ISO 8601, if the file does not have it.
    ///   - zone: The local zone for times with an offset (`Z`, `+02:00`), if the file names none. Default: the offset of the
    ///     first row with one; the log's repairs report if offsets differ.
    /// - Throws: As ``load(_:_:)``.
    public static func read(
        _ path: String, born: String? = nil, zone: LocalZone? = nil
    ) throws(KinError) -> RhythmLog {
        try load(path, LogOptions(born: born, zone: zone)).log
    }

    /// Reads a log from the bytes of a file, as ``load(_:_:)`` does.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of CSV or JSON.
    ///   - name: The name of the file, for the type of its rows.
    ///   - options: Decisions that the file leaves open.
    /// - Throws: `.malformedInput`, as ``load(_:_:)``.
    package static func load(_ bytes: [UInt8], name: String, _ options: LogOptions) throws(KinError) -> LogImport {
        let (text, encoding) = try TextEncoding.decode(bytes)
        return try load(text, encoding, name: name, options).checked(options)
    }

    private static func loadFile(_ path: String, _ options: LogOptions) throws(KinError) -> LogImport {
        let reader = try ByteReader(path: path)
        let (text, encoding) = try reader.decoded()
        do throws(KinError) {
            return try load(text, encoding, name: (path as NSString).lastPathComponent, options)
        } catch { throw error.within("file", reader.name) }
    }

    private static func load(
        _ text: String, _ encoding: TextEncoding, name: String, _ options: LogOptions
    ) throws(KinError) -> LogImport {
        let text = text.plain
        if LogJSON.begins(text) { return try loadJSON(JSONText.values(text), name: name, options) }
        var importer = LogImporter(options)
        try importer.add(text, encoding, source: name)
        return try importer.finish()
    }

    /// Reads a log in JSON: in Kin's own format, or as a tracker's if that recognizes more of it.
    private static func loadJSON(
        _ values: [(text: String, line: Int)], name: String, _ options: LogOptions
    ) throws(KinError) -> LogImport {
        func readOwn() -> Result<RhythmLog, KinError>? {
            guard values.count == 1 else { return nil }
            return Result { () throws(KinError) in
                try JSONText.read(values[0]) { reader throws(KinError) in try RhythmLog(from: &reader, in: options.zone)
                }
            }
        }
        let own = readOwn()
        if case .success(let log)? = own, !log.readingRepairs.contains(where: { $0.problem == .unknownType }) {
            return LogImport(log: log, report: ImportReport(of: log, name: name, json: values[0].text))
        }
        let other = Result { () throws(KinError) -> LogImport in
            var importer = LogImporter(options)
            try importer.add(LogJSON(values, source: name), source: name)
            return try importer.finish()
        }
        switch (own, other) {
        case (.success(let log)?, .success(let imported)) where imported.log.records.count > log.records.count:
            return imported
        case (.success(let log)?, _):
            return LogImport(log: log, report: ImportReport(of: log, name: name, json: values[0].text))
        case (.failure(let error)?, .success(let imported)):
            // A wrong value in a log of only Kin's own fields is an error, not a column to ignore.
            let ignored = imported.report.parts.flatMap(\.ignored)
            if !ignored.isEmpty, ignored.allSatisfy({ ownFields.contains($0.column) }) { throw error }
            return imported
        case (.failure(let error)?, .failure(let second)):
            // In a log with a tracker's fields, the error is not that Kin has no such fields.
            let tables = (try? LogJSON(values, source: name))?.tables ?? []
            // Without tables the second error is that of the text, unless it names no line.
            let isOwn =
                (!tables.isEmpty || !second.names("line")) && tables.count < 2
                && tables.flatMap(\.names).allSatisfy(RhythmLog.isField)
                && tables.allSatisfy { $0.path.isEmpty || $0.path == ["events"] }
            throw isOwn && second.code == .malformedInput && error.names("line") ? error : second
        case (nil, _): return try other.get()
        }
    }

    /// The fields of Kin's own events that a tracker's import ignores if their values are invalid.
    private static let ownFields: Set<String> = [
        "quality", "nap_number", "is_night_sleep", "side", "category", "created", "updated", "removed",
    ]

    /// Reads the CSV and JSON files of a folder, one for each type.
    private static func loadFolder(_ path: String, _ options: LogOptions) throws(KinError) -> LogImport {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted().filter {
            ["csv", "tsv", "txt", "json", "jsonl"].contains(($0 as NSString).pathExtension.lowercased())
        }
        guard !names.isEmpty else {
            throw ByteReader.unreadable(path, "the folder has no files in CSV or JSON (.csv, .tsv, .json)")
        }
        var files: [(name: String, path: String, text: String, encoding: TextEncoding)] = []
        for name in names {
            let reader = try ByteReader(path: (path as NSString).appendingPathComponent(name))
            let (text, encoding) = try reader.decoded()
            files.append((name, reader.name, text.plain, encoding))
        }
        var options = options
        options.folderDates = LogTable.order(ofDatesIn: files.map(\.text))
        var importer = LogImporter(options)
        for file in files {
            do throws(KinError) {
                try importer.add(file.text, file.encoding, source: file.name, isOneOfMany: true)
            } catch { throw error.within("file", file.path) }
        }
        return try importer.finish()
    }

    /// Writes a log as CSV, with the columns that ``load(_:_:)`` reads.
    ///
    /// - Parameters:
    ///   - log: The log; the file has no facts about the baby.
    ///   - path: The file, which appears when it is complete; `-` is standard output.
    /// - Throws: `.inputOutput` if the file cannot be created or written.
    public static func write(_ log: RhythmLog, to path: String) throws {
        try WholeFile.make(path, text: RhythmCSVWriter.text(log))
    }

    /// Reads instants or local times of the log, ISO 8601, one per line; empty lines are ignored.
    ///
    /// - Parameter path: The file; `-` is standard input.
    /// - Throws: `.inputOutput` for a file that cannot be read, else the error of a time with `line` and `file`.
    public static func instants(_ path: String) throws(KinError) -> [LoggedTime] {
        let reader = try ByteReader(path: path)
        var instants: [LoggedTime] = []
        for (number, line) in try reader.lines() {
            do throws(KinError) { instants.append(try LoggedTime(parsing: line)) } catch {
                throw error.within("line", number).within("file", reader.name)
            }
        }
        return instants
    }
}
