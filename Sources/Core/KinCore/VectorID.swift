/// The caller's id of a vector: any 64-bit number except ``VectorID/none``.
///
///     let evening: VectorID = 1007
///     let ids = (1000..<1200).map { VectorID($0) }    // one for each row of a matrix
///     ids[7] == evening                               // true
///     evening.rawValue                                // 1007
///
/// A separate type, so that an id is never mistaken for a row number, a count or a rank.
public struct VectorID: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    /// The number of the id.
    public var rawValue: UInt64

    /// Creates an id from its number.
    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates an id from its number.
    @inlinable
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The id for "no vector": it fills unused elements of results in C and Python, and is rejected as an id.
    public static let none = VectorID(.max)
}

extension VectorID: Comparable {
    /// Compares two ids by their numbers.
    @inlinable
    public static func < (a: VectorID, b: VectorID) -> Bool { a.rawValue < b.rawValue }
}

extension VectorID: ExpressibleByIntegerLiteral {
    /// Creates an id from an integer literal.
    @inlinable
    public init(integerLiteral value: UInt64) { self.init(value) }
}

extension VectorID: CustomStringConvertible {
    /// The number of the id in decimal.
    public var description: String { String(rawValue) }
}
