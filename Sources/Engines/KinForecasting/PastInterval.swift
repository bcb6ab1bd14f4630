/// One stored interval between two events, 16 bytes.
struct PastInterval: Sendable, Hashable {
    /// The value that stands for an unknown feature.
    static let unknown = Int16.min

    /// The instant of the first event, in seconds since 1970 by the local clock.
    var begin: UInt32
    /// The length in seconds, below 18 hours.
    var length: UInt16
    /// The features of the first event, in units of the model's ``RecurrenceModel/History/featureSteps``.
    var features: SIMD4<Int16>

    /// The length in minutes.
    var minutes: Double { Double(length) / 60 }
    /// The instant of the first event, in minutes since 1970 by the local clock.
    var beginMinute: Double { Double(begin) / 60 }
}
