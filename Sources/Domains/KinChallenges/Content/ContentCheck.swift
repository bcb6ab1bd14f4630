public import KinCore
import KinJSON

/// What a file of challenges or of daily content has, and everything that is wrong with it, by line.
public struct ContentCheck<Record: Sendable>: Sendable {
    /// Something wrong.
    public struct Problem: Sendable, Hashable {
        /// The line; nil for what is missing from the file as a whole.
        public let line: Int?
        /// What is wrong, naming record and field.
        public let error: KinError
    }

    /// The records of the lines that are right.
    public let records: [Record]
    /// What is wrong, in the order of the file; what is missing comes last.
    public let problems: [Problem]

    /// Whether nothing is wrong.
    public var isSound: Bool { problems.isEmpty }
}

extension ContentCheck where Record == Challenge {
    /// Looks at a file of challenges, one a line or in an array: every field of every line, and that no id is there twice.
    public static func challenges(_ text: String) -> ContentCheck {
        var lines = CheckedLines<Challenge>(text)
        lines.requireUnique(\.id, "challenge")
        return ContentCheck(records: lines.records, problems: lines.problems)
    }
}

extension ContentCheck where Record == ContentItem {
    /// Looks at a file of daily content, one day a line or in an array: every field of every line, the lengths of quotes, and that every day from 1 to 364
    /// is there once.
    public static func content(_ text: String) -> ContentCheck {
        var lines = CheckedLines<ContentItem>(text)
        lines.requireUnique(\.id, "day")
        var problems = lines.problems
        // A line that is wrong may be the day that seems to be missing.
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

/// Lines that are read one by one, so that a wrong one does not hide those behind it.
private struct CheckedLines<Record: JSONRecord> {
    private(set) var records: [Record] = []
    private(set) var problems: [ContentCheck<Record>.Problem] = []
    private var lines: [Int] = []

    /// - Parameter text: A record on each line; or an array of records, on as many lines as it likes.
    init(_ text: String) {
        if text.first(where: { !$0.isWhitespace }) == "[" {
            readArray(text)
            return
        }
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy(\.isWhitespace) { continue }
            do throws(KinError) {
                records.append(try Self.record(Array(line.utf8), line: number + 1))
                lines.append(number + 1)
            } catch {
                let error = error.names("line") ? error : error.within("line", number + 1)
                problems.append(ContentCheck.Problem(line: number + 1, error: error))
            }
        }
    }

    private mutating func readArray(_ text: String) {
        do throws(KinError) {
            try JSONReader.read(text) { reader throws(KinError) in
                var (last, line) = (reader, 1)
                try reader.array { reader throws(KinError) in
                    // Past the white space before it.
                    _ = reader.isAtObject()
                    line += reader.linesEnded(since: last)
                    last = reader
                    do throws(KinError) {
                        records.append(try Record(from: &reader))
                        lines.append(line)
                    } catch {
                        problems.append(ContentCheck.Problem(line: error.line ?? line, error: error))
                        // The next one is behind this one, however far it was read.
                        reader = last
                        try reader.skip()
                    }
                }
            }
        } catch {
            problems.append(ContentCheck.Problem(line: error.line, error: error))
        }
    }

    private static func record(_ line: [UInt8], line number: Int) throws(KinError) -> Record {
        var result: Result<Record, KinError>?
        unsafe line.withUnsafeBufferPointer { bytes in
            result = Result { () throws(KinError) in
                try unsafe JSONReader.read(bytes, firstLine: number) { reader throws(KinError) in
                    try Record(from: &reader)
                }
            }
        }
        return try result!.get()
    }

    /// Takes out records whose id another one before has.
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
    /// The line that it names.
    fileprivate var line: Int? { context.first { $0.name == "line" }.flatMap { Int($0.value) } }
}
