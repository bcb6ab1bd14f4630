public import KinCore

/// A place on the earth, in degrees.
public struct GeographicCoordinates: Sendable, Hashable {
    /// Degrees north of the equator, −90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, −180 to 180.
    public let longitude: Double

    /// A place.
    ///
    /// - Throws: `.notFinite` or `.invalidArgument`, naming the field (`lat` or `lng`), for degrees out of range.
    public init(latitude: Double, longitude: Double) throws(KinError) {
        for (field, value, limit) in [("lat", latitude, 90.0), ("lng", longitude, 180.0)] {
            guard value.isFinite else { throw KinError(.notFinite, "it is \(value)").within("field", field) }
            guard abs(value) <= limit else {
                throw KinError(
                    .invalidArgument, "it is \(value), and must be from -\(Int(limit)) to \(Int(limit)) degrees"
                )
                .within("field", field)
            }
        }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension GeographicCoordinates: CustomStringConvertible {
    public var description: String { "\(latitude),\(longitude)" }
}
