/// The session habits of a person: hours of the day, length, frequency and streak.
///
/// As a vector it has 27 coordinates in 0…1. The first 24 are the root of each hour's share of the sessions: they have
/// length 1 as a vector, and the product of two such vectors is their Bhattacharyya coefficient. Then come
/// minutes ∕ (minutes + 20), sessions a week ∕ (sessions a week + 3) and streak ∕ (streak + 7), which rise from 0 to 1
/// and are ½ at typical values.
public struct SessionPattern: Sendable, Hashable {
    /// The number or the share of sessions that began in each hour of the day: 24 numbers, or empty if unknown.
    public let hours: [Double]
    /// The usual length of a session, in minutes.
    public let minutes: Double
    /// The number of sessions in a week.
    public let sessionsPerWeek: Double
    /// The number of consecutive days with a session.
    public let streak: Double

    /// Creates a pattern, and checks it.
    ///
    /// - Parameters:
    ///   - hours: The sessions by hour: 24 numbers, or an empty list. 24 zeros are unknown hours.
    ///   - minutes: The usual length of a session, 0 or more.
    ///   - sessionsPerWeek: The number of sessions in a week, 0 or more.
    ///   - streak: The number of consecutive days with a session, 0 or more.
    /// - Throws: `.invalidArgument` for hours that are not 24, and for a negative number; `.notFinite`; naming the field.
    public init(
        hours: [Double] = [], minutes: Double = 0, sessionsPerWeek: Double = 0, streak: Double = 0
    ) throws(KinError) {
        guard hours.isEmpty || hours.count == 24 else {
            throw .field("hours", "there are \(hours.count) hours; a day has 24")
        }
        for (hour, count) in hours.enumerated() {
            try KinError.check(count, "hours[\(hour)]", "0 or more") { $0 >= 0 }
        }
        let total = hours.reduce(0, +)
        guard total.isFinite else {
            throw .field("hours", "they sum to more than 1e308; give counts or shares")
        }
        for (field, amount) in [("minutes", minutes), ("sessions_per_week", sessionsPerWeek), ("streak", streak)] {
            try KinError.check(amount, field, "0 or more") { $0 >= 0 }
        }
        self.hours = total > 0 ? hours : []
        self.minutes = minutes
        self.sessionsPerWeek = sessionsPerWeek
        self.streak = streak
    }

    /// Whether nothing is known. A soul is created without such a pattern.
    var isEmpty: Bool { hours.isEmpty && minutes == 0 && sessionsPerWeek == 0 && streak == 0 }

    /// The number of coordinates of a pattern.
    package static let dimension = 27

    /// The pattern as a vector, which is not all 0 unless the pattern is empty.
    package var vector: [Double] {
        let total = hours.reduce(0, +)
        let shares: [Double] = hours.isEmpty ? Array(repeating: 0, count: 24) : hours.map { ($0 / total).squareRoot() }
        let amounts: [(amount: Double, usual: Double)] = [(minutes, 20), (sessionsPerWeek, 3), (streak, 7)]
        return shares
            + amounts.map { (amount, usual) -> Double in
                // Above 0 for every positive amount.
                amount > 0 ? max(amount / (amount + usual), .leastNonzeroMagnitude) : 0
            }
    }
}
