// The forms of the values in the files of this module.

extension RecordSchema {
    /// Reads the only record of a text; an error about the whole record has the position of its beginning.
    func read(text json: String) throws(KinError) -> Record {
        try JSONReader.read(json) { reader throws(KinError) in
            let start = reader
            do throws(KinError) {
                return try read(&reader)
            } catch {
                throw error.names("line") ? error : start.error(error)
            }
        }
    }
}

extension RecordField {
    /// A field with a value that is the same in all records.
    static func constant(_ name: String, _ value: Value, _ form: JSONForm<Value>) -> RecordField {
        .required(name, { @Sendable _ in value }, form)
    }
}

extension JSONForm {
    /// The form of a value or null.
    static func nullable<Wrapped>(_ form: JSONForm<Wrapped>) -> JSONForm where Value == Wrapped? {
        JSONForm(
            "\(form.description), or null", read: { reader throws(KinError) in try reader.optional(form.read) },
            write: { if let value = $0 { form.write(value, &$1) } else { $1.null() } })
    }
}

extension JSONForm<String> {
    /// The name of a file's format.
    static func format(_ name: String) -> JSONForm {
        JSONForm(
            name,
            read: { reader throws(KinError) in
                let found = try reader.string()
                guard found != name else { return name }
                throw reader.error(
                    "this is a file of the format \"\(found.prefix(40))\", not \"\(name)\"", code: .unsupportedFormat)
            }, write: text.write)
    }
}

extension JSONForm<Int> {
    /// The version of a format, from 1 to the newest one.
    static func version(upTo newest: Int = 1) -> JSONForm {
        JSONForm(
            newest == 1 ? "1" : "1 to \(newest)",
            read: { reader throws(KinError) in
                let found = try reader.integer()
                if found >= 1, found <= newest { return Int(found) }
                let known = newest == 1 ? "version 1" : "versions 1 to \(newest)"
                throw reader.error(
                    "version \(found) is not known; this release reads \(known)", code: .unsupportedFormat)
            }, write: { $1.integer($0) })
    }

    /// A count, or a position from 0.
    static let count = JSONForm(
        "integer, 0 or more",
        read: { reader throws(KinError) in
            let value = try reader.integer()
            if value >= 0, value <= 1 << 40 { return Int(value) }
            throw reader.error("\(value) is not a count", code: .invalidArgument)
        }, write: { $1.integer($0) })
}

extension JSONForm<UInt64> {
    /// The seed of random numbers.
    static let seed = JSONForm(
        "integer, 0 to 2^64 - 1",
        read: { reader throws(KinError) in
            let text = try reader.verbatim()
            guard let seed = UInt64(text) else {
                throw reader.error("\(text.prefix(40))is not a whole number from 0 to 2^64 - 1")
            }
            return seed
        }, write: { $1.integer($0) })
}

extension JSONForm<Float> {
    /// A number in a range.
    static func number(in range: ClosedRange<Int>) -> JSONForm {
        JSONForm(
            "number, \(range.lowerBound) to \(range.upperBound)",
            read: { reader throws(KinError) in try reader.float(in: range) }, write: { $1.number($0) })
    }
}

extension JSONForm<[Float]> {
    /// The coordinates of a vector.
    static let vector = JSONForm(
        "list of numbers",
        read: { reader throws(KinError) in try reader.list { reader throws(KinError) in try reader.float() } },
        write: { $1.array($0) { $1.number($0) } })
}

extension JSONForm<[TherapeuticGoal]> {
    /// A list of goals by their names or synonyms.
    static let goals = list(
        of: .parsed("goal", text: \.name) { text throws(KinError) in try TherapeuticGoal(named: text) })
}

extension Collection<TherapeuticGoal> {
    /// The different goals, in the order of their first mention.
    var unique: [TherapeuticGoal] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}

extension JSONReader {
    /// Reads an array of strings, or a text of words between commas.
    mutating func words() throws(KinError) -> [String] {
        guard isAtString() else { return try strings() }
        return try string().split { $0 == "," }.map { String($0.drop { $0 == " " }) }
    }

    /// Reads a value; an error about its form has a remark that shows the right form.
    mutating func showing<Value>(
        _ form: String, _ read: (inout JSONReader) throws(KinError) -> Value
    ) throws(KinError) -> Value {
        do throws(KinError) {
            return try read(&self)
        } catch {
            throw error.code == .malformedInput ? error.adding(form) : error
        }
    }
}
