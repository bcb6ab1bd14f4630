/// An object whose members all have the same type: `{"sessions": 12, "items": 3}`, by ascending name.
package struct Members<Value: JSONWritable & Sendable>: JSONObject, Sendable {
    package let values: [String: Value]

    init(_ values: [String: Value]) { self.values = values }

    package static var jsonType: JSONType { NamedValues<Value>.jsonType }

    package func writeMembers(to writer: inout JSONWriter) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
    }
}

extension Members<Int> {
    /// The answer of a command without a result: `{}`.
    static let none = Members([:])
}

/// A list of objects of one member each: `[{"user": "u1"}, {"user": "u2"}]`.
package struct LabelledList<Element: JSONWritable & Sendable>: JSONWritable, Sendable {
    package let elements: [Element]
    private let label: String

    init(_ label: String, _ elements: [Element]) {
        self.label = label
        self.elements = elements
    }

    package func write(to writer: inout JSONWriter) {
        writer.array(elements) { element, writer in writer.object { $0.member(label, element) } }
    }

    package static var jsonType: JSONType { JSONType("object").list }
}

/// An answer that is already JSON.
package struct JSONText: JSONWritable, Sendable {
    package let text: String

    init(_ text: String) { self.text = text }

    package func write(to writer: inout JSONWriter) { writer.raw(text) }
}

extension JSONType {
    /// The type of a list, or of an object with a report under `nothing` if the list would be empty.
    static func list<Element: DeclaredObject, Report: DeclaredObject>(
        of _: Element.Type, orNothing _: Report.Type
    ) -> JSONType {
        let nothing = FieldDescription(
            "nothing", Report.jsonType, .optional, meaning: "instead of an empty list: the reason")
        return JSONType("either a list of objects, or an object with `nothing`", Element.schema.fields + [nothing])
    }
}
