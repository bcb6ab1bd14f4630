package import KinCore

extension JSONReader {
    /// Reads an object with any names, each at most once.
    ///
    /// - Parameter body: Reads the value of a name; its errors receive the field's name.
    /// - Throws: `.malformedInput` for a duplicate name, and the errors of `body`.
    package mutating func members(
        _ body: (inout JSONReader, String) throws(KinError) -> Void
    ) throws(KinError) {
        try open("{", "an object")
        if isEmptyLevel(closedBy: "}") { return }
        var seen: Set<String> = []
        repeat {
            _ = peek()
            let start = offset
            let name = try string()
            guard seen.insert(name).inserted else { throw error("the field \"\(name)\" is there twice", at: start) }
            guard take(":") else { throw unexpected("a colon") }
            do throws(KinError) { try body(&self, name) } catch { throw error.inField(name) }
        } while try hasNext(orCloses: "}")
    }

    /// Reads an object and returns its names in order; values are validated and skipped.
    package mutating func memberNames() throws(KinError) -> [String] {
        try open("{", "an object")
        var names: [String] = []
        if isEmptyLevel(closedBy: "}") { return names }
        repeat {
            names.append(try string())
            guard take(":") else { throw unexpected("a colon") }
            try skip()
        } while try hasNext(orCloses: "}")
        return names
    }

    /// Reads an object with any names, which may repeat.
    ///
    /// - Parameter body: Reads the value of a name; its errors receive the field's name.
    package mutating func eachMember(
        _ body: (inout JSONReader, String) throws(KinError) -> Void
    ) throws(KinError) {
        try open("{", "an object")
        if isEmptyLevel(closedBy: "}") { return }
        repeat {
            let name = try string()
            guard take(":") else { throw unexpected("a colon") }
            do throws(KinError) { try body(&self, name) } catch { throw error.inField(name) }
        } while try hasNext(orCloses: "}")
    }

    /// Reads an object and returns its names with their values as JSON text.
    ///
    /// - Throws: `.malformedInput` for a duplicate name.
    package mutating func rawMembers() throws(KinError) -> [(name: String, value: String)] {
        try open("{", "an object")
        var members: [(name: String, value: String)] = []
        if isEmptyLevel(closedBy: "}") { return members }
        repeat {
            let name = try string()
            guard !members.contains(where: { $0.name == name }) else {
                throw error("the field \"\(name)\" is there twice")
            }
            guard take(":") else { throw unexpected("a colon") }
            members.append((name, try verbatim()))
        } while try hasNext(orCloses: "}")
        return members
    }
}
