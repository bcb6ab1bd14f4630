extension JSONReader {
    /// Reads an object with any names, each at most once.
    ///
    /// - Parameter body: Reads the value of a name; its errors receive the field's name.
    /// - Throws: `.malformedInput` for a duplicate name, and the errors of `body`.
    package mutating func members(
        _ body: (inout JSONReader, String) throws(KinError) -> Void
    ) throws(KinError) {
        try forEachDistinctName { reader, name throws(KinError) in
            do throws(KinError) { try body(&reader, name) } catch { throw error.inField(name) }
        }
    }

    /// Reads an object with any names, which may repeat.
    ///
    /// - Parameter body: Reads the value of a name; its errors receive the field's name.
    package mutating func eachMember(
        _ body: (inout JSONReader, String) throws(KinError) -> Void
    ) throws(KinError) {
        try forEachName { reader, name, _ throws(KinError) in
            do throws(KinError) { try body(&reader, name) } catch { throw error.inField(name) }
        }
    }

    /// Reads an object and returns its names in order; values are validated and skipped.
    package mutating func memberNames() throws(KinError) -> [String] {
        var names: [String] = []
        try forEachName { reader, name, _ throws(KinError) in
            names.append(name)
            try reader.skip()
        }
        return names
    }

    /// Reads an object and returns its names with their values as JSON text.
    ///
    /// - Throws: `.malformedInput` for a duplicate name.
    package mutating func rawMembers() throws(KinError) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        try forEachDistinctName { reader, name throws(KinError) in members.append((name, try reader.verbatim())) }
        return members
    }

    /// The members that may follow a record under its kind in a store's export.
    package static let companions = ["since", "content"]

    /// The kind of a record as a store's export writes it, `{"soul": {…}}`; nil for other values.
    package func exportedKind() -> String? {
        var ahead = self
        guard let members = try? ahead.rawMembers(), members.first?.value.first == "{",
            members.dropFirst().allSatisfy({ Self.companions.contains($0.name) })
        else { return nil }
        return members[0].name
    }

    /// Reads an object, and calls `body` at the value of each name; a repeated name is an error.
    private mutating func forEachDistinctName(
        _ body: (inout JSONReader, String) throws(KinError) -> Void
    ) throws(KinError) {
        var seen = Set<String>(minimumCapacity: 8)
        try forEachName { reader, name, offset throws(KinError) in
            guard seen.insert(name).inserted else {
                throw reader.error("the field \"\(name.prefix(80))\" appears twice", at: offset)
            }
            try body(&reader, name)
        }
    }

    /// Reads an object, and calls `body` at the value of each name with the name's offset.
    mutating func forEachName(
        _ body: (inout JSONReader, String, _ offset: Int) throws(KinError) -> Void
    ) throws(KinError) {
        try open("{", "an object")
        if isEmptyLevel(closedBy: "}") { return }
        repeat {
            _ = peek()
            let start = offset
            let name = try decoded(rawString("a name in quotation marks"))
            guard take(":") else { throw unexpected("a colon") }
            try body(&self, name, start)
        } while try hasNext(orCloses: "}")
    }
}
