/// A value that can be written as JSON.
package protocol JSONWritable: SendableMetatype {
    /// The type of the values, for documentation.
    static var jsonType: JSONType { get }
    /// Writes the value as one JSON value.
    func write(to writer: inout JSONWriter)
}

extension JSONWritable {
    package static var jsonType: JSONType { JSONType("object") }

    /// The value as JSON text.
    package var jsonText: String {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.text
    }

    /// The value as JSON text; nil if it has more bytes than a limit. Memory is bounded by the limit and one element of
    /// an array.
    package func jsonText(limit: Int) -> String? {
        var writer = JSONWriter(limit: limit)
        write(to: &writer)
        return writer.isOverLimit ? nil : writer.text
    }
}

/// A value that is written as an object.
package protocol JSONObject: JSONWritable {
    /// Writes the members of the object, possibly between other members.
    func writeMembers(to writer: inout JSONWriter)
}

extension JSONObject {
    package func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }
}

extension JSONWriter {
    /// Writes a member of an object: its name and its value, null for nil.
    package mutating func member(_ name: String, _ value: some JSONWritable) {
        member(name) { value.write(to: &$0) }
    }

    /// Writes a member whose value is an object; `members` writes that object's members.
    package mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        member(name) { $0.object(members) }
    }

    /// Writes a member whose value is an array of objects, one per element; `members` writes each object's members.
    package mutating func objects<Element>(
        _ name: String, _ elements: [Element], _ members: (Element, inout JSONWriter) -> Void
    ) {
        member(name) { $0.array(elements) { element, writer in writer.object { members(element, &$0) } } }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package static var jsonType: JSONType { Element.jsonType.list }
    package func write(to writer: inout JSONWriter) { writer.array(self) { $0.write(to: &$1) } }
}
extension Optional: JSONWritable where Wrapped: JSONWritable {
    package static var jsonType: JSONType { JSONType("\(Wrapped.jsonType.name) or null", Wrapped.jsonType.fields) }
    package func write(to writer: inout JSONWriter) {
        if let self { self.write(to: &writer) } else { writer.null() }
    }
}
extension String: JSONWritable {
    package static var jsonType: JSONType { JSONType("text") }
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}
extension Bool: JSONWritable {
    package static var jsonType: JSONType { JSONType("boolean") }
    package func write(to writer: inout JSONWriter) { writer.boolean(self) }
}
extension Double: JSONWritable {
    package static var jsonType: JSONType { JSONType("number") }
    package func write(to writer: inout JSONWriter) { writer.number(self) }
}
extension Float: JSONWritable {
    package static var jsonType: JSONType { JSONType("number") }
    package func write(to writer: inout JSONWriter) { writer.number(self) }
}
extension JSONWritable where Self: BinaryInteger {
    package static var jsonType: JSONType { JSONType("integer") }
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}
extension Int: JSONWritable {}
extension Int64: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}
extension Timestamp: JSONWritable {
    package static var jsonType: JSONType { JSONType("instant") }
    package func write(to writer: inout JSONWriter) { writer.plainString { self.write(to: &$0) } }
}
extension LocalDateTime: JSONWritable {
    package static var jsonType: JSONType { JSONType("local time") }
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}
extension LocalDay: JSONWritable {
    package static var jsonType: JSONType { JSONType("date") }
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}
extension TimeOfDay: JSONWritable {
    package static var jsonType: JSONType { JSONType("time of day") }
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}
