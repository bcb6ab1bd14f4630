package import KinCore

extension JSONReader {
    /// The names of the object that comes next, whose values are checked and passed over.
    package mutating func memberNames() throws(KinError) -> [String] {
        try open("{", "an object")
        var names: [String] = []
        if closesAtOnce("}") { return names }
        repeat {
            names.append(try string())
            guard take(":") else { throw unexpected("a colon") }
            try skip()
        } while try goesOn(until: "}")
        return names
    }

    /// Reads an object of any names: the function reads the value of each name that it is given, which may be there more than once.
    package mutating func eachMember(
        _ body: (inout JSONReader, String) throws(KinError) -> Void
    ) throws(KinError) {
        try open("{", "an object")
        if closesAtOnce("}") { return }
        repeat {
            let name = try string()
            guard take(":") else { throw unexpected("a colon") }
            do throws(KinError) { try body(&self, name) } catch { throw error.inField(name) }
        } while try goesOn(until: "}")
    }

    /// The members of the object that comes next, their values as they stand there.
    ///
    /// - Throws: `.malformedInput` for a name that is there twice, too.
    package mutating func rawMembers() throws(KinError) -> [(name: String, value: String)] {
        try open("{", "an object")
        var members: [(name: String, value: String)] = []
        if closesAtOnce("}") { return members }
        repeat {
            let name = try string()
            guard !members.contains(where: { $0.name == name }) else {
                throw error("the field \"\(name)\" is there twice")
            }
            guard take(":") else { throw unexpected("a colon") }
            members.append((name, try verbatim()))
        } while try goesOn(until: "}")
        return members
    }
}
