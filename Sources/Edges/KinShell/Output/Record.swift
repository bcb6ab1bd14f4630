import Kin
package import KinJSON

/// An object of JSON, member by member, in the order in which it is written; members without a value are left out.
struct Record: JSONWritable, ExpressibleByDictionaryLiteral {
    let members: [(name: String, value: any JSONWritable)]

    init(dictionaryLiteral elements: (String, (any JSONWritable)?)...) {
        members = elements.compactMap { name, value in value.map { (name, $0) } }
    }

    /// An object whose members are those of a dictionary, by ascending name.
    init(_ values: [String: some JSONWritable]) {
        members = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in members { writer.member(name) { value.write(to: &$0) } }
        }
    }
}

extension Int: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}
extension UInt64: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.integer(self) }
}
extension Double: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.number(self) }
}
extension Bool: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.boolean(self) }
}
extension String: JSONWritable {
    package func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Console {
    /// Prints an answer: as JSON, or as its facts one below the other.
    func print(_ record: Record, asJSON isJSON: Bool) {
        JSONTable(console: self).show(record.jsonText, asJSON: isJSON)
    }
}
