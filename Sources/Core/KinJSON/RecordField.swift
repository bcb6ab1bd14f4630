import KinCore

/// A field of a record: its name, its form in JSON, its default, and its place in the record.
package struct RecordField<Record: Sendable, Value: Sendable>: Sendable {
    /// The field in words.
    package let description: FieldDescription
    /// The value of a record whose JSON lacks the field or has null there; nil when the field is required.
    let standard: Value?
    let read: @Sendable (inout JSONReader) throws(KinError) -> Value
    /// Writes the field as a member of an object, or nothing.
    let write: @Sendable (Record, inout JSONWriter) -> Void

    private init(
        _ description: FieldDescription, standard: Value?,
        read: @escaping @Sendable (inout JSONReader) throws(KinError) -> Value,
        write: @escaping @Sendable (Record, inout JSONWriter) -> Void
    ) {
        self.description = description
        self.standard = standard
        self.read = read
        self.write = write
    }

    /// A field that must be there.
    ///
    /// - Parameters:
    ///   - name: The name in snake case.
    ///   - value: The value of a record.
    ///   - form: The form of the value.
    package static func required(
        _ name: String, _ value: @escaping @Sendable (Record) -> Value, _ form: JSONForm<Value>
    ) -> RecordField {
        let member = EscapedName(name)
        return RecordField(
            FieldDescription(name, form, .required), standard: nil, read: form.read
        ) { record, writer in writer.member(member) { form.write(value(record), &$0) } }
    }

    /// A field with a default for records whose JSON lacks it.
    ///
    /// - Parameters:
    ///   - standard: The default.
    ///   - writesDefault: Whether a field that has its default is written; true by default.
    package static func standard(
        _ name: String, _ value: @escaping @Sendable (Record) -> Value, _ form: JSONForm<Value>,
        default standard: Value,
        writesDefault: Bool = true
    ) -> RecordField where Value: Equatable {
        var writer = JSONWriter()
        form.write(standard, &writer)
        let member = EscapedName(name)
        return RecordField(
            FieldDescription(name, form, .standard(writer.text)), standard: standard, read: form.read
        ) { record, writer in
            let value = value(record)
            if writesDefault || value != standard { writer.member(member) { form.write(value, &$0) } }
        }
    }

    /// A field that may be missing or null.
    ///
    /// - Parameter writesNull: Whether nil is written as null; it is left out by default.
    package static func optional<Wrapped: Sendable>(
        _ name: String, _ value: @escaping @Sendable (Record) -> Wrapped?, _ form: JSONForm<Wrapped>,
        writesNull: Bool = false
    ) -> RecordField where Value == Wrapped? {
        let member = EscapedName(name)
        return RecordField(
            FieldDescription(name, form, .optional), standard: .some(nil),
            read: { reader throws(KinError) in try form.read(&reader) }
        ) { record, writer in
            if let value = value(record) {
                writer.member(member) { form.write(value, &$0) }
            } else if writesNull {
                writer.member(member) { $0.null() }
            }
        }
    }
}

/// A field of a record in words, for documentation.
package struct FieldDescription: Sendable, Hashable {
    /// A rule on a field that a record's JSON lacks.
    package enum Presence: Sendable, Hashable {
        case required
        /// The default in JSON.
        case standard(String)
        case optional
    }

    package let name: String
    /// The type, unit and range.
    package let type: String
    package let presence: Presence
    /// The paths of the ids in the field's value.
    let idPaths: [[String]]

    fileprivate init<Value>(_ name: String, _ form: JSONForm<Value>, _ presence: Presence) {
        self.name = name
        type = form.description
        self.presence = presence
        idPaths = form.idPaths
    }
}
