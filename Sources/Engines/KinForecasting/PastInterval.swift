/// An interval between two events, sixteen bytes.
struct PastInterval: Sendable, Hashable {
    static let unknown = Int16.min

    /// When it began, in seconds since 1970 by the local clock.
    var begin: UInt32
    /// How long it was, in seconds: below 18 hours.
    var length: UInt16
    var features: SIMD4<Int16>

    var minutes: Double { Double(length) / 60 }
    var beginMinute: Double { Double(begin) / 60 }
}
