package import KinCore

extension JSONReader {
    /// Reads an object whose names may be anything, each once.
    ///
    /// - Parameter body: Reads the value of a name. Its errors are given the field's name.
    package mutating func members(
        _ body: (inout JSONReader, String) throws(KinError) -> Void
    ) throws(KinError) {
        try open("{", "an object")
        if closesAtOnce("}") { return }
        var seen: Set<String> = []
        repeat {
            _ = peek()
            let start = place
            let name = try string()
            guard seen.insert(name).inserted else { throw error("the field \"\(name)\" is there twice", at: start) }
            guard take(":") else { throw unexpected("a colon") }
            do throws(KinError) { try body(&self, name) } catch { throw error.inField(name) }
        } while try goesOn(until: "}")
    }
}
