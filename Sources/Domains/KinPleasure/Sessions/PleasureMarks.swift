public import KinCore

/// What of a session was felt: dimensions in the foreground and in the background, and how strongly where that is known.
public struct PleasureMarks: Sendable, Hashable {
    /// The dimensions in the foreground.
    public let primary: [Pleasure.Dimension]
    /// The dimensions in the background.
    public let secondary: [Pleasure.Dimension]
    /// How strongly, 0…1; of any dimension.
    public let intensities: [Pleasure.Dimension: Float]

    /// The intensity of a primary dimension for which none is given.
    ///
    /// What a person puts first is strong, though not the strongest they know.
    public static let primaryDefault: Float = 0.8
    /// The intensity of a secondary dimension for which none is given: half the primary default.
    public static let secondaryDefault: Float = 0.4

    /// Nothing felt.
    public init() {
        primary = []
        secondary = []
        intensities = [:]
    }

    /// Marks.
    ///
    /// - Throws: `.invalidArgument` for a dimension that is listed twice, `.invalidArgument` or `.notFinite` for an intensity
    ///   outside 0…1; each names the field.
    public init(
        primary: [Pleasure.Dimension], secondary: [Pleasure.Dimension] = [],
        intensities: [Pleasure.Dimension: Float] = [:]
    ) throws(KinError) {
        var seen: UInt16 = 0
        for (field, list) in [("primary", primary), ("secondary", secondary)] {
            for dimension in list {
                guard seen & 1 << dimension.rawValue == 0 else {
                    throw KinError(
                        .invalidArgument, "\(dimension.name) is listed twice; a dimension is primary or secondary, once"
                    )
                    .within("field", field)
                }
                seen |= 1 << dimension.rawValue
            }
        }
        for (dimension, value) in intensities { try Pleasure.check(value, dimension) }
        self.primary = primary
        self.secondary = secondary
        self.intensities = intensities
    }

    /// The point that they stand for.
    ///
    /// A given intensity is used; a primary dimension without one has ``primaryDefault``, a secondary one
    /// ``secondaryDefault``; all others are 0.
    public var embedding: Pleasure {
        var coordinates = SIMD16<Float>.zero
        for dimension in primary { coordinates[dimension.rawValue] = Self.primaryDefault }
        for dimension in secondary { coordinates[dimension.rawValue] = Self.secondaryDefault }
        for (dimension, value) in intensities { coordinates[dimension.rawValue] = value }
        return Pleasure(clamping: coordinates)
    }
}

extension PleasureSession {
    /// The point in the pleasure space that the session stands for: ``PleasureMarks/embedding``.
    public var embedding: Pleasure { pleasure.embedding }
}
