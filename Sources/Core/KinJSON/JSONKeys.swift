/// The member names of an object, or the words allowed in a string. A name in snake case is also read in camel case.
///
/// Names are compared as bytes, beginning with the next one in the list: a record with its names in the usual order is
/// read without creating strings.
package struct JSONKeys: Sendable {
    /// The names in the expected order, at most 64.
    package let names: [String]
    /// The names in UTF-8 followed by their aliases, without separators.
    private let bytes: [UInt8]
    /// The end of each name and alias in ``bytes``.
    private let ends: [Int]
    /// The index of the name for each alias.
    private let aliased: [Int]
    /// The required names: bit i is for `names[i]`.
    fileprivate let required: UInt64

    /// Creates a list of names.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - required: The names that must be present in an object; nil for all.
    ///   - aliases: Further names for some of them.
    /// - Precondition: At most 64 different names.
    package init(_ names: [String], required: [String]? = nil, aliases: [(alias: String, name: String)] = []) {
        precondition(names.count <= 64 && Set(names).count == names.count, "at most 64 different names")
        self.names = names
        let given = names.map { (alias: $0, name: $0) } + aliases
        let camels = given.filter { $0.alias.utf8.contains(UInt8(ascii: "_")) }
            .map { (alias: Spelling.camelCase($0.alias), name: $0.name) }
        let aliases = aliases + camels.filter { camel in !given.contains { $0.alias == camel.alias } }
        var (bytes, ends): ([UInt8], [Int]) = ([], [])
        for name in names + aliases.map(\.alias) {
            bytes += name.utf8
            ends.append(bytes.count)
        }
        (self.bytes, self.ends) = (bytes, ends)
        aliased = aliases.map { names.firstIndex(of: $0.name)! }
        self.required = (required ?? names).reduce(0) { $0 | 1 << UInt64(names.firstIndex(of: $1)!) }
    }

    /// The index of a name, or of the name for an alias, with the expected name compared first; nil if it is not in the
    /// list.
    fileprivate func number(of name: UnsafeBufferPointer<UInt8>, expected: Int) -> Int? {
        let count = ends.count - aliased.count
        if expected < count, unsafe isName(expected, equalTo: name) { return expected }
        guard let place = ends.indices.first(where: { unsafe isName($0, equalTo: name) }) else { return nil }
        return place < count ? place : aliased[place - count]
    }

    /// The index of the name with a plain form (`Spelling.plain`) or with an alias of that form; nil for other words.
    fileprivate func number(ofPlain word: String) -> Int? {
        let place = ends.indices.first { place in
            let bytes = bytes[(place == 0 ? 0 : ends[place - 1])..<ends[place]]
            return Spelling.plain(String(decoding: bytes, as: UTF8.self)) == word
        }
        let count = ends.count - aliased.count
        return place.map { $0 < count ? $0 : aliased[$0 - count] }
    }

    /// Whether a name or alias has these bytes.
    private func isName(_ place: Int, equalTo name: UnsafeBufferPointer<UInt8>) -> Bool {
        let first = place == 0 ? 0 : ends[place - 1]
        guard ends[place] - first == name.count else { return false }
        for i in 0..<name.count where unsafe bytes[first + i] != name[i] { return false }
        return true
    }
}

extension JSONReader {
    /// Reads an object that has only listed names, each at most once, and all required names.
    ///
    /// - Parameters:
    ///   - others: Receives each name outside the list; only strings and brackets decide where its value ends. nil: such a name is an
    ///     error.
    ///   - body: Reads the value of the name with the given index; its errors receive the field's name.
    /// - Throws: `.malformedInput` for an unknown, duplicate or missing name, and the errors of `body`.
    package mutating func members(
        of keys: JSONKeys, others: ((String) -> Void)? = nil,
        _ body: (inout JSONReader, Int) throws(KinError) -> Void
    ) throws(KinError) {
        _ = peek()
        let first = offset
        try open("{", "an object")
        var seen: UInt64 = 0
        if !isEmptyLevel(closedBy: "}") {
            var key = -1
            repeat {
                _ = peek()
                let nameOffset = offset
                let name = try rawString("a name in quotation marks")
                if let others, try number(of: name, in: keys, expected: key + 1) == nil {
                    others(try decoded(name))
                    guard take(":") else { throw unexpected("a colon") }
                    try skipElement()
                    continue
                }
                key = try number(of: name, in: keys, expected: key + 1, what: "field")
                guard seen & 1 << UInt64(key) == 0 else {
                    throw error("the field \"\(keys.names[key])\" appears twice", at: nameOffset)
                }
                seen |= 1 << UInt64(key)
                guard take(":") else { throw unexpected("a colon") }
                do throws(KinError) { try body(&self, key) } catch { throw error.inField(keys.names[key]) }
            } while try hasNext(orCloses: "}")
        }
        let missing = keys.required & ~seen
        if missing != 0 {
            let name = keys.names[missing.trailingZeroBitCount]
            throw error("the field \"\(name)\" is missing", at: first).inField(name)
        }
    }

    /// Reads a string that is one of the listed words or an alias, and returns its index. Case, blanks, hyphens,
    /// underscores and points are ignored.
    ///
    /// - Parameter what: The noun for such a word in an error: "state".
    /// - Throws: `.malformedInput` for any other word, with a suggestion.
    package mutating func choice(of words: JSONKeys, _ what: String) throws(KinError) -> Int {
        let raw = try rawString("a word in quotation marks")
        if let number = try number(of: raw, in: words, expected: 0) { return number }
        if let number = words.number(ofPlain: Spelling.plain(try decoded(raw))) { return number }
        return try number(of: raw, in: words, expected: 0, what: what)
    }

    private func number(
        of raw: RawString, in keys: JSONKeys, expected: Int, what: String
    ) throws(KinError) -> Int {
        if let number = try number(of: raw, in: keys, expected: expected) { return number }
        let word = try decoded(raw)
        throw error(
            "there is no \(what) \"\(word.prefix(40))\"; \(Spelling.advice(on: word, among: keys.names))",
            at: raw.range.lowerBound - 1)
    }

    /// The index of a name; nil if it is not in the list.
    private func number(of raw: RawString, in keys: JSONKeys, expected: Int) throws(KinError) -> Int? {
        if !raw.hasEscapes { return unsafe keys.number(of: bytes(raw.range), expected: expected) }
        return try unsafe Array(decoded(raw).utf8).withUnsafeBufferPointer {
            unsafe keys.number(of: $0, expected: expected)
        }
    }
}
