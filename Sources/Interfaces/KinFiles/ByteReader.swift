import Foundation

/// The bytes of a file or of standard input, read once from front to back.
///
/// All readers use this class. It holds only the requested piece, so memory depends on the file's actual contents and
/// never on the claims of its header. A file that cannot be opened is a `.inputOutput` error whose context names the
/// `input`.
package final class ByteReader {
    /// The name to show in errors: the path, or `standard input`.
    package let name: String
    /// The file's length in bytes; nil if unknown, as for a pipe.
    package let size: Int?
    /// The number of bytes read so far.
    package private(set) var position = 0

    private let handle: FileHandle
    /// Bytes that were read and not consumed; a slice, so that consuming some does not move the rest.
    private var ahead: ArraySlice<UInt8> = []

    /// Opens a file; `-` is standard input.
    package init(path: String) throws(KinError) {
        if path == "-" {
            name = "standard input"
            size = nil
            handle = .standardInput
            return
        }
        name = path
        let target = (path as NSString).resolvingSymlinksInPath
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else {
            throw Self.unreadable(path, "there is no such file; check the path")
        }
        let type = attributes[.type] as? FileAttributeType
        if type == .typeDirectory { throw Self.unreadable(path, "this is a folder, not a file") }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw .refused("open the file", number: errno).within("input", path)
        }
        self.handle = handle
        size = type == .typeRegular ? (attributes[.size] as? NSNumber)?.intValue : nil
    }

    /// An error about a file or folder that does not exist or cannot be opened.
    package static func unreadable(_ path: String, _ message: String) -> KinError {
        KinError(.inputOutput, message).within("input", path)
    }

    /// Reads the next bytes, fewer than `count` only at the end.
    package func read(upTo count: Int) throws(KinError) -> [UInt8] {
        var bytes: [UInt8] = []
        if !ahead.isEmpty {
            bytes.append(contentsOf: ahead.prefix(count))
            ahead.removeFirst(bytes.count)
        }
        while bytes.count < count {
            let piece: Data?
            do {
                piece = try handle.read(upToCount: min(count - bytes.count, 1 << 22))
            } catch {
                throw KinError(.inputOutput, "reading failed").within("file", name)
            }
            guard let piece, !piece.isEmpty else { break }
            bytes.append(contentsOf: piece)
        }
        position += bytes.count
        return bytes
    }

    /// Returns the next bytes without consuming them.
    package func peek(_ count: Int) throws(KinError) -> [UInt8] {
        let bytes = try read(upTo: count)
        position -= bytes.count
        ahead = bytes[...] + ahead
        return bytes
    }

    /// Reads exactly `count` bytes, or throws an error that the file ends too early.
    package func readExactly(_ count: Int, for what: String) throws(KinError) -> [UInt8] {
        let start = position
        let bytes = try read(upTo: count)
        guard bytes.count == count else {
            let found = "\(bytes.count) of \(Plural.count(count, "byte"))"
            throw malformed("the file ends in the middle of \(what), at byte \(start): \(found) are there")
        }
        return bytes
    }

    /// Reads the rest as text in UTF-8 or UTF-16, without a byte order mark.
    ///
    /// - Throws: `.capacityExceeded` for more than 1 GB, `.malformedInput` for bytes in a different encoding, compressed or not text.
    package func text() throws(KinError) -> String {
        let (text, encoding) = try decoded()
        guard encoding != .windows1252 else {
            throw malformed(
                "the text is not UTF-8: convert the file to UTF-8 first (iconv -f WINDOWS-1252 -t UTF-8 FILE)")
        }
        return text
    }

    /// Reads the rest as text in UTF-8, UTF-16 or else Windows-1252, with its encoding.
    ///
    /// - Throws: `.capacityExceeded` for more than 1 GB, `.malformedInput` for bytes that are compressed or not text.
    func decoded() throws(KinError) -> (text: String, encoding: TextEncoding) {
        try refuseBinary()
        let bytes = try read(upTo: Self.longestText + 1)
        guard bytes.count <= Self.longestText else {
            throw KinError(.capacityExceeded, "the file is longer than 1 GB").within("file", name)
        }
        let (text, encoding): (String, TextEncoding)
        do throws(KinError) { (text, encoding) = try TextEncoding.decode(bytes) } catch {
            throw error.within("file", name)
        }
        try refuseZeroBytes(in: text.utf8)
        return (text, encoding)
    }

    /// Begins to read lines of text, in UTF-8 without a byte order mark.
    ///
    /// - Throws: As ``text()``; zero bytes are found in the first 4 kB.
    func beginText() throws(KinError) {
        try refuseBinary()
        try removeByteOrderMark()
        try refuseZeroBytes(in: peek(1 << 12))
    }

    /// Converts the rest of the file to UTF-8 without a byte order mark, if it begins as UTF-16 or with a mark.
    ///
    /// - Throws: As ``text()``.
    func removeByteOrderMark() throws(KinError) {
        let start = try peek(4)
        if start.starts(with: [0xEF, 0xBB, 0xBF]) {
            _ = try read(upTo: 3)
        } else if TextEncoding.isLittleEndianUTF16(start) != nil {
            ahead = Array(try text().utf8)[...]
        }
    }

    private func refuseZeroBytes(in bytes: some Sequence<UInt8>) throws(KinError) {
        guard !bytes.contains(0) else { throw malformed("the file is not text: it has zero bytes") }
    }

    /// Replaces the lines at the start that begin with `#` or `sep=` by blank lines, so that line numbers stay. Reads at
    /// most a megabyte of them.
    ///
    /// - Returns: The lines, without their line ends.
    func removeComments() throws(KinError) -> [String] {
        let start = try peek(1 << 20)
        var (comments, end): ([String], Int) = ([], 0)
        while end < start.count, start[end] == 0x23 || start[end...].starts(with: "sep=".utf8) {
            let next = start[end...].firstIndex(of: 0x0A).map { $0 + 1 } ?? start.count
            let line = String(decoding: start[end..<next], as: UTF8.self)
            comments.append(line.trimmingCharacters(in: .whitespacesAndNewlines))
            end = next
        }
        _ = try read(upTo: end)
        ahead = ArraySlice(repeating: 0x0A, count: comments.count) + ahead
        position -= comments.count
        return comments
    }

    /// Reads a value from a file's text; errors of the body name the file.
    package static func read<Value>(
        _ path: String, _ body: (String) throws(KinError) -> Value
    ) throws(KinError) -> Value {
        let reader = try ByteReader(path: path)
        let text = try reader.text()
        do throws(KinError) { return try body(text) } catch { throw error.within("file", reader.name) }
    }

    /// The lines that are not blank, without surrounding whitespace, and their numbers from 1.
    ///
    /// - Throws: As ``text()``.
    package func lines() throws(KinError) -> [(number: Int, text: String)] {
        Self.lines(try text())
    }

    /// The lines of a text that are not blank, without surrounding whitespace, and their numbers from 1. Unicode line
    /// separators, which JSON allows in a string, do not end a line.
    package static func lines(_ text: String) -> [(number: Int, text: String)] {
        text.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }.enumerated().compactMap {
            let line = $1.trimmingCharacters(in: .whitespaces)
            return line.isEmpty ? nil : ($0 + 1, line)
        }
    }

    private static let longestText = 1 << 30

    /// Throws an error with the command that converts the file if it is Parquet, Arrow or compressed with gzip.
    package func refuseBinary() throws(KinError) {
        let start = try peek(72)
        if start.starts(with: [0x1F, 0x8B]) {
            throw malformed(
                "the file is compressed with gzip: unpack it with `gunzip -k`, or give - and pipe `gunzip -c` to the program"
            )
        }
        if start.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            throw malformed(
                "the file is a ZIP archive, such as .npz or .xlsx; save one array with np.save, or the table as CSV, or unpack it and give the folder"
            )
        }
        if start.starts(with: "SQLite format 3".utf8), start.suffix(4).elementsEqual("KinS".utf8) {
            throw malformed(
                "the file is a store of Kin; write its records first: kin store export --store FILE -o records.jsonl")
        }
        if let (_, name, step) = Self.binaries.first(where: { start.starts(with: $0.bytes) }) {
            throw malformed("the file is \(name); \(step)")
        }
        let formats = [("PAR1", "parquet"), ("ARROW1", "feather")]
        guard let (_, format) = formats.first(where: { start.starts(with: $0.0.utf8) }) else { return }
        throw malformed(
            "the file is Parquet or Arrow; convert it first: python3 -c \"import pandas; pandas.read_\(format)('\(size == nil ? "FILE" : name)')"
                + ".to_csv('table.csv', index=False)\"")
    }

    /// Files that people take for tables, by their first bytes, with the way to a table.
    private static let binaries: [(bytes: [UInt8], name: String, step: String)] = [
        (
            Array("SQLite format 3".utf8), "a SQLite database",
            "write the table with the data first: sqlite3 -header -csv FILE 'SELECT * FROM NAME' > NAME.csv (.tables lists the tables)"
        ),
        ([0xD0, 0xCF, 0x11, 0xE0], "a workbook of old Excel (.xls)", "save its sheet as CSV"),
        (Array("KINFILE\0".utf8), "an index or other data of Kin", "give the file that it was made from"),
        ([0x93] + "NUMPY".utf8, "an array of NumPy (.npy)", "write its rows as CSV, with the names of the columns"),
        (Array("%PDF".utf8), "a PDF report", "export CSV or JSON from the app instead"),
        (Array("BEGIN:VCALENDAR".utf8), "a calendar (ICS)", "export CSV with columns such as title, start and end"),
    ]

    /// An error about the contents of this file.
    package func malformed(_ message: String) -> KinError {
        KinError(.malformedInput, message).within("file", name)
    }
}

extension ByteReader {
    /// Passes whole lines to the body in blocks of a few megabytes; memory is one block and the longest line.
    ///
    /// - Parameters:
    ///   - longest: The largest number of bytes of a line; a longer line is skipped.
    ///   - tooLong: Receives the number of each skipped line.
    ///   - body: Receives whole lines, and the number of the first; the last line of the file may lack its line end.
    func forEachBlockOfLines(
        longest: Int, tooLong: (Int) throws(KinError) -> Void,
        _ body: (_ lines: [UInt8], _ firstLine: Int) throws(KinError) -> Void
    ) throws(KinError) {
        var (rest, line, isSkipping): ([UInt8], Int, Bool) = ([], 1, false)
        while case let piece = try read(upTo: 1 << 22), !piece.isEmpty {
            guard let end = piece.lastIndex(of: 0x0A) else {
                if !isSkipping { rest += piece }
                if rest.count > longest {
                    try tooLong(line)
                    (rest, isSkipping) = ([], true)
                }
                continue
            }
            var lines = rest + piece[...end]
            if isSkipping {
                // The rest is empty if the skipped line ends with the piece's last line feed.
                let next = piece.firstIndex(of: 0x0A) ?? end
                (lines, isSkipping) = (Array(piece[(next + 1)..<(end + 1)]), false)
                line += 1
            }
            try body(lines, line)
            line += lines.count { $0 == 0x0A }
            rest = Array(piece[(end + 1)...])
        }
        if !rest.isEmpty { try body(rest, line) }
    }

    /// Reads JSON records, one on each line that is not blank.
    ///
    /// If the first line is not a whole record, each record may have several lines, and the text may have comments and
    /// an array around the records.
    ///
    /// - Parameter body: Reads one record.
    /// - Throws: The errors of `body`, with line and file; `.capacityExceeded` for a line of more than 64 MB.
    package func forEachJSONLine(_ body: (inout JSONReader) throws(KinError) -> Void) throws(KinError) {
        try beginText()
        do throws(KinError) {
            if try JSONDocument.isDocument(peek(1 << 16)[...]) {
                for value in try JSONText.values(text()) {
                    try JSONText.read(value) { reader throws(KinError) in
                        if reader.isAtArray() { try reader.array(body) } else { try body(&reader) }
                    }
                }
                return
            }
            try forEachBlockOfLines(longest: 64 << 20) { line throws(KinError) in
                throw KinError(.capacityExceeded, "the line is longer than 64 MB").within("line", line)
            } _: { lines, first throws(KinError) in
                try JSONLines.forEach(in: lines[...], firstLine: first) { reader, _ throws(KinError) in
                    try body(&reader)
                }
            }
        } catch {
            throw error.context.contains { $0.name == "file" } ? error : error.within("file", name)
        }
    }
}
