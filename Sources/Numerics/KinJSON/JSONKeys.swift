package import KinCore

/// The names that an object may have, or the words that a string may be.
///
/// Names are compared as bytes, the one expected next first, so that reading a record whose names come in the usual order makes
/// no strings.
package struct JSONKeys: Sendable {
    /// The names, at most 64.
    package let names: [String]
    private let bytes: [[UInt8]]
    /// A bit for each name that has to be there.
    fileprivate let required: UInt64

    /// Names, of which some are required; all if none are named.
    ///
    /// - Precondition: At most 64 different names.
    package init(_ names: [String], required: [String]? = nil) {
        precondition(names.count <= 64 && Set(names).count == names.count, "at most 64 different names")
        self.names = names
        bytes = names.map { Array($0.utf8) }
        self.required = (required ?? names).reduce(0) { $0 | 1 << UInt64(names.firstIndex(of: $1)!) }
    }

    /// The number of a name, the most likely one tried first.
    fileprivate func number(of name: UnsafeBufferPointer<UInt8>, expected: Int) -> Int? {
        if expected < bytes.count, unsafe Self.equal(bytes[expected], name) { return expected }
        return bytes.indices.first { unsafe Self.equal(bytes[$0], name) }
    }

    private static func equal(_ a: [UInt8], _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        for i in 0..<a.count where unsafe a[i] != b[i] { return false }
        return true
    }

    /// What may stand there, for an error.
    fileprivate func hint(for word: String) -> String {
        if let near = Spelling.nearest(to: word, in: names) { return "did you mean \"\(near)\"?" }
        return "there are " + names.joined(separator: ", ")
    }
}

extension JSONReader {
    /// Reads an object that has only names of a list, each at most once, and all that are required.
    ///
    /// - Parameter body: Reads the value of the name with this number. Its errors are given the field's name.
    package mutating func members(
        of keys: JSONKeys, _ body: (inout JSONReader, Int) throws(KinError) -> Void
    ) throws(KinError) {
        try members(of: keys, others: nil, body)
    }

    /// Reads an object whose other names are passed over after they were told.
    ///
    /// - Parameters:
    ///   - others: Is given each name that is not in the list; its value is checked and skipped.
    ///   - body: Reads the value of the name with this number. Its errors are given the field's name.
    package mutating func members(
        of keys: JSONKeys, others: ((String) -> Void)?,
        _ body: (inout JSONReader, Int) throws(KinError) -> Void
    ) throws(KinError) {
        _ = peek()
        let first = place
        try open("{", "an object")
        var seen: UInt64 = 0
        if !closesAtOnce("}") {
            var key = -1
            repeat {
                _ = peek()
                let nameStart = place
                let name = try rawString("a name in quotation marks")
                if let others, try number(of: name, in: keys, expected: key + 1) == nil {
                    others(try decoded(name))
                    guard take(":") else { throw unexpected("a colon") }
                    try skip()
                    continue
                }
                key = try number(of: name, in: keys, expected: key + 1, what: "field")
                guard seen & 1 << UInt64(key) == 0 else {
                    throw error("the field \"\(keys.names[key])\" is there twice", at: nameStart)
                }
                seen |= 1 << UInt64(key)
                guard take(":") else { throw unexpected("a colon") }
                do throws(KinError) { try body(&self, key) } catch { throw error.inField(keys.names[key]) }
            } while try goesOn(until: "}")
        }
        let missing = keys.required & ~seen
        if missing != 0 {
            let name = keys.names[missing.trailingZeroBitCount]
            throw error("the field \"\(name)\" is missing", at: first).inField(name)
        }
    }

    /// Reads a string that is one of some words, in any case, and returns its number.
    ///
    /// - Parameter what: What the words are, for an error: "state".
    package mutating func choice(of words: JSONKeys, _ what: String) throws(KinError) -> Int {
        let raw = try rawString("a \(what) in quotation marks")
        if let number = try number(of: raw, in: words, expected: 0) { return number }
        let word = try decoded(raw).lowercased()
        if let number = words.names.firstIndex(where: { $0.lowercased() == word }) { return number }
        return try number(of: raw, in: words, expected: 0, what: what)
    }

    private func number(
        of raw: RawString, in keys: JSONKeys, expected: Int, what: String
    ) throws(KinError) -> Int {
        if let number = try number(of: raw, in: keys, expected: expected) { return number }
        let word = try decoded(raw)
        throw error(
            "there is no \(what) \"\(word.prefix(40))\"; \(keys.hint(for: word))", at: raw.range.lowerBound - 1)
    }

    /// The number of a name, nil when it is not in the list.
    private func number(of raw: RawString, in keys: JSONKeys, expected: Int) throws(KinError) -> Int? {
        if !raw.hasEscapes { return unsafe keys.number(of: bytes(raw.range), expected: expected) }
        return try keys.names.firstIndex(of: decoded(raw))
    }
}
