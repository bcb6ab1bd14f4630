/// The JSON form of a value: its description, and the functions that read and write it.
package struct JSONForm<Value: Sendable>: Sendable {
    /// The type, unit and range in a few words: "integer, 1 to 5".
    package let description: String
    /// Reads one value at the reader's position.
    package let read: @Sendable (inout JSONReader) throws(KinError) -> Value
    /// Writes one value after the text written so far.
    package let write: @Sendable (Value, inout JSONWriter) -> Void
    /// The paths of the ids in a value, as names of members from the outermost in; paths of a list's elements have no
    /// index. `[[]]` for an id itself.
    package let idPaths: [[String]]

    /// Creates a form from its description and functions.
    package init(
        _ description: String, idPaths: [[String]] = [],
        read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Value,
        write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) {
        self.description = description
        self.idPaths = idPaths
        self.read = read
        self.write = write
    }

    /// The form of a value that is written as text and parsed from text.
    ///
    /// - Parameters:
    ///   - description: The kind of text.
    ///   - text: The text of a value.
    ///   - parse: Parses a text; its errors receive the position.
    package static func parsed(
        _ description: String, text: @escaping @Sendable (Value) -> String,
        _ parse: @escaping @Sendable (String) throws(KinError) -> Value
    ) -> JSONForm {
        JSONForm(
            description, read: { reader throws(KinError) in try reader.parsed(parse) },
            write: { $1.string(text($0)) })
    }

    /// The form of a word from a list, read in any letter case.
    ///
    /// - Parameters:
    ///   - noun: The noun for such a word in an error: "state".
    ///   - values: The values.
    ///   - name: The word of a value.
    package static func word(
        _ noun: String, of values: [Value], named name: @escaping @Sendable (Value) -> String
    ) -> JSONForm {
        let words = JSONKeys(values.map(name))
        return JSONForm(
            words.names.joined(separator: ", "),
            read: { reader throws(KinError) in values[try reader.choice(of: words, noun)] },
            write: { $1.string(name($0)) })
    }

    /// The form of an array.
    package static func list<Element>(of element: JSONForm<Element>) -> JSONForm where Value == [Element] {
        JSONForm(
            "list of \(element.description)", idPaths: element.idPaths,
            read: { reader throws(KinError) in try reader.list(element.read) },
            write: { $1.array($0, element.write) })
    }
}

extension JSONForm {
    /// The form of a part of a record.
    package init(_ form: RecordSchema<Value>) {
        self.init(
            form.name, idPaths: form.idPaths, read: { reader throws(KinError) in try form.read(&reader) },
            write: { form.write($0, to: &$1) })
    }
}

extension JSONForm where Value: RawRepresentable<String> & CaseIterable {
    /// The form of a case, written as its raw value.
    package static func word(_ noun: String) -> JSONForm { word(noun, of: Array(Value.allCases)) { $0.rawValue } }
}

extension JSONForm where Value: NamedCase {
    /// The form of a case, written as its name.
    package static func word(_ noun: String) -> JSONForm { word(noun, of: Array(Value.allCases)) { $0.name } }
}

extension JSONForm where Value: JSONRecord {
    /// The form of a value that is itself an object.
    package static var object: JSONForm {
        JSONForm(
            Value.recordName, read: { reader throws(KinError) in try Value(from: &reader) },
            write: { $0.write(to: &$1) })
    }
}

extension JSONForm<String> {
    /// A text of any length.
    package static let text = JSONForm(
        "text", read: { reader throws(KinError) in try reader.string() }, write: { $1.string($0) })

    /// The members of an object, as JSON.
    package static let members = JSONForm(
        "object",
        read: { reader throws(KinError) in
            guard reader.isAtObject() else { throw reader.unexpected("an object") }
            return try reader.verbatim()
        }, write: { $1.raw($0) })

    /// The id of a record, which the record's initializer checks.
    package static let id = JSONForm("id", idPaths: [[]], read: text.read, write: text.write)
}

extension JSONForm<[String]> {
    /// A list of texts, read and written without looking up generic types.
    package static let texts = JSONForm(
        "list of text", read: { reader throws(KinError) in try reader.strings() }, write: { $1.array($0) })
}

extension JSONForm<Bool> {
    /// Either true or false.
    package static let boolean = JSONForm(
        "boolean", read: { reader throws(KinError) in try reader.boolean() }, write: { $1.boolean($0) })
}

extension JSONForm<Int> {
    /// A whole number in a range.
    package static func integer(in range: ClosedRange<Int>) -> JSONForm {
        let most = range.upperBound >= 1 << 40 ? "or more" : "to \(range.upperBound)"
        return JSONForm(
            "integer, \(range.lowerBound) \(most)",
            read: { reader throws(KinError) in try reader.integer(in: range) }, write: { $1.integer($0) })
    }

    /// A count of 1 or more.
    package static let ordinal = integer(in: 1...(1 << 40))
}

extension JSONForm<Double> {
    /// A number from 0 to 1.
    package static let share = JSONForm(
        "number, 0 to 1", read: { reader throws(KinError) in try reader.share() }, write: { $1.number($0) })

    /// A finite number, whose range the record's initializer checks.
    ///
    /// - Parameters:
    ///   - range: The range in words: "0 to 1".
    ///   - unit: The unit; empty for none.
    package static func number(_ range: String = "", unit: String = "") -> JSONForm {
        JSONForm(
            (["number"] + [range, unit].filter { !$0.isEmpty }).joined(separator: ", "),
            read: { reader throws(KinError) in try reader.number() }, write: { $1.number($0) })
    }
}

extension JSONForm<Timestamp> {
    /// An instant in ISO 8601 with its offset.
    package static let instant = JSONForm(
        "instant", read: { reader throws(KinError) in try reader.instant() },
        write: { instant, writer in writer.plainString { instant.write(to: &$0) } })
}

extension JSONForm<LocalDay> {
    /// A date such as `2026-11-20`.
    package static let date = parsed("date", text: \.description) { text throws(KinError) in
        try LocalDay(parsing: text)
    }
}

extension JSONForm<TimeOfDay> {
    /// A time of the day such as `08:30`.
    package static let timeOfDay = parsed("time of day", text: \.description) { text throws(KinError) in
        try TimeOfDay(parsing: text)
    }
}
