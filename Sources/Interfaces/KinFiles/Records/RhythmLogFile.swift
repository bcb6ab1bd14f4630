import Foundation
public import Kin
import KinJSON

/// Files of a baby's log: CSV, or JSON as the domain reads it.
public enum RhythmLogFile {
    /// Reads a log: JSON where the text begins with { or [, else CSV.
    ///
    /// The columns of CSV are type, start, end, duration_min, subtype and amount_ml, in any order; others are left alone. A
    /// row whose type is none of a log's is left out and listed among the log's repairs, as is each word that is none of its
    /// column's.
    ///
    /// - Parameters:
    ///   - path: The file; `-` is standard input.
    ///   - born: The instant of birth, ISO 8601, where the file does not have it.
    ///   - zone: The zone whose clocks show the instants, which are the times with an offset (`Z`, `+02:00`), of a file that names none. Without
    ///     a zone the clock of the first row with an offset does, and the log's repairs say if offsets differ.
    /// - Throws: `.inputOutput` for a file that cannot be read, `.malformedInput` with line and column; also where no row
    ///   has a type of a log's.
    public static func read(
        _ path: String, born: String? = nil, zone: LocalZone? = nil
    ) throws(KinError) -> RhythmLog {
        try ByteReader.read(path) { text throws(KinError) in
            let start = text.first { !$0.isWhitespace }
            let log =
                start == "{" || start == "["
                ? try JSONReader.read(text) { reader throws(KinError) in try RhythmLog(from: &reader, in: zone) }
                : try RhythmCSVReader(text: text, zone: zone).log()
            return if let born { log.with(born: try LocalDateTime(parsing: born)) } else { log }
        }
    }

    /// Writes a log as CSV, with the columns that ``read(_:born:zone:)`` reads.
    ///
    /// - Parameters:
    ///   - log: The log; of its baby the file has nothing.
    ///   - path: The file, which appears once it is whole; `-` is standard output.
    /// - Throws: `.inputOutput` when it cannot be made or written.
    public static func write(_ log: RhythmLog, to path: String) throws {
        try WholeFile.make(path, text: RhythmCSVWriter.text(log))
    }

    /// Reads instants or readings of the log's clock, ISO 8601, one a line; empty lines are passed over.
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
