import Kin

/// Records of delimited text (RFC 4180), with their first lines.
struct DelimitedText {
    /// The separators that are detected. If several divide all lines alike, the first is preferred, because a decimal comma
    /// divides them too.
    static let separators: [(byte: UInt8, name: String)] = [
        (0x09, "tabs"), (0x3B, "semicolons"), (0x7C, "vertical bars"), (0x2C, "commas"),
    ]

    /// The byte between fields.
    let separator: UInt8
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1

    /// Creates a reader of a text and detects its separator.
    init(_ text: String) {
        bytes = Array(text.utf8)
        separator = Self.separator(of: bytes)
    }

    /// The separator in words: "commas".
    var separatorName: String { Self.name(of: separator) }

    /// A separator in words: "commas".
    static func name(of separator: UInt8) -> String { separators.first { $0.byte == separator }?.name ?? "commas" }

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
        var best: (byte: UInt8, lines: Int) = (0x2C, 0)
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
        var (rows, number) = ([CSVTable.Row](), 0)
        while offset < bytes.count {
            let first = line
            var fields: [String] = []
            repeat { fields.append(try field()) } while takeSeparator()
            takeLineEnd()
            if !CSVField.areBlank(fields) { rows.append(CSVTable.Row(number: number, line: first, fields: fields)) }
            number += 1
        }
        return rows
    }

    private mutating func takeSeparator() -> Bool {
        guard offset < bytes.count, bytes[offset] == separator else { return false }
        offset += 1
        return true
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
                guard bytes[offset] != 0x22 else { throw strayQuote(line) }
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
            guard byte == 0x22 else { continue }
            text += bytes[start..<offset - 1]
            guard offset < bytes.count, bytes[offset] == 0x22 else {
                guard isAtFieldEnd else { throw strayQuote(line) }
                return String(decoding: text, as: UTF8.self)
            }
            start = offset
            offset += 1
        }
        throw KinError(.malformedInput, CSVField.openQuote).within("line", first)
    }

    private func strayQuote(_ line: Int) -> KinError {
        KinError(.malformedInput, CSVField.strayQuote).within("line", line)
    }
}
