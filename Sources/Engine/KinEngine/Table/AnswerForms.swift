package import KinJSON

/// An object whose members all have one type: `{"sessions": 12, "items": 3}`, by ascending name.
package struct Members<Value: JSONWritable & Sendable>: JSONObject, Sendable {
    package let values: [String: Value]

    init(_ values: [String: Value]) { self.values = values }

    package func writeMembers(to writer: inout JSONWriter) {
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
    }
}

extension Members<Int> {
    /// The answer of a command that has nothing to say: `{}`.
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
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}

/// An answer that is JSON already.
package struct JSONText: JSONWritable, Sendable {
    package let text: String

    init(_ text: String) { self.text = text }

    package func write(to writer: inout JSONWriter) { writer.raw(text) }
}
