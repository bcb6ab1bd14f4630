import KinLibC

/// A position on the earth's surface, in degrees.
public struct GeographicCoordinates: Sendable, Hashable {
    /// Degrees north of the equator, −90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public let longitude: Double

    /// Creates coordinates from finite degrees within their ranges.
    ///
    /// - Throws: `.notFinite` or `.invalidArgument`, naming the field (`lat` or `lng`), for degrees out of range.
    public init(latitude: Double, longitude: Double) throws(KinError) {
        try KinError.check(latitude, "lat", "from -90 to 90 degrees") { abs($0) <= 90 }
        try KinError.check(longitude, "lng", "from -180 to 180 degrees") { abs($0) <= 180 }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension GeographicCoordinates: CustomStringConvertible {
    public var description: String { "\(latitude),\(longitude)" }
}

/// A point of the unit sphere, for great-circle distances.
///
/// The haversine formula is hav(θ) = hav(Δφ) + cos φ₁ cos φ₂ hav(Δλ) (Sinnott, Sky and Telescope 68, 1984). Its
/// right-hand side is a quarter of the squared chord between the two points of the unit sphere, so θ = 2 asin(½ chord).
/// This gives the same number without a sine per pair, and is continuous across the antimeridian and at the poles.
struct SpherePoint: Sendable {
    let x: Double
    let y: Double
    let z: Double

    /// The point of a location: the same bits for 180° west and east, and for all longitudes at a pole.
    init(_ location: GeographicCoordinates) {
        let isPole = abs(location.latitude) == 90
        let longitude = location.longitude == -180 ? 180 : location.longitude
        let (phi, lambda) = (location.latitude * .pi / 180, longitude * .pi / 180)
        x = isPole ? 0 : cos(phi) * cos(lambda)
        y = isPole ? 0 : cos(phi) * sin(lambda)
        z = sin(phi)
    }

    private init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

    /// The centre of the sphere, which has no coordinates on its surface.
    static let middle = SpherePoint(x: 0, y: 0, z: 0)

    /// The squared length of the chord to a point, 0…4.
    @inline(__always)
    func squaredChord(to other: SpherePoint) -> Double {
        let (dx, dy, dz) = (x - other.x, y - other.y, z - other.z)
        return dx * dx + dy * dy + dz * dz
    }
}

/// The earth as a sphere.
enum Earth {
    /// The mean radius R₁ of the International Union of Geodesy and Geophysics (Moritz, Journal of Geodesy 74, 2000).
    static let radiusKilometers = 6371.0088

    /// The great-circle distance of a squared chord of the unit sphere.
    static func kilometers(squaredChord: Double) -> Double {
        2 * radiusKilometers * asin(min(1, squaredChord.squareRoot() / 2))
    }

    /// The squared chord of a great-circle distance; +infinity from half the circumference on.
    static func squaredChord(kilometers: Double) -> Double {
        let angle = kilometers / radiusKilometers
        guard angle < .pi else { return .infinity }
        let chord = 2 * sin(angle / 2)
        return chord * chord
    }
}

extension GeographicCoordinates {
    /// The great-circle distance to other coordinates in kilometres, on a sphere of radius 6371.0088 km (haversine
    /// distance).
    public func distance(to other: GeographicCoordinates) -> Double {
        Earth.kilometers(squaredChord: SpherePoint(self).squaredChord(to: SpherePoint(other)))
    }
}
