/// Records of delimited text (RFC 4180), with their first lines.
struct DelimitedText {
    /// The separators that are detected. If several divide all lines alike, the first is preferred, because a decimal comma
    /// divides them too.
    static let separators: [(byte: UInt8, name: String)] = [
        (0x09, "tabs"), (0x3B, "semicolons"), (0x7C, "vertical bars"), (comma, "commas"),
    ]
    static let comma: UInt8 = 0x2C
    /// A separator that counts once if it is repeated, as in aligned columns.
    static let space: UInt8 = 0x20

    /// The byte between fields.
    let separator: UInt8
    private let bytes: [UInt8]
    /// The number of bytes that were read.
    private(set) var offset = 0
    /// The number of records so far, including blank lines.
    private var number = 0
    /// The line of the next byte, from 1; after an error, its line.
    private(set) var line = 1

    /// Creates a reader of a text in UTF-8.
    ///
    /// - Parameter separator: The byte between fields. Default: detected.
    init(_ bytes: [UInt8], separator: UInt8? = nil) {
        self.bytes = bytes
        self.separator = separator ?? Self.separator(of: bytes)
    }

    /// A separator in words: "commas".
    static func name(of separator: UInt8) -> String {
        separators.first { $0.byte == separator }?.name ?? (separator == space ? "spaces" : "commas")
    }

    /// Whether spaces, and none of the separators, divide most of the first 20 lines into the same number of fields.
    static func isDividedBySpaces(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(1 << 16)
        var lines = start.split(maxSplits: 20) { $0 == 0x0A || $0 == 0x0D }
        // The last line may be incomplete, or several lines.
        if lines.count > 20 || lines.count > 1 && start.count < bytes.count { lines.removeLast() }
        let counts = lines.map { $0.split(separator: space).count }.filter { $0 > 0 }
        return !lines.joined().contains { places[Int($0)] != nil } && (counts.first ?? 0) > 1
            && counts.count { $0 == counts.first } * 2 > counts.count
    }

    /// The separator that gives the most of the first 20 lines the same number of fields as the first. Default: a
    /// comma.
    static func separator(of bytes: some Collection<UInt8>) -> UInt8 {
        var counts = [[Int](repeating: 0, count: separators.count)]
        var (isQuoted, isBlank) = (false, true)
        for byte in bytes {
            if byte == 0x22 { isQuoted.toggle() }
            if byte == 0x0A || byte == 0x0D, !isQuoted {
                if !isBlank { counts.append([Int](repeating: 0, count: separators.count)) }
                if counts.count > 20 { break }
                isBlank = true
            } else {
                isBlank = isBlank && (byte == 0x20 || byte == 0x09)
                if !isQuoted, let place = places[Int(byte)] { counts[counts.count - 1][place] += 1 }
            }
        }
        if isBlank, counts.count > 1 { counts.removeLast() }
        var best: (byte: UInt8, lines: Int) = (comma, 0)
        for (place, separator) in separators.enumerated() where counts[0][place] > 0 {
            let lines = counts.count { $0[place] == counts[0][place] }
            if lines > best.lines { best = (separator.byte, lines) }
        }
        return best.byte
    }

    /// The index of each byte among the separators; nil for other bytes.
    private static let places = (UInt8.min...UInt8.max).map { byte in separators.firstIndex { $0.byte == byte } }

    /// All records, without blank lines.
    ///
    /// - Throws: `.malformedInput` with the line.
    mutating func records() throws(KinError) -> [CSVTable.Row] {
        var rows: [CSVTable.Row] = []
        do throws(KinError) {
            while let row = try next() { rows.append(row) }
        } catch {
            throw error.within("line", line)
        }
        return rows
    }

    /// The next record that is not blank; nil at the end.
    ///
    /// - Throws: `.malformedInput`; ``line`` is the line of the error.
    mutating func next() throws(KinError) -> CSVTable.Row? {
        while offset < bytes.count {
            let (number, first) = (number, line)
            var fields: [String] = []
            if separator == Self.space { skipSpaces() }
            repeat { fields.append(try field()) } while takeSeparator()
            takeLineEnd()
            self.number += 1
            let isBlank = fields.count == 1 && fields[0].allSatisfy(\.isWhitespace)
            if !isBlank { return CSVTable.Row(number: number, line: first, fields: fields) }
        }
        return nil
    }

    private mutating func takeSeparator() -> Bool {
        guard offset < bytes.count, bytes[offset] == separator else { return false }
        offset += 1
        guard separator == Self.space else { return true }
        skipSpaces()
        return offset < bytes.count && bytes[offset] != 0x0A && bytes[offset] != 0x0D
    }

    private mutating func skipSpaces() {
        while offset < bytes.count, bytes[offset] == Self.space { offset += 1 }
    }

    private mutating func takeLineEnd() {
        guard offset < bytes.count else { return }
        offset += bytes[offset] == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A ? 2 : 1
        line += 1
    }

    private var isAtFieldEnd: Bool {
        offset == bytes.count || bytes[offset] == separator || bytes[offset] == 0x0A || bytes[offset] == 0x0D
    }

    private mutating func field() throws(KinError) -> String {
        guard offset < bytes.count, bytes[offset] == 0x22 else {
            let start = offset
            while !isAtFieldEnd {
                guard bytes[offset] != 0x22 else { throw Self.strayQuote }
                guard bytes[offset] != 0 else { throw Self.zeroByte }
                offset += 1
            }
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }
        let first = line
        var text: [UInt8] = []
        offset += 1
        var start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == 0x0A { line += 1 }
            guard byte != 0 else { throw Self.zeroByte }
            guard byte == 0x22 else { continue }
            text += bytes[start..<offset - 1]
            guard offset < bytes.count, bytes[offset] == 0x22 else {
                guard isAtFieldEnd else { throw Self.strayQuote }
                return String(decoding: text, as: UTF8.self)
            }
            start = offset
            offset += 1
        }
        line = first
        throw Self.openQuote
    }

    /// The error about a quote that neither starts nor ends a field.
    private static let strayQuote = KinError(
        .malformedInput, "a quote is inside a field; double it and quote the whole field")

    /// The error about a byte that no text has, and that would end a number early.
    private static let zeroByte = KinError(
        .malformedInput,
        "a byte is 0, so the file is not text, or is damaged; remove the byte or convert the file to UTF-8")

    /// The error about a quote that is never closed.
    static let openQuote = KinError(
        .malformedInput, "a quote is opened here and not closed; close it or remove it")
}
