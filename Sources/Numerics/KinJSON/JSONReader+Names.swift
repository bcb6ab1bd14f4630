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
}
