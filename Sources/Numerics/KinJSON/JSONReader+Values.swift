package import KinCore

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

    /// Reads a value, or nil for null.
    package mutating func optional<Value>(
        _ value: (inout JSONReader) throws(KinError) -> Value
    ) throws(KinError) -> Value? {
        try takesNull() ? nil : value(&self)
    }

    /// Reads a number from 0 to 1.
    ///
    /// - Throws: `.invalidArgument` for any other number.
    package mutating func share() throws(KinError) -> Double {
        let value = try number()
        guard value >= 0, value <= 1 else {
            throw error("it is \(value), and must be from 0 to 1", code: .invalidArgument)
        }
        return value
    }
}
