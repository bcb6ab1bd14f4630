import KinCore
import KinJSON

/// The fields of a record, read under their names in snake case and in camel case: `max_time` and `maxTime`.
struct RecordFields: Sendable {
    private let names: [String]
    private let required: UInt64
    private let keys: JSONKeys
    /// The field of each key.
    private let fields: [Int]

    /// Creates the fields of a record.
    ///
    /// - Parameters:
    ///   - names: The names in snake case.
    ///   - required: The names of the fields that must be present and not null.
    ///   - aliases: Further names, with the names of their fields.
    init(_ names: [String], required: [String], aliases: KeyValuePairs<String, String> = [:]) {
        self.names = names
        self.required = required.reduce(0) { $0 | 1 << UInt64(names.firstIndex(of: $1)!) }
        let all =
            names.enumerated().map { (field: $0, name: $1) }
            + aliases.map { (field: names.firstIndex(of: $1)!, name: $0) }
        let others =
            all.dropFirst(names.count)
            + all.map { (field: $0.field, name: Self.camelCase($0.name)) }.filter {
                other in !all.contains { $0.name == other.name }
            }
        keys = JSONKeys(names + others.map(\.name), required: [])
        fields = Array(names.indices) + others.map(\.field)
    }

    private static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return String(words[0]) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Reads the fields of an object.
    ///
    /// - Parameters:
    ///   - reader: The reader, at the object.
    ///   - body: Reads the value of the field with an index; not called for null.
    /// - Throws: `.malformedInput` for an unknown, repeated or missing field.
    func read(
        _ reader: inout JSONReader, _ body: (inout JSONReader, Int) throws(KinError) -> Void
    ) throws(KinError) {
        let start = reader
        var (seen, filled): (UInt64, UInt64) = (0, 0)
        try reader.members(of: keys) { reader, key throws(KinError) in
            let field = fields[key]
            guard seen & 1 << UInt64(field) == 0 else { throw reader.error("the field is there twice") }
            seen |= 1 << UInt64(field)
            if try reader.takesNull() { return }
            filled |= 1 << UInt64(field)
            try body(&reader, field)
        }
        let missing = required & ~filled
        if missing != 0 {
            let name = names[missing.trailingZeroBitCount]
            throw start.error("the field \"\(name)\" is missing").inField(name)
        }
    }
}

extension JSONReader {
    /// Reads a string, and parses it; errors have the position in the text.
    mutating func parsed<Value>(_ parse: (String) throws(KinError) -> Value) throws(KinError) -> Value {
        let start = self
        let text = try string()
        do throws(KinError) { return try parse(text) } catch { throw start.error(error.message, code: error.code) }
    }

    /// Reads a duration in minutes: a number, or a text like `15 min`, `1 hour` and `1 h 30 min`.
    mutating func minutes() throws(KinError) -> Double {
        guard isAtString() else { return try number() }
        return try parsed { text throws(KinError) in try Self.minutes(text) }
    }

    private static func minutes(_ text: String) throws(KinError) -> Double {
        var minutes = 0.0
        // Numbers and units, whether or not there is a space between them.
        var parts: [Substring] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let unit = word.firstIndex { !$0.isNumber && $0 != "." } ?? word.endIndex
            parts += [word[..<unit], word[unit...]].filter { !$0.isEmpty }
        }
        for place in stride(from: 0, to: parts.count, by: 2) {
            let unit = place + 1 < parts.count ? parts[place + 1].lowercased() : "min"
            let length = [
                "m": 1.0, "min": 1, "mins": 1, "min.": 1, "minute": 1, "minutes": 1, "h": 60, "hr": 60, "hrs": 60,
            ]
            .merging(["hour": 60, "hours": 60]) { $1 }[unit]
            guard let number = Double(parts[place]), let length else {
                throw KinError(
                    .malformedInput,
                    "\"\(text.prefix(40))\" is no length of time; write minutes as a number, or \"15 min\" or \"1 h 30 min\""
                )
            }
            minutes += number * length
        }
        guard !parts.isEmpty else { throw KinError(.malformedInput, "the length of time is empty") }
        return minutes
    }

    /// Reads an instant in ISO 8601.
    mutating func instant() throws(KinError) -> Timestamp {
        try parsed { text throws(KinError) in try Timestamp(parsing: text) }
    }

    /// Reads a whole number of a range.
    mutating func integer(in range: ClosedRange<Int>) throws(KinError) -> Int {
        let start = self
        let number = try integer()
        guard let value = Int(exactly: number), range.contains(value) else {
            throw start.error(
                "it is \(number), and must be from \(range.lowerBound) to \(range.upperBound)", code: .invalidArgument)
        }
        return value
    }
}

extension KinError {
    /// An error about the value of a field.
    static func field(_ name: String, _ message: String, _ code: Code = .invalidArgument) -> KinError {
        KinError(code, message).within("field", name)
    }
}
