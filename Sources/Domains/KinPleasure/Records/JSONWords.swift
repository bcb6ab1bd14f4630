import KinCore
import KinJSON

// The words of the records, as keys of the JSON reader.

extension Pleasure.Dimension {
    static let words = JSONKeys(names)
    static let optionalWords = JSONKeys(names, required: [])

    init(from reader: inout JSONReader) throws(KinError) {
        self = Self.allCases[try reader.choice(of: Self.words, "dimension")]
    }
}

extension DayPart {
    static let words = JSONKeys(names)

    init(from reader: inout JSONReader) throws(KinError) {
        self = Self.allCases[try reader.choice(of: Self.words, "time slot")]
    }
}

extension SessionState {
    private static let words = JSONKeys(names)

    init(from reader: inout JSONReader) throws(KinError) {
        self = Self.allCases[try reader.choice(of: Self.words, "session state")]
    }
}

extension JSONReader {
    /// Reads an array of dimension names.
    mutating func dimensions() throws(KinError) -> [Pleasure.Dimension] {
        try list { reader throws(KinError) in try Pleasure.Dimension(from: &reader) }
    }

    /// Reads an instant in ISO 8601.
    mutating func timestamp() throws(KinError) -> Timestamp {
        let text = try string()
        do throws(KinError) { return try Timestamp(parsing: text) } catch { throw self.error(error.message) }
    }

    /// Reads a coordinate or an intensity, 0…1.
    mutating func coordinate() throws(KinError) -> Float {
        let value = try float()
        guard value >= 0, value <= 1 else {
            throw error("it is \(value), and must be from 0 to 1", code: .invalidArgument)
        }
        return value
    }
}
