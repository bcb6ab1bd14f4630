/// The pleasures of a session: primary and secondary dimensions, and known intensities.
public struct PleasureMarks: Sendable, Hashable {
    /// The dimensions in the foreground.
    public let primary: [Pleasure.Dimension]
    /// The dimensions in the background.
    public let secondary: [Pleasure.Dimension]
    /// The known intensities, 0…1, of any dimensions.
    public let intensities: [Pleasure.Dimension: Float]

    /// The intensity of a primary dimension without an explicit one.
    ///
    /// Below 1, since a primary dimension is strong but not necessarily the strongest.
    public static let primaryDefault: Float = 0.8
    /// The intensity of a secondary dimension without an explicit one: half the primary default.
    public static let secondaryDefault: Float = 0.4

    /// Creates marks without any dimension.
    public init() {
        primary = []
        secondary = []
        intensities = [:]
    }

    /// Creates marks from dimensions and intensities.
    ///
    /// - Throws: `.invalidArgument` for a duplicate dimension, `.invalidArgument` or `.notFinite` for an intensity
    ///   outside 0…1; each names the field.
    public init(
        primary: [Pleasure.Dimension], secondary: [Pleasure.Dimension] = [],
        intensities: [Pleasure.Dimension: Float] = [:]
    ) throws(KinError) {
        var seen: UInt16 = 0
        for (field, list) in [("primary", primary), ("secondary", secondary)] {
            for dimension in list {
                guard seen & 1 << dimension.rawValue == 0 else {
                    throw .field(field, "\(dimension.name) is listed twice; a dimension is primary or secondary, once")
                }
                seen |= 1 << dimension.rawValue
            }
        }
        for (dimension, value) in intensities { try Pleasure.check(value, dimension) }
        self.primary = primary
        self.secondary = secondary
        self.intensities = intensities
    }

    /// The point in the pleasure space.
    ///
    /// An explicit intensity is used. Without one, a primary dimension has ``primaryDefault`` and a secondary one
    /// ``secondaryDefault``; all other dimensions are 0.
    public var embedding: Pleasure {
        var coordinates = SIMD16<Float>.zero
        for dimension in primary { coordinates[dimension.rawValue] = Self.primaryDefault }
        for dimension in secondary { coordinates[dimension.rawValue] = Self.secondaryDefault }
        for (dimension, value) in intensities { coordinates[dimension.rawValue] = value }
        return Pleasure(clamping: coordinates)
    }

    /// The dimensions named as primary, secondary or with an intensity, in storage order; all others are unknown.
    public var named: [Pleasure.Dimension] {
        let mask = namedMask
        return Pleasure.Dimension.allCases.filter { mask & 1 << $0.rawValue != 0 }
    }

    /// A mask of the named dimensions.
    var namedMask: UInt16 {
        var mask: UInt16 = 0
        for dimension in primary { mask |= 1 << dimension.rawValue }
        for dimension in secondary { mask |= 1 << dimension.rawValue }
        for dimension in intensities.keys { mask |= 1 << dimension.rawValue }
        return mask
    }

    /// The number 1 in the dimensions of a mask, 0 in the others.
    @inline(__always)
    static func weights(ofMask mask: UInt16) -> SIMD16<Double> {
        let bits = SIMD16<UInt16>(repeating: mask) & bitsOfDimensions
        return SIMD16<Double>.zero.replacing(with: 1, where: SIMD16<Int64>(truncatingIfNeeded: bits) .!= 0)
    }

    private static let bitsOfDimensions: SIMD16<UInt16> = {
        var bits = SIMD16<UInt16>.zero
        for dimension in Pleasure.Dimension.allCases { bits[dimension.rawValue] = 1 << dimension.rawValue }
        return bits
    }()
}

extension PleasureSession {
    /// The point of the session in the pleasure space: ``PleasureMarks/embedding``.
    public var embedding: Pleasure { pleasure.embedding }
}
