/// The fields of a kind of record, for documentation.
package struct RecordReference: Sendable {
    /// The name of the kind.
    package let kind: String
    /// The fields in the order of writing.
    package let fields: [FieldDescription]

    /// The records of the store that declare their fields, in the order of export.
    package static var all: [RecordReference] {
        RecordKind.types.compactMap { type in
            (type as? any (StoredRecord & DeclaredRecord).Type).map {
                RecordReference(kind: $0.kind.name, fields: fields(of: $0))
            }
        }
    }

    private static func fields<Record: DeclaredRecord>(of _: Record.Type) -> [FieldDescription] { Record.form.fields }
}
