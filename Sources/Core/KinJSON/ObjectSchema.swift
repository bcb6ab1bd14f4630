/// The declaration of an object that is written. Its fields define the writer and the documentation.
///
///     package static let schema = ObjectSchema<Leap>(
///         .field("quantity", \.quantity.rawValue), .field("date", \.date), .field("before", \.before, "minutes"))
///
/// It is a class with one closure, so that the runtime looks up no generic types for each object that is written.
package final class ObjectSchema<Object>: Sendable {
    /// The fields in writing order.
    package let fields: [FieldDescription]
    private let writer: @Sendable (Object, inout JSONWriter) -> Void

    /// Declares an object by its fields, in writing order.
    package convenience init(_ fields: ObjectField<Object>...) { self.init(fields) }

    init(_ fields: [ObjectField<Object>]) {
        self.fields = fields.map(\.description)
        var writer: @Sendable (Object, inout JSONWriter) -> Void = { _, _ in }
        for field in fields {
            let (before, write) = (writer, field.write)
            writer = { object, json in
                before(object, &json)
                write(object, &json)
            }
        }
        self.writer = writer
    }

    /// Writes the fields as members of an object, possibly between other members.
    package func writeMembers(of object: Object, to json: inout JSONWriter) { writer(object, &json) }

    /// Writes a value as one JSON object with all declared fields.
    package func write(_ object: Object, to json: inout JSONWriter) { json.object { writer(object, &$0) } }
}

/// A field of an object that is written.
package struct ObjectField<Object>: Sendable {
    let description: FieldDescription
    /// Writes the field as a member of an object, or nothing.
    let write: @Sendable (Object, inout JSONWriter) -> Void

    /// Declares a field by the function that writes its value.
    ///
    /// Writing takes no reference to the closures and looks up no type, since both write memory that all threads share.
    ///
    /// - Parameter isOmitted: Whether the field is omitted for a value. Default: it is always written.
    init<Value>(
        _ description: FieldDescription, _ value: @escaping @Sendable (Object) -> Value,
        unless isOmitted: @escaping @Sendable (Value) -> Bool = { _ in false },
        _ write: @escaping @Sendable (Value, inout JSONWriter) -> Void
    ) {
        let name = EscapedName(description.name)
        self.description = description
        self.write = { object, writer in
            let value = value(object)
            guard !isOmitted(value) else { return }
            writer.begin(name)
            write(value, &writer)
        }
    }

    /// Declares a field by the function that writes its value.
    ///
    /// - Parameters:
    ///   - value: The value of an object; nil if it has none.
    ///   - writesNull: Whether nil is written as null; otherwise the field is omitted.
    init<Value: OptionalValue & SendableMetatype>(
        _ description: FieldDescription, optional value: @escaping @Sendable (Object) -> Value,
        writesNull: Bool = false, _ write: @escaping @Sendable (Value.Wrapped, inout JSONWriter) -> Void
    ) {
        let name = EscapedName(description.name)
        self.description = description
        self.write = { object, writer in
            let isWritten = value(object).withValue { value in
                writer.begin(name)
                write(value, &writer)
            }
            if writesNull, !isWritten {
                writer.begin(name)
                writer.null()
            }
        }
    }

    /// A field that is always written, as null if its value is nil.
    ///
    /// - Parameters:
    ///   - name: The name in snake case.
    ///   - value: The value of an object.
    ///   - meaning: The unit, the range or the meaning; empty if the name is enough.
    package static func field<Value: JSONWritable>(
        _ name: String, _ value: @escaping @Sendable (Object) -> Value, _ meaning: String = ""
    ) -> ObjectField {
        ObjectField(FieldDescription(name, Value.jsonType, meaning: meaning), value) { $0.write(to: &$1) }
    }

    /// A field that is omitted if its value is nil.
    package static func optional<Value: JSONWritable>(
        _ name: String, _ value: @escaping @Sendable (Object) -> Value?, _ meaning: String = ""
    ) -> ObjectField {
        ObjectField(FieldDescription(name, Value.jsonType, .optional, meaning: meaning), optional: value) {
            $0.write(to: &$1)
        }
    }

    /// A field whose value is written in a given form.
    package static func field<Value>(
        _ name: String, _ value: @escaping @Sendable (Object) -> Value, as form: JSONForm<Value>, _ meaning: String = ""
    ) -> ObjectField {
        ObjectField(FieldDescription(name, JSONType(form.description), meaning: meaning), value, form.write)
    }

    /// A field whose value is an object with its own fields.
    package static func object<Part>(
        _ name: String, _ value: @escaping @Sendable (Object) -> Part, _ fields: ObjectField<Part>...
    ) -> ObjectField {
        field(name, value, as: ObjectSchema(fields))
    }

    /// A field whose value is an object with its own schema.
    package static func field<Part>(
        _ name: String, _ value: @escaping @Sendable (Object) -> Part, as schema: ObjectSchema<Part>,
        _ meaning: String = ""
    ) -> ObjectField {
        ObjectField(FieldDescription(name, JSONType("object", schema.fields), meaning: meaning), value) {
            schema.write($0, to: &$1)
        }
    }

    /// A field whose value is a list of objects with the given fields.
    package static func list<Part>(
        _ name: String, _ value: @escaping @Sendable (Object) -> [Part], _ fields: ObjectField<Part>...
    ) -> ObjectField {
        let schema = ObjectSchema(fields)
        return ObjectField(FieldDescription(name, JSONType("object", schema.fields).list), value) { parts, writer in
            writer.array(parts) { schema.write($0, to: &$1) }
        }
    }

    /// A field whose value is an object with a member for each element of a list.
    ///
    /// - Parameter names: The meaning of the members' names.
    package static func members<Value: JSONWritable>(
        _ name: String, _ value: @escaping @Sendable (Object) -> [(name: String, value: Value)], by names: String
    ) -> ObjectField {
        field(name, { NamedValues(value($0)) }, "by \(names)")
    }
}

/// An optional as one type. Code that is generic over `Wrapped` alone looks up `Wrapped?` whenever it uses it.
protocol OptionalValue<Wrapped> {
    associatedtype Wrapped
    /// Runs a body on the value.
    ///
    /// - Returns: Whether there is a value.
    func withValue(_ body: (Wrapped) -> Void) -> Bool
}

extension Optional: OptionalValue {
    func withValue(_ body: (Wrapped) -> Void) -> Bool {
        guard let self else { return false }
        body(self)
        return true
    }
}

/// An object whose members all have the same type, in their order.
package struct NamedValues<Value: JSONWritable>: JSONObject {
    private let members: [(name: String, value: Value)]

    /// Creates an object from its members, each name once.
    package init(_ members: [(name: String, value: Value)]) { self.members = members }

    package static var jsonType: JSONType { JSONType("object of \(Value.jsonType.name)", Value.jsonType.fields) }

    package func writeMembers(to writer: inout JSONWriter) {
        for (name, value) in members { writer.member(name, value) }
    }
}

/// An object that is written by its schema.
package protocol DeclaredObject: JSONObject {
    /// The declaration of the object.
    static var schema: ObjectSchema<Self> { get }
}

extension DeclaredObject {
    package static var jsonType: JSONType { JSONType("object", schema.fields) }
    package func writeMembers(to writer: inout JSONWriter) { Self.schema.writeMembers(of: self, to: &writer) }
}

/// The type of a JSON value, for documentation.
package struct JSONType: Sendable, Hashable {
    /// The type in words: "number", "list of text".
    package let name: String
    /// The fields of the object, or of each object of the list.
    package let fields: [FieldDescription]

    /// Creates a type from its name and the fields of its objects.
    package init(_ name: String, _ fields: [FieldDescription] = []) {
        self.name = name
        self.fields = fields
    }

    /// The type of a list of such values.
    package var list: JSONType { JSONType("list of \(name)", fields) }
}

/// A field of an object in words, for documentation.
package struct FieldDescription: Sendable, Hashable {
    /// The rule for an object without the field.
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
    /// The unit, range or meaning of an answer's field; empty if the name is enough.
    package let meaning: String
    /// The fields of the objects in the value.
    package let fields: [FieldDescription]
    /// The paths of the ids in the field's value.
    let idPaths: [[String]]

    /// Describes a field by its name, type and presence.
    package init(_ name: String, _ type: JSONType, _ presence: Presence = .required, meaning: String = "") {
        self.init(name, type, presence, meaning: meaning, idPaths: [])
    }

    init<Value>(_ name: String, _ form: JSONForm<Value>, _ presence: Presence) {
        self.init(name, JSONType(form.description), presence, meaning: "", idPaths: form.idPaths)
    }

    private init(_ name: String, _ type: JSONType, _ presence: Presence, meaning: String, idPaths: [[String]]) {
        self.name = name
        self.type = type.name
        self.presence = presence
        self.meaning = meaning
        fields = type.fields
        self.idPaths = idPaths
    }

    /// Fields and the fields of their objects, by path: `shifts`, `shifts.value`. Objects with equal fields list them
    /// once.
    package static func flattened(_ fields: [FieldDescription]) -> [FieldDescription] {
        var listed: [[FieldDescription]: String] = [:]
        var all: [FieldDescription] = []
        func add(_ fields: [FieldDescription], in path: String) {
            for field in fields {
                let name = path + field.name
                let equal = field.fields.isEmpty ? nil : listed[field.fields]
                let meaning = [field.meaning, equal.map { "as `\($0)`" } ?? ""].filter { !$0.isEmpty }
                all.append(
                    FieldDescription(
                        name, JSONType(field.type), field.presence, meaning: meaning.joined(separator: "; ")))
                guard equal == nil else { continue }
                listed[field.fields] = name
                add(field.fields, in: name + ".")
            }
        }
        add(fields, in: "")
        return all
    }
}
