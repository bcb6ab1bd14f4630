/// A JSON object, as a list of members in the order of writing; members without a value are left out.
struct Record: JSONObject, ExpressibleByDictionaryLiteral {
    let members: [(name: String, value: any JSONWritable)]

    init(dictionaryLiteral elements: (String, (any JSONWritable)?)...) {
        members = elements.compactMap { name, value in value.map { (name, $0) } }
    }

    /// An object of values with different names, in ascending order of names.
    init<Value: JSONWritable>(_ values: some Sequence<(String, Value)>) {
        members = values.sorted { $0.0 < $1.0 }.map { ($0.0, $0.1) }
    }

    /// An object with the members of a dictionary, in ascending order of names.
    init(_ values: [String: some JSONWritable]) { self.init(values.map { ($0.key, $0.value) }) }

    func writeMembers(to writer: inout JSONWriter) {
        for (name, value) in members { writer.member(name, value) }
    }
}

extension Console {
    /// Prints an answer as JSON.
    func print(json record: Record) { print(json: record.jsonText) }

    /// Prints an answer as JSON, or as one fact per line.
    func print(_ record: Record, for request: MethodRequest) {
        if request.isJSON { return print(json: record) }
        JSONTable(console: self).show(record.jsonText)
    }

    /// Prints an answer as JSON, or as lines of text.
    func print(_ record: Record, for request: MethodRequest, text lines: String...) {
        request.isJSON ? print(json: record) : print(lines)
    }
}
