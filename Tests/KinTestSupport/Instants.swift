package import KinCore

extension Timestamp {
    /// The instant some days of 24 hours later.
    package func adding(days: Int) throws(KinError) -> Timestamp {
        try Timestamp(microseconds: microseconds + Int64(days) * CivilDate.microsecondsPerDay)
    }
}
