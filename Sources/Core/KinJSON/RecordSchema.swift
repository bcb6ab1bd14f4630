/// The declaration of a record: its name and its fields. The fields define the reader, the writer and the
/// documentation.
///
///     static let form = RecordSchema<Reflection>(
///         "reflection", id: "user_id", .required("user_id", \.userID, .id), .required("time", \.time, .instant),
///         .standard("text", \.text, .text, default: "")
///     ) { user, time, text throws(KinError) in try Reflection(userID: user, time: time, text: text) }
///
/// It is a class, so that the runtime looks up no generic types for each record that is read.
///
/// An object may have its fields in snake case or camel case, in any order, each once. An unknown name is an error;
/// null is equivalent to a missing field.
package final class RecordSchema<Record: Sendable>: Sendable {
    /// The noun for the record in errors: "session".
    package let name: String
    private let object: ObjectSchema<Record>
    private let reader: @Sendable (inout JSONReader) throws(KinError) -> Record

    /// Declares a record by its fields.
    ///
    /// - Parameters:
    ///   - name: The noun for the record in errors.
    ///   - id: The name of the field that identifies the record in errors; nil for a part of a record.
    ///   - aliases: Further names of some fields.
    ///   - extra: Members of other apps without a field in Kin, which are written last; nil for a record that stores
    ///     none.
    ///   - fields: The fields in writing order; at most 64 including `extra`.
    ///   - make: Creates the record from the fields' values.
    package init<each Value: Sendable>(
        _ name: String, id: String? = nil, aliases: [(alias: String, name: String)] = [],
        extra: ExtraMembers<Record>? = nil,
        _ fields: repeat RecordField<Record, each Value>,
        make: @escaping @Sendable (repeat each Value) throws(KinError) -> Record
    ) {
        var builder = FrameLayout.Builder()
        var written: [ObjectField<Record>] = []
        let others = extra.map { RecordField<Record, String?>.optional("extra", $0.get, .members) }
        // The first position, so that its value can be taken before the record is made.
        if let others { builder.add(others) }
        for field in repeat each fields {
            builder.add(field)
            written.append(field.field)
        }
        if let others { written.append(others.field) }
        let layout = builder.layout(name, id: id, aliases: aliases)
        self.name = name
        object = ObjectSchema(written)
        reader = { json throws(KinError) in
            var frame = try layout.frame(from: &json)
            defer { frame.deallocate() }
            let others = extra == nil ? nil : frame.take(String?.self)
            do throws(KinError) {
                var record = try make(repeat frame.take((each Value).self))
                if let extra, let others { extra.set(&record, others) }
                return record
            } catch {
                throw frame.error(error, in: name)
            }
        }
    }

    /// The fields in writing order.
    package var fields: [FieldDescription] { object.fields }

    /// The paths of all ids in a record's JSON.
    package var idPaths: [[String]] { fields.flatMap { field in field.idPaths.map { [field.name] + $0 } } }

    /// Reads one object as a record.
    ///
    /// - Throws: `.malformedInput` for an unknown, repeated or missing field, and the errors of forms and of the
    ///   record, with the field and the record.
    package func read(_ json: inout JSONReader) throws(KinError) -> Record { try reader(&json) }

    /// Writes a record as one object.
    package func write(_ record: Record, to json: inout JSONWriter) { object.write(record, to: &json) }
}

/// A record that stores members of an app's record without a field in Kin.
package protocol ExtensibleRecord: Sendable {
    /// The members, as the JSON of an object; nil for none.
    var extra: String? { get set }
}

/// The access to a record's additional members.
package struct ExtraMembers<Record>: Sendable {
    let get: @Sendable (Record) -> String?
    let set: @Sendable (inout Record, String) -> Void
}

extension ExtraMembers where Record: ExtensibleRecord {
    /// The record stores the members.
    package static var stored: ExtraMembers { ExtraMembers(get: { $0.extra }, set: { $0.extra = $1 }) }
}

/// A record that is read and written by its schema.
package protocol DeclaredRecord: JSONRecord {
    /// The declaration of the record.
    static var form: RecordSchema<Self> { get }
}

extension DeclaredRecord {
    package static var recordName: String { form.name }
    package init(from reader: inout JSONReader) throws(KinError) { self = try Self.form.read(&reader) }
    package func write(to writer: inout JSONWriter) { Self.form.write(self, to: &writer) }
}
