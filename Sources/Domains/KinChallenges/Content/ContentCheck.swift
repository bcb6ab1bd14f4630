/// Reads a record of content.
package typealias ContentReader<Record> = (inout JSONReader) throws(KinError) -> Record

/// The result of checking a file of challenges or daily content: its records, and its problems by line.
public struct ContentCheck<Record: Sendable>: Sendable {
    /// A problem of the file, with its line.
    public struct Problem: Sendable, Hashable {
        /// The number of the line; nil for a problem of the file as a whole.
        public let line: Int?
        /// The error, naming the record and the field.
        public let error: KinError
    }

    /// The records of the correct lines.
    public let records: [Record]
    /// The problems in the order of the file; missing days come last.
    public let problems: [Problem]

    /// Whether the file has no problems.
    public var isSound: Bool { problems.isEmpty }
}

extension ContentCheck where Record == Challenge {
    /// Checks a file of challenges: all fields of all records, and that ids are unique.
    ///
    /// - Parameter text: JSON lines, one array, or a document (`ContentDocument`).
    public static func challenges(_ text: String) -> ContentCheck { challenges(text, read: Challenge.init(from:)) }

    /// Checks a file of challenges, which `read` reads.
    package static func challenges(_ text: String, read: @escaping ContentReader<Challenge>) -> ContentCheck {
        var lines = CheckedLines<Challenge>(text, part: .challenges, read: read)
        lines.requireUnique(\.id, "challenge")
        return ContentCheck(records: lines.records, problems: lines.problems)
    }
}

extension ContentCheck where Record == ContentItem {
    /// Checks a file of daily content: all fields of all records, and that each day from 1 to 364 occurs once.
    ///
    /// - Parameter text: JSON lines, one array, or a document (`ContentDocument`).
    public static func content(_ text: String) -> ContentCheck { content(text, read: ContentItem.init(from:)) }

    /// Checks a file of daily content, whose days `read` reads.
    package static func content(_ text: String, read: @escaping ContentReader<ContentItem>) -> ContentCheck {
        var lines = CheckedLines<ContentItem>(text, part: .days, read: read)
        lines.requireUnique(\.id, "day")
        var problems = lines.problems
        // An invalid line may be the day that seems to be missing.
        let missing = ContentLibrary.missingDays(among: lines.records.map(\.id))
        if !missing.isEmpty {
            problems.append(
                Problem(
                    line: nil,
                    error: KinError(
                        .invalidArgument,
                        "\(ContentLibrary.list(missing)) missing; a year has the days 1 to \(ContentLibrary.dayCount)"))
            )
        }
        return ContentCheck(records: lines.records, problems: problems)
    }
}

/// The records of a file, read separately so that a problem does not hide later problems.
private struct CheckedLines<Record: VersionedContent> {
    private(set) var records: [Record] = []
    private(set) var problems: [ContentCheck<Record>.Problem] = []
    private var lines: [Int] = []
    private let read: ContentReader<Record>

    /// Reads all records of a text.
    ///
    /// - Parameters:
    ///   - text: A record on each line, or an array of records or a document on any number of lines.
    ///   - part: The part of a document that has the records.
    ///   - read: Reads one record.
    init(_ text: String, part: ContentDocument.Part, read: @escaping ContentReader<Record>) {
        self.read = read
        if text.first(where: { !$0.isWhitespace }) == "[" {
            readWhole(text) { records, reader, start throws(KinError) in
                try records.readArray(&reader, from: start)
            }
            return
        }
        let isDocument = try? JSONReader.read(text) { reader throws(KinError) in
            try ContentDocument.isRecognized(&reader)
        }
        if isDocument == true {
            var version: AppVersion?
            readWhole(text) { records, reader, start throws(KinError) in
                try reader.members { reader, name throws(KinError) in
                    switch ContentDocument.Part(name) {
                    case part: try records.readArray(&reader, from: start)
                    case .minimumAppVersion: version = try ContentDocument.version(&reader)
                    default: try reader.skip()
                    }
                }
            }
            records = records.map { $0.requiring(version) }
            return
        }
        for (number, line) in text.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }
        )
        .enumerated() {
            if line.allSatisfy(\.isWhitespace) { continue }
            do throws(KinError) {
                var record: Record?
                try JSONLines.forEach(in: Array(line.utf8)[...], firstLine: number + 1) {
                    reader, _ throws(KinError) in record = try read(&reader)
                }
                guard let record else { continue }
                records.append(record)
                lines.append(number + 1)
            } catch {
                problems.append(ContentCheck.Problem(line: number + 1, error: error))
            }
        }
    }

    /// Reads a text of one value; the last argument of `body` is the reader at its beginning.
    private mutating func readWhole(
        _ text: String, _ body: (inout CheckedLines, inout JSONReader, JSONReader) throws(KinError) -> Void
    ) {
        do throws(KinError) {
            try JSONReader.read(text) { reader throws(KinError) in
                let start = reader
                try body(&self, &reader, start)
            }
        } catch {
            problems.append(ContentCheck.Problem(line: error.line, error: error))
        }
    }

    /// Reads an array of records; lines count from a reader at the beginning of the text.
    private mutating func readArray(_ reader: inout JSONReader, from start: JSONReader) throws(KinError) {
        var (last, line) = (start, 1)
        for var element in try reader.elements() {
            // Skips the white space before the record.
            _ = element.isAtObject()
            line += element.linesEnded(since: last)
            last = element
            do throws(KinError) {
                records.append(try read(&element))
                lines.append(line)
            } catch {
                problems.append(ContentCheck.Problem(line: error.line ?? line, error: error))
            }
        }
    }

    /// Drops records with an id that occurred before, and reports them.
    mutating func requireUnique<ID: Hashable & CustomStringConvertible>(_ id: (Record) -> ID, _ what: String) {
        var first: [ID: Int] = [:]
        var kept: [Record] = []
        for (record, line) in zip(records, lines) {
            if let other = first[id(record)] {
                let error = KinError(.duplicateID, "\(what) \(id(record)) is on line \(other) too").within("line", line)
                problems.append(ContentCheck.Problem(line: line, error: error))
            } else {
                first[id(record)] = line
                kept.append(record)
            }
        }
        records = kept
        problems.sort { ($0.line ?? .max) < ($1.line ?? .max) }
    }
}

extension KinError {
    /// The line in the error's context.
    fileprivate var line: Int? { context.first { $0.name == "line" }.flatMap { Int($0.value) } }
}
