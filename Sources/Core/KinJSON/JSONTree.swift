/// A JSON value with all nested values, for records whose members move. Everything else is read without a tree.
package enum JSONTree: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// A number in its original text.
    case number(String)
    case text(String)
    case list([JSONTree])
    /// The members of an object in their order.
    case object([Member])

    /// A member of an object.
    package struct Member: Sendable, Hashable {
        package let name: String
        package var value: JSONTree

        package init(name: String, value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    /// Reads one value of any kind.
    ///
    /// - Throws: `.malformedInput`, also for an object with a repeated name.
    package init(from reader: inout JSONReader) throws(KinError) {
        if reader.isAtObject() {
            var members: [Member] = []
            try reader.members { reader, name throws(KinError) in
                members.append(Member(name: name, value: try JSONTree(from: &reader)))
            }
            self = .object(members)
        } else if reader.isAtArray() {
            self = .list(try reader.list { reader throws(KinError) in try JSONTree(from: &reader) })
        } else if reader.isAtString() {
            self = .text(try reader.string())
        } else {
            let text = try reader.verbatim()
            self =
                switch text {
                case "null": .null
                case "true", "false": .boolean(text == "true")
                default: .number(text)
                }
        }
    }

    /// Reads a JSON text.
    package init(parsing json: String) throws(KinError) {
        self = try JSONReader.read(json) { reader throws(KinError) in try JSONTree(from: &reader) }
    }

    /// A number in the shortest form that reads as the same double.
    package static func number(_ value: Double) -> JSONTree {
        var writer = JSONWriter()
        writer.number(value)
        return .number(writer.text)
    }

    /// The value of a number; nil for any other value.
    package var double: Double? {
        guard case .number(let text) = self else { return nil }
        return Double(text)
    }

    /// The members of an object; empty for any other value.
    package var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// The value at a path of names. Setting a value creates missing objects along the path; setting nil removes the
    /// member.
    ///
    /// - Complexity: O(members of the objects along the path).
    package subscript(path path: some Collection<String>) -> JSONTree? {
        get {
            guard let name = path.first else { return self }
            return members.first { $0.name == name }?.value[path: path.dropFirst()]
        }
        set {
            guard let name = path.first else {
                if let newValue { self = newValue }
                return
            }
            var members = members
            let place = members.firstIndex { $0.name == name }
            if path.dropFirst().isEmpty, newValue == nil {
                if let place { members.remove(at: place) }
            } else {
                var value = place.map { members[$0].value } ?? .object([])
                value[path: path.dropFirst()] = newValue
                if let place { members[place].value = value } else { members.append(Member(name: name, value: value)) }
            }
            self = .object(members)
        }
    }
}

extension JSONTree: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .number(let text): writer.raw(text)
        case .text(let text): writer.string(text)
        case .list(let values): writer.array(values) { $0.write(to: &$1) }
        case .object(let members):
            writer.object { writer in for member in members { writer.member(member.name, member.value) } }
        }
    }
}
