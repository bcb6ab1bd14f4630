/// A field of a record: name, JSON form, default, and value in the record.
package struct RecordField<Record: Sendable, Value: Sendable>: Sendable {
    /// The field in the form for writing.
    let field: ObjectField<Record>
    /// The value for a record whose JSON lacks the field or has null there; nil if the field is required.
    let standard: Value?
    let read: @Sendable (inout JSONReader) throws(KinError) -> Value

    /// A field that a record's JSON must have.
    ///
    /// - Parameters:
    ///   - name: The name in snake case.
    ///   - value: The value of a record.
    ///   - form: The form of the value.
    package static func required(
        _ name: String, _ value: @escaping @Sendable (Record) -> Value, _ form: JSONForm<Value>
    ) -> RecordField {
        RecordField(
            field: ObjectField(FieldDescription(name, form, .required), value, form.write), standard: nil,
            read: form.read)
    }

    /// A field with a default for records whose JSON lacks it.
    ///
    /// - Parameters:
    ///   - standard: The default.
    ///   - writesDefault: Whether a field with its default value is written. Default: true.
    package static func standard(
        _ name: String, _ value: @escaping @Sendable (Record) -> Value, _ form: JSONForm<Value>,
        default standard: Value,
        writesDefault: Bool = true
    ) -> RecordField where Value: Equatable {
        var writer = JSONWriter()
        form.write(standard, &writer)
        let field = ObjectField<Record>(
            FieldDescription(name, form, .standard(writer.text)), value, unless: { !writesDefault && $0 == standard },
            form.write)
        return RecordField(field: field, standard: standard, read: form.read)
    }

    /// A field that may be missing or null.
    ///
    /// - Parameter writesNull: Whether nil is written as null. Default: the field is omitted.
    package static func optional<Wrapped: Sendable>(
        _ name: String, _ value: @escaping @Sendable (Record) -> Wrapped?, _ form: JSONForm<Wrapped>,
        writesNull: Bool = false
    ) -> RecordField where Value == Wrapped? {
        RecordField(
            field: ObjectField(
                FieldDescription(name, form, .optional), optional: value, writesNull: writesNull, form.write),
            standard: .some(nil), read: { reader throws(KinError) in try form.read(&reader) })
    }
}
