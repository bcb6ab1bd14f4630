public import KinCore

extension RhythmLog {
    /// Whose log it is.
    public struct Baby: Sendable, Hashable {
        /// The name; nothing depends on it.
        public var name: String
        /// Midnight of the day of birth, by the local clock; nil when it is not known.
        public var born: Timestamp?

        /// A baby, with what is known of it.
        public init(name: String = "", born: Timestamp? = nil) {
            self.name = name
            self.born = born
        }

        /// Age in days at an instant; nil when the day of birth is not known or still to come.
        public func ageInDays(at now: Timestamp) -> Double? {
            guard let born, born <= now else { return nil }
            return Double(now.microseconds - born.microseconds) / 86_400e6
        }
    }
}
