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
}
