import Kin
import KinJSON

/// An object of JSON, member by member, in the order in which it is written; members without a value are left out.
struct Record: JSONObject, ExpressibleByDictionaryLiteral {
    let members: [(name: String, value: any JSONWritable)]

    init(dictionaryLiteral elements: (String, (any JSONWritable)?)...) {
        members = elements.compactMap { name, value in value.map { (name, $0) } }
    }

    /// An object of values with different names, by ascending name.
    init<Value: JSONWritable>(_ values: some Sequence<(String, Value)>) {
        members = values.sorted { $0.0 < $1.0 }.map { ($0.0, $0.1) }
    }

    /// An object whose members are those of a dictionary, by ascending name.
    init(_ values: [String: some JSONWritable]) { self.init(values.map { ($0.key, $0.value) }) }

    func writeMembers(to writer: inout JSONWriter) {
        for (name, value) in members { writer.member(name, value) }
    }
}

extension Console {
    /// Prints an answer: as JSON, or as its facts one below the other.
    func print(_ record: Record, asJSON isJSON: Bool) {
        JSONTable(console: self).show(record.jsonText, asJSON: isJSON)
    }
}
