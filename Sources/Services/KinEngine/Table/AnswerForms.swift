package import KinJSON

/// An object whose members all have one type: `{"sessions": 12, "items": 3}`, by ascending name.
package struct Members<Value: Sendable>: JSONObject, Sendable {
    package let values: [String: Value]
    private let writeValue: @Sendable (Value, inout JSONWriter) -> Void

    init(_ values: [String: Value], _ write: @escaping @Sendable (Value, inout JSONWriter) -> Void) {
        self.values = values
        writeValue = write
    }

    package func writeMembers(to writer: inout JSONWriter) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            writer.member(name) { writeValue(value, &$0) }
        }
    }
}

extension Members<Int> {
    /// The answer of a command that has nothing to say: `{}`.
    static let none = Members([:]) { $1.integer($0) }
}

/// A list of objects of one member each: `[{"user": "u1"}, {"user": "u2"}]`.
package struct LabelledList<Element: Sendable>: JSONWritable, Sendable {
    package let elements: [Element]
    private let label: String
    private let writeElement: @Sendable (Element, inout JSONWriter) -> Void

    init(_ label: String, _ elements: [Element], _ write: @escaping @Sendable (Element, inout JSONWriter) -> Void) {
        self.label = label
        self.elements = elements
        writeElement = write
    }

    package func write(to writer: inout JSONWriter) {
        writer.array(elements) { element, writer in
            writer.object { writer in writer.member(label) { writeElement(element, &$0) } }
        }
    }
}

/// An answer that is JSON already.
package struct JSONText: JSONWritable, Sendable {
    package let text: String

    init(_ text: String) { self.text = text }

    package func write(to writer: inout JSONWriter) { writer.raw(text) }
}
