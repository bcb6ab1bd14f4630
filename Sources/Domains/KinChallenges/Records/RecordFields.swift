import KinCore
import KinJSON

/// The fields of a record, read under their names in snake case and in camel case: `max_time` and `maxTime`.
struct RecordFields: Sendable {
    private let names: [String]
    private let required: UInt64
    private let keys: JSONKeys
    /// The field of each key.
    private let fields: [Int]

    /// - Parameter required: The names of those that have to be there and not null.
    init(_ names: [String], required: [String]) {
        self.names = names
        self.required = required.reduce(0) { $0 | 1 << UInt64(names.firstIndex(of: $1)!) }
        let others = names.enumerated().map { (field: $0, name: Self.camelCase($1)) }.filter {
            $0.name != names[$0.field]
        }
        keys = JSONKeys(names + others.map(\.name), required: [])
        fields = Array(names.indices) + others.map(\.field)
    }

    private static func camelCase(_ name: String) -> String {
        let words = name.split(separator: "_")
        return String(words[0]) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Reads an object.
    ///
    /// - Parameter body: Reads the value of the field with this number; it is not asked for null.
    /// - Throws: `.malformedInput` for a name that there is not, one that is there twice or one that is missing.
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
    /// Reads one of a type's words.
    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ what: String) throws(KinError) -> Word {
        let words = Array(Word.allCases)
        return words[try choice(of: JSONKeys(words.map(\.rawValue)), what)]
    }

    /// Reads an array of strings.
    mutating func strings() throws(KinError) -> [String] {
        var strings: [String] = []
        try array { reader throws(KinError) in strings.append(try reader.string()) }
        return strings
    }

    /// Reads a string as what it says; an error names the place.
    mutating func parsed<Value>(_ parse: (String) throws(KinError) -> Value) throws(KinError) -> Value {
        let start = self
        let text = try string()
        do throws(KinError) { return try parse(text) } catch { throw start.error(error.message, code: error.code) }
    }

    /// Reads an instant.
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
