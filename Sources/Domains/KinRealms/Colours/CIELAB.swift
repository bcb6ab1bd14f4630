/// A colour in CIELAB under illuminant D65, a space whose Euclidean distances approximate perceived differences.
///
///     ΔE = √((L₁ − L₂)² + (a₁ − a₂)² + (b₁ − b₂)²)
///
/// CIE 15:2018, section 8.2.1; the conversion from sRGB is IEC 61966-2-1:1999.
public struct CIELAB: Sendable, Hashable {
    /// The lightness L*, 0…100.
    public let lightness: Double
    /// The coordinate a*, from green (negative) to red.
    public let a: Double
    /// The coordinate b*, from blue (negative) to yellow.
    public let b: Double

    /// Creates a colour from its coordinates.
    public init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    /// Converts sRGB components to CIELAB.
    ///
    /// - Precondition: Each component is 0…255.
    public init(red: Double, green: Double, blue: Double) {
        let (r, g, b) = (
            Self.light(ofComponent: red), Self.light(ofComponent: green), Self.light(ofComponent: blue)
        )
        let x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / Self.white.x
        let y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
        let z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / Self.white.z
        let (fx, fy, fz) = (Self.compressed(x), Self.compressed(y), Self.compressed(z))
        self.init(lightness: 116 * fy - 16, a: 500 * (fx - fy), b: 200 * (fy - fz))
    }

    /// The nearest sRGB components, rounded to integers.
    public var rgb: (red: UInt8, green: UInt8, blue: UInt8) {
        let fy = (lightness + 16) / 116
        let x = Self.white.x * Self.expanded(fy + a / 500)
        let y = Self.expanded(fy)
        let z = Self.white.z * Self.expanded(fy - b / 200)
        return (
            Self.byte(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
            Self.byte(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
            Self.byte(0.0556434 * x - 0.2040259 * y + 1.0572252 * z)
        )
    }

    /// The colour difference ΔE*ab (CIE 1976).
    public func difference(from other: CIELAB) -> Double {
        let (l, a, b) = (lightness - other.lightness, a - other.a, b - other.b)
        return (l * l + a * a + b * b).squareRoot()
    }

    private static let white = (x: 0.95047, z: 1.08883)
    private static let threshold = 6.0 / 29

    /// The function f of CIELAB: t^⅓, or its tangent for small t.
    static func compressed(_ t: Double) -> Double {
        t > threshold * threshold * threshold ? cubeRoot(t) : t / (3 * threshold * threshold) + 4.0 / 29
    }

    private static func expanded(_ t: Double) -> Double {
        t > threshold ? t * t * t : 3 * threshold * threshold * (t - 4.0 / 29)
    }

    /// The cube root of a number from 0.008 to 1.1 by Halley's iteration. Unlike the C library's, it is bit-identical
    /// on every machine.
    private static func cubeRoot(_ t: Double) -> Double {
        // The initial error is at most half of the root, and each step cubes it.
        var y = 0.30 + t * (1.26 - 0.56 * t)
        for _ in 0..<4 {
            let cube = y * y * y
            y *= (cube + 2 * t) / (2 * cube + t)
        }
        return y
    }

    /// The linear light of a component, interpolated between integers.
    static func light(ofComponent component: Double) -> Double {
        let low = min(254, max(0, Int(component)))
        return light[low] + (component - Double(low)) * (light[low + 1] - light[low])
    }

    private static func byte(_ light: Double) -> UInt8 {
        // Binary search for the component with the nearest light.
        UInt8((0..<255).partition { self.light[$0] + self.light[$0 + 1] <= 2 * light })
    }

    /// The linear light of each component: c ∕ 12.92 for small ones, else ((c + 0.055) ∕ 1.055)^2.4.
    private static let light: [Double] = (0...255).map { value in
        let c = Double(value) / 255
        guard c > 0.04045 else { return c / 12.92 }
        let base = (c + 0.055) / 1.055
        // x^2.4 = x² · (x²)^⅕, the fifth root by Newton's iteration.
        let square = base * base
        var root = 1.0
        for _ in 0..<60 { root += (square / (root * root * root * root) - root) / 5 }
        return square * root
    }
}
