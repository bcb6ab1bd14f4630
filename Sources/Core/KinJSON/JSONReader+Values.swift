extension JSONReader {
    /// Reads an array and returns its elements; an error names the element's index.
    package mutating func list<Element>(
        _ element: (inout JSONReader) throws(KinError) -> Element
    ) throws(KinError) -> [Element] {
        var elements: [Element] = []
        try array { reader throws(KinError) in elements.append(try element(&reader)) }
        return elements
    }

    /// Reads an array of strings.
    package mutating func strings() throws(KinError) -> [String] {
        try list { reader throws(KinError) in try reader.string() }
    }

    /// Reads a value; nil for null.
    package mutating func optional<Value>(
        _ value: (inout JSONReader) throws(KinError) -> Value
    ) throws(KinError) -> Value? {
        try takesNull() ? nil : value(&self)
    }

    /// Reads a case of a type by its raw value, in any case.
    ///
    /// - Parameter what: The noun for such a word in an error: "difficulty".
    /// - Throws: `.malformedInput` for any other word.
    package mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ what: String
    ) throws(KinError) -> Word {
        let words = Array(Word.allCases)
        return words[try choice(of: JSONKeys(words.map(\.rawValue)), what)]
    }

    /// Reads a case of a type by its raw value; nil for null.
    package mutating func optionalWord<Word: RawRepresentable<String> & CaseIterable>(
        _ what: String
    ) throws(KinError) -> Word? {
        try takesNull() ? nil : word(what)
    }

    /// Reads a number from 0 to 1.
    ///
    /// - Throws: `.invalidArgument` for any other number.
    package mutating func share() throws(KinError) -> Double {
        let value = try number()
        guard value >= 0, value <= 1 else {
            throw error("must be from 0 to 1, not \(value)", code: .invalidArgument)
        }
        return value
    }

    /// Reads a float in a range.
    ///
    /// - Throws: `.invalidArgument` for any other number.
    package mutating func float(in range: ClosedRange<Int>) throws(KinError) -> Float {
        let value = try float()
        guard value >= Float(range.lowerBound), value <= Float(range.upperBound) else {
            throw error(
                "must be from \(range.lowerBound) to \(range.upperBound), not \(value)", code: .invalidArgument)
        }
        return value
    }

    /// Reads a string, and parses it; errors have the position in the text.
    package mutating func parsed<Value>(_ parse: (String) throws(KinError) -> Value) throws(KinError) -> Value {
        let start = self
        let text = try string()
        do throws(KinError) { return try parse(text) } catch { throw start.error(error.message, code: error.code) }
    }

    /// Reads a whole number in a range.
    package mutating func integer(in range: ClosedRange<Int>) throws(KinError) -> Int {
        let start = self
        let number = try integer()
        guard let value = Int(exactly: number), range.contains(value) else {
            throw start.error(
                "must be from \(range.lowerBound) to \(range.upperBound), not \(number)", code: .invalidArgument)
        }
        return value
    }
}
