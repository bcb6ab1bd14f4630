/// Statistics of a person's reflections: completion rates and streaks.
public struct RotationStatistics: Sendable, Hashable {
    /// The number of reflected days, and the number of those with a completed action.
    public struct Share: Sendable, Hashable {
        /// The number of days with a reflection.
        public internal(set) var reflected = 0
        /// The number of these days with a completed action.
        public internal(set) var completed = 0

        /// The completion rate, 0…1; nil without reflections.
        public var rate: Double? { reflected > 0 ? Double(completed) / Double(reflected) : nil }
    }

    /// The counts of all days.
    public let all: Share
    /// The counts of the days of each domain with reflections.
    public let byDomain: [ContentDomain: Share]
    /// The number of consecutive completed dates up to today or yesterday.
    public let currentStreak: Int
    /// The largest number of consecutive completed dates.
    public let longestStreak: Int

    /// Computes the statistics of reflections.
    ///
    /// - Parameters:
    ///   - reflections: The reflections in any order; the latest of several for one date counts, and dates after today
    ///     are ignored.
    ///   - today: The date in the person's zone.
    /// - Complexity: O(n log n).
    public init(_ reflections: some Sequence<DailyReflection>, today: LocalDay) {
        var latest: [LocalDay: DailyReflection] = [:]
        for reflection in reflections where reflection.date <= today {
            if let known = latest[reflection.date], known.time > reflection.time { continue }
            latest[reflection.date] = reflection
        }
        var all = Share()
        var byDomain: [ContentDomain: Share] = [:]
        for reflection in latest.values {
            all.reflected += 1
            byDomain[reflection.domain, default: Share()].reflected += 1
            guard reflection.isCompleted else { continue }
            all.completed += 1
            byDomain[reflection.domain, default: Share()].completed += 1
        }
        let streaks = DateStreaks(latest.values.filter(\.isCompleted).map(\.date), today: today)
        self.all = all
        self.byDomain = byDomain
        currentStreak = streaks.current
        longestStreak = streaks.longest
    }

}

extension RotationStatistics: DeclaredObject {
    /// The statistics as a JSON object, on one line.
    public var json: String { jsonText }

    package static let schema = ObjectSchema<RotationStatistics>(
        .field("reflected", \.all.reflected, "the number of days with a reflection"),
        .field("completed", \.all.completed, "the number of these days with a completed action"),
        .field("completion_rate", \.all.rate),
        .field("current_streak", \.currentStreak, "days"),
        .field("longest_streak", \.longestStreak, "days"),
        .members("domains", \.domains, by: "domain"))

    private var domains: [(name: String, value: Share)] {
        ContentDomain.allCases.compactMap { domain in byDomain[domain].map { (domain.rawValue, $0) } }
    }
}

extension RotationStatistics.Share: DeclaredObject {
    package static let schema = ObjectSchema<RotationStatistics.Share>(
        .field("reflected", \.reflected),
        .field("completed", \.completed),
        .field("completion_rate", \.rate))
}
