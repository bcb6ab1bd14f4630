/// A point in the pleasure space: sixteen coordinates in 0…1, 64 bytes, one cache line.
///
///     let mood: Pleasure = [.natureMirror: 0.9, .mobility: 0.7]
///     mood[.horizon]  // 0
public struct Pleasure: Sendable, Hashable {
    /// The coordinates in storage order; each is finite and in 0…1.
    package private(set) var coordinates: SIMD16<Float>

    /// Creates the origin: every coordinate 0.
    public init() { coordinates = .zero }

    /// Creates a point from its coordinates in storage order.
    ///
    /// - Throws: `.dimensionMismatch` unless there are sixteen; `.notFinite` or `.invalidArgument`, naming the
    ///   dimension, for a coordinate that is outside 0…1.
    public init(_ values: some Collection<Float>) throws(KinError) {
        guard values.count == Pleasure.Dimension.count else {
            throw KinError(.dimensionMismatch, "a profile has 16 coordinates, not \(values.count)")
        }
        self.init()
        for (dimension, value) in zip(Pleasure.Dimension.allCases, values) { try set(dimension, to: value) }
    }

    /// Creates a point from some of its coordinates; the others are 0.
    ///
    /// - Throws: As ``set(_:to:)``.
    public init(_ values: [Pleasure.Dimension: Float]) throws(KinError) {
        self.init()
        for dimension in Pleasure.Dimension.allCases {
            if let value = values[dimension] { try set(dimension, to: value) }
        }
    }

    /// Creates a point with coordinates clamped to 0…1.
    package init(clamping values: SIMD16<Float>) {
        coordinates = values.clamped(lowerBound: .zero, upperBound: .one)
    }

    /// The coordinate in a dimension, 0…1.
    public subscript(dimension: Pleasure.Dimension) -> Float { coordinates[dimension.rawValue] }

    /// Changes the coordinate in one dimension.
    ///
    /// - Throws: `.notFinite` or `.invalidArgument`, naming the dimension, unless the value is in 0…1.
    public mutating func set(_ dimension: Pleasure.Dimension, to value: Float) throws(KinError) {
        try Self.check(value, dimension)
        coordinates[dimension.rawValue] = value + 0  // −0 is 0
    }

    /// The coordinates in storage order, in the form that an index stores.
    public var vector: [Float] { (0..<Pleasure.Dimension.count).map { coordinates[$0] } }

    static func check(_ value: Float, _ dimension: Pleasure.Dimension) throws(KinError) {
        guard value.isFinite else {
            throw .field(dimension.name, "must be a number from 0 to 1, not \(value)", .notFinite)
        }
        guard value >= 0, value <= 1 else {
            throw .field(dimension.name, "must be from 0 to 1, not \(value)")
        }
    }
}

extension Pleasure: ExpressibleByDictionaryLiteral {
    /// Creates a point from some of its coordinates; the others are 0.
    ///
    /// - Precondition: Each coordinate is in 0…1, and no dimension occurs twice.
    public init(dictionaryLiteral elements: (Pleasure.Dimension, Float)...) {
        self.init()
        for (dimension, value) in elements {
            precondition(value >= 0 && value <= 1, "\(dimension.name) must be from 0 to 1")
            coordinates[dimension.rawValue] = value
        }
    }
}

extension Pleasure: CustomStringConvertible {
    /// The coordinates that are not 0: `nature_mirror=0.9 mobility=0.7`.
    public var description: String {
        let parts = Pleasure.Dimension.allCases.filter { self[$0] != 0 }.map { "\($0.name)=\(self[$0])" }
        return parts.isEmpty ? "(all 0)" : parts.joined(separator: " ")
    }
}
